"""A noun for the answers that is a node: thrillers that A directed, poets born in B, films of A that are comedies.

Such a node tells of what sort the answers are. The question is read as if the noun for their kind stood there, and the
answers are held to those that a relation joins to the node.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import amounts, drafting, fitting, lexicon, schema
from mosaic_sql.analyze.clauses import PREPOSITIONS, RELATIVES, SUPERLATIVES, Item, items
from mosaic_sql.analyze.drafting import Draft, Plan, names_kind
from mosaic_sql.analyze.sentence import BE, FUNCTION, LISTING, WHICH
from mosaic_sql.analyze.standing import AS_WRITTEN, is_plural
from mosaic_sql.records import Catalogue, Target

_BEFORE = (
    WHICH
    | LISTING
    | frozenset(
        "how many all the every any some me us of are is was were there number other who sort order rank".split()
    )
)
"""Words that may stand before the noun for what is asked for."""
_BEHIND = PREPOSITIONS | RELATIVES | frozenset((",", "sorted", "ordered", "ranked", "listed"))
"""Words that may follow A's operas, and go on about them."""


@dataclass(frozen=True)
class Sort:
    """Nodes, any of which tells of what sort the answers are, and the question with a noun for their kind there.

    `width` is by how much that is longer than the words of the nodes; `done` are the relations whose one end the noun
    is for too: a painter is who painted something, whatever else is told of that.
    """

    targets: tuple[Target, ...]
    question: str
    width: int
    done: frozenset[str] = frozenset()

    @property
    def is_bare(self) -> bool:
        """Whether the noun stands alone, and not before one for a kind: crime films."""
        return self.width != 1

    def moved(self, targets: Sequence[Target]) -> list[Target]:
        """The other targets, where they stand in that question."""
        own = {one.group_id for one in self.targets}
        return [self._by(one, self.width) for one in targets if one.group_id not in own]

    def told(self, found: Plan | None) -> Plan | None:
        """A plan of that question as one of the question asked; None where it does not hold answers to the nodes."""
        value = self.targets[0].node_names[0]
        if found is None or not any(item.get("value") == value for item in found.refine.get("filters", ())):
            return None
        if found.pattern and self.done & {step.relation for step in patterns.parse(found.pattern).transitions}:
            return None
        return replace(found, targets=tuple(self._by(one, -self.width) for one in found.targets))

    def _by(self, one: Target, width: int) -> Target:
        width = width if one.char_start > self.targets[0].char_start else 0
        return replace(one, char_start=one.char_start + width, char_end=one.char_end + width)


def find(question: str, named: Sequence[Target], catalogue: Catalogue) -> Sort | None:
    """The nodes that the noun for the answers is; None where it is none."""
    held = items(question, named)
    for place in range(len(held)):
        targets = _joined(question, held, place, catalogue)
        end = place + 2 * len(targets) - 1
        if not targets or (_asks(targets, catalogue) and not _may_do(held, end)):
            continue
        noun = ""
        if _is_asked_for(held, place, end, catalogue):
            goes_on = _is_kind(held, end, catalogue) or (end < len(held) and held[end].target is not None)
            noun = "" if goes_on else _noun(targets[-1], catalogue)
        elif not _is_said_of_them(held, place, end):
            continue
        first, last = targets[0].char_start, targets[-1].char_end
        width = len(noun) - (last - first)
        return Sort(tuple(targets), question[:first] + noun + question[last:], width, _done(targets, catalogue))
    return None


def hold(draft: Draft) -> None:
    """Only answers that a relation joins to a node that tells their sort."""
    for own in draft.sorts:
        _hold(draft, own)


def _hold(draft: Draft, own: Sequence[Target]) -> None:
    steps = frozenset.intersection(*(frozenset(target.steps) for target in own))
    joined = [one for one in draft.known if one.owner == "relation" and (one.name, False) in steps]
    if not joined:
        return
    relation = max(joined, key=lambda one: (one.count, one.name)).name
    for number, target in enumerate(own):
        more = {"either": True} if number else {}
        draft.hold(relation, "=", value=target.node_names[0], **more)
    values = " or ".join(target.node_names[0] for target in own)
    draft.reasons.append(f"{relation} is {values}, from: {', '.join(target.name for target in own)}")


def leading(target: Target, catalogue: Catalogue) -> str | None:
    """The relation that most often leads to nodes such as one, of those that lead to it."""
    steps = {relation for relation, ahead in target.steps if not ahead}
    counts = Counter[str]()
    for _, relation, end, count in catalogue.schema_paths:
        counts[relation] += count if relation in steps and end in target.kinds else 0
    return max(steps, key=lambda one: (counts[one], one)) if steps else None


def is_of_given(target: Target, catalogue: Catalogue) -> bool:
    """Whether what a node tells the sort of is of one kind that was given."""
    return bool(_noun(target, catalogue))


