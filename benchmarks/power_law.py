"""A graph as a user would bring one: `nodes.parquet` and `edges.parquet`, few nodes with very many edges.

`python benchmarks/power_law.py FOLDER --nodes 1000000 --edges 20000000`
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
import pyarrow as pa
from pyarrow import parquet

RELATIONS = ("cites", "uses", "extends", "follows", "reviews", "names")
KINDS = ("paper", "method", "dataset", "person")


def write(folder: Path, *, nodes: int, edges: int, seed: int = 7) -> tuple[Path, Path]:
    """Edges leave nodes evenly and arrive by a power law: the degree of the r-th node falls with the root of r."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    places = rng.permutation(nodes)
    sources = np.sort(rng.integers(0, nodes, edges))
    targets = places[(nodes * rng.random(edges) ** 2).astype(np.int64)]
    relations = pa.DictionaryArray.from_arrays(rng.integers(0, len(RELATIONS), edges, dtype=np.int32), RELATIONS)
    ids = np.arange(nodes)
    names = pa.array([f"node {number}" for number in range(nodes)])
    kinds = pa.DictionaryArray.from_arrays((ids % len(KINDS)).astype(np.int32), KINDS)
    paths = folder / "nodes.parquet", folder / "edges.parquet"
    parquet.write_table(pa.table({"id": ids, "name": names, "kind": kinds}), paths[0])
    parquet.write_table(pa.table({"source": sources, "relation": relations, "target": targets}), paths[1])
    return paths


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--nodes", default=1_000_000, show_default=True)
@click.option("--edges", default=20_000_000, show_default=True)
def main(folder: Path, nodes: int, edges: int) -> None:
    """Write the two tables into FOLDER."""
    for path in write(folder, nodes=nodes, edges=edges):
        click.echo(path)


if __name__ == "__main__":
    main()
