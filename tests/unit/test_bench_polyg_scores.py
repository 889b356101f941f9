"""Measures of `bench polyg`: each operator's rows read alike, scored by hand-made gold; rows of the report."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mosaic_sql.bench.polyg import matrix, report, scores
from mosaic_sql.bench.polyg.forms import Form
from mosaic_sql.bench.polyg.matrix import MODES, Measured, Settings, Told
from mosaic_sql.bench.polyg.questions import Question
from mosaic_sql.bench.polyg.reading import Returned
from mosaic_sql.bench.polyg.scores import Score
from mosaic_sql.bench.polyg.world import World

FORMS = {
    "s**": Form("about", "s**", ("author",), ("Who is {a}?",)),
    "sp*": Form("aspect", "sp*", ("author",), ("Which papers?",), ("paper",), "paper"),
    "s*o": Form("related", "s*o", ("author", "author"), ("How?",)),
    "spo": Form("whether", "spo", ("author", "author"), ("Do they?",), ("paper", "author"), "paper"),
}


@pytest.fixture(scope="module")
def world() -> World:
    """Authors a, b; papers p and q by both, r by a alone; keys are the names."""
    world = World("academia")
    for kind, names in (("author", "ab"), ("paper", "pqr")):
        for name in names:
            key = world.add(kind, f"Name {name}")
            node = world.nodes.pop(key)
            world.nodes[name] = replace(node, key=name)
    for paper, authors in (("p", "ab"), ("q", "ab"), ("r", "a")):
        for author in authors:
            world.join(paper, "author", author, inverse="paper")
    return world


def question(shape: str, *anchors: str, **known: object) -> Question:
    return Question(0, FORMS[shape], "?", anchors, anchors, **known)  # type: ignore[arg-type]


def back(*trails: str, text: str = "", operator: str = "bfs", **known: object) -> Returned:
    return Returned(operator, None, tuple(map(tuple, trails)), (), text, 1.0, 10.0, 1.0, **known)  # type: ignore[arg-type]


# -- s** -------------------------------------------------------------------------------------------------------------


def test_about_an_entity_counts_neighbours_that_the_context_names(world: World) -> None:
    asked = question("s**", "a")
    text = "Name a -paper-> Name p; Name q"
    assert scores.score(world, asked, back("ap", "aq", "ar", text=text), set("pqr")) == Score(2 / 3, True, 1.0, 1.0)
    assert scores.score(world, asked, back("ap", text=""), set("pqr")) == Score(0.0, False, 1.0, 1 / 3)


@pytest.mark.parametrize(
    ("text", "name", "held"),
    [
        ("Ann Lee wrote", "Ann Lee", True),
        ("Ann Leeman wrote", "Ann Lee", False),
        ("(Heat!)", "Heat!", True),
        ("Marianne", "Ann", False),
        ("a|C++|b", "C++", True),
    ],
)
def test_a_name_is_held_as_it_is(text: str, name: str, held: bool) -> None:
    assert scores.holds(text, name) is held


# -- sp* -------------------------------------------------------------------------------------------------------------


def test_of_a_set_the_ends_of_the_kind_asked_for_count(world: World) -> None:
    asked = question("sp*", "b")
    assert scores.score(world, asked, back("bp", "bq"), set("pq")) == Score(1.0, True, 1.0, 1.0)
    assert scores.score(world, asked, back("bp", "bpa"), set("pq")) == Score(2 / 3, False, 1.0, 0.5)
    assert scores.score(world, asked, back("bp", "bpar"), set("pq")) == Score(0.5, False, 0.5, 0.5)
    assert scores.score(world, asked, back(), set("pq")) == Score(0.0, False, 0.0, 0.0)


# -- s*o -------------------------------------------------------------------------------------------------------------


def test_true_shortest_paths_are_found_whole_or_not(world: World) -> None:
    asked = question("s*o", "a", "b", lengths={2: 2})
    assert scores.score(world, asked, back("apb", "aqb"), ()) == Score(1.0, True, valid=1.0, recall=1.0)
    assert scores.score(world, asked, back("apb", "apb"), ()) == Score(0.5, False, valid=1.0, recall=0.5)
    assert scores.score(world, asked, back(), ()) == Score(0.0, False, valid=None, recall=0.0)


def test_hops_of_any_operator_may_make_up_a_path_but_only_paths_are_valid(world: World) -> None:
    asked = question("s*o", "a", "b", lengths={2: 2})
    assert scores.score(world, asked, back("ap", "bp", "aq"), ()) == Score(0.5, False, valid=0.0, recall=0.5)
    assert scores.score(world, asked, back("apb", "aqb", "arb"), ()) == Score(1.0, False, valid=2 / 3, recall=1.0)
    assert scores.score(world, asked, back("apaqb"), ()) == Score(0.5, False, valid=0.0, recall=0.5)


# -- spo -------------------------------------------------------------------------------------------------------------


def test_a_path_between_the_anchors_speaks_for_its_middle_any_other_row_for_its_end(world: World) -> None:
    asked = question("spo", "a", "b", truth=True)
    right = Score(1.0, True, 1.0, 1.0, verdict=True)
    assert scores.score(world, asked, back("apb", "aqb"), set("pq")) == right
    assert scores.score(world, asked, back("ap", "bq"), set("pq")) == right
    assert scores.score(world, asked, back("bpa"), set("pq")) == Score(2 / 3, False, 1.0, 0.5, verdict=True)
    assert scores.score(world, asked, back(), set("pq")) == Score(0.0, False, 0.0, 0.0, verdict=False)


def test_a_pair_that_is_not_joined_should_get_nothing(world: World) -> None:
    asked = question("spo", "a", "b", truth=False)
    assert scores.score(world, asked, back(), ()) == Score(1.0, True, 1.0, 1.0, verdict=True)
    assert scores.score(world, asked, back("apb"), ()) == Score(0.0, False, 0.0, 0.0, verdict=False)
    assert scores.score(world, asked, back(refused="no pattern"), ()).verdict is False  # nothing was searched


# -- controls --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "mode", "method", "expected"),
    [
        ("sp*", "plain", "adaptive", {}),
        ("sp*", "anchors", "meta_path", {"operator": "meta_path"}),
        ("sp*", "anchors+path", "meta_path", {"operator": "meta_path", "pattern": "paper"}),
        ("sp*", "anchors+path", "adaptive", {"operator": "meta_path", "pattern": "paper"}),
        ("sp*", "anchors+path", "bfs", {"operator": "bfs"}),
        ("s**", "anchors+path", "adaptive", {"operator": "bfs"}),
        ("s**", "anchors+path", "meta_path", {"operator": "meta_path"}),
        ("s*o", "anchors+path", "adaptive", {"operator": "shortest_path"}),
    ],
)
def test_what_is_given_is_a_control_and_no_more(
    shape: str, mode: str, method: str, expected: dict[str, object]
) -> None:
    assert matrix.controls_of(question(shape, "a", "b"), mode, method) == expected


def test_where_the_set_is_to_be_exact_every_path_is_asked_for() -> None:
    controls = matrix.controls_of(question("spo", "a", "b"), "anchors+path", "adaptive")
    assert controls == {
        "operator": "constrained_shortest_path",
        "pattern": "paper / author",
        "path_limit": 10_000,
    }


# -- report ----------------------------------------------------------------------------------------------------------


def told(
    shape: str, mode: str, method: str, score: float, operator: str = "bfs", *, linked: str = "", refused: str = ""
) -> Told:
    returned = replace(back(operator=operator, refused=refused), linked=(frozenset(linked),))
    return Told(question(shape, "a"), mode, method, returned, Score(score, score == 1))


def measured(world: World, *rows: Told, operators: tuple[str, ...] = ("bfs", "meta_path")) -> Measured:
    return Measured(Settings("academia", operators=operators, modes=MODES[1:]), world, rows, 4, 3)


def test_cells_are_means_in_percent_with_the_papers_figures_beside_the_choice(world: World) -> None:
    rows = (
        told("sp*", "plain", "meta_path", 0.5, refused="no pattern"),
        told("sp*", "plain", "adaptive", 1.0, linked="a"),
        told("sp*", "plain", "adaptive", 0.5),
    )
    fixed, chosen = report.cells(measured(world, *rows))
    assert (fixed["score"], fixed["exact"], fixed["refused"], fixed["paper_tokens"]) == (50.0, 0.0, 1, None)
    assert (chosen["score"], chosen["exact"], chosen["linked"], chosen["questions"]) == (75.0, 50.0, 50.0, 2)
    assert (chosen["paper_tokens"], chosen["paper_s"], chosen["tokens"], chosen["p50_ms"]) == (1651, 12.11, 1.0, 10.0)
    assert chosen["verdict"] is None


def test_the_choice_wins_where_no_fixed_operator_is_better(world: World) -> None:
    rows = (
        told("sp*", "plain", "bfs", 0.2),
        told("sp*", "plain", "meta_path", 0.7),
        told("sp*", "plain", "adaptive", 0.7),
        told("s**", "plain", "bfs", 1.0),
        told("s**", "plain", "adaptive", 0.9),
    )
    found = {row["shape"]: row for row in report.wins(measured(world, *rows))}
    assert found["sp*"] | {"best": 70.0} == {
        "mode": "plain", "shape": "sp*", "adaptive": 70.0, "best_fixed": "meta_path", "best": 70.0, "won": True,
    }  # fmt: skip
    assert (found["s**"]["won"], found["s**"]["best_fixed"]) == (False, "bfs")


def test_confusion_counts_the_shapes_of_the_operators_chosen(world: World) -> None:
    rows = (
        told("s**", "plain", "adaptive", 1.0, "bfs"),
        told("s**", "plain", "adaptive", 0.0, "meta_path"),
        told("spo", "plain", "adaptive", 0.0, "beam"),
        told("spo", "plain", "adaptive", 0.0, ""),
        told("spo", "plain", "bfs", 0.0, "bfs"),
    )
    table = report.confusion(measured(world, *rows))["plain"]
    assert table == {"s**": {"s**": 1, "sp*": 1}, "sp*": {}, "s*o": {}, "spo": {"beam": 1, "none": 1}}


def test_choosing_is_the_share_of_reading_the_question(world: World) -> None:
    rows = (told("s**", "plain", "adaptive", 1.0), told("s**", "anchors", "adaptive", 1.0))
    costs = report.choosing(measured(world, *rows))
    assert costs == {mode: {"p50_ms": 1.0, "share": 10.0, "tokens": 0.0} for mode in ("anchors", "plain")}


def test_failures_come_worst_first_and_only_of_the_choice(world: World) -> None:
    rows = (
        told("s**", "plain", "adaptive", 0.5),
        told("sp*", "anchors", "adaptive", 0.9),
        told("sp*", "plain", "adaptive", 0.1),
        told("sp*", "plain", "adaptive", 1.0),
        told("sp*", "plain", "bfs", 0.0),
    )
    found = report.failures(measured(world, *rows))
    assert [(one.mode, one.score.score) for one in found] == [("anchors", 0.9), ("plain", 0.1), ("plain", 0.5)]
