"""From the words of a question to a path pattern: the schema's own paths, scored by the words they answer to.

The schema graph says which kinds each relation joins; a candidate is a path of at most `MAX_HOPS` relations from the
kind of the anchor (to the kind of a second one). A beam search over steps gives each step a mention of the question
that speaks for it; what a path is worth is the sum of what its steps, its order, its end and its left-over words are
worth (`WORTH`). Nothing here knows a data set: names of relations and kinds, and word families, are the words.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mosaic_sql.analyze import kind_tests, meeting, moved, ranking, wording
from mosaic_sql.analyze.ends import Ends
from mosaic_sql.analyze.mentions import NOTHING, STRONG, Likeness, Mention
from mosaic_sql.analyze.ranking import Shape, State
from mosaic_sql.analyze.schema import (
    SchemaGraph,
    Step,
    is_called_by_target,
    is_half_said,
    is_into,
    is_within,
    roles_of,
    schema_graph,
    types_of_relations,
)
from mosaic_sql.analyze.wording import Wording
from mosaic_sql.analyze.worth import WORTH
from mosaic_sql.records import Catalogue

__all__ = ["MAX_HOPS", "Shape", "find", "ranked"]

MAX_HOPS = 5
BEAM = 64
"""Partial paths kept after each step."""
SILENT = 40
"""Steps of a kind, its most usual ones, that may be taken though no word speaks for them."""
HOPE = 1.5
"""What the rest of a path may still bring to one that stands low."""
NEVER = -math.inf
LEAST, CALLED = 0.25, 0.95
"""Worth from which a path is a pattern of the question, and strength of the very name of a relation."""
MEETS = 1.1
"""What a path over something that two anchors share is worth above any other, where they are said to share it."""


def find(
    question: str,
    names: Sequence[tuple[int, int]],
    kinds: Sequence[Iterable[str]],
    catalogue: Catalogue,
    *,
    first_steps: Collection[tuple[str, bool]] = (),
) -> Shape | None:
    """The best pattern for a question with one or two anchors; see `ranked`."""
    return next(iter(ranked(question, names, kinds, catalogue, first_steps=first_steps)), None)


def ranked(
    question: str,
    names: Sequence[tuple[int, int]],
    kinds: Sequence[Iterable[str]],
    catalogue: Catalogue,
    *,
    first_steps: Collection[tuple[str, bool]] = (),
    likeness: Likeness | None = None,
) -> list[Shape]:
    """Patterns for a question with one or two anchors, best first.

    Args:
        question: the question.
        names: character spans of the anchors' names; their words speak for no relation.
        kinds: the kinds of the first and, if given, the second anchor.
        catalogue: the schema.
        first_steps: (relation, forward) that the first anchor itself has; empty for any.
        likeness: phrases of the question and how near relations are to them, for want of words that say one.
    """
    schema = schema_graph(catalogue)
    read = wording.read(question, names, catalogue, likeness)
    search = _Search(
        schema=schema,
        read=read,
        ends=frozenset(kinds[1]) if len(kinds) > 1 else frozenset(),
        first_steps=frozenset(first_steps),
        start=frozenset(kinds[0]),
        types=types_of_relations(catalogue),
    )
    found = search.run(sorted(set(kinds[0])))
    met = meeting.find(read, schema, kinds, first_steps) if len(kinds) > 1 else None
    if met is None:
        return found
    best = found[0].score + MEETS if found else MEETS
    shape = search.shape(met.pattern, max(best, met.score), met.said)
    return [shape, *(each for each in found if each.pattern != met.pattern)]


@dataclass
class _Search:
    """Breadth first over the schema's paths, the best BEAM of each length."""

    schema: SchemaGraph
    read: Wording
    ends: frozenset[str]
    first_steps: frozenset[tuple[str, bool]]
    start: frozenset[str]
    types: Mapping[str, str]

    def run(self, kinds: Sequence[str]) -> list[Shape]:
        """Every path that says enough, best first; each pattern once."""
        self._roles = {kind: self.schema.roles.get(kind, frozenset()) for kind in self.schema.steps}
        self._called = frozenset(role for kind in self.start for role in self._roles.get(kind, ()))
        self._strong = any(mention.is_strong for mention in self.read.mentions)
        self._end = Ends(self.read, self.schema, self.types)
        found: dict[str, Shape] = {}
        moving: list[tuple[Shape, tuple[str, ...]]] = []
        states = [State((), kind, 0, (), 0.0, 0) for kind in kinds]
        for _ in range(MAX_HOPS):
            longer: dict[tuple[tuple[Step, ...], int], State] = {}
            for state in states:
                if self._has_ended(state):
                    continue  # what names the answer speaks for the last step
                for following in self._following(state):
                    if following.worth < LEAST - HOPE:
                        continue
                    key = (following.path, following.used)
                    if key not in longer or longer[key].worth < following.worth:
                        longer[key] = following
            states = sorted(longer.values(), key=lambda s: (-s.worth, s.path))[:BEAM]
            for state in states:
                shape = self._finished(state)
                if shape is None or self._is_against(state) or not ranking.is_better(shape, found.get(shape.pattern)):
                    continue
                away = self._moved(state)
                if away:
                    moving.append((shape, away))
                else:
                    found[shape.pattern] = shape
        return ranking.unmoved(sorted(found.values(), key=ranking.rank), moving)

    def _is_against(self, state: State) -> bool:
        """Whether what the anchor does is walked as if it were done to it; see `moved`."""
        walk = kind_tests.Walk(state.path, state.by, self.start)
        return not self.ends and moved.is_against(walk, self.read, self.schema)

    def _moved(self, state: State) -> tuple[str, ...]:
        """The words that a path moves to another node than they are said of; see `moved`."""
        walk = kind_tests.Walk(state.path, state.by, self.start)
        return () if self.ends else moved.words(walk, self.read, self.schema)

    # -- one step more -----------------------------------------------------------------------------------------------

    def _following(self, state: State) -> Iterable[State]:
        by_relation = self.schema.by_relation.get(state.kind, {})
        free = [m for number, m in enumerate(self.read.mentions) if not state.used & 1 << number]
        near = {relation for mention in free for relation in mention.relations}
        near |= {state.path[-1].relation, state.path[-1].inverse} if state.path else set()
        near |= self._meeting(state)
        steps = [each for relation in near for each in by_relation.get(relation, ())]
        steps += [
            each for each in self.schema.turning.get(state.kind, ()) if each[0].inverse in near and each not in steps
        ]
        if not state.silent:
            called = {kind for mention in free for kind in mention.kinds}
            usual = self.schema.given.get(state.kind, ())
            steps += [
                each
                for place, each in enumerate(usual)
                if not near & {each[0].relation, each[0].inverse} and (place < SILENT or each[0].kind in called)
            ]
        if not state.path:  # who was born in a country: in a place of it
            steps += [each for each in self.schema.steps.get(state.kind, ()) if is_into(each[0]) and each not in steps]
        for step, rarity in steps:
            if not state.path and not self._may_begin(step):
                continue
            yield from self._spoken(state, step, rarity)

    def _may_begin(self, step: Step) -> bool:
        """Whether the anchor has a step, along a relation or along its inverse."""
        ways = {(step.relation, step.forward), (step.inverse, not step.forward)}
        return not self.first_steps or not ways.isdisjoint(self.first_steps)

    def _spoken(self, state: State, step: Step, rarity: float) -> Iterable[State]:
        """The step with each mention that may speak for it, or with none."""
        back = bool(state.path) and step.undoes(state.path[-1])
        base = state.worth + WORTH.step - rarity
        for number, mention in enumerate(self.read.mentions):
            if state.used & 1 << number or mention.of(step) is None:
                continue
            if self._may_speak(state, number, step):
                worth = base + self._said_by(state, number, step)
                if back and (self._went_silently(state) or self._is_unshared(state, step, number)):
                    worth += WORTH.again
                yield self._longer(state, step, number, worth)
        if back and state.by[-1] >= 0:
            own = self.read.mentions[state.by[-1]].shared
            shared = WORTH.back if own else WORTH.together if self.read.shared else self._returns(state, step)
            if len(state.path) < 2 or not state.path[-1].undoes(state.path[-2]):
                yield self._longer(state, step, -1, base + shared)
        yield from self._otherwise(state, step, base)
        further = bool(state.path) and step[:2] == state.path[-1][:2] and is_within(step)  # a city of a site of a host
        if (
            not back
            and (further or not state.silent)
            and (step.kind not in self.schema.vague or (not state.path and is_into(step)))
        ):
            for number, mention in enumerate(self.read.mentions):
                new = bool(step.kind) and state.kind not in mention.kinds  # else it is called so where the path stands
                if new and not state.used & 1 << number and step.kind in mention.kinds and not self._is_anchor(mention):
                    yield self._longer(state, step, number, base + WORTH.silent + 0.9, silent=0)
            yield self._longer(state, step, -1, base + WORTH.silent, silent=1)

    def _otherwise(self, state: State, step: Step, base: float) -> Iterable[State]:
        """The step to one who had to do otherwise with what two have in common."""
        last = state.path[-1] if state.path else step
        if step.relation in self._meeting(state) and step.relation != last.relation and step.forward != last.forward:
            yield self._longer(state, step, -1, base + WORTH.otherwise)

    def _meeting(self, state: State) -> frozenset[str]:
        """The relations by which another may have to do with a thing: directed the film that the first acted in."""
        if not state.path or state.by[-1] < 0:
            return frozenset()
        mention = self.read.mentions[state.by[-1]]
        return frozenset(mention.relations) if mention.shared and not mention.noun else frozenset()

    def _said_by(self, state: State, number: int, step: Step) -> float:
        """What a step is worth that a mention speaks for: its strength, its direction, and the order of the words."""
        mention = self.read.mentions[number]
        evidence = mention.of(step) or NOTHING
        asked = 0.0 if mention.shared else evidence.forward if step.forward else -evidence.forward
        worth = evidence.strength + (WORTH.agrees if asked > 0 else WORTH.differs) * abs(asked)
        before = [self.read.mentions[n].near for n in state.by[-2:] if n >= 0]
        return worth + (WORTH.order if before and before[-1] > mention.near else 0.0)

    def _has_ended(self, state: State) -> bool:
        """Whether the word for the answer has spoken; a shared one has the way back before it."""
        focus = self.read.focus
        if self.ends or focus is None or not state.used & 1 << focus:
            return False
        return not self.read.mentions[focus].shared or state.by[-1] != focus

    def _returns(self, state: State, step: Step, by: int = -1) -> float:
        """What returning is worth where nothing is said to be shared."""
        free = [n for n, m in enumerate(self.read.mentions) if not state.used & 1 << n and m.weight >= STRONG]
        for number, mention in enumerate(self.read.mentions):
            if number == self.read.focus and set(free) - {number, by}:
                continue  # more is to come before the answer
            if (
                number != by
                and mention.noun
                and not mention.beside
                and (not mention.sortal or number == self.read.focus)
                and not state.used & 1 << number
                and self._fits(mention, step)
            ):
                return WORTH.named_back if self._is_between(state, number) else NEVER
        return WORTH.unshared

    def _is_between(self, state: State, back: int) -> bool:
        """Whether a noun names what a path stands at, from which it returns to what another, `back`, names."""
        spoke = self.read.mentions[state.by[-1]] if state.by[-1] >= 0 else None
        if spoke is None or spoke.noun or len(spoke.said) > 1:  # star the actors of
            return True
        nouns = [m for number, m in enumerate(self.read.mentions) if m.noun and number != back]
        return any(self._fits(mention, state.path[-1]) for mention in nouns)

    def _went_silently(self, state: State) -> bool:
        """Whether no word speaks for the last step, and it is no return."""
        return state.by[-1] < 0 and not (len(state.path) > 1 and state.path[-1].undoes(state.path[-2]))

    def _is_unshared(self, state: State, step: Step, by: int) -> bool:
        """Whether nothing is said to be shared, and no noun names what a step returns to."""
        return not self.read.shared and self._returns(state, step, by) < WORTH.named_back

    def _may_speak(self, state: State, number: int, step: Step) -> bool:
        """Whether a word may speak for a step, rather than only for a node: weak ones where no other word can."""
        mention = self.read.mentions[number]
        if self._is_anchor(mention) or (mention.beside and mention.weight < STRONG):
            return False
        if mention.beside and mention.roles & self._called and not self.start & self.schema.inferred:
            return False  # the researcher X
        reached = [each for each in state.path if self._fits(mention, each)] if mention.sortal else []
        if reached and not (mention.shared or self._names_more(mention, step, reached)):
            return False  # it says what was reached already
        turned = step.inverse if step.relation not in mention.relations else step.relation
        half = not mention.noun and is_half_said(step, state.kind, mention.relations, state.path)
        if half or {step.relation, turned} & mention.merged:
            return False
        if step.relation in self.schema.looped and not mention.noun and not mention.shared:
            along = (mention.of(step) or NOTHING).forward
            if abs(along) >= moved.SAID_SURELY and (along > 0) != step.forward:
                return False  # who teaches X is not whom X teaches
        if number == self.read.focus and not mention.shared and not self._fits(mention, step):
            return False
        return (mention.of(step) or NOTHING).strength >= STRONG or not self._strong

    def _names_more(self, mention: Mention, step: Step, reached: Sequence[Step]) -> bool:
        """Whether a noun is the name of the relation, and not of those that led where no kind was given: country."""
        own, *others = [(mention.of(each) or NOTHING).strength >= CALLED for each in (step, *reached)]
        return own and not any(others) and all(each.kind in self.schema.inferred for each in reached)

    def _is_anchor(self, mention: Mention) -> bool:
        """Whether a word only tells the kind of the anchor it stands beside: the film X, the X paper."""
        return (mention.beside or mention.behind) and bool(mention.kinds & self.start)

    def _longer(self, state: State, step: Step, number: int, worth: float, silent: int = 0) -> State:
        used = state.used | (1 << number if number >= 0 else 0)
        return State((*state.path, step), step.kind, used, (*state.by, number), worth, state.silent + silent)

    # -- a whole path ------------------------------------------------------------------------------------------------

    def _finished(self, state: State) -> Shape | None:
        if (self.ends and state.path[-1].kind not in self.ends) or not any(number >= 0 for number in state.by):
            return None
        if not self.ends and (self._end.is_other(state.path[-1]) or self._is_of_other_kind(state)):
            return None
        score, spoken = state.worth, [word for n in state.by if n >= 0 for word in self.read.mentions[n].said]
        for number, mention in enumerate(self.read.mentions):
            if state.used & 1 << number:
                continue
            if self._is_called(mention, state.path):
                told = number != self.read.focus or mention.kinds or self._tells(state.path[-1], mention)
                score += WORTH.called if told else 0.0  # who may be a director need not be meant as one
                spoken += mention.said
            elif not mention.asks and not self._is_said_again(mention, state):
                score += WORTH.left * mention.weight
        fits = self.read.focus is not None and self._fits(self.read.mentions[self.read.focus], state.path[-1])
        score += 0.0 if self.ends else self._end.worth(state.path[-1], fits=fits)
        score += WORTH.single * sum(self._stays(state, place) for place in range(len(state.path)))
        if score < LEAST:
            return None
        walk = kind_tests.Walk(state.path, state.by, self.start, bool(self.ends))
        path = kind_tests.written(walk, self.read, self.schema)
        backward = sum(not step.forward for step in state.path)
        return replace(self.shape(path, score, spoken), length=len(state.path), backward=backward)

    def _is_of_other_kind(self, state: State) -> bool:
        """Whether a path ends in nodes of a kind that was given, and not of the one that is asked for."""
        focus, last = self.read.focus, state.path[-1]
        if focus is None or not last.kind or last.kind in self.schema.inferred or state.by[-1] == focus:
            return False
        mention = self.read.mentions[focus]
        given = mention.kinds - self.schema.inferred
        return bool(given) and last.kind not in given and not mention.roles & self._roles.get(last.kind, frozenset())

    def shape(self, path: str, score: float, spoken: Sequence[str]) -> Shape:
        """A pattern with what speaks for it."""
        telling = self.read.telling
        return Shape(
            pattern=path,
            score=round(score, 6),
            words=tuple(dict.fromkeys(spoken)),
            coverage=sum(word in spoken for word in telling) / max(1, len(telling)),
            length=path.count(" / ") + 1,
            backward=path.count("^"),
        )

    def _stays(self, state: State, place: int) -> bool:
        """Whether a step leads to what is shared, and no step leads back from there."""
        if state.by[place] < 0 or not self.read.mentions[state.by[place]].shared:
            return False
        if state.path[place + 1 :] and state.path[place + 1].relation in self.read.mentions[state.by[place]].relations:
            return False
        step, beside = state.path[place], (*state.path[max(0, place - 1) : place], *state.path[place + 1 : place + 2])
        return not any(other.undoes(step) for other in beside)

    def _is_called(self, mention: Mention, path: Sequence[Step]) -> bool:
        """Whether a word names a node of the path; one right before the anchor names that."""
        return mention.beside or self._is_anchor(mention) or any(self._fits(mention, step) for step in path)

    def _tells(self, last: Step, mention: Mention) -> bool:
        """Whether a step itself makes what it leads to what a noun names, or no word could."""
        inferred = last.kind in self.schema.inferred or not mention.is_strong
        return inferred or bool(mention.roles & frozenset(roles_of(last.relation, last.forward)))

    def _is_said_again(self, mention: Mention, state: State) -> bool:
        """Whether a verb only repeats the step that the noun asked for has spoken for: at which venue was X held."""
        focus = self.read.focus
        if mention.noun or focus is None or focus not in state.by:
            return False
        evidence = mention.of(state.path[state.by.index(focus)]) or NOTHING
        return evidence.strength >= STRONG

    def _fits(self, mention: Mention, step: Step) -> bool:
        """Whether the node that a step leads to may be called so."""
        if mention.kinds and step.kind not in self.schema.inferred:
            return step.kind in mention.kinds
        if mention.roles & self._roles.get(step.kind, frozenset()):
            return True
        loop = step.relation in self.schema.looped and step.kind not in self.schema.inferred
        called = loop and is_called_by_target(step.relation, step.kind)  # similar books are books, whoever wrote them
        if not called and mention.roles & frozenset(roles_of(step.relation, step.forward)):
            return True
        evidence = mention.of(step)
        if evidence is None:
            return False
        return mention.noun and not mention.roles and evidence.one_is_target == step.forward
