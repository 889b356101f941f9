"""The benchmarks run, and every engine that is there gives the same answers."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]


def test_a_small_graph_is_walked_alike_by_every_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import graph

    told, page = tmp_path / "out.json", tmp_path / "out.html"
    asked = ["--nodes", "1000", "--edges", "5000", "--repeat", "1", "--peers", "duckdb,sqlite,networkx"]
    done = CliRunner().invoke(graph.main, [*asked, "--json", str(told), "--html", str(page)], catch_exceptions=False)
    assert done.exit_code == 0
    engines = json.loads(told.read_text(encoding="utf-8"))["engines"]
    assert {"mosaic", "duckdb", "sqlite", "networkx"} <= set(engines)
    for operator in ("hop", "meta_path"):
        rows = {tuple(engine[operator]["rows"]) for engine in engines.values() if operator in engine}
        assert len(rows) == 1, operator
    assert engines["mosaic"]["bfs"]["rows"] == engines["networkx"]["bfs"]["rows"]
    assert "1,000 nodes, 5,000 edges" in page.read_text(encoding="utf-8")
    sys.modules.pop("graph")
