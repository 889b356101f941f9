"""What the words of a question say of relations: mentions, each with what it may mean and on which side it asks.

A question is read around its anchor. A mention is a word or phrase that a relation, or a kind, may answer to; its
evidence says how strongly, and whether the thing asked for stands at the one end of the relation or at the other,
by voice, prepositions and possessives: "who directed X", "films directed by X", "X's director", "whose director is X".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from mosaic_sql import text as words
from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.lexicon import LIGHT, Entry, Label
from mosaic_sql.analyze.schema import inferred_kinds
from mosaic_sql.records import Catalogue

Span = tuple[int, int]

BE = frozenset("is are was were be been being am s re get gets got".split())
DO = frozenset("do does did has have had can could will would may might".split())
_PREPOSITIONS = frozenset("of for in from at to on with by about as".split())
MEANT = 16
"""Relations that one word may mean."""
_WITHIN_NAMES = frozenset("of the a an in for to and by at on".split())
_SHARING = frozenset(
    "same share shares shared sharing common both also too together with else alongside jointly another other others co "
    "each mutual mutually".split()
)
_IN_COMMON = frozenset("same share shares shared sharing common mutual similar".split())
_RELATIVE = frozenset("who that which".split())
_WHICH = frozenset(("which", "what"))
_LINKS = frozenset("who that which have has had".split()) | BE
_SHARING_NEAR = frozenset(("with", "other", "others", "another", "also", "too"))
_ASKS = {"who": "who", "whom": "who", "whose": "who", "where": "where", "when": "when"}
TYPE_NOUNS = {
    "who": "person people somebody someone individual human man woman men women".split(),
    "when": "year date day time month decade years dates".split(),
    "where": "place location city country town region".split(),
}
_LIST = frozenset("list name give show find tell get return enumerate identify".split())
_KINDS = {
    "who": "author actor human agent director".split(),
    "when": [],
    "where": [],
}
FUNCTION = (words.STOP_WORDS | BE | DO | _LIST | frozenset("me us please there every other others".split())) - {"about"}


@dataclass(frozen=True)
class Evidence:
    """What a mention says of a relation.

    `strength` in [0, 1]; `asks_one` is above 0 where what is asked for is at the one end, below 0 where at the other, in
    [-1, 1]; `one_is_target` says which end of an edge that is.
    """

    strength: float
    asks_one: float
    one_is_target: bool

    @property
    def forward(self) -> float:
        """Above 0 where the step towards the answer goes along the edge."""
        return self.asks_one if self.one_is_target else -self.asks_one


@dataclass(frozen=True)
class Mention:
    """Words that speak of relations or kinds: tokens `start` to `end`.

    `relations` maps a relation to its evidence; `roles` are what a *node* is called by them: (family, whether the one
    end); `kinds` are kinds of that name; `noun` tells nouns from verbs; `near` is how close it stands to the anchor;
    `shared` says that two things have it in common, `beside` that it stands right before the anchor's name, `sortal`
    that it says of what sort something is and not of what (which drugs); `merged` are relations that the word beside it speaks for already.
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
    merged: frozenset[str] = frozenset()

    @property
    def weight(self) -> float:
        """How much is lost where nothing in a pattern answers to it."""
        strongest = max((each.strength for each in self.relations.values()), default=0.0)
        return max(strongest, 0.5 if self.kinds else 0.0)


@dataclass(frozen=True)
class Wording:
    """A question read around its anchors: mentions in order, what the answer is called, whether something is shared."""

    mentions: tuple[Mention, ...]
    focus: int | None
    asks: str
    shared: bool
    telling: tuple[str, ...] = ()


@dataclass
class _Words:
    """Tokens with the anchors' names taken out, and where the (first) anchor stands: before token `anchor`."""

    tokens: list[words.Token]
    forms: list[str]
    anchor: int
    possessed: bool
    anchors: list[int] = field(default_factory=list)


def read(question: str, names: Sequence[Span], catalogue: Catalogue) -> Wording:
    """Read a question; `names` are the character spans of its anchors, the one that is walked from first."""
    told = _without_names(question, names)
    mentions = [*_by_label(told, catalogue), *_by_family(told, catalogue), *_by_kind(told, catalogue)]
    chosen = [_kind_first(mention) for mention in _settled(mentions)]
    chosen = [
        replace(
            mention,
            near=_nearness(mention, told, chosen),
            shared=_has_in_common(mention, told),
            beside=mention.noun and mention.end in told.anchors and not told.possessed,
            sortal=_is_sortal(mention, told),
        )
        for mention in chosen
    ]
    chosen = _merged(chosen, told)
    focus, asks = _focus(told, chosen)
    shared = _is_shared(told)
    telling = tuple(words.stem(form) for form in told.forms if form not in FUNCTION and words.stem(form) not in LIGHT)
    return Wording(tuple(chosen), focus, asks, shared, telling)


