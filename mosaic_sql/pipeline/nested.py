"""Described parts of a question, each resolved by a retrieval of its own whose nodes the outer one starts from.

This is the nested question of PolyG (arXiv 2504.02112, v2: decompose, answer in order, substitute), without a model. An
inner retrieval goes the way of every other: pattern, walk, evidence, and is a run of its own. Several conditions inside
a description are walks one after the other, each held to the nodes that the ones before found.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mosaic_sql import text as words
from mosaic_sql.analyze import Description, Part, described, one_by_one
from mosaic_sql.models import ChatModel
from mosaic_sql.pipeline import compared
from mosaic_sql.pipeline.controls import PolicyLike, is_free, over_text
from mosaic_sql.pipeline.naming import Named, missing
from mosaic_sql.pipeline.results import Step
from mosaic_sql.policy import Correction
from mosaic_sql.records import Analysis, Found, StageTime, Target
from mosaic_sql.render import TYPED

if TYPE_CHECKING:
    from mosaic_sql.pipeline.retriever import Prepared, Retriever, Vector

MAX_LEVELS = 3
"""Descriptions inside descriptions that are resolved."""
MAX_PARTS = 8
"""Described parts of one question that are resolved."""


def prepare(
    retriever: Retriever,
    question: str,
    policy: PolicyLike,
    vector: Vector,
    *,
    number: int = 0,
    analyst: ChatModel | None = None,
) -> Prepared:
    """A question ready to run, its described parts resolved: they are anchors like any name that it holds.

    Where the caller chose the walk nothing is resolved. A part that stands for nothing ends the question with a reason,
    unless a text is there to be read or the schema has no word for it: then the question is read as it stands; so does
    a name that no node bears. A chain of relations that no pattern was found for is taken apart. Of two questions the
    first is prepared.
    """
    names, free = retriever.link(question, policy), is_free(policy)
    first, second = one_by_one(question, names.linked.targets, retriever.catalogue()) if free else (question, "")
    if second:
        one = prepare(retriever, first, policy, vector, number=number, analyst=analyst)
        analysis = replace(one.analysis, question=question, second=second)
        return replace(one, analysis=analysis, question=replace(one.question, text=question))
    state = _Resolver(retriever, policy, names)
    lacks = missing(names.linked, retriever.catalogue()) if free else ""
    if lacks and state.is_final:
        state.unresolved = lacks
    elif free and not lacks:
        state.resolve(question)
    if state.unresolved and not state.is_final:
        state = state.given_up(names)
    prepared = state.last
    if not (state.unresolved or prepared):
        given: dict[str, Any] = {"number": number, "analyst": analyst}
        prepared = _read(retriever, question, policy, vector, state.names, **given)
        if free and prepared.analysis.policy.walk.operator == "bfs" and not state.is_given_up:
            apart = state.taken_apart(question)
            if apart.names is not state.names:
                state = apart
                prepared = _read(retriever, question, policy, vector, state.names, **given)
        if lacks and prepared.analysis.policy.walk.operator in TYPED:
            prepared = _by_text(retriever.prepare(question, over_text(policy), vector, names=names, **given), lacks)
        prepared = compared.resolved(retriever, prepared)
        state.unresolved = prepared.analysis.unresolved
    if prepared is None or state.unresolved:
        prepared = retriever.prepare(question, {**state.policy, "operator": "bfs"}, vector, names=state.without_names())
    return state.told(prepared, question, vector, number)


def _by_text(prepared: Prepared, why: str) -> Prepared:
    """A walk over the text, and why it is not one over the graph."""
    return replace(prepared, analysis=replace(prepared.analysis, operator_reason=f"{why}; the text instead"))


def _read(retriever: Retriever, text: str, policy: PolicyLike, vector: Vector, names: Named, **given: Any) -> Prepared:
    """A question prepared as if it named the first node that each description stands for: no word is read twice."""
    said, own = _substituted(text, names)
    prepared = retriever.prepare(said, policy, vector, names=own, **given)
    if said == text:
        return prepared
    before = {target.group_id: target for target in names.linked.targets}
    targets = tuple(before.get(target.group_id, target) for target in prepared.analysis.targets)
    analysis = replace(prepared.analysis, question=text, targets=targets)
    return replace(prepared, analysis=analysis, question=replace(prepared.question, text=text))


def _substituted(text: str, names: Named) -> tuple[str, Named]:
    """A question with a node's name in the place of each resolved description, and the places of names in it."""
    if not any(target.why == "described" for target in names.linked.targets):
        return text, names
    said, read, targets = "", 0, list[Target]()
    for target in sorted(names.linked.targets, key=lambda one: one.char_start):
        if target.char_start < read or target.char_end <= target.char_start:  # no place of its own
            targets.append(target)
            continue
        said += text[read : target.char_start]
        name = target.node_names[0] if target.why == "described" else text[target.char_start : target.char_end]
        targets.append(replace(target, char_start=len(said), char_end=len(said) + len(name)))
        said, read = said + name, target.char_end
    targets.sort(key=lambda one: one.group_id)
    return said + text[read:], replace(names, linked=replace(names.linked, targets=tuple(targets)))


