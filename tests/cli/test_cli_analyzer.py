"""`--analyzer model` and `mosaic policy study`, against a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_openai import FakeServer, completion, refuse, serving, slow
from test_reading import GOOD

QUESTION = "Who designed the Analytical Engine?"
PLAN = {**GOOD, "targets": ["Analytical Engine"], "max_depth": 2, "seed_query_mode": "full_query"}
BEAM = ("--policy", "mosaic")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving() as fake:
        fake.always = lambda path, body: completion(json.dumps(PLAN) if "response_format" in body else "Babbage [1].")
        yield fake


def asked(server: FakeServer) -> tuple[str, ...]:
    return ("--analyzer", "model", "--model", "m1", "--base-url", server.url)


def test_the_model_reads_the_question_of_every_command(run, small: Path, server: FakeServer) -> None:
    told = json.loads(run("ask", small, QUESTION, *BEAM, *asked(server), "--json").stdout)
    assert (told["analyzer"], told["policy"]["walk"]["max_depth"], told["answer"]) == ("m1", 2, "Babbage [1].")
    assert (told["signals"], told["facets"]) == (PLAN["signals"], ["age"])
    assert (told["risk"], told["rationale"]) == (PLAN["risk"], PLAN["rationale"])
    explained = json.loads(run("explain", small, QUESTION, *BEAM, *asked(server), "--json").stdout)
    assert (explained["analyzer"], explained["policy"]) == ("m1", told["policy"])
    assert "-- policy by m1" in run("sql", small, QUESTION, *BEAM, *asked(server)).stdout
    assert run("retrieve", small, QUESTION, *BEAM, *asked(server), "--json").exit_code == 0
    assert len(server.requests) == 5


def test_a_model_alone_answers_and_does_not_read(run, small: Path, server: FakeServer) -> None:
    told = json.loads(run("ask", small, QUESTION, *asked(server)[2:], "--json").stdout)
    assert (told["analyzer"], len(server.requests)) == ("rules", 1)


def test_a_fallback_is_told_on_stderr_and_the_data_are_those_of_the_rules(run, small: Path, server: FakeServer) -> None:
    server.always = lambda path, body: completion("I would rather not.")
    read = run("retrieve", small, QUESTION, *asked(server), "--json")
    assert read.exit_code == 0
    assert json.loads(read.stdout) == json.loads(run("retrieve", small, QUESTION, "--json").stdout)
    assert "m1 did not read the question, the rules did: it holds no JSON object" in read.stderr


def test_a_time_out_bounds_the_call_of_the_model_too(run, small: Path, server: FakeServer) -> None:
    server.script.append(slow(4))
    read = run("retrieve", small, QUESTION, *asked(server), "--timeout", 2, "--json")
    assert (read.exit_code, bool(json.loads(read.stdout))) == (0, True)
    assert "m1 did not read the question, the rules did: m1 did not answer within 2 s" in read.stderr


def test_a_ceiling_leaves_the_rest_of_the_questions_to_the_rules(
    run, small: Path, questions: Path, server: FakeServer
) -> None:
    study = ("policy", "study", small, questions, *BEAM, *asked(server), "--json")
    told = json.loads(run(*study, "--max-tokens-total", 100).stdout)
    assert (told["fell back"], told["prompt_tokens"], len(server.requests)) == (3, 0, 0)
    told = json.loads(run(*study, "--ceiling", 0.0021, "--price-in", 1, "--price-out", 1).stdout)
    assert told["at once"] + told["fell back"] == 3
    assert run(*study, "--ceiling", 1).stderr.startswith("mosaic: ceiling: money needs a price")


def test_an_analyzer_without_a_model_is_one_line(run, small: Path) -> None:
    for verb in ("ask", "retrieve", "explain", "sql"):
        result = run(verb, small, QUESTION, "--analyzer", "model", "--model", "none")
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
        assert "the analyzer `model` needs a chat model; name one by --model" in result.stderr
    assert run("ask", small, QUESTION, "--analyzer", "oracle").exit_code == 2


@pytest.mark.parametrize(("verb", "calls"), [("ask", 2), ("retrieve", 1), ("explain", 1), ("sql", 1)])
def test_a_dry_run_prints_what_would_be_asked_and_asks_nobody(
    run, small: Path, server: FakeServer, verb: str, calls: int
) -> None:
    result = run(verb, small, QUESTION, *asked(server), "--dry-run")
    assert (result.exit_code, server.requests) == (0, [])
    assert result.stdout.count("system:\n") == calls
    assert f"<question>{QUESTION}</question>" in result.stdout
    assert f"{calls} call{'s' if calls > 1 else ''} of a model, about " in result.stderr
    assert ("</passage>" in result.stdout) is (verb == "ask")


def test_a_dry_run_without_a_model_says_that_there_is_nothing_to_ask(run, small: Path) -> None:
    result = run("ask", small, QUESTION, "--dry-run")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "0 calls of a model, about 0 tokens to read; none was made" in result.stderr


# -- policy study ----------------------------------------------------------------------------------------------------


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    asked = [QUESTION, "Where did Ada Lovelace live?", "List the engines."]
    path.write_text("\n\n".join(json.dumps({"question": text, "need": 1}) for text in asked), encoding="utf-8")
    return path


def test_questions_are_read_by_the_rules_without_a_model(run, small: Path, questions: Path) -> None:
    told = json.loads(run("policy", "study", small, questions, "--json").stdout)
    assert (told["questions"], told["rules"], told["at once"], told["prompt_tokens"]) == (3, 3, 0, 0)
    assert [each["question"] for each in told["read"]] == [
        QUESTION,
        "Where did Ada Lovelace live?",
        "List the engines.",
    ]
    assert told["read"][2]["signals"]["output_cardinality"] == 2
    assert "distinct_policies" in run("policy", "study", small, questions).stdout


def test_plain_lines_are_questions_too(run, small: Path, tmp_path: Path) -> None:
    path = tmp_path / "questions.txt"
    path.write_bytes(b'\xef\xbb\xbfWho?\r\n\n  "Where" is [it]?  \n42\n')
    told = json.loads(run("policy", "study", small, path, "--json").stdout)
    assert [each["question"] for each in told["read"]] == ["Who?", '"Where" is [it]?', "42"]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (['{"question": "Who?"}', "", '{"question": "Wh'], ":3: not a line of JSON"),
        (['{"question": "Who?"}', "Where?"], ":2: not a line of JSON"),
        (['{"question": "Who?"}', '["Where?"]'], ":2: a list where a JSON object was expected"),
        (['{"question": "Who?"}', '{"query": "Where?"}'], ":2: no question"),
        (['{"question": "Who?"}', '{"question": 7}'], ":2: question is a int, a text was expected"),
        (['{"question": " "}'], ":1: the question is empty"),
        (["Who?", '{"question": "Where?"}'], ":2: a JSON object among plain lines; write every question one way"),
    ],
)
@pytest.mark.parametrize("command", ["study", "compare"])
def test_a_line_that_is_no_question_is_named(
    run, small: Path, tmp_path: Path, command: str, lines: list[str], problem: str
) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    result = run("policy", "study", small, path) if command == "study" else run("compare", small, path)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    if not (command == "compare" and lines[0] == "Who?"):  # which takes no plain lines: the first is named
        assert f"{path}{problem}" in result.stderr


def test_it_is_told_how_often_a_model_held(run, small: Path, questions: Path, server: FakeServer) -> None:
    replies: list[Any] = [json.dumps({**PLAN, "max_depth": 7}), "hm", json.dumps(PLAN), "hm", "hm"]
    for reply in replies:
        server.once(completion(reply))
    result = run("policy", "study", small, questions, *BEAM, *asked(server), "--json")
    told = json.loads(result.stdout)
    outcomes = [told[name] for name in ("rules", "at once", "after the retry", "fell back", "corrected")]
    assert outcomes == [0, 1, 1, 1, 2]
    assert told["corrections"]["max_depth: held to 2-5"] == 1
    assert (told["prompt_tokens"], told["completion_tokens"]) == (55, 35)
    depths = [each["controls"]["max_depth"] for each in told["read"]]
    assert (depths[:2], told["mean_depth"]) == ([5, 2], round(sum(depths) / 3, 2))
    assert told["distinct_policies"] == 3


def test_a_dry_run_prints_the_prompt_and_asks_nobody(run, small: Path, questions: Path, server: FakeServer) -> None:
    result = run("policy", "study", small, questions, *BEAM, *asked(server), "--dry-run")
    assert result.stdout.startswith("system:\nYou plan how evidence is searched")
    assert f"<question>{QUESTION}</question>" in result.stdout
    assert "3 questions, each asked once, or twice" in result.stderr
    assert server.requests == []


def test_a_server_that_refuses_everything_is_a_study_of_the_rules(
    run, small: Path, questions: Path, server: FakeServer
) -> None:
    server.always = lambda path, body: refuse("no such model", 404)
    told = json.loads(run("policy", "study", small, questions, *asked(server), "--limit", 1, "--json").stdout)
    assert (told["questions"], told["fell back"], told["corrections"]) == (1, 1, {})


@pytest.mark.parametrize("content", [None, b"", b"\n \n", b"\xff\xfe\x00"])
def test_a_file_without_questions_is_one_line(run, small: Path, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "none.txt"
    if content is not None:
        path.write_bytes(content)
    result = run("policy", "study", small, path)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert "write one a line" in result.stderr
