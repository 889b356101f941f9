"""The seed stage: the question's terms and targets, the base score of chunks, and the rows the walk starts from."""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_sql.database import Database
from mosaic_sql.records import RenderedQuery, Seeds, StageTime
from mosaic_sql.render import VIEWS

STAGES = ("question", "base", "node_score", "relation_score", "edge_score", "seed")


def find(
    database: Database, statements: Sequence[RenderedQuery], *, named: bool = True, timeout: float | None = None
) -> tuple[Seeds, list[StageTime]]:
    """Fill the stages up to `seed`; `named` also looks up what the seeds are called."""
    times = []
    for query in statements:
        if query.stage in VIEWS:
            database.define(query)
        elif query.stage in STAGES:
            times.append(database.fill(query, timeout=timeout))
    return Seeds(database.table("context.seeds" if named else "context.seed_ids")), times
