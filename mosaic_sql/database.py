"""The only module that touches DuckDB: open, attach, run a RenderedQuery, translate errors, interrupt.

One connection to `:memory:`; the file (or a folder of Parquet, as views) is attached as `corpus`, a memory database as
`trace`. Temporary stage tables live in the connection, so a read-only file is enough to retrieve.
"""

from __future__ import annotations

import copy
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from duckdb.func import ARROW, SPECIAL

from mosaic_sql import sqlfiles
from mosaic_sql.errors import (
    MosaicError,
    QueryError,
    QueryOutOfMemory,
    QueryTimeout,
    SchemaVersionError,
    StoreError,
    StoreLocked,
)
from mosaic_sql.records import RenderedQuery, StageTime
from mosaic_sql.sqlfiles import bound, literal
from mosaic_sql.storefile import check_path, check_version, read_manifest, unreadable

STORAGE_VERSION = "v1.5.0"
"""Default storage version of new files: clients of DuckDB 1.5 and 2.x open them."""

_PID = re.compile(r"\(PID (\d+)\)")
_DAMAGE = (duckdb.IOException, duckdb.FatalException, duckdb.InternalException)
_LOCK = re.compile("Could not set lock|Conflicting lock")
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
Connection = duckdb.DuckDBPyConnection
"""A plain DuckDB connection."""


