"""Two relations of one anchor that are joined: who directed and starred in it, films made or written by her.

Two verbs say what one node does, both, either, or one but not the other; two nouns (its director and its genre) ask for
both of two things.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from mosaic_sql import text as words
from mosaic_sql.analyze import properties
from mosaic_sql.analyze.drafting import Draft, Path, by_words
from mosaic_sql.analyze.sentence import FUNCTION
from mosaic_sql.records import Target

_JOINT = re.compile(
    r"\b((?:but|and)\s+(?:(?:did|does|do|was|were|is|are|has|have)\s+)?(?:not|never)|but\s+\w+n['’]t|without"
    r"|and(?: also)?|or)\b",
    re.I,
)
_NOT = re.compile(r"not|never|n['’]t|without", re.I)
_AGAIN = re.compile(r"(?<=\w) by (?:him|her|it|them)\b|(?<=but |and )that (?:he|she|it|they)\b", re.I)
"""What names the anchor again: films by A but not written by her, and that she wrote."""
_LEFT_BEHIND = frozenset("in at on for from with to".split())
"""Prepositions that belong to the second verb; `by` and `of` are shared."""
_BEFORE_NOUNS = frozenset("the a an s which what".split())


def relations(draft: Draft, anchor: Target) -> bool:
    """Whether two relations of the anchor are joined; then the walks of both are what is refined, or walked at once."""
    rest = _AGAIN.sub(lambda said: " " * len(said[0]), draft.asked.rest)
    for joint in _JOINT.finditer(rest):
        both = _sides(draft, anchor, joint, rest)
        if both is None or (_NOT.search(joint[1]) and not _meet(draft, anchor, both)):
            continue
        one, other = both
        said = f"{' '.join(one.words)} {joint[1]} {' '.join(other.words)}"
        either = _Either(f"{one.pattern} | {other.pattern}", (*one.words, *other.words), min(one.score, other.score))
        draft.walk(either, anchor.kinds)
        draft.negated = bool(_NOT.search(joint[1]))
        if draft.negated:
            draft.refine.update(combine="difference", arms=(other.pattern,))
        elif joint[1].lower() == "or" or _are_nouns(draft.asked.rest, joint):
            draft.refine["arms"] = (other.pattern,)
        else:
            draft.refine.update(combine="intersection", arms=(other.pattern,))
            draft.each = f"nothing holds for both {one.pattern} and {other.pattern}; these hold for one of them"
        draft.pattern = one.pattern
        draft.anchors = [anchor, replace(anchor, group_id=anchor.group_id + 1)]
        draft.reasons.append(f"{draft.refine.get('combine', 'union')} of two relations of {anchor.name}, from: {said}")
        return True
    return False


class _Either(NamedTuple):
    pattern: str
    words: tuple[str, ...]
    score: float


def _sides(draft: Draft, anchor: Target, joint: re.Match[str], rest: str) -> tuple[Path, Path] | None:
    """The paths of both sides, each from the question without the other; None where they are not two relations."""
    before = [token for token in words.tokens(rest) if token.end <= joint.start()]
    after = [token for token in words.tokens(rest) if token.start >= joint.end()]
    left = next((token for token in reversed(before) if token.form not in FUNCTION), None)
    place = next((place for place, token in enumerate(after) if token.form not in FUNCTION), None)
    if left is None or place is None:
        return None
    right = after[place]
    follows = after[place + 1] if place + 1 < len(after) else None
    end = follows.end if follows and follows.form in _LEFT_BEHIND else right.end
    one = by_words(draft, words.blanked(rest, joint.start(), end), anchor)
    other = by_words(draft, words.blanked(rest, left.start, joint.end()), anchor)
    if one is None or other is None or one.pattern == other.pattern:
        return None
    speaks = _speaks(left, one) and _speaks(right, other)
    return (one, other) if speaks and not _speaks(right, one) else None


def _meet(draft: Draft, anchor: Target, paths: tuple[Path, Path]) -> bool:
    """Whether two paths of one anchor may end in one node."""
    one, other = (properties.ends(path.pattern, anchor.kinds, draft.catalogue).kinds for path in paths)
    return bool(one & other)


def _speaks(token: words.Token, path: Path) -> bool:
    return words.stem(token.form) in path.words


def _are_nouns(text: str, joint: re.Match[str]) -> bool:
    """Whether the words around a joint name things: the director and the genre of it."""
    forms = [token.form for token in words.tokens(text[: joint.start()])]
    after = [token.form for token in words.tokens(text[joint.end() :])]
    return forms[-2:-1] != [] and (forms[-2] in _BEFORE_NOUNS or after[1:2] == ["of"])
