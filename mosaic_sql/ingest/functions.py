"""The table macros that every corpus file carries, for people in any DuckDB client."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from mosaic_sql import sqlfiles
from mosaic_sql.database import Database, with_literals
from mosaic_sql.policy import default_policy
from mosaic_sql.records import RenderedQuery
from mosaic_sql.sqlfiles import Identifier

PREFIX = "mosaic_"
META = "functions"
_SHARED = ("named", "meant", "stored", "read", "arrived", "beam", "bounded")
"""Files of this folder that its functions take in slots of their names."""
_JOIN = {"expand": "walk.expand_join", "kind": "walk.kind_join"}
_STEP = {"step": "walk.path_step", **{f"step.{slot}": file for slot, file in _JOIN.items()}}
_GROW = {"expand": "walk.expand_join", "hop": "walk.hop", "grow": "walk.grow", "score": "walk.path_score"}
_BEAM = {
    **{f"beam.{part}s": f"walk.{part}_score" for part in ("name", "node", "relation", "edge")},
    "beam.connector": "walk.no_connector",
    "beam.walk": "walk.beam",
    "beam.walk.step": "walk.beam_step",
    **{f"beam.walk.step.{slot}": file for slot, file in _GROW.items()},
}
_SLOTS: Mapping[str, Mapping[str, str]] = {
    "mosaic_bfs": {"walk": "walk.bfs", "walk.expand": "walk.expand_join"},
    "mosaic_match": {
        "walk": "walk.meta_path",
        "walk.start": "walk.start",
        "walk.step": "walk.pattern_step",
        **{f"walk.step.{slot}": file for slot, file in _JOIN.items()},
        "walk.found": "walk.pattern_found",
    },
    "mosaic_paths": {
        "reach": "walk.reach",
        **{f"reach.{slot}": file for slot, file in _STEP.items()},
        "corridor": "walk.corridor",
        **{f"corridor.{slot}": file for slot, file in _STEP.items()},
        "walk": "walk.constrained_shortest_path",
    },
    "mosaic_beam": _BEAM,
    "mosaic_beam_chunk": _BEAM,
    "mosaic_why": {"state": "store.state"},
}
"""The walks that a function is the plain twin of, and the state of the corpus that a run is held against."""
_SCORED = {
    **default_policy("beam").walk.weights.model_dump(),
    "max_depth": Identifier("hops"),
    "beam_width": Identifier("width"),
    "beam_scope": "pool",
    "anchor_strength": 0.0,
    "fan_out": 1000,
    "rule_relation_id": -1,
    "keep_pruned": False,
    "stop_regime": "deep",
    "completeness_floor": 2.0,
    "evidence_count": 1,
}
"""The beam of a function: the weights of the walk, one pool a depth, and no stop before its depth."""
_BOUNDS = {"row_budget": 200_000, "fan_out": 10_000_000, "keep_pruned": False, "max_depth": 20}
_VALUES: Mapping[str, Mapping[str, Any]] = {
    "mosaic_bfs": {**_BOUNDS, "max_depth": Identifier("hops"), "direction": Identifier("ways")},
    "mosaic_match": _BOUNDS,
    "mosaic_beam": _SCORED,
    "mosaic_beam_chunk": _SCORED,
    "mosaic_paths": {**_BOUNDS, "max_depth": Identifier("longest"), "path_limit": Identifier("top")},
}
"""What stands for the parameters of a walk: those of the function, else its bounds."""


@lru_cache(maxsize=1)
def statements() -> tuple[RenderedQuery, ...]:
    """What makes each macro, and what says of it in the catalogue what its file says."""
    return tuple(_statements())


def _statements() -> Iterator[RenderedQuery]:
    for name in _names():
        file, macro = sqlfiles.load(name), Identifier(name.rpartition(".")[2])
        shared = {slot: f"functions.{slot}" for slot in _SHARED if slot in file.slots}
        inner = {"meant.named": "functions.named"} if "meant" in shared else {}
        composed = sqlfiles.compose(name, {**shared, **inner, **_SLOTS.get(macro, {})})
        yield RenderedQuery(name, with_literals(composed, _VALUES.get(macro, {})))
        comment = sqlfiles.load("store.comment_on_macro").body
        yield RenderedQuery(name, with_literals(comment, {"macro": macro, "doc": file.doc}))


def install(database: Database, *, anew: bool = False) -> None:
    """Make them in a corpus that may be written, or is a folder; nothing happens where it has these very ones.

    `anew` where its `meta` came from another file, whose functions it does not have.
    """
    if not (anew or database.folder) and database.meta().get(META) == fingerprint():
        return
    for statement in statements():
        database.change(statement)
    if not database.folder:
        database.put_meta(**{META: fingerprint()})


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """SHA-256 (16 hex digits) of their text: a file with another has those of another version."""
    return hashlib.sha256("\n".join(statement.sql for statement in statements()).encode()).hexdigest()[:16]


def _names() -> list[str]:
    return [name for name in sqlfiles.names() if name.startswith(f"functions.{PREFIX}")]
