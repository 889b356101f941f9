"""Sets of several anchors, and nodes that only time joins to what an anchor leads to."""

from __future__ import annotations

import re

from mosaic_sql import text as words
from mosaic_sql.analyze import properties
from mosaic_sql.analyze.drafting import Draft, Path, by_words, kind_in

_NOT = re.compile(
    r"\b(but not|and not|not|except(?: for)?|excluding|without|other than|apart from)\b",
    re.I,
)
_NEITHER = re.compile(r"\bneither\b|\bnot\b.*\bnor\b", re.I)
_BOTH = re.compile(r"\b(both|as well as|together with|and also|in common)\b", re.I)
_EITHER = re.compile(r"\beither\b|\bor\b", re.I)
_RELATED = re.compile(r"\b(between|relat\w+|connect\w*|link\w*|path)\b", re.I)
_VERDICT = re.compile(r"\s*(is|are|was|were|did|does|do|has|have|had|can|could)\b", re.I)
_IN_WHICH = re.compile(r"\b(?:in|during|through|throughout|amid) (?:which|what) (?P<kind>\w+(?: \w+)?)", re.I)
_WHICH = re.compile(
    r"\b(?:which|what) (?P<kind>\w+(?: \w+)?)\b(?=.*\b(?:during|while|when|under|place|fought|happened)\b)", re.I
)


# -- several anchors: sets -------------------------------------------------------------------------------------------


def sets(draft: Draft, question: str) -> bool:
    """Both, but not, neither: which sets the anchors stand for, each with the pattern of its own words."""
    if _RELATED.search(draft.asked.rest) or _VERDICT.match(question):
        return False
    if _NEITHER.search(draft.asked.rest):
        return _neither(draft)
    named = _named(draft)
    if named is None:
        return False
    combine, said = named
    anchors = draft.anchors
    paths = _clauses(draft)
    first = paths[0]
    if first is None:
        return False
    draft.walk(first, anchors[0].kinds)
    if combine == "difference" and _is_itself(draft, first):
        draft.refine["filters"] = tuple(
            {"attribute": "name", "compare": "!=", "value": name}
            for name in (anchors[1].node_names or (anchors[1].name,))[:5]
        )
        draft.reasons.append(f"but {anchors[1].name} itself, from: {said}")
        draft.anchors = anchors[:1]
        return True
    own = tuple((path or first).pattern for path in paths[1:])
    draft.refine["combine"] = combine
    if combine == "difference":
        draft.refine["included"] = _included(draft)
    if any(pattern != first.pattern for pattern in own):
        draft.refine["arms"] = own
    draft.reasons.append(f"{combine} of {' and '.join(anchor.name for anchor in anchors)}, from: {said}")
    return True


def _named(draft: Draft) -> tuple[str, str] | None:
    """How the words between the anchors combine them, and which words say so."""
    rest, anchors = draft.asked.rest, draft.anchors
    if len(anchors) < 2:
        return None
    between = rest[anchors[0].char_end : anchors[-1].char_start]
    negation = _NOT.search(between)
    if negation:
        return "difference", negation[0]
    if _EITHER.search(between):
        return "union", "or"
    both = _BOTH.search(rest)
    if both or (not draft.asked.is_plain and re.search(r"\band\b", between, re.IGNORECASE)):
        return "intersection", both[0] if both else "and"
    return None


def _included(draft: Draft) -> int:
    """How many of the anchors stand before the negation: all of them must hold."""
    negation = _NOT.search(draft.asked.rest, draft.anchors[0].char_end)
    start = negation.start() if negation else draft.anchors[0].char_end
    return max(1, sum(anchor.char_start < start for anchor in draft.anchors))


def _is_itself(draft: Draft, path: Path) -> bool:
    """Whether the second of two anchors is left out for what it is, not for what it leads to."""
    kinds = properties.ends(path.pattern, draft.anchors[0].kinds, draft.catalogue).kinds
    return len(draft.anchors) == 2 and bool(set(draft.anchors[1].kinds) & kinds) and not _own_words(draft, 1)


def _segment(draft: Draft, place: int) -> tuple[int, int]:
    """Where the words of an anchor stand: from the end of the one before to its own end."""
    start = draft.anchors[place - 1].char_end if place else 0
    return start, max(start, draft.anchors[place].char_end)


def _own_words(draft: Draft, place: int) -> bool:
    start, end = _segment(draft, place)
    said = _NOT.sub(" ", draft.asked.rest[start:end])
    return any(token.form not in words.STOP_WORDS for token in words.tokens(said))


def _clauses(draft: Draft) -> list[Path | None]:
    """The pattern of each anchor; one with no words of its own goes with the one before it."""
    found: list[Path | None] = []
    for place in range(len(draft.anchors)):
        own = place == 0 or _own_words(draft, place)
        found.append(_clause(draft, place) if own else found[-1])
    return found


def _clause(draft: Draft, place: int) -> Path | None:
    """A pattern from the words of one anchor, the head of the question, and what follows all of them."""
    keep, head = draft.asked.rest, _head(draft)
    for number in range(len(draft.anchors)):
        start, end = _segment(draft, number)
        start = max(start, head)
        if number != place and start < end and _own_words(draft, number):
            keep = keep[:start] + " " * (end - start) + keep[end:]
    keep = _BOTH.sub(lambda match: " " * len(match[0]), keep)  # out and back over a relation is not what it means here
    return by_words(draft, keep, draft.anchors[place])


def _head(draft: Draft) -> int:
    """Where the noun that is asked for ends."""
    kinds = {stem for kind in draft.catalogue.kinds for stem in properties.stems(kind)}
    for token in words.tokens(draft.asked.rest):
        if words.stem(token.form) in kinds:
            return token.end
    return 0


def _neither(draft: Draft) -> bool:
    """All nodes of the kind asked for, less what any of the anchors leads to."""
    kind = kind_in(draft.asked.rest, draft.catalogue)
    path = by_words(draft, draft.asked.rest, draft.anchors[0]) if kind else None
    if kind is None or path is None:
        return False
    draft.walk(path, draft.anchors[0].kinds)
    draft.refine.update(answers_from="kind", source_kind=kind, combine="difference")
    draft.reasons.append(f"every {kind} less those of {' and '.join(anchor.name for anchor in draft.anchors)}")
    return True


# -- intervals -------------------------------------------------------------------------------------------------------


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
    blanked = rest[: match.start("kind")] + " " * len(match["kind"]) + rest[match.end("kind") :]
    pattern = _timed(draft, draft.find(blanked, [anchor]))
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
    steps = {
        (relation, forward)
        for source, relation, target, _ in catalogue.schema_paths
        for forward, start, end in ((True, source, target), (False, target, source))
        if relation in timed and start in anchor.kinds and (not wanted or end in wanted)
    }
    steps = {step for step in steps if not anchor.steps or step in anchor.steps}
    if len(steps) != 1:
        return None
    ((relation, forward),) = steps
    quoted = (
        relation if re.fullmatch(r"\w+", relation) and relation != "any" else "'" + relation.replace("'", "''") + "'"
    )
    return quoted if forward else f"^{quoted}"
