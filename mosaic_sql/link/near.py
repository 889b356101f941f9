"""Names that a question spells otherwise, holds a part of, or only resembles: lexical search, then vectors.

It runs for what looks like a name and is none: words in quotation marks or with capitals, and, where a question names
nothing at all, its words that are neither small nor of the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from heapq import nlargest
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.link.wording import LONGEST_NAME, Wording, runs, trimmed
from mosaic_sql.records import Candidate

_NUMERALS = frozenset("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv".split())

Embed = Callable[[Sequence[str]], Sequence[tuple[float, ...] | None]]
"""Texts to vectors on the grid, None each without an embedder."""

SPANS = 6
"""Spans of one question that are searched."""
ROWS = 50
"""Names that are compared letter by letter with one span."""
SAME_WORD = 0.75
"""Likeness of letters (Ratcliff and Obershelp's, in [0, 1]) from which two words may be one, misspelled."""
LEAST, LEAST_LOOSE = 0.6, 0.8
"""Score from which a name may be meant; for words in small letters, and in a corpus with text."""
OTHER_CASE = 0.9
"""Factor for a name in small letters where the question has capitals."""
LONG_WORD = 5
"""Letters of a word in small letters that alone may be a name, misspelled."""
SURE = 0.8
"""Score from which a name is meant rather than the shorter ones among its words."""
PART = 0.5
"""Score of a name of which the question holds some words as they are."""
PART_LIMIT, SIMILAR_SHOWN = 20, 5
"""Names with those words from which they tell too little, while fewer are all taken; how many similar ones are."""
NEAREST = 3
"""Names that are shown where none is meant."""
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
    """Runs of words that look like a name: quoted, or capitals; those that are known whole are left out.

    A run of capitals may hold small words (A Farewell to Arms); its parts without them follow it. `covered` are the
    runs that are names already.
    """
    tokens = wording.tokens
    found = [run for run in wording.quoted if run[1] - run[0] <= LONGEST_NAME]
    inside = {place for start, end in found for place in range(start, end)}
    small = words.STOP_WORDS | words.PARTICLES
    for bridges in (small, words.PARTICLES):
        capitals = [
            place
            for place, token in enumerate(tokens)
            if place not in inside and wording.cased and (token.strong or token.form in bridges)
        ]
        kept = (trimmed(tokens, run, small) for run in runs(capitals))
        found += [run for run in kept if _is_told(wording, *run) and run not in found]
    known = {place for start, end in covered for place in range(start, end)}
    content = [{place for place in range(*run) if tokens[place].form not in words.STOP_WORDS} for run in found]
    unknown = [run for run, held in zip(found, content, strict=True) if held and not held <= known]
    return unknown[:SPANS]


def _is_told(wording: Wording, start: int, end: int) -> bool:
    """Whether capitals tell a name: of several words, or of one that is no number and does not open the question."""
    if end - start > 1:
        return any(token.strong for token in wording.tokens[start:end])
    return end > start and not wording.opens(start) and not wording.tokens[start].form.isdigit()


def loose_spans(wording: Wording) -> list[tuple[int, int]]:
    """Runs of words that are neither small nor of the schema, in a question that names nothing; then each long word."""
    tokens = wording.tokens
    telling = [
        place
        for place, token in enumerate(tokens)
        if token.form not in words.STOP_WORDS
        and len(token.form) > 2
        and not (wording.cased and token.strong)  # looked for with its neighbours already
        and not wording.schema.speaks(token.form)
    ]
    whole = sorted(runs(telling), key=lambda run: (run[0] - run[1], run[0]))
    single = [(place, place + 1) for place in telling if len(tokens[place].form) >= LONG_WORD]
    return list(dict.fromkeys([*whole, *single]))[:SPANS]


@dataclass(frozen=True)
class Search:
    """Looks for the names that a span may mean.

    `least` is the score from which one is meant; `spellings` are the terms that a word may be.
    """

    database: Database
    wording: Wording
    least: float
    embed: Embed | None
    spellings: dict[str, list[int]] = field(default_factory=dict)

    def find_all(self, spans: Sequence[tuple[int, int]]) -> list[Near]:
        """What each span may mean, of those that may mean something; none over an earlier one."""
        self._spell(form for span in spans for form in self._content(*span))
        found: list[Near] = []
        for span in spans:
            free = all(one.end <= span[0] or span[1] <= one.start for one in found)
            one = self._find(span) if free else None
            found += [one] if one else []
        return found

    def _spell(self, forms: Iterable[str]) -> None:
        """Learn the terms that words may be, those that are not known yet."""
        new = sorted(set(forms) - set(self.spellings))
        self.spellings.update((form, []) for form in new)
        for word, term_id, _ in self.database.rows("link.near_forms", words=new) if new else ():
            self.spellings[word].append(term_id)

    def _content(self, start: int, end: int) -> list[str]:
        return [token.form for token in self.wording.tokens[start:end] if token.form not in words.STOP_WORDS]

    def _find(self, span: tuple[int, int]) -> Near | None:
        """By words, else by vector; a name that the question opens with may begin with a word that is none of it."""
        start, end = span
        tries = [span]
        if end - start > 1 and self.wording.opens(start):
            tries.append(trimmed(self.wording.tokens, (start + 1, end), words.STOP_WORDS | words.PARTICLES))
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
        return self._compared(self.wording.tokens[start:end], [row[0] for row in rows])

    def nearest(self, start: int, end: int) -> tuple[str, ...]:
        """The likest names that share a word with a span, none of them near enough to be meant."""
        content = self._content(start, end)
        self._spell(content)
        spellings = [{"word_no": 0, "term_id": term_id} for form in content for term_id in self.spellings[form]]
        rows = self.database.rows("link.near_names", spellings=spellings, least=1, row_limit=ROWS) if spellings else ()
        wanted = sorted(row[0] for row in rows)
        names = {row[1] for row in (self.database.rows("link.nodes", node_ids=wanted) if wanted else ())}
        said = " ".join(content)
        return tuple(nlargest(NEAREST, sorted(names), key=lambda name: _ratio(said, words.normalise(name))))

    def _compared(self, tokens: Sequence[words.Token], node_ids: list[int]) -> tuple[Candidate, ...]:
        """The nodes whose names are the words, but for their spelling; else those that hold them all as they are."""
        scores: dict[int, tuple[float, bool]] = {}
        wanted = sorted(node_ids)
        run, capital = [token.form for token in tokens], any(token.strong for token in tokens)
        for node_id, alias, key in self.database.rows("link.aliases", node_ids=wanted) if wanted else ():
            alike, holds = likeness(run, key.split())
            fits = not (capital and alias.islower())
            scores[node_id] = max(scores.get(node_id, (0.0, False)), (alike if fits else OTHER_CASE * alike, holds))
        whole = {node_id: score for node_id, (score, _) in scores.items() if score >= self.least}
        parts = {node_id: PART for node_id, (_, holds) in scores.items() if holds}
        if whole and not (len(_content(run)) == 1 and self._is_shared(whole, parts)):
            return self._candidates(whole, "lexical")
        if self.least > LEAST or len(parts) > PART_LIMIT:
            return ()
        return self._candidates(parts, "lexical")

    def _is_shared(self, whole: Mapping[int, float], parts: Mapping[int, float]) -> bool:
        """Whether one word is part of several names, of which the shortest is no likelier than the others."""
        part_of_all = max(whole.values()) < SURE and set(whole) <= set(parts)
        return part_of_all and self.least <= LEAST and len(whole) < len(parts) <= PART_LIMIT

    def _by_vector(self, span: tuple[int, int]) -> tuple[Candidate, ...]:
        if self.embed is None:
            return ()
        start, end = self.wording.span(*span)
        vector = self.embed([self.wording.question[start:end]])[0]
        if vector is None:
            return ()
        rows = self.database.rows("link.similar_names", embedding=list(vector), least=SIMILAR, row_limit=ROWS)
        asked = _numbers([token.form for token in self.wording.tokens[span[0] : span[1]]])
        found = self._candidates(dict(rows), "similar")
        return tuple(one for one in found if _numbers(words.normalise(one.name).split()) == asked)[:SIMILAR_SHOWN]

    def _candidates(self, scores: dict[int, float], why: str) -> tuple[Candidate, ...]:
        nodes = self.database.rows("link.nodes", node_ids=sorted(scores)) if scores else []
        found = [_candidate(row, round(scores[row[0]], 6), why) for row in nodes]
        return tuple(sorted(found, key=lambda one: (-one.score, -one.degree, one.node_id)))


def likeness(asked: Sequence[str], name: Sequence[str]) -> tuple[float, bool]:
    """How alike a span and a name are, both as words, and whether the name holds the span's content words as they are.

    Likeness in [0, 1] is the share of all their letters that stand in words which are the same, or nearly; 0 where
    their numbers differ, since World War I is not World War II.
    """
    wanted, left = _content(asked), _content(name)
    letters = sum(map(len, wanted)) + sum(map(len, left))
    holds = set(wanted) <= set(left) and _numbers(asked) <= _numbers(name)
    same, missed = 0.0, 0
    for word in wanted:
        alike, other = max(((_same(word, one), one) for one in left), default=(0.0, ""))
        if alike < SAME_WORD:
            missed += 1
            continue
        left.remove(other)
        same += alike * (len(word) + len(other))
    differs = missed > (1 if len(wanted) > 2 else 0) or _numbers(asked) != _numbers(name)
    return (0.0 if differs else same / max(1, letters)), holds


def goes_beyond(name: str, exact: str) -> bool:
    """Whether a near name says each word of an exact one (a look-up form) and more: else the exact one is meant."""
    said, wanted = _content(words.normalise(name).split()), _content(exact.split())
    return len(said) > len(wanted) and all(any(_same(word, one) >= SAME_WORD for one in said) for word in wanted)


def _content(run: Sequence[str]) -> list[str]:
    """The words that are not small, or all where there is none else."""
    return [word for word in run if word not in words.STOP_WORDS] or list(run)


def _numbers(run: Sequence[str]) -> set[str]:
    """Numbers and Roman numerals; a name does not begin with the latter."""
    return {word for place, word in enumerate(run) if word.isdigit() or (place and word in _NUMERALS)}


def _same(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if one[:1] != other[:1] or min(len(one), len(other)) < 4:
        return 0.0
    return _ratio(one, other)


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _candidate(row: tuple[Any, ...], score: float, why: str) -> Candidate:
    node_id, name, _, kinds, _, degree, description = row
    return Candidate(node_id, name, tuple(kinds or ()), degree or 0, description or "", score, why)
