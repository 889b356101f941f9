"""What an answer holds of the gold answers: pure functions over texts.

Short gold is compared as SQuAD does (Rajpurkar et al. 2016: exact match and F1 over normalised words, the best of the
gold variants); long gold by the share of its content stems that are said.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from mosaic_sql import text as words

SHORT_WORDS = 6
"""Words up to which a gold answer is short: a name, a date, a number."""
HELD = 0.8
"""Share of a long gold's content stems from which a text holds it."""
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_MARKER = re.compile(r"\[\d+(?:\s*,\s*\d+)*\]")
_TRUTH = ("yes", "no")


def normalised(text: str) -> str:
    """Lower case, without punctuation (of any script) and articles, words parted by one blank."""
    kept = "".join(mark for mark in text.lower() if not _is_punctuation(mark))
    return " ".join(_ARTICLES.sub(" ", kept).split())


def _is_punctuation(mark: str) -> bool:
    return mark in string.punctuation or unicodedata.category(mark).startswith("P")


def unmarked(answer: str) -> str:
    """An answer without its citation markers such as [1, 3]."""
    return _MARKER.sub(" ", answer)


def is_short(gold: Sequence[str]) -> bool:
    """Whether the shortest variant has at most SHORT_WORDS words."""
    return min(len(variant.split()) for variant in gold) <= SHORT_WORDS


def can_be_held(gold: Sequence[str]) -> bool:
    """Whether a text can hold the gold: yes and no stand in no text that proves them."""
    return not all(normalised(variant) in _TRUTH for variant in gold)


def exact_match(answer: str, gold: Sequence[str]) -> float:
    """1.0 where the normalised answer is a normalised variant, else 0.0."""
    said = normalised(answer)
    return float(any(said == normalised(variant) for variant in gold))


def f1(answer: str, gold: Sequence[str]) -> float:
    """Harmonic mean of precision and recall over normalised words with repeats, in [0, 1]; the best variant's."""
    return max(_f1(normalised(answer).split(), normalised(variant).split()) for variant in gold)


def _f1(said: Sequence[str], wanted: Sequence[str]) -> float:
    if not said or not wanted:
        return float(list(said) == list(wanted))
    common = sum((Counter(said) & Counter(wanted)).values())
    return 2 * common / (len(said) + len(wanted))


def contains(text: str, gold: Sequence[str]) -> bool:
    """Whether a variant stands in `text`, word for word once both are normalised."""
    said = f" {normalised(text)} "
    return any(f" {wanted} " in said for wanted in map(normalised, gold) if wanted)


def word_recall(text: str, gold: Sequence[str]) -> float:
    """Share of a variant's content stems that stand in `text`, each once and alike, in [0, 1]; the best variant's."""
    said = set(words.stems(text))
    return max(_share(set(words.stems(variant)), said) for variant in gold)


def _share(wanted: set[str], said: set[str]) -> float:
    return len(wanted & said) / len(wanted) if wanted else 0.0


def holds(texts: Iterable[str], gold: Sequence[str]) -> bool:
    """Whether `texts` hold the gold: a short one stands in one of them, of a long one they say HELD of the stems."""
    read = list(texts)
    if is_short(gold):
        return any(contains(text, gold) for text in read)
    return word_recall("\n".join(read), gold) >= HELD
