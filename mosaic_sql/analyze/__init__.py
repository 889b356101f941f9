"""Question and catalogue in, analysis and validated policy out. Sees the question and the schema only."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.analyze import (
    anchoring,
    cues,
    descriptions,
    lexicon,
    operations,
    planning,
    properties,
    scanning,
    schema,
    shapes,
    wording,
)
from mosaic_sql.analyze.descriptions import Description, Part
from mosaic_sql.analyze.mentions import Likeness
from mosaic_sql.analyze.reading import Reading, by_model
from mosaic_sql.analyze.sentence import FUNCTION
from mosaic_sql.models import ChatModel
from mosaic_sql.policy import Correction, Policy, RefinePolicy, clamp, default_policy, named_policy
from mosaic_sql.records import Analysis, Catalogue, ModelCall, Target

__all__ = ["Description", "Part", "analyze", "described", "speaks", "unread"]

_CONTROLLED = ("chunk_hop", "beam")
"""Operators whose walk the controls of an analyzer steer."""

_UNREAD = 2
"""Words of a question that a look-up at a named node may leave unread where there is a text beside the graph."""
_SAID = 0.5
"""Share of a yes-or-no question's telling words from which a pattern between two names is what it asks."""
_VALUE = re.compile(
    r"\s*(?:(?:in|on|at)\s+)?(?:when|where|(?:what|which)\s+(?:year|date|day|time)"
    r"|(?:what|who)\s+(?:is|are|was|were)\s+the\s+(?:\w+\s+){1,2}of"
    r"|how\s+(?!(?:is|are|was|were|do|does|did|can|could|has|have)\b)\w+)\b",
    re.IGNORECASE,
)
"""What opens a question for one value, which the neighbourhood of a node is no answer to."""
_NEAR, _TRIED = 0.6, 3
"""How much less a pattern may be worth than the best one to be tried after it, and how many are."""


@dataclass(frozen=True)
class _Held:
    """What a caller set: the named policy, the operator, the pattern."""

    named: str
    operator: str | None
    pattern: str | None


@dataclass(frozen=True)
class _Choice:
    """An operator and why; for a walk over relations its pattern, the next ones to try, and its anchors.

    `unresolved` says what of the question nothing answers to.
    """

    operator: str
    reason: str
    pattern: str | None = None
    alternatives: tuple[str, ...] = ()
    anchors: tuple[Target, ...] = ()
    unresolved: str = ""


def analyze(  # noqa: PLR0913  # the one entrance: what an analyzer may know is named here
    question: str,
    targets: tuple[Target, ...],
    catalogue: Catalogue,
    *,
    named: str = "default",
    overrides: Mapping[str, Any] | None = None,
    model: ChatModel | None = None,
    likeness: Likeness | None = None,
) -> Analysis:
    """Read a question and decide its policy: by rules, or by a chat model where one is given.

    `named` is one of `policy.NAMED_POLICIES`; `overrides` are controls that a person set: they win, unclamped. The
    model is asked for controls where they count: for `chunk_hop` and `beam`, and not under a fixed policy. Over a graph
    it is asked for shape, anchors and patterns, which set the operator. Where it is of no use the rules take its place,
    and a correction of `analyzer` says why. `likeness` are cosines of relations with the phrases of `unread`.

    Raises:
        PolicyError: an override that cannot be meant.
    """
    overrides = dict(overrides or {})
    given = _override(overrides, "pattern")
    held = _Held(named, _override(overrides, "operator"), given)
    choice = _choose(question, targets, catalogue, held, likeness)
    after = _after_walk(question, targets, catalogue, named=named, overrides=overrides)
    if after is not None and after.refine:
        targets, choice = after.targets, _Choice("meta_path", after.reason, after.pattern)
    plan: planning.Plan | str | None = None
    asked = tuple[ModelCall, ...]()
    if (
        model is not None
        and not (after and after.refine)
        and _may_plan(choice, catalogue, named=named, overrides=overrides)
    ):
        plan, asked = planning.by_model(question, _anchors(targets, catalogue), catalogue, model)
        choice = _planned(plan, model) if isinstance(plan, planning.Plan) else choice
    targets = choice.anchors or targets
    asking = _Asked(question, catalogue, named, model)
    read, calls = _reading(asking, targets, choice.operator, plan)
    return Analysis(
        question=question,
        targets=read.targets,
        signals=read.signals,
        policy=Policy.parse(
            {"pattern": given or choice.pattern, **(after.refine if after else {}), **overrides}, base=read.policy
        ),
        corrections=(*read.corrections, *(after.corrections if after else ())),
        operator_reason=choice.reason,
        alternatives=choice.alternatives,
        unresolved=after.unresolved if after else choice.unresolved,
        each=after.each if after else "",
        facets=read.facets,
        risk=read.risk,
        rationale=read.rationale,
        analyzer=read.analyzer,
        calls=(*asked, *calls),
    )


