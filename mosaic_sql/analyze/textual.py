"""Texts of properties in a question: oral drugs, thrillers that A directed, papers published in Nature, still active.

Such a text names no node; it tells what a property of the answers holds. Where it is the noun for the answers the
question is read as if the noun for their kind stood there, else as if it said nothing of it; the answers are held to
those whose property holds the text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from mosaic_sql import text as words
from mosaic_sql.analyze import asking, fitting, holding, lexicon, properties, schema, sorts
from mosaic_sql.analyze.clauses import DETERMINERS, PREPOSITIONS, RELATIVES
from mosaic_sql.analyze.drafting import OF_VERBS, WHEN, Draft, Text, blank, is_noun_for, kinds_in, names_kind
from mosaic_sql.analyze.holding import Phrase, Texts
from mosaic_sql.analyze.sentence import BE, FUNCTION
from mosaic_sql.records import Catalogue, Property, Target

_NOT = frozenset(("not", "non", "never", "neither"))
_STILL = frozenset("still now currently already".split())
_JOINING = frozenset(("and", "or", "nor"))
_OPENING = frozenset("with whose of a an the".split())
_OUTSIDE = frozenset(("outside", "except", "excluding"))
_PLACING_WORDS = (PREPOSITIONS | {"as"} | _OUTSIDE) - {"of"}
_BOTH = frozenset(("both", "either"))
_PLACING = frozenset(
    words.stem(form)
    for form in "located based made set published appeared classified listed labelled marked rated given taken used "
    "found known described written produced".split()
)
"""Verbs that join a thing to what its property holds, whatever that is called."""


def find(question: str, anchors: Sequence[Target], catalogue: Catalogue) -> Texts | None:
    """The texts that a question says outside of the names of its anchors; None where there are none."""
    if not catalogue.texts:
        return None
    reader = _Reader(question, anchors, catalogue)
    for run in reader.runs:
        reader.read(*run)
    if not (reader.held or reader.phrases):
        return None
    return Texts(tuple(reader.held), reader.changed(), tuple(reader.shifts), tuple(reader.phrases))


def hold(draft: Draft) -> None:
    """Only answers whose properties hold the texts of the question."""
    for one in draft.texts:
        found = holding.property_of(one, draft.known)
        if found is None:
            continue
        name, text = found
        draft.hold(name, "!=" if one.negative else "=", value=text, **({"either": True} if one.either else {}))
        draft.negated = draft.negated or one.negative
        draft.reasons.append(f"{name} is {'not ' if one.negative else ''}{text}, from: {one.said}")


def of_anchor(draft: Draft, anchor: Target) -> bool:
    """Whether what a question asks of one node is what a property of it holds: is A an oral drug."""
    own = properties.of_nodes(anchor.kinds, draft.catalogue)
    told = [holding.property_of(one, own) for one in draft.texts]
    kinds = {stem for kind in anchor.kinds for stem in (*properties.stems(kind), *words.like_kind(kind))}
    forms = [token.form for token in words.tokens(draft.asked.rest)]
    left = [form for form in forms if form not in FUNCTION | _STILL and words.stem(form) not in kinds]
    if not told or None in told or left or not draft.asked.is_plain:
        return False
    draft.known = own
    hold(draft)
    name = next(name for name, _ in filter(None, told))
    draft.refine.update(answers_from="anchors", attribute=name, attribute_owner="node")
    return True


@dataclass
class _Reader:
    """Reads the runs of words that some property holds, from left to right."""

    question: str
    anchors: Sequence[Target]
    catalogue: Catalogue
    held: list[Text] = field(default_factory=list)
    shifts: list[tuple[int, int]] = field(default_factory=list)
    cuts: list[tuple[int, int, str]] = field(default_factory=list)
    """(first character, end character, what stands there now)"""
    phrases: list[Phrase] = field(default_factory=list)
    on_the_way: int = 0
    """How many of the phrases, the first ones, stand behind what is asked for."""

    def __post_init__(self) -> None:
        self.tokens = words.tokens(self.question)
        self.forms = [token.form for token in self.tokens]
        spans = [(one.char_start, one.char_end) for one in self.anchors]
        bounds = asking.read(blank(self.question, self.anchors)).bounds
        self.is_timed = bool(WHEN.search(self.question)) or any(one.kind == "date" for one in bounds)
        self.taken = {n for n, t in enumerate(self.tokens) if any(start <= t.start < end for start, end in spans)}
        self.runs = holding.runs(self.tokens, self.catalogue)
        self.runs = [run for run in self.runs if self._may_be(*run)]
        self.last_end = self.phrase_end = -1

    def changed(self) -> str:
        """The question with its texts taken out."""
        text = self.question
        for start, end, instead in reversed(self.cuts):
            text = text[:start] + instead + text[end:]
        return text

    def read(self, start: int, end: int, key: str) -> None:
        """Take a run, with the words that belong to it, where it stands as what a property holds."""
        joined = self._joined(start)
        first, last, near = self._reach(start, end, holding.holders(key, self.catalogue))
        first = max(first, self.last_end)
        holders = self._narrowed(key, first, start, end)
        negative = any(form in _NOT | _OUTSIDE for form in self.forms[first:start])
        if joined and self.held:
            first = min(first, self.last_end)
            self._cut(first, last, "")
        elif not self._take(start, end, key, (first, last), holders):
            return
        said = self.question[self.tokens[start].start : self.tokens[end - 1].end]
        either = (
            joined and bool(self.held) and not self.held[-1].negative and holding.share(self.held[-1].holders, holders)
        )
        negative = negative or (joined and bool(self.held) and self.held[-1].negative)
        self.held.append(Text(said, holders, near, negative, either))
        self.last_end = last

    def _take(
        self, start: int, end: int, key: str, read: tuple[int, int], holders: Sequence[tuple[Property, str]]
    ) -> bool:
        """Take a run with the words `read` with it out of the question; False where it is no text of the answers."""
        first, last = read
        if read != (start, end):
            self._behind_phrase(first, last)
            self._behind_kind(first, last)
            self._cut(first, last, "")
        elif self._is_before_kind(end):
            self._phrase(start, end + 1)
            self._cut(first, last, "")
        elif self._is_of_whose(start):
            if noun := self._noun(self.catalogue.texts.get(key, holders)):
                self._phrase(start, end, f" {noun}s")
            return False
        elif holding.is_done(self.forms, start, end, holders) and not self.taken.intersection(range(start)):
            self._cut(self._over(start, DETERMINERS), last, "")
        elif self._is_before_relation(end, holders) or self._is_said_of_them(start, end):
            self._cut(first, last, "")
        elif self._asks(start, end):
            return False
        elif (noun := self._noun(holders)) and self._is_asked_for(start, end):
            plural = self.forms[end - 1] != key.rsplit(" ", 1)[-1]
            self._cut(first, last, noun + ("s" if plural else ""))
        else:
            if noun and end - start <= len(self.forms) - 1:
                self._phrase(start, end, f" {noun}s" if lexicon.demonyms(key) else "")
            return False
        return True

    def _phrase(self, start: int, end: int, noun: str = "") -> None:
        """A noun with a text, which may stand for things on the way to the answers; `noun` where the text has none."""
        if end > len(self.forms) or self.taken.intersection(range(start, end)):
            return
        opened = self._over(start, DETERMINERS)
        first, last = self.tokens[start].start, self.tokens[end - 1].end
        counted = opened > 0 and self.forms[opened - 1] in ("most", "fewest", "least")
        phrase = Phrase(self.tokens[opened].start, last, f"Which {self.question[first:last]}{noun}?", counted)
        is_asked = all(map(sorts.may_precede, self.forms[:opened]))  # what is asked for stands for others last
        self.phrases.insert(len(self.phrases) if is_asked else self.on_the_way, phrase)
        self.on_the_way += not is_asked
        self.phrase_end = end

    def _behind_phrase(self, first: int, last: int) -> None:
        """Take a text right behind a noun with another into its phrase: thrillers from France."""
        if self.phrases and first == self.phrase_end:
            phrase, end = max(self.phrases), self.tokens[last - 1].end
            more = f"{phrase.asked[:-1]}{self.question[phrase.char_end : end]}?"
            self.phrases[self.phrases.index(phrase)] = phrase._replace(char_end=end, asked=more)
            self.phrase_end = last

    def _narrowed(self, key: str, first: int, start: int, end: int) -> tuple[tuple[Property, str], ...]:
        """The properties that may hold a text: of the kind of the noun beside it, else as it is written."""
        found = holding.holders(key, self.catalogue)
        noun = self._form(self._chain(end)) if self._is_of_kind(end) else self._form(first - 1) if first < start else ""
        kinds = set(kinds_in(noun, self.catalogue)) if noun else set()
        beside = tuple((one, text) for one, text in found if one.owner == "edge" or one.label in kinds)
        if any(one.owner == "node" for one, _ in beside):
            return beside
        placed = self._form(self._over(start, DETERMINERS) - 1) in _PLACING_WORDS
        return self.catalogue.texts.get(key, found) if placed else found

    def _behind_kind(self, first: int, last: int) -> None:
        """A noun for a kind on the way, and the text behind it: in a place in Japan, by musicians from France."""
        noun = self._over(first - 1, DETERMINERS)
        before = self.forms[:noun]
        if self.phrase_end == last or not self._is_kind(self._form(first - 1)) or all(map(sorts.may_precede, before)):
            return
        start, end = self.tokens[first - 1].start, self.tokens[last - 1].end
        phrase = Phrase(self.tokens[noun].start, end, f"Which {self.question[start:end]}?", False)
        self.phrases.insert(self.on_the_way, phrase)
        self.on_the_way += 1
        self.phrase_end = last

    def _is_of_whose(self, start: int) -> bool:
        """Whether a text is said of those that a thing has: whose founder is Swiss, as in whose founder is A."""
        before = self._over(start, DETERMINERS)
        return self._form(before - 1) in BE and "whose" in self.forms[max(0, before - 4) : before]

    def _may_be(self, start: int, end: int, key: str) -> bool:
        """Whether a run may be said as a text: no name, no number, no word that asks for something."""
        if self.taken.intersection(range(start, end)) or key.replace(" ", "").isdigit():
            return False
        run = self.tokens[start:end]
        is_shared = key == "common" and len(self.anchors) > 1
        if not is_shared and self._is_before_relation(end, holding.holders(key, self.catalogue)):
            return True
        if not any(fitting.is_telling(token.form) for token in run):
            return False
        if end - start > 1 or (run[0].strong and start > 0):
            return True
        own = any(
            words.stem(run[0].form) in properties.stems(one.name) for one, _ in holding.holders(key, self.catalogue)
        )
        return not (own or self._asks_date(start, key) or schema.is_schema_word(run[0].form, self.catalogue))

    def _asks_date(self, place: int, key: str) -> bool:
        """Whether a word is of a date that what holds the text has too, and a time is asked for: approved after 2010.

        Before a noun for a kind it is said of that: approved drugs.
        """
        if not self.is_timed or self._is_kind(self._form(place + 1) if place + 1 < len(self.forms) else ""):
            return False
        labels = {one.label for one, _ in holding.holders(key, self.catalogue)}
        dates = [one for one in self.catalogue.properties if one.type == "date" and one.label in labels]
        return any(words.stem(self.forms[place]) in properties.stems(one.name) for one in dates)

    def _asks(self, start: int, end: int) -> bool:
        """Whether a lone word in small letters asks for a relation that the graph has."""
        if end - start > 1 or self.tokens[start].strong:
            return False
        relations = [relation for _, relation in self.catalogue.relations]
        return lexicon.speaks_of([self.forms[start]], relations, roles=("one", "verb"))

    def _reach(self, start: int, end: int, holders: Sequence[tuple[Property, str]]) -> tuple[int, int, frozenset[str]]:
        """The words read with a run: its property's name, small words before it, a verb that joins it."""
        own = [properties.stems(one.name) for one, _ in holders]
        behind = next((stems for stems in own if self._stems(end, end + len(stems)) == stems), [])
        last = end + len(behind)
        first = self._over(self._over(start, DETERMINERS), _NOT | _STILL)
        before = self._over(first, BE | {"of"})
        named = next((stems for stems in own if self._stems(before - len(stems), before) == stems), [])
        near = frozenset((*behind, *named))
        if named:  # whose status is active
            return self._over(before - len(named), _OPENING), last, near
        if (
            self._form(first - 1) in BE
            and self._form(first - 2) in RELATIVES
            and not holding.is_role(self.forms, start, last)
        ):
            return first - 2, last, near  # that are oral
        joined = self._joining(first, end, holders)
        if joined is not None:
            verb = words.stem(self._form(first - 2)) if joined < first - 1 else ""
            return joined, last, near | ({verb} if verb else set())
        if behind and self._form(first - 1) in _PLACING_WORDS:  # in the shipping industry
            return first - 1, last, near
        if behind or (first < start and self.forms[first] in _NOT):
            return first, last, near
        return start, end, near

    def _joining(self, first: int, end: int, holders: Sequence[tuple[Property, str]]) -> int | None:
        """Where the small word, and the verb before it, begin that join a text to things; None where none do."""
        if self._form(first - 1) == "of":  # albums of techno
            labels = {one.label for one, _ in holders if one.owner == "node"}
            return first - 1 if labels & set(kinds_in(self._form(first - 2), self.catalogue)) else None
        if self._form(first - 1) not in _PLACING_WORDS or self._is_of_kind(end):
            return None
        if self.forms[first - 1] == "as" and any(one.owner == "edge" for one, _ in holders):
            return first - 1
        if self._joins(self._form(first - 2), holders):
            return self._over(first - 2, _NOT | BE | RELATIVES)
        before = self._over(first - 1, _NOT | _STILL)
        if self._form(before - 1) in BE and self._form(before - 2) in RELATIVES:  # that are not in Norway
            return before - 2
        return before if self._is_of_answers(before, end) else None

    def _form(self, place: int) -> str:
        return self.forms[place] if place >= 0 else ""

    def _over(self, place: int, forms: Collection[str]) -> int:
        while place > 0 and self.forms[place - 1] in forms and place - 1 not in self.taken:
            place -= 1
        return place

    def _stems(self, start: int, end: int) -> list[str]:
        return [words.stem(form) for form in self.forms[start:end]] if start >= 0 else []

    def _joins(self, verb: str, holders: Sequence[tuple[Property, str]]) -> bool:
        """Whether a verb joins a thing to what one of some properties holds."""
        if not verb or self._is_kind(verb):
            return False
        stem = words.stem(verb)
        families = {one.family for one in lexicon.entries_at([verb], 0)}
        return stem in _PLACING or any(
            holding.names(one.name, [stem]) or families & set(lexicon.label(one.name).families) for one, _ in holders
        )

    def _is_of_answers(self, place: int, end: int) -> bool:
        """Whether a small word joins a text to things of a kind: cities in France, which are from France, is A from."""
        if place == 0:
            return False
        if place - 1 in self.taken:
            return end == len(self.forms) and self.forms[0] in BE
        before = self.forms[place - 1]
        last = self._chain(end)
        return self._is_kind(before) or (before in BE and (last == len(self.forms) or self._form(last) in _JOINING))

    def _is_kind(self, form: str) -> bool:
        return names_kind(form, self.catalogue)

    def _is_of_kind(self, end: int) -> bool:
        """Whether the noun for a kind follows, over further texts: by French musicians."""
        last = self._chain(end)
        return last < len(self.forms) and last not in self.taken and self._is_kind(self.forms[last])

    def _is_before_kind(self, end: int) -> bool:
        """Whether a noun for a kind follows, over further texts: French crime films."""
        last = self._chain(end)
        if last > end and (last == len(self.forms) or self.forms[last] in FUNCTION) and end == self._next(end):
            return True  # the last of them is the noun
        return self._is_of_kind(end)

    def _is_before_relation(self, end: int, holders: Sequence[tuple[Property, str]]) -> bool:
        """Whether a noun for the relation follows whose edges hold the text, or for its end: a severe interaction."""
        relations = {one.label for one, _ in holders if one.owner == "edge"}
        said = self.forms[self._chain(end) :][:2]
        is_noun = bool(said) and (said[0].rstrip("s").endswith(OF_VERBS) or not self._goes_on(said[0]))
        return is_noun and is_noun_for(relations, said, self.catalogue)

    def _chain(self, end: int) -> int:
        """Where the runs end that follow a run, joined by a word or by none: oral and topical."""
        following = next((run[1] for run in self.runs if run[0] == self._next(end)), None)
        return end if following is None else self._chain(following)

    def _next(self, end: int) -> int:
        """The place behind the words that may join two runs."""
        while end < len(self.forms) and self.forms[end] in _JOINING | DETERMINERS:
            end += 1
        return end

    def _is_said_of_them(self, start: int, end: int) -> bool:
        """Whether a run ends the question behind a form of to be: which drugs are oral, is A a thriller."""
        before = self._over(start, frozenset(("a", "an")) | _STILL | _BOTH)
        verdict = self.forms[0] in BE and before - 1 in self.taken
        ends = self._chain(end) == len(self.forms) and not (self._form(start - 1) == "s" and start - 2 in self.taken)
        return ends and before > 0 and (self.forms[before - 1] in BE or verdict)

    def _is_asked_for(self, start: int, end: int) -> bool:
        """Whether a run is the noun for what is asked for: which thrillers, all comedies of A."""
        before = [form for place, form in enumerate(self.forms[:start]) if not self._is_cut(place)]
        follows = end == len(self.forms) or end in self.taken or self._goes_on(self.forms[end])
        if holding.is_role(self.forms, start, end):
            return True
        if before[-1:] == ["s"] and start - 2 in self.taken:
            return True
        return follows and all(form in DETERMINERS or sorts.may_precede(form) for form in before)

    def _goes_on(self, form: str) -> bool:
        """Whether a word begins what is said of a noun, rather than being one itself."""
        verbal = form.endswith(("ed", "ing")) or any(one.role == "verb" for one in lexicon.entries_at([form], 0))
        return verbal or form in FUNCTION | PREPOSITIONS | RELATIVES or not fitting.is_telling(form)

    def _is_cut(self, place: int) -> bool:
        return any(start <= self.tokens[place].start < end for start, end, _ in self.cuts)

    def _joined(self, start: int) -> bool:
        """Whether only joining words stand between a run and the last one."""
        if self.last_end < 0:
            return False
        between = self.forms[self.last_end : start]
        return bool(between) and all(form in _JOINING | DETERMINERS for form in between)

    def _noun(self, holders: Sequence[tuple[Property, str]]) -> str:
        """The noun for the kind of what holds a text, or has an edge that does; empty for several, or inferred."""
        kinds = {one.label for one, _ in holders if one.owner == "node"}
        relations = {one.label for one, _ in holders if one.owner == "edge"} if not kinds else set[str]()
        kinds |= {start for start, relation, _, _ in self.catalogue.schema_paths if relation in relations}
        if len(kinds) != 1 or not kinds <= schema.given_kinds(self.catalogue):
            return ""
        return kinds.pop().replace("_", " ")

    def _cut(self, first: int, last: int, instead: str) -> None:
        """Put something in the place of words from `first` to before `last`; blanks for nothing."""
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        if instead:
            self.shifts.append((start, len(instead) - (end - start)))
        self.cuts.append((start, end, instead or " " * (end - start)))
