"""How near the phrases of a question are to the relations of a graph, in the embedding space of the corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mosaic_sql.analyze import lexicon
from mosaic_sql.records import Catalogue

RELATIONS = 500
"""Relations, those with most edges, that are looked at."""
NEAREST = 5
"""Relations that a phrase may be near."""

Embed = Callable[[Sequence[str]], Sequence[tuple[float, ...] | None]]


@dataclass(frozen=True)
class RelationVectors:
    """The names of a graph's relations, read as English, and their unit vectors, a row each."""

    relations: tuple[str, ...]
    vectors: NDArray[np.float64]

    @classmethod
    def of(cls, catalogue: Catalogue, embed: Embed) -> RelationVectors | None:
        """The vectors of a schema; None without an embedder."""
        relations = tuple(dict.fromkeys(relation for _, relation, _, _ in catalogue.schema_paths))[:RELATIONS]
        vectors = _unit(embed([" ".join(lexicon.parts(relation)) or relation for relation in relations]))
        return None if vectors is None else cls(relations, vectors)

    def likeness(self, phrases: Sequence[str], embed: Embed) -> dict[str, dict[str, float]]:
        """Phrase -> relation -> cosine, the NEAREST relations of each."""
        vectors = _unit(embed(phrases))
        if vectors is None:
            return {}
        cosines: NDArray[np.float64] = np.vecdot(vectors[:, None], self.vectors[None]).round(6)
        return {
            phrase: {self.relations[place]: float(row[place]) for place in np.argsort(-row, kind="stable")[:NEAREST]}
            for phrase, row in zip(phrases, cosines, strict=True)
        }


def _unit(vectors: Sequence[tuple[float, ...] | None]) -> NDArray[np.float64] | None:
    known = [vector for vector in vectors if vector is not None]
    if not known or len(known) < len(vectors):
        return None
    rows = np.asarray(known, dtype=np.float64)
    unit: NDArray[np.float64] = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return unit
