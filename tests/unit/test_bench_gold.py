"""What an answer holds of the gold: worked out by hand."""

from __future__ import annotations

import pytest

from mosaic_sql.bench import gold


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The Cat, a dog & an Owl!", "cat dog owl"),
        ("“Zürich” — [2]", "zürich 2"),
        ("U.S.A.", "usa"),
        ("don't", "dont"),
        ("Theatre Anna", "theatre anna"),  # articles are whole words
        ("$5 + 3_000", "5 3000"),
        ("東京。", "東京"),
        ("The", ""),
    ],
)
def test_normalised_as_squad_does(text: str, plain: str) -> None:
    assert gold.normalised(text) == plain


@pytest.mark.parametrize(
    ("answer", "variants", "exact", "f1"),
    [
        ("the Eiffel Tower", ["Eiffel Tower"], 1.0, 1.0),
        ("Eiffel Tower in Paris", ["Eiffel Tower"], 0.0, 2 * 0.5 * 1.0 / 1.5),
        ("Tower", ["Paris", "Eiffel Tower"], 0.0, 2 * 1.0 * 0.5 / 1.5),
        ("yes", ["no"], 0.0, 0.0),
        ("", ["Paris"], 0.0, 0.0),
        ("the", ["A"], 1.0, 1.0),
        ("new new york", ["New York New"], 0.0, 1.0),
        ("york york", ["New York"], 0.0, 0.5),
    ],
)
def test_exact_match_and_f1_take_the_best_variant(answer: str, variants: list[str], exact: float, f1: float) -> None:
    assert gold.exact_match(answer, variants) == exact
    assert gold.f1(answer, variants) == pytest.approx(f1)


@pytest.mark.parametrize(
    ("text", "variants", "inside"),
    [
        ("He was born in The Hague, in 1912.", ["Hague"], True),
        ("He was born in 1912.", ["191"], False),
        ("Sir G. Stanley Hall led it.", ["Granville Hall", "Stanley Hall"], True),
        ("“October 5, 1987”", ["October 5 1987"], True),
        ("anything", ["the"], False),
        ("", ["Paris"], False),
    ],
)
def test_a_variant_stands_in_a_text_word_for_word(text: str, variants: list[str], inside: bool) -> None:
    assert gold.contains(text, variants) is inside


def test_word_recall_counts_content_stems_once() -> None:
    wanted = ["The cells of the skin are dividing; cells divide."]  # cell, skin, divid
    assert gold.word_recall("Dividing is what it does.", wanted) == pytest.approx(1 / 3)
    assert gold.word_recall("A skin cell divides.", wanted) == 1.0
    assert gold.word_recall("A skin cell.", ["nothing alike here", "skin"]) == 1.0
    assert gold.word_recall("the", ["of the"]) == 0.0


def test_gold_is_short_up_to_six_words_of_its_shortest_variant() -> None:
    assert gold.is_short(["one two three four five six"])
    assert not gold.is_short(["one two three four five six seven"])
    assert gold.is_short(["one two three four five six seven", "one"])


def test_yes_and_no_stand_in_no_text() -> None:
    assert not gold.can_be_held(["Yes."])
    assert not gold.can_be_held(["no", "No"])
    assert gold.can_be_held(["yes", "Paris"])


def test_a_short_gold_is_held_by_one_text_and_a_long_one_by_all_together() -> None:
    assert gold.holds(["a", "in Paris"], ["Paris"])
    assert not gold.holds(["New", "York"], ["New York"])
    long = ["alpha beta gamma delta epsilon zeta eta theta iota kappa"]  # ten stems
    assert gold.holds(["alpha beta gamma delta", "epsilon zeta eta theta"], long)
    assert not gold.holds(["alpha beta gamma delta", "epsilon zeta eta"], long)
    assert not gold.holds([], long)


def test_markers_are_no_part_of_an_answer() -> None:
    assert gold.unmarked("In Paris [1], or [2, 3] not [x].").split() == "In Paris , or not [x].".split()
