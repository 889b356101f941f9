"""Names in small letters beside others: what stands as a name does is meant, and no other word."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from small import GIVEN, MEDICINE, typed

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def medicine() -> Iterator[mosaic.Corpus]:
    with typed(MEDICINE, GIVEN) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which drugs interact with aspirin and naproxen", {"warfarin"}),
        ("which drugs made by Orsk Labs treat stroke", {"aspirin"}),
        ("which drugs that treat stroke cause nausea", {"aspirin"}),
        ("drugs for stroke made by Belmont Pharma", {"warfarin"}),
        ("which drugs treat stroke but do not cause nausea", {"warfarin"}),
        ("which drug treats headache, fever and stroke", {"aspirin"}),
        ("what is caused by aspirin", {"nausea", "bleeding"}),  # by what is caused, not in order of it
    ],
)
def test_a_name_in_small_letters_holds_beside_another(
    medicine: mosaic.Corpus, question: str, expected: set[str]
) -> None:
    assert {answer.name for answer in medicine.retrieve(question).answers} == expected


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("how is metformin related to Orsk Labs", {"metformin", "Orsk Labs"}),
        ("how are fever and diabetes connected", {"fever", "diabetes"}),
        ("does aspirin treat fever", {"aspirin", "fever"}),
        ("who makes warfarin", {"warfarin"}),
    ],
)
def test_two_names_in_small_letters_are_two_anchors(medicine: mosaic.Corpus, question: str, names: set[str]) -> None:
    assert {target.name for target in medicine.analyze(question).targets} == names


@pytest.mark.parametrize(
    "question",
    [
        "what is the fever drug of Orsk Labs",  # one that says what sort a thing is
        "which drugs does Orsk Labs make together",  # no name at all
    ],
)
def test_a_word_that_does_not_stand_as_a_name_is_none(medicine: mosaic.Corpus, question: str) -> None:
    sure = [target.name for target in medicine.analyze(question).targets if target.weight > 0.3]
    assert sure == ["Orsk Labs"]
