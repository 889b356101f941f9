"""Sets of several anchors, and nodes that only time joins to what an anchor leads to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import cues, drafting, fitting, lexicon, properties, schema
from mosaic_sql.analyze.drafting import Draft, Path, Step, acts, along, by_words, kind_in, kinds_in, only_step, steps_of
from mosaic_sql.analyze.sentence import PREPOSITIONS
from mosaic_sql.records import Target

_NOT = re.compile(
    r"\b(but not|and not|not|never|cannot|\w+n['’]t|except(?: for)?|excluding|without|with no|lack(?:s|ing)?|no|nobody"
    r"|elsewhere|somewhere else|other than|apart from|aside from|besides)\b",
    re.I,
)
_BESIDE = frozenset("neither nor but those ones made".split())
"""Words beside what denies that narrow nothing: but not those made by A."""
_OUGHT = frozenset("should must shall ought".split())
_WITHOUT = re.compile(r"\bwith(?:out| no)\b", re.I)
_NEITHER = re.compile(r"\bneither\b|\bnot\b.*\bnor\b", re.I)
_BOTH = re.compile(r"\b(both|as well as|together(?! with)|and also|in common)\b", re.I)
_EITHER = re.compile(r"\beither\b|\bor\b", re.I)
_SHARED = re.compile(r"\b(shar(?:e|es|ed|ing)|common|same|mutual\w*|each other|one another)\b", re.I)
_RELATED = re.compile(r"\b(between|relat\w+|connect\w*|link\w*|path)\b", re.I)
_NAMED = 1.0
"""Worth from which a pattern between two anchors is what the words name."""
_IF_ANY = re.compile(r"\bif (?:any|there (?:are|is) any)\b", re.I)
_OPENED = re.compile(
    r"(?P<verb>(?: \w+){1,2}),? (?:(?P<clause>(?:and |but )?(?:that|which|who)\b.*)|and(?: the)? )", re.I
)
"""A verb behind its subject, and the clause that follows: (that A) made that, (A) made and (B)."""
_OPENS = re.compile(r"\b(?:(?:in|for|on|at|by|from|to|with) )?(?:which|who|whom|that|where)\b(?= *$)", re.I)
_DENIES = re.compile(
    r"[ ,]*(?:(?:do|does|did|has|have|had|is|are|was|were)(?: |(?=n['’]t)))?(?:n['’]t|not|never)\b", re.I
)
_DID_NOT = re.compile(r" *(?:(?:do|does|did|has|have|had|is|are|was|were)(?:n['’]t| not)|never)\b(?= *\w)", re.I)
"""What opens a clause before its subject, what denies a verb behind a name, and a verb that follows such a denial."""


# -- several anchors: sets -------------------------------------------------------------------------------------------


def negation(draft: Draft) -> str:
    """The words outside of names and cues by which a question leaves something out; empty for none."""
    found = _NEITHER.search(draft.asked.rest) or _NOT.search(draft.asked.rest)
    return found[0] if found else ""


def sets(draft: Draft, question: str) -> bool:
    """Both, but not, neither, not: which sets the anchors stand for, each with the pattern of its own words."""
    if _RELATED.search(draft.asked.rest) or cues.asks_verdict(question):
        return False
    if _NEITHER.search(draft.asked.rest):
        return _without(draft, "nor", draft.anchors)
    negated = _negated(draft)
    if all(negated):
        return _without(draft, negation(draft), draft.anchors)
    draft.asked.rest = drafting.without_own_nouns(draft) if any(negated) else draft.asked.rest
    named = _named(draft, any(negated))
    paths = _clauses(draft, negated) if named else []
    paths = _filled(draft, paths) if named and named[0] != "difference" else paths
    whole = [path for path in paths if path is not None]
    if named is None or len(whole) < len(paths) or not _fits(draft, named, whole, negated):
        return False
    combine, said = named
    order = sorted(range(len(whole)), key=lambda place: negated[place])  # what holds, then what must not
    bare = len(whole) == 2 and _is_bare(draft, order[-1])
    draft.anchors, whole = [draft.anchors[place] for place in order], [whole[place] for place in order]
    first, anchors = whole[0], draft.anchors
    draft.walk(first, anchors[0].kinds, whole[1:])
    draft.negated = combine == "difference"
    if draft.negated and bare and _is_itself(draft, first):
        draft.refine["filters"] = tuple(
            {"attribute": "name", "compare": "!=", "value": name}
            for name in (anchors[1].node_names or (anchors[1].name,))[:5]
        )
        draft.reasons.append(f"but {anchors[1].name} itself, from: {said}")
        draft.anchors = anchors[:1]
        return True
    _combined(draft, combine, whole, negated)
    together = " and ".join(anchor.name for anchor in anchors)
    if said == "and" and not _IF_ANY.search(draft.asked.rest):  # a bare *and* may mean either: films with A and B
        draft.each = f"nothing holds for both of {together}; these hold for one of them"
    draft.reasons.append(f"{combine} of {together}, from: {said}")
    return True


def _filled(draft: Draft, paths: Sequence[Path | None]) -> list[Path | None]:
    """The paths, where a name without one takes that of another of its kind: it leads nowhere from there."""
    told = [(path, set(anchor.kinds)) for path, anchor in zip(paths, draft.anchors, strict=True) if path]
    return [
        path or next((other for other, kinds in told if kinds & set(anchor.kinds)), None)
        for path, anchor in zip(paths, draft.anchors, strict=True)
    ]


def _combined(draft: Draft, combine: str, paths: Sequence[Path], negated: Sequence[bool]) -> None:
    """The controls of sets; with words that no path answers to what is left out would be something else."""
    draft.refine["combine"] = combine
    if draft.negated:
        draft.refine["included"] = negated.count(False)
        left = _left(draft)
        draft.unserved = f"“{left}” is said of what is left out, and was not understood" if left else draft.unserved
    own = tuple(path.pattern for path in paths[1:])
    if any(pattern != paths[0].pattern for pattern in own):
        draft.refine["arms"] = own


def meeting(draft: Draft, beside: Target | None = None) -> bool:
    """Nodes of the kind asked for that each of the anchors leads to by its own words: papers by A in the venue B.

    A pattern from the one to the other says more, where words name it and nothing is compared; but not of a name that
    stands `beside` the kind (crime films), to which the kind alone leads.
    """
    kind = kind_in(draft.asked.rest, draft.catalogue)
    if kind is None or _RELATED.search(draft.asked.rest):
        return False
    plain = beside is None and not draft.asked.bounds
    joined = draft.find(draft.asked.rest, draft.anchors) if plain else None
    apart = [by_words(draft, kind, one) if one is beside else path for one, path in _each_clause(draft, beside)]
    paths = [path for path in apart if path is not None]
    said = {word for path in paths for word in path.words}
    if joined is not None and joined.score > _NAMED and not set(joined.words) <= said:
        return False
    if len(paths) < len(draft.anchors) or not _alike(draft, paths):
        return False
    if kind not in properties.ends(paths[0].pattern, draft.anchors[0].kinds, draft.catalogue).kinds:
        return False
    draft.walk(paths[0], draft.anchors[0].kinds, paths[1:])
    draft.refine["combine"] = "intersection"
    if any(path.pattern != paths[0].pattern for path in paths):
        draft.refine["arms"] = tuple(path.pattern for path in paths[1:])
    draft.reasons.append(f"every {kind} of {' and '.join(anchor.name for anchor in draft.anchors)}")
    return True


def _each_clause(draft: Draft, beside: Target | None) -> list[tuple[Target, Path | None]]:
    """The anchors with the pattern of the words of each; with one `beside` the whole question is the other's."""
    if beside is None:
        return list(zip(draft.anchors, _clauses(draft), strict=True))
    return [(one, None if one is beside else by_words(draft, draft.asked.rest, one)) for one in draft.anchors]


