"""The rows of a question's graph as `sql/context/` gives them, named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mosaic_sql.records import Found


class EntityRow(NamedTuple):
    """A row of `context.entities`, without its question."""

    node_id: int
    name: str
    kinds: list[str] | None
    description: str | None
    properties: str | None
    is_anchor: bool
    total: int


class NeighbourRow(NamedTuple):
    """A row of `context.neighbours`, without its question; no tail where a relation has a count alone."""

    depth: int
    head_id: int
    head: str
    head_kinds: list[str] | None
    relation_id: int
    label: str
    forward: bool
    tail_id: int | None
    tail: str
    tail_kinds: list[str] | None
    edge_id: int
    properties: str | None
    total: int


class PathRow(NamedTuple):
    """A row of `context.paths`, without its question."""

    number: int
    score: float
    node_ids: list[int]
    names: list[str]
    kinds: list[list[str]]
    edge_ids: list[int]
    labels: list[str]
    forward: list[bool]
    properties: list[str | None]
    total: int


@dataclass(frozen=True)
class Rows:
    """The rows of one question, in order, and what its walk ended in."""

    entities: list[EntityRow]
    neighbours: list[NeighbourRow]
    paths: list[PathRow]
    found: Sequence[Found]
    told: Sequence[tuple[str, str]] = ()

    def nodes(self) -> Iterator[tuple[int, str, tuple[str, ...]]]:
        """Every node that is named."""
        yield from ((row.node_id, row.name, tuple(row.kinds or ())) for row in self.entities)
        for row in self.neighbours:
            yield row.head_id, row.head, tuple(row.head_kinds or ())
            if row.tail_id is not None:
                yield row.tail_id, row.tail, tuple(row.tail_kinds or ())
        for path in self.paths:
            yield from zip(path.node_ids, path.names, map(tuple, path.kinds), strict=True)
