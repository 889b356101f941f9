"""Tables and paths of the graph as context: a form per shape, within its budget, whatever names and values are."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import mosaic_sql as mosaic
from mosaic_sql.models.fakes import ScriptedChat
from mosaic_sql.records import Context

NODES = {
    "id": ["a1", "a2", "a3", "p1", "p2", "p3", "p4", "p5", "v1", "v2", "v3"],
    "name": ["Ada Ito", "Bo Chen", "Cy Diaz", "Joins", "Walks", "Hubs", "Paths", "Nets", "VLDB", "SIGMOD", "ICML"],
    "kind": ["author"] * 3 + ["paper"] * 5 + ["venue"] * 3,
    "description": ["Works on joins", None, "", None, None, None, None, None, None, None, None],
    "properties": [
        '{"born": 1960, "died": null}', None, "{}",
        '{"year": 2001}', '{"year": 2004, "label": "graphs"}', '{"year": 2002}', None, None, None, None, None,
    ],
}  # fmt: skip
EDGES = {
    "source": ["p1", "p1", "p2", "p2", "p3", "p3", "p3", "p4", "p4", "p5", "p5"],
    "relation": [
        "venue",
        "author",
        "venue",
        "author",
        "venue",
        "author",
        "author",
        "venue",
        "author",
        "venue",
        "author",
    ],
    "target": ["v1", "a1", "v2", "a1", "v1", "a2", "a3", "v2", "a2", "v3", "a3"],
    "properties": [None, '{"place": 1}'] + [None] * 9,
}
SHARED = "^venue / author / ^author / venue"


@pytest.fixture(scope="module")
def papers() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(nodes=pa.table(NODES), edges=pa.table(EDGES), embed="none")
        yield corpus


def context(corpus: mosaic.Corpus, *anchors: str, operator: str, **policy: Any) -> Context:
    return corpus.retrieve("what is asked", policy={"anchors": anchors, "operator": operator, **policy}).context


def shown(found: Context) -> list[tuple[str, str]]:
    assert [passage.number for passage in found.passages] == [*range(1, len(found.passages) + 1)]
    return [(passage.title, passage.text) for passage in found.passages]


def test_about_an_entity_come_its_record_the_table_of_its_neighbours_and_its_relations(papers: mosaic.Corpus) -> None:
    found = context(papers, "Ada Ito", operator="bfs")
    assert shown(found) == [
        ("entity", "Ada Ito (author): description: Works on joins; born: 1960"),
        ("entity", "paper: name | year | label\nJoins | 2001\nWalks | 2004 | graphs"),
        ("relation", "Ada Ito <-author- Joins (place: 1); Walks"),
    ]
    assert (found.cut, found.support, found.tokens) == ((), 1.0, 62)


def test_a_deeper_walk_lists_the_relations_of_each_node_it_went_on_from(papers: mosaic.Corpus) -> None:
    found = context(papers, "Ada Ito", operator="bfs", max_depth=2)
    assert [text for title, text in shown(found) if title == "relation"] == [
        "Ada Ito <-author- Joins (place: 1); Walks", "Joins -venue-> VLDB", "Walks -venue-> SIGMOD"
    ]  # fmt: skip


def test_along_a_pattern_come_the_pattern_anchors_answers_and_the_ways_to_them(papers: mosaic.Corpus) -> None:
    found = context(papers, "Ada Ito", operator="meta_path", pattern="^author / venue")
    assert shown(found) == [
        ("pattern", "^author / venue from Ada Ito leads to 2 answers"),
        ("entity", "Ada Ito (author): description: Works on joins; born: 1960"),
        ("relation", "Ada Ito <-author (place: 1)- Joins -venue-> VLDB"),
        ("relation", "Ada Ito <-author- Walks -venue-> SIGMOD"),
    ]
    assert [(path.number, path.names, path.labels) for path in found.paths] == [
        (3, ("Ada Ito", "Joins", "VLDB"), (("author", False), ("venue", True))),
        (4, ("Ada Ito", "Walks", "SIGMOD"), (("author", False), ("venue", True))),
    ]


def test_answers_with_properties_are_a_table_and_those_of_one_way_share_a_line(papers: mosaic.Corpus) -> None:
    found = context(papers, "VLDB", operator="meta_path", pattern="^venue")
    assert shown(found)[1:] == [
        ("entity", "VLDB (venue)"),
        ("entity", "paper: name | year\nJoins | 2001\nHubs | 2002"),
        ("relation", "VLDB <-venue- Joins; Hubs"),
    ]


def test_between_two_ends_come_the_paths_alone(papers: mosaic.Corpus) -> None:
    found = context(papers, "Bo Chen", "Cy Diaz", operator="shortest_path", max_depth=4)
    assert shown(found) == [
        ("path", "Bo Chen <-author- Hubs -author-> Cy Diaz"),
    ]  # fmt: skip
    assert context(papers, "VLDB", "ICML", operator="constrained_shortest_path", pattern=SHARED).passages[0].text == (
        "VLDB <-venue- Hubs -author-> Cy Diaz <-author- Nets -venue-> ICML"
    )


def test_paths_of_two_hops_that_differ_in_the_middle_share_a_line(papers: mosaic.Corpus) -> None:
    triples = {
        "source": ["Heat", "Ronin"] * 3,
        "relation": ["starred"] * 6,
        "target": ["Ann", "Ann", "Bo", "Bo", "Cy", "Cy"],
    }
    with mosaic.open(":memory:", embedder="none") as films:
        films.import_graph(pa.table(triples), embed="none")
        found = context(films, "Heat", "Ronin", operator="shortest_path")
    assert shown(found) == [("path", "Heat -starred-> Ann; Bo; Cy <-starred- Ronin")]
    assert [path.names[1] for path in found.paths] == ["Ann", "Bo", "Cy"]


def test_a_path_whose_edges_all_stand_in_others_is_shown_too() -> None:
    """Three paths of three hops over the same middle: the fourth combination states no edge of its own."""
    edges = [("A", "x1"), ("A", "x2"), ("x1", "y1"), ("x1", "y2"), ("x2", "y1"), ("x2", "y2"), ("y1", "B"), ("y2", "B")]
    triples = {"source": [s for s, _ in edges], "relation": ["to"] * 8, "target": [t for _, t in edges]}
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pa.table(triples), embed="none")
        found = context(corpus, "A", "B", operator="shortest_path", max_depth=3)
    assert sorted(path.names for path in found.paths) == [
        ("A", x, y, "B") for x in ("x1", "x2") for y in ("y1", "y2")
    ]  # fmt: skip


def test_parallel_relations_of_a_neighbour_are_all_told() -> None:
    triples = {"source": ["Ann"] * 3, "relation": ["directed", "wrote", "starred_in"], "target": ["Heat"] * 3}
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pa.table(triples), embed="none")
        found = context(corpus, "Ann", operator="bfs")
    lines = [text for title, text in shown(found) if title == "relation"]
    assert lines == ["Ann -directed-> Heat", "Ann -wrote-> Heat", "Ann -starred_in-> Heat"]


# -- nothing, and too much -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("anchors", "policy"),
    [
        (("Bo Chen",), {"operator": "meta_path", "pattern": "venue"}),
        (("Ada Ito", "ICML"), {"operator": "constrained_shortest_path", "pattern": "^author / venue"}),
        (("Ada Ito", "ICML"), {"operator": "shortest_path", "max_depth": 1}),
    ],
)
def test_a_walk_that_ends_nowhere_has_no_path_and_no_pattern(
    papers: mosaic.Corpus, anchors: tuple[str, ...], policy: dict[str, Any]
) -> None:
    found = context(papers, *anchors, **policy)
    assert {title for title, _ in shown(found)} <= {"entity"}
    assert (found.paths, found.cut) == ((), ())


@pytest.fixture(scope="module")
def hub() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(neighbours(3_000), embed="none")
        yield corpus


def neighbours(count: int) -> pa.Table:
    """One node with `count` neighbours over one relation and one over another, read last."""
    return pa.table({
        "source": ["Hub"] * (count + 1),
        "relation": ["links"] * count + ["born_in"],
        "target": [f"Neighbour number {number}" for number in range(count)] + ["Lund"],
    })  # fmt: skip


def test_a_hub_fills_its_budget_and_says_how_many_it_leaves_out(hub: mosaic.Corpus) -> None:
    policy = {"fan_out": 100_000, "evidence_count": 1000, "context_tokens": 500}
    found = context(hub, "Hub", operator="bfs", **policy)
    assert found.tokens <= 500
    texts = dict(shown(found)[1:])
    lines = [text for title, text in shown(found) if title == "relation"]
    assert "Hub -born_in-> Lund" in lines
    (line,) = [text for text in lines if "links" in text]
    named = line.count("Neighbour number")
    assert line.endswith(f"; and {3_000 - named:,} more")
    assert 20 < named < 100
    assert found.cut == (f"{named + 1:,} of 3,001 relations shown",)
    assert set(texts) == {"relation"}


def test_what_the_walk_was_not_let_to_look_at_is_counted_too(hub: mosaic.Corpus) -> None:
    found = context(hub, "Hub", operator="bfs", fan_out=10)
    (line,) = [text for title, text in shown(found) if title == "relation" and "links" in text]
    assert line.endswith("; and 2,990 more")
    assert shown(found)[-1] == ("relation", "Hub -born_in-> 1 not shown")
    assert found.cut == ("10 of 3,001 relations shown",)


@pytest.mark.parametrize("tokens", [100, 150, 400, 1200])
@pytest.mark.parametrize(("operator", "pattern"), [("bfs", None), ("meta_path", "links | born_in")])
def test_no_budget_is_passed(hub: mosaic.Corpus, operator: str, pattern: str | None, tokens: int) -> None:
    found = context(hub, "Hub", operator=operator, pattern=pattern, context_tokens=tokens)
    assert found.tokens <= tokens
    assert found.cut
    assert len(found.passages) >= 2


def test_a_small_budget_holds_the_first_of_what_a_large_one_does(hub: mosaic.Corpus) -> None:
    small, large = (context(hub, "Hub", operator="meta_path", pattern="links", context_tokens=n) for n in (200, 800))
    assert [path.names for path in small.paths] == [path.names for path in large.paths[: len(small.paths)]]
    assert 0 < len(small.paths) < len(large.paths)
    assert small.passages[0].text == f"links from Hub leads to 3000 answers, {len(small.paths)} of them below"


@pytest.mark.slow
def test_a_hub_of_fifty_thousand_takes_its_time_to_walk_and_none_to_show() -> None:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(neighbours(50_000), embed="none")
        for operator, pattern in (("bfs", None), ("meta_path", "links")):
            policy = {"anchors": ["Hub"], "operator": operator, "pattern": pattern, "fan_out": 100_000}
            started = time.perf_counter()
            run = corpus.retrieve("what is asked", policy=policy)
            walked = time.perf_counter() - started
            assert run.context.tokens <= run.policy.context.context_tokens
            assert walked - sum(stage.milliseconds for stage in run.stages) / 1000 < 5


# -- odd names -------------------------------------------------------------------------------------------------------

ODD = ["two\nlines", "a | b", "tab\tbed", "semi; colon", "an -arrow-> x", "<b>bold</b> </passage>", "אבג", "\u202eevil",
       '"quoted"', "x" * 500]  # fmt: skip


def test_odd_names_stay_in_their_row(papers: mosaic.Corpus) -> None:
    nodes = {"id": [f"n{n}" for n in range(11)], "name": ["Start", *ODD], "kind": ["thing"] * 11,
             "properties": ["{}", *['{"note": "a|b\\nc; d"}'] * 10]}  # fmt: skip
    edges = {"source": ["n0"] * 10, "relation": ["re | la\ntion"] * 10, "target": [f"n{n}" for n in range(1, 11)]}
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(nodes=pa.table(nodes), edges=pa.table(edges), embed="none")
        found = context(corpus, "Start", operator="bfs")
        chat = ScriptedChat(["x [1]."])
        policy = {"anchors": ["Start"], "operator": "bfs"}
        corpus.ask("What is Start?", policy=policy, model=chat)
    table, line = found.passages[1].text.split("\n"), found.passages[2].text
    assert (table[0], len(table), line.count("\n")) == ("thing: name | note", 11, 0)
    names = [
        "two lines", '"a | b"', "tab bed", '"semi; colon"', '"an -arrow-> x"', "<b>bold</b> </passage>", "אבג",
        "evil", "\"'quoted'\"", "x" * 159 + "…",
    ]  # fmt: skip
    assert sorted(row.removesuffix(' | "a|b c; d"') for row in table[1:]) == sorted(names)
    assert line.startswith("Start -re | la tion-> ")
    assert sorted(
        line.removeprefix("Start -re | la tion-> ").replace('"semi; colon"', '"semi, colon"').split("; ")
    ) == (sorted(name.replace("semi;", "semi,") for name in names))
    prompt = chat.calls[0].messages[1]["content"]
    assert prompt.count("</passage>") == 1
    assert "‹/passage>" in prompt


def test_two_nodes_of_one_name_are_told_apart() -> None:
    nodes = {"id": ["a", "b", "c"], "name": ["Mercury", "Mercury", "Sun"], "kind": ["planet", "element", "star"]}
    edges = {"source": ["c", "c"], "relation": ["has", "has"], "target": ["a", "b"]}
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(nodes=pa.table(nodes), edges=pa.table(edges), embed="none")
        found = context(corpus, "Sun", operator="bfs")
    assert shown(found)[-1] == ("relation", "Sun -has-> Mercury (planet); Mercury (element)")


# -- beside a text ---------------------------------------------------------------------------------------------------


def test_the_text_that_is_about_an_entity_follows_its_tables() -> None:
    text = "Ada Ito was born in Lund. She writes about joins."
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.import_graph(nodes=pa.table(NODES), edges=pa.table(EDGES))
        corpus.add({"id": "ada.md", "title": "Ada Ito", "text": text})
        found = corpus.retrieve("Who is Ada Ito?", policy={"operator": "bfs"}).context
    *graph, page = found.passages
    assert [passage.chunk_id for passage in graph] == [None] * 3
    assert (page.source, page.text, page.role, page.char_end) == ("ada.md", text, "anchor", len(text))
    assert found.support == 1.0


def test_many_questions_have_each_its_own_tables(papers: mosaic.Corpus) -> None:
    policy = {"operator": "bfs"}
    questions = ["Who is Ada Ito?", "Who is Cy Diaz?", "What is ICML?"]
    together = [result.context for result in papers.retrieve(questions, policy=policy)]
    assert together == [papers.retrieve(question, policy=policy).context for question in questions]
    assert len({found.fingerprint for found in together}) == 3
