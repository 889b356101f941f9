"""A question read by a chat model: asked once, asked again with the error, everything it says checked.

What a model writes is data. Controls are held to the ranges of an analyzer and to each other, targets count only where
they stand in the question and name something in the corpus, and each change is a correction (B1 of the specification).
"""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.analyze import cues, prompting
from mosaic_sql.analyze.signals import SIGNALS, Signal, controls
from mosaic_sql.errors import CeilingReached, ModelOutputError, ModelUnavailable
from mosaic_sql.models import ChatModel
from mosaic_sql.models.ledger import call_of, cut_off, failed_call
from mosaic_sql.policy import PART_OF, Correction, Policy, clamp
from mosaic_sql.records import Catalogue, ModelCall, Target

MAX_TOKENS = 600
"""Tokens that a reply may have."""
RISK_LENGTH, RATIONALE_LENGTH, FACET_LENGTH = 200, 400, 80
"""Characters kept of what a model says in its own words."""
CONFIRMED = 0.5
"""Weight, at least, of a target that the model names too: above the threshold of an anchor."""

_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_SAFE_DIGITS = 15


@dataclass(frozen=True)
class Reading:
    """What an analyzer made of a question: a valid policy, and what had to be changed to make it so."""

    signals: Mapping[str, int]
    policy: Policy
    targets: tuple[Target, ...]
    facets: tuple[str, ...]
    corrections: tuple[Correction, ...] = ()
    risk: str = ""
    rationale: str = ""
    analyzer: str = "rules"


@dataclass
class Asked:
    """The question, who is asked, the calls so far, and why the last gave nothing."""

    question: str
    operator: str
    model: ChatModel
    calls: list[ModelCall] = field(default_factory=list)
    problem: str = ""


def by_model(
    question: str,
    targets: Sequence[Target],
    catalogue: Catalogue,
    operator: str,
    model: ChatModel,
    table: Sequence[Signal] = SIGNALS,
) -> tuple[Reading | str, tuple[ModelCall, ...]]:
    """What the model makes of a question, and every call; the reason where it gave nothing of use, or no answer.

    A reply that holds no usable JSON object is asked for once more, with the error. Never raises `ModelUnavailable` or
    `ModelOutputError`; the reason holds them as text.
    """
    asked = Asked(question, operator, model)
    messages: list[dict[str, str]] = prompting.messages(question, operator, catalogue, table)
    shape = prompting.schema(operator, table)
    for _ in range(2):
        said, goes_on = ask(asked, messages, shape)
        if said is not None:
            return _reading(said, asked, targets, table), tuple(asked.calls)
        if not goes_on:
            break
        messages = [*messages, *once_more(asked.calls[-1])]
    return asked.problem, tuple(asked.calls)


def once_more(last: ModelCall) -> list[dict[str, str]]:
    """What is said after a reply of no use: the reply and why it is of none."""
    again = f"That can not be used: {last.error}. Reply with the one JSON object that was asked for, nothing else."
    return [{"role": "assistant", "content": last.output}, {"role": "user", "content": again}]


def ask(
    asked: Asked, messages: Sequence[Mapping[str, str]], shape: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, bool]:
    """The object that the model replied with, or None and whether to ask again; a call that was made is noted."""
    started = time.perf_counter()
    try:
        reply = asked.model.complete(messages, schema=shape, max_tokens=MAX_TOKENS)
    except (ModelUnavailable, ModelOutputError) as error:
        asked.problem = _plain(str(error))
        if not isinstance(error, CeilingReached):
            asked.calls.append(failed_call("analyze", asked.model.name, asked.problem, since=started))
        return None, isinstance(error, ModelOutputError)
    said, asked.problem = None, ""
    try:
        said = parse(reply.text, shape["properties"])
    except ModelOutputError as error:
        asked.problem = cut_off(reply, MAX_TOKENS) or str(error)
    asked.calls.append(call_of("analyze", reply, asked.problem))
    return said, True


_BESIDE = frozenset(("targets", "facets", "risk", "rationale"))


