"""Runs as rows: written to memory after a retrieval, and on request to the file of kept runs beside the corpus."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mosaic_sql.database import STORAGE_VERSION, Database
from mosaic_sql.errors import StoreError, StoreLocked, UnknownId
from mosaic_sql.records import Analysis, Answer, Context, ModelCall, RenderedQuery, StageTime
from mosaic_sql.storefile import SCHEMA_VERSION

KEEP_TRIES = 60
"""Tries, 50 ms apart, to append a run while another process appends its own."""
TABLES = ("run", "seed", "walk", "evidence", "call", "event")


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
    for ordinal, stage in enumerate(run.stages):
        database.execute(
            "trace.put_event",
            run_id=run_id, ordinal=ordinal, stage=stage.stage, query=stage.query, row_count=stage.rows,
            milliseconds=stage.milliseconds,
        )  # fmt: skip
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


def keep(database: Database, run_id: str) -> Path:
    """Append a run and its steps to `<name>.runs.duckdb` beside the corpus, attached for that long; its path.

    A file of an older version gets the columns that it lacks; its own rows stay, without values there.

    Raises:
        StoreLocked: another process writes kept runs at this moment.
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
        for (member,) in database.rows("trace.family", run_id=run_id):
            for table in TABLES:
                database.execute(f"trace.keep_{table}", run_id=member)
    finally:
        database.execute("store.use_corpus")
        database.execute("store.detach_kept")
    return path


def _check_kept(database: Database, path: Path) -> None:
    """Refuse a file that is there and holds no runs, before anything is written to it."""
    tables = dict(database.rows("store.kept_tables"))
    strange = [name for name in TABLES if not tables.get(name, name != "run")]
    if tables and strange:
        found = ", ".join(sorted(tables)[:5])
        raise StoreError(
            f"{path} holds other tables than runs ({found}); move it away, and the next kept run makes a new one"
        )


def keep_in_turn(database: Database, run_id: str) -> Path:
    """`keep`, tried KEEP_TRIES times: another process may be at the file for a moment."""
    for _ in range(KEEP_TRIES - 1):
        try:
            return keep(database, run_id)
        except StoreLocked:
            time.sleep(0.05)
    return keep(database, run_id)


@contextmanager
def kept(database: Database) -> Iterator[bool]:
    """The file of kept runs, attached to be read as `kept`; False where there is none.

    Raises:
        StoreLocked: another process writes kept runs at this moment.
        StoreError: a corpus in memory has no place beside it.
    """
    path = runs_path(database.path)
    if not path.is_file():
        yield False
        return
    database.execute("store.attach_runs_read_only", path=str(path))
    try:
        yield True
    finally:
        database.execute("store.detach_kept")


def load(database: Database, run_id: str) -> None:
    """Bring a kept run into memory, where it is not yet.

    Raises:
        UnknownId: no such run, in memory or kept.
    """
    if database.rows("trace.run_of", run_id=run_id):
        return
    with kept(database) as there:
        for table in TABLES if there else ():
            database.execute(f"trace.load_{table}", run_id=run_id)
    if not database.rows("trace.run_of", run_id=run_id):
        raise UnknownId(f"no run {run_id!r} is kept; `mosaic runs list DB` lists them")


def forget(database: Database, run_ids: Sequence[str]) -> None:
    """Delete some kept runs for good.

    Raises:
        StoreLocked: another process reads or writes kept runs at this moment.
    """
    database.execute("store.attach_kept", path=str(runs_path(database.path)))
    try:
        for table in TABLES:
            database.execute(f"trace.forget_{table}", run_ids=list(run_ids))
    finally:
        database.execute("store.detach_kept")


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