def _without_names(question: str, names: Sequence[Span]) -> _Words:
    tokens = [part for token in words.tokens(question) for part in _apart(token)]
    kept: list[words.Token] = []
    anchors: list[int] = []
    places: dict[Span, int] = {}
    for token in tokens:
        inside = next((span for span in names if span[0] <= token.start < span[1]), None)
        if inside is None:
            kept.append(token)
        elif inside not in places:
            places[inside] = len(kept)
            anchors.append(len(kept))
    first = places.get(tuple(names[0]), len(kept)) if names else len(kept)  # type: ignore[arg-type]
    forms = [token.form for token in kept]
    possessed = first < len(forms) and forms[first] == "s" and question[max(0, kept[first].start - 1)] in "'’"
    return _Words(kept, forms, first, possessed, anchors)


def kind_nouns(asks: str) -> tuple[str, ...]:
    """Names of kinds that answer a question word."""
    return (*TYPE_NOUNS.get(asks, ()), *_KINDS.get(asks, ()))


def _apart(token: words.Token) -> list[words.Token]:
    """`costars` as `co` and `stars`."""
    form, rest = token.form, token.form[2:]
    if not form.startswith("co") or len(rest) < 4 or lexicon.entries_at([form], 0) or not lexicon.entries_at([rest], 0):
        return [token]
    middle = token.start + 2
    return [words.Token("co", token.start, middle, False), words.Token(rest, middle, token.end, False)]


# -- what words mean -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Meanings:
    """The relations of a catalogue by what may be said for them."""

    labels: dict[str, Label]
    by_family: dict[str, tuple[str, ...]]
    by_stem: dict[str, tuple[str, ...]]
    kinds: dict[str, tuple[str, ...]]
    known_roles: frozenset[tuple[str, bool]]


@lru_cache(maxsize=8)
def _meanings(catalogue: Catalogue) -> _Meanings:
    relations = sorted({relation for _, relation, _, _ in catalogue.schema_paths})
    labels = {relation: lexicon.label(relation) for relation in relations}
    by_family: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    for relation, label in labels.items():
        for family in label.families:
            by_family.setdefault(family, []).append(relation)
        for stem in label.stems:
            by_stem.setdefault(stem, []).append(relation)
    inferred = inferred_kinds(catalogue)
    kinds = {kind: tuple(lexicon.parts(kind)) for kind in catalogue.kinds if kind not in inferred}
    return _Meanings(
        labels,
        {family: tuple(own) for family, own in by_family.items()},
        {stem: tuple(own) for stem, own in by_stem.items()},
        kinds,
        frozenset((family, end) for family in by_family for end in (True, False)),
    )


def _by_label(told: _Words, catalogue: Catalogue) -> Iterable[Mention]:
    """Runs of words that stand in a relation's own name."""
    meanings = _meanings(catalogue)
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
        noun = True
        for relation, share in shares.items():
            label = meanings.labels[relation]
            verbal = _looks_verbal(told, start, end)
            noun = not (verbal if end - start == 1 else _looks_verbal(told, start, start + 1))
            entry = Entry("", "verb" if verbal else "one", tuple(told.forms[start:end]))
            asks_one = _asks_one(told, start, end, entry)
            if label.phrase:
                asks_one = 0.3 if label.one_is_target else -0.3
            found[relation] = Evidence(0.55 + 0.45 * share, asks_one, label.one_is_target)
        yield Mention(start, end, _said(told, start, end), _strongest(found), noun=noun)


def _strongest(relations: Mapping[str, Evidence]) -> dict[str, Evidence]:
    """At most MEANT relations that a word may mean."""
    return dict(sorted(relations.items(), key=lambda each: (-each[1].strength, each[0]))[:MEANT])


def _labelled(form: str, meanings: _Meanings) -> Iterable[tuple[str, float]]:
    """Relations with a word of that stem, or one that begins alike, and how alike."""
    found: dict[str, float] = {}
    for root in lexicon.roots(form):
        for stem, relations in meanings.by_stem.items():
            alike = 1.0 if stem == root else 0.8 if min(len(stem), len(root)) > 4 and words.alike(stem, root) else 0.0
            for relation in relations if alike else ():
                found[relation] = max(found.get(relation, 0.0), alike)
    return sorted(found.items())


