"""`mosaic bench polyg` from question to row, on tiny graphs, and one case of the paper built by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

import mosaic_sql as mosaic
from mosaic_sql.bench.polyg import scores
from mosaic_sql.bench.polyg.forms import FORMS
from mosaic_sql.bench.polyg.questions import Question
from mosaic_sql.bench.polyg.reading import Reader
from mosaic_sql.bench.polyg.world import World
from mosaic_sql.commands import cli


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["bench", "polyg", *map(str, arguments)])


@pytest.fixture(scope="module")
def graph() -> dict[str, Any]:
    arguments = ("--graph", "academia", "--size", 150, "--questions", 2, "--embedder", "none", "--threads", 1)
    done = invoke(*arguments, "--operators", "bfs", "--modes", "anchors+path,plain", "--wrong", 3, "--json")
    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def cells(graph: dict[str, Any], **which: str) -> list[dict[str, Any]]:
    return [row for row in graph["rows"] if all(row[name] == value for name, value in which.items())]


def test_every_mode_shape_and_method_is_a_row(graph: dict[str, Any]) -> None:
    assert [(row["mode"], row["shape"], row["method"]) for row in graph["rows"]] == [
        (mode, shape, method)
        for mode in ("anchors+path", "plain")
        for shape in ("s**", "sp*", "s*o", "spo")
        for method in ("bfs", "adaptive")
    ]
    assert {row["questions"] for row in graph["rows"]} == {2}
    assert (graph["graph"], graph["nodes"], graph["seed"]) == ("academia", 150, 0)


def test_with_anchors_and_path_sets_and_verdicts_are_exact(graph: dict[str, Any]) -> None:
    for shape in ("s**", "sp*", "spo"):
        (row,) = cells(graph, mode="anchors+path", shape=shape, method="adaptive")
        assert row["exact"] == 100.0
    (pairs,) = cells(graph, mode="anchors+path", shape="spo", method="adaptive")
    (around,) = cells(graph, mode="anchors+path", shape="spo", method="bfs")
    assert (pairs["verdict"], around["verdict"]) == (100.0, 50.0)  # a neighbourhood is a yes to everything


def test_paths_that_come_back_are_sound(graph: dict[str, Any]) -> None:
    for row in cells(graph, shape="s*o", method="adaptive"):
        assert row["valid"] == 100.0
        assert row["score"] > 0


def test_the_rest_of_the_record_is_whole(graph: dict[str, Any]) -> None:
    assert len(graph["wins"]) == 8
    assert all(sum(row.values()) == 2 for table in graph["confusion"].values() for row in table.values())
    assert set(graph["confusion"]) == set(graph["choosing"]) == {"plain"}
    assert all(0 < cost["share"] < 100 and cost["tokens"] == 0 for cost in graph["choosing"].values())
    assert graph["unknown_anchors"]["questions"] == 1
    assert len(graph["wrong"]) <= 3
    told = {"question", "gold_pattern", "pattern", "operator", "score"}
    assert all(told <= set(wrong) for wrong in graph["wrong"])


def test_a_table_for_people() -> None:
    arguments = ("--graph", "e-commerce", "--size", 120, "--questions", 1, "--embedder", "none", "--threads", 1)
    done = invoke(*arguments, "--modes", "anchors", "--operators", "bfs", "--wrong", 1)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("e-commerce: 120 nodes, ")
    assert lines[1].split()[:4] == ["mode", "shape", "method", "score"]
    assert [line.split()[:3] for line in lines[2:10]] == [
        ["anchors", shape, method] for shape in ("s**", "sp*", "s*o", "spo") for method in ("bfs", "adaptive")
    ]
    assert any(line.startswith("adaptive at least the best fixed operator in ") for line in lines)
    assert not any("do not exist" in line for line in lines)  # asked of plain questions alone


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--graph", "chemistry"), "chemistry"),
        (("--modes", "plain,all"), "unknown 'all'; one of anchors+path, anchors, plain"),
        (("--operators", "beam"), "unknown 'beam'; one of bfs"),
        (("--size", 10), "x>=100"),
    ],
)
def test_a_wrong_option_is_told(arguments: tuple[object, ...], message: str) -> None:
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert message in done.output


# -- the paper's case ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def venues() -> tuple[World, dict[str, str]]:
    """Two venues whose papers cite each other, so that citations are shorter than the authors they share."""
    world = World("academia")
    keys = {name: world.add("venue", name) for name in ("Glacier Letters", "Journal of Ice")}
    for name in ("Ada Frost", "Bela Winter", "Carl Snow", "Dora Hail"):
        keys[name] = world.add("author", name)
    papers = {
        "Slow Rivers": ("Glacier Letters", ("Ada Frost",)),
        "Cold Rivers": ("Journal of Ice", ("Ada Frost", "Bela Winter")),
        "Blue Crevasses": ("Glacier Letters", ("Bela Winter",)),
        "Deep Crevasses": ("Journal of Ice", ("Carl Snow",)),
        "Old Moraines": ("Glacier Letters", ("Dora Hail",)),
    }
    for title, (venue, authors) in papers.items():
        keys[title] = world.add("paper", title)
        world.join(keys[title], "venue", keys[venue], inverse="paper")
        for author in authors:
            world.join(keys[title], "author", keys[author], inverse="paper")
    for one, other in (("Slow Rivers", "Deep Crevasses"), ("Old Moraines", "Cold Rivers")):
        world.join(keys[one], "reference", keys[other], inverse="cited_by")
    return world, keys


def test_shared_authors_of_two_venues_are_named_by_constrained_paths_alone(
    venues: tuple[World, dict[str, str]],
) -> None:
    world, keys = venues
    (form,) = (form for form in FORMS["academia"] if form.kinds == ("venue", "venue"))
    names = ("Glacier Letters", "Journal of Ice")
    wanted = frozenset({keys["Ada Frost"], keys["Bela Winter"]})
    text = form.wordings[0].format(a=names[0], b=names[1])
    asked = Question(0, form, text, names, (keys[names[0]], keys[names[1]]), wanted=wanted, truth=True)
    nodes, edges = world.tables()
    with mosaic.open(":memory:", embedder="none", trace=False) as corpus:
        corpus.import_graph(nodes=nodes, edges=edges, embed="none")
        reader = Reader(corpus)
        constrained = {"operator": "constrained_shortest_path", "pattern": form.pattern}
        right = scores.score(world, asked, reader.read(text, constrained, asked.anchors), wanted)
        plain = reader.read(text, {"operator": "shortest_path", "path_limit": 2}, asked.anchors)
        refused = reader.read(text, {"operator": "meta_path", "pattern": "nothing_such"}, asked.anchors)
    assert (right.exact, right.verdict) == (True, True)
    assert {len(trail) for trail in plain.trails} == {4}  # venue, paper, paper, venue
    assert scores.score(world, asked, plain, wanted).score == 0.0
    assert "nothing_such" in refused.refused
    assert refused.trails == ()
