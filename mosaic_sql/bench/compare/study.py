"""Policies compared on the questions of one corpus: tables 6 to 8 of MOSAIC (arXiv 2609.11065) on your own data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from mosaic_sql import sqlfiles
from mosaic_sql.bench.compare import fixed, intervals, runs, statements, table, traits
from mosaic_sql.bench.compare.intervals import Difference
from mosaic_sql.bench.compare.questions import Question, located
from mosaic_sql.bench.compare.runs import Item, Run, Scores
from mosaic_sql.bench.compare.table import Comparison, Row
from mosaic_sql.bench.indexing import Progress
from mosaic_sql.bench.measures import mean
from mosaic_sql.errors import IngestError, PolicyError
from mosaic_sql.pipeline import Corpus
from mosaic_sql.policy import Policy

ADAPTIVE, MATCHED = "adaptive", "budget-matched"
POLICIES = (ADAPTIVE, "narrow", "medium", "wide", MATCHED)
OPERATORS = ("beam", "chunk_hop")
PAIRED = ("R@5", "all@5", "kept_recall", "statements")
"""Measures whose differences get an interval."""
_WARM_UP = 3

Choice = Callable[[int], Policy | Mapping[str, Any]]
"""The place of a question -> the policy it is asked with."""


@dataclass(frozen=True)
class Plan:
    """What is compared.

    `budgets` are characters that every context is also cut to, beside the arms bm25 and dense; `ablate` also runs the
    adaptive policy with one control at a time reset to its operator's default.
    """

    operators: tuple[str, ...] = OPERATORS
    policies: tuple[str, ...] = POLICIES
    ablate: bool = False
    budgets: tuple[int, ...] = ()
    seed: int = 0


def compare(
    corpus: Corpus, questions: Sequence[Question], plan: Plan | None = None, progress: Progress | None = None
) -> Comparison:
    """Ask every question under every policy, one at a time, and compare what comes back.

    The same corpus, questions and plan give the same numbers, but for the milliseconds.

    Args:
        corpus: an open corpus; nothing is written. Open it with `trace=False` to save time.
        questions: as read by `mosaic_sql.bench.compare.load`.
        plan: what is compared; everything but the ablation and the budget study by default.
        progress: called as progress(stage, done, total).

    Raises:
        PolicyError: a policy or operator that is not compared, or a budget under one character.
        IngestError: no questions, or a supporting document that the corpus does not hold.
    """
    plan = _checked(plan or Plan())
    if not questions:
        raise IngestError("no questions to compare policies on; give at least one")
    stats = corpus.stats()
    known = corpus.connection.execute(sqlfiles.load("ingest.known_documents").body).fetchall()
    asked = located(questions, [source for source, _, _ in known], str(stats["path"]))
    study = _Study(corpus, asked, plan, progress or _quiet)
    for operator in plan.operators:
        study.compare(operator)
    if plan.budgets:
        study.arms()
    settings = {
        **{name: stats[name] for name in ("path", "embedder", "extractor", "sentence_vectors")},
        **asdict(plan), "questions": len(asked), "held": statements.HELD, "resamples": intervals.RESAMPLES,
    }  # fmt: skip
    gold = (*_gold_missing(asked), *study.notes)
    return Comparison(settings, tuple(study.rows), tuple(study.differences), tuple(study.alignment), gold)


def _checked(plan: Plan) -> Plan:
    for what, chosen, known in (("policies", plan.policies, POLICIES), ("operator", plan.operators, OPERATORS)):
        unknown = [name for name in chosen if name not in known]
        if unknown or not chosen:
            raise PolicyError(f"{what}: unknown {', '.join(unknown) or 'nothing'!r}; of {', '.join(known)}")
    if any(budget < 1 for budget in plan.budgets):
        raise PolicyError(f"budget: {min(plan.budgets)} characters hold nothing; give 1 or more")
    return replace(
        plan, policies=tuple(name for name in POLICIES if name in plan.policies),
        operators=tuple(dict.fromkeys(plan.operators)), budgets=tuple(sorted(set(plan.budgets))),
    )  # fmt: skip


def _gold_missing(questions: Sequence[Question]) -> list[str]:
    """What cannot be told for want of gold data."""
    judged = any(question.support or statements.statements(question.statements) for question in questions)
    if judged:
        return []
    return ["no question has support or evidence: only effort" + (
        " and the answers held are compared" if any(question.answers for question in questions) else " is compared"
    )]  # fmt: skip


class _Study:
    """Runs of one corpus and its questions, and what is made of them."""

    def __init__(self, corpus: Corpus, questions: Sequence[Question], plan: Plan, progress: Progress) -> None:
        self._corpus, self._questions, self._plan, self._progress = corpus, questions, plan, progress
        self._places = table.by_kind(questions)
        half = len(questions) // 2
        others = [*questions[half:], *questions[:half]] if half else [None]
        self._items = [Item(question, other) for question, other in zip(questions, others, strict=True)]
        self.rows: list[Row] = []
        self.differences: list[Difference] = []
        self.alignment: list[traits.Alignment] = []
        self.notes: list[str] = []

    def compare(self, operator: str) -> None:
        """All rows of one operator; the adaptive runs come first, since others are made from them."""
        for question in self._questions[:_WARM_UP]:
            self._corpus.retrieve(question.text, policy={"operator": operator})
        needed = self._plan.ablate or {ADAPTIVE, MATCHED} & set(self._plan.policies)
        adaptive = self._each(f"{operator} {ADAPTIVE}", _always({"operator": operator})) if needed else []
        found: dict[str, list[Run]] = {}
        for name in self._plan.policies:
            if name == ADAPTIVE:
                found[name] = adaptive
            elif name == MATCHED:
                found[name] = self._matched(operator, adaptive)
            else:
                named = {"policy": name, "operator": operator}
                found[name] = self._each(f"{operator} {name}", _always(named))
        for name, each in found.items():
            controls = {} if name == ADAPTIVE else {at: fixed.value(each[0].policy, at) for at in fixed.MATCHED}
            self.rows.append(table.row_of(operator, name, each, self._places, controls=controls))
            if MATCHED in found and name != MATCHED:
                self._pair(operator, name, each, MATCHED, found[MATCHED])
        if ADAPTIVE in found:
            rows = traits.alignment(operator, self._questions, [run.policy for run in adaptive])
            self.alignment += rows if any(row.questions_with for row in rows) else []
        if self._plan.ablate:
            self._ablate(operator, adaptive)

    def arms(self) -> None:
        """The arms of `base`, within the budgets only."""
        found: list[dict[str, Scores]] = []
        for number, item in enumerate(self._items):
            self._progress("arms", number, len(self._items))
            found.append(runs.arms(self._corpus, item, self._plan.budgets))
        for arm in runs.ARMS:
            scores = [each[arm] for each in found]
            if not any(value for each in scores for value in each.values()):
                with_vectors = " with vectors" if arm == "dense" else ""
                self.notes.append(f"{arm} left out: it finds nothing, since the corpus holds no text{with_vectors}")
                continue
            counts = {kind: len(chosen) for kind, chosen in self._places.items()}
            self.rows.append(Row("none", arm, table.means(scores, self._places), counts, group="arm"))

    def _each(self, what: str, choice: Choice, known: Mapping[int, Run] | None = None) -> list[Run]:
        """One run per question; those `known` already are not asked again."""
        found = []
        for number, item in enumerate(self._items):
            self._progress(what, number, len(self._items))
            old = (known or {}).get(number)
            found.append(old or runs.ask(self._corpus, item, choice(number), self._plan.budgets))
        self._progress(what, len(self._items), len(self._items))
        return found

    def _matched(self, operator: str, adaptive: Sequence[Run]) -> list[Run]:
        """The budget-matched runs, their evidence count moved until the contexts are about as long as the adaptive."""
        policy = fixed.matched([run.policy for run in adaptive], operator)
        made: dict[int, list[Run]] = {}

        def characters(count: int) -> float:
            counted = fixed.with_controls(policy, {"evidence_count": count})
            made[count] = self._each(f"{operator} {MATCHED}, {count} units", _always(counted))
            return _characters(made[count])

        wanted, start = _characters(adaptive), policy.evidence.evidence_count
        count = fixed.nearest_count(start, wanted, characters)
        first, last = _characters(made[start]), _characters(made[count])
        told = f"{operator}: mean evidence characters adaptive {wanted:,.0f}, {MATCHED} {first:,.0f}"
        if count != start:
            told += f" with evidence_count {start}; {last:,.0f} with {count}, which is compared"
        elif fixed.apart(first, wanted) > fixed.TOLERANCE:
            told += f"; no other evidence_count than {start} comes nearer"
        self.notes.append(told)
        return made[count]

    def _ablate(self, operator: str, adaptive: Sequence[Run]) -> None:
        """One row per control reset to its default; a question whose control stood there keeps its run."""
        for control in fixed.CONTROLS:
            policies = [fixed.reset(run.policy, control) for run in adaptive]
            same = {n: run for n, run in enumerate(adaptive) if policies[n] == run.policy}
            each = self._each(f"{operator} without {control}", policies.__getitem__, same)
            name, changed = f"without {control}", len(adaptive) - len(same)
            self.rows.append(table.row_of(operator, name, each, self._places, changed=changed, group="ablation"))
            if changed:
                self._pair(operator, name, each, ADAPTIVE, adaptive)

    def _pair(self, operator: str, name: str, each: Sequence[Run], against: str, others: Sequence[Run]) -> None:
        for measure in (*PAIRED, *(f"statements@{budget}" for budget in self._plan.budgets)):
            pairs = [
                (run.scores[measure], other.scores[measure])
                for run, other in zip(each, others, strict=True)
                if measure in run.scores
            ]
            if pairs:
                told = intervals.interval(*zip(*pairs, strict=True), seed=self._plan.seed)
                self.differences.append(Difference(operator, name, against, measure, *told, len(pairs)))


def _always(policy: Policy | Mapping[str, Any]) -> Choice:
    """The same policy for every question."""
    return lambda place: policy


def _characters(each: Sequence[Run]) -> float:
    return mean([run.scores["chars"] for run in each])


def _quiet(stage: str, done: int, total: int) -> None:
    """No progress shown."""
