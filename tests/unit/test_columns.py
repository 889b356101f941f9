"""Columns as numbers: the first of equal rows, places among others."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from mosaic_sql.ingest.columns import codes_of, encoded, first_rows, places_in

SMALL = st.sampled_from([None, "a", "b", "", "é"])


@given(st.lists(st.tuples(SMALL, SMALL, st.integers(-3, 2**61)), max_size=12))
def test_the_first_of_equal_rows_is_found_in_order(rows: list[tuple[str | None, str | None, int]]) -> None:
    columns = list(zip(*rows, strict=True)) or [[], [], []]
    texts = [pa.chunked_array([column[:4], column[4:]], pa.string()) for column in columns[:2]]
    numbers = np.array(columns[2], dtype=np.int64)
    assert first_rows(*map(codes_of, texts), numbers).tolist() == [rows.index(row) for row in dict.fromkeys(rows)]


@given(st.lists(st.integers(-2, 9), max_size=30))
def test_the_first_of_few_distinct_numbers_is_found_in_order(numbers: list[int]) -> None:
    found = first_rows(np.array(numbers, dtype=np.int64))
    assert found.tolist() == [numbers.index(number) for number in dict.fromkeys(numbers)]


@given(st.lists(SMALL, max_size=8), st.lists(st.sampled_from("abcd"), unique=True, max_size=4))
def test_a_value_stands_where_it_is_among_others(column: list[str | None], values: list[str]) -> None:
    wanted = [values.index(value) if value in values else -1 for value in column]
    for given_column in (pa.array(column, pa.string()), encoded(pa.array(column, pa.string()))):
        assert places_in(given_column, pa.array(values, pa.string())).tolist() == wanted


def test_numbers_far_apart_are_told_apart() -> None:
    """Nine codes times this span pass 64 bits, and the last came round to the first."""
    numbers = np.array([8, 2**61, 1, 1, 1, 1, 1, 1, 0], dtype=np.int64)
    assert first_rows(np.arange(9), numbers).tolist() == list(range(9))
