"""Evidence into numbered passages: windows of text, facts and paths of the graph, within the policy's budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.policy import ContextPolicy
from mosaic_sql.records import Context, Evidence, Passage, Term, Walk

_WINDOW_CONTROLS = ("window_chars", "window_stride", "passage_limit", "context_chars")


@dataclass(frozen=True)
class Material:
    """What the context of one question is made of: its kept units and the walk that found them."""

    question_id: int
    question: str
    terms: tuple[Term, ...]
    evidence: Evidence
    walk: Walk


def facts(database: Database, question_ids: Iterable[int], policy: ContextPolicy) -> dict[int, tuple[Passage, ...]]:
    """What the stage tables hold of the graph, written out: the nodes walks start from, then the paths."""
    found: dict[int, list[Passage]] = {question_id: [] for question_id in question_ids}
    for question_id, _, text in database.rows("context.entities"):
        _append(found[question_id], policy, text=text, source="graph", title="entity", role="entity", score=1.0)
    for question_id, _, text, score, _ in database.rows("context.paths"):
        _append(found[question_id], policy, text=text, source="graph", title="fact", role="path", score=score)
    return {question_id: tuple(passages) for question_id, passages in found.items()}


def collect(database: Database, material: Material, *, policy: ContextPolicy, facts: Sequence[Passage] = ()) -> Context:
    """The context of one question: `facts` first, then windows of the kept units' chunks, numbered through."""
    passages = list(facts)
    params = {name: getattr(policy, name) for name in _WINDOW_CONTROLS}
    support = 0.0
    units = _units(material)
    for row in database.rows("context.chunks", units=units, **params) if units else ():
        _, _, chunk_id, source, title, text, start, end, score, role, path, path_from, path_node, cosine = row
        support = max(support, cosine or 0.0)
        _append(
            passages, policy, text=text, source=source, title=title, role=role, score=score, chunk_id=chunk_id,
            char_start=start, char_end=end, path=path, path_from=path_from, path_node=path_node,
        )  # fmt: skip
    return _context(passages, material.question, material.terms, support)


def _units(material: Material) -> list[dict[str, Any]]:
    """Each source chunk once, at its best rank, with the names and chunks of the path that led to it."""
    rows = material.walk.rows.select(["path_id", "tail_kind", "nodes", "chunks"]).to_pylist()
    paths = {row["path_id"]: row for row in rows if row["tail_kind"] == "chunk" and row["nodes"]}
    kept = material.evidence.rows.filter(material.evidence.rows["kept"])
    units: dict[int, dict[str, Any]] = {}
    for unit in kept.to_pylist():
        if unit["chunk_id"] is None or unit["chunk_id"] in units:
            continue
        path = paths.get(unit["path_id"], {"nodes": [], "chunks": []})
        units[unit["chunk_id"]] = {
            **{name: unit[name] for name in ("question_id", "rank", "role", "score", "chunk_id", "cosine")},
            "nodes": path["nodes"],
            "chunks": path["chunks"],
        }
    return list(units.values())


def with_link_sentences(database: Database, context: Context) -> Context:
    """The same context, each path that led to a passage followed by the sentence that names its last link."""
    places = [
        {"chunk_id": passage.path_from, "node_id": passage.path_node}
        for passage in context.passages
        if passage.path_from is not None
    ]
    if not places:
        return context
    rows = database.rows("context.link_sentences", places=places)
    said = {(chunk_id, node_id): " ".join(sentence.split()) for chunk_id, node_id, sentence in rows}
    passages = [
        replace(passage, path=f"{passage.path} (“{said[passage.path_from, passage.path_node]}”)")
        if (passage.path_from, passage.path_node) in said
        else passage
        for passage in context.passages
    ]
    return replace(context, passages=tuple(passages))


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


def _context(passages: Sequence[Passage], text: str, terms: Sequence[Term], support: float) -> Context:
    only_facts = bool(passages) and all(passage.chunk_id is None for passage in passages)
    weights = _weights(terms)
    return Context(
        tuple(passages),
        support=1.0 if only_facts else min(1.0, support),
        overlap=_overlap(weights, passages),
        weights=weights,
        missing=_missing(text, {term.stem for term in terms if term.term_id is None}),
    )


def _weights(terms: Sequence[Term]) -> dict[str, float]:
    """How telling each content stem is, in [0, 1]; a stem the corpus does not have tells most."""
    most = max((term.idf for term in terms), default=0) or 1
    return {term.stem: 1.0 if term.term_id is None else min(1.0, term.idf / most) for term in terms}


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
