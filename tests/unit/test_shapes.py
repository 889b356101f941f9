"""From the words of a question to a pattern, over several worlds, styles of names, with kinds and without."""

from __future__ import annotations

import re
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds_of_words import STYLES, WORLDS, Untyped, catalogue, untyped, written

from mosaic_sql.analyze import shapes
from mosaic_sql.analyze.shapes import Shape
from mosaic_sql.pattern import check, parse
from mosaic_sql.records import Catalogue

ODD = "who which the same s of by in films directed director's directed by Ann 's co-star whose what".split()
ASKED = [(world, *asked) for world, (_, questions) in WORLDS.items() for asked in questions]


def span(question: str, name: str) -> tuple[int, int]:
    return question.index(name), question.index(name) + len(name)


@cache
def typed(world: str, style: str) -> Catalogue:
    return catalogue(WORLDS[world][0], STYLES[style])


@cache
def kindless(world: str) -> Untyped:
    return untyped(WORLDS[world][0])


def best(found: list[Shape]) -> str | None:
    return found[0].pattern.replace("'", "") if found else None


@pytest.mark.parametrize(("world", "question", "name", "kind", "meant"), ASKED)
def test_a_question_means_a_pattern_whatever_the_style_of_the_names(
    world: str, question: str, name: str, kind: str, meant: str | None
) -> None:
    for style, write in STYLES.items():
        found = shapes.ranked(question, [span(question, name)], [(kind,)], typed(world, style))
        wanted = {None} if meant is None else {written(each, write) for each in meant.split("|")}
        assert best(found) in wanted, style


@pytest.mark.parametrize(
    ("world", "question", "name", "kind", "meant"), [each for each in ASKED if each[0] in ("biomedical", "general")]
)
def test_kinds_that_were_inferred_do_as_well(
    world: str, question: str, name: str, kind: str, meant: str | None
) -> None:
    schema = kindless(world)
    node = schema.node(kind)
    kinds, steps = schema.kinds[node], schema.steps[node]
    found = shapes.ranked(question, [span(question, name)], [kinds], schema.catalogue, first_steps=steps)
    assert best(found) in ({None} if meant is None else set(re.sub(r"\[.*?\]", "", meant).split("|")))


@pytest.mark.parametrize(
    ("world", "question", "name", "kind", "meant"),
    [
        (
            "academia", "where do the papers of the collaborators of the writers of Deep Sums appear",
            "Deep Sums", "paper", "author / paper / author / paper / venue",
        ),
        (
            "commerce", "what do people also view who look at other items of the brand of Lamp",
            "Lamp", "item", "brand / item / also_viewed_item",
        ),
    ],
)  # fmt: skip
def test_a_word_for_a_kind_that_speaks_of_a_relation_names_that(
    world: str, question: str, name: str, kind: str, meant: str
) -> None:
    assert best(shapes.ranked(question, [span(question, name)], [(kind,)], typed(world, "plain"))) == meant


def test_the_patterns_come_best_first_each_once_and_the_same_every_time() -> None:
    question = "which compounds treat asthma"
    found = shapes.ranked(question, [span(question, "asthma")], [("Disease",)], typed("biomedical", "plain"))
    again = shapes.ranked(question, [span(question, "asthma")], [("Disease",)], catalogue(WORLDS["biomedical"][0]))
    assert found == again
    assert [shape.score for shape in found] == sorted((shape.score for shape in found), reverse=True)
    assert len({shape.pattern for shape in found}) == len(found)


