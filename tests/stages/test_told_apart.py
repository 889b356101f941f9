"""Questions whose words name one walk: no other relation stands in for it, and what it cannot tell is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from described import graph, names

import mosaic_sql as mosaic

KINDS = {
    "Harbour": "film", "Red Dust": "film", "Ada Moss": "person", "Ben Oak": "person", "Cleo Birch": "person",
    "Prize of Ulm": "award", "Ulm": "city", "Bonn": "city", "Germany": "country", "thriller": "genre",
    "Acorn": "company", "Beech": "company",
}  # fmt: skip
EDGES = [
    ("Harbour", "directed_by", "Ada Moss"),
    ("Harbour", "written_by", "Ben Oak"),
    ("Harbour", "starred_actors", "Cleo Birch"),
    ("Harbour", "starred_actors", "Ben Oak"),
    ("Red Dust", "directed_by", "Ada Moss"),
    ("Red Dust", "starred_actors", "Cleo Birch"),
    ("Red Dust", "has_genre", "thriller"),
    ("Ada Moss", "won", "Prize of Ulm"),
    ("Ada Moss", "born_in", "Ulm"),
    ("Ben Oak", "born_in", "Bonn"),
    ("Ulm", "located_in", "Germany"),
    ("Ada Moss", "married_to", "Cleo Birch"),
    ("Acorn", "invested_in", "Beech"),
]


@pytest.fixture(scope="module")
def films() -> Iterator[mosaic.Corpus]:
    with graph([(name, name, kind) for name, kind in KINDS.items()], EDGES) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Was the writer of Harbour born in Ulm?", "No:"),
        ("Was the director of Harbour born in Ulm?", "Yes"),
        ("Did Ben Oak win an award?", "No:"),
        ("Did Cleo Birch win an award?", "No:"),
        ("Did Ada Moss win an award?", "Yes: Prize of Ulm."),
        ("Was Ada Moss born in Germany?", "Yes: Ulm."),
        ("Did Ada Moss direct a thriller?", "Yes"),
        ("Is there a thriller directed by Ada Moss?", "Yes"),
        ("Is there a film directed by Ada Moss and written by Ben Oak?", "Yes"),
    ],
)
def test_yes_or_no_is_of_the_relation_that_is_named(films: mosaic.Corpus, question: str, said: str) -> None:
    assert films.ask(question).text.startswith(said)


@pytest.mark.parametrize(
    "question",
    [
        "Did Ada Moss direct all films with Cleo Birch?",
        "Is the director of Harbour also its writer?",
        "Did Ada Moss both direct and write Harbour?",
    ],
)
def test_what_a_path_cannot_tell_is_no_verdict(films: mosaic.Corpus, question: str) -> None:
    asked = films.ask(question)
    assert not asked.found
    assert "is not served" in asked.answer.reason


@pytest.mark.parametrize(
    "question",
    ["Which drugs should be avoided in gout?", "Which drugs must people with gout avoid?", "What is harmful in gout?"],
)
def test_what_is_to_be_kept_from_is_not_what_helps(question: str) -> None:
    kinds = {"Zelane": "drug", "gout": "disease"}
    with graph([(name, name, kind) for name, kind in kinds.items()], [("Zelane", "treats", "gout")]) as drugs:
        assert drugs.ask("Which drugs treat gout?").found
        assert not drugs.ask(question).found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which companies invested in Beech?", {"Acorn"}),
        ("Which companies has Acorn invested in?", {"Beech"}),
        ("Who is Cleo Birch married to?", {"Ada Moss"}),
        ("Who else starred in Harbour besides Cleo Birch?", {"Ben Oak"}),
    ],
)
def test_a_relation_of_two_of_one_kind_is_walked_as_it_is_said(
    films: mosaic.Corpus, question: str, found: set[str]
) -> None:
    assert names(films.retrieve(question)) == found


def test_those_in_a_role_are_counted_once(films: mosaic.Corpus) -> None:
    assert films.ask("How many actors have starred in films directed by Ada Moss?").text.startswith("2")


def test_a_word_that_names_nothing_is_told_beside_what_is_found_without_it(films: mosaic.Corpus) -> None:
    answer = films.ask("Which operettas did Ada Moss direct?")
    assert answer.found
    assert answer.text.startswith("“operettas” names no node, relation or kind. Without that: Harbour, Red Dust.")
    assert films.ask("Which films did Ada Moss direct?").text.startswith("Harbour, Red Dust.")
    assert films.ask("Which films share an actor with Red Dust?").text.startswith("Harbour.")
