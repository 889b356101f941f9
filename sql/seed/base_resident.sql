-- name: seed.base_resident
-- doc: The rows of seed.base over postings and vectors in memory: the same arithmetic in the same order, without the
--   cost of planning it anew for each question. With `base_hops` only those rows that a walk of so many links needs:
--   the best, the pages of names, and what links lead to; NULL for all.
-- params: bm25_share DOUBLE, title_boost DOUBLE, anchor_threshold DOUBLE, base_hops INTEGER, seed_limit INTEGER,
--   ranking_limit INTEGER, evidence_count INTEGER
-- returns: question_id INTEGER, chunk_id INTEGER, group_id INTEGER, place BIGINT, score DOUBLE, share_of_best DOUBLE,
--   plain_score DOUBLE, lexical DOUBLE, cosine DOUBLE, title_weight DOUBLE, covered BIGINT
-- order: none
SELECT question_id,
       unnest(chunk_scores(
           embedding, terms, pages,
           {'bm25_share': $bm25_share::DOUBLE, 'title_boost': $title_boost::DOUBLE,
            'anchor_threshold': $anchor_threshold::DOUBLE, 'hops': $base_hops::INTEGER,
            'seed_limit': $seed_limit::INTEGER,
            'ranked': greatest($ranking_limit::INTEGER, $evidence_count::INTEGER)}
       ), recursive := true)
FROM question