@dataclass(frozen=True)
class _Asked:
    """A question, what it is asked of, under which named policy, and the model that reads it, if one does."""

    question: str
    catalogue: Catalogue
    named: str
    model: ChatModel | None


def _reading(
    asked: _Asked, targets: tuple[Target, ...], operator: str, plan: planning.Plan | str | None
) -> tuple[Reading, tuple[ModelCall, ...]]:
    """What is made of the question under its operator; where a model was to read it and did not, the word why."""
    read, model = _by_rules(asked.question, targets, operator, asked.named), asked.model
    if model is None:
        return read, ()
    if isinstance(plan, planning.Plan):
        read = replace(read, analyzer=model.name)
    if isinstance(plan, str):
        read = _by_rules_instead(read, model, plan)
    if asked.named not in ("default", "mosaic") or operator not in _CONTROLLED:
        return read, ()
    found, calls = by_model(asked.question, targets, asked.catalogue, operator, model)
    return (_by_rules_instead(read, model, found) if isinstance(found, str) else found), calls


def _by_rules_instead(read: Reading, model: ChatModel, problem: str) -> Reading:
    """The rules' reading with the word that a model was to read, and why it did not."""
    return replace(read, corrections=(*read.corrections, Correction("analyzer", model.name, "rules", problem)))


def _may_plan(choice: _Choice, catalogue: Catalogue, *, named: str, overrides: Mapping[str, Any]) -> bool:
    """Whether a model may choose the walk: over a graph, where nobody has set it."""
    held = any(_override(overrides, name) is not None for name in ("operator", "pattern"))
    over_graph = choice.operator not in _CONTROLLED or (catalogue.schema_paths and not catalogue.chunk_count)
    return named == "default" and not held and bool(over_graph)


def _planned(plan: planning.Plan, model: ChatModel) -> _Choice:
    """The walk that a model's plan asks for."""
    pattern = plan.patterns[0] if plan.patterns else None
    names = ", ".join(anchor.name for anchor in plan.anchors) or "no anchor"
    reason = f"{model.name} reads {plan.shape} of {names}"
    return _Choice(plan.operator, reason, pattern, plan.patterns[1:], plan.anchors)


def _after_walk(
    question: str,
    targets: tuple[Target, ...],
    catalogue: Catalogue,
    *,
    named: str,
    overrides: Mapping[str, Any],
) -> operations.Plan | None:
    """What is asked beside a walk over the graph; a caller's own walk or refinement stands as it is."""
    held = {"operator", "pattern", "refine", *RefinePolicy.model_fields}
    if named == "mosaic" or any(_override(overrides, name) is not None or name in overrides for name in held):
        return None
    anchors, has_text = _anchors(targets, catalogue), catalogue.chunk_count > 0
    if has_text and not (anchors or catalogue.graph_node_count):
        return None

    def find(text: str, ends: Sequence[Target]) -> shapes.Shape | None:
        return _shape(text, list(ends), catalogue)

    def find_sure(text: str, ends: Sequence[Target]) -> shapes.Shape | None:
        shape = find(text, ends)
        return shape if shape and _sure(shape) else None

    named_too = [target for target in targets if target.origin == "graph"]
    if not has_text:
        return operations.plan(question, anchors, catalogue, find, named=named_too)
    for how in (find_sure, find):  # a text may answer to what a plan over the graph leaves unread
        plan = operations.plan(question, anchors, catalogue, how, named=named_too)
        if plan and plan.refine and not (_says_more(question, plan) if how is find_sure else plan.unread):
            return plan
    return None


