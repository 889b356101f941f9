"""What a model is told and held to when it reads a question: the messages and the JSON schema, from the table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from mosaic_sql.analyze.schema import inferred_kinds
from mosaic_sql.analyze.signals import SIGNALS, Signal, controls
from mosaic_sql.policy import PART_OF, Policy, analyzer_ranges, default_policy
from mosaic_sql.records import Catalogue, Target

LIST_LIMIT = 5
"""Targets, and facets, of one question."""
QUESTION_LENGTH = 4_000
"""Characters of a question that a model is shown."""
SHAPES = {
    "s**": "bfs",
    "sp*": "meta_path",
    "s*o": "shortest_path",
    "spo": "constrained_shortest_path",
    "*p*": "relation_scan",
}
"""The shapes of a graph question (arXiv 2504.02112) and the operator that walks each."""
PATTERN_LIMIT = 3
"""Patterns of one question."""
RELATION_LIMIT = 200
"""Relations with their kinds that a model is told of a graph."""
NAME_LIMIT = 40
"""Kinds, and relations, that a model is told of a graph."""


def messages(
    question: str, operator: str, catalogue: Catalogue, table: Sequence[Signal] = SIGNALS
) -> list[dict[str, str]]:
    """The conversation that asks for the policy of a question: nothing of the corpus but names of its schema."""
    told = Template(_text("analyzer.txt")).substitute(
        signals="\n".join(_signal(signal) for signal in table),
        controls="\n".join(_control(name, operator) for name in controls(table)),
        limit=LIST_LIMIT,
        schema_words=_schema_words(catalogue),
    )
    return [{"role": "system", "content": told}, {"role": "user", "content": _fenced(question)}]


def graph_messages(question: str, anchors: Sequence[Target], catalogue: Catalogue) -> list[dict[str, str]]:
    """The conversation that asks for shape, anchors and patterns: the schema, and the names linked in the question."""
    told = Template(_text("graph.txt")).substitute(
        relations="\n".join(_relations(catalogue)),
        anchors="\n".join(_anchor(anchor) for anchor in anchors) or "- none",
        limit=PATTERN_LIMIT,
    )
    return [{"role": "system", "content": told}, {"role": "user", "content": _fenced(question)}]


def graph_schema() -> dict[str, Any]:
    """The JSON schema of a reply to `graph_messages`."""
    texts = {"type": "array", "items": {"type": "string"}}
    return _closed(
        {
            "shape": {"type": "string", "enum": list(SHAPES)},
            "anchors": {**texts, "maxItems": 2},
            "patterns": {**texts, "maxItems": PATTERN_LIMIT},
        }
    )


def _fenced(question: str) -> str:
    fenced = re.sub(r"<(?=\s*/?\s*question)", "‹", question[:QUESTION_LENGTH], flags=re.IGNORECASE)
    return f"<question>{fenced}</question>"


def _relations(catalogue: Catalogue) -> list[str]:
    """A line per relation and kinds, most edges first; where kinds were inferred they say no more than relations."""
    inferred = inferred_kinds(catalogue)
    edges: dict[str, int] = {}
    for source, relation, target, count in catalogue.schema_paths:
        own = (source not in inferred or source == f"has {relation}") and (target not in inferred or target == relation)
        ends = [" " if kind in inferred or not kind else f" [{_one_line(kind)}] " for kind in (source, target)]
        if own:
            line = f"-{ends[0]}{_one_line(relation)}{ends[1]}".rstrip()
            edges[line] = edges.get(line, 0) + count
    return [f"{line}: {count:,}" for line, count in list(edges.items())[:RELATION_LIMIT]]


def _anchor(anchor: Target) -> str:
    kinds = ", ".join(map(_one_line, anchor.kinds[:NAME_LIMIT])) or "kind unknown"
    steps = ", ".join(("" if forward else "^") + _one_line(relation) for relation, forward in anchor.steps[:NAME_LIMIT])
    return f"- {_one_line(anchor.name)}: {kinds}; its relations: {steps or 'none'}"


def schema(operator: str, table: Sequence[Signal] = SIGNALS) -> dict[str, Any]:
    """The JSON schema of a reply: every key required, none beside them, numbers within an analyzer's ranges."""
    texts = {"type": "array", "items": {"type": "string"}, "maxItems": LIST_LIMIT}
    return _closed(
        {
            "signals": _closed({signal.name: {"type": "integer", "enum": [0, 1, 2]} for signal in table}),
            "targets": texts,
            "facets": texts,
            **{name: control_schema(name, operator) for name in controls(table)},
            "risk": {"type": "string"},
            "rationale": {"type": "string"},
        }
    )


def control_schema(name: str, operator: str) -> dict[str, Any]:
    """What a control may be, as JSON schema: its type and choices, and the range that an analyzer is held to."""
    field = _fields()[name]
    kept = {key: value for key, value in field.items() if key in ("type", "enum", "minimum", "maximum")}
    if name in analyzer_ranges(operator):
        kept["minimum"], kept["maximum"] = analyzer_ranges(operator)[name]
    return kept


def _closed(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


@cache
def _fields() -> dict[str, dict[str, Any]]:
    """Control -> its field in the policy's own JSON schema."""
    whole = Policy.model_json_schema()
    parts = {part: whole["$defs"][model["$ref"].rsplit("/", 1)[1]] for part, model in whole["properties"].items()}
    return {name: parts[part]["properties"][name] for name, part in PART_OF.items()}


@cache
def _text(name: str) -> str:
    return (files("mosaic_sql.analyze") / "prompts" / name).read_text(encoding="utf-8")


def _signal(signal: Signal) -> str:
    lines = [f"- {signal.name}: {signal.asks} May move {', '.join(signal.moves)}."]
    for cue in signal.cues:
        moved = ", ".join(f"{name} {str(value).lower()}" for name, value in cue.moves.items())
        lines.append(f"  {cue.words}: {moved}")
    return "\n".join(lines)


def _control(name: str, operator: str) -> str:
    allowed = control_schema(name, operator)
    default = getattr(getattr(default_policy(operator), PART_OF[name]), name)
    if "enum" in allowed:
        choice = " | ".join(allowed["enum"])
    elif allowed["type"] == "boolean":
        choice = "true | false"
    else:
        choice = f"{allowed.get('minimum', '')}-{allowed.get('maximum', '')}"
    return f"- {name}: {choice}, default {str(default).lower()}: {_fields()[name].get('description', name)}"


def _schema_words(catalogue: Catalogue) -> str:
    """The names of a graph's kinds and relations, the first NAME_LIMIT of each; empty for a text alone."""
    relations = list(dict.fromkeys(relation for _, relation, _, _ in catalogue.schema_paths))[:NAME_LIMIT]
    if not relations:
        return ""
    told = f"Relations of the graph: {', '.join(map(_one_line, relations))}."
    kinds = ", ".join(map(_one_line, catalogue.kinds[:NAME_LIMIT]))
    return f"{told} Kinds of its nodes: {kinds}.\n" if kinds else f"{told}\n"


def _one_line(name: str) -> str:
    return " ".join(name.split())[:60]
