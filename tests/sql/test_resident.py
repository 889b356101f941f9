"""Arrays in memory answer as the tables they were read from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_store import Store, insert, policy, random_question, random_store, run, walk

from mosaic_sql import sqlfiles
from mosaic_sql.database import Database
from mosaic_sql.render import Form, Question, render
from mosaic_sql.resident import Resident, ResidentText, nodes
from mosaic_sql.resident.text import best_of, places


@pytest.fixture
def store() -> Iterator[Store]:
    with random_store(4) as filled:
        yield filled


def test_adjacent_gives_the_stored_rows_of_a_node_in_stored_order(store: Store) -> None:
    stored = store.rows("SELECT * FROM adjacency ORDER BY rowid")
    answered = store.rows(
        "SELECT node_id, s.neighbour_id, s.edge_id, s.relation_id, s.forward "
        "FROM (SELECT node_id, unnest(adjacent(node_id)) AS s FROM (SELECT DISTINCT node_id FROM adjacency ORDER BY 1))"
    )
    assert answered == stored


def test_an_edge_is_told_as_a_step_of_its_node(store: Store) -> None:
    stored = store.rows("SELECT node_id, edge_id, relation_id, forward FROM adjacency ORDER BY rowid")
    resident = Resident.load(store.database)
    assert resident is not None
    told = resident.step_of(pa.array([row[0] for row in stored]), pa.array([row[1] for row in stored])).to_pylist()
    assert told == [{"relation_id": row[2], "forward": row[3]} for row in stored]
    other = next(row for row in stored if row[1] != stored[0][1] and row[0] != stored[0][0])
    nodes, edges = [stored[0][0], -1, None, 10_000_000, stored[0][0]], [other[1] + 1, 0, 0, 0, 10_000_000]
    assert resident.step_of(pa.array(nodes, pa.int32()), pa.array(edges, pa.int32())).to_pylist() == [None] * 5


def test_a_node_is_told_with_its_name_and_kinds(store: Store) -> None:
    stored = store.rows("SELECT node_id, name, kinds FROM node ORDER BY node_id")
    resident = Resident.load(store.database)
    assert resident is not None
    told = resident.nodes.node_of(pa.array([row[0] for row in stored], pa.int32())).to_pylist()
    assert [(one["name"], one["kinds"] or []) for one in told] == [(row[1], row[2] or []) for row in stored]
    assert resident.nodes.node_of(pa.array([-1, None, 10_000_000], pa.int32())).to_pylist() == [None] * 3


def test_paths_are_written_as_the_join_writes_them(store: Store) -> None:
    rng, steps = random.Random(5), dict[int, list[tuple[int, int]]]()
    for node, neighbour, edge in store.rows("SELECT node_id, neighbour_id, edge_id FROM adjacency ORDER BY ALL"):
        steps.setdefault(node, []).append((neighbour, edge))
    paths = []
    for rank in range(300):
        nodes, edges = [rng.choice(sorted(steps))], []
        for neighbour, edge in (rng.choice(steps[nodes[-1]]) for _ in range(rng.randint(0, 4))):
            nodes, edges = [*nodes, neighbour], [*edges, edge]
        paths.append((1, rank, len(edges), rank, nodes[-1], nodes, edges))
    rows = ", ".join(
        f"(1, {depth}, {rank}, {tail}, {path}, {edges}::INTEGER[], true, 'answer')"
        for _, rank, depth, _, tail, path, edges in paths
    )
    columns = "question_id, depth, rank, tail_id, nodes, edges, kept, view"
    store.database.connection.execute(f"DELETE FROM walk; INSERT INTO walk ({columns}) VALUES {rows}")
    joined = store.rows(sqlfiles.load("context.matches").body)
    assert joined == store.rows(sqlfiles.load("context.matches_resident").body)
    assert len(joined) == len(paths)
    assert {row[2] for row in joined} == {0, 1, 2, 3, 4}


def test_the_widest_node_is_known(store: Store) -> None:
    resident = Resident.load(store.database)
    assert resident is not None
    assert (
        resident.widest == store.rows("SELECT max(n) FROM (SELECT count(*) AS n FROM adjacency GROUP BY node_id)")[0][0]
    )


def test_what_is_no_node_has_no_neighbours(store: Store) -> None:
    resident = Resident.load(store.database)
    assert resident is not None
    assert resident.adjacent(pa.array([-1, None, 10_000_000], pa.int32())).to_pylist() == [[], [], []]
    assert resident.adjacent(pa.array([], pa.int32())).to_pylist() == []
    assert store.rows("SELECT unnest(adjacent(x)) FROM (SELECT unnest([-1, NULL, 10000000])::INTEGER AS x)") == []


def test_many_nodes_at_once_are_answered_each_by_its_own_row(store: Store) -> None:
    (answer,) = store.rows(
        "SELECT count(*), count(*) FILTER (list_sort(list_transform(adjacent(n), lambda s: s.edge_id)) = wanted) "
        "FROM (SELECT (i % 70)::INTEGER AS n FROM range(20000) AS t(i)) "
        "JOIN (SELECT node_id, list(edge_id ORDER BY edge_id) AS wanted FROM adjacency GROUP BY node_id) ON node_id = n"
    )
    assert answer[0] == answer[1] > 2048


def test_an_adjacency_out_of_order_is_put_in_order(store: Store) -> None:
    expected = Resident.load(store.database)
    assert expected is not None
    connection = store.database.connection
    connection.execute(
        "CREATE OR REPLACE TABLE adjacency AS SELECT * FROM adjacency ORDER BY edge_id, node_id, forward DESC"
    )
    shuffled = Resident.load(store.database)
    assert shuffled is not None
    assert shuffled.adjacent(pa.array(store.nodes)).to_pylist() == expected.adjacent(pa.array(store.nodes)).to_pylist()


def test_similarity_is_the_exact_cosine_or_unknown(store: Store) -> None:
    question = "[4000, 0, 0, 0, 0, 0, 0, 0]::FLOAT[8]"
    rows = store.rows(
        f"SELECT similarity(node_id, {question}), "
        f"least(1.0, list_inner_product(embedding, {question}) / 16e6::DOUBLE), "
        "embedding IS NULL FROM node ORDER BY node_id"
    )
    assert {absent for *_, absent in rows} == {True, False}
    assert [found for found, *_ in rows] == [None if absent else cosine for _, cosine, absent in rows]
    assert store.rows(f"SELECT similarity(-1, {question}), similarity({store.nodes[0]}, NULL::FLOAT[8])") == [
        (None, None)
    ]


def test_a_vector_is_at_most_like_itself(empty: Database) -> None:
    insert(empty, "node", "node_id, embedding", [(0, [1415, 1414, 1414, 1414, 1414, 1414, 1414, 1415])])
    resident = Resident.load(empty)
    assert resident is not None
    resident.register(empty)
    assert empty.connection.execute("SELECT similarity(node_id, embedding) FROM node").fetchall() == [(1.0,)]


SEEDS = [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 24))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("sentence_vectors", [False, True])
def test_the_text_in_memory_gives_the_rows_of_the_scan(seed: int, sentence_vectors: bool) -> None:
    with random_store(seed, with_vectors=seed % 4 > 0) as filled:
        insert(filled.database, "chunk", "chunk_id, embedding", [(400, None)])
        ResidentText.load(filled.database, 8, sentence_vectors=sentence_vectors).register(filled.database)
        rng, chosen = random.Random(seed), policy("chunk_hop", anchor_threshold=0.2)
        questions = [random_question(rng, filled, number) for number in range(5)]
        found = [
            run(filled, questions, chosen, text=text, sentence_vectors=sentence_vectors).rows(
                "SELECT * FROM base ORDER BY question_id, chunk_id"
            )
            for text in ("scan", "resident")
        ]
        assert found[0] == found[1]
        assert {row[0] for row in found[0]} == set(range(5))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("depth", [1, 2])
def test_a_walk_misses_none_of_the_chunks_that_are_left_out(seed: int, depth: int) -> None:
    """Without the pruned rows `base` holds what the walk can come to: values, walk and evidence as of all chunks."""
    with random_store(seed, with_vectors=seed % 4 > 0) as filled:
        rng = random.Random(seed)
        chosen = policy("chunk_hop", max_depth=depth, seed_limit=1, evidence_count=1, ranking_limit=2)
        questions = [random_question(rng, filled, number) for number in range(5)]
        whole, few = (
            [
                set(run(filled, questions, chosen, text=text, keep_pruned=False).rows("FROM base")),
                filled.rows("FROM walk ORDER BY question_id, path_id"),
                filled.rows("FROM evidence ORDER BY question_id, rank"),
            ]
            for text in ("scan", "resident")
        )
        assert few[0] <= whole[0]
        assert depth > 1 or few[0] != whole[0]  # two links lead nearly everywhere in so small a text
        assert few[1:] == whole[1:]


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=20), st.integers(0, 24), st.data())
def test_places_are_those_of_a_whole_sort(scores: list[float], count: int, data: st.DataObject) -> None:
    kept = sorted(data.draw(st.sets(st.integers(0, len(scores) - 1))))
    order = sorted(range(len(scores)), key=lambda row: (-scores[row], row))
    assert places(np.array(scores), np.array(kept, np.int64)).tolist() == [order.index(row) + 1 for row in kept]
    best = np.flatnonzero(best_of(np.array(scores), count)).tolist()
    assert set(order[:count]) <= set(best)
    assert {scores[row] for row in best} <= {scores[row] for row in order[:count]}


def test_an_empty_corpus_has_no_chunk_scores(empty: Database) -> None:
    ResidentText.load(empty, 8).register(empty)
    run_on = Store(empty, [], {}, [], [])
    for stage in render([Question(1, "anything", (4000.0, *[0.0] * 7))], policy("chunk_hop"), Form(8, text="resident")):
        run_on.database.change(stage)
    assert run_on.rows("SELECT count(*) FROM base") == [(0,)]


def test_what_does_not_fit_is_not_loaded(store: Store) -> None:
    resident = Resident.load(store.database)
    assert resident is not None
    assert Resident.load(store.database, memory_budget=resident.bytes // 2) is None
    assert Resident.load(store.database, memory_budget=resident.bytes * 2) is not None


def test_an_empty_corpus_has_nothing_in_memory(empty: Database) -> None:
    resident = Resident.load(empty)
    assert resident is not None
    resident.register(empty)
    assert empty.connection.execute("SELECT adjacent(1)").fetchall() == [([],)]


def test_cursors_walk_side_by_side(store: Store) -> None:
    rng, chosen = random.Random(1), policy("beam", max_depth=3)
    question = random_question(rng, store, 1)
    expected = walk(run(store, [question], chosen, expand="resident"))
    twins = [store.twin() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(
            pool.map(lambda twin: [walk(run(twin, [question], chosen, expand="resident")) for _ in range(3)], twins)
        )
    assert all(rows == expected for each in found for rows in each)


@pytest.mark.parametrize("seed", range(40))
def test_nodes_are_scored_as_the_join_scores_them(seed: int) -> None:
    rng = random.Random(seed)
    with random_store(seed) as store:
        questions = [random_question(rng, store, number) for number in (1, 2)]
        found = []
        for expand in ("join", "resident"):
            run(store, questions, policy("beam", max_depth=1, seed_limit=50), expand=expand)
            found.append(store.rows("SELECT * FROM node_score ORDER BY question_id, node_id"))
        every, near = found
        best = sorted(every, key=lambda row: (row[0], -row[2], row[1]))
        for question in (1, 2):  # what seeds are chosen from
            assert set(near) >= set([row for row in best if row[0] == question and row[2] >= 0.2][:40])
        assert set(near) <= set(every)
        assert near


@pytest.mark.parametrize("seed", range(20))
def test_targets_that_fill_the_places_of_the_seeds_save_a_search_and_change_no_row(seed: int) -> None:
    rng = random.Random(seed)
    with random_store(seed) as store:
        question = random_question(rng, store, 1)
        named = len({node for target in question.targets for node in target.node_ids})
        for limit in {1, max(1, named), named + 1}:
            found = []
            for expand in ("join", "resident"):
                run(store, [question], policy("beam", max_depth=2, seed_limit=limit), expand=expand)
                found.append(store.rows("SELECT * FROM seed ORDER BY ALL"))
            assert found[0] == found[1]


def test_products_are_the_same_on_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.random.default_rng(1).integers(-1000, 1000, (1003, 16)).astype(np.float32)
    alone = nodes.products(vectors, vectors[7])
    monkeypatch.setattr(nodes, "SHARED_VECTORS", 10)
    assert (nodes.products(vectors, vectors[7]) == alone).all()
    assert alone[7] == (vectors[7].astype(np.int64) ** 2).sum()
