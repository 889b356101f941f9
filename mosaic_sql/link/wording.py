"""How a name stands in a question: in quotation marks, with capitals, as a number, beside the word for its kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mosaic_sql import text as words
from mosaic_sql.records import Catalogue

LONGEST_NAME = 24
"""Words of a question that may form one name."""
LONGEST_PLURAL = 3
"""Words of one that is said in the plural."""

_QUOTES = re.compile(
    r"[\"“„”]([^\"“„”]+)[\"“”]|«([^»]+)»|‘([^‘]+?)’(?!\w)|「([^」]+)」|『([^』]+)』|《([^》]+)》|(?<![\w'])'([^']+(?:'\w[^']*)*)'(?!\w)"
)
_SIGNS = re.compile(r"(?<!\S)[^\w\s]+(?!\S)")
_JOINERS = frozenset("- – — & + / | * , ; : . ? ! ... …".split())
_PEOPLE = frozenset(
    "author writer actor actress director producer singer musician composer artist painter poet scientist physicist "
    "chemist mathematician philosopher king queen president politician player professor doctor".split()
)
_KIND_WORDS = frozenset().union(_PEOPLE, *words.SAME_KIND) | frozenset(
    "album game play opera magazine newspaper journal paper article website brand product team club school university "
    "river mountain lake island planet star element species gene protein god goddess language genre tag character "
    "street village".split()
)
_COUNTED_AFTER = frozenset("top first last least most than exactly over under only".split())


@dataclass(frozen=True)
class Schema:
    """The words of a corpus's kinds and relations, as stems."""

    kinds: tuple[tuple[str, frozenset[str]], ...] = ()
    relations: tuple[tuple[str, frozenset[str]], ...] = ()

    @classmethod
    def of(cls, catalogue: Catalogue | None) -> Schema:
        """The schema of a catalogue."""
        if catalogue is None:
            return cls()
        kinds = tuple((kind, _kind_stems(kind)) for kind in catalogue.kinds)
        return cls(kinds, tuple((relation, _stems(relation)) for _, relation in catalogue.relations))

    def kinds_of(self, form: str, own: Iterable[str] = ()) -> frozenset[str]:
        """Kinds, of the schema or among `own`, that a word may be the name of.

        A verb names none, though a kind may be called by one (directed_by).
        """
        if form.endswith(("ed", "ing")):
            return frozenset()
        stem = words.stem(form)
        known = (*self.kinds, *((kind, _kind_stems(kind)) for kind in own))
        return frozenset(kind for kind, stems in known if any(words.alike(stem, other) for other in stems))

    def relations_of(self, form: str) -> frozenset[str]:
        """Relations that a word may be the name of."""
        stem = words.stem(form)
        return frozenset(
            relation for relation, stems in self.relations if any(words.alike(stem, other) for other in stems)
        )

    def holds(self, form: str) -> bool:
        """Whether a word stands in the name of a kind or a relation, rather than being like one."""
        stem = words.stem(form)
        return any(stem in _stems(name) for name, _ in (*self.kinds, *self.relations))

    def sorts(self, form: str) -> bool:
        """Whether a word says of what kind things are: an everyday word, or in the name of a kind or relation.

        The noun of who does it is no word of a relation that is called by a verb: composers, composed.
        """
        own = words.singulars(form)
        in_name = any(own & _forms(name) for name, _ in (*self.kinds, *self.relations))
        return in_name or (words.is_kind_word(form) and not words.is_narrow(form))

    def is_role(self, form: str) -> bool:
        """Whether a word says what somebody does, and is not in the name of a kind or a relation."""
        return form in _PEOPLE and not self.sorts(form)

    def is_kind(self, form: str) -> bool:
        """Whether a word, in the singular or the plural, is in the name of a kind."""
        return any(words.singulars(form) & _forms(kind) for kind, _ in self.kinds)

    def speaks(self, form: str) -> bool:
        """Whether a word is of the schema rather than of a name."""
        return (
            form in _KIND_WORDS
            or form.removesuffix("s") in _KIND_WORDS
            or bool(self.kinds_of(form) or self.relations_of(form))
        )


