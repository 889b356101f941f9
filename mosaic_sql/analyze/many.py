"""Several names at once: yes or no of one and a list of others, of what a node says a thing is, and what all share.

Did A, B and C star in D?    Does A treat B or C?    Is A a poet, which is a node?    What do A, B and C have in common?
"""

from __future__ import annotations

import re
from dataclasses import replace

from mosaic_sql import text as words
from mosaic_sql.analyze import counting, cues, dating, lasting, schema, verdicts
from mosaic_sql.analyze.drafting import Draft, Path, Step, along, blank, by_words
from mosaic_sql.analyze.standing import AS_WRITTEN
from mosaic_sql.records import Target

EVERY = frozenset("every all each".split())
"""Words that mean each of what follows."""
_LISTED = re.compile(r"\s*(?:,|&|,?\s*(?:and|or)(?: also)?(?: the)?)\s*(?:the )?", re.IGNORECASE)
_ALL = re.compile(r"\b(?:all|both|each|either|together|any of)\b", re.IGNORECASE)
_IN_COMMON = re.compile(r"\b(?:in common|(?:all )?share)\b", re.IGNORECASE)
_WHICH = re.compile(r"\s*(?:what|which)(?P<noun> \w+(?: \w+)?)? (?:do|does|did|have|are|is)\b", re.IGNORECASE)
_IS_A = re.compile(r"\s*(?:is|was|are|were)\b(?P<name>.+)\b(?:an?|one of the)\s+(?P<noun>.+?)\s*\?*\s*", re.IGNORECASE)


def of_names(draft: Draft, question: str) -> bool:
    """Whether a question asks one of these of its names; then the walk that answers it is taken."""
    if not cues.asks_verdict(question):
        return in_common(draft, question)
    return verdict(draft, question) or is_a(draft, question)


def verdict(draft: Draft, question: str) -> bool:
    """Whether one name and each of a list, or any of it, hang together: the walk from the list, held to the one."""
    groups = _groups(draft, question)
    dates = [bound for bound in draft.asked.bounds if bound.kind == "date"]
    plain = replace(draft.asked, bounds=[one for one in draft.asked.bounds if one not in dates]).is_plain
    if len(groups) != 2 or sorted(map(len, groups))[0] != 1 or not plain or cues.asks_relation(question):
        return False
    left, right = groups
    one, listed = (left[0], right) if len(left) == 1 else (right[0], left)
    if len(listed) < 2:
        return False
    pairs = [(one, other) if len(left) == 1 else (other, one) for other in listed]
    timeless = _without_cues(draft, question)
    steps = [_step(draft, timeless, pair) for pair in pairs]
    found = [step for step in steps if step]
    if len(found) < len(steps):
        return False
    own = [_turned(step) for step in found] if len(left) == 1 else found
    between = question[listed[0].char_end : listed[-1].char_start]
    any_of = bool(re.search(r"\bor\b", between, re.IGNORECASE))
    draft.walk(Step(own[0], ()), listed[0].kinds)
    times = [dating.during(draft, bound) for bound in dates]
    if len(times) > 1 or not all(times):
        draft.pattern, draft.spoken, draft.known = None, (), []
        return False
    draft.anchors = listed
    draft.refine.update([("during", time) for time in times])
    draft.refine["combine"] = "union" if any_of else "intersection"
    if any(pattern != own[0] for pattern in own):
        draft.refine["arms"] = tuple(own[1:])
    draft.hold("name", "=", value=one.node_names[0])
    lasting.hold(draft)
    names = f" {'or' if any_of else 'and'} ".join(other.name for other in listed)
    draft.reasons.append(f"{one.name} of {names}, by {own[0]}")
    return True


def _without_cues(draft: Draft, question: str) -> str:
    """The question without the words of its cues: now, in 1992; its names stay."""
    spans = [(one.char_start, one.char_end) for one in draft.anchors]
    return "".join(
        said if any(start <= place < end for start, end in spans) else left
        for place, (said, left) in enumerate(zip(question, draft.asked.rest, strict=True))
    )


def _groups(draft: Draft, question: str) -> list[list[Target]]:
    """The names of a question in the order they stand, those of one list together."""
    found: list[list[Target]] = []
    for anchor in sorted(draft.anchors, key=lambda one: one.char_start):
        before = found[-1][-1] if found else None
        if before and _LISTED.fullmatch(question[before.char_end : anchor.char_start]):
            found[-1].append(anchor)
        else:
            found.append([anchor])
    return found


