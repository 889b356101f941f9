"""An answer without a model: the sentences of the evidence that answer best, verbatim, each with its passage."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mosaic_sql import text as words
from mosaic_sql.answer.results import cite, no_answer
from mosaic_sql.records import Analysis, Answer, Context, Passage

_HEADING = re.compile(r"^#{1,6}[ \t][^\n]*$", re.MULTILINE)
_SAID = 0.3
"""What a word of the question still counts for each quote that says it already."""
_SAME = 0.2
"""What a second sentence of a passage costs, unless a link led there."""
_LEAD = 1.0
"""What is gained by the sentence that a page begins with, where the question is what its subject is."""
_BIDDING = frozenset(words.stems("tell me describe explain"))
_LED = 0.1
"""What is gained by a passage that a link led to from one that is quoted already."""


@dataclass(frozen=True)
class _Quote:
    """A sentence that may be quoted: what it says of the question's stems, each by its share, and what else it has."""

    passage: Passage
    sentence: str
    shares: Mapping[str, float]
    extra: float


def quoted(question: str, context: Context, analysis: Analysis) -> Answer:
    """The sentences of the evidence that answer best, verbatim, each with its passage."""
    wide = analysis.signals.get("output_cardinality", 0) or analysis.signals.get("completeness", 0)
    chosen = _spread(_quotes(question, context), limit=6 if wide else 4)
    if not chosen:
        return no_answer("none", "no sentence to quote", context.missing)
    chosen.sort(key=lambda quote: (quote.passage.number, quote.passage.text.find(quote.sentence)))
    lines = [f"“{' '.join(quote.sentence.split())}” [{quote.passage.number}]" for quote in chosen]
    cited = {quote.passage.number: quote.passage for quote in chosen}
    citations = tuple(cite(cited[number]) for number in sorted(cited))
    return Answer("\n".join(lines), citations, True, "quoted", missing=context.missing)


def _quotes(question: str, context: Context) -> list[_Quote]:
    """Every sentence, scored by what of the question it holds and whether it holds the kind of thing asked for.

    A sentence is read under its passage's title: a word that only the title holds counts by less than half, nearly in
    full on the page of a name that the question means. In a passage that a link led to, words of the question that the
    passage before did not have count double.
    """
    asks = _asked(question)
    known = set(words.stems(question))
    sources = {passage.chunk_id: set(words.stems(f"{passage.title} {passage.text}")) for passage in context.passages}
    subject = frozenset() if asks == "number" else frozenset(context.weights) - _BIDDING
    pages = [passage.number for passage in context.passages if _is_page_of(passage, subject)]
    quotes: list[_Quote] = []
    for place, passage in enumerate(passage for passage in context.passages if passage.chunk_id is not None):
        title = set(words.stems(passage.title))
        by_title = 0.9 if passage.role == "anchor" else 0.4
        before = sources.get(passage.path_from, set()) if passage.role == "link" else set()
        weights = {
            stem: weight * (2.0 if before and stem not in before else 1.0) for stem, weight in context.weights.items()
        }
        total = sum(weights.values()) or 1.0
        for ordinal, sentence in enumerate(_sentences(passage.text)):
            said = set(words.stems(sentence))
            if pages and passage.number not in pages and not said & subject:
                continue
            shares = {
                stem: (weight if stem in said else by_title * weight) / total
                for stem, weight in weights.items()
                if stem in said or stem in title
            }
            fits = 0.2 if asks is not None and _holds(asks, sentence, known) else 0.0
            lead = _LEAD if passage.number in pages and ordinal == 0 else 0.0
            quotes.append(_Quote(passage, sentence, shares, 0.3 / (1 + place) + fits + lead))
    return quotes


def _is_page_of(passage: Passage, subject: frozenset[str]) -> bool:
    """Whether a passage is the beginning of the page that is about the subject and nothing else."""
    title = set(words.stems(passage.title))
    named = subject == title or (passage.role == "anchor" and subject < title)
    return bool(subject) and passage.chunk_id is not None and passage.char_start == 0 and named


def _sentences(text: str) -> list[str]:
    """The sentences of a text; a heading states nothing, and parts what stands before and after it."""
    parts = (part for start, end in words.sentences(text) for part in _HEADING.split(text[start:end]))
    return [part.strip() for part in parts if part.strip()]


def _asked(question: str) -> str | None:
    """`number` or `name`, by the question word; None where neither is clear."""
    if re.search(
        r"\b(when|how (?:many|much|old|long|far)|(?:what|which) (?:year|date|day|month|century))\b", question, re.I
    ):
        return "number"
    if re.search(r"\b(who|whom|whose|where|which|what)\b", question, re.I):
        return "name"
    return None


def _holds(asks: str, sentence: str, known: set[str]) -> bool:
    """Whether a sentence holds a number, or a capitalised word that is not the question's and does not open it."""
    tokens = words.tokens(sentence)
    if asks == "number":
        return any(any(character.isdigit() for character in token.form) for token in tokens)
    return any(
        token.strong and not token.form[0].isdigit() and words.stem(token.form) not in known for token in tokens[1:]
    )


def _spread(quotes: Sequence[_Quote], *, limit: int) -> list[_Quote]:
    """Quotes that together say most of the question, the best first; at most two of one passage, none twice.

    After each choice, words of the question that it says count less, as does a second sentence of its passage, and
    passages that its links led to count more: what answers a question in steps stands along a chain of passages.
    """
    chosen: list[_Quote] = []
    left = list(quotes)
    worth: dict[str, float] = {}
    taken: dict[int, int] = {}

    def score(quote: _Quote) -> float:
        said = sum(share * worth.get(stem, 1.0) for stem, share in quote.shares.items())
        if quote.passage.role != "link":
            return said + quote.extra - (_SAME if quote.passage.number in taken else 0.0)
        led = any(other.passage.chunk_id == quote.passage.path_from for other in chosen)
        return said + quote.extra + (_LED if led else 0.0)

    while left and len(chosen) < limit:
        best = max(left, key=score)
        chosen.append(best)
        worth.update({stem: _SAID * worth.get(stem, 1.0) for stem in best.shares})
        number = best.passage.number
        taken[number] = taken.get(number, 0) + 1
        same = best.sentence.split()
        left = [quote for quote in left if quote.sentence.split() != same and taken.get(quote.passage.number, 0) < 2]
    return chosen
