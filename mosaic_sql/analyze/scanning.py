"""The mask `*p*`: a relation is named, neither of its ends is. "Who acted in anything?", "what treats any disease?"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mosaic_sql import text as texts
from mosaic_sql.analyze import fitting, lexicon, shapes
from mosaic_sql.analyze.drafting import names_kind
from mosaic_sql.records import Catalogue

_ANY = re.compile(
    r"\b(?:any|some)(?:thing|one|body)\b(?:\s+(?:at all|or other))?|\b(?:any|some)\s+(?P<noun>\w+)(?:\s+at all)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Scan:
    """A pattern of one step, the words for where it may start, and the words that speak for the step."""

    pattern: str
    anyone: str
    words: tuple[str, ...]


def find(question: str, catalogue: Catalogue) -> Scan | None:
    """The one step that a question asks for from any node; None where it names none, or nothing indefinite.

    The indefinite word stands where an anchor would: what is asked for is on the other side of the relation. Words that
    narrow it, and that nothing answers to, leave it open.
    """
    for match in _ANY.finditer(question):
        kinds = tuple({kind for source, _, target, _ in catalogue.schema_paths for kind in (source, target)})
        noun = (match.group("noun") or "").lower()
        named = tuple(kind for kind in catalogue.kinds if noun and _is_called(kind, noun))
        found = shapes.ranked(question, [match.span()], [named or kinds], catalogue)
        single = next((shape for shape in found if shape.length == 1), None)
        if single is not None and not _left(texts.blanked(question, *match.span()), single.words, catalogue):
            return Scan(single.pattern, match.group(), single.words)
    return None


def _left(text: str, read: tuple[str, ...], catalogue: Catalogue) -> list[str]:
    """The telling words that neither the step nor a kind answers to: Scarecrow, in which films does someone play it."""
    known = set(map(texts.stem, read))
    return [
        token.form
        for token in texts.tokens(text)
        if fitting.is_telling(token.form)
        and not names_kind(token.form, catalogue)
        and not any(texts.alike(texts.stem(token.form), one) for one in known)
    ]


def _is_called(kind: str, noun: str) -> bool:
    """Whether a noun is the last word of a kind's name."""
    return any(lexicon.is_noun(noun, part) for part in lexicon.parts(kind)[-1:])