def _run(told: _Words, start: int, label: Label, alike: float) -> tuple[int, float]:
    """Where a run of a name's words ends, small words between them allowed, and the share of the name it says."""
    share, end, gap = 0.0, start + 1, 0
    seen: set[str] = set()
    for place in range(start, len(told.forms)):
        if place in told.anchors and place > start:
            break
        own = [
            s for s in label.stems if s not in seen and any(_same(s, root) for root in lexicon.roots(told.forms[place]))
        ]
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
    return stem == root or (min(len(stem), len(root)) > 4 and words.alike(stem, root))


def _by_family(told: _Words, catalogue: Catalogue) -> Iterable[Mention]:
    """Words and phrases of families that some relation belongs to."""
    meanings = _meanings(catalogue)
    families = lexicon.lexicon().families
    for start in range(len(told.forms)):
        by_end: dict[int, list[Entry]] = {}
        for entry in lexicon.entries_at(told.forms, start):
            by_end.setdefault(start + len(entry.forms), []).append(entry)
        for end, entries in by_end.items():
            if any(start < anchor < end for anchor in told.anchors) or all(
                f in FUNCTION for f in told.forms[start:end]
            ):
                continue
            found: dict[str, Evidence] = {}
            for entry in entries:
                for relation in meanings.by_family.get(entry.family, ()):
                    one_is_target = meanings.labels[relation].families[entry.family]
                    strength = 0.25 if entry.role == "other" else 0.9
                    asks_one = _asks_one(told, start, end, entry)
                    if meanings.labels[relation].phrase:
                        asks_one = 0.3 if one_is_target else -0.3
                    evidence = Evidence(strength, asks_one, one_is_target)
                    if relation not in found or found[relation].strength < strength:
                        found[relation] = evidence
            if any(families[entry.family].together for entry in entries):
                found = _together(meanings)
            roles = frozenset((e.family, e.role == "one") for e in entries if e.role != "verb")
            noun = not all(e.role == "verb" for e in entries) and not (
                any(e.role == "verb" for e in entries) and _looks_verbal(told, start, end)
            )
            if found or roles & meanings.known_roles:
                yield Mention(start, end, _said(told, start, end), found, roles & meanings.known_roles, noun=noun)
        form = told.forms[start]
        for asks, nouns in TYPE_NOUNS.items():
            if form in nouns:
                yield Mention(start, start + 1, (words.stem(form),), _asked(meanings, asks), asks=asks)
    for place, form in enumerate(told.forms):
        if form in ("when", "where"):
            yield Mention(place, place + 1, (form,), _asked(meanings, form), asks=form)


def _together(meanings: _Meanings) -> dict[str, Evidence]:
    """Relations in whose thing two people may meet."""
    families = lexicon.lexicon().families
    return {
        relation: Evidence(0.6, 0.0, label.one_is_target)
        for relation, label in meanings.labels.items()
        if any(families[family].asks == "who" and not families[family].symmetric for family in label.families)
    }


def _asked(meanings: _Meanings, asks: str) -> dict[str, Evidence]:
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


def _by_kind(told: _Words, catalogue: Catalogue) -> Iterable[Mention]:
    """Nouns that are the name of a kind, whole or its last word."""
    for kind, parts in _meanings(catalogue).kinds.items():
        for start in range(len(told.forms)):
            for own in (parts, parts[-1:]):
                run = told.forms[start : start + len(own)]
                if own and len(run) == len(own) and all(map(lexicon.is_noun, run, own)):
                    yield Mention(
                        start, start + len(own), _said(told, start, start + len(own)), {}, kinds=frozenset({kind})
                    )
                    break


def _said(told: _Words, start: int, end: int) -> tuple[str, ...]:
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


def _has_in_common(mention: Mention, told: _Words) -> bool:
    """Whether what a noun names is said to be shared: the same actor, share a director, directors in common."""
    before, after = told.forms[max(0, mention.start - 2) : mention.start], told.forms[mention.end : mention.end + 2]
    families = lexicon.lexicon().families
    if after[:1] in (["together"], ["alongside"]):
        return True
    if before[-1:] == ["co"] or any(families[e.family].together for e in lexicon.entries_at(told.forms, mention.start)):
        return True
    return mention.noun and (bool(_IN_COMMON.intersection(before)) or after == ["in", "common"])


