"""Small random corpora: every table that a walk reads, filled, and questions about them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from mosaic_sql import link, pattern, render, text
from mosaic_sql.database import Database, open_database
from mosaic_sql.policy import Policy, default_policy
from mosaic_sql.records import Target
from mosaic_sql.render import Form, Query, Question
from mosaic_sql.resident import Resident, ResidentText

DIMENSION = 8
WORDS = "river director direct composer composition music mountain castle bridge harbour museum painter".split()
RELATIONS = ("wrote", "directed_by", "part_of", "any")
KINDS = ("person", "place", "work")


@dataclass
class Store:
    """What the twins may read: the graph as plain Python, and the open database."""

    database: Database
    nodes: list[int]
    kinds: dict[int, list[str]]
    edges: list[tuple[int, int, int, int]]  # edge, source, relation, target
    chunks: list[int]

    def steps(self, node: int) -> list[tuple[int, int, int, bool]]:
        """(edge, neighbour, relation, forward) out of a node; a loop once, forward."""
        out = [(e, t, r, True) for e, s, r, t in self.edges if s == node]
        return out + [(e, s, r, False) for e, s, r, t in self.edges if t == node and s != t]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.database.connection.execute(sql).fetchall()

    def twin(self) -> Store:
        """The same store over a cursor: its own stage tables."""
        cursor = self.database.cursor()
        cursor.script("3_stages", dimension=DIMENSION)
        views(cursor)
        return replace(self, database=cursor)


def views(database: Database) -> None:
    """The question taken apart, as a retrieval does once on a connection."""
    for view in render.VIEWS:
        database.execute(f"stage.{view}")


def vector(rng: random.Random) -> list[int]:
    """A direction on the 4000 grid, rather positive so that cosines spread."""
    raw = [rng.gauss(0.35, 1) for _ in range(DIMENSION)]
    length = sum(value * value for value in raw) ** 0.5
    return [round(4000 * value / length) for value in raw]


def maybe(rng: random.Random, share: float, value: Any) -> Any:
    return value if rng.random() < share else None


def shown(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    return "NULL" if value is None else repr(value)


def insert(database: Database, table: str, columns: str, rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        values = ", ".join("(" + ", ".join(map(shown, row)) + ")" for row in rows)
        database.connection.execute(f"INSERT INTO {table} ({columns}) VALUES {values}")


@contextmanager
def random_store(seed: int, *, with_vectors: bool = True) -> Iterator[Store]:
    rng = random.Random(seed)
    with open_database(":memory:", threads=1) as database:
        for name in ("1_corpus", "2_search", "3_stages", "6_inner", "7_refine"):
            database.script(name, dimension=DIMENSION)
        views(database)
        nodes = sorted(rng.sample(range(60), rng.randint(5, 22)))
        kinds = {node: rng.sample(KINDS, rng.randint(0, 2)) for node in nodes}
        edges = [
            (number * 2, rng.choice(nodes), rng.randrange(len(RELATIONS)), rng.choice(nodes))
            for number in range(rng.randint(len(nodes), int(2.2 * len(nodes))))
        ]
        chunks = list(range(3, 3 + rng.randint(6, 20)))
        _texts(rng, database, nodes, chunks, with_vectors)
        _graph(rng, database, kinds, edges, chunks, with_vectors)
        for name in ("term", "posting", "alias", "mention_context", "node", "adjacency"):
            database.execute(f"ingest.derive_{name}")
        database.execute("ingest.derive_link", hub_limit=60)
        resident = Resident.load(database)
        assert resident is not None
        resident.register(database)
        ResidentText.load(database, DIMENSION).register(database)
        yield Store(database, nodes, kinds, edges, chunks)


def _texts(rng: random.Random, database: Database, nodes: list[int], chunks: list[int], with_vectors: bool) -> None:
    stems = sorted({text.stem(word) for word in WORDS})
    share = 0.9 if with_vectors else 0
    insert(database, "term", "term_id, term", list(enumerate(stems)))
    said = {chunk: {rng.randrange(len(stems)) for _ in range(rng.randint(1, 5))} for chunk in chunks}
    sentences = [(chunk * 10 + place, chunk, place) for chunk in chunks for place in range(2)]
    insert(
        database,
        "chunk",
        "chunk_id, title, text, term_count, embedding",
        [(c, f"c{c}", "", rng.randint(3, 40), maybe(rng, share, vector(rng))) for c in chunks],
    )
    insert(
        database,
        "sentence",
        "sentence_id, chunk_id, ordinal, embedding",
        [(*row, maybe(rng, share / 2, vector(rng))) for row in sentences],
    )
    insert(
        database,
        "posting",
        "term_id, chunk_id, tf, weight",
        [(term, chunk, rng.randint(1, 4), 0) for chunk, terms in said.items() for term in sorted(terms)],
    )
    insert(
        database,
        "sentence_posting",
        "term_id, sentence_id",
        [(term, chunk * 10 + rng.randrange(2)) for chunk, terms in said.items() for term in sorted(terms)],
    )
    mentions = sorted({(rng.choice(nodes), rng.choice(sentences)) for _ in range(4 * len(chunks))})
    insert(database, "mention", "node_id, chunk_id, sentence_id", [(n, s[1], s[0]) for n, s in mentions])
    insert(
        database,
        "mention_context",
        "term_id, chunk_id, node_id, sentence_id, side",
        [
            (rng.randrange(len(stems)), s[1], n, s[0], rng.choice(("before", "after")))
            for n, s in mentions
            for _ in range(rng.randint(0, 3))
        ],
    )
    pages = sorted({(rng.choice(nodes), rng.choice(chunks)) for _ in range(max(2, len(chunks) // 2))})
    insert(database, "title_page", "node_id, chunk_id", pages)
    names = [(n, f"n{n}", f"n{n}", True, c) for n, c in pages] + [(n, f"n{n}", f"n{n}", False, None) for n in nodes]
    insert(database, "alias", "node_id, alias, alias_key, is_title, chunk_id", names)


def _graph(
    rng: random.Random,
    database: Database,
    kinds: dict[int, list[str]],
    edges: list[tuple[int, int, int, int]],
    chunks: list[int],
    with_vectors: bool,
) -> None:
    share = 0.85 if with_vectors else 0
    insert(
        database,
        "node",
        "node_id, name, kinds, embedding",
        [(n, f"n{n}" + "?" * (rng.random() < 0.1), k, maybe(rng, share, vector(rng))) for n, k in kinds.items()],
    )
    insert(
        database,
        "relation",
        "relation_id, relation, embedding",
        [(number, name, maybe(rng, share, vector(rng))) for number, name in enumerate(RELATIONS)],
    )
    insert(
        database,
        "edge",
        "edge_id, source_id, relation_id, target_id, fact_id, embedding",
        [
            (e, s, r, t, maybe(rng, 0.5, rng.choice(chunks) * 10), maybe(rng, share / 2, vector(rng)))
            for e, s, r, t in edges
        ],
    )
    insert(
        database,
        "edge_chunk",
        "edge_id, chunk_id",
        sorted({(edge[0], rng.choice(chunks)) for edge in edges for _ in range(rng.randint(0, 2))}),
    )


def random_question(rng: random.Random, store: Store, question_id: int, **fields: Any) -> Question:
    """A question of three to six words about one to three names; some groups have two nodes."""
    groups = []
    picked = rng.sample(store.nodes, min(len(store.nodes), rng.randint(1, 4)))
    for group, node in enumerate(picked[:3]):
        ids = (node, picked[3]) if group == 0 and len(picked) == 4 else (node,)
        name = f"n{node}"
        groups.append(Target(group, name, name, rng.choice((0.2, 0.4, 0.7, 1.0)), ids, (name,) * len(ids), 0, 2, ""))
    words = [rng.choice(WORDS) for _ in range(rng.randint(3, 6))]
    known = {
        "vector": maybe(rng, 0.9, tuple(float(value) for value in vector(rng))),
        "targets": tuple(groups) if rng.random() < 0.85 else (),
        "topics": tuple(sorted(set(rng.sample(store.nodes, rng.randint(0, 2))))),
    }
    known |= fields
    known["targets"] = tuple(with_pages(store, target) for target in known["targets"])
    text = " ".join([*words, "unheard"])
    return Question(question_id, text, terms=link.terms(store.database, text), **known)


def with_queries(rng: random.Random, store: Store, question: Question, chosen: Policy) -> Question:
    """The same question with texts that search the seed indexes as the policy says, and up to two facets."""

    def query(role: str, group_id: int | None = None) -> Query:
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 3)))
        found = maybe(rng, 0.8, tuple(float(value) for value in vector(rng)))
        return Query(role, text, found, link.terms(store.database, text), group_id)

    mode, queries = chosen.seed.seed_query_mode, [query("facet") for _ in range(rng.randint(0, 2))]
    if mode == "compact_keywords":
        queries.append(query("seed"))
    if mode == "per_target":
        queries += [query("seed", target.group_id) for target in question.targets]
    return replace(question, queries=tuple(queries))


def make_twins(rng: random.Random, store: Store) -> dict[int, str]:
    """Give some nodes the plain name of another, as a node of the graph has that of one of the text; node -> name."""
    names = {node: f"n{node}" for node in store.nodes}
    for node in store.nodes[1:]:
        if rng.random() < 0.4:
            names[node] = f"n{rng.choice(store.nodes)}"
    for node, name in names.items():
        if name == f"n{node}":
            continue
        values = {"node": node, "name": name}
        store.database.connection.execute("UPDATE node SET name = $name WHERE node_id = $node", values)
        store.database.connection.execute(
            "UPDATE alias SET alias = $name, alias_key = $name WHERE node_id = $node AND NOT is_title", values
        )
    resident = Resident.load(store.database)  # with the names as they are now
    assert resident is not None
    resident.register(store.database)
    return names


def with_pages(store: Store, target: Target) -> Target:
    """The chunks that bear a target's name as title, as linking finds them."""
    titles = store.rows("SELECT DISTINCT alias_key, chunk_id FROM alias WHERE is_title ORDER BY ALL")
    return replace(target, page_ids=tuple(chunk for key, chunk in titles if key == target.alias_key))


