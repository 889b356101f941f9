"""What holds both ways is walked both ways, though each edge is stored once: borders, marriages, interactions."""

from __future__ import annotations

from collections.abc import Iterator

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
