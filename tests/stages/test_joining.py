"""What the edge between two names tells: a share, a dose, a constraint, in the direction that the verb gives."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def firms() -> Iterator[mosaic.Corpus]:
    with worlds.graph(
        [
            ("a", "Aldo Group", "company", {"employees": 90}), ("b", "Bexley Works", "company", {"employees": 12}),
            ("p", "Pia Roth", "person"), ("x", "Axle Kit", "package", {"version": "3.0"}),
            ("y", "Yarn Box", "package", {"version": "1.2"}), ("d", "Relivan", "drug"), ("s", "Dry Cough", "disease"),
        ],
        [
            ("a", "owns_share", "b", {"percent": 12.5, "since": 2008}), ("p", "owns_share", "a", {"percent": 62}),
            ("p", "works_at", "a", {"title": "CEO", "from": 2001}),
            ("x", "depends_on", "y", {"constraint": ">=1.1"}), ("d", "treats", "s", {"dose_mg": 25}),
        ],
    ) as corpus:  # fmt: skip
        yield corpus


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How much of Bexley Works does Aldo Group own?", "Aldo Group (percent 12.5) [1]"),
        ("How much does Aldo Group own of Bexley Works?", "Bexley Works (percent 12.5) [1]"),
        ("What percentage of Aldo Group does Pia Roth own?", "Pia Roth (percent 62) [1]"),
        ("What share of Bexley Works does Aldo Group hold?", "Aldo Group (percent 12.5) [1]"),
        ("What share of Bexley Works is owned by Aldo Group?", "Aldo Group (percent 12.5) [1]"),
        ("What title does Pia Roth have at Aldo Group?", "Aldo Group (title CEO) [1]"),
        ("What constraint does Axle Kit put on Yarn Box?", "Yarn Box (constraint >=1.1) [1]"),
        ("What version constraint does Axle Kit put on Yarn Box?", "Yarn Box (constraint >=1.1) [1]"),
        ("What dose of Relivan treats Dry Cough?", "Dry Cough (dose_mg 25) [1]"),
    ],
)
def test_what_an_edge_tells_is_read_from_it(firms: mosaic.Corpus, question: str, told: str) -> None:
    assert firms.ask(question).text == told


@pytest.mark.parametrize(
    "question",
    [
        "How much of Aldo Group does Bexley Works own?",  # the other way
        "What constraint does Yarn Box put on Axle Kit?",
    ],
)
def test_an_edge_the_other_way_is_no_answer(firms: mosaic.Corpus, question: str) -> None:
    run = firms.ask(question)
    assert not run.retrieval.answers
    assert "12.5" not in run.text
    assert ">=1.1" not in run.text


def test_yes_or_no_and_properties_of_the_names_are_read_as_before(firms: mosaic.Corpus) -> None:
    assert firms.ask("Does Aldo Group own Bexley Works?").text.startswith("Yes")
    assert firms.retrieve("How many employees does Aldo Group have?").policy.refine.attribute == "employees"
    assert firms.retrieve("What is the version of Axle Kit?").policy.refine.attribute_owner == "node"
    assert firms.retrieve("Since when has Aldo Group owned Bexley Works?").policy.refine.attribute == "since"


def test_how_two_are_related_is_told_with_every_edge_between_them(firms: mosaic.Corpus) -> None:
    run = firms.ask("How are Pia Roth and Aldo Group related?")
    assert run.text.splitlines() == [
        "They are joined by: Pia Roth -owns_share (percent: 62.0)-> Aldo Group [1]",
        "Pia Roth -works_at (title: CEO; from: 2001.0)-> Aldo Group [2]",
    ]
    assert (
        firms.ask("Does Pia Roth work at Aldo Group?").text
        == "Yes: Pia Roth -works_at (title: CEO; from: 2001.0)-> Aldo Group [1]"
    )
    assert firms.ask("How are Aldo Group and Bexley Works related?").text.count("\n") == 0
