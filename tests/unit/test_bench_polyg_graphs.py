"""The generated graphs of `bench polyg` and the questions drawn from them."""

from __future__ import annotations

from collections import Counter

import pytest

from mosaic_sql.bench.polyg import forms, gold, graphs, questions
from mosaic_sql.bench.polyg.forms import FORMS, SHAPES
from mosaic_sql.bench.polyg.questions import Question
from mosaic_sql.bench.polyg.world import World, distinct
from mosaic_sql.errors import PolicyError
from mosaic_sql.pattern import names, parse

SCHEMAS = {  # kind -> relation -> kind, and the relation that leads back
    "academia": {
        ("author", "paper", "paper"): "author",
        ("paper", "author", "author"): "paper",
        ("paper", "reference", "paper"): "cited_by",
        ("paper", "cited_by", "paper"): "reference",
        ("paper", "venue", "venue"): "paper",
        ("venue", "paper", "paper"): "venue",
    },
    "literature": {
        ("book", "author", "author"): "book",
        ("book", "publisher", "publisher"): "book",
        ("book", "series", "series"): "book",
        ("book", "similar_books", "book"): "similar_books",
        ("author", "book", "book"): "author",
        ("publisher", "book", "book"): "publisher",
        ("series", "book", "book"): "series",
    },
    "e-commerce": {
        ("item", "also_viewed_item", "item"): "also_viewed_item",
        ("item", "bought_together_item", "item"): "bought_together_item",
        ("item", "also_bought_item", "item"): None,
        ("item", "buy_after_viewing_item", "item"): None,
        ("item", "brand", "brand"): "item",
        ("brand", "item", "item"): "brand",
    },
}
PROPERTIES = {
    "paper": {"year", "abstract", "label"},
    "book": {"description", "publication_year", "genres"},
    "series": {"description"},
}


@pytest.fixture(scope="module", params=graphs.GRAPHS)
def world(request: pytest.FixtureRequest) -> World:
    return graphs.build(request.param, 800, 0)


def test_kinds_and_relations_are_those_of_the_schema(world: World) -> None:
    kind = {key: node.kind for key, node in world.nodes.items()}
    assert {(kind[s], r, kind[t]) for s, r, t in world.edges} == set(SCHEMAS[world.graph])
    assert {node.kind: set(node.properties) for node in world.nodes.values()} == {
        name: PROPERTIES.get(name, set()) for name in {source for source, _, _ in SCHEMAS[world.graph]}
    }


def test_facts_are_stored_in_both_directions_where_the_schema_says_so(world: World) -> None:
    kind = {key: node.kind for key, node in world.nodes.items()}
    for source, relation, target in world.edges:
        inverse = SCHEMAS[world.graph][kind[source], relation, kind[target]]
        assert inverse is None or (target, inverse, source) in world.edges
        assert source != target


def test_the_size_is_the_number_of_nodes_and_the_seed_decides(world: World) -> None:
    assert len(world.nodes) == 800
    again, other = (graphs.build(world.graph, 800, seed) for seed in (0, 1))
    assert (list(again.nodes.values()), list(again.edges)) == (list(world.nodes.values()), list(world.edges))
    assert list(other.edges) != list(world.edges)


def test_a_graph_without_room_is_refused() -> None:
    with pytest.raises(PolicyError, match=r"^size: 99 nodes"):
        graphs.build("academia", 99, 0)


