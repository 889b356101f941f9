"""Word families and the names of relations read as English."""

from __future__ import annotations

import pytest

from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.lexicon import entries_at, is_noun, is_verb, label, parts


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("place of birth", "place of birth"),
        ("place_of_birth", "place of birth"),
        ("placeOfBirth", "place of birth"),
        ("P_19 place of birth", "place of birth"),
        ("P19: place of birth", "place of birth"),
        ("/people/person/place_of_birth", "place of birth"),
        ("people.person.place_of_birth", "place of birth"),
        ("http://example.org/ontology/placeOfBirth", "place of birth"),
        ("dbo:placeOfBirth", "place of birth"),
        ("TREATS", "treats"),
        ("Compound - treats - Disease", "treats"),
        ("HTTPServer", "http server"),
        ("née", "nee"),
    ],
)
def test_a_name_is_read_whatever_its_style(name: str, expected: str) -> None:
    assert " ".join(parts(name)) == expected


@pytest.mark.parametrize(
    ("name", "family", "one_is_target"),
    [
        ("directed_by", "direct", True),
        ("director", "direct", True),
        ("directs", "direct", False),
        ("starred_actors", "star", True),
        ("has_genre", "genre", True),
        ("author_of", "write", False),
        ("member_of", "member", False),
        ("TREATS", "treat", False),
        ("treated_by", "treat", True),
        ("born_in", "birth place", True),
        ("place of birth", "birth place", True),
        ("parent", "parent", True),
        ("child", "parent", False),
        ("cited_by", "cite", True),
        ("capital", "capital", True),
        ("capital_of", "capital", False),
    ],
)
def test_the_form_of_a_name_tells_which_end_it_stands_for(name: str, family: str, one_is_target: bool) -> None:
    assert label(name).families[family] is one_is_target


@pytest.mark.parametrize(
    ("name", "family"),
    [("founded_by", "founding date"), ("book", "rating"), ("country", "leader"), ("frobnicates", "cause")],
)
def test_a_family_that_only_shares_a_word_is_not_that_of_a_name(name: str, family: str) -> None:
    assert family not in label(name).families


def test_light_words_weigh_little() -> None:
    read = label("release_year")
    assert read.weight("releas") > 3 * read.weight("year") > 0
    assert read.weight("releas") + read.weight("year") == pytest.approx(1.0)
    assert read.weight("month") == 0.0


@pytest.mark.parametrize(
    ("form", "noun", "same"),
    [("movies", "movie", True), ("countries", "country", True), ("boxes", "box", True), ("class", "clas", False),
     ("films", "movie", False), ("gas", "ga", False)],
)  # fmt: skip
def test_plurals_are_nouns_too(form: str, noun: str, same: bool) -> None:
    assert is_noun(form, noun) is same


@pytest.mark.parametrize(
    ("form", "verb", "same"),
    [("wrote", "write", True), ("written", "write", True), ("directed", "direct", True), ("director", "direct", False),
     ("discovers", "discover", True), ("sang", "sing", True), ("employer", "employ", False)],
)  # fmt: skip
def test_inflected_verbs_are_verbs_and_who_does_it_is_not(form: str, verb: str, same: bool) -> None:
    assert is_verb(form, verb) is same


def test_phrases_are_found_where_they_stand() -> None:
    forms = "what is the date of birth of".split()
    assert {(entry.family, entry.role) for entry in entries_at(forms, 3) if len(entry.forms) == 3} == {
        ("birth date", "one")
    }
    assert entries_at(forms, 6) == []


def test_the_data_is_well_formed() -> None:
    known = lexicon.lexicon()
    assert len(known.families) > 100
    assert {family.asks for family in known.families.values()} == {"who", "where", "when", "what", "many"}
    marks = {entry.mark for entries in known.entries.values() for entry in entries}
    assert marks == {"", "<", "-", "~"}
    assert all(entry.forms for entries in known.entries.values() for entry in entries)
