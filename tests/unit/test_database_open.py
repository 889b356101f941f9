"""Opening a corpus: modes, locks, and what is said of files that cannot be opened."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

import mosaic_sql as mosaic
from mosaic_sql import errors
from mosaic_sql.database import Database, open_database, translate
from mosaic_sql.storefile import SCHEMA_VERSION, read_manifest

ROOT = Path(__file__).parents[2]


def documents(corpus: Database) -> list[tuple[Any, ...]]:
    return corpus.connection.execute("SELECT document_id, source FROM document ORDER BY ALL").fetchall()


def one_line(error: BaseException) -> str:
    text = str(error)
    assert text and "\n" not in text
    return text


@contextmanager
def another_process(code: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A process that runs `code`, has printed a line, and waits for its standard input to close."""
    script = textwrap.dedent(code) + "\nprint('ready', flush=True)\nsys.stdin.read()\n"
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys\nfrom mosaic_sql.database import open_database\n" + script],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        try:
            yield process
        finally:
            process.kill()


def test_memory_is_a_corpus_with_nothing_in_it() -> None:
    with open_database(":memory:") as corpus:
        assert corpus.rows("store.tables") == []
        assert not corpus.read_only


def test_a_file_is_created_then_opened_again(path: Path) -> None:
    with open_database(path) as corpus:
        assert documents(corpus) == [(1, "a.txt")]
        assert corpus.meta() == {"schema_version": SCHEMA_VERSION}


@pytest.mark.parametrize("name", ["it's; DROP.duckdb", "ünïcode 文.duckdb", "two words.duckdb"])
def test_a_path_is_a_value(tmp_path: Path, name: str) -> None:
    with open_database(tmp_path / name) as corpus:
        corpus.script("1_corpus", dimension=8)
        corpus.put_meta(schema_version=SCHEMA_VERSION)
    with open_database(tmp_path / name, read_only=True) as corpus:
        assert documents(corpus) == []


def test_read_only_refuses_to_write_and_keeps_temporary_tables(path: Path) -> None:
    with open_database(path, read_only=True) as corpus:
        with pytest.raises(errors.QueryError, match="read-only"):
            corpus.put_meta(a=1)
        corpus.connection.execute("CREATE TEMP TABLE t AS SELECT 1 AS a")
        assert corpus.connection.execute("FROM t").fetchall() == [(1,)]


def test_a_file_of_the_default_storage_version_says_so(path: Path) -> None:
    with open_database(path) as corpus:
        (tags,) = corpus.connection.execute(
            "SELECT tags FROM duckdb_databases() WHERE database_name = 'corpus'"
        ).fetchone() or ({},)
    assert "v1.5" in str(tags)


def test_a_file_keeps_the_storage_version_it_was_made_with(tmp_path: Path) -> None:
    file = tmp_path / "new.duckdb"
    with open_database(file, storage_version="v2.0.0") as corpus:
        corpus.script("1_corpus", dimension=8)
        corpus.put_meta(schema_version=SCHEMA_VERSION)
    with open_database(file) as corpus:
        assert documents(corpus) == []


def test_a_file_opened_twice_in_one_process_is_locked(path: Path) -> None:
    with open_database(path), pytest.raises(errors.StoreLocked) as caught:
        open_database(path, read_only=True)
    assert "close it" in one_line(caught.value)
    with open_database(path) as corpus:  # the refused handle left nothing behind
        assert documents(corpus) == [(1, "a.txt")]


def test_a_file_that_another_process_writes_is_locked(path: Path) -> None:
    with another_process(f"corpus = open_database({str(path)!r})") as process:
        for read_only in (True, False):
            with pytest.raises(errors.StoreLocked) as caught:
                open_database(path, read_only=read_only)
            assert f"process {process.pid}" in one_line(caught.value)
            assert caught.value.exit_code == 3


def test_a_file_that_another_process_reads_can_be_read_but_not_written(path: Path) -> None:
    with another_process(f"corpus = open_database({str(path)!r}, read_only=True)"):
        with open_database(path, read_only=True) as corpus:
            assert documents(corpus) == [(1, "a.txt")]
        with pytest.raises(errors.StoreLocked):
            open_database(path)


