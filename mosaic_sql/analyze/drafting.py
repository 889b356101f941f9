"""A plan in the making: what a question asks after its walk, and what is known of where the walk leads."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import asking, lexicon, properties, schema
from mosaic_sql.analyze.clauses import PREPOSITIONS, RELATIVES
from mosaic_sql.analyze.sentence import BE, DO, FUNCTION
from mosaic_sql.policy import Correction
from mosaic_sql.records import Catalogue, Compared, Property, Target

WHEN = re.compile(r"\b(when|(?:what|which) (?:year|date|day|time))\b", re.I)
"""What asks for a time."""


OF_VERBS = ("ion", "ment", "age", "ship", "ance", "ence")
"""How nouns end that are made of verbs: an interaction."""
_SUBJECT = RELATIVES | {"and", "or", "nor", "neither"}
"""Words before what acts."""


class Path(Protocol):
    """A pattern found in a question and the words that spoke for it."""

    @property
    def pattern(self) -> str:
        """The pattern."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """Stems of the question."""
        ...

    @property
    def score(self) -> float:
        """What it is worth; about 1 for a step that words name."""
        ...


Find = Callable[[str, Sequence[Target]], Path | None]
"""(question, anchors) -> the path pattern that its words name from there; the names may be blanked out."""


@dataclass(frozen=True)
class Plan:
    """Controls for what a question asks beside the walk, with the anchors it starts from and why.

    With no controls in `refine` there is nothing to do after the walk, and `corrections` tell why not. `unresolved`
    says what of the question cannot be served, so that any answer would be to another one; `unread` are its telling
    words that nothing answers to. `each` is what is told where nothing holds for all anchors, and what holds for one of
    them is the answer; empty where it is not. `compared` are the filters whose values another node has.
    """

    pattern: str | None
    targets: tuple[Target, ...]
    refine: Mapping[str, Any]
    reason: str
    corrections: tuple[Correction, ...] = ()
    unresolved: str = ""
    unread: tuple[str, ...] = ()
    each: str = ""
    compared: tuple[Compared, ...] = ()


@dataclass(frozen=True)
class Text:
    """A text that a question says, and the properties that hold it, each as it is written there.

    `near` are stems of the words that were read with it; `either` tells that it will do in place of the last one.
    """

    said: str
    holders: tuple[tuple[Property, str], ...]
    near: frozenset[str] = frozenset()
    negative: bool = False
    either: bool = False


@dataclass(frozen=True)
class Group:
    """A property, by its name, whose values are asked for with how many there are of each, and the question without.

    `words` are those that asked for it; `descending`, `extreme` and `limit` choose among the values, as do `compare`
    and `count` by how many there must be.
    """

    name: str
    words: str
    question: str
    descending: bool = True
    extreme: bool = False
    limit: int | None = None
    compare: str = "none"
    count: int = 1


@dataclass
class Draft:
    """A plan in the making; `negated` tells that what the question leaves out is left out.

    `kinds` are those of the answers, `per` the kind whose nodes are walked from to be counted for each of them; `each`
    is as in a plan, `unserved` what it has in `unresolved`; `other` is a node that answers are compared with,
    `sorts` those that tell of what sort they are, any of some that stand together, `texts` what their
    properties are to hold, `group` the property for each value of which they are counted.
    """

    asked: asking.Asked
    anchors: list[Target]
    catalogue: Catalogue
    find: Find
    refine: dict[str, Any] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    pattern: str | None = None
    spoken: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    known: list[Property] = field(default_factory=list)
    per: str = ""
    named: Sequence[Target] = ()
    negated: bool = False
    each: str = ""
    unserved: str = ""
    other: Target | None = None
    compared: tuple[Compared, ...] = ()
    sorts: Sequence[Sequence[Target]] = ()
    texts: Sequence[Text] = ()
    group: Group | None = None

    def refuse(self, said: str, reason: str) -> None:
        """A cue that cannot be served."""
        self.corrections.append(Correction("refine", said.strip(), None, reason))

    def walk(self, path: Path, kinds: Sequence[str], beside: Sequence[Path] = ()) -> None:
        """Take a path, and learn what the nodes it leads to have; those of other anchors are said `beside` it."""
        self.pattern, self.spoken = path.pattern, (*path.words, *(word for other in beside for word in other.words))
        ends = properties.ends(path.pattern, kinds, self.catalogue)
        self.kinds, self.known = ends.kinds, properties.of(ends, self.catalogue)

    def hold(self, attribute: str, compare: str, **item: object) -> None:
        """Keep only answers of which a comparison holds."""
        filters = self.refine.get("filters", ())
        self.refine["filters"] = (*filters, {"attribute": attribute, "compare": compare, **item})

    def every(self, kind: str) -> None:
        """Take all nodes of a kind, and learn what they have."""
        self.kinds = frozenset({kind})
        self.known = properties.of(properties.Ends(self.kinds, frozenset()), self.catalogue)
        self.reasons.append(f"every {kind}")

    def done(self) -> Plan | None:
        """The plan; None where nothing came of the cues, and nothing is to be told of them."""
        if self.unserved:
            return Plan(None, (), {}, "", tuple(self.corrections), unresolved=self.unserved)
        if not self.refine and not self.corrections:
            return None
        used = tuple(self.anchors) if "source_kind" not in self.refine or "combine" in self.refine else ()
        return Plan(
            self.pattern,
            used,
            self.refine,
            "; ".join(self.reasons),
            tuple(self.corrections),
            unread=self.unread(),
            each=self.each if set(self.refine) <= {"combine", "arms"} else "",
            compared=self.compared,
        )

    def unread(self) -> tuple[str, ...]:
        """The telling words outside of names and cues that neither path, kind nor property answers to."""
        read = [self.refine.get("attribute"), self.refine.get("source_kind")]
        read += [self.refine.get("degree_of"), *(item["attribute"] for item in self.refine.get("filters", ()))]
        answered = {*self.spoken, *(stem for name in read if name for stem in properties.stems(name))}
        return tuple(
            token.form
            for token in words.tokens(self.asked.rest)
            if token.form not in FUNCTION and not any(words.alike(words.stem(token.form), stem) for stem in answered)
        )


def blank(text: str, targets: Sequence[Target]) -> str:
    """The text with the names of some targets blanked out, every character in its place."""
    for target in targets:
        text = words.blanked(text, target.char_start, target.char_end)
    return text


def stems_of(text: str) -> list[str]:
    """The stems of all words of a text, in order."""
    return [words.stem(token.form) for token in words.tokens(text)]


def without_own_nouns(draft: Draft) -> str:
    """The rest of the question without a noun behind a name that only says its kind: the Data team; not a film's."""
    rest = draft.asked.rest
    for anchor in draft.anchors:
        noun = re.compile(r"\s+(\w+)").match(rest, anchor.char_end)
        if noun and set(kinds_in(noun[1], draft.catalogue)) & set(anchor.kinds):
            rest = words.blanked(rest, noun.start(1), noun.end(1))
    return rest


