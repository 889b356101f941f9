"""Conditions that answers meet together: each of its own words, with a name, or with the sort of a thing alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cinema import typed as films
from small import MUSIC, PLAYED, typed

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def cinema() -> Iterator[mosaic.Corpus]:
    with films() as corpus:
        yield corpus


@pytest.fixture(scope="module")
def music() -> Iterator[mosaic.Corpus]:
    with typed(MUSIC, PLAYED) as corpus:
        yield corpus


def answers(corpus: mosaic.Corpus, question: str) -> set[str]:
    return {answer.name for answer in corpus.retrieve(question).answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("films that Mara Quist directed that star Olu Bell", {"Night Train", "Glass Sea"}),
        ("which films did Mara Quist direct that star Tom Vale", {"Low Tide"}),
        ("films that Per Holm directed and Olu Bell starred in", {"Red Mesa"}),
        ("people who starred in Red Mesa and were born in Belmont", {"Olu Bell", "Per Holm"}),
        ("people born in Belmont who starred in Red Mesa", {"Olu Bell", "Per Holm"}),
    ],
)
def test_two_names_with_words_of_their_own_are_two_conditions(
    cinema: mosaic.Corpus, question: str, expected: set[str]
) -> None:
    assert answers(cinema, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("films that star Ines Rey that are not by Mara Quist", {"Red Mesa"}),
        ("films with Ines Rey except those liked by Mara Quist", set()),
        ("films with Ines Rey except those made by Mara Quist", {"Red Mesa"}),
        ("films by Mara Quist that are not dramas", {"Night Train"}),
        ("films starring Olu Bell in which Ines Rey does not appear", {"Glass Sea"}),
        ("films starring Ines Rey that Mara Quist did not direct", {"Red Mesa"}),
        ("actors of Red Mesa who are not from Belmont", {"Ines Rey"}),
        ("dramas without Tom Vale", {"Glass Sea"}),
        ("films without Mara Quist", {"Red Mesa", "Quiet Hour", "1984"}),  # neither made nor written by her
        ("crime films not by Mara Quist", set()),
        ("people born in Belmont but not directors", set()),  # not understood, and told so
        ("films written by Per Holm but not directed by him", {"Glass Sea"}),
        ("films that Mara Quist directed but that she did not write", {"Glass Sea"}),
    ],
)
def test_what_is_left_out_is_what_a_name_leads_to(cinema: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(cinema, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("people who directed no film", {"Olu Bell", "Ines Rey", "Tom Vale"}),
        ("which people never directed a film", {"Olu Bell", "Ines Rey", "Tom Vale"}),
        ("people who have not directed any film", {"Olu Bell", "Ines Rey", "Tom Vale"}),
        ("people born in Belmont who did not write a film", {"Olu Bell"}),
        ("people born in Belmont who directed no film", {"Olu Bell"}),
        ("the oldest person who directed no film", {"Olu Bell"}),
        ("cities that no person was born in", set()),
        ("who directed no film", {"Olu Bell", "Ines Rey", "Tom Vale"}),
        ("the longest film of Mara Quist that stars Ines Rey", {"Low Tide"}),  # chosen of both conditions
        ("films that star Ines Rey or Tom Vale but not Per Holm", set()),  # not understood, and told so
    ],
)
def test_what_there_is_none_of_is_a_condition(cinema: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(cinema, question) == expected


def test_what_there_is_none_of_in_another_world(music: mosaic.Corpus) -> None:
    assert answers(music, "bands with no label") == {"Blue Ferry"}
    assert answers(music, "bands that are signed to nobody") == {"Blue Ferry"}
    assert answers(music, "musicians without an album") == {"Sam Tull"}
    assert music.ask("How many singers influenced nobody?").text.startswith("2\n")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("people born in Belmont who directed a film", {"Per Holm"}),
        ("people born in Belmont who starred in more than one film", {"Olu Bell"}),
        ("which actors of Red Mesa wrote a film", {"Ines Rey", "Per Holm"}),
        ("people who were born in Belmont and starred in Red Mesa and directed a film", {"Per Holm"}),
    ],
)
def test_what_is_told_by_its_sort_alone_is_a_condition_and_no_step(
    cinema: mosaic.Corpus, question: str, expected: set[str]
) -> None:
    assert answers(cinema, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("singers born in Port Ellis who influenced a singer", {"Nora Venn"}),
        ("bands signed to Fen Records that recorded an album", {"The Lanterns", "Ash Choir"}),
        ("musicians who produced an album", {"Otto Brask"}),
        ("which bands recorded an album", {"The Lanterns", "Blue Ferry", "Ash Choir"}),
        ("bands with a label that recorded Salt", {"Ash Choir"}),
        ("which singer was born in the same city as Nora Venn", {"Lia Moran"}),
        ("who was born in the same city as Lia Moran", {"Nora Venn"}),
    ],
)
def test_conditions_hold_in_another_world(music: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(music, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("the most influenced singer", {"Ida Wren"}),
        ("the most influenced singer of Ash Choir", {"Ida Wren"}),
        ("which singer is influenced most often", {"Ida Wren"}),
    ],
)
def test_what_is_done_most_is_counted_at_the_answers(music: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(music, question) == expected


@pytest.mark.parametrize(
    ("question", "expected", "second"),
    [
        ("Who directed Red Mesa and when was it released?", {"Per Holm"}, "when was it released"),
        ("Who directed Glass Sea and who wrote it?", {"Mara Quist"}, "who wrote it"),
        ("When was Red Mesa released, and who starred in it?", {"Red Mesa"}, "who starred in it"),
        ("Who directed Red Mesa? Which genre does it have?", {"Per Holm"}, "Which genre does it have"),
        ("Who starred in Low Tide and who was born in Jarrow?", {"Tom Vale"}, ""),  # a condition more
        ("Who directed and wrote Red Mesa?", {"Per Holm"}, ""),
    ],
)
def test_of_two_questions_the_first_is_answered_and_the_second_told(
    cinema: mosaic.Corpus, question: str, expected: set[str], second: str
) -> None:
    asked = cinema.ask(question)
    assert {answer.name for answer in asked.retrieval.answers} == expected
    assert asked.text.partition("\nNot answered: ")[2] == (f"“{second}”; ask it by itself." if second else "")


def test_whom_a_yes_holds_for_is_no_second_question(cinema: mosaic.Corpus) -> None:
    asked = cinema.ask("Do Night Train and Red Mesa share actors, and who are they?")
    assert (asked.text.startswith("Yes: Olu Bell"), "Not answered" in asked.text) == (True, False)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who directed the most dramas?", {"Mara Quist"}),
        ("Which director made the fewest dramas?", {"Per Holm", "Ida Frost"}),
        ("Who directed two or more dramas?", {"Mara Quist"}),
        ("Who starred in the most dramas?", {"Tom Vale"}),
        ("Who starred in three or more films?", {"Olu Bell", "Ines Rey", "Tom Vale"}),
        ("Who directed one or two films?", {"Per Holm", "Ida Frost"}),
        ("Who directed two or three films?", set()),  # told as not served
        ("films of 95 or 102 minutes", {"Night Train", "Red Mesa"}),
        ("films of 110 or more minutes", {"Glass Sea", "Low Tide", "1984"}),
    ],
)
def test_how_many_of_a_sort_and_one_number_or_another(cinema: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(cinema, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who starred in every film that Per Holm wrote?", {"Olu Bell"}),
        ("Which people starred in all of the films written by Per Holm?", {"Olu Bell"}),
        ("Which actors starred in each film that Per Holm directed?", set()),
        ("Who starred in all films of Ida Frost?", {"Tom Vale"}),
        ("the actors of all films that Per Holm wrote", {"Olu Bell", "Ines Rey"}),
    ],
)
def test_what_holds_of_every_one_holds_of_each(cinema: mosaic.Corpus, question: str, expected: set[str]) -> None:
    assert answers(cinema, question) == expected
