"""What answers are to have none of: drugs that cause no side effects, courses without a teacher, who never directed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import properties
from mosaic_sql.analyze.counting import only_kind, some
from mosaic_sql.analyze.drafting import Draft, acts, by_words, head_of, is_of_schema, kinds_in
from mosaic_sql.analyze.schema import inferred_kinds
from mosaic_sql.analyze.sentence import FUNCTION

_REL = r"(?:(?:and|but) )?(?:(?:who|that|which|whom) )?"
_AUX = r"(?:do|does|did|has|have|had|is|are|was|were|can)"
_NOBODY = r"(?:nobody|no[- ]?one|nothing|none)"
_ANY = r"(?:(?:ever|been|any|an?|a single) )*"
_NOUN = r"(?P<noun>\w+(?: \w+){0,2})"
_SUBJECT = rf"(?:(?:that|which|whom?) |{_AUX} )"
_FORMS = (
    (rf"{_SUBJECT}no (?P<noun>\w+(?: \w+)?) (?P<verb>\w+(?: \w+)?)", "{noun} {verb} it"),
    (rf"{_SUBJECT}?{_NOBODY} {_ANY}(?:(?:has|have|had) )?(?P<verb>\w+(?: \w+)?)", "who {verb} it"),
    (rf"{_REL}(?P<verb>\w+(?: \w+){{0,2}}) {_NOBODY}", "it {verb}"),
    (rf"{_REL}(?P<verb>\w+(?: \w+){{0,2}}?) no {_NOUN}", "it {verb} {noun}"),
    (rf"{_REL}(?:{_AUX} ?(?:n['’]t|not|never)|never) {_ANY}(?P<verb>\w+(?: (?:in|for|on|at|to|by|with|as))?)"
     rf"(?: {_ANY}(?P<noun>\w+(?: \w+){{0,2}}))?", "it {verb} {noun}"),
    (rf"{_REL}(?:without|lack(?:s|ing)?) {_ANY}{_NOUN}", "it has {noun}"),
)  # fmt: skip
_CLAUSES = tuple((re.compile(form, re.IGNORECASE), said) for form, said in _FORMS)
"""How a clause says that there is none, and the same said of one that is there, `it` being an answer."""
_BEFORE = re.compile(rf"\b(?P<said>(?:with no|without|lacking) {_ANY}(?P<noun>\w+(?: \w+)?)) ", re.IGNORECASE)
_BACK = re.compile(r"\b(?:it|him|her|them|its|his|their|there)\b", re.IGNORECASE)
"""What speaks of a name again."""
_OF_THEM = re.compile(
    r"\s+(\w+)(?=,? (?:who|that|which|with|without|do|does|did|have|has|had|are|were)\b)", re.IGNORECASE
)
"""A noun for what is a name's, with a clause behind it: the films of A that, A films which."""
_WHO = re.compile(r"\s*who\b", re.IGNORECASE)
_SOME = frozenset("with have has had anything anyone anybody something".split())


class Lack(NamedTuple):
    """What there is to be none of: where a clause says so, and what it says, affirmed."""

    span: tuple[int, int]
    said: str


def behind(draft: Draft, start: int) -> list[Lack]:
    """The readings of what stands behind a place of the question, as a clause that says there is none of something."""
    rest = draft.asked.rest
    clause = " ".join(rest[start:].rstrip(" ?.!").split()).lstrip(", ")
    return [Lack((start, len(rest)), said) for said in _affirmed(clause)] if not _BACK.search(clause) else []


def around(draft: Draft) -> list[Lack]:
    """The readings of a clause behind the last name of a question, or of one before its first."""
    rest, first, last = draft.asked.rest, draft.anchors[0], draft.anchors[-1]
    theirs = _OF_THEM.match(rest, last.char_end)
    start = theirs.end() if theirs and kinds_in(theirs[1], draft.catalogue) else last.char_end
    found = behind(draft, start)
    opened = start > last.char_end or re.match(
        r"[ ,]*(?:(?:and|but) )?(?:who|that|which|with)", rest[last.char_end :], re.IGNORECASE
    )
    if not opened and acts(draft, last):
        found = []
    before = _BEFORE.search(rest, 0, first.char_start)
    if before:
        nouns = before["noun"].split()
        of_kind = [n for n in (2, 1) if len(nouns) >= n and _is_noun(draft, " ".join(nouns[:n]))]
        if of_kind:
            noun = " ".join(nouns[: of_kind[0]])
            found.append(Lack((before.start("said"), before.start("noun") + len(noun)), f"it has {noun}"))
    return found


