"""What should not be given with or to something, read as the relation that says it where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import worlds

import mosaic_sql as mosaic

DRUGS = {"aspirin": True, "naproxen": True, "warfarin": True, "zorvin": False}
GIVEN = [
    ("aspirin", "contraindicated_in", "asthma"), ("zorvin", "contraindicated_in", "asthma"),
    ("aspirin", "contraindicated_with", "warfarin"), ("warfarin", "treats", "stroke"),
    ("zorvin", "treats", "gout"), ("naproxen", "treats", "asthma"),
]  # fmt: skip


def _world(edges: list[tuple[str, str, str]]) -> mosaic.Corpus:
    nodes: list[tuple[Any, ...]] = [(name, name, "drug", {"approved": approved}) for name, approved in DRUGS.items()]
    nodes += [(name, name, "disease") for name in ("asthma", "stroke", "gout")]
    return worlds.graph(nodes, edges)


@pytest.fixture(scope="module")
def medicine() -> Iterator[mosaic.Corpus]:
    with _world(GIVEN) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which drugs should not be given to patients with asthma?", "aspirin, zorvin"),
        ("What should not be given to patients with asthma?", "aspirin, zorvin"),
        ("drugs that should never be given to people with asthma", "aspirin, zorvin"),
        ("Which drugs must be avoided in asthma?", "aspirin, zorvin"),
        ("Which drugs should patients with asthma avoid?", "aspirin, zorvin"),
        ("Which approved drugs should not be given to patients with asthma?", "aspirin"),
        ("Which drugs should not be given with warfarin?", "aspirin"),
        ("What drug should be avoided with warfarin?", "aspirin"),
        ("Which drugs should not be taken with aspirin?", "warfarin"),
        ("Which drugs are contraindicated in asthma?", "aspirin, zorvin"),
        ("Which drugs treat asthma?", "naproxen"),
    ],
)
def test_what_should_not_be_given_is_what_is_contraindicated(
    medicine: mosaic.Corpus, question: str, expected: str
) -> None:
    run = medicine.retrieve(question)
    assert run.question == run.analysis.question == question
    assert ", ".join(sorted(one.name for one in run.answers)) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs should be given to patients with asthma?",
        "Which drugs should not be given to patients with gout?",
        "Which drugs should not be sold with warfarin?",
    ],
)
def test_what_no_relation_says_is_told(medicine: mosaic.Corpus, question: str) -> None:
    run = medicine.retrieve(question)
    assert not run.answers
    assert run.analysis.unresolved


def test_without_such_a_relation_it_is_not_understood() -> None:
    with _world([edge for edge in GIVEN if edge[1] == "treats"]) as corpus:
        run = corpus.retrieve("Which drugs should not be given to patients with asthma?")
        assert not run.answers
        assert run.analysis.unresolved
