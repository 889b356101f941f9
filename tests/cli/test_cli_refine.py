"""What comes after the walk, on the command line: asked in words or set by name, explained, printed, refused."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest
from conftest import Run

EDGES = "source,relation,target\n" + "".join(f"{name},country,Veldland\n" for name in ("Orsk", "Belmont", "Carrow"))
NODES = "id,name,kind,population\nOrsk,Orsk,city,310000\nBelmont,Belmont,city,2400000\nCarrow,Carrow,city,95000\n"
NODES += "Veldland,Veldland,country,\n"
WALK = ("--anchor", "Veldland", "--operator", "meta_path", "--set", "pattern=^country")


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    """A graph of three cities."""
    folder = tmp_path_factory.mktemp("towns")
    (folder / "edges.csv").write_text(EDGES, encoding="utf-8")
    (folder / "nodes.csv").write_text(NODES, encoding="utf-8")
    path = folder / "towns.duckdb"
    done = run(
        "import-graph", path, "--nodes", folder / "nodes.csv", "--edges", folder / "edges.csv", "--embed", "none"
    )
    assert done.exit_code == 0, done.output
    return path


def test_a_question_in_words(run: Run, towns: Path) -> None:
    done = run("ask", towns, "What are the two biggest cities of Veldland?")
    assert done.stdout.splitlines()[:2] == ["Belmont (population 2400000) [1]", "Orsk (population 310000) [2]"]


def test_controls_by_name(run: Run, towns: Path) -> None:
    controls = ("--set", "filters=population < 1000000", "--set", "count_only=true")
    assert run("ask", towns, "which?", *WALK, *controls).stdout.splitlines()[0] == "2"
    listed = ("--set", 'filters=["population < 1000000", "name != Orsk"]')
    assert run("ask", towns, "which?", *WALK, *listed).stdout.splitlines()[0] == "Carrow [1]"


def test_explain_and_sql_show_the_stage(run: Run, towns: Path) -> None:
    question = "What are the two biggest cities of Veldland?"
    assert "refine     3 in, 2 kept, 1 dropped by limit" in run("explain", towns, question).stdout
    told = json.loads(run("explain", towns, question, "--json").stdout)
    assert told["refined"]["pruned"] == {"limit": 1}
    script = run("sql", towns, question).stdout
    assert "-- refine: refine.refine." in script
    assert "biggest" not in script.split("CREATE OR REPLACE TEMPORARY TABLE refine")[1]


def test_all_of_a_kind_are_retrieved_though_no_edge_leads_to_them(run: Run, towns: Path) -> None:
    question = "How many cities are there?"
    rows = json.loads(run("retrieve", towns, question, "--json").stdout)
    assert [(row["unit_kind"], row["role"], row["text"]) for row in rows] == [
        ("node", "answer", name) for name in ("Orsk", "Belmont", "Carrow")
    ]
    done = run("retrieve", towns, question, "--fail-on-empty")
    assert (done.exit_code, "3 units of evidence, " in done.stderr) == (0, True)
    with duckdb.connect(str(towns), read_only=True) as shell:
        last = shell.execute(run("sql", towns, question).stdout).fetchall()
    assert [row[6] for row in last] == [row["text"] for row in rows]
    assert run("ask", towns, question).stdout.splitlines()[0] == "3"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("attribute=popluation", "no property `popluation`; did you mean `population`?"),
        ("filters=population > many", "population is compared as a number, and `many` is none"),
        ("filters=population", "write NAME < VALUE"),
        ("sort_by=size", "refine.sort_by"),
    ],
)
def test_what_cannot_be_is_one_line(run: Run, towns: Path, setting: str, message: str) -> None:
    done = run("ask", towns, "which?", *WALK, "--set", setting)
    assert done.exit_code == 1
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
