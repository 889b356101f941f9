"""What went on in the time of an edge, over which no walk goes: in which war did she serve."""

from __future__ import annotations

import re

from mosaic_sql import text as words
from mosaic_sql.analyze import properties
from mosaic_sql.analyze.drafting import Draft, Path, kind_in, only_step

_IN_WHICH = re.compile(r"\b(?:in|during|through|throughout|amid) (?:which|what) (?P<kind>\w+(?: \w+)?)", re.I)
_WHICH = re.compile(
    r"\b(?:which|what) (?P<kind>\w+(?: \w+)?)\b(?=.*\b(?:during|while|when|under|place|fought|happened)\b)", re.I
)


def overlap(draft: Draft) -> bool:
    """In which war did she serve: the answers are nodes of a kind that the walk does not reach, but time does."""
    rest, catalogue, anchor = draft.asked.rest, draft.catalogue, draft.anchors[0]
    match = _IN_WHICH.search(rest) or _WHICH.search(rest)
    kind = kind_in(match["kind"], catalogue) if match else None
    if match is None or kind is None:
        return False
    of_kind = [one for one in catalogue.properties if one.label == kind and one.owner != "edge"]
    if not properties.interval(of_kind):
        return False
    whole = draft.find(rest, [anchor])
    if whole is not None and kind in properties.ends(whole.pattern, anchor.kinds, catalogue).kinds:
        return False
    pattern = _timed(draft, draft.find(words.blanked(rest, *match.span("kind")), [anchor]))
    if pattern is None:
        return False
    draft.pattern = pattern
    draft.refine["overlap_kind"] = kind
    draft.reasons.append(f"every {kind} whose time meets that of {pattern}")
    last = properties.ends(pattern, anchor.kinds, catalogue).kinds
    named = [other for other in (*draft.anchors[1:], *draft.named) if set(other.kinds) & last]
    if named:
        draft.refine["filters"] = ({"attribute": "name", "compare": "=", "value": named[0].node_names[0]},)
    draft.anchors = [anchor]
    return True


def _timed(draft: Draft, path: Path | None) -> str | None:
    """A pattern whose last edges have a time: the one that words name, else the only step from the anchor that has."""
    catalogue, anchor = draft.catalogue, draft.anchors[0]
    timed = {
        one.label for one in catalogue.properties if one.owner == "edge" and properties.interval([one])
    }  # fmt: skip
    if path is not None and properties.ends(path.pattern, anchor.kinds, catalogue).relations & timed:
        return path.pattern
    wanted = {kind for other in (*draft.anchors[1:], *draft.named) for kind in other.kinds}
    return only_step(draft, anchor, to=wanted, over=timed) if timed else None
