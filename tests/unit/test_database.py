"""The database room: running, stopping, all or nothing, and saying in one line what went wrong."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from mosaic_sql import database as room
from mosaic_sql import errors
from mosaic_sql.database import Database, open_database
from mosaic_sql.records import RenderedQuery

ENDLESS = RenderedQuery(
    "walk.endless", "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT count(*) FROM r"
)


def documents(corpus: Database) -> list[tuple[Any, ...]]:
    return corpus.connection.execute("SELECT document_id, source FROM document ORDER BY ALL").fetchall()


def one_line(error: BaseException) -> str:
    text = str(error)
    assert text and "\n" not in text
    return text


# -- running -----------------------------------------------------------------------------------------------------------


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
    assert empty.select("SELECT 'é;' AS n; -- no more").to_pydict() == {"n": ["é;"]}


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


def test_a_plan_is_shown_and_run_only_where_nothing_can_be_written(path: Path) -> None:
    with open_database(path) as corpus:
        with pytest.raises(errors.QueryError, match="EXPLAIN ANALYZE runs what it explains; open the corpus read-only"):
            corpus.select("explain (Analyze) DELETE FROM document")
        assert len(corpus.select("EXPLAIN DELETE FROM document")) == 1
        assert documents(corpus) == [(1, "a.txt")]
    with open_database(path, read_only=True) as corpus:
        assert len(corpus.select("EXPLAIN ANALYZE SELECT 1")) == 1
        with pytest.raises(errors.QueryError, match="read-only mode"):
            corpus.select("EXPLAIN ANALYZE DELETE FROM document")


# -- time and memory ---------------------------------------------------------------------------------------------------


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


# -- transactions ------------------------------------------------------------------------------------------------------


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


# -- errors ------------------------------------------------------------------------------------------------------------


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