class _Resolver:
    """Resolves the descriptions of one question, the innermost first.

    `names` is what the question names, descriptions included as they are resolved; `last` is the walk that the question
    itself asks for, where a description is all it asks; `unresolved` says which part stands for nothing, and why.
    """

    def __init__(self, retriever: Retriever, policy: PolicyLike, names: Named) -> None:
        self._retriever = retriever
        self.policy = {**(policy if isinstance(policy, Mapping) else {}), "anchors": ()}
        self.names = names
        self.last: Prepared | None = None
        self.unresolved = ""
        self.is_final = not retriever.catalogue().chunk_count
        self._steps: dict[str, tuple[Step, ...]] = {}
        self._levels: dict[str, int] = {}
        self._corrections: list[Correction] = []
        self._tried: list[Step] = []
        self._left: tuple[Step, ...] = ()  # steps that led nowhere, for a question that is read as it stands
        self.is_given_up = False
        self._is_worded = True  # every condition met a relation

    def resolve(self, question: str, *, chains: bool = False) -> None:
        """Resolve what is described until nothing is, a part stands for nothing, or the bounds are reached."""
        for _ in range(MAX_PARTS):
            description = described(question, self._targets, self._retriever.catalogue(), chains=chains)
            if description is None or self._is_too_deep(description):
                return
            self._resolve(description)
            if self.unresolved or self.last is not None:
                return
        self._corrections.append(Correction("description", question, None, f"only {MAX_PARTS} parts are resolved"))

    def given_up(self, names: Named) -> _Resolver:
        """The question read as it stands, and why."""
        other = _Resolver(self._retriever, self.policy, names)
        other.is_given_up, other._left = True, tuple(replace(step, role="tried") for step in self._tried)
        other._corrections = [Correction("description", self.unresolved, None, "read as it stands")]
        return other

    def taken_apart(self, question: str) -> _Resolver:
        """The question with its chains of descriptions resolved too; as it was where one of them leads nowhere."""
        other = copy.copy(self)
        other._steps, other._levels, other._tried = dict(self._steps), dict(self._levels), list(self._tried)
        other._corrections = list(self._corrections)
        other.resolve(question, chains=True)
        if not other.unresolved and other.last is None:
            return other
        self._left = tuple(replace(step, role="tried") for step in other._tried if step not in self._tried)
        return self

    def without_names(self) -> Named:
        """The question's terms alone."""
        return replace(self.names, linked=replace(self.names.linked, targets=(), topics=()))

    def told(self, prepared: Prepared, question: str, vector: Vector, number: int) -> Prepared:
        """The question's own walk, with the steps that it rests on."""
        used = [step for target in self._targets for step in self._steps.get(target.name, ())]
        steps = (*(self._tried if self.unresolved else prepared.steps or used), *self._left)
        if not (steps or self._corrections or self.unresolved):
            return prepared
        analysis = replace(
            prepared.analysis,
            question=question,
            corrections=(*prepared.analysis.corrections, *self._corrections),
            operator_reason=self.unresolved or prepared.analysis.operator_reason,
            unresolved=self.unresolved,
        )
        asked = replace(prepared.question, question_id=number, text=question, vector=vector)
        times = tuple(_time(step) for step in steps)
        return replace(prepared, analysis=analysis, question=asked, steps=steps, times=(*times, *prepared.times))

    @property
    def _targets(self) -> tuple[Target, ...]:
        return self.names.linked.targets

    def _is_too_deep(self, description: Description) -> bool:
        if self._level(description) <= MAX_LEVELS:
            return False
        reason = f"at most {MAX_LEVELS} levels are resolved"
        self._corrections.append(Correction("description", description.text, None, reason))
        return True

    def _level(self, description: Description) -> int:
        return 1 + max(self._levels.get(part.target.name, 0) if part.target else 0 for part in description.parts)

    def _resolve(self, description: Description) -> None:
        """Run the walks of a description; the last one is left to the question where it asks for nothing else."""
        left_out = self._left_out(description)
        walks = self._any(description, left_out) if description.either else self._all(description, left_out)
        if walks and description.whole:
            self.last = walks[0]
        elif walks:
            said = [description.text] if len(walks) == 1 else [walk.question.text for walk in walks]
            self._stand_in(
                description, [self._run(walk, text, "anchor") for walk, text in zip(walks, said, strict=True)]
            )
        if self.unresolved:
            self.is_final = self.is_final and (description.known or self._is_worded)
            self.unresolved = f"“{description.text}” stands for nothing: {self.unresolved}"

    def _left_out(self, description: Description) -> list[Step]:
        """What the conditions after *but not* find."""
        walks = [walk for part in description.parts if part.negative and (walk := self._walk(part))]
        return [self._run(walk, walk.question.text, "but") for walk in walks]

    def _any(self, description: Description, left_out: Sequence[Step]) -> list[Prepared]:
        """A walk for each condition; one that no relation answers to falls away beside another."""
        parts = [part for part in description.parts if not part.negative]
        walks = [walk for part in parts if (walk := self._walk(part, left_out))]
        self.unresolved = "" if walks else self.unresolved
        return walks

    def _all(self, description: Description, left_out: Sequence[Step]) -> list[Prepared]:
        """The walk that ends in what meets every condition; those before it are run, and hold its answers."""
        *others, last = [part for part in description.parts if not part.negative]
        held: list[Step] = []
        for part in others:
            walk = self._walk(part, held)
            if walk is None:
                return []
            held = [self._run(walk, part.text, "condition")]
            if not held[0].nodes:
                self.unresolved = _nothing(walk)
                return []
        walk = self._walk(last, [*held, *left_out])
        return [walk] if walk and not self.unresolved else []

    def _walk(self, part: Part, steps: Sequence[Step] = ()) -> Prepared | None:
        """One condition ready to run, its answers held to what `steps` found; None where no relation answers to it."""
        names = self._retriever.link(part.text, self.policy, (part.target,) if part.target else ())
        prepared = _read(self._retriever, part.text, self.policy, None, names)
        if prepared.analysis.policy.walk.operator != "meta_path":
            self.unresolved = prepared.analysis.unresolved or f"no relation answers to “{part.text}”"
            self._is_worded = False
            return None
        before = self._steps.get(part.target.name, ()) if part.target else ()
        held = [_ids(step.nodes) for step in steps if step.role == "condition"]
        question = replace(
            prepared.question,
            within=held[0] if held else None,
            without=tuple(node_id for step in steps if step.role == "but" for node_id in _ids(step.nodes)),
        )
        return replace(prepared, question=question, steps=(*before, *steps))

    def _run(self, walk: Prepared, text: str, role: str) -> Step:
        """Run a walk; what it found is cut to `described_limit` where the outer walk starts from it."""
        retrieval = self._retriever.run_one(walk, keep_pruned=True)
        is_nodes = retrieval.policy.refine.row_per != "value"
        found, limit = retrieval.answers if is_nodes else (), walk.analysis.policy.seed.described_limit
        if role == "anchor" and len(found) > limit:
            reason = f"“{text}” stands for {len(found)} nodes, the first {limit} are started from"
            self._corrections.append(Correction("described_limit", len(found), limit, reason))
        step = Step(text, role, found[:limit] if role == "anchor" else found, len(found), retrieval)
        self._tried = [*(one for one in self._tried if one not in walk.steps), step]
        if role == "anchor" and not found:
            self.unresolved = _nothing(walk)
        return step

    def _stand_in(self, description: Description, steps: Sequence[Step]) -> None:
        """Put the nodes that a description stands for in the place of the names in it."""
        nodes = tuple(dict.fromkeys(node_id for step in steps for node_id in _ids(step.nodes)))
        if not nodes:
            return
        self.unresolved = ""
        target = self._retriever.standing_for(_target(description), nodes)
        self._levels[target.name] = self._level(description)
        self._steps[target.name] = tuple(steps)
        around = [
            one for one in self._targets if one.char_end <= target.char_start or one.char_start >= target.char_end
        ]
        ordered = sorted([*around, target], key=lambda one: (one.char_start, one.group_id))
        targets = tuple(replace(one, group_id=number) for number, one in enumerate(ordered))
        self.names = replace(self.names, linked=replace(self.names.linked, targets=targets))


def _target(description: Description) -> Target:
    """A description as a name of the question, before its nodes are known."""
    start, end = description.char_start, description.char_end
    key = words.normalise(description.text)
    return Target(0, description.text, key, 1.0, (), (), start, end, why="described", origin="graph")


def judged(walk: Prepared, found: Sequence[Found]) -> Analysis:
    """The analysis of a walk that was run: answers held to what earlier steps found may be none at all."""
    if found or not walk.question.is_held or walk.analysis.unresolved:
        return walk.analysis
    return replace(walk.analysis, unresolved=_nothing(walk))


def _nothing(walk: Prepared) -> str:
    """Why a walk found nothing."""
    before = walk.question.within
    return f"“{walk.question.text}” finds {'nothing' if before is None else f'none of the {len(before)} found before'}"


def _ids(found: Sequence[Found]) -> tuple[int, ...]:
    return tuple(one.node_id for one in found)


def _time(step: Step) -> StageTime:
    """A step as a stage of the run that it is for: the nodes that it found, and its time with its own steps."""
    return StageTime("step", "described", step.found, sum(stage.milliseconds for stage in step.retrieval.stages))
