"""Import a knowledge graph into the corpus tables: nodes, names, relations, edges; known ones are not added twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.errors import IngestError
from mosaic_sql.ingest.store import Counters, fixed_size, insert
from mosaic_sql.ingest.triples import GraphTables, read_graph, read_triples
from mosaic_sql.models import to_grid

EMBED = ("none", "relations", "names", "all")


@dataclass(frozen=True)
class GraphReport:
    """What an import added, and remarks on what it had to leave out."""

    nodes: int
    relations: int
    edges: int
    notes: tuple[str, ...]


def import_graph(
    database: Database,
    triples: object | None = None,
    *,
    nodes: object | None = None,
    edges: object | None = None,
    embed: str = "all",
    **options: Any,
) -> GraphReport:
    """Read triples, or nodes and edges, and store what is new, in one transaction. The index is then pending.

    Raises:
        IngestError: nothing to read, a broken file, vectors of another length.
    """
    if embed not in EMBED:
        raise IngestError(f"embed: unknown {embed!r}; one of {', '.join(EMBED)}")
    tables = _read(triples, nodes, edges, options)
    with database.transaction():
        before = database.rows("ingest.graph_size")[0]
        _store(database, tables)
        database.put_meta(index_state="pending", graph_embed=embed)
        after = database.rows("ingest.graph_size")[0]
    added = [new - old for new, old in zip(after, before, strict=True)]
    return GraphReport(added[0], added[1], added[2], tables.notes)


def _read(triples: object | None, nodes: object | None, edges: object | None, options: dict[str, Any]) -> GraphTables:
    if triples is not None and nodes is None and edges is None:
        return read_triples(triples, **options)
    if triples is None and nodes is not None and edges is not None:
        return read_graph(nodes, edges)
    raise IngestError("give either one file of triples, or both nodes and edges")


def _store(database: Database, tables: GraphTables) -> None:
    counters = Counters.load(database)
    with _incoming(database, tables):
        before = database.rows("ingest.graph_size")[0]
        for kind, table in (("node", "node"), ("relation", "relation"), ("edge", "edge")):
            database.execute(f"ingest.graph_{table}", first_id=counters.values[kind])
        after = database.rows("ingest.graph_size")[0]
        for place, kind in enumerate(("node", "relation", "edge")):
            counters.values[kind] += after[place] - before[place]
        ids = [node_id for _, node_id in database.rows("ingest.graph_node_ids")]
    _names(database, tables, ids)
    _vectors(database, tables, ids)
    database.execute("ingest.graph_kinds")
    counters.save(database)


@contextmanager
def _incoming(database: Database, tables: GraphTables) -> Iterator[None]:
    """The import's tables with their row numbers."""
    numbered = [
        table.append_column("ordinal", pa.array(np.arange(len(table), dtype=np.int64)))
        for table in (tables.nodes, tables.edges)
    ]
    with database.registered(incoming_node=numbered[0], incoming_edge=numbered[1]):
        yield


def _names(database: Database, tables: GraphTables, ids: list[int]) -> None:
    names = zip(ids, tables.nodes["name"].to_pylist(), tables.nodes["aliases"].to_pylist(), strict=True)
    rows = [
        (node_id, alias, words.name_key(alias), False, None)
        for node_id, name, aliases in names
        for alias in dict.fromkeys([name, *(aliases or [])])
        if words.name_key(alias)
    ]
    if rows:
        insert(database, "alias", rows)


def _vectors(database: Database, tables: GraphTables, ids: list[int]) -> None:
    """Ready-made vectors of nodes."""
    given = [
        (node_id, vector) for node_id, vector in zip(ids, tables.nodes["vector"].to_pylist(), strict=True) if vector
    ]
    if not given:
        return
    dimension = int(database.meta()["dimension"])
    wrong = next((len(vector) for _, vector in given if len(vector) != dimension), None)
    if wrong is not None:
        raise IngestError(f"a node's vector has {wrong} numbers, the corpus has {dimension}")
    vectors = to_grid(np.array([vector for _, vector in given], np.float32))
    incoming = pa.table(
        {
            "node_id": pa.array([node_id for node_id, _ in given], pa.int32()),
            "embedding": fixed_size(vectors),
        }
    )
    with database.registered(incoming=incoming):
        database.execute("ingest.set_node_vector")
