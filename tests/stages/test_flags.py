"""What a property says yes or no of, also by the opposite word, and dates that belong to a verb."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import worlds

import mosaic_sql as mosaic

PEOPLE = {"Ann Lee": True, "Bob Ray": False, "Cid Fox": True, "Dot Moe": False}
DRUGS = {
    "aspirin": (True, "1950-01-01", "1948-05-05"),
    "naproxen": (True, "1976-01-01", "1972-05-05"),
    "zorvin": (False, None, "2012-05-05"),
}


@pytest.fixture(scope="module")
def world() -> Iterator[mosaic.Corpus]:
    nodes: list[tuple[Any, ...]] = [(who, who, "musician", {"active": active}) for who, active in PEOPLE.items()]
    nodes += [
        (
            name,
            name,
            "drug",
            {
                "approved": approved,
                "approval_date": date,
                "first_studied": studied,
                "is_prescription": name != "aspirin",
            },
        )
        for name, (approved, date, studied) in DRUGS.items()
    ]
    nodes += [("b", "The Owls", "band"), ("p", "Polar Nine", "project", {"defunct": True}), ("q", "Ten", "project")]
    spans = [("Ann Lee", 1990, None), ("Bob Ray", 1990, 1999), ("Cid Fox", 1995, None)]
    edges = [(who, "member_of", "b", {"from": first, "to": last}) for who, first, last in spans]
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("musicians that are no longer active", "Bob Ray, Dot Moe"),
        ("Which musicians are not active?", "Bob Ray, Dot Moe"),
        ("Which musicians are inactive?", "Bob Ray, Dot Moe"),
        ("inactive musicians", "Bob Ray, Dot Moe"),
        ("Which musicians are still active?", "Ann Lee, Cid Fox"),
        ("active musicians", "Ann Lee, Cid Fox"),
        ("Which members of The Owls are no longer active?", "Bob Ray"),
        ("inactive members of The Owls", "Bob Ray"),
        ("Who are the current members of The Owls?", "Ann Lee, Cid Fox"),
        ("Who is no longer a member of The Owls?", "Bob Ray"),
        ("Which drugs are not approved?", "zorvin"),
        ("unapproved drugs", "zorvin"),
        ("drugs that were never approved", "zorvin"),
        ("defunct projects", "Polar Nine"),
        ("Which drugs were approved after 1960?", "naproxen"),
        ("Which drugs were studied after 1960?", "naproxen, zorvin"),
        ("Which approved drugs were studied after 1960?", "naproxen"),
        ("drugs from after 1960", "naproxen"),
        ("prescription drugs", "naproxen, zorvin"),
        ("non-prescription drugs", "aspirin"),
        ("Which drugs are not prescription?", "aspirin"),
        ("approved prescription drugs", "naproxen"),
    ],
)
def test_flags_and_their_opposites_choose(world: mosaic.Corpus, question: str, expected: str) -> None:
    assert ", ".join(sorted(one.name for one in world.retrieve(question).answers)) == expected


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is Ann Lee active?", "Yes"),
        ("Is Ann Lee still active?", "Yes"),
        ("Is Bob Ray still active?", "No"),
        ("Is Bob Ray inactive?", "Yes"),
        ("Is Bob Ray no longer active?", "Yes"),
        ("Is Ann Lee not active?", "No"),
        ("Is zorvin approved?", "No"),
        ("Is zorvin a prescription drug?", "Yes"),
        ("Is aspirin a prescription drug?", "No"),
        ("Is aspirin unapproved?", "No"),
    ],
)
def test_flags_and_their_opposites_tell_yes_or_no(world: mosaic.Corpus, question: str, said: str) -> None:
    assert world.ask(question).text.splitlines()[0] == said


@pytest.mark.parametrize("question", ["Which approved drugs were tested after 1960?", "drugs tested before 1960"])
def test_a_date_of_something_else_is_no_date_of_the_verb(world: mosaic.Corpus, question: str) -> None:
    run = world.retrieve(question)
    assert not run.answers
    assert "no date" in run.analysis.unresolved
