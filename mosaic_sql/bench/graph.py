"""How exactly questions over a knowledge graph are answered: sets of entities against gold, by hops and by mode.

A file of questions holds one JSON object a line: `{id, question, anchors, answers, path, hops}`, where `path` lists the
steps `{relation, forward}` from the anchor. The modes say how much of that a retrieval is given.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mosaic_sql.bench.dataset import objects
from mosaic_sql.bench.measures import mean, percentile
from mosaic_sql.errors import IngestError
from mosaic_sql.ingest.store import Progress
from mosaic_sql.pattern import format_path
from mosaic_sql.pipeline import Corpus
from mosaic_sql.pipeline.results import Retrieval

MODES = ("anchors+path", "anchors", "plain")
"""Anchors and pattern given; anchors given, the pattern from the words; the question alone."""
_WANTED = "it holds {id, question, anchors, answers, path, hops}, one JSON object a line"


@dataclass(frozen=True)
class GraphQuestion:
    """A question, the names it starts from, the names of its answers, and the path between them as a pattern."""

    id: str
    text: str
    anchors: tuple[str, ...]
    answers: frozenset[str]
    pattern: str
    hops: int


@dataclass(frozen=True)
class Answered:
    """One question answered in one mode.

    `operator` and `pattern` are what was walked, `reason` why; the names found and the gold are sets.
    """

    question: GraphQuestion
    mode: str
    found: frozenset[str]
    operator: str
    pattern: str
    reason: str
    milliseconds: float

    @property
    def precision(self) -> float:
        """Share of the found that is gold; 1 where nothing was found and nothing is gold."""
        return self._share(self.found)

    @property
    def recall(self) -> float:
        """Share of the gold that was found; 1 where nothing is gold and nothing was found."""
        return self._share(self.question.answers)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, 0 where both are."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def exact(self) -> bool:
        """Whether the two sets are equal."""
        return self.found == self.question.answers

    def _share(self, whole: frozenset[str]) -> float:
        if not whole:
            return float(self.exact)
        return len(self.found & self.question.answers) / len(whole)

    def told(self) -> dict[str, Any]:
        """What a person needs to see why it went wrong; at most ten names of each sort."""
        return {
            "id": self.question.id,
            "question": self.question.text,
            "operator": self.operator,
            "pattern": self.pattern,
            "gold_pattern": self.question.pattern,
            "reason": self.reason,
            "f1": round(self.f1, 4),
            "missing": sorted(self.question.answers - self.found)[:10],
            "extra": sorted(self.found - self.question.answers)[:10],
        }


@dataclass(frozen=True)
class GraphRow:
    """Means over the questions of so many hops in one mode, in [0, 1]; the median time in ms."""

    hops: int
    mode: str
    questions: int
    exact: float
    precision: float
    recall: float
    f1: float
    p50_ms: float
    wrong: tuple[dict[str, Any], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def load(path: str | Path) -> list[GraphQuestion]:
    """The questions of a file.

    Raises:
        IngestError: it cannot be read, holds none, or a line says nothing usable; the message names the line.
    """
    found = [_question(row, where) for where, row in objects(Path(path), _WANTED)]
    if not found:
        raise IngestError(f"{path} is empty; {_WANTED}")
    return found


def _question(row: Mapping[str, Any], where: str) -> GraphQuestion:
    text, hops = row.get("question"), row.get("hops")
    if not isinstance(text, str) or not text.strip():
        raise IngestError(f"{where}: no question; {_WANTED}")
    steps = row.get("path") or []
    try:
        path = [(str(step["relation"]), bool(step["forward"])) for step in steps]
    except (TypeError, KeyError) as error:
        raise IngestError(f"{where}: a step of the path needs relation and forward") from error
    return GraphQuestion(
        id=str(row.get("id", where)),
        text=text,
        anchors=_names(row, "anchors", where),
        answers=frozenset(_names(row, "answers", where)),
        pattern=format_path(path),
        hops=hops if isinstance(hops, int) and not isinstance(hops, bool) else len(path),
    )


def _names(row: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    value = row.get(name)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise IngestError(f"{where}: {name} is no list of names; {_WANTED}")
    return tuple(value)


def run(
    corpus: Corpus, questions: Sequence[GraphQuestion], mode: str, *, progress: Progress | None = None
) -> Iterator[Answered]:
    """Every question answered in `mode`, one after the other."""
    for number, question in enumerate(questions, start=1):
        started = time.perf_counter()
        retrieval = corpus.retrieve(question.text, policy=_policy(question, mode))
        yield _answered(question, mode, retrieval, 1000 * (time.perf_counter() - started))
        if progress is not None:
            progress(mode, number, len(questions))


def _policy(question: GraphQuestion, mode: str) -> dict[str, Any] | None:
    if mode == "plain":
        return None
    if mode == "anchors":
        return {"anchors": question.anchors}
    operator = "constrained_shortest_path" if len(question.anchors) > 1 else "meta_path"
    return {"anchors": question.anchors, "operator": operator, "pattern": question.pattern}


def _answered(question: GraphQuestion, mode: str, retrieval: Retrieval, milliseconds: float) -> Answered:
    walk = retrieval.policy.walk
    return Answered(
        question=question,
        mode=mode,
        found=frozenset(answer.name for answer in retrieval.answers),
        operator=walk.operator,
        pattern=walk.pattern or "",
        reason=retrieval.analysis.operator_reason,
        milliseconds=milliseconds,
    )


def rows(answered: Sequence[Answered], *, wrong: int | None = 0) -> list[GraphRow]:
    """A row per hops and mode, in the order of MODES; each with its first `wrong` wrong questions (None: all)."""
    found: list[GraphRow] = []
    for hops in sorted({each.question.hops for each in answered}):
        for mode in MODES:
            own = [each for each in answered if each.question.hops == hops and each.mode == mode]
            if own:
                found.append(_row(hops, mode, own, wrong))
    return found


def _row(hops: int, mode: str, own: Sequence[Answered], wrong: int | None) -> GraphRow:
    missed = [each.told() for each in own if not each.exact]
    return GraphRow(
        hops=hops,
        mode=mode,
        questions=len(own),
        exact=round(mean([each.exact for each in own]), 4),
        precision=round(mean([each.precision for each in own]), 4),
        recall=round(mean([each.recall for each in own]), 4),
        f1=round(mean([each.f1 for each in own]), 4),
        p50_ms=round(percentile([each.milliseconds for each in own], 0.5), 2),
        wrong=tuple(missed if wrong is None else missed[:wrong]),
    )
