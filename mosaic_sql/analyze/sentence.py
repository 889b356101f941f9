"""A question as words around its anchors, and on which side of a relation a word asks for something.

The side is told by voice, prepositions and possessives: "who directed X", "films directed by X", "X's director", "whose
director is X".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.lexicon import Entry

Span = tuple[int, int]

BE = frozenset("is are was were be been being am s re get gets got".split())
DO = frozenset("do does did has have had can could will would may might".split())
LISTING = frozenset("list name give show find tell get return enumerate identify".split())
PREPOSITIONS = frozenset("of for in from at to on with by about as".split())
PLURALS = frozenset("people men women children".split())
"""Plurals that do not end in s."""
WHICH = frozenset(("which", "what"))
_TELLING = frozenset("tell know say said known information info something anything everything more facts".split())
FUNCTION = (words.STOP_WORDS | BE | DO | LISTING | frozenset("me us please there every other others".split())) - {
    "about"
}
"""Words that say nothing of a relation."""


@dataclass
class Sentence:
    """Tokens with the anchors' names taken out, and where the (first) anchor stands: before token `anchor`."""

    tokens: list[words.Token]
    forms: list[str]
    anchor: int
    possessed: bool
    anchors: list[int] = field(default_factory=list)


def sentence(question: str, names: Sequence[Span]) -> Sentence:
    """A question without the names at `names` (character spans), of which the first is the anchor walked from.

    A name may be blanked out; it stands where its span is.
    """
    tokens = [part for token in words.tokens(question) for part in _apart(token)]
    kept: list[words.Token] = []
    anchors: list[int] = []
    places: dict[Span, int] = {}
    for token in tokens:
        inside = next((span for span in names if span[0] <= token.start < span[1]), None)
        if inside is None:
            kept.append(token)
        elif inside not in places:
            places[inside] = len(kept)
            anchors.append(len(kept))
    for span in (span for span in names if not question[span[0] : span[1]].strip()):
        places[span] = sum(token.start < span[0] for token in kept)
        anchors.append(places[span])
    anchors.sort()
    first = places.get(tuple(names[0]), len(kept)) if names else len(kept)  # type: ignore[arg-type]
    forms = [token.form for token in kept]
    possessed = first < len(forms) and forms[first] == "s" and question[max(0, kept[first].start - 1)] in "'’"
    return Sentence(kept, forms, first, possessed, anchors)


def _apart(token: words.Token) -> list[words.Token]:
    """`costars` as `co` and `stars`."""
    form, rest = token.form, token.form[2:]
    if not form.startswith("co") or len(rest) < 4 or lexicon.entries_at([form], 0) or not lexicon.entries_at([rest], 0):
        return [token]
    middle = token.start + 2
    return [words.Token("co", token.start, middle, False), words.Token(rest, middle, token.end, False)]


def entries_said(forms: Sequence[str], place: int) -> list[Entry]:
    """Entries whose words stand in `forms` from `place` on: what did A found is to found, and not to find."""
    entries = lexicon.entries_at(forms, place)
    bare = not DO.isdisjoint(forms[:place]) and any(entry.forms[0] == forms[place] for entry in entries)
    return [entry for entry in entries if not bare or entry.role != "verb" or entry.forms[0] == forms[place]]


def looks_verbal(told: Sentence, start: int, end: int) -> bool:
    """Whether a word that may be a noun or a verb is a verb here."""
    form = told.forms[end - 1]
    before = told.forms[start - 1] if start else ""
    if before == "what" and start + 1 == end and (_is_next(told, end) or _is_placed_verb(told, start)):
        return True  # what eats X, what interacts with X
    if before in ("the", "a", "an", "same", "co", "which", "what", "s", "of", "whose") and not form.endswith("ed"):
        return False
    after = told.forms[end] if end < len(told.forms) else ""
    if form.endswith(("ed", "ing")) or form in lexicon.irregular_forms():
        return True
    if before in ("have", "has", "had"):
        return False  # has subsidiaries, where only a participle is a verb
    if before in ("who", "that", "to") or before in DO or start == told.anchor:
        return not (start == told.anchor and after in ("of",))
    asked_of = before in PLURALS and start > 1 and told.forms[start - 2] in DO  # what do people also view
    if _is_plural(before) and not asked_of and before not in FUNCTION and after not in BE | {"of", ""}:
        return True  # which actors play in, which people work at
    return after in ("by",) or (end == told.anchor and before not in PREPOSITIONS)


