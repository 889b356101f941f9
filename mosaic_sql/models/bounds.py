"""Bounds on what a chat model may take: seconds for one call, and tokens or money for all calls together."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mosaic_sql.errors import CeilingReached, ModelError, ModelUnavailable, PolicyError
from mosaic_sql.models import ChatModel, Reply
from mosaic_sql.models.spans import piece_spans

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Spending:
    """What calls may cost together, and what a token costs.

    `max_tokens` bounds the tokens read and written together, `ceiling` their price; `price_in` and `price_out` are per
    million tokens, in any currency.

    Raises:
        PolicyError: a number out of its range, or a ceiling without prices.
    """

    max_tokens: int | None = None
    ceiling: float | None = None
    price_in: float | None = None
    price_out: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        for name in ("max_tokens", "ceiling", "price_in", "price_out"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < float("inf"):
                raise PolicyError(f"{name}: {value} is no amount; give a number from 0 on, or leave it out")
        if self.ceiling is not None and self.price_in is None and self.price_out is None:
            raise PolicyError("ceiling: money needs a price; give price_in and price_out, per million tokens")

    def money(self, read: int, written: int) -> float | None:
        """What so many tokens cost; None without a price."""
        if self.price_in is None and self.price_out is None:
            return None
        return (read * (self.price_in or 0.0) + written * (self.price_out or 0.0)) / 1e6

    def passed(self, read: int, written: int) -> str:
        """Which bound so many tokens would pass, in words; empty where they stay within both."""
        if self.max_tokens is not None and read + written > self.max_tokens:
            return f"the bound of {self.max_tokens:,} tokens in all is reached"
        price = self.money(read, written)
        if self.ceiling is not None and price is not None and price > self.ceiling:
            return f"the ceiling of {self.ceiling:g} is reached"
        return ""


class Tally:
    """What calls have cost so far, within `spending`; models and threads may share it."""

    def __init__(self, spending: Spending | None = None) -> None:
        self._spending = spending or Spending()
        self._lock = threading.Lock()
        self._read = self._written = 0

    def check(self, name: str, read: int, written: int) -> None:
        """Refuse a call that reads and writes so many tokens.

        Raises:
            CeilingReached: it might pass a bound.
        """
        with self._lock:
            passed = self._spending.passed(self._read + read, self._written + written)
        if passed:
            raise CeilingReached(f"{name} was not asked: {passed}")

    def add(self, reply: Reply, asked: int) -> None:
        """Count a reply: by the server, else by an approximate count; `asked` is that of the prompt."""
        with self._lock:
            self._read += reply.prompt_tokens or (0 if reply.cached else asked)
            self._written += reply.completion_tokens or (0 if reply.cached else len(piece_spans(reply.text)))


class BoundedChat:
    """A chat model whose calls end in time and within what they may cost; threads may share it."""

    def __init__(self, chat: ChatModel, *, timeout: float | None = None, tally: Tally | None = None) -> None:
        """Take the model, seconds for one call with all its tries, and what is spent on which bound."""
        self.name = chat.name
        self.parameters = getattr(chat, "parameters", {})
        self._chat = chat
        self._timeout = timeout
        self._tally = tally or Tally()

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Answer as the model does; see `ChatModel.complete`.

        A call that is not over in time is left alone: its answer is thrown away when it comes.

        Raises:
            CeilingReached: the call might pass a bound; none is made.
            ModelUnavailable: no answer in time, or none at all.
            ModelOutputError: as the model does.
        """
        asked = sum(len(piece_spans(message["content"])) for message in messages)
        self._tally.check(self.name, asked, max_tokens or 0)
        reply = self._in_time({"schema": schema, "max_tokens": max_tokens}, messages)
        self._tally.add(reply, asked)
        return reply

    def _in_time(self, how: Mapping[str, Any], messages: Sequence[Mapping[str, str]]) -> Reply:
        if self._timeout is None:
            return self._chat.complete(messages, **how)
        outcome: list[Reply | BaseException] = []

        def call() -> None:
            try:
                outcome.append(self._chat.complete(messages, **how))
            except ModelError as error:
                outcome.append(error)
            except BaseException as error:  # a fault of the model's code, which the caller gets too
                outcome.append(error)
                raise

        thread = threading.Thread(target=call, daemon=True)  # which does not keep a process from ending
        thread.start()
        thread.join(self._timeout)
        if not outcome:
            raise ModelUnavailable(f"{self.name} did not answer within {self._timeout:g} s; give it more by timeout")
        if isinstance(outcome[0], BaseException):
            raise outcome[0]
        return outcome[0]
