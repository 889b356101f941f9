"""Adjacency, names, kinds and node vectors in memory, offered to SQL as vectorised functions.

A join inside a recursion scans the adjacency once per depth; `adjacent` looks a node up in two array reads. The
functions hold arrays that nobody writes and never ask the engine anything, so any number of cursors and threads may
call them at once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mosaic_sql.database import Database

GRID = 16_000_000.0
"""Squared length of a vector on the 4000 grid."""

STEP = "STRUCT(neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, forward BOOLEAN)[]"
STEP_COLUMNS = ("neighbour_id", "edge_id", "relation_id", "forward")
BYTES_PER_STEP = 13
NODE = "STRUCT(name VARCHAR, kinds VARCHAR[])"
_BYTES_PER_NODE = 24  # where its steps, its name, its vector and its kinds are


@dataclass(frozen=True)
class Resident:
    """The steps out of node `n` are rows `starts[n]` to `starts[n + 1]`; its vector is row `places[n]`, -1 for none.

    Its name is row `rows[n]` of `names`, -1 for what is no node; that of relation `r` is `relations[r]`. Its kinds are
    `kinds[kind_sets[n]]`, none for -1: few sets of kinds serve all nodes.
    """

    starts: NDArray[np.int64]
    steps: tuple[pa.Array, ...]
    places: NDArray[np.int32]
    vectors: NDArray[np.float32]
    rows: NDArray[np.int32]
    names: pa.Array
    relations: pa.Array
    kind_sets: NDArray[np.int32]
    kinds: tuple[tuple[str, ...], ...]

    @classmethod
    def load(cls, database: Database, *, memory_budget: int | None = None) -> Resident | None:
        """The arrays of a corpus; None where they would take more than `memory_budget` bytes (no budget: no limit)."""
        ((steps, top_node_id, name_bytes, vectors, dimension),) = database.rows("walk.resident_size")
        size = steps * BYTES_PER_STEP + (top_node_id + 2) * _BYTES_PER_NODE + name_bytes + vectors * dimension * 4
        if memory_budget is not None and size > memory_budget:
            return None
        starts, columns = _adjacency(database.table("walk.load_adjacency"), top_node_id + 1)
        places, stacked = _vectors(database.table("walk.load_vectors"), top_node_id + 1, dimension)
        rows, names, kind_sets, kinds = _nodes(database.table("walk.load_nodes"), top_node_id + 1)
        relations = _by_number(database.rows("link.relations"))
        return cls(starts, columns, places, stacked, rows, names, relations, kind_sets, kinds)

    @property
    def bytes(self) -> int:
        """Memory the arrays hold."""
        arrays = (self.starts, self.places, self.vectors, self.rows, self.names, self.kind_sets, *self.steps)
        return int(sum(array.nbytes for array in arrays))

    def register(self, database: Database) -> None:
        """Create the SQL functions of the same names; cursors share them."""
        vector = f"FLOAT[{self.vectors.shape[1]}]"
        database.create_function("adjacent", self.adjacent, ["INTEGER"], STEP)
        database.create_function("path_of", self.path_of, ["INTEGER[]", "INTEGER[]"], "VARCHAR")
        database.create_function("node_of", self.node_of, ["INTEGER"], NODE)
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

    def node_of(self, node_ids: pa.Array) -> pa.Array:
        """The name and the kinds of each node; NULL for NULL and for what is no node."""
        ids = _known(node_ids, len(self.rows))
        rows = np.where(ids < 0, -1, self.rows[ids]) if len(self.rows) else ids
        sets = np.where(rows < 0, -1, self.kind_sets[ids]) if len(self.rows) else ids
        names = self.names.take(pa.array(rows, mask=rows < 0)).cast(pa.string())
        kinds = pa.array(self.kinds, pa.list_(pa.string())).take(pa.array(sets, mask=sets < 0))
        return pa.StructArray.from_arrays([names, kinds], names=("name", "kinds"), mask=pa.array(rows < 0))

    def path_of(self, nodes: pa.Array, edges: pa.Array) -> pa.Array:
        """Paths written out up to the last arrow, which points as the edge does: `A -wrote-> B <-reads- `."""
        nodes, edges = flat(nodes), flat(edges)
        counts = edges.value_lengths().to_numpy()
        firsts = nodes.offsets.to_numpy()[:-1] - nodes.offsets[0].as_py()
        left = nodes.flatten().take(pa.array(rows_of(firsts.astype(np.int64), counts)))  # all but the last of each path
        step = self.step_of(left, edges.flatten())
        forward, relation = step.field("forward"), self.relations.take(step.field("relation_id"))
        rows = pa.array(self.rows[left.to_numpy()])
        pieces = pc.binary_join_element_wise(
            self.names.take(rows).cast(pa.string()),
            pc.if_else(forward, " -", " <-"),
            relation,
            pc.if_else(forward, "-> ", "- "),
            "",
        )
        offsets = pa.array(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32))
        return pc.binary_join(pa.ListArray.from_arrays(offsets, pieces), "")

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


def members(sets: NDArray[np.integer], held: Sequence[Collection[str]], kinds: pa.Array) -> pa.Array:
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


def _by_number(rows: Sequence[tuple[int, str]]) -> pa.Array:
    """Names in the places of their numbers."""
    names: list[str | None] = [None] * (1 + max((number for number, _ in rows), default=-1))
    for number, name in rows:
        names[number] = name
    return pa.array(names, pa.string())


def _nodes(
    table: pa.Table, count: int
) -> tuple[NDArray[np.int32], pa.Array, NDArray[np.int32], tuple[tuple[str, ...], ...]]:
    node_ids = table["node_id"].to_numpy()
    rows, kind_sets = (np.full(count, -1, dtype=np.int32) for _ in range(2))
    rows[node_ids] = np.arange(table.num_rows, dtype=np.int32)
    kind_sets[node_ids] = table["set_no"].fill_null(-1).to_numpy()
    firsts = table.filter(pc.is_valid(table["kinds"]))
    held = dict(zip(firsts["set_no"].to_pylist(), firsts["kinds"].to_pylist(), strict=True))
    names = flat(table["name"].cast(pa.large_string()))  # together they may be more than 2 GB
    return rows, names, kind_sets, tuple(tuple(held[number]) for number in range(len(held)))


def _vectors(table: pa.Table, count: int, dimension: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    places = np.full(count, -1, dtype=np.int32)
    places[table["node_id"].to_numpy()] = np.arange(table.num_rows, dtype=np.int32)
    vectors = flat(table["embedding"]).flatten().to_numpy().astype(np.float32, copy=False)
    return places, vectors.reshape(-1, max(1, dimension))
