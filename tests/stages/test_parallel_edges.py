"""Edges of one relation between the same two nodes: each is told, and counted where it is asked how often."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def league() -> Iterator[mosaic.Corpus]:
    nodes = [
        ("Orsk Rovers", "Orsk Rovers", "club", {"founded": 1900}),
        ("Tarn Athletic", "Tarn Athletic", "club", {"founded": 1901}),
        *((name, name, "player") for name in ("Ada Rue", "Bo Lind", "Cy Vane", "Di Marsh")),
        ("Silver Shield", "Silver Shield", "competition"),
    ]  # fmt: skip
    edges = [("Orsk Rovers", "won", "Silver Shield", {"season": year}) for year in (2001, 2004, 2007)]
    edges += [("Tarn Athletic", "won", "Silver Shield", {"season": 2002})]
    edges += [("Ada Rue", "played_for", "Orsk Rovers", {"start_year": year}) for year in (1999, 2003, 2006)]
    edges += [("Bo Lind", "played_for", "Orsk Rovers", {"start_year": 1999})]
    edges += [
        (name, "played_for", "Tarn Athletic", {"start_year": 2000}) for name in ("Bo Lind", "Cy Vane", "Di Marsh")
    ]
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How often has Orsk Rovers won the Silver Shield?", "3"),
        ("How many times did Tarn Athletic win the Silver Shield?", "1"),
        ("How often did Ada Rue play for Orsk Rovers?", "3"),
        ("How often did Cy Vane play for Orsk Rovers?", "0"),
        ("How many players has Orsk Rovers had?", "2"),
    ],
)
def test_how_often_counts_the_edges(league: mosaic.Corpus, question: str, first: str) -> None:
    assert league.ask(question).text.splitlines()[0] == first


def test_when_tells_each_of_them(league: mosaic.Corpus) -> None:
    text = league.ask("When did Orsk Rovers win the Silver Shield?").text
    assert all(str(year) in text for year in (2001, 2004, 2007))
    assert "2002" not in text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which club has had the most players?", "Tarn Athletic 3"),
        ("Which player has played for the most clubs?", "Bo Lind 2"),
        (
            "Who won the Silver Shield in 2002?",
            "Tarn Athletic ",
        ),  # in that season, though clubs have a year of their own
        ("Who won the Silver Shield after 2005?", "Orsk Rovers "),
    ],
)
def test_nodes_are_counted_once_and_seasons_are_years(league: mosaic.Corpus, question: str, expected: str) -> None:
    assert ", ".join(f"{one.name} {one.value}" for one in league.retrieve(question).answers) == expected