def _joined(question: str, held: Sequence[Item], place: int, catalogue: Catalogue) -> list[Target]:
    """The name at a place that may tell a sort, and those of its kind that `and` or `or` join to it."""
    found: list[Target] = []
    while place < len(held):
        target = held[place].target
        if target is None or not may_sort(question, target, catalogue) or (found and found[0].kinds != target.kinds):
            break
        found.append(target)
        if place + 1 == len(held) or held[place + 1].form not in ("and", "or", ","):
            break
        place += 2
    return found


def may_sort(question: str, target: Target, catalogue: Catalogue) -> bool:
    """Whether a name is of one node, in small letters, that relations lead to, and no noun for a kind or a relation."""
    said = question[target.char_start : target.char_end]
    small = (said if target.char_start else said[1:]).islower()
    if target.why not in AS_WRITTEN or not small or len(target.graph_ids) != 1:
        return False
    key = target.alias_key
    return fitting.is_telling(key) and not _is_called(said, catalogue) and any(not ahead for _, ahead in target.steps)


def _is_called(said: str, catalogue: Catalogue) -> bool:
    """Whether a relation or a kind is called by a noun: the actors of A, where a relation is `actor`."""
    names = [*(relation for _, relation in catalogue.relations), *schema.given_kinds(catalogue)]
    last = words.tokens(said)[-1].form
    like = (
        frozenset[str]()
        if words.is_narrow(last)
        else schema.given_kinds(catalogue).intersection(drafting.kinds_in(said, catalogue))
    )
    return bool(like) or any(words.singulars(last).intersection(lexicon.parts(name)) for name in names)


def _asks(targets: Sequence[Target], catalogue: Catalogue) -> bool:
    """Whether a noun is one for an end of some relation as well: painters, where somebody painted something."""
    relations = [relation for _, relation in catalogue.relations]
    keys = [one.alias_key for one in targets]
    return any(lexicon.speaks_of(key.split(), relations) or schema.is_schema_word(key, catalogue) for key in keys)


def _may_do(held: Sequence[Item], end: int) -> bool:
    """Whether no more is said of such a noun by a name or a preposition behind it: painters of A, the painter A."""
    after = held[end] if end < len(held) else None
    placed = after is not None and after.form in PREPOSITIONS and any(item.target for item in held[end:])
    return after is None or not (after.target or placed or after.form == "s")


def _done(targets: Sequence[Target], catalogue: Catalogue) -> frozenset[str]:
    """The relations whose one end, who does it, a noun is for."""
    entries = [entry for one in targets for entry in lexicon.entries_at(one.alias_key.split(), 0)]
    families = {
        one.family for one in entries if one.role == "one" and lexicon.lexicon().families[one.family].asks == "who"
    }
    return frozenset(name for _, name in catalogue.relations if families & set(lexicon.label(name).families))


def _is_asked_for(held: Sequence[Item], place: int, end: int, catalogue: Catalogue) -> bool:
    """Whether names are the noun for what is asked for (which plays, plays of A), or stand before it: crime films."""
    before = [item.form for item in held[:place]]
    after = held[end] if end < len(held) else None
    if before[-1:] == ["s"] and (after is None or after.form in _BEHIND):
        return True
    if any(item.target for item in held[:place]) or not all(map(may_precede, before)):
        return False
    last = held[end - 1].target
    if (last and is_plural(last)) or _is_kind(held, end, catalogue):
        return True
    follows = after is None or after.target or after.form in FUNCTION | PREPOSITIONS | RELATIVES
    follows = follows or (after is not None and _is_past(after.form))
    chosen = bool(before) and (before[-1] in WHICH | {"the"} or _is_superlative(before[-1]))
    return chosen and bool(follows)


def may_precede(form: str) -> bool:
    """Whether a word may stand before the noun for what is asked for."""
    return form in _BEFORE or _is_superlative(form) or amounts.number(form) is not None


def _is_superlative(form: str) -> bool:
    return form in SUPERLATIVES or (len(form) > 4 and form.endswith("est"))


def _is_past(form: str) -> bool:
    return form.endswith("ed") or form in lexicon.irregular_forms()


def _is_kind(held: Sequence[Item], place: int, catalogue: Catalogue) -> bool:
    """Whether a word is the noun for a kind, or an everyday word for one."""
    if place >= len(held) or held[place].target:
        return False
    return names_kind(held[place].form, catalogue)


def _is_said_of_them(held: Sequence[Item], place: int, end: int) -> bool:
    """Whether names end the question behind a form of to be: the films of A that are comedies."""
    before = [item.form for item in held[:place] if item.form not in ("a", "an")]
    return end == len(held) and any(item.target for item in held[:place]) and before[-1] in BE


def _noun(target: Target, catalogue: Catalogue) -> str:
    """The noun for the kind of what is joined to a node, in its number; empty where it is not one kind, or inferred."""
    kinds = {
        source
        for source, relation, end, _ in catalogue.schema_paths
        if end in target.kinds and (relation, False) in target.steps
    }
    if len(kinds) != 1 or not kinds <= schema.given_kinds(catalogue):
        return ""
    return kinds.pop().replace("_", " ") + ("s" if is_plural(target) else "")
