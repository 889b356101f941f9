"""Plain questions that count: the most, more than two, exactly one, for each; on graphs of several domains."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic

QUESTIONS: dict[str, list[tuple[str, str]]] = {
    "bands": [
        ("Which band has the most members?", "Mercury 3"),
        ("Which band has the fewest members?", "Stone Lake 1"),
        ("Which bands have more than two members?", "Mercury 3"),
        ("Which bands have no more than two members?", "The Owls 2, Stone Lake 1"),
        ("Which bands have exactly one member?", "Stone Lake 1"),
        ("Which musician was a member of the most bands?", "Bob Ray 2"),
        ("Who was a member of two bands?", "Bob Ray 2"),
        ("Which band has the second most members?", "The Owls 2"),
        ("Which two bands have the most members?", "Mercury 3, The Owls 2"),
        ("How many members does each band have?", "Mercury 3, The Owls 2, Stone Lake 1"),
    ],
    "films": [
        ("Which films have more than one actor?", "Low Tide 2, Night Train 2, Red Mesa 2"),
        ("Which director made the fewest films?", "Per Holm 2"),
        ("Which person directed at least three films?", "Mara Quist 3"),
    ],
    "cast": [
        ("Who directed at least three films?", "Mara Quist 3"),
        ("Which director made the fewest movies?", "Per Holm 2"),
        ("Which film has the most actors?", "Low Tide 2, Night Train 2, Red Mesa 2"),
        ("Who played in two films?", "Tom Vale 2"),
        ("How many films did each director make?", "Mara Quist 3, Per Holm 2"),
    ],
}
CASES = [(world, question, answer) for world, cases in QUESTIONS.items() for question, answer in cases]


@pytest.fixture(scope="module")
def opened() -> Iterator[dict[str, mosaic.Corpus]]:
    yield from worlds.opened(QUESTIONS)


@pytest.mark.parametrize(("world", "question", "answer"), CASES, ids=[question for _, question, _ in CASES])
def test_what_is_counted_is_the_edges_of_the_relation_that_is_named(
    opened: dict[str, mosaic.Corpus], world: str, question: str, answer: str
) -> None:
    found = opened[world].retrieve(question).answers
    assert sorted(f"{one.name} {one.value}" for one in found) == sorted(answer.split(", "))


def test_the_number_of_edges_is_a_control_and_those_that_count_are_cited(opened: dict[str, mosaic.Corpus]) -> None:
    run = opened["bands"].retrieve("Which band has the most members?")
    assert run.policy.refine.degree_of == "^member_of"
    assert [row["edges"] for row in run.refined.rows.to_pylist() if row["kept"]] == [[3, 4, 5]]  # type: ignore[union-attr]
    told = next(passage.text for passage in run.context.passages if passage.role == "answer")
    assert told.startswith("Mercury: degree 3; Ann Lee -member_of-> Mercury")
    controls = {"pattern": "member_of", "degree_of": "^member_of", "sort_by": "degree"}
    asked = opened["bands"].retrieve("Cid Fox", policy=controls)
    assert [(one.name, one.value) for one in asked.answers] == [("Mercury", "3")]


def test_what_nothing_counts_is_told(opened: dict[str, mosaic.Corpus]) -> None:
    run = opened["bands"].retrieve("Which bands have more than two guitars?")
    assert not run.answers
    assert "more than two guitars" in run.analysis.unresolved


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the average number of cities per country?", "5, the mean of their numbers (2 of 2)"),
        ("How many inhabitants do the cities of Veldland have?", "5387000, the sum of population (7 of 8)"),
        ("What is the average population of the cities of Westria?", "1970000, the mean of population (2 of 2)"),
        ("What is the total population of the cities of Veldland with over 1,000,000 inhabitants?",
         "3550000, the sum of population (2 of 2)"),
    ],
)  # fmt: skip
def test_sums_and_means_are_made_where_the_numbers_are(question: str, told: str) -> None:
    with worlds.countries() as corpus:
        asked = corpus.ask(question)
        script = corpus.sql(question)
    assert asked.text.startswith(f"{told} [1]\n")
    assert asked.answer.citations[0].number == 1
    assert "AS overall" in script
