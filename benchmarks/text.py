"""How fast passages are indexed and asked, at several sizes, beside either arm alone and what arrays allow.

`python benchmarks/text.py --sizes 1000,10000,100000 --json out.json --html out.html`. One question after another takes
one thread of the engine on every side; questions side by side, a cursor each, share as many as there are cores. Each
holds the embedding of the question. Times are of one machine in one run: read them as ratios.
"""

from __future__ import annotations

import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import duckdb
import numpy as np
import passages
import report

import mosaic_sql
from mosaic_sql.models import load_embedder

THREADS = (1, 4, 8)
WARM_UP = 5
"""Questions asked before the clock counts."""
SAMPLE = 128
"""Passages that are embedded to tell what the model takes."""
TOP = 10
SHARED = f"SET threads = {max(3, 1 + (os.cpu_count() or 1))}"
"""The engine's threads for cursors side by side: what works for them is one less."""


class Mosaic:
    """This project: the default policy."""

    name = "mosaic"

    def __init__(self, path: Path) -> None:
        self.corpus = mosaic_sql.open(path, read_only=True, trace=False)
        self.corpus.warm()
        self.stages: dict[str, list[float]] = {}

    def ask(self, question: str) -> list[Any]:
        """The evidence."""
        found = self.corpus.retrieve(question)
        for stage in found.stages:
            self.stages.setdefault(stage.stage, []).append(stage.milliseconds)
        return found.evidence.rows["chunk_id"].to_pylist()

    def twin(self) -> Callable[[str], list[Any]]:
        """The same for another thread."""
        corpus = self.corpus.cursor()
        return lambda question: corpus.retrieve(question).evidence.rows["chunk_id"].to_pylist()


class Lexical:
    """BM25 alone, as a plain DuckDB client asks it: the macro in the file."""

    name = "bm25"

    def __init__(self, path: Path) -> None:
        self.connection = duckdb.connect(str(path), read_only=True, config={"threads": 1})

    def ask(self, question: str) -> list[Any]:
        """The best chunks."""
        return _lexical(self.connection, question)

    def twin(self) -> Callable[[str], list[Any]]:
        """The same for another thread."""
        connection = self.connection.cursor()
        connection.execute(SHARED)
        return lambda question: _lexical(connection, question)


class Dense:
    """Vectors alone: the question embedded, its product with all of them in SQL."""

    name = "dense"

    def __init__(self, path: Path) -> None:
        self.connection = duckdb.connect(str(path), read_only=True, config={"threads": 1})
        self.embed = _embedder()

    def ask(self, question: str) -> list[Any]:
        """The best chunks."""
        return _dense(self.connection, self.embed(question))

    def twin(self) -> Callable[[str], list[Any]]:
        """The same for another thread."""
        connection = self.connection.cursor()
        connection.execute(SHARED)
        return lambda question: _dense(connection, self.embed(question))


class Arrays:
    """What arrays allow: the question embedded, one matrix product and the best ten, no words and no walk."""

    name = "numpy"

    def __init__(self, path: Path) -> None:
        with duckdb.connect(str(path), read_only=True) as connection:
            rows = connection.sql("SELECT embedding FROM chunk ORDER BY chunk_id").fetchnumpy()["embedding"]
        self.vectors = np.stack(list(rows)).astype(np.float32)
        self.embed = _embedder()

    def ask(self, question: str) -> list[Any]:
        """The best chunks."""
        scores = self.vectors @ self.embed(question)
        best = np.argpartition(-scores, TOP)[:TOP]
        return list(best[np.argsort(-scores[best], kind="stable")])

    def twin(self) -> Callable[[str], list[Any]]:
        """The same for another thread."""
        return self.ask


ENGINES = (Mosaic, Lexical, Dense, Arrays)


def _embedder() -> Callable[[str], np.ndarray]:
    model = load_embedder("minilm")
    assert model is not None
    return lambda question: model.embed([question])[0]


def _lexical(connection: duckdb.DuckDBPyConnection, question: str) -> list[Any]:
    return connection.execute("SELECT chunk_id FROM mosaic_bm25(?) LIMIT ?", [question, TOP]).fetchall()


def _dense(connection: duckdb.DuckDBPyConnection, vector: np.ndarray) -> list[Any]:
    asked = "SELECT chunk_id FROM chunk ORDER BY array_inner_product(embedding, ?::FLOAT[384]) DESC, chunk_id LIMIT ?"
    return connection.execute(asked, [vector.tolist(), TOP]).fetchall()


