"""When an edge began or ended: since when is A the director of B, when did A leave B, who joined B in 2020."""

from __future__ import annotations

import re
from collections.abc import Collection

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import properties
from mosaic_sql.analyze.dating import BEGUN, OVER
from mosaic_sql.analyze.drafting import WHEN, Draft, Path, Step, along, stems_of, steps_of
from mosaic_sql.records import Property, Target

_TIME = r"(?:when|(?:what|which) (?:year|date|day|time))"
_OPENS = re.compile(
    rf"\s*(?:(?:(?:since|until|till|from|in|on|at) )?{_TIME}|how long)\s+"
    r"(?=(?:is|are|was|were|has|have|had|did|does|do)\b)",
    re.IGNORECASE,
)
_BEING = re.compile(r"\b(?:(?:stop|cease|start|begin)(?:ped|d|ed)? (?:being|to be)|become|became)\b", re.IGNORECASE)
_SINCE = re.compile(rf"\bsince {_TIME}\b", re.IGNORECASE)
_UNTIL = re.compile(rf"\b(?:until|till) {_TIME}\b", re.IGNORECASE)


def closed(question: str) -> str:
    """A question of a time as one for yes or no, every character in its place: since when is A the director of B."""
    found = _OPENS.match(question)
    if found is None:
        return question
    return _BEING.sub(lambda verb: " " * len(verb[0]), words.blanked(question, *found.span()))


def between(draft: Draft) -> bool:
    """When what joins two names began or ended, by a verb for that alone: when did A leave B."""
    first, other = draft.anchors[:2]
    if other.why == "described":
        return False
    ends = _ended(draft)
    if ends is None or len(draft.anchors) != 2 or not WHEN.search(draft.asked.rest) or not draft.asked.is_plain:
        return False
    path = _named(draft) or (_path(draft, first, other.kinds, ends=ends) if _turns(draft) else None)
    told = _told(_of_edges(draft, path, first), ends=ends) if path else []
    if path is None or not told:
        return False
    draft.walk(path, first.kinds)
    draft.hold("name", "=", value=other.node_names[0])
    draft.refine.update(attribute=told[0].name, attribute_owner="edge")
    draft.reasons.append(f"{told[0].name} of {path.pattern} to {other.name}")
    draft.anchors = [first]
    return True


def of_one(draft: Draft, anchor: Target) -> Step | None:
    """All steps whose edges tell a start or an end, where a verb for that alone is compared with a date."""
    ends = _ended(draft)
    dated = [bound for bound in draft.asked.bounds if bound.kind == "date"]
    return _path(draft, anchor, (), ends=ends) if dated and ends is not None and _turns(draft) else None


def _turns(draft: Draft) -> bool:
    """Whether a verb speaks of a start or an end alone."""
    return bool({*stems_of(draft.asked.rest)} & (BEGUN | OVER))


def _named(draft: Draft) -> Path | None:
    """The one step between two names that the words beside name: when did A stop being the director of B."""
    rest = draft.asked.rest
    for token in words.tokens(rest):
        if words.stem(token.form) in BEGUN | OVER or WHEN.fullmatch(token.form):
            rest = words.blanked(rest, token.start, token.end)
    found = draft.find(rest, draft.anchors)
    return found if found and found.words and patterns.parse(found.pattern).max_length == 1 else None


def _of_edges(draft: Draft, path: Path, anchor: Target) -> list[Property]:
    last = properties.ends(path.pattern, anchor.kinds, draft.catalogue)
    return [one for one in properties.of(last, draft.catalogue) if one.owner == "edge"]


def _ended(draft: Draft) -> bool | None:
    """Whether a verb speaks of an end, or of a start; None for neither."""
    asked = {*stems_of(draft.asked.rest)}
    if asked & OVER or _UNTIL.search(draft.asked.rest):
        return True
    return False if asked & BEGUN or _SINCE.search(draft.asked.rest) else None


def _told(edges: list[Property], *, ends: bool) -> list[Property]:
    return properties.ends_of(edges) if ends else properties.starts(edges)


def _path(draft: Draft, anchor: Target, to: Collection[str], *, ends: bool) -> Step | None:
    """Every step from an anchor, to some kinds or to any, whose edges tell a start or an end."""
    edges = [one for one in draft.catalogue.properties if one.owner == "edge"]
    telling = {one.label for one in _told(edges, ends=ends)}
    steps = steps_of(draft, anchor, to=to, over=telling) if telling else None
    said = tuple(stem for stem in stems_of(draft.asked.rest) if stem in OVER | BEGUN)
    return Step(along(steps), said) if steps else None
