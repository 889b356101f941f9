"""Walks from a name that several nodes bear, and from all of a kind: what one start reaches, another does not bar."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def bands() -> Iterator[mosaic.Corpus]:
    with worlds.bands() as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("released", ["Mercury album", "Night Flight album"]),
        ("^released", ["Mercury band"]),
        ("^released / released", ["Night Flight album"]),  # the album itself is where it began
        ("^released / ^member_of", ["Ann Lee musician", "Bob Ray musician", "Cid Fox musician"]),
        ("~released{1,3}", ["Mercury album", "Mercury band", "Night Flight album"]),
    ],
)
def test_a_node_is_reached_from_its_namesake(bands: mosaic.Corpus, pattern: str, found: list[str]) -> None:
    rows = bands.match("Mercury", pattern)
    assert sorted(f"{row.name} {row.kinds[0]}" for row in rows) == found
    assert len({row.node_id for row in rows}) == len(rows)


def test_a_path_from_one_of_two_namesakes_may_go_over_the_other(bands: mosaic.Corpus) -> None:
    (row,) = [row for row in bands.match("Mercury", "^released / ^member_of") if row.name == "Ann Lee"]
    assert row.path == "Mercury <-released- Mercury <-member_of- Ann Lee"


def test_an_album_that_bears_the_name_of_its_band_is_an_answer_and_counts(bands: mosaic.Corpus) -> None:
    assert [one.name for one in bands.retrieve("Which albums did Mercury release?").answers] == [
        "Mercury",
        "Night Flight",
    ]
    assert bands.ask("How many albums did Mercury release?").text.startswith("2\n")


def test_anchors_of_two_names_may_be_answers_of_one_another() -> None:
    with worlds.family() as corpus:
        run = corpus.retrieve("Adam Roe and Dora Roe", policy={"operator": "meta_path", "pattern": "child"})
        assert sorted(one.name for one in run.answers) == ["Carl Roe", "Dora Roe", "Ed Roe", "Gus Sims"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who has the most children?", "Adam Roe 3"),
        ("Which people have at least two children?", "Adam Roe 3, Beth Roe 2"),
        ("Who has exactly one child?", "Dora Roe 1"),
    ],
)
def test_what_is_walked_to_from_all_of_a_kind_may_be_of_that_kind(question: str, answer: str) -> None:
    with worlds.family() as corpus:
        found = corpus.retrieve(question).answers
    assert sorted(f"{one.name} {one.value}" for one in found) == answer.split(", ")
