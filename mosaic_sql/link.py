"""Names in a question and the nodes they mean: exact name or alias, normalised, longest match first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.records import Target

LONGEST_NAME = 24
"""Words of a question that may form one name."""
TARGET_LIMIT = 12


@dataclass(frozen=True)
class Linked:
    """Targets in the order of the question, and every node whose name the question holds (its topics)."""

    targets: tuple[Target, ...]
    topics: tuple[int, ...]


@dataclass(frozen=True)
class _Name:
    node_id: int
    name: str
    origin: str
    kinds: tuple[str, ...]
    is_title: bool
    chunk_count: int


def link(database: Database, question: str) -> Linked:
    """Find what the question names.

    Titles of the text win over other names; a target's weight is how telling its words are (in [0, 1]).
    """
    tokens = words.tokens(question)
    known = _lookup(database, _grams(tokens))
    titles = words.NameIndex(key for key, names in known.items() if any(name.is_title for name in names))
    hits = titles.scan(tokens, strong=False)
    taken = {place for start, end, _ in hits for place in range(start, end)}
    others = words.NameIndex(key for key, names in known.items() if _may_stand_alone(names))
    hits += [hit for hit in others.scan(tokens, strong=False) if not taken & set(range(hit[0], hit[1]))]
    specific = _specificity(database, {words.stem(token.form) for token in tokens})
    targets = [
        _target(number, hit, question, tokens, known[hit[2]], specific)
        for number, hit in enumerate(sorted(hits)[:TARGET_LIMIT])
    ]
    return Linked(tuple(targets), tuple(sorted({name.node_id for names in known.values() for name in names})))


def _grams(tokens: Sequence[words.Token]) -> list[str]:
    forms = [token.form for token in tokens]
    keys = {
        " ".join(forms[start:end])
        for start in range(len(forms))
        for end in range(start + 1, min(len(forms), start + LONGEST_NAME) + 1)
    }
    return sorted(keys)


def _lookup(database: Database, keys: Sequence[str]) -> dict[str, list[_Name]]:
    known: dict[str, list[_Name]] = {}
    for key, node_id, name, origin, kinds, is_title, chunk_count, _ in database.rows("link.names", keys=list(keys)):
        known.setdefault(key, []).append(_Name(node_id, name, origin, tuple(kinds), is_title, chunk_count))
    return known


def _may_stand_alone(names: Iterable[_Name]) -> bool:
    """Nodes of an imported graph, and names that the text uses in more than one place."""
    return any(name.origin == "graph" or name.chunk_count > 1 for name in names)


def _specificity(database: Database, stems: Iterable[str]) -> dict[str, float]:
    return dict(database.rows("link.terms", stems=sorted(stems)))


def _target(
    group_id: int,
    hit: tuple[int, int, str],
    question: str,
    tokens: Sequence[words.Token],
    names: Sequence[_Name],
    specific: Mapping[str, float],
) -> Target:
    start, end, key = hit
    run = tokens[start:end]
    content = [token for token in run if token.form not in words.STOP_WORDS]
    share = sum(specific.get(words.stem(token.form), 1.0) for token in content) / max(1, len(content))
    opens = question[: run[0].start].strip(" \"'“(") == ""
    sure = len(run) > 1 or (run[0].strong and not opens)
    weight = share * min(1.0, 0.5 + 0.25 * len(content)) if sure else 0.3 * share
    graph = [name for name in names if name.origin == "graph"]
    chosen = graph + ([name for name in names if name.is_title] or [name for name in names if name not in graph])
    return Target(
        group_id=group_id,
        name=question[run[0].start : run[-1].end],
        alias_key=key,
        weight=min(1.0, weight),
        node_ids=tuple(name.node_id for name in chosen),
        node_names=tuple(name.name for name in chosen),
        char_start=run[0].start,
        char_end=run[-1].end,
        why="title" if any(name.is_title for name in chosen) else "name",
        origin="graph" if graph else "text",
        kinds=tuple(sorted({kind for name in graph for kind in name.kinds})),
        graph_ids=tuple(name.node_id for name in graph),
    )
