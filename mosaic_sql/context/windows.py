"""Windows of the chunks that evidence is from, after what the graph says, numbered through."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mosaic_sql import text as words
from mosaic_sql.context.graph import NO_FACTS, Facts
from mosaic_sql.database import Database
from mosaic_sql.models import GRID, Embedder, to_grid
from mosaic_sql.policy import ContextPolicy
from mosaic_sql.records import Context, Evidence, Passage, Term, Walk

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LIMITS = ("passage_limit", "context_chars")
WINDOWS_KEPT = 20_000
"""Vectors of windows that a handle keeps, the latest ones: 30 MB at 384 dimensions."""


@dataclass(frozen=True)
class Material:
    """What the context of one question is made of: its kept units and the walk that found them.

    `vector` is the question's place in the corpus's embedding space, on the grid; None without an embedder.
    """

    question_id: int
    question: str
    terms: tuple[Term, ...]
    evidence: Evidence
    walk: Walk
    vector: tuple[float, ...] | None = None


class WindowVectors:
    """How like a question some texts are; their vectors are kept, so a window is embedded once a handle."""

    def __init__(self, embedder: Embedder, *, keep: int = WINDOWS_KEPT) -> None:
        self.embedder = embedder
        self._keep = keep
        self._kept: dict[bytes, NDArray[np.float32]] = {}

    def cosines(self, texts: Sequence[str], question: Sequence[float]) -> list[float]:
        """The cosine of each text with `question` (on the grid), in [-1, 1]; new texts are embedded in one batch."""
        keys = [hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest() for text in texts]
        found = {key: self._kept[key] for key in keys if key in self._kept}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if new:
            found.update(zip(new, to_grid(self.embedder.embed(list(new.values()))), strict=True))
            self._kept.update((key, found[key]) for key in new)
            for key in list(self._kept)[: max(0, len(self._kept) - self._keep)]:
                self._kept.pop(key, None)
        return [min(1.0, float(np.vecdot(found[key], question)) / GRID**2) for key in keys]


@dataclass(frozen=True)
class _Window:
    """A slice of a kept unit's chunk; `cosine` is the chunk's with the question, or its own where that ranks."""

    chunk_id: int
    source: str
    title: str
    text: str
    char_start: int
    char_end: int
    score: float
    role: str
    path: str
    path_from: int | None
    path_node: int | None
    cosine: float | None
    label: str
    whole: bool


def collect(
    database: Database,
    material: Material,
    *,
    policy: ContextPolicy,
    facts: Facts = NO_FACTS,
    vectors: WindowVectors | None = None,
) -> Context:
    """The context of one question: `facts` first, then windows of the kept units' chunks, numbered through.

    Windows come in the order of their units, or, with `window_ranking` cosine, by their cosine with the question
    (MOSAIC, appendix: grounding); that needs `vectors` and the question's vector.
    """
    passages = list(facts.passages)
    by_cosine = policy.window_ranking == "cosine" and vectors is not None and material.vector is not None
    windows = _windows(database, material, policy, every=by_cosine or policy.drop_duplicates)
    if by_cosine and vectors is not None and material.vector is not None:
        windows = _ranked(database, windows, vectors, material.vector)
    if policy.drop_duplicates:
        windows = _distinct(windows)
    support, stated = 0.0, _stated(material.evidence)
    for window in windows:
        support = max(support, window.cosine or 0.0)
        values = {name: value for name, value in vars(window).items() if name not in ("cosine", "label", "whole")}
        own = tuple(stated.get(window.chunk_id, ()))
        _append(passages, policy, **values, passage_id=f"{window.chunk_id}:{window.char_start}", edge_ids=own)
    return _context(passages, material, facts, support)


def _windows(database: Database, material: Material, policy: ContextPolicy, *, every: bool) -> list[_Window]:
    """Windows in the order of their units; within the policy's limits, or `every` one."""
    units = _units(material)
    if not units:
        return []
    limits = {name: None if every else getattr(policy, name) for name in _LIMITS}
    cut = {"window_chars": policy.window_chars, "window_stride": policy.window_stride}
    return [_Window(*row[2:]) for row in database.rows("context.chunks", units=units, **cut, **limits)]


def _distinct(windows: Iterable[_Window]) -> list[_Window]:
    first: dict[str, _Window] = {}
    for window in windows:
        first.setdefault(window.text, window)
    return list(first.values())


def _ranked(
    database: Database, windows: Sequence[_Window], vectors: WindowVectors, question: tuple[float, ...]
) -> list[_Window]:
    """Windows by cosine, ties in the order given; a whole chunk has its vector in the file, others are embedded."""
    whole = sorted({window.chunk_id for window in windows if window.whole})
    stored = dict(database.rows("context.chunk_cosines", chunk_ids=whole, vector=list(question)) if whole else ())
    cut = [window for window in windows if not window.whole]
    texts = [f"{window.label}. {window.text}" if window.label else window.text for window in cut]
    own = iter(vectors.cosines(texts, question) if texts else ())
    told = [(window, stored.get(window.chunk_id) if window.whole else next(own)) for window in windows]
    known = [replace(window, cosine=cosine, score=cosine) for window, cosine in told if cosine is not None]
    return [
        *sorted(known, key=lambda window: -window.score),
        *(window for window, cosine in told if cosine is None),
    ]


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


def _stated(evidence: Evidence) -> dict[int, list[int]]:
    """Chunk -> the kept edges of the graph that it states."""
    stated: dict[int, list[int]] = {}
    columns = ("unit_kind", "unit_id", "chunk_id", "kept")
    for kind, edge_id, chunk_id, kept in zip(*(evidence.rows[name].to_pylist() for name in columns), strict=True):
        if kept and kind == "edge" and chunk_id is not None:
            stated.setdefault(chunk_id, []).append(edge_id)
    return stated


def _context(passages: Sequence[Passage], material: Material, facts: Facts, support: float) -> Context:
    only_facts = bool(passages) and all(passage.chunk_id is None for passage in passages)
    weights = _weights(material.terms)
    return Context(
        tuple(passages),
        support=1.0 if only_facts or facts.matched else min(1.0, support),
        overlap=_overlap(weights, passages),
        weights=weights,
        missing=_missing(material.question, {term.stem for term in material.terms if term.term_id is None}),
        paths=facts.paths,
        cut=facts.cut,
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
