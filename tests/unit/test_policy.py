"""Policies: what an analyzer's proposal becomes, what a person may set, the defaults of each operator."""

from __future__ import annotations

from typing import Any

import pytest

from mosaic_sql.errors import PolicyError
from mosaic_sql.policy import NAMED_POLICIES, OPERATORS, Correction, Policy, clamp, default_policy, named_policy

NAN = float("nan")


def changed(policy: Policy, base: Policy) -> dict[str, Any]:
    """Controls of `policy` that differ from `base`."""
    new, old = policy.model_dump(), base.model_dump()
    return {name: value for part in new for name, value in new[part].items() if value != old[part][name]}


def proposed(proposal: dict[str, Any], operator: str = "beam") -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    policy, corrections = clamp(proposal, operator)
    return changed(policy, default_policy(operator)), [(c.field, c.used, c.reason) for c in corrections]


@pytest.mark.parametrize(
    ("proposal", "controls", "corrections"),
    [
        ({"max_depth": 9}, {"max_depth": 5}, [("max_depth", 5, "held to 2-5")]),
        ({"max_depth": -1}, {"max_depth": 2}, [("max_depth", 2, "held to 2-5")]),
        ({"max_depth": float("inf")}, {"max_depth": 5}, [("max_depth", 5, "held to 2-5")]),
        ({"beam_width": 2}, {"beam_width": 4}, [("beam_width", 4, "held to 4-12")]),
        ({"anchor_strength": 1.7}, {"anchor_strength": 1.0}, [("anchor_strength", 1.0, "held to 0-1")]),
        ({"evidence_count": 3}, {"evidence_count": 5}, [("evidence_count", 5, "held to 5-18")]),
        ({"max_depth": 4, "stop_regime": "deep"}, {"max_depth": 4, "stop_regime": "deep"}, []),
        ({}, {}, []),
    ],
)
def test_a_proposal_is_held_to_the_ranges_of_the_paper(
    proposal: dict[str, Any], controls: dict[str, Any], corrections: list[tuple[Any, ...]]
) -> None:
    assert proposed(proposal) == (controls, corrections)


def test_an_unknown_word_for_a_mode_falls_to_the_default_and_is_told() -> None:
    policy, corrections = clamp({"seed_query_mode": "foo", "max_depth": 4}, "beam")
    assert changed(policy, default_policy("beam")) == {"max_depth": 4}
    reason = "seed.seed_query_mode: Input should be 'full_query', 'compact_keywords' or 'per_target' (got 'foo')"
    assert corrections == (Correction("seed_query_mode", "foo", "full_query", reason),)


@pytest.mark.parametrize("name", ["nope", "walk", "walk.max_depth", "operator", ""])
def test_a_proposal_cannot_name_what_is_no_control_of_an_analyzer(name: str) -> None:
    assert proposed({name: 9}) == ({}, [(name, None, "unknown control")])


@pytest.mark.parametrize("value", [NAN, None, [3], {"a": 1}, True, False, "3", "9", "many"])
@pytest.mark.parametrize(("name", "default"), [("max_depth", 3), ("evidence_count", 8), ("anchor_strength", 0.0)])
def test_a_value_that_is_no_number_falls_to_the_default(name: str, default: float, value: object) -> None:
    controls, corrections = proposed({name: value})
    assert controls == {}
    assert [(field, used) for field, used, _ in corrections] == [(name, default)]


@pytest.mark.parametrize("value", [NAN, True])
def test_a_control_without_a_range_is_checked_too(value: float) -> None:
    controls, corrections = proposed({"bm25_share": value})
    assert controls == {}
    assert [(field, used) for field, used, _ in corrections] == [("bm25_share", 0.2)]


def test_a_floor_above_the_cap_is_held_to_the_cap() -> None:
    reason = "held to evidence_count 6"
    expected = ({"evidence_count": 6, "min_evidence": 6}, [("min_evidence", 6, reason)])
    assert proposed({"evidence_count": 6, "min_evidence": 9}) == expected
    assert proposed({"min_evidence": 9, "evidence_count": 6}) == expected


