"""A pattern held against a graph: the names it uses, and whether any sequence of the schema's edges follows it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from mosaic_sql.errors import PolicyError, short
from mosaic_sql.pattern.parsing import Automaton, Transition, format_path, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    Schema = Iterable[tuple[str, str, str]]
    """(kind, relation, kind) of the edges that a graph has; a node without a kind has the kind ''."""


def names(automaton: Automaton) -> tuple[frozenset[str], frozenset[str]]:
    """The relations and the node kinds that an automaton names."""
    relations = {transition.relation for transition in automaton.transitions}
    kinds = {transition.kind for transition in automaton.transitions} | {automaton.start_kind}
    return frozenset(relations - {None}), frozenset(kinds - {None})  # type: ignore[arg-type]


def check(
    automaton: Automaton, *, relations: Collection[str], kinds: Collection[str], schema: Schema | None = None
) -> None:
    """Hold an automaton against what a graph has: its names and, where it is given, its schema.

    Raises:
        PolicyError: it names relations or kinds that are not there (all of them, each with the nearest name), or no
            sequence of the schema's edges follows it (the step where it ends, and those there are).
    """
    used_relations, used_kinds = names(automaton)
    wrong = [_unknown("relation", name, relations) for name in sorted(used_relations - set(relations))]
    wrong += [_unknown("node kind", name, kinds) for name in sorted(used_kinds - set(kinds))]
    if wrong:
        raise PolicyError(f"pattern: {' '.join(wrong[:5])}{f' And {len(wrong) - 5} more.' if len(wrong) > 5 else ''}")
    ended = dead_end(automaton, schema) if schema is not None else ""
    if ended:
        raise PolicyError(f"pattern: {ended}")


class _Place(NamedTuple):
    """A state of the automaton and the kind of the node that a walk stands on."""

    state: int
    kind: str


def dead_end(automaton: Automaton, schema: Schema, start_kinds: Collection[str] | None = None) -> str:
    """Why no edges of a schema follow the pattern from a node of one of `start_kinds` (None: any); '' where some do."""
    leaving: dict[str, list[tuple[str, bool, str]]] = {}
    for source, relation, target in schema:
        leaving.setdefault(source, []).append((relation, True, target))
        leaving.setdefault(target, []).append((relation, False, source))
    starts = leaving if start_kinds is None else start_kinds
    first = [kind for kind in sorted(starts) if automaton.start_kind in (None, kind)]
    out: dict[int, list[Transition]] = {}
    for transition in automaton.transitions:
        out.setdefault(transition.state, []).append(transition)
    told: dict[_Place, tuple[str, ...]] = {_Place(0, kind): () for kind in first}
    queue = list(told)
    for place in queue:
        if place.state in automaton.accepting:
            return ""
        for transition in out.get(place.state, ()):
            for relation, forward, kind in leaving.get(place.kind, ()):
                following = _Place(transition.next_state, kind)
                if following not in told and _takes(transition, relation, forward, kind):
                    told[following] = (*told[place], _written(transition))
                    queue.append(following)
    if not queue:
        return f"no start is of kind `{automaton.start_kind}`" if automaton.start_kind and start_kinds else ""
    return _ended(told, out, leaving)


def _takes(transition: Transition, relation: str, forward: bool, kind: str) -> bool:
    return (
        transition.relation in (None, relation)
        and transition.forward in (None, forward)
        and transition.kind in (None, kind)
    )


def _written(transition: Transition) -> str:
    sign = {True: "", False: "^", None: "~"}[transition.forward]
    name = "any" if transition.relation is None else quoted(transition.relation)
    return f"{sign}{name}{f'[{quoted(transition.kind)}]' if transition.kind else ''}"


def _ended(
    told: Mapping[_Place, tuple[str, ...]],
    out: Mapping[int, Sequence[Transition]],
    leaving: Mapping[str, Sequence[tuple[str, bool, str]]],
) -> str:
    """Where the walks that came furthest end, what the pattern wants there and what there is."""
    furthest = max(len(path) for path in told.values())
    last = [place for place, path in told.items() if len(path) == furthest]
    kinds = [f"`{kind}`" for kind in dict.fromkeys(place.kind for place in last) if kind]
    wanted = list(dict.fromkeys(_written(step) for place in last for step in out.get(place.state, ())))
    there = sorted({format_path([step[:2]]) for place in last for step in leaving.get(place.kind, ())})
    after = f" after {' / '.join(told[last[0]])}" if furthest else ""
    kind = f"kind {_some(kinds)}" if kinds else "no kind"
    return (
        f"no edge {' or '.join(wanted)} leads on{after} from a node of {kind}; "
        f"there are {_some([f'`{step}`' for step in there])}"
    )


def _some(names: Sequence[str], limit: int = 8) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return (", ".join(names[:limit]) + more) or "none"


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    """A name that the graph does not have, and those it may be, as a pattern writes them."""
    by_folded = {other.casefold(): other for other in sorted(known, reverse=True)}
    near = difflib.get_close_matches(name.casefold(), sorted(by_folded), n=1)
    if near:
        return f"no {what} `{short(name)}`; did you mean `{quoted(by_folded[near[0]])}`?"
    if not known:
        return f"no {what} `{short(name)}`; the graph has none."
    return f"no {what} `{short(name)}`; there are {_some([f'`{quoted(other)}`' for other in sorted(known)], 10)}."
