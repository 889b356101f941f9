"""All nodes of a kind, held to what a question asks of them, over nodes with kinds and over triples alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small import ACTS, GENES, METRO, MUSIC, PLAYED, RUNS, triples, typed

import mosaic_sql as mosaic

Corpora = dict[str, mosaic.Corpus]


@pytest.fixture(scope="module", params=["typed", "is_a", "rdf:type", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"])
def graphs(request: pytest.FixtureRequest) -> Iterator[Corpora]:
    worlds = {"music": (MUSIC, PLAYED), "metro": (METRO, RUNS)}
    as_typed = request.param == "typed"
    opened = {name: typed(*told) if as_typed else triples(*told, request.param) for name, told in worlds.items()}
    yield opened
    for corpus in opened.values():
        corpus.close()


@pytest.fixture(scope="module")
def music() -> Iterator[mosaic.Corpus]:
    with typed(MUSIC, PLAYED) as corpus:
        yield corpus


def names(found: mosaic.Retrieval) -> str:
    return ", ".join(sorted(answer.name for answer in found.answers))


@pytest.mark.parametrize(
    ("name", "question", "expected"),
    [
        ("metro", "Which lines are there?", "Blue Line, Green Line, Red Line"),
        ("metro", "stations opened before 1940", "Castle Gate, Old Mill"),
        ("metro", "Which stations are in zone 2?", "Fountain, Quayside"),
        ("metro", "Which stations opened in 1931 or 1998?", "Airport, Castle Gate, Old Mill"),
        ("metro", "stations opened before 1940 or after 1990", "Airport, Castle Gate, Old Mill"),
        ("music", "albums from 1980 or 1992", "Cold Water, Harbour Lights"),
        ("music", "Which albums came out in 1980, or in 2005?", "Harbour Lights, Salt"),
        ("music", "Which bands were formed before 1980 or after 2000?", "Ash Choir, The Lanterns"),
        ("music", "musicians born in 1960", "Otto Brask"),
        ("music", "Who was born in 1960?", "Lia Moran, Otto Brask"),
        ("music", "Who was born after 1950?", "Ida Wren, Lia Moran, Nora Venn, Otto Brask, Sam Tull"),
        ("music", "singers born in 1955 or 1984", "Ida Wren, Nora Venn"),
        ("music", "groups formed in the 1990s", "Blue Ferry"),
    ],
)
def test_all_of_a_kind_are_held_to_what_is_asked(graphs: Corpora, name: str, question: str, expected: str) -> None:
    assert names(graphs[name].retrieve(question)) == expected


@pytest.mark.parametrize(
    ("name", "question", "number"),
    [
        ("metro", "How many stations are there?", "5"),
        ("music", "How many bands are there?", "3"),
        ("music", "How many albums are from 1992?", "1"),
        ("music", "How many albums came out in 1992?", "1"),
        ("music", "How many singers are there in total?", "3"),
        ("music", "How many cities have more than 50000 inhabitants?", "1"),
        ("metro", "How many stations are in zone 2?", "2"),
        ("metro", "How many stations are on the Green Line?", "3"),
    ],
)
def test_all_of_a_kind_are_counted(graphs: Corpora, name: str, question: str, number: str) -> None:
    assert graphs[name].ask(question).text.split("\n")[0] == number


def test_what_a_node_is_said_to_be_is_its_kind(graphs: Corpora) -> None:
    asked = graphs["metro"].ask("Is Old Mill a line?")
    assert asked.text.startswith("No: Old Mill is of kind `station`, not `line`.\n")


def test_a_chain_of_classes_is_no_kind_of_its_members() -> None:
    classes = [("kinase", "enzyme"), ("enzyme", "protein"), ("protein", "molecule"), ("virus", "particle")]
    with triples([], [(one, "is_a", other) for one, other in classes]) as corpus:
        kinds = dict(corpus.connection.sql("SELECT name, kinds FROM node").fetchall())
    assert kinds["kinase"] == ["has is_a"]
    assert kinds["enzyme"] == ["has is_a", "is_a"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which singers are still alive?", "Ida Wren, Lia Moran"),
        ("Which singers are not alive?", "Nora Venn"),
        ("Which musicians have died?", "Sam Tull"),
        ("Which members of The Lanterns are still alive?", "Otto Brask"),
        ("Living singers born in Port Ellis", "Lia Moran"),
    ],
)
def test_who_lives_has_no_date_of_death(graphs: Corpora, question: str, expected: str) -> None:
    assert names(graphs["music"].retrieve(question)) == expected


@pytest.mark.parametrize(
    ("question", "verdict", "line"),
    [
        ("Is Nora Venn still alive?", "No", "Nora Venn (singer): born: 1955; died: 2011"),
        ("Is Ida Wren alive?", "Yes", "Ida Wren"),
        ("Is Nora Venn dead?", "Yes", "Nora Venn (died 2011)"),
        ("Was Otto Brask born in 1960?", "Yes", "Otto Brask (born 1960)"),
        ("Was Otto Brask born before 1950 or after 1970?", "No", "Otto Brask (musician): born: 1960"),
        ("Is Cold Water longer than 50 minutes?", "Yes", "Cold Water (minutes 52)"),
        ("Was Salt released after 2010?", "No", "Salt (album): released: 2005; minutes: 38"),
    ],
)
def test_what_one_node_has_is_affirmed_or_denied(music: mosaic.Corpus, question: str, verdict: str, line: str) -> None:
    assert music.ask(question).text == f"{verdict}\n{line} [1]"


def test_what_a_property_says_yes_or_no_of_is_a_filter() -> None:
    with typed(GENES, ACTS) as genes:
        asked = {
            "Which drugs are approved?": "Imatinib, Olaparib",
            "Which drugs are not approved?": "Nutlin",
            "Is Nutlin approved?": "Nutlin",
            "approved drugs that treat leukemia": "Imatinib",
            "Which drugs that treat leukemia are not approved?": "",
            "drugs that inhibit MDM2 that are not approved": "Nutlin",
        }
        assert {question: names(genes.retrieve(question)) for question in asked} == asked
        assert genes.ask("Is Nutlin approved?").text == "No\nNutlin (approved false) [1]"


def test_a_date_that_is_called_by_what_was_done_says_whether_it_was() -> None:
    dates = {"Imatinib": {"approved": "2001-05-10"}, "Nutlin": {}, "Olaparib": {"approved": "2014-12-01"}}
    drugs = [(name, "drug", more) for name, more in dates.items()]
    treats = [(name, "treats", "leukemia") for name in ("Imatinib", "Nutlin")]
    with typed([*drugs, ("leukemia", "disease", {})], treats) as graph:
        assert names(graph.retrieve("Which drugs are approved?")) == "Imatinib, Olaparib"
        assert names(graph.retrieve("Which drugs have never been approved?")) == "Nutlin"
        assert names(graph.retrieve("approved drugs that treat leukemia")) == "Imatinib"
        assert graph.ask("Has Nutlin been approved?").text.startswith("No\n")
        assert graph.ask("Was Imatinib approved?").text == "Yes\nImatinib (approved 2001-05-10) [1]"
        assert graph.ask("When was Imatinib approved?").text == "Imatinib (approved 2001-05-10) [1]"


def test_a_state_that_no_property_tells_is_told(music: mosaic.Corpus) -> None:
    asked = music.ask("Which albums are still alive?")
    assert (asked.found, asked.answer.reason) == (False, "“alive”: no property of the answers tells it")


@pytest.mark.parametrize(
    ("name", "question", "expected"),
    [
        ("music", "albums longer than Harbour Lights", "Cold Water"),
        ("music", "bands formed before Blue Ferry", "The Lanterns"),
        ("music", "bands older than Ash Choir", "Blue Ferry, The Lanterns"),
        ("music", "cities with more people than Greyford", "Port Ellis"),
        ("music", "Which members of Blue Ferry are younger than Otto Brask?", "Sam Tull"),
        ("metro", "Which stations were opened after Fountain?", "Airport, Quayside"),
    ],
)
def test_answers_are_compared_with_what_another_node_has(
    graphs: Corpora, name: str, question: str, expected: str
) -> None:
    found = graphs[name].retrieve(question)
    assert names(found) == expected
    assert [step.role for step in found.steps] == ["compared"]


def test_where_nothing_compares_so_the_value_is_told(music: mosaic.Corpus) -> None:
    asked = music.ask("albums longer than Cold Water")
    assert (asked.found, asked.answer.reason) == (False, "nothing has minutes > 52")
    lacks = music.ask("Which singers died before Ida Wren?")
    assert (lacks.found, lacks.answer.reason) == (False, "Ida Wren has no died to compare with")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("How many singers are tall?", "“tall” narrows what is counted, and was not understood"),
        ("singers older than 60", "what is asked of every singer was not understood"),
        ("Who was recorded in 1960?", "of what this is asked was not understood; name a node, or a kind of node: "
         "album, band, city, label, musician, singer"),
        ("Is Nora Venn the oldest singer?", "whether Nora Venn is “oldest” was not understood; ask which is"),
        ("Are Nora Venn and Otto Brask members of Blue Ferry or The Lanterns?",
         "yes or no of 4 names at once is not served; ask it of two"),
        ("Where does Lia Moran live?", "no relation of the graph answers to “live”"),
        ("Which bands has Fen Records sued?", "no relation of the graph answers to “sued”"),
        ("Which albums did Blue Ferry review?", "no relation of the graph answers to “review”"),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_told_and_no_beam_is_walked(music: mosaic.Corpus, question: str, reason: str) -> None:
    asked = music.ask(question)
    assert (asked.found, asked.answer.reason, asked.retrieval.answers) == (False, reason, ())
