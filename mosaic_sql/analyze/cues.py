"""Cues in a question's wording and the controls they move: the rule analyzer, no model.

What the cues are stands in `signals`. Signals are kept for the trace and move controls; they never choose another
retriever. Budgets merge by their maximum, booleans by OR, the deepest stop regime wins (B2 of the specification).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.analyze.signals import SIGNALS, Cue, PerTarget, Signal
from mosaic_sql.policy import default_policy
from mosaic_sql.records import Target

FACET_LIMIT = 5
"""Facets of one question."""
FACET_WORDS = 6
"""Words of one facet."""

_CLOSED = re.compile(
    r"\s*(?:is|are|was|were|did|does|do|has|have|had|can|could|would|will)\b(?!\s+(?:you|i|we)\b)", re.IGNORECASE
)
"""What opens a question for yes or no; but not `can you tell me who …`."""
_REGIMES = ("shallow", "medium", "deep")
_CONNECT = next(cue.pattern for signal in SIGNALS for cue in signal.cues if cue.name == "connect")
_TOGETHER = re.compile(
    r"\b(?:hang|belong|go|fit)(?:s|es)? together\b|\b(?:ha(?:ve|s|d)|got) to do with\b", re.IGNORECASE
)
"""Other words for it; none of them names a relation, though one may be called so (bought together)."""
_NOT_OF_CHUNK_HOP = frozenset(
    ("max_depth", "beam_width", "seed_limit", "stop_regime", "anchor_strength", "selection_mode")
)
# Words that end a facet: they ask, help a verb, join or compare.
_BREAKS = frozenset(
    "who whom whose what which when where how why is are was were be been being am do does did has have had can could "
    "will would shall should may might must and or nor but than as to from by with between both either neither that "
    "this these those it its he she they his her their them if not no name list give tell me please many much".split()
)


def read(
    question: str, targets: Sequence[Target], table: Sequence[Signal] = SIGNALS
) -> tuple[dict[str, int], dict[str, Any]]:
    """The signals (0-2) and the proposed controls of a question; `table` says what the cues are."""
    strong = sum(target.is_meant for target in targets)
    known = {cue.name: cue for signal in table for cue in signal.cues}
    matched = {
        name
        for name, cue in known.items()
        if cue.targets[0] <= strong <= cue.targets[1] and cue.pattern.search(question)
    }
    holding = {name for name in matched if known[name].unless not in matched and _within(known[name], matched)}
    signals = dict.fromkeys((signal.name for signal in table), 0)
    proposal: dict[str, Any] = {}
    for signal in table:
        for cue in signal.cues:
            if cue.name in holding:
                for name in (signal.name, *cue.also):
                    signals[name] = max(signals[name], cue.level)
                _merge(proposal, cue, strong)
    return signals, {**proposal, **checked(_over_defaults(proposal), signals, strong)}


def _within(cue: Cue, matched: set[str]) -> bool:
    return not cue.within or cue.within in matched


def _merge(proposal: dict[str, Any], cue: Cue, targets: int) -> None:
    for name, given in cue.moves.items():
        value = given.of(targets) if isinstance(given, PerTarget) else given
        old = proposal.get(name)
        if old is None or (isinstance(value, str) and name != "stop_regime"):
            proposal[name] = value
        elif name == "stop_regime":
            proposal[name] = max(old, value, key=_REGIMES.index)
        else:
            proposal[name] = max(old, value)


def _over_defaults(proposal: Mapping[str, Any]) -> dict[str, Any]:
    policy = default_policy("beam")
    return {**policy.seed.model_dump(), **policy.walk.model_dump(), **policy.evidence.model_dump(), **proposal}


def checked(values: Mapping[str, Any], signals: Mapping[str, int], targets: int) -> dict[str, Any]:
    """What the cross-field checks (B1 of the specification) change in valid controls.

    Args:
        values: every control, proposed or default, each valid on its own.
        signals: the signals, 0-2.
        targets: how many targets the question has.
    """
    changed: dict[str, Any] = {}
    if values["seed_query_mode"] == "per_target" and targets < 2:
        changed["seed_query_mode"] = "full_query"
    if targets > 1 and values["operator"] != "chunk_hop":  # whose anchors are beside its seeds
        changed["seed_limit"] = max(values["seed_limit"], min(15, 2 * targets))
    if values["use_connector"] and max(targets, changed.get("seed_limit", values["seed_limit"])) < 2:
        changed["use_connector"] = False
    if signals.get("mediatedness") and signals.get("anchoring"):
        changed["anchor_strength"] = min(values["anchor_strength"], 0.3)
    changed["min_evidence"] = min(values["min_evidence"], values["evidence_count"])
    return {name: value for name, value in changed.items() if value != values[name]}


def for_chunk_hop(proposal: Mapping[str, Any]) -> dict[str, Any]:
    """What of a proposal holds for the chunk walk: cues raise its evidence, not depth, width or seeds (measured)."""
    chosen = {name: value for name, value in proposal.items() if name not in _NOT_OF_CHUNK_HOP}
    if "evidence_count" in chosen:
        chosen["evidence_count"] = max(10, chosen["evidence_count"])
    return chosen


def facets(question: str, targets: Sequence[Target]) -> tuple[str, ...]:
    """What a question asks of its targets: up to FACET_LIMIT runs of words around their names, as they stand in it.

    A run ends at a name, at a mark, at a word that asks, joins or helps a verb, and at “of the”; it holds a content
    word and begins and ends with one.
    """
    tokens = words.tokens(question)
    runs: list[list[words.Token]] = [[]]
    for place, token in enumerate(tokens):
        named = any(target.char_start <= token.start < target.char_end for target in targets)
        if place and re.search(r"[^\s'’-]", question[tokens[place - 1].end : token.start]):
            runs.append([])
        if named or token.form in _BREAKS or (token.form in ("the", "a", "an") and runs[-1]):
            runs.append([])
        if not named and token.form not in _BREAKS:
            runs[-1].append(token)
    found: dict[str, str] = {}
    for run in map(_trimmed, runs):
        if run:
            told = " ".join(question[run[0].start : run[-1].end].split())
            found.setdefault(words.normalise(told), told)
    return tuple(found.values())[:FACET_LIMIT]


def _trimmed(run: Sequence[words.Token]) -> Sequence[words.Token]:
    """A run without the small words at its ends, and without what is too long for a facet."""
    content = [place for place, token in enumerate(run) if token.form not in words.STOP_WORDS]
    if not content:
        return ()
    cut = run[content[0] : content[-1] + 1][:FACET_WORDS]
    return cut[: max(place for place, token in enumerate(cut) if token.form not in words.STOP_WORDS) + 1]


def asks_relation(question: str) -> bool:
    """Whether a question asks how things hang together, without naming the relation."""
    return bool(_CONNECT.search(question) or _TOGETHER.search(question))


def asks_verdict(question: str) -> bool:
    """Whether a question wants yes or no."""
    return bool(_CLOSED.match(question))
