"""Runs as rows: written to memory after a retrieval, and on request to the file of kept runs beside the corpus."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from mosaic_sql.database import STORAGE_VERSION, Database
from mosaic_sql.errors import StoreError, StoreLocked
from mosaic_sql.models import Reply
from mosaic_sql.records import Analysis, Answer, Context, RenderedQuery, StageTime
from mosaic_sql.storefile import SCHEMA_VERSION

KEEP_TRIES = 60
"""Tries, 50 ms apart, to append a run while another process appends its own."""
_TABLES = ("run", "seed", "walk", "evidence", "call", "event")


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


def prepare(database: Database) -> None:
    """The empty tables of runs in memory."""
    database.execute("store.use_trace")
    database.script("5_trace")
    database.execute("store.use_corpus")


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
    for ordinal, call in enumerate(analysis.calls):
        database.execute("trace.put_call", run_id=run_id, ordinal=ordinal, **asdict(call))
    return run_id


def adopt(database: Database, run_id: str, steps: Sequence[str]) -> None:
    """Runs become steps of `run_id`."""
    database.execute("trace.set_parent", run_id=run_id, steps=list(steps))


def record_answer(database: Database, run_id: str, answer: Answer, reply: Reply | None, *, ordinal: int = 0) -> None:
    """Add what was answered, and the model's call if there was one; `ordinal` calls went before it."""
    database.execute(
        "trace.set_answer", run_id=run_id, answer=answer.text, answer_method=answer.method, answer_found=answer.found
    )
    if reply is not None:
        record_calls(database, run_id, "answer", [reply], first=ordinal)


def keep(database: Database, run_id: str) -> Path:
    """Append a run and its steps to `<name>.runs.duckdb` beside the corpus, attached for that long; its path.

    Raises:
        StoreLocked: another process writes kept runs at this moment.
        StoreError: a corpus in memory has no place beside it.
    """
    path = runs_path(database.path)
    database.execute("store.attach_runs", path=str(path), storage_version=STORAGE_VERSION)
    try:
        database.execute("store.use_kept")
        database.script("5_trace")
        database.execute("store.use_corpus")
        for (member,) in database.rows("trace.family", run_id=run_id):
            for table in _TABLES:
                database.execute(f"trace.keep_{table}", run_id=member)
    finally:
        database.execute("store.use_corpus")
        database.execute("store.detach_kept")
    return path


def keep_in_turn(database: Database, run_id: str) -> Path:
    """`keep`, tried KEEP_TRIES times: another process may be at the file for a moment."""
    for _ in range(KEEP_TRIES - 1):
        try:
            return keep(database, run_id)
        except StoreLocked:
            time.sleep(0.05)
    return keep(database, run_id)


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


def record_calls(database: Database, run_id: str, purpose: str, replies: Sequence[Reply], *, first: int = 0) -> None:
    """Add calls of a model to the ledger of a run, in order from `first`."""
    for ordinal, reply in enumerate(replies, first):
        database.execute(
            "trace.put_call",
            run_id=run_id, ordinal=ordinal, purpose=purpose, model=reply.model, prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens, milliseconds=1000 * reply.seconds,
            finish_reason="cached" if reply.cached else reply.finish_reason, output=reply.text, error="",
        )  # fmt: skip
