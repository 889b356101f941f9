"""What lies at a path, told before the engine opens it: a corpus file, a folder of Parquet, or neither."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from mosaic_sql.errors import SchemaVersionError, StoreError

SCHEMA_VERSION = "2"
"""Version of the tables; a file of another one is refused with what to do."""
INDEXED_NODES = 100_000
"""Nodes from which the look-up form of names has an index."""

_MAGIC = b"DUCK"
_REFUSED = re.compile(r'(?:Cannot|Could not) open file "(.+?)": (.+)')
_NAMED = re.compile(r'\bfile "(.+?)"')


def remove(name: str) -> None:
    """Take away a store that was made in vain, and its log; `:memory:` has none."""
    if name != ":memory:":
        for path in (Path(name), Path(f"{name}.wal")):
            path.unlink(missing_ok=True)


def check_path(name: str, *, folder: bool, may_create: bool) -> bool:
    """Whether the store is new; refuses what is no DuckDB file before the engine sees it."""
    if name == ":memory:":
        return True
    path = Path(name)
    if folder:
        return False
    if not path.exists():
        if not may_create:
            raise StoreError(f"{name} does not exist; create it with `mosaic add {name} DOCUMENTS`")
        if not path.parent.is_dir():
            raise StoreError(f"folder {path.parent} does not exist; create it first")
        if "?" in str(path.resolve()):  # the engine takes what follows for options and loses its log
            raise StoreError(f"{name} has a question mark in its path; a file can not be kept there, name another")
        return True
    try:
        with path.open("rb") as file:
            head = file.read(12)
    except OSError as error:
        raise StoreError(f"{name} cannot be read: {error.strerror}") from error
    if head[8:12] != _MAGIC:
        what = "is empty" if not head else "is not a DuckDB file"
        raise StoreError(f"{name} {what}; name another file, or move this one away")
    return False


def unreadable(text: str, what: str) -> StoreError:
    """The error for a file that the engine could not open or read: `text` is what it said, `what` it ran."""
    refused = _REFUSED.search(text)
    if refused and "No such file" not in text:
        return StoreError(f"{refused[1]} cannot be opened: {refused[2]}")
    named = _NAMED.search(text)
    said = f"{named[1]} cannot be read" if named else f"{what}: the file cannot be read"
    again = ", take a copy or build it again" if named else ""
    return StoreError(f"{said}, it may be cut short or damaged{again} ({text[:200]})")


def is_database(path: Path) -> bool:
    """Whether a file is a DuckDB database, by its first bytes; one that cannot be read is none."""
    if not path.is_file():  # a pipe would wait
        return False
    try:
        with path.open("rb") as file:
            return file.read(12)[8:] == _MAGIC
    except OSError:
        return False


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The one row of a folder's manifest.parquet.

    Raises:
        StoreError: there is none, it cannot be read, or another program wrote it.
        SchemaVersionError: written by another version.
    """
    path = Path(folder) / "manifest.parquet"
    if not path.parent.is_dir():
        what = "is no folder" if path.parent.exists() else "does not exist"
        raise StoreError(f"{folder} {what}; name a folder that `mosaic export` wrote")
    if not path.is_file():
        raise StoreError(f"{folder} is a folder without manifest.parquet; write one with `mosaic export DB {folder}`")
    try:
        with parquet.ParquetFile(path.resolve()) as file:
            rows = file.read().to_pylist()
    except (OSError, pa.ArrowException) as error:
        why = " ".join(str(error).split())[:200]
        raise StoreError(f"{path} cannot be read, it may be cut short or damaged ({why})") from error
    manifest: dict[str, Any] = rows[0] if len(rows) == 1 else {}
    counts, dimension = manifest.get("counts"), manifest.get("dimension")
    if manifest.get("format") != "mosaic" or not (isinstance(counts, dict) and isinstance(dimension, int)):
        raise StoreError(f"{path} is not the manifest of a mosaic export; name another folder")
    check_version(str(folder), manifest.get("schema_version"))
    return manifest


def check_version(name: str, version: object) -> None:
    """Refuse another schema version than this one's, with what to run."""
    if version != SCHEMA_VERSION:
        raise SchemaVersionError(
            f"{name} has schema version {version}, this is for version {SCHEMA_VERSION}; "
            "open it with the version of mosaic-sql that wrote it, `mosaic export`, and `mosaic import` here"
        )
