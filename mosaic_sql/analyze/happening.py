"""What happened to all nodes of a kind at a time that their edges tell: which films won an award in 1994.

The time is that of the relation which the words behind the noun speak of, and no date of the nodes themselves.
"""

from __future__ import annotations

import re

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import counting, dating, properties, schema
from mosaic_sql.analyze.afterwards import after_walk, compare
from mosaic_sql.analyze.drafting import Draft, Path, Step, head_of, stems_of
from mosaic_sql.analyze.sentence import FUNCTION
from mosaic_sql.records import Property

_WHO = re.compile(r"\s*who\b", re.IGNORECASE)
_REL = r"(?:(?:that|which|who) )?(?:(?:have|has|had) )?"
_CALLED = re.compile(
    rf"{_REL}(?:is|are|was|were|been|become|becomes|became) (?:an? |the )?(?P<noun>\w+(?: \w+)?)", re.IGNORECASE
)
"""What says that something is, or became, what a noun calls it."""
_DONE = re.compile(rf"{_REL}(?:is|are|was|were|been) ", re.IGNORECASE)
_IT = "it"


def of_kind(draft: Draft, kind: str | None) -> bool:
    """Whether nodes of a kind, or whoever, are held to the time of edges that the question speaks of."""
    dates = [bound for bound in draft.asked.bounds if bound.kind == "date"]
    texts = {one.label for text in draft.texts for one, _ in text.holders if one.owner == "edge"}
    told = bool(dates or texts) and not draft.asked.sort and not draft.asked.each
    path = _walk(draft, kind) if told else None
    if path is None:
        return False
    start = counting.only_kind(path.pattern, draft.catalogue)
    ends = properties.ends(path.pattern, (start,) if start else (), draft.catalogue)
    timed = [one for one in properties.of(ends, draft.catalogue) if one.owner == "edge" and _is_time(one)]
    told = bool(timed) if dates else bool(texts & ends.relations)
    if start is None or not told or (kind is not None and kind not in ends.kinds):
        return False
    tested = kind is not None and len(ends.kinds) > 1
    draft.walk(Step(f"{path.pattern}[{patterns.quoted(kind)}]", path.words) if tested and kind else path, (start,))
    known, draft.known = draft.known, timed
    for bound in dates:
        compare(draft, bound)
    draft.known, draft.asked.bounds = known, [bound for bound in draft.asked.bounds if bound.kind != "date"]
    after_walk(draft)
    draft.refine["source_kind"] = start
    return True


def _walk(draft: Draft, kind: str | None) -> Path | None:
    """The one step to the nodes of a kind that the words behind its noun speak of, where no date of theirs is meant."""
    clause, given = _clause(draft, kind), sorted(schema.given_kinds(draft.catalogue))
    own = properties.of(properties.Ends(frozenset((kind,) if kind else given), frozenset()), draft.catalogue)
    dates = [one for one in own if one.type == "date"]
    if not clause or properties.named(stems_of(clause), dates) or dating.tells(clause, dates):
        return None
    called = _CALLED.fullmatch(clause)
    noun = called["noun"] if called and not counting.is_participle(called["noun"].split()[0].lower()) else ""
    said = f"{noun} of {_IT}" if noun else f"{_IT} {clause}"
    found = draft.find(said, [counting.some(given if noun or kind is None else (kind,), said, _IT)])
    if found is None or patterns.parse(found.pattern).max_length != 1 or "|" in found.pattern:
        return None
    if not _is_read(said, found) or (not noun and _DONE.match(clause) and _is_of_likes(draft, found.pattern)):
        return None
    return found if noun else Step(counting.turned(found.pattern), found.words)


def _clause(draft: Draft, kind: str | None) -> str:
    """What stands behind the noun for a kind, or behind who; empty for none."""
    rest = draft.asked.rest
    head, who = head_of(draft, kind) if kind else None, None if kind else _WHO.match(rest)
    start = head.end if head else who.end() if who else len(rest)
    return " ".join(rest[start:].rstrip(" ?.!").split())


def _is_read(said: str, found: Path) -> bool:
    """Whether each telling word of a clause speaks for its step, but for verbs of a start or an end."""
    left = {words.stem(token.form) for token in words.tokens(said) if token.form not in FUNCTION | {_IT}}
    left -= dating.BEGUN | dating.OVER | dating.GOING_ON
    return bool(left) and all(any(words.alike(stem, own) for own in found.words) for stem in left)


def _is_of_likes(draft: Draft, step: str) -> bool:
    """Whether a step may join two of one kind, so that what was done (acquired) may have been done to either."""
    ends = (properties.ends(one, (), draft.catalogue).kinds for one in (step, counting.turned(step)))
    return bool(frozenset.intersection(*ends))


def _is_time(one: Property) -> bool:
    return one.type == "date" or properties.interval([one])
