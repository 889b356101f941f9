"""Retrieval measured: how much of what answers a question is found, how far the walk goes, how long it takes."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from mosaic_sql import sqlfiles
from mosaic_sql.bench import indexing, measures
from mosaic_sql.bench.dataset import Dataset
from mosaic_sql.bench.indexing import Progress, Settings, Watch, since
from mosaic_sql.errors import PolicyError
from mosaic_sql.pipeline import Corpus
from mosaic_sql.records import StageTime

ARMS = ("bm25", "dense", "fusion")
"""Methods without a walk: an arm of `base` alone, and both by reciprocal rank."""
POLICIES: Mapping[str, str | None] = {
    "default": None,
    "mosaic": "mosaic",
    "narrow": "narrow",
    "medium": "medium",
    "wide": "wide",
}
METHODS = (*ARMS, *POLICIES)
USUAL = (*ARMS, "default", "mosaic")
"""Methods that are measured where none is named."""

FUSION_CONSTANT = 60
RANKING_LIMIT = 100
WARM_UP = 5
"""Questions asked before the clock counts."""
CLOSELY = 100
"""At most so many questions, evenly spread, are also timed by stage and have their paths counted."""
_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Result:
    """One method over one data set; `stages` are milliseconds per stage.

    `rows` among them is what is not timed by itself, reading the rows out above all; `context`, the passages for an
    answer, comes after the retrieval and is no part of its p50. The arms come out of one reading
    of `base`, so their times are equal and hold both.
    """

    dataset: str
    method: str
    quality: Mapping[str, float]
    paths: float
    p50_ms: float
    p95_ms: float
    questions: int
    passages: int
    index_passages_per_s: float | None
    stages: Mapping[str, Mapping[str, float]]
    settings: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """A flat row for JSON, the measures among the other columns."""
        row = asdict(self)
        quality = row.pop("quality")
        return {"dataset": row.pop("dataset"), "method": row.pop("method"), **quality, **row}


@dataclass(frozen=True)
class _Asked:
    """One question asked one way."""

    ranking: Sequence[str]
    milliseconds: float
    times: Mapping[str, float]
    paths: int | None
    operator: str


def measurable(methods: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """The methods once each, in order; without an embedder `dense` and `fusion` are left out.

    Raises:
        PolicyError: an unknown method, or none that is left.
    """
    for method in methods:
        if method not in METHODS:
            raise PolicyError(f"methods: unknown {method!r}; one of {', '.join(METHODS)}")
    blind = settings.embedder == "none"
    chosen = tuple(method for method in dict.fromkeys(methods) if not (blind and method in ("dense", "fusion")))
    if not chosen:
        raise PolicyError("methods: none is left; dense and fusion need an embedder other than none")
    return chosen


def run(
    dataset: Dataset,
    methods: Sequence[str],
    settings: Settings,
    *,
    db: str | Path | None = None,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Index `dataset` (in `db`, else in a file that is gone afterwards), then yield one result per method.

    Raises:
        PolicyError: as `measurable`.
        StoreError: `db` holds other passages, or was made with other settings.
    """
    chosen = measurable(methods, settings)
    watch = indexing.watched(settings)
    with place(db) as path, indexing.opened(path, settings, watch) as corpus:
        rate = indexing.index(corpus, dataset, settings, progress)
        bench = _Bench(corpus, dataset, watch, progress)
        for method in chosen:
            yield _result(dataset, method, bench.ask(method), rate, settings)


@contextmanager
def place(db: str | Path | None) -> Iterator[str | Path]:
    """Where an index goes: `db`, else a file that is gone afterwards."""
    if db is not None:
        yield db
        return
    with tempfile.TemporaryDirectory(prefix="mosaic-bench-") as folder:
        yield Path(folder) / "bench.duckdb"


