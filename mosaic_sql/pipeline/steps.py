"""What the steps of a nested question tell: the paths that led to what its walk used, and their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow.compute as pc

from mosaic_sql.database import Database
from mosaic_sql.pipeline.results import Step
from mosaic_sql.records import Walk

WITNESSES = 15
"""Paths of the steps that an answer may read."""


def in_order(steps: Sequence[Step]) -> list[Step]:
    """Steps with their own steps before them, in the order they ran."""
    return [each for step in steps for each in (*in_order(step.retrieval.steps), step)]


def lines(database: Database, walk: Walk, steps: Sequence[Step]) -> tuple[str, ...]:
    """The paths of the steps that led to what a walk used, written out, WITNESSES at most."""
    paths = list({tuple(path["edges"]): path for path in _paths(_answers(walk), steps)}.values())[:WITNESSES]
    return tuple(text for _, text in database.rows("context.steps", paths=paths)) if paths else ()


def _paths(used: Sequence[Mapping[str, Any]], steps: Sequence[Step]) -> list[dict[str, Any]]:
    """The paths of steps that end in nodes which the paths `used` start from or, for a condition, end in."""
    starts = {node_id for path in used for node_id in path["nodes"]}
    ends = {path["tail_id"] for path in used}
    found: list[dict[str, Any]] = []
    for step in steps:
        if step.role not in ("anchor", "condition"):
            continue
        nodes = {found.node_id for found in step.nodes}
        wanted = (ends if step.role == "condition" else starts & nodes) or nodes
        own = [path for path in _answers(step.retrieval.walk) if path["tail_id"] in wanted]
        found += _paths(own, step.retrieval.steps)
        found += [{"nodes": path["nodes"], "edges": path["edges"]} for path in own]
    return found


def _answers(walk: Walk) -> list[dict[str, Any]]:
    """The paths of a walk that end in its answers."""
    rows = walk.rows.select(["nodes", "edges", "tail_id", "view", "kept"])
    held = rows.filter(pc.and_(pc.equal(rows["view"], "answer"), rows["kept"]))
    return list(held.to_pylist())
