"""How fast the scored beam walks a large graph with vectors, beside the same search written in NumPy, in one run.

`python benchmarks/beam.py --nodes 1000000 --edges 20000000 --json out.json`

Nodes have made-up vectors, relations those of their names. A question starts from seven nodes and goes three edges far:
at each depth the eight best paths of each seed, by all nine features. The search in NumPy reads the same arrays and has
to come to the same paths.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import click
import numpy as np
import power_law
import pyarrow as pa
import report
from numpy.typing import NDArray
from pyarrow import parquet

import mosaic_sql
from mosaic_sql.database import Database, open_database
from mosaic_sql.resident import Resident

QUESTION = "which dataset extends the method that the person cites"
SEEDS, WIDTH, DEPTH, FAN = 7, 8, 3, 1000
DIMENSION, CENTRES = 384, 200
POLICY = {
    "operator": "beam",
    "max_depth": DEPTH,
    "beam_width": WIDTH,
    "beam_scope": "seed",
    "seed_limit": SEEDS,
    "fan_out": FAN,
    "use_connector": False,
    "stop_regime": "deep",
    "completeness_floor": 1.0,
}
SUMS = ("relation", "aim", "specific", "aligned", "coherent", "hub", "repeated", "last")
STAGES = ("node_score", "relation_score", "edge_score", "seed", "walk")
"""What a question costs between its names and its evidence."""


def write_vectors(nodes: Path, *, seed: int = 3) -> Path:
    """The table of nodes with a vector each, around a few centres, so that some are near to each other."""
    rng = np.random.default_rng(seed)
    centres = 0.7 * rng.standard_normal((CENTRES, DIMENSION)).astype(np.float32)
    table = parquet.read_table(nodes)
    path = nodes.with_name("nodes_with_vectors.parquet")
    with parquet.ParquetWriter(path, table.schema.append(pa.field("vector", pa.list_(pa.float32(), DIMENSION)))) as out:
        for batch in table.to_batches(max_chunksize=100_000):
            vectors = centres[rng.integers(0, CENTRES, len(batch))]
            vectors += rng.standard_normal((len(batch), DIMENSION)).astype(np.float32)
            column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.reshape(-1)), DIMENSION)
            out.write_table(pa.table({**{name: batch[name] for name in table.column_names}, "vector": column}))
    return path


class Twin:
    """The beam in NumPy over arrays in memory: what a careful programmer would write for this one search."""

    def __init__(self, database: Database, weights: dict[str, float]) -> None:
        resident = Resident.load(database)
        assert resident is not None
        self.starts, self.nodes, self.weights = resident.starts, resident.nodes, weights
        self.neighbours, self.edges, self.relations, _ = (
            column.to_numpy(zero_copy_only=False) for column in resident.steps
        )
        vectors = database.connection.execute("SELECT embedding::FLOAT[] FROM relation ORDER BY relation_id").fetchall()
        self.relation_vectors = np.array([vector for (vector,) in vectors], dtype=np.float32)

    def search(self, question: NDArray[np.float32], seeds: list[int]) -> list[list[int]]:
        """The nodes of the paths that are kept, all depths."""
        self.question, self.aims = question, self.nodes.vectors[self.nodes.places[seeds]]
        self.near = np.clip(np.vecdot(self.relation_vectors, question).astype(np.float64) / 16e6, 0, 1)
        paths = np.array(seeds)[:, None]
        edges, relations = np.zeros((SEEDS, 0), np.int64), np.zeros((SEEDS, 0), np.int64)
        sums = {name: np.zeros(SEEDS) for name in SUMS}
        kept: list[list[int]] = []
        for depth in range(1, DEPTH + 1):
            parent, step = self._expanded(paths)
            tail, relation, edge = self.neighbours[step], self.relations[step], self.edges[step]
            scored = self._scored(np.concatenate([tail, paths[:, -1]]), seeds)
            here, before = {k: v[: len(tail)] for k, v in scored.items()}, scored["similarity"][len(tail) :]
            r = self.near[relation]
            chosen = self._fan(parent, r, here["similarity"], edge)
            parent, tail, relation, edge, r = (a[chosen] for a in (parent, tail, relation, edge, r))
            here = {name: column[chosen] for name, column in here.items()}
            old = {name: column[parent] for name, column in sums.items()}
            grown = {
                "relation": old["relation"] + r,
                "aim": np.maximum(old["aim"], here["relevance"]),
                "specific": old["specific"] + here["specificity"],
                "aligned": old["aligned"] + (before[parent] + r + here["similarity"]) / 3,
                "coherent": old["coherent"] + (r if depth == 1 else np.minimum(r, old["last"])),
                "hub": old["hub"] + here["hub"],
                "repeated": old["repeated"] + (relations[parent] == relation[:, None]).any(axis=1),
                "last": r,
            }
            score = self._score(grown, depth)
            nodes, ways = np.c_[paths[parent], tail], np.c_[edges[parent], edge]
            best = self._best(nodes[:, 0], parent, score, ways)
            paths, edges, relations = nodes[best], ways[best], np.c_[relations[parent], relation][best]
            sums = {name: column[best] for name, column in grown.items()}
            kept += paths.tolist()
        return kept

    def _expanded(self, paths: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each step out of a path that does not come back to it: the path's row, and the step's."""
        first, counts = self.starts[paths[:, -1]], self.starts[paths[:, -1] + 1] - self.starts[paths[:, -1]]
        parent = np.repeat(np.arange(len(paths)), counts)
        step = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        new = (paths[parent] != self.neighbours[step][:, None]).all(axis=1)
        return parent[new], step[new]

    def _scored(self, ids: NDArray[np.int64], seeds: list[int]) -> dict[str, NDArray[np.float64]]:
        places = self.nodes.places[ids]
        vectors, rows = self.nodes.vectors[places], self.nodes.rows[ids]
        aims = np.concatenate([self.question[None], self.aims])
        near = np.vecdot(vectors[:, None, :], aims).astype(np.float64) / 16e6
        near = np.clip(near, 0, 1)
        return {
            "similarity": near[:, 0],
            "relevance": np.where(np.isin(ids, seeds), 1.0, near[:, 1:].max(axis=1)),
            "specificity": np.maximum(0, self.nodes.specificity[rows]) / 65536,
            "hub": self.nodes.hub_share[rows] / 65536,
        }

    def _fan(self, parent: NDArray[np.int64], *columns: NDArray[Any]) -> NDArray[np.int64]:
        """The rows of the best FAN steps of each path."""
        relation, similarity, edge = columns
        if np.bincount(parent).max() <= FAN:
            return np.arange(len(parent))
        order = np.lexsort((edge, -similarity, -relation, parent))
        ends = np.cumsum(np.bincount(parent))
        place = np.arange(len(order)) - np.concatenate([[0], ends[:-1]])[parent[order]]
        return order[place < FAN]

    def _score(self, sums: dict[str, NDArray[np.float64]], depth: int) -> NDArray[np.float64]:
        """Eq. 8; no chunk speaks for an edge, and no name is a question."""
        w = self.weights
        return (
            w["relation_similarity"] * (sums["relation"] / depth)
            + w["target_relevance"] * sums["aim"]
            + w["specificity"] * (sums["specific"] / depth)
            + w["transition_alignment"] * (sums["aligned"] / depth)
            + w["coherence"] * (sums["coherent"] / depth)
            - w["hub_exposure"] * (sums["hub"] / depth)
            - w["repetition"] * (sums["repeated"] / depth)
        )

    def _best(
        self, seed: NDArray[np.int64], parent: NDArray[np.int64], score: NDArray[np.float64], ways: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """The rows of the best WIDTH paths of each seed; of two over the same edges the better one, for all seeds."""
        order = np.lexsort((*ways.T[::-1], parent, -score))
        _, first = np.unique(np.sort(ways, axis=1)[order], axis=0, return_index=True)
        order = order[np.sort(first)]
        found: NDArray[np.int64] = np.concatenate([order[seed[order] == one][:WIDTH] for one in np.unique(seed)])
        return found[np.lexsort((parent[found], -score[found]))]


def run(folder: Path, *, nodes: int, edges: int, repeat: int) -> dict[str, Any]:
    """Both on one graph."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "beam.duckdb"
    if not path.exists():
        tables = power_law.write(folder / "graph", nodes=nodes, edges=edges)
        with mosaic_sql.open(path) as corpus:
            corpus.import_graph(nodes=str(write_vectors(tables[0])), edges=str(tables[1]), embed="relations")
    rng = random.Random(1)
    rows: list[dict[str, float]] = []
    with open_database(path, read_only=True) as database:
        twin = Twin(database, mosaic_sql.default_policy("beam").walk.weights.model_dump())
    with mosaic_sql.open(path, read_only=True) as corpus:
        corpus.warm()
        for _ in range(repeat + 1):
            names = [f"node {rng.randrange(nodes)}" for _ in range(SEEDS)]
            rows.append(one(corpus, twin, names))
    figures = {name: statistics.median(row[name] for row in rows[1:]) for name in rows[0]}
    return {"machine": report.machine(), "nodes": nodes, "edges": edges, "asked": repeat, "ms": figures}


def one(corpus: mosaic_sql.Corpus, twin: Twin, names: list[str]) -> dict[str, float]:
    """One question from some nodes by both, in ms; they have to keep the same paths."""
    started = time.perf_counter()
    found = corpus.retrieve(QUESTION, policy={**POLICY, "anchors": names})
    whole = time.perf_counter() - started
    (question,) = next(one for one in found.statements if one.stage == "question").params["questions"]
    vector, seeds = np.array(question["embedding"], np.float32), [target["node_id"] for target in question["targets"]]
    started = time.perf_counter()
    paths = twin.search(vector, seeds)
    bare = time.perf_counter() - started
    kept = [row["nodes"] for row in found.walk.rows.to_pylist() if row["kept"] and row["depth"]]
    if sorted(kept) != sorted(paths):
        raise click.ClickException(f"the two searches differ, from {', '.join(names)}")
    stages = {stage.stage: stage.milliseconds for stage in found.stages}
    beam = sum(stages[name] for name in STAGES)
    return {"whole": 1000 * whole, "beam": beam, "walk": stages["walk"], "numpy": 1000 * bare}


def lines(found: dict[str, Any]) -> list[list[str]]:
    """The report as a table."""
    figures = found["ms"]
    told = {
        "walk": "walk: the beam itself",
        "beam": "scores, seeds and walk",
        "whole": "whole retrieval, kept",
        "numpy": "NumPy: scores and walk",
    }
    return [["", "ms", "over NumPy"]] + [
        [text, f"{figures[name]:.1f}", f"× {figures[name] / figures['numpy']:.2f}"] for name, text in told.items()
    ]


@click.command()
@click.option("--nodes", default=1_000_000, show_default=True)
@click.option("--edges", default=20_000_000, show_default=True)
@click.option("--repeat", default=9, show_default=True, help="Questions, after one to warm up.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where the graph is kept; else in a folder that goes.")
@click.option("--json", "json_path", type=click.Path(path_type=Path))
@click.option("--html", "html_path", type=click.Path(path_type=Path))
def main(
    nodes: int, edges: int, repeat: int, folder: Path | None, json_path: Path | None, html_path: Path | None
) -> None:
    """Walk one graph by the beam, in SQL and in NumPy."""
    with tempfile.TemporaryDirectory() as passing:
        found = run(folder or Path(passing), nodes=nodes, edges=edges, repeat=repeat)
    title = f"The beam, {nodes:,} nodes, {edges:,} edges"
    report.put(lines(found), found, title=title, json_path=json_path, html_path=html_path)


if __name__ == "__main__":
    main()
