"""The policy of one question: where to start, how far and wide to walk, when to stop, what to keep.

Controls carry the names of table 3 of MOSAIC (arXiv 2609.11065). Defaults and the ranges that an *analyzer* is held to
belong to the operator; a person may set any positive value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator

from mosaic_sql.errors import PolicyError

Operator = Literal[
    "chunk_hop", "beam", "bfs", "meta_path", "shortest_path", "constrained_shortest_path", "relation_scan"
]
OPERATORS: tuple[str, ...] = get_args(Operator)
NAMED_POLICIES = ("default", "mosaic", "narrow", "medium", "wide")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth_for_a_number(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, bool) and cls.model_fields[info.field_name or ""].annotation in (int, float):
            raise ValueError("expected a number")
        return value


class SeedPolicy(_Part):
    """Where the walk starts."""

    anchors: tuple[str | int, ...] = Field(
        (),
        description="nodes to start from, in order, in place of those found in the question: a name, a name with its "
        "kind or id in brackets (`Mercury [planet]`, `Mercury [#17]`), or an id",
    )
    seed_limit: int = Field(7, ge=1, le=1000, description="seeds after de-duplication; anchors of chunk_hop are extra")
    seed_query_mode: Literal["full_query", "compact_keywords", "per_target"] = Field(
        "full_query", description="text that searches the seed indexes"
    )
    selection_mode: Literal["relation_only", "hybrid"] = Field(
        "relation_only", description="share of entity and relation index (eq. 6, 7)"
    )
    bm25_share: float = Field(0.2, ge=0, le=1, description="share of BM25 beside the cosine in a chunk's seed score")
    title_boost: float = Field(0.2, ge=0, le=2, description="added for a chunk whose title the question names")
    anchor_threshold: float = Field(0.3, ge=0, le=1, description="weight from which a named title is an anchor")
    seed_exponent: float = Field(3.0, ge=0, le=10, description="power of the relative seed score as source weight")


class Weights(_Part):
    """Weights of the nine path features (eq. 8)."""

    relation_similarity: float = 0.45
    target_relevance: float = 0.15
    specificity: float = 0.15
    anchor_consistency: float = 0.10
    transition_alignment: float = 0.15
    coherence: float = 0.05
    hub_exposure: float = 0.20
    repetition: float = 1.0
    question_like: float = 1.0


class WalkPolicy(_Part):
    """How far and how wide to walk, and when to stop."""

    operator: Operator = Field("chunk_hop", description="the walk's SQL")
    max_depth: int = Field(3, ge=1, le=20, description="hard cap on depth, in hops")
    beam_width: int = Field(8, ge=1, le=10_000, description="paths kept per depth; chunk_hop: body links kept per node")
    beam_scope: Literal["pool", "seed"] = Field("pool", description="one pool per depth, or one per seed")
    anchor_strength: float = Field(0.0, ge=0, le=1, description="target focus and hub suppression, from 0.4 on")
    use_connector: bool = Field(False, description="also search paths that join regions of different targets")
    stop_regime: Literal["shallow", "medium", "deep"] = Field("shallow", description="low-gain stop: 5.00, 0.35, 0.24")
    completeness_floor: float = Field(0.35, ge=0, le=1, description="completeness from which a low gain may stop")
    pattern: str | None = Field(
        None, description="path pattern for meta_path, constrained_shortest_path and, of one step, relation_scan"
    )
    path_limit: int = Field(10, ge=1, le=10_000, description="shortest paths returned")
    connector_fan: int = Field(32, ge=1, le=10_000, description="neighbours of a node that a connector's half looks at")
    fan_out: int = Field(1000, ge=1, le=10_000_000, description="neighbours of one node that are looked at")
    row_budget: int = Field(
        200_000, ge=1, le=100_000_000, description="paths carried per depth by bfs and patterns; beyond, cut and told"
    )
    body_weight: float = Field(0.5, ge=0, le=1, description="tau of a link that is no title link")
    cue_weight: float = Field(0.3, ge=0, le=1, description="share of question words beside the mention (ctx)")
    residual_weight: float = Field(0.3, ge=0, le=1, description="share of question words new in the next chunk (res)")
    decay: float = Field(0.7, ge=0, le=1, description="factor on the previous weight from the second hop on")
    weights: Weights = Weights()


class EvidencePolicy(_Part):
    """What is kept of the walk."""

    evidence_count: int = Field(8, ge=1, le=1000, description="cap on units of evidence")
    min_evidence: int = Field(3, ge=1, le=1000, description="floor: best excluded units come back up to it")
    adaptive_final_evidence: bool = Field(False, description="reserve places for complementary roles")
    candidate_limit: int = Field(10, ge=1, le=1000, description="paths that enter the filter")
    core_paths: int = Field(4, ge=0, le=1000, description="best units kept before roles are filled")
    chunk_units: bool = Field(True, description="chunks found by words and vectors compete with those on paths (beam)")
    link_gain: float = Field(0.8, ge=0, le=5, description="weight of the best link into a chunk")
    back_gain: float = Field(0.3, ge=0, le=5, description="weight of the best link out of a chunk")
    anchor_reserve: int = Field(3, ge=0, le=100, description="named targets whose best chunk comes first")
    ranking_limit: int = Field(100, ge=1, le=100_000, description="length of the full ranking, before the cap")


class ContextPolicy(_Part):
    """What the answer reads."""

    window_chars: int = Field(1600, ge=100, le=1_000_000, description="characters of a window")
    window_stride: int = Field(800, ge=50, le=1_000_000, description="characters between window starts")
    window_ranking: Literal["evidence", "cosine"] = Field(
        "evidence", description="order of windows: their unit's rank, or the cosine of window and question"
    )
    drop_duplicates: bool = Field(False, description="a window that says the very same as an earlier one is dropped")
    passage_limit: int = Field(15, ge=1, le=1000, description="numbered passages")
    context_chars: int = Field(24_000, ge=100, le=10_000_000, description="characters of all passages together")
    min_support: float = Field(0.3, ge=0, le=1, description="no answer under this best cosine and under min_overlap")
    min_overlap: float = Field(0.5, ge=0, le=1, description="share of the question's words that the evidence must hold")


class Policy(_Part):
    """One question's policy; every field is validated, none is text that reaches SQL."""

    seed: SeedPolicy = SeedPolicy()
    walk: WalkPolicy = WalkPolicy()
    evidence: EvidencePolicy = EvidencePolicy()
    context: ContextPolicy = ContextPolicy()

    @model_validator(mode="after")
    def _consistent(self) -> Policy:
        if self.evidence.min_evidence > self.evidence.evidence_count:
            raise ValueError(
                f"min_evidence {self.evidence.min_evidence} is above evidence_count {self.evidence.evidence_count}"
            )
        if self.context.window_stride > self.context.window_chars:
            raise ValueError("window_stride above window_chars would leave text unread")
        return self

    @classmethod
    def parse(cls, data: Mapping[str, Any], *, base: Policy | None = None) -> Policy:
        """A policy from nested or flat data (`{"max_depth": 2}`), the rest from `base`.

        Raises:
            PolicyError: an unknown field, a wrong type or a value out of range; one line that names the field.
        """
        merged = (base or cls()).model_dump()
        for name, value in data.items():
            _place(merged, name, value)
        _settle(merged["evidence"], data)
        try:
            return cls.model_validate(merged)
        except ValidationError as error:
            raise PolicyError(_one_line(error)) from error


