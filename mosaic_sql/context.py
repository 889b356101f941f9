"""Evidence into numbered passages: windows of text, facts and paths of the graph, within the policy's budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.policy import ContextPolicy
from mosaic_sql.records import Context, Passage

_WINDOW_CONTROLS = ("window_chars", "window_stride", "passage_limit", "context_chars")


def collect(database: Database, *, questions: Mapping[int, str], policy: ContextPolicy) -> dict[int, Context]:
    """The context of every question of the batch from the stage tables `walk` and `evidence`.

    Facts of the graph come first, then windows of the source chunks, numbered through.
    """
    found: dict[int, list[Passage]] = {question_id: [] for question_id in questions}
    _facts(database, found, policy)
    _windows(database, found, policy)
    support = {row[0]: row[1] for row in database.rows("context.support")}
    weights: dict[int, dict[str, float]] = {question_id: {} for question_id in questions}
    unknown: set[tuple[int, str]] = set()
    for question_id, stem, known, weight in database.rows("context.weights"):
        weights[question_id][stem] = weight
        if not known:
            unknown.add((question_id, stem))
    return {
        question_id: Context(
            tuple(passages),
            support=1.0 if _only_facts(passages) else min(1.0, max(0.0, support.get(question_id, 0.0))),
            overlap=_overlap(weights[question_id], passages),
            weights=weights[question_id],
            missing=_missing(questions[question_id], {stem for number, stem in unknown if number == question_id}),
        )
        for question_id, passages in found.items()
    }


def _facts(database: Database, found: Mapping[int, list[Passage]], policy: ContextPolicy) -> None:
    for question_id, _, text in database.rows("context.entities"):
        _append(found[question_id], policy, text=text, source="graph", title="entity", role="entity", score=1.0)
    for question_id, _, text, score, _ in database.rows("context.paths"):
        _append(found[question_id], policy, text=text, source="graph", title="fact", role="path", score=score)


def _windows(database: Database, found: Mapping[int, list[Passage]], policy: ContextPolicy) -> None:
    params = {name: getattr(policy, name) for name in _WINDOW_CONTROLS}
    for row in database.rows("context.chunks", **params):
        question_id, _, chunk_id, source, title, text, start, end, score, role, path, came_from, sentence, _ = row
        via = f"{path} (“{' '.join(sentence.split())}”)" if sentence else path
        _append(
            found[question_id], policy, text=text, source=source, title=title, role=role, score=score,
            chunk_id=chunk_id, char_start=start, char_end=end, path=via, path_from=came_from,
        )  # fmt: skip


def _append(passages: list[Passage], policy: ContextPolicy, **values: Any) -> None:
    used = sum(len(passage.text) for passage in passages)
    facts = sum(passage.chunk_id is None for passage in passages)
    if values.get("chunk_id") is not None and len(passages) - facts >= policy.passage_limit:
        return
    if passages and used + len(values["text"]) > policy.context_chars:
        return
    values.setdefault("chunk_id", None)
    values.setdefault("char_start", None)
    values.setdefault("char_end", None)
    passages.append(Passage(number=len(passages) + 1, **values))


def _only_facts(passages: Sequence[Passage]) -> bool:
    return bool(passages) and all(passage.chunk_id is None for passage in passages)


def _overlap(weights: Mapping[str, float], passages: Sequence[Passage]) -> float:
    """Share of the question's content stems, by weight, that stand in a passage or its title."""
    total = sum(weights.values())
    if not total:
        return 0.0
    said = {stem for passage in passages for stem in words.stems(f"{passage.title} {passage.text}")}
    return sum(weight for stem, weight in weights.items() if stem in said) / total


def _missing(question: str, stems: set[str]) -> tuple[str, ...]:
    """The question's own words of some stems, in order, once each."""
    forms = [question[t.start : t.end] for t in words.tokens(question) if words.stem(t.form) in stems]
    return tuple(dict.fromkeys(forms))
