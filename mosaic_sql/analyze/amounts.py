"""Amounts as they are written in a question: digits or words, with a scale: `1.5 million`, `two`, `1,000`."""

from __future__ import annotations

import re

_SMALL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
_NUMBERS = {word: number for number, word in enumerate(_SMALL, start=1)} | {"a": 1, "an": 1, "half a": 0.5}
_SCALES = {"hundred": 100, "thousand": 1_000, "k": 1_000, "million": 1_000_000, "m": 1_000_000,
           "billion": 1_000_000_000, "bn": 1_000_000_000, "trillion": 1_000_000_000_000}  # fmt: skip
N = rf"(?:\d[\d,]*(?:\.\d+)?|{'|'.join(_SMALL)})"
_SCALE = "(?:hundred|thousand|million|billion|trillion|bn|k|m)"
AMOUNT = rf"(?:(?:half a|an?) {_SCALE}\b|{N}(?: ?{_SCALE}\b)?)"


def number(text: str) -> float | None:
    """A number in digits or words, with its scale: `1.5 million`, `two`, `1,000`."""
    parts = text.lower().replace(",", "").split()
    scale = _SCALES[parts.pop()] if parts and parts[-1] in _SCALES else 1
    head = " ".join(parts)
    glued = re.fullmatch(r"(\d+(?:\.\d+)?)(k|m|bn)", head)
    if glued:
        return float(glued[1]) * _SCALES[glued[2]]
    if re.fullmatch(r"\d+(\.\d+)?", head):
        return float(head) * scale
    return _NUMBERS[head] * scale if head in _NUMBERS else None


def shown(amount: float | None) -> str:
    """An amount in digits; empty for none."""
    return "" if amount is None else f"{amount:.0f}" if float(amount).is_integer() else str(amount)
