"""A noun for the answers that is a node: which westerns, dramas by A, films of A that are dramas."""

from __future__ import annotations

import pytest

import mosaic_sql as mosaic


def answers(corpus: mosaic.Corpus, question: str) -> set[str]:
    return {answer.name for answer in corpus.retrieve(question).answers}


BY_A_NAME = [
    ("which westerns did Per Holm direct", {"Red Mesa"}),
    ("dramas directed by Mara Quist", {"Glass Sea", "Low Tide"}),
    ("which crime films did Mara Quist direct", {"Night Train"}),
    ("which films directed by Mara Quist are dramas", {"Glass Sea", "Low Tide"}),
    ("films by Per Holm that are westerns", {"Red Mesa"}),
    ("Mara Quist's dramas", {"Glass Sea", "Low Tide"}),
    ("westerns and crime films starring Ines Rey", {"Night Train", "Red Mesa"}),
    ("dramas by Mara Quist or Ida Frost", {"Glass Sea", "Low Tide", "1984"}),
    ("dramas directed by Mara Quist that do not star Tom Vale", {"Glass Sea"}),
    ("which films did Mara Quist direct", {"Night Train", "Glass Sea", "Low Tide"}),
]


@pytest.mark.parametrize(("question", "expected"), BY_A_NAME)
def test_a_noun_for_the_answers_holds_them_to_its_node(typed: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(typed, question) == expected


@pytest.mark.parametrize(("question", "expected"), BY_A_NAME[:3])
def test_where_kinds_are_inferred_too(triples: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(triples, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what is the longest drama by Mara Quist", {"Glass Sea"}),
        ("which dramas were released after 1998", {"Low Tide", "Quiet Hour"}),
        ("list all westerns", {"Red Mesa"}),
        ("which dramas star Tom Vale and were written by Ines Rey", {"Quiet Hour"}),
    ],
)
def test_it_goes_with_what_else_is_asked(typed: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(typed, question) == expected


def test_it_is_counted(typed: mosaic.Corpus) -> None:
    assert typed.ask("how many dramas did Mara Quist direct").text.startswith("2")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who directed westerns", {"Per Holm"}),  # on the way, not what is asked for
        ("what is the genre of Red Mesa", {"western"}),
    ],
)
def test_a_node_that_is_no_noun_for_the_answers_is_walked_from_or_to(
    typed: mosaic.Corpus, question: str, expected: set[str]
) -> None:
    assert answers(typed, question) == expected
