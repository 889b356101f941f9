"""Kept runs: listed, shown, compared, and replayed to prove that the same question still gives the same rows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from mosaic_sql import trace as traces
from mosaic_sql.database import Database, open_database
from mosaic_sql.errors import PolicyError, QueryError, StoreError, StoreLocked
from mosaic_sql.ingest import functions
from mosaic_sql.pipeline.results import Retrieval
from mosaic_sql.records import ModelCall
from mosaic_sql.trace import Retention

if TYPE_CHECKING:
    from mosaic_sql.pipeline.corpus import Corpus

Row = dict[str, Any]
MOST_RUNS, MOST_DAYS = 1_000_000_000, 100_000
_NOT_ATTACHED = "kept runs are not attached"  # as sql/functions/mosaic_kept.sql says it
_OF_RUNS = re.compile(r"\btrace\b|\bmosaic_(kept|runs|why)\b", re.IGNORECASE)


def speaks_of_runs(sql: str) -> bool:
    """Whether a person's SQL may read kept runs."""
    return _OF_RUNS.search(sql) is not None


def reader(path: str) -> Database:
    """A connection of its own for the SQL of a person."""
    opened = open_database(path, read_only=True)
    if opened.folder:
        functions.install(opened)
    return opened


@dataclass
class Ledger:
    """What is told of a question while it is answered: calls of a model, and kept runs that gave way to this one."""

    calls: list[ModelCall]
    pruned: int = 0


@contextmanager
def recording(database: Database, retrieval: Retrieval, *, keep: bool) -> Iterator[Ledger]:
    """A ledger that stands in the run's rows whatever comes of the answer; the run is kept where it is to be."""
    ledger, run = Ledger([]), retrieval.run
    try:
        yield ledger
    finally:
        if run is not None:
            traces.record_calls(database, run, ledger.calls, first=len(retrieval.analysis.calls))
            if keep:
                ledger.pruned = traces.in_turn(lambda: traces.keep(database, run))


@dataclass(frozen=True)
class Shown:
    """One run whole: `run` is its row, the others its rows stage by stage; `changes` tells what changed since."""

    run: Row
    walk: tuple[Row, ...]
    evidence: tuple[Row, ...]
    events: tuple[Row, ...]
    changes: tuple[str, ...]


@dataclass(frozen=True)
class Difference:
    """What another run kept: `policy` are the controls that differ, `evidence` what entered, left or moved, and why.

    `question` is that of the first run, `other_question` that of the other; `changes` tells what else was not the same.
    """

    one: str
    other: str
    question: str
    other_question: str
    changes: tuple[str, ...]
    policy: tuple[Row, ...]
    evidence: tuple[Row, ...]

    @property
    def same(self) -> bool:
        """Whether both kept the same units at the same places with the same scores."""
        return not self.evidence


@dataclass(frozen=True)
class Replay:
    """A run made again with its own policy.

    `first` is the first row that differs, as (stage, item, then, now), None where every row is the same; `cause` names
    what changed since: the corpus, the version, the reader, or nothing that is known of.
    """

    run: str
    again: str
    same: bool
    first: Row | None
    cause: str


