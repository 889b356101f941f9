"""Asking from the shell: ask, retrieve, sql, explain; question texts of every kind."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import duckdb
import pytest
from fake_openai import FakeServer, completion, serving

import mosaic_sql
from mosaic_sql.policy import default_policy

QUESTION = "Who designed the Analytical Engine?"


def test_ask_prints_answer_sources_and_how(run, small: Path) -> None:
    result = run("ask", small, QUESTION, "--operator", "chunk_hop")
    assert result.exit_code == 0
    answer, sources = result.stdout.strip().split("\n\n")
    (told,) = result.stderr.splitlines()
    assert "Charles Babbage" in answer
    assert "[1]" in answer
    assert sources.startswith("[1] ")
    assert ", characters 0-" in sources or "] graph" in sources
    assert ": " in told
    assert " of evidence, " in told


def test_ask_as_json_holds_what_the_answer_was_made_from(run, small: Path) -> None:
    told = json.loads(run("ask", small, QUESTION, "--json").stdout)
    assert (told["question"], told["found"], told["removed_citations"]) == (QUESTION, True, 0)
    numbers = {passage["number"] for passage in told["passages"]}
    assert {cited["number"] for cited in told["citations"]} <= numbers
    texts = json.dumps([[p["number"], p["source"], p["text"]] for p in told["passages"]])
    assert told["context_hash"] == hashlib.sha256(texts.encode()).hexdigest()[:16]


def test_the_path_to_each_source_is_shown_on_request(run, sample: Path) -> None:
    question = "How are Yttrium and Erbium related?"
    plain, shown = run("ask", sample, question).stdout, run("ask", sample, question, "--show-path").stdout
    assert "\n    Yttrium -named_after-> Ytterby <-named_after- Erbium" in shown
    assert "\n    Yttrium" not in plain


def test_no_answer_is_a_result(run, sample: Path) -> None:
    question = "Who won the 1998 football World Cup?"
    result = run("ask", sample, question)
    assert result.exit_code == 0
    assert result.stdout.startswith("The corpus holds no answer to this question.\n(")
    assert run("ask", sample, question, "--fail-on-empty").exit_code == 4
    assert json.loads(run("ask", sample, question, "--json", "--fail-on-empty").stdout)["found"] is False


def test_an_answer_passes_fail_on_empty(run, small: Path) -> None:
    assert run("ask", small, QUESTION, "--fail-on-empty").exit_code == 0


def test_retrieving_nothing_is_4_on_request(run, tmp_path: Path) -> None:
    db = tmp_path / "empty.duckdb"
    mosaic_sql.open(db, embedder="hash").close()
    assert run("retrieve", db, QUESTION).exit_code == 0
    empty = run("retrieve", db, QUESTION, "--json", "--fail-on-empty")
    assert (empty.exit_code, empty.stdout) == (4, "[]\n")


# -- questions -------------------------------------------------------------------------------------------------------

HOSTILE = {
    "sql": "'); DROP TABLE node; --",
    "quotes": "\"$$ E'\\'' /* Ada */ ; SELECT 1",
    "parameter": "What is $question_id or ? or :name or {0} or %s?",
    "long": "Ada " * 2_500,
    "nul": "Who is \0 Ada\0?",
    "surrogate": "Who is \udcff Ada?",
    "emoji": "Who is Ada 🎉👩‍🔬?",
    "cjk": "中国的首都是什么？",
    "rtl": "\u202emoT si ohW",
    "newlines": "Who\n-- is\r\nAda?",
    "one": "?",
    "escape": "Who is \x1b[31mAda\x1b[0m?",
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("verb", ["ask", "explain"])
def test_any_text_is_a_question(run, built: Path, verb: str, kind: str) -> None:
    result = run(verb, built, "--", HOSTILE[kind])
    assert result.exit_code == 0, result.stderr
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize("kind", HOSTILE)
def test_the_script_of_any_question_runs_elsewhere(run, built: Path, kind: str) -> None:
    script = run("sql", built, "--", HOSTILE[kind]).stdout
    rows = json.loads(run("retrieve", built, "--json", "--", HOSTILE[kind]).stdout)
    assert shared(plain_rows(built, script)) == shared(rows)


@pytest.mark.parametrize("question", ["", "  ", "\n", "\0"])
@pytest.mark.parametrize("verb", ["ask", "retrieve", "sql", "explain"])
def test_no_text_is_no_question(run, built: Path, verb: str, question: str) -> None:
    result = run(verb, built, question)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "mosaic: question: empty; ask something\n"


@pytest.mark.parametrize("verb", ["ask", "retrieve", "sql", "explain"])
def test_a_dash_reads_the_question_from_stdin(run, built: Path, verb: str) -> None:
    typed, piped = run(verb, built, QUESTION, "--sql"), run(verb, built, "-", "--sql", stdin=f"{QUESTION}\n")
    if verb == "sql":  # prints it anyway
        typed, piped = run(verb, built, QUESTION), run(verb, built, "-", stdin=f"{QUESTION}\n")
    assert typed.stdout == piped.stdout
    assert piped.exit_code == 0


def test_stdin_that_is_no_utf8_is_still_a_question(run, built: Path) -> None:
    assert run("ask", built, "-", stdin=b"Who is Ad\xe9?").exit_code == 0


# -- the same rows in any shell ----------------------------------------------------------------------------------------


def plain_rows(path: Path, script: str) -> list[dict[str, object]]:
    """What a script ends with in a plain connection to the file, which need not keep the order rows came in."""
    with duckdb.connect(path, read_only=True, config={"preserve_insertion_order": "false"}) as plain:
        result = plain.execute(script)
        columns = [column[0] for column in result.description]
        return [dict(zip(columns, line, strict=True)) for line in result.fetchall()]


def shared(rows: list[dict[str, object]]) -> list[list[object]]:
    """The columns that both `retrieve --json` and a script have."""
    return [[row[name] for name in ("rank", "unit_kind", "unit_id", "chunk_id", "role", "score")] for row in rows]


ASKED = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "sample_data" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
BY_NEED = {asked["need"]: asked["question"] for asked in ASKED}
GIVES_WAY = "Which awards did the discoverers of Sodium receive?"  # a pattern that leads nowhere: the text instead


@pytest.mark.parametrize(
    "questions",
    [
        pytest.param([*BY_NEED.values(), GIVES_WAY], id="one of each need"),
        pytest.param([asked["question"] for asked in ASKED], id="all", marks=pytest.mark.slow),
    ],
)
def test_the_script_of_a_sample_question_gives_the_retrieved_evidence(sample: Path, questions: list[str]) -> None:
    with mosaic_sql.open(sample, read_only=True) as corpus:
        for question in questions:
            found = corpus.retrieve(question)
            rows = plain_rows(sample, corpus.sql(question))
            assert rows
            if found.refined is None:
                assert rows == found.to_arrow().to_pylist()
            else:  # ends in the answers: what a node itself has rests on no edge
                assert [row["text"] for row in rows] == list(found.refined.lines)


@pytest.mark.parametrize("question", [BY_NEED["bridge"], BY_NEED["related"]])
def test_the_printed_sql_gives_the_retrieved_evidence(run, sample: Path, question: str) -> None:
    rows = json.loads(run("retrieve", sample, question, "--json").stdout)
    assert rows
    assert shared(plain_rows(sample, run("sql", sample, question).stdout)) == shared(rows)


@pytest.mark.parametrize("policy", ["mosaic", "wide"])
def test_the_printed_sql_follows_the_policy(run, sample: Path, policy: str) -> None:
    args = (sample, BY_NEED["bridge"], "--policy", policy)
    rows = json.loads(run("retrieve", *args, "--json").stdout)
    assert shared(plain_rows(sample, run("sql", *args).stdout)) == shared(rows)


@pytest.mark.parametrize("need", ["bridge", "chain", "related"])
def test_text_and_values_apart_give_the_retrieved_evidence(run, sample: Path, need: str) -> None:
    rows = json.loads(run("retrieve", sample, BY_NEED[need], "--json").stdout)
    told = json.loads(run("sql", sample, BY_NEED[need], "--params").stdout)
    with duckdb.connect(sample, read_only=True) as plain:
        for statement in told["statements"]:
            result = plain.execute(statement["sql"], statement["params"] or None)
        columns = [column[0] for column in result.description]
        found = [dict(zip(columns, line, strict=True)) for line in result.fetchall()]
    assert shared(found) == shared(rows) != []
    texts = json.dumps([statement["sql"] for statement in told["statements"]])
    assert BY_NEED[need] not in texts


def test_a_policy_edited_by_hand_is_what_the_script_runs(run, sample: Path, tmp_path: Path) -> None:
    told = json.loads(run("sql", sample, BY_NEED["bridge"], "--params").stdout)
    told["policy"]["evidence"].update(evidence_count=2, min_evidence=1)
    (tmp_path / "mine.json").write_text(json.dumps(told["policy"]), encoding="utf-8")
    script = run("sql", sample, BY_NEED["bridge"], "--policy", tmp_path / "mine.json").stdout
    whole = plain_rows(sample, run("sql", sample, BY_NEED["bridge"]).stdout)
    assert shared(plain_rows(sample, script)) == shared(whole[:2])


@pytest.mark.parametrize("verb", ["ask", "retrieve", "explain"])
def test_sql_prints_and_does_not_run(run, built: Path, verb: str) -> None:
    assert run(verb, built, QUESTION, "--sql").stdout == run("sql", built, QUESTION).stdout


# -- policies --------------------------------------------------------------------------------------------------------


def policy_of(run, db: Path, *flags: object) -> dict[str, dict[str, object]]:
    return json.loads(run("explain", db, QUESTION, "--json", *flags).stdout)["policy"]


def test_controls_are_set_by_option(run, small: Path) -> None:
    flags = ("--operator", "beam", "--max-depth", 2, "--beam-width", 5, "--seed-limit", 4, "--evidence-count", 6)
    policy = policy_of(run, small, *flags, "--use-connector", "--set", "decay=0.5", "--anchor-strength", 0.25)
    assert policy["walk"]["operator"] == "beam"
    assert (policy["walk"]["max_depth"], policy["walk"]["beam_width"], policy["walk"]["decay"]) == (2, 5, 0.5)
    assert (policy["walk"]["use_connector"], policy["walk"]["anchor_strength"]) == (True, 0.25)
    assert (policy["seed"]["seed_limit"], policy["evidence"]["evidence_count"]) == (4, 6)


def test_a_policy_comes_from_a_file_and_options_win(run, small: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(run("policy", "show", "wide", "--operator", "beam", "--json").stdout, encoding="utf-8")
    policy = policy_of(run, small, "--policy", path, "--max-depth", 2)
    assert (policy["seed"]["seed_limit"], policy["walk"]["operator"], policy["walk"]["max_depth"]) == (10, "beam", 2)


def test_a_pattern_is_walked(run, sample: Path) -> None:
    flags = ("--operator", "meta_path", "--pattern", "discovered_by / born_in", "--json")
    told = json.loads(run("ask", sample, "argon", *flags).stdout)
    assert (told["operator"], told["policy"]["walk"]["pattern"]) == ("meta_path", "discovered_by / born_in")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--policy", "huge"), "policy: unknown 'huge'"),
        (("--set", "nope=1"), "nope: no such control"),
        (("--set", "decay"), "--set decay: write NAME=VALUE"),
        (("--max-depth", "0"), "max_depth"),
        (("--operator", "meta_path", "--pattern", "a ///"), "pattern"),
        (("--operator", "meta_path", "--pattern", "no_such_relation"), "no_such_relation"),
        (("--embedder", "nope"), "unknown embedder"),
    ],
)
def test_what_cannot_be_meant_is_one_line(run, small: Path, flags: tuple[str, ...], message: str) -> None:
    result = run("ask", small, QUESTION, *flags)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert result.stderr.startswith("mosaic: ")
    assert message in result.stderr


@pytest.mark.parametrize("content", ["{", "[1]", '{"nope": 1}', '{"walk": 3}', "[" * 100_000])
def test_a_broken_policy_file_is_one_line(run, small: Path, tmp_path: Path, content: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(content, encoding="utf-8")
    for command in (("ask", small, QUESTION, "--policy", path), ("policy", "validate", path)):
        result = run(*command)
        assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)


def test_policies_are_shown_listed_and_checked(run, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"policy": "wide", "operator": "beam", "max_depth": 2}', encoding="utf-8")
    assert run("policy", "validate", path).stdout == f"{path}: valid, operator beam\n"
    whole = json.loads(run("policy", "validate", path, "--json").stdout)
    assert (whole["walk"]["max_depth"], whole["seed"]["seed_limit"]) == (2, 10)
    shown = json.loads(run("policy", "show", "--operator", "bfs", "--json").stdout)
    assert shown == default_policy("bfs").model_dump(mode="json")
    rows = [json.loads(line) for line in run("policy", "show", "--jsonl").stdout.splitlines()]
    assert all(row["meaning"] for row in rows)
    listed = json.loads(run("policy", "list", "--json").stdout)
    assert {row["policy"] for row in listed} == {"default", "mosaic", "narrow", "medium", "wide"}


# -- models ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def server():
    with serving() as fake:
        fake.always = lambda path, body: completion("Babbage designed it [1]. Nobody else did [77].")
        yield fake


def test_a_model_answers_when_asked_for(run, small: Path, server: FakeServer) -> None:
    result = run("ask", small, QUESTION, "--model", "m1", "--base-url", server.url, "--json")
    told = json.loads(result.stdout)
    assert told["answer"] == "Babbage designed it [1]. Nobody else did."
    assert (told["removed_citations"], len(server.requests)) == (1, 1)


def test_a_model_comes_from_the_environment(run, small: Path, server: FakeServer) -> None:
    env = {"MOSAIC_MODEL": "m1", "MOSAIC_BASE_URL": server.url}
    assert "Babbage designed it [1]." in run("ask", small, QUESTION, env=env).stdout
    run("ask", small, QUESTION, "--model", "none", env=env)
    assert len(server.requests) == 1


def test_an_api_key_alone_calls_nobody(run, small: Path, server: FakeServer) -> None:
    env = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": server.url, "MOSAIC_BASE_URL": server.url}
    assert run("ask", small, QUESTION, env=env).exit_code == 0
    assert server.requests == []