@dataclass(frozen=True)
class Standing:
    """How a run of words stands in a question.

    `kinds` are those that a word right beside it names, `relations` those that the nearest content word may name;
    `beside_kind` tells that a word for some kind stands right before it, of the schema or not.
    """

    quoted: bool = False
    capital: bool = False
    beside_kind: bool = False
    kinds: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()


PLAIN = Standing()
"""Words of which nothing is known."""


@dataclass
class Wording:
    """A question taken apart: its words, quoted spans, and what its capitals tell."""

    question: str
    schema: Schema = field(default_factory=Schema)

    @cached_property
    def tokens(self) -> list[words.Token]:
        """The words in order."""
        return words.tokens(self.question)

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Runs of words in quotation marks, as (first word, end word)."""
        spans = [match.span(match.lastindex or 0) for match in _QUOTES.finditer(self.question)]
        runs = [
            [place for place, token in enumerate(self.tokens) if start <= token.start and token.end <= end]
            for start, end in spans
        ]
        return [(run[0], run[-1] + 1) for run in runs if run]

    @cached_property
    def signs(self) -> list[tuple[int, int]]:
        """Character spans of names that may be without a letter: `$`, `!!!`; quoted, or between blanks."""
        spans = [match.span(match.lastindex or 0) for match in _QUOTES.finditer(self.question)]
        spans = [(start, end) for start, end in spans if not words.tokens(self.question[start:end])]
        for match in _SIGNS.finditer(self.question):
            start, end = match.span()
            bare = self.question[start:end].rstrip("?.,") or match.group()
            if bare not in _JOINERS:
                spans += [(start, stop) for stop in dict.fromkeys((end, start + len(bare)))]
        return [(start, end) for start, end in dict.fromkeys(spans) if self.question[start:end].strip()]

    @cached_property
    def cased(self) -> bool:
        """Whether capitals tell anything: not where every content word, or the question as a whole, has them."""
        content = [token for token in self.tokens if len(token.form) > 3 or token.form not in words.STOP_WORDS]
        return len(content) < 3 or any(not token.strong for token in content)

    def grams(self) -> list[str]:
        """Every run of words that may form a name, and every sign, normalised and sorted."""
        forms = [token.form for token in self.tokens]
        keys = {
            " ".join(forms[start:end])
            for start in range(len(forms))
            for end in range(start + 1, min(len(forms), start + LONGEST_NAME) + 1)
        }
        return sorted(keys | {self.question[start:end].strip().casefold() for start, end in self.signs})

    def plurals(self) -> list[tuple[int, int, str]]:
        """Runs of small letters that end in a plural, as (first word, end word, key in the singular), longest first."""
        forms = [token.form for token in self.tokens]
        found = [
            (start, place + 1, " ".join([*forms[start:place], singular]))
            for place, token in enumerate(self.tokens)
            if not ((place and token.strong) or token.form in words.STOP_WORDS)
            for singular in sorted(words.singulars(token.form) - {token.form})
            for start in range(max(0, place + 1 - LONGEST_PLURAL), place + 1)
        ]
        return sorted(found, key=lambda one: (one[0] - one[1], one))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Character offsets of a run of words."""
        return self.tokens[start].start, self.tokens[end - 1].end

    def opens(self, start: int) -> bool:
        """Whether a word is the question's first, so that its capital tells nothing."""
        return self.question[: self.tokens[start].start].strip(" \"'“(") == ""

    def standing(self, start: int, end: int, own: Collection[str] = ()) -> Standing:
        """How the words from `start` to `end` stand; `own` are the kinds of what they may mean."""
        run = self.tokens[start:end]
        lone = end - start == 1
        named = [token for token in run if token.form not in words.PARTICLES] or run
        capital = self.cased and all(token.strong for token in named) and not (lone and self.opens(start))
        beside = self._beside(start, end)
        return Standing(
            quoted=(start, end) in self.quoted,
            capital=capital,
            beside_kind=start > 0 and self._is_kind_word(start - 1) and self._touching(start - 1),
            kinds=frozenset().union(*(self.schema.kinds_of(form, own) for form in beside)),
            relations=self._relations(start, end),
        )

    def is_part(self, start: int, end: int) -> bool:
        """Whether a run of words goes on in capitals, so that it may be part of a name that is not known."""
        if not self.cased:
            return False
        before = start > 0 and not self.opens(start - 1) and self._goes_on(start - 1, start - 1)
        return before or (end < len(self.tokens) and self._goes_on(end - 1, end))

    def _goes_on(self, place: int, other: int) -> bool:
        """Whether the word `other` has a capital and only a blank lies between the words at `place` and after it."""
        token = self.tokens[other]
        return (
            token.strong
            and self.goes_on(place)
            and not (token.form in words.STOP_WORDS or token.form.isdigit() or self._is_kind_word(other))
        )

    def goes_on(self, place: int) -> bool:
        """Whether only a blank lies between a word and the next one."""
        return not self.question[self.tokens[place].end : self.tokens[place + 1].start].strip(" ")

    def is_count(self, start: int, end: int) -> bool:
        """Whether a number counts what follows or precedes it (the top 5, 21 films) rather than names."""
        if end - start != 1 or not self.tokens[start].form.isdigit():
            return False
        before = self.tokens[start - 1].form if start else ""
        after = self.tokens[end] if end < len(self.tokens) else None
        counts = after is not None and not after.strong and after.form not in words.STOP_WORDS
        return before in _COUNTED_AFTER or (counts and len(self.tokens[start].form) < 4)

    def _touching(self, place: int) -> bool:
        """Whether only a blank or an opening mark stands between a word and the next one."""
        between = self.question[self.tokens[place].end : self.tokens[place + 1].start]
        return not between.strip(" \t\"'“„«‘(「『《:,")

    def _is_kind_word(self, place: int) -> bool:
        form = self.tokens[place].form
        return form in _KIND_WORDS or bool(self.schema.kinds_of(form))

    def _beside(self, start: int, end: int) -> list[str]:
        """Words that may tell the kind of a run: right before it, or after it (Heat the film, the Heat film)."""
        found = [self.tokens[start - 1].form] if start and self._touching(start - 1) else []
        after = self.tokens[end : end + 2]
        if after and after[0].form in ("the", "a", "an") and len(after) > 1:
            found.append(after[1].form)
        elif after and not after[0].strong:
            gap = self.question[self.tokens[end - 1].end : after[0].start].strip(" \"'”»’」』》")
            opened = start > 0 and self.tokens[start - 1].form in ("the", "a", "an")
            found += [after[0].form] if gap in ("(", "[") or (opened and not gap) else []
        return found

    def _relations(self, start: int, end: int) -> frozenset[str]:
        """What the nearest content word before a run, else after it, may name among the relations."""
        before = [token.form for token in self.tokens[max(0, start - 4) : start]]
        after = [token.form for token in self.tokens[end : end + 3]]
        nearest = [
            next((form for form in forms if form not in words.STOP_WORDS), "") for forms in (before[::-1], after)
        ]
        found = [self.schema.relations_of(form) for form in nearest if form]
        return found[0] if found and found[0] else found[1] if len(found) > 1 else frozenset()


