"""The seed stage: the question's terms and targets, the base score of chunks, and the rows the walk starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.records import Analysis, RenderedQuery, Seeds, StageTime
from mosaic_sql.render import VIEWS

STAGES = ("question", "base", "query", "name_score", "node_score", "relation_score", "edge_score", "seed")


@dataclass(frozen=True)
class Wanted:
    """A text to look for beside the question: `seed` searches the seed indexes, `facet` is to be covered."""

    role: str
    text: str
    group_id: int | None = None


def wanted(analysis: Analysis) -> list[Wanted]:
    """What a beam looks for beside the question (A4, B3): its keywords, or each target with the facets; the facets."""
    facets = [Wanted("facet", facet) for facet in analysis.facets]
    mode = analysis.policy.seed.seed_query_mode
    if mode == "compact_keywords":
        return [Wanted("seed", ", ".join(_keywords(analysis.question))), *facets]
    if mode == "per_target":
        meant = [target for target in analysis.targets if target.is_meant] or list(analysis.targets)
        asked = [
            Wanted("seed", ", ".join((target.name, *analysis.facets)), target.group_id)
            for target in {target.group_id: target for target in meant}.values()
        ]
        return [*asked, *facets]
    return facets


def _keywords(question: str) -> list[str]:
    """The words of a question that are no stop words, once each, as they stand; all of them where none is left."""
    found = [question[t.start : t.end] for t in words.tokens(question) if t.form not in words.STOP_WORDS]
    return list(dict.fromkeys(found)) or [question]


def find(
    database: Database, statements: Sequence[RenderedQuery], *, named: bool = True, timeout: float | None = None
) -> tuple[Seeds, list[StageTime]]:
    """Fill the stages up to `seed`; `named` also looks up what the seeds are called."""
    times = fill(database, statements, timeout=timeout)
    return Seeds(database.table("context.seeds" if named else "context.seed_ids")), times


def fill(database: Database, statements: Sequence[RenderedQuery], *, timeout: float | None = None) -> list[StageTime]:
    """Fill the stages up to `seed`."""
    times = []
    for query in statements:
        if query.stage in VIEWS:
            database.define(query)
        elif query.stage in STAGES:
            times.append(database.fill(query, timeout=timeout))
    return times
