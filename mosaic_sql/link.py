"""Names in a question and the nodes they mean: exact name or alias, normalised, longest match first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.errors import UnknownId
from mosaic_sql.records import Target, Term

LONGEST_NAME = 24
"""Words of a question that may form one name."""
TARGET_LIMIT = 12
TERM_LIMIT = 62
"""Distinct content stems of a question that take part: one bit each in a BIGINT."""


@dataclass(frozen=True)
class Linked:
    """What a question names: targets in its order, every node whose name it holds (its topics), its content stems."""

    targets: tuple[Target, ...]
    topics: tuple[int, ...]
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class _Name:
    node_id: int
    name: str
    origin: str
    kinds: tuple[str, ...]
    is_title: bool
    chunk_count: int
    page_ids: tuple[int, ...]


class Lexicon:
    """The names and terms of a corpus in memory: the rows of link.names and link.terms without a statement."""

    def __init__(self, database: Database) -> None:
        self._names: dict[str, list[tuple[Any, ...]]] = {}
        for row in database.rows("link.all_names"):
            self._names.setdefault(row[0], []).append(row)
        self._heads: dict[str, list[tuple[Any, ...]]] = {}
        for row in database.rows("link.all_terms"):
            self._heads.setdefault(row[0][: words.ALIKE], []).append(row)

    def names(self, keys: Iterable[str]) -> list[tuple[Any, ...]]:
        """As link.names."""
        return [row for key in sorted(keys) for row in self._names.get(key, ())]

    def terms(self, stems: Iterable[str]) -> list[tuple[Any, ...]]:
        """As link.terms."""
        return [
            (stem, term_id, term == stem, idf, specificity)
            for stem in sorted(stems)
            for term, term_id, idf, specificity in self._heads.get(stem[: words.ALIKE], ())
            if words.alike(term, stem)
        ]


def link(database: Database, question: str, lexicon: Lexicon | None = None) -> Linked:
    """Find what the question names, in the file or, where it is given, in a lexicon of it.

    Titles of the text win over other names; a target's weight is how telling its words are (in [0, 1]).
    """
    tokens = words.tokens(question)
    known = _lookup(database, _grams(tokens), lexicon)
    titles = words.NameIndex(key for key, names in known.items() if any(name.is_title for name in names))
    hits = titles.scan(tokens, strong=False)
    taken = {place for start, end, _ in hits for place in range(start, end)}
    others = words.NameIndex(key for key, names in known.items() if _may_stand_alone(names))
    hits += [hit for hit in others.scan(tokens, strong=False) if not taken & set(range(hit[0], hit[1]))]
    found = terms(database, question, lexicon)
    specific = {term.stem: term.specificity for term in found}
    targets = [
        _target(number, hit, question, tokens, known[hit[2]], specific)
        for number, hit in enumerate(sorted(hits)[:TARGET_LIMIT])
    ]
    targets = _with_steps(database, targets)
    topics = {name.node_id for names in known.values() for name in names}
    return Linked(tuple(targets), tuple(sorted(topics)), found)


def given(database: Database, anchors: Sequence[str | int], question: str = "") -> tuple[Target, ...]:
    """Targets that a caller names in the question's place, in order: by node id, exact name, else normalised name.

    A target's place is where the question holds its name; one that it does not hold has an empty place at the start.

    Raises:
        UnknownId: a name or an id that no node of the corpus has.
    """
    ids = [anchor for anchor in anchors if isinstance(anchor, int)]
    texts = [anchor for anchor in anchors if isinstance(anchor, str)]
    exact = database.rows("link.nodes", node_ids=ids, names=texts)
    keys = {text: words.normalise(text) for text in texts}
    alike = _lookup(database, sorted(set(keys.values()) - {""}), None)
    targets: list[Target] = []
    for number, anchor in enumerate(anchors):
        rows = [row for row in exact if anchor in row[:2]]
        names = [
            _Name(node_id, name, origin, tuple(kinds or ()), False, count or 0, ())
            for node_id, name, origin, kinds, count, _ in rows
        ]
        names = names or (alike.get(keys[anchor], []) if isinstance(anchor, str) else [])
        if not names:
            what = f"no node {anchor}" if isinstance(anchor, int) else f"no node is called {anchor!r}"
            raise UnknownId(f'anchor: {what}; `mosaic query DB "FROM node"` lists them')
        targets.append(_given(number, anchor, names, question))
    return tuple(_with_steps(database, targets))


def _given(group_id: int, anchor: str | int, names: Sequence[_Name], question: str) -> Target:
    name = anchor if isinstance(anchor, str) else names[0].name
    start = question.casefold().find(name.casefold())
    graph = [one for one in names if one.origin == "graph"]
    return Target(
        group_id=group_id,
        name=name,
        alias_key=words.normalise(name),
        weight=1.0,
        node_ids=tuple(one.node_id for one in graph or names),
        node_names=tuple(one.name for one in graph or names),
        char_start=max(0, start),
        char_end=max(0, start + len(name)) if start >= 0 else 0,
        why="given",
        origin="graph" if graph else "text",
        kinds=tuple(sorted({kind for one in graph for kind in one.kinds})),
        graph_ids=tuple(one.node_id for one in graph),
        page_ids=tuple(sorted({chunk_id for one in names for chunk_id in one.page_ids})),
    )


def terms(database: Database, question: str, lexicon: Lexicon | None = None) -> tuple[Term, ...]:
    """The distinct content stems of a question in order, at most TERM_LIMIT, known to the corpus or not."""
    stems = list(dict.fromkeys(words.stems(question)))[:TERM_LIMIT]
    exact: dict[str, tuple[int, int, float]] = {}
    alike: dict[str, list[int]] = {stem: [] for stem in stems}
    rows = database.rows("link.terms", stems=stems) if lexicon is None else lexicon.terms(stems)
    for stem, term_id, is_exact, idf, specificity in rows:
        alike[stem].append(term_id)
        if is_exact:
            exact[stem] = (term_id, idf, specificity)
    return tuple(_term(stem, exact.get(stem), tuple(alike[stem])) for stem in stems)


def _term(stem: str, exact: tuple[int, int, float] | None, alike: tuple[int, ...]) -> Term:
    if exact is None:
        return Term(stem, None, 0, 1.0, alike)
    term_id, idf, specificity = exact
    return Term(stem, term_id, idf, specificity, alike)


def _with_steps(database: Database, targets: Sequence[Target]) -> list[Target]:
    """What relations the imported graph's nodes among the targets have."""
    wanted = sorted({node_id for target in targets for node_id in target.graph_ids})
    steps: dict[int, list[tuple[str, bool]]] = {}
    for node_id, relation, forward in database.rows("link.steps", node_ids=wanted) if wanted else ():
        steps.setdefault(node_id, []).append((relation, forward))
    return [
        replace(target, steps=tuple(sorted({step for node in target.graph_ids for step in steps.get(node, ())})))
        for target in targets
    ]


