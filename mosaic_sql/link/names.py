"""The names of a corpus: looked up in the file, by its index where the corpus is large, or in a lexicon of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.database import Database

_INDEX_WIDTH = 64
"""Names that one statement looks up by the index."""
_INDEX_LIMIT = 1024
"""Names from which one scan is quicker than the index."""


@dataclass(frozen=True)
class Name:
    """A node and the names by which one normalised name finds it, as they are written."""

    node_id: int
    name: str
    origin: str
    kinds: tuple[str, ...]
    is_title: bool
    chunk_count: int
    page_ids: tuple[int, ...]
    degree: int = 0
    aliases: tuple[str, ...] = ()

    @property
    def is_graph(self) -> bool:
        """Whether it is a node of an imported graph."""
        return self.origin == "graph"


class Lexicon:
    """The names and terms of a corpus in memory: the rows of link.names and link.terms without a statement."""

    def __init__(self, database: Database) -> None:
        self._names: dict[str, list[tuple[Any, ...]]] = {}
        for row in database.rows("link.all_names"):
            self._names.setdefault(row[0], []).append(row)
        self._heads: dict[str, list[tuple[Any, ...]]] = {}
        for row in database.rows("link.all_terms"):
            self._heads.setdefault(row[0][: words.ALIKE], []).append(row)

    def names(self, keys: Iterable[str]) -> list[tuple[Any, ...]]:
        """As link.names."""
        return [row for key in sorted(keys) for row in self._names.get(key, ())]

    def terms(self, stems: Iterable[str]) -> list[tuple[Any, ...]]:
        """As link.terms."""
        return [
            (stem, term_id, term == stem, idf, specificity)
            for stem in sorted(stems)
            for term, term_id, idf, specificity in self._heads.get(stem[: words.ALIKE], ())
            if words.alike(term, stem)
        ]


@dataclass
class Names:
    """What the word groups of a question are called in the corpus.

    In a large corpus the nodes behind a name are read when the name is chosen: `waiting` are the names whose nodes are
    not read yet, with rows (node_id, is_title, chunk_id, alias); `descriptions` are those of the nodes that are.
    """

    database: Database
    known: dict[str, list[Name]] = field(default_factory=dict)
    waiting: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    descriptions: dict[int, str] = field(default_factory=dict)

    @property
    def node_ids(self) -> set[int]:
        """Every node that one of the names finds."""
        known = {name.node_id for names in self.known.values() for name in names}
        return known | {row[0] for rows in self.waiting.values() for row in rows}

    def resolve(self, keys: Iterable[str]) -> bool:
        """Read the nodes behind some names; whether there were any to read."""
        wanted = {key: self.waiting.pop(key) for key in sorted(set(keys) & set(self.waiting))}
        node_ids = sorted({row[0] for rows in wanted.values() for row in rows})
        nodes = {row[0]: row for row in self.database.rows("link.nodes", node_ids=node_ids)} if wanted else {}
        self.descriptions.update((node_id, row[6] or "") for node_id, row in nodes.items())
        for key, rows in wanted.items():
            found = [
                (key, node_id, is_title, chunk_id, *nodes[node_id][1:6], alias)
                for node_id, is_title, chunk_id, alias in rows
            ]
            found.sort(key=lambda row: (row[0], not row[2], -(row[8] or 0), row[1], row[3] is not None, row[3], row[9]))
            self.known.update(_grouped(found))
        return bool(wanted)


def look_up(database: Database, keys: Sequence[str], lexicon: Lexicon | None, *, indexed: bool = False) -> Names:
    """The names among normalised `keys`, titles first, then the best connected; `indexed` for a large corpus."""
    if lexicon is not None:
        return Names(database, _grouped(lexicon.names(keys)))
    if not indexed or len(keys) > _INDEX_LIMIT:
        return Names(database, _grouped(database.rows("link.names", keys=list(keys))))
    waiting: dict[str, list[tuple[Any, ...]]] = {}
    if len(keys) == 1:
        for key, *row in database.rows("link.indexed_alias", key=keys[0]):
            waiting.setdefault(key, []).append(tuple(row))
        return Names(database, {}, waiting)
    for start in range(0, len(keys), _INDEX_WIDTH):
        part = keys[start : start + _INDEX_WIDTH]
        params = {f"k{place:02d}": part[min(place, len(part) - 1)] for place in range(_INDEX_WIDTH)}
        for key, *row in database.rows("link.indexed_aliases", **params):
            waiting.setdefault(key, []).append(tuple(row))
    return Names(database, {}, waiting)


def _grouped(rows: Iterable[tuple[Any, ...]]) -> dict[str, list[Name]]:
    """Rows of link.names as names by key; a node once a key."""
    known: dict[str, dict[int, Name]] = {}
    for key, node_id, is_title, chunk_id, name, origin, kinds, count, degree, alias in rows:
        names = known.setdefault(key, {})
        found = names.get(node_id) or Name(
            node_id, name, origin, tuple(kinds or ()), False, count or 0, (), degree or 0, ()
        )
        pages = (*found.page_ids, chunk_id) if is_title and chunk_id is not None else found.page_ids
        aliases = found.aliases if alias in found.aliases else (*found.aliases, alias)
        names[node_id] = replace(found, is_title=found.is_title or is_title, page_ids=pages, aliases=aliases)
    return {key: list(names.values()) for key, names in known.items()}
