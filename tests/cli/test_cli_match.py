"""`mosaic match` and `mosaic paths`: rows, forms, streams, exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import duckdb
import pytest

import mosaic_sql

TRIPLES = """Heat,directed_by,Michael Mann
Thief,directed_by,Michael Mann
heat,directed_by,Ada Other
Heat,starred_actors,Al Pacino
Thief,starred_actors,James Caan
"""


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    (folder / "films.csv").write_text(TRIPLES, encoding="utf-8")
    with mosaic_sql.open(folder / "films.duckdb", embedder="none") as corpus:
        corpus.import_graph(folder / "films.csv", header=False, embed="none")
    return folder / "films.duckdb"


def test_match_prints_a_table_and_tells_the_rest_on_stderr(run, films: Path) -> None:
    result = run("match", films, "Heat", "directed_by / ^directed_by")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["rank", "name", "kinds", "hops", "path"]
    assert lines[2].split(maxsplit=2) == ["1", "Thief", lines[2].split(maxsplit=2)[2]]
    assert lines[2].endswith("Heat -directed_by-> Michael Mann <-directed_by- Thief")
    assert result.stderr.startswith("1 node, ")


def test_every_form_holds_the_same_rows(run, films: Path) -> None:
    told = json.loads(run("paths", films, "Al Pacino", "James Caan", "--json").stdout)
    lines = [json.loads(line) for line in run("paths", films, "Al Pacino", "James Caan", "--jsonl").stdout.splitlines()]
    cells = list(csv.DictReader(io.StringIO(run("paths", films, "Al Pacino", "James Caan", "--csv").stdout)))
    assert told == lines
    assert [row["path"] for row in told] == [row["path"] for row in cells] == [
        "Al Pacino <-starred_actors- Heat -directed_by-> Michael Mann <-directed_by- Thief -starred_actors-> James Caan"
    ]  # fmt: skip
    assert (told[0]["rank"], told[0]["hops"], len(told[0]["nodes"]), len(told[0]["edges"])) == (1, 4, 5, 4)


def test_paths_take_a_pattern_a_number_and_bounds(run, films: Path) -> None:
    wanted = "^starred_actors / directed_by / ^directed_by / starred_actors"
    assert json.loads(run("paths", films, "Al Pacino", "James Caan", "--pattern", wanted, "-k", "1", "--json").stdout)
    none = run("paths", films, "Al Pacino", "James Caan", "--max-depth", "3", "--fail-on-empty")
    assert (none.exit_code, none.stdout) == (4, "")
    assert "no path of at most 3 hops" in none.stderr
    forward = run("paths", films, "Al Pacino", "James Caan", "--direction", "forward", "--json")
    assert (forward.exit_code, forward.stdout) == (0, "[]\n")


def test_an_ambiguous_name_is_told_and_an_id_settles_it(run, films: Path) -> None:
    result = run("match", films, "HEAT", "directed_by", "--json")
    assert {row["name"] for row in json.loads(result.stdout)} == {"Michael Mann", "Ada Other"}
    assert "2 nodes are called 'HEAT', all are taken: id:" in result.stderr
    ids = [word for word in result.stderr.split() if word.startswith("id:")]
    each = [json.loads(run("match", films, one, "directed_by", "--json").stdout)[0]["name"] for one in ids]
    assert sorted(each) == ["Ada Other", "Michael Mann"]


def test_names_come_from_stdin_too(run, films: Path) -> None:
    rows = json.loads(run("match", films, "-", "directed_by", "--json", stdin="Heat\nheat\n").stdout)
    assert {row["name"] for row in rows} == {"Michael Mann", "Ada Other"}
    assert json.loads(run("paths", films, "-", "Thief", "--json", stdin="Michael Mann\n").stdout)[0]["hops"] == 1
    two = run("paths", films, "-", "Thief", stdin="Heat\nMichael Mann\n")
    assert (two.exit_code, two.stderr) == (1, "mosaic: A: 2 names came on stdin; paths begin at one, send one\n")


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (("match", "Nobody", "directed_by"), "mosaic: anchor: no node is called 'Nobody'"),
        (("match", "Heat", "directed"), "mosaic: pattern: no relation `directed`; did you mean `directed_by`?"),
        (("match", "Heat", "directed_by{1,"), "mosaic: pattern: expected {m} or {m,n} at character 12"),
        (("paths", "Heat", "Nobody"), "mosaic: anchor: no node is called 'Nobody'"),
    ],
)
def test_what_cannot_be_done_is_one_line(run, films: Path, args: tuple[str, ...], line: str) -> None:
    result = run(args[0], films, *args[1:])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(line)
    assert len(result.stderr.splitlines()) == 1


def test_names_that_no_node_bears_are_told_and_the_others_walked(run, films: Path) -> None:
    result = run("match", films, "-", "directed_by", "--json", stdin="Heat\nNobody\n\nThief\n")
    assert {row["name"] for row in json.loads(result.stdout)} == {"Michael Mann"}
    assert (result.exit_code, result.stderr.count("no node is called 'Nobody'")) == (5, 1)
    none = run("match", films, "-", "directed_by", stdin="Nobody\nNoone\n")
    assert (none.exit_code, none.stdout) == (1, "")
    assert none.stderr.splitlines()[-1] == "mosaic: anchor: no node bears any of these names"


@pytest.mark.parametrize(("args", "name"), [(("match", "-", "directed_by"), "ANCHOR"), (("paths", "-", "Heat"), "A")])
def test_an_empty_stdin_is_told(run, films: Path, args: tuple[str, ...], name: str) -> None:
    for sent in ("", " \n\n"):
        result = run(args[0], films, *args[1:], stdin=sent)
        told = f"mosaic: {name}: no name came on stdin; send one, or type it in place of `-`\n"
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", told)


def test_a_path_from_a_node_to_itself_is_told(run, films: Path) -> None:
    for more in ((), ("--pattern", "directed_by / ^directed_by")):
        assert "Thief and Thief are one node; a path joins two" in run("paths", films, "Thief", "Thief", *more).stderr


def test_what_is_long_is_shortened(run, films: Path) -> None:
    long = "x" * 3000
    for args in (
        ("match", long, "any"),
        ("match", "Heat", long),
        ("paths", "Heat", long),
        ("match", "Heat", f"{long} /"),
    ):
        result = run(args[0], films, *args[1:])
        assert (result.exit_code, result.stdout) == (1, "")
        assert len(result.stderr) < 400
    assert len(run("ask", films, f'Who directed "{long}"?').stdout) < 400


def test_a_name_of_any_signs_is_quoted(run, tmp_path: Path) -> None:
    rows = {"directed by": "A", "stars/cast": "B", "fan's choice": "C", 'says "hi"': "D", "any": "E"}
    (tmp_path / "odd.tsv").write_text("".join(f"Heat\t{name}\t{end}\n" for name, end in rows.items()), encoding="utf-8")
    with mosaic_sql.open(tmp_path / "odd.duckdb", embedder="none") as corpus:
        corpus.import_graph(tmp_path / "odd.tsv", header=False, embed="none")
    patterns = ["'directed by'", '"stars/cast"', "'fan''s choice'", '"fan\'s choice"', "'says \"hi\"'", "'any'"]
    found = [json.loads(run("match", tmp_path / "odd.duckdb", "Heat", each, "--json").stdout) for each in patterns]
    assert [[row["name"] for row in rows] for rows in found] == [["A"], ["B"], ["C"], ["C"], ["D"], ["E"]]
    near = run("match", tmp_path / "odd.duckdb", "Heat", "directed_by").stderr
    assert near == "mosaic: pattern: no relation `directed_by`; did you mean `'directed by'`?\n"


def test_the_script_is_printed_and_runs_in_a_plain_shell(run, films: Path) -> None:
    for args in (("match", films, "Heat", "directed_by"), ("paths", films, "Heat", "Thief")):
        script = run(*args, "--sql").stdout
        with duckdb.connect() as shell:
            shell.execute(f"ATTACH '{films}' AS corpus (READ_ONLY)")
            shell.execute("USE corpus")
            rows = shell.execute(script).fetchall()
        assert [row[6] for row in rows] == [row["path"] for row in json.loads(run(*args, "--json").stdout)]


def test_a_bound_that_cut_is_a_line_on_stderr(run, films: Path) -> None:
    result = run("match", films, "Michael Mann", "^directed_by", "--fan-out", "1")
    assert "cut at fan_out: 1 node has more neighbours" in result.stderr
    asked = run("retrieve", films, "x", "--operator", "bfs", "--anchor", "Michael Mann", "--fan-out", "1")
    assert "cut at fan_out: 1 node has more neighbours" in asked.stderr