def _step(draft: Draft, question: str, pair: tuple[Target, Target]) -> str | None:
    """The step that is to hold from the first of two names to the second, the other names left out."""
    others = [anchor for anchor in draft.anchors if anchor not in pair]
    first, last = draft.anchors[0].char_start, draft.anchors[-1].char_end
    text = list(blank(question, others))
    kept = [(one.char_start, one.char_end) for one in pair]
    said = "".join(text)
    for found in re.finditer(r",|&|\b(?:and|or)\b", said[first:last]):
        place = first + found.start()
        if not any(start <= place < end for start, end in kept):
            said = words.blanked(said, place, first + found.end())
    said = _ALL.sub(lambda found: " " * len(found[0]), said)
    told = verdicts.find(said, pair, draft.catalogue)
    return told.pattern if told is not None and told.possible else None


def _turned(pattern: str) -> str:
    """A step the other way round; one that is taken either way stays."""
    return pattern if "~" in pattern else " | ".join(counting.turned(step) for step in pattern.split(" | "))


def is_a(draft: Draft, question: str) -> bool:
    """Whether a thing is what a node says: is A a poet, where `poet` is a node that a relation joins people to."""
    found = _IS_A.fullmatch(question)
    if found is None or len(draft.anchors) > 2 or not draft.asked.is_plain:
        return False
    start, end = found.span("noun")
    named = [one for one in (*draft.anchors, *draft.named) if (one.char_start, one.char_end) == (start, end)]
    others = [one for one in draft.anchors if one.char_end <= start and not question[one.char_end : start].split()[1:]]
    noun = next((one for one in named if one.why in AS_WRITTEN and one.origin == "graph"), None)
    if noun is None or len(others) != 1:
        return False
    (thing,) = others
    steps = {
        (relation, forward)
        for relation, forward, begin, to in schema.each_way(draft.catalogue)
        if begin in thing.kinds and to in noun.kinds and forward and (not noun.steps or (relation, False) in noun.steps)
    }
    if not steps or set(noun.kinds) & set(thing.kinds):
        return False
    pattern = along(steps)
    draft.anchors = [thing]
    draft.walk(Step(pattern, ()), thing.kinds)
    draft.hold("name", "=", value=noun.node_names[0])
    draft.reasons.append(f"{pattern} of {thing.name}, from: {noun.name}")
    return True


def in_common(draft: Draft, question: str) -> bool:
    """What three names or more all lead to: by the words for it (which actors they share), or else by any one edge."""
    shared = _IN_COMMON.search(draft.asked.rest)
    if shared is None or len(draft.anchors) < 3 or not draft.asked.is_plain or len(_groups(draft, question)) != 1:
        return False
    opened = _WHICH.match(question)
    if opened is None:
        return False
    rest = words.blanked(draft.asked.rest, *shared.span())
    path: Path | None = Step("~any", ())
    if opened["noun"]:
        path = by_words(draft, rest, draft.anchors[0])
    if path is None:
        return False
    draft.walk(path, draft.anchors[0].kinds)
    draft.refine["combine"] = "intersection"
    draft.reasons.append(f"what each of {', '.join(one.name for one in draft.anchors)} leads to")
    return True


def each_of(draft: Draft, anchor: Target) -> None:
    """Only what each node leads to of which a description says every: who takes every course that A teaches."""
    if not is_every(anchor) or "combine" in draft.refine:
        return
    nodes = list(zip(anchor.graph_ids, anchor.node_names, strict=False))
    draft.anchors = [
        replace(anchor, group_id=anchor.group_id + place, graph_ids=(node,), node_ids=(node,), node_names=(name,))
        for place, (node, name) in enumerate(nodes, start=1)
    ]
    draft.refine["combine"] = "intersection"
    draft.reasons.append(f"of each of {len(nodes)}, from: {anchor.name.split()[0]}")


def is_every(anchor: Target) -> bool:
    """Whether a description says every, and stands for more than one node."""
    return anchor.why == "described" and anchor.name.split()[0].lower() in EVERY and len(anchor.graph_ids) > 1
