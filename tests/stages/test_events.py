"""Dates of the event that a question speaks of: of a death and not of a birth, of a prize and not of the film."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import small
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def graphs() -> Iterator[dict[str, mosaic.Corpus]]:
    people = small.triples(
        [],
        [
            ("Ada Birk", "is_a", "human"), ("Ben Corr", "is_a", "human"), ("Cleo Dahl", "is_a", "human"),
            ("Ada Birk", "date of birth", "1850-02-01"), ("Ada Birk", "date of death", "1910-05-05"),
            ("Ben Corr", "date of birth", "1910-03-03"), ("Ben Corr", "date of death", "1990-01-01"),
            ("Cleo Dahl", "date of birth", "1955-07-07"),
            ("Ada Birk", "place of death", "Orsk"), ("Ben Corr", "place of death", "Orsk"),
            ("Ben Corr", "place of birth", "Belmont"), ("Cleo Dahl", "place of birth", "Belmont"),
            ("Orsk", "is_a", "city"), ("Belmont", "is_a", "city"),
        ],
    )  # fmt: skip
    firms = worlds.graph(
        [
            ("a", "Aldo Group", "company", {"founded": 1990}), ("b", "Bexley", "company", {"founded": 2016}),
            ("c", "Corvid", "company", {"founded": 1980}), ("d", "Dorn", "company", {"founded": 2018}),
            ("p", "Pia Roth", "person", {"birth_year": 1960}), ("q", "Quin Vale", "person", {"birth_year": 1990}),
            ("f", "Long Night", "film", {"year": 1993}), ("g", "Short Day", "film", {"year": 1994}),
            ("o", "Golden Owl", "award"),
        ],
        [
            ("b", "subsidiary_of", "a", {"since": 2017}), ("c", "subsidiary_of", "a", {"since": 2005}),
            ("p", "board_member_of", "a", {"from": 2001, "to": 2010}), ("q", "board_member_of", "b", {"from": 2019}),
            ("f", "won", "o", {"year": 1994}),
        ],
    )  # fmt: skip
    yield {"people": people, "firms": firms}
    people.close()
    firms.close()


def _names(corpus: mosaic.Corpus, question: str) -> list[str]:
    return sorted(one.name for one in corpus.retrieve(question).answers)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which people died in 1910?", "Ada Birk"),
        ("humans who died after 1950", "Ben Corr"),
        ("Which people died before 1900?", ""),
        ("Who died in Orsk before 1950?", "Ada Birk"),
        ("people born in Belmont who died before 1995", "Ben Corr"),
        ("Which person died first?", "Ada Birk"),
        ("Which people were born in 1910?", "Ben Corr"),  # as before
        ("Which person was born first?", "Ada Birk"),
        ("Did Ada Birk die before 1900?", ""),
        ("Did Ada Birk die before 1920?", "Ada Birk"),
    ],
)
def test_a_verb_tells_which_date_is_compared(graphs: dict[str, mosaic.Corpus], question: str, names: str) -> None:
    assert ", ".join(_names(graphs["people"], question)) == names


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which companies became subsidiaries after 2015?", "Bexley"),
        ("Which companies were subsidiaries in 2006?", "Corvid"),
        ("How many companies became subsidiaries after 2000?", "Bexley, Corvid"),
        ("Who became a board member after 2015?", "Quin Vale"),
        ("Which persons became board members before 2015?", "Pia Roth"),
        ("Which films won an award in 1994?", "Long Night"),
        ("films that won after 1990", "Long Night"),
        ("Which films came out in 1994?", "Short Day"),  # the date of the nodes, as before
        ("Which companies were founded after 2015?", "Bexley, Dorn"),
        ("Which companies started after 2017?", "Dorn"),
    ],
)
def test_the_time_of_what_nodes_have_done_is_that_of_their_edges(
    graphs: dict[str, mosaic.Corpus], question: str, names: str
) -> None:
    assert ", ".join(_names(graphs["firms"], question)) == names


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which persons died before 1950?", "no date among the properties of the answers goes with it"),
        ("Which films did well in 1994?", "“well” narrows what is asked of every film"),
        ("Which companies were acquired after 2015?", "no date among the properties of the answers goes with it"),
        ("Which person died first?", "no property of the answers goes with it"),
    ],
)
def test_a_date_of_another_event_is_not_taken(graphs: dict[str, mosaic.Corpus], question: str, told: str) -> None:
    run = graphs["firms"].ask(question)
    assert not run.retrieval.answers
    assert told in run.text
