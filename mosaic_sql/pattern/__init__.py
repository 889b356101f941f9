"""Path patterns: text to automaton, automaton held against a graph; see `parsing` for the grammar."""

from __future__ import annotations

from mosaic_sql.pattern.checking import check, dead_end, names
from mosaic_sql.pattern.parsing import (
    MAX_LENGTH,
    MAX_STATES,
    Automaton,
    Transition,
    format_path,
    parse,
    quoted,
    single_steps,
)

__all__ = [
    "MAX_LENGTH",
    "MAX_STATES",
    "Automaton",
    "Transition",
    "check",
    "dead_end",
    "format_path",
    "names",
    "parse",
    "quoted",
    "single_steps",
]
