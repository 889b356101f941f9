"""What the words of a question may mean in a schema: mentions of relations and kinds, each with its evidence.

A mention is a word or phrase that a relation, or a kind, may answer to: by the relation's own name, by a family of
words that both belong to, by the name of a kind, or by how near the words are in the space of an embedding model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.lexicon import Entry, Label
from mosaic_sql.analyze.meanings import Meanings
from mosaic_sql.analyze.meanings import meanings as meanings_of
from mosaic_sql.analyze.nouns import TYPE_NOUNS
from mosaic_sql.analyze.schema import Step, everyday, is_within
from mosaic_sql.analyze.sentence import (
    FUNCTION,
    PREPOSITIONS,
    WHICH,
    Sentence,
    Span,
    asks_one,
    entries_said,
    is_passive,
    is_told_about,
    is_verb_of_asked,
    looks_verbal,
)
from mosaic_sql.records import Catalogue

Likeness = Mapping[str, Mapping[str, float]]
"""Phrase -> relation -> cosine of their vectors."""
STRONG, ALIKE = 0.5, 0.42
"""Strength from which a word speaks for a step; cosine from which a phrase may, and then more weakly."""
MEANT = 16
"""Relations that one word may mean."""
_SAID, _OTHER, _ALONG = 0.9, 0.25, 0.3
"""Strength of a word of a relation's family, and of a noun for its other end; how surely a passive is said along it."""
_OF_CAUSE = frozenset(("of", "from"))
"""Prepositions that a verb means something else with."""
_WITHIN_NAMES = frozenset("of the a an in for to and by at on his her its their they he she it have has had".split())


@dataclass(frozen=True)
class Evidence:
    """What a mention says of a relation.

    `strength` in [0, 1]; `asks_one` in [-1, 1] is above 0 where what is asked for is at the one end, below 0 where at
    the other; `one_is_target` says which end of an edge that is.
    """

    strength: float
    asks_one: float
    one_is_target: bool

    @property
    def forward(self) -> float:
        """Above 0 where the step towards the answer goes along the edge."""
        return self.asks_one if self.one_is_target else -self.asks_one


NOTHING = Evidence(0.0, 0.0, True)
"""What words say of a relation that they do not speak of."""


@dataclass(frozen=True)
class Mention:
    """Words that speak of relations or kinds: tokens `start` to `end`.

    `relations` maps a relation to its evidence; `roles` are what a *node* is called by them: (family, whether the one
    end); `kinds` are kinds of that name; `noun` tells nouns from verbs; `near` is how close it stands to the anchor;
    `shared` says that two things have it in common, `beside` that it stands right before the anchor's name, `sortal`
    that it says of what sort something is and not of what (which drugs), `touching` that it is said of the anchor with
    no word between, `behind` that it may tell the kind of the name it stands behind (the X paper); `merged` are
    relations that the word beside it speaks for already.
    """

    start: int
    end: int
    said: tuple[str, ...]
    relations: Mapping[str, Evidence]
    roles: frozenset[tuple[str, bool]] = frozenset()
    kinds: frozenset[str] = frozenset()
    noun: bool = True
    near: float = 0.0
    asks: str = ""
    shared: bool = False
    beside: bool = False
    sortal: bool = False
    touching: bool = False
    behind: bool = False
    merged: frozenset[str] = frozenset()

    def of(self, step: Step) -> Evidence | None:
        """What it says of a step: of its relation, or of the one that holds the same edges turned round."""
        own, turned = self.relations.get(step.relation), self.relations.get(step.inverse)
        if turned is None or (own is not None and own.strength >= turned.strength):
            return own
        if self.noun and self.kinds and step.kind not in self.kinds:
            return own  # the noun of a kind speaks for no step that leaves it
        return replace(turned, one_is_target=not turned.one_is_target)

    @property
    def is_strong(self) -> bool:
        """Whether it speaks for some relation beside others."""
        return any(each.strength >= STRONG for each in self.relations.values())

    @property
    def weight(self) -> float:
        """How much is lost where nothing in a pattern answers to it."""
        strongest = max((each.strength for each in self.relations.values()), default=0.0)
        return max(strongest, 0.5 if self.kinds else 0.0)