def _is_sortal(mention: Mention, told: _Words) -> bool:
    before, after = told.forms[max(0, mention.start - 1) : mention.start], told.forms[mention.end : mention.end + 1]
    return mention.noun and bool(_WHICH.intersection(before)) and not _PREPOSITIONS.intersection(after)


def _merged(mentions: Sequence[Mention], told: _Words) -> list[Mention]:
    """A noun and the verb beside it are one thing said: languages spoken, actors that act, released in which year."""
    found = list(mentions)
    for number, (noun, verb) in enumerate(itertools.pairwise(mentions)):
        between = told.forms[noun.end : verb.start]
        own = told.forms[noun.start - 1 : noun.start] == ["whose"] or noun.start == told.anchor + told.possessed
        apart = any(noun.end <= anchor <= verb.start for anchor in told.anchors)
        if verb.noun and not noun.noun and _WHICH.intersection(between) and all(form in FUNCTION for form in between):
            found[number + 1] = replace(verb, merged=frozenset(noun.relations) & frozenset(verb.relations))
        if noun.noun and not verb.noun and not own and not apart and all(form in _LINKS for form in between):
            same = frozenset(noun.relations) & frozenset(verb.relations)
            modified = bool(_RELATIVE.intersection(between)) or told.forms[verb.end - 1].endswith("ing")
            found[number] = replace(noun, merged=frozenset(noun.relations) if modified else same)
    return found


# -- on which side it asks -------------------------------------------------------------------------------------------


def _looks_verbal(told: _Words, start: int, end: int) -> bool:
    """Whether a word that may be a noun or a verb is a verb here."""
    form = told.forms[end - 1]
    before = told.forms[start - 1] if start else ""
    if before in ("the", "a", "an", "same", "co", "which", "what", "s", "of", "whose") and not form.endswith("ed"):
        return False
    after = told.forms[end] if end < len(told.forms) else ""
    if form.endswith(("ed", "ing")) or form in lexicon.irregular_forms():
        return True
    if before in ("who", "that", "to") or before in DO or start == told.anchor:
        return not (start == told.anchor and after in ("of",))
    if before.endswith("s") and len(before) > 3 and before not in FUNCTION and after not in BE | {"of", ""}:
        return True  # which actors play in
    return after in ("by",) or (end == told.anchor and before not in _PREPOSITIONS)


def _asks_one(told: _Words, start: int, end: int, entry: Entry) -> float:
    """Above 0 where what is asked for is the one end of what a word names, below where it is the other."""
    if entry.role == "verb":
        return _verb_asks_one(told, start, end, entry)
    asks_one = _noun_asks_one(told, start, end)
    return asks_one if entry.role == "one" else -asks_one


def _noun_asks_one(told: _Words, start: int, end: int) -> float:
    forms, anchor = told.forms, told.anchor
    before = forms[max(0, start - 3) : start]
    after = forms[end] if end < len(forms) else ""
    if "whose" in before[-2:]:
        return -0.8
    if end == anchor and not told.possessed:  # director X; with X as; by the actor X
        return -0.4
    if start >= anchor:
        if told.possessed and start <= anchor + 3:
            return 1.0
        if after == "of" and (end + 1 == len(forms) or any(form in BE for form in forms[anchor:start])):
            return -0.8  # what is X the capital of; X is the capital of what
        if before[-1:] == ["as"]:
            return 0.3
        return 0.5
    if after in _PREPOSITIONS or after == "that":
        return 1.0
    if after in BE and end + 1 == anchor and not _WHICH.intersection(before):  # the film with the director being X
        return -0.4
    return 0.6


def _verb_asks_one(told: _Words, start: int, end: int, entry: Entry) -> float:
    forms, anchor = told.forms, told.anchor
    after = forms[end] if end < len(forms) else ""
    passive = _is_passive(told, start, end)
    if start >= anchor:  # the anchor's side is the subject
        subject_is_one = {"": not passive, "<": passive, "-": False, "~": after == "in" or not after}[entry.mark]
        return -0.8 if subject_is_one else 0.8
    if after == "by":
        return {"": -1.0, "<": 1.0, "-": -0.5, "~": -1.0}[entry.mark]
    if entry.mark == "~":
        return 1.0 if after in ("in", "at", "on") else -0.6
    object_is_one = {"": passive, "<": not passive, "-": True}[entry.mark]
    return -0.9 if object_is_one else 0.9


