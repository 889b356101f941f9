"""The database room: opening, running, stopping, and saying in one line what went wrong."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_sql import database as room
from mosaic_sql import errors
from mosaic_sql.database import Database, open_database, with_literals
from mosaic_sql.records import RenderedQuery
from mosaic_sql.sqlfiles import literal

ROOT = Path(__file__).parents[2]
ENDLESS = RenderedQuery(
    "walk.endless", "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT count(*) FROM r"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A corpus file of one document, closed."""
    file = tmp_path / "c.duckdb"
    with open_database(file) as corpus:
        fill(corpus)
    return file


def fill(corpus: Database) -> None:
    corpus.script("1_corpus", dimension=8)
    corpus.put_meta(schema_version=room.SCHEMA_VERSION)
    corpus.connection.execute("INSERT INTO document VALUES (1, 'a.txt', 'A', 'h', 3, NULL)")


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


# -- opening ---------------------------------------------------------------------------------------------------------


def test_memory_is_a_corpus_with_nothing_in_it() -> None:
    with open_database(":memory:") as corpus:
        assert corpus.rows("store.tables") == []
        assert not corpus.read_only


def test_a_file_is_created_then_opened_again(path: Path) -> None:
    with open_database(path) as corpus:
        assert documents(corpus) == [(1, "a.txt")]
        assert corpus.meta() == {"schema_version": room.SCHEMA_VERSION}


@pytest.mark.parametrize("name", ["it's; DROP.duckdb", "ünïcode 文.duckdb", "two words.duckdb"])
def test_a_path_is_a_value(tmp_path: Path, name: str) -> None:
    with open_database(tmp_path / name) as corpus:
        fill(corpus)
    with open_database(tmp_path / name, read_only=True) as corpus:
        assert documents(corpus) == [(1, "a.txt")]


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
        fill(corpus)
    with open_database(file) as corpus:
        assert documents(corpus) == [(1, "a.txt")]


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
        corpus.put_meta(schema_version="2")
    for read_only in (True, False):
        with pytest.raises(errors.SchemaVersionError, match="schema version 2, this is for version 1") as caught:
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
        one_line(caught.value)
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


def test_a_closed_handle_lets_the_file_go(path: Path, tmp_path: Path) -> None:
    with open_database(path) as corpus:
        documents(corpus)
    with pytest.raises(errors.QueryError):
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


# -- running ---------------------------------------------------------------------------------------------------------


def test_a_query_gives_an_arrow_table(empty: Database) -> None:
    found = empty.run(RenderedQuery("q", "SELECT $a::INTEGER AS a UNION ALL SELECT 2 ORDER BY a", {"a": 1}))
    assert found == pa.table({"a": pa.array([1, 2], pa.int32())})


def test_rows_and_table_of_a_file_agree(empty: Database) -> None:
    empty.put_meta(b=2, a="one")
    assert empty.rows("store.meta") == [("a", "one"), ("b", "2")]
    assert empty.table("store.meta").to_pylist() == [{"key": "a", "value": "one"}, {"key": "b", "value": "2"}]
    empty.put_meta(b=3)
    assert empty.meta() == {"a": "one", "b": "3"}


def test_a_select_gives_its_rows_up_to_a_limit(empty: Database) -> None:
    assert empty.select("SELECT range AS n FROM range(5)", limit=2).to_pydict() == {"n": [0, 1]}
    assert empty.select("SELECT 1 AS n WHERE false").to_pydict() == {"n": []}
    assert empty.select("WITH a AS (SELECT 1 AS n) FROM a;").to_pydict() == {"n": [1]}


@pytest.mark.parametrize(
    "sql", ["", ";", "SELECT 1; SELECT 2", "CREATE TABLE a (b INTEGER)", "DELETE FROM node", "COMMIT"]
)
def test_a_select_takes_one_select(empty: Database, sql: str) -> None:
    with pytest.raises(errors.QueryError, match="one SELECT at a time") as caught:
        empty.select(sql)
    one_line(caught.value)


def test_a_select_reports_what_is_wrong_with_the_sql(empty: Database) -> None:
    with pytest.raises(errors.QueryError, match="query: Parser Error") as caught:
        empty.select("SELEKT 1")
    one_line(caught.value)


def test_a_select_stops_at_its_time(empty: Database) -> None:
    with pytest.raises(errors.QueryTimeout):
        empty.select(ENDLESS.sql, timeout=0.2)


