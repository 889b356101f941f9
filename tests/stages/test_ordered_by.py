"""Superlatives that say by what: the largest by revenue, the top three by box office."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def firms() -> Iterator[mosaic.Corpus]:
    firms = [("Aldo", 900, 10, 1990), ("Bexley", 20, 70, 2001), ("Corvid", 300, 40, 1950), ("Dorn", 5, 2, 2010)]
    films = [("Long Night", 9.1, 30), ("Short Day", 7.2, 900), ("Grey Sea", 8.0, 400)]
    venues = [("Alpha Meeting", 1962), ("Beta Journal", 1869), ("Gamma Days", 1999)]
    nodes = [
        *((n, n, "company", {"employees": e, "revenue_musd": r, "founded": y}) for n, e, r, y in firms),
        *((n, n, "film", {"rating": r, "box_office_musd": b}) for n, r, b in films),
        *((n, n, "venue", {"first_held": y}) for n, y in venues),
        ("Orsk", "Orsk", "city"), ("Belmont", "Belmont", "city"), ("Mina Hart", "Mina Hart", "person"),
        ("Otto Lind", "Otto Lind", "person"),
        ("F-1", "F-1", "flaw", {"cvss": 9.8}), ("F-2", "F-2", "flaw", {"cvss": 7.5}),
    ]  # fmt: skip
    edges = [
        ("Aldo", "located_in", "Orsk"), ("Bexley", "located_in", "Belmont"),
        *((film[0], "directed_by", "Mina Hart") for film in films[:2]),
        ("Mina Hart", "board_member_of", "Aldo"), ("Mina Hart", "board_member_of", "Bexley"),
        ("Otto Lind", "board_member_of", "Aldo"),
    ]  # fmt: skip
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("three largest companies by revenue", "Bexley, Corvid, Aldo"),
        ("biggest company by revenue", "Bexley"),
        ("What are the two largest companies by revenue?", "Bexley, Corvid"),
        ("smallest company by number of employees", "Dorn"),
        ("What are the two highest grossing films by box office?", "Short Day, Grey Sea"),
        ("top 2 films by box office", "Short Day, Grey Sea"),
        ("top 2 films by rating", "Long Night, Grey Sea"),
        ("highest rated film by box office", "Short Day"),
        ("best film by Mina Hart by box office", "Short Day"),
        ("the two oldest venues", "Beta Journal, Alpha Meeting"),
        ("Where is the largest company by revenue located?", "Belmont"),
        ("Where is the largest company located?", "Orsk"),  # by itself, as before
        ("largest company", "Aldo"),
        ("best film by Mina Hart", "Long Night"),
        ("oldest company", "Corvid"),
        ("Which flaw has the second highest cvss score?", "F-2"),
        ("Who sits on the most boards?", "Mina Hart"),  # and not the company of the most
        ("Who directed the most films?", "Mina Hart"),
    ],
)
def test_what_is_named_comes_before_what_the_adjective_stands_for(
    firms: mosaic.Corpus, question: str, names: str
) -> None:
    assert ", ".join(one.name for one in firms.retrieve(question).answers) == names


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("top 2 companies by foo bar", "no property of the answers goes with it"),
        ("best film by a woman", "“woman” narrows what is asked of every film"),
    ],
)
def test_an_order_that_nothing_serves_is_told(firms: mosaic.Corpus, question: str, told: str) -> None:
    run = firms.ask(question)
    assert not run.retrieval.answers
    assert told in run.text