def index(folder: Path, count: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Make the file in a process of its own; passages a second, memory, and the share that a model would add."""
    written = passages.write(folder, count=count)
    path = folder / "passages.duckdb"
    path.unlink(missing_ok=True)
    command = [sys.executable, str(Path(__file__).parent.parent / "cli.py"), "add", str(path), str(written.passages)]
    started = time.perf_counter()
    subprocess.run([*command, "--vector-column", "vector"], check=True, capture_output=True)
    took = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "index_s": took,
        "passages_per_s": count / took,
        "bytes": path.stat().st_size,
        "index_peak_bytes": peak,
        "embedding_s": _embedding(written.passages, count),
    }, written.questions


def _embedding(path: Path, count: int) -> float:
    """Seconds that the bundled model takes for as many passages, from a sample of them."""
    model = load_embedder("minilm")
    assert model is not None
    texts = duckdb.execute("SELECT title || '. ' || text FROM read_parquet(?) LIMIT ?", [str(path), SAMPLE]).fetchall()
    model.embed([text for (text,) in texts[:8]])
    started = time.perf_counter()
    model.embed([text for (text,) in texts])
    return (time.perf_counter() - started) * count / len(texts)


def measure(engine: Any, questions: Sequence[str]) -> dict[str, Any]:
    """Times of one question after another, and questions a second with more threads that ask."""
    for question in questions[:WARM_UP]:
        engine.ask(question)
    getattr(engine, "stages", {}).clear()
    times, alone = [], []
    for question in questions:
        started = time.perf_counter()
        alone.append(engine.ask(question))
        times.append(1000 * (time.perf_counter() - started))
    times.sort()
    found: dict[str, Any] = {
        "p50_ms": statistics.median(times),
        "p95_ms": times[min(len(times) - 1, math.ceil(0.95 * len(times)) - 1)],
        "stages_ms": {name: statistics.median(own) for name, own in getattr(engine, "stages", {}).items()},
        "per_s": {},
    }
    found["per_s"][1] = 1000 * len(times) / sum(times)
    for threads in THREADS[1:]:
        rate, same = _throughput(engine, questions, threads, alone)
        found["per_s"][threads] = rate
        found["same_rows"] = found.get("same_rows", True) and same
    return found


def _throughput(engine: Any, questions: Sequence[str], threads: int, alone: Sequence[Any]) -> tuple[float, bool]:
    """Questions a second of so many threads, each with a cursor of its own, and whether all rows were as of one."""
    twins = [engine.twin() for _ in range(threads)]
    for twin in twins:
        twin(questions[0])

    def work(number: int) -> bool:
        own = range(number, len(questions), threads)
        return all(twins[number](questions[place]) == alone[place] for place in own)

    with ThreadPoolExecutor(threads) as pool:
        started = time.perf_counter()
        same = all(pool.map(work, range(threads)))
        return len(questions) / (time.perf_counter() - started), same


def run(folder: Path, *, sizes: Sequence[int], questions: int) -> dict[str, Any]:
    """Every size, every engine."""
    found: dict[str, Any] = {
        "machine": report.machine(),
        "sizes": {},
    }
    for size in sizes:
        click.echo(f"{size:,} passages …", err=True)
        made, asked = index(folder / str(size), size)
        path = folder / str(size) / "passages.duckdb"
        engines = {engine.name: measure(engine(path), asked[:questions]) for engine in ENGINES}
        found["sizes"][size] = {**made, "engines": engines}
    if len(sizes) > 1:
        every = list(found["sizes"].values())
        found["slopes"] = {
            "index_s": report.slope(sizes, [one["index_s"] for one in every]),
            "p50_ms": report.slope(sizes, [one["engines"]["mosaic"]["p50_ms"] for one in every]),
        }
    return found


def lines(found: dict[str, Any]) -> list[list[str]]:
    """The report as a table: a column a size; in brackets this project's figure over the other's."""
    sizes = found["sizes"]
    table = [["passages", *(f"{size:,}" for size in sizes)]]
    table.append(["indexed, passages/s", *(f"{one['passages_per_s']:,.0f}" for one in sizes.values())])
    table.append(["the model's share, s", *(f"{one['embedding_s']:,.0f}" for one in sizes.values())])
    table.append(["on disk, bytes", *(f"{one['bytes']:,}" for one in sizes.values())])
    table.append(["peak while indexing, bytes", *(f"{one['index_peak_bytes']:,}" for one in sizes.values())])
    for engine in ENGINES:
        for name, what in (("p50_ms", "p50"), ("p95_ms", "p95")):
            table.append(
                [f"{engine.name} {what}", *(_ratio(one["engines"], engine.name, name) for one in sizes.values())]
            )
    for threads in THREADS:
        for engine in ENGINES:
            rates = [one["engines"][engine.name]["per_s"] for one in sizes.values()]
            told = [f"{rate[threads]:.1f}/s (× {rate[threads] / rate[1]:.2f})" for rate in rates]
            table.append([f"{engine.name}, {threads} threads", *told])
    for stage in next(iter(sizes.values()))["engines"]["mosaic"]["stages_ms"]:
        every = [one["engines"]["mosaic"]["stages_ms"].get(stage) for one in sizes.values()]
        table.append([f"stage {stage}", *("–" if own is None else f"{own:.1f} ms" for own in every)])
    slopes = found.get("slopes", {})
    for name, what in (("index_s", "index time grows with"), ("p50_ms", "p50 grows with")):
        table += [[what, f"size^{slopes[name]:.2f}", *[""] * (len(sizes) - 1)]] if slopes else []
    return table


def _ratio(engines: dict[str, Any], name: str, figure: str) -> str:
    own, other = engines["mosaic"][figure], engines[name][figure]
    return f"{other:.1f} ms" + ("" if name == "mosaic" else f" (× {own / other:.2f})")


@click.command()
@click.option("--sizes", default="1000,10000,100000", show_default=True, help="Passages, one file each.")
@click.option("--questions", default=40, show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), help="Where files are kept; else in a folder that goes.")
@click.option("--json", "json_path", type=click.Path(path_type=Path))
@click.option("--html", "html_path", type=click.Path(path_type=Path))
def main(sizes: str, questions: int, folder: Path | None, json_path: Path | None, html_path: Path | None) -> None:
    """Index and ask passages at several sizes."""
    many = [int(size) for size in sizes.split(",")]
    with tempfile.TemporaryDirectory() as passing:
        found = run(folder or Path(passing), sizes=many, questions=questions)
    title = " / ".join(f"{size:,}" for size in many) + " passages"
    report.put(lines(found), found, title=title, json_path=json_path, html_path=html_path)


if __name__ == "__main__":
    main()
