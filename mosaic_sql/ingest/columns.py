"""Columns of a table as numbers: each distinct value once, which rows say the same, places among other values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

CODED = pa.dictionary(pa.int32(), pa.string())
"""Text of which each distinct value is held once."""
_LARGEST = 2**62
_DENSE = 4
"""Distinct values that a row may count for, for a table of them to be cheaper than a sort."""

Codes = NDArray[np.integer]


def encoded(column: Any) -> pa.DictionaryArray:
    """A column, each distinct value once; one that is so already is only put in one piece."""
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    if chunked.null_count == len(chunked) and chunked.type in (pa.string(), CODED):
        return pa.nulls(len(chunked), CODED)
    if not pa.types.is_dictionary(chunked.type):
        chunked = chunked.dictionary_encode()
    chunks = chunked.unify_dictionaries().chunks
    if not chunks:
        return pa.array([], chunked.type)
    if len(chunks) == 1:
        return chunks[0]
    return pa.DictionaryArray.from_arrays(pa.concat_arrays([chunk.indices for chunk in chunks]), chunks[0].dictionary)


def codes_of(column: Any) -> Codes:
    """The number of each row's value among the distinct ones, -1 for null."""
    return _numbers(encoded(column).indices)


def flat(column: Any) -> pa.Array:
    """A column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def plain(column: Any) -> Any:
    """A column of text as text; the reverse of `encoded`."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def places_in(column: Any, values: pa.Array) -> Codes:
    """Where the value of each row stands in `values`, -1 for null and for what is not there."""
    coded = encoded(column)
    return np.append(_numbers(pc.index_in(coded.dictionary, values)), -1)[_numbers(coded.indices)]


def all_in(column: Any, values: pa.Array) -> bool:
    """Whether every value of a column is in `values`."""
    return bool(pc.all(pc.is_in(encoded(column).dictionary, values), min_count=0).as_py())


def any_in(column: Any, values: pa.Array) -> bool:
    """Whether some value of a column is in `values`."""
    return bool(pc.any(pc.is_in(encoded(column).dictionary, values), min_count=0).as_py())


def _numbers(indices: pa.Array) -> Codes:
    numbers = indices.fill_null(-1) if indices.null_count else indices
    found: Codes = numbers.to_numpy(zero_copy_only=False)
    return found


def first_rows(*columns: NDArray[Any]) -> Codes:
    """The row numbers of the first row of each distinct combination, ascending."""
    mixed, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        low = int(column.min(initial=0))
        span = int(column.max(initial=0)) - low + 1
        if size * span >= _LARGEST:  # the distinct ones of each are as many as there are rows, at most
            mixed, column = (np.unique(one, return_inverse=True)[1] for one in (mixed, column))
            low, size, span = 0, int(mixed.max()) + 1, int(column.max()) + 1
        if span > 1:
            mixed, size = mixed * span + (column - low), size * span
    if size <= _DENSE * len(mixed):  # few values: each has a cell, the last to write is the first row of its kind
        numbers = np.arange(len(mixed))
        firsts = np.empty(size, dtype=np.int64)
        firsts[mixed[::-1]] = numbers[::-1]
        return np.flatnonzero(firsts[mixed] == numbers)
    ordered = np.sort(mixed)
    repeated = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not len(repeated):
        return np.arange(len(mixed))
    places = np.minimum(np.searchsorted(repeated, mixed), len(repeated) - 1)
    doubtful = np.flatnonzero(repeated[places] == mixed)
    is_first = np.ones(len(mixed), dtype=bool)
    is_first[doubtful] = False
    is_first[doubtful[np.unique(mixed[doubtful], return_index=True)[1]]] = True
    return np.flatnonzero(is_first)


def but_grades(columns: Mapping[str, str], text: Callable[[str], Any]) -> Mapping[str, str]:
    """Without `evidence` as a fact where that holds single words (high, OMIM); `text` gives the column of a role."""
    if columns.get("fact", "").strip().casefold() != "evidence":
        return columns
    spaced = pc.any(pc.match_substring_regex(text("fact"), r"\S\s+\S")).as_py()
    return {role: name for role, name in columns.items() if spaced or role != "fact"}
