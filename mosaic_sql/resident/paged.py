"""Adjacency read as a walk asks for it: for the first questions to a large file, and for graphs larger than memory.

A join of the frontier with the stored adjacency reads the row groups that hold it and no more, but not inside a
recursion, where the engine scans the whole table at every depth. So a stage is run over the steps that were read so
far; the nodes it asked for in vain are read by one join, and it is run again until it lacks nothing. Its last run has
seen every step it asked for, so its rows are those of the other forms.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mosaic_sql.database import Database
from mosaic_sql.resident.graph import BYTES_PER_STEP, STEP, STEP_COLUMNS, flat, lists_of


@dataclass(frozen=True)
class _Read:
    """What was read, never changed: `counts[i]` steps from `firsts[i]` on are of node `node_ids[i]`, ascending."""

    node_ids: NDArray[np.int64]
    firsts: NDArray[np.int64]
    counts: NDArray[np.int64]
    steps: tuple[pa.Array, ...]

    def places(self, node_ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where each node stands, -1 for those not read."""
        if not len(self.node_ids):
            return np.full(len(node_ids), -1)
        places = np.minimum(np.searchsorted(self.node_ids, node_ids), len(self.node_ids) - 1)
        return np.where(self.node_ids[places] == node_ids, places, -1)


class Paged:
    """The steps that walks have asked for so far; cursors share them."""

    def __init__(self) -> None:
        nothing = np.zeros(0, dtype=np.int64)
        steps = [pa.array([], pa.bool_() if name == "forward" else pa.int32()) for name in STEP_COLUMNS]
        self._read = _Read(nothing, nothing, nothing, tuple(steps))
        self._lacking: set[int] = set()
        self._lock, self._reading = threading.Lock(), threading.Lock()

    @property
    def step_count(self) -> int:
        """Steps that were read."""
        return len(self._read.steps[0])

    @property
    def bytes(self) -> int:
        """Memory that what was read takes."""
        return self.step_count * BYTES_PER_STEP + 3 * self._read.node_ids.nbytes

    def register(self, database: Database) -> None:
        """Create the SQL function `adjacent(node_id)` over what was read, and have stages run again that lack some."""
        database.create_function("adjacent", self.adjacent, ["INTEGER"], STEP)
        database.run_again_while(self.watch)

    def adjacent(self, node_ids: pa.Array) -> pa.Array:
        """The steps out of each node as `Resident.adjacent`; of one that was not read none, and it is marked."""
        read = self._read
        ids = flat(node_ids).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        places = read.places(ids)
        lacking = ids[(places < 0) & (ids >= 0)]
        if len(lacking):
            with self._lock:
                self._lacking.update(lacking.tolist())
        if not len(read.node_ids):
            return lists_of(np.zeros(len(ids), dtype=np.int64), np.zeros(len(ids), dtype=np.int64), read.steps)
        return lists_of(read.firsts[places], np.where(places < 0, 0, read.counts[places]), read.steps)

    def watch(self) -> Callable[[Database], bool]:
        """Call before a stage runs; what it gives, after: it reads what was lacking, and says whether to run again.

        Another connection may have read, or be reading, what this one lacked: what was read since counts as lacking.
        """
        before = self._read

        def lacked(database: Database) -> bool:
            with self._reading:
                self._read_lacking(database)
                return self._read is not before

        return lacked

    def _read_lacking(self, database: Database) -> None:
        with self._lock:
            lacking, self._lacking = sorted(self._lacking), set()
        wanted = np.array(lacking, dtype=np.int64)
        wanted = wanted[self._read.places(wanted) < 0]
        if len(wanted):
            with database.registered(incoming=pa.table({"node_id": wanted.astype(np.int32)})):
                self._read = _joined(self._read, wanted, database.table("walk.load_steps"))


def _joined(read: _Read, wanted: NDArray[np.int64], table: pa.Table) -> _Read:
    """What was read before and now."""
    owners = table["node_id"].to_numpy()
    firsts = np.searchsorted(owners, wanted)
    counts = np.searchsorted(owners, wanted, side="right") - firsts
    node_ids = np.concatenate([read.node_ids, wanted])
    order = np.argsort(node_ids)
    steps = [pa.concat_arrays([old, flat(table[name])]) for name, old in zip(STEP_COLUMNS, read.steps, strict=True)]
    return _Read(
        node_ids[order],
        np.concatenate([read.firsts, firsts + len(read.steps[0])])[order],
        np.concatenate([read.counts, counts])[order],
        tuple(steps),
    )