def _negated(draft: Draft) -> list[bool]:
    """Which anchors are left out: those behind a negation, and those that stand beside such a one.

    What follows the last anchor speaks of that where it denies what that does (the films that X did not direct).
    """
    rest, found = draft.asked.rest, list[bool]()
    for place in range(len(draft.anchors)):
        start, end = _segment(draft, place)
        last = place + 1 == len(draft.anchors)
        anchor = draft.anchors[place]
        denies = last and acts(draft, anchor) and _DENIES.match(rest, anchor.char_end)
        end = len(rest) if denies else end
        own = bool(_NOT.search(rest[start:end]))
        beside = place > 0 and found[-1] and not _own_words(draft, place) and not re.search(r"\bbut\b", rest[start:end])
        found.append(own or beside)
    return found


def _named(draft: Draft, negated: bool) -> tuple[str, str] | None:
    """How the words between the anchors combine them, and which words say so."""
    rest, anchors = draft.asked.rest, draft.anchors
    if len(anchors) < 2:
        return None
    if negated:
        held = [anchor for anchor, out in zip(anchors, _negated(draft), strict=True) if not out]
        if len(held) > 1 and _EITHER.search(rest[held[0].char_end : held[-1].char_start]):
            draft.unserved = "what holds for either of two and not for a third was not understood"
        return "difference", negation(draft)
    between = rest[anchors[0].char_end : anchors[-1].char_start]
    if _EITHER.search(between):
        return "union", "or"
    both = _BOTH.search(rest)
    if both:
        return "intersection", both[0]
    if re.search(r"\band\b", between, re.IGNORECASE) and not _SHARED.search(rest):
        return "intersection", "and"
    return None


