"""A graph question read by a chat model: shape, anchors and patterns, each held against the schema.

What a model writes is data. A pattern is parsed and checked; an unknown relation or an impossible chain of kinds goes
back once with the reason and the nearest names. Where that helps nothing, the rules decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import prompting
from mosaic_sql.analyze.prompting import SHAPES
from mosaic_sql.analyze.reading import Asked, ask, once_more
from mosaic_sql.analyze.schema import SchemaGraph, schema_graph
from mosaic_sql.errors import ModelOutputError, PolicyError
from mosaic_sql.models import ChatModel
from mosaic_sql.pattern import Automaton, Transition
from mosaic_sql.records import Catalogue, ModelCall, Target

_ANCHORS = {"s**": 1, "sp*": 1, "s*o": 2, "spo": 2, "*p*": 0}
_WITH_PATTERN = frozenset(("sp*", "spo", "*p*"))


@dataclass(frozen=True)
class Plan:
    """What a model made of a graph question: its shape, the anchors in order, the patterns that hold, best first."""

    shape: str
    anchors: tuple[Target, ...]
    patterns: tuple[str, ...]

    @property
    def operator(self) -> str:
        """The operator that walks the shape."""
        return SHAPES[self.shape]


def by_model(
    question: str, names: Sequence[Target], catalogue: Catalogue, model: ChatModel
) -> tuple[Plan | str, tuple[ModelCall, ...]]:
    """The plan of a model, and every call; the reason where neither its reply nor its correction is of use.

    Never raises `ModelUnavailable` or `ModelOutputError`; the reason holds them as text.
    """
    asked = Asked(question, "graph", model)
    messages = prompting.graph_messages(question, names, catalogue)
    shape = prompting.graph_schema()
    for _ in range(2):
        said, goes_on = ask(asked, messages, shape)
        if said is not None:
            try:
                return _plan(said, names, catalogue), tuple(asked.calls)
            except ModelOutputError as error:
                asked.problem = str(error)
                asked.calls[-1] = replace(asked.calls[-1], error=asked.problem)
        elif not goes_on:
            break
        messages = [*messages, *once_more(asked.calls[-1])]
    return asked.problem, tuple(asked.calls)


def _plan(said: Mapping[str, Any], names: Sequence[Target], catalogue: Catalogue) -> Plan:
    shape = said.get("shape")
    if shape not in SHAPES:
        raise ModelOutputError(f"shape is {shape!r}; one of {', '.join(SHAPES)}")
    anchors = _anchors(said.get("anchors"), names, _ANCHORS[shape])
    if shape not in _WITH_PATTERN:
        return Plan(shape, anchors, ())
    return Plan(shape, anchors, _patterns(said.get("patterns"), anchors, catalogue, single=shape == "*p*"))


def _anchors(said: Any, names: Sequence[Target], wanted: int) -> tuple[Target, ...]:
    """The linked names that a reply lists, the first `wanted`; a list of none means those of the question."""
    keys = [words.normalise(name) for name in said if isinstance(name, str)] if isinstance(said, list) else []
    found: dict[int, Target] = {}
    for key in keys:
        for name in names:
            if key in (name.alias_key, words.normalise(name.name), *map(words.normalise, name.node_names)):
                found.setdefault(name.group_id, name)
    anchors = tuple(found.values()) or tuple(names)
    if len(anchors) < wanted:
        known = ", ".join(name.name for name in names) or "none"
        raise ModelOutputError(f"this shape needs {words.counted(wanted, 'anchor')}, of: {known}")
    return anchors[:wanted]


def _patterns(said: Any, anchors: Sequence[Target], catalogue: Catalogue, *, single: bool) -> tuple[str, ...]:
    """The patterns that can be walked; where none can, what is wrong with the first."""
    texts = [text for text in said if isinstance(text, str) and text.strip()] if isinstance(said, list) else []
    problems: list[str] = []
    held: list[str] = []
    for text in texts[: prompting.PATTERN_LIMIT]:
        try:
            _hold(text, anchors, catalogue, single=single)
            held.append(" ".join(text.split()))
        except PolicyError as error:
            problems.append(str(error))
    if not held:
        raise ModelOutputError(problems[0] if problems else "this shape needs a pattern, and there is none")
    return tuple(held)


def _hold(text: str, anchors: Sequence[Target], catalogue: Catalogue, *, single: bool) -> None:
    automaton = patterns.parse(text)
    relations = {relation for _, relation, _, _ in catalogue.schema_paths}
    patterns.check(automaton, relations=relations, kinds=catalogue.kinds)
    if single and automaton.max_length != 1:
        raise PolicyError(f"pattern: one step for *p*, not {text}")
    graph = schema_graph(catalogue)
    starts = frozenset(anchors[0].kinds or ("",)) if anchors else frozenset(graph.steps)
    ends = frozenset(anchors[1].kinds or ("",)) if len(anchors) > 1 else None
    steps = frozenset(anchors[0].steps) if anchors else frozenset[tuple[str, bool]]()
    reached = _reached(automaton, graph, starts, steps)
    if not reached or (ends is not None and not reached & ends):
        named = f" from {anchors[0].name}" if anchors else ""
        to = f" to {anchors[1].name}" if ends is not None else ""
        able = sorted({_step(step.relation, step.forward) for kind in starts for step, _ in graph.steps.get(kind, ())})
        first = sorted(_step(*step) for step in steps) or able
        raise PolicyError(f"pattern: no such path{named}{to}: {text}; first steps there are {', '.join(first[:12])}")


def _step(relation: str, forward: bool) -> str:
    return patterns.format_path([(relation, forward)])


def _reached(
    automaton: Automaton, graph: SchemaGraph, starts: frozenset[str], first: frozenset[tuple[str, bool]]
) -> frozenset[str]:
    """The kinds that an automaton may end in, walked over the schema; `first` are the steps that the anchor has."""
    states = {(0, kind) for kind in starts}
    seen = set(states)
    found: set[str] = set()
    begun = False
    while states:
        following: set[tuple[int, str]] = set()
        for state, kind in states:
            for transition in automaton.transitions:
                if transition.state != state:
                    continue
                for step, _ in graph.steps.get(kind, ()):
                    if not begun and first and (step.relation, step.forward) not in first:
                        continue
                    turned = step.inverse and _takes(transition, step.inverse, not step.forward, step.kind)
                    if turned or _takes(transition, step.relation, step.forward, step.kind):
                        following.add((transition.next_state, step.kind))
        found |= {kind for state, kind in following if state in automaton.accepting}
        states, begun = following - seen, True
        seen |= states
    return frozenset(found)


def _takes(transition: Transition, relation: str, forward: bool, kind: str) -> bool:
    return (
        transition.relation in (None, relation)
        and transition.forward in (None, forward)
        and transition.kind in (None, kind)
    )
