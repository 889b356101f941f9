"""What is counted over several steps: how many companies a country has whose cities they are in, each once."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def firms() -> Iterator[mosaic.Corpus]:
    places = {"Orsk": "Westria", "Belmont": "Westria", "Vell": "Nordia", "Tarn": "Nordia", "Ulm": "Nordia"}
    homes = {
        **dict.fromkeys(("Aldo", "Bexley", "Corvid", "Dunmore"), ("Orsk",)), "Elgin": ("Orsk", "Belmont"),
        "Frost": ("Vell",), "Garnet": ("Tarn",), "Hale": ("Ulm",),
    }  # fmt: skip
    nodes = [
        *((name, name, "company") for name in homes), *((name, name, "city") for name in places),
        *((name, name, "country") for name in ("Westria", "Nordia")),
        *((name, name, "person") for name in ("Ada Rue", "Bo Lind", "Cy Vane")),
    ]  # fmt: skip
    edges = [(one, "located_in", city) for one, cities in homes.items() for city in cities]
    edges += [(city, "in_country", country) for city, country in places.items()]
    edges += [(one, "works_at", "Frost") for one in ("Ada Rue", "Bo Lind", "Cy Vane")]
    edges += [(one, "board_member_of", "Aldo") for one in ("Ada Rue", "Bo Lind")]
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which country has the most companies?", "Westria 5"),  # and three cities have Nordia ahead by edges
        ("Which country has the fewest companies?", "Nordia 3"),
        ("How many companies are there per country?", "Westria 5, Nordia 3"),
        ("Which countries have more than three companies?", "Westria 5"),
        ("Which city has the most companies?", "Orsk 5"),
        ("Which company has the most people working at it?", "Frost 3"),
        ("Which company has the most people working there?", "Frost 3"),
    ],
)
def test_those_are_counted_that_the_walk_starts_from(firms: mosaic.Corpus, question: str, expected: str) -> None:
    found = firms.retrieve(question).answers
    assert ", ".join(f"{one.name} {one.value}" for one in found) == expected


@pytest.mark.parametrize("seed", range(8))
def test_starts_are_those_of_plain_sets(seed: int) -> None:
    chance = random.Random(seed)
    names = [f"n{number:02}" for number in range(40)]
    kinds = {name: chance.choice(("a", "b", "c")) for name in names}
    edges = sorted({(chance.choice(names), chance.choice(("r", "s")), chance.choice(names)) for _ in range(120)})
    led = defaultdict[str, set[str]](set)
    for source, first, middle in edges:
        for other, second, end in edges:
            if (first, second) == ("r", "s") and middle == other and kinds[source] == "a":
                led[end].add(source)
    controls = {"operator": "meta_path", "pattern": "r / s", "source_kind": "a", "sort_by": "starts"}
    with worlds.graph([(name, name, kind) for name, kind in kinds.items()], edges) as corpus:
        run = corpus.retrieve("starts", policy=controls)
    assert led
    assert {one.name: int(one.value) for one in run.answers} == {end: len(found) for end, found in led.items()}


def test_likes_are_counted_over_the_one_relation_between_them() -> None:
    nodes = [(name, name, "country") for name in ("Westria", "Nordia", "Ostland", "Sund")]
    nodes += [("Ada Rue", "Ada Rue", "person"), ("Bo Lind", "Bo Lind", "person")]
    edges = [("Westria", "borders", "Nordia"), ("Westria", "borders", "Ostland"), ("Sund", "borders", "Westria")]
    edges += [("Ada Rue", "citizen_of", "Westria"), ("Ada Rue", "lives_in_country", "Nordia")]
    edges += [("Bo Lind", "citizen_of", "Nordia"), ("Bo Lind", "lives_in_country", "Ostland")]
    with worlds.graph(nodes, edges) as corpus:
        for question in (
            "Which country borders the most other countries?",
            "Which country borders the most countries?",
        ):
            assert [(one.name, one.value) for one in corpus.retrieve(question).answers] == [("Westria", "3")]


def test_what_ends_a_count_by_a_kind_is_counted_for_each_of_them(firms: mosaic.Corpus) -> None:
    found = firms.retrieve("number of companies by country").answers
    assert [(one.name, one.value) for one in found] == [("Westria", "5"), ("Nordia", "3")]


def test_what_is_counted_is_what_a_relation_is_called_for() -> None:
    nodes = [(name, name, "member") for name in ("Ada Rue", "Bo Lind", "Cy Vane")]
    nodes += [(name, name, "party") for name in ("Blue Party", "Red Party")]
    edges = [("Ada Rue", "member_of", "Blue Party"), ("Bo Lind", "member_of", "Blue Party")]
    edges += [
        ("Cy Vane", "member_of", "Red Party"),
        ("Ada Rue", "leads", "Blue Party"),
        ("Cy Vane", "leads", "Red Party"),
    ]
    with worlds.graph(nodes, edges) as corpus:
        found = corpus.retrieve("Which party has the most members?").answers
        each = corpus.retrieve("How many members does each party have?").answers
    assert [(one.name, one.value) for one in found] == [("Blue Party", "2")]
    assert [(one.name, one.value) for one in each] == [("Blue Party", "2"), ("Red Party", "1")]
