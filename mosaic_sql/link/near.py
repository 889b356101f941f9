"""Names that a question spells otherwise, holds a part of, or only resembles: lexical search, then vectors.

It runs for what looks like a name and is none: words in quotation marks or with capitals, and, where a question names
nothing at all, its words that are neither small nor of the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.link.wording import LONGEST_NAME, Wording, runs, trimmed
from mosaic_sql.records import Candidate

Embed = Callable[[Sequence[str]], Sequence[tuple[float, ...] | None]]
"""Texts to vectors on the grid, None each without an embedder."""

SPANS = 6
"""Spans of one question that are searched."""
ROWS = 50
"""Names that are compared letter by letter with one span."""
SAME_WORD = 0.75
"""Likeness of letters (Ratcliff and Obershelp's, in [0, 1]) from which two words may be one, misspelled."""
LEAST, LEAST_BESIDE_TEXT = 0.6, 0.8
"""Score from which a name may be meant; in a corpus with text, which has names of its own."""
SURE = 0.8
"""Score from which a name is meant rather than the shorter ones among its words."""
PART = 0.5
"""Score of a name of which the question holds some words as they are."""
PART_LIMIT, PART_SHOWN = 20, 5
"""Names with those words from which they tell too little, and how many are taken of fewer."""
SIMILAR = 0.8
"""Cosine from which a name is similar."""
SIMILAR_NODES = 1_000_000
"""Nodes up to which vectors are compared: the search reads them all."""


@dataclass(frozen=True)
class Near:
    """A span (first word, end word) and the nodes that it may mean, best first."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]


def spans(wording: Wording, covered: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs of words that look like a name: quoted, or capitals with particles between; not those that are known whole.

    `covered` are the runs that are names already.
    """
    tokens = wording.tokens
    found = [run for run in wording.quoted if run[1] - run[0] <= LONGEST_NAME]
    inside = {place for start, end in found for place in range(start, end)}
    capitals = [
        place
        for place, token in enumerate(tokens)
        if place not in inside and wording.cased and (token.strong or token.form in words.PARTICLES)
    ]
    for run in runs(capitals):
        start, end = trimmed(tokens, run, words.STOP_WORDS | words.PARTICLES)
        if end - start > 1 or (end > start and not wording.opens(start) and not tokens[start].form.isdigit()):
            found.append((start, end))
    known = [set(range(start, end)) for start, end in covered]
    content = [{place for place in range(*run) if tokens[place].form not in words.STOP_WORDS} for run in found]
    kept = [run for run, held in zip(found, content, strict=True) if held and not any(held <= one for one in known)]
    return kept[:SPANS]


def loose_spans(wording: Wording) -> list[tuple[int, int]]:
    """Runs of words that are neither small nor of the schema, in a question that names nothing."""
    tokens = wording.tokens
    telling = [
        place
        for place, token in enumerate(tokens)
        if token.form not in words.STOP_WORDS and len(token.form) > 2 and not wording.schema.speaks(token.form)
    ]
    return sorted(runs(telling), key=lambda run: (run[0] - run[1], run[0]))[:SPANS]


@dataclass(frozen=True)
class Search:
    """Looks for the names that a span may mean; `spellings` are the terms that a word may be."""

    database: Database
    wording: Wording
    has_text: bool
    embed: Embed | None
    spellings: dict[str, list[int]] = field(default_factory=dict)

    def find_all(self, spans: Sequence[tuple[int, int]]) -> list[Near]:
        """What each span may mean, of those that may mean something."""
        forms = sorted({form for span in spans for form in self._content(*span)} - set(self.spellings))
        self.spellings.update((form, []) for form in forms)
        for word, term_id, _ in self.database.rows("link.near_forms", words=forms) if forms else ():
            self.spellings[word].append(term_id)
        found = (self._find(span) for span in spans)
        return [one for one in found if one]

    def _content(self, start: int, end: int) -> list[str]:
        return [token.form for token in self.wording.tokens[start:end] if token.form not in words.STOP_WORDS]

    def _find(self, span: tuple[int, int]) -> Near | None:
        """By words, else by vector; a name that the question opens with may begin with a word that is none of it."""
        start, end = span
        tries = [span, (start + 1, end)] if end - start > 1 and self.wording.opens(start) else [span]
        for first, last in tries:
            found = self._by_words(first, last)
            if found:
                return Near(first, last, found)
        similar = self._by_vector(span)
        return Near(start, end, similar) if similar else None

    def _by_words(self, start: int, end: int) -> tuple[Candidate, ...]:
        content = self._content(start, end)
        forms = list(dict.fromkeys(content))
        spellings = [
            {"word_no": place, "term_id": term_id}
            for place, form in enumerate(forms)
            for term_id in self.spellings[form]
        ]
        least = len(forms) if len(forms) < 3 else len(forms) - 1
        if len({spelling["word_no"] for spelling in spellings}) < max(1, least):
            return ()
        rows = self.database.rows("link.near_names", spellings=spellings, least=least, row_limit=ROWS)
        return self._compared(content, [row[0] for row in rows])

    def _compared(self, content: list[str], node_ids: list[int]) -> tuple[Candidate, ...]:
        """The nodes whose names are the words, but for their spelling; else those that hold them all as they are."""
        scores: dict[int, tuple[float, bool]] = {}
        wanted = sorted(node_ids)
        for node_id, _, key in self.database.rows("link.aliases", node_ids=wanted) if wanted else ():
            scores[node_id] = max(scores.get(node_id, (0.0, False)), likeness(content, key.split()))
        least = LEAST_BESIDE_TEXT if self.has_text else LEAST
        whole = {node_id: score for node_id, (score, _) in scores.items() if score >= least}
        if whole:
            return self._candidates(whole, "lexical")
        parts = {node_id: PART for node_id, (_, holds) in scores.items() if holds}
        if self.has_text or len(parts) > PART_LIMIT:
            return ()
        return self._candidates(parts, "lexical")[:PART_SHOWN]

    def _by_vector(self, span: tuple[int, int]) -> tuple[Candidate, ...]:
        if self.embed is None:
            return ()
        start, end = self.wording.span(*span)
        vector = self.embed([self.wording.question[start:end]])[0]
        if vector is None:
            return ()
        rows = self.database.rows("link.similar_names", embedding=list(vector), least=SIMILAR, row_limit=PART_SHOWN)
        return self._candidates(dict(rows), "similar")

    def _candidates(self, scores: dict[int, float], why: str) -> tuple[Candidate, ...]:
        nodes = self.database.rows("link.nodes", node_ids=sorted(scores)) if scores else []
        found = [_candidate(row, round(scores[row[0]], 6), why) for row in nodes]
        return tuple(sorted(found, key=lambda one: (-one.score, -one.degree, one.node_id)))


def likeness(asked: Sequence[str], name: Sequence[str]) -> tuple[float, bool]:
    """How alike the content words of a span and the words of a name are, and whether the name holds them as they are.

    Likeness in [0, 1] is the share of all their letters that stand in words which are the same, or nearly.
    """
    left = [word for word in name if word not in words.STOP_WORDS] or list(name)
    letters = sum(map(len, asked)) + sum(map(len, left))
    same, missed, exact = 0.0, 0, True
    for word in asked:
        alike, other = max(((_same(word, one), one) for one in left), default=(0.0, ""))
        exact = exact and alike == 1.0
        if alike < SAME_WORD:
            missed += 1
            continue
        left.remove(other)
        same += alike * (len(word) + len(other))
    too_few = missed > (1 if len(asked) > 2 else 0)
    return (0.0 if too_few else same / max(1, letters)), exact


def _same(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if one[:1] != other[:1] or min(len(one), len(other)) < 4:
        return 0.0
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _candidate(row: tuple[Any, ...], score: float, why: str) -> Candidate:
    node_id, name, _, kinds, _, degree, description = row
    return Candidate(node_id, name, tuple(kinds or ()), degree or 0, description or "", score, why)
