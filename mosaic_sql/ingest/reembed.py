"""Compute every vector of a corpus anew, for another embedding model; nothing else changes."""

from __future__ import annotations

import pyarrow as pa

from mosaic_sql.database import Database
from mosaic_sql.ingest.store import Progress, fixed_size
from mosaic_sql.models import Embedder, identity, to_grid

_BATCH = 512


def reembed(database: Database, embedder: Embedder | None, *, progress: Progress) -> int:
    """Drop all vectors, take the new embedder's dimension and identity, embed chunks and sentences; chunks embedded.

    One transaction: a run that is killed leaves the old vectors. Names and relations follow when the index is built.
    """
    described = identity.describe(embedder)
    with database.transaction():
        database.script("revector", dimension=described["dimension"])
        database.put_meta(index_state="pending", **described)
        count = 0
        if embedder is not None:
            count = _embed(database, embedder, "chunk", progress)
            if database.meta().get("sentence_vectors") == "true":
                _embed(database, embedder, "sentence", progress)
    return count


def _embed(database: Database, embedder: Embedder, table: str, progress: Progress) -> int:
    rows = database.rows(f"ingest.{table}_texts")
    for start in range(0, len(rows), _BATCH):
        progress(f"{table} vectors", start, len(rows))
        batch = rows[start : start + _BATCH]
        incoming = pa.table(
            {
                f"{table}_id": pa.array([row[0] for row in batch], pa.int32()),
                "embedding": fixed_size(to_grid(embedder.embed([row[1] for row in batch]))),
            }
        )
        with database.registered(incoming=incoming):
            database.execute(f"ingest.set_{table}_vector")
    return len(rows)
