"""Refine controls held against the schema of a file, before anything runs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_sql.errors import PolicyError
from mosaic_sql.policy import PART_OF, Filter, Policy, RefinePolicy, clamp, default_policy
from mosaic_sql.records import Catalogue, Property
from mosaic_sql.refine import answer_label, interval, period, plan, resolve, told, window

CATALOGUE = Catalogue(
    0,
    9,
    9,
    0,
    ("city", "person", "war"),
    ((0, "country"), (1, "held"), (2, "release_year")),
    (("city", "country", "country", 3),),
    (
        Property("edge", "held", "start", "date", 3),
        Property("edge", "held", "end", "date", 2),
        Property("node", "city", "population", "number", 5),
        Property("node", "city", "a/b~c", "text", 5),
        Property("node", "war", "startDate", "date", 5),
        Property("node", "war", "end_date", "date", 4),
        Property("relation", "film", "release_year", "date", 8),
    ),
)


def planned(**controls: Any) -> Any:
    return plan(Policy.parse(controls, base=default_policy("meta_path")), CATALOGUE)


def test_an_attribute_is_found_by_its_words() -> None:
    for name in ("release_year", "release year", "releaseYear", "Release Year"):
        (row,) = planned(attribute=name).lookups
        assert (row["owner"], row["relation_id"], row["type"], row["pointer"]) == ("relation", 2, "date", None)
    (row,) = planned(attribute="start date").lookups
    assert (row["owner"], row["pointer"]) == ("node", "/startDate")
    (row,) = planned(attribute="a/b~c").lookups
    assert row["pointer"] == "/a~1b~0c"
    (row,) = planned(attribute="name").lookups
    assert (row["owner"], row["type"]) == ("name", "text")


@pytest.mark.parametrize(
    ("controls", "message"),
    [
        ({"attribute": "popluation"}, "attribute: no property `popluation`; did you mean `population`?"),
        ({"attribute": "zzz"}, r"attribute: no property `zzz`; there are `a/b~c`, `end`"),
        ({"attribute": "population", "attribute_owner": "edge"}, "no property `population`; there are `end`, `start`"),
        ({"filters": "[" * 100_000}, "filters: no list; write one item, or a JSON list of them"),
        ({"filters": "population > many"}, "filters: population is compared as a number, and `many` is none"),
        ({"filters": "release_year between 1990 and then"}, "compared as a date, and `then` is none"),
        ({"filters": "name between a and b"}, "filters: name is a text, `between` compares numbers and dates"),
        ({"source_kind": "citty"}, "refine: no node kind `citty`; did you mean `city`?"),
        ({"overlap_kind": "city"}, "overlap_kind: the nodes of kind `city` have no properties that are dates"),
        ({"degree_of": "country / ^country"}, r"degree_of: takes a pattern of one step, such as author \| \^editor"),
        (
            {"during": "soon"},
            "during: `soon` is no time; write a date, `1983 to 1990`, or before",
        ),
        ({"during": "since 1990 to 1995"}, "during: `since 1990 to 1995` is no time"),
        ({"degree_of": "contry"}, "no relation `contry`; did you mean `country`?"),
        ({"count_only": True, "operator": "beam"}, "refine: beam has no answers to refine; use operator meta_path"),
        ({"answers_from": "kind", "source_kind": "city", "operator": "bfs"}, "goes with operator meta_path, not bfs"),
    ],
)
def test_what_does_not_fit_is_one_clear_line(controls: dict[str, Any], message: str) -> None:
    with pytest.raises(PolicyError, match=message.replace("?", r"\?")) as caught:
        planned(**controls)
    assert "\n" not in str(caught.value)


def test_filters_are_typed_by_their_attribute() -> None:
    found = planned(
        filters=["population >= 1,000", "release_year between 1990s and 2001-02", "name contains x"]
    ).filters
    assert [(row["number"], row["compare"], row["low"], row["high"]) for row in found] == [
        (1, ">=", 1000.0, 1000.0),
        (2, "between", 19900101.0, 20010231.0),
        (3, "contains", None, None),
    ]


def test_an_interval_is_a_start_and_an_end_by_name() -> None:
    rows = planned(overlap_kind="war").lookups
    assert [(row["number"], row["owner"], row["pointer"], row["type"]) for row in rows] == [
        (101, "edge", "/start", "date"),
        (102, "edge", "/end", "date"),
        (103, "node", "/startDate", "date"),
        (104, "node", "/end_date", "date"),
    ]
    alone = [Property("node", "game", "day", "date", 1)]
    assert interval(alone) == (alone, alone)
    assert interval([Property("node", "game", "colour", "text", 1)]) == ([], [])


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("1981", 19810101, 19811231),
        ("1983-05 to 1990", 19830501, 19901231),
        ("the 1980s", None, None),
        ("1980s", 19800101, 19891231),
        ("before 1986", None, 19860100),
        ("until May 1986", None, 19860531),
        ("after 1990", 19901232, None),
        ("since 3 May 1990", 19900503, None),
    ],
)
def test_a_time_is_a_first_and_a_last_day(text: str, first: int | None, last: int | None) -> None:
    if first is None and last is None:
        with pytest.raises(PolicyError):
            window(text)
        return
    found = window(text)
    assert found == (-1e12 if first is None else first, 1e12 if last is None else last)


def test_the_spell_of_an_edge_is_what_its_relation_has() -> None:
    rows = planned(during="1981").lookups
    assert [(row["number"], row["owner"], row["pointer"], row["type"]) for row in rows] == [
        (101, "edge", "/start", "date"),
        (102, "edge", "/end", "date"),
    ]


def test_nothing_asked_is_nothing_planned() -> None:
    assert planned().lookups == planned().filters == ()
    assert plan(default_policy("beam"), CATALOGUE).lookups == ()
    assert not RefinePolicy().is_active
    assert RefinePolicy(limit=3).is_active


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("12", "number", (12.0, 12.0)),
        ("-1,234.5", "number", (-1234.5, -1234.5)),
        ("", "number", None),
        ("1,2", "number", None),
        ("nan", "number", None),
        ("1990", "date", (19900101.0, 19901231.0)),
        ("1990-02", "date", (19900201.0, 19900231.0)),
        ("+1990-02-03T00:00:00Z", "date", (19900203.0, 19900203.0)),
        ("1990-00-00", "date", (19900101.0, 19901231.0)),
        ("-0044-03-15", "date", (-439685.0, -439685.0)),
        ("3 May 1990", "date", (19900503.0, 19900503.0)),
        ("may 1990", "date", (19900501.0, 19900531.0)),
        ("1990s", "date", (19900101.0, 19991231.0)),
        ("soon", "date", None),
    ],
)
def test_periods(text: str, kind: str, found: tuple[float, float] | None) -> None:
    assert period(text, kind) == found


@given(st.dates(), st.dates())
def test_days_keep_their_order(one: Any, other: Any) -> None:
    days = [period(day.isoformat(), "date") for day in (one, other)]
    assert days[0] is not None and days[1] is not None
    assert (days[0] < days[1]) == (one < other)
    assert days[0][0] == days[0][1]


@pytest.mark.parametrize(
    ("text", "filter"),
    [
        ("population > 5", Filter(attribute="population", compare=">", value="5")),
        ("release year>=1990", Filter(attribute="release year", compare=">=", value="1990")),
        ("name != O'Brien", Filter(attribute="name", compare="!=", value="O'Brien")),
        ("a between 1 and 2", Filter(attribute="a", compare="between", value="1", high="2")),
        ("name contains and so on", Filter(attribute="name", compare="contains", value="and so on")),
    ],
)
def test_a_filter_is_written_as_one_text(text: str, filter: Filter) -> None:
    assert Filter.model_validate(text) == filter
    assert Filter.model_validate(str(filter)) == filter


def test_controls_from_the_command_line_are_texts() -> None:
    policy = Policy.parse({"filters": '["a > 1", "b = x"]', "arms": "^r", "limit": "3", "count_only": "true"})
    assert [str(item) for item in policy.refine.filters] == ["a > 1", "b = x"]
    assert (policy.refine.arms, policy.refine.limit, policy.refine.count_only) == (("^r",), 3, True)
    assert Policy.parse(policy.model_dump()) == policy


@pytest.mark.parametrize(
    ("controls", "message"),
    [
        ({"sort_by": "attribute"}, "sort_by `attribute` needs an attribute"),
        ({"extreme": True}, "extreme needs sort_by"),
        ({"aggregate": "sum"}, "aggregate needs an attribute, or a number in sort_by"),
        ({"answers_from": "kind"}, "answers_from `kind` needs source_kind"),
        ({"filters": "nonsense"}, "write NAME < VALUE"),
        ({"filters": "[1"}, "no list"),
        ({"filters": "a between 3"}, "`between` takes a low and a high value"),
        ({"offset": -1}, "offset"),
    ],
)
def test_controls_that_cannot_be_meant(controls: dict[str, Any], message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        Policy.parse(controls)


def test_no_model_proposes_what_comes_after_the_walk() -> None:
    policy, corrections = clamp({"count_only": True, "attribute": "x", "beam_width": 5}, "beam")
    assert not policy.refine.is_active
    assert {correction.field for correction in corrections} == {"count_only", "attribute"}
    assert {name for name, part in PART_OF.items() if part == "refine"} == set(RefinePolicy.model_fields)


def test_controls_in_words_and_what_a_value_is() -> None:
    refine = RefinePolicy(filters=("a > 1", "b = x"), sort_by="edges", limit=2)  # type: ignore[arg-type]
    assert told(refine) == "filters a > 1 and b = x, sort_by edges, limit 2"
    assert answer_label(refine) == "edges"
    assert answer_label(RefinePolicy(attribute="a", sort_by="attribute")) == "a"
    assert answer_label(RefinePolicy(having="=", having_count=2)) == "edges"
    assert answer_label(RefinePolicy(count_only=True)) is None


def test_an_exact_name_wins_over_the_same_words() -> None:
    known = [Property("node", "a", "birthYear", "date", 1), Property("node", "b", "birth_year", "text", 9)]
    assert resolve("birthYear", "any", known) == known[:1]
    assert [one.name for one in resolve("Birth year", "any", known)] == ["birth_year", "birthYear"]
