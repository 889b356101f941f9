-- name: ingest.insert_extraction
-- doc: Rows of the Arrow table `incoming` become facts of chunks.
-- params: none
-- returns: none
-- order: none
INSERT INTO extraction BY NAME
SELECT chunk_id, model, facts::JSON AS facts, reason
FROM incoming