def _grams(tokens: Sequence[words.Token]) -> list[str]:
    forms = [token.form for token in tokens]
    keys = {
        " ".join(forms[start:end])
        for start in range(len(forms))
        for end in range(start + 1, min(len(forms), start + LONGEST_NAME) + 1)
    }
    return sorted(keys)


def _lookup(database: Database, keys: Sequence[str], lexicon: Lexicon | None) -> dict[str, list[_Name]]:
    """Nodes by name, titles first, then the best connected."""
    known: dict[str, dict[int, _Name]] = {}
    rows = database.rows("link.names", keys=list(keys)) if lexicon is None else lexicon.names(keys)
    for key, node_id, is_title, chunk_id, name, origin, kinds, count, _ in rows:
        names = known.setdefault(key, {})
        found = names.get(node_id) or _Name(node_id, name, origin, tuple(kinds or ()), False, count or 0, ())
        pages = (*found.page_ids, chunk_id) if is_title and chunk_id is not None else found.page_ids
        names[node_id] = replace(found, is_title=found.is_title or is_title, page_ids=pages)
    return {key: list(names.values()) for key, names in known.items()}


def _may_stand_alone(names: Iterable[_Name]) -> bool:
    """Nodes of an imported graph, and names that the text uses in more than one place."""
    return any(name.origin == "graph" or name.chunk_count > 1 for name in names)


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
        page_ids=tuple(sorted({chunk_id for name in names for chunk_id in name.page_ids})),
    )
