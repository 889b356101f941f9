"""A question read by a model over the wire: a server that answers well, late, wrongly, or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fake_openai import FakeServer, answer, completion, refuse, serving, slow
from test_analyze import TEXT
from test_reading import CONTROLS, GOOD, QUESTION, TARGETS, held

from mosaic_sql.analyze import analyze, prompting, reading
from mosaic_sql.models import server as connection
from mosaic_sql.models.openai import OpenAIChat
from mosaic_sql.records import Analysis


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(connection, "RETRIES", 1)
    with serving() as fake:
        yield fake


def over_the_wire(server: FakeServer, timeout: float = 20.0) -> Analysis:
    chat = OpenAIChat("small", base_url=server.url, timeout=timeout)
    return analyze(QUESTION, TARGETS, TEXT, named="mosaic", model=chat)


def test_a_server_is_asked_at_temperature_0_for_an_object_of_the_schema(server: FakeServer) -> None:
    server.once(completion(json.dumps(GOOD)))
    analysis = over_the_wire(server)
    assert (held(analysis), analysis.analyzer, analysis.corrections) == (CONTROLS, "small", ())
    ((_, body),) = server.requests
    assert (body["temperature"], body["max_tokens"]) == (0, reading.MAX_TOKENS)
    wanted = {"name": "reply", "schema": prompting.schema("beam"), "strict": True}
    assert body["response_format"] == {"type": "json_schema", "json_schema": wanted}
    (call,) = analysis.calls
    assert (call.model, call.prompt_tokens, call.completion_tokens, call.finish_reason) == ("served-1", 11, 7, "stop")
    assert call.milliseconds > 0


@pytest.mark.parametrize(
    "responses",
    [
        [completion("{oops")],
        [completion(None)],
        [completion("")],
        [answer({"choices": []})],
        [(200, {"Content-Type": "text/html"}, b"<html>Welcome</html>")],
        [completion('{"max_depth": 3', choices=[{"message": {"content": '{"max'}, "finish_reason": "length"}])],
        [refuse("busy", 500, {"Retry-After": "0"}), completion("[]")],
    ],
    ids=["invalid", "refused", "empty", "no choice", "html", "broken off", "500 then no object"],
)
def test_what_a_server_gets_wrong_once_is_asked_again(server: FakeServer, responses: list[Any]) -> None:
    for response in (*responses, completion(json.dumps(GOOD))):
        server.once(response)
    analysis = over_the_wire(server)
    assert (held(analysis), analysis.analyzer, len(analysis.calls)) == (CONTROLS, "small", 2)
    assert analysis.calls[0].error != ""


@pytest.mark.parametrize(
    ("status", "reason"), [(500, "small: "), (401, "set OPENAI_API_KEY"), (404, "check the model's name"), (400, "no")]
)
def test_a_server_that_fails_leaves_the_question_to_the_rules(server: FakeServer, status: int, reason: str) -> None:
    server.always = lambda path, body: refuse("no", status, {"Retry-After": "0"})
    analysis = over_the_wire(server)
    assert (analysis.analyzer, len(analysis.calls)) == ("rules", 1)
    (correction,) = analysis.corrections
    assert (correction.field, correction.used) == ("analyzer", "rules")
    assert reason in correction.reason


def test_a_server_that_does_not_answer_in_time_leaves_the_question_to_the_rules(server: FakeServer) -> None:
    server.always = slow(1.5)
    analysis = over_the_wire(server, timeout=0.2)
    assert analysis.analyzer == "rules"
    assert "did not answer in time" in analysis.corrections[0].reason
