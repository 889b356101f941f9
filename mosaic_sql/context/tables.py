"""Rows of the graph into lines within a budget of tokens: the entity table, and relations or paths that share a line.

A line per head and relation, `Head -relation-> tail; tail`, takes two thirds of the tokens of a row per edge without
any markup, and half of those of a Markdown table or JSON; kinds with several entities get a header and a row each.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from mosaic_sql.context import cells
from mosaic_sql.records import GraphPath
from mosaic_sql.text import token_count

PART = " | "
LINE_TOKENS = 10
"""Tokens kept free for a line's title and for what it says of the rest: `relations: `, `; and 12,345 more`."""


@dataclass
class Budget:
    """Tokens that are left; what is taken is never more than what the text comes to."""

    left: int

    def takes(self, tokens: int) -> bool:
        """Whether `tokens` are left, which are then taken."""
        if tokens > self.left:
            return False
        self.left -= tokens
        return True


# -- entities --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entity:
    """A row of the entity table: the name as a cell, what it is, and its values that are not null, a line each."""

    name: str
    kind: str
    values: Mapping[str, str]

    def __str__(self) -> str:
        """The row on its own: `Marie Curie (person): born: 1867; died: 1934`; the kind once."""
        told = not self.kind or self.name.endswith(f" ({self.kind})")
        head = self.name if told else f"{self.name} ({self.kind})"
        return f"{head}: {cells.pairs(self.values)}" if self.values else head

    @property
    def tokens(self) -> int:
        """What it takes at most, in whichever form, with a title."""
        return token_count(f"entity: {self}\n")


class Table:
    """The entity table that grows: anchors, as whole as there is room, then the others as long as there is.

    `hidden` is how many more there are than were read.
    """

    def __init__(self, anchors: Sequence[Entity], others: Sequence[Entity], *, hidden: int = 0) -> None:
        self._anchors = anchors
        self._others = others
        self._unread = hidden
        self._starts: list[Entity] = []
        self._rows: list[Entity] = []

    @property
    def waiting(self) -> bool:
        """Whether there are entities beside the anchors."""
        return bool(self._others)

    @property
    def hidden(self) -> int:
        """Entities with something to say that are not shown."""
        return self._unread + len(self._anchors) - len(self._starts) + len(self._others) - len(self._rows)

    def anchors(self, budget: Budget) -> None:
        """Take the anchors, each within half of what is left: values that do not fit are left out."""
        for entity in self._anchors:
            own = Budget(budget.left // 2)
            kept = _fitting(entity, own.left)
            if not budget.takes(kept.tokens):
                return
            self._starts.append(kept)

    def fill(self, budget: Budget) -> None:
        """Take further entities."""
        for entity in self._others[len(self._rows) :]:
            if not budget.takes(entity.tokens):
                return
            self._rows.append(entity)

    def texts(self) -> list[str]:
        """A text per anchor, then one per kind in order of appearance, under a header where that is shorter."""
        kinds: dict[str, list[Entity]] = {}
        for row in self._rows:
            kinds.setdefault(row.kind, []).append(row)
        written = [str(anchor) for anchor in self._starts]
        written += [
            min("\n".join(map(str, rows)), _columns(kind, rows), key=len) if len(rows) > 1 else str(rows[0])
            for kind, rows in kinds.items()
        ]
        if self.hidden and written:
            written[-1] += f"\nand {self.hidden:,} more"
        return written


def _fitting(entity: Entity, room: int) -> Entity:
    """The row with as many of its values, in order, as there is room for; the name always."""
    kept = Entity(entity.name, entity.kind, {})
    for name, value in entity.values.items():
        longer = Entity(entity.name, entity.kind, {**kept.values, name: value})
        if longer.tokens > room:
            break
        kept = longer
    return kept


def _columns(kind: str, rows: Sequence[Entity]) -> str:
    """Without values the names in one row; else `kind: name | a | b`, then a row each, empty where it has none."""
    columns = list(dict.fromkeys(name for row in rows for name in row.values))
    if not columns:
        return f"{kind or 'entity'}: {'; '.join(row.name for row in rows)}"
    header = f"{kind or 'entity'}: {PART.join(['name', *columns])}"
    lines = [PART.join([row.name, *(_column(row, name) for name in columns)]).rstrip(" |") for row in rows]
    return "\n".join([header, *lines])


def _column(row: Entity, name: str) -> str:
    return cells.cell(row.values[name]) if name in row.values else ""


# -- relations and paths ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """One row for a line: pieces of one `key` stand together between what opens and closes the line."""

    key: Hashable
    opening: str
    name: str
    edge_ids: tuple[int, ...]
    score: float
    closing: str = ""
    family: Hashable = None
    total: int = 0
    path: GraphPath | None = None


@dataclass
class Line:
    """A line that grows; `hidden` is how many of its relation's tails it does not name."""

    first: Piece
    pieces: list[Piece] = field(default_factory=list)
    hidden: int = 0

    def __str__(self) -> str:
        names = dict.fromkeys(piece.name for piece in self.pieces)
        more = [f"and {self.hidden:,} more"] if self.hidden and names else []
        return self.first.opening + "; ".join([*names, *more]) + self.first.closing

    @property
    def edge_ids(self) -> tuple[int, ...]:
        """The edges that it states, in order, once each."""
        return tuple(dict.fromkeys(edge_id for piece in self.pieces for edge_id in piece.edge_ids))


class Lines:
    """Pieces in their order, as long as the budget has room; those of one key share a line."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self.taken = 0
        self._lines: dict[Hashable, Line] = {}

    def fill(self, budget: Budget) -> None:
        """Take further pieces."""
        for piece in self._pieces[self.taken :]:
            new = piece.key not in self._lines
            tokens = token_count(piece.name + "; ")
            tokens += token_count(piece.opening + piece.closing) + LINE_TOKENS if new else 0
            if not budget.takes(tokens):
                return
            self._lines.setdefault(piece.key, Line(piece)).pieces.append(piece)
            self.taken += 1

    def finished(self) -> list[Line]:
        """The lines, each family's last one with how many of its `total` are not shown."""
        shown: dict[Hashable, int] = {}
        last: dict[Hashable, Line] = {}
        for line in self._lines.values():
            shown[line.first.family] = shown.get(line.first.family, 0) + len(line.pieces)
            last[line.first.family] = line
        for family, line in last.items():
            line.hidden = max(0, max(piece.total for piece in line.pieces) - shown[family])
        return list(self._lines.values())
