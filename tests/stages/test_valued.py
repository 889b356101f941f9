"""Questions that ask how many there are for each value of a property; the records and drugs of a small graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import worlds

import mosaic_sql as mosaic

ALBUMS = [
    ("Salt", "rock", 1980, "Ann Lee", ["calm", "dark"]), ("Iron", "rock", 1990, "Ann Lee", ["dark"]),
    ("Zinc", "jazz", 1991, "Ann Lee", ["calm"]), ("Tin", "folk", 1999, "Bob Ray", ["dark"]),
    ("Lead", "rock", 2001, "Bob Ray", []), ("Gold", None, 2003, "Cid Fox", ["odd"]),
]  # fmt: skip
FROM = {"Ann Lee": "Sweden", "Bob Ray": "France", "Cid Fox": "Sweden"}
DRUGS = {"aspirin": "NSAID", "naproxen": "NSAID", "warfarin": "anticoagulant"}
ALL = "rock 3, folk 1, jazz 1"

QUESTIONS = [
    ("albums per genre", ALL),
    ("How many albums are there of each genre?", ALL),
    ("How many albums are there in every genre?", ALL),
    ("number of albums by genre", ALL),
    ("Count the albums by genre", ALL),
    ("genres by number of albums", ALL),
    ("What are the most common genres?", ALL),
    ("top 2 genres by number of albums", "rock 3, folk 1"),
    ("Which two genres have the most albums?", "rock 3, folk 1"),
    ("Which genre has the most albums?", "rock 3"),
    ("What is the most common genre?", "rock 3"),
    ("What is the most common genre of albums?", "rock 3"),
    ("Which genre has the fewest albums?", "folk 1, jazz 1"),
    ("Which genres have more than one album?", "rock 3"),
    ("Which genres have exactly one album?", "folk 1, jazz 1"),
    ("How many albums are there for each mood?", "dark 3, calm 2, odd 1"),
    ("musicians per country", "Sweden 2, France 1"),
    ("What is the most common drug class?", "NSAID 2"),
    ("How many live albums are there per genre?", "folk 1, jazz 1, rock 1"),
    ("How many albums per genre were released after 1990?", "folk 1, jazz 1, rock 1"),
    ("albums of Ann Lee per genre", "rock 2, jazz 1"),
    ("How many albums of each genre did Ann Lee record?", "rock 2, jazz 1"),
    ("Which genre has the most albums by Ann Lee?", "rock 2"),
    ("In which genre did Ann Lee record the most albums?", "rock 2"),
    ("the most common mood of albums of Ann Lee", "calm 2, dark 2"),
]


@pytest.fixture(scope="module")
def music() -> Iterator[mosaic.Corpus]:
    nodes: list[tuple[Any, ...]] = [(who, who, "musician", {"country": country}) for who, country in FROM.items()]
    nodes += [
        (name, name, "album", {"genre": genre, "year": year, "moods": moods, "live": year > 1990})
        for name, genre, year, _, moods in ALBUMS
    ]
    nodes += [(name, name, "drug", {"drug_class": drug_class}) for name, drug_class in DRUGS.items()]
    with worlds.graph(nodes, [(name, "recorded_by", who) for name, _, _, who, _ in ALBUMS]) as corpus:
        yield corpus


@pytest.mark.parametrize(("question", "answer"), QUESTIONS, ids=[question for question, _ in QUESTIONS])
def test_how_many_there_are_for_each_value(music: mosaic.Corpus, question: str, answer: str) -> None:
    assert ", ".join(f"{one.name} {one.value}" for one in music.retrieve(question).answers) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What genre is Salt?", "Salt rock"),
        ("Which musician has the most albums?", "Ann Lee 3"),
        ("How many albums does each musician have?", "Ann Lee 3, Bob Ray 2, Cid Fox 1"),
        ("How many albums are live?", "Zinc , Tin , Lead , Gold "),
    ],
)
def test_what_has_a_value_or_is_counted_by_edges_is_none_of_these(
    music: mosaic.Corpus, question: str, answer: str
) -> None:
    assert ", ".join(f"{one.name} {one.value}" for one in music.retrieve(question).answers) == answer


@pytest.mark.parametrize(
    "question",
    [
        "How many albums are there per country?",
        "Which genre has the most expensive albums?",
        "Which genre has the most guitars?",
        "How many acoustic albums are there per genre?",
    ],
)
def test_values_of_what_is_not_counted_and_words_that_narrow_it_are_not_understood(
    music: mosaic.Corpus, question: str
) -> None:
    run = music.retrieve(question)
    assert not run.answers
    assert run.analysis.unresolved


def test_the_answers_with_a_value_are_told_and_how_many_have_none(music: mosaic.Corpus) -> None:
    asked = music.ask("albums per genre")
    assert asked.text == "rock (count 3) [1]\nfolk (count 1) [2]\njazz (count 1) [3]\n1 of 6 have no genre [4]"
    told = [passage.text for passage in asked.retrieval.context.passages if passage.role == "answer"]
    assert told == ["rock: 3 (Salt, Iron, Lead)", "folk: 1 (Tin)", "jazz: 1 (Zinc)"]
    assert "tally AS (" in music.sql("albums per genre")


def test_the_controls_choose_among_the_values(music: mosaic.Corpus) -> None:
    controls = {"pattern": "^recorded_by", "attribute": "genre", "row_per": "value", "offset": 1, "limit": 1}
    found = music.retrieve("Ann Lee", policy=controls)
    assert [(one.name, one.value) for one in found.answers] == [("jazz", "1")]
    with pytest.raises(mosaic.PolicyError, match="row_per `value` needs an attribute"):
        music.retrieve("Ann Lee", policy={"pattern": "^recorded_by", "row_per": "value"})
