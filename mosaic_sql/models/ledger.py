"""Calls of a chat model as records of the ledger, those included that gave nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from mosaic_sql.errors import CeilingReached, ModelError
from mosaic_sql.models import ChatModel, Reply
from mosaic_sql.records import ModelCall
from mosaic_sql.text import storable


def call_of(purpose: str, reply: Reply, error: str = "") -> ModelCall:
    """A call that was answered; `error` says why the answer is of no use."""
    return ModelCall(
        purpose,
        reply.model,
        reply.prompt_tokens,
        reply.completion_tokens,
        1000 * reply.seconds,
        "cached" if reply.cached else reply.finish_reason,
        storable(reply.text),
        error,
    )


def failed_call(purpose: str, model: str, error: str, *, since: float | None) -> ModelCall:
    """A call without an answer; it began at `since`, by `time.perf_counter`. What it cost is not known."""
    line = " ".join(storable(error).split())
    milliseconds = 0.0 if since is None else 1000 * (time.perf_counter() - since)
    return ModelCall(purpose, model, 0, 0, milliseconds, "error", error=line)


def cut_off(reply: Reply, limit: int) -> str:
    """Says that a reply was broken off by its token limit; empty where it was not."""
    return f"it was cut off at its limit of {limit:,} tokens" if reply.finish_reason == "length" else ""


class NotedChat:
    """A chat model whose every call is added to `calls`, answered or not."""

    def __init__(self, chat: ChatModel, purpose: str, calls: list[ModelCall]) -> None:
        """Take the model, what it is asked for, and the list to add to."""
        self.name = chat.name
        self._chat = chat
        self._purpose = purpose
        self._calls = calls

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Answer as the model does, and raise as it does; see `ChatModel.complete`."""
        started = time.perf_counter()
        try:
            reply = self._chat.complete(messages, schema=schema, max_tokens=max_tokens)
        except ModelError as error:
            if not isinstance(error, CeilingReached):  # which says that no call was made
                self._calls.append(failed_call(self._purpose, self.name, str(error), since=started))
            raise
        self._calls.append(call_of(self._purpose, reply))
        return reply
