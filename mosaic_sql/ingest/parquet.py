"""A corpus as a folder of Parquet, and back: complete, in the stored order, all or nothing."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path

from mosaic_sql.database import Database, open_database
from mosaic_sql.errors import MosaicError, QueryError, StoreError
from mosaic_sql.ingest import functions, index
from mosaic_sql.storefile import read_manifest


def export_folder(database: Database, folder: str | Path, *, version: str) -> dict[str, int]:
    """Write every table and a manifest into `folder`; rows per table. An earlier export there is replaced.

    The files are written beside it and take its place when all are there.

    Raises:
        StoreError: the folder holds anything but an export, or cannot be written.
    """
    target = Path(folder).resolve()
    _check_target(target)
    draft = target.with_name(f"{target.name}.tmp-{os.getpid()}")
    try:
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir()
        with database.transaction():
            written_at = datetime.now(UTC).isoformat(timespec="seconds")
            database.script("export", folder=str(draft))
            database.script("export_derived", folder=str(draft), version=version, written_at=written_at)
            counts = dict(database.rows("store.row_counts"))
        _swap(draft, target)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return counts


def import_folder(folder: str | Path, path: str | Path) -> dict[str, int]:
    """A new corpus file from an exported folder; rows per table. The file appears when it is complete.

    Raises:
        StoreError: the file is there already, cannot be written, or the folder is no complete export.
        SchemaVersionError: another version wrote the folder.
    """
    target = Path(path).resolve()
    if target.exists():
        raise StoreError(f"{path} exists; name a new file, or move this one away")
    if not target.parent.is_dir():
        raise StoreError(f"folder {target.parent} does not exist; create it first")
    manifest = read_manifest(folder)
    draft = target.with_name(f"{target.name}.tmp-{os.getpid()}")
    try:
        draft.unlink(missing_ok=True)
        counts = _fill(draft, Path(folder).resolve(), int(manifest["dimension"]))
        for table, rows in manifest["counts"].items():
            if rows != counts.get(table):
                raise StoreError(f"{folder}: {table}.parquet has {counts.get(table)} rows, the manifest says {rows}")
        draft.rename(target)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        for leftover in (draft, draft.with_name(f"{draft.name}.wal")):
            leftover.unlink(missing_ok=True)
    return counts


def _fill(path: Path, folder: Path, dimension: int) -> dict[str, int]:
    with open_database(path) as database:
        database.script("1_corpus", dimension=dimension)
        database.script("2_search")
        try:
            database.script("import", folder=str(folder), dimension=dimension)
        except (QueryError, StoreError) as error:
            raise StoreError(f"{folder} is incomplete or damaged; export it again ({error})") from error
        index.index_names(database)
        database.script("4_comments")
        counts = dict(database.rows("store.row_counts"))
        functions.install(database, anew=True)
        return counts


def _check_target(target: Path) -> None:
    if not target.parent.is_dir():
        raise StoreError(f"folder {target.parent} does not exist; create it first")
    if not target.exists():
        return
    if not target.is_dir():
        raise StoreError(f"{target} is a file; name a folder for the export")
    present = {entry.name for entry in target.iterdir()}
    if not present:
        return
    strangers = present - _files_of(target)
    if strangers:
        raise StoreError(f"{target} holds {min(strangers)}, which no export wrote; name another folder")


def _files_of(folder: Path) -> set[str]:
    """The files that the export in a folder is made of; none where it is no export of this version."""
    try:
        counts = read_manifest(folder)["counts"]
    except MosaicError:
        return set()
    return {"manifest.parquet", *(f"{table}.parquet" for table in counts)}


def _swap(draft: Path, target: Path) -> None:
    """`draft` becomes `target`; what was there stays aside until then."""
    if not target.exists():
        draft.rename(target)
        return
    aside = target.with_name(f"{target.name}.old-{os.getpid()}")
    target.rename(aside)
    try:
        draft.rename(target)
    except OSError:
        aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)
