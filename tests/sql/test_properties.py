"""What holds of every beam, whatever the corpus and the policy: bounds, simple paths, stop, floor, balance."""

from __future__ import annotations

import itertools
import random

import pytest
from random_store import evidence, make_twins, policy, random_question, random_store, run, walk, with_queries

from mosaic_sql.pipeline import effects

SEEDS = [*range(0, 12, 2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 60, 2))]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_score_lies_between_the_sums_of_its_weights_and_a_path_is_simple(seed: int) -> None:
    rng = random.Random(seed)
    with random_store(seed, with_vectors=seed % 4 > 0) as store:
        strength = rng.choice((0.0, 0.5, 1.0))
        chosen = policy("beam", anchor_strength=strength, use_connector=True, stop_regime="deep", max_depth=4)
        question = with_queries(rng, store, random_question(rng, store, 1), chosen)
        rows = [
            row for row in walk(run(store, [question], chosen, keep_pruned=True, rule_relation_id=2)) if row["depth"]
        ]
        boost = 1.0 if strength < 0.4 else 1 + (strength - 0.4) / 0.6
        weights = chosen.walk.weights
        most = (
            weights.relation_similarity
            + weights.specificity
            + weights.coherence
            + boost * (weights.target_relevance + weights.anchor_consistency + weights.transition_alignment)
        )
        least = -(boost * weights.hub_exposure + weights.repetition + weights.question_like)
        for row in rows:
            assert least - 1e-9 <= row["score"] <= most + 1e-9
            shares = [value for value in row["terms"].values() if value is not None]
            assert len(shares) == 9
            assert all(-1e-9 <= value <= 1 + 1e-9 for value in shares)
            assert len(set(row["nodes"])) == len(row["nodes"]) == len(row["edges"]) + 1 == row["depth"] + 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_deeper_regime_never_stops_earlier_and_walks_the_same_way_until_then(seed: int) -> None:
    with random_store(seed) as store:
        question = random_question(random.Random(seed), store, 1)
        reached = []
        for regime in ("shallow", "medium", "deep"):
            rows = walk(run(store, [question], policy("beam", max_depth=5, stop_regime=regime)))
            reached.append([(row["depth"], row["edges"]) for row in rows if row["kept"]])
        depths = [max((depth for depth, _ in rows), default=0) for rows in reached]
        assert depths == sorted(depths)
        for earlier, later in itertools.pairwise(reached):
            assert later[: len(earlier)] == earlier


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("adaptive", [False, True])
def test_evidence_is_never_under_its_floor_nor_over_its_cap(seed: int, adaptive: bool) -> None:
    rng = random.Random(seed)
    with random_store(seed) as store:
        cap = rng.randint(1, 8)
        chosen = policy(
            "beam",
            evidence_count=cap,
            min_evidence=rng.randint(1, cap),
            candidate_limit=rng.choice((1, 2, 10)),
            core_units=rng.choice((0, 1, 4)),
            chunk_units=rng.random() < 0.5,
            use_connector=True,
            adaptive_final_evidence=adaptive,
        )
        question = with_queries(rng, store, random_question(rng, store, 1), chosen)
        rows = evidence(run(store, [question], chosen, rule_relation_id=2))
        kept = [row for row in rows if row["kept"]]
        assert len(kept) <= cap
        assert len(kept) >= min(chosen.evidence.min_evidence, len(rows))
        assert len({(row["chunk_id"], row["unit_kind"], row["unit_id"]) for row in rows}) == len(rows)
        assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("twins", [False, True])
def test_each_target_of_a_per_target_question_gets_two_names_where_it_has_them(seed: int, twins: bool) -> None:
    rng = random.Random(seed)
    with random_store(seed) as store:
        names = make_twins(rng, store) if twins else {node: f"n{node}" for node in store.nodes}
        chosen = policy("beam", seed_query_mode="per_target", seed_limit=8)
        question = with_queries(rng, store, random_question(rng, store, 1), chosen)
        run(store, [question], chosen)
        seeds = store.rows("SELECT group_id, item_id FROM seed WHERE why <> 'edges and name like the question'")
        for target in question.targets:  # a target's own nodes are always found by its query
            own = {names[node] for node in target.node_ids}
            found = {names[node] for group, node in seeds if group == target.group_id or node in target.node_ids}
            assert len(own & found) >= min(2, len(own)) or len(found) >= 2


@pytest.mark.parametrize("seed", SEEDS)
def test_what_an_anchor_keeps_at_depth_1_is_what_is_not_kept_without(seed: int) -> None:
    rng = random.Random(seed)
    with random_store(seed) as store:
        question = random_question(rng, store, 1)
        scope, width = rng.choice(("pool", "seed")), rng.choice((1, 2, 3))
        kept, told = [], 0
        for strength in (0.0, 1.0):
            chosen = policy("beam", max_depth=1, beam_width=width, beam_scope=scope, anchor_strength=strength)
            run(store, [question], chosen, keep_pruned=True)
            walked = store.database.connection.sql("FROM walk WHERE depth = 1 ORDER BY rowid").to_arrow_table()
            rows = walked.to_pylist()
            kept.append({tuple(sorted(row["edges"])) for row in rows if row["kept"]})
            told = effects.kept_by_anchor(rows, chosen)
            assert strength or told == 0
        assert told == len(kept[1] - kept[0])