def transitions(path_pattern: str) -> tuple[dict[str, Any], ...]:
    return pattern.transitions(pattern.parse(path_pattern), {name: number for number, name in enumerate(RELATIONS)})


def random_pattern(rng: random.Random, depth: int = 2) -> str:
    if depth == 0 or rng.random() < 0.35:
        step = rng.choice(("", "^", "~")) + rng.choice(("wrote", "directed_by", "part_of", "any", "any"))
        return step + (f"[{rng.choice(KINDS)}]" if rng.random() < 0.2 else "")
    inner = [random_pattern(rng, depth - 1) for _ in range(2)]
    whole = f"({inner[0]} {rng.choice('//|')} {inner[1]})"
    return whole + rng.choice(("", "", "{1,2}", "?" if depth == 1 else ""))


def path_question(rng: random.Random, store: Store, question_id: int) -> Question:
    """A question about the two ends of a path that is there, with a pattern that accepts it and perhaps more."""
    source, relation, target = rng.choice([(s, r, t) for _, s, r, t in store.edges if s != t])
    nodes, parts = [source, target], [loosened(rng, relation, True, store.kinds[target])]
    for _ in range(rng.randint(0, 2)):
        steps = [step for step in store.steps(nodes[-1]) if step[1] not in nodes]
        if steps:
            _, neighbour, relation, forward = rng.choice(steps)
            nodes.append(neighbour)
            parts.append(loosened(rng, relation, forward, store.kinds[neighbour]))
    groups = [(nodes[0],), (nodes[-1],)]
    others = [node for node in store.nodes if node not in nodes]  # no path passes an end on its way
    if others and rng.random() < 0.3:
        groups[rng.randrange(2)] += (rng.choice(others),)
    targets = tuple(
        Target(number, f"n{ids[0]}", f"n{ids[0]}", 1.0, ids, ("",) * len(ids), 0, 2, "")
        for number, ids in enumerate(groups)
    )
    return random_question(rng, store, question_id, targets=targets, transitions=transitions(" / ".join(parts)))


