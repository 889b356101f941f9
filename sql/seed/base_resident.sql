-- name: seed.base_resident
-- doc: The rows of seed.base over postings and vectors in memory: the same arithmetic in the same order, without the
--   cost of planning it anew for each question.
-- params: bm25_share DOUBLE, title_boost DOUBLE, anchor_threshold DOUBLE
-- returns: question_id INTEGER, chunk_id INTEGER, group_id INTEGER, place BIGINT, score DOUBLE, share_of_best DOUBLE,
--   plain_score DOUBLE, lexical DOUBLE, cosine DOUBLE, title_weight DOUBLE, covered BIGINT
-- order: none
SELECT question_id,
       unnest(chunk_scores(
           embedding, terms, pages,
           {'bm25_share': $bm25_share::DOUBLE, 'title_boost': $title_boost::DOUBLE,
            'anchor_threshold': $anchor_threshold::DOUBLE}
       ), recursive := true)
FROM question
