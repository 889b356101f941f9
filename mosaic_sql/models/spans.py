"""Tokens of a text where the model's own tokenizer is not at hand."""

from __future__ import annotations

import re

_PIECE = re.compile(r"[A-Za-z0-9_]{1,4}|[^\sA-Za-z0-9_]")
_WORD = re.compile(r"\w+|[^\w\s]")


def piece_spans(text: str) -> list[tuple[int, int]]:
    """Return approximate tokens: up to four ASCII letters or digits, else one character each.

    Byte-pair tokenizers average four characters a token in English and about one in scripts such
    as Chinese, so this errs towards more tokens than the model counts.
    """
    return [piece.span() for piece in _PIECE.finditer(text)]


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return the words of a text, and each punctuation mark or symbol on its own."""
    return [word.span() for word in _WORD.finditer(text)]
