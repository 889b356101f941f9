-- name: walk.path_score
-- doc: The nine features of a path (means over its hops, each in [0, 1]) and their weighted sum, eq. 8. From an anchor
--   strength of 0.4 the target, anchor, transition and hub terms grow, up to twice.
-- params: anchor_strength DOUBLE, relation_similarity DOUBLE, target_relevance DOUBLE, specificity DOUBLE,
--   anchor_consistency DOUBLE, transition_alignment DOUBLE, coherence DOUBLE, hub_exposure DOUBLE, repetition DOUBLE,
--   question_like DOUBLE
-- returns: question_id INTEGER, depth INTEGER, parent_id BIGINT, tail_id INTEGER, seed_group INTEGER, nodes INTEGER[],
--   edges INTEGER[], relations INTEGER[], view VARCHAR, targets BIGINT, facets BIGINT, sums STRUCT(relation DOUBLE, aim
--   DOUBLE, specific DOUBLE, anchored DOUBLE, aligned DOUBLE, coherent DOUBLE, hub DOUBLE, first DOUBLE, last DOUBLE,
--   repeated DOUBLE, question_like DOUBLE), terms STRUCT(relation_similarity DOUBLE, target_relevance DOUBLE, specificity
--   DOUBLE, anchor_consistency DOUBLE, transition_alignment DOUBLE, coherence DOUBLE, hub_exposure DOUBLE, repetition
--   DOUBLE, question_like DOUBLE, source_weight DOUBLE, tau DOUBLE, cue DOUBLE, residual DOUBLE), score DOUBLE
-- order: none
SELECT question_id, depth, parent_id, tail_id, seed_group, nodes, edges, relations, view, targets, facets, sums, terms,
       $relation_similarity::DOUBLE * terms.relation_similarity                -- eq. 8
       + $target_relevance::DOUBLE * boost * terms.target_relevance
       + $specificity::DOUBLE * terms.specificity
       + $anchor_consistency::DOUBLE * boost * terms.anchor_consistency
       + $transition_alignment::DOUBLE * boost * terms.transition_alignment
       + $coherence::DOUBLE * terms.coherence
       - $hub_exposure::DOUBLE * boost * terms.hub_exposure
       - $repetition::DOUBLE * terms.repetition
       - $question_like::DOUBLE * terms.question_like AS score
FROM (
    SELECT *,
           {'relation_similarity': sums.relation / depth, 'target_relevance': sums.aim, 'specificity': sums.specific / depth,
            'anchor_consistency': sums.anchored / depth, 'transition_alignment': sums.aligned / depth,
            'coherence': sums.coherent / depth, 'hub_exposure': sums.hub / depth, 'repetition': sums.repeated / depth,
            'question_like': sums.question_like, 'source_weight': NULL::DOUBLE, 'tau': NULL::DOUBLE, 'cue': NULL::DOUBLE,
            'residual': NULL::DOUBLE} AS terms,
           CASE WHEN $anchor_strength::DOUBLE < 0.4 THEN 1.0 ELSE 1 + ($anchor_strength::DOUBLE - 0.4) / 0.6 END AS boost
    FROM summed
)
