"""Adjectives of places, and conditions on texts of the nodes that a walk starts from or passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import worlds

import mosaic_sql as mosaic

NATIONS = {"Ann Lee": "Swiss", "Bob Ray": "French", "Cid Fox": "Japanese", "Dot Moe": "Swiss"}
PLACES = {"Orsk": "Japan", "Belmont": "Switzerland", "Carrow": "Japan", "Lyme": "France"}
ALBUMS = [
    ("Salt", "dark", "Ann Lee"), ("Zinc", "calm", "Ann Lee"), ("Tin", "dark", "Bob Ray"), ("Gold", "calm", "Cid Fox"),
]  # fmt: skip


@pytest.fixture(scope="module")
def music() -> Iterator[mosaic.Corpus]:
    nodes: list[tuple[Any, ...]] = [(who, who, "musician", {"nationality": own}) for who, own in NATIONS.items()]
    nodes += [(name, name, "place", {"country": country}) for name, country in PLACES.items()]
    nodes += [(name, name, "album", {"mood": mood}) for name, mood, _ in ALBUMS]
    nodes += [("Norra", "Norra", "company", {"country": "France"}), ("Vex", "Vex", "company", {"country": "Sweden"})]
    edges = [(who, "born_in", place) for who, place in zip(NATIONS, PLACES, strict=True)]
    edges += [(name, "recorded_by", who) for name, _, who in ALBUMS]
    edges += [("Norra", "founded_by", "Ann Lee"), ("Vex", "founded_by", "Bob Ray")]
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Swiss musicians", "Ann Lee, Dot Moe"),
        ("Which musicians are Swiss?", "Ann Lee, Dot Moe"),
        ("musicians from Switzerland", "Ann Lee, Dot Moe"),
        ("French companies", "Norra"),
        ("Swedish companies", "Vex"),
        ("companies in Sweden", "Vex"),
        ("Japanese places", "Carrow, Orsk"),
        ("musicians born in Japan", "Ann Lee, Cid Fox"),
        ("Which musicians were born in Japan?", "Ann Lee, Cid Fox"),
        ("Who was born in Switzerland?", "Bob Ray"),
        ("musicians born in a place in Japan", "Ann Lee, Cid Fox"),
        ("albums by musicians born in Japan", "Gold, Salt, Zinc"),
        ("companies whose founder is Swiss", "Norra"),
        ("companies whose founder is French", "Vex"),
        ("companies founded by Swiss musicians", "Norra"),
        ("Which companies were founded by a French musician?", "Vex"),
        ("companies founded by a musician from France", "Vex"),
        ("Which albums were recorded by musicians from Japan?", "Gold"),
        ("albums by Swiss musicians", "Salt, Zinc"),
        ("dark albums by French musicians", "Tin"),
        ("dark albums of Ann Lee", "Salt"),
        ("Who recorded dark albums?", "Ann Lee, Bob Ray"),
    ],
)
def test_a_text_is_held_to_the_nodes_that_it_is_said_of(music: mosaic.Corpus, question: str, expected: str) -> None:
    assert ", ".join(sorted(one.name for one in music.retrieve(question).answers)) == expected


@pytest.mark.parametrize(
    "question", ["Dutch musicians", "albums by Dutch musicians", "companies whose founder is Dutch"]
)
def test_a_place_that_nothing_holds_is_told(music: mosaic.Corpus, question: str) -> None:
    run = music.retrieve(question)
    assert not run.answers
    assert run.analysis.unresolved