def test_one_question_takes_a_few_milliseconds() -> None:
    cases = [each for each in ASKED if each[0] == "general"]
    for world, question, name, kind, _ in cases[:3]:
        shapes.ranked(question, [span(question, name)], [(kind,)], typed(world, "plain"))
    began = time.process_time()
    for world, question, name, kind, _ in cases:
        shapes.ranked(question, [span(question, name)], [(kind,)], typed(world, "plain"))
    assert (time.process_time() - began) / len(cases) < 0.03


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("who directed Heat", "directed_by"),
        ("who is the director of Heat", "directed_by"),
        ("who was Heat directed by", "directed_by"),
        ("Heat was directed by whom", "directed_by"),
        ("the films that share a director with Heat", "directed_by / ^directed_by"),
        ("which films have a director in common with Heat", "directed_by / ^directed_by"),
        ("which films were made by the director who directed Heat", "directed_by / ^directed_by"),
        ("who starred in the films of the director of Heat", "directed_by / ^directed_by / starred_actors"),
        ("in which years were the films that star the actors of Heat released",
         "starred_actors / ^starred_actors / release_year"),
        ("when did the films with the same actors as Heat come out", "starred_actors / ^starred_actors / release_year"),
        ("what film genre is Heat", "has_genre"),
        ("name the languages spoken in Heat", "in_language"),
    ],
)  # fmt: skip
def test_films_whose_kinds_nobody_gave(question: str, meant: str) -> None:
    films = _films()
    found = shapes.ranked(question, [span(question, "Heat")], [films.kinds["film1"]], films.catalogue,
                          first_steps=[step for step in FILM if step[1]])  # fmt: skip
    assert best(found) == meant


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("which films did Ann direct", "^directed_by"),
        ("films directed by Ann", "^directed_by"),
        ("which films is Ann the director of", "^directed_by"),
        ("films starring Ann", "^starred_actors"),
        ("which films does Ann appear in", "^starred_actors"),
        ("who co-starred with Ann", "^starred_actors / starred_actors"),
        ("which actors starred together with Ann", "^starred_actors / starred_actors"),
        ("who are the costars of Ann", "^starred_actors / starred_actors"),
        ("who directed the films that Ann acted in", "^starred_actors / directed_by"),
        ("which actors play in films directed by Ann", "^directed_by / starred_actors"),
        ("what are the genres of the movies directed by Ann", "^directed_by / has_genre"),
        ("the films directed by Ann were released in which years", "^directed_by / release_year"),
    ],
)
def test_people_whose_kinds_nobody_gave(question: str, meant: str) -> None:
    films = _films()
    person = max(films.kinds, key=lambda name: (name.startswith("person"), len(films.steps[name]), name))
    found = shapes.ranked(question, [span(question, "Ann")], [films.kinds[person]], films.catalogue,
                          first_steps=[("directed_by", False), ("starred_actors", False)])  # fmt: skip
    assert best(found) == meant


FILM = (
    ("directed_by", True), ("starred_actors", True), ("release_year", True), ("has_genre", True), ("in_language", True),
)  # fmt: skip


@cache
def _films() -> Untyped:
    ends = ("person", "person", "year", "genre", "language")
    return untyped([("film", relation, end) for (relation, _), end in zip(FILM, ends, strict=True)])


@given(
    text=st.text(st.characters(codec="utf-8"), max_size=40)
    | st.lists(st.sampled_from(ODD)).map(" ".join),
    place=st.integers(0, 40),
    length=st.integers(0, 8),
)  # fmt: skip
@settings(max_examples=150)
def test_any_text_is_read_without_an_error_and_every_pattern_can_be_walked(text: str, place: int, length: int) -> None:
    films = _films()
    kinds = films.kinds["film1"]
    relations = {relation for _, relation in films.catalogue.relations}
    for shape in shapes.ranked(text, [(place, place + length)], [kinds], films.catalogue)[:5]:
        automaton = parse(shape.pattern)
        check(automaton, relations=relations, kinds=films.catalogue.kinds)
        assert automaton.max_length == shape.length <= shapes.MAX_HOPS


# -- around the name -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("world", "question", "name", "kind", "meant"), ASKED)
def test_a_name_that_is_blanked_out_stands_where_it_stood(
    world: str, question: str, name: str, kind: str, meant: str | None
) -> None:
    schema, at = typed(world, next(iter(STYLES))), span(question, name)
    blank = question[: at[0]] + " " * len(name) + question[at[1] :]
    found, said = (shapes.ranked(text, [at], [(kind,)], schema) for text in (blank, question))
    assert found == said


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("what title did X win", "won_title"),
        ("did X win their title", "won_title"),
        ("what position does X hold", "held_position"),
        ("which book did people write for X", "written_for"),
    ],
)
def test_an_irregular_verb_in_a_relations_name_is_the_verb_of_the_question(question: str, meant: str) -> None:
    paths = (
        ("team", "won_title", "cup", 9), ("team", "held_position", "office", 9), ("book", "written_for", "team", 9)
    )  # fmt: skip
    schema = Catalogue(
        0, 9, 9, 0, ("team", "cup", "office", "book"), tuple(enumerate(path[1] for path in paths)), paths
    )
    found = shapes.ranked(question, [span(question, "X")], [("team",)], schema)
    assert best(found) is not None
    assert (best(found) or "").lstrip("^") == meant


@pytest.mark.parametrize(
    ("world", "question", "kind", "meant"),
    [
        ("academia", "Do Ann and Bob have venues in common?", "author", "paper / venue / paper / author"),
        (
            "academia",
            "Is there an author who wrote papers with both Ann and Bob?",
            "author",
            "paper / author / paper / author",
        ),
        (
            "literature",
            "Do the publishers Ann and Bob share authors, and who?",
            "publisher",
            "book / author / book / publisher",
        ),
        (
            "literature",
            "Do Ann and Bob share a publisher, and which one?",
            "series",
            "book / publisher / book / series",
        ),
    ],
)
def test_what_two_anchors_share_is_reached_out_and_back(world: str, question: str, kind: str, meant: str) -> None:
    names = [span(question, "Ann"), span(question, "Bob")]
    assert best(shapes.ranked(question, names, [(kind,), (kind,)], typed(world, "plain"))) == meant
