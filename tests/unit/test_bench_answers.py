"""`mosaic bench answers`: whole runs over a tiny folder, without a model and with a server on loopback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bench_folder import PASSAGES, write
from click.testing import CliRunner, Result
from fake_openai import FakeServer, Response, completion, serving

from mosaic_sql.bench import answers, dataset
from mosaic_sql.bench.answers import Told
from mosaic_sql.bench.dataset import Question
from mosaic_sql.bench.judge import CRITERIA
from mosaic_sql.commands.bench import bench
from mosaic_sql.errors import IngestError

ASKED = [
    ("q0", "Where was the designer of the engine that Ada Lovelace wrote notes on born?", ["Walworth"], "hop"),
    ("q1", "In which street was the husband of Marie Curie killed?", ["the Rue Dauphine"], "hop"),
    ("q2", "What is Le Havre?", ["Le Havre is a port in the north of Normandy"], "long"),
    ("q3", "Is Polonium a metal?", ["yes"], "truth"),
    ("q4", "Xylophone quux frobnicate?", ["Zanzibar"], "none"),
]


def questions() -> list[dict[str, Any]]:
    return [{"id": id_, "question": text, "answers": gold, "kind": kind} for id_, text, gold, kind in ASKED]


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path / "tiny", questions=questions())


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as fake:
        yield fake


def invoke(*arguments: object) -> Result:
    words = ["answers", *map(str, arguments), "--embedder", "hash"]
    return CliRunner().invoke(bench, words, help_option_names=["-h", "--help"])  # as below `mosaic`: click keeps them


def rows_of(*arguments: object) -> list[dict[str, Any]]:
    done = invoke(*arguments, "--json")
    assert done.exit_code == 0, done.output
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def told(gold: list[str], **values: Any) -> Told:
    usual = {"method": "default", "text": "x", "refused": False, "reason": "", "exact": 0.0, "f1": 0.0, "recall": 0.0,
             "contained": False, "held": True, "citations": 1, "holding": 0, "milliseconds": 1.0}  # fmt: skip
    return Told(Question("q", "?", frozenset(), "", tuple(gold)), **{**usual, **values})


# -- sums ------------------------------------------------------------------------------------------------------------


def test_shares_by_hand() -> None:
    long = ["one two three four five six seven"]
    items = [
        told(["Paris"], exact=1.0, f1=1.0, contained=True, citations=2, holding=1),
        told(["Paris"], f1=0.5, citations=0),
        told(["Paris"], refused=True, text="", citations=0, held=True),
        told(["Paris"], refused=True, text="", citations=0, held=False),
        told(long, recall=0.25, citations=2, holding=2, held=False),
        told(["yes"], contained=True, held=None, citations=3),
        told(["Paris"], failed=True, text="", citations=0, held=None),
        told([], refused=True, text="", citations=0, held=None),  # no answer is the right one
        told([], refused=True, text="", citations=0, held=None),
        told([], citations=1, held=None),
        told([], failed=True, text="", citations=0, held=None),
    ]
    [row] = answers.results("set", items)
    assert (row.kind, row.questions, row.failed, row.judge_failed) == ("all", 11, 2, 0)
    assert row.measures == {
        "EM": 16.7,  # 1 of 6 short ones
        "F1": 25.0,  # 1.5 of 6
        "contains": 20.0,  # 1 of 5: yes counts for nothing here
        "recall": 25.0,
        "context": 60.0,  # 3 of 5: neither the failure nor yes
        "refused": 36.4,  # 4 of 11
        "false_refused": 14.3,  # 1 of 7: those that have an answer
        "honest_refused": 14.3,
        "right_refused": 50.0,  # 2 of 4: those that have none
        "cited": 75.0,  # 3 of 4 answers
        "cites_gold": 75.0,  # 3 of 4, those of yes left out
    }


def test_a_measure_for_which_no_question_counts_is_none() -> None:
    [row] = answers.results("set", [told(["yes"], held=None, citations=0)])
    wanted = {"contains", "recall", "context", "cites_gold", "right_refused"}
    assert {name for name, value in row.measures.items() if value is None} == wanted


def test_of_questions_without_an_answer_only_refusals_are_measured() -> None:
    [row] = answers.results("set", [told([], refused=True, held=None), told([], held=None)])
    told_of = {name: value for name, value in row.measures.items() if value is not None}
    assert told_of == {"refused": 50.0, "right_refused": 50.0}


def test_each_kind_has_a_row_below_that_of_all() -> None:
    items = [Told(**{**vars(told(["x"])), "question": Question(k, "?", frozenset(), k, ("x",))}) for k in "bab"]
    assert [(row.kind, row.questions) for row in answers.results("set", items)] == [("all", 3), ("b", 2), ("a", 1)]


# -- whole runs ------------------------------------------------------------------------------------------------------


def test_quoted_answers_are_measured_without_a_model(tiny: Path) -> None:
    rows = rows_of(tiny, "--methods", "default,unlinked")
    assert [(row["method"], row["kind"], row["questions"]) for row in rows[:5]] == [
        ("default", "all", 5), ("default", "hop", 2), ("default", "long", 1), ("default", "truth", 1),
        ("default", "none", 1),
    ]  # fmt: skip
    by_kind = {row["kind"]: row for row in rows if row["method"] == "default"}
    assert by_kind["hop"]["contains"] == by_kind["hop"]["context"] == 100.0
    assert by_kind["hop"]["EM"] == 0.0  # a quoted sentence is never the bare name
    assert 0 < by_kind["hop"]["F1"] < 60
    assert by_kind["long"]["recall"] == 80.0  # le, havr, port and normandi of five: all but north
    assert by_kind["truth"]["contains"] is None
    assert (by_kind["none"]["refused"], by_kind["none"]["false_refused"]) == (100.0, 0.0)
    assert by_kind["none"]["honest_refused"] == 100.0
    assert by_kind["all"]["cited"] == 100.0
    assert rows[0]["usage"] == {}


def test_the_index_is_kept_and_a_corpus_is_asked_as_it_is(tiny: Path, tmp_path: Path) -> None:
    db = tmp_path / "kept.duckdb"
    first = rows_of(tiny, "--db", db)
    (tiny / "corpus.jsonl").unlink()  # the passages are at hand
    stamp = db.stat().st_mtime_ns
    again = rows_of(tiny, "--db", db)
    timed = ("p50_ms", "p95_ms")
    assert [{k: v for k, v in row.items() if k not in timed} for row in again] == [
        {k: v for k, v in row.items() if k not in timed} for row in first
    ]
    assert db.stat().st_mtime_ns == stamp


def test_a_plain_text_is_a_corpus_too(tiny: Path) -> None:
    (tiny / "corpus.jsonl").unlink()
    (tiny / "corpus.txt").write_text("\n\n".join(text for _, text in PASSAGES), encoding="utf-8")
    rows = rows_of(tiny, "--limit", 2)
    assert rows[0]["context"] == 100.0


def test_a_file_of_a_policy_is_a_method(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "thin.json").write_text('{"operator": "chunk_hop", "evidence_count": 5}', encoding="utf-8")
    rows = rows_of(tiny, "--methods", f"{tmp_path / 'thin.json'}", "--limit", 1)
    assert [row["method"] for row in rows] == [str(tmp_path / "thin.json")]


def test_every_answer_can_be_looked_at(tiny: Path, tmp_path: Path) -> None:
    each = tmp_path / "each.jsonl"
    rows_of(tiny, "--each", each)
    lines = [json.loads(line) for line in each.read_text(encoding="utf-8").splitlines()]
    assert [line["question_id"] for line in lines] == ["q0", "q1", "q2", "q3", "q4"]
    assert lines[0]["gold"] == ["Walworth"]
    assert lines[0]["contained"] is True
    assert "born in Walworth" in lines[0]["text"]
    assert "[1]" not in lines[0]["text"]
    assert (lines[4]["text"], lines[4]["refused"]) == ("", True)


def test_a_table_for_people(tiny: Path) -> None:
    done = invoke(tiny, "--limit", 2)
    lines = done.stdout.splitlines()
    assert lines[0] == "tiny"
    assert lines[1].split() == (
        "method kind n EM F1 contains context refused falsely honestly cited cites gold p50 ms".split()
    )
    assert lines[2].split()[:3] == ["default", "all", "2"]
    assert done.exit_code == 0


UNANSWERABLE = [
    {"id": "u0", "question": "Xylophone quux frobnicate?", "answers": [], "kind": "unanswerable"},
    {"id": "u1", "question": "What is Le Havre?", "answers": [], "kind": "unanswerable"},
]


def test_a_question_without_an_answer_is_right_where_it_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "mixed", questions=[*questions()[:1], *UNANSWERABLE])
    rows = {row["kind"]: row for row in rows_of(folder, "--each", tmp_path / "each.jsonl")}
    none = rows["unanswerable"]
    assert (none["questions"], none["refused"], none["right_refused"]) == (2, 50.0, 50.0)
    assert (none["EM"], none["false_refused"], none["honest_refused"], none["cited"]) == (None,) * 4
    assert (rows["hop"]["right_refused"], rows["hop"]["false_refused"]) == (None, 0.0)
    assert (rows["all"]["contains"], rows["all"]["false_refused"], rows["all"]["right_refused"]) == (100.0, 0.0, 50.0)
    lines = [json.loads(line) for line in (tmp_path / "each.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["gold"], line["exact"], line["held"]) for line in lines[1:]] == [([], 0.0, None)] * 2
    assert "rightly" in invoke(folder).stdout.splitlines()[1].split()


def test_a_judge_is_not_asked_about_questions_without_an_answer(tmp_path: Path, server: FakeServer) -> None:
    folder = write(tmp_path / "mixed", questions=[*questions()[:1], *UNANSWERABLE])
    scripted(server)
    args = ("--methods", "default,unlinked", "--judge", "wise", "--judge-base-url", server.url)
    assert "at most 6 calls" in invoke(folder, *args, "--dry-run").stdout
    rows = {(row["method"], row["kind"]): row for row in rows_of(folder, *args)}
    row, none = rows["default", "all"], rows["default", "unanswerable"]
    assert (row["statements"], row["judge_failed"], row["usage"]["judge"]["calls"]) == (66.7, 0, 3)
    assert (none["statements"], none["judge_failed"], none["won_overall"]) == (None, 0, None)


# -- with a model ----------------------------------------------------------------------------------------------------


def scripted(server: FakeServer, *, judge: str = "") -> None:
    """The answering model names a street; the judge finds that one statement of two is shared, and that A is best."""

    def reply(path: str, body: dict[str, Any]) -> Response:
        if body["model"] != "wise":
            return completion("The Rue Dauphine [1].")
        if judge:
            return completion(judge)
        if "answer A" in body["messages"][1]["content"]:
            return completion(json.dumps({name: ["A"] for name in CRITERIA}))
        one = [{"statement": "x", "supported": True}]
        two = [*one, {"statement": "y", "supported": False}]
        return completion(json.dumps({"answer": one, "gold": two}))

    server.always = reply


def test_a_models_answers_are_measured_and_its_tokens_told(tiny: Path, server: FakeServer) -> None:
    scripted(server)
    rows = rows_of(tiny, "--model", "bard", "--base-url", server.url, "--limit", 2)
    assert (rows[0]["EM"], rows[0]["contains"]) == (50.0, 50.0)
    assert rows[0]["usage"] == {
        "model": {"model": "bard", "calls": 2, "prompt_tokens": 22, "completion_tokens": 14, "failures": 0}
    }


def test_a_model_that_fails_is_counted_as_wrong_and_the_run_as_partly_done(tiny: Path, server: FakeServer) -> None:
    server.once(completion(None))
    done = invoke(tiny, "--model", "bard", "--base-url", server.url, "--limit", 2, "--json")
    assert done.exit_code == 5
    row = json.loads(done.stdout)[0]
    assert (row["failed"], row["EM"], row["refused"]) == (1, 0.0, 0.0)
    assert "1 failed" in done.stderr


def test_a_judge_adds_shared_statements_and_winners(tiny: Path, server: FakeServer) -> None:
    scripted(server)
    args = ("--methods", "default,unlinked", "--judge", "wise", "--judge-base-url", server.url, "--seed", 7)
    rows = [row for row in rows_of(tiny, *args, "--limit", 2) if row["kind"] == "all"]
    assert [row["statements"] for row in rows] == [66.7, 66.7]
    shares = [row["won_overall"] for row in rows]
    assert sum(shares) == 100.0
    assert rows[0]["usage"]["judge"]["calls"] == 2 * 2 + 2
    assert {row["seed"] for row in rows} == {7}
    again = [row for row in rows_of(tiny, *args, "--limit", 2) if row["kind"] == "all"]
    assert [row["won_overall"] for row in again] == shares
    assert not any("unlinked" in json.dumps(body) for _, body in server.requests)


def test_what_the_judge_failed_on_is_counted_and_not_averaged(tiny: Path, server: FakeServer) -> None:
    scripted(server, judge="I would rather not.")
    done = invoke(tiny, "--judge", "wise", "--base-url", server.url, "--limit", 2, "--json")
    row = json.loads(done.stdout)[0]
    assert done.exit_code == 5
    assert (row["judge_failed"], row["statements"], row["won_overall"]) == (2, None, None)
    assert row["usage"]["judge"] == {
        "model": "wise", "calls": 4, "prompt_tokens": 44, "completion_tokens": 28, "failures": 2
    }  # fmt: skip
    assert "4 calls" in done.stderr


def test_a_dry_run_sends_nothing_and_keeps_nothing(tiny: Path, tmp_path: Path, server: FakeServer) -> None:
    db = tmp_path / "no.duckdb"
    done = invoke(
        tiny, "--db", db, "--model", "bard", "--base-url", server.url, "--judge", "wise", "--dry-run",
        "--methods", "default,unlinked",
    )  # fmt: skip
    assert done.exit_code == 0
    assert server.requests == []
    assert not db.exists()
    first, second = done.stdout.splitlines()
    assert first.startswith("bard would be asked 8 times, about ")  # q4 is refused before a model is asked
    assert second == "wise would judge in at most 30 calls"
    assert invoke(tiny, "--dry-run").stdout == "nothing would be sent: no --model and no --judge\n"


# -- refusals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gold", [None, "Paris", [1], [" "], {}])
def test_a_question_without_gold_is_named(tmp_path: Path, gold: object) -> None:
    folder = write(tmp_path / "bad", questions=[{"id": "q", "question": "Who?", "answers": gold}])
    with pytest.raises(IngestError, match=r"questions\.jsonl:1: no answers"):
        dataset.load_gold(folder)


def test_usage_errors(tiny: Path, tmp_path: Path) -> None:
    assert invoke(tiny, "--methods", "best").exit_code == 2
    assert invoke(tiny, tiny, "--db", tmp_path / "new.duckdb").exit_code == 2
