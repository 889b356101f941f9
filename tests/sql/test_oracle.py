"""The SQL walks against naive Python on random corpora: the rows are equal."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from typing import Any

import beam_twin
import evidence_twin
import pytest
import twins
from random_store import (
    Store,
    evidence,
    insert,
    make_twins,
    path_question,
    policy,
    random_pattern,
    random_question,
    random_store,
    run,
    transitions,
    walk,
    with_queries,
)

from mosaic_sql import link, pattern, sqlfiles
from mosaic_sql.database import Database
from mosaic_sql.pattern import any_path
from mosaic_sql.policy import Policy
from mosaic_sql.render import Form, Question, render, told

SEEDS = [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 60))]
THREADED = [5, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (0, 10, 15))]
EXPAND = ("join", "resident")


@pytest.fixture(scope="module", params=SEEDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with random_store(request.param, with_vectors=request.param % 4 != 3) as filled:
        if request.param % 2:
            make_twins(random.Random(request.param), filled)
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


def test_bfs_reaches_every_node_once_over_the_first_edge(store: Store, rng: random.Random) -> None:
    cases: list[dict[str, Any]] = [
        {"max_depth": 4},
        {"max_depth": 3, "fan_out": 2},
        {"max_depth": 3, "row_budget": 3},
        {"max_depth": 3, "direction": "forward"},
        {"max_depth": 4, "direction": "backward", "fan_out": 1, "row_budget": 2},
    ]
    for controls, expand in zip(cases, cycle(EXPAND), strict=False):
        question, chosen = random_question(rng, store, 1), policy("bfs", **controls)
        rows = walk(run(store, [question], chosen, expand=expand))
        wanted = twins.bfs(store, question, chosen)
        same(with_parents(rows, "edges"), wanted, "depth nodes edges parent rank view stopped")
        assert [row["score"] for row in rows] == [1 / (1 + row["depth"]) for row in rows]


def test_meta_path_walks_the_product_of_graph_and_automaton(store: Store, rng: random.Random) -> None:
    cases: list[dict[str, Any]] = [{}, {"max_depth": 2}, {"row_budget": 2}, {"fan_out": 1}]
    for controls, expand in zip(cases, cycle(EXPAND), strict=False):
        question = path_question(rng, store, 1)
        if not controls:
            question = replace(question, transitions=transitions(random_pattern(rng)))
        chosen = policy("meta_path", **controls)
        rows = walk(run(store, [question], chosen, expand=expand))
        wanted = twins.meta_path(store, question, chosen)
        same(with_parents(rows, "edges"), wanted, "depth nodes edges parent rank view stopped")


@pytest.mark.parametrize("widest_at", (-1, 0))
def test_a_cap_that_no_node_exceeds_is_not_looked_for(store: Store, rng: random.Random, widest_at: int) -> None:
    question = random_question(rng, store, 1, transitions=transitions("~any{1,3}"))
    widest = max(len(list(store.steps(node))) for node in store.nodes)
    chosen = policy("meta_path", fan_out=max(1, widest + widest_at))
    plain = walk(run(store, [question], chosen, expand="resident"))
    looked = {stage.stage: stage.sql for stage in render([question], chosen, Form(8, expand="resident", widest=widest))}
    assert ("HAVING" in looked["walk"]) == (chosen.walk.fan_out < widest)
    assert walk(run(store, [question], chosen, expand="resident", widest=widest)) == plain


BRIEF = (
    "any",
    "~any / any",
    "~any{1,3}",
    "wrote / part_of",
    "~part_of? / ^wrote",
    "(wrote | ^part_of){1,2}",
    "~wrote{0,2}",
)


@pytest.mark.parametrize("text", BRIEF)
def test_an_unrolled_walk_has_the_rows_of_the_recursion(store: Store, rng: random.Random, text: str) -> None:
    questions = [random_question(rng, store, number, transitions=transitions(text)) for number in range(3)]
    apart = [{**row, "state": row["state"] + 20 if row["state"] >= 0 else -1, "next_state": row["next_state"] + 20}
             for row in questions[0].transitions]  # fmt: skip
    arm = {"arm": 0, "group_id": 0, "node_id": None, "state": 20, "last_state": 39}
    several = replace(questions[0], transitions=(*questions[0].transitions, *apart), arms=(arm,))
    for asked in (questions[:1], questions, [several]):
        bounds = {
            "fan_out": rng.choice((1, 2, 1000)),
            "row_budget": rng.choice((2, 4, 1000)),
            "max_depth": rng.choice((2, 9)),
        }
        chosen = policy("meta_path", **bounds)
        rows = [walk(run(store, asked, chosen, is_large=is_large)) for is_large in (False, True)]
        assert rows[0] == rows[1]
        stages = {one.stage: one for one in render(asked, chosen, Form(8, is_large=True))}
        assert stages["walk"].name == "walk.unrolled"
        assert told(asked, chosen, Form(8, "paged", is_large=True)) == "walk unrolled"


@pytest.mark.parametrize("text", ["wrote[person]", "wrote{1,4}", "wrote / ~any[work]"])
def test_a_long_pattern_and_one_that_tests_kinds_are_not_unrolled(store: Store, text: str) -> None:
    asked = [random_question(random.Random(1), store, 1, transitions=transitions(text))]
    for form in (Form(8, "paged", is_large=True), Form(8, is_large=True), Form(8, "resident", is_large=True)):
        stages = {one.stage: one for one in render(asked, policy("meta_path"), form)}
        assert stages["walk"].name == "walk.meta_path"
        assert told(asked, policy("meta_path"), form) == f"walk {form.expand}"


def test_the_evidence_of_answers_is_that_of_any_walk(store: Store, rng: random.Random) -> None:
    for most in (2, 500):
        question = random_question(rng, store, 1, transitions=transitions(random_pattern(rng)))
        run(store, [question], policy("meta_path", evidence_count=max(5, most)))
        given = {"evidence_count": most, "anchor_reserve": 3}
        files = [sqlfiles.compose(name, {"edge": "evidence.edge"}) for name in ("evidence.path", "evidence.pattern")]
        rows = [
            store.database.connection.execute(one, {name: given[name] for name in sqlfiles.parameters(one)}).fetchall()
            for one in files
        ]
        assert rows[0] == rows[1]


def test_the_short_start_has_the_rows_of_the_long_one(store: Store, rng: random.Random) -> None:
    for number in range(8):
        text = random_pattern(rng)
        question = replace(path_question(rng, store, 1), transitions=transitions(text))
        if number % 2:
            question = random_question(rng, store, 1, transitions=transitions(text))
        stages = {stage.stage: stage for stage in render([question], policy("meta_path"), Form(8))}
        run(store, [question], policy("meta_path"))
        is_short = "accepts\n    FROM seed" in stages["walk"].sql
        starts = [sorted(store.rows(sqlfiles.load(f"walk.{name}").body)) for name in ("start", "start_alone")]
        assert is_short == pattern.is_entered_freely(question.transitions)
        assert starts[0] == starts[1] or not is_short


def test_shortest_paths_are_the_first_of_all_simple_paths(store: Store, rng: random.Random) -> None:
    constrained = [path_question(rng, store, 1) for _ in range(3)]
    asked = [*constrained, replace(constrained[0], transitions=any_path("either"))]
    for question, limit, expand in zip(asked, (1, 3, 50, 4), cycle(EXPAND), strict=False):
        operator = "shortest_path" if question is asked[-1] else "constrained_shortest_path"
        chosen = policy(operator, max_depth=4, path_limit=limit)
        rows = walk(run(store, [question], chosen, expand=expand))
        same(rows, twins.shortest_paths(store, question, chosen), "depth nodes edges rank kept view")
        assert any(row["view"] == "answer" for row in rows)
        assert [row["pruned_by"] for row in rows] == [None if row["kept"] else "path_limit" for row in rows]


@pytest.mark.parametrize("max_depth", (1, 2, 3))
def test_chunk_hop_keeps_the_best_path_into_every_chunk(store: Store, rng: random.Random, max_depth: int) -> None:
    question = random_question(rng, store, 1)
    width = rng.choice((1, 2, 4))
    chosen = policy("chunk_hop", max_depth=max_depth, beam_width=width, evidence_count=4, min_evidence=1)
    for text in ("resident", "scan"):
        run(store, [question], chosen, keep_pruned=True, text=text)
        check_base(store, question, chosen)
    seeds = twins.chunk_seeds(store, question, chosen)
    assert store.rows("SELECT item_id, score FROM seed ORDER BY rowid") == [
        (chunk, pytest.approx(score, abs=1e-12)) for chunk, score in seeds
    ]
    cues = store.rows("SELECT chunk_id, node_id, score FROM cue ORDER BY rowid")
    wanted_cues = twins.cue(store, question, {chunk for chunk, _ in seeds} if max_depth == 1 else None)
    assert cues == [(*key, pytest.approx(score, abs=1e-12)) for key, score in sorted(wanted_cues.items())]
    wanted = twins.chunk_hop(store, question, chosen)
    same(with_parents(walk(store), "chunks"), wanted, "depth chunks nodes score parent view rank kept pruned_by")
    same(evidence(store), twins.chunk_evidence(store, question, chosen, wanted), "rank chunk_id role score kept")
    if max_depth == 2:
        run(store, [question], chosen)
        same(with_parents(walk(store), "chunks"), [row for row in wanted if row["kept"]], "depth chunks nodes score")


def check_base(store: Store, question: Question, chosen: Policy) -> None:
    columns = "chunk_id, score, plain_score, lexical, cosine, title_weight, covered"
    rows, wanted = store.rows(f"SELECT {columns} FROM base ORDER BY chunk_id"), twins.base(store, question, chosen)
    assert [row[0] for row in rows] == [row[0] for row in wanted]
    places = store.rows("SELECT place, score, chunk_id FROM base ORDER BY place")
    assert [place for place, _, _ in places] == list(range(1, len(places) + 1))
    assert places == sorted(places, key=lambda row: (-row[1], row[2]))
    for row, expected in zip(rows, wanted, strict=True):
        assert row == pytest.approx(expected, abs=1e-12)


def test_beam_scores_prunes_and_stops_as_the_paper_says(store: Store, rng: random.Random) -> None:
    for expand in EXPAND:
        chosen = beam_policy(rng)
        question = with_queries(rng, store, random_question(rng, store, 1), chosen)
        run(store, [question], chosen, expand=expand, keep_pruned=True, rule_relation_id=2)
        assert store.rows("SELECT item_id, group_id, score FROM seed ORDER BY rowid") == [
            (node, group, pytest.approx(score, abs=1e-12))
            for node, group, score in beam_twin.seeds(store, question, chosen)
        ]
        wanted = beam_twin.beam(store, question, chosen, rule_relation=2)
        rows = walk(store)
        same(with_parents(rows, "edges"), wanted, "depth nodes edges score parent view rank kept pruned_by stopped")
        for row, expected in zip(rows, wanted, strict=True):
            assert [row["gain"], row["completeness"]] == pytest.approx(
                [expected["gain"], expected["completeness"]], abs=1e-12
            )
            terms = expected.get("terms", {})
            assert {name: row["terms"][name] for name in terms} == pytest.approx(terms, abs=1e-12)
        columns = "rank unit_kind unit_id chunk_id role score kept pruned_by"
        same(evidence(store), evidence_twin.evidence(store, question, chosen, wanted, rule_relation=2), columns)


def beam_policy(rng: random.Random) -> Policy:
    return policy(
        "beam",
        seed_limit=rng.choice((2, 4, 7)),
        selection_mode=rng.choice(("hybrid", "relation_only")),
        max_depth=rng.choice((2, 3, 5)),
        beam_width=rng.choice((2, 5, 8)),
        beam_scope=rng.choice(("pool", "seed")),
        anchor_strength=rng.choice((0.0, 0.4, 0.7)),
        stop_regime=rng.choice(("shallow", "medium", "deep")),
        completeness_floor=rng.choice((0.35, 0.9)),
        fan_out=rng.choice((2, 1000)),
        evidence_count=rng.choice((3, 8)),
        candidate_limit=rng.choice((2, 10)),
        core_units=rng.choice((1, 4)),
        adaptive_final_evidence=rng.random() < 0.5,
        chunk_units=rng.random() < 0.5,
        use_connector=rng.random() < 0.6,
        connector_fan=rng.choice((2, 32)),
        seed_query_mode=rng.choice(("full_query", "compact_keywords", "per_target")),
    )


def questions(rng: random.Random, store: Store, operator: str) -> list[Question]:
    asked = [path_question(rng, store, number) for number in (3, 5, 8)]
    if operator == "shortest_path":
        asked = [replace(question, transitions=any_path("either")) for question in asked]
    return asked if operator.endswith("path") else [random_question(rng, store, number) for number in (3, 5, 8)]


SHORT = {"chunk_hop": {"max_depth": 2}, "constrained_shortest_path": {"max_depth": 5}, "pagerank": {"rank_limit": 3}}
OPERATORS = ("chunk_hop", "beam", "bfs", "meta_path", "shortest_path", "constrained_shortest_path", "pagerank")


@pytest.mark.parametrize("store", THREADED, indirect=True, scope="module")
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


def test_where_nothing_is_like_the_question_nothing_is_a_seed(empty: Database) -> None:
    towards = [[4000, 0, 0, 0, 0, 0, 0, 0], [2828, 2828, 0, 0, 0, 0, 0, 0]]
    insert(empty, "chunk", "chunk_id, embedding", list(enumerate(towards)))
    question = Question(1, "unheard", (-4000.0, *[0.0] * 7))
    for stage in render([question], policy("chunk_hop"), Form(8)):
        empty.change(stage)
    assert empty.connection.execute("SELECT chunk_id, score FROM base ORDER BY chunk_id").fetchall() == [
        (0, 0.0),
        (1, 0.0),
    ]
    assert empty.connection.execute("SELECT count(*) FROM evidence").fetchall() == [(0,)]


def test_without_vectors_names_speak_by_their_words(empty: Database) -> None:
    insert(
        empty,
        "node",
        "node_id, name, degree, kinds, origin",
        [(0, "Ada Lovelace", 1, [], "graph"), (1, "Ada Street", 1, [], "graph")],
    )
    insert(empty, "term", "term_id, term, idf, specificity", [(0, "ada", 65536, 65536), (1, "lovelac", 65536, 65536)])
    insert(empty, "name_posting", "term_id, node_id, weight", [(0, 0, 100), (1, 0, 300), (0, 1, 100)])
    question = Question(1, "Ada Lovelace", None, terms=link.terms(empty, "Ada Lovelace"))
    for stage in render([question], policy("beam"), Form(8)):
        empty.change(stage)
        if stage.stage == "node_score":
            break
    assert empty.connection.execute("SELECT node_id, similarity FROM node_score").fetchall() == [(0, 1.0), (1, 0.25)]
