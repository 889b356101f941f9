"""The six signals of a question (table 2 of MOSAIC, arXiv 2609.11065) as data: one table, `SIGNALS`.

The rules (`cues`), the prompt and the JSON schema of a model (`prompts`) and docs/policies.md are all read from it: a
new signal, cue or control is an entry here and nothing else. Controls are named as in `policy`; the operator's defaults
and ranges come from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PerTarget:
    """A number that grows with the targets of a question: `each` for every one, held to `low`-`high`."""

    each: int
    low: int
    high: int

    def of(self, targets: int) -> int:
        """The number for so many targets."""
        return min(self.high, max(self.low, self.each * targets))

    def __str__(self) -> str:
        return f"{self.each} for each target, {self.low}-{self.high}"


Value = int | float | str | bool | PerTarget


@dataclass(frozen=True)
class Cue:
    """A wording that speaks for (or, with level 0, against) a signal, and what it sets.

    Attributes:
        name: unique in the table.
        words: the wording for people and models.
        pattern: the wording for the rules; English.
        moves: control -> value that the rules propose.
        level: 0 to 2, what the cue says of its signal; of several the highest counts.
        targets: the least and the most targets with which it holds.
        unless: a cue that takes its place.
        within: a cue that must hold too.
        also: further signals that it raises to the same level.
    """

    name: str
    words: str
    pattern: re.Pattern[str]
    moves: Mapping[str, Value]
    level: int = 2
    targets: tuple[int, int] = (0, 1_000)
    unless: str = ""
    within: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Signal:
    """Something a question may need of its evidence, 0 (not at all) to 2 (clearly).

    Attributes:
        name: the key in traces, prompts and replies.
        asks: the question that an analyzer answers.
        fails: what goes wrong under one fixed policy.
        cues: wordings that the rules know.
        may_move: controls that a model may move for it, beside those of the cues.
    """

    name: str
    asks: str
    fails: str
    cues: tuple[Cue, ...]
    may_move: tuple[str, ...] = ()

    @property
    def moves(self) -> tuple[str, ...]:
        """Every control that this signal may move, each once."""
        return tuple(dict.fromkeys([*(name for cue in self.cues for name in cue.moves), *self.may_move]))


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


SIGNALS: tuple[Signal, ...] = (
    Signal(
        "mediatedness",
        "Is the answer behind a concept that the question does not name?",
        "a weakly related go-between is pruned before the answer is reached",
        (
            Cue(
                "chain",
                "a chain such as “of the ... of”, a relative clause on something unnamed, through, via, leads to",
                _words(
                    r"\bof the \w+(?: \w+){0,3} of\b|\b(?:whose|through|via|indirectly|leads? to)\b|"
                    r"\b(?:the \w+ (?:who|that|which|where|in which)|"
                    r"(?:in|at|on) (?:the|which) \w+ (?:of|where|in which))\b"
                ),
                {
                    "max_depth": 4,
                    "use_connector": True,
                    "stop_regime": "deep",
                    "beam_width": 10,
                    "anchor_strength": 0.2,
                },
            ),
        ),
    ),
    Signal(
        "output_cardinality",
        "Does it want one value, or several items?",
        "only the best item is kept",
        (
            Cue(
                "list",
                "a list: list, types of, what are, which and a plural, a number of items",
                _words(
                    r"\b(list|name (?:all|the|three|some)|types? of|kinds? of|examples? of|what are|"
                    r"which (?:\w+ ){0,2}(?!(?:is|was|does|has)\b)\w+[^\Ws]s\b|"
                    r"two|three|four|five|several|all)\b"
                ),
                {"evidence_count": 14, "min_evidence": 6, "adaptive_final_evidence": True, "seed_limit": 10},
            ),
            Cue(
                "single",
                "one value: opens with who, when, where, how many, or asks for yes or no, of one target at most",
                _words(r"^\s*(who|when|where|how many|how much|is|are|was|were|did|does|do|has|have|in which year)\b"),
                {"max_depth": 2, "stop_regime": "shallow", "beam_width": 6, "evidence_count": 6},
                level=0,
                targets=(0, 1),
                unless="chain",
            ),
        ),
    ),
    Signal(
        "seed_coverage",
        "Must several targets or facets be started from, each on its own?",
        "all seeds crowd on the most salient target",
        (
            Cue(
                "compare",
                "two targets or more, and a comparison: both, between, versus, difference, older, first, or",
                _words(
                    r"\b(both|same|older|younger|first|earlier|later|more|less|larger|longer|higher|taller|bigger|"
                    r"smaller|shorter|greater|between|compar(?:e[ds]?|ing|isons?)|differ\w*|difference|common|"
                    r"share[ds]?|versus|vs\.?|either|neither)\b|\bor\b"
                ),
                {"seed_query_mode": "per_target", "seed_limit": PerTarget(3, 7, 12), "evidence_count": 12},
                targets=(2, 1_000),
            ),
            Cue(
                "connect",
                "a comparison that asks for what lies between: between, relation, connect, link, path",
                _words(r"\b(between|relat(?:e|ed|ion|ionship)s?|connect\w*|link\w*|path)\b"),
                {"use_connector": True},
                within="compare",
            ),
        ),
    ),
    Signal(
        "anchoring",
        "Must the search stay on one exact entity, grade or subtype?",
        "the walk drifts to a similar neighbour",
        (
            Cue(
                "exact",
                "an exact thing: words in quotation marks, a code, a stage, grade or type",
                re.compile(
                    r"[\"“][^\"”]{2,80}[\"”]|\b(?:stage|grade|type|class|code) [IVX\d]+\w*\b|\b[A-Z]{2,}-?\d+\w*\b"
                ),
                {"anchor_strength": 0.6, "selection_mode": "hybrid"},
            ),
        ),
    ),
    Signal(
        "identity_relation",
        "Does the exact name of a thing, or the meaning of a relation, decide?",
        "a plausible path holds the wrong entity",
        (
            Cue(
                "identity",
                "the name decides: same name, alias, also known as, identifier",
                _words(r"\b(same name|alias|also known as|also called|named|identifier|id)\b"),
                {"selection_mode": "hybrid"},
                level=1,
            ),
        ),
    ),
    Signal(
        "completeness",
        "Is one strong fact enough, or must the evidence be complete?",
        "a fixed depth ends too early, or runs on after nothing new comes",
        (
            Cue(
                "overview",
                "an overview: summarise, explain, describe, history of, role of",
                _words(
                    r"\b(summari[sz]e|summary|overview|explain|describe|outline|history of|role of|"
                    r"how did .{3,80} develop)\b"
                ),
                {
                    "max_depth": 3,
                    "stop_regime": "medium",
                    "evidence_count": 16,
                    "min_evidence": 6,
                    "adaptive_final_evidence": True,
                },
                also=("output_cardinality",),
            ),
        ),
    ),
)


def controls(table: Sequence[Signal] = SIGNALS) -> tuple[str, ...]:
    """Every control that an analyzer may move, each once, in the order of the table."""
    return tuple(dict.fromkeys(name for signal in table for name in signal.moves))


def rows(table: Sequence[Signal] = SIGNALS) -> list[tuple[str, str, str, str]]:
    """The table for a page: signal, what the analyzer asks, cue, controls with their values; a row for each cue."""
    told: list[tuple[str, str, str, str]] = []
    for signal in table:
        own = [
            (cue.words, ", ".join(f"`{name}` {_shown(value)}" for name, value in cue.moves.items()))
            for cue in signal.cues
        ]
        more = [name for name in signal.may_move if not any(name in cue.moves for cue in signal.cues)]
        own += [("as a model finds", ", ".join(f"`{name}`" for name in more))] if more else []
        for place, (words, moved) in enumerate(own):
            told.append((f"`{signal.name}`", signal.asks, words, moved) if place == 0 else ("", "", words, moved))
    return told


def _shown(value: Value) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"