@dataclass(frozen=True)
class Correction:
    """A value that an analyzer proposed and what was used instead."""

    field: str
    proposed: Any
    used: Any
    reason: str


_PARTS: dict[str, type[_Part]] = {
    "seed": SeedPolicy,
    "walk": WalkPolicy,
    "evidence": EvidencePolicy,
    "context": ContextPolicy,
}
PART_OF: dict[str, str] = {name: part for part, model in _PARTS.items() for name in model.model_fields}
"""Control -> the part of the policy that holds it; every control's name is unique."""

# Per operator: the default where it differs from the field's own, and the range an analyzer is held to.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "beam": {"link_gain": 0.5, "window_ranking": "cosine", "drop_duplicates": True},
    "chunk_hop": {"seed_limit": 3, "max_depth": 1, "beam_width": 2, "evidence_count": 10},
    "bfs": {"max_depth": 1, "evidence_count": 50},
    "meta_path": {"max_depth": 10, "evidence_count": 200},
    "shortest_path": {"max_depth": 4, "evidence_count": 60},
    "constrained_shortest_path": {"max_depth": 8, "evidence_count": 60},
    "relation_scan": {"max_depth": 1, "evidence_count": 200, "row_budget": 10_000},
}
_PAPER_RANGES: dict[str, tuple[float, float]] = {
    "seed_limit": (1, 15),
    "max_depth": (2, 5),
    "beam_width": (4, 12),
    "anchor_strength": (0, 1),
    "evidence_count": (5, 18),
    "min_evidence": (1, 12),
}
_RANGES: dict[str, dict[str, tuple[float, float]]] = {
    "beam": _PAPER_RANGES,
    "chunk_hop": {**_PAPER_RANGES, "max_depth": (1, 3), "beam_width": (1, 16)},
    "bfs": {**_PAPER_RANGES, "max_depth": (1, 3), "evidence_count": (5, 500)},
    "meta_path": {**_PAPER_RANGES, "max_depth": (1, 10), "evidence_count": (5, 1000)},
    "shortest_path": {**_PAPER_RANGES, "max_depth": (1, 6), "evidence_count": (5, 200)},
    "constrained_shortest_path": {**_PAPER_RANGES, "max_depth": (1, 10), "evidence_count": (5, 200)},
    "relation_scan": {**_PAPER_RANGES, "max_depth": (1, 1), "evidence_count": (5, 1000)},
}
_CALLERS = frozenset({"operator", "anchors"})
"""Controls that no analyzer proposes."""
_NO_STOP = {"stop_regime": "deep", "completeness_floor": 1.0}
_FIXED: dict[str, dict[str, dict[str, Any]]] = {
    "beam": {  # the paper's fixed policies walk to their depth: only a deep stop with all covered ends them before
        "narrow": {
            "seed_limit": 3,
            "max_depth": 2,
            "beam_width": 4,
            "evidence_count": 3,
            "min_evidence": 1,
            **_NO_STOP,
        },
        "medium": {
            "seed_limit": 5,
            "max_depth": 4,
            "beam_width": 8,
            "evidence_count": 8,
            "min_evidence": 5,
            **_NO_STOP,
        },
        "wide": {
            "seed_limit": 10,
            "max_depth": 5,
            "beam_width": 16,
            "evidence_count": 15,
            "min_evidence": 12,
            **_NO_STOP,
        },
    },
    "chunk_hop": {
        "narrow": {"seed_limit": 3, "max_depth": 1, "beam_width": 2},
        "medium": {"seed_limit": 5, "max_depth": 2, "beam_width": 4},
        "wide": {"seed_limit": 10, "max_depth": 3, "beam_width": 8, "evidence_count": 15},
    },
}


