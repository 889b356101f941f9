"""What went on at the same time as another node, by the start and the end that both have."""

from __future__ import annotations

import re

from mosaic_sql import text as words
from mosaic_sql.analyze import properties
from mosaic_sql.analyze.asking import Sort
from mosaic_sql.analyze.drafting import Draft
from mosaic_sql.records import Compared, Property, Target

_WITH = re.compile(
    r"\b(?:that |which |who )?(?:did |do |does |were |was |are |is )?(?:\w+ )?"
    r"(?:overlap(?:s|ped|ping)? (?:in time )?with|at the same time as|(?:concurrent|simultaneous)(?:ly)? with)"
    r"(?: the)?(?: \w+)?\s*$",
    re.IGNORECASE,
)
_EACH_OTHER = re.compile(r"\boverlap(?:ped|ping)?\b|\bat the same time\b", re.IGNORECASE)


def take(draft: Draft) -> bool:
    """Take the node whose time answers are to meet out of the anchors; `hold` compares. False where none is meant."""
    for anchor in draft.anchors:
        found = _WITH.search(draft.asked.rest[: anchor.char_start])
        if found is None or _spell(draft, anchor) is None:
            continue
        said = found[0].strip()
        if all(one is anchor for one in draft.anchors):
            draft.asked.rest = words.blanked(draft.asked.rest, *_cue(found))
        draft.asked.than = Sort(said, True, often=True)
        draft.other, draft.anchors = anchor, [one for one in draft.anchors if one is not anchor]
        return True
    return False


def _cue(found: re.Match[str]) -> tuple[int, int]:
    """Where the words of a cue are, without the noun for a kind before it."""
    first = re.search(r"overlap|at the same|concurrent|simultaneous", found[0], re.IGNORECASE)
    return found.start() + (first.start() if first else 0), found.end()


def of_two(draft: Draft) -> bool:
    """Whether two nodes went on at the same time: did A and B overlap."""
    if len(draft.anchors) != 2 or not _EACH_OTHER.search(draft.asked.rest):
        return False
    one, other = draft.anchors
    own = properties.of_nodes(one.kinds, draft.catalogue)
    if _ends(own) is None or _spell(draft, other) is None:
        return False
    draft.known, draft.other, draft.anchors = own, other, [one]
    hold(draft)
    draft.refine.update(answers_from="anchors")
    return True


def hold(draft: Draft) -> bool:
    """Only answers that had begun when the other ended, and had not ended when it began."""
    own, of_other = _ends(draft.known), _spell(draft, draft.other) if draft.other else None
    if own is None or of_other is None or draft.other is None:
        return False
    start, end = own
    draft.unserved = ""
    draft.compared = (
        Compared(draft.other, of_other[1].name, "node", "<=", start.name),
        Compared(draft.other, of_other[0].name, "node", ">=", end.name),
    )
    draft.hold("name", "!=", value=draft.other.node_names[0])
    draft.refine.update(attribute=start.name, attribute_owner="node")
    draft.reasons.append(f"{start.name} to {end.name} meets that of {draft.other.name}")
    return True


def _spell(draft: Draft, one: Target) -> tuple[Property, Property] | None:
    return _ends([known for known in draft.catalogue.properties if known.label in one.kinds])


def _ends(known: list[Property]) -> tuple[Property, Property] | None:
    """The start and the end that nodes have."""
    own = [one for one in known if one.owner == "node"]
    starts, ends = properties.starts(own), properties.ends_of(own)
    return (starts[0], ends[0]) if starts and ends else None
