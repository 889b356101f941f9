"""Which embedding space a corpus lives in: told by its vectors of fixed probe texts, not by a model's name."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from mosaic_sql.errors import EmbedderMismatch
from mosaic_sql.models import GRID, PROBES, Embedder, to_grid

LEAST_COSINE = 0.998
"""Two forms of one model agree on every probe to at least this cosine."""


def describe(embedder: Embedder | None) -> dict[str, object]:
    """The rows of `meta` that say which space a corpus's vectors are of."""
    probes = to_grid(embedder.embed(PROBES)).tolist() if embedder else []
    return {
        "embedder": embedder.name if embedder else "none",
        "dimension": embedder.dimension if embedder else 1,
        "probes": json.dumps(probes),
        "grid": GRID,
    }


def check(embedder: Embedder | None, meta: Mapping[str, str], path: str) -> None:
    """Refuse an embedder of another space than the corpus's.

    Raises:
        EmbedderMismatch: with both names and the command that re-embeds.
    """
    stored = np.array(json.loads(meta.get("probes", "[]")), np.float64)
    fix = f"; re-embed with `mosaic reembed {path} --embedder NAME`"
    if embedder is None:
        if stored.size:
            raise EmbedderMismatch(f"the corpus was embedded by {meta.get('embedder')}, none was given{fix}")
        return
    if not stored.size:
        raise EmbedderMismatch(f"the corpus has no vectors, {embedder.name} was given{fix}")
    if stored.shape[1] != embedder.dimension:
        raise EmbedderMismatch(
            f"the corpus was embedded by {meta.get('embedder')} ({stored.shape[1]} numbers), "
            f"{embedder.name} gives {embedder.dimension}{fix}"
        )
    given = np.asarray(to_grid(embedder.embed(PROBES)), np.float64)
    cosine = (given * stored).sum(1) / np.linalg.norm(given, axis=1) / np.linalg.norm(stored, axis=1)
    if cosine.min() < LEAST_COSINE:
        raise EmbedderMismatch(
            f"the corpus was embedded by {meta.get('embedder')}; {embedder.name} is another space "
            f"(probe cosine {cosine.min():.3f}){fix}"
        )
