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


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which directors has Cleo Birch worked with?", {"Ada Moss", "Ben Oak"}),
        ("Who worked with Cleo Birch?", {"Dan Elm"}),
        ("Who works or worked at Acorn?", {"Gus Lind", "Hal Park", "Jon Reed"}),
        ("Who works at Acorn?", {"Gus Lind", "Hal Park", "Jon Reed"}),
        ("Who else worked at the company of Hal Park?", {"Gus Lind", "Jon Reed"}),
        ("Where is the company located that Gus Lind owns a share of?", {"Graz"}),
        ("Where is the company that Gus Lind owns a share of located?", {"Graz"}),
        ("Which companies does Gus Lind own a share of?", {"Cedar"}),
        ("Which city hosts the datacenter of web-1?", {"Bonn"}),
        ("Which datacenter hosts web-1?", {"fra-1"}),
        ("Which museum holds Grey Sea?", {"Hall of Ulm"}),
        ("Where does login run?", {"web-1", "web-2"}),
        ("Which services use axio?", {"shopfront", "cart"}),
        ("Which services use the same package as shopfront?", {"cart"}),
    ],
)
def test_a_walk_goes_over_what_the_verb_can_mean(corpus: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert names(corpus.ask(question).retrieval) == expected


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who uses shopfront?", "Shopfront has no incoming `uses`"),
        ("Which services use login?", "No relation of login fits “use”"),
        ("Who calls login?", "Login has no incoming `calls`"),
    ],
)
def test_what_nothing_does_to_a_node_is_told(corpus: mosaic.Corpus, question: str, said: str) -> None:
    found = corpus.ask(question)
    assert found.text.startswith(said)
    assert not found.found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where do the authors of Deep Sets work?", {"Lakeside", "Northway"}),
        ("In which city does Ann Lee work?", {"Bonn"}),
        ("In which datacenters does login run?", {"fra-1", "dub-2"}),
        ("In which city is web-1?", {"Bonn"}),
        ("Where is the company that Gus Lind owns a share of?", {"Graz"}),
        ("Where is the company of Hal Park?", {"Ulm"}),
        ("In which country does Jon Reed work?", {"Germany"}),
    ],
)
def test_a_place_is_filled_in_by_what_is_in_what(corpus: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert names(corpus.ask(question).retrieval) == expected


def test_tell_me_about_asks_for_all_of_a_node(corpus: mosaic.Corpus) -> None:
    for question in (
        "Tell me about Deep Sets",
        "Tell me about the paper Deep Sets",
        "What do you know about Deep Sets?",
    ):
        text = corpus.ask(question).text
        assert text.startswith("Deep Sets (paper)"), question
        assert "published_in" in text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is Deep Sets about?", {"sets"}),
        ("What is the paper Deep Sets about?", {"sets"}),
        ("Which papers are about sets?", {"Deep Sets", "Loud Rings"}),
        ("Tell me papers about sets", {"Deep Sets", "Loud Rings"}),
        ("Who are the authors of the Deep Sets paper?", {"Ann Lee", "Bob Ray"}),
        ("authors of the Deep Sets paper", {"Ann Lee", "Bob Ray"}),
        ("Which papers cite the Deep Sets paper?", {"Loud Rings", "Fast Joins"}),
        ("Who directed the Night Harbour film?", {"Ada Moss"}),
        ("Who directed the film Night Harbour?", {"Ada Moss"}),
        ("Ann Lee's papers", {"Deep Sets"}),
    ],
)
def test_the_noun_of_its_kind_is_part_of_a_name(corpus: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert names(corpus.ask(question).retrieval) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Where did Jon Reed go to school?",
        "Where did Jon Reed grow up?",
        "Which customers use shopfront?",
        "What did Iris Cole die of?",
    ],
)
def test_what_the_graph_cannot_tell_is_not_answered(corpus: mosaic.Corpus, question: str) -> None:
    assert not corpus.ask(question).found


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was the first author of Deep Sets?", {"Bob Ray"}),
        ("Who is the second author of Deep Sets?", {"Ann Lee"}),
        ("Who was the last author of Deep Sets?", {"Ann Lee"}),
        ("Which author of Deep Sets was born first?", {"Bob Ray"}),
        ("Who is the youngest author of Deep Sets?", {"Ann Lee"}),
        ("What was the first paper of Bob Ray?", {"Deep Sets"}),
        ("What is the last paper of Bob Ray?", {"Fast Joins"}),
    ],
)
def test_the_first_is_by_place_and_not_by_birth(corpus: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert names(corpus.ask(question).retrieval) == expected


def test_the_first_of_people_with_births_alone_is_not_known(corpus: mosaic.Corpus) -> None:
    found = corpus.ask("Who is the first author affiliated with Lakeside?")
    assert not found.found
    assert "births" in found.text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which films did Cleo Birch make with Ben Oak?", {"Red Dust"}),
        ("films Dan Elm made with Ada Moss", {"Night Harbour", "Tall Grass"}),
        ("Which films were made by the same studio as Tall Grass?", {"Night Harbour", "Slow River"}),
        ("Which other films did the director of Tall Grass direct?", {"Night Harbour"}),
    ],
)
def test_what_two_made_is_not_what_their_studio_made(corpus: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert names(corpus.ask(question).retrieval) == expected
