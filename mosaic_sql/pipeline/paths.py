"""The paths of a walk by their names, the best of each depth: what a picture of it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mosaic_sql.database import Database
from mosaic_sql.pipeline.results import Retrieval

KEPT_SHOWN, DROPPED_SHOWN = 14, 6
"""Paths of a depth that are told one by one; of the others only their number is."""


@dataclass(frozen=True)
class Hop:
    """A path by its last hop: where it stands, from which path and over what it came, and what its score is made of.

    `over` is the name that joins two chunks, or the relation of an edge.
    """

    depth: int
    path_id: int
    parent_id: int | None
    tail_kind: str
    tail_id: int
    name: str
    over: str
    score: float | None
    terms: Mapping[str, float]
    view: str
    kept: bool
    pruned_by: str


@dataclass(frozen=True)
class Column:
    """One depth: the steps that are told, and how many kept and dropped ones are not."""

    depth: int
    hops: tuple[Hop, ...]
    more_kept: int
    more_dropped: int


def columns(database: Database, retrieval: Retrieval) -> tuple[Column, ...]:
    """The walk of a retrieval with `keep_pruned`, depth by depth.

    The kept come first, those on the way to kept evidence before the others, then by score; parents of what is told
    are told too.
    """
    rows = retrieval.walk.rows.to_pylist()
    used = set(retrieval.to_arrow()["path_id"].to_pylist())
    by_id = {row["path_id"]: row for row in rows}
    ways = {path_id for start in used for path_id in _up(by_id, start)}
    by_depth: dict[int, list[dict[str, Any]]] = {}
    for row in rows:
        by_depth.setdefault(row["depth"], []).append(row)
    chosen: dict[int, list[dict[str, Any]]] = {}
    wanted: set[int] = set()
    for depth in sorted(by_depth, reverse=True):
        chosen[depth] = _chosen(by_depth[depth], ways, wanted)
        wanted = {row["parent_id"] for row in chosen[depth]}
    names = _names(database, [row for some in chosen.values() for row in some])
    return tuple(
        Column(
            depth,
            tuple(_hop(row, names) for row in chosen[depth]),
            more_kept=_left(by_depth[depth], chosen[depth], kept=True),
            more_dropped=_left(by_depth[depth], chosen[depth], kept=False),
        )
        for depth in sorted(by_depth)
    )


def _up(by_id: Mapping[int, Mapping[str, Any]], path_id: int | None) -> Iterable[int]:
    while path_id is not None and path_id in by_id:
        yield path_id
        path_id = by_id[path_id]["parent_id"]


def _chosen(rows: Sequence[dict[str, Any]], ways: set[int], wanted: set[int]) -> list[dict[str, Any]]:
    def place(row: Mapping[str, Any]) -> tuple[bool, bool, float, int]:
        return row["path_id"] not in wanted, row["path_id"] not in ways, -(row["score"] or 0.0), row["path_id"]

    kept = sorted((row for row in rows if row["kept"]), key=place)
    dropped = sorted((row for row in rows if not row["kept"]), key=place)
    needed = sum(row["path_id"] in wanted for row in kept)
    return kept[: max(KEPT_SHOWN, needed)] + dropped[:DROPPED_SHOWN]


def _left(rows: Sequence[Mapping[str, Any]], chosen: Sequence[Mapping[str, Any]], *, kept: bool) -> int:
    return sum(row["kept"] is kept for row in rows) - sum(row["kept"] is kept for row in chosen)


def _names(database: Database, rows: Iterable[Mapping[str, Any]]) -> dict[tuple[str, int], str]:
    nodes, chunks, edges = set[int](), set[int](), set[int]()
    for row in rows:
        (chunks if row["tail_kind"] == "chunk" else nodes).add(row["tail_id"])
        nodes.update(row["nodes"][-1:])
        edges.update(row["edges"][-1:])
    found = database.rows("context.names", node_ids=sorted(nodes), chunk_ids=sorted(chunks), edge_ids=sorted(edges))
    return {(kind, number): name for kind, number, name in found}


def _hop(row: Mapping[str, Any], names: Mapping[tuple[str, int], str]) -> Hop:
    if row["tail_kind"] == "chunk":
        over = names.get(("node", row["nodes"][-1]), "") if row["nodes"] else ""
    else:
        over = names.get(("edge", row["edges"][-1]), "") if row["edges"] else ""
    return Hop(
        depth=row["depth"],
        path_id=row["path_id"],
        parent_id=row["parent_id"],
        tail_kind=row["tail_kind"],
        tail_id=row["tail_id"],
        name=names.get((row["tail_kind"], row["tail_id"]), f"{row['tail_kind']} {row['tail_id']}"),
        over=over,
        score=row["score"],
        terms={name: value for name, value in (row["terms"] or {}).items() if value is not None},
        view=row["view"],
        kept=row["kept"],
        pruned_by=row["pruned_by"] or "",
    )
