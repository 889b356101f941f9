"""Postings and vectors of the text in memory: the base score of all chunks as one SQL function.

Planning `seed.base` costs the engine more than the arithmetic; here it is the same arithmetic, in the same order and in
double precision, so the rows are the same. The arrays are written by nobody and the function asks the engine nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mosaic_sql.database import Database
from mosaic_sql.resident.graph import rows_of, starts_of
from mosaic_sql.resident.nodes import GRID, products

Doubles = NDArray[np.float64]
_TERMS = "STRUCT(term_no INTEGER, stem VARCHAR, is_cue BOOLEAN, term_id INTEGER, idf BIGINT)[]"
_PAGES = "STRUCT(group_id INTEGER, chunk_id INTEGER, weight DOUBLE, pages BIGINT)[]"
_CONTROLS = (
    "STRUCT(bm25_share DOUBLE, title_boost DOUBLE, anchor_threshold DOUBLE, hops INTEGER, seed_limit INTEGER, "
    "ranked INTEGER)"
)
_COLUMNS = {
    "chunk_id": pa.int32(), "group_id": pa.int32(), "place": pa.int64(), "score": pa.float64(),
    "share_of_best": pa.float64(), "plain_score": pa.float64(), "lexical": pa.float64(), "cosine": pa.float64(),
    "title_weight": pa.float64(), "covered": pa.int64(),
}  # fmt: skip
_RETURNS = (
    "STRUCT(chunk_id INTEGER, group_id INTEGER, place BIGINT, score DOUBLE, share_of_best DOUBLE, plain_score DOUBLE, "
    "lexical DOUBLE, cosine DOUBLE, title_weight DOUBLE, covered BIGINT)[]"
)


@dataclass(frozen=True)
class _Vectors:
    """Row `n` of `vectors` belongs to the chunk in row `rows[n]` of the chunks (ascending)."""

    rows: NDArray[np.int64]
    vectors: NDArray[np.float32]

    def cosines(self, asked: NDArray[np.float32]) -> Doubles:
        """Cosine of each vector with a question."""
        return np.minimum(1.0, products(self.vectors, asked).astype(np.float64) / GRID)


@dataclass(frozen=True)
class _Links:
    """The rows of the chunks that chunk `n` has a name in common with: `rows[starts[n]]` to `rows[starts[n + 1]]`."""

    starts: NDArray[np.int64]
    rows: NDArray[np.int64]

    @classmethod
    def load(cls, database: Database, chunk_ids: NDArray[np.int32]) -> _Links:
        """The links of a corpus."""
        table = database.table("seed.load_links")
        ends = [np.searchsorted(chunk_ids, table[name].to_numpy()) for name in ("chunk_id", "next_chunk_id")]
        return cls(starts_of(ends[0], len(chunk_ids)), ends[1])

    def within(self, rows: NDArray[np.int64], hops: int) -> NDArray[np.bool_]:
        """For every chunk whether so many links lead to it from some of these, or fewer."""
        reached = np.zeros(len(self.starts) - 1, dtype=bool)
        reached[rows] = True
        for _ in range(hops):
            firsts = self.starts[rows]
            rows = np.unique(self.rows[rows_of(firsts, self.starts[rows + 1] - firsts)])
            rows = rows[~reached[rows]]
            reached[rows] = True
        return reached


@dataclass(frozen=True)
class ResidentText:
    """The chunks in id order; the postings of term `t` are rows `starts[t]` to `starts[t + 1]`."""

    chunk_ids: NDArray[np.int32]
    starts: NDArray[np.int64]
    rows: NDArray[np.int64]
    weights: NDArray[np.int64]
    chunks: _Vectors
    sentences: _Vectors | None
    links: _Links
    dimension: int

    @classmethod
    def load(cls, database: Database, dimension: int, *, sentence_vectors: bool = False) -> ResidentText:
        """The text of a corpus."""
        chunks = database.table("seed.load_chunks")
        chunk_ids = chunks["chunk_id"].to_numpy()
        postings = database.table("seed.load_postings")
        term_ids = postings["term_id"].to_numpy()
        top = int(term_ids[-1]) + 1 if len(term_ids) else 0
        has_vector = chunks["embedding"].is_valid().to_numpy()
        return cls(
            chunk_ids=chunk_ids,
            starts=starts_of(term_ids, top),
            rows=np.searchsorted(chunk_ids, postings["chunk_id"].to_numpy()),
            weights=postings["weight"].to_numpy(),
            chunks=_Vectors(np.flatnonzero(has_vector), _stacked(chunks["embedding"], dimension)),
            sentences=_sentences(database, chunk_ids, dimension) if sentence_vectors else None,
            links=_Links.load(database, chunk_ids),
            dimension=dimension,
        )

    def register(self, database: Database) -> None:
        """Create the SQL function `chunk_scores(embedding, terms, pages, ...)`; cursors share it."""
        parameters = [f"FLOAT[{self.dimension}]", _TERMS, _PAGES, _CONTROLS]
        database.create_function("chunk_scores", self.scores, parameters, _RETURNS)

    def scores(self, embeddings: pa.Array, terms: pa.Array, pages: pa.Array, controls: pa.Array) -> pa.Array:
        """The rows of `base` for each question."""
        vectors = (None if v is None else np.array(v, np.float32) for v in embeddings.to_pylist())
        answers = [
            self._base(*question)
            for question in zip(vectors, terms.to_pylist(), pages.to_pylist(), controls.to_pylist(), strict=True)
        ]
        offsets = np.cumsum([0, *(len(answer[0]) for answer in answers)]).astype(np.int32)
        columns = [
            pa.chunked_array([answer[n] for answer in answers], kind).combine_chunks()
            for n, kind in enumerate(_COLUMNS.values())
        ]
        return pa.ListArray.from_arrays(pa.array(offsets), pa.StructArray.from_arrays(columns, names=list(_COLUMNS)))

    def _base(
        self,
        vector: NDArray[np.float32] | None,
        terms: Iterable[Mapping[str, Any]] | None,
        pages: Iterable[Mapping[str, Any]] | None,
        controls: Mapping[str, Any],
    ) -> list[pa.Array]:
        """seed.base of one question, column by column."""
        weight, covered = self._lexical(terms or ())
        title_weight, group_id = self._named(pages or ())
        cosine = self._cosine(vector)
        most = int(weight.max(initial=0))
        lexical = weight / most if most else np.zeros(len(weight))
        share = 1.0 if vector is None else controls["bm25_share"]
        f0 = share * lexical + (1 - share) * np.nan_to_num(cosine)
        found = np.flatnonzero(~np.isnan(cosine) | (covered > 0) | ~np.isnan(title_weight))
        lexical, cosine, f0 = lexical[found], cosine[found], f0[found]
        covered, group_id = covered[found], group_id[found]
        title_weight = np.nan_to_num(title_weight[found])
        f1 = f0 + controls["title_boost"] * title_weight * max(0.0, f0.max(initial=0.0))
        best = max(0.0, f1.max(initial=0.0))
        plain = f1 / best if best else np.zeros(len(f1))
        lifted = np.maximum(plain, np.minimum(1.0, title_weight / 0.6))
        score = np.where(title_weight >= controls["anchor_threshold"], lifted, plain)
        top = score.max(initial=0.0)
        share = np.divide(score, top, out=np.zeros(len(score)), where=top > 0)
        kept = self._needed(found, score, title_weight, controls)
        found, group_id, covered = found[kept], group_id[kept], covered[kept]
        return [
            pa.array(self.chunk_ids[found]),
            pa.array(group_id, mask=group_id < 0),
            pa.array(places(score, kept)),
            pa.array(score[kept]),
            pa.array(share[kept], mask=np.full(len(kept), not top)),
            pa.array(plain[kept]),
            pa.array(lexical[kept]),
            pa.array(cosine[kept], mask=np.isnan(cosine[kept])),
            pa.array(title_weight[kept]),
            pa.array(covered),
        ]

    def _needed(
        self, found: NDArray[np.int64], score: Doubles, title_weight: Doubles, controls: Mapping[str, Any]
    ) -> NDArray[np.int64]:
        """Which of the rows found a walk of `hops` links needs: the best, the named, and all that it can come to.

        All of them where no number of hops is given.
        """
        if controls["hops"] is None or not len(found):
            return np.arange(len(found))
        seeds = best_of(score, controls["seed_limit"]) | (title_weight >= controls["anchor_threshold"])
        reached = self.links.within(found[seeds], controls["hops"])
        return np.flatnonzero(best_of(score, controls["ranked"]) | (title_weight > 0) | reached[found])

    def _lexical(self, terms: Iterable[Mapping[str, Any]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """BM25 weight and bit set of terms per chunk."""
        weight, covered = (np.zeros(len(self.chunk_ids), dtype=np.int64) for _ in range(2))
        for term in terms:
            if term["term_id"] is None or not 0 <= term["term_id"] < len(self.starts) - 1:
                continue
            run = slice(self.starts[term["term_id"]], self.starts[term["term_id"] + 1])
            weight[self.rows[run]] += self.weights[run]
            covered[self.rows[run]] |= np.int64(1) << np.int64(term["term_no"])
        return weight, covered

    def _named(self, pages: Iterable[Mapping[str, Any]]) -> tuple[Doubles, NDArray[np.int32]]:
        """Title weight (mw) and first target per chunk, NaN and -1 where no name is its title."""
        named, group = np.full(len(self.chunk_ids), np.nan), np.full(len(self.chunk_ids), -1, dtype=np.int32)
        for page in pages:
            row = int(np.searchsorted(self.chunk_ids, page["chunk_id"]))
            if row < len(self.chunk_ids) and self.chunk_ids[row] == page["chunk_id"]:
                named[row] = np.fmax(named[row], page["weight"] / np.sqrt(np.float64(page["pages"])))
                group[row] = page["group_id"] if group[row] < 0 else min(group[row], page["group_id"])
        return named, group

    def _cosine(self, vector: NDArray[np.float32] | None) -> Doubles:
        """Cosine per chunk, or its mean with the best sentence; NaN where the question or the chunk has no vector."""
        cosine = np.full(len(self.chunk_ids), np.nan)
        if vector is None:
            return cosine
        cosine[self.chunks.rows] = self.chunks.cosines(vector)
        if self.sentences is not None and len(self.sentences.rows):
            best = np.full(len(cosine), -np.inf)
            np.maximum.at(best, self.sentences.rows, self.sentences.cosines(vector))
            cosine = (cosine + np.where(np.isneginf(best), cosine, best)) / 2
        return cosine


def best_of(score: Doubles, count: int) -> NDArray[np.bool_]:
    """Whether a score is one of the `count` highest, or as high as the last of them."""
    if count >= len(score):
        return np.ones(len(score), dtype=bool)
    if count < 1:
        return np.zeros(len(score), dtype=bool)
    high: NDArray[np.bool_] = score >= np.partition(score, -count)[-count]
    return high


def places(score: Doubles, kept: NDArray[np.int64]) -> NDArray[np.int64]:
    """The places of some scores among all, from 1 for the highest; of equal ones the first stands before."""
    ordered, own = np.sort(score), score[kept]
    above = len(score) - np.searchsorted(ordered, own, "right")
    place = above + 1
    alike = len(score) - np.searchsorted(ordered, own, "left") - above > 1
    for value in np.unique(own[alike]):
        same = own == value
        place[same] += np.searchsorted(np.flatnonzero(score == value), kept[same])
    return place


def _sentences(database: Database, chunk_ids: NDArray[np.int32], dimension: int) -> _Vectors:
    table = database.table("seed.load_sentences")
    return _Vectors(np.searchsorted(chunk_ids, table["chunk_id"].to_numpy()), _stacked(table["embedding"], dimension))


def _stacked(column: pa.ChunkedArray, dimension: int) -> NDArray[np.float32]:
    """The vectors of a column, one a row, those that are missing left out."""
    flat: NDArray[np.float32] = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return flat.astype(np.float32, copy=False).reshape(-1, max(1, dimension))
