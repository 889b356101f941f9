"""Answers of a chat model kept for the next time: in memory, and in a file of JSON lines where a path is given.

The same conversation with the same model and the same parameters is asked once. Another model, another prompt, another
schema or another limit is another key, so an old answer never stands in for a new one.
"""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mosaic_sql.errors import ModelError
from mosaic_sql.models import ChatModel, Reply

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class CachedChat:
    """A chat model that asks another one only for what it has not been asked before.

    Threads may share it; two that ask the same at the same moment may both be served by the model. `hits` and `misses`
    count calls of `complete`.
    """

    def __init__(self, chat: ChatModel, *, path: str | Path | None = None, prompt_version: str = "") -> None:
        """Take the model and, to keep answers between processes, a file: one JSON object a line, made if absent.

        The file holds keys and answers, no prompts. A line that is broken off, as an interrupted process leaves it, is
        passed over. `prompt_version` is part of every key. Raises `ModelError` for a file that can not be read.
        """
        self.name = chat.name
        self.hits = 0
        self.misses = 0
        self._chat = chat
        self._version = prompt_version
        self._path = None if path is None else Path(path)
        self._lock = threading.Lock()
        self._known = {} if self._path is None else _read(self._path)

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Answer `messages` as the model did before, else as it does now; see `ChatModel.complete`.

        A kept answer is marked `cached`, and its tokens and seconds are 0: nothing was spent. Errors are not kept.
        Raises as the model does, and `ModelError` when the file can not be written.
        """
        key = self.key(messages, schema=schema, max_tokens=max_tokens)
        with self._lock:
            known = self._known.get(key)
            self.hits += known is not None
            self.misses += known is None
        if known is not None:
            return replace(known, prompt_tokens=0, completion_tokens=0, seconds=0.0, cached=True)
        reply = self._chat.complete(messages, schema=schema, max_tokens=max_tokens)
        with self._lock:
            self._known[key] = reply
            if self._path is not None:
                _append(self._path, key, reply)
        return reply

    def forget(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> None:
        """Ask the model again next time: its answer was of no use. The file is told so in a line of its own."""
        key = self.key(messages, schema=schema, max_tokens=max_tokens)
        with self._lock:
            if self._known.pop(key, None) is not None and self._path is not None:
                _append(self._path, key, None)

    def key(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> str:
        """SHA-256 over model, parameters, prompt version, messages and schema, as 64 hex digits."""
        asked = {
            "model": self.name,
            "parameters": {**getattr(self._chat, "parameters", {}), "max_tokens": max_tokens},
            "prompt_version": self._version,
            "messages": [dict(message) for message in messages],
            "schema": schema,
        }
        return hashlib.sha256(json.dumps(asked, sort_keys=True, default=dict).encode()).hexdigest()


def _read(path: Path) -> dict[str, Reply]:
    try:
        lines = path.read_bytes().splitlines() if path.exists() else []
    except OSError as error:
        raise ModelError(f"{path}: no cache can be read there ({error.strerror}); name another file") from error
    known: dict[str, Reply] = {}
    for line in lines:
        try:
            row = json.loads(line)
            if row["reply"] is None:
                known.pop(str(row["key"]), None)
            else:
                known[str(row["key"])] = Reply(**row["reply"])
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    return known


def _append(path: Path, key: str, reply: Reply | None) -> None:
    """One write, so that the lines of two processes do not mix; a line that was broken off before is ended first."""
    line = json.dumps({"key": key, "reply": None if reply is None else asdict(reply)})
    try:
        with path.open("ab") as file:
            file.write(f"\n{line}\n".encode() if _is_broken_off(path) else f"{line}\n".encode())
    except OSError as error:
        raise ModelError(f"{path}: no cache can be written there ({error.strerror}); name another file") from error


def _is_broken_off(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if not size:
            return False
        file.seek(size - 1)
        return file.read(1) != b"\n"
