"""From a question to its controls, operator and pattern by rules."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from mosaic_sql.analyze import analyze, anchoring, cues, schema, shapes
from mosaic_sql.analyze.shapes import Shape
from mosaic_sql.errors import PolicyError
from mosaic_sql.policy import Correction, named_policy
from mosaic_sql.records import Analysis, Catalogue, Target

NAMES = ("mediatedness", "output_cardinality", "seed_coverage", "anchoring", "identity_relation", "completeness")
GRAPH = Catalogue(
    chunk_count=0,
    node_count=9,
    edge_count=9,
    rule_edge_count=0,
    kinds=("film", "language", "person"),
    relations=((0, "directed_by"), (1, "in_language"), (2, "starred_actors")),
    schema_paths=(
        ("film", "directed_by", "person", 5),
        ("film", "in_language", "language", 5),
        ("film", "starred_actors", "person", 5),
    ),
)
TEXT_AND_GRAPH = replace(GRAPH, chunk_count=5, edge_count=20, rule_edge_count=11)
TEXT = Catalogue(chunk_count=5, node_count=9, edge_count=9, rule_edge_count=9)
PEOPLE = Catalogue(
    chunk_count=0,
    node_count=9,
    edge_count=9,
    rule_edge_count=0,
    kinds=("city", "country", "person"),
    relations=((0, "born_in"), (1, "in_country"), (2, "spouse")),
    schema_paths=(
        ("person", "born_in", "city", 5),
        ("city", "in_country", "country", 5),
        ("person", "spouse", "person", 5),
    ),
)


def target(question: str, name: str, kind: str = "film", weight: float = 1.0, **other: Any) -> Target:
    start = question.index(name)
    fields = {"origin": "graph", "kinds": (kind,), "graph_ids": (start,), **other}
    return Target(start, name, name.lower(), weight, (start,), (name,), start, start + len(name), "name", **fields)


def read(question: str, *names: str, weight: float = 1.0) -> tuple[dict[str, int], dict[str, Any]]:
    """The signals that are not 0, and the proposed controls."""
    signals, proposal = cues.read(question, [target(question, name, weight=weight) for name in names])
    assert tuple(signals) == NAMES
    assert set(signals.values()) <= {0, 1, 2}
    return {name: value for name, value in signals.items() if value}, proposal


COMPARED = {"seed_query_mode": "per_target", "seed_limit": 7, "evidence_count": 12}
LISTED = {"evidence_count": 14, "min_evidence": 6, "adaptive_final_evidence": True, "seed_limit": 10}
SINGLE = {"max_depth": 2, "stop_regime": "shallow", "beam_width": 6, "evidence_count": 6}
CHAINED = {"max_depth": 4, "use_connector": True, "stop_regime": "deep", "beam_width": 10, "anchor_strength": 0.2}
EXACT = {"anchor_strength": 0.6, "selection_mode": "hybrid"}
OVERVIEW = {
    "max_depth": 3,
    "stop_regime": "medium",
    "evidence_count": 16,
    "min_evidence": 6,
    "adaptive_final_evidence": True,
}


@pytest.mark.parametrize(
    ("question", "names", "signals", "controls"),
    [
        ("Which is older, Heat or Dunkirk?", ("Heat", "Dunkirk"), {"seed_coverage": 2}, COMPARED),
        ("Heat versus Dunkirk", ("Heat", "Dunkirk"), {"seed_coverage": 2}, COMPARED),
        (
            "How do both link: Ax, By, Cz, Dv, Ew?",
            ("Ax", "By", "Cz", "Dv", "Ew"),
            {"seed_coverage": 2},
            {**COMPARED, "seed_limit": 12, "use_connector": True},
        ),
        (
            "What is the connection between Heat and Dunkirk?",
            ("Heat", "Dunkirk"),
            {"seed_coverage": 2},
            {**COMPARED, "use_connector": True},
        ),
        ("List the boats.", (), {"output_cardinality": 2}, LISTED),
        ("Name all boats.", (), {"output_cardinality": 2}, LISTED),
        ("What are the kinds of boats?", (), {"output_cardinality": 2}, LISTED),
        ("Which large boats sink?", (), {"output_cardinality": 2}, LISTED),
        ("Give three boats.", (), {"output_cardinality": 2}, LISTED),
        ("Who directed Heat?", ("Heat",), {}, SINGLE),
        ("When did it begin?", (), {}, SINGLE),
        ("How many boats sank?", (), {}, SINGLE),
        ("Is Heat long?", ("Heat",), {}, SINGLE),
        ("Who knows Heat and Dunkirk?", ("Heat", "Dunkirk"), {}, {}),
        (
            "What are the differences between Heat and Dunkirk?",
            ("Heat", "Dunkirk"),
            {"output_cardinality": 2, "seed_coverage": 2},
            {**LISTED, **COMPARED, "seed_limit": 10, "evidence_count": 14, "use_connector": True},
        ),
        ("Who is the mother of the director of Heat?", ("Heat",), {"mediatedness": 2}, CHAINED),
        ("The country whose king died", (), {"mediatedness": 2}, CHAINED),
        ("What does rain indirectly cause?", (), {"mediatedness": 2}, CHAINED),
        ("Does smoking lead to cancer?", (), {"mediatedness": 2}, CHAINED),
        ('What does "red tide" mean?', (), {"anchoring": 2}, EXACT),
        ("Treatment of stage II tumours", (), {"anchoring": 2}, EXACT),
        ("What holds AB-12?", (), {"anchoring": 2}, EXACT),
        ("What is Bob also known as?", (), {"identity_relation": 1}, {"selection_mode": "hybrid"}),
        ("Give an overview of Rome.", ("Rome",), {"completeness": 2, "output_cardinality": 2}, OVERVIEW),
        ("Summarise Rome.", ("Rome",), {"completeness": 2, "output_cardinality": 2}, OVERVIEW),
        ("Explain the role of Rome.", ("Rome",), {"completeness": 2, "output_cardinality": 2}, OVERVIEW),
        ("Rome", ("Rome",), {}, {}),
        ("", (), {}, {}),
    ],
)
def test_a_cue_moves_its_signal_and_its_controls(
    question: str, names: tuple[str, ...], signals: dict[str, int], controls: dict[str, Any]
) -> None:
    assert read(question, *names) == (signals, controls)


def test_weak_names_are_not_compared() -> None:
    assert read("Is Heat older than Dunkirk?", "Heat", "Dunkirk", weight=0.1) == ({}, SINGLE)


def test_cues_merge_by_the_larger_budget_and_the_deepest_stop_and_a_mediated_question_is_anchored_less() -> None:
    signals, controls = read('Summarize the films whose code is "AB12".')
    assert signals == {"mediatedness": 2, "output_cardinality": 2, "anchoring": 2, "completeness": 2}
    expected = {**CHAINED, **OVERVIEW, **EXACT}
    assert controls == {**expected, "max_depth": 4, "stop_regime": "deep", "anchor_strength": 0.3}


def test_many_names_ask_for_two_seeds_each_up_to_fifteen() -> None:
    names = [f"N{letter}" for letter in "abcdefghij"]
    assert read(" ".join(names), *names[:5])[1] == {"seed_limit": 10}
    assert read(" ".join(names), *names)[1] == {"seed_limit": 15}


def test_the_chunk_walk_takes_evidence_from_the_cues_but_no_depth_width_or_seeds() -> None:
    assert cues.for_chunk_hop({**CHAINED, **SINGLE}) == {"evidence_count": 10, "use_connector": True}
    kept = {name: value for name, value in LISTED.items() if name != "seed_limit"}
    assert cues.for_chunk_hop(LISTED) == kept


def choose(
    question: str, *targets: Target, catalogue: Catalogue = GRAPH, **options: Any
) -> tuple[str, str, str | None]:
    analysis = analyze(question, targets, catalogue, **options)
    return analysis.policy.walk.operator, analysis.operator_reason, analysis.policy.walk.pattern


BOTH = "Did Ann direct Heat"
ANN_HEAT = (target(BOTH, "Ann", "person"), target(BOTH, "Heat"))
ONE = "who directed Heat"
HEAT = target(ONE, "Heat")


def test_two_anchors_and_a_pattern_are_a_constrained_shortest_path() -> None:
    reason = "two anchors (Ann, Heat) and a pattern, from: direct"
    expected = ("constrained_shortest_path", reason, "^directed_by")
    assert choose(BOTH, *ANN_HEAT) == expected
    assert choose(BOTH, *ANN_HEAT, catalogue=TEXT_AND_GRAPH) == expected


def test_two_anchors_without_a_pattern_are_a_shortest_path() -> None:
    related = "How are Ann and Heat related"
    found = choose(related, target(related, "Ann", "person"), target(related, "Heat"))
    assert found == ("shortest_path", "two anchors (Ann, Heat) and no relation named", None)
    silent = "Ann or Heat"
    found = choose(silent, target(silent, "Ann", "person"), target(silent, "Heat"))
    assert found == ("shortest_path", "two anchors (Ann, Heat) and no pattern found", None)


@pytest.mark.parametrize("catalogue", [GRAPH, TEXT_AND_GRAPH])
def test_one_anchor_and_a_pattern_are_a_meta_path(catalogue: Catalogue) -> None:
    expected = ("meta_path", "one anchor (Heat) and a pattern, from: direct", "directed_by")
    assert choose(ONE, HEAT, catalogue=catalogue) == expected


def test_one_anchor_alone_is_its_neighbourhood_unless_there_is_a_text() -> None:
    question = "tell of Heat"
    heat = target(question, "Heat")
    assert choose(question, heat) == ("bfs", "one anchor (Heat) and no aspect named", None)
    expected = ("chunk_hop", "a text whose edges come from rules", None)
    assert choose(question, heat, catalogue=TEXT_AND_GRAPH) == expected


def test_a_text_is_walked_chunk_by_chunk_whatever_it_names() -> None:
    expected = ("chunk_hop", "a text whose edges come from rules", None)
    assert choose(ONE, target(ONE, "Heat", origin="text"), catalogue=TEXT) == expected
    assert choose(ONE, target(ONE, "Heat", origin="text"), catalogue=TEXT_AND_GRAPH) == expected
    bare = replace(TEXT, edge_count=0, rule_edge_count=0)
    assert choose(ONE, catalogue=bare) == ("chunk_hop", "no edges in the corpus", None)


def test_edges_that_were_given_and_no_anchor_are_a_beam() -> None:
    assert choose("what now") == (
        "beam",
        "edges that were given or read by a model, and no anchor with a pattern",
        None,
    )


def test_a_weak_name_is_an_anchor_only_for_want_of_a_stronger_and_never_as_a_word_of_the_schema() -> None:
    question = "what language is Heat in"
    language = target(question, "language", "language", weight=0.2)
    reason = "one anchor (Heat) and a pattern, from: languag"
    for weight in (0.2, 0.8):
        found = choose(question, language, target(question, "Heat", weight=weight))
        assert found == ("meta_path", reason, "in_language")
    assert choose(question, language)[0] == "beam"


@pytest.mark.parametrize(
    ("operator", "pattern"),
    [
        ("bfs", None),
        ("beam", None),
        ("chunk_hop", None),
        ("shortest_path", None),
        ("meta_path", "directed_by"),
        ("constrained_shortest_path", "directed_by"),
    ],
)
def test_an_operator_that_a_person_sets_wins_and_gets_a_pattern_where_it_needs_one(
    operator: str, pattern: str | None
) -> None:
    expected = (operator, "set by the caller", pattern)
    assert choose(ONE, HEAT, overrides={"operator": operator}) == expected
    assert choose(ONE, HEAT, overrides={"walk": {"operator": operator}}, named="mosaic") == expected


def test_a_pattern_that_a_person_sets_wins_over_the_one_found() -> None:
    given = {"pattern": "in_language"}
    assert choose(ONE, HEAT, overrides=given) == ("meta_path", "1 anchor and the caller's pattern", "in_language")
    assert choose(ONE, overrides=given) == ("meta_path", "no anchors and the caller's pattern", "in_language")
    two = ("constrained_shortest_path", "2 anchors and the caller's pattern", "in_language")
    assert choose(BOTH, *ANN_HEAT, overrides=given) == two
    forced = ("meta_path", "set by the caller", "in_language")
    assert choose(ONE, HEAT, overrides={**given, "operator": "meta_path"}) == forced


def test_the_policy_of_the_paper_is_its_beam_with_the_cues_held_to_its_ranges() -> None:
    analysis = analyze("Who directed Heat?", (), GRAPH, named="mosaic")
    assert analysis == Analysis(
        question="Who directed Heat?",
        targets=(),
        signals=dict.fromkeys(NAMES, 0),
        policy=analysis.policy,
        corrections=(),
        operator_reason="the policy `mosaic` is the paper's beam",
        facets=("directed Heat",),
    )
    walk = analysis.policy.walk
    assert (walk.operator, walk.max_depth, walk.beam_width, walk.stop_regime) == ("beam", 2, 6, "shallow")
    assert analysis.policy.evidence.evidence_count == 6


@pytest.mark.parametrize("named", ["narrow", "medium", "wide"])
def test_a_fixed_policy_takes_nothing_from_the_cues(named: str) -> None:
    analysis = analyze("List the films whose code is known", (), TEXT, named=named)
    assert (analysis.policy, analysis.corrections) == (named_policy(named, "chunk_hop"), ())


def test_what_a_person_sets_is_not_held_to_the_ranges_of_an_analyzer() -> None:
    analysis = analyze("List the boats", (), TEXT, overrides={"evidence_count": 900, "walk": {"max_depth": 20}})
    corrections: tuple[Correction, ...] = ()
    assert analysis.corrections == corrections
    assert (analysis.policy.evidence.evidence_count, analysis.policy.walk.max_depth) == (900, 20)
    assert analysis.policy.evidence.min_evidence == 6


def test_an_operator_that_is_not_known_is_refused() -> None:
    with pytest.raises(PolicyError, match="operator: unknown 'foo'; one of chunk_hop, beam"):
        analyze(ONE, (HEAT,), GRAPH, overrides={"operator": "foo"})


def find(question: str, *names: str, kinds: tuple[str, ...], catalogue: Catalogue = GRAPH, **options: Any) -> Any:
    places = [(question.index(name), question.index(name) + len(name)) for name in names]
    return shapes.find(question, places, [(kind,) for kind in kinds], catalogue, **options)


def pattern(question: str, *names: str, kinds: tuple[str, ...], **options: Any) -> str | None:
    shape = find(question, *names, kinds=kinds, **options)
    return shape.pattern if shape else None


def test_a_shape_tells_its_words_its_score_and_its_length() -> None:
    assert find("who starred in the films directed by Ann", "Ann", kinds=("person",)) == Shape(
        pattern="^directed_by / starred_actors",
        score=2.7,
        words=("direct", "star", "film"),
        coverage=1.0,
        length=2,
        backward=1,
    )


@pytest.mark.parametrize(
    ("question", "name", "kind", "expected"),
    [
        ("who directed Heat", "Heat", "film", "directed_by"),
        ("what films did Ann direct", "Ann", "person", "^directed_by"),
        ("which films did Ann star in", "Ann", "person", "^starred_actors"),
        ("what language are the films directed by Ann in", "Ann", "person", "^directed_by / in_language"),
        ("which films have the same director as Heat", "Heat", "film", "directed_by / ^directed_by"),
        ("what is Heat", "Heat", "film", None),
        ("Heat", "Heat", "film", None),
        ("who directed Heat", "Heat", "ship", None),
    ],
)
def test_the_words_of_a_question_find_the_pattern_and_its_direction(
    question: str, name: str, kind: str, expected: str | None
) -> None:
    assert pattern(question, name, kinds=(kind,)) == expected


def test_out_and_back_over_one_relation_needs_a_word_for_what_is_shared() -> None:
    for word, expected in (("same", True), ("other", True), ("good", False)):
        found = pattern(f"which films have the {word} director as Heat", "Heat", kinds=("film",))
        assert (found == "directed_by / ^directed_by") is expected


def test_a_chain_of_three_relations_is_found_in_its_order() -> None:
    question = "in which country was the spouse of Ann born"
    assert pattern(question, "Ann", kinds=("person",), catalogue=PEOPLE) == "~spouse / born_in / in_country"


def test_a_path_that_ends_in_the_kind_asked_for_is_preferred() -> None:
    city = find("which city was Ann born in", "Ann", kinds=("person",), catalogue=PEOPLE)
    country = find("which country was Ann born in", "Ann", kinds=("person",), catalogue=PEOPLE)
    assert (city.pattern, country.pattern) == ("born_in", "born_in / in_country")


def test_the_words_of_a_name_speak_for_no_relation() -> None:
    assert pattern("what is Directed By", "Directed By", kinds=("film",)) is None


def test_a_path_begins_with_a_step_that_the_anchor_has() -> None:
    has: dict[str, tuple[tuple[str, bool], ...]] = {"first_steps": (("directed_by", True),)}
    assert pattern(ONE, "Heat", kinds=("film",), **has) == "directed_by"
    assert pattern(ONE, "Heat", kinds=("film",), first_steps=(("directed_by", False),)) is None


def test_between_two_anchors_a_path_ends_in_the_kind_of_the_second() -> None:
    assert pattern(BOTH, "Ann", "Heat", kinds=("person", "film")) == "^directed_by"
    assert pattern(BOTH, "Ann", "Heat", kinds=("person", "ship")) is None


def test_a_word_of_the_schema_is_told_by_its_stem() -> None:
    words = ("directors", "films", "language", "heat", "in", "star")
    found = {word: schema.is_schema_word(word, GRAPH) for word in words}
    assert found == {"directors": True, "films": True, "language": True, "heat": False, "in": False, "star": True}


@pytest.mark.parametrize("kinds", [1, 20])
def test_three_hundred_relations_are_searched_in_well_under_a_second(kinds: int) -> None:
    paths = tuple((f"kind{i % kinds}", f"relation_{i}", f"kind{(i * 7 + 3) % kinds}", 1) for i in range(300))
    names = tuple(f"kind{i}" for i in range(kinds))
    catalogue = Catalogue(0, 9, 9, 0, names, tuple((i, path[1]) for i, path in enumerate(paths)), paths)
    began = time.process_time()
    question = "which relation 20 of the relation of the relation leads from Ann"
    shape = find(question, "Ann", kinds=("kind0",), catalogue=catalogue)
    assert time.process_time() - began < 0.9
    assert shape is not None
    assert set(shape.words) <= {"relat", "20"}


@pytest.mark.parametrize(
    ("question", "asked"),
    [("Which city is Ann from?", 0), ("Which actress was first?", 0), ("Which noble gases are there?", 2)],
)
def test_a_plural_after_which_asks_for_a_list(question: str, asked: int) -> None:
    assert cues.read(question, ())[0]["output_cardinality"] == asked


def test_described_parts_stay_anchors_whatever_stands_beside_them() -> None:
    question = "How are Alpha, Beta, Gamma, Delta and the author of Epsilon related?"
    others = [target(question, name) for name in ("Alpha", "Beta", "Gamma", "Delta")]
    described = replace(target(question, "the author of Epsilon"), why="described")
    catalogue = Catalogue(chunk_count=0, node_count=5, edge_count=0, rule_edge_count=0)
    assert described in anchoring.best(question, [*others, described], catalogue).anchors
    second = replace(others[3], why="described")
    assert anchoring.best(question, [*others[:3], second, described], catalogue).anchors == (second, described)
