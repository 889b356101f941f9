"""Values of an Arrow table for the shell, row by row, within a time: one cell may hold millions of numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql.errors import QueryTimeout

Line = tuple[Any, ...]
SHOWN = 2_000
"""Characters of a text, or items of a list, that a table looks at: a column is far narrower."""
_PIECE = 10_000
"""Items of a list between two looks at the clock."""
_ROWS = 1_000
_ENDLESS = {bits: {"infinity": 2 ** (bits - 1) - 1, "-infinity": 1 - 2 ** (bits - 1)} for bits in (32, 64)}
"""The numbers of days or parts of a second that stand for the end of time, by their width."""


class Clock:
    """Seconds of work that are left for rows to become text; to wait for a slow reader is no work."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else time.thread_time() + seconds

    def check(self) -> None:
        """Go on, or stop.

        Raises:
            QueryTimeout: no time is left.
        """
        if self._end is not None and time.thread_time() > self._end:
            raise QueryTimeout(
                "query: stopped at its time limit while rows were written, not all of them are there; "
                "raise it with --timeout, or ask for less"
            )

    def each(self, items: Sequence[Any]) -> Iterator[Any]:
        """The items of a list, with a look at the clock now and then."""
        for start in range(0, len(items), _PIECE):
            self.check()
            yield from items[start : start + _PIECE]


def lines(table: pa.Table, clock: Clock, *, brief: bool) -> Iterator[Line]:
    """The rows of a table; `brief` where long values will be cut anyway."""
    for place, column in enumerate(table.schema):
        if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):  # wider and finer than Python's own
            table = table.set_column(place, column.name, _written(table.column(place)))
        elif brief and pa.types.is_string(column.type):
            table = table.set_column(place, column.name, pc.utf8_slice_codeunits(table.column(place), 0, SHOWN))
    for batch in table.to_batches(max_chunksize=_ROWS):
        yield from zip(*(_values(column, clock, brief=brief) for column in batch.columns), strict=True)


def _written(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Dates and times as text."""
    text = column.cast(pa.string())
    for name, number in _ENDLESS[column.type.bit_width].items():
        text = pc.replace_substring(text, f"<value out of range: {number}>", name)
    return text


def _values(column: pa.Array, clock: Clock, *, brief: bool) -> Iterator[Any]:
    if not pa.types.is_list(column.type):
        clock.check()
        yield from column.to_pylist()
        return
    brief = brief and not pa.types.is_floating(column.type.value_type)  # of a vector the length is told
    for cell in column:
        yield _items(cell.values, clock, brief=brief) if cell.is_valid else None


def _items(values: pa.Array, clock: Clock, *, brief: bool) -> list[Any]:
    """A list of a cell, piece by piece."""
    found: list[Any] = []
    for start in range(0, min(len(values), SHOWN) if brief else len(values), _PIECE):
        clock.check()
        found += values.slice(start, SHOWN if brief else _PIECE).to_pylist()
    return found
