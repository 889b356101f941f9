"""What a user would pick instead, each asked the same questions in the way its manual shows.

An engine answers with a number of rows, so that answers can be compared; `None` where it lacks the operator.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from power_law import RELATIONS
from pyarrow import parquet

META = ("cites", "uses", "extends")
"""The relations of the three-step meta-path, all along the edges."""
HOPS = 4
"""The longest path between two nodes."""


class Engine:
    """A graph, loaded from the two Parquet files into `folder`."""

    name = ""

    def __init__(self, nodes: Path, edges: Path, folder: Path) -> None:
        self.nodes, self.edges, self.folder = nodes, edges, folder
        folder.mkdir(parents=True, exist_ok=True)

    def load(self) -> None:
        """Bulk load, indexes included."""

    def hop(self, node: int) -> int | None:
        """Nodes one step along an edge away."""

    def bfs(self, node: int) -> int | None:
        """Nodes within three steps along edges."""

    def meta_path(self, node: int) -> int | None:
        """Nodes that `META` leads to."""

    def shortest(self, a: int, b: int) -> int | None:
        """The ten shortest paths, edges taken either way."""

    def constrained(self, a: int, b: int) -> int | None:
        """The ten shortest paths whose first step is `cites`, edges taken either way from then on."""

    @property
    def bytes(self) -> int:
        """What it keeps on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


class Ladybug(Engine):
    """An embedded graph database, in Cypher; one relationship table for each relation."""

    name = "ladybug"

    def load(self) -> None:
        import ladybug

        parts = self.folder.parent / "relations"
        parts.mkdir(exist_ok=True)
        self._connection = ladybug.Connection(ladybug.Database(str(self.folder / "graph.lbug"), buffer_pool_size=POOL))
        self._connection.execute("CREATE NODE TABLE n(id INT64, name STRING, kind STRING, PRIMARY KEY(id))")
        self._connection.execute(f"COPY n FROM '{self.nodes}'")
        for relation in RELATIONS:
            self._connection.execute(f"CREATE REL TABLE {relation}(FROM n TO n)")
            self._connection.execute(f"COPY {relation} FROM '{parts / relation}.parquet'")

    @staticmethod
    def prepare(edges: Path, folder: Path) -> None:
        """One Parquet file for each relation; not part of the load."""
        (folder / "relations").mkdir(parents=True, exist_ok=True)
        for relation in RELATIONS:
            duckdb.sql(f"SELECT source, target FROM '{edges}' WHERE relation = '{relation}'").write_parquet(
                str(folder / "relations" / f"{relation}.parquet")
            )

    def _count(self, query: str, **params: int) -> int:
        result = self._connection.execute(query, params)
        return sum(1 for _ in _rows_of(result))

    def hop(self, node: int) -> int:
        return self._count(
            f"MATCH (a:n)-[:{'|'.join(RELATIONS)}]->(b:n) WHERE a.id = $a RETURN DISTINCT b.name", a=node
        )

    def bfs(self, node: int) -> int:
        step = f"-[:{'|'.join(RELATIONS)}* SHORTEST 1..3]->"
        return self._count(f"MATCH (a:n){step}(b:n) WHERE a.id = $a RETURN DISTINCT b.name", a=node)

    def meta_path(self, node: int) -> int:
        steps = "-[:cites]->(:n)-[:uses]->(:n)-[:extends]->"
        return self._count(f"MATCH (a:n){steps}(b:n) WHERE a.id = $a RETURN DISTINCT b.name", a=node)

    def shortest(self, a: int, b: int) -> int:
        step = f"-[:{'|'.join(RELATIONS)}* ALL SHORTEST 1..{HOPS}]-"
        return self._count(f"MATCH p = (a:n){step}(b:n) WHERE a.id = $a AND b.id = $b RETURN p LIMIT 10", a=a, b=b)

    def constrained(self, a: int, b: int) -> int:
        step = f"-[:{'|'.join(RELATIONS)}* ALL SHORTEST 1..{HOPS - 1}]-"
        query = f"MATCH p = (a:n)-[:cites]->(:n){step}(b:n) WHERE a.id = $a AND b.id = $b RETURN p LIMIT 10"
        return self._count(query, a=a, b=b)


