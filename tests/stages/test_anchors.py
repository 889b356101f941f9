"""Anchors that a caller names in the question's place."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import mosaic_sql as mosaic
from mosaic_sql.errors import PolicyError, UnknownId
from mosaic_sql.policy import clamp

FILMS = [
    ("Heat", "directed_by", "Michael Mann"),
    ("Thief", "directed_by", "Michael Mann"),
    ("heat", "directed_by", "Ada Other"),
    ("Heat", "starred_actors", "Al Pacino"),
    ("!!!", "directed_by", "Odd Name"),
]
TYPED = {"operator": "meta_path", "pattern": "directed_by"}


@pytest.fixture(scope="module")
def corpus() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(FILMS, columns=["source", "relation", "target"]), embed="none")
        yield corpus


def found(corpus: mosaic.Corpus, *anchors: str | int, question: str = "who made it?") -> list[str]:
    run = corpus.retrieve(question, policy={**TYPED, "anchors": anchors})
    return [answer.name for answer in run.answers]


def test_an_exact_name_wins_over_its_spellings(corpus: mosaic.Corpus) -> None:
    assert found(corpus, "Heat") == ["Michael Mann"]
    assert found(corpus, "heat") == ["Ada Other"]
    assert set(found(corpus, "HEAT")) == {"Michael Mann", "Ada Other"}


def test_a_node_is_named_by_its_id_and_by_a_name_without_letters(corpus: mosaic.Corpus) -> None:
    ((node_id,),) = corpus.connection.execute("SELECT node_id FROM node WHERE name = 'Thief'").fetchall()
    assert found(corpus, node_id) == ["Michael Mann"]
    assert found(corpus, "!!!") == ["Odd Name"]


def test_anchors_take_the_place_of_the_names_in_the_question(corpus: mosaic.Corpus) -> None:
    assert found(corpus, "!!!", question="who directed Thief?") == ["Odd Name"]
    analysis = corpus.analyze("who directed Thief?", policy={"anchors": ["Thief"]})
    assert [(t.name, t.char_start, t.char_end, t.why) for t in analysis.targets] == [("Thief", 13, 18, "given")]


def test_two_anchors_are_the_ends_of_a_path_in_the_order_given(corpus: mosaic.Corpus) -> None:
    run = corpus.retrieve("how?", policy={"operator": "shortest_path", "anchors": ["Al Pacino", "Thief"]})
    (path,) = [row for row in run.walk.rows.to_pylist() if row["view"] == "answer"]
    names = dict(corpus.connection.execute("SELECT node_id, name FROM node").fetchall())
    assert [names[node] for node in path["nodes"]] == ["Al Pacino", "Heat", "Michael Mann", "Thief"]


@pytest.mark.parametrize("anchor", ["Nobody", 999_999, ""])
def test_an_anchor_that_is_nowhere_is_one_clear_line(corpus: mosaic.Corpus, anchor: str | int) -> None:
    with pytest.raises(UnknownId, match=r"^anchor: no node .*`mosaic query DB"):
        found(corpus, anchor)


def test_anchors_of_a_wrong_type_are_refused_and_no_analyzer_sets_them(corpus: mosaic.Corpus) -> None:
    with pytest.raises(PolicyError, match="anchors"):
        found(corpus, 1.5)  # type: ignore[arg-type]
    policy, corrections = clamp({"anchors": ["Heat"]}, "beam")
    assert policy.seed.anchors == ()
    assert [c.field for c in corrections] == ["anchors"]