def loosened(rng: random.Random, relation: int, forward: bool, kinds: list[str]) -> str:
    """A pattern of one step that accepts the given one; some accept it by several runs."""
    name, mark = RELATIONS[relation], "" if forward else "^"
    if name == "any":
        name = "'any'"
    kind = f"[{rng.choice(kinds)}]" if kinds and rng.random() < 0.3 else ""
    exact = f"{mark}{name}{kind}"
    wider = (f"~{name}", f"{mark}any{kind}", "~any", f"{exact}{{1,2}}", "~any{1,2}")
    several = (f"({exact} | ~any)", f"({exact} | ~any{{1,2}})", f"({exact} | ~any / ~any)")
    return rng.choice((exact, rng.choice(wider), rng.choice(several)))


def policy(operator: str, **controls: Any) -> Policy:
    return Policy.parse(controls, base=default_policy(operator))


def run(store: Store, questions: Sequence[Question], chosen: Policy, **form: Any) -> Store:
    """Every stage of a retrieval run in order; the stage tables stay in the store's connection."""
    for stage in render.render(questions, chosen, Form(DIMENSION, **form)):
        store.database.change(stage)
    return store


def walk(store: Store) -> list[dict[str, Any]]:
    """The walk as rows whose parent is told by its edges or chunks instead of by a number."""
    return _named(
        store.database.connection.sql(
            "SELECT w.question_id, w.depth, w.nodes, w.edges, w.chunks, w.score, w.view, w.rank, w.kept, w.pruned_by, "
            "w.stopped, w.gain, w.completeness, p.nodes AS parent_nodes, p.edges AS parent_edges, "
            "p.chunks AS parent_chunks, w.terms, w.tail_id "
            "FROM walk AS w LEFT JOIN walk AS p ON p.question_id = w.question_id AND p.path_id = w.parent_id "
            "ORDER BY w.rowid"
        ).to_arrow_table()
    )


def evidence(store: Store) -> list[dict[str, Any]]:
    return _named(
        store.database.connection.sql(
            "SELECT question_id, rank, unit_kind, unit_id, chunk_id, role, score, kept, pruned_by "
            "FROM evidence ORDER BY rowid"
        ).to_arrow_table()
    )


def _named(table: pa.Table) -> list[dict[str, Any]]:
    return list(table.to_pylist())
