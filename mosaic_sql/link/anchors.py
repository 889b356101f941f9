"""Anchors that a caller names in the question's place: by node id, by name, by `Name [kind]` or `Name [#id]`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.errors import UnknownId, short
from mosaic_sql.link.names import Name, look_up
from mosaic_sql.link.namesakes import CANDIDATE_LIMIT
from mosaic_sql.link.near import LEAST, Search
from mosaic_sql.link.targets import told_in_full
from mosaic_sql.link.wording import Wording
from mosaic_sql.records import Candidate, Target

_BRACKETED = re.compile(r"(.*\S)\s*\[([^\[\]]+)\]\s*")

_LAST_ID = 2**31 - 1


def given(
    database: Database, anchors: Sequence[str | int], question: str = "", *, indexed: bool = False
) -> tuple[Target, ...]:
    """As `named`, each node with its description and the relations that it has."""
    return tuple(told_in_full(database, named(database, anchors, question, indexed=indexed)))


def named(
    database: Database, anchors: Sequence[str | int], question: str = "", *, indexed: bool = False
) -> tuple[Target, ...]:
    """Targets that a caller names, in order: by node id, exact name, alias, else normalised name.

    `Mercury [planet]` is the Mercury of that kind, `Mercury [#17]` the one that is node 17. A target's place is where
    the question holds its name; one that it does not hold has an empty place at the start. `indexed` for a corpus so
    large that its names have an index.

    Raises:
        UnknownId: a name or an id that no node of the corpus has, or a kind that no node of the name has.
    """
    texts = [anchor for anchor in anchors if isinstance(anchor, str)]
    spelled = [text for anchor in texts for text in (anchor, _parted(anchor)[0])]
    keys = sorted({words.name_key(text) for text in spelled} - {""})
    known: dict[str, list[Name]] = {}
    if keys:
        names = look_up(database, keys, None, indexed=indexed)
        names.resolve(keys)
        known = names.known
    return tuple(_target(database, number, anchor, known, question) for number, anchor in enumerate(anchors))


def _target(
    database: Database, group_id: int, anchor: str | int, known: dict[str, list[Name]], question: str
) -> Target:
    text, chosen = _chosen(database, anchor, known)
    name = text if isinstance(anchor, str) else chosen[0].name
    start = question.casefold().find(name.casefold())
    graph = [one for one in chosen if one.is_graph]
    return Target(
        group_id=group_id,
        name=name,
        alias_key=words.normalise(name),
        weight=1.0,
        node_ids=tuple(one.node_id for one in graph or chosen),
        node_names=tuple(one.name for one in graph or chosen),
        char_start=max(0, start),
        char_end=max(0, start + len(name)) if start >= 0 else 0,
        why="given",
        origin="graph" if graph else "text",
        kinds=tuple(sorted({kind for one in graph for kind in one.kinds})),
        graph_ids=tuple(one.node_id for one in graph),
        page_ids=tuple(sorted({chunk_id for one in chosen for chunk_id in one.page_ids})),
        candidates=tuple(_candidate(one) for one in graph[:CANDIDATE_LIMIT]),
        namesakes=len(graph),
    )


def _candidate(name: Name) -> Candidate:
    return Candidate(name.node_id, name.name, name.kinds, name.degree, "", 1.0, "given")


def _chosen(database: Database, anchor: str | int, known: dict[str, list[Name]]) -> tuple[str, list[Name]]:
    """The name without what stands in brackets, and the nodes that are meant."""
    if isinstance(anchor, int):
        found = _by_id(database, [anchor] if 0 <= anchor <= _LAST_ID else [])
        if not found:
            raise UnknownId(f'anchor: no node {anchor}; `mosaic query DB "FROM node"` lists them')
        return "", found
    found = _named(database, anchor, known)
    if found:
        return anchor, found
    name, mark = _parted(anchor)
    namesakes = _named(database, name, known) if mark else []
    if not namesakes:
        raise UnknownId(f"anchor: no node is called {short(anchor)!r}; {_near(database, name)}")
    meant = [one for one in namesakes if _is(one, mark)]
    if not meant:
        kinds = sorted({kind for one in namesakes for kind in one.kinds}) or [f"#{namesakes[0].node_id}"]
        raise UnknownId(
            f"anchor: no node called {short(name)!r} is of kind {short(mark)!r}; there are {', '.join(kinds)}"
        )
    return name, meant


def _near(database: Database, text: str) -> str:
    """The names that are nearest to one that no node bears, else how to see them all."""
    wording = Wording(text)
    near = Search(database, wording, LEAST, None).nearest(0, len(wording.tokens))
    return f"near it: {', '.join(near)}" if near else '`mosaic query DB "FROM node"` lists them'


def _named(database: Database, text: str, known: dict[str, list[Name]]) -> list[Name]:
    """Nodes of exactly this name, else with this alias, else of this normalised name."""
    names = known.get(words.name_key(text), [])
    exact = [one for one in names if one.name == text] or [one for one in names if text in one.aliases]
    return exact or names or _by_id(database, [row[0] for row in database.rows("link.exact_names", names=[text])])


def _by_id(database: Database, node_ids: list[int]) -> list[Name]:
    rows = database.rows("link.nodes", node_ids=node_ids) if node_ids else []
    return [
        Name(node_id, name, origin, tuple(kinds or ()), False, count or 0, (), degree or 0)
        for node_id, name, origin, kinds, count, degree, _ in rows
    ]


def _parted(anchor: str) -> tuple[str, str]:
    """A name and what stands in brackets after it, empty for nothing."""
    match = _BRACKETED.fullmatch(anchor)
    return (match.group(1), match.group(2).strip()) if match else (anchor, "")


def _is(name: Name, mark: str) -> bool:
    return mark == f"#{name.node_id}" or mark.casefold() in {kind.casefold() for kind in name.kinds}
