"""Relations that say the same from either end: teaches and taught_by, part_of and has_part, child and parent.

A graph that was put together may hold some edges one way and some the other; a step along one of them is a step along
either.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon, schema
from mosaic_sql.analyze.nouns import OF_ONE
from mosaic_sql.records import Catalogue

_STORED = 10
"""Equally many edges from which a relation that is another's converse by name holds the same edges."""
_STEP = re.compile(
    r"(?:(?P<way>[\^~])\s*)?(?P<name>'(?:[^']|'')*'|\"[^\"]*\"|[^\W\d][\w.:-]*)(?:\s*(?P<kind>\[[^\]]*\]))?|\{[^}]*\}|\[[^\]]*\]"
)
_DOER = re.compile(r"(?<=\w{3})(?:er|or)s?$")

Both = tuple[str, bool]
"""A relation and whether its edges are turned round."""


def either(pattern: str, catalogue: Catalogue) -> str:
    """A pattern, each step the alternative of all relations that say the same, `(child_of | ^parent_of)`."""
    known, mutual = same(catalogue), schema.schema_graph(catalogue).mutual
    if not (known or mutual):
        return pattern
    present = {one.relation for one in patterns.parse(pattern).transitions}

    def alternatives(found: re.Match[str]) -> str:
        written = found["name"]
        name = written[1:-1].replace("''", "'") if written and written[0] in "'\"" else written
        if name in mutual and OF_ONE.isdisjoint(lexicon.parts(name)):
            return f"~{written}{found['kind'] or ''}"
        others = [other for other in known.get(name or "", ()) if other[0] not in present]
        if not others or found["way"] == "~":
            return found[0]
        forward, kind = not found["way"], found["kind"] or ""
        steps = [(name, forward), *((other, forward is not turned) for other, turned in others)]
        return f"({' | '.join(patterns.format_path([step]) + kind for step in steps)})"

    return _STEP.sub(alternatives, pattern)


def kinds(kind: str, catalogue: Catalogue) -> tuple[str, ...]:
    """The further inferred kinds of what has a kind that was inferred from an end of a relation.

    They are those of the same end of the relations that say the same: what is a `subsidiary` also `has subsidiary_of`.
    """
    inferred = schema.inferred_kinds(catalogue)
    relations = {relation for _, relation in catalogue.relations}
    is_target, relation = kind in relations, kind if kind in relations else kind.removeprefix("has ")
    if kind not in inferred:
        return ()
    ends = [(other, is_target is not turned) for other, turned in same(catalogue).get(relation, ())]
    if relation in schema.schema_graph(catalogue).mutual:
        ends.append((relation, not is_target))
    found = {other if as_target else f"has {other}" for other, as_target in ends}
    return tuple(sorted(found & inferred))


@lru_cache(maxsize=8)
def same(catalogue: Catalogue) -> Mapping[str, tuple[Both, ...]]:
    """For each relation those that say the same, and whether from the other end."""
    ends: dict[str, set[tuple[str, str]]] = {}
    counts: dict[str, int] = {}
    for source, relation, target, count in catalogue.schema_paths:
        ends.setdefault(relation, set()).add((source, target))
        counts[relation] = max(counts.get(relation, 0), count)
    given, told = schema.given_kinds(catalogue), schema.numbers(catalogue)
    found: dict[str, list[Both]] = {}
    for one, other in _alike(sorted(set(ends) - told)):
        turned = _turned(one, other)
        if turned is None or not _joins(ends[one], ends[other], turned, given):
            continue
        if turned and counts[one] == counts[other] >= _STORED:
            continue
        found.setdefault(one, []).append((other, turned))
        found.setdefault(other, []).append((one, turned))
    return {relation: tuple(others) for relation, others in found.items()}


def _alike(relations: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of relations of the same words, or of a family."""
    groups: dict[str, list[str]] = {}
    for relation in relations:
        families = {f"family {name}" for name in lexicon.label(relation).families}
        for key in {" ".join(sorted(_roots(relation))), *families} - {""}:
            groups.setdefault(key, []).append(relation)
    return sorted({pair for group in groups.values() for pair in itertools.combinations(group, 2)})


@lru_cache(maxsize=1 << 12)
def _roots(relation: str) -> frozenset[str]:
    """The words of a name without who does it: advisor of, advised by."""
    forms = [form for form in lexicon.parts(relation) if words.stem(form) in lexicon.label(relation).stems]
    return frozenset(_DOER.sub("", words.stem(lexicon.base(form))) for form in forms)


def _turned(one: str, other: str) -> bool | None:
    """Whether two relations say the same from either end (True), or the same way (False); None where they do not."""
    if lexicon.is_mutual(one) or lexicon.is_mutual(other):
        return None
    first, second = lexicon.label(one), lexicon.label(other)
    if _roots(one) == _roots(other):
        return True if first.one_is_target != second.one_is_target else None
    opposed = {end != second.families[name] for name, end in first.families.items() if name in second.families}
    if len(opposed) != 1:
        return None
    (turned,) = opposed
    if _are_ends(one, other):
        return turned
    families = [lexicon.lexicon().families[name] for name in first.families]
    is_done = len(families) == 1 and families[0].asks == "who" and not families[0].symmetric
    return True if turned and is_done and set(first.families) == set(second.families) else None


def _are_ends(one: str, other: str) -> bool:
    """Whether two names are nouns for the two ends of the same: parent and child, not father and child."""
    families = lexicon.lexicon().families
    ones, others = ({role: _nouns(name, role) for role in ("one", "other")} for name in (one, other))
    mine, theirs = ({f for f in each["other"] if families[f].asks == "who"} for each in (ones, others))
    return bool(mine and theirs) and mine <= others["one"] and theirs <= ones["one"]


def _nouns(relation: str, role: str) -> set[str]:
    """The families of which a name is a noun for the one end, or for the other."""
    forms = lexicon.parts(relation)
    return {entry.family for p in range(len(forms)) for entry in lexicon.entries_at(forms, p) if entry.role == role}


def _joins(one: set[tuple[str, str]], other: set[tuple[str, str]], turned: bool, given: frozenset[str]) -> bool:
    """Whether two relations join the same kinds; where none were given nothing says that they do not."""
    if not given:
        return True
    return any(((b, a) if turned else (a, b)) in other for a, b in one)