def _is_plural(form: str) -> bool:
    return (len(form) > 3 and form.endswith("s")) or form in PLURALS


def _is_placed_verb(told: Sentence, place: int) -> bool:
    """Whether a word in the third person, which is no noun, stands before a preposition and the anchor's name."""
    entries = lexicon.entries_at(told.forms, place)
    only = bool(entries) and all(entry.role == "verb" for entry in entries)
    placed = not PREPOSITIONS.isdisjoint(told.forms[place + 1 : place + 2]) and _is_next(told, place + 2)
    return only and placed and told.forms[place].endswith("s")


def _is_next(told: Sentence, place: int) -> bool:
    """Whether the anchor's name begins at a place, perhaps behind an article."""
    article = place + 1 == told.anchor and told.forms[place] in ("the", "a", "an")
    return (place == told.anchor or article) and not told.possessed


def is_verb_of_asked(told: Sentence, start: int, end: int) -> bool:
    """Whether a word behind the one noun that is asked for is its verb in the third person: which city hosts A."""
    asked = start == 2 and told.forms[0] in WHICH and not _is_plural(told.forms[1]) and told.forms[1] not in FUNCTION
    object_follows = told.forms[end : end + 1] in (["the"], ["a"], ["an"]) or end == told.anchor
    return asked and end == start + 1 and told.forms[start].endswith("s") and object_follows and not told.possessed


def is_told_about(told: Sentence, place: int) -> bool:
    """Whether a word is that of asking for all that is known of a name: tell me about A, what do you know about A."""
    before = [form for form in told.forms[:place] if form not in FUNCTION - LISTING or form in _TELLING]
    return told.forms[place] == "about" and bool(before) and before[-1] in _TELLING and place < told.anchor


def asks_one(told: Sentence, start: int, end: int, entry: Entry) -> float:
    """Above 0 where what is asked for is the one end of what a word names, below where it is the other."""
    if entry.role == "verb":
        return _verb_asks_one(told, start, end, entry)
    asks_one = _noun_asks_one(told, start, end)
    return asks_one if entry.role == "one" else -asks_one


def _noun_asks_one(told: Sentence, start: int, end: int) -> float:
    forms, anchor = told.forms, told.anchor
    before = forms[max(0, start - 3) : start]
    after = forms[end] if end < len(forms) else ""
    if "whose" in before[-2:]:
        return -0.8
    if end == anchor and not told.possessed:  # director X; with X as; by the actor X
        return -0.4
    if start >= anchor:
        if told.possessed and start <= anchor + 3:
            return 1.0
        said = any(form in BE for form in forms[anchor:start]) or (forms[0] in BE and anchor == 1)
        if after == "of" and (end + 1 == len(forms) or said):
            return -0.8  # what is X the capital of; X is the capital of what; is X the capital of Y
        if before[-1:] == ["as"]:
            return 0.3
        return 0.5
    if after in PREPOSITIONS or after == "that":
        return 1.0
    if after in BE and end + 1 == anchor and not WHICH.intersection(before):  # the film with the director being X
        return -0.4
    return 0.6


def _verb_asks_one(told: Sentence, start: int, end: int, entry: Entry) -> float:
    forms, anchor = told.forms, told.anchor
    after = forms[end] if end < len(forms) else ""
    passive = is_passive(told, start, end)
    if start >= anchor:  # the anchor's side is the subject
        subject_is_one = {"": not passive, "<": passive, "-": False, "~": after == "in" or not after}[entry.mark]
        return -0.8 if subject_is_one else 0.8
    if after == "by":
        return {"": -1.0, "<": 1.0, "-": -0.5, "~": -1.0}[entry.mark]
    if entry.mark == "~":
        return 1.0 if after in ("in", "at", "on") else -0.6
    object_is_one = {"": passive, "<": not passive, "-": True}[entry.mark]
    return -0.9 if object_is_one else 0.9


def is_passive(told: Sentence, start: int, end: int) -> bool:
    """Whether a verb is said of whom it is done to: by a form of to be before it, or `by` behind it."""
    forms = told.forms
    form = forms[end - 1] if end - start == 1 else forms[start]
    if not (
        form.endswith(("ed", "en", "wn", "ught", "old", "ade", "ung", "ound", "un", "ut", "ept")) or form in ("born",)
    ):
        return False
    if end < len(forms) and forms[end] == "by":
        return True
    return any(before in BE for before in forms[max(0, start - 3) : start]) or (
        start < told.anchor <= len(forms)
        and start > 0
        and any(before in BE for before in forms[max(0, start - 5) : start])
    )