def default_policy(operator: str) -> Policy:
    """The operator's defaults."""
    if operator not in OPERATORS:
        raise PolicyError(f"operator: unknown {operator!r}; one of {', '.join(OPERATORS)}")
    return Policy.parse({"operator": operator, **_DEFAULTS[operator]})


def named_policy(name: str, operator: str) -> Policy:
    """One of NAMED_POLICIES for `operator`; `mosaic` is always the paper's beam."""
    if name not in NAMED_POLICIES:
        raise PolicyError(f"policy: unknown {name!r}; one of {', '.join(NAMED_POLICIES)}, or a JSON file")
    if name == "mosaic":
        return default_policy("beam")
    base = default_policy(operator)
    if name == "default":
        return base
    fixed = _FIXED.get(operator, _FIXED["beam"])[name]
    if operator not in _FIXED:  # typed walks keep their own depth and evidence, the budget of seeds moves
        fixed = {"seed_limit": fixed["seed_limit"]}
    return Policy.parse(fixed, base=base)


def analyzer_ranges(operator: str) -> dict[str, tuple[float, float]]:
    """Control -> the least and the most that an analyzer may set for `operator`; others have their field's range."""
    return dict(_RANGES[operator])


def clamp(proposal: Mapping[str, Any], operator: str) -> tuple[Policy, tuple[Correction, ...]]:
    """An analyzer's proposal made valid: unknown and ill-typed values fall to the default, numbers into the range.

    Never raises for what a model may propose; every change is a Correction.
    """
    policy, corrections = default_policy(operator), list[Correction]()
    for name, value in sorted(proposal.items(), key=lambda item: item[0] == "min_evidence"):  # the floor after the cap
        if name not in PART_OF or name in _CALLERS:
            corrections.append(Correction(name, value, None, "unknown control"))
            continue
        if isinstance(value, str) and name in _RANGES[operator]:  # "9" would pass by the range
            corrections.append(Correction(name, value, _get(policy, name), "expected a number"))
            continue
        used, reason = _in_range(name, value, _RANGES[operator])
        most = policy.evidence.evidence_count
        if name == "min_evidence" and isinstance(used, int | float) and used > most:
            used, reason = most, f"held to evidence_count {most}"
        try:
            candidate = Policy.parse({name: used}, base=_relaxed(policy, name, used))
        except PolicyError as error:
            corrections.append(Correction(name, value, _get(policy, name), str(error)))
            continue
        policy = candidate
        if reason:
            corrections.append(Correction(name, value, used, reason))
    return policy, tuple(corrections)