def _is_passive(told: _Words, start: int, end: int) -> bool:
    forms = told.forms
    form = forms[end - 1] if end - start == 1 else forms[start]
    if not (
        form.endswith(("ed", "en", "wn", "ught", "old", "ade", "ung", "ound", "un", "ut", "ept")) or form in ("born",)
    ):
        return False
    if end < len(forms) and forms[end] == "by":
        return True
    return any(before in BE for before in forms[max(0, start - 3) : start]) or (
        start < told.anchor <= len(forms)
        and start > 0
        and any(before in BE for before in forms[max(0, start - 5) : start])
    )


def _nearness(mention: Mention, told: _Words, others: Sequence[Mention]) -> float:
    """How far from the anchor in mentions and words between; the smaller, the earlier its step."""
    anchor = told.anchor
    left = next((other.start for other in others if other.noun and other.end == anchor), anchor)  # the film X
    if mention.end <= anchor:
        between = told.forms[mention.end : left]
        return float(sum(form not in FUNCTION for form in between))
    between = told.forms[anchor : mention.start]
    attached = any(
        other.end <= left
        and all(form in FUNCTION for form in told.forms[other.end : left])
        and (not other.noun or any(form in _PREPOSITIONS for form in told.forms[other.end : left]))
        for other in others
    )
    late = 0.5 if attached and not told.possessed and between else 0.25 if attached and not told.possessed else -0.5
    return sum(form not in FUNCTION for form in between) + late


# -- what is asked for -----------------------------------------------------------------------------------------------


def _is_shared(told: _Words) -> bool:
    """Whether something is said to be shared, or two to do it together."""
    for place, form in enumerate(told.forms):
        if form in _SHARING and (form not in _SHARING_NEAR or form != "with" or place + 1 == told.anchor):
            return True
        if any(lexicon.lexicon().families[e.family].together for e in lexicon.entries_at(told.forms, place)):
            return True
    return False


def _focus(told: _Words, mentions: Sequence[Mention]) -> tuple[int | None, str]:
    """The mention that names the answer, if any, and the question word it answers to."""
    at = {mention.start: number for number, mention in enumerate(mentions)}
    forms = told.forms
    for place, form in enumerate(forms):
        if form in ("which", "what"):
            number = _noun_after(told, place, at, mentions)
            if number is not None:
                return number, mentions[number].asks
        elif form == "whose":
            continue
        elif form in _ASKS:
            if (
                form == "who"
                and place
                and (forms[place - 1] not in FUNCTION)
                and any(f in ("which", "what") for f in forms)
            ):
                continue  # a relative clause
            if form == "who" and place and any(f in _LIST for f in forms[:place]):
                continue
            number = _noun_after(told, place, at, mentions) if form == "who" and _is_be(forms, place + 1) else None
            return number, "who" if form in ("who", "whom") else form
    return _named_first(told, mentions)


def _named_first(told: _Words, mentions: Sequence[Mention]) -> tuple[int | None, str]:
    """What a question without a question word asks for: its first noun, or the object of its last verb."""
    nouns = [number for number, mention in enumerate(mentions) if mention.noun and not mention.beside]
    if not nouns or any(form in _WHICH for form in told.forms):
        return None, ""
    first, last = _head(nouns[0], mentions), nouns[-1]
    listed = any(form in _LIST for form in told.forms[:3])
    acted = [mention for mention in mentions if not mention.noun and told.anchor <= mention.start]
    if not listed and acted and mentions[last].start >= acted[-1].end:
        return last, mentions[last].asks
    if listed or mentions[first].end <= told.anchor or not mentions[0].noun:
        return first, mentions[first].asks
    return None, ""


def _is_be(forms: Sequence[str], place: int) -> bool:
    return place < len(forms) and forms[place] in BE


def _noun_after(told: _Words, place: int, at: Mapping[int, int], mentions: Sequence[Mention]) -> int | None:
    """The noun that a question word asks for: right behind it, or behind `is the`."""
    forms = told.forms
    passed_be = False
    for following in range(place + 1, min(len(forms), place + 6)):
        if following == told.anchor and passed_be:
            return None  # what is X the capital of
        if following in at and mentions[at[following]].noun:
            return _head(at[following], mentions)
        form = forms[following]
        passed_be = passed_be or form in BE
        if form in DO or following in at or form in ("that", "who"):
            return None
        if following == told.anchor:
            return None
    return None


def _head(number: int, mentions: Sequence[Mention]) -> int:
    """The last of nouns that stand side by side: film genre."""
    while (
        number + 1 < len(mentions) and mentions[number + 1].noun and mentions[number + 1].start == mentions[number].end
    ):
        number += 1
    return number