def kinds_in(text: str, catalogue: Catalogue) -> list[str]:
    """The kinds that a text names, in its order; of several with one word first the one with the longest name."""
    asked = stems_of(text)
    places = {}
    for kind in catalogue.kinds:
        wanted = properties.stems(kind)
        others = set(map(words.stem, schema.everyday(kind, catalogue)))
        if kind.startswith("has ") or not wanted:
            continue
        if set(wanted) <= set(asked):
            places[kind] = (asked.index(wanted[0]), -len(wanted), kind)
        elif others & set(asked):  # movies, where the kind is a film
            places[kind] = (min(asked.index(stem) for stem in others & set(asked)), 0, kind)
    return sorted(places, key=lambda kind: places[kind])


def kind_in(text: str, catalogue: Catalogue) -> str | None:
    """The first kind that a text names."""
    return next(iter(kinds_in(text, catalogue)), None)


def is_noun_for(relations: Collection[str], said: Sequence[str], catalogue: Catalogue) -> bool:
    """Whether the first of some words is a noun for one of some relations, or they are one for the kind of its ends."""
    if not (relations and said):
        return False
    ends = {end for _, relation, end, _ in catalogue.schema_paths if relation in relations}
    own = {other for relation in relations for other in properties.stems(relation) if other not in PREPOSITIONS}
    in_name = any(words.alike(words.stem(said[0]), other) for other in own)
    return in_name or bool(ends & {*kinds_in(" ".join(said), catalogue), *kinds_in(said[0], catalogue)})


