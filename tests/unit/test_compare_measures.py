"""What `mosaic compare` is made of: questions read, measures by hand, policies derived, labels placed."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from mosaic_sql import text as words
from mosaic_sql.bench.compare import Question, Row, first, fixed, intervals, load, plots, statements, traits
from mosaic_sql.bench.compare.questions import located
from mosaic_sql.bench.compare.statements import Part
from mosaic_sql.bench.compare.table import by_kind
from mosaic_sql.errors import IngestError
from mosaic_sql.policy import Policy, default_policy

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "questions.jsonl"


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


# -- questions -------------------------------------------------------------------------------------------------------


def test_a_line_may_hold_every_field_or_the_question_alone(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "q.jsonl",
        {"question": "A?", "support": ["x", 7], "evidence": " one ; two;; ", "answers": ["a"], "kind": "list"},
        {"question": "B?", "documents": "y", "evidence": ["three"], "expected": ["b", "c"], "need": "direct", "id": 9},
        {"question": "C?"},
    )
    assert load(file) == (
        Question("A?", f"{file}:1", frozenset({"x", "7"}), ("one", "two"), ("a",), "list"),
        Question("B?", f"{file}:2", frozenset({"y"}), ("three",), ("b", "c"), "direct"),
        Question("C?", f"{file}:3"),
    )


def test_what_no_file_can_hold_is_replaced(tmp_path: Path) -> None:
    file = lines(tmp_path / "q.jsonl", {"question": "A\ud800?", "evidence": "b\udfff", "kind": "c\ud800", "answers": 7})
    (question,) = load(file)
    assert (question.text, question.statements, question.kind, question.answers) == ("A??", ("b?",), "c?", ("7",))


def test_a_kind_named_all_is_not_all_of_them() -> None:
    asked = [Question("?", "", kind=kind) for kind in ("all", "bridge", "")]
    assert by_kind(asked) == {"all": [0, 1, 2], "all (kind)": [0], "bridge": [1]}
    assert by_kind(asked[1:]) == {"all": [0, 1]}


def test_the_sample_questions_are_read_as_they_are() -> None:
    read = load(SAMPLE)
    assert (read[0].support, read[0].answers, read[0].kind) == ({"francium.md"}, ("Marguerite Perey", "1939"), "direct")
    chosen = first(read, None, 1)
    assert len({question.kind for question in chosen}) == len(chosen) == len({question.kind for question in read})
    assert first(read, 2, None) == read[:2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no questions; it needs one JSON object a line"),
        ("\n \n", "holds no questions"),
        ("{", ":1: not a line of JSON"),
        ("[]", ":1: a list where a JSON object was expected"),
        ('{"q": "x"}', ":1: no question; give a text under `question`"),
        ('{"question": " "}', ":1: the question is empty"),
        ('{"question": "x"}\n{"question": "y", "support": {"a": 1}}', ":2: support holds a dict; give texts"),
        ('{"question": "x", "answers": [true]}', ":1: answers holds a bool"),
    ],
)
def test_what_is_no_question_is_told_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(IngestError, match=re.escape(message)) as told:
        load(file)
    assert "\n" not in str(told.value)


def test_a_document_is_found_by_its_source_or_the_end_of_it() -> None:
    sources = ["a/x.md", "b/x.md", "b/c/y.md", "z.md"]

    def place(name: str) -> frozenset[str]:
        return located([Question("?", "f:1", frozenset({name}))], sources, "DB")[0].support

    assert [place(name) for name in ("b/x.md", "y.md", "c/y.md", "z.md")] == [
        {"b/x.md"}, {"b/c/y.md"}, {"b/c/y.md"}, {"z.md"},
    ]  # fmt: skip
    with pytest.raises(IngestError, match=r"f:1: 'x.md' may be 'a/x.md' or 'b/x.md'; write the whole source"):
        place("x.md")
    with pytest.raises(IngestError, match=r"f:1: DB holds no document '/z\.md'; name a document by its source"):
        place("/z.md")


# -- measures --------------------------------------------------------------------------------------------------------


def test_a_statement_is_held_from_seven_tenths_of_its_stems_on() -> None:
    (statement,) = statements.statements(["The five words: alpha beta gamma delta epsilon"])
    assert len(statement) == 7
    text = "alpha betas gamma deltas"
    assert not statements.holds(frozenset(words.stems(text)), statement)  # 4 of 7
    assert statements.holds(frozenset(words.stems(text + " words")), statement)  # 5 of 7
    (ten,) = statements.statements(["a1 a2 a3 a4 a5 a6 a7 a8 a9 a10"])
    assert statements.holds(frozenset(f"a{n}" for n in range(1, 8)), ten)


def test_what_says_nothing_is_not_looked_for() -> None:
    assert statements.statements(["yes", "No.", "the", "", "no idea"]) == (frozenset({"idea"}),)


def test_a_context_is_judged_as_a_whole_by_passage_and_by_length() -> None:
    wanted = statements.statements(["Rome lies on the Tiber", "Paris lies on the Seine", "Bonn lies nowhere"])
    parts = [Part("Rome lies on the Tiber."), Part("Seine, 18 letters.", title="Paris"), Part("It lies there.")]
    assert [len(part.text) for part in parts] == [23, 18, 14]
    assert statements.judge(wanted, parts) == {
        "statements": pytest.approx(2 / 3),  # Paris and Seine in one passage, lies in another
        "in_passage": pytest.approx(1 / 3),
        "precision": pytest.approx(23 / 55),
    }
    assert statements.judge(wanted, []) == {"statements": 0, "in_passage": 0, "precision": 0}


def test_a_context_is_cut_at_the_character() -> None:
    parts = [Part("abcde", "t"), Part("fgh"), Part("ij")]
    assert statements.cut(parts, 5) == parts[:1]
    assert statements.cut(parts, 6) == [parts[0], Part("f")]
    assert statements.cut(parts, 99) == parts
    assert [statements.length(statements.cut(parts, size)) for size in (1, 7, 10)] == [1, 7, 10]


def test_an_interval_is_seeded_and_holds_the_difference() -> None:
    one, other = [1.0, 1.0, 0.0, 1.0] * 25, [0.0, 1.0, 0.0, 1.0] * 25
    told = intervals.interval(one, other, seed=1)
    assert told == intervals.interval(one, other, seed=1)
    mean, low, high = told
    assert mean == 25
    assert (low, high) == (pytest.approx(25 - 8.5, abs=2), pytest.approx(25 + 8.5, abs=2))  # 1.96 * sqrt(.1875 / 100)
    assert intervals.interval([0.5] * 3, [0.25] * 3, seed=0) == (25, 25, 25)


def test_alignment_compares_questions_with_a_trait_and_without() -> None:
    asked = [
        Question("?", "", kind="bridge"),
        Question("?", "", kind="Fact Retrieval"),
        Question("?", "", frozenset({"a", "b"})),  # of no category: two documents are two hops
        Question("?", "", kind="comparison"),
    ]
    connected = Policy.parse({"use_connector": True, "evidence_count": 14})
    shallow = Policy.parse({"max_depth": 2})
    rows = traits.alignment("beam", asked, [connected, shallow, connected, shallow])
    assert {(row.trait, row.with_trait, row.without, row.questions_with) for row in rows} == {
        ("multi-target", 0.0, 66.7, 1),
        ("multi-answer", None, 50.0, 0),
        ("multi-hop", 100.0, 0.0, 2),
        ("direct", 100.0, 33.3, 1),
    }


# -- policies --------------------------------------------------------------------------------------------------------


def test_the_matched_policy_has_the_rounded_means() -> None:
    made = [
        Policy.parse({"seed_limit": seeds, "max_depth": depth, "evidence_count": count, "min_evidence": 6})
        for seeds, depth, count in [(7, 2, 6), (10, 3, 14), (8, 2, 8)]
    ]
    policy = fixed.matched(made, "beam")
    assert [fixed.value(policy, name) for name in fixed.MATCHED] == [8, 2, 8, 9]
    assert policy == fixed.with_controls(
        default_policy("beam"), {"seed_limit": 8, "max_depth": 2, "beam_width": 8, "evidence_count": 9}
    )
    assert fixed.with_controls(policy, {"evidence_count": 2}).evidence.min_evidence == 2


def test_a_reset_moves_one_control() -> None:
    policy = Policy.parse({"operator": "beam", "use_connector": True, "evidence_count": 16, "min_evidence": 12})
    assert fixed.reset(policy, "use_connector") == Policy.parse({"use_connector": False}, base=policy)
    assert fixed.reset(policy, "max_depth") == policy
    assert fixed.reset(policy, "evidence_count").evidence.min_evidence == 8  # the floor gives way to the cap


@pytest.mark.parametrize(
    ("start", "wanted", "count", "tried"),
    [
        (8, 810, 8, [8]),  # near enough
        (8, 1600, 16, [8, 16]),
        (8, 390, 4, [8, 4]),
        (8, 350, 3, [8, 4, 3]),  # as far as 4: the smaller one
        (8, 40, 1, [8, 1]),
        (8, 5000, 50, [8, 50, 63]),  # longer than 40 units a context does not get
    ],
)
def test_the_evidence_count_of_the_nearest_length_is_found(
    start: int, wanted: float, count: int, tried: list[int]
) -> None:
    asked: list[int] = []

    def characters(units: int) -> float:
        asked.append(units)
        return 100.0 * min(units, 40)

    assert fixed.nearest_count(start, wanted, characters) == count
    assert asked[: len(tried)] == tried
    assert len(asked) == len(set(asked)) <= fixed.TRIES


# -- plots -----------------------------------------------------------------------------------------------------------


def test_labels_of_close_points_stand_apart_and_inside_the_frame() -> None:
    rows = [Row("beam", f"p{n}", {"all": {"R@5": 1.0, "paths": 10.0**n}}, {"all": 1}) for n in range(1, 6)]
    drawn = plots.scatter([*rows, Row("beam", "still", {"all": {"R@5": 1.0, "paths": 0.0}}, {"all": 1})], "R@5", 1)
    heights = [float(y) for y in re.findall(r'y="([\d.]+)" text-anchor="start"', drawn)]
    assert len(heights) == 5  # what scores no path has no place on the scale
    assert all(below - above >= 14.9 for above, below in pairwise(heights))
    assert max(heights) < 320
    assert plots.scatter(rows, "statements", 1) == plots.bars([], "R@5", 1) == ""
