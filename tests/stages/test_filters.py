"""All nodes of a kind, held to what a question asks of them, over nodes with kinds and over triples alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small import METRO, MUSIC, PLAYED, RUNS, triples, typed

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
        ("metro", "Which stations opened in 1931 or 1998?", "Airport, Castle Gate, Old Mill"),
        ("metro", "stations opened before 1940 or after 1990", "Airport, Castle Gate, Old Mill"),
        ("music", "albums from 1980 or 1992", "Cold Water, Harbour Lights"),
        ("music", "Which albums came out in 1980, or in 2005?", "Harbour Lights, Salt"),
        ("music", "Which bands were formed before 1980 or after 2000?", "Ash Choir, The Lanterns"),
        ("music", "musicians born in 1960", "Otto Brask"),
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
