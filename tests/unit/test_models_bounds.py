"""Bounds on calls of a chat model, and calls as records: time, tokens, money, the ledger."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from mosaic_sql.errors import CeilingReached, ModelOutputError, ModelUnavailable, PolicyError
from mosaic_sql.models import Reply
from mosaic_sql.models.bounds import BoundedChat, Spending, Tally
from mosaic_sql.models.fakes import ScriptedChat
from mosaic_sql.models.ledger import NotedChat, cut_off, failed_call
from mosaic_sql.records import ModelCall

ASKED = [{"role": "user", "content": "Who found argon, and when, and where was it?"}]


class Sleeper:
    """A chat model that answers after a while, or when it is woken."""

    name = "sleeper"

    def __init__(self) -> None:
        self.parameters = {"temperature": 0}
        self.woken = threading.Event()

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        self.woken.wait(20)
        return Reply("Ramsay.", 5, 2, 0.1, self.name, "stop")


def test_a_call_ends_at_its_time_limit_and_the_next_one_is_made() -> None:
    inner = Sleeper()
    chat, started = BoundedChat(inner, timeout=0.1), time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"^sleeper did not answer within 0\.1 s; give it more by timeout$"):
        chat.complete(ASKED)
    assert time.monotonic() - started < 5
    inner.woken.set()
    assert chat.complete(ASKED).text == "Ramsay."
    assert (chat.name, chat.parameters) == ("sleeper", {"temperature": 0})


@pytest.mark.parametrize("timeout", [None, 20.0])
def test_what_the_model_raises_and_answers_comes_through(timeout: float | None) -> None:
    inner = ScriptedChat([ModelOutputError("no text"), "Ramsay."])
    chat = BoundedChat(inner, timeout=timeout)
    with pytest.raises(ModelOutputError, match="no text"):
        chat.complete(ASKED)
    assert chat.complete(ASKED, schema={"a": 1}, max_tokens=7).text == "Ramsay."
    assert (inner.calls[1].schema, inner.calls[1].max_tokens) == ({"a": 1}, 7)


def test_no_call_is_made_that_might_pass_the_bound_of_tokens() -> None:
    inner = ScriptedChat(["Ramsay did."] * 3)
    chat = BoundedChat(inner, tally=Tally(Spending(max_tokens=50)))
    chat.complete(ASKED, max_tokens=20)
    chat.complete(ASKED, max_tokens=20)
    with pytest.raises(CeilingReached, match=r"^scripted was not asked: the bound of 50 tokens in all is reached$"):
        chat.complete(ASKED, max_tokens=20)
    assert len(inner.calls) == 2


def test_two_models_may_share_what_they_spend() -> None:
    tally = Tally(Spending(ceiling=0.00002, price_in=1.0))
    first, second = (BoundedChat(ScriptedChat(["a", "b"]), tally=tally) for _ in range(2))
    first.complete(ASKED)
    with pytest.raises(CeilingReached, match="the ceiling of 2e-05 is reached"):
        second.complete(ASKED)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"max_tokens": -1}, "max_tokens: -1 is no amount"),
        ({"ceiling": float("nan"), "price_in": 1}, "ceiling: nan is no amount"),
        ({"price_out": float("inf")}, "price_out: inf is no amount"),
        ({"ceiling": 1}, "ceiling: money needs a price"),
    ],
)
def test_bounds_that_cannot_be_meant_are_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(PolicyError, match=problem):
        Spending(**given)


def test_money_is_that_of_tokens_read_and_written() -> None:
    spending = Spending(ceiling=1.0, price_in=2.0, price_out=8.0)
    assert spending.money(250_000, 62_500) == 1.0
    assert (spending.passed(250_000, 62_500), spending.passed(250_000, 62_501)) == ("", "the ceiling of 1 is reached")
    assert Spending().money(1, 1) is None


def test_every_call_is_noted_those_that_failed_too_and_those_not_made_are_not() -> None:
    calls: list[ModelCall] = []
    inner = BoundedChat(
        ScriptedChat(["Ramsay\ud800.", ModelUnavailable("no\nconnection")]), tally=Tally(Spending(max_tokens=40))
    )
    chat = NotedChat(inner, "answer", calls)
    chat.complete(ASKED)
    with pytest.raises(ModelUnavailable):
        chat.complete(ASKED)
    with pytest.raises(CeilingReached):
        chat.complete(ASKED, max_tokens=100)
    assert [(call.purpose, call.model, call.finish_reason, call.output, call.error) for call in calls] == [
        ("answer", "scripted", "stop", "Ramsay?.", ""),
        ("answer", "scripted", "error", "", "no connection"),
    ]
    assert (calls[0].prompt_tokens, calls[0].completion_tokens) == (9, 1)


def test_a_failed_call_tells_how_long_it_took() -> None:
    assert 900 < failed_call("answer", "m", "x", since=time.perf_counter() - 1).milliseconds < 5000


def test_a_reply_that_was_broken_off_says_so() -> None:
    reply = Reply("{", 5, 600, 0.1, "m", "length")
    assert cut_off(reply, 600) == "it was cut off at its limit of 600 tokens"
    assert cut_off(Reply("{", 5, 600, 0.1, "m", "stop"), 600) == ""
