"""Vectors that come with a table of nodes: lists of numbers, or JSON texts of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql.errors import IngestError
from mosaic_sql.ingest.sheet import loads, short

if TYPE_CHECKING:
    from mosaic_sql.ingest.sheet import Sheet

VECTOR = pa.list_(pa.float32())


def given_vectors(sheet: Sheet, rows: pa.ChunkedArray) -> pa.ChunkedArray:
    """The vectors of some rows of a table, null where there is none; all are of one length, finite and not zero.

    Raises:
        IngestError: a value that is no such vector (naming the line), or vectors of different lengths.
    """
    column = sheet.column("vector")
    if column.null_count == len(column):
        return pa.chunked_array([pa.nulls(len(rows), VECTOR)])
    where = rows.to_numpy()
    if len(where) < len(column) or np.any(where != np.arange(len(where))):
        column = column.take(rows)

    def fail(row: int, why: object) -> IngestError:
        return IngestError(f"{sheet.place}: vector of {sheet.line(int(where[row]))}: {short(why)}")

    if _is_of_numbers(column.type):
        lists = column.cast(VECTOR)
    else:
        texts = column if pa.types.is_nested(column.type) else sheet.text("vector").take(rows)
        lists = pa.chunked_array([pa.array(list(_parsed(texts, fail)), VECTOR)])
    _check(lists, sheet.place, fail)
    return lists


def _is_of_numbers(kind: pa.DataType) -> bool:
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return bool(is_list and (pa.types.is_floating(kind.value_type) or pa.types.is_integer(kind.value_type)))


def _parsed(column: pa.ChunkedArray, fail: Callable[[int, object], IngestError]) -> Iterator[list[float] | None]:
    """Vectors value by value, of texts and of lists of anything."""
    for row, value in enumerate(column.to_pylist()):
        try:
            yield None if value is None else _vector(value)
        except (ValueError, TypeError) as error:
            raise fail(row, error) from error


def _vector(value: Any) -> list[float]:
    numbers = loads(value) if isinstance(value, str) else value
    if not isinstance(numbers, list):
        raise ValueError("expected a list of numbers")
    vector = [float(number) for number in numbers]
    if not all(math.isfinite(number) for number in vector):
        raise ValueError("a number is not finite")
    return vector


def _check(column: pa.ChunkedArray, place: str, fail: Callable[[int, object], IngestError]) -> None:
    """Every vector is made of finite numbers, not all zero, and as long as the others."""
    first, lengths = 0, set()
    for chunk in column.chunks:
        owners, values = pc.list_parent_indices(chunk), chunk.flatten()
        is_wrong = pc.invert(pc.fill_null(pc.is_finite(values), False))
        if pc.any(is_wrong).as_py():
            raise fail(first + owners.filter(is_wrong)[0].as_py(), "a number is missing or not finite")
        length = pc.list_value_length(chunk)
        if (empty := pc.index(length, 0).as_py()) >= 0:
            raise fail(first + empty, "expected a list of numbers")
        lengths |= set(pc.unique(length.drop_null()).to_pylist())
        if len(lengths) > 1:
            raise IngestError(f"{place}: vectors of different lengths: {', '.join(map(str, sorted(lengths)))}")
        if lengths:
            is_zero = ~values.to_numpy().reshape(-1, *lengths).any(axis=1)
            if is_zero.any():
                row = np.flatnonzero(pc.is_valid(chunk).to_numpy(zero_copy_only=False))[int(is_zero.argmax())]
                raise fail(first + int(row), "all numbers are zero, so it has no direction")
        first += len(chunk)
