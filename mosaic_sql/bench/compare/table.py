"""Runs into rows: means over all questions and over each kind, and the record of a whole comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from mosaic_sql.bench.compare.intervals import Difference
from mosaic_sql.bench.compare.questions import Question
from mosaic_sql.bench.compare.runs import SHARES, Run, Scores
from mosaic_sql.bench.compare.traits import Alignment
from mosaic_sql.bench.measures import mean

ALL = "all"
"""The name of all kinds together."""


@dataclass(frozen=True)
class Row:
    """One way of retrieving over all questions.

    `scores` maps a kind (`all` for every question) to its means: shares in percent, milliseconds, and counts per
    question; a measure without gold data is missing. `group` is `policy`, `ablation` or `arm`; `policies` counts the
    distinct policies, `controls` are those of a fixed policy, `changed` counts the questions that a reset control
    changes.
    """

    operator: str
    policy: str
    scores: Mapping[str, Scores]
    questions: Mapping[str, int]
    policies: int = 0
    controls: Mapping[str, Any] = field(default_factory=dict)
    changed: int | None = None
    group: str = "policy"

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


@dataclass(frozen=True)
class Comparison:
    """Rows, paired differences with intervals, requirement alignment, what was set, and remarks."""

    settings: Mapping[str, Any]
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]
    alignment: tuple[Alignment, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """All of it for JSON."""
        return {
            "settings": dict(self.settings),
            "rows": [row.to_dict() for row in self.rows],
            "differences": [difference.to_dict() for difference in self.differences],
            "alignment": [row.to_dict() for row in self.alignment],
            "notes": list(self.notes),
        }

    def lines(self) -> Iterator[dict[str, Any]]:
        """One flat line per row and kind, every line with the same columns."""
        names = list(dict.fromkeys(name for row in self.rows for means in row.scores.values() for name in means))
        for row in self.rows:
            for kind, means in row.scores.items():
                opening = {"group": row.group, "operator": row.operator, "policy": row.policy, "kind": kind}
                yield {**opening, "questions": row.questions[kind], **{name: means.get(name) for name in names}}


def by_kind(questions: Sequence[Question]) -> dict[str, list[int]]:
    """Places of the questions: of all, then of each kind, by name; a single kind is not told apart."""
    kinds = sorted({question.kind for question in questions if question.kind})
    places = {ALL: list(range(len(questions)))}
    if len(kinds) > 1:
        places |= {
            f"{ALL} (kind)" if kind == ALL else kind: [
                n for n, question in enumerate(questions) if question.kind == kind
            ]
            for kind in kinds
        }
    return places


def means(scores: Sequence[Scores], places: Mapping[str, Sequence[int]]) -> dict[str, dict[str, float]]:
    """Per kind the mean of each measure, over the questions that have it."""
    found: dict[str, dict[str, float]] = {}
    for kind, chosen in places.items():
        names = dict.fromkeys(name for place in chosen for name in scores[place])
        found[kind] = {name: _mean(name, [scores[n][name] for n in chosen if name in scores[n]]) for name in names}
    return found


def row_of(operator: str, policy: str, runs: Sequence[Run], places: Mapping[str, Sequence[int]], **more: Any) -> Row:
    """The row of some runs, one per question in order."""
    return Row(
        operator=operator,
        policy=policy,
        scores=means([run.scores for run in runs], places),
        questions={kind: len(chosen) for kind, chosen in places.items()},
        policies=len({run.policy.model_dump_json() for run in runs}),
        **more,
    )


def _mean(name: str, values: Sequence[float]) -> float:
    """Shares in percent; one digit, two for depths, which lie close together."""
    share = name in SHARES or name.split("@")[0] in SHARES
    return round((100 if share else 1) * mean(values), 2 if name == "depth" else 1)
