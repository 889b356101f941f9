"""The evidence stage: units with a role and a score, the kept ones first to the context."""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_sql.database import Database
from mosaic_sql.records import Evidence, Found, RenderedQuery, StageTime

STAGES = ("evidence",)


def select(
    database: Database, statements: Sequence[RenderedQuery], *, with_facts: bool, timeout: float | None = None
) -> tuple[Evidence, list[StageTime]]:
    """Fill `evidence`; `with_facts` also writes out its edges."""
    times = [database.fill(query, timeout=timeout) for query in statements if query.stage in STAGES]
    return Evidence(database.table("context.evidence_facts" if with_facts else "context.evidence")), times


def answers(database: Database) -> dict[int, tuple[Found, ...]]:
    """Per question the nodes that a pattern or shortest path ends in, in order."""
    found: dict[int, list[Found]] = {}
    for question_id, _, node_id, name, depth, _ in database.rows("context.answers"):
        found.setdefault(question_id, []).append(Found(node_id, name, depth))
    return {question_id: tuple(items) for question_id, items in found.items()}
