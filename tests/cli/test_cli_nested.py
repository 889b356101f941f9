"""Questions with described parts on the command line: the tree of steps, JSON, the runs kept, the script."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import Result

import mosaic_sql

Run = Callable[..., Result]

TRIPLES = """Heat,directed_by,Michael Mann
Thief,directed_by,Michael Mann
Heat,starred_actors,Al Pacino
Heat,starred_actors,Robert De Niro
Ronin,starred_actors,Robert De Niro
Serpico,starred_actors,Al Pacino
Thief,starred_actors,James Caan
"""
QUESTION = "How is the director of the film that Al Pacino and Robert De Niro starred in related to James Caan?"
FILM = "the film that Al Pacino and Robert De Niro starred in"
NOBODY = "Who directed the film that Al Pacino and James Caan starred in?"


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    (folder / "triples.csv").write_text(TRIPLES, encoding="utf-8")
    with mosaic_sql.open(folder / "films.duckdb", embedder="none") as corpus:
        corpus.import_graph(folder / "triples.csv", header=False, embed="none")
    return folder / "films.duckdb"


def test_explain_shows_the_steps_as_a_tree(run: Run, films: Path) -> None:
    told = run("explain", films, QUESTION).output.splitlines()
    lines = [line for line in told if line.startswith(("step ", "  "))]
    assert [line.partition("; run ")[0] for line in lines] == [
        f"step       anchor: the director of {FILM} -> Michael Mann (1 node)",
        "             meta_path directed_by",
        f"step         anchor: {FILM} -> Heat (1 node)",
        "               meta_path ^starred_actors",
        "step           condition: Which film Al Pacino starred in? -> Heat, Serpico (2 nodes)",
        "                 meta_path ^starred_actors",
    ]
    assert f"target     the director of {FILM} -> Michael Mann (weight 1, described)" in told


def test_explain_as_json_holds_each_step_with_its_run_and_its_sql(run: Run, films: Path) -> None:
    told = json.loads(run("explain", films, QUESTION, "--json").output)
    above, runs = told, [told["run"]]
    while above["steps"]:
        (step,) = above["steps"]
        assert (step["parent_run"], step["told"]["run"]) == (above["run"], step["run"])
        with duckdb.connect(films, read_only=True) as plain:
            plain.execute(step["sql"])
            rows = plain.execute("SELECT v.name FROM walk w JOIN node v ON v.node_id = w.tail_id WHERE w.rank > 0")
            assert sorted(name for (name,) in rows.fetchall()) == sorted(step["nodes"])
        runs.append(step["run"])
        above = step["told"]
    assert len(set(runs)) == 4
    assert above["depths"]
    assert told["unresolved"] == ""


def test_an_answer_names_what_its_parts_stand_for(run: Run, films: Path) -> None:
    written = run("ask", films, QUESTION).output
    assert f"the director of {FILM}: Michael Mann (1 node)" in written
    assert "They are joined by: Michael Mann <-directed_by- Thief -starred_actors-> James Caan" in written
    assert "Al Pacino <-starred_actors- Heat" in written
    (step,) = json.loads(run("ask", films, QUESTION, "--json").output)["steps"]
    assert [node["name"] for node in step["nodes"]] == ["Michael Mann"]
    assert [inner["text"] for inner in step["steps"]] == [FILM]


def test_an_answer_says_which_part_stands_for_nothing(run: Run, films: Path) -> None:
    result = run("ask", films, NOBODY, "--fail-on-empty")
    assert result.exit_code == 4
    assert "“the film that Al Pacino and James Caan starred in” stands for nothing" in result.output


def test_retrieve_says_what_parts_stand_for_beside_the_rows(run: Run, films: Path) -> None:
    result = run("retrieve", films, QUESTION, "--json")
    assert f"the director of {FILM}: Michael Mann (1 node)" in result.stderr
    assert [row["source"] for row in json.loads(result.stdout)] == [None, None]


def kept(path: Path) -> list[tuple[Any, ...]]:
    with duckdb.connect(path, read_only=True) as plain:
        return plain.execute("SELECT run_id, parent_run_id, question FROM run ORDER BY started_at, run_id").fetchall()


def test_a_kept_run_takes_its_steps_along_into_a_file_of_an_older_version_too(run: Run, films: Path) -> None:
    runs = films.with_name("films.runs.duckdb")
    assert run("ask", films, "Who is the director of Heat?", "--keep").exit_code == 0
    with duckdb.connect(runs) as plain:
        plain.execute("ALTER TABLE run DROP COLUMN parent_run_id")
    assert run("ask", films, QUESTION, "--keep").exit_code == 0
    first, *steps, last = kept(runs)
    assert first[1:] == (None, "Who is the director of Heat?")
    assert last[1:] == (None, QUESTION)
    assert len(steps) == 3
    assert [parent for _, parent, _ in steps] == [*(run_id for run_id, _, _ in steps[1:]), last[0]]
    with duckdb.connect(runs, read_only=True) as plain:
        walked = plain.execute("SELECT DISTINCT run_id FROM walk").fetchall()
    assert {run_id for (run_id,) in walked} == {run_id for run_id, _, _ in kept(runs)}


def test_the_limit_of_what_a_part_stands_for_is_an_option(run: Run, films: Path) -> None:
    told = run(
        "explain", films, "How are the films directed by Michael Mann related to Ronin?", "--set", "described_limit=1"
    ).output
    assert "corrected  described_limit: 2 -> 1 (“the films directed by Michael Mann” stands for 2 nodes" in told


def test_the_script_holds_the_steps_one_after_the_other(run: Run, films: Path) -> None:
    script = run("sql", films, QUESTION).output
    assert [line for line in script.splitlines() if line.startswith("-- step")] == [
        "-- step 1 of 3, condition: Which film Al Pacino starred in?",
        f"-- step 2 of 3, anchor: {FILM}",
        f"-- step 3 of 3, anchor: the director of {FILM}",
    ]
    with duckdb.connect(films, read_only=True) as plain:
        plain.execute(script)
        (rows,) = plain.execute("SELECT count(*) FROM evidence WHERE kept").fetchall()
    assert rows == (2,)