def find(told: Sentence, catalogue: Catalogue, likeness: Likeness) -> list[Mention]:
    """The mentions of a question in order; no two share a word."""
    found = [
        *_by_label(told, catalogue),
        *_by_family(told, catalogue),
        *_by_type(told, catalogue),
        *_by_kind(told, catalogue),
        *_by_likeness(told, catalogue, likeness),
    ]
    return [_kind_first(mention) for mention in _settled(found) if not is_told_about(told, mention.start)]


def _by_label(told: Sentence, catalogue: Catalogue) -> Iterable[Mention]:
    """Runs of words that stand in a relation's own name."""
    meanings = meanings_of(catalogue)
    runs: dict[tuple[int, int], dict[str, float]] = {}
    for start in range(len(told.forms)):
        if told.forms[start] in FUNCTION and told.forms[start] != "also":
            continue
        for relation, alike in _labelled(told.forms[start], meanings):
            end, share = _run(told, start, meanings.labels[relation], alike)
            if share >= 0.3:
                own = runs.setdefault((start, end), {})
                own[relation] = max(own.get(relation, 0.0), share)
    for (start, end), shares in sorted(runs.items()):
        found: dict[str, Evidence] = {}
        whole, first = looks_verbal(told, start, end), looks_verbal(told, start, start + 1)
        noun = not (whole if end - start == 1 else first)
        for relation, share in shares.items():
            label = meanings.labels[relation]
            verbal = whole or (first and _opens(told.forms[start], relation))
            mark = _mark(told, (start, end), relation, label) if verbal else ""
            entry = Entry("", "verb" if verbal else "one", tuple(told.forms[start:end]), mark)
            does = noun and _is_doer(told.forms[end - 1], relation)
            one_is_target = not does and (label.one_is_target or (noun and relation in meanings.by_target))
            side = _side(told, (start, end), entry, label, one_is_target)
            found[relation] = Evidence(0.55 + 0.45 * share, side, one_is_target)
        yield Mention(start, end, _said(told, start, end), _strongest(found), noun=noun)


def _mark(told: Sentence, span: Span, relation: str, label: Label) -> str:
    """Which end does it: of invested in, works on, knows the source, unless it is said in the passive."""
    *before, last = lexicon.parts(relation) or [""]
    acts, placed = not before and last.endswith("s"), last in (PREPOSITIONS | {"under"}) - {"of", "by"}
    mark = ("<" if acts else "") if is_passive(told, *span) else "-"
    return mark if label.one_is_target and (acts or placed) else ""


def _opens(form: str, relation: str) -> bool:
    """Whether the name of a relation of several words begins with a word: owns of owns_share."""
    first, *others = lexicon.parts(relation) or [""]
    return bool(others) and not lexicon.roots(first).isdisjoint(lexicon.roots(form))


def _is_doer(form: str, relation: str) -> bool:
    """Whether a noun is of who does what a relation is called by: callers of calls, dependents of depends_on."""
    first, *others = lexicon.parts(relation) or [""]
    acts = first.endswith("s") if not others else others[-1] in PREPOSITIONS - {"of", "by"}
    return acts and lexicon.is_doer(form, first)


