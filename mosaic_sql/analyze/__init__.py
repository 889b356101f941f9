"""Question and catalogue in, analysis and validated policy out. Sees the question and the schema only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mosaic_sql.analyze import cues, descriptions, shapes
from mosaic_sql.analyze.descriptions import Description, Part
from mosaic_sql.analyze.reading import Reading, by_model
from mosaic_sql.models import ChatModel
from mosaic_sql.policy import Correction, Policy, clamp, default_policy, named_policy
from mosaic_sql.records import Analysis, Catalogue, ModelCall, Target

__all__ = ["Description", "Part", "analyze", "described"]

_CONTROLLED = ("chunk_hop", "beam")
"""Operators whose walk the controls of an analyzer steer."""


@dataclass(frozen=True)
class _Choice:
    operator: str
    reason: str
    pattern: str | None = None


def analyze(
    question: str,
    targets: tuple[Target, ...],
    catalogue: Catalogue,
    *,
    named: str = "default",
    overrides: Mapping[str, Any] | None = None,
    model: ChatModel | None = None,
) -> Analysis:
    """Read a question and decide its policy: by rules, or by a chat model where one is given.

    `named` is one of `policy.NAMED_POLICIES`; `overrides` are controls that a person set: they win, unclamped. The
    model is asked where its controls count: for `chunk_hop` and `beam`, and not under a fixed policy. It never chooses
    the operator. Where it is of no use the rules take its place, and a correction of `analyzer` says why.

    Raises:
        PolicyError: an override that cannot be meant.
    """
    overrides = dict(overrides or {})
    given = _override(overrides, "pattern")
    choice = _choose(question, targets, catalogue, named=named, forced=_override(overrides, "operator"), pattern=given)
    read, calls = _by_rules(question, targets, choice.operator, named), tuple[ModelCall, ...]()
    if model is not None and named in ("default", "mosaic") and choice.operator in _CONTROLLED:
        found, calls = by_model(question, targets, catalogue, choice.operator, model)
        read = found or replace(read, corrections=(*read.corrections, _fallback(model, calls)))
    return Analysis(
        question=question,
        targets=read.targets,
        signals=read.signals,
        policy=Policy.parse({"pattern": given or choice.pattern, **overrides}, base=read.policy),
        corrections=read.corrections,
        operator_reason=choice.reason,
        facets=read.facets,
        risk=read.risk,
        rationale=read.rationale,
        analyzer=read.analyzer,
        calls=calls,
    )


def described(
    question: str, targets: tuple[Target, ...], catalogue: Catalogue, *, chains: bool = False
) -> Description | None:
    """The part of a question that describes a node and has to be resolved first; None where none needs a step.

    With `chains` what one chain of relations could say is taken apart too.
    """
    return descriptions.find(question, _anchors(targets, catalogue), catalogue, chains=chains)


def _by_rules(question: str, targets: tuple[Target, ...], operator: str, named: str) -> Reading:
    signals, proposal = cues.read(question, targets)
    facets = cues.facets(question, targets)
    if named in ("narrow", "medium", "wide"):
        return Reading(signals, named_policy(named, operator), targets, facets)
    held = cues.for_chunk_hop(proposal) if operator == "chunk_hop" else proposal
    policy, corrections = clamp(held if operator in _CONTROLLED else {}, operator)
    return Reading(signals, policy, targets, facets, corrections)


def _fallback(model: ChatModel, calls: tuple[ModelCall, ...]) -> Correction:
    """Says that the rules read the question in the model's place, and why."""
    return Correction("analyzer", model.name, "rules", calls[-1].error)


def _override(overrides: Mapping[str, Any], name: str) -> Any:
    nested = overrides.get("walk")
    return overrides.get(name, nested.get(name) if isinstance(nested, Mapping) else None)


def _choose(
    question: str,
    targets: tuple[Target, ...],
    catalogue: Catalogue,
    *,
    named: str,
    forced: str | None,
    pattern: str | None,
) -> _Choice:
    """The operator, its reason, and a pattern where one was found."""
    anchors = _anchors(targets, catalogue)
    if forced is None and pattern is not None:
        operator = "constrained_shortest_path" if len(anchors) >= 2 else "meta_path"
        return _Choice(operator, f"{_counted(anchors)} and the caller's pattern", pattern)
    if forced is not None:
        default_policy(forced)  # an unknown operator is refused here, with the list of known ones
        needs_pattern = forced in ("meta_path", "constrained_shortest_path")
        shape = _shape(question, anchors, catalogue) if needs_pattern else None
        return _Choice(forced, "set by the caller", shape.pattern if shape else None)
    if named == "mosaic":
        return _Choice("beam", "the policy `mosaic` is the paper's beam")
    if anchors:
        choice = _from_anchors(question, anchors, catalogue)
        if choice:
            return choice
    if catalogue.rule_edge_count and catalogue.chunk_count:
        return _Choice("chunk_hop", "a text whose edges come from rules")
    if not catalogue.edge_count:
        return _Choice("chunk_hop", "no edges in the corpus")
    return _Choice("beam", "edges that were given or read by a model, and no anchor with a pattern")


def _anchors(targets: tuple[Target, ...], catalogue: Catalogue) -> list[Target]:
    """Names of the imported graph that a question means.

    A weak one, such as a lone common word, counts only for want of a stronger, and never if it is a word of the schema.
    """
    named = [target for target in targets if target.origin == "graph"]
    strong = [target for target in named if target.weight > 0.3]
    weak = [target for target in named if not shapes.is_schema_word(target.alias_key, catalogue)]
    return strong or weak


def _counted(anchors: list[Target]) -> str:
    """How many anchors, for a reason."""
    return f"{len(anchors) or 'no'} anchor{'' if len(anchors) == 1 else 's'}"


def _from_anchors(question: str, anchors: list[Target], catalogue: Catalogue) -> _Choice | None:
    shape = _shape(question, anchors, catalogue)
    first = anchors[0].name
    has_text = catalogue.chunk_count > 0
    if len(anchors) >= 2:
        both = f"two anchors ({first}, {anchors[1].name})"
        if cues.asks_relation(question) and not (shape and shape.score > 1):
            return _Choice("shortest_path", f"{both} and no relation named")
        if shape and (not has_text or (cues.asks_verdict(question) and shape.coverage >= 0.5)):
            said = ", ".join(shape.words)
            return _Choice("constrained_shortest_path", f"{both} and a pattern, from: {said}", shape.pattern)
        return None if has_text else _Choice("shortest_path", f"{both} and no pattern found")
    if shape and (not has_text or _sure(shape)):
        said = ", ".join(shape.words)
        return _Choice("meta_path", f"one anchor ({first}) and a pattern, from: {said}", shape.pattern)
    return None if has_text else _Choice("bfs", f"one anchor ({first}) and no aspect named")


def _sure(shape: shapes.Shape) -> bool:
    """Whether a pattern explains a question so well that the text beside the graph need not be read."""
    return shape.score >= max(1.2, 0.9 * shape.length) and shape.coverage >= 0.7


def _shape(question: str, anchors: list[Target], catalogue: Catalogue) -> shapes.Shape | None:
    if not anchors:
        return None
    spans = [(target.char_start, target.char_end) for target in anchors]
    kinds = [target.kinds or ("",) for target in anchors[:2]]
    return shapes.find(question, spans, kinds, catalogue, first_steps=anchors[0].steps)