class _Bench:
    """Asks every question of a data set, one at a time."""

    def __init__(self, corpus: Corpus, dataset: Dataset, watch: Watch | None, progress: Progress | None) -> None:
        self._corpus = corpus
        self._questions = [question.text for question in dataset.questions]
        self._watch = watch
        self._progress = progress or _quiet
        self._arms: list[dict[str, _Asked]] = []

    def ask(self, method: str) -> list[_Asked]:
        """What a method finds for each question."""
        if method not in ARMS:
            return self._each(method, lambda question, closely: self._walked(question, POLICIES[method], closely))
        if not self._arms:
            self._arms = self._each("arms", self._unwalked)
        return [found[method] for found in self._arms]

    def _each(self, what: str, ask: Callable[[str, bool], _Found]) -> list[_Found]:
        for question in self._questions[:WARM_UP]:
            ask(question, False)
        stride = -(-len(self._questions) // CLOSELY)
        found = []
        for number, question in enumerate(self._questions):
            self._progress(what, number, len(self._questions))
            found.append(ask(question, number % stride == 0))
        self._progress(what, len(self._questions), len(self._questions))
        return found

    def _walked(self, question: str, policy: str | None, closely: bool) -> _Asked:
        """One retrieval on the clock; `closely` also times what it is made of and counts its paths, off the clock."""
        started = time.perf_counter()
        retrieval = self._corpus.retrieve(question, policy=policy)
        total = since(started)
        times: dict[str, float] = {}
        paths = None
        if closely:
            times = self._times(retrieval.stages)
            times["rows"] = max(0.0, total - sum(times.values()))
            started = time.perf_counter()
            _ = retrieval.context
            times["context"] = since(started)
            looked_at = self._corpus.retrieve(question, policy=policy, keep_pruned=True).walk.rows
            paths = measures.paths_scored(looked_at)
        return _Asked(
            ranking=measures.by_first_appearance(retrieval.evidence.rows["source"].to_pylist()),
            milliseconds=total,
            times=times,
            paths=paths,
            operator=retrieval.policy.walk.operator,
        )

    def _unwalked(self, question: str, closely: bool) -> dict[str, _Asked]:
        """Every arm, from the `base` that a retrieval leaves behind; their time is a sum, so all are timed closely."""
        policy = {"operator": "chunk_hop"}
        stages = self._corpus.retrieve(question, policy=policy, keep_pruned=True).stages  # for a whole `base`
        last = [stage.stage for stage in stages].index("base")  # an arm needs nothing of what follows
        started = time.perf_counter()
        rows = self._corpus.connection.execute(
            sqlfiles.load("evidence.arms").body,
            {"fusion_constant": FUSION_CONSTANT, "ranking_limit": RANKING_LIMIT},
        ).fetchall()
        read = since(started)
        times = self._times(stages[: last + 1])
        times["arms"] = read
        return {
            arm: _Asked(
                ranking=measures.by_first_appearance(source for _, name, _, _, source in rows if name == arm),
                milliseconds=sum(times.values()),
                times=times,
                paths=0,
                operator="none",
            )
            for arm in ARMS
        }

    def _times(self, stages: Sequence[StageTime]) -> dict[str, float]:
        """Milliseconds per stage of the retrieval just made."""
        embed = self._watch.milliseconds if self._watch is not None else 0.0
        return {"embed": embed, **{stage.stage: stage.milliseconds for stage in stages}}


def _result(dataset: Dataset, method: str, asked: Sequence[_Asked], rate: float | None, settings: Settings) -> Result:
    support = [question.support for question in dataset.questions]
    total = _spread([item.milliseconds for item in asked])
    names = dict.fromkeys(stage for item in asked for stage in item.times)
    return Result(
        dataset=dataset.name,
        method=method,
        quality=measures.quality([(item.ranking, wanted) for item, wanted in zip(asked, support, strict=True)]),
        paths=round(measures.mean([item.paths for item in asked if item.paths is not None]), 1),
        **total,
        questions=len(asked),
        passages=len(dataset.passages),
        index_passages_per_s=rate,
        stages={name: _spread([item.times[name] for item in asked if name in item.times]) for name in names},
        settings={**asdict(settings), "operators": dict(sorted(Counter(item.operator for item in asked).items()))},
    )


def _spread(milliseconds: Sequence[float]) -> dict[str, float]:
    return {
        "p50_ms": round(measures.percentile(milliseconds, 0.5), 2),
        "p95_ms": round(measures.percentile(milliseconds, 0.95), 2),
    }


def _quiet(stage: str, done: int, total: int) -> None:
    """No progress shown."""