def _alike(draft: Draft, paths: Sequence[Path]) -> bool:
    """Whether the paths of all anchors may end in one node."""
    ends = [
        properties.ends(path.pattern, anchor.kinds, draft.catalogue).kinds
        for path, anchor in zip(paths, draft.anchors, strict=True)
    ]
    return bool(frozenset.intersection(*ends))


def _fits(draft: Draft, named: tuple[str, str], paths: Sequence[Path], negated: Sequence[bool]) -> bool:
    """Whether sets can be combined so.

    What a negated anchor leads to may be among what the others lead to, or it is itself one of that.
    """
    if named[0] != "difference":
        return named[1] != "and" or _alike(draft, paths)
    ends = [
        properties.ends(path.pattern, anchor.kinds, draft.catalogue).kinds
        for path, anchor in zip(paths, draft.anchors, strict=True)
    ]
    held = frozenset[str]().union(*(own for own, out in zip(ends, negated, strict=True) if not out))
    left_out = [place for place, out in enumerate(negated) if out]
    return all(held & (ends[place] | set(draft.anchors[place].kinds)) for place in left_out)


def _is_bare(draft: Draft, place: int) -> bool:
    """Whether nothing but a negation stands before an anchor: except Orsk; in `but not in Orsk` another does."""
    start, end = _segment(draft, place)
    said = [token.form for token in words.tokens(_NOT.sub(" ", draft.asked.rest[start:end]))]
    return not any(form in PREPOSITIONS or form not in words.STOP_WORDS for form in said)


def _is_itself(draft: Draft, path: Path) -> bool:
    """Whether the second of two anchors is left out for what it is, not for what it leads to."""
    kinds = properties.ends(path.pattern, draft.anchors[0].kinds, draft.catalogue).kinds
    return bool(set(draft.anchors[1].kinds) & kinds)


def _segment(draft: Draft, place: int) -> tuple[int, int]:
    """Where the words of an anchor stand: from those of the one before to its own end, or over a verb that follows."""
    start = _end(draft, place - 1) if place else 0
    return start, max(start, _end(draft, place))


def _end(draft: Draft, place: int) -> int:
    """Where the words of an anchor end: behind its verb where a clause opens there (that A made, which; and B made)."""
    rest, own = draft.asked.rest, draft.anchors[place].char_end
    if place + 1 == len(draft.anchors):
        return len(rest) if place and _opened(draft, place - 1)[1] else own
    return _opened(draft, place)[0]


def _denied(draft: Draft) -> bool:
    """Whether what follows the last anchor is denied of that alone: films with A in which B does not appear."""
    start, end = draft.anchors[-1].char_start, draft.anchors[-1].char_end
    return bool(_OPENS.search(draft.asked.rest[:start]) and _DID_NOT.match(draft.asked.rest[end:]))


def _opened(draft: Draft, place: int) -> tuple[int, bool]:
    """Where the verb behind an anchor ends, its own end for none, and whether the next anchor acts as well."""
    start, end = draft.anchors[place].char_end, draft.anchors[place + 1].char_start
    found = _OPENED.fullmatch(draft.asked.rest, start, end)
    acts = (
        found is not None and not found["clause"] and bool(words.tokens(draft.asked.rest[draft.anchors[-1].char_end :]))
    )
    return (found.end("verb"), acts) if found and (acts or found["clause"]) else (start, False)


def _own_words(draft: Draft, place: int) -> bool:
    """Whether an anchor has words of its own: telling ones, or another preposition than before: by X, with Y."""
    start, end = _segment(draft, place)
    if place and place + 1 == len(draft.anchors) and _denied(draft):
        end = len(draft.asked.rest)
    said = [token.form for token in words.tokens(_NOT.sub(" ", draft.asked.rest[start:end]))]
    before = [token.form for token in words.tokens(draft.asked.rest[:start])]
    own = [form for form in said if form in PREPOSITIONS]
    denied = place > 0 and bool(_NOT.search(draft.asked.rest[start:end]))  # that are not by B, with no `by` before
    others = own and [form for form in before if form in PREPOSITIONS][-1:] not in ([[]] * (not denied) + [own[-1:]])
    return bool(others) or any(form not in words.STOP_WORDS for form in said)


def _clauses(draft: Draft, negated: Sequence[bool] = ()) -> list[Path | None]:
    """The pattern of each anchor; one with no words of its own goes with the one before it, if it can be its own too.

    One that is left out and has none takes the only step to what is asked for: films by A that are no comedies.
    """
    found: list[Path | None] = []
    for place, anchor in enumerate(draft.anchors):
        shared = None if place == 0 or _own_words(draft, place) else found[-1]
        path = shared or _clause(draft, place)
        ends = properties.ends(path.pattern, anchor.kinds, draft.catalogue).kinds if path else frozenset()
        if place and found[0] and any(negated[place : place + 1]) and not ends:
            wanted = properties.ends(found[0].pattern, draft.anchors[0].kinds, draft.catalogue).kinds
            step = only_step(draft, anchor, to=wanted) if not set(anchor.kinds) & wanted else None
            path = Step(step, ()) if step else path
        found.append(path)
    return found


