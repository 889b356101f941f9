"""Answers of a chat model that are kept."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mosaic_sql.errors import ModelError, ModelUnavailable
from mosaic_sql.models import Reply
from mosaic_sql.models.cache import CachedChat
from mosaic_sql.models.fakes import ScriptedChat

ASKED = [{"role": "user", "content": "Who found argon?"}]


def test_the_same_is_asked_once_and_costs_nothing_the_second_time() -> None:
    model = ScriptedChat(["Ramsay did."])
    chat = CachedChat(model)
    assert chat.complete(ASKED) == Reply("Ramsay did.", 3, 2, 0.0, "scripted", "stop")
    assert chat.complete(ASKED) == Reply("Ramsay did.", 0, 0, 0.0, "scripted", "stop", cached=True)
    assert (len(model.calls), chat.hits, chat.misses, chat.name) == (1, 1, 1, "scripted")


OTHER: list[dict[str, Any]] = [
    {"messages": [{"role": "user", "content": "Who found neon?"}]},
    {"messages": [{"role": "system", "content": "Who found argon?"}]},
    {"schema": {"type": "object"}},
    {"max_tokens": 5},
]


@pytest.mark.parametrize("other", OTHER, ids=lambda other: next(iter(other)))
def test_another_message_schema_or_limit_is_another_question(other: dict[str, Any]) -> None:
    model = ScriptedChat(["one", "two"])
    chat = CachedChat(model)
    asked = {"messages": ASKED, **other}
    assert chat.complete(ASKED).text == "one"
    assert chat.complete(asked.pop("messages"), **asked).text == "two"
    assert (chat.hits, chat.misses) == (0, 2)


def test_another_model_prompt_version_or_server_is_another_question(tmp_path: Path) -> None:
    model = ScriptedChat(["one"])
    renamed, moved = ScriptedChat([]), ScriptedChat([])
    renamed.name = "other"  # type: ignore[misc]
    moved.parameters = {"base_url": "http://x/v1"}  # type: ignore[attr-defined]
    chats = [CachedChat(model), CachedChat(model, prompt_version="2"), CachedChat(renamed), CachedChat(moved)]
    keys = {chat.key(ASKED) for chat in chats}
    assert (len(keys), {len(key) for key in keys}) == (4, {64})
    assert CachedChat(model).key(ASKED) == chats[0].key(ASKED)


def test_an_error_is_not_kept() -> None:
    chat = CachedChat(ScriptedChat([ModelUnavailable("busy"), "Ramsay did."]))
    with pytest.raises(ModelUnavailable, match="busy"):
        chat.complete(ASKED)
    assert chat.complete(ASKED).text == "Ramsay did."


def test_a_file_keeps_answers_for_another_process_but_no_prompt(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    CachedChat(ScriptedChat(["“Ramsay” did.\n"]), path=file).complete(ASKED)
    later = CachedChat(ScriptedChat([]), path=str(file))
    assert later.complete(ASKED) == Reply("“Ramsay” did.\n", 0, 0, 0.0, "scripted", "stop", cached=True)
    assert "argon" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "broken", [b'{"key": "ab', b"[]\n", b"\xff\xfe\n", b'{"key": 1, "reply": {"text": 2}}\n', b"[" * 10**5 + b"\n"]
)
def test_a_broken_line_is_passed_over_and_those_around_it_count(tmp_path: Path, broken: bytes) -> None:
    file = tmp_path / "replies.jsonl"
    CachedChat(ScriptedChat(["one"]), path=file).complete(ASKED)
    file.write_bytes(file.read_bytes() + broken)
    CachedChat(ScriptedChat(["two"]), path=file).complete(ASKED, max_tokens=9)
    later = CachedChat(ScriptedChat([]), path=file)
    assert [later.complete(ASKED).text, later.complete(ASKED, max_tokens=9).text] == ["one", "two"]


def test_a_place_that_holds_no_file_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no cache can be read there .*; name another file"):
        CachedChat(ScriptedChat([]), path=tmp_path)
    absent = CachedChat(ScriptedChat(["one"]), path=tmp_path / "no" / "such.jsonl")
    with pytest.raises(ModelError, match=r"no cache can be written there .*; name another file"):
        absent.complete(ASKED)


class Echo:
    name = "echo"

    def complete(
        self, messages: Any, *, schema: Mapping[str, Any] | None = None, max_tokens: int | None = None
    ) -> Reply:
        return Reply(messages[0]["content"], 1, 1, 0.0, "echo", "stop")


def test_threads_share_it_and_every_line_of_the_file_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    chat = CachedChat(Echo(), path=file)

    def ask(start: int) -> None:
        for number in range(start, start + 50):
            assert chat.complete([{"role": "user", "content": str(number)}]).text == str(number)

    threads = [threading.Thread(target=ask, args=(start,)) for start in (0, 25, 50, 75)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert chat.hits + chat.misses == 200
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert {line["reply"]["text"] for line in lines} == {str(number) for number in range(125)}


def test_an_answer_of_no_use_is_forgotten_in_memory_and_in_the_file(tmp_path: Path) -> None:
    path, asked = tmp_path / "calls.jsonl", [{"role": "user", "content": "x"}]
    chat = CachedChat(ScriptedChat(["bad", "good"]), path=path)
    assert chat.complete(asked).text == "bad"
    chat.forget(asked)
    assert chat.complete(asked).text == "good"
    assert CachedChat(ScriptedChat([]), path=path).complete(asked).text == "good"