def _is_noun(draft: Draft, noun: str) -> bool:
    return bool(kinds_in(noun, draft.catalogue)) or (" " not in noun and is_of_schema(draft, noun))


def _affirmed(clause: str) -> Iterator[str]:
    for form, said in _CLAUSES:
        found = form.fullmatch(clause)
        if found:
            given = {name: text or "" for name, text in found.groupdict().items()}
            yield said.format(**given).strip()


def step(draft: Draft, kinds: Iterable[str], said: str) -> str | None:
    """The one step from nodes of some kinds that a text speaks of in all its telling words; None for none."""
    start = some(kinds, said, "it")
    found = by_words(draft, said, start)
    if found is None or patterns.parse(found.pattern).max_length != 1:
        return None
    telling = [words.stem(form) for form in _telling(said)]
    return found.pattern if all(any(words.alike(stem, own) for own in found.words) for stem in telling) else None


def hold(draft: Draft, kinds: Iterable[str], said: str) -> bool:
    """Keep only what has no edge of the step, or no value of the property, that a text speaks of."""
    own = [one for one in draft.known if one.owner == "node" and one.type != "bool"]
    stems = [words.stem(form) for form in _telling(said)]
    named = properties.mentioned(stems, own, ("number", "date", "text"))
    taken = step(draft, kinds, said)
    if taken is None and (named is None or not {*stems} <= {*properties.stems(named.name)}):
        return False
    draft.negated = True
    if taken is not None and draft.asked.lasting:
        draft.unserved = f"none of what is “{draft.asked.lasting}” was not understood"
    if taken is not None:
        draft.refine.update(having="=", having_count=0, having_of="degree", degree_of=taken)
        draft.reasons.append(f"no edge {taken}, from: {said}")
    elif named is not None:
        draft.hold(named.name, "missing")
        draft.reasons.append(f"{named.name} missing, from: {said}")
    draft.spoken = (*draft.spoken, *stems)
    return True


def _telling(said: str) -> list[str]:
    forms = (token.form for token in words.tokens(said))
    return [form for form in forms if form != "it" and form not in FUNCTION | _SOME]


def of_kind(draft: Draft, kind: str) -> bool:
    """Whether all nodes of a kind are asked for that have none of something."""
    head = head_of(draft, kind)
    if head is None or draft.asked.bounds:
        return False
    for lack in behind(draft, head.end):
        refine, reasons, known, kinds = dict(draft.refine), list(draft.reasons), draft.known, draft.kinds
        draft.every(kind)
        if hold(draft, [kind], lack.said):
            draft.asked.rest = words.blanked(draft.asked.rest, *lack.span)
            draft.refine.update(answers_from="kind", source_kind=kind)
            return True
        draft.refine, draft.reasons, draft.known, draft.kinds = refine, reasons, known, kinds
    return False


def of_who(draft: Draft) -> bool:
    """Whether it is asked who has none of something: all of the one kind that the step leaves from."""
    opened = _WHO.match(draft.asked.rest)
    if opened is None or draft.asked.bounds:
        return False
    for lack in behind(draft, opened.end()):
        taken = step(draft, draft.catalogue.kinds, lack.said)
        kind = only_kind(taken, draft.catalogue) if taken else None
        if kind is None or kind in inferred_kinds(draft.catalogue):
            continue
        draft.every(kind)
        if hold(draft, [kind], lack.said):
            draft.asked.rest = words.blanked(draft.asked.rest, *lack.span)
            draft.refine.update(answers_from="kind", source_kind=kind)
            return True
    return False
