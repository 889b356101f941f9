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
from mosaic_sql.pattern.rows import any_path, depth_of, is_entered_freely, is_short, transitions

__all__ = [
    "MAX_LENGTH",
    "MAX_STATES",
    "Automaton",
    "Transition",
    "any_path",
    "check",
    "dead_end",
    "depth_of",
    "format_path",
    "is_entered_freely",
    "is_short",
    "names",
    "parse",
    "quoted",
    "single_steps",
    "transitions",
]
