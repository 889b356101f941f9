"""Values written into SQL text mean the same value and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_sql import database as room
from mosaic_sql import errors
from mosaic_sql.database import with_literals
from mosaic_sql.sqlfiles import bound, literal

BIGINT = st.integers(-(2**63), 2**63 - 1)
SCALARS = st.one_of(st.none(), st.booleans(), BIGINT, st.floats(allow_nan=False), st.text(st.characters(codec="utf-8")))
VALUES = st.one_of(
    SCALARS,
    st.lists(BIGINT | st.none()),
    st.lists(st.text(st.characters(codec="utf-8"), max_size=9)),
    st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), min_size=1),
    st.dictionaries(st.sampled_from(["a", "B c", "it's", "$x"]), SCALARS, min_size=1),
    st.lists(st.fixed_dictionaries({"id": BIGINT, "text": st.text(max_size=5), "tags": st.lists(st.booleans())})),
)


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with room.connect() as connection:
        yield connection


def read(engine: duckdb.DuckDBPyConnection, sql: str) -> Any:
    (row,) = engine.execute(f"SELECT {sql} AS value").fetchall()
    return row[0]


@given(value=VALUES)
def test_a_literal_is_read_back_as_the_value(engine: duckdb.DuckDBPyConnection, value: Any) -> None:
    assert read(engine, literal(value)) == value


@given(value=BIGINT | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8")))
def test_a_literal_means_what_the_bound_value_means(engine: duckdb.DuckDBPyConnection, value: Any) -> None:
    kind = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}[type(value)]
    meant = engine.execute(f"SELECT $value::{kind}", {"value": value}).fetchall()
    assert engine.execute(with_literals(f"SELECT $value::{kind}", {"value": value})).fetchall() == meant


@pytest.mark.parametrize(
    "value",
    [
        "it's", "''", "\\", "a\nb", "a\0b", "é😀", "$x -- /* */", -1, -(2**31), -(2**63), 2**63, 1e300, 5e-324,
        -0.5, 0.1, float("inf"), -float("inf"), [], [[]], [None, 1], {"it's": [1, None]}, [{"a": 1}, {"a": None}],
        (1, 2), True, np.float64(0.25), np.float64("-inf"),
    ],
    ids=repr,
)  # fmt: skip
def test_awkward_values_keep_their_meaning(engine: duckdb.DuckDBPyConnection, value: Any) -> None:
    assert read(engine, literal(value)) == (list(value) if isinstance(value, tuple) else value)


def test_not_a_number_stays_one(engine: duckdb.DuckDBPyConnection) -> None:
    value = read(engine, literal(float("nan")))
    assert value != value


@pytest.mark.parametrize("value", [b"ab", object(), {1, 2}, np.array([1])], ids=lambda value: type(value).__name__)
def test_a_value_without_a_literal_is_refused(value: object) -> None:
    with pytest.raises(errors.QueryError, match=f"type {type(value).__name__} cannot be written into SQL"):
        literal(value)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT $a, $ab", "SELECT 1, $ab"),
        ("SELECT 'é文😀', $a", "SELECT 'é文😀', 1"),
        ('SELECT "é" || $a -- é $a', 'SELECT "é" || 1 -- é $a'),
        ("SELECT '$a', \"$a\", $a /* $a */ -- $a\n, $a", "SELECT '$a', \"$a\", 1 /* $a */ -- $a\n, 1"),
        ("SELECT 'it''s $a', E'\\'$a', $$ $a $$, $a", "SELECT 'it''s $a', E'\\'$a', $$ $a $$, 1"),
        ("SELECT $a$ $b $a$, $a", "SELECT $a$ $b $a$, 1"),
        ("SELECT [$a,$a]+$a||$a", "SELECT [1,1]+1||1"),
        ("SELECT FLOAT[$a], $a::INTEGER", "SELECT FLOAT[1], 1::INTEGER"),
        ("", ""),
    ],
)
def test_parameters_are_replaced_where_the_engine_reads_them(sql: str, expected: str) -> None:
    assert with_literals(sql, {"a": 1, "b": 2}) == expected


def test_a_value_is_not_searched_for_parameters() -> None:
    assert with_literals("SELECT $a, $b", {"a": "$b", "b": "$a"}) == "SELECT '$b', '$a'"


@pytest.mark.parametrize("value", [-1, -0.5])
def test_a_minus_before_a_negative_value_is_no_comment(engine: duckdb.DuckDBPyConnection, value: float) -> None:
    assert read(engine, with_literals("5 -$a", {"a": value})) == 5 - value


@pytest.mark.parametrize(("kind", "value"), [("INTEGER", -(2**31)), ("BIGINT", -(2**63)), ("SMALLINT", -(2**15))])
def test_the_lowest_number_of_a_type_can_be_cast(engine: duckdb.DuckDBPyConnection, kind: str, value: int) -> None:
    assert read(engine, with_literals(f"$a::{kind}", {"a": value})) == value


@given(vector=st.lists(st.floats(allow_nan=False, width=32), max_size=40))
def test_a_vector_bound_as_an_array_is_the_vector(engine: duckdb.DuckDBPyConnection, vector: list[float]) -> None:
    rows = [{"id": 1, "vector": tuple(vector)}, {"id": 2, "vector": None}]
    kind = "STRUCT(id INTEGER, vector FLOAT[])[]"
    meant = engine.execute(f"SELECT $rows::{kind}", {"rows": rows}).fetchall()
    assert engine.execute(f"SELECT $rows::{kind}", bound({"rows": rows})).fetchall() == meant
