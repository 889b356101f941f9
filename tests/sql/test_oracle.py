"""The SQL walks against naive Python on random corpora: the rows are equal."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import twins
from mosaic_sql.render import Question
from random_store import (
    Store,
    evidence,
    policy,
    random_pattern,
    random_question,
    random_store,
    run,
    transitions,
    walk,
)

SEEDS = range(24)
EXPAND = ("join", "resident")


@pytest.fixture(scope="module", params=SEEDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with random_store(request.param, with_vectors=request.param % 4 != 3) as filled:
        yield filled


@pytest.fixture
def rng(store: Store) -> random.Random:
    return random.Random(len(store.edges) * 1000 + len(store.chunks))


def same(got: Sequence[dict[str, Any]], wanted: Sequence[dict[str, Any]], columns: str) -> None:
    """Equal rows in equal order; numbers to twelve digits."""
    names = columns.split()
    assert [[row[name] for name in names if name != "score"] for row in got] == [
        [row[name] for name in names if name != "score"] for row in wanted
    ]
    if "score" in names:
        assert [row["score"] for row in got] == pytest.approx([row["score"] for row in wanted], abs=1e-12)


def with_parents(rows: Sequence[dict[str, Any]], column: str) -> list[dict[str, Any]]:
    return [{**row, "parent": row[f"parent_{column}"]} for row in rows]


@pytest.mark.parametrize("expand", EXPAND)
def test_bfs_reaches_every_node_once_over_the_first_edge(store: Store, rng: random.Random, expand: str) -> None:
    for controls in ({"max_depth": 2}, {"max_depth": 4, "fan_out": 2}, {"max_depth": 3, "row_budget": 3}):
        question, chosen = random_question(rng, store, 1), policy("bfs", **controls)
        rows = walk(run(store, [question], chosen, expand=expand))
        wanted = twins.bfs(store, question, chosen)
        same(with_parents(rows, "edges"), wanted, "depth nodes edges parent rank view stopped")
        assert [row["score"] for row in rows] == [1 / (1 + row["depth"]) for row in rows]


@pytest.mark.parametrize("expand", EXPAND)
def test_meta_path_walks_the_product_of_graph_and_automaton(store: Store, rng: random.Random, expand: str) -> None:
    for controls in ({}, {"max_depth": 2}, {"row_budget": 2}):
        question = random_question(rng, store, 1, transitions=transitions(random_pattern(rng)))
        chosen = policy("meta_path", **controls)
        rows = walk(run(store, [question], chosen, expand=expand))
        wanted = twins.meta_path(store, question, chosen)
        same(with_parents(rows, "edges"), wanted, "depth nodes edges parent rank view stopped")


@pytest.mark.parametrize("expand", EXPAND)
def test_shortest_paths_are_the_first_of_all_simple_paths(store: Store, rng: random.Random, expand: str) -> None:
    cases = [("shortest_path", "~any{1,3}", {"max_depth": 3, "path_limit": 4})]
    cases += [("constrained_shortest_path", random_pattern(rng), {"max_depth": 5, "path_limit": k}) for k in (1, 3, 50)]
    for operator, path_pattern, controls in cases:
        question = random_question(rng, store, 1, transitions=transitions(path_pattern))
        chosen = policy(operator, **controls)
        rows = walk(run(store, [question], chosen, expand=expand))
        same(rows, twins.shortest_paths(store, question, chosen), "depth nodes edges rank kept view")
        assert [row["pruned_by"] for row in rows] == [None if row["kept"] else "path_limit" for row in rows]


def test_base_scores_what_words_vectors_and_titles_find(store: Store, rng: random.Random) -> None:
    for _ in range(2):
        question, chosen = random_question(rng, store, 1), policy("chunk_hop")
        run(store, [question], chosen)
        rows = store.rows("SELECT chunk_id, score, plain_score, lexical, cosine, title_weight, covered FROM base ORDER BY rowid")
        wanted = twins.base(store, question, chosen)
        assert [row[0] for row in rows] == [row[0] for row in wanted]
        for row, expected in zip(rows, wanted, strict=True):
            assert row == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("max_depth", (1, 2, 3))
def test_chunk_hop_keeps_the_best_path_into_every_chunk(store: Store, rng: random.Random, max_depth: int) -> None:
    for width in (max_depth, 4):
        question = random_question(rng, store, 1)
        chosen = policy("chunk_hop", max_depth=max_depth, beam_width=width, evidence_count=4, min_evidence=1)
        run(store, [question], chosen, keep_pruned=True)
        seeds = twins.chunk_seeds(store, question, chosen)
        assert store.rows("SELECT item_id, score FROM seed ORDER BY rowid") == [
            (chunk, pytest.approx(score, abs=1e-12)) for chunk, score in seeds
        ]
        cues = store.rows("SELECT chunk_id, node_id, score FROM cue ORDER BY rowid")
        wanted_cues = twins.cue(store, question, {chunk for chunk, _ in seeds} if max_depth == 1 else None)
        assert cues == [(*key, pytest.approx(score, abs=1e-12)) for key, score in sorted(wanted_cues.items())]
        wanted = twins.chunk_hop(store, question, chosen)
        rows = with_parents(walk(store), "chunks")
        same(rows, wanted, "depth chunks nodes score parent view rank kept pruned_by")
        same(evidence(store), twins.chunk_evidence(store, question, chosen, wanted), "rank chunk_id role score kept")
    run(store, [question], chosen)
    same(with_parents(walk(store), "chunks"), [row for row in wanted if row["kept"]], "depth chunks nodes score")


def questions(rng: random.Random, store: Store, operator: str) -> list[Question]:
    path_pattern = {"shortest_path": "~any{1,3}", "bfs": "any", "beam": "any", "chunk_hop": "any"}
    return [
        random_question(rng, store, number, transitions=transitions(path_pattern.get(operator) or random_pattern(rng)))
        for number in (3, 5, 8)
    ]


SHORT = {"chunk_hop": {"max_depth": 2}, "constrained_shortest_path": {"max_depth": 5}}
OPERATORS = ("chunk_hop", "beam", "bfs", "meta_path", "shortest_path", "constrained_shortest_path")


@pytest.mark.parametrize("operator", OPERATORS)
def test_batches_threads_and_resident_arrays_change_nothing(store: Store, rng: random.Random, operator: str) -> None:
    asked, chosen = questions(rng, store, operator), policy(operator, **SHORT.get(operator, {}))
    connection = store.database.connection
    connection.execute("SET threads = 1")
    batch = outcome(run(store, asked, chosen, keep_pruned=True))
    connection.execute("SET threads = 4")
    assert outcome(run(store, asked, chosen, keep_pruned=True, expand="resident")) == batch
    singles = [outcome(run(store, [question], chosen, keep_pruned=True)) for question in asked]
    assert tuple([row for single in singles for row in single[part]] for part in range(3)) == batch


def outcome(store: Store) -> tuple[list[Any], ...]:
    return tuple(store.rows(f"SELECT * FROM {stage} ORDER BY rowid") for stage in ("seed", "walk", "evidence"))
