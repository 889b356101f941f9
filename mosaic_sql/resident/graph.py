"""Adjacency, kinds and node vectors in memory, offered to SQL as vectorised functions.

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

GRID = 16_000_000.0
"""Squared length of a vector on the 4000 grid."""

STEP = "STRUCT(neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, forward BOOLEAN)[]"
HOP = "STRUCT(relation_id INTEGER, forward BOOLEAN)"
STEP_COLUMNS = ("neighbour_id", "edge_id", "relation_id", "forward")
BYTES_PER_STEP = 13
_BYTES_PER_NODE = 16  # where its steps begin, which row its vector is, which set its kinds are


@dataclass(frozen=True)
class Resident:
    """The steps out of node `n` are rows `starts[n]` to `starts[n + 1]`; its vector is row `places[n]`, -1 for none.

    Its kinds are `kinds[kind_sets[n]]`, none for -1: few sets of kinds serve all nodes.
    """

    starts: NDArray[np.int64]
    steps: tuple[pa.Array, ...]
    places: NDArray[np.int32]
    vectors: NDArray[np.float32]
    kind_sets: NDArray[np.int32]
    kinds: tuple[frozenset[str], ...]

    @classmethod
    def load(cls, database: Database, *, memory_budget: int | None = None) -> Resident | None:
        """The arrays of a corpus; None where they would take more than `memory_budget` bytes (no budget: no limit)."""
        ((steps, top_node_id, vectors, dimension),) = database.rows("walk.resident_size")
        size = steps * BYTES_PER_STEP + (top_node_id + 2) * _BYTES_PER_NODE + vectors * dimension * 4
        if memory_budget is not None and size > memory_budget:
            return None
        starts, columns = _adjacency(database.table("walk.load_adjacency"), top_node_id + 1)
        places, stacked = _vectors(database.table("walk.load_vectors"), top_node_id + 1, dimension)
        kind_sets, kinds = _kinds(database.table("walk.load_kinds"), top_node_id + 1)
        return cls(starts, columns, places, stacked, kind_sets, kinds)

    @property
    def bytes(self) -> int:
        """Memory the arrays hold."""
        numbers = self.starts.nbytes + self.places.nbytes + self.vectors.nbytes + self.kind_sets.nbytes
        return int(numbers + sum(column.nbytes for column in self.steps))

    def register(self, database: Database) -> None:
        """Create the SQL functions of the same names; cursors share them."""
        vector = f"FLOAT[{self.vectors.shape[1]}]"
        database.create_function("adjacent", self.adjacent, ["INTEGER"], STEP)
        database.create_function("step_of", self.step_of, ["INTEGER", "INTEGER"], HOP)
        database.create_function("has_kind", self.has_kind, ["INTEGER", "VARCHAR"], "BOOLEAN")
        database.create_function("similarity", self.similarity, ["INTEGER", vector], "DOUBLE")

    def adjacent(self, node_ids: pa.Array) -> pa.Array:
        """The steps out of each node in stored order; an empty list for NULL and for what is no node."""
        ids = _known(node_ids, len(self.starts) - 1)
        first = self.starts[ids]
        return lists_of(first, np.where(ids < 0, 0, self.starts[ids + 1] - first), self.steps)

    def step_of(self, node_ids: pa.Array, edge_ids: pa.Array) -> pa.Array:
        """What the edge beside each node is as a step out of it; NULL for one that is no step of it."""
        ids = _known(node_ids, len(self.starts) - 1)
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

    def has_kind(self, node_ids: pa.Array, kinds: pa.Array) -> pa.Array:
        """Whether each node is of the kind beside it; false for NULL and for what is no node."""
        ids = _known(node_ids, len(self.kind_sets))
        sets = np.where(ids < 0, -1, self.kind_sets[ids]) if len(self.kind_sets) else ids
        return members(sets, self.kinds, kinds)

    def similarity(self, node_ids: pa.Array, questions: pa.Array) -> pa.Array:
        """Cosine of each node with the question beside it; NULL where either has no vector.

        Products on the grid are integers below 2^24, so float32 sums them exactly, in any order.
        """
        ids = _known(node_ids, len(self.places))
        places = np.where(ids < 0, -1, self.places[ids]) if len(self.places) else ids
        asked = flat(questions)
        has_vector = pc.is_valid(asked).to_numpy(zero_copy_only=False)
        known = (places >= 0) & has_vector
        beside = asked.flatten().to_numpy(zero_copy_only=False).reshape(-1, self.vectors.shape[1])
        row_of = np.cumsum(has_vector) - 1  # flatten leaves out the rows of NULL
        cosine = np.zeros(len(ids))
        products = np.einsum("ij,ij->i", self.vectors[places[known]], beside[row_of[known]])
        cosine[known] = np.minimum(1.0, products.astype(np.float64) / GRID)
        return pa.array(cosine, mask=~known)


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


def members(sets: NDArray[np.integer], held: Sequence[frozenset[str]], kinds: pa.Array) -> pa.Array:
    """Whether each set, by its number in `held` (-1: none), has the kind beside it."""
    asked = flat(kinds).dictionary_encode()
    names = asked.dictionary.to_pylist()
    # one row a kind asked for, one column a set; the last of each is for none
    member = np.zeros((len(names) + 1, len(held) + 1), dtype=bool)
    for place, name in enumerate(names):
        member[place, : len(held)] = [name in one for one in held]
    rows = asked.indices.fill_null(len(names)).to_numpy(zero_copy_only=False)
    return pa.array(member[rows, sets])


def _known(node_ids: pa.Array, count: int) -> NDArray[np.int64]:
    """The ids as numbers, -1 for NULL and for ids outside of the arrays."""
    ids = flat(node_ids).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return np.where((ids >= 0) & (ids < count), ids, -1)


def flat(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array, whichever of the two the engine hands over."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _adjacency(table: pa.Table, count: int) -> tuple[NDArray[np.int64], tuple[pa.Array, ...]]:
    node_ids, edge_ids = table["node_id"].to_numpy(), table["edge_id"].to_numpy()
    is_same = node_ids[1:] == node_ids[:-1]
    if np.any((node_ids[1:] < node_ids[:-1]) | (is_same & (edge_ids[1:] < edge_ids[:-1]))):
        order = np.lexsort((edge_ids, node_ids))  # a file written elsewhere need not be in order
        table, node_ids = table.take(pa.array(order)), node_ids[order]
    return starts_of(node_ids, count), tuple(flat(table[name]) for name in STEP_COLUMNS)


def _kinds(table: pa.Table, count: int) -> tuple[NDArray[np.int32], tuple[frozenset[str], ...]]:
    kind_sets = np.full(count, -1, dtype=np.int32)
    kind_sets[table["node_id"].to_numpy()] = table["set_no"].to_numpy()
    firsts = table.filter(pc.is_valid(table["kinds"]))
    held = dict(zip(firsts["set_no"].to_pylist(), firsts["kinds"].to_pylist(), strict=True))
    return kind_sets, tuple(frozenset(held[number]) for number in range(len(held)))


def _vectors(table: pa.Table, count: int, dimension: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    places = np.full(count, -1, dtype=np.int32)
    places[table["node_id"].to_numpy()] = np.arange(table.num_rows, dtype=np.int32)
    vectors = flat(table["embedding"]).flatten().to_numpy().astype(np.float32, copy=False)
    return places, vectors.reshape(-1, max(1, dimension))
