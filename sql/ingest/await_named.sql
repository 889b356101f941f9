-- name: ingest.await_named
-- doc: Chunks that hold every stem of a new title are to be read again. `incoming` has the stems of each title.
-- params: none
-- returns: none
-- order: none
INSERT INTO pending_chunk
WITH wanted AS (
    SELECT key_no, term_id, count(*) OVER (PARTITION BY key_no) AS term_count
    FROM incoming
)
SELECT DISTINCT p.chunk_id
FROM wanted AS w
JOIN posting AS p ON p.term_id = w.term_id
WHERE p.chunk_id NOT IN (SELECT chunk_id FROM pending_chunk)
GROUP BY w.key_no, p.chunk_id, w.term_count
HAVING count(*) = w.term_count
ORDER BY p.chunk_id
