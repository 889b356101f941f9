"""Question and catalogue in, analysis and validated policy out. Sees the question and the schema only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.analyze import (
    anchoring,
    apart,
    converse,
    cues,
    descriptions,
    grouping,
    joining,
    lexicon,
    operations,
    ought,
    planning,
    properties,
    repeating,
    shapes,
    spells,
    textual,
    verdicts,
    wording,
)
from mosaic_sql.analyze.choosing import Choice, Held, anchors_of, asks_to_join, choose, is_sure, uncounted
from mosaic_sql.analyze.descriptions import Description, Part
from mosaic_sql.analyze.mentions import Likeness
from mosaic_sql.analyze.reading import Reading, by_model
from mosaic_sql.analyze.standing import surer
from mosaic_sql.models import ChatModel
from mosaic_sql.policy import Correction, Policy, RefinePolicy, clamp, named_policy
from mosaic_sql.records import Analysis, Catalogue, ModelCall, Target

__all__ = ["Description", "Part", "analyze", "described", "one_by_one", "speaks", "surer", "unread"]

_CONTROLLED = ("chunk_hop", "beam")
"""Operators whose walk the controls of an analyzer steer."""

_UNREAD = 2
"""Words of a question that a look-up at a named node may leave unread where there is a text beside the graph."""


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
    held = Held(named, _override(overrides, "operator"), given)
    choice, after = _by_words(question, targets, catalogue, held, overrides, likeness)
    if after is not None and after.refine:
        targets, choice = after.targets, Choice("meta_path", after.reason, after.pattern, _next(after, choice))
    plan: planning.Plan | str | None = None
    asked = tuple[ModelCall, ...]()
    if (
        model is not None
        and not (after and after.refine)
        and _may_plan(choice, catalogue, named=named, overrides=overrides)
    ):
        plan, asked = planning.by_model(question, anchors_of(targets, catalogue), catalogue, model)
        choice = _planned(plan, model) if isinstance(plan, planning.Plan) else choice
    targets = choice.anchors or targets
    read, calls = _reading(_Asked(question, catalogue, named, model), targets, choice.operator, plan)
    return Analysis(
        question=question,
        targets=read.targets,
        signals=read.signals,
        policy=Policy.parse({**_both_ways(choice, after, catalogue, given), **overrides}, base=read.policy),
        corrections=(*read.corrections, *(after.corrections if after else ())),
        operator_reason=choice.reason,
        alternatives=tuple(converse.either(each, catalogue) for each in choice.alternatives),
        unresolved=after.unresolved if after else choice.unresolved,
        lacks=choice.lacks,
        verdict=choice.verdict,
        compared=after.compared if after else (),
        each=after.each if after else "",
        facets=read.facets,
        risk=read.risk,
        rationale=read.rationale,
        analyzer=read.analyzer,
        calls=(*asked, *calls),
    )


def _by_words(
    question: str,
    targets: tuple[Target, ...],
    catalogue: Catalogue,
    held: Held,
    overrides: Mapping[str, Any],
    likeness: Likeness | None,
) -> tuple[Choice, operations.Plan | None]:
    """The walk that words ask for, and what comes after it, where they ask for anything."""
    anchors = anchors_of(targets, catalogue)
    said = ought.written(question, anchors, catalogue)
    kept_from, least = said != question, 0
    if held.pattern is None and not catalogue.chunk_count:
        said, least = repeating.taken(said, anchors)
    choice = choose(said, targets, catalogue, held, likeness)
    after = None if choice.undone else _after_walk(said, targets, catalogue, named=held.named, overrides=overrides)
    choice, after = _held_to(said, choice, after, catalogue, kept_from=kept_from)
    return _repeated(choice, after, least, catalogue) if least else (choice, after)


def _both_ways(
    choice: Choice, after: operations.Plan | None, catalogue: Catalogue, given: str | None
) -> dict[str, Any]:
    """The pattern and the refinement of a policy, their steps along every relation that says the same."""
    found = {"pattern": given or choice.pattern, **(after.refine if after else {})}
    walks = choice.operator in ("meta_path", "constrained_shortest_path")
    for name in ("pattern", "degree_of"):
        said = found.get(name)
        if isinstance(said, str) and said and said != given and (walks or name != "pattern"):
            found[name] = converse.either(said, catalogue)
    others = converse.kinds(str(found.get("source_kind", "")), catalogue)
    return {**found, "or_kinds": others} if others else found


def _held_to(
    question: str, choice: Choice, after: operations.Plan | None, catalogue: Catalogue, *, kept_from: bool
) -> tuple[Choice, operations.Plan | None]:
    """The walk and what comes after it, where they answer to all that is asked; else why they do not."""
    if after is not None and set(after.refine) <= {"count_only", "row_per"} and uncounted(question, choice):
        return replace(choice, lacks="", unresolved=choice.lacks), None
    return _kept_from(choice, after, catalogue) if kept_from else (choice, after)


def _repeated(
    choice: Choice, after: operations.Plan | None, least: int, catalogue: Catalogue
) -> tuple[Choice, operations.Plan | None]:
    """The walk over as many steps as lead on, where its one step may be repeated; else that it was not understood."""
    found = repeating.repeated(_walked(choice, after).pattern, least, catalogue)
    if found is None and (choice.unresolved or choice.lacks):
        return choice, None
    if found is None:
        reason = "what holds indirectly was not understood: no one relation of the question leads on to its like"
        return Choice("bfs", reason, anchors=choice.anchors, unresolved=reason), None
    if after is not None and after.refine:
        return choice, replace(after, pattern=found)
    return replace(choice, pattern=found, alternatives=()), after


def _kept_from(
    choice: Choice, after: operations.Plan | None, catalogue: Catalogue
) -> tuple[Choice, operations.Plan | None]:
    """What should not be given with or to something, held to the one step that says it; else it was not understood."""
    walked = _walked(choice, after)
    anchors = walked.targets if isinstance(walked, operations.Plan) else walked.anchors
    found = ought.pattern(walked.pattern, anchors, catalogue)
    if found is None or not anchors:
        names = " and ".join(anchor.name for anchor in choice.anchors) or "it"
        reason = f"nothing tells what should not be given with or to {names}"
        return Choice("bfs", reason, anchors=choice.anchors, unresolved=reason), None
    if after is not None and after.refine:
        return choice, replace(after, pattern=found)
    return Choice("meta_path", choice.reason, found, anchors=anchors), after


def _walked(choice: Choice, after: operations.Plan | None) -> Choice | operations.Plan:
    """What tells the walk: the plan of what comes after it, where there is anything to come."""
    return after if after is not None and after.refine else choice


def _next(after: operations.Plan, choice: Choice) -> tuple[str, ...]:
    """The next patterns for want of an answer, where all that comes after the walk is that some are left out."""
    is_same = after.pattern == choice.pattern and set(after.refine) <= {"combine", "arms"}
    return choice.alternatives if is_same and after.refine.get("combine") == "difference" else ()


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


def _may_plan(choice: Choice, catalogue: Catalogue, *, named: str, overrides: Mapping[str, Any]) -> bool:
    """Whether a model may choose the walk: over a graph, where nobody has set it."""
    held = any(_override(overrides, name) is not None for name in ("operator", "pattern"))
    over_graph = choice.operator not in _CONTROLLED or (catalogue.schema_paths and not catalogue.chunk_count)
    return named == "default" and not held and bool(over_graph)


def _planned(plan: planning.Plan, model: ChatModel) -> Choice:
    """The walk that a model's plan asks for."""
    pattern = plan.patterns[0] if plan.patterns else None
    names = ", ".join(anchor.name for anchor in plan.anchors) or "no anchor"
    reason = f"{model.name} reads {plan.shape} of {names}"
    return Choice(plan.operator, reason, pattern, plan.patterns[1:], plan.anchors)


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
    anchors, has_text = anchors_of(targets, catalogue), catalogue.chunk_count > 0
    if has_text and not (anchors or catalogue.graph_node_count):
        return None

    def find(text: str, ends: Sequence[Target]) -> shapes.Shape | None:
        return _shape(text, list(ends), catalogue)

    def find_sure(text: str, ends: Sequence[Target]) -> shapes.Shape | None:
        shape = find(text, ends)
        return shape if shape and is_sure(shape) else None

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

    With `chains` what one chain of relations could say is taken apart too. Whether A is the sister of B describes no
    node: it asks for one relation between two.
    """
    anchors = anchors_of(targets, catalogue)
    question = ought.written(question, anchors, catalogue)
    group = grouping.find(question, anchors, catalogue)
    question = group.question if group else question  # the most albums by A are not described, but counted
    verdict = verdicts.find(spells.closed(question), targets, catalogue)
    if verdict is not None and (verdict.pattern or not (verdict.words or catalogue.chunk_count)):
        return None
    if asks_to_join(question, anchors, catalogue) or joining.is_of_edge(question, anchors, catalogue):
        return None
    texts = textual.find(question, anchors, catalogue)
    if texts is not None and texts.held:  # of the answers, and nothing on the way to them
        plan = _after_walk(question, targets, catalogue, named="default", overrides={})
        if texts.told(plan) is not None:
            return None
    phrase = next(iter(texts.phrases), None) if texts is not None else None
    found = None if phrase and phrase.counted else descriptions.find(question, anchors, catalogue, chains=chains)
    if found is None and phrase is not None:  # who directed thrillers
        start, end = phrase.char_start, phrase.char_end
        return Description(question[start:end], start, end, (Part(phrase.asked, None),))
    return found


def one_by_one(question: str, targets: tuple[Target, ...], catalogue: Catalogue) -> tuple[str, str]:
    """The first question that a text asks of a graph, and a second behind it; empty where it asks no second."""
    found = apart.find(question, targets) if not catalogue.chunk_count else None
    return (found.first, found.second) if found else (question, "")


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
    anchors = anchors_of(targets, catalogue) if catalogue.schema_paths and not catalogue.chunk_count else []
    spans = [(anchor.char_start, anchor.char_end) for anchor in anchors]
    return wording.unread(question, spans, catalogue) if anchors else ()


def speaks(form: str, catalogue: Catalogue) -> bool:
    """Whether a word asks for something: it belongs to a word family, or to the name of a property."""
    stem = words.stem(form)
    named = (other for one in catalogue.properties for other in properties.stems(one.name))
    return bool(lexicon.entries_at([form], 0)) or any(words.alike(stem, other) for other in named)


def _shape(question: str, anchors: list[Target], catalogue: Catalogue) -> shapes.Shape | None:
    return anchoring.read(question, tuple(anchors), catalogue).shape
