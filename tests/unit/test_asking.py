"""What a question asks beside its walk, by its wording."""

from __future__ import annotations

import pytest

from mosaic_sql.analyze import families
from mosaic_sql.analyze.asking import Asked, as_often, bare_number, number, read
from mosaic_sql.analyze.comparing import sort_of_two


def bounds(question: str) -> list[tuple[str, str, str, str | None]]:
    return [(bound.kind, bound.compare, bound.value, bound.high) for bound in read(question).bounds]


@pytest.mark.parametrize(
    ("question", "limit", "offset", "descending", "extreme"),
    [
        ("What are the five biggest cities of?", 5, 0, True, False),
        ("What is the biggest city of?", None, 0, True, True),
        ("What are the biggest cities?", None, 0, True, False),
        ("Which is the second largest city?", 1, 1, True, False),
        ("Which is the 3rd smallest town?", 1, 2, False, False),
        ("the first three films of", 3, 0, False, False),
        ("the last 2 films of", 2, 0, True, False),
        ("When did they last win?", None, 0, True, True),
        ("the second title of", 1, 1, False, False),
        ("top 10 cities of it by population", 10, 0, True, False),
        ("cities sorted by area ascending", None, 0, False, False),
        ("the fewest members", None, 0, False, True),
    ],
)
def test_orders(question: str, limit: int | None, offset: int, descending: bool, extreme: bool) -> None:
    sort = read(question).sort
    assert sort is not None
    assert (sort.limit, sort.offset, sort.descending, sort.extreme) == (limit, offset, descending, extreme)


@pytest.mark.parametrize(
    ("question", "family"),
    [
        ("the oldest town", families.AGE),
        ("the longest river", families.LENGTH),
        ("the most populous", families.SIZE[:3]),
    ],
)
def test_a_superlative_speaks_of_a_family_of_properties(question: str, family: families.Family) -> None:
    sort = read(question).sort
    assert sort is not None
    assert sort.family == family


def test_most_speaks_of_its_noun_or_of_how_often() -> None:
    films, often = read("Who made the most films?").sort, read("Who appeared most often with them?").sort
    assert films is not None and often is not None
    assert (films.noun, films.often, films.family) == ("films", False, None)
    assert (often.noun, often.often) == ("", True)


@pytest.mark.parametrize(
    ("question", "compare", "count"),
    [
        ("Which city held it twice?", "=", 2),
        ("held at least 3 times", ">=", 3),
        ("held more than once", ">=", 2),
        ("held fewer than four times", "<=", 3),
        ("held at most twice", "<=", 2),
        ("held three times", "=", 3),
    ],
)
def test_how_often(question: str, compare: str, count: int) -> None:
    often = read(question).often
    assert often is not None
    assert (often.compare, often.count) == (compare, count)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("released before 1990", [("date", "<", "1990", None)]),
        ("released after 1990 and until 1995", [("date", ">", "1990", None), ("date", "<=", "1995", None)]),
        ("released between 1950 and 1960", [("date", "between", "1950", "1960")]),
        ("from 1950 to 1960", [("date", "between", "1950", "1960")]),
        ("between June and October 2023", [("date", "between", "june 2023", "october 2023")]),
        ("released in 1999?", [("date", "=", "1999", None)]),
        ("in May 1999", [("date", "=", "may 1999", None)]),
        ("since 1999-05-02", [("date", ">=", "1999-05-02", None)]),
        ("in the 1990s", [("date", "=", "1990s", None)]),
        ("in 1990 or later", [("date", ">=", "1990", None)]),
        ("with more than 1.5 million inhabitants", [("number", ">", "1500000", None)]),
        ("a population over 500,000", [("number", ">", "500000", None)]),
        ("under half a million", [("number", "<", "500000", None)]),
        ("between 10 and 20 pages", [("number", "between", "10", "20")]),
        ("at least two films", [("number", ">=", "2", None)]),
        ("what lies between them and us", []),
        ("who may have been there in time", []),
        ("in 12345 days", []),
        ("before 1000 or after 1900", [("date", "<", "1000", None), ("date", ">", "1900", None)]),
    ],
)
def test_comparisons(question: str, found: list[tuple[str, str, str, str | None]]) -> None:
    assert bounds(question) == found


