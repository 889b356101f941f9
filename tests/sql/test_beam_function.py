"""`mosaic_beam` and `mosaic_beam_chunk` against the walk of a question that says what they start from."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from random_store import DIMENSION, Store, policy, random_store

from mosaic_sql.ingest import functions
from mosaic_sql.records import Term
from mosaic_sql.render import Form, Question, render

BEAM = policy(
    "beam",
    max_depth=3,
    beam_width=4,
    fan_out=1000,
    evidence_count=200,  # so many edges are never reached: nothing stops it before its depth
    completeness_floor=1.0,
    stop_regime="deep",
    anchor_strength=0.0,
)


def called(store: Store, call: str) -> list[tuple[Any, ...]]:
    return store.rows(f"SELECT distance, node_id, edges, score FROM {call}")


def walked(store: Store, vector: Any, start: list[int], words: list[tuple[str, int, int]]) -> list[tuple[Any, ...]]:
    """The kept rows of the walk from some nodes by a question of this vector and these words."""
    terms = tuple(Term(stem, term_id, idf, 0.0, ()) for stem, term_id, idf in words)
    question = Question(0, "q", None if vector is None else tuple(vector), terms)
    for stage in render([question], BEAM, Form(DIMENSION)):
        if stage.stage == "evidence":
            break
        store.database.change(stage)
        if stage.stage == "seed":
            seeds = f"SELECT 0, 'node', node_id, 0, 1.0, '' FROM node WHERE node_id IN {(*start, -1, -1)}"
            store.database.connection.execute(f"DELETE FROM seed; INSERT INTO seed {seeds}")
    return store.rows(
        "SELECT depth, tail_id, edges, round(score, 6) FROM walk WHERE depth > 0 AND kept"
        " ORDER BY depth, walk.score DESC, tail_id, edges"
    )


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_beam_is_the_walk_of_a_question_that_says_what_it_starts_from(seed: int) -> None:
    with random_store(seed, with_vectors=seed > 0) as store:
        functions.install(store.database)
        for node, vector in store.rows("SELECT node_id, embedding FROM node ORDER BY node_id LIMIT 4"):
            assert called(store, f"mosaic_beam({node}, hops := 3, width := 4)") == walked(store, vector, [node], [])
        for chunk, vector in store.rows("SELECT chunk_id, embedding FROM chunk ORDER BY chunk_id LIMIT 4"):
            start = store.rows(f"SELECT DISTINCT node_id FROM mention WHERE chunk_id = {chunk}")
            words = store.rows(
                f"SELECT term, term_id, idf FROM posting JOIN term USING (term_id) WHERE chunk_id = {chunk}"
            )
            found = called(store, f"mosaic_beam_chunk({chunk}, hops := 3, width := 4)")
            assert found == walked(store, vector, [node for (node,) in start], words)


def test_a_beam_from_nothing_is_an_error() -> None:
    with random_store(0) as store:
        functions.install(store.database)
        for call in ("mosaic_beam('no such name')", "mosaic_beam_chunk(-1)"):
            with pytest.raises(duckdb.InvalidInputException, match=r"no (node|chunk)"):
                called(store, call)