def test_arrow_tables_are_visible_in_their_block_only(empty: Database) -> None:
    query = RenderedQuery("q", "SELECT a FROM incoming")
    with pytest.raises(KeyError), empty.registered(incoming=pa.table({"a": [7]})):
        assert empty.run(query).to_pylist() == [{"a": 7}]
        raise KeyError
    with pytest.raises(errors.QueryError, match="incoming"):
        empty.run(query)


def test_variables_of_the_program_are_no_tables(empty: Database) -> None:
    secret = pa.table({"a": [1]})
    with pytest.raises(errors.QueryError, match="secret does not exist"):
        empty.select("SELECT * FROM secret")
    assert secret.num_rows == 1


def test_a_function_is_offered_and_replaced(empty: Database) -> None:
    def plus(amount: int) -> Any:
        return lambda values: pa.array([value.as_py() + amount for value in values], pa.int32())

    for amount in (1, 10):
        empty.create_function("plus", plus(amount), ["INTEGER"], "INTEGER")
        assert empty.run(RenderedQuery("q", "SELECT plus(1) AS a")).to_pylist() == [{"a": 1 + amount}]


def test_a_cursor_sees_the_corpus_and_not_the_temporary_tables(path: Path) -> None:
    with open_database(path) as corpus:
        corpus.connection.execute("CREATE TEMP TABLE mine AS SELECT 1 AS a")
        with corpus.cursor() as twin:
            assert documents(twin) == [(1, "a.txt")]
            assert (twin.path, twin.read_only, twin.folder) == (corpus.path, False, False)
            with pytest.raises(errors.QueryError, match="mine"):
                twin.run(RenderedQuery("q", "FROM mine"))
        assert documents(corpus) == [(1, "a.txt")]


def test_cursors_answer_from_several_threads(path: Path) -> None:
    found: list[object] = []
    with open_database(path, read_only=True) as corpus:
        twins = [corpus.cursor() for _ in range(4)]
        threads = [threading.Thread(target=lambda twin=twin: found.append(documents(twin))) for twin in twins]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [[(1, "a.txt")]] * 4


def test_locked_down_a_person_reads_no_file_and_changes_no_setting(path: Path) -> None:
    with open_database(path, read_only=True) as corpus:
        corpus.lock_down()
        corpus.lock_down()
        assert documents(corpus) == [(1, "a.txt")]
        for sql in (
            "FROM read_text('/etc/hostname')",
            f"COPY document TO '{path.parent / 'out.csv'}'",
            f"ATTACH '{path.parent / 'new.duckdb'}'",
            "SET enable_external_access = true",
            "SET threads = 1",
            "INSTALL httpfs",
        ):
            with pytest.raises(errors.QueryError) as caught:
                corpus.run(RenderedQuery("q", sql))
            one_line(caught.value)
    assert [file.name for file in path.parent.iterdir()] == ["c.duckdb"]


def test_the_plan_is_json(empty: Database) -> None:
    plan = json.loads(empty.explain(RenderedQuery("q", "SELECT range + $a::INTEGER AS a FROM range(9)", {"a": 1})))
    assert "RANGE" in json.dumps(plan)


# -- time and memory -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0.3, 0.0])
def test_an_endless_recursion_stops_at_its_time(empty: Database, seconds: float) -> None:
    started = time.monotonic()
    for act in (empty.run, empty.change):
        with pytest.raises(errors.QueryTimeout, match=r"walk\.endless: stopped at its time limit") as caught:
            act(ENDLESS, timeout=seconds)
        one_line(caught.value)
    assert time.monotonic() - started < 10
    assert empty.meta() == {}


def test_time_that_is_not_used_up_does_no_harm(empty: Database) -> None:
    for _ in range(20):
        assert empty.run(RenderedQuery("q", "SELECT 1 AS a"), timeout=5).num_rows == 1
    assert threading.active_count() < 10


def test_a_query_over_the_memory_limit_is_told(tmp_path: Path) -> None:
    with open_database(":memory:", memory_limit="30MB", threads=1) as corpus:
        corpus.connection.execute("SET max_temp_directory_size = '0MB'")
        with pytest.raises(errors.QueryOutOfMemory, match="over the memory limit") as caught:
            corpus.run(RenderedQuery("q", "SELECT list(range) AS a FROM range(50_000_000)"))
        one_line(caught.value)


# -- transactions ----------------------------------------------------------------------------------------------------


