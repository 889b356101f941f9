"""What a graph answers: names with their ways, yes or no with a witness or the bound, who stands between, a profile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

import mosaic_sql as mosaic
from mosaic_sql.answer import answer as answer_from
from mosaic_sql.answer.middle import middle_names
from mosaic_sql.models.fakes import ScriptedChat
from mosaic_sql.records import Answer, Citation, Found, GraphPath

NOTHING = "The corpus holds no answer to this question."
TRIPLES = {
    "source": ["Inception", "Dunkirk", "Inception", "Dunkirk", "Heat"],
    "relation": ["directed_by", "directed_by", "starred_actors", "starred_actors", "directed_by"],
    "target": ["Christopher Nolan", "Christopher Nolan", "Tom Hardy", "Tom Hardy", "Michael Mann"],
}
# (paper, venue, authors)
PAPERS = [
    ("Joins", "VLDB", ["Ada Ito"]),
    ("Walks", "SIGMOD", ["Ada Ito", "Bo Chen"]),
    ("Hubs", "VLDB", ["Bo Chen", "Cy Diaz"]),
    ("Nets", "ICML", ["Cy Diaz"]),
]
SHARED = "^venue / author / ^author / venue"
BETWEEN = {"operator": "constrained_shortest_path", "pattern": SHARED}


def facts(*numbers: int, title: str = "relation") -> tuple[Citation, ...]:
    return tuple(Citation(number, "graph", title, None, None, None) for number in numbers)


@pytest.fixture(scope="module")
def films() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.import_graph(pa.table(TRIPLES))
        yield corpus


@pytest.fixture(scope="module")
def venues() -> Iterator[mosaic.Corpus]:
    edges = [(paper, "venue", venue) for paper, venue, _ in PAPERS]
    edges += [(paper, "author", author) for paper, _, authors in PAPERS for author in authors]
    names = {name: kind for edge in edges for name, kind in ((edge[0], "paper"), (edge[2], edge[1]))}
    nodes = {"id": [*names], "name": [*names], "kind": [*names.values()]}
    columns = {name: [edge[place] for edge in edges] for place, name in enumerate(("source", "relation", "target"))}
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(nodes=pa.table(nodes), edges=pa.table(columns), embed="none")
        yield corpus


def ask(corpus: mosaic.Corpus, question: str, *anchors: str, **policy: Any) -> Answer:
    return corpus.ask(question, policy={"anchors": anchors, **policy}).answer


# -- along a pattern -------------------------------------------------------------------------------------------------


def test_a_pattern_answers_with_names_and_the_facts_they_rest_on(films: mosaic.Corpus) -> None:
    assert films.ask("what films did Christopher Nolan direct").answer == Answer(
        "Inception, Dunkirk.\nChristopher Nolan <-directed_by- Inception; Dunkirk [3]", facts(3), True, "graph"
    )


def test_a_walk_that_ends_nowhere_is_no_answer(films: mosaic.Corpus) -> None:
    answer = films.ask("Inception", policy={"operator": "meta_path", "pattern": "^directed_by"}).answer
    assert answer == Answer(NOTHING, (), False, "graph", reason="no path ^directed_by from Inception")


@pytest.fixture(scope="module")
def many() -> Iterator[mosaic.Corpus]:
    names = [f"Film {number:03}" for number in range(60)]
    triples = {"source": names, "relation": ["has_genre"] * 60, "target": ["Drama"] * 60}
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pa.table(triples), embed="none")
        yield corpus


def test_a_long_list_begins_with_its_number_and_ends_with_what_is_left_out(many: mosaic.Corpus) -> None:
    head, line = ask(many, "which?", "Drama", operator="meta_path", pattern="^has_genre").text.split("\n")
    assert head.startswith("60 found: Film 000, Film 001, ")
    assert head.endswith(", Film 049 and 10 more.")
    assert len(line) < 350
    shown = line.count("Film")
    assert line.endswith(f"; and {60 - shown} more [3]")


def test_a_cut_walk_says_that_there_may_be_more(many: mosaic.Corpus) -> None:
    answer = ask(many, "which?", "Drama", operator="meta_path", pattern="^has_genre", row_budget=5)
    assert answer.text.startswith("Film 000, Film 001, Film 002, Film 003, Film 004.")
    assert answer.reason == "cut at 5 rows; raise row_budget to search on"


def test_values_stand_beside_names_and_commas_part_no_name(venues: mosaic.Corpus) -> None:
    run = venues.retrieve("who?", policy={"anchors": ["Hubs"], "operator": "meta_path", "pattern": "author"})
    found = [Found(1, "Bo Chen", 1, "1999"), Found(2, "Diaz, Cy", 1), Found(3, "Bo Chen", 1, "1999")]
    answer, _ = answer_from("who?", run.context, analysis=run.analysis, found=found)
    assert answer.text.split("\n")[0] == "Bo Chen (1999) (2 of that name); Diaz, Cy."


def test_names_that_no_passage_shows_are_cited_as_a_whole(venues: mosaic.Corpus) -> None:
    run = venues.retrieve("who?", policy={"anchors": ["Hubs"], "operator": "meta_path", "pattern": "author"})
    bare = replace(run.context, passages=run.context.passages[:1])
    answer, _ = answer_from("who?", bare, analysis=run.analysis, found=run.answers)
    assert (answer.text, answer.citations) == ("Bo Chen, Cy Diaz. [1]", facts(1, title="pattern"))


# -- between two ends ------------------------------------------------------------------------------------------------


def test_two_ends_are_answered_with_the_paths_that_join_them(films: mosaic.Corpus) -> None:
    assert films.ask("How are Inception and Dunkirk connected?").answer == Answer(
        "They are joined by: Inception -directed_by-> Christopher Nolan <-directed_by- Dunkirk [1]\n"
        "Inception -starred_actors-> Tom Hardy <-starred_actors- Dunkirk [2]",
        facts(1, 2, title="path"),
        True,
        "graph",
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Inception and Dunkirk",
            Answer(
                "Yes: Christopher Nolan.\nInception -directed_by-> Christopher Nolan <-directed_by- Dunkirk [1]",
                facts(1, title="path"),
                True,
                "graph",
            ),
        ),
        (
            "Inception and Heat",
            Answer(
                "No: the graph has no path directed_by / ^directed_by between Inception and Heat.",
                (),
                True,
                "graph",
                reason="searched up to 8 hops",
            ),
        ),
    ],
)
def test_a_pattern_between_two_ends_is_answered_yes_or_no(films: mosaic.Corpus, question: str, answer: Answer) -> None:
    policy = {"operator": "constrained_shortest_path", "pattern": "directed_by / ^directed_by"}
    assert films.ask(question, policy=policy).answer == answer


def test_two_ends_without_any_path_are_no_answer_with_the_bound_told(films: mosaic.Corpus) -> None:
    reason = "no path of at most 4 hops between Inception and Heat"
    for model in (None, ScriptedChat([])):
        answer = films.ask("Inception and Heat", policy={"operator": "shortest_path"}, model=model).answer
        assert answer == Answer(NOTHING, (), False, "graph", reason=reason)


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("Do venues VLDB and SIGMOD share authors, and who?", "Yes: "),
        ("Do VLDB and SIGMOD have anyone in common?", "Yes: "),
        ("Which authors do VLDB and SIGMOD share?", ""),
        ("Who published in both VLDB and SIGMOD?", ""),
    ],
)
def test_who_two_venues_share_is_named_whatever_the_wording(venues: mosaic.Corpus, question: str, opening: str) -> None:
    answer = ask(venues, question, "VLDB", "SIGMOD", **BETWEEN)
    head, *ways = answer.text.split("\n")
    assert head.startswith(opening)
    assert sorted(head.removeprefix(opening).removesuffix(".").split(", ")) == ["Ada Ito", "Bo Chen"]
    assert sorted(way.rsplit(" [", 1)[0] for way in ways) == [
        "VLDB <-venue- Hubs -author-> Bo Chen <-author- Walks -venue-> SIGMOD",
        "VLDB <-venue- Joins -author-> Ada Ito <-author- Walks -venue-> SIGMOD",
    ]
    assert answer.citations == facts(1, 2, title="path")


def test_another_kind_in_the_middle_is_named_where_it_is_asked_for(venues: mosaic.Corpus) -> None:
    answer = ask(venues, "Which papers join VLDB and ICML?", "VLDB", "ICML", **BETWEEN)
    assert answer.text.split("\n")[0] == "Hubs, Nets."


def test_venues_that_share_nobody_are_a_no(venues: mosaic.Corpus) -> None:
    answer = ask(venues, "Do SIGMOD and ICML share authors?", "SIGMOD", "ICML", **BETWEEN)
    assert answer.text == f"No: the graph has no path {SHARED} between SIGMOD and ICML."
    assert (answer.found, answer.reason) == (True, "searched up to 8 hops")


def test_a_search_that_was_cut_is_no_no(venues: mosaic.Corpus) -> None:
    run = venues.retrieve("share?", policy={"anchors": ["SIGMOD", "ICML"], **BETWEEN})
    for mark, control in (("row_budget", 200_000), ("max_depth fan_out", run.policy.walk.fan_out)):
        answer, _ = answer_from("share?", run.context, analysis=run.analysis, stopped=f"{mark}: cut")
        assert (answer.found, answer.text.split()[0], answer.text.startswith("No:")) == (False, "Not", False)
        assert answer.reason == f"cut at {control:,} rows; raise {mark.split()[-1]} to search on"


def test_one_end_alone_is_neither_yes_nor_no(venues: mosaic.Corpus) -> None:
    answer = ask(venues, "Do VLDB and WWW share authors?", "VLDB", **BETWEEN)
    reason = "a path has two ends; of what the question names the graph knows only VLDB"
    assert answer == Answer(NOTHING, (), False, "graph", reason=reason)


def test_paths_beyond_the_limit_are_told(venues: mosaic.Corpus) -> None:
    answer = ask(venues, "share?", "VLDB", "SIGMOD", **BETWEEN, path_limit=1)
    assert answer.reason == "the first 1 paths; raise path_limit for more"


def path(*names: str, labels: list[tuple[str, bool]], kinds: list[str]) -> GraphPath:
    ids = tuple(hash(name) % 1000 for name in names)
    return GraphPath(1, ids, names, tuple((kind,) if kind else () for kind in kinds), tuple(labels))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which director links A and B?", ["M"]),
        ("Which actors link A and B?", ["N"]),
        ("Which films link A and B?", ["F"]),
        ("Is A linked to B?", []),
    ],
)
def test_kinds_and_relations_say_which_node_is_asked_for(question: str, names: list[str]) -> None:
    labels = [("directed_by", True), ("directed_by", False), ("starred_actors", True), ("knows", True)]
    found = path("A", "M", "F", "N", "B", labels=labels, kinds=["film", "", "film", "has actor", "person"])
    assert middle_names(question, [found, found], []) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Is there a publisher of books by both A and B?", ["P"]),
        ("Which books do A and B publish with one publisher?", ["P"]),
        ("Which books do A and B have?", ["X", "Y"]),
    ],
)
def test_where_inverses_are_stored_kinds_say_what_is_in_the_middle(question: str, names: list[str]) -> None:
    labels = [("book", True), ("publisher", True), ("book", True), ("author", True)]
    kinds = ["author", "book", "publisher", "book", "author"]
    assert middle_names(question, [path("A", "X", "P", "Y", "B", labels=labels, kinds=kinds)], []) == names


# -- about an entity -------------------------------------------------------------------------------------------------


def test_a_name_alone_is_answered_with_what_the_graph_says_of_it(films: mosaic.Corpus) -> None:
    assert films.ask("Who is Christopher Nolan?", policy={"operator": "bfs"}).answer == Answer(
        "Christopher Nolan (directed_by) [1]\nChristopher Nolan <-directed_by- Inception; Dunkirk [2]",
        (Citation(1, "graph", "entity", None, None, None), *facts(2)),
        True,
        "graph",
    )


def test_a_profile_is_short_and_says_how_many_it_leaves_out(many: mosaic.Corpus) -> None:
    answer = ask(many, "What is Drama?", "Drama", operator="bfs", context_tokens=120)
    record, line = answer.text.split("\n")
    assert record == "Drama (has_genre) [1]"
    assert line.endswith(f"; and {60 - line.count('Film')} more [2]")
    assert answer.reason == f"{line.count('Film')} of 60 relations shown"


def test_a_profile_goes_on_with_what_the_text_says() -> None:
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.import_graph(pa.table(TRIPLES))
        corpus.add({"id": "nolan.md", "title": "Christopher Nolan", "text": "Christopher Nolan was born in London."})
        answer = corpus.ask("Who is Christopher Nolan?", policy={"operator": "bfs"}).answer
    assert answer.text.split("\n") == [
        "Christopher Nolan (directed_by) [1]",
        "Christopher Nolan <-directed_by- Inception; Dunkirk [2]",
        "“Christopher Nolan was born in London.” [3]",
    ]
    assert [(cited.number, cited.source) for cited in answer.citations] == [(1, "graph"), (2, "graph"), (3, "nolan.md")]


def test_a_fact_that_was_read_from_a_text_cites_it() -> None:
    """Edges with a chunk: the path is shown, and so is the passage that states it."""
    text = "Inception was directed by Christopher Nolan."
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.import_graph(pa.table(TRIPLES))
        corpus.add({"id": "inception.md", "title": "Notes", "text": text})
        corpus.connection.execute(
            "INSERT INTO edge_chunk SELECT e.edge_id, 0 FROM edge e JOIN node v ON v.node_id = e.source_id "
            "WHERE v.name = 'Inception' AND e.origin = 'graph' AND v.origin = 'graph'"
        )
        policy = {"anchors": ["Inception"], "operator": "meta_path", "pattern": "directed_by"}
        answer = corpus.ask("who?", policy=policy).answer
    assert answer.text == "Christopher Nolan.\nInception -directed_by-> Christopher Nolan [3, 4]"
    assert [(cited.number, cited.source) for cited in answer.citations] == [(3, "graph"), (4, "inception.md")]


# -- by a model ------------------------------------------------------------------------------------------------------


def test_a_model_gets_tables_and_paths_in_one_fence_and_cites_their_numbers(venues: mosaic.Corpus) -> None:
    chat = ScriptedChat(["Bo Chen and Cy Diaz [3]."])
    policy = {"anchors": ["Hubs"], "operator": "meta_path", "pattern": "author"}
    asked = venues.ask("Who wrote Hubs?", policy=policy, model=chat)
    assert chat.calls[0].messages[1]["content"] == (
        "<passage numbers=1-3>\n"
        "The path pattern that was walked:\n[1] author from Hubs leads to 2 answers\n"
        "Entities:\n[2] Hubs (paper)\n"
        "Relations (an arrow points from subject to object):\n[3] Hubs -author-> Bo Chen; Cy Diaz\n"
        "</passage>\n"
        "Question: Who wrote Hubs?"
    )
    assert (asked.answer.text, asked.answer.citations) == ("Bo Chen and Cy Diaz [3].", facts(3))
