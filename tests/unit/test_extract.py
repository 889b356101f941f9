"""Names, mentions, facts and contexts by rules."""

from __future__ import annotations

import pytest

from mosaic_sql import text as words
from mosaic_sql.ingest import extract
from mosaic_sql.ingest.extract import Fact, Mention

TEXT = "The Beatles met Bob Dylan in New York in 1964. Later, Bob Dylan wrote the long Desolation Row."
TITLES = words.NameIndex(["the beatles", "bob dylan", "new york"])


def spans(sentence: str) -> list[str]:
    return [sentence[start:end] for start, end in extract.find_spans([sentence])[0]]


def mentions(text: str, titles: words.NameIndex = TITLES) -> list[list[Mention]]:
    found = []
    for start, end in words.sentences(text):
        sentence = text[start:end]
        names = extract.find_spans([sentence])[0]
        found.append(extract.mentions(text, (start, end), words.tokens(sentence), titles, names))
    return found


@pytest.mark.parametrize(
    ("title", "body", "surfaces"),
    [
        ("Paris (Texas)", "Paris is a city in Texas.", ("Paris (Texas)", "Paris")),
        ("Marie Curie", "Maria Salomea Curie (born 1867) was one.", ("Marie Curie", "Maria Salomea Curie")),
        ("Paris", "Paris is big.", ("Paris",)),
        ("Paris", "Lyon is big.", ("Paris",)),
        ("(1999)", "Nothing.", ("(1999)",)),
        ("", "Paris is big.", ()),
        ("!!!", "Nothing.", ()),
    ],
)
def test_a_title_answers_to_itself_less_its_parenthesis_and_to_the_leading_name(
    title: str, body: str, surfaces: tuple[str, ...]
) -> None:
    assert extract.title_surfaces(title, body) == surfaces


@pytest.mark.parametrize(
    ("title", "body", "name"),
    [
        ("Ludwig van Beethoven", "Ludwig van Beethoven was a composer.", "Ludwig van Beethoven"),
        ("House of Cards", "House of Cards is a series.", "House of Cards"),
        ("The Hobbit", '"The Hobbit" is a book.', "The Hobbit"),
        ("Sunny", "The Sunny are a band.", "Sunny"),
        ("Rivers", "Rivers were once wide.", "Rivers"),
        ("Ann Lee", "Ann Lee; a singer.", "Ann Lee"),
        ("Ann Lee", "Ann Marie Lee, a singer.", "Ann Marie Lee"),
        ("Ann", "Ann and bob, friends.", None),
        ("Ann", "Bob is a friend of Ann.", None),
        ("A B C D E F G", "A B C D E F G is long.", None),
        ("Ann", "Ann", None),
        ("Ann", "", None),
    ],
)
def test_the_leading_name_is_short_capitalised_and_shares_a_word_with_the_title(
    title: str, body: str, name: str | None
) -> None:
    assert extract.leading_name(title, body) == name


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        (
            "The University of Oxford in England was founded by Henry II in 1167.",
            ["University of Oxford", "England", "Henry II", "1167"],
        ),
        ("Ludwig van Beethoven and Johann Sebastian Bach.", ["Ludwig van Beethoven", "Johann Sebastian Bach"]),
        ("Émile Zola met Ödön.", ["Émile Zola", "Ödön"]),
        ("Rock & Roll", ["Rock & Roll"]),
        ("O'Brien's Jean-Paul", ["O'Brien's Jean-Paul"]),
        ("Dr. Smith, Jr. lives here.", ["Dr. Smith", "Jr"]),
        ('He said "to be or not" and left.', ["to be or not"]),
        ("born 1999, sold 2500 and 987 and 1000", ["1999", "1000"]),
        ("In Paris the mayor spoke.", ["Paris"]),
        ("A Rainy Day", ["Rainy Day"]),
        ("The", []),
        ("Then The came.", []),
        ("nothing here", []),
        ("", []),
    ],
)
def test_names_are_known_by_their_form(sentence: str, names: list[str]) -> None:
    assert spans(sentence) == names


def test_spans_are_found_for_each_sentence_by_itself() -> None:
    assert extract.find_spans(["Ann Lee sang.", "", "in Lund"]) == [[(0, 7)], [], [(3, 7)]]


def test_both_layers_name_the_words_and_the_same_name_and_place_is_kept_once() -> None:
    assert mentions(TEXT) == [
        [
            Mention("beatles", "The Beatles", 0, 11, "title"),
            Mention("beatles", "Beatles", 4, 11, "span"),
            Mention("bob dylan", "Bob Dylan", 16, 25, "title"),
            Mention("new york", "New York", 29, 37, "title"),
            Mention("1964", "1964", 41, 45, "span"),
        ],
        [
            Mention("later", "Later", 47, 52, "span"),
            Mention("bob dylan", "Bob Dylan", 54, 63, "title"),
            Mention("desolation row", "Desolation Row", 79, 93, "span"),
        ],
    ]


def test_a_title_in_small_letters_is_not_mentioned_and_a_stop_word_never() -> None:
    assert mentions("We saw bob dylan, and It was He.") == [[]]


def test_a_fact_joins_neighbours_with_the_words_between() -> None:
    assert [extract.facts(TEXT, found) for found in mentions(TEXT)] == [
        [Fact("beatles", "bob dylan", "met"), Fact("bob dylan", "new york", "in"), Fact("new york", "1964", "in")],
        [Fact("later", "bob dylan", ""), Fact("bob dylan", "desolation row", "wrote the long")],
    ]


def test_a_name_is_not_joined_with_itself_and_long_words_between_are_cut() -> None:
    text = "Ann" + " x" * 300 + " Bob Bob"
    first, second = Mention("ann", "Ann", 0, 3, "span"), Mention("bob", "Bob", 604, 607, "span")
    third = Mention("bob", "Bob", 608, 611, "span")
    assert extract.facts(text, [first, second, third]) == [Fact("ann", "bob", ("x " * 100)[:200])]
    assert extract.facts(text, [first]) == []


def test_a_context_is_the_stems_six_words_before_and_four_after() -> None:
    text = "Zero. one two three four five six seven Paris eight nine ten eleven twelve"
    mention = Mention("paris", "Paris", 40, 45, "title")
    assert text[40:45] == "Paris"
    assert extract.context_stems(mention, 6, words.tokens(text[6:])) == [
        ("two", "before"),
        ("three", "before"),
        ("four", "before"),
        ("five", "before"),
        ("six", "before"),
        ("seven", "before"),
        ("eight", "after"),
        ("nine", "after"),
        ("ten", "after"),
        ("eleven", "after"),
    ]


def test_a_context_counts_stop_words_but_leaves_them_out_and_repeats_once() -> None:
    text = "far films of the film by Ann for the films about films"
    mention = Mention("ann", "Ann", 25, 28, "span")
    assert extract.context_stems(mention, 0, words.tokens(text)) == [
        ("far", "before"),
        ("film", "before"),
        ("film", "after"),
    ]