def test_degrees_are_skewed(world: World) -> None:
    degrees = sorted((len(near) for near in world.near.values()), reverse=True)
    assert degrees[0] >= 5 * degrees[len(degrees) // 2]
    top = sum(degrees[: len(degrees) // 10])
    assert top >= 0.2 * sum(degrees)


def test_most_names_are_their_own_and_a_few_are_shared() -> None:
    world = graphs.build("literature", 4000, 0)
    shared = [keys for keys in world.names.values() if len(keys) > 1]
    kinds = {frozenset(world.nodes[key].kind for key in keys) for keys in shared}
    assert 0 < len(shared) < 0.03 * len(world.nodes)
    assert kinds == {frozenset({"author"}), frozenset({"book", "series"})}


def test_tables_hold_every_node_and_edge(world: World) -> None:
    nodes, edges = world.tables()
    assert nodes["id"].to_pylist() == list(world.nodes)
    assert list(zip(*(edges[name].to_pylist() for name in edges.column_names), strict=True)) == list(world.edges)


def test_a_name_that_cannot_be_new_gets_a_number() -> None:
    assert distinct(lambda: "Ada", {}) == "Ada"
    assert distinct(lambda: "Ada", {"Ada": 1, "Ada 2": 1}) == "Ada 3"


# -- forms -----------------------------------------------------------------------------------------------------------

COUNTS = {"academia": (2, 8, 3, 4), "literature": (4, 8, 5, 4), "e-commerce": (2, 8, 3, 4)}


@pytest.mark.parametrize("graph", graphs.GRAPHS)
def test_every_shape_has_its_forms_with_several_wordings(graph: str) -> None:
    assert tuple(len(forms.of_shape(graph, shape)) for shape in SHAPES) == COUNTS[graph]
    for form in FORMS[graph]:
        assert len(form.wordings) >= 3
        assert len(set(form.wordings)) == len(form.wordings)
        assert all(("{b}" in wording) == (len(form.kinds) == 2) and "{a}" in wording for wording in form.wordings)
        assert (form.pattern == "") == (form.shape in ("s**", "s*o"))


@pytest.mark.parametrize("graph", graphs.GRAPHS)
def test_a_path_fits_the_schema_and_ends_where_it_should(graph: str) -> None:
    steps = {(source, relation): target for source, relation, target in SCHEMAS[graph]}
    steps |= {(target, f"^{relation}"): source for source, relation, target in SCHEMAS[graph]}
    for form in FORMS[graph]:
        kinds = [form.kinds[0]]
        for step in form.path:
            (kind,) = {steps[kinds[-1], relation] for relation in step.split("|")}
            kinds.append(kind)
        if form.shape == "sp*":
            assert kinds[-1] == form.wanted
        if form.shape == "spo":
            assert kinds[-1] == form.kinds[1]
            assert form.wanted in gold.middle(kinds)


@pytest.mark.parametrize("graph", graphs.GRAPHS)
def test_a_pattern_says_to_the_engine_what_the_path_says(graph: str) -> None:
    for form in (form for form in FORMS[graph] if form.path):
        automaton = parse(form.pattern)
        assert automaton.max_length == automaton.min_length == len(form.path)
        assert names(automaton)[0] == {relation.removeprefix("^") for step in form.path for relation in step.split("|")}


def test_a_path_with_a_choice_is_put_in_parentheses() -> None:
    (form,) = (form for form in FORMS["academia"] if form.wanted == "paper" and form.shape == "spo")
    assert form.pattern == "paper / (reference | cited_by) / author"


# -- questions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_questions_are_many_different_and_the_same_for_a_seed(world: World, shape: str) -> None:
    asked = questions.ask(world, shape, 40, 0)
    assert [question.number for question in asked] == list(range(len(asked)))
    assert len(asked) >= 36
    assert len({(question.form.name, question.anchors) for question in asked}) == len(asked)
    assert {question.form.name for question in asked} == {f.name for f in forms.of_shape(world.graph, shape)}
    assert asked == questions.ask(world, shape, 40, 0)
    assert asked != questions.ask(world, shape, 40, 1)


def test_a_question_holds_the_names_of_its_anchors_and_their_kinds(world: World) -> None:
    for shape in SHAPES:
        for question in questions.ask(world, shape, 24, 0):
            assert all(name in question.text for name in question.names)
            assert tuple(world.nodes[key].kind for key in question.anchors) == question.form.kinds
            assert all(world.is_alone(key) for key in question.anchors)


def test_half_of_the_pairs_are_joined_in_every_form_and_wording(world: World) -> None:
    asked = questions.ask(world, "spo", 64, 0)
    truths = Counter((question.form.name, question.truth) for question in asked)
    for form in forms.of_shape(world.graph, "spo"):
        assert truths[form.name, True] >= 4
        assert truths[form.name, False] >= 4
    for question in asked:
        assert bool(question.wanted) == bool(question.paths) == question.truth
    for truth in (True, False):
        wordings = {wording_of(question) for question in asked if question.truth is truth}
        assert len(wordings) >= 0.7 * sum(len(form.wordings) for form in forms.of_shape(world.graph, "spo"))


def wording_of(question: Question) -> str:
    text = question.text
    for name in sorted(question.names, key=len, reverse=True):
        text = text.replace(name, "…")
    return text


def test_gold_of_a_question_is_that_of_its_path(world: World) -> None:
    for question in questions.ask(world, "sp*", 24, 0):
        reached = gold.reached(world, question.anchors[0], question.form.path)
        assert question.reached == reached
        assert question.wanted <= reached
        assert question.wanted
        assert {world.nodes[key].kind for key in question.wanted} == {question.form.wanted}


def test_related_pairs_are_two_to_four_hops_apart(world: World) -> None:
    asked = questions.ask(world, "s*o", 30, 0)
    for question in asked:
        one, other = question.anchors
        assert min(question.lengths) == gold.distances(world.near, one, 4)[other]
        assert 1 <= sum(question.lengths.values()) <= questions.PATHS
    assert {min(question.lengths) for question in asked} == {2, 3, 4}


def test_a_name_of_two_kinds_is_asked_for_with_its_kind() -> None:
    world = World("literature")
    series = world.add("series", "Dune", description="")
    for number in range(12):
        book = world.add("book", "Dune" if number == 0 else f"Book {number}")
        world.join(book, "series", series, inverse="book")
        world.join(book, "publisher", world.add("publisher", f"House {number}"), inverse="book")
        world.join(book, "author", world.add("author", f"Writer {number}"), inverse="book")
    drawn = [question for seed in range(8) for question in questions.ask(world, "s**", 30, seed)]
    asked = [question for question in drawn if "Dune" in question.names]
    assert {question.form.name for question in asked} == {"book", "series"}
    for question in asked:
        kind = question.form.kinds[0]
        assert f"the {kind} Dune" in question.text or f"the {kind} “Dune”" in question.text


def test_strangers_are_asked_for_in_every_shape_and_are_nowhere(world: World) -> None:
    asked = questions.strangers(world, 12, 0)
    assert Counter(question.shape for question in asked) == dict.fromkeys(SHAPES, 3)
    for question in asked:
        assert not question.exists
        assert any(name not in world.names for name in question.names)
        assert all(name in question.text for name in question.names)