def _clause(draft: Draft, place: int) -> Path | None:
    """A pattern from the words of one anchor, the head of the question, and what follows all of them."""
    keep, head = draft.asked.rest, _head(draft)
    for number in range(len(draft.anchors)):
        start, end = _segment(draft, number)
        start = max(start, head)
        if number != place and start < end and _own_words(draft, number):
            keep = words.blanked(keep, start, end)
    if place + 1 < len(draft.anchors) and _denied(draft):
        keep = words.blanked(keep, draft.anchors[-1].char_end, len(keep))
    keep = _BOTH.sub(lambda match: " " * len(match[0]), keep)  # out and back is not what `both` means here
    return _denied_of(draft, keep, draft.anchors[place])


def _denied_of(draft: Draft, text: str, anchor: Target) -> Path | None:
    """The pattern of a text without what denies in it; films without A are those that no step leads to from A."""
    path = by_words(draft, _affirmed(text), anchor)
    said = {stem for kind in draft.catalogue.kinds for stem in properties.stems(kind)}
    if path is None or not _WITHOUT.search(text) or not set(path.words) <= said:
        return path
    wanted = properties.ends(path.pattern, anchor.kinds, draft.catalogue).kinds
    steps = steps_of(draft, anchor, to=wanted) if wanted else None
    return Step(along(steps), path.words) if steps else path


def _affirmed(text: str) -> str:
    """A text without what denies in it, every character in its place; of `without` the `with` stays."""
    return _NOT.sub(lambda match: ("with" if match[0].lower().startswith("with") else "").ljust(len(match[0])), text)


def _head(draft: Draft) -> int:
    """Where the noun that is asked for ends: the name of a kind, else a noun of a word family, else `who`."""
    kinds = {stem for kind in _given_kinds(draft) for stem in properties.stems(kind)}
    tokens = words.tokens(draft.asked.rest)
    forms = [token.form for token in tokens]
    for place, token in enumerate(tokens):
        nouns = any(entry.role != "verb" and len(entry.forms) == 1 for entry in lexicon.entries_at(forms, place))
        if words.stem(token.form) in kinds or (nouns and not token.form.endswith("ing")):
            return token.end
    return tokens[0].end if forms[:1] == ["who"] else 0


def _given_kinds(draft: Draft) -> frozenset[str]:
    return schema.given_kinds(draft.catalogue)


def _without(draft: Draft, said: str, anchors: Sequence[Target]) -> bool:
    """All nodes of the kind asked for, less what any of the anchors leads to."""
    path = _denied_of(draft, draft.asked.rest, anchors[0])
    kind = _kind_of_answers(draft, path) if path else None
    if path is None or kind is None:
        return False
    draft.walk(path, anchors[0].kinds)
    draft.negated = True
    draft.refine.update(answers_from="kind", source_kind=kind, combine="difference")
    left = _left(draft)
    if left:  # drugs that should not be given in epilepsy are not those that do not treat it
        draft.unserved = f"“{left}” names no node, relation or kind, so that what is not so is not known"
    draft.reasons.append(f"every {kind} less those of {' and '.join(one.name for one in anchors)}, from: {said}")
    return True


def _left(draft: Draft) -> str:
    """The words of what is denied that nothing answers to: no longer, not given; how it must not be used."""
    rest = draft.asked.rest
    denying = _BESIDE | {one.form for found in _NOT.finditer(rest) for one in words.tokens(found[0])}
    forms = [form for form in draft.unread() if form not in denying]
    ought = not _OUGHT.isdisjoint(forms)
    left = [form for form in forms if form not in _OUGHT and (ought or fitting.is_telling(form))]
    return " ".join(left)


def _kind_of_answers(draft: Draft, path: Path) -> str | None:
    """The kind of all nodes that a path could lead to: named, the only one, or the end of its last relation."""
    kinds = properties.ends(path.pattern, draft.anchors[0].kinds, draft.catalogue).kinds
    named = [kind for kind in kinds_in(draft.asked.rest, draft.catalogue) if kind in kinds]
    automaton = patterns.parse(path.pattern)
    last = {(t.relation, t.forward) for t in automaton.transitions if t.next_state in automaton.accepting}
    ends = sorted(f"{relation}" if forward else f"has {relation}" for relation, forward in last)
    inferred = [end for end in ends if end in schema.inferred_kinds(draft.catalogue)]
    return next(iter([*named, *(inferred if len(ends) == 1 else ()), *(kinds if len(kinds) == 1 else ())]), None)
