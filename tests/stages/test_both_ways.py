"""What holds both ways is walked both ways, though each edge is stored once: borders, marriages, interactions."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest
import small
import worlds

import mosaic_sql as mosaic

BORDERS = [("Ostia", "Velm"), ("Velm", "Karst"), ("Tarn", "Velm"), ("Karst", "Ulm")]
PEOPLE = {"Ann Roe": "Ostia", "Bob Lund": "Velm", "Cy Ward": "Karst"}
KNOWN = [("Ann Roe", "married_to", "Bob Lund"), ("Ann Roe", "likes", "Cy Ward")]


@pytest.fixture(scope="module")
def continent() -> Iterator[mosaic.Corpus]:
    countries = sorted({country for pair in BORDERS for country in pair})
    nodes = [(one, one, "country") for one in countries] + [(one, one, "person") for one in PEOPLE]
    edges = [(a, "shares_border_with", b) for a, b in BORDERS] + list(KNOWN)
    edges += [(person, "born_in", country) for person, country in PEOPLE.items()]
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which countries border Velm?", "Karst, Ostia, Tarn"),
        ("Which countries border both Ostia and Karst?", "Velm"),
        ("Who was born in a country that borders Ostia?", "Bob Lund"),
        ("Who is married to Bob Lund?", "Ann Roe"),
        ("Who is the spouse of Ann Roe?", "Bob Lund"),
        ("Who likes Cy Ward?", "Ann Roe"),
        ("Whom does Ann Roe like?", "Cy Ward"),
    ],
)
def test_an_edge_is_found_from_either_end(continent: mosaic.Corpus, question: str, answer: str) -> None:
    assert ", ".join(sorted(one.name for one in continent.retrieve(question).answers)) == answer


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("How many countries does Karst border?", "2"),
        ("Is there a country that borders both Ostia and Karst?", "Yes: Velm"),
        ("Do Ostia and Ulm share a neighbour?", "No"),
    ],
)
def test_it_counts_and_joins_from_either_end(continent: mosaic.Corpus, question: str, begins: str) -> None:
    assert continent.ask(question).text.startswith(begins)


def test_what_interacts_with_something_does_so_as_a_verb() -> None:
    with small.typed(small.MEDICINE, small.GIVEN) as corpus:
        found = corpus.retrieve("what interacts with warfarin")
    assert found.policy.walk.pattern == "~interacts_with"
    assert sorted(one.name for one in found.answers) == ["aspirin", "naproxen"]


FAMILY = [
    ("Jorge Paz", "parent", "Elena Paz"),
    ("Elena Paz", "child", "Rosa Paz"),
    ("Rosa Paz", "collaborates_with", "Ada Lund"),
    ("Ada Lund", "teaches", "Optics"),
    ("Logic", "taught_by", "Ada Lund"),
    ("Logic", "taught_by", "Jorge Paz"),
    ("Ada Lund", "advised_by", "Elena Paz"),
    ("Elena Paz", "advisor_of", "Jorge Paz"),
]
FIRMS = [
    ("Metrovia", "subsidiary of", "Orbis Group"),
    ("Orbis Group", "has subsidiary", "Orbis Freight"),
    ("SkyRail", "competitor of", "Metrovia"),
    ("Metrovia", "competitor of", "Ferrum"),
]


@pytest.fixture(scope="module")
def family() -> Iterator[mosaic.Corpus]:
    people = sorted({name for edge in FAMILY for name in (edge[0], edge[2])} - {"Optics", "Logic"})
    nodes = [(one, one, "person") for one in people] + [(one, one, "course") for one in ("Optics", "Logic")]
    with worlds.graph(nodes, FAMILY) as corpus:
        yield corpus


@pytest.fixture(scope="module")
def firms() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(FIRMS, columns=["source", "relation", "target"]), embed="none")
        yield corpus


@pytest.mark.parametrize(
    ("question", "begins", "pattern"),
    [
        ("Who are the children of Elena Paz?", "Jorge Paz, Rosa Paz.", "(child | ^parent)"),
        ("How many children does Elena Paz have?", "2", "(child | ^parent)"),
        ("Is Jorge Paz a child of Elena Paz?", "Yes", "(^child | parent)"),
        ("Is Rosa Paz a child of Elena Paz?", "Yes", "(^child | parent)"),
        ("Is Ada Lund a child of Elena Paz?", "No: no `child` or `parent` edge between", "(^child | parent)"),
        ("Which courses does Ada Lund teach?", "Optics, Logic.", "(teaches | ^taught_by)"),
        ("Whom did Elena Paz advise?", "Ada Lund, Jorge Paz.", "(advisor_of | ^advised_by)"),
        ("Who collaborates with Ada Lund?", "Rosa Paz.", "~collaborates_with"),
        ("Does Ada Lund collaborate with Rosa Paz?", "Yes", "~collaborates_with"),
        (
            "Which courses do the children of Elena Paz teach?",
            "Logic.",
            "(child | ^parent) / (teaches | ^taught_by)",
        ),
    ],
)
def test_relations_that_say_the_same_are_one(family: mosaic.Corpus, question: str, begins: str, pattern: str) -> None:
    told = family.ask(question)
    assert (told.text[: len(begins)], told.policy.walk.pattern) == (begins, pattern)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What are the subsidiaries of Orbis Group?", "Metrovia, Orbis Freight."),
        ("How many subsidiaries does Orbis Group have?", "2"),
        ("Is Orbis Freight a subsidiary of Orbis Group?", "Yes"),
        ("Does Metrovia compete with SkyRail?", "Yes"),
        ("Who are the competitors of Metrovia?", "SkyRail, Ferrum."),
    ],
)
def test_they_are_so_where_nodes_have_no_kinds(firms: mosaic.Corpus, question: str, begins: str) -> None:
    assert firms.ask(question).text.startswith(begins)


def test_a_relation_of_a_like_word_is_no_other_end() -> None:
    edges = [("Ann", "father", "Bob"), ("Cy", "mother", "Dot"), ("Bob", "child", "Eve"), ("Ann", "works_at", "Acme")]
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(edges, columns=["source", "relation", "target"]), embed="none")
        assert corpus.retrieve("Who is the father of Ann?").policy.walk.pattern == "father"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which person knows the most people?", "Ann (count 3)"),
        ("Who knows the most people?", "Ann (count 3)"),
        ("Who knows Bob?", "Ann."),
        ("Who is known by the most people?", "Cy (count 2)"),
        ("Which person is known by the most people?", "Cy (count 2)"),
    ],
)
def test_of_two_like_ends_the_one_that_does_it_is_counted(question: str, expected: str) -> None:
    edges = [("Ann", "knows", "Bob"), ("Ann", "knows", "Cy"), ("Ann", "knows", "Dot"), ("Bob", "knows", "Cy")]
    with worlds.graph([(one, one, "person") for one in ("Ann", "Bob", "Cy", "Dot")], edges) as corpus:
        assert corpus.ask(question).text.startswith(expected)
