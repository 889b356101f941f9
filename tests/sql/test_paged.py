"""Steps read as a walk asks for them give the rows of the other forms."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from random_store import DIMENSION, Store, path_question, policy, random_question, random_store, run, transitions, walk

from mosaic_sql.database import Database
from mosaic_sql.pattern import any_path
from mosaic_sql.policy import Policy
from mosaic_sql.render import Form, Question, render
from mosaic_sql.resident import Paged

OPERATORS = ("bfs", "meta_path", "shortest_path", "constrained_shortest_path", "pagerank", "beam")


@pytest.fixture
def store() -> Iterator[Store]:
    with random_store(4) as filled:
        yield filled


def fill(store: Store, question: Question, chosen: Policy) -> list[dict[str, object]]:
    for stage in render([question], chosen, Form(DIMENSION, expand="paged")):
        if stage.stage in ("question_term", "cue_term", "target", "page", "transition", "arm"):
            store.database.define(stage)
        else:
            store.database.fill(stage)
    return walk(store)


def asked(rng: random.Random, store: Store, operator: str) -> Question:
    if operator.endswith("shortest_path"):
        question = path_question(rng, store, 0)
        return replace(question, transitions=any_path("either")) if operator == "shortest_path" else question
    return random_question(
        rng,
        store,
        0,
        transitions=transitions(rng.choice(("any{1,3}", "~any[person] / ~any[work]", "any{0,2} / ~any[place]")))
        if operator == "meta_path"
        else (),
    )


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("seed", range(4))
def test_every_walk_finds_the_same_rows(seed: int, operator: str) -> None:
    rng = random.Random(f"{operator}{seed}")
    with random_store(seed) as filled:
        chosen = policy(operator, max_depth=3, fan_out=rng.choice((2, 1000)), row_budget=rng.choice((4, 1000)))
        question = asked(rng, filled, operator)
        joined = walk(run(filled, [question], chosen, expand="join"))
        pages = Paged()
        pages.register(filled.database)
        assert fill(filled, question, chosen) == joined
        steps = pages.step_count
        assert fill(filled, question, chosen) == joined
        assert pages.step_count == steps


def test_a_walk_reads_only_what_it_asks_for(store: Store) -> None:
    pages = Paged()
    pages.register(store.database)
    question = random_question(random.Random(1), store, 0)
    fill(store, question, policy("bfs", max_depth=1))
    anchors = sorted({node for target in question.targets for node in target.node_ids})
    assert pages.step_count == sum(len(store.steps(node)) for node in anchors) > 0


def test_a_database_that_lacks_nothing_runs_a_stage_once(empty: Database) -> None:
    runs = []
    empty.run_again_while(lambda: lambda database: runs.append(database) or len(runs) < 3)
    (stage, *_) = render([Question(0, "?", None)], policy("bfs"), Form(8))
    empty.fill(stage)
    assert runs == [empty] * 3


def test_cursors_share_what_was_read(store: Store) -> None:
    question, chosen = random_question(random.Random(1), store, 1), policy("bfs", max_depth=3)
    expected = walk(run(store, [question], chosen, expand="join"))
    Paged().register(store.database)
    twins = [store.twin() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda twin: fill(twin, question, chosen), twins)) == [expected] * 4
