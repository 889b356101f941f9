"""How fast a large graph is loaded and walked, beside what a user would pick instead, in one run.

`python benchmarks/graph.py --nodes 1000000 --edges 20000000 --json out.json --html out.html`, after
`pip install -e '.[bench]'` for the peers; those that are not installed are left out. Times are of the same machine in
the same run, so read them as ratios.
"""

from __future__ import annotations

import importlib.util
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import power_law
import report
from peers import HOPS, META, PEERS, Engine, Ladybug

import mosaic_sql

OPERATORS = ("hop", "bfs", "meta_path", "shortest", "constrained")
SLOW = 10.0
"""Seconds from which a question is asked once and not again."""
_WIDE = {"fan_out": 10_000_000, "row_budget": 100_000_000}


class Mosaic(Engine):
    """This project, in the file that `mosaic import-graph` makes."""

    name = "mosaic"

    @property
    def path(self) -> Path:
        """The corpus."""
        return self.folder / "graph.duckdb"

    def load(self) -> None:
        with mosaic_sql.open(self.path) as corpus:
            corpus.import_graph(nodes=str(self.nodes), edges=str(self.edges), embed="none")

    def open(self) -> float:
        """Open the file and take the graph into memory; seconds."""
        started = time.perf_counter()
        self._corpus = mosaic_sql.open(self.path, read_only=True)
        self._corpus.warm()
        return time.perf_counter() - started

    def hop(self, node: int) -> int:
        return len(self._corpus.match(f"node {node}", "any", policy=_WIDE))

    def bfs(self, node: int) -> int:
        return len(self._corpus.match(f"node {node}", "any{1,3}", policy=_WIDE))

    def meta_path(self, node: int) -> int:
        return len(self._corpus.match(f"node {node}", "/".join(META), policy=_WIDE))

    def shortest(self, a: int, b: int) -> int:
        return len(self._corpus.paths(f"node {a}", f"node {b}", policy={"max_depth": HOPS}))

    def constrained(self, a: int, b: int) -> int:
        pattern = f"cites / ~any{{1,{HOPS - 1}}}"
        return len(self._corpus.paths(f"node {a}", f"node {b}", pattern=pattern, policy={"max_depth": HOPS}))

    def first_answer(self, node: int) -> float:
        """From the start of the command to its answer, in a process of its own; seconds."""
        question = [str(self.path), f"node {node}", "/".join(META), "--json"]
        command = [sys.executable, str(Path(__file__).parent.parent / "cli.py"), "match", *question]
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return time.perf_counter() - started


def measure(engine: Engine, questions: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The median time of each operator over the questions after one to warm up, and what each answered."""
    found: dict[str, Any] = {}
    for operator in OPERATORS:
        ask = getattr(engine, operator)
        takes_two = operator in ("shortest", "constrained")
        times, rows = [], []
        for number, (a, b) in enumerate(questions):
            started = time.perf_counter()
            rows.append(ask(a, b) if takes_two else ask(a))
            took = time.perf_counter() - started
            times += [took] if number or took > SLOW else []
            if took > SLOW or rows[-1] is None:
                break
        if rows[-1] is not None:
            times.sort()
            p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
            median = statistics.median(times)
            found[operator] = {"ms": 1000 * median, "p95_ms": 1000 * p95, "asked": len(times), "rows": rows}
    return found


def timed(work: Callable[[], Any]) -> float:
    """Seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def run(folder: Path, *, nodes: int, edges: int, repeat: int, peers: Sequence[str]) -> dict[str, Any]:
    """Every engine on one graph."""
    tables = power_law.write(folder / "graph", nodes=nodes, edges=edges)
    rng = random.Random(1)
    questions = [(rng.randrange(nodes), rng.randrange(nodes)) for _ in range(repeat + 1)]
    mosaic = Mosaic(*tables, folder / "mosaic")
    found: dict[str, Any] = {
        "nodes": nodes,
        "edges": edges,
        "machine": report.machine(),
        "engines": {},
    }
    load = timed(mosaic.load)
    first = [mosaic.first_answer(a) for a, _ in questions[: min(3, repeat)]]
    opened = mosaic.open()
    found["engines"]["mosaic"] = {
        "load_s": load,
        "bytes": mosaic.bytes,
        "first_answer_ms": 1000 * statistics.median(first),
        "warm_s": opened,
        **measure(mosaic, questions),
    }
    for peer in PEERS:
        if peer.name not in peers or not _is_there(peer.name) or edges > getattr(peer, "largest", edges):
            continue
        click.echo(f"{peer.name} …", err=True)
        engine = peer(*tables, folder / peer.name)
        if isinstance(engine, Ladybug):
            engine.prepare(tables[1], folder)
        load = timed(engine.load)
        found["engines"][peer.name] = {"load_s": load, "bytes": engine.bytes, **measure(engine, questions)}
    return found


def _is_there(module: str) -> bool:
    return importlib.util.find_spec({"sqlite": "sqlite3"}.get(module, module)) is not None


def lines(found: dict[str, Any]) -> list[list[str]]:
    """The report as a table: a row a measure, a column an engine, ratios of mosaic to the others beside the times."""
    engines = found["engines"]
    own = engines["mosaic"]
    table = [["", *engines]]
    for name, what, form in (("load_s", "bulk load", "{:.1f} s"), ("bytes", "on disk", "{:,.0f} bytes")):
        table.append([what, *(_cell(own[name], one.get(name), form, one is own) for one in engines.values())])
    for operator in OPERATORS:
        mine = own[operator]["ms"]
        cells = [_cell(mine, one.get(operator, {}).get("ms"), "{:.1f} ms", one is own) for one in engines.values()]
        table.append([operator.replace("_", "-"), *cells])
    table.append(["first answer, command line", f"{own['first_answer_ms']:.0f} ms", *[""] * (len(engines) - 1)])
    table.append(["graph into memory", f"{own['warm_s']:.1f} s", *[""] * (len(engines) - 1)])
    return table


def _cell(mine: float, theirs: float | None, form: str, is_own: bool) -> str:
    if theirs is None:
        return "–"
    return form.format(theirs) + ("" if is_own or not theirs else f" (× {mine / theirs:.2f})")


@click.command()
@click.option("--nodes", default=1_000_000, show_default=True)
@click.option("--edges", default=20_000_000, show_default=True)
@click.option("--repeat", default=9, show_default=True, help="Questions of each kind, after one to warm up.")
@click.option("--peers", default=",".join(peer.name for peer in PEERS), show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), help="Where graphs are kept; else in a folder that goes.")
@click.option("--json", "json_path", type=click.Path(path_type=Path))
@click.option("--html", "html_path", type=click.Path(path_type=Path))
def main(
    nodes: int,
    edges: int,
    repeat: int,
    peers: str,
    folder: Path | None,
    json_path: Path | None,
    html_path: Path | None,
) -> None:
    """Load and walk one graph with every engine."""
    with tempfile.TemporaryDirectory() as passing:
        found = run(folder or Path(passing), nodes=nodes, edges=edges, repeat=repeat, peers=peers.split(","))
    title = f"{nodes:,} nodes, {edges:,} edges"
    report.put(lines(found), found, title=title, json_path=json_path, html_path=html_path)


if __name__ == "__main__":
    main()
