"""The OpenAI protocol, against a server on loopback that can misbehave."""

from __future__ import annotations

import json
import math
import sys
import time
from typing import Any

import numpy as np
import pytest
from fake_openai import FakeServer, answer, completion, refuse, serving, slow

from mosaic_sql.errors import MissingExtra, ModelError, ModelOutputError, ModelUnavailable
from mosaic_sql.models import load_chat, load_embedder
from mosaic_sql.models.openai import OpenAIChat, OpenAIEmbedder

MESSAGES = [{"role": "user", "content": "Say hello."}]
CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("MOSAIC_BASE_URL", raising=False)
    with serving() as fake:
        yield fake


@pytest.fixture
def embedder(server: FakeServer) -> OpenAIEmbedder:
    return OpenAIEmbedder("small", base_url=server.url)


@pytest.fixture
def chat(server: FakeServer) -> OpenAIChat:
    return OpenAIChat("talker", base_url=server.url)


def formats(server: FakeServer) -> list[str]:
    return [body.get("response_format", {}).get("type", "none") for _, body in server.requests]


def test_texts_go_in_batches_and_come_back_in_order(server, embedder):
    texts = [f"text number {i}" for i in range(300)]
    vectors = embedder.embed(texts)
    assert vectors.shape == (300, 16)
    assert vectors.dtype == np.float32
    assert len(server.requests) == math.ceil(300 / 128)
    assert [len(body["input"]) for _, body in server.requests] == [128, 128, 44]
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert np.allclose(vectors[[7]], embedder.embed([texts[7]]))


def test_the_dimension_is_asked_for_once(server, embedder):
    assert embedder.name == "openai:small"
    assert server.requests == []
    assert (embedder.dimension, embedder.dimension) == (16, 16)
    assert embedder.embed([]).shape == (0, 16)
    assert len(server.requests) == 1


def test_an_empty_text_is_sent_as_a_space_and_a_long_one_cut(server, embedder):
    embedder.embed(["", "x" * 100_000, "\ud800 lone"])
    sent = server.requests[0][1]["input"]
    assert sent == [" ", "x" * (4 * embedder.max_tokens), "? lone"]


def test_a_later_dimension_names_the_text(server, embedder):
    embedder.embed(["a"])
    server.once(answer({"data": [{"index": 0, "embedding": [1.0] * 16}, {"index": 1, "embedding": [1.0]}]}))
    with pytest.raises(ModelOutputError, match="1 numbers for text 1, 16 before"):
        embedder.embed(["b", "c"])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "sent 0 vectors for 1 texts"),
        (None, "sent no vectors for 1 texts"),
        ([{"index": 0}], "sent no vector for text 0"),
        ([None], "sent no vector for text 0"),
        ([{"embedding": "abc"}], "sent no vector for text 0"),
        ([{"embedding": [10**400]}], "sent no vector for text 0"),
        ([{"embedding": []}], "sent no flat vector for text 0"),
        ([{"embedding": [[1.0]]}], "sent no flat vector for text 0"),
        ([{"embedding": [0.0, 0.0]}], "row 0 is zero"),
        ([{"embedding": [float("nan"), 1.0]}], "row 0 is not finite"),
    ],
)
def test_broken_vectors_are_refused(server, embedder, data, message):
    server.once(answer({"data": data}))
    with pytest.raises(ModelOutputError, match=message):
        embedder.embed(["a"])


@pytest.mark.parametrize(
    "response",
    [
        (200, {"Content-Type": "text/html"}, b"<html>Welcome</html>"),
        (200, {"Content-Type": "application/json"}, b"{oops"),
        (200, {"Content-Type": "application/json"}, b"[" * 100_000),
        (200, {"Content-Type": "application/json"}, b"[1]"),
    ],
)
def test_what_is_not_a_json_object_is_refused(server, embedder, chat, response):
    server.always = lambda path, body: response
    with pytest.raises(ModelOutputError, match="did not answer with"):
        embedder.embed(["a"])
    with pytest.raises(ModelOutputError, match="did not answer with"):
        chat.complete(MESSAGES)


def test_retry_after_is_honoured(server, embedder):
    server.once(refuse("slow down", 429, {"Retry-After": "1"}))
    started = time.perf_counter()
    assert embedder.embed(["a"]).shape == (1, 16)
    assert 0.9 < time.perf_counter() - started < 5
    assert len(server.requests) == 2


def test_a_passing_failure_is_tried_again(server, chat):
    server.once(refuse("hiccup", 500, {"retry-after-ms": "10"}))
    assert chat.complete(MESSAGES).text == "Hello."
    assert len(server.requests) == 2


def test_a_lasting_failure_is_unavailable(server, embedder):
    server.always = lambda path, body: refuse("broken", 500, {"retry-after-ms": "1"})
    with pytest.raises(ModelUnavailable, match=r"openai:small.*broken"):
        embedder.embed(["a"])
    assert len(server.requests) == 5


def test_a_slow_server_is_unavailable(server, monkeypatch):
    monkeypatch.setattr("mosaic_sql.models.server.RETRIES", 0)
    server.always = slow(0.5)
    with pytest.raises(ModelUnavailable, match="in time"):
        OpenAIChat("talker", base_url=server.url, timeout=0.1).complete(MESSAGES)