def test_readers_see_what_a_killed_writer_had_committed(path: Path) -> None:
    code = f"""
        corpus = open_database({str(path)!r})
        corpus.connection.execute("INSERT INTO document VALUES (2, 'b.txt', 'B', 'i', 3, NULL)")
        corpus.connection.execute("BEGIN")
        corpus.connection.execute("INSERT INTO document VALUES (3, 'c.txt', 'C', 'j', 3, NULL)")
    """
    with another_process(code) as process:
        process.kill()
    assert path.with_name("c.duckdb.wal").stat().st_size > 0
    for read_only in (True, True, False):
        with open_database(path, read_only=read_only) as corpus:
            assert documents(corpus) == [(1, "a.txt"), (2, "b.txt")]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    for read_only, create in ((True, True), (False, False)):
        with pytest.raises(errors.StoreError, match="does not exist; create it with `mosaic add") as caught:
            open_database(tmp_path / "none.duckdb", read_only=read_only, create=create)
        assert str(tmp_path / "none.duckdb") in one_line(caught.value)
    with pytest.raises(errors.StoreError, match=r"folder .*nowhere does not exist"):
        open_database(tmp_path / "nowhere" / "c.duckdb")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"", "is empty"), (b"hello", "is not a DuckDB file"), (b"SQLite format 3\0" * 400, "is not a DuckDB file")],
)
def test_what_is_no_duckdb_file_is_left_alone(tmp_path: Path, content: bytes, says: str) -> None:
    file = tmp_path / "c.duckdb"
    file.write_bytes(content)
    for read_only in (True, False):
        with pytest.raises(errors.StoreError, match=says) as caught:
            open_database(file, read_only=read_only)
        one_line(caught.value)
    assert file.read_bytes() == content


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_told(path: Path) -> None:
    path.chmod(0)
    with pytest.raises(errors.StoreError, match="cannot be read"):
        open_database(path)


@pytest.mark.parametrize("why", ["Permission denied", "Read-only file system", "Too many open files"])
def test_what_the_system_refuses_is_no_damage(why: str) -> None:
    told = translate(duckdb.IOException(f'IO Error: Cannot open file "/a b/c.duckdb": {why}'), "store.attach_file")
    assert (type(told), str(told)) == (errors.StoreError, f"/a b/c.duckdb cannot be opened: {why}")


def test_a_duckdb_file_of_another_program_is_no_corpus(tmp_path: Path) -> None:
    file = tmp_path / "other.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("CREATE TABLE document (a INTEGER)")
    before = file.read_bytes()
    for read_only in (True, False):
        with pytest.raises(errors.StoreError, match="not a mosaic corpus") as caught:
            open_database(file, read_only=read_only)
        one_line(caught.value)
    assert file.read_bytes() == before


def test_a_newer_schema_version_is_told(path: Path) -> None:
    with open_database(path) as corpus:
        corpus.put_meta(schema_version="99")
    for read_only in (True, False):
        with pytest.raises(
            errors.SchemaVersionError, match=f"schema version 99, this is for version {SCHEMA_VERSION}"
        ) as caught:
            open_database(path, read_only=read_only)
        one_line(caught.value)


@pytest.mark.parametrize("share", [0.0, 8, 11, 12, 13, 4095, 4096, 8192, 12288, 12289, 0.5, 0.9, -1])
def test_a_file_cut_short_is_damaged(path: Path, share: float) -> None:
    data = path.read_bytes()
    length = int(share if share > 1 else len(data) + share if share < 0 else len(data) * share)
    path.write_bytes(data[:length])
    for read_only in (True, False):
        with pytest.raises(errors.StoreError) as caught:
            open_database(path, read_only=read_only)
        assert type(caught.value) is errors.StoreError
        assert one_line(caught.value).startswith(f"{path} ")
        assert "store." not in str(caught.value)
    assert path.read_bytes() == data[:length]


@pytest.mark.parametrize("place", [0, 13, 20, 4100, 8200, 12300])
def test_a_file_with_a_flipped_byte_is_damaged(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(errors.StoreError, match="damaged") as caught:
        open_database(path, read_only=True)
    one_line(caught.value)


def test_a_folder_without_manifest_is_told(tmp_path: Path) -> None:
    with pytest.raises(errors.StoreError, match=r"without manifest\.parquet; write one with `mosaic export") as caught:
        open_database(tmp_path)
    one_line(caught.value)
    with pytest.raises(
        errors.StoreError, match=r"none does not exist; name a folder that `mosaic export` wrote"
    ) as caught:
        read_manifest(tmp_path / "none")
    one_line(caught.value)
    (tmp_path / "file").write_text("x")
    with pytest.raises(errors.StoreError, match=r"file is no folder; name a folder that `mosaic export` wrote"):
        read_manifest(tmp_path / "file")


def test_a_closed_handle_lets_the_file_go(path: Path, tmp_path: Path) -> None:
    with open_database(path) as corpus:
        documents(corpus)
    with pytest.raises(errors.StoreError, match="the corpus is closed"):
        corpus.meta()
    shutil.move(path, tmp_path / "moved.duckdb")
    with open_database(tmp_path / "moved.duckdb") as corpus:
        assert documents(corpus) == [(1, "a.txt")]


def test_threads_and_memory_are_settings(path: Path) -> None:
    with open_database(path, threads=1, memory_limit="100MB") as corpus:
        found = corpus.connection.execute("SELECT current_setting('threads'), current_setting('memory_limit')")
        assert found.fetchone() == (1, "95.3 MiB")
    with pytest.raises(errors.MosaicError) as caught:
        open_database(path, memory_limit="plenty")
    one_line(caught.value)


def test_a_file_that_cannot_be_used_for_want_of_its_embedder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(mosaic.ModelError, match="unknown embedder 'bogus'"):
        mosaic.open(tmp_path / "new.duckdb", embedder="bogus")
    assert not list(tmp_path.iterdir())
