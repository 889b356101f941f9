"""What is counted at a node: the edges by which a walk reaches it, or those of one step from it that a noun names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import asking, called, lexicon, properties, schema
from mosaic_sql.analyze.drafting import Draft, Path, Step, is_of_schema, kinds_in
from mosaic_sql.analyze.families import TIME
from mosaic_sql.analyze.nouns import is_called, kind_nouns
from mosaic_sql.records import Catalogue, Target

_DONE_OFTEN = re.compile(r"\b(?:is|are|was|were|been) (?P<done>\w+)(?=\s{4,})", re.IGNORECASE)
"""What is done, before the blanks of a cue for how often."""
SAID = 0.9
"""Worth of a step from which words say it: more than the kinds at its ends do."""


def of_participle(asked: asking.Asked, catalogue: Catalogue) -> None:
    """Make what is done to the answers (the most cited paper, is cited most often) the order, and no step to them."""
    sort = asked.sort
    if sort is None or sort.family or not (sort.often or is_participle(sort.noun)):
        return
    found = _DONE_OFTEN.search(asked.rest) if sort.often else re.search(rf"\b(?P<done>{sort.noun})\b", asked.rest, re.I)
    follows = words.tokens(asked.rest[found.end() :])[:1] if found else []
    if found and is_participle(found["done"]) and (sort.often or any(kinds_in(one.form, catalogue) for one in follows)):
        asked.rest = words.blanked(asked.rest, *found.span())
        asked.sort = replace(sort, noun=found["done"].lower(), often=False)


def of_name(asked: asking.Asked, question: str, catalogue: Catalogue) -> None:
    """Take no order from a word that begins the name of a property: first approved, of `first_approved`."""
    said = asked.sort.words.split()[-1:] if asked.sort and asked.sort.family == TIME else []
    found = re.search(rf"\b{re.escape(said[0])} (?P<next>\w+)", question, re.IGNORECASE) if said else None
    if found is None:
        return
    both = [words.stem(said[0].lower()), words.stem(found["next"].lower())]
    if any(properties.stems(one.name)[:2] == both for one in catalogue.properties):
        asked.sort = None
        asked.rest = asked.rest[: found.start()] + found[0] + asked.rest[found.end() :]


def of_group(asked: asking.Asked, catalogue: Catalogue) -> None:
    """Count for each of a kind or an end that the question ends with: number of films by director."""
    noun = asked.sort.noun if asked.sort and asked.sort.words.lower().startswith("by ") else ""
    if not noun or not asked.count or asked.each:
        return
    if kinds_in(noun, catalogue) or schema.is_schema_word(noun, catalogue):
        asked.each, asked.count, asked.sort = noun, False, None


def of_phrase(asked: asking.Asked, catalogue: Catalogue) -> None:
    """Count by the last word of a phrase that names a relation: the most board members, the most record labels."""
    sort = asked.sort
    found = re.search(rf"\b{sort.noun} (?P<last>\w+)", asked.rest, re.IGNORECASE) if sort and sort.noun else None
    if sort is None or found is None or sort.family or sort.often:
        return
    forms = [token.form for token in words.tokens(found[0])]
    of_relation = any(
        forms[0] in parts and any(lexicon.is_noun(forms[1], part) for part in parts)
        for parts in (lexicon.parts(relation) for _, relation in catalogue.relations)
    )
    if of_relation or any(len(entry.forms) == len(forms) for entry in lexicon.entries_at(forms, 0)):
        asked.sort = replace(sort, noun=forms[1])


def called_so(draft: Draft, counted: str, kind: str | None, path: Path | None) -> Path | None:
    """The one step between two kinds whose relation is called as what is counted: member_of, of a party's members.

    None where words say another relation, or several are called so.
    """
    own = {stem for one in (counted, kind or "") for stem in (*properties.stems(one), *words.like_kind(one))}
    if kind is None or (path is not None and not set(path.words) <= own):
        return None
    name = [*properties.stems(counted), "of"]
    found = {
        relation
        for start, relation, end, _ in draft.catalogue.schema_paths
        if (start, end) == (counted, kind) and properties.stems(relation) == name
    }
    return Step(patterns.format_path([(found.pop(), True)]), path.words if path else ()) if len(found) == 1 else None


def is_participle(form: str) -> bool:
    """Whether a word says what is done to something: cited, written."""
    return form.endswith("ed") or form in lexicon.irregular_forms()


def of_answers(draft: Draft, cue: asking.Sort | asking.Bound) -> str:
    """What is counted at the answers; empty for nothing.

    The `edges` that a walk reached them by, the nodes of a kind that it `starts` from, or the `degree` of a step.
    """
    if isinstance(cue, asking.Sort) and (cue.often or cue.family):
        return "edges" if cue.often and draft.pattern else ""
    if draft.per or words.stem(cue.noun) in draft.spoken:
        return "starts" if draft.per in schema.given_kinds(draft.catalogue) and not draft.anchors else "edges"
    found = step(draft, cue.noun, draft.kinds)
    if found is None and is_participle(cue.noun):
        return ""
    if found and not called.fits(cue.noun, starts(turned(found), draft.catalogue), draft.catalogue):
        return ""  # the most paintings of a city: not the countries that it is in
    if found is None:
        return "edges" if draft.pattern and is_of_schema(draft, cue.noun) else ""
    draft.refine["degree_of"] = found
    return "degree"


def step(draft: Draft, noun: str, kinds: Iterable[str], said: str = "") -> str | None:
    """The one step from nodes of some kinds to what a noun counts; None where no word says it.

    Either the noun says it (the members of a band), or the question does, with what is counted for its anchor (the
    director who made the fewest films); `said` is the question in another order.
    """
    bare = f"it is {noun}" if is_participle(noun) else f"{noun} of it"
    found = [(path.score, path.pattern, False) for path in [draft.find(bare, [some(kinds, bare, "it")])] if path]
    if not draft.anchors:
        every, rest = draft.catalogue.kinds, said or draft.asked.rest
        path = draft.find(rest, [some(every, rest, noun)])
        found += [(path.score, path.pattern, True)] if path else []
    score, pattern, is_turned = max(found, default=(0.0, "", False))
    if score <= SAID or patterns.parse(pattern).max_length != 1:
        return None
    relation, forward = _taken(pattern)
    one = (relation, forward is not is_turned)
    return patterns.format_path([one]) if _starts(one, draft.catalogue) & set(kinds) else None


def _taken(pattern: str) -> tuple[str, bool]:
    """The (relation, forward) of a pattern of one step."""
    (one,) = patterns.parse(pattern).transitions
    return str(one.relation), bool(one.forward)


def turned(pattern: str) -> str:
    """A pattern of one step the other way round."""
    relation, forward = _taken(pattern)
    return patterns.format_path([(relation, not forward)])


def is_of_people(step: str, other: str, catalogue: Catalogue) -> bool:
    """Whether a step leaves from nodes of a kind of people, and the other does not."""
    works = {kind for kind in schema.inferred_kinds(catalogue) if kind.startswith("has ")}  # has director: a film
    begun = [starts(one, catalogue) - works for one in (step, other)]
    return [any(is_called(kind, kind_nouns("who")) for kind in kinds) for kinds in begun] == [True, False]


def starts(step: str, catalogue: Catalogue) -> set[str]:
    """The kinds that a pattern of one step leaves from."""
    return _starts(_taken(step), catalogue)


def _starts(one: tuple[str, bool], catalogue: Catalogue) -> set[str]:
    """As `starts`, of a (relation, forward)."""
    return {start for relation, forward, start, _ in schema.each_way(catalogue) if (relation, forward) == one}


def some(kinds: Iterable[str], said: str, noun: str) -> Target:
    """Any node of some kinds, which a word stands for: the last time it is said."""
    places = [(token.start, token.end) for token in words.tokens(said) if token.form == noun.lower()]
    start, end = places[-1] if places else (0, 0)
    return Target(0, noun, words.normalise(noun), 1.0, (), (), start, end, "kind", origin="graph", kinds=tuple(kinds))


def only_kind(pattern: str, catalogue: Catalogue) -> str | None:
    """The kind of all nodes that a step leaves from: the only one, or that which is inferred from the step."""
    one = _taken(pattern)
    own = f"has {one[0]}" if one[1] else one[0]
    if own in schema.inferred_kinds(catalogue):
        return own
    kinds = _starts(one, catalogue)
    return next(iter(kinds)) if len(kinds) == 1 else None
