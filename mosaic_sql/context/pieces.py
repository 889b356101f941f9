"""Rows of the graph into what tables and lines are made of: names as cells, values that are not null, arrows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mosaic_sql.context import cells
from mosaic_sql.context.rows import EntityRow, NeighbourRow, PathRow
from mosaic_sql.context.tables import Entity, Piece, Table
from mosaic_sql.policy import ContextPolicy
from mosaic_sql.records import GraphPath

_ANCHOR = 8
"""How many times as long a value of an anchor may be."""


def table(rows: Sequence[EntityRow], names: Mapping[int, str], policy: ContextPolicy) -> Table:
    """The entity table to be: kind, description, then the properties that are not null."""
    anchors, others = list[Entity](), list[Entity]()
    for row in rows:
        limit = policy.cell_chars * (_ANCHOR if row.is_anchor else 1)
        values = {"description": row.description or "", **cells.properties(row.properties)}
        told = {name: cells.line(value, limit) for name, value in values.items() if value.strip()}
        kind = cells.unquoted(cells.line(", ".join(row.kinds or ()), policy.cell_chars))
        (anchors if row.is_anchor else others).append(Entity(names[row.node_id], kind, told))
    return Table(anchors, others, hidden=max((row.total for row in rows), default=0) - len(rows))


def walked(rows: Sequence[NeighbourRow], names: Mapping[int, str], limit: int) -> list[Piece]:
    """Edges of a bfs; those of one node and relation share a line."""
    return [
        Piece(
            key=(row.head_id, row.relation_id, row.forward, row.label),
            opening=f"{names[row.head_id]} {_arrow(row.label, row.forward)} ",
            name=names[row.tail_id] + _detail(row.properties, limit),
            edge_ids=(row.edge_id,),
            score=1.0 / (1 + row.depth),
            family=(row.head_id, row.relation_id, row.forward),
            total=row.total,
        )
        for row in rows
        if row.tail_id is not None
    ]


def unseen(rows: Sequence[NeighbourRow], names: Mapping[int, str]) -> list[Piece]:
    """Relations of an anchor that no row is shown of, by their number of edges."""
    return [
        Piece(
            key=(row.head_id, row.relation_id, row.forward),
            opening=f"{names[row.head_id]} {_arrow(row.label, row.forward)} ",
            name=f"{row.total:,} not shown",
            edge_ids=(),
            score=0.0,
        )
        for row in rows
        if row.tail_id is None
    ]


def ended(rows: Sequence[PathRow], names: Mapping[int, str], limit: int, *, joining: bool) -> list[Piece]:
    """Paths that a walk ended with.

    Those that differ in the last node alone share a line; between two ends, in the middle one of two hops.
    """
    return [_path(row, names, limit, joining=joining) for row in rows]


def _path(row: PathRow, names: Mapping[int, str], limit: int, *, joining: bool) -> Piece:
    shown = [names[node_id] for node_id in row.node_ids]
    details = [_detail(text, limit) for text in row.properties]
    at = len(row.edge_ids)  # the node that varies within a line
    if joining:
        at = 1 if len(row.edge_ids) == 2 and not any(details) else 0
    arrows = [
        f" {_arrow(label, forward, '' if place == at else detail)} "
        for place, (label, forward, detail) in enumerate(zip(row.labels, row.forward, details, strict=True), start=1)
    ]
    parts = [text for pair in zip(shown, [*arrows, ""], strict=True) for text in pair]
    opening, closing = ("".join(parts[: 2 * at]), "".join(parts[2 * at + 1 :])) if at else ("", "")
    name = shown[at] + details[at - 1] if at else "".join(parts)
    return Piece(
        key=(opening, closing) if at else name,
        opening=opening,
        name=name,
        closing=closing,
        edge_ids=tuple(row.edge_ids),
        score=row.score,
        path=GraphPath(
            0,
            tuple(row.node_ids),
            tuple(shown),
            tuple(map(tuple, row.kinds)),
            tuple(zip(row.labels, row.forward, strict=True)),
        ),
    )


def _arrow(label: str, forward: bool, detail: str = "") -> str:
    """A step as the path goes; the arrow points as the edge does."""
    name = cells.unquoted(cells.line(label)) + detail
    return f"-{name}->" if forward else f"<-{name}-"


def _detail(properties: str | None, limit: int) -> str:
    """The properties of an edge, in brackets after a blank."""
    values = {name: cells.line(value, limit) for name, value in cells.properties(properties).items()}
    return f" ({cells.pairs(values)})" if values else ""