def test_the_order_of_floor_and_cap_does_not_matter() -> None:
    expected = ({"evidence_count": 14, "min_evidence": 12}, [])
    assert proposed({"evidence_count": 14, "min_evidence": 12}) == expected
    assert proposed({"min_evidence": 12, "evidence_count": 14}) == expected


@pytest.mark.parametrize(
    ("operator", "ranges"),
    [
        ("beam", ((1, 15), (2, 5), (4, 12), (5, 18), (1, 12))),
        ("chunk_hop", ((1, 15), (1, 3), (1, 16), (5, 18), (1, 12))),
        ("bfs", ((1, 15), (1, 3), (4, 12), (5, 500), (1, 12))),
        ("meta_path", ((1, 15), (1, 10), (4, 12), (5, 1000), (1, 12))),
        ("shortest_path", ((1, 15), (1, 6), (4, 12), (5, 200), (1, 12))),
        ("constrained_shortest_path", ((1, 15), (1, 10), (4, 12), (5, 500), (1, 12))),
    ],
)
def test_each_operator_has_its_own_ranges(operator: str, ranges: tuple[tuple[int, int], ...]) -> None:
    names = ("seed_limit", "max_depth", "beam_width", "evidence_count", "min_evidence")
    for place, extreme in enumerate((-1, 10_000)):
        policy, _ = clamp(dict.fromkeys(names, extreme), operator)
        got = (policy.seed.seed_limit, policy.walk.max_depth, policy.walk.beam_width)
        evidence = (policy.evidence.evidence_count, policy.evidence.min_evidence)
        assert (*got, *evidence) == tuple(pair[place] for pair in ranges)


def test_a_person_may_set_wider_values_than_an_analyzer() -> None:
    wide = {"max_depth": 9, "beam_width": 2, "evidence_count": 900, "seed_limit": 100}
    assert changed(Policy.parse(wide), Policy()) == wide


def test_controls_may_be_flat_nested_or_dotted_and_keep_the_rest_of_the_base() -> None:
    base = default_policy("bfs")
    expected = {"max_depth": 2, "seed_limit": 4}
    for data in (
        {"max_depth": 2, "seed_limit": 4},
        {"walk": {"max_depth": 2}, "seed": {"seed_limit": 4}},
        {"walk.max_depth": 2, "seed.seed_limit": 4},
    ):
        assert changed(Policy.parse(data, base=base), base) == expected
    assert Policy.parse({}, base=base) == base


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"max_depth": 0}, "walk.max_depth: Input should be greater than or equal to 1 (got 0)"),
        ({"max_depth": 2.5}, "walk.max_depth: Input should be a valid integer, got a number with a fractional part"),
        ({"max_depth": NAN}, "walk.max_depth: Input should be a finite number (got nan)"),
        ({"anchor_strength": NAN}, "walk.anchor_strength: Input should be a finite number (got nan)"),
        ({"max_depth": True}, "walk.max_depth: expected a number (got True)"),
        ({"weights": {"repetition": False}}, "walk.weights.repetition: expected a number (got False)"),
        ({"weights": {"x": 1}}, "walk.weights.x: Extra inputs are not permitted (got 1)"),
        ({"nope": 1}, "nope: no such control; see `mosaic policy show`"),
        ({"walk": 3}, "walk: expected an object of controls, got 3"),
        ({"walk": {"nope": 1}}, "walk.nope: Extra inputs are not permitted (got 1)"),
        ({"walk.nope": 1}, "walk.nope: no such control; see `mosaic policy show`"),
        ({"foo.max_depth": 2}, "foo.max_depth: no such control; see `mosaic policy show`"),
        ({"seed.max_depth": 2}, "seed.max_depth: no such control; see `mosaic policy show`"),
        ({"min_evidence": 9, "evidence_count": 8}, "policy: min_evidence 9 is above evidence_count 8"),
        ({"window_stride": 2000}, "policy: window_stride above window_chars would leave text unread"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line_that_names_the_field(data: dict[str, Any], message: str) -> None:
    with pytest.raises(PolicyError) as refused:
        Policy.parse(data)
    assert str(refused.value).removesuffix(" (got 2.5)") == message
    assert "\n" not in str(refused.value)


def figures(policy: Policy) -> tuple[str, int, int, int, int, int]:
    walk, evidence = policy.walk, policy.evidence
    return (
        walk.operator,
        policy.seed.seed_limit,
        walk.max_depth,
        walk.beam_width,
        evidence.evidence_count,
        evidence.min_evidence,
    )


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        ("beam", {"default": (7, 3, 8, 8, 3), "narrow": (3, 2, 4, 3, 1), "medium": (5, 4, 8, 8, 5)}),
        ("beam", {"wide": (10, 5, 16, 15, 12)}),
        ("chunk_hop", {"default": (3, 1, 2, 10, 3), "narrow": (3, 1, 2, 10, 3), "medium": (5, 2, 4, 10, 3)}),
        ("chunk_hop", {"wide": (10, 3, 8, 15, 3)}),
        ("bfs", {"default": (7, 1, 8, 500, 3), "narrow": (3, 1, 8, 500, 3), "wide": (10, 1, 8, 500, 3)}),
        ("meta_path", {"default": (7, 10, 8, 500, 3), "medium": (5, 10, 8, 500, 3)}),
        ("shortest_path", {"default": (7, 4, 8, 60, 3), "wide": (10, 4, 8, 60, 3)}),
        ("constrained_shortest_path", {"default": (7, 8, 8, 400, 3), "narrow": (3, 8, 8, 400, 3)}),
    ],
)
def test_a_named_policy_belongs_to_its_operator(operator: str, expected: dict[str, tuple[int, ...]]) -> None:
    found = {name: figures(named_policy(name, operator)) for name in expected}
    assert found == {name: (operator, *numbers) for name, numbers in expected.items()}


