"""What a model is told and held to when it reads a question: the messages and the JSON schema, from the table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from mosaic_sql.analyze.signals import SIGNALS, Signal, controls
from mosaic_sql.policy import PART_OF, Policy, analyzer_ranges, default_policy
from mosaic_sql.records import Catalogue

LIST_LIMIT = 5
"""Targets, and facets, of one question."""
QUESTION_LENGTH = 4_000
"""Characters of a question that a model is shown."""
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
    fenced = re.sub(r"<(?=\s*/?\s*question)", "‹", question[:QUESTION_LENGTH], flags=re.IGNORECASE)
    return [{"role": "system", "content": told}, {"role": "user", "content": f"<question>{fenced}</question>"}]


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