def _says_more(question: str, plan: operations.Plan) -> bool:
    """Whether a plan leaves words of the question unread, which a text may answer to.

    A walk from one named node was held to its words when it was found.
    """
    if len(plan.targets) != 1:
        return bool(plan.unread)
    if plan.refine.get("answers_from") != "anchors":
        return False
    spans = [(target.char_start, target.char_end) for target in plan.targets]
    read = set(words.stems(str(plan.refine.get("attribute") or "").replace("_", " ")))
    left = [
        token.form
        for token in words.tokens(question)
        if token.form not in words.STOP_WORDS
        and words.stem(token.form) not in read
        and not any(start <= token.start < end for start, end in spans)
    ]
    return len(left) > _UNREAD


def described(
    question: str, targets: tuple[Target, ...], catalogue: Catalogue, *, chains: bool = False
) -> Description | None:
    """The part of a question that describes a node and has to be resolved first; None where none needs a step.

    With `chains` what one chain of relations could say is taken apart too.
    """
    anchors = _anchors(targets, catalogue)
    return (
        None
        if _asks_to_join(question, anchors, catalogue)
        else descriptions.find(question, anchors, catalogue, chains=chains)
    )


def _asks_to_join(question: str, anchors: list[Target], catalogue: Catalogue) -> bool:
    """Whether yes or no is told by a path between two names: is there a publisher of books by both A and B?"""
    if len(anchors) != 2 or not cues.asks_verdict(question):
        return False
    shape = _shape(question, anchors, catalogue)
    return shape is not None and shape.coverage >= _SAID


def _by_rules(question: str, targets: tuple[Target, ...], operator: str, named: str) -> Reading:
    signals, proposal = cues.read(question, targets)
    facets = cues.facets(question, targets)
    if named in ("narrow", "medium", "wide"):
        return Reading(signals, named_policy(named, operator), targets, facets)
    held = cues.for_chunk_hop(proposal) if operator == "chunk_hop" else proposal
    policy, corrections = clamp(held if operator in _CONTROLLED else {}, operator)
    return Reading(signals, policy, targets, facets, corrections)


def _override(overrides: Mapping[str, Any], name: str) -> Any:
    nested = overrides.get("walk")
    return overrides.get(name, nested.get(name) if isinstance(nested, Mapping) else None)


def unread(question: str, targets: tuple[Target, ...], catalogue: Catalogue) -> tuple[str, ...]:
    """Phrases of a question over a graph that no word speaks for: those whose vectors may tell a relation."""
    anchors = _anchors(targets, catalogue) if catalogue.schema_paths and not catalogue.chunk_count else []
    spans = [(anchor.char_start, anchor.char_end) for anchor in anchors]
    return wording.unread(question, spans, catalogue) if anchors else ()


def speaks(form: str, catalogue: Catalogue) -> bool:
    """Whether a word asks for something: it belongs to a word family, or to the name of a property."""
    stem = words.stem(form)
    named = (other for one in catalogue.properties for other in properties.stems(one.name))
    return bool(lexicon.entries_at([form], 0)) or any(words.alike(stem, other) for other in named)


def _choose(
    question: str, targets: tuple[Target, ...], catalogue: Catalogue, held: _Held, likeness: Likeness | None
) -> _Choice:
    """The operator, its reason, and a pattern where one was found."""
    anchors = _anchors(targets, catalogue)
    if held.operator is not None:
        return _forced(question, anchors, catalogue, held)
    if held.pattern is not None:
        operator = "constrained_shortest_path" if len(anchors) >= 2 else "meta_path"
        reason = f"{_counted(anchors)} and the caller's pattern"
        return _Choice(operator, reason, held.pattern, anchors=tuple(anchors))
    if held.named == "mosaic":
        return _Choice("beam", "the policy `mosaic` is the paper's beam")
    scan = scanning.find(question, catalogue) if not catalogue.chunk_count else None
    if scan and not any(anchor.weight > anchoring.SURE for anchor in anchors):
        return _Choice("relation_scan", f"no anchor but “{scan.anyone}”, from: {', '.join(scan.words)}", scan.pattern)
    if anchors:
        choice = _from_anchors(anchoring.best(question, anchors, catalogue, likeness), question, catalogue)
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
    weak = [target for target in named if not schema.is_schema_word(target.alias_key, catalogue)]
    return strong or weak


