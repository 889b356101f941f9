"""What is stored of the nodes, in memory: names, kinds, vectors, and the terms that a scored path takes from them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mosaic_sql.database import Database

Doubles = NDArray[np.float64]
GRID = 16_000_000.0
"""Squared length of a vector on the 4000 grid."""
FRACTION = 65536.0
"""Units of a stored fraction."""
SHARED_VECTORS = 32_768
"""Vectors from which all cores take part in a product: some 3 ms of one."""
_AT_HAND = 256
"""Vectors that are taken at a time: they fit into the cache of a core."""
STANDS_FOR = 0.60
"""Cosine with a target from which a node stands for it."""
BYTES_PER_NODE = 34  # its id and row, its vector's, its kinds, its stored terms, where its name ends
NODE = "STRUCT(name VARCHAR, kinds VARCHAR[])"
TARGETS = "STRUCT(node_id INTEGER, group_id INTEGER)[]"
ASKED = "STRUCT(node_id INTEGER, share DOUBLE)[]"
_SCORES = {
    "node_id": pa.int32(), "similarity": pa.float64(), "relevance": pa.float64(), "specificity": pa.float64(),
    "hub_exposure": pa.float64(), "question_like": pa.float64(), "is_target": pa.bool_(), "targets": pa.int64(),
}  # fmt: skip
SCORES = (
    "STRUCT(node_id INTEGER, similarity DOUBLE, relevance DOUBLE, specificity DOUBLE, hub_exposure DOUBLE, "
    "question_like DOUBLE, is_target BOOLEAN, targets BIGINT)[]"
)


@dataclass(frozen=True)
class Nodes:
    """The nodes in id order: node `n` is row `rows[n]`, -1 for what is no node.

    Its vector is row `places[n]` of `vectors`, -1 for none; `owners` are the rows of the nodes that have one, in the
    order of the vectors. Its kinds are `kinds[kind_sets[row]]`, none for -1: few sets of kinds serve all nodes.
    """

    rows: NDArray[np.int32]
    node_ids: NDArray[np.int32]
    names: pa.Array
    specificity: NDArray[np.int32]
    hub_share: NDArray[np.int32]
    is_joined: NDArray[np.bool_]
    is_question: NDArray[np.bool_]
    kind_sets: NDArray[np.int32]
    kinds: tuple[tuple[str, ...], ...]
    places: NDArray[np.int32]
    owners: NDArray[np.int32]
    vectors: NDArray[np.float32]

    @classmethod
    def load(cls, database: Database, count: int, dimension: int) -> Nodes:
        """The nodes of a corpus whose ids are less than `count`."""
        table, held = database.table("walk.load_nodes"), database.table("walk.load_vectors")
        node_ids = table["node_id"].to_numpy()
        rows, places = (np.full(count, -1, dtype=np.int32) for _ in range(2))
        rows[node_ids] = np.arange(len(node_ids), dtype=np.int32)
        places[held["node_id"].to_numpy()] = np.arange(held.num_rows, dtype=np.int32)
        vectors = flat(held["embedding"]).flatten().to_numpy().astype(np.float32, copy=False)
        firsts = table.filter(pc.is_valid(table["kinds"]))
        names = flat(table["name"].cast(pa.large_string()))  # together they may be more than 2 GB
        kinds = dict(zip(firsts["set_no"].to_pylist(), firsts["kinds"].to_pylist(), strict=True))
        return cls(
            rows=rows,
            node_ids=node_ids,
            names=names,
            specificity=table["specificity"].to_numpy(),
            hub_share=table["hub_share"].to_numpy(),
            is_joined=table["is_joined"].to_numpy(),
            is_question=pc.ends_with(names, "?").fill_null(False).to_numpy(zero_copy_only=False),
            kind_sets=table["set_no"].fill_null(-1).to_numpy(),
            kinds=tuple(tuple(kinds[number]) for number in range(len(kinds))),
            places=places,
            owners=rows[held["node_id"].to_numpy()],
            vectors=vectors.reshape(-1, max(1, dimension)),
        )

    @property
    def bytes(self) -> int:
        """Memory the arrays hold."""
        arrays = (self.rows, self.node_ids, self.names, self.specificity, self.hub_share, self.is_joined)
        more = (self.is_question, self.kind_sets, self.places, self.owners, self.vectors)
        return int(sum(array.nbytes for array in (*arrays, *more)))

    def register(self, database: Database) -> None:
        """Create the SQL functions of the same names; cursors share them."""
        vector = f"FLOAT[{self.vectors.shape[1]}]"
        database.create_function("node_of", self.node_of, ["INTEGER"], NODE)
        database.create_function("has_kind", self.has_kind, ["INTEGER", "VARCHAR"], "BOOLEAN")
        database.create_function("similarity", self.similarity, ["INTEGER", vector], "DOUBLE")
        database.create_function("node_scores", self.node_scores, ["FLOAT[]", TARGETS, ASKED], SCORES)
        database.create_function("nearest_nodes", self.nearest_nodes, ["FLOAT[]", "INTEGER"], "INTEGER[]")
        database.create_function("stands_by_name", self.stands_by_name, ["INTEGER"], "BOOLEAN")

    def of(self, ids: NDArray[np.integer]) -> NDArray[np.int64]:
        """The rows of some nodes, -1 for what is none."""
        known = (ids >= 0) & (ids < len(self.rows))
        return np.where(known, self.rows[np.where(known, ids, 0)] if len(self.rows) else -1, -1).astype(np.int64)

    def named(self, rows: NDArray[np.int64]) -> pa.Array:
        """The names of some rows, NULL for -1."""
        return self.names.take(pa.array(rows, mask=rows < 0)).cast(pa.string())

    def node_of(self, node_ids: pa.Array) -> pa.Array:
        """The name and the kinds of each node; NULL for NULL and for what is no node."""
        rows = self.of(numbers(node_ids))
        sets = self._sets(rows)
        kinds = pa.array(self.kinds, pa.list_(pa.string())).take(pa.array(sets, mask=sets < 0))
        return pa.StructArray.from_arrays([self.named(rows), kinds], names=("name", "kinds"), mask=pa.array(rows < 0))

    def has_kind(self, node_ids: pa.Array, kinds: pa.Array) -> pa.Array:
        """Whether each node is of the kind beside it; false for NULL and for what is no node."""
        return members(self._sets(self.of(numbers(node_ids))), self.kinds, kinds)

    def _sets(self, rows: NDArray[np.int64]) -> NDArray[np.integer]:
        """The numbers of the sets of kinds of some rows, -1 for none."""
        return np.where(rows < 0, -1, self.kind_sets[rows]) if len(self.kind_sets) else rows

    def similarity(self, node_ids: pa.Array, questions: pa.Array) -> pa.Array:
        """Cosine of each node with the question beside it; NULL where either has no vector.

        Products on the grid are integers below 2^24, so float32 sums them exactly, in any order.
        """
        ids = numbers(node_ids)
        inside = (ids >= 0) & (ids < len(self.places))
        places = np.where(inside, self.places[np.where(inside, ids, 0)] if len(self.places) else -1, -1)
        asked = flat(questions)
        has_vector = pc.is_valid(asked).to_numpy(zero_copy_only=False)
        known = (places >= 0) & has_vector
        beside = asked.flatten().to_numpy(zero_copy_only=False).reshape(-1, self.vectors.shape[1])
        row_of = np.cumsum(has_vector) - 1  # flatten leaves out the rows of NULL
        cosine = np.zeros(len(ids))
        found = np.einsum("ij,ij->i", self.vectors[places[known]], beside[row_of[known]])
        cosine[known] = np.minimum(1.0, found.astype(np.float64) / GRID)
        return pa.array(cosine, mask=~known)

    def stands_by_name(self, node_ids: pa.Array) -> pa.Array:
        """Whether each node has edges and no vector, so that its name alone tells how like a question it is."""
        ids = numbers(node_ids)
        rows = self.of(ids)
        known = rows >= 0
        known[known] = self.is_joined[rows[known]] & (self.places[ids[known]] < 0)
        return pa.array(known)

    def nearest_nodes(self, embeddings: pa.Array, counts: pa.Array) -> pa.Array:
        """The ids of the nodes with edges that are nearest to each vector, best first, then by id; none for NULL."""
        asked = zip(embeddings.to_pylist(), counts.to_pylist(), strict=True)
        return pa.array([self._nearest(vector, count) for vector, count in asked], pa.list_(pa.int32()))

    def _nearest(self, vector: Sequence[float] | None, count: int) -> NDArray[np.int32]:
        """The best `count` nodes by cosine, of equal ones those of the lowest ids."""
        if vector is None or not len(self.owners):
            return np.zeros(0, dtype=np.int32)
        joined = self.is_joined[self.owners]
        cosine = np.minimum(products(self.vectors, np.array(vector, np.float32)), np.float32(GRID))
        cosine[~joined] = -np.inf
        bound = np.partition(cosine, max(0, len(cosine) - count))[max(0, len(cosine) - count)]
        near = np.flatnonzero((cosine >= bound) & joined)
        ids = self.node_ids[self.owners[near]]
        return ids[np.lexsort((ids, -cosine[near]))[:count]]

    def node_scores(self, embeddings: pa.Array, targets: pa.Array, asked: pa.Array) -> pa.Array:
        """The rows of walk.node_score for some nodes of each question, from its vector and its targets.

        Beside each node stands its share of the best name with the question's words, NULL for none.
        """
        vectors = (None if v is None else np.array(v, np.float32) for v in embeddings.to_pylist())
        asked = flat(asked)
        ends = asked.offsets.to_numpy() - asked.offsets[0].as_py()
        ids = numbers(asked.flatten().field("node_id"))
        shares = asked.flatten().field("share").fill_null(0.0).to_numpy(zero_copy_only=False)
        answers = [
            self._scores(vector, aims or (), ids[start:end], shares[start:end])
            for vector, aims, start, end in zip(vectors, targets.to_pylist(), ends[:-1], ends[1:], strict=True)
        ]
        offsets = np.cumsum([0, *(len(answer[0]) for answer in answers)]).astype(np.int32)
        columns = [
            pa.chunked_array([pa.array(answer[n], kind) for answer in answers], kind).combine_chunks()
            for n, kind in enumerate(_SCORES.values())
        ]
        return pa.ListArray.from_arrays(pa.array(offsets), pa.StructArray.from_arrays(columns, names=list(_SCORES)))

    def _scores(
        self,
        vector: NDArray[np.float32] | None,
        targets: Sequence[Mapping[str, Any]],
        ids: NDArray[np.int64],
        shares: Doubles,
    ) -> list[NDArray[Any]]:
        """walk.node_score of some nodes for one question, column by column."""
        is_target = np.isin(ids, [target["node_id"] for target in targets])
        rows = self.of(ids)
        kept = rows >= 0
        kept[kept] = self.is_joined[rows[kept]] | is_target[kept]
        ids, rows, shares, is_target = ids[kept], rows[kept], shares[kept], is_target[kept]
        held = [target for target in targets if self._place(target["node_id"]) >= 0]
        near = self._cosines(ids, [self.vectors[self._place(target["node_id"])] for target in held])
        cosine = np.full(len(ids), np.nan) if vector is None else self._cosines(ids, [vector])[:, 0]
        similarity = np.clip(np.where(np.isnan(cosine), shares, cosine), 0.0, 1.0)
        stands_for = np.zeros(len(ids), dtype=np.int64)
        for target in targets:
            stands_for[ids == target["node_id"]] |= np.int64(1) << np.int64(target["group_id"])
        for target, beside in zip(held, near.T, strict=True):
            stands_for[beside >= STANDS_FOR] |= np.int64(1) << np.int64(target["group_id"])
        aim = near.max(axis=1, initial=-np.inf)
        relevance = np.clip(np.nan_to_num(aim, nan=0.0, neginf=0.0), 0.0, 1.0) if targets else similarity
        return [
            ids.astype(np.int32),
            similarity,
            np.where(is_target, 1.0, relevance),
            np.maximum(0, self.specificity[rows]) / FRACTION,
            self.hub_share[rows] / FRACTION,
            self.is_question[rows].astype(np.float64),
            is_target,
            stands_for,
        ]

    def _place(self, node_id: int) -> int:
        """The row of a node's vector, -1 for none."""
        return int(self.places[node_id]) if 0 <= node_id < len(self.places) else -1

    def _cosines(self, ids: NDArray[np.int64], aims: Sequence[NDArray[np.float32]]) -> Doubles:
        """Cosine of each node with each of some vectors, NaN where it has none; shape `(len(ids), len(aims))`.

        Some nodes at a time, so that their vectors are still at hand for the next aim.
        """
        cosine = np.full((len(ids), len(aims)), np.nan)
        known = np.flatnonzero(self.places[ids] >= 0) if aims else np.zeros(0, dtype=np.int64)
        for start in range(0, len(known), _AT_HAND):
            rows = known[start : start + _AT_HAND]
            inner = np.vecdot(self.vectors[self.places[ids[rows]]][:, None, :], np.stack(aims))
            cosine[rows] = inner.astype(np.float64) / GRID
        return cosine


def products(vectors: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The inner products of many vectors with one: integers below 2^24 on the grid, exact in any order.

    Not a matrix product: that takes the threads of BLAS, which spin on after it and slow all that follows. Of many
    vectors each core takes a share.
    """
    if len(vectors) < SHARED_VECTORS:
        alone: NDArray[np.float32] = np.vecdot(vectors, vector)
        return alone
    shares = np.array_split(vectors, os.cpu_count() or 1)
    return np.concatenate(list(_workers().map(lambda share: np.vecdot(share, vector), shares)))


@cache
def _workers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, "products")


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


def numbers(ids: pa.Array) -> NDArray[np.int64]:
    """Ids as numbers, -1 for NULL."""
    found: NDArray[np.int64] = flat(ids).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def flat(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array, whichever of the two the engine hands over."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
