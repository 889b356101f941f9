"""Cues in a question's wording and the controls they move: the rule analyzer, no model.

Six signals (table 2 of MOSAIC), each 0 to 2: they are kept for the trace and move controls, never choose another
retriever. Budgets merge by their maximum, booleans by OR, the deepest stop regime wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mosaic_sql.records import Target

SIGNALS = ("mediatedness", "output_cardinality", "seed_coverage", "anchoring", "identity_relation", "completeness")

_COMPARE = re.compile(
    r"\b(both|same|older|younger|first|earlier|later|more|less|larger|longer|higher|taller|bigger|smaller|shorter|"
    r"greater|between|compare[ds]?|differ\w*|difference|common|share[ds]?|versus|vs\.?|either|neither)\b|\bor\b",
    re.IGNORECASE,
)
_CONNECT = re.compile(r"\b(between|relat(?:e|ed|ion|ionship)s?|connect\w*|link\w*|path)\b", re.IGNORECASE)
_LIST = re.compile(
    r"\b(list|name (?:all|the|three|some)|types? of|kinds? of|examples? of|what are|"
    r"which (?:\w+ ){0,2}(?!(?:is|was|does|has)\b)\w+[^\Ws]s\b|"
    r"two|three|four|five|several|all)\b",
    re.IGNORECASE,
)
_SINGLE = re.compile(
    r"^\s*(who|when|where|how many|how much|is|are|was|were|did|does|do|has|have|in which year)\b", re.IGNORECASE
)
_CHAIN = re.compile(
    r"\bof the \w+(?: \w+){0,3} of\b|\b(?:whose|through|via|indirectly|leads? to)\b|"
    r"\b(?:the \w+ (?:who|that|which|where|in which)|(?:in|at|on) (?:the|which) \w+ (?:of|where|in which))\b",
    re.IGNORECASE,
)
_EXACT = re.compile(r"[\"“][^\"”]{2,80}[\"”]|\b(?:stage|grade|type|class|code) [IVX\d]+\w*\b|\b[A-Z]{2,}-?\d+\w*\b")
_IDENTITY = re.compile(r"\b(same name|alias|also known as|also called|named|identifier|id)\b", re.IGNORECASE)
_OVERVIEW = re.compile(
    r"\b(summari[sz]e|summary|overview|explain|describe|outline|history of|role of|how did .{3,80} develop)\b",
    re.IGNORECASE,
)
_REGIMES = ("shallow", "medium", "deep")


def read(question: str, targets: Sequence[Target]) -> tuple[dict[str, int], dict[str, Any]]:
    """The six signals and the proposed controls of a question (B2 of the specification)."""
    signals = dict.fromkeys(SIGNALS, 0)
    proposal: dict[str, Any] = {}
    strong = [target for target in targets if target.weight >= 0.3]
    compares = len(strong) >= 2 and bool(_COMPARE.search(question))
    if compares:
        signals["seed_coverage"] = 2
        _merge(proposal, seed_query_mode="per_target", seed_limit=min(12, max(7, 3 * len(strong))), evidence_count=12)
        if _CONNECT.search(question):
            _merge(proposal, use_connector=True)
    if _LIST.search(question) and not compares:
        signals["output_cardinality"] = 2
        _merge(proposal, evidence_count=14, min_evidence=6, adaptive_final_evidence=True, seed_limit=10)
    if _CHAIN.search(question):
        signals["mediatedness"] = 2
        _merge(proposal, max_depth=4, use_connector=True, stop_regime="deep", beam_width=10, anchor_strength=0.2)
    elif _SINGLE.search(question) and len(strong) <= 1:
        _merge(proposal, max_depth=2, stop_regime="shallow", beam_width=6, evidence_count=6)
    if _EXACT.search(question):
        signals["anchoring"] = 2
        _merge(proposal, anchor_strength=0.6, selection_mode="hybrid")
    if _IDENTITY.search(question):
        signals["identity_relation"] = 1
        _merge(proposal, selection_mode="hybrid")
    if _OVERVIEW.search(question):
        signals["completeness"] = signals["output_cardinality"] = 2
        _merge(
            proposal, max_depth=3, stop_regime="medium", evidence_count=16, min_evidence=6, adaptive_final_evidence=True
        )
    return signals, _checked(proposal, signals, strong)


def _merge(proposal: dict[str, Any], **controls: Any) -> None:
    for name, value in controls.items():
        old = proposal.get(name)
        if old is None or (isinstance(value, str) and name != "stop_regime"):
            proposal[name] = value
        elif name == "stop_regime":
            proposal[name] = max(old, value, key=_REGIMES.index)
        else:
            proposal[name] = max(old, value)


def _checked(proposal: dict[str, Any], signals: Mapping[str, int], targets: Sequence[Target]) -> dict[str, Any]:
    """Cross-field checks of B1."""
    if proposal.get("seed_query_mode") == "per_target" and len(targets) < 2:
        proposal.pop("seed_query_mode")
    if len(targets) > 1:
        proposal["seed_limit"] = max(proposal.get("seed_limit", 0), min(15, 2 * len(targets)), 7)
    if signals["mediatedness"] and signals["anchoring"]:
        proposal["anchor_strength"] = min(proposal.get("anchor_strength", 0.0), 0.3)
    return proposal


def for_chunk_hop(proposal: Mapping[str, Any]) -> dict[str, Any]:
    """What of a proposal holds for the chunk walk: cues raise its evidence, not depth, width or seeds (measured)."""
    kept = ("evidence_count", "min_evidence", "adaptive_final_evidence", "use_connector", "seed_query_mode")
    chosen = {name: value for name, value in proposal.items() if name in kept}
    if "evidence_count" in chosen:
        chosen["evidence_count"] = max(10, chosen["evidence_count"])
    return chosen


def asks_relation(question: str) -> bool:
    """Whether a question asks how things hang together, without naming the relation."""
    return bool(_CONNECT.search(question))


def asks_verdict(question: str) -> bool:
    """Whether a question wants yes or no."""
    return bool(re.match(r"\s*(is|are|was|were|did|does|do|has|have|had|can|could)\b", question, re.IGNORECASE))
