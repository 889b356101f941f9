"""Properties whose names end in a unit, asked for without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def world() -> Iterator[mosaic.Corpus]:
    hours = {"aspirin": ("NSAID", 6), "naproxen": ("NSAID", 14), "warfarin": ("anticoagulant", 40)}
    spans = {"Old Span": (120, 9000, 1931), "New Span": (300, 70_000, 1998)}
    nodes: list[tuple[Any, ...]] = [
        (name, name, "drug", {"drug_class": own, "half_life_hours": value}) for name, (own, value) in hours.items()
    ]
    nodes += [
        (name, name, "bridge", {"length_m": length, "weight_kg": weight, "opening_year": year})
        for name, (length, weight, year) in spans.items()
    ]
    with worlds.graph(
        nodes, [("Old Span", "next_to", "New Span"), ("aspirin", "interacts_with", "warfarin")]
    ) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("half life of aspirin", "aspirin 6"),
        ("What is the half-life of warfarin?", "warfarin 40"),
        ("How long is the half life of warfarin?", "warfarin 40"),
        ("half life hours of aspirin", "aspirin 6"),
        ("What is the length of Old Span?", "Old Span 120"),
        ("How long is Old Span?", "Old Span 120"),
        ("weight of New Span", "New Span 70000"),
        ("Which drugs have a half life above 10?", "naproxen 14, warfarin 40"),
        ("drugs with a half life over 10 hours", "naproxen 14, warfarin 40"),
        ("bridges with a length over 200", "New Span 300"),
        ("bridges longer than 200 m", "New Span "),
        ("bridges longer than 200 metres", "New Span "),
        ("drug with the longest half life", "warfarin 40"),
        ("opening year of Old Span", "Old Span 1931"),
    ],
)
def test_a_property_is_found_without_its_unit(world: mosaic.Corpus, question: str, expected: str) -> None:
    assert ", ".join(f"{one.name} {one.value}" for one in world.retrieve(question).answers) == expected


def test_the_answer_tells_the_unit(world: mosaic.Corpus) -> None:
    assert world.ask("half life of aspirin").text == "aspirin (half_life_hours 6) [1]"
    assert world.ask("average half life of NSAID drugs").text.startswith("10, the mean of half_life_hours (2 of 2)")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("bridges longer than 0.2 km", "New Span"),
        ("bridges longer than 500 feet", "New Span"),  # 152.4 m
        ("bridges heavier than 65 tonnes", "New Span"),
        ("drugs with a half life over 1.5 days", "warfarin"),
        ("drugs with a half life under 600 minutes", "aspirin"),
        ("drugs with a half life between 0.5 and 1 days", "naproxen"),
    ],
)
def test_units_of_one_measure_are_converted(world: mosaic.Corpus, question: str, names: str) -> None:
    assert ", ".join(one.name for one in world.retrieve(question).answers) == names


@pytest.mark.parametrize("question", ["bridges with a length over 2 hours", "drugs with a half life over 2 metres"])
def test_another_unit_is_not_compared(world: mosaic.Corpus, question: str) -> None:
    run = world.retrieve(question)
    assert not run.answers
    assert "is not in that unit" in run.analysis.unresolved
