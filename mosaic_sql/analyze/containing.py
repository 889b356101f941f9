"""What is in what, where a question says no more: which companies are in A, which country is A in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from mosaic_sql.analyze import kind_tests, lexicon, wording
from mosaic_sql.analyze.mentions import Mention
from mosaic_sql.analyze.schema import SchemaGraph, Step, schema_graph
from mosaic_sql.analyze.sentence import FUNCTION, Sentence, sentence
from mosaic_sql.records import Catalogue, Target

_PLACES = frozenset(("location", "headquarters", "country", "continent", "contain"))
"""Families of relations that say what something is in."""
_IN = frozenset("in within inside".split())
_SAID = frozenset("located situated lie lies based".split()) | _IN
_MAX_STEPS = 3


def path(question: str, anchor: Target, catalogue: Catalogue) -> str | None:
    """The shortest pattern from a name to the kind that a question asks for, over relations of place that all lead in.

    None where the question says more than that one is in the other, or no such steps lead there.
    """
    spans = [(anchor.char_start, anchor.char_end)] if anchor.char_end > anchor.char_start else []
    told, read = sentence(question, spans), wording.read(question, spans, catalogue)
    focus = read.mentions[read.focus] if read.focus is not None else None
    if (
        focus is None
        or not (focus.kinds or focus.roles)
        or not _says_in(told, [focus, *(one for one in read.mentions if one.beside)])
    ):
        return None
    schema, inwards = schema_graph(catalogue), _IN.isdisjoint(told.forms[max(0, told.anchor - 2) : told.anchor])
    vague = schema.inferred if focus.kinds else frozenset[str]()  # museums are told by what is housed there
    found: list[tuple[str, tuple[Step, ...]]] = [(kind, ()) for kind in anchor.kinds if kind not in vague]
    for _ in range(_MAX_STEPS):
        found = [
            (step.kind, (*steps, step))
            for kind, steps in found
            for step in _steps(kind, schema, inwards=inwards, vague=vague)
            if steps or not anchor.steps or (step.relation, step.forward) in anchor.steps
        ]
        walks = [
            kind_tests.Walk(steps, (-1,) * len(steps), anchor.kinds)
            for kind, steps in found
            if (kind in focus.kinds if focus.kinds else focus.roles & schema.roles.get(kind, frozenset()))
        ]
        if walks:
            return " | ".join(sorted({kind_tests.written(walk, read, schema) for walk in walks}))
    return None


def _says_in(told: Sentence, nouns: Sequence[Mention]) -> bool:
    """Whether a question says that what nouns name is in something, or something in it, and no more."""
    named = {place for noun in nouns for place in range(noun.start, noun.end)}
    others = [form for place, form in enumerate(told.forms) if place not in named]
    return not _IN.isdisjoint(others) and all(form in FUNCTION | _SAID for form in others)


def _steps(kind: str, schema: SchemaGraph, *, inwards: bool, vague: Collection[str]) -> Iterator[Step]:
    """The steps of a kind that lead to what it is in, or to what is in it, and to no `vague` kind."""
    for step, _ in schema.steps.get(kind, ()):
        label = lexicon.label(step.relation)
        ends = {end for family, end in label.families.items() if family in _PLACES}
        if len(ends) == 1 and (step.forward in ends) == inwards and step.kind not in vague:
            yield step