@pytest.mark.parametrize(
    "question",
    ["How many films are there?", "What is the number of films?", "the total number of people", "Count the cities"],
)
def test_counts(question: str) -> None:
    assert read(question).count


@pytest.mark.parametrize(
    "question",
    [
        "Who directed it?",
        "what is the last name of him",
        "which films share their actors with it",
        "what happened last year",
        "what does it mean to them",
        "every film per se",
        "How many times did it happen?",
        "the films in which she was",
        "the films of hers were written by whom?",
    ],
)
def test_plain_questions_ask_nothing_beside(question: str) -> None:
    asked = read(question)
    assert asked == Asked(question)
    assert asked.is_plain


def test_words_of_cues_speak_for_no_relation_and_the_rest_keeps_its_place() -> None:
    question = "Which films by them were released after 1990?"
    rest = read(question).rest
    assert len(rest) == len(question)
    assert rest.split() == ["Which", "films", "by", "them", "were", "released", "?"]
    assert read("in more than two films").rest.split() == ["in", "films"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two", 2),
        ("1,234", 1234),
        ("1.5 million", 1.5e6),
        ("3bn", 3e9),
        ("a million", 1e6),
        ("half a million", 5e5),
        ("x", None),
    ],
)
def test_numbers(text: str, value: float | None) -> None:
    assert number(text) == value


def test_a_comparison_read_as_how_often() -> None:
    (more,), (less,) = read("over three films").bounds, read("less than 3 films").bounds
    assert [(as_often(one).compare, as_often(one).count) for one in (more, less)] == [(">=", 4), ("<=", 2)]


@pytest.mark.parametrize(
    ("question", "overall", "each"),
    [
        ("the average runtime of films", "mean", ""),
        ("the mean age of them", "mean", ""),
        ("the total population of the cities", "sum", ""),
        ("the total number of films", "", ""),
        ("How many films did each person direct?", "", "person"),
        ("number of films per director", "", "director"),
    ],
)
def test_sums_means_and_numbers_for_each(question: str, overall: str, each: str) -> None:
    asked = read(question)
    assert (asked.overall, asked.each) == (overall, each)


@pytest.mark.parametrize(
    ("question", "words", "descending"),
    [
        ("Is it longer than that?", "longer than", True),
        ("Which is older, this or that?", "older", False),
        ("Which has more inhabitants?", "more inhabitants", True),
        ("Which is less expensive?", "less expensive", False),
    ],
)
def test_comparisons_of_two(question: str, words: str, descending: bool) -> None:
    sort = sort_of_two(question)
    assert sort is not None
    assert (sort.words.strip(), sort.descending) == (words, descending)


@pytest.mark.parametrize(
    ("question", "limit", "noun"),
    [
        ("Which two directors made the most films?", 2, "films"),
        ("the 3 bands with the fewest members", 3, "members"),
        ("Which band has the most members?", None, "members"),
    ],
)
def test_so_many_of_those_with_the_most(question: str, limit: int | None, noun: str) -> None:
    sort = read(question).sort
    assert sort is not None
    assert (sort.limit, sort.extreme, sort.noun) == (limit, limit is None, noun)


def test_a_number_with_no_word_to_compare_by_is_read_where_it_is_asked_for() -> None:
    asked = read("Who played in two films?")
    assert asked.is_plain
    found = bare_number(asked)
    assert found is not None
    assert (found.compare, found.value, found.noun, asked.rest) == ("=", "2", "films", "Who played in     films?")
    assert bare_number(read("Who played in one film?")) is None
