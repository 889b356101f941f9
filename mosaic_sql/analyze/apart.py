"""A second question behind the first: who directed A and when was it released. Each is asked by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mosaic_sql import text as words
from mosaic_sql.analyze import cues
from mosaic_sql.analyze.anchoring import SURE
from mosaic_sql.records import Target

_ASKS = r"(?:(?:in|on|at|to|for|from|by|with|since|until) )?(?:who|whom|whose|what|which|when|where|why|how)"
_HELP = "(?:do|does|did|is|are|was|were|has|have|can)"
_OPENS = re.compile(
    rf"\s*(?:(?:please )?(?:tell|show) me |(?:do|can) you (?:know|tell me) )?(?:{_ASKS}|{_HELP})\b", re.IGNORECASE
)
_JOINT = re.compile(
    r"(?P<end>\s*[,;?]?\s*\band (?:also |then )?|\s*[?;]\s*)"
    rf"(?P<tail>(?P<asks>{_ASKS}|{_HELP} (?:he|she|it|they))\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_RELATIVE = frozenset("who whom whose which".split())
_DONE = re.compile(
    r"\w+ (?:did|does|do)\b|which \w+ (?:is|are|was|were|did|does|do)\b"
    r"|who (?:is|are|was|were) (?:the|its|his|her|their)\b"
    r"|.*\b(?:it|him|her|them|its|his|their|she|he|they)\b",
    re.IGNORECASE,
)
"""What `who` and `which` open where they ask, and do not tell more of what stands before: and who wrote it."""
_WHICH_ONES = re.compile(r"(?:who|which|what)(?: ones)? (?:is|are|was|were) (?:it|they|these|those)", re.IGNORECASE)


class Apart(NamedTuple):
    """The first question, and what is asked behind it."""

    first: str
    second: str


def find(question: str, targets: Sequence[Target]) -> Apart | None:
    """The two questions that a text asks one after the other; None where it asks one."""
    named = [one for one in targets if one.origin == "graph" and one.weight > SURE]
    if not _OPENS.match(question):
        return None
    for joint in _joints(question):
        whole = all(not one.char_start < joint.start("tail") < one.char_end for one in named)
        first, tail = question[: joint.start()], " ".join(joint["tail"].split()).rstrip(" ?.!")
        if whole and any(one.char_end <= joint.start() for one in named) and _is_question(first, tail, joint):
            return Apart(f"{first.rstrip(' ,;?')}?", tail)
    return None


def _joints(question: str) -> Iterator[re.Match[str]]:
    place = 0
    while found := _JOINT.search(question, place):
        yield found
        place = found.start("tail")


def _is_question(first: str, tail: str, joint: re.Match[str]) -> bool:
    """Whether the words behind a joint ask, and go on with no clause of the first question."""
    asks = joint["asks"].lower().split()[-1]
    alone = len(words.tokens(tail)) == len(joint["asks"].split())
    if (alone or _WHICH_ONES.fullmatch(tail)) and cues.asks_verdict(first):  # do A and B share authors, and who
        return False
    before = [token.form for token in words.tokens(first)][1:]
    if "?" in joint["end"] or alone:
        return True
    return asks not in before and (asks not in _RELATIVE or bool(_DONE.match(tail)))