class Database:
    """An open corpus. Close it, or use it as a context manager."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: str, *, read_only: bool, folder: bool) -> None:
        self.connection = connection
        self.path = path
        self.read_only = read_only
        self.folder = folder
        self.storage_version: str | None = None  # of a file made by this handle
        self.threads: int | None = None  # asked for; else the engine's number follows the size of the corpus
        self._transaction = self._locked = False
        self._defined = set[str]()
        self._is_shared = threading.Event()  # by cursors, which share it, the watches and the functions
        self._watches = list[Callable[[], Callable[[Database], bool]]]()
        self._functions = dict[str, Callable[..., pa.Array]]()  # the engine holds no reference

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self.connection.close()

    def cursor(self) -> Database:
        """A second connection to the same file for another thread; it has its own temporary tables."""
        twin = copy.copy(self)
        with _translated("cursor"):
            twin.connection = self.connection.cursor()
        twin.storage_version, twin._transaction, twin._defined = None, False, set()
        twin.execute("store.use_corpus")
        if not self._is_shared.is_set():
            self._is_shared.set()
            self.use_threads(one=False)
        return twin

    # -- running -------------------------------------------------------------------------------------------------

    def run(self, query: RenderedQuery, *, timeout: float | None = None) -> pa.Table:
        """The rows of a query as an Arrow table.

        Raises:
            QueryTimeout: `timeout` seconds are over.
            QueryError: DuckDB refused it; the message names the query.
        """
        with _translated(query.name), self._deadline(timeout):
            return self.connection.sql(_parsed(query.sql), params=dict(query.params) or None).to_arrow_table()

    def change(self, query: RenderedQuery, *, timeout: float | None = None) -> None:
        """Run a statement for its effect."""
        with _translated(query.name), self._deadline(timeout):
            self.connection.execute(_parsed(query.sql), dict(query.params) or None)

    def define(self, query: RenderedQuery) -> None:
        """Run a statement that makes the same view each time, once on this connection."""
        if query.sql not in self._defined:
            self.change(query)
            self._defined.add(query.sql)

    def fill(self, query: RenderedQuery, *, timeout: float | None = None) -> StageTime:
        """Run a stage, again while it lacked something; the rows it left in its table, the milliseconds it took."""
        started, is_complete = time.perf_counter(), False
        while not is_complete:
            watched = {watch: watch() for watch in self._watches}
            with _translated(query.name), self._deadline(timeout):
                # CREATE TABLE AS answers with the number of rows
                count = self.connection.execute(_parsed(query.sql), bound(query.params) or None).fetchall()[0][0]
            is_complete = [*watched] == self._watches and not any(lacked(self) for lacked in watched.values())
        return StageTime(query.stage or "", query.name, count, 1000 * (time.perf_counter() - started))

    def run_again_while(self, watch: Callable[[], Callable[[Database], bool]] | None) -> None:
        """Call `watch` before each stage, and what it gives after: true runs the stage again. None: run each once."""
        self._watches[:] = [] if watch is None else [watch]

    def rows(self, query: str | RenderedQuery, **params: Any) -> list[tuple[Any, ...]]:
        """The rows of a query, or of one SQL file, as tuples."""
        asked = RenderedQuery(query, sqlfiles.load(query).body, params) if isinstance(query, str) else query
        with _translated(asked.name):
            return self.connection.execute(_parsed(asked.sql), dict(asked.params) or None).fetchall()

    def table(self, name: str, **params: Any) -> pa.Table:
        """The rows of one SQL file as an Arrow table."""
        return self.run(RenderedQuery(name, sqlfiles.load(name).body, params))

    def execute(self, name: str, **params: Any) -> None:
        """Run one SQL file for its effect."""
        self.change(RenderedQuery(name, sqlfiles.load(name).body, params))

    def script(self, name: str, **params: Any) -> None:
        """Run a file of `sql/schema/`: several statements, values written as literals."""
        text = with_literals(sqlfiles.schema(name), params)
        with _translated(f"schema/{name}"):
            self.connection.execute(text)

    def make_trace(self) -> None:
        """The empty tables of runs in memory."""
        self.execute("store.use_trace")
        self.script("5_trace")
        self.execute("store.use_corpus")

    def select(self, sql: str, *, limit: int | None = None, timeout: float | None = None) -> pa.Table:
        """The rows of one SELECT that a person typed, at most `limit`; from here on no file, network or setting.

        Raises:
            QueryError: it is not exactly one SELECT, or DuckDB refused it.
        """
        with _translated("query"):
            statements = duckdb.extract_statements(sql)
        kinds = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
        if len(statements) != 1 or statements[0].type not in kinds:
            raise QueryError("query: one SELECT at a time; nothing else is run here")
        if statements[0].type == kinds[1] and not self.read_only and "analyze" in sql.lower():
            raise QueryError("query: EXPLAIN ANALYZE runs what it explains; open the corpus read-only for it")
        self.lock_down()
        with _translated("query"), self._deadline(timeout):
            end = next((at for at, _ in duckdb.tokenize(sql) if sql.encode().startswith(b";", at)), None)
            relation = self.connection.sql(sql.encode()[:end].decode())
            return (relation if limit is None else relation.limit(limit)).to_arrow_table()

    @contextmanager
    def registered(self, **tables: pa.Table) -> Iterator[None]:
        """Arrow tables visible to SQL under the given names for the duration of the block."""
        for name, table in tables.items():
            self.connection.register(name, table)
        try:
            yield
        finally:
            for name in tables:
                with suppress(duckdb.TransactionException):  # given up already: the engine has forgotten it
                    self.connection.unregister(name)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; nested blocks join the outer one."""
        if self._transaction:
            yield
            return
        self.execute("store.begin")
        self._transaction, finished = True, False
        try:
            yield
            finished = True
        finally:
            self._transaction = False
            if not finished:
                self._rollback()
        self.execute("store.commit")

    def _rollback(self) -> None:
        self._defined.clear()  # a view made in the transaction is gone with it
        try:
            self.execute("store.rollback")
        except QueryError:
            return  # the engine has already given the transaction up

    def create_function(
        self, name: str, function: Callable[..., pa.Array], parameters: Sequence[str], returns: str
    ) -> None:
        """Offer a vectorised Arrow function to SQL; replaces one of the same name. It sees and may return NULL."""
        with _translated(name):
            with suppress(duckdb.InvalidInputException):  # not there yet
                self.connection.remove_function(name)
            self.connection.create_function(
                name, function, list(parameters), returns, type=ARROW, null_handling=SPECIAL
            )
        self._functions[name] = function  # outlives the connection it was offered on, since others call it too

    @contextmanager
    def _deadline(self, seconds: float | None) -> Iterator[None]:
        if seconds is None:
            yield
            return
        done = threading.Event()
        timer = threading.Thread(target=_interrupt, args=(self.connection, seconds, done), daemon=True)
        timer.start()
        try:
            yield
        finally:
            done.set()
            timer.join()

    # -- what the file says of itself ----------------------------------------------------------------------------

    def meta(self) -> dict[str, str]:
        """The rows of `meta`."""
        return dict(self.rows("store.meta"))

    def put_meta(self, **values: object) -> None:
        """Set keys of `meta`."""
        self.execute("store.forget_meta", keys=list(values))
        self.execute("store.put_meta", keys=list(values), texts=[str(value) for value in values.values()])

    def settle(self) -> None:
        """Write the log into the file, so that the file alone is the whole corpus; later where others are at work."""
        if self.path != ":memory:" and not self.read_only:
            with suppress(QueryError):
                self.execute("store.checkpoint")

    def use_threads(self, *, one: bool) -> None:
        """One thread of the engine, or all cores, with cursors one more; nothing where a number was asked for."""
        if self.threads is None and not self._locked:
            several = {"count": max(3, 1 + (os.cpu_count() or 1))} if self._is_shared.is_set() else {}
            self.execute(f"store.threads_{'shared' if several else 'one' if one else 'all'}", **several)

    def lock_down(self) -> None:
        """No files, no network, no settings from here on: for SQL that a person typed."""
        if self._locked:
            return
        if self.folder:
            self.script("allow_folder", folder=str(Path(self.path).resolve()))
        self._locked = True
        self.execute("store.no_external_access")
        self.execute("store.lock_configuration")


def _interrupt(connection: duckdb.DuckDBPyConnection, seconds: float, done: threading.Event) -> None:
    """Interrupt again and again: a query that has not begun yet forgets an early call."""
    while not done.wait(seconds):
        connection.interrupt()
        seconds = 0.02


@lru_cache(maxsize=1024)
def _parsed(sql: str) -> duckdb.Statement | str:
    """The statement ready to bind: parsing is a tenth of the time of a stage. Several statements stay text."""
    statements = duckdb.extract_statements(sql)
    return statements[0] if len(statements) == 1 else sql


