"""How time and space grow with the number of edges at a fixed degree; slopes in log-log, so 1 is linear and 0 is none.

`python benchmarks/growth.py --nodes 10000,50000,250000,1000000 --degree 20 --json out.json --html out.html`
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import graph
import power_law
import report


def run(folder: Path, *, sizes: Sequence[int], degree: int, repeat: int) -> dict[str, Any]:
    """One graph of each size, loaded and asked."""
    rows = []
    for nodes in sizes:
        click.echo(f"{nodes:,} nodes …", err=True)
        tables = power_law.write(folder / str(nodes), nodes=nodes, edges=nodes * degree)
        rng = random.Random(1)
        asked = [(rng.randrange(nodes), rng.randrange(nodes)) for _ in range(repeat + 1)]
        engine = graph.Mosaic(*tables, folder / str(nodes) / "mosaic")
        load = graph.timed(engine.load)
        opened = engine.open()
        measured = graph.measure(engine, asked)
        times = {operator: measured[operator]["ms"] for operator in graph.OPERATORS}
        rows.append({"edges": nodes * degree, "load_s": load, "bytes": engine.bytes, "warm_s": opened, **times})
    edges = [row["edges"] for row in rows]
    figures = [name for name in rows[0] if name != "edges"]
    return {
        "machine": report.machine(),
        "degree": degree,
        "sizes": rows,
        "slopes": {name: report.slope(edges, [row[name] for row in rows]) for name in figures},
    }


def lines(found: dict[str, Any]) -> list[list[str]]:
    """A column a size, and the slope."""
    table = [["edges", *(f"{row['edges']:,}" for row in found["sizes"]), "slope"]]
    for name, grows in found["slopes"].items():
        unit = {"load_s": "{:.1f} s", "warm_s": "{:.2f} s", "bytes": "{:,.0f}"}.get(name, "{:.1f} ms")
        table.append([name, *(unit.format(row[name]) for row in found["sizes"]), f"{grows:.2f}"])
    return table


@click.command()
@click.option("--nodes", default="10000,50000,250000,1000000", show_default=True, help="One graph each.")
@click.option("--degree", default=20, show_default=True, help="Edges a node.")
@click.option("--repeat", default=9, show_default=True, help="Questions of each kind, after one to warm up.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where graphs are kept; else in a folder that goes.")
@click.option("--json", "json_path", type=click.Path(path_type=Path))
@click.option("--html", "html_path", type=click.Path(path_type=Path))
def main(
    nodes: str, degree: int, repeat: int, folder: Path | None, json_path: Path | None, html_path: Path | None
) -> None:
    """Load and walk graphs of several sizes."""
    sizes = [int(size) for size in nodes.split(",")]
    with tempfile.TemporaryDirectory() as passing:
        found = run(folder or Path(passing), sizes=sizes, degree=degree, repeat=repeat)
    report.put(lines(found), found, title=f"{degree} edges a node", json_path=json_path, html_path=html_path)


if __name__ == "__main__":
    main()
