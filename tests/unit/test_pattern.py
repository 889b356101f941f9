"""Path patterns: what is refused and where, and what is accepted, against Python's `re`."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_sql import pattern
from mosaic_sql.errors import PolicyError

Hop = tuple[str, bool, str]  # relation, forward, kind of the node reached


def accepts(automaton: pattern.Automaton, hops: tuple[Hop, ...]) -> bool:
    states = {0}
    for relation, forward, kind in hops:
        states = {
            t.next_state
            for t in automaton.transitions
            if t.state in states
            and t.relation in (None, relation)
            and t.forward in (None, forward)
            and t.kind in (None, kind)
        }
    return bool(states & automaton.accepting)


# A pattern and the same thing for `re`: one character per (relation, direction, kind).


def symbol(hop: Hop) -> str:
    return chr(ord("a") + ["r", "s", "has part"].index(hop[0]) * 4 + hop[1] * 2 + (hop[2] == "k"))


def step_of(relation: str, direction: str, kind: str) -> tuple[str, str]:
    relations = ["r", "s", "has part"] if relation == "any" else [relation.strip("'")]
    ways = {"": [True], "^": [False], "~": [True, False]}[direction]
    kinds = ["j", "k"] if not kind else [kind]
    symbols = "".join(symbol(hop) for hop in itertools.product(relations, ways, kinds))
    return f"{direction}{relation}{f'[{kind}]' if kind else ''}", f"[{symbols}]"


steps = st.builds(
    step_of, st.sampled_from(["r", "s", "'has part'", "any"]), st.sampled_from("^~").map(str) | st.just(""),
    st.sampled_from(["", "", "j", "k"]),
)  # fmt: skip


def larger(inner: st.SearchStrategy[tuple[str, str]]) -> st.SearchStrategy[tuple[str, str]]:
    counts = st.tuples(st.integers(0, 2), st.integers(0, 2)).map(sorted)
    parts = st.lists(inner, min_size=1, max_size=3)
    return (
        parts.map(lambda ps: ("(" + " / ".join(p for p, _ in ps) + ")", "(?:" + "".join(x for _, x in ps) + ")"))
        | parts.map(lambda ps: ("(" + "|".join(p for p, _ in ps) + ")", "(?:" + "|".join(x for _, x in ps) + ")"))
        | inner.map(lambda p: (f"({p[0]})?", f"(?:{p[1]})?"))
        | st.builds(lambda p, c: (f"({p[0]}){{{c[0]},{c[1]}}}", f"(?:{p[1]}){{{c[0]},{c[1]}}}"), inner, counts)
    )


patterns = st.recursive(steps, larger, max_leaves=5)
PLAIN = [(relation, forward, "j") for relation in ("r", "s", "has part") for forward in (True, False)]
KINDS = [(relation, forward, kind) for relation in ("r", "s") for forward in (True, False) for kind in ("j", "k")]


def words(hops: list[Hop], length: int) -> Any:
    return itertools.chain.from_iterable(itertools.product(hops, repeat=n) for n in range(length + 1))


def parsed_or_none(text: str) -> pattern.Automaton | None:
    try:
        return pattern.parse(text)
    except PolicyError as error:
        assert re.search("at least one step|at most 20", str(error)), error
        return None


@settings(max_examples=120)
@given(patterns)
def test_accepts_what_the_regular_expression_accepts(pair: tuple[str, str]) -> None:
    text, expression = pair
    automaton = parsed_or_none(text)
    if automaton is None:
        return
    matcher = re.compile(expression)
    for word in itertools.chain(words(PLAIN, 4), words(KINDS, 3)):
        wanted = matcher.fullmatch("".join(symbol(hop) for hop in word)) is not None
        assert accepts(automaton, word) == wanted, (text, word)
        assert not wanted or automaton.min_length <= len(word) <= automaton.max_length


@settings(max_examples=100)
@given(patterns)
def test_shape_of_the_automaton(pair: tuple[str, str]) -> None:
    automaton = parsed_or_none(pair[0])
    if automaton is None:
        return
    assert automaton == pattern.parse(pair[0])
    reached, seen = {0}, [0]
    for transition in automaton.transitions:
        assert transition.state in reached, "unreachable or not breadth first"
        if transition.next_state not in reached:
            reached.add(transition.next_state)
            seen.append(transition.next_state)
    assert seen == sorted(seen) == list(range(len(seen)))
    assert [t.state for t in automaton.transitions] == sorted(t.state for t in automaton.transitions)
    assert automaton.accepting <= reached
    assert len(set(automaton.transitions)) == len(automaton.transitions)
    assert (automaton.min_length == 0) == (0 in automaton.accepting)


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(lambda name: name.strip())
awkward = st.sampled_from(
    ["any", "it's", '"', "a b", "a/b", "'); DROP TABLE node; --", "関係", "🎬", "\\", "'", "a\nb"]
)


@given(st.lists(st.tuples(names | awkward, st.booleans()), min_size=1, max_size=20))
def test_a_written_path_parses_to_itself(path: list[tuple[str, bool]]) -> None:
    automaton = pattern.parse(pattern.format_path(path))
    wanted = tuple(pattern.Transition(i, name, way, None, i + 1) for i, (name, way) in enumerate(path))
    assert automaton == pattern.Automaton(wanted, frozenset({len(path)}), len(path), len(path))


def test_format_path() -> None:
    assert pattern.format_path([("author", True), ("paper", False)]) == "author / ^paper"
    assert pattern.format_path([("it's part", True), ("any", False)]) == "'it''s part' / ^'any'"


REFUSED = [
    ("paper / / author", "pattern: expected a relation at character 9: paper / / author"),
    ("", "pattern: expected a relation at character 1"),
    ("a |", "expected a relation at character 4"),
    ("~ ^a", "expected a relation at character 3"),
    ("^(a)", "expected a relation at character 2"),
    ("a)", "expected `/`, `|` or the end at character 2"),
    ("a b", "expected `/`, `|` or the end at character 3"),
    ("a,b", "expected `/`, `|` or the end at character 2"),
    ("a{2}{3}", "expected `/`, `|` or the end at character 5"),
    ("(a|b", "parenthesis not closed at character 1"),
    ("(a b", "expected `)` at character 4"),
    ("a / 'x", "quote not closed at character 5"),
    ("a / ''", "expected a relation, not an empty name, at character 5"),
    ("a[venue", "expected `]` at character 8"),
    ("a[]", "expected a node kind at character 3"),
    ("[a] b", "expected `/` after the first node's kind at character 5"),
    ("[a", "expected `]` at character 3"),
    ("a / [b] / c", "expected a relation at character 5"),
    ("(a | b?)[x]", "a kind test on what may be no step at all at character 9"),
    ("a{0,3}[x]", "a kind test on what may be no step at all at character 7"),
    ("(a[y] | b)[x]", "the node is of kind `y` already at character 11"),
    ("a{1,1000000}", "at most 20 repetitions at character 2"),
    ("a{2,}", "give an upper bound: {m,n} at character 2"),
    ("a*", "give an upper bound, such as {1,3}, at character 2"),
    ("a+", "give an upper bound, such as {1,3}, at character 2"),
    ("a{x}", "expected {m} or {m,n} at character 2"),
    ("a{3,1}", "3 is more than 1 at character 2"),
    ("a{21}", "at most 20 repetitions at character 2"),
    ("a{0}", "pattern: a pattern must take at least one step: a{0}"),
    ("(a{4}){6}", "pattern: paths of up to 24 steps, at most 20 allowed: (a{4}){6}"),
    ("(" * 1000 + "a", "more than 50 nested parentheses at character 51"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refusals_name_the_character(text: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        pattern.parse(text)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_name_with_blanks_is_told_to_stand_in_quotes() -> None:
    with pytest.raises(PolicyError, match="a name with blanks or quotes stands in quotes"):
        pattern.parse("directed by")


def test_of_a_long_pattern_what_stands_around_the_place_is_shown() -> None:
    with pytest.raises(PolicyError) as caught:
        pattern.parse(f"{'a / ' * 400}here is / more{' / b' * 100}")
    assert "here is / more" in str(caught.value)
    assert len(str(caught.value)) < 400


@given(st.text(alphabet="ab^~/|(){}[]?*+'\", 0123\n", max_size=30))
def test_any_text_parses_or_is_refused_in_one_line(text: str) -> None:
    try:
        pattern.parse(text)
    except PolicyError as error:
        assert len(str(error).splitlines()) == 1


def test_size_is_bounded() -> None:
    wide = " | ".join("/".join(f"r{i}_{j}" for j in range(20)) for i in range(30))
    with pytest.raises(PolicyError, match="more than 400 states"):
        pattern.parse(wide)
    many = "(" + "|".join(f"r{i}" for i in range(2000)) + "){1,20}"
    assert len({t.state for t in pattern.parse(many).transitions}) == 20
    nothing = "a"
    for _ in range(40):
        nothing = f"({nothing}){{0,20}}" if nothing != "a" else "(a{0})"
    assert pattern.parse(f"b / {nothing}").max_length == 1


def test_states_with_one_future_are_one_state() -> None:
    automaton = pattern.parse("(reference | cited_by){1,3}")
    assert automaton.accepting == {1, 2, 3}
    assert len(automaton.transitions) == 6
    assert pattern.parse("any{1,3}[x]") == pattern.parse("any{0,2} / any[x]")
    assert pattern.parse("(a / b | ~c)[x]") == pattern.parse("a / b[x] | ~c[x]")
    assert pattern.parse("a[x]{2}[x]") == pattern.parse("a[x] / a[x]")
    assert pattern.parse("any{1,4}") == pattern.parse("any / any{0,3}")


def test_steps_as_written() -> None:
    transition = pattern.Transition
    assert pattern.parse("^'has part'[\"big venue\"] / ~any").transitions == (
        transition(0, "has part", False, "big venue", 1),
        transition(1, None, None, None, 2),
    )
    assert pattern.parse("'any'").transitions == (transition(0, "any", True, None, 1),)


def test_an_empty_path_may_be_accepted() -> None:
    automaton = pattern.parse("a?")
    assert (automaton.min_length, automaton.max_length, automaton.accepting) == (0, 1, frozenset({0, 1}))


def test_names_lists_relations_and_kinds() -> None:
    automaton = pattern.parse("[s] / a[k] / (^b | any[j]) / ~c")
    assert pattern.names(automaton) == (frozenset("abc"), frozenset("kjs"))


def test_check_names_the_nearest() -> None:
    automaton = pattern.parse("author_of / Paper[venu]")
    with pytest.raises(PolicyError) as caught:
        pattern.check(automaton, relations=["author", "paper"], kinds={"venue", "paper"})
    assert str(caught.value) == (
        "pattern: no relation `Paper`; did you mean `paper`? no relation `author_of`; did you mean `author`? "
        "no node kind `venu`; did you mean `venue`?"
    )
    pattern.check(pattern.parse("author / any[venue]"), relations=["author"], kinds=["venue"])


def test_check_lists_names_when_none_is_near() -> None:
    with pytest.raises(PolicyError, match=r"no relation `zzz`; there are `r00`, .*`r09` and 2 more"):
        pattern.check(pattern.parse("zzz"), relations=[f"r{i:02}" for i in range(12)], kinds=[])
    with pytest.raises(PolicyError, match="no node kind `k`; the graph has none"):
        pattern.check(pattern.parse("any[k]"), relations=[], kinds=[])


def test_a_test_at_the_beginning_is_of_the_first_node() -> None:
    plain, tested = pattern.parse("a / b | c"), pattern.parse("['big venue'] / a / b | c")
    assert (plain.start_kind, tested.start_kind) == (None, "big venue")
    assert tested.transitions == plain.transitions


SCHEMA = [("author", "paper", "paper"), ("paper", "venue", "venue"), ("paper", "cites", "paper"), ("", "near", "")]
DEAD = [
    ("venue / paper", None, "no edge paper leads on after venue from a node of kind `venue`; there are `^venue`"),
    ("paper / any[author]", None, "no edge any[author] leads on after paper from a node of kind `paper`"),
    ("paper", ["venue"], "no edge paper leads on from a node of kind `venue`; there are `^venue`"),
    ("^near / venue", None, "no edge venue leads on after ^near from a node of no kind; there are `^near`, `near`"),
    ("[venue] / paper", ["paper"], "no start is of kind `venue`"),
    ("(paper | cites){2} / paper", None, "no edge paper leads on after paper / cites from a node of kind `paper`"),
]


@pytest.mark.parametrize(("text", "kinds", "reason"), DEAD, ids=[text for text, _, _ in DEAD])
def test_a_sequence_that_no_edges_follow_is_refused_with_the_step_where_it_ends(
    text: str, kinds: list[str] | None, reason: str
) -> None:
    automaton = pattern.parse(text)
    assert pattern.dead_end(automaton, SCHEMA, kinds).startswith(reason)
    if kinds is None:
        with pytest.raises(PolicyError, match=f"^pattern: {re.escape(reason)}"):
            pattern.check(automaton, relations=["paper", "venue", "cites", "near"], kinds=["author"], schema=SCHEMA)


FOLLOWED = (
    "paper / venue",
    "^venue / ^paper[author]",
    "~any{1,5}",
    "cites?",
    "[author] / paper",
    "near | paper / paper",
)


@pytest.mark.parametrize("text", FOLLOWED)
def test_a_sequence_that_edges_follow_passes(text: str) -> None:
    automaton = pattern.parse(text)
    assert pattern.dead_end(automaton, SCHEMA) == ""
    pattern.check(automaton, relations=["paper", "venue", "cites", "near"], kinds=["author"], schema=SCHEMA)


def test_the_kind_of_the_first_node_counts() -> None:
    assert pattern.dead_end(pattern.parse("[venue] / paper"), SCHEMA).startswith("no edge paper leads on from")
    assert pattern.dead_end(pattern.parse("^venue"), SCHEMA, ["venue", "paper"]) == ""


LONGEST = {"a": 1, "a / b / c": 3, "a? / b": 2, "a{1,3}": 3, "(a / b | c)": 2, "b / a{0,5}": 4}


@pytest.mark.parametrize("text", LONGEST)
def test_a_walk_need_not_go_further_than_the_longest_path_of_its_pattern(text: str) -> None:
    rules = pattern.transitions(pattern.parse(text), {name: number for number, name in enumerate("abc")})
    assert pattern.depth_of(rules, 4) == LONGEST[text]
    shifted = [{**r, "state": r["state"] + 9 * (r["state"] >= 0), "next_state": r["next_state"] + 9} for r in rules]
    assert pattern.depth_of([*rules, *shifted], 4) == LONGEST[text]


@pytest.mark.parametrize(("text", "free"), [("a", True), ("a[k]", True), ("[k] / a", False), ("a?", False)])
def test_a_pattern_tests_its_first_node_or_accepts_it_or_neither(text: str, free: bool) -> None:
    rules = pattern.transitions(pattern.parse(text), {"a": 0})
    assert pattern.is_entered_freely(rules) is free
