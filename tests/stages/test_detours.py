"""Of several walks to what is asked for, the one that the words mean; where no relation fits, that is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import studios
from described import names

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def corpus() -> Iterator[mosaic.Corpus]:
    with studios.graph() as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who starred in Night Harbour?", {"Cleo Birch", "Dan Elm"}),
        ("Who acted in Night Harbour?", {"Cleo Birch", "Dan Elm"}),
        ("Who was cast in Night Harbour?", {"Cleo Birch", "Dan Elm"}),
        ("Who is in the cast of Night Harbour?", {"Cleo Birch", "Dan Elm"}),
        ("Which films star Cleo Birch?", {"Night Harbour", "Red Dust"}),
        ("Which films feature Cleo Birch?", {"Night Harbour", "Red Dust"}),
        ("What films did Cleo Birch appear in?", {"Night Harbour", "Red Dust"}),
        ("Who co-starred with Cleo Birch?", {"Dan Elm"}),
        ("Which actors has Ada Moss directed?", {"Cleo Birch", "Dan Elm"}),
        ("Which actors played in films directed by Ada Moss?", {"Cleo Birch", "Dan Elm"}),
        ("Who painted Grey Sea?", {"Iris Cole"}),
        ("Which paintings did Iris Cole paint?", {"Grey Sea"}),
        ("Who directed Night Harbour?", {"Ada Moss"}),
    ],
)
def test_everyday_verbs_of_films_and_paintings(corpus: mosaic.Corpus, question: str, expected: set[str]) -> None:
    found = corpus.ask(question)
    assert names(found.retrieval) == expected
    assert "Without that" not in found.text
