"""Runs as rows: written to memory after a retrieval, and on request to the file of kept runs beside the corpus."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar

from mosaic_sql.database import STORAGE_VERSION, Database
from mosaic_sql.errors import StoreError, StoreLocked, UnknownId
from mosaic_sql.records import Analysis, Answer, Context, ModelCall, RenderedQuery, StageTime
from mosaic_sql.storefile import SCHEMA_VERSION

Result = TypeVar("Result")
KEEP_TRIES = 60
"""Tries, 50 ms apart, to reach the file of kept runs while another process is at it."""
TABLES = ("run", "seed", "walk", "evidence", "call", "event")


@dataclass(frozen=True)
class Retention:
    """What stays of kept runs: the `keep` latest, those of the last `days`; None bounds nothing."""

    keep: int | None = None
    days: float | None = None

    def __str__(self) -> str:
        latest = [] if self.keep is None else [f"the {self.keep} latest"]
        young = [] if self.days is None else [f"of the last {self.days:g} days"]
        return " ".join(latest + young) or "all"


@dataclass(frozen=True)
class Run:
    """What a run was: everything but its rows, which are still in the stage tables."""

    question_id: int
    analysis: Analysis
    context: Context
    form: str
    stop_reason: str
    statements: Sequence[RenderedQuery]
    stages: Sequence[StageTime]
    state: str


def record(database: Database, run: Run) -> str:
    """Store a run from the stage tables; its new id."""
    run_id = uuid.uuid4().hex[:12]
    analysis, policy = run.analysis, run.analysis.policy
    database.execute(
        "trace.put_run",
        run_id=run_id,
        question=analysis.question,
        policy=policy.model_dump_json(),
        operator=policy.walk.operator,
        operator_reason=analysis.operator_reason,
        signals=json.dumps(dict(analysis.signals)),
        corrections=json.dumps([asdict(correction) for correction in analysis.corrections], default=str),
        analyzer=analysis.analyzer,
        facets=json.dumps(list(analysis.facets)),
        risk=analysis.risk,
        rationale=analysis.rationale,
        form=run.form,
        stop_reason=run.stop_reason,
        package_version=package_version(),
        schema_version=SCHEMA_VERSION,
        corpus_hash=run.state,
        sql_hash="-".join(query.fingerprint for query in run.statements)[:64],
        context_hash=run.context.fingerprint,
        answer=None,
        answer_method=None,
        answer_found=None,
        milliseconds=sum(stage.milliseconds for stage in run.stages),
    )
    for table in ("seed", "walk", "evidence"):
        database.execute(f"trace.put_{table}", run_id=run_id, question_id=run.question_id)
    stages = [
        {"ordinal": n, "stage": s.stage, "query": s.query, "row_count": s.rows, "milliseconds": s.milliseconds}
        for n, s in enumerate(run.stages)
    ]
    database.execute("trace.put_event", run_id=run_id, stages=stages)
    record_calls(database, run_id, analysis.calls)
    return run_id


def adopt(database: Database, run_id: str, steps: Sequence[str]) -> None:
    """Runs become steps of `run_id`."""
    database.execute("trace.set_parent", run_id=run_id, steps=list(steps))


def record_answer(database: Database, run_id: str, answer: Answer) -> None:
    """Add what was answered."""
    database.execute(
        "trace.set_answer", run_id=run_id, answer=answer.text, answer_method=answer.method, answer_found=answer.found
    )


def keep(database: Database, run_id: str) -> int:
    """Append a run and its steps to `<name>.runs.duckdb` beside the corpus; how many older ones its bound takes.

    Raises:
        StoreLocked: another process writes kept runs at this moment.
        StoreError: a corpus in memory has no place beside it, or the file there holds something else.
    """
    with written(database):
        for (member,) in database.rows("trace.family", run_id=run_id):
            for table in TABLES:
                database.execute(f"trace.keep_{table}", run_id=member)
        return forget(database, bound_of(database))


@contextmanager
def written(database: Database) -> Iterator[None]:
    """The file of kept runs, made where there is none, attached as `kept` to be written: all of it or nothing.

    A file of an older version gets the columns that it lacks; its own rows stay, without values there.

    Raises:
        StoreLocked: another process reads or writes kept runs at this moment.
        StoreError: a corpus in memory has no place beside it, or the file there holds something else.
    """
    path = runs_path(database.path)
    if path.exists():
        database.execute("store.attach_kept", path=str(path))
    else:
        database.execute("store.attach_runs", path=str(path), storage_version=STORAGE_VERSION)
    try:
        _check_kept(database, path)
        database.execute("store.use_kept")
        database.script("5_trace")
        database.execute("store.use_corpus")
        with database.transaction():
            yield
    finally:
        database.execute("store.use_corpus")
        database.execute("store.detach_kept")


def _check_kept(database: Database, path: Path) -> bool:
    """Refuse a file that holds other things than runs, before anything is written to it; whether it holds runs."""
    tables = dict(database.rows("store.kept_tables"))
    strange = [name for name in TABLES if not tables.get(name, name != "run")]
    if tables and strange:
        found = ", ".join(sorted(tables)[:5])
        raise StoreError(
            f"{path} holds other tables than runs ({found}); move it away, and the next kept run makes a new one"
        )
    return bool(tables)


def in_turn(work: Callable[[], Result]) -> Result:
    """What `work` gives, tried KEEP_TRIES times: another process may be at the file of kept runs for a moment."""
    for _ in range(KEEP_TRIES - 1):
        try:
            return work()
        except StoreLocked:
            time.sleep(0.05)
    return work()


@contextmanager
def kept(database: Database) -> Iterator[bool]:
    """The file of kept runs, attached to be read as `kept`; False where there is none.

    Raises:
        StoreLocked: another process writes kept runs at this moment.
        StoreError: a corpus in memory has no place beside it, or the file there holds something else.
    """
    path = runs_path(database.path)
    if not path.is_file():
        yield False
        return
    database.execute("store.attach_runs_read_only", path=str(path))
    try:
        yield _check_kept(database, path)
    finally:
        database.execute("store.detach_kept")


def load(database: Database, run_id: str) -> str:
    """Bring a kept run into memory, where it is not yet; its whole id, of which `run_id` may be the beginning.

    Raises:
        UnknownId: no such run, in memory or kept, or several whose ids begin so.
    """
    if database.rows("trace.run_of", run_id=run_id):
        return run_id
    with kept(database) as there:
        found = [str(name) for (name,) in database.rows("trace.kept_like", prefix=run_id)] if there else []
        if len(found) > 1:
            raise UnknownId(f"several runs begin with {run_id[:60]!r} ({', '.join(found)}); give more of the id")
        if not found:
            raise UnknownId(f"no run {run_id[:60]!r} is kept; `mosaic runs list DB` lists them")
        if not database.rows("trace.run_of", run_id=found[0]):
            for table in TABLES:
                database.execute(f"trace.load_{table}", run_id=found[0])
    return found[0]


def bound_of(database: Database) -> Retention:
    """The bound in the file that is attached as `kept`; a file from before there were bounds has none."""
    there = dict(database.rows("store.kept_tables"))
    rows = database.rows("trace.retention") if "retention" in there else []
    return Retention(*rows[0]) if rows else Retention()


def set_bound(database: Database, bound: Retention) -> None:
    """Write the bound into the file that is attached as `kept`."""
    database.execute("trace.forget_retention")
    if bound != Retention():
        database.execute("trace.put_retention", keep_count=bound.keep, keep_days=bound.days)


def forget(database: Database, bound: Retention, *, dry_run: bool = False) -> int:
    """Delete for good what a bound does not let stay in the file attached as `kept`, steps included; how many runs."""
    rows = database.rows("trace.outdated", keep_count=bound.keep, keep_days=bound.days)
    for table in TABLES if rows and not dry_run else ():
        database.execute(f"trace.forget_{table}", run_ids=[run_id for run_id, _ in rows])
    return sum(not is_step for _, is_step in rows)


def shrink(database: Database) -> None:
    """Write the file of kept runs anew, without the room of rows that went; it stays where another process is at it."""
    path = runs_path(database.path)
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)  # of a process that was killed
    try:
        database.execute("store.attach_kept", path=str(path))  # held until the new file stands in its place
    except StoreLocked:
        return
    try:
        database.execute("store.attach_fresh", path=str(fresh), storage_version=STORAGE_VERSION)
        try:
            database.execute("store.copy_kept")
        finally:
            database.execute("store.detach_fresh")
        with suppress(OSError):  # a system that keeps open files in their place
            fresh.replace(path)
    finally:
        database.execute("store.detach_kept")
        fresh.unlink(missing_ok=True)


def runs_path(path: str) -> Path:
    """The file of kept runs that belongs to a corpus.

    Raises:
        StoreError: a corpus in memory has no place beside it.
    """
    if path == ":memory:":
        raise StoreError("a corpus in memory keeps its runs in memory; give the corpus a file to keep them")
    corpus = Path(path)
    return corpus.with_name(f"{corpus.stem if corpus.suffix == '.duckdb' else corpus.name}.runs.duckdb")


def package_version() -> str:
    """The installed version of mosaic-sql, `0+checkout` where it is not installed."""
    try:
        return version("mosaic-sql")
    except PackageNotFoundError:
        return "0+checkout"


def record_calls(database: Database, run_id: str, calls: Sequence[ModelCall], *, first: int = 0) -> None:
    """Add calls of a model to the ledger of a run, answered or not, in order from `first`."""
    for ordinal, call in enumerate(calls, first):
        database.execute("trace.put_call", run_id=run_id, ordinal=ordinal, **asdict(call))
