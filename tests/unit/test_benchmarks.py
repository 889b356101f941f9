"""The benchmarks run, and every engine that is there gives the same answers."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder of the benchmarks, whose modules bear common names."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    yield
    for module in ("graph", "growth", "passages", "report", "text"):
        sys.modules.pop(module, None)


def test_a_small_graph_is_walked_alike_by_every_engine(tmp_path: Path) -> None:
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


def test_graphs_of_two_sizes_tell_how_figures_grow(tmp_path: Path) -> None:
    import growth

    told = tmp_path / "out.json"
    asked = ["--nodes", "200,400", "--degree", "3", "--repeat", "1", "--json", str(told)]
    done = CliRunner().invoke(growth.main, asked, catch_exceptions=False)
    found = json.loads(told.read_text(encoding="utf-8"))
    assert [row["edges"] for row in found["sizes"]] == [600, 1200]
    assert found["slopes"]["bytes"] > -0.01
    assert "slope" in done.output


def test_passages_are_indexed_and_asked_by_every_engine_with_the_same_rows_on_all_threads(tmp_path: Path) -> None:
    import text

    told, page = tmp_path / "out.json", tmp_path / "out.html"
    asked = ["--sizes", "30", "--questions", "2", "--json", str(told), "--html", str(page)]
    done = CliRunner().invoke(text.main, asked, catch_exceptions=False)
    assert done.exit_code == 0
    engines = json.loads(told.read_text(encoding="utf-8"))["sizes"]["30"]["engines"]
    assert set(engines) == {"mosaic", "bm25", "dense", "numpy"}
    assert all(engine["same_rows"] for engine in engines.values())
    assert "30 passages" in page.read_text(encoding="utf-8")


def test_a_slope_is_the_power_by_which_a_figure_grows() -> None:
    import report

    assert report.slope([10, 100, 1000], [2, 20, 200]) == pytest.approx(1)
    assert report.slope([10, 100, 1000], [5, 5, 5]) == pytest.approx(0)
