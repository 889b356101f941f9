"""Words, names and sentences of plain text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mosaic_sql import text as words

# Letters of several scripts, marks that vanish or multiply when folded, and everything that ends a sentence.
TEXTS = st.text(st.sampled_from("aB1 .!?\n\t-*)\"'”“(é\u0301ﬁİß東京。！」한ไ\u0e31_,²🙂")) | st.text()


def forms(text: str) -> list[tuple[str, int, int, bool]]:
    return [tuple(token) for token in words.tokens(text)]


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in words.sentences(text)]


def test_a_word_is_lower_case_and_remembers_where_it_stood_and_how_it_began() -> None:
    assert forms("Ana don't snake_case 2nd") == [
        ("ana", 0, 3, True),
        ("don", 4, 7, False),
        ("t", 8, 9, False),
        ("snake", 10, 15, False),
        ("case", 16, 20, False),
        ("2nd", 21, 24, True),
    ]


@pytest.mark.parametrize(
    ("text", "folded", "offsets"),
    [
        ("plain", "plain", None),
        ("María", "Maria", [0, 1, 2, 3, 4]),
        ("ﬁne", "fine", [0, 0, 1, 2]),
        ("e\u0301t", "et", [0, 2]),
        ("İz", "Iz", [0, 1]),
        ("한", "한", [0]),
        ("", "", None),
    ],
)
def test_folding_drops_accents_and_keeps_the_way_back(text: str, folded: str, offsets: list[int] | None) -> None:
    assert words.fold(text) == (folded, offsets)


def test_offsets_of_folded_words_are_those_of_the_text_as_written() -> None:
    text = "ﬁne e\u0301te\u0301 Straße"
    assert forms(text) == [("fine", 0, 3, False), ("ete", 4, 8, False), ("straße", 10, 16, True)]
    assert text[10:16] == "Straße"


def test_scripts_without_blanks_become_overlapping_pairs() -> None:
    assert [token.form for token in words.tokens("東京タワー")] == ["東京", "京タ", "タワ", "ワー"]
    assert forms("한국어 입니다") == [
        ("한국", 0, 2, True),
        ("국어", 1, 3, True),
        ("입니", 4, 6, True),
        ("니다", 5, 7, True),
    ]
    assert forms("日本 東") == [("日本", 0, 2, True), ("東", 3, 4, True)]
    assert forms("ABC東京都x") == [("abc", 0, 3, True), ("東京", 3, 5, True), ("京都", 4, 6, True), ("x", 6, 7, False)]


def test_stems_are_those_of_the_content_words_in_order_with_repeats() -> None:
    assert words.stems("The directors directed running films, films of 1999") == [
        "director",
        "direct",
        "run",
        "film",
        "film",
        "1999",
    ]
    assert words.stems("who is the") == []


@pytest.mark.parametrize(
    ("name", "normalised", "key"),
    [
        ("The Beatles", "the beatles", "beatles"),
        ("The  Beatles' Album!", "the beatles album", "beatles album"),
        ("Zoë's", "zoe s", "zoe"),
        ("A.B.C.", "a b c", "a b c"),
        ("The", "the", "the"),
        ("New-York (City)", "new york city", "new york city"),
        ("...", "", ""),
    ],
)
def test_a_name_is_looked_up_by_its_words_and_known_by_fewer(name: str, normalised: str, key: str) -> None:
    assert (words.normalise(name), words.node_key(name)) == (normalised, key)


def test_one_letter_or_a_stop_word_names_nothing() -> None:
    assert {key: words.is_name(key) for key in ("", "a", "x", "the", "who", "ab", "東", "the who")} == {
        "": False,
        "a": False,
        "x": False,
        "the": False,
        "who": False,
        "ab": True,
        "東": True,
        "the who": True,
    }


@pytest.mark.parametrize(
    "parts",
    [
        ("Dr. Smith went to St. Ives with Prof. Jones.", "He left in 1999.", "The end was near for all."),
        ("He met J. R. R. Tolkien in the U.S. Army.", "She wrote to E. M. Forster."),
        ("She works at Acme Inc. and he does not.", "They are friends though."),
        ("Version 2.5 of example.com is out now.", "It works very well."),
        ('He asked "Why did it go?"', "Then he left the room."),
        ("Wait... what happened here?", "Nothing happened here!"),
        ("Lines may break\nwithin one sentence.", "The next one follows."),
        ("A first sentence here. Yes.", "Another sentence here."),
        ("The river is long.", "12 bridges cross it."),
    ],
)
def test_sentences_end_at_a_stop_before_a_capital_or_a_digit(parts: tuple[str, ...]) -> None:
    assert split(" ".join(parts)) == list(parts)


def test_a_missing_blank_after_the_stop_splits_too() -> None:
    assert split("It ended in 2003.The song became a hit.") == ["It ended in 2003.", "The song became a hit."]


def test_a_stop_of_chinese_or_japanese_ends_a_sentence_without_a_blank() -> None:
    first = "東京は日本の首都であり世界最大の都市の一つです。"
    second = "人口は約千四百万人で観光客もとても多いです！"
    third = "「はい、そうです、わたしは東京が好きです。」"
    assert split(first + second + third) == [first, second, third]


def test_items_of_a_list_and_paragraphs_are_sentences_of_their_own() -> None:
    lines = ["A list of things:", "- first item is long enough", "* second item is long enough", "1. third item, long"]
    assert split("\n".join(lines)) == lines
    paragraphs = ["A heading of some length", "Short.", "Another long paragraph."]
    assert split("\n\n".join(paragraphs)) == paragraphs


def test_a_lone_fragment_is_a_sentence_and_blank_text_has_none() -> None:
    assert (split(" Hi. "), split(" \n\t "), split("")) == (["Hi."], [], [])


@given(TEXTS)
@example("İ\u0301ﬁ")
@settings(max_examples=300)
def test_offsets_of_words_are_within_the_text_and_in_order(text: str) -> None:
    found = words.tokens(text)
    assert all(0 <= token.start < token.end <= len(text) for token in found)
    starts = [(token.start, token.end) for token in found]
    assert starts == sorted(starts)
    assert all(token.form == token.form.lower() and token.form for token in found)


@given(TEXTS)
@settings(max_examples=300)
def test_folding_gives_one_offset_for_each_character(text: str) -> None:
    folded, offsets = words.fold(text)
    if offsets is None:
        assert folded == text
    else:
        assert len(offsets) == len(folded)
        assert offsets == sorted(offsets)
        assert all(0 <= offset < len(text) for offset in offsets)


@given(TEXTS)
@example("One. Two.\n\nThree")
@settings(max_examples=300)
def test_sentences_hold_all_that_is_not_blank_in_order_without_overlap(text: str) -> None:
    spans = words.sentences(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
    edges = [0, *(place for span in spans for place in span), len(text)]
    outside = "".join(text[edges[i] : edges[i + 1]] for i in range(0, len(edges), 2))
    assert outside.strip() == ""
    assert all(text[start:end] == text[start:end].strip() for start, end in spans)


NAMES = words.NameIndex(["new york", "new york city", "york", "1999", "house of cards", "the who", "1999 tour"])


def matches(text: str, *, strong: bool = False) -> list[tuple[int, int, str]]:
    return NAMES.scan(words.tokens(text), strong=strong)


def test_the_longest_name_wins_and_matches_do_not_overlap() -> None:
    assert matches("the new york city of york") == [(1, 4, "new york city"), (5, 6, "york")]
    assert matches("new new york") == [(1, 3, "new york")]
    assert matches("new york new york city") == [(0, 2, "new york"), (2, 5, "new york city")]
    assert matches("new yorks") == []


def test_a_strong_match_has_capitals_or_digits_in_all_its_content_words() -> None:
    assert matches("new york city", strong=True) == []
    assert matches("New York city", strong=True) == [(0, 2, "new york")]
    assert matches("new York", strong=True) == [(1, 2, "york")]
    assert matches("House of Cards", strong=True) == [(0, 3, "house of cards")]
    assert matches("House of cards", strong=True) == []
    assert matches("1999 Tour", strong=True) == [(0, 2, "1999 tour")]


@pytest.mark.parametrize("strong", [False, True])
def test_a_bare_number_or_nothing_but_stop_words_is_no_match(strong: bool) -> None:
    assert matches("The Who in 1999", strong=strong) == []


@given(st.lists(st.sampled_from(["a", "b", "cc"]), max_size=12), st.sets(st.sampled_from(["b", "b cc", "cc b b"])))
def test_every_match_is_a_known_name_of_the_words_it_covers(said: list[str], keys: set[str]) -> None:
    found = words.NameIndex(keys).scan(words.tokens(" ".join(said)), strong=False)
    assert all(key in keys and " ".join(said[start:end]) == key for start, end, key in found)
    assert all(one[1] <= two[0] for one, two in pairwise(found))


def test_what_is_storable_has_no_nul_and_no_lone_surrogate() -> None:
    assert words.storable("a\0b \ud800 é") == "a b ? é"