class IGraph(Engine):
    """A graph in memory, in C; of the ten shortest paths it gives the first, its own search for more is far slower."""

    name = "igraph"

    def load(self) -> None:
        import igraph

        table = parquet.read_table(self.edges)
        ends = np.stack([table["source"].to_numpy(), table["target"].to_numpy()], axis=1)
        self._graph = igraph.Graph(n=parquet.read_metadata(self.nodes).num_rows, edges=ends, directed=True)
        relation = table["relation"].combine_chunks()
        self._relation = relation.indices.to_numpy()
        self._number = {name: place for place, name in enumerate(relation.dictionary.to_pylist())}

    def hop(self, node: int) -> int:
        return len(set(self._graph.successors(node)))

    def bfs(self, node: int) -> int:
        return len(self._graph.neighborhood(node, order=3, mode="out")) - 1

    def meta_path(self, node: int) -> int:
        level = {node}
        for relation in META:
            wanted = self._number[relation]
            level = {
                self._graph.es[edge].target
                for one in level
                for edge in self._graph.incident(one, mode="out")
                if self._relation[edge] == wanted
            }
        return len(level)

    def shortest(self, a: int, b: int) -> int:
        return len(self._graph.get_shortest_paths(a, to=b, mode="all", output="vpath"))


class Recursive(Engine):
    """Nodes in a table `n`, edges in `e`, walked by a recursive CTE that two engines read alike."""

    _connection: duckdb.DuckDBPyConnection | sqlite3.Connection

    def _count(self, query: str, *values: Any) -> int:
        return len(self._connection.execute(query, values).fetchall())

    def hop(self, node: int) -> int:
        return self._count("SELECT DISTINCT name FROM e JOIN n ON n.id = e.target WHERE e.source = ?", node)

    def bfs(self, node: int) -> int:
        return self._count(BFS, node)

    def meta_path(self, node: int) -> int:
        return self._count(META_PATH, *META, node)


class PlainDuckDB(Recursive):
    """Two sorted tables and SQL as one would write it: joins, and a recursive CTE."""

    name = "duckdb"

    def load(self) -> None:
        self._connection = duckdb.connect(str(self.folder / "graph.duckdb"))
        self._connection.execute(f"CREATE TABLE n AS SELECT id, name, kind FROM '{self.nodes}' ORDER BY id")
        self._connection.execute(
            f"CREATE TABLE e AS SELECT source, relation, target FROM '{self.edges}' ORDER BY source"
        )
        self._connection.execute("CHECKPOINT")


class SQLite(Recursive):
    """One table with an index on its source, and a recursive CTE."""

    name = "sqlite"

    def load(self) -> None:
        self._connection = sqlite3.connect(self.folder / "graph.sqlite")
        self._connection.execute("CREATE TABLE n (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
        self._connection.execute("CREATE TABLE e (source INTEGER, relation TEXT, target INTEGER)")
        self._connection.executemany("INSERT INTO n VALUES (?, ?, ?)", _tuples(self.nodes))
        self._connection.executemany("INSERT INTO e VALUES (?, ?, ?)", _tuples(self.edges))
        self._connection.execute("CREATE INDEX e_source ON e (source)")
        self._connection.commit()


class NetworkX(Engine):
    """A graph of Python objects; only for graphs of up to two million edges, since an edge takes half a kilobyte."""

    name = "networkx"
    largest = 2_000_000

    def load(self) -> None:
        import networkx

        self._graph = networkx.MultiDiGraph()
        self._graph.add_nodes_from(range(parquet.read_metadata(self.nodes).num_rows))
        self._graph.add_edges_from((source, target, relation) for source, relation, target in _tuples(self.edges))
        self._either = self._graph.to_undirected(as_view=True)

    def hop(self, node: int) -> int:
        return len(self._graph[node])

    def bfs(self, node: int) -> int:
        import networkx

        return len(networkx.single_source_shortest_path_length(self._graph, node, cutoff=3)) - 1

    def shortest(self, a: int, b: int) -> int:
        import networkx

        return len([networkx.shortest_path(self._either, a, b)])


BFS = """
WITH RECURSIVE walk (node, depth) AS (
    SELECT CAST(? AS INTEGER), 0
    UNION
    SELECT e.target, walk.depth + 1 FROM walk JOIN e ON e.source = walk.node WHERE walk.depth < 3
)
SELECT DISTINCT n.name FROM walk JOIN n ON n.id = walk.node WHERE walk.depth > 0
"""
META_PATH = """
SELECT DISTINCT n.name
FROM e AS one
JOIN e AS two ON two.source = one.target
JOIN e AS three ON three.source = two.target
JOIN n ON n.id = three.target
WHERE one.relation = ? AND two.relation = ? AND three.relation = ? AND one.source = ?
"""
POOL = 4 << 30
"""Memory for the pages of a graph database, in bytes."""
PEERS = (Ladybug, IGraph, PlainDuckDB, SQLite, NetworkX)


def _rows_of(result: Any) -> Iterator[Any]:
    while result.has_next():
        yield result.get_next()


def _tuples(path: Path) -> Iterator[tuple[Any, ...]]:
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=1 << 16):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)
