"""A superlative or a comparison inside a question that goes on from what it chooses, end to end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic

QUESTIONS: dict[str, list[tuple[str, str]]] = {
    "bands": [
        ("Where was the oldest musician born?", "Carrow"),
        ("Who are the members of the newest band?", "Eve Poe"),
        ("Which albums did the band with the most members release?", "Mercury, Night Flight"),
        ("Which band released the newest album?", "Stone Lake"),
        ("When was the oldest band founded?", "Mercury"),
        ("Who was a member of the band that released Still Water and was founded in 1991?", "Eve Poe"),
    ],
    "films": [
        ("Who directed the film with the highest rating?", "Mara Quist"),
        ("Who starred in the oldest film?", "Ines Rey, Olu Bell"),
        ("Who starred in the two newest films?", "Ines Rey, Tom Vale"),
        ("Which films did the director who made the fewest films direct?", "Quiet Hour, Red Mesa"),
        ("Who directed the film that stars Olu Bell and was released in 1990?", "Per Holm"),
        ("Who starred in films released after 1998?", "Ines Rey, Tom Vale"),
        ("Who is the director of the film starring Tom Vale released before 2000?", "Per Holm"),
        ("Which films starring Olu Bell, directed by Mara Quist, were released after 1990?", "Glass Sea"),
        ("films by Mara Quist that star Olu Bell and Ines Rey", "Night Train"),
    ],
    "countries": [
        ("In which country is the biggest city?", "Westria"),
        ("How many inhabitants does the oldest city have?", "Belmont"),
    ],
}
CASES = [(world, question, answer) for world, cases in QUESTIONS.items() for question, answer in cases]


@pytest.fixture(scope="module")
def opened() -> Iterator[dict[str, mosaic.Corpus]]:
    yield from worlds.opened(QUESTIONS)


@pytest.mark.parametrize(("world", "question", "answer"), CASES, ids=[question for _, question, _ in CASES])
def test_a_question_goes_on_from_what_is_chosen(
    opened: dict[str, mosaic.Corpus], world: str, question: str, answer: str
) -> None:
    assert sorted(one.name for one in opened[world].retrieve(question).answers) == answer.split(", ")


def test_the_choice_is_a_step_of_its_own(opened: dict[str, mosaic.Corpus]) -> None:
    (step,) = opened["bands"].retrieve("Where was the oldest musician born?").steps
    assert (step.text, [one.name for one in step.nodes]) == ("the oldest musician", ["Cid Fox"])


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Who directed the heaviest film?", "“the heaviest film” stands for nothing: “heaviest”: no property"),
        ("How did Mara Quist and Per Holm meet in 1999?", "“in 1999”: what it is compared with was not understood"),
    ],
)
def test_a_condition_that_nothing_serves_is_told(opened: dict[str, mosaic.Corpus], question: str, reason: str) -> None:
    run = opened["films"].retrieve(question)
    assert not run.answers
    assert reason in run.analysis.unresolved