@pytest.mark.parametrize("operator", OPERATORS)
def test_the_policy_of_the_paper_is_its_beam_whatever_the_operator(operator: str) -> None:
    assert named_policy("mosaic", operator) == default_policy("beam")
    assert named_policy("default", operator) == default_policy(operator)


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(PolicyError) as policy:
        named_policy("huge", "beam")
    assert str(policy.value) == f"policy: unknown 'huge'; one of {', '.join(NAMED_POLICIES)}, or a JSON file"
    with pytest.raises(PolicyError) as operator:
        default_policy("foo")
    assert str(operator.value) == f"operator: unknown 'foo'; one of {', '.join(OPERATORS)}"


def test_of_cap_and_floor_the_one_not_given_follows() -> None:
    adaptive = Policy.parse({"evidence_count": 14, "min_evidence": 6})
    assert Policy.parse({"evidence_count": 5}, base=adaptive).evidence.min_evidence == 5
    assert Policy.parse({"min_evidence": 50}, base=adaptive).evidence.evidence_count == 50
    with pytest.raises(PolicyError, match="min_evidence 6 is above evidence_count 5"):
        Policy.parse({"evidence_count": 5, "min_evidence": 6}, base=default_policy("chunk_hop"))


def test_a_weight_of_the_path_score_is_set_by_its_name() -> None:
    for name in ("weights.hub_exposure", "walk.weights.hub_exposure"):
        assert Policy.parse({name: 0.9}).walk.weights.hub_exposure == 0.9
    with pytest.raises(PolicyError, match=r"weights\.hubs"):
        Policy.parse({"weights.hubs": 0.9})


def test_every_control_has_a_meaning_and_every_number_a_range() -> None:
    found = 0
    for part in Policy.model_json_schema()["$defs"].values():
        for name, field in part["properties"].items():
            if "$ref" in field:  # weights, a table of their own
                continue
            found += 1
            assert field.get("description"), name
            if field.get("type") in ("integer", "number"):
                bounds = {name.removeprefix("exclusive").lower() for name in field}
                assert {"minimum", "maximum"} <= bounds, name
    assert found > 50


@pytest.mark.parametrize("weight", [-0.1, 101, float("nan"), "much"])
def test_a_weight_out_of_its_range_is_refused(weight: object) -> None:
    with pytest.raises(PolicyError, match=r"walk\.weights\.coherence"):
        Policy.parse({"weights.coherence": weight})
