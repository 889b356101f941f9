"""What stands in a cell: one line of text that its row can hold, whatever a graph's names and values are made of."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping

ELLIPSIS = "…"
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of what follows; letters keep their own, a row keeps its order."""
_MARKS = ('"', "|", ";", "->", "<-", " -")
"""What parts cells, names and steps, and quotation marks themselves: in a row they stand around a cell alone."""


def line(text: str, limit: int | None = None) -> str:
    """`text` on one line, blanks run together, without control characters; at most `limit` characters."""
    kept = "".join(c if unicodedata.category(c) != "Cc" else " " for c in text if c not in _TURNING)
    joined = " ".join(kept.split())
    if limit is None or len(joined) <= limit:
        return joined
    return joined[: max(1, limit - 1)].rstrip() + ELLIPSIS


def cell(text: str, limit: int | None = None) -> str:
    """A `line` that stands in quotation marks where it holds what parts cells; `""` for a name of blanks alone."""
    plain = line(text, limit)
    if not plain or any(mark in plain for mark in _MARKS):
        return '"' + unquoted(plain) + '"'
    return plain


def unquoted(text: str) -> str:
    """`text` with single quotation marks in place of double ones."""
    return text.replace('"', "'")


def properties(text: str | None) -> dict[str, str]:
    """A JSON object's members that are not null or empty, as text; what is no object has none."""
    found = json.loads(text) if text else None
    if not isinstance(found, dict):
        return {}
    return {unquoted(line(name)): _value(value) for name, value in found.items() if value not in (None, "", [], {})}


def _value(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(_value(item) for item in value)
    return json.dumps(value, ensure_ascii=False)


def pairs(values: Mapping[str, str]) -> str:
    """Names with their values: `born: 1867; died: 1934`."""
    return "; ".join(f"{name}: {cell(value)}" for name, value in values.items())


def told_apart(nodes: Iterable[tuple[int, str, tuple[str, ...]]], limit: int) -> dict[int, str]:
    """Node id -> its name as a cell; where several nodes bear one name, with their kinds, or their ids."""
    known = {node_id: (name, kinds) for node_id, name, kinds in nodes}
    bearers: dict[str, list[int]] = {}
    for node_id, (name, _) in known.items():
        bearers.setdefault(line(name, limit), []).append(node_id)
    shown: dict[int, str] = {}
    for name, node_ids in bearers.items():
        kinds = {node_id: ", ".join(known[node_id][1]) for node_id in node_ids}
        by_kind = all(kinds.values()) and len(set(kinds.values())) == len(node_ids)
        for node_id in node_ids:
            mark = (
                ""
                if len(node_ids) == 1
                else f" ({unquoted(line(kinds[node_id]))})"
                if by_kind
                else f" (node {node_id})"
            )
            shown[node_id] = cell(name) + mark
    return shown
