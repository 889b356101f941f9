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
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mosaic_sql.database import Database
from mosaic_sql.resident.graph import BYTES_PER_STEP, STEP, STEP_COLUMNS, lists_of
from mosaic_sql.resident.nodes import flat, members

Ids = NDArray[np.int64]
_NONE: Ids = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class _Steps:
    """Steps that were read, never changed: `counts[i]` of them from `firsts[i]` on are of node `node_ids[i]`."""

    node_ids: Ids
    firsts: Ids
    counts: Ids
    steps: tuple[pa.Array, ...]

    def joined(self, wanted: Ids, table: pa.Table) -> _Steps:
        """With the steps of some nodes more."""
        owners = table["node_id"].to_numpy()
        firsts = np.searchsorted(owners, wanted)
        counts = np.searchsorted(owners, wanted, side="right") - firsts
        node_ids = np.concatenate([self.node_ids, wanted])
        order = np.argsort(node_ids)
        return _Steps(
            node_ids[order],
            np.concatenate([self.firsts, firsts + len(self.steps[0])])[order],
            np.concatenate([self.counts, counts])[order],
            tuple(
                pa.concat_arrays([old, flat(table[name])]) for name, old in zip(STEP_COLUMNS, self.steps, strict=True)
            ),
        )


@dataclass(frozen=True)
class _Kinds:
    """Kinds that were read, never changed: those of node `node_ids[i]` are the set `held[sets[i]]`."""

    node_ids: Ids
    sets: Ids
    held: tuple[frozenset[str], ...]

    def joined(self, wanted: Ids, table: pa.Table) -> _Kinds:
        """With the kinds of some nodes more; what is no node has none."""
        numbers = {one: number for number, one in enumerate(self.held)}
        found = dict(zip(table["node_id"].to_pylist(), map(frozenset, table["kinds"].to_pylist()), strict=True))
        sets = [numbers.setdefault(found.get(node_id, frozenset()), len(numbers)) for node_id in wanted.tolist()]
        node_ids = np.concatenate([self.node_ids, wanted])
        order = np.argsort(node_ids)
        return _Kinds(
            node_ids[order], np.concatenate([self.sets, np.array(sets, dtype=np.int64)])[order], tuple(numbers)
        )


class Paged:
    """The steps and kinds that walks have asked for so far; cursors share them."""

    def __init__(self) -> None:
        steps = [pa.array([], pa.bool_() if name == "forward" else pa.int32()) for name in STEP_COLUMNS]
        self._steps = _Steps(_NONE, _NONE, _NONE, tuple(steps))
        self._kinds = _Kinds(_NONE, _NONE, ())
        self._lacking: dict[str, set[int]] = {"steps": set(), "kinds": set()}
        self._lock, self._reading = threading.Lock(), threading.Lock()

    @property
    def step_count(self) -> int:
        """Steps that were read."""
        return len(self._steps.steps[0])

    @property
    def bytes(self) -> int:
        """Memory that what was read takes."""
        return self.step_count * BYTES_PER_STEP + 3 * self._steps.node_ids.nbytes + 2 * self._kinds.node_ids.nbytes

    def register(self, database: Database) -> None:
        """Create `adjacent(node_id)` and `has_kind(node_id, kind)` over what was read; lacking stages run again."""
        database.create_function("adjacent", self.adjacent, ["INTEGER"], STEP)
        database.create_function("has_kind", self.has_kind, ["INTEGER", "VARCHAR"], "BOOLEAN")
        database.run_again_while(self.watch)

    def adjacent(self, node_ids: pa.Array) -> pa.Array:
        """The steps out of each node as `Resident.adjacent`; of one that was not read none, and it is marked."""
        read = self._steps
        places = self._places("steps", read.node_ids, node_ids)
        firsts, counts = (np.append(column, 0)[places] for column in (read.firsts, read.counts))
        return lists_of(firsts, counts, read.steps)

    def has_kind(self, node_ids: pa.Array, kinds: pa.Array) -> pa.Array:
        """Whether each node is of the kind beside it as `Resident.has_kind`; one that was not read is marked."""
        read = self._kinds
        return members(np.append(read.sets, -1)[self._places("kinds", read.node_ids, node_ids)], read.held, kinds)

    def watch(self) -> Callable[[Database], bool]:
        """Call before a stage runs; what it gives, after: it reads what was lacking, and says whether to run again.

        Another connection may have read, or be reading, what this one lacked: what was read since counts as lacking.
        """
        steps, kinds = self._steps, self._kinds

        def lacked(database: Database) -> bool:
            with self._reading:
                self._steps = self._read(database, "steps", self._steps)
                self._kinds = self._read(database, "kinds", self._kinds)
                return self._steps is not steps or self._kinds is not kinds

        return lacked

    def _places(self, what: str, known: Ids, node_ids: pa.Array) -> Ids:
        """Where each node stands among the known, -1 for those that are not; those are marked."""
        ids = flat(node_ids).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        places = _places_in(ids, known)
        lacking = ids[(places < 0) & (ids >= 0)]
        if len(lacking):
            with self._lock:
                self._lacking[what].update(lacking.tolist())
        return places

    def _read(self, database: Database, what: str, read: Any) -> Any:
        """What was read and what was lacking."""
        with self._lock:
            lacking, self._lacking[what] = sorted(self._lacking[what]), set()
        wanted = np.array(lacking, dtype=np.int64)
        wanted = wanted[_places_in(wanted, read.node_ids) < 0]
        if not len(wanted):
            return read
        with database.registered(incoming=pa.table({"node_id": wanted.astype(np.int32)})):
            return read.joined(wanted, database.table(_FILES[what]))


_FILES = {"steps": "walk.load_steps", "kinds": "walk.load_node_kinds"}


def _places_in(ids: Ids, known: Ids) -> Ids:
    if not len(known):
        return np.full(len(ids), -1)
    places = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[places] == ids, places, -1)