def test_no_server_is_unavailable(monkeypatch):
    monkeypatch.setattr("mosaic_sql.models.server.RETRIES", 0)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(ModelUnavailable, match="check the base URL"):
        OpenAIChat("talker", base_url="http://127.0.0.1:9/v1").complete(MESSAGES)


@pytest.mark.parametrize(("status", "hint"), [(401, "OPENAI_API_KEY"), (404, "model's name")])
def test_the_message_says_what_to_do(server, chat, status, hint):
    server.once(refuse("no\nway", status))
    with pytest.raises(ModelUnavailable, match=hint) as caught:
        chat.complete(MESSAGES)
    assert "\n" not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://host/v1", "http://", "http://[x", ""])
def test_a_malformed_url_is_refused(url):
    with pytest.raises(ModelError, match="base URL"):
        OpenAIChat("talker", base_url=url)


def test_the_key_comes_from_the_environment(server, chat, monkeypatch):
    chat.complete(MESSAGES)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    OpenAIChat("talker", base_url=server.url).complete(MESSAGES)
    assert server.keys == ["Bearer none", "Bearer sk-test"]


def test_without_the_package_the_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match="pip install openai"):
        OpenAIChat("talker")


def test_a_reply_carries_its_cost(server, chat):
    reply = chat.complete(MESSAGES, max_tokens=50)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("Hello.", 11, 7)
    assert (reply.model, reply.finish_reason) == ("served-1", "stop")
    assert 0 < reply.seconds < 30
    path, body = server.requests[0]
    assert path == "/v1/chat/completions"
    sent = {"model": "talker", "messages": MESSAGES, "temperature": 0, "max_tokens": 50}
    assert body == sent


def test_a_reply_without_usage_counts_nothing(server, chat):
    server.once(completion("x", usage=None, model=None))
    reply = chat.complete(MESSAGES)
    assert (reply.prompt_tokens, reply.completion_tokens, reply.model) == (0, 0, "talker")


def test_a_reply_without_text_is_refused(server, chat):
    server.once(completion(None))
    server.once(completion("x", choices=[]))
    with pytest.raises(ModelOutputError, match="no text"):
        chat.complete(MESSAGES)
    with pytest.raises(ModelOutputError, match="no completion"):
        chat.complete(MESSAGES)


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (CLOSED, True),
        ({**CLOSED, "required": []}, False),
        ({**CLOSED, "properties": {"a": {"type": "object"}}}, False),
        ({"anyOf": [CLOSED, {"type": "null"}]}, True),
    ],
)
def test_a_schema_is_strict_where_it_can_be(server, chat, schema, strict):
    chat.complete(MESSAGES, schema=schema)
    form = server.requests[0][1]["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"] == {"name": "reply", "schema": schema, "strict": strict}


@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize("accepted", ["json_object", "none"])
def test_a_refused_format_gives_way_and_is_remembered(server, chat, accepted, status):
    def picky(path: str, body: dict[str, Any]):
        form = body.get("response_format", {}).get("type", "none")
        return None if form == accepted else refuse("unknown response_format", status)

    server.always = picky
    chat.complete(MESSAGES, schema=CLOSED)
    chat.complete(MESSAGES, schema=CLOSED)
    tried = ["json_schema", "json_object", "none"]
    tried = tried[: tried.index(accepted) + 1]
    assert formats(server) == [*tried, accepted]
    last = server.requests[-1][1]["messages"]
    assert last[0] == MESSAGES[0]
    assert json.dumps(CLOSED) in last[1]["content"]


def test_a_request_refused_in_every_form_is_unavailable(server, chat):
    server.always = lambda path, body: refuse("context too long")
    with pytest.raises(ModelUnavailable, match="context too long"):
        chat.complete(MESSAGES, schema=CLOSED)
    assert formats(server) == ["json_schema", "json_object", "none"]
    server.always = None
    chat.complete(MESSAGES, schema=CLOSED)
    assert formats(server)[-1] == "json_schema"


def test_parameters_of_newer_models_are_learnt(server, chat):
    def reasoning(path: str, body: dict[str, Any]):
        if "max_tokens" in body:
            return refuse("'max_tokens' is not supported; use 'max_completion_tokens'")
        return refuse("'temperature' must be 1") if "temperature" in body else None

    server.always = reasoning
    chat.complete(MESSAGES, max_tokens=5)
    chat.complete(MESSAGES, max_tokens=5)
    assert len(server.requests) == 4
    assert server.requests[-1][1] == {
        "model": "talker",
        "messages": MESSAGES,
        "max_completion_tokens": 5,
    }


def test_the_factories_take_the_url_from_argument_or_environment(server, monkeypatch):
    assert load_embedder("openai:a", base_url=server.url).dimension == 16
    monkeypatch.setenv("MOSAIC_BASE_URL", server.url)
    assert load_embedder("openai:b").dimension == 16
    assert load_chat(" m ", base_url=None).complete(MESSAGES).text == "Hello."
    assert [body["model"] for _, body in server.requests] == ["a", "b", "m"]
    with pytest.raises(ModelError, match="no name"):
        load_chat(" ", base_url=None)


def test_offsets_are_pieces_of_four():
    offsets = OpenAIEmbedder("small").token_offsets("Marie é 東京, x")
    assert offsets == [(0, 4), (4, 5), (6, 7), (8, 9), (9, 10), (10, 11), (12, 13)]
