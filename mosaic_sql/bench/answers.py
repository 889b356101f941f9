"""Answers measured: how much of the gold they hold, what was refused and why, what the citations point to."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from mosaic_sql.bench import gold, indexing, measures
from mosaic_sql.bench.dataset import Dataset, Question
from mosaic_sql.bench.indexing import Progress, Settings, since
from mosaic_sql.bench.judge import CRITERIA, Counted, Judge, ballot
from mosaic_sql.bench.retrieval import place
from mosaic_sql.errors import ModelOutputError, ModelUnavailable
from mosaic_sql.models import Reply
from mosaic_sql.pipeline import Corpus, open_corpus
from mosaic_sql.pipeline.controls import PolicyLike
from mosaic_sql.records import Passage

METHODS: Mapping[str, PolicyLike] = {
    "default": None,
    "mosaic": "mosaic",
    "narrow": "narrow",
    "medium": "medium",
    "wide": "wide",
    "unlinked": {"operator": "chunk_hop", "link_gain": 0.0, "back_gain": 0.0},
}
"""Policies under their names, and `unlinked`: the ranking of chunk_hop by words, vectors and titles, without a link."""
USUAL = ("default",)
EVERY = "all"
"""The kind of the row over every kind."""
CHARS_PER_TOKEN = 4


@dataclass(frozen=True)
class Told:
    """One question answered one way, and what the answer holds.

    `text` is the answer without its markers, empty for a refusal or a failure; `exact`, `f1` and `recall` lie in
    [0, 1], `held` says whether the context holds the gold (None: it cannot be held, yes or no), `holding` how many of
    the `citations` do; `statements` is the judge's F1 in [0, 1], `won` the criteria it won. Of a question without an
    answer only `refused` says anything.
    """

    question: Question
    method: str
    text: str
    refused: bool
    reason: str
    exact: float
    f1: float
    contained: bool
    recall: float
    held: bool | None
    citations: int
    holding: int
    milliseconds: float
    failed: bool = False
    statements: float | None = None
    won: frozenset[str] | None = None

    def to_dict(self) -> dict[str, Any]:
        """A flat record for JSON, the gold beside the answer."""
        row: dict[str, Any] = {name: value for name, value in vars(self).items() if name not in ("question", "won")}
        asked = self.question
        known: dict[str, Any] = {
            "question_id": asked.id,
            "question": asked.text,
            "kind": asked.kind,
            "gold": list(asked.answers),
        }
        return {**known, **row, "won": None if self.won is None else sorted(self.won)}


@dataclass(frozen=True)
class Result:
    """One method over one kind of question; `measures` are percent, None where no question counts for one.

    EM, F1: short gold, SQuAD's. contains: short gold that stands in the answer. recall: content stems of long gold.
    context: the gold is in the passages, the most that contains can reach. refused: no answer, of all questions. Of
    those that have an answer: false_refused though the context holds the gold, honest_refused though it does not (yes
    and no count for neither). right_refused: refused, of those that have none; these count for nothing else.
    cited: answers with a citation. cites_gold: citations whose passage holds the gold. statements and won_*: the
    judge's. A question that the model failed on counts as wrong, and in `failed`.
    """

    dataset: str
    method: str
    kind: str
    questions: int
    failed: int
    judge_failed: int
    measures: Mapping[str, float | None]
    p50_ms: float
    p95_ms: float

    def to_dict(self) -> dict[str, Any]:
        """A flat row for JSON, the measures among the other columns."""
        row = asdict(self)
        found = row.pop("measures")
        return {**{name: row.pop(name) for name in ("dataset", "method", "kind", "questions")}, **found, **row}


@contextmanager
def corpus_for(
    dataset: Dataset, settings: Settings, *, db: str | Path | None = None, progress: Progress | None = None
) -> Iterator[Corpus]:
    """A corpus to ask: `db` as it is where it exists, else the passages indexed (in `db`, or for the time being)."""
    if db is not None and Path(db).exists():
        with open_corpus(db, read_only=True, trace=False, threads=settings.threads) as corpus:
            yield corpus
        return
    watch = indexing.watched(settings)
    with place(db) as path, indexing.opened(path, settings, watch) as corpus:
        indexing.index(corpus, dataset, settings, progress)
        yield corpus


def ask(
    corpus: Corpus,
    questions: Sequence[Question],
    systems: Mapping[str, PolicyLike],
    *,
    model: Counted | None = None,
    progress: Progress | None = None,
) -> list[Told]:
    """Every question by every system, one at a time: by `model`, else quoted from the evidence.

    Raises:
        PolicyError: a policy that cannot be meant.
        ModelUnavailable: no server, several times in a row.
    """
    told: list[Told] = []
    for method, policy in systems.items():
        for number, question in enumerate(questions):
            if progress is not None:
                progress(method, number, len(questions))
            told.append(_asked(corpus, question, method, policy, model))
    return told


def _asked(corpus: Corpus, question: Question, method: str, policy: PolicyLike, model: Counted | None) -> Told:
    started = time.perf_counter()
    try:
        asked = corpus.ask(question.text, policy=policy, model=model)
    except (ModelOutputError, ModelUnavailable) as error:
        if model is None:  # the embedder's, not the answer's
            raise
        model.failed(error)
        return Told(question, method, "", False, str(error), 0.0, 0.0, False, 0.0, None, 0, 0, since(started), True)
    milliseconds = since(started)
    text = " ".join(gold.unmarked(asked.text).split()) if asked.found else ""
    passages = {passage.number: _read(passage) for passage in asked.retrieval.context.passages}
    cited = [passages[citation.number] for citation in asked.citations]
    wanted = question.answers
    if not wanted:
        refused = not asked.found
        return Told(
            question,
            method,
            text,
            refused,
            asked.answer.reason,
            0.0,
            0.0,
            False,
            0.0,
            None,
            len(cited),
            0,
            milliseconds,
        )
    return Told(
        question=question,
        method=method,
        text=text,
        refused=not asked.found,
        reason=asked.answer.reason,
        exact=gold.exact_match(text, wanted),
        f1=gold.f1(text, wanted),
        contained=gold.contains(text, wanted),
        recall=gold.word_recall(text, wanted),
        held=gold.holds(passages.values(), wanted) if gold.can_be_held(wanted) else None,
        citations=len(cited),
        holding=sum(gold.holds([passage], wanted) for passage in cited),
        milliseconds=milliseconds,
    )


def _read(passage: Passage) -> str:
    return f"{passage.title}. {passage.text}"


# -- the judge -------------------------------------------------------------------------------------------------------


def judged(told: Sequence[Told], judge: Judge, *, seed: int, progress: Progress | None = None) -> list[Told]:
    """The same with the judge's statement F1 and, where several systems answered, the criteria each won.

    The order in which the judge sees the answers of a question comes from `seed` and the question's id alone. It is not
    shown a question without an answer: a refusal needs no judge.

    Raises:
        ModelUnavailable: no server, several times in a row.
    """
    found: list[Told] = []
    for number, item in enumerate(told):
        if progress is not None:
            progress("statements", number, len(told))
        gold_answers = item.question.answers
        score = judge.statement_f1(item.question.text, item.text, gold_answers) if gold_answers else None
        found.append(replace(item, statements=score))
    together: dict[str, list[int]] = {}
    for number, item in enumerate(found):
        together.setdefault(item.question.id, []).append(number)
    for done, (question_id, numbers) in enumerate(together.items()):
        if progress is not None:
            progress("comparison", done, len(together))
        question = found[numbers[0]].question
        answers = {found[number].method: found[number].text for number in numbers}
        if len(answers) < 2 or not any(answers.values()) or not question.answers:
            continue
        best = judge.winners(question.text, question.answers, ballot(answers, seed=seed, question_id=question_id))
        for number in numbers if best is not None else ():
            won = frozenset(name for name in CRITERIA if best is not None and found[number].method in best[name])
            found[number] = replace(found[number], won=won)
    return found


# -- sums ------------------------------------------------------------------------------------------------------------


def results(dataset: str, told: Sequence[Told], *, by_judge: bool = False) -> list[Result]:
    """Per method a row over every kind, then one per kind, in the order they first came."""
    rows: list[Result] = []
    for method in dict.fromkeys(item.method for item in told):
        own = [item for item in told if item.method == method]
        kinds = list(dict.fromkeys(item.question.kind for item in own))
        rows.append(_result(dataset, method, EVERY, own, by_judge))
        if len(kinds) > 1:
            rows += [
                _result(dataset, method, kind, [item for item in own if item.question.kind == kind], by_judge)
                for kind in kinds
            ]
    return rows


def _result(dataset: str, method: str, kind: str, told: Sequence[Told], by_judge: bool) -> Result:
    times = [item.milliseconds for item in told]
    return Result(
        dataset=dataset,
        method=method,
        kind=kind,
        questions=len(told),
        failed=sum(item.failed for item in told),
        judge_failed=sum(item.statements is None and bool(item.question.answers) for item in told) if by_judge else 0,
        measures=_measures(told) | (_verdicts(told) if by_judge else {}),
        p50_ms=round(measures.percentile(times, 0.5), 2),
        p95_ms=round(measures.percentile(times, 0.95), 2),
    )


def _measures(every: Sequence[Told]) -> dict[str, float | None]:
    told, none = ([item for item in every if bool(item.question.answers) is has] for has in (True, False))
    short = [item for item in told if gold.is_short(item.question.answers)]
    long = [item for item in told if not gold.is_short(item.question.answers)]
    provable = [item for item in told if gold.can_be_held(item.question.answers)]
    named = [item for item in provable if gold.is_short(item.question.answers)]
    answered = [item for item in told if not item.refused and not item.failed]
    cited = sum(item.citations for item in provable)
    return {
        "EM": _percent([item.exact for item in short]),
        "F1": _percent([item.f1 for item in short]),
        "contains": _percent([float(item.contained) for item in named]),
        "recall": _percent([item.recall for item in long]),
        "context": _percent([float(item.held) for item in provable if item.held is not None]),
        "refused": _percent([float(item.refused) for item in every]),
        "false_refused": _percent([float(item.refused and item.held is True) for item in told]),
        "honest_refused": _percent([float(item.refused and item.held is False) for item in told]),
        "right_refused": _percent([float(item.refused) for item in none]),
        "cited": _percent([float(item.citations > 0) for item in answered]),
        "cites_gold": round(100 * sum(item.holding for item in provable) / cited, 1) if cited else None,
    }


def _verdicts(told: Sequence[Told]) -> dict[str, float | None]:
    compared = [item.won for item in told if item.won is not None]
    return {
        "statements": _percent([item.statements for item in told if item.statements is not None]),
        **{f"won_{name}": _percent([float(name in won) for won in compared]) for name in CRITERIA},
    }


def _percent(values: Sequence[float]) -> float | None:
    return round(100 * measures.mean(values), 1) if values else None


# -- before it costs -------------------------------------------------------------------------------------------------


class Weighing:
    """Stands in for a chat model to learn what it would be sent; every reply is *no answer*."""

    def __init__(self, name: str) -> None:
        self.name = name

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Nothing, with the prompt's tokens guessed at CHARS_PER_TOKEN."""
        characters = sum(len(message["content"]) for message in messages)
        return Reply("NO ANSWER", -(-characters // CHARS_PER_TOKEN), 0, 0.0, self.name, "stop")


def judge_calls(questions: int, systems: int) -> int:
    """Calls of a judge at most, a second try for each included."""
    return 2 * questions * (systems + (systems > 1))