def _strongest(relations: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """At most MEANT relations that a word may mean."""
    return dict(sorted(relations.items(), key=lambda each: (-each[1].strength, each[0]))[:MEANT])


def _labelled(form: str, meanings: Meanings) -> Iterable[tuple[str, float]]:
    """Relations with a word of that stem, or one that begins alike, and how alike."""
    found: dict[str, float] = {}
    for root in _roots(form):
        for stem, relations in meanings.by_stem.items():
            near = min(len(stem), len(root)) > 4 and words.alike(stem, root)
            alike = 1.0 if root in lexicon.roots(stem) else 0.8 if near else 0.0
            for relation in relations if alike else ():
                found[relation] = max(found.get(relation, 0.0), alike)
    return sorted(found.items())


def _roots(form: str) -> frozenset[str]:
    """The stems that a word may have, and those of the verb that it may be a doer of."""
    return lexicon.roots(form) | lexicon.doer_of(form)


def _run(told: Sentence, start: int, label: Label, alike: float) -> tuple[int, float]:
    """Where a run of a name's words ends, small words between them allowed, and the share of the name it says."""
    share, end, gap = 0.0, start + 1, 0
    seen: set[str] = set()
    for place in range(start, len(told.forms)):
        if place in told.anchors and place > start:
            break
        own = [s for s in label.stems if s not in seen and any(_same(s, root) for root in _roots(told.forms[place]))]
        if own:
            seen.add(own[0])
            share += label.weight(own[0])
            end, gap = place + 1, 0
        elif told.forms[place] in _WITHIN_NAMES and gap < 2:
            gap += 1
        else:
            break
    return end, share * alike


def _same(stem: str, root: str) -> bool:
    return root in lexicon.roots(stem) or (min(len(stem), len(root)) > 4 and words.alike(stem, root))


def _by_family(told: Sentence, catalogue: Catalogue) -> Iterable[Mention]:
    """Words and phrases of families that some relation belongs to."""
    meanings = meanings_of(catalogue)
    for start in range(len(told.forms)):
        by_end: dict[int, list[Entry]] = {}
        for entry in entries_said(told.forms, start):
            by_end.setdefault(start + len(entry.forms), []).append(entry)
        longest = max(by_end, default=start)
        phrasal = longest > start + 1 and told.forms[longest - 1] in _OF_CAUSE
        for end, entries in by_end.items():
            if phrasal and end < longest:
                continue  # to die of something tells no place and no day
            telling = any(form not in FUNCTION for form in told.forms[start:end])
            if telling and not any(start < anchor < end for anchor in told.anchors):
                yield from _of_entries(told, (start, end), entries, meanings)


def _of_entries(told: Sentence, span: Span, entries: list[Entry], meanings: Meanings) -> Iterable[Mention]:
    """The mention that entries of one span are, if any relation or kind of node answers to it."""
    found: dict[str, Evidence] = {}
    families = lexicon.lexicon().families
    for entry in entries:
        for relation in meanings.by_family.get(entry.family, ()):
            one_is_target = meanings.labels[relation].families[entry.family]
            strength = _OTHER if entry.role == "other" else _SAID
            if relation not in found or found[relation].strength < strength:
                side = _side(told, span, entry, meanings.labels[relation], one_is_target)
                found[relation] = Evidence(strength, side, one_is_target)
    if any(families[entry.family].together for entry in entries) and not any(map(lexicon.is_mutual, found)):
        found = {r: Evidence(0.6, 0.0, meanings.labels[r].one_is_target) for r in sorted(meanings.joint)}
    roles = frozenset((e.family, e.role == "one") for e in entries if e.role != "verb") & meanings.known_roles
    verbs = sum(entry.role == "verb" for entry in entries)
    noun = verbs < len(entries) and not (verbs and looks_verbal(told, *span))
    if found or roles:
        yield Mention(*span, _said(told, *span), found, roles, noun=noun)


def _side(told: Sentence, span: Span, entry: Entry, label: Label, one_is_target: bool) -> float:
    """As `asks_one`; a name that is a passive phrase is said along its edges, what holds both ways hardly one way."""
    if label.phrase:
        return _ALONG if one_is_target else -_ALONG
    families = lexicon.lexicon().families
    either = entry.role == "verb" and any(families[family].symmetric for family in label.families)
    return asks_one(told, *span, entry) * (_ALONG if either else 1.0)


def _by_type(told: Sentence, catalogue: Catalogue) -> Iterable[Mention]:
    """Question words, and nouns that ask as they do."""
    meanings = meanings_of(catalogue)
    for place, form in enumerate(told.forms):
        for asks, nouns in TYPE_NOUNS.items():
            if form in nouns or (form == asks and asks != "who"):
                yield Mention(place, place + 1, (words.stem(form),), _asked(meanings, asks), asks=asks)


def _by_likeness(told: Sentence, catalogue: Catalogue, likeness: Likeness) -> Iterable[Mention]:
    """Phrases whose vectors are near those of relations: weak evidence, on no side."""
    labels = meanings_of(catalogue).labels
    for phrase, relations in likeness.items():
        run = phrase.split(" ")
        found = {
            relation: Evidence(min(0.49, _OTHER + 0.4 * cosine), 0.0, labels[relation].one_is_target)
            for relation, cosine in relations.items()
            if cosine >= ALIKE and relation in labels
        }
        for start in range(len(told.forms) - len(run) + 1):
            end = start + len(run)
            if found and told.forms[start:end] == run:
                yield Mention(start, end, _said(told, start, end), _strongest(found), noun=False)


def _asked(meanings: Meanings, asks: str) -> dict[str, Evidence]:
    """Relations whose one end answers a question word: weak evidence."""
    families = lexicon.lexicon().families
    if asks == "who":
        return {}
    return {
        relation: Evidence(0.4, 0.5, one)
        for relation, label in meanings.labels.items()
        for family, one in label.families.items()
        if families[family].asks == asks and one
    }


def _by_kind(told: Sentence, catalogue: Catalogue) -> Iterable[Mention]:
    """Nouns that are the name of a kind, whole or its last word, or an everyday word for it that says nothing else."""
    kinds, relations = meanings_of(catalogue).kinds, [relation for _, relation in catalogue.relations]
    taken = {part for parts in kinds.values() for part in parts} | FUNCTION
    for kind, parts in kinds.items():
        names = [own for own in (parts, parts[-1:]) if own]
        own = everyday(kind, catalogue)
        other = (word for word in own - taken if not lexicon.speaks_of([word], relations, ("one",)))
        names += [(word,) for word in sorted(other)]
        names += [(word,) for word in TYPE_NOUNS["who"] if kind.lower() in TYPE_NOUNS["who"]]
        for start in range(len(told.forms)):
            end = next((start + len(own) for own in names if _stand(told, start, own)), None)
            if end is not None and not is_verb_of_asked(told, start, end):
                placed = _placed(told, start, kind, catalogue)
                yield Mention(start, end, _said(told, start, end), placed, kinds=frozenset({kind}))


def _placed(told: Sentence, start: int, kind: str, catalogue: Catalogue) -> dict[str, Evidence]:
    """Relations that lead to what is in such a place, where a noun asks for one: in which hall."""
    asked = told.forms[max(0, start - 2) : start]
    if len(asked) < 2 or asked[0] not in ("in", "at", "on", "from") or asked[1] not in WHICH:
        return {}
    paths = (Step(relation, True, kind) for _, relation, target, _ in catalogue.schema_paths if target == kind)
    return {step.relation: Evidence(0.3, 0.5, True) for step in paths if is_within(step)}


def _stand(told: Sentence, start: int, nouns: Sequence[str]) -> bool:
    run = told.forms[start : start + len(nouns)]
    return len(run) == len(nouns) and all(map(lexicon.is_noun, run, nouns))


def _said(told: Sentence, start: int, end: int) -> tuple[str, ...]:
    """The stems of a span, for a reason."""
    return tuple(words.stem(form) for form in told.forms[start:end] if form not in words.STOP_WORDS) or tuple(
        told.forms[start:end]
    )


def _settled(mentions: Iterable[Mention]) -> list[Mention]:
    """Mentions of one span become one; a longer one takes the place of those inside it."""
    by_span: dict[Span, Mention] = {}
    for mention in mentions:
        span = (mention.start, mention.end)
        by_span[span] = _joined(by_span[span], mention) if span in by_span else mention
    chosen: list[Mention] = []
    for mention in sorted(by_span.values(), key=lambda m: (m.start - m.end, -m.weight, m.start)):
        if all(mention.end <= other.start or mention.start >= other.end for other in chosen):
            chosen.append(mention)
    return sorted(chosen, key=lambda m: m.start)


def _kind_first(mention: Mention) -> Mention:
    """The noun of a kind names nodes; it speaks for a relation only where that is called so itself."""
    if not mention.kinds:
        return mention
    weak = {
        r: e if e.strength >= 0.95 else replace(e, strength=min(e.strength, 0.3)) for r, e in mention.relations.items()
    }
    return replace(mention, relations=weak, asks="")


def _joined(one: Mention, other: Mention) -> Mention:
    relations = dict(one.relations)
    for relation, evidence in other.relations.items():
        known = relations.get(relation)
        if known is None:
            relations[relation] = evidence
        elif known.strength < evidence.strength or not known.asks_one:
            relations[relation] = replace(evidence, strength=max(known.strength, evidence.strength))
    return replace(
        one,
        relations=_strongest(relations),
        roles=one.roles | other.roles,
        kinds=one.kinds | other.kinds,
        noun=one.noun and other.noun,
        asks=one.asks or other.asks,
    )
