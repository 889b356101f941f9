"""The table macros that every corpus file carries, for people in any DuckDB client."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache

from mosaic_sql import sqlfiles
from mosaic_sql.database import Database, with_literals
from mosaic_sql.records import RenderedQuery
from mosaic_sql.sqlfiles import Identifier

PREFIX = "mosaic_"
META = "functions"
_NAMED: Mapping[str, str] = {"named": "functions.named"}


def statements() -> Iterator[RenderedQuery]:
    """What makes each macro, and what says of it in the catalogue what its file says."""
    for name in _names():
        file = sqlfiles.load(name)
        composed = sqlfiles.compose(name, {slot: _NAMED[slot] for slot in file.slots})
        yield RenderedQuery(name, with_literals(composed, {"item": Identifier("item")}))
        comment = sqlfiles.load("store.comment_on_macro").body
        macro = Identifier(name.rpartition(".")[2])
        yield RenderedQuery(name, with_literals(comment, {"macro": macro, "doc": file.doc}))


def install(database: Database, *, anew: bool = False) -> None:
    """Make them in a corpus that may be written, or is a folder; nothing happens where it has these very ones.

    `anew` where its `meta` came from another file, whose functions it does not have.
    """
    if not (anew or database.folder) and database.meta().get(META) == fingerprint():
        return
    database.make_trace()  # what the functions over runs are bound to
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