def parse(text: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """The first JSON object of a reply, whatever stands around it; numbers beyond all measure become texts.

    Raises:
        ModelOutputError: there is none, it is broken, or it has none of the `known` keys.
    """
    text = _THOUGHT.sub("", text)
    start = text.find("{")
    if start < 0:
        raise ModelOutputError("it holds no JSON object" if text.strip() else "it is empty")
    decoder = json.JSONDecoder(parse_constant=str, parse_float=_number, parse_int=_number)
    try:
        value, _ = decoder.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        problem = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
        raise ModelOutputError(f"its JSON is broken ({problem})") from error
    if not set(value) & (set(known) - _BESIDE):  # names and remarks alone move nothing
        raise ModelOutputError(f"it has none of the keys {', '.join(key for key in known if key not in _BESIDE)}")
    cleaned: dict[str, Any] = _cleaned(value)
    return cleaned


def _number(text: str) -> int | float | str:
    value = float(text) if any(c in text for c in ".eE") else int(text) if len(text) <= _SAFE_DIGITS else text
    return value if not isinstance(value, float) or math.isfinite(value) else text


def _cleaned(value: Any) -> Any:
    """The same without what a database can not take: NUL and lone surrogates."""
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {_plain(name): _cleaned(part) for name, part in value.items()}
    return value


def _plain(text: str, *, lines: bool = False) -> str:
    text = words.storable(text)
    return text if lines else " ".join(text.split())


# -- what it said, checked -------------------------------------------------------------------------------------------


def _reading(said: Mapping[str, Any], asked: Asked, targets: Sequence[Target], table: Sequence[Signal]) -> Reading:
    """Every part of a reply, each held to what it may be."""
    changed: list[Correction] = []
    levels = _levels(said.get("signals"), table, changed)
    meant = _targets(said.get("targets"), asked.question, targets, changed)
    moved = controls(table)
    changed += [
        Correction(name, _short(value), None, "not asked for")
        for name, value in said.items()
        if name not in (*moved, "signals", "targets", "facets", "risk", "rationale")
    ]
    policy, corrections = clamp({name: said[name] for name in moved if name in said}, asked.operator)
    changed += [replace(each, proposed=_short(each.proposed)) for each in corrections]
    changed += [Correction(name, None, _value(policy, name), "missing") for name in moved if name not in said]
    policy = _held_together(policy, levels, meant, changed)
    return Reading(
        signals=levels,
        policy=policy,
        targets=meant,
        facets=_facets(said.get("facets"), changed),
        risk=_cut("risk", said.get("risk", ""), RISK_LENGTH, changed),
        rationale=_cut("rationale", said.get("rationale", ""), RATIONALE_LENGTH, changed),
        corrections=tuple(changed),
        analyzer=asked.model.name,
    )


def _held_together(
    policy: Policy, levels: Mapping[str, int], targets: Sequence[Target], changed: list[Correction]
) -> Policy:
    values = {**policy.seed.model_dump(), **policy.walk.model_dump(), **policy.evidence.model_dump()}
    found = cues.checked(values, levels, sum(target.is_meant for target in targets))
    changed += [Correction(name, values[name], used, "checked with other controls") for name, used in found.items()]
    return Policy.parse(found, base=policy)


def _levels(said: Any, table: Sequence[Signal], changed: list[Correction]) -> dict[str, int]:
    given = said if isinstance(said, Mapping) else {}
    levels: dict[str, int] = {}
    for signal in table:
        value = given.get(signal.name)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        levels[signal.name] = min(2, max(0, int(value))) if number and value is not None else 0
        if value != levels[signal.name] or not number:
            reason = "missing" if value is None else "held to 0-2" if number else "expected a number"
            changed.append(Correction(f"signals.{signal.name}", _short(value), levels[signal.name], reason))
    return levels


def _targets(said: Any, question: str, linked: Sequence[Target], changed: list[Correction]) -> tuple[Target, ...]:
    """The linked targets; those that the model names too weigh at least CONFIRMED."""
    confirmed: set[int] = set()
    for name in _texts("targets", said, changed):
        spans = _places(name, question)
        groups = {target.group_id for target in linked for span in spans if _is_about(target, span, question)}
        if not groups:
            reason = "names nothing in the corpus" if spans else "not in the question"
            changed.append(Correction("targets", _short(name), None, reason))
        confirmed |= groups
    return tuple(
        replace(target, weight=max(target.weight, CONFIRMED)) if target.group_id in confirmed else target
        for target in linked
    )


def _places(name: str, question: str) -> list[tuple[int, int]]:
    """Where the words of a name stand in a question, as character spans."""
    sought, tokens = [token.form for token in words.tokens(name)], words.tokens(question)
    forms = [token.form for token in tokens]
    return [
        (tokens[start].start, tokens[start + len(sought) - 1].end)
        for start in range(len(tokens) - len(sought) + 1)
        if sought and forms[start : start + len(sought)] == sought
    ]


def _is_about(target: Target, span: tuple[int, int], question: str) -> bool:
    """Whether a linked name makes up at least half of the content words of a span, or lies around it."""
    start, end = max(target.char_start, span[0]), min(target.char_end, span[1])
    return start < end and 2 * len(words.stems(question[start:end])) >= len(words.stems(question[slice(*span)]))


def _facets(said: Any, changed: list[Correction]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for facet in _texts("facets", said, changed):
        found.setdefault(words.normalise(facet), _cut("facets", facet, FACET_LENGTH, changed))
    return tuple(facet for key, facet in found.items() if key)


def _texts(name: str, said: Any, changed: list[Correction]) -> list[str]:
    """The texts of a list, at most LIST_LIMIT."""
    if said is None or not isinstance(said, list):
        changed.append(Correction(name, _short(said), None, "missing" if said is None else "expected a list of texts"))
        return []
    texts = [part for part in said if isinstance(part, str) and part]
    if len(texts) < len(said) or len(texts) > prompting.LIST_LIMIT:
        reason = f"expected at most {prompting.LIST_LIMIT} texts"
        changed.append(Correction(name, _short(said), texts[: prompting.LIST_LIMIT], reason))
    return texts[: prompting.LIST_LIMIT]


def _cut(name: str, said: Any, length: int, changed: list[Correction]) -> str:
    if not isinstance(said, str):
        changed.append(Correction(name, _short(said), "", "expected a text"))
        return ""
    if len(said) > length:
        changed.append(Correction(name, _short(said), said[:length], f"cut to {length} characters"))
    return said[:length]


def _short(value: Any) -> Any:
    """A value as a correction keeps it: numbers, truths and short texts as they are."""
    if value is None or isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= RISK_LENGTH else f"{text[:RISK_LENGTH]}…"


def _value(policy: Policy, name: str) -> Any:
    return getattr(getattr(policy, PART_OF[name]), name)