def test_a_transaction_that_fails_leaves_nothing(path: Path) -> None:
    with open_database(path) as corpus:
        with pytest.raises(KeyboardInterrupt), corpus.transaction():
            corpus.put_meta(a=1)
            raise KeyboardInterrupt
        assert "a" not in corpus.meta()
        with pytest.raises(errors.QueryError), corpus.transaction():
            corpus.put_meta(a=1)
            corpus.run(RenderedQuery("q", "SELECT error('no')"))
        assert "a" not in corpus.meta()
        with corpus.transaction():
            corpus.put_meta(a=2)
        assert corpus.meta()["a"] == "2"
    with open_database(path) as corpus:
        assert corpus.meta()["a"] == "2"


def test_a_nested_transaction_joins_the_outer_one(path: Path) -> None:
    with open_database(path) as corpus:
        with pytest.raises(ValueError, match="outer"), corpus.transaction():
            with corpus.transaction():
                corpus.put_meta(inner=1)
            raise ValueError("outer")
        assert "inner" not in corpus.meta()
        with corpus.transaction(), corpus.transaction():
            corpus.put_meta(inner=2)
        assert corpus.meta()["inner"] == "2"


def test_a_transaction_cut_off_by_time_is_rolled_back(path: Path) -> None:
    with open_database(path) as corpus:
        with pytest.raises(errors.QueryTimeout), corpus.transaction():
            corpus.put_meta(a=1)
            corpus.run(ENDLESS, timeout=0.2)
        assert "a" not in corpus.meta()


# -- errors ----------------------------------------------------------------------------------------------------------


def classes(of: type[duckdb.Error]) -> set[type[duckdb.Error]]:
    return {of}.union(*(classes(kind) for kind in of.__subclasses__()))


@pytest.mark.parametrize("kind", sorted(classes(duckdb.Error), key=lambda kind: kind.__name__))
def test_every_error_of_the_engine_becomes_ours(kind: type[duckdb.Error]) -> None:
    ours = room.translate(kind("first line\n  second line"), "walk.beam")
    assert isinstance(ours, errors.QueryError | errors.StoreError)
    known = errors.QueryTimeout | errors.QueryOutOfMemory | errors.StoreLocked  # told in words of ours
    assert "second line" in one_line(ours) or isinstance(ours, known)
    with pytest.raises(type(ours)) as caught, room._translated("walk.beam"):
        raise kind("first line\n  second line")
    assert isinstance(caught.value.__cause__, kind)


@pytest.mark.parametrize(
    ("engine", "ours"),
    [
        (duckdb.InterruptException("INTERRUPT Error: Interrupted!"), errors.QueryTimeout),
        (duckdb.OutOfMemoryException("Out of Memory Error: failed to allocate"), errors.QueryOutOfMemory),
        (duckdb.IOException("IO Error: Could not set lock on file (PID 12)"), errors.StoreLocked),
        (duckdb.IOException("IO Error: version number 99, but we can only read version 64"), errors.SchemaVersionError),
        (duckdb.IOException("IO Error: Could not read enough bytes of block 7"), errors.StoreError),
        (duckdb.ResourceInUseException("Resource In Use Error: Unique file handle conflict"), errors.StoreLocked),
        (duckdb.Error("Corrupt database file: computed checksum 1 does not match"), errors.StoreError),
        (duckdb.FatalException("FATAL Error: database has been invalidated"), errors.StoreError),
        (duckdb.ParserException("Parser Error: LINE 1: 'a newer version'"), errors.QueryError),
        (duckdb.BinderException("Binder Error: LINE 1: 'Could not set lock, version number'"), errors.QueryError),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(value)[:40],
)
def test_errors_are_told_apart_by_class_first(engine: duckdb.Error, ours: type[errors.MosaicError]) -> None:
    assert type(room.translate(engine, "q")) is ours


# -- literals --------------------------------------------------------------------------------------------------------

BIGINT = st.integers(-(2**63), 2**63 - 1)
SCALARS = st.one_of(st.none(), st.booleans(), BIGINT, st.floats(allow_nan=False), st.text(st.characters(codec="utf-8")))
VALUES = st.one_of(
    SCALARS,
    st.lists(BIGINT | st.none()),
    st.lists(st.text(st.characters(codec="utf-8"), max_size=9)),
    st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), min_size=1),
    st.dictionaries(st.sampled_from(["a", "B c", "it's", "$x"]), SCALARS, min_size=1),
    st.lists(st.fixed_dictionaries({"id": BIGINT, "text": st.text(max_size=5), "tags": st.lists(st.booleans())})),
)


