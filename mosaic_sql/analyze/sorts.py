"""A noun for the answers that is a node: thrillers that A directed, poets born in B, films of A that are comedies.

Such a node tells of what sort the answers are. The question is read as if the noun for their kind stood there, and the
answers are held to those that a relation joins to the node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mosaic_sql.analyze import fitting, lexicon, schema
from mosaic_sql.analyze.clauses import PREPOSITIONS, RELATIVES, SUPERLATIVES, Item, items
from mosaic_sql.analyze.drafting import Draft, Plan, names_kind
from mosaic_sql.analyze.sentence import BE, FUNCTION, LISTING, WHICH
from mosaic_sql.analyze.standing import AS_WRITTEN, is_plural
from mosaic_sql.records import Catalogue, Target

_BEFORE = (
    WHICH
    | LISTING
    | frozenset("how many all the every any some me us of are is was were there number other who".split())
)
"""Words that may stand before the noun for what is asked for."""


@dataclass(frozen=True)
class Sort:
    """Nodes, any of which tells of what sort the answers are, and the question with a noun for their kind there.

    `width` is by how much that is longer than the words of the nodes.
    """

    targets: tuple[Target, ...]
    question: str
    width: int

    def moved(self, targets: Sequence[Target]) -> list[Target]:
        """The other targets, where they stand in that question."""
        own = {one.group_id for one in self.targets}
        return [self._by(one, self.width) for one in targets if one.group_id not in own]

    def told(self, found: Plan | None) -> Plan | None:
        """A plan of that question as one of the question asked; None where it does not hold answers to the nodes."""
        value = self.targets[0].node_names[0]
        if found is None or not any(item.get("value") == value for item in found.refine.get("filters", ())):
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
        if not targets:
            continue
        end = place + 2 * len(targets) - 1
        noun = ""
        if _is_asked_for(held, place, end, catalogue):
            noun = "" if _is_kind(held, end, catalogue) else _noun(targets[-1], catalogue)
        elif not _is_said_of_them(held, place, end):
            continue
        first, last = targets[0].char_start, targets[-1].char_end
        return Sort(tuple(targets), question[:first] + noun + question[last:], len(noun) - (last - first))
    return None


def hold(draft: Draft) -> None:
    """Only answers that a relation joins to a node that tells their sort."""
    if not draft.sorts:
        return
    steps = frozenset.intersection(*(frozenset(target.steps) for target in draft.sorts))
    joined = [one for one in draft.known if one.owner == "relation" and (one.name, False) in steps]
    if not joined:
        return
    relation = max(joined, key=lambda one: (one.count, one.name)).name
    for number, target in enumerate(draft.sorts):
        more = {"either": True} if number else {}
        draft.hold(relation, "=", value=target.node_names[0], **more)
    values = " or ".join(target.node_names[0] for target in draft.sorts)
    draft.reasons.append(f"{relation} is {values}, from: {', '.join(target.name for target in draft.sorts)}")


def _joined(question: str, held: Sequence[Item], place: int, catalogue: Catalogue) -> list[Target]:
    """The name at a place that may tell a sort, and those of its kind that `and` or `or` join to it."""
    found: list[Target] = []
    while place < len(held):
        target = held[place].target
        if target is None or not _may_sort(question, target, catalogue) or (found and found[0].kinds != target.kinds):
            break
        found.append(target)
        if place + 1 == len(held) or held[place + 1].form not in ("and", "or", ","):
            break
        place += 2
    return found


def _may_sort(question: str, target: Target, catalogue: Catalogue) -> bool:
    """Whether a name is of one node, in small letters, and no word that asks for a kind or a relation of the graph."""
    said = question[target.char_start : target.char_end]
    if target.why not in AS_WRITTEN or not said.islower() or len(target.graph_ids) != 1:
        return False
    key = target.alias_key
    asks = lexicon.speaks_of(key.split(), [relation for _, relation in catalogue.relations])
    return fitting.is_telling(key) and not (asks or schema.is_schema_word(key, catalogue))


def _is_asked_for(held: Sequence[Item], place: int, end: int, catalogue: Catalogue) -> bool:
    """Whether names are the noun for what is asked for (which plays, plays of A), or stand before it: crime films."""
    before = [item.form for item in held[:place]]
    after = held[end] if end < len(held) else None
    if before[-1:] == ["s"] and after is None:
        return True
    if any(item.target for item in held[:place]) or not all(map(may_precede, before)):
        return False
    last = held[end - 1].target
    if (last and is_plural(last)) or _is_kind(held, end, catalogue):
        return True
    follows = after is None or after.target or after.form in FUNCTION | PREPOSITIONS | RELATIVES
    chosen = bool(before) and (before[-1] in WHICH | {"the"} or _is_superlative(before[-1]))
    return chosen and bool(follows)


def may_precede(form: str) -> bool:
    """Whether a word may stand before the noun for what is asked for."""
    return form in _BEFORE or _is_superlative(form)


def _is_superlative(form: str) -> bool:
    return form in SUPERLATIVES or (len(form) > 4 and form.endswith("est"))


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
