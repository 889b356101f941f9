"""Descriptions in a question: what is described, by which conditions, and when that needs a step of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_sql.analyze import Description, described
from mosaic_sql.records import Catalogue, Property, Target

BOOKS = Catalogue(
    0, 9, 9, 0, ("author", "book", "publisher", "series"),
    ((0, "author"), (1, "publisher"), (2, "series"), (3, "similar_books"), (4, "book")),
)  # fmt: skip
FILMS = Catalogue(0, 9, 9, 0, ("film", "person"), ((0, "directed_by"), (1, "starred_actors"), (2, "release_year")))
PLACES = Catalogue(0, 9, 9, 0, ("city", "country", "river"), ((0, "capital"), (1, "flows_through")))
KINDS = {
    "Mort": "book", "Small Gods": "book", "Good Omens": "book", "Ann Lee": "author", "Tor": "publisher",
    "Heat": "film", "Thief": "film", "Al Pacino": "person", "Val Kilmer": "person", "Mann": "person",
    "Paris": "city", "Seine": "river",
}  # fmt: skip


def target(question: str, name: str, number: int = 0, kinds: Sequence[str] | None = None) -> Target:
    start = question.index(name)
    return Target(
        number, name, name.casefold(), 1.0, (number,), (name,), start, start + len(name), "name", "graph",
        tuple(kinds if kinds is not None else [KINDS[name]]), (number,),
    )  # fmt: skip


def read(question: str, catalogue: Catalogue) -> Description | None:
    """What is described, every name of KINDS in the question being linked."""
    named = sorted((question.index(name), name) for name in KINDS if name in question)
    targets = tuple(target(question, name, number) for number, (_, name) in enumerate(named))
    return described(question, targets, catalogue)


def told(question: str, catalogue: Catalogue) -> tuple[str, list[str]] | None:
    found = read(question, catalogue)
    return None if found is None else (found.text, [("not " if p.negative else "") + p.text for p in found.parts])


@pytest.mark.parametrize(
    ("question", "text", "parts"),
    [
        (
            "Which books did the author who wrote Mort and Small Gods also publish?",
            "the author who wrote Mort and Small Gods",
            ["Which author wrote Mort?", "Which author wrote Small Gods?"],
        ),
        (
            "Which series are by the author of Mort and of Small Gods?",
            "the author of Mort and of Small Gods",
            ["What is the author of Mort?", "What is the author of Small Gods?"],
        ),
        (
            "Who reviewed the books by the author who wrote Mort, Small Gods and Good Omens?",
            "the author who wrote Mort, Small Gods and Good Omens",
            ["Which author wrote Mort?", "Which author wrote Small Gods?", "Which author wrote Good Omens?"],
        ),
        (
            "Which series have books by the author who wrote Mort but not Small Gods?",
            "the author who wrote Mort but not Small Gods",
            ["Which author wrote Mort?", "not Which author wrote Small Gods?"],
        ),
        (
            "Who published the book that Ann Lee wrote and Tor published?",
            "the book that Ann Lee wrote and Tor published",
            ["Which book Ann Lee wrote?", "Which book Tor published?"],
        ),
        (
            "Which series is the author who wrote Mort and reviewed Small Gods known for?",
            "the author who wrote Mort and reviewed Small Gods",
            ["Which author wrote Mort?", "Which author reviewed Small Gods?"],
        ),
        (
            "Is the author who wrote the book Mort and the book Small Gods with Tor?",
            "the author who wrote the book Mort and the book Small Gods",
            ["Which author wrote the book Mort?", "Which author wrote the book Small Gods?"],
        ),
    ],
)
def test_each_condition_is_a_question_of_its_own(question: str, text: str, parts: list[str]) -> None:
    assert told(question, BOOKS) == (text, parts)


@pytest.mark.parametrize(
    ("question", "text", "parts"),
    [
        (
            "Who directed the film that Al Pacino and Val Kilmer starred in?",
            "the film that Al Pacino and Val Kilmer starred in",
            ["Which film Al Pacino starred in?", "Which film Val Kilmer starred in?"],
        ),
        (
            "Who directed the film in which Al Pacino and Val Kilmer appeared?",
            "the film in which Al Pacino and Val Kilmer appeared",
            ["Which film Al Pacino appeared?", "Which film Val Kilmer appeared?"],
        ),
        (
            "When was the film that Mann directed and Al Pacino starred in released?",
            "the film that Mann directed and Al Pacino starred in",
            ["Which film Mann directed?", "Which film Al Pacino starred in?"],
        ),
        (
            "What year was the film by Mann starring Al Pacino released?",
            "the film by Mann starring Al Pacino",
            ["What is the film by Mann?", "What is the film starring Al Pacino?"],
        ),
        (
            "How is the director of Heat related to Al Pacino?",
            "the director of Heat",
            ["What is the director of Heat?"],
        ),
        ("How is Heat's director related to Val Kilmer?", "Heat's director", ["What is Heat's director?"]),
        (
            "What is the path between the director of Heat and Al Pacino?",
            "the director of Heat",
            ["What is the director of Heat?"],
        ),
        (
            "How is the director of the film that Al Pacino starred in related to Val Kilmer?",
            "the director of the film that Al Pacino starred in",
            ["What is the director of the film that Al Pacino starred in?"],
        ),
        (
            "Did Al Pacino star in the films directed by Mann?",
            "the films directed by Mann",
            ["What is the films directed by Mann?"],
        ),
        (
            "Which actors starred in the oldest film of Mann?",
            "the oldest film of Mann",
            ["What is the oldest film of Mann?"],
        ),
    ],
)
def test_a_description_ends_where_its_last_condition_does(question: str, text: str, parts: list[str]) -> None:
    assert told(question, FILMS) == (text, parts)


@pytest.mark.parametrize(
    "question",
    [
        "Who directed Heat?",
        "Who directed Heat and Thief?",
        "Which actors starred in films by the director of Heat?",  # one chain
        "Who directed the film that Al Pacino starred in?",
        "Does the film Heat star Al Pacino?",  # a name beside its kind describes nothing
        "What is the relation between Heat and Al Pacino?",
        "How are Heat and Thief connected?",
        "Who is the oldest director of Heat?",  # all that is asked
        "the",
        "",
    ],
)
def test_what_a_chain_or_a_name_says_needs_no_step(question: str) -> None:
    assert read(question, FILMS) is None


def test_a_chain_is_taken_apart_from_the_inside_when_asked_for() -> None:
    question = "Who starred in the films of the director of the film that Al Pacino starred in?"
    names = (target(question, "Al Pacino"),)
    assert described(question, names, FILMS) is None
    for text in ("the film that Al Pacino starred in", "the director of {}", "the films of {}"):
        inner = text.format(names[0].name)
        found = described(question, names, FILMS, chains=True)
        assert found is not None
        assert found.text == inner
        names = (target(question, inner, 0, []),)
    assert described(question, names, FILMS, chains=True) is None


def test_what_things_do_is_no_word_of_their_name() -> None:
    question = "To which series do the books belong that the publishers of Ann Lee have brought out?"
    found = described(question, (target(question, "Ann Lee"),), BOOKS, chains=True)
    assert found is not None
    assert found.text == "the publishers of Ann Lee"


def test_one_condition_beside_another_name_needs_a_step_and_alone_does_not() -> None:
    assert told("Is the Seine in the country whose capital is Paris?", PLACES) == (
        "the country whose capital is Paris",
        ["Which country whose capital is Paris?"],
    )
    assert read("Which river flows through the country whose capital is Paris?", PLACES) is None


def test_two_descriptions_are_resolved_one_after_the_other_the_last_first() -> None:
    question = "How are the author of Mort and the author of Small Gods related?"
    assert told(question, BOOKS) == ("the author of Small Gods", ["What is the author of Small Gods?"])
    again = (target(question, "Mort"), target(question, "the author of Small Gods", 1, ["author"]))
    found = described(question, again, BOOKS)
    assert found is not None
    assert found.text == "the author of Mort"
    done = (target(question, "the author of Mort", 0, []), target(question, "the author of Small Gods", 1, []))
    assert described(question, done, BOOKS) is None


def test_a_resolved_description_is_a_condition_like_a_name() -> None:
    question = "Did the actor who starred in Heat and in the film that Mann directed work with Val Kilmer?"
    assert told(question, FILMS) == ("the film that Mann directed", ["Which film Mann directed?"])
    inner = target(question, "the film that Mann directed", 1, ["film"])
    found = described(question, (target(question, "Heat"), inner, target(question, "Val Kilmer", 2)), FILMS)
    assert found is not None
    assert found.text == "the actor who starred in Heat and in the film that Mann directed"
    assert [part.text for part in found.parts] == [
        "Which actor starred in Heat?",
        "Which actor starred in the film that Mann directed?",
    ]


def test_a_second_end_of_a_path_is_no_second_condition() -> None:
    found = read("How are the author of Mort and Small Gods related?", BOOKS)
    assert found is not None
    assert found.text == "the author of Mort"


def test_names_without_a_kind_in_common_are_no_conditions_side_by_side() -> None:
    found = read("Did the director of Heat and Al Pacino meet?", FILMS)
    assert found is not None
    assert found.text == "the director of Heat"


@pytest.mark.parametrize(
    ("question", "whole", "known", "either"),
    [
        ("Who is the author who wrote Mort and Small Gods?", True, True, False),
        ("Name the author of Mort and Small Gods.", True, True, False),
        ("Who published the author who wrote Mort and Small Gods?", False, True, False),
        ("Who published the writer who penned Mort and Small Gods?", False, False, False),
        ("Who published the books that resemble Mort or Small Gods?", False, True, True),
    ],
)
def test_a_description_tells_whether_it_is_all_that_is_asked(
    question: str, whole: bool, known: bool, either: bool
) -> None:
    found = read(question, BOOKS)
    assert found is not None
    assert (found.whole, found.known, found.either) == (whole, known, either)


WORDS = st.sampled_from(
    "the a author book who wrote that which of and or but not Mort Tor Heat , ? 's related first oldest by in is did "
    "films how whose capital".split()
)


@settings(max_examples=300)
@given(st.lists(WORDS, max_size=18))
def test_any_words_are_read_and_what_is_found_stands_in_the_question(chosen: list[str]) -> None:
    question, targets = "", list[Target]()
    for word in chosen:
        question += word if word in (",", "?", "'s") else f" {word}"
        if word in KINDS:
            start = len(question) - len(word)
            kinds = (KINDS[word],)
            named = (len(targets), word, word.casefold(), 1.0, (len(targets),), (word,), start, len(question))
            targets.append(Target(*named, "name", "graph", kinds, (len(targets),)))
    found = described(question, tuple(targets), BOOKS)
    if found is None:
        return
    assert question[found.char_start : found.char_end] == found.text
    inside = {t.node_ids for t in targets if found.char_start <= t.char_start < found.char_end}
    named = [(part.text, part.target) for part in found.parts if part.target is not None]
    assert {name.node_ids for _, name in named} == inside
    assert len(named) == len(found.parts) or (not inside and len(found.parts) == 1)
    assert not found.parts[0].negative
    for text, name in named:
        assert text[name.char_start : name.char_end] == name.name


DATED = replace(
    FILMS,
    properties=(
        Property("node", "film", "release_year", "date", 9),
        Property("node", "film", "runtime", "number", 9),
        Property("node", "person", "born", "date", 9),
    ),
)


@pytest.mark.parametrize(
    ("question", "text", "parts"),
    [
        ("Who directed the longest film?", "the longest film", ["What is the longest film?"]),
        ("Where was the second oldest person born?", "the second oldest person", ["What is the second oldest person?"]),
        ("Who starred in the two longest films?", "the two longest films", ["What is the two longest films?"]),
        (
            "Who starred in the longest film released before 1990?",
            "the longest film released before 1990",
            ["What is the longest film released before 1990?"],
        ),
        (
            "Where was the director with the most films born?",
            "the director with the most films",
            ["Which director has the most films?"],
        ),
        (
            "Which films star the person who directed the fewest films?",
            "the person who directed the fewest films",
            ["Which person directed the fewest films?"],
        ),
        ("Who directed films released in 1999?", "films released in 1999", ["Which films released in 1999?"]),
        (
            "Which people starred in the films released after 1990?",
            "the films released after 1990",
            ["Which films released after 1990?"],
        ),
        (
            "Who directed the film that stars Al Pacino and was released in 1999?",
            "the film that stars Al Pacino and was released in 1999",
            ["Which film stars Al Pacino and was released in 1999?"],
        ),
        (
            "Who is the director of the film starring Al Pacino released after 1990?",
            "the film starring Al Pacino released after 1990",
            ["What is the film starring Al Pacino released after 1990?"],
        ),
        (
            "Who directed the film with Al Pacino that is longer than 100 minutes?",
            "the film with Al Pacino that is longer than 100 minutes",
            ["What is the film with Al Pacino that is longer than 100 minutes?"],
        ),
        (
            "Who directed the film that stars Al Pacino and Val Kilmer and was released in 1995?",
            "the film that stars Al Pacino and Val Kilmer and was released in 1995",
            ["Which film stars Al Pacino?", "Which film stars Val Kilmer and was released in 1995?"],
        ),
    ],
)
def test_what_a_superlative_chooses_and_conditions_on_values_need_a_step(
    question: str, text: str, parts: list[str]
) -> None:
    assert told(question, DATED) == (text, parts)


@pytest.mark.parametrize(
    "question",
    [
        "What is the longest film?",
        "Name the two oldest films released after 1990.",
        "Which is the longest film of 1999?",
        "Which films released in 1999 star Al Pacino?",
        "How many films released in 1999 are there?",
        "List all films released in 1999.",
        "Is Heat the longest film?",
        "Which film has the longest runtime?",
        "Which films starring Al Pacino were released after 1990?",
        "Which directors of films with Al Pacino were born before 1950?",
    ],
)
def test_what_the_question_itself_asks_for_needs_no_step(question: str) -> None:
    assert told(question, DATED) is None
