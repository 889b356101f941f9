"""Files that a command writes beside its data: never over a corpus, nor over what the command reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from mosaic_sql.errors import StoreError
from mosaic_sql.storefile import is_database
from mosaic_sql.trace import runs_path

_READ = ("*.parquet", "questions.jsonl", "corpus.jsonl", "corpus.txt")
"""What a command reads of a folder that it is given."""


def check_place(name: str) -> None:
    """Refuse the file that option `name` of the current command would write, before the work is done.

    Raises:
        StoreError: no such folder, a DuckDB database, the corpus or what belongs to it, or an input of the command.
    """
    given = dict(click.get_current_context().params)
    value = given.pop(name)
    if value is None:
        return
    path = Path(value)
    if not path.absolute().parent.is_dir():
        raise StoreError(f"{path} cannot be written (no folder {path.parent}); make the folder first")
    if is_database(path):
        raise StoreError(f"{path} is a DuckDB database, which is not written over; name another file")
    if any(_is_same(path, other) for source in _paths(list(given.values())) for other in _read_of(source)):
        raise StoreError(f"{path} is what this command reads, which is not written over; name another file")


def _paths(value: Any) -> Iterator[Path]:
    """What may be a file in the value of an argument or option: a text that names none is equal to no other file."""
    if isinstance(value, str | Path):
        yield Path(value)
    elif isinstance(value, tuple | list | Mapping):
        for part in value:
            yield from _paths(part)


def _read_of(source: Path) -> Iterator[Path]:
    """A file with the log and the kept runs that it has as a corpus; of a folder, its data."""
    if not source.name or str(source) == ":memory:" or "\0" in str(source):
        return
    yield source
    yield source.with_name(f"{source.name}.wal")
    yield runs_path(str(source))
    with suppress(OSError):  # a question may be longer than the name of a folder
        for pattern in _READ if source.is_dir() else ():
            yield from source.glob(pattern)


def _is_same(one: Path, other: Path) -> bool:
    with suppress(OSError):
        return one.samefile(other)
    with suppress(OSError):
        return one.resolve() == other.resolve()
    return False