class Runs:
    """The runs of a corpus, in memory and kept beside it."""

    def __init__(self, corpus: Corpus, database: Database) -> None:
        self._corpus = corpus
        self._database = database

    @property
    def bytes(self) -> int:
        """Size of the file of kept runs, 0 where there is none."""
        if self._database.path == ":memory:":
            return 0
        path = traces.runs_path(self._database.path)
        return path.stat().st_size if path.is_file() else 0

    def stats(self) -> dict[str, int | str | None]:
        """Runs kept (steps not counted), the size of their file, and what stays; None where it is not to be had.

        `runs_error` tells of a file that cannot be read, or holds something else.
        """
        sizes = {"runs_bytes": self.bytes}
        try:
            count, stays = traces.in_turn(self._counted)
        except StoreLocked:
            return {"runs": None, **sizes, "runs_retained": None}
        except StoreError as error:
            return {"runs": None, **sizes, "runs_retained": None, "runs_error": str(error)}
        return {"runs": count, **sizes, "runs_retained": stays}

    def _counted(self) -> tuple[int | None, str | None]:
        if not self.bytes:
            return 0, str(Retention())
        with traces.kept(self._database) as there:
            count = self._database.rows("trace.kept_count")[0][0] if there else 0
            return count, str(traces.bound_of(self._database))

    def list(self, *, limit: int = 50) -> list[Row]:
        """Kept runs, the latest first, at most `limit`."""
        with traces.kept(self._database) as there:
            rows = self._database.table("trace.kept_runs").to_pylist() if there else []
        return rows[:limit]

    def query(self, sql: str, *, limit: int | None = None, timeout: float | None = None) -> pa.Table:
        """A person's own SELECT with the kept runs as `trace`, held for that long.

        Raises:
            QueryError: DuckDB refused it, or it is not one SELECT; says how to keep a run where none is kept.
            StoreLocked: another process writes kept runs at this moment.
        """
        path = traces.runs_path(self._database.path)
        with reader(self._database.path) as opened:
            if path.is_file():
                opened.execute("store.detach_trace")
                opened.execute("store.attach_kept_as_trace", path=str(path))
                return opened.select(sql, limit=limit, timeout=timeout)
            try:
                return opened.select(sql, limit=limit, timeout=timeout)
            except QueryError as error:
                hint = "no run is kept; keep one with `mosaic ask DB QUESTION --keep`"
                told = "" if _NOT_ATTACHED in str(error) else f"{str(error).rstrip('.')}; "
                raise QueryError(f"{told}{hint}") from error

    def show(self, run_id: str) -> Shown:
        """One run with its walk by depth, its evidence and its stages.

        Raises:
            UnknownId: no such run.
        """
        run_id = traces.load(self._database, run_id)
        (run,) = self._rows("trace.run_of", run_id=run_id)
        parts = ("walk_of", "evidence_of", "events_of")
        walk, evidence, events = (tuple(self._rows(f"trace.{part}", run_id=run_id)) for part in parts)
        return Shown({**run, "policy": json.loads(run["policy"])}, walk, evidence, events, self._since(run))

    def diff(self, one: str, other: str) -> Difference:
        """What `other` did otherwise than `one`.

        Raises:
            UnknownId: no such run.
        """
        one, other = (traces.load(self._database, run_id) for run_id in (one, other))
        first, second = (self._rows("trace.run_of", run_id=run_id)[0] for run_id in (one, other))
        ids = {"one": one, "other": other}
        policy, evidence = self._rows("trace.diff_policy", **ids), self._rows("trace.diff_evidence", **ids)
        questions, changes = (first["question"], second["question"]), (*_changes(first, second), *self._since(second))
        return Difference(one, other, *questions, changes, tuple(policy), tuple(evidence))

    def replay(self, run_id: str) -> Replay:
        """Ask the question of a run again with its policy, and compare row by row: seeds, kept paths, evidence.

        Raises:
            UnknownId: no such run.
            PolicyError: its policy is one that this version does not know.
        """
        run_id = traces.load(self._database, run_id)
        (run,) = self._rows("trace.run_of", run_id=run_id)
        policy = json.loads(run["policy"])
        again = self._corpus.retrieve(run["question"], policy=policy, keep_pruned=True, analyzer="rules").run
        if again is None:
            raise PolicyError("replay: open the corpus with trace=True; a run is compared by its rows")
        (now,) = self._rows("trace.run_of", run_id=again)
        first = next(iter(self._rows("trace.first_difference", one=run_id, other=again)), None)
        if first is None and run["context_hash"] != now["context_hash"]:
            first = {"stage": "context", "item": "hash", "one": run["context_hash"], "other": now["context_hash"]}
        return Replay(run_id, again, first is None, first, "" if first is None else _cause(run, now))

    @property
    def retention(self) -> Retention:
        """What stays of kept runs whenever one is kept: all of them, unless `retain` set a bound."""
        if not self.bytes:
            return Retention()
        with traces.kept(self._database) as there:
            return traces.bound_of(self._database) if there else Retention()

    def retain(self, *, keep: int | None = None, days: float | None = None) -> int:
        """Let only the `keep` latest runs, and those of the last `days`, stay from now on; how many go at once.

        The bound stands in the file of kept runs and holds each time a run is kept. Without a bound all stay again.

        Raises:
            StoreLocked: another process reads or writes kept runs at this moment.
            PolicyError: a bound that would keep nothing.
        """
        if (keep is not None and keep < 1) or (days is not None and days <= 0):
            raise PolicyError("retain: a bound keeps one run at least, and more than 0 days; `prune` deletes all")
        bound = _bound(keep, days)
        with traces.written(self._database):
            traces.set_bound(self._database, bound)
            gone = traces.forget(self._database, bound)
        if gone:
            traces.shrink(self._database)
        return gone

    def prune(self, *, keep: int | None = None, days: float | None = None, dry_run: bool = False) -> int:
        """Delete all but the `keep` latest kept runs, and those older than `days`; how many went, or would.

        Steps go with the run that they are of, and are not counted. The file gives back their room.

        Raises:
            StoreLocked: another process reads or writes kept runs at this moment.
            PolicyError: `keep` or `days` is outside its range.
        """
        bound = _bound(keep, days)
        with traces.kept(self._database) as there:
            count = traces.forget(self._database, bound, dry_run=True) if there else 0
        if count and not dry_run:
            with traces.written(self._database):
                count = traces.forget(self._database, bound)
            traces.shrink(self._database)
        return count

    def _since(self, run: Row) -> tuple[str, ...]:
        """What is known to have changed since a run; of one from before there were hashes, nothing is."""
        is_same = run["corpus_hash"] in (None, self._database.rows("store.state")[0][0])
        return () if is_same else ("the corpus changed since",)

    def _rows(self, name: str, **params: str) -> Sequence[Row]:
        rows: list[Row] = self._database.table(name, **params).to_pylist()
        return rows


def _bound(keep: int | None, days: float | None) -> Retention:
    if keep is not None and not 0 <= keep <= MOST_RUNS:
        raise PolicyError(f"runs: keep is from 0 to {MOST_RUNS}, not {keep}")
    if days is not None and not 0 <= days <= MOST_DAYS:  # nan is in no range
        raise PolicyError(f"runs: days are from 0 to {MOST_DAYS}, not {days}")
    return Retention(keep, days)


def _cause(then: Row, now: Row) -> str:
    """What is known to have changed between two runs of one question and policy."""
    causes = _changes(then, now)
    if not causes and then["sql_hash"] != now["sql_hash"]:
        causes.append("the statements or their values differ")
    return "; ".join(causes) or "nothing that is known of: corpus, version and statements are the same"


def _changes(then: Row, now: Row) -> list[str]:
    """What was not the same for two runs, beside their questions and policies."""
    changes = []
    if then["corpus_hash"] != now["corpus_hash"]:
        changes.append("the corpus changed")
    if then["package_version"] != now["package_version"]:
        changes.append(f"mosaic-sql {then['package_version']} then, {now['package_version']} now")
    if then["schema_version"] != now["schema_version"]:
        changes.append(f"schema {then['schema_version']} then, {now['schema_version']} now")
    if then["analyzer"] != now["analyzer"]:
        changes.append(f"the question was read by {then['analyzer']} then, by {now['analyzer']} now")
    return changes
