"""Columns of a table as numbers: each distinct value once, which rows say the same, places among other values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

CODED = pa.dictionary(pa.int32(), pa.string())
"""Text of which each distinct value is held once."""
_LARGEST = 2**62

Codes = NDArray[np.int64]


def encoded(column: Any) -> pa.DictionaryArray:
    """A column, each distinct value once; one that is so already is only put in one piece."""
    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
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
    codes: Codes = encoded(column).indices.fill_null(-1).to_numpy().astype(np.int64)
    return codes


def plain(column: Any) -> Any:
    """A column of text as text; the reverse of `encoded`."""
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def places_in(column: Any, values: pa.Array) -> Codes:
    """Where the value of each row stands in `values`, -1 for null and for what is not there."""
    coded = encoded(column)
    places = pc.index_in(coded.dictionary, values).fill_null(-1).to_numpy()
    indices = coded.indices.fill_null(-1).to_numpy()
    found: Codes = np.append(places, -1)[indices].astype(np.int64)
    return found


def first_rows(*columns: NDArray[Any]) -> Codes:
    """The row numbers of the first row of each distinct combination, ascending."""
    mixed, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        low = int(column.min(initial=0))
        span = int(column.max(initial=0)) - low + 1
        if size * span >= _LARGEST:
            mixed = np.unique(mixed, return_inverse=True)[1]
            size = int(mixed.max()) + 1
        mixed, size = mixed * span + (column - low), size * span
    ordered = np.sort(mixed)
    if not np.any(ordered[1:] == ordered[:-1]):
        return np.arange(len(mixed))
    return np.sort(np.unique(mixed, return_index=True)[1])
