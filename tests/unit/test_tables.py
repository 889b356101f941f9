"""Cells, entity tables and lines: whatever names are made of, one row is one line, and no budget is passed."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_sql.context import cells
from mosaic_sql.context.tables import Budget, Entity, Lines, Piece, Table
from mosaic_sql.text import token_count

ODD = st.text(alphabet=string.printable + "é漢אب\u202e\u2066\u0000\u0007|;\"'<>-→", max_size=60)


def table(*rows: Entity, anchors: int = 0, budget: int = 10_000, hidden: int = 0) -> list[str]:
    made = Table(rows[:anchors], rows[anchors:], hidden=hidden)
    left = Budget(budget)
    made.anchors(left)
    made.fill(left)
    return made.texts()


# -- cells -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Marie Curie", "Marie Curie"),
        ("two\nlines\tand \r\n more", "two lines and more"),
        ("a | b", '"a | b"'),
        ("Me; Myself", '"Me; Myself"'),
        ("a -> b", '"a -> b"'),
        ('8" gun', '"8\' gun"'),
        ("   ", '""'),
        ("", '""'),
        ("bell\x07 and \x1b[31mred", "bell and [31mred"),
        ("שלום", "שלום"),
        ("good \u202egpj.exe\u202c", "good gpj.exe"),
        ("</passage>", "</passage>"),
        ("semi;colon", '"semi;colon"'),
        ("Jean-Luc", "Jean-Luc"),
    ],
)
def test_a_cell_is_one_line_and_stands_in_quotes_where_it_holds_what_parts_cells(text: str, shown: str) -> None:
    assert cells.cell(text) == shown


@given(ODD, st.integers(2, 80))
def test_a_cell_has_no_line_end_and_no_mark_outside_its_quotes(text: str, limit: int) -> None:
    shown = cells.cell(text, limit)
    assert "\n" not in shown
    assert len(shown) <= limit + 2
    quoted = shown.startswith('"') and shown.endswith('"') and len(shown) > 1
    inside = shown[1:-1] if quoted else shown
    assert '"' not in inside
    assert quoted or not any(mark in shown for mark in ("|", ";", "->", "<-"))


def test_properties_leave_out_what_is_null_or_empty() -> None:
    text = json.dumps(
        {"year": 1904, "note": None, "tags": [], "shares": ["a", 2], "place": {"x": 1}, "on": False, "s": ""}
    )
    assert cells.properties(text) == {"year": "1904", "shares": "a, 2", "place": '{"x": 1}', "on": "false"}
    assert [cells.properties(text) for text in (None, "", "null", "[1]", "3")] == [{}] * 5


def test_nodes_of_one_name_are_told_apart_by_kind_else_by_id() -> None:
    nodes = [(1, "Mercury", ("planet",)), (2, "Mercury", ("element",)), (3, "Heat", ()), (4, "Heat", ()), (5, "Io", ())]
    assert cells.told_apart(nodes, 40) == {
        1: "Mercury (planet)", 2: "Mercury (element)", 3: "Heat (node 3)", 4: "Heat (node 4)", 5: "Io"
    }  # fmt: skip


# -- the entity table ------------------------------------------------------------------------------------------------


def test_one_entity_of_a_kind_is_a_record_and_several_are_a_table() -> None:
    rows = [
        Entity("Ann", "author", {"born": "1950", "field": "optics"}),
        Entity("P1", "paper", {"year": "2001", "label": "physics"}),
        Entity("P2", "paper", {"year": "2003"}),
        Entity("P3", "paper", {"label": "chemistry"}),
    ]
    assert table(*rows, anchors=1) == [
        "Ann (author): born: 1950; field: optics",
        "paper: name | year | label\nP1 | 2001 | physics\nP2 | 2003\nP3 |  | chemistry",
    ]


def test_names_alone_share_a_line_and_what_is_left_out_is_told() -> None:
    assert table(Entity("Mercury (god)", "god", {"of": "trade"})) == ["Mercury (god): of: trade"]
    assert table(Entity("A", "city", {}), Entity("B", "city", {}), hidden=312) == ["city: A; B\nand 312 more"]
    assert table() == []


def test_an_anchor_keeps_as_many_values_as_there_is_room_for() -> None:
    long = Entity("Ann", "author", {"born": "1950", "abstract": "x" * 900, "field": "optics"})
    assert table(long, anchors=1, budget=100) == ["Ann (author): born: 1950"]
    assert table(long, anchors=1, budget=2000) == [f"Ann (author): born: 1950; abstract: {'x' * 900}; field: optics"]


ENTITY = st.builds(
    lambda name, kind, values: Entity(cells.cell(name, 40), kind, {k: cells.line(v, 40) for k, v in values.items()}),
    ODD,
    st.sampled_from(["", "paper", "author"]),
    st.dictionaries(st.sampled_from(["year", "label", "note"]), ODD.filter(str.strip), max_size=3),
)


@settings(max_examples=150)
@given(st.lists(ENTITY, max_size=12), st.integers(0, 3), st.integers(0, 300))
def test_a_table_takes_no_more_than_its_budget(rows: list[Entity], anchors: int, budget: int) -> None:
    made = Table(rows[:anchors], rows[anchors:])
    left = Budget(budget)
    made.anchors(left)
    made.fill(left)
    told = sum(token_count(f"entity: {text}") for text in made.texts())
    spare = token_count("\nand 12 more") if made.hidden else 0
    assert told <= budget + spare
    assert sum(text.count("\n") + 1 for text in made.texts()) <= 2 * len(rows) + 1


# -- lines -----------------------------------------------------------------------------------------------------------


def piece(head: str, name: str, total: int = 0, edge_id: int = 0) -> Piece:
    return Piece(head, f"{head} -r-> ", name, (edge_id,), 1.0, family=head, total=total)


def test_pieces_of_one_head_share_a_line_that_says_how_many_it_does_not_name() -> None:
    lines = Lines([piece("A", "x", 5, 1), piece("B", "y", 1, 2), piece("A", "z", 5, 3), piece("A", "x", 5, 4)])
    lines.fill(Budget(1000))
    assert [(str(line), line.edge_ids) for line in lines.finished()] == [
        ("A -r-> x; z; and 2 more", (1, 3, 4)), ("B -r-> y", (2,))
    ]  # fmt: skip


def test_filling_goes_on_where_it_stopped() -> None:
    pieces = [piece("A", f"name {number}") for number in range(40)]
    whole, parts = Lines(pieces), Lines(pieces)
    whole.fill(Budget(120))
    for _ in range(3):
        parts.fill(Budget(40))
    assert 0 < parts.taken <= whole.taken < 40
    parts.fill(Budget(10_000))
    assert (parts.taken, str(parts.finished()[0])) == (40, "A -r-> " + "; ".join(f"name {n}" for n in range(40)))


@settings(max_examples=150)
@given(st.lists(st.tuples(st.sampled_from("ABC"), ODD), max_size=40), st.integers(0, 400))
def test_lines_take_no_more_than_their_budget(rows: list[tuple[str, str]], budget: int) -> None:
    lines = Lines([piece(head, cells.cell(name, 40), total=99_999) for head, name in rows])
    lines.fill(Budget(budget))
    assert sum(token_count(f"relation: {line}") for line in lines.finished()) <= budget
