"""Adjacency in memory, offered to SQL as vectorised functions, with the nodes that it joins.

A join inside a recursion scans the adjacency once per depth; `adjacent` looks a node up in two array reads. The
functions hold arrays that nobody writes and never ask the engine anything, so any number of cursors and threads may
call them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mosaic_sql.database import Database
from mosaic_sql.resident.nodes import BYTES_PER_NODE, Nodes, flat, numbers

STEP = "STRUCT(neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, forward BOOLEAN)[]"
STEP_COLUMNS = ("neighbour_id", "edge_id", "relation_id", "forward")
BYTES_PER_STEP = 13
_BYTES_PER_START = 8


@dataclass(frozen=True)
class Resident:
    """The steps out of node `n` are rows `starts[n]` to `starts[n + 1]`; the name of relation `r` is `relations[r]`."""

    starts: NDArray[np.int64]
    steps: tuple[pa.Array, ...]
    relations: pa.Array
    nodes: Nodes

    @classmethod
    def load(cls, database: Database, *, memory_budget: int | None = None) -> Resident | None:
        """The arrays of a corpus; None where they would take more than `memory_budget` bytes (no budget: no limit)."""
        ((steps, top_node_id, name_bytes, vectors, dimension),) = database.rows("walk.resident_size")
        size = steps * BYTES_PER_STEP + name_bytes + vectors * dimension * 4
        size += (top_node_id + 2) * (BYTES_PER_NODE + _BYTES_PER_START)
        if memory_budget is not None and size > memory_budget:
            return None
        starts, columns = _adjacency(database.table("walk.load_adjacency"), top_node_id + 1)
        nodes = Nodes.load(database, top_node_id + 1, dimension)
        return cls(starts, columns, _by_number(database.rows("link.relations")), nodes)

    @property
    def bytes(self) -> int:
        """Memory the arrays hold."""
        return int(self.starts.nbytes + sum(column.nbytes for column in self.steps) + self.nodes.bytes)

    @property
    def widest(self) -> int:
        """Steps of the node with most."""
        return int(np.diff(self.starts).max(initial=0))

    def register(self, database: Database) -> None:
        """Create the SQL functions of the same names; cursors share them."""
        self.nodes.register(database)
        database.create_function("adjacent", self.adjacent, ["INTEGER"], STEP)
        database.create_function("path_of", self.path_of, ["INTEGER[]", "INTEGER[]"], "VARCHAR")

    def adjacent(self, node_ids: pa.Array) -> pa.Array:
        """The steps out of each node in stored order; an empty list for NULL and for what is no node."""
        ids = self._known(node_ids)
        first = self.starts[ids]
        return lists_of(first, np.where(ids < 0, 0, self.starts[ids + 1] - first), self.steps)

    def step_of(self, node_ids: pa.Array, edge_ids: pa.Array) -> pa.Array:
        """What the edge beside each node is as a step out of it; NULL for one that is no step of it."""
        ids = self._known(node_ids)
        wanted = flat(edge_ids).fill_null(-1).to_numpy(zero_copy_only=False)
        edges = self.steps[1].to_numpy()
        low, ends = np.where(ids < 0, 0, self.starts[ids]), np.where(ids < 0, 0, self.starts[ids + 1])
        high = ends
        while np.any(open_ := low < high):  # the steps of a node are in the order of their edges
            middle = (low + high) // 2
            is_less = edges[np.minimum(middle, len(edges) - 1)] < wanted
            low, high = np.where(open_ & is_less, middle + 1, low), np.where(open_ & ~is_less, middle, high)
        place = np.minimum(low, max(0, len(edges) - 1))
        found = (low < ends) & (edges[place] == wanted) if len(edges) else low < ends
        taken = [self.steps[column].take(pa.array(place, mask=~found)) for column in (2, 3)]
        return pa.StructArray.from_arrays(taken, names=("relation_id", "forward"), mask=pa.array(~found))

    def path_of(self, nodes: pa.Array, edges: pa.Array) -> pa.Array:
        """Paths written out up to the last arrow, which points as the edge does: `A -wrote-> B <-reads- `."""
        nodes, edges = flat(nodes), flat(edges)
        counts = edges.value_lengths().to_numpy()
        firsts = nodes.offsets.to_numpy()[:-1] - nodes.offsets[0].as_py()
        left = nodes.flatten().take(pa.array(rows_of(firsts.astype(np.int64), counts)))  # all but the last of each path
        step = self.step_of(left, edges.flatten())
        forward = step.field("forward")
        pieces = pc.binary_join_element_wise(
            self.nodes.named(self.nodes.of(numbers(left))),
            pc.if_else(forward, " -", " <-"),
            self.relations.take(step.field("relation_id")),
            pc.if_else(forward, "-> ", "- "),
            "",
        )
        offsets = pa.array(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32))
        return pc.binary_join(pa.ListArray.from_arrays(offsets, pieces), "")

    def _known(self, node_ids: pa.Array) -> NDArray[np.int64]:
        """The ids as numbers, -1 for NULL and for ids outside of the arrays."""
        ids = numbers(node_ids)
        return np.where((ids >= 0) & (ids < len(self.starts) - 1), ids, -1)


def starts_of(owners: NDArray[np.integer], count: int) -> NDArray[np.int64]:
    """Where the rows of each of `count` owners begin, and the end of the last, in a table in their order."""
    starts = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(owners, minlength=count), out=starts[1:])
    return starts


def rows_of(firsts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of some runs, one run after the other, each from its first row on."""
    ends = np.cumsum(counts)
    # row k of the answer is row k of its run: the run's first row, plus k less the rows of earlier runs
    rows: NDArray[np.int64] = np.repeat(firsts - (ends - counts), counts) + np.arange(ends[-1] if len(ends) else 0)
    return rows


def lists_of(firsts: NDArray[np.int64], counts: NDArray[np.int64], steps: Sequence[pa.Array]) -> pa.Array:
    """Runs of steps, each from its first row on, as lists of structs."""
    rows = pa.array(rows_of(firsts, counts))
    taken = [column.take(rows) for column in steps]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.StructArray.from_arrays(taken, names=STEP_COLUMNS))


def _adjacency(table: pa.Table, count: int) -> tuple[NDArray[np.int64], tuple[pa.Array, ...]]:
    node_ids, edge_ids = table["node_id"].to_numpy(), table["edge_id"].to_numpy()
    is_same = node_ids[1:] == node_ids[:-1]
    if np.any((node_ids[1:] < node_ids[:-1]) | (is_same & (edge_ids[1:] < edge_ids[:-1]))):
        order = np.lexsort((edge_ids, node_ids))  # a file written elsewhere need not be in order
        table, node_ids = table.take(pa.array(order)), node_ids[order]
    return starts_of(node_ids, count), tuple(flat(table[name]) for name in STEP_COLUMNS)


def _by_number(rows: Sequence[tuple[int, str]]) -> pa.Array:
    """Names in the places of their numbers."""
    names: list[str | None] = [None] * (1 + max((number for number, _ in rows), default=-1))
    for number, name in rows:
        names[number] = name
    return pa.array(names, pa.string())
