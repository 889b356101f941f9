"""Import a knowledge graph into the corpus tables: nodes, names, relations, edges; known ones are not added twice.

What is told anew of a known node takes the place of what it had.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mosaic_sql.database import Database
from mosaic_sql.errors import IngestError
from mosaic_sql.ingest.columns import codes_of, encoded, first_rows, places_in
from mosaic_sql.ingest.names import name_keys
from mosaic_sql.ingest.store import Counters, Progress, fixed_size, insert, quiet
from mosaic_sql.ingest.triples import GraphTables, read_graph, read_triples
from mosaic_sql.models import Embedder, to_grid
from mosaic_sql.text import counted

EMBED = ("none", "relations", "names", "all")
EMBEDDED_NAMES = 200_000
"""Nodes of a graph up to which names are embedded without being asked for."""
_SAMPLE = 64
_VECTORS_AT_ONCE = 50_000

Ids = NDArray[np.int32]


@dataclass(frozen=True)
class GraphReport:
    """What an import added, how many known nodes it changed, and remarks on what it had to leave out."""

    nodes: int
    relations: int
    edges: int
    notes: tuple[str, ...]
    updated: int = 0


def import_graph(
    database: Database,
    tables: GraphTables,
    *,
    embed: str | None = None,
    embedder: Callable[[], Embedder | None] = lambda: None,
    progress: Progress = quiet,
) -> GraphReport:
    """Store what is new of a graph, or told anew of its nodes, in one transaction. The index is then pending.

    Without `embed` the names of a graph of more than EMBEDDED_NAMES nodes are not embedded, and a note tells how long
    `embedder` would take.

    Raises:
        IngestError: vectors of another length than the corpus has, or no such choice of `embed`.
    """
    if embed is not None and embed not in EMBED:
        raise IngestError(f"embed: unknown {embed!r}; one of {', '.join(EMBED)}")
    notes = tables.notes
    if embed is None and tables.nodes.num_rows > EMBEDDED_NAMES:
        embed, notes = "relations", (*notes, *_told(embedder(), tables.nodes["name"]))
    with database.transaction():
        before = database.rows("ingest.graph_size")[0]
        updated = _store(database, tables, progress)
        database.put_meta(index_state="pending", graph_embed=embed or "all")
        after = database.rows("ingest.graph_size")[0]
    added = [new - old for new, old in zip(after, before, strict=True)]
    return GraphReport(added[0], added[1], added[2], notes, updated)


def _told(embedder: Embedder | None, names: pa.ChunkedArray) -> tuple[str, ...]:
    """That the names are not embedded, and how long it would take, by a sample of them."""
    if embedder is None:
        return ()
    sample, started = names[:_SAMPLE].to_pylist(), time.perf_counter()
    embedder.embed(sample)
    minutes = math.ceil((time.perf_counter() - started) * len(names) / len(sample) / 60)
    return (
        f"{len(names):,} names are not embedded, it would take about {counted(minutes, 'minute')}; "
        "import with `--embed all` to have it done",
    )


def read(triples: object | None, nodes: object | None, edges: object | None, options: Mapping[str, Any]) -> GraphTables:
    """A graph from triples, or from nodes and edges.

    Raises:
        IngestError: nothing to read, or a broken file.
    """
    if triples is not None and nodes is None and edges is None:
        return read_triples(triples, **options)
    if triples is None and nodes is not None and edges is not None:
        return read_graph(nodes, edges)
    raise IngestError("give either one file of triples, or both nodes and edges")


def _store(database: Database, tables: GraphTables, progress: Progress) -> int:
    """Store the tables; the number of known nodes that changed."""
    counters = Counters.load(database)
    progress("storing nodes", 0, tables.nodes.num_rows)
    ids, updated = _nodes(database, tables.nodes, counters)
    progress("storing names", 0, tables.nodes.num_rows)
    _names(database, tables.nodes, ids)
    _vectors(database, tables.nodes, ids)
    progress("storing edges", 0, tables.edges.num_rows)
    _edges(database, tables, ids, counters)
    database.execute("ingest.graph_kinds")
    counters.save(database)
    return updated


def _nodes(database: Database, nodes: pa.Table, counters: Counters) -> tuple[Ids, int]:
    """Store the nodes that are new, and what is new of known ones; the id of each, and how many of those changed."""
    ids = np.full(nodes.num_rows, -1, dtype=np.int32)
    with database.registered(incoming=pa.table({"key": nodes["key"], "ordinal": _numbers(nodes)})):
        known = database.table("ingest.graph_node_ids")
    ids[known["ordinal"].to_numpy()] = known["node_id"].to_numpy()
    new = ids < 0
    ids[new] = counters.take_many("node", int(new.sum()))
    told = nodes.append_column("node_id", pa.array(ids))
    with database.registered(incoming=told.filter(pa.array(new))):
        database.execute("ingest.graph_node")
    with database.registered(incoming=told.filter(pa.array(~new))):
        changed = database.table("ingest.graph_node_changes")
    if changed.num_rows:
        with database.registered(incoming=changed):
            database.execute("ingest.graph_node_update")
    return ids, changed.num_rows


def _names(database: Database, nodes: pa.Table, ids: Ids) -> None:
    aliases = nodes["aliases"].combine_chunks()
    owners = np.concatenate([ids, ids[pc.list_parent_indices(aliases).to_numpy()]])
    names = pa.chunked_array([*nodes["name"].chunks, pc.list_flatten(aliases)])
    keys = name_keys(names)
    rows = {"node_id": owners, "alias": names, "alias_key": keys}
    incoming = pa.table(rows).filter(pc.not_equal(keys, ""))
    incoming = incoming.append_column("is_title", pa.repeat(False, incoming.num_rows))
    with database.registered(incoming=incoming):
        database.execute("ingest.insert_alias")


def _edges(database: Database, tables: GraphTables, ids: Ids, counters: Counters) -> None:
    """Store the edges that are new."""
    edges, keys = tables.edges, tables.nodes["key"].combine_chunks()
    incoming = pa.table(
        {
            "ordinal": _numbers(edges),
            "source_id": ids[places_in(edges["source"], keys)],
            "relation_id": _relations(database, edges["relation"], counters),
            "target_id": ids[places_in(edges["target"], keys)],
            **{name: edges[name] for name in ("label", "fact", "weight", "properties")},
        }
    )
    with database.registered(incoming=incoming):
        known = database.table("ingest.graph_edges_known")["ordinal"].to_numpy()
    if len(known):
        new = np.ones(incoming.num_rows, dtype=bool)
        new[known] = False
        incoming = incoming.filter(pa.array(new))
    edge_ids = counters.take_many("edge", incoming.num_rows)
    with database.registered(incoming=incoming.append_column("edge_id", pa.array(edge_ids))):
        database.execute("ingest.graph_edge")


def _relations(database: Database, column: pa.ChunkedArray, counters: Counters) -> Ids:
    """Store the relations that are new; the id of each edge's relation."""
    names, codes = encoded(column).dictionary.to_pylist(), codes_of(column)
    known = dict(database.rows("ingest.known_relations"))
    new = [names[code] for code in codes[first_rows(codes)].tolist() if names[code] not in known]
    rows = [(counters.take("relation"), name) for name in new]
    if rows:
        insert(database, "relation", rows)
    known.update((name, relation_id) for relation_id, name in rows)
    ids: Ids = np.array([known.get(name, -1) for name in names], dtype=np.int32)[codes]
    return ids


def _vectors(database: Database, nodes: pa.Table, ids: Ids) -> None:
    """Ready-made vectors of nodes, some at a time: all on the grid at once may be more than the memory."""
    if nodes["vector"].null_count == nodes.num_rows:
        return
    dimension = int(database.meta()["dimension"])
    told = pa.table({"node_id": ids, "vector": nodes["vector"]})
    for batch in told.to_batches(max_chunksize=_VECTORS_AT_ONCE):
        given = batch.filter(pc.is_valid(batch["vector"]))
        if not given.num_rows:
            continue
        length = len(given["vector"][0])  # all are of one length
        if length != dimension:
            raise IngestError(f"a node's vector has {length} numbers, the corpus has {dimension}")
        vectors = to_grid(given["vector"].flatten().to_numpy().reshape(-1, length))
        incoming = pa.table({"node_id": given["node_id"], "embedding": fixed_size(vectors)})
        with database.registered(incoming=incoming):
            database.execute("ingest.set_node_vector")


def _numbers(table: pa.Table) -> pa.Array:
    return pa.array(np.arange(table.num_rows, dtype=np.int32))
