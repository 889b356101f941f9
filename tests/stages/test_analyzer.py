"""A chat model that reads the questions of a corpus: who is asked, what is walked, what the trace keeps of it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from test_models_bounds import Sleeper
from test_reading import CONTROLS, GOOD
from test_trace import PAGES, QUESTION, traced

import mosaic_sql as mosaic
from mosaic_sql.models.fakes import ScriptedChat
from mosaic_sql.policy import Correction

PLAN = {**GOOD, "targets": ["Quirkel Institute"], "seed_query_mode": "full_query", "max_depth": 2}


@pytest.fixture
def corpus() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="hash") as opened:
        opened.add(PAGES)
        yield opened


def test_the_walk_runs_the_policy_that_the_model_proposed(corpus: mosaic.Corpus) -> None:
    found = corpus.retrieve(QUESTION, policy="mosaic", analyzer=ScriptedChat([PLAN]))
    walk = found.policy.walk
    assert (walk.max_depth, walk.beam_width, found.analysis.analyzer) == (2, CONTROLS["beam_width"], "scripted")
    assert max(found.walk.rows["depth"].to_pylist()) <= 2
    assert [stage.stage for stage in found.stages][:2] == ["link", "analyze"]
    assert len(found.to_arrow()) > 0


def test_signals_facets_and_the_model_s_words_are_kept_with_the_run(corpus: mosaic.Corpus) -> None:
    found = corpus.retrieve(QUESTION, policy="mosaic", analyzer=ScriptedChat(["hm", {**PLAN, "max_depth": 9}]))
    (run,) = traced(corpus.connection, "run", found.run)
    assert json.loads(run["signals"]) == PLAN["signals"]
    assert json.loads(run["facets"]) == ["age"]
    assert (run["analyzer"], run["risk"], run["rationale"]) == ("scripted", PLAN["risk"], PLAN["rationale"])
    told = {"field": "max_depth", "proposed": 9, "used": 5, "reason": "held to 2-5"}
    assert json.loads(run["corrections"]) == [told]
    assert json.loads(run["policy"])["walk"]["max_depth"] == 5
    calls = traced(corpus.connection, "call", found.run)
    assert [(call["ordinal"], call["purpose"], call["output"], call["error"]) for call in calls] == [
        (0, "analyze", "hm", "it holds no JSON object"),
        (1, "analyze", json.dumps({**PLAN, "max_depth": 9}), ""),
    ]
    assert all(call["prompt_tokens"] > 300 and call["model"] == "scripted" for call in calls)


def test_the_rules_are_kept_as_the_analyzer_with_signals_and_facets(corpus: mosaic.Corpus) -> None:
    (run,) = traced(corpus.connection, "run", corpus.retrieve(QUESTION).run)
    assert (run["analyzer"], run["risk"], run["rationale"]) == ("rules", "", "")
    assert json.loads(run["signals"]) == dict.fromkeys(PLAN["signals"], 0)
    assert json.loads(run["facets"]) == ["director", "born"]


def test_one_model_reads_and_answers_and_its_calls_stand_in_their_order(corpus: mosaic.Corpus) -> None:
    chat = ScriptedChat([PLAN, "In Szeged [1]."])
    asked = corpus.ask(QUESTION, model=chat, analyzer="model", policy="mosaic")
    assert asked.text == "In Szeged [1]."
    calls = traced(corpus.connection, "call", asked.run)
    assert [(call["ordinal"], call["purpose"]) for call in calls] == [(0, "analyze"), (1, "answer")]


def test_the_rules_read_unless_a_model_is_asked_to(corpus: mosaic.Corpus) -> None:
    chat = ScriptedChat(["In Szeged [1]."])
    asked = corpus.ask(QUESTION, model=chat)
    assert (asked.retrieval.analysis.analyzer, len(chat.calls)) == ("rules", 1)


def test_the_same_question_is_read_once_by_a_handle(corpus: mosaic.Corpus) -> None:
    chat = ScriptedChat([PLAN])
    first = corpus.retrieve(QUESTION, analyzer=chat)
    again = corpus.cursor().retrieve([QUESTION, QUESTION], analyzer=chat)
    assert len(chat.calls) == 1
    assert {found.policy for found in (first, *again)} == {first.policy}
    (call,) = traced(corpus.connection, "call", again[1].run)
    assert (call["finish_reason"], call["prompt_tokens"], call["output"]) == ("cached", 0, json.dumps(PLAN))
    assert "-- policy by scripted" in corpus.sql(QUESTION, analyzer=chat)
    assert corpus.explain(QUESTION, analyzer=chat).policy == first.policy.model_dump()
    assert len(chat.calls) == 1


def test_a_handle_can_be_opened_with_its_analyzer_and_a_call_can_differ() -> None:
    chat = ScriptedChat([PLAN])
    with mosaic.open(":memory:", embedder="hash", analyzer=chat) as corpus:
        corpus.add(PAGES)
        assert corpus.analyze(QUESTION).analyzer == "scripted"
        assert corpus.analyze(QUESTION, analyzer="rules").analyzer == "rules"
        assert corpus.ask(QUESTION, analyzer="rules").retrieval.analysis.analyzer == "rules"


def test_the_questions_of_a_batch_each_get_their_own_policy(corpus: mosaic.Corpus) -> None:
    chat = ScriptedChat([PLAN, {**PLAN, "max_depth": 3}, {**PLAN, "max_depth": 3}])
    found = corpus.retrieve([QUESTION, "Where is Lund?", "Who is Bela Farkas?"], policy="mosaic", analyzer=chat)
    assert [each.policy.walk.max_depth for each in found] == [2, 3, 3]


def test_an_analyzer_that_can_not_be_meant_is_told_in_one_line(corpus: mosaic.Corpus) -> None:
    with pytest.raises(mosaic.PolicyError, match="analyzer: unknown 'llm'; one of rules, model, or a chat model"):
        corpus.retrieve(QUESTION, analyzer="llm")
    with pytest.raises(mosaic.PolicyError, match="analyzer: unknown 'llm'"):
        mosaic.open(":memory:", embedder="hash", analyzer="llm")
    with pytest.raises(mosaic.ModelError, match="needs a chat model; name one by --model, MOSAIC_MODEL or model="):
        corpus.ask(QUESTION, analyzer="model")


def test_a_model_of_no_use_changes_nothing_but_what_is_told_of_it(corpus: mosaic.Corpus) -> None:
    rules = corpus.explain(QUESTION)
    told = corpus.explain(QUESTION, analyzer=ScriptedChat(["no", "no"]))
    assert (told.policy, told.evidence, told.analyzer) == (rules.policy, rules.evidence, "rules")
    assert "corrected  analyzer: 'scripted' -> 'rules' (it holds no JSON object)" in str(told)


def test_a_model_that_takes_too_long_leaves_the_question_to_the_rules() -> None:
    sleeper = Sleeper()
    with mosaic.open(":memory:", embedder="hash", analyzer=sleeper, timeout=1.0) as corpus:
        corpus.add(PAGES)
        started = time.monotonic()
        found = corpus.retrieve(QUESTION)
        assert time.monotonic() - started < 10
        reason = "sleeper did not answer within 1 s; give it more by timeout"
        assert (found.analysis.analyzer, found.analysis.corrections) == (
            "rules",
            (Correction("analyzer", "sleeper", "rules", reason),),
        )
        (call,) = traced(corpus.connection, "call", found.run)
        assert (call["finish_reason"], call["error"], call["milliseconds"] > 900) == ("error", reason, True)
        with pytest.raises(mosaic.ModelUnavailable, match="did not answer within 1 s"):
            corpus.ask(QUESTION, analyzer="rules", model=sleeper)
    sleeper.woken.set()


def test_beyond_its_bound_of_tokens_a_model_is_not_asked_and_the_rules_read() -> None:
    chat = ScriptedChat([PLAN] * 6)
    limit = mosaic.Spending(max_tokens=4000)
    with mosaic.open(":memory:", embedder="hash", analyzer=chat, spending=limit) as corpus:
        corpus.add(PAGES)
        read = [corpus.analyze(f"{QUESTION} {number}") for number in range(6)]
    asked = len(chat.calls)
    assert 1 <= asked < 6
    assert [each.analyzer for each in read] == ["scripted"] * asked + ["rules"] * (6 - asked)
    assert [len(each.calls) for each in read] == [1] * asked + [0] * (6 - asked)
    reason = "scripted was not asked: the bound of 4,000 tokens in all is reached"
    assert read[-1].corrections == (Correction("analyzer", "scripted", "rules", reason),)


def test_an_explanation_tells_who_read_and_why(corpus: mosaic.Corpus) -> None:
    lines = str(corpus.explain(QUESTION, analyzer=ScriptedChat([PLAN]))).splitlines()
    for line in (
        "analyzer   scripted",
        "rationale  Two targets are compared.",
        "risk       Two things share a name.",
        "signal     seed_coverage 2",
        "facets     age",
    ):
        assert line in lines


def test_the_script_is_that_of_the_model_s_policy(corpus: mosaic.Corpus) -> None:
    chat = ScriptedChat([PLAN])
    script = corpus.sql(QUESTION, policy="mosaic", analyzer=chat)
    assert "-- policy by scripted" in script
    assert script != corpus.sql(QUESTION, policy="mosaic")


def test_hostile_replies_are_kept_as_text_and_run_as_nothing(corpus: mosaic.Corpus) -> None:
    hostile = "'); DROP TABLE node; --"
    reply: dict[str, Any] = {**PLAN, "risk": hostile, "facets": [hostile, "\ud800\0"], "stop_regime": hostile}
    before = corpus.stats()
    found = corpus.retrieve(QUESTION, policy="mosaic", analyzer=ScriptedChat([json.dumps(reply)]))
    assert corpus.stats() == before
    (run,) = traced(corpus.connection, "run", found.run)
    assert (run["risk"], json.loads(run["facets"])[0]) == (hostile, hostile)
    assert hostile not in "".join(query.sql for query in found.statements)
