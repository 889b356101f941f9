"""Questions over triples whose nodes have no kinds, or of which a relation tells the kinds of some."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import triples_of

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def bare() -> Iterator[mosaic.Corpus]:
    with triples_of.bare() as corpus:
        yield corpus


@pytest.fixture(scope="module")
def typed() -> Iterator[mosaic.Corpus]:
    with triples_of.typed() as corpus:
        yield corpus


def _names(corpus: mosaic.Corpus, question: str) -> str:
    return ", ".join(one.name for one in corpus.retrieve(question).answers)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("In which country was Bo Lind born?", "Germany"),
        ("Which country was Di Fabre born in?", "France"),
        ("In which city was Bo Lind born?", "Ulm"),
        ("Where was Bo Lind born?", "Ulm"),
        ("Who was born in Germany?", "Ada Roth, Bo Lind, Cy Marsh"),
        ("Which physicists were born in Germany?", "Ada Roth, Bo Lind"),
        ("Which countries border Germany?", "France"),
        ("Which subsidiaries does Alpha have?", "Goon, Waymar, Deeper, Calix"),
    ],
)
def test_where_a_relation_tells_kinds_those_of_the_others_are_inferred(
    typed: mosaic.Corpus, question: str, expected: str
) -> None:
    assert _names(typed, question) == expected


def test_kinds_that_are_told_are_the_ones_that_may_be_named(typed: mosaic.Corpus) -> None:
    assert "a kind of node: city, company, country, human" in typed.ask("Which stations are there?").text