def runs(places: Iterable[int]) -> list[tuple[int, int]]:
    """Neighbouring places as (first, end)."""
    found: list[list[int]] = []
    for place in sorted(places):
        if found and found[-1][1] == place:
            found[-1][1] = place + 1
        else:
            found.append([place, place + 1])
    return [(first, end) for first, end in found]


def trimmed(tokens: Sequence[words.Token], span: tuple[int, int], small: Collection[str]) -> tuple[int, int]:
    """A run without the small words at its ends."""
    start, end = span
    while start < end and tokens[start].form in small:
        start += 1
    while end > start and tokens[end - 1].form in small:
        end -= 1
    return start, end


def _stems(name: str) -> frozenset[str]:
    return frozenset(words.stems(name.replace("_", " ").replace("-", " ")))


def _forms(name: str) -> frozenset[str]:
    return frozenset(token.form for token in words.tokens(name.replace("_", " ")))


def _kind_stems(kind: str) -> frozenset[str]:
    """Stems of a kind and of the everyday words for it; those of an inferred kind (has author) name no kind."""
    if kind.startswith("has "):
        return frozenset()
    forms = {token.form for token in words.tokens(kind.replace("_", " "))}
    others = {word for group in words.SAME_KIND if group & forms for word in group}
    others |= _PEOPLE if "person" in others else frozenset()
    return _stems(kind) | {words.stem(word) for word in others}