def connect(*, threads: int | None = None, memory_limit: str | None = None) -> duckdb.DuckDBPyConnection:
    """A bare connection to memory."""
    asked = {"threads": threads, "memory_limit": memory_limit}
    config: dict[str, Any] = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
    config |= {name: value for name, value in asked.items() if value is not None}
    with _translated("connect"):
        return duckdb.connect(":memory:", config=config)


def open_database(
    path: str | Path,
    *,
    read_only: bool = False,
    create: bool = True,
    storage_version: str = STORAGE_VERSION,
    threads: int | None = None,
    memory_limit: str | None = None,
) -> Database:
    """Open a corpus file, `:memory:`, or a folder of Parquet (always read-only). An absent file is created.

    Raises:
        StoreLocked: another process writes it, or reads it while this one wants to write.
        SchemaVersionError: written by another version.
        StoreError: no file, not a DuckDB file, not a corpus, or damaged.
    """
    name = str(path)
    folder = name != ":memory:" and Path(name).is_dir()
    fresh = check_path(name, folder=folder, may_create=create and not read_only)
    connection = connect(threads=threads, memory_limit=memory_limit)
    database = Database(connection, name, read_only=read_only or folder, folder=folder)
    database.threads = threads
    try:
        _attach(database, storage_version if fresh else None)
        if not (fresh or folder):
            _check_corpus(database)
    except MosaicError:
        database.close()
        raise
    return database


def _attach(database: Database, storage_version: str | None) -> None:
    if database.folder or database.path == ":memory:":
        database.execute("store.attach_memory")
        if database.folder:
            _attach_folder(database)
    elif database.read_only:
        database.execute("store.attach_read_only", path=database.path)
    elif storage_version is None:
        database.execute("store.attach_existing", path=database.path)
    else:
        database.execute("store.attach_file", path=database.path, storage_version=storage_version)
        database.storage_version = storage_version
    database.execute("store.attach_trace")
    database.execute("store.use_corpus")


def _attach_folder(database: Database) -> None:
    dimension = read_manifest(database.path)["dimension"]
    try:
        database.script("folder", folder=str(Path(database.path).resolve()), dimension=dimension)
    except MosaicError as error:
        raise StoreError(f"{database.path} is incomplete or damaged; export it again ({error})") from error


def _check_corpus(database: Database) -> None:
    tables = {row[0] for row in database.rows("store.tables")}
    if not tables and not database.read_only:
        return
    if not {"meta", "document", "chunk", "node"} <= tables:
        raise StoreError(f"{database.path} is a DuckDB file but not a mosaic corpus; name another file")
    check_version(database.path, database.meta().get("schema_version"))


def with_literals(sql: str, params: Mapping[str, Any]) -> str:
    """`sql` with every `$name` of `params` replaced by a safe literal, at the places the engine's tokenizer gives.

    Comments and strings are left alone.
    """
    encoded, pieces, position = sql.encode(), list[str](), 0
    for start, kind in duckdb.tokenize(sql):  # in bytes
        if kind == duckdb.token_type.operator and encoded.startswith(b"$", start):
            match = _PARAMETER.match(encoded[start:].decode())
            if match and match.group(1) in params:
                pieces += [encoded[position:start].decode(), literal(params[match.group(1)])]
                position = start + len(match.group().encode())
    return "".join([*pieces, encoded[position:].decode()])


@contextmanager
def _translated(what: str) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise translate(error, what) from error


def translate(error: duckdb.Error, what: str) -> MosaicError:
    """The one place where the engine's errors become ours."""
    text = " ".join(str(error).split())
    if "already closed" in text:
        return StoreError("the corpus is closed; open it again, and read what you need of a result before closing")
    if isinstance(error, duckdb.PermissionException):
        why = "it reads the corpus only" if what == "query" else "from a query on, a handle does; open the corpus again"
        return QueryError(f"{what}: no other file, network or setting is reached, {why} ({text[:120]})")
    if isinstance(error, duckdb.InterruptException):
        less = "ask for less" if what == "query" else "narrow the policy"
        return QueryTimeout(f"{what}: stopped at its time limit; raise it with --timeout, or {less}")
    if isinstance(error, duckdb.OutOfMemoryException):
        return QueryOutOfMemory(f"{what}: over the memory limit; raise it, or lower row_budget or beam_width")
    broken = isinstance(error, duckdb.IOException)
    if isinstance(error, duckdb.ResourceInUseException) or (broken and _LOCK.search(text)):
        holder = _PID.search(text)
        who = f"process {holder.group(1)}" if holder else "another handle"
        return StoreLocked(f"{who} has the file open for writing or reading; wait for it, or close it")
    newer = broken and ("newer version" in text or "version number" in text)
    if newer or isinstance(error, duckdb.SerializationException):
        return SchemaVersionError(f"the file was written by a newer DuckDB; upgrade duckdb ({text[:200]})")
    if isinstance(error, _DAMAGE) or text.startswith("Corrupt database file"):
        return unreadable(text, what)
    return QueryError(f"{what}: {text[:600]}")