@dataclass(frozen=True)
class Step:
    """A path of one step that no word of the question speaks for but the kind it leads to."""

    pattern: str
    words: tuple[str, ...]
    score: float = 0.0


def by_words(draft: Draft, text: str, anchor: Target) -> Path | None:
    """The pattern that words name, else the only step from the anchor to a kind that they name."""
    found = draft.find(text, [anchor])
    if found is not None:
        return found
    for kind in kinds_in(text, draft.catalogue):
        if lexicon.parts(kind)[-1] in PREPOSITIONS:  # who was born in A: not what is of the kind `born_in`
            continue
        step = only_step(draft, anchor, to=(kind,))
        if step is not None:
            return Step(step, tuple(properties.stems(kind)))
    return None


def acts(draft: Draft, anchor: Target) -> bool:
    """Whether what follows a name is what that does: that A made, did A make, the films A made; not films by A."""
    before = [token.form for token in words.tokens(draft.asked.rest[: anchor.char_start]) if token.form != "the"]
    last = before[-1] if before else ""
    return not last or bool(
        {"do", "does", "did"}.intersection(before) or last in BE | DO | _SUBJECT or kinds_in(last, draft.catalogue)
    )


def only_step(draft: Draft, anchor: Target, *, to: Collection[str] = (), over: Collection[str] = ()) -> str | None:
    """The one step that an anchor may take to some kinds, over some relations, all where empty; None for several."""
    steps = steps_of(draft, anchor, to=to, over=over)
    return along(steps) if len(steps) == 1 else None


def steps_of(
    draft: Draft, anchor: Target, *, to: Collection[str] = (), over: Collection[str] = ()
) -> set[tuple[str, bool]]:
    """The steps that an anchor may take to some kinds, over some relations; all where empty."""
    found = {
        (relation, forward)
        for relation, forward, start, end in schema.each_way(draft.catalogue)
        if start in anchor.kinds and (not to or end in to) and (not over or relation in over)
    }
    return {step for step in found if not anchor.steps or step in anchor.steps}


def along(steps: Iterable[tuple[str, bool]]) -> str:
    """A pattern of one step, any of some."""
    return " | ".join(patterns.format_path([step]) for step in sorted(steps))


def head_of(draft: Draft, kind: str) -> words.Token | None:
    """The first word of the question that names a kind."""
    return next((one for one in words.tokens(draft.asked.rest) if kind in kinds_in(one.form, draft.catalogue)), None)


def names_kind(form: str, catalogue: Catalogue) -> bool:
    """Whether a word is the noun for a kind, or an everyday word for one."""
    return bool(kinds_in(form, catalogue)) or words.is_kind_word(form)


def stand_in(kind: str, said: str) -> Target:
    """All nodes of a kind in the place of an anchor: the noun for it is its name."""
    wanted = properties.stems(kind)
    nouns = [token for token in words.tokens(said) if words.stem(token.form) in wanted]
    start, end = (nouns[0].start, nouns[-1].end) if len(nouns) == len(wanted) else (0, 0)
    return Target(0, kind, words.normalise(kind), 1.0, (), (), start, end, "kind", origin="graph", kinds=(kind,))


def is_of_schema(draft: Draft, noun: str) -> bool:
    """Whether a noun is a word of a kind or a relation."""
    stem = words.stem(noun)
    names = [*draft.catalogue.kinds, *(relation for _, relation in draft.catalogue.relations)]
    return any(words.alike(stem, other) for name in names for other in properties.stems(name))


def is_named(catalogue: Catalogue, said: str) -> bool:
    """Whether a kind, a relation or a property has the words of a text in its name."""
    own = set(stems_of(said))
    names = [*catalogue.kinds, *(relation for _, relation in catalogue.relations)]
    return any(own <= set(properties.stems(name)) for name in [*names, *(one.name for one in catalogue.properties)])