def _counted(anchors: list[Target]) -> str:
    """How many anchors, for a reason."""
    return f"{len(anchors) or 'no'} anchor{'' if len(anchors) == 1 else 's'}"


def _forced(question: str, anchors: list[Target], catalogue: Catalogue, held: _Held) -> _Choice:
    """The operator that a person set, with a pattern where it needs one and none was set too."""
    operator = str(held.operator)
    default_policy(operator)  # an unknown operator is refused here, with the list of known ones
    if held.pattern is None and operator == "relation_scan":
        scan = scanning.find(question, catalogue)
        return _Choice(operator, "set by the caller", scan.pattern if scan else None)
    needs_pattern = held.pattern is None and operator in ("meta_path", "constrained_shortest_path")
    reading = anchoring.best(question, anchors, catalogue) if needs_pattern else anchoring.Reading(())
    found = reading.shape.pattern if reading.shape else None
    return _Choice(operator, "set by the caller", found, anchors=reading.anchors if found else ())


def _from_anchors(reading: anchoring.Reading, question: str, catalogue: Catalogue) -> _Choice | None:
    shape, first, has_text = reading.shape, reading.anchors[0].name, catalogue.chunk_count > 0
    if len(reading.anchors) >= 2:
        both = f"two anchors ({first}, {reading.anchors[1].name})"
        if cues.asks_relation(question) and not (shape and shape.score > 1):
            return _Choice("shortest_path", f"{both} and no relation named", anchors=reading.anchors)
        asked = cues.asks_verdict(question)
        if shape and (not has_text or (asked and shape.coverage >= _SAID) or (shape.coverage >= 1 and _sure(shape))):
            return _patterned("constrained_shortest_path", both, reading)
        return None if has_text else _Choice("shortest_path", f"{both} and no pattern found", anchors=reading.anchors)
    one = f"one anchor ({first})"
    unsaid = _unsaid(question, reading, catalogue) if shape and not has_text else ""
    if unsaid:
        lacks = f"no relation of the graph answers to “{unsaid}”"
        return _Choice("bfs", f"{one} and no aspect named", anchors=reading.anchors, unresolved=lacks)
    if shape and (not has_text or _sure(shape)):
        return _patterned("meta_path", one, reading)
    if has_text:
        return None
    lacks = f"no relation or property of {first} answers to this question" if _VALUE.match(question) else ""
    return _Choice("bfs", f"{one} and no aspect named", anchors=reading.anchors, unresolved=lacks)


def _unsaid(question: str, reading: anchoring.Reading, catalogue: Catalogue) -> str:
    """A verb that speaks of some relation, where a longer pattern rests on names of kinds alone; empty for none."""
    shape = reading.shape
    kinds = {stem for kind in catalogue.kinds for stem in properties.stems(kind)}
    if shape is None or shape.length < 2 or not set(shape.words) <= kinds:
        return ""
    tokens = [
        token
        for token in words.tokens(question)
        if not any(anchor.char_start <= token.start < anchor.char_end for anchor in reading.anchors)
    ]
    forms = [token.form for token in tokens]
    for place, form in enumerate(forms):
        verbs = any(entry.role == "verb" for entry in lexicon.entries_at(forms, place))
        if verbs and form not in FUNCTION and words.stem(form) not in shape.words:
            return form
    return ""


def _patterned(operator: str, anchors: str, reading: anchoring.Reading) -> _Choice:
    """A walk along the best pattern, with the next ones for want of an answer."""
    best, *others = reading.shapes
    reason = f"{anchors} and a pattern, from: {', '.join(best.words)}"
    near = tuple(other.pattern for other in others if other.score > best.score - _NEAR)[:_TRIED]
    return _Choice(operator, reason, best.pattern, near, reading.anchors)


def _sure(shape: shapes.Shape) -> bool:
    """Whether a pattern explains a question so well that the text beside the graph need not be read."""
    return shape.score >= max(1.2, 0.9 * shape.length) and shape.coverage >= 0.7


def _shape(question: str, anchors: list[Target], catalogue: Catalogue) -> shapes.Shape | None:
    return anchoring.read(question, tuple(anchors), catalogue).shape