@pytest.fixture(scope="module")
def engine() -> Iterator[duckdb.DuckDBPyConnection]:
    with room.connect() as connection:
        yield connection


def read(engine: duckdb.DuckDBPyConnection, sql: str) -> Any:
    (row,) = engine.execute(f"SELECT {sql} AS value").fetchall()
    return row[0]


@given(value=VALUES)
def test_a_literal_is_read_back_as_the_value(engine: duckdb.DuckDBPyConnection, value: Any) -> None:
    assert read(engine, literal(value)) == value


@given(value=BIGINT | st.floats(allow_nan=False) | st.text(st.characters(codec="utf-8")))
def test_a_literal_means_what_the_bound_value_means(engine: duckdb.DuckDBPyConnection, value: Any) -> None:
    kind = {int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}[type(value)]
    bound = engine.execute(f"SELECT $value::{kind}", {"value": value}).fetchall()
    assert engine.execute(with_literals(f"SELECT $value::{kind}", {"value": value})).fetchall() == bound


@pytest.mark.parametrize(
    "value",
    [
        "it's", "''", "\\", "a\nb", "a\0b", "é😀", "$x -- /* */", -1, -(2**31), -(2**63), 2**63, 1e300, 5e-324,
        -0.5, 0.1, float("inf"), -float("inf"), [], [[]], [None, 1], {"it's": [1, None]}, [{"a": 1}, {"a": None}],
        (1, 2), True, np.float64(0.25), np.float64("-inf"),
    ],
    ids=repr,
)  # fmt: skip
def test_awkward_values_keep_their_meaning(engine: duckdb.DuckDBPyConnection, value: Any) -> None:
    assert read(engine, literal(value)) == (list(value) if isinstance(value, tuple) else value)


def test_not_a_number_stays_one(engine: duckdb.DuckDBPyConnection) -> None:
    value = read(engine, literal(float("nan")))
    assert value != value


@pytest.mark.parametrize("value", [b"ab", object(), {1, 2}, np.array([1])], ids=lambda value: type(value).__name__)
def test_a_value_without_a_literal_is_refused(value: object) -> None:
    with pytest.raises(errors.QueryError, match=f"type {type(value).__name__} cannot be written into SQL"):
        literal(value)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT $a, $ab", "SELECT 1, $ab"),
        ("SELECT 'é文😀', $a", "SELECT 'é文😀', 1"),
        ('SELECT "é" || $a -- é $a', 'SELECT "é" || 1 -- é $a'),
        ("SELECT '$a', \"$a\", $a /* $a */ -- $a\n, $a", "SELECT '$a', \"$a\", 1 /* $a */ -- $a\n, 1"),
        ("SELECT 'it''s $a', E'\\'$a', $$ $a $$, $a", "SELECT 'it''s $a', E'\\'$a', $$ $a $$, 1"),
        ("SELECT $a$ $b $a$, $a", "SELECT $a$ $b $a$, 1"),
        ("SELECT [$a,$a]+$a||$a", "SELECT [1,1]+1||1"),
        ("SELECT FLOAT[$a], $a::INTEGER", "SELECT FLOAT[1], 1::INTEGER"),
        ("", ""),
    ],
)
def test_parameters_are_replaced_where_the_engine_reads_them(sql: str, expected: str) -> None:
    assert with_literals(sql, {"a": 1, "b": 2}) == expected


def test_a_value_is_not_searched_for_parameters() -> None:
    assert with_literals("SELECT $a, $b", {"a": "$b", "b": "$a"}) == "SELECT '$b', '$a'"


@pytest.mark.parametrize("value", [-1, -0.5])
def test_a_minus_before_a_negative_value_is_no_comment(engine: duckdb.DuckDBPyConnection, value: float) -> None:
    assert read(engine, with_literals("5 -$a", {"a": value})) == 5 - value


@pytest.mark.parametrize(("kind", "value"), [("INTEGER", -(2**31)), ("BIGINT", -(2**63)), ("SMALLINT", -(2**15))])
def test_the_lowest_number_of_a_type_can_be_cast(engine: duckdb.DuckDBPyConnection, kind: str, value: int) -> None:
    assert read(engine, with_literals(f"$a::{kind}", {"a": value})) == value