def _relaxed(policy: Policy, name: str, used: Any) -> Policy:
    """Lower the floor with the cap."""
    evidence = policy.evidence
    if name == "evidence_count" and isinstance(used, int) and used < evidence.min_evidence:
        return policy.model_copy(update={"evidence": evidence.model_copy(update={"min_evidence": max(1, used)})})
    return policy


def _in_range(name: str, value: Any, ranges: Mapping[str, tuple[float, float]]) -> tuple[Any, str]:
    if name not in ranges or isinstance(value, bool) or not isinstance(value, int | float):
        return value, ""
    if value != value:  # NaN has no place in a range; the field's own check refuses it
        return value, ""
    low, high = ranges[name]
    inside = min(max(value, low), high)
    integral = isinstance(low, int) and name != "anchor_strength"
    used = int(inside) if integral else float(inside)
    return used, "" if used == value else f"held to {low}-{high}"


def _get(policy: Policy, name: str) -> Any:
    return getattr(getattr(policy, PART_OF[name]), name)


def _place(merged: dict[str, Any], name: str, value: Any) -> None:
    if name in _PARTS:
        if not isinstance(value, Mapping):
            raise PolicyError(f"{name}: expected an object of controls, got {value!r}")
        for inner, inner_value in value.items():
            merged[name][inner] = inner_value
    elif "." in name and "weights." not in name and PART_OF.get(name.split(".", 1)[1]) == name.split(".", 1)[0]:
        _place(merged, name.split(".", 1)[1], value)
    elif name.removeprefix("walk.").startswith("weights."):
        merged["walk"]["weights"][name.rpartition(".")[2]] = value
    elif name in PART_OF:
        merged[PART_OF[name]][name] = value
    else:
        raise PolicyError(f"{name}: no such control; see `mosaic policy show`")


def _settle(evidence: dict[str, Any], data: Mapping[str, Any]) -> None:
    """Of cap and floor the one that was not given follows the one that was."""
    nested = data.get("evidence")
    given = {name.rpartition(".")[2] for name in (*data, *(nested if isinstance(nested, Mapping) else ()))}
    cap, floor = evidence.get("evidence_count"), evidence.get("min_evidence")
    if not (type(cap) is int and type(floor) is int and 1 <= cap < floor):
        return
    if "min_evidence" not in given:
        evidence["min_evidence"] = cap
    elif "evidence_count" not in given:
        evidence["evidence_count"] = floor


def _one_line(error: ValidationError) -> str:
    problem = error.errors()[0]
    where = ".".join(str(part) for part in problem["loc"]) or "policy"
    got = "" if isinstance(problem.get("input"), dict) else f" (got {problem.get('input')!r})"
    return f"{where}: {problem['msg'].removeprefix('Value error, ')}{got}"
