"""What a question names: linked in its words, given by the caller, or described and resolved."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mosaic_sql import link as linking
from mosaic_sql.analyze import lexicon as lexicons
from mosaic_sql.analyze import speaks, surer
from mosaic_sql.database import Database
from mosaic_sql.records import Catalogue, Target


@dataclass(frozen=True)
class Named:
    """What a question names, and the milliseconds it took to find."""

    linked: linking.Linked
    milliseconds: float


@dataclass(frozen=True)
class Place:
    """Where names are looked up; `embed` where the nodes' names have vectors."""

    database: Database
    lexicon: linking.Lexicon | None
    catalogue: Catalogue
    embed: Callable[[Sequence[str]], Sequence[tuple[float, ...] | None]] | None


def link(
    place: Place,
    question: str,
    *,
    anchors: Sequence[str | int],
    targets: tuple[Target, ...] | None = None,
) -> Named:
    """What a question names, or `anchors` in its place; beside given `targets` its terms alone.

    Raises:
        UnknownId: an anchor that no node is called.
    """
    started = time.perf_counter()
    database, lexicon, catalogue = place.database, place.lexicon, place.catalogue
    if targets is not None:
        indexed = linking.is_indexed(database, catalogue)
        linked = linking.Linked(targets, (), linking.terms(database, question, lexicon, indexed=indexed))
    else:
        linked = linking.link(
            database, question, lexicon, catalogue=catalogue, embed=place.embed, others=lexicons.others
        )
        linked = replace(linked, targets=surer(question, linked.targets, catalogue))
        if anchors:
            indexed = linking.is_indexed(database, catalogue)
            given = linking.given(database, anchors, question, indexed=indexed)
            linked = replace(linked, targets=given, unknown=())
    return Named(linked, 1000 * (time.perf_counter() - started))


def missing(linked: linking.Linked, catalogue: Catalogue) -> str:
    """Which names of a question no node bears; empty where there are none but words that ask for something."""
    asked = [one for one in linked.unknown if not all(speaks(form, catalogue) for form in one.forms)]
    return "; ".join(map(str, asked))


def standing_for(database: Database, target: Target, nodes: Sequence[int]) -> Target:
    """A target with some nodes in its place: their names, kinds and relations."""
    rows = {row[0]: row for row in database.rows("link.described", node_ids=list(nodes))}
    steps = {(relation, forward) for _, relation, forward in database.rows("link.steps", node_ids=list(nodes))}
    return replace(
        target,
        node_ids=tuple(nodes),
        graph_ids=tuple(nodes),
        node_names=tuple(rows[node_id][1] for node_id in nodes),
        kinds=tuple(sorted({kind for row in rows.values() for kind in row[2] or ()})),
        steps=tuple(sorted(steps)),
    )
