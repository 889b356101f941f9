"""What a command writes, and where: files that are never written over, streams that take no more, limits of time."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from processes import start

from mosaic_sql import trace
from mosaic_sql.commands.cells import Clock
from mosaic_sql.commands.output import emit
from mosaic_sql.errors import QueryTimeout

QUESTION = "Who designed the Analytical Engine?"
FULL = Path("/dev/full")


# -- files -----------------------------------------------------------------------------------------------------------

OUTPUTS = {
    "explain --html": ("explain", "{db}", QUESTION, "--policy", "{dir}/mine.json", "--html"),
    "compare --html": ("compare", "{db}", "{dir}/questions.jsonl", "--html"),
    "bench answers --each": (
        "bench", "answers", "{dir}", "--db", "{db}", "--methods", "default,{dir}/mine.json", "--each",
    ),
    "add --cache": ("add", "{db}", "{dir}/mine.json", "{dir}/questions.jsonl", "--extractor", "model", "--cache"),
}  # fmt: skip


@pytest.fixture
def places(built: Path, tmp_path: Path) -> dict[str, Path]:
    """A corpus of two names, another database, and the inputs of commands."""
    db = tmp_path / "small.duckdb"
    shutil.copy(built, db)
    (tmp_path / "link.duckdb").symlink_to(db)
    shutil.copy(built, tmp_path / "other.db")
    (tmp_path / "mine.json").write_text("{}", encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text('{"question": "Who?", "answers": []}\n', encoding="utf-8")
    return {"db": db, "dir": tmp_path}


DATABASE, READ = "is a DuckDB database", "is what this command reads"


@pytest.mark.parametrize("command", OUTPUTS)
def test_no_output_takes_the_place_of_data(run, places: dict[str, Path], command: str) -> None:
    folder = places["dir"]
    given = [part.format(**places) for part in OUTPUTS[command]]
    refused = {"small.duckdb": DATABASE, "link.duckdb": DATABASE, "other.db": DATABASE}
    refused |= {"small.runs.duckdb": READ, "small.duckdb.wal": READ}
    refused |= {
        name: READ
        for name in ("mine.json", "questions.jsonl")
        if name in " ".join(given) or command.startswith("bench")
    }
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name, message in refused.items():
        result = run(*given, folder / name)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
        assert result.stderr.startswith(f"mosaic: {folder / name} {message}")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_page_takes_the_place_of_an_earlier_page(run, places: dict[str, Path]) -> None:
    page = places["dir"] / "page.html"
    for _ in range(2):
        result = run("explain", places["db"], QUESTION, "--html", page)
        assert (result.exit_code, result.stderr) == (0, f"wrote {page}\n")
    assert page.read_text(encoding="utf-8").startswith("<!")


# -- streams ---------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not FULL.exists(), reason="a device that is always full")
def test_an_output_that_takes_no_more_is_one_line(built: Path) -> None:
    commands = (
        ("ask", built, QUESTION, "--json"),
        ("query", built, "FROM document", "--csv"),
        ("match", built, "Ada Lovelace", "any", "--csv"),
        ("--help",),
    )
    with FULL.open("w") as full:
        started = [start(*command, stdout=full) for command in commands]
        told = [(process.communicate(timeout=60)[1].splitlines(), process.returncode) for process in started]
    for lines, code in told:
        assert lines[-1].startswith("mosaic: the output cannot be written (No space left on device);")
        assert (code, "Traceback" in "".join(lines)) == (1, False)


# -- time and width --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "table"])
@pytest.mark.parametrize("column", [[[1] * 20_000], [1] * 20_000])
def test_the_time_limit_holds_while_rows_are_written(form: str, column: list[Any]) -> None:
    with pytest.raises(QueryTimeout, match="at its time limit while rows were written, not all of them are there"):
        emit(pa.table({"a": column}), form, Clock(0.0))


def test_what_is_left_of_the_time_is_for_the_rows(run, built: Path) -> None:
    result = run("query", built, "SELECT list(range) FROM range(3000000)", "--csv", "--timeout", 0.5)
    assert (result.exit_code, len(result.stderr.splitlines())) == (1, 1)
    assert result.stderr.startswith("mosaic: query: stopped at its time limit")


def test_a_table_looks_at_the_beginning_of_a_long_cell_alone(run, built: Path) -> None:
    sql = (
        "SELECT list(range) AS n, repeat('x', 9000000) AS x, [0.5::FLOAT FOR _ IN range(3000)] AS v FROM range(3000000)"
    )
    result = run("query", built, sql, "--timeout", 60)
    assert (result.exit_code, result.stderr) == (0, "")
    (row,) = result.stdout.splitlines()[2:]
    assert row.startswith("[0, 1, 2, 3, ")
    assert row.endswith(f"…  {'x' * 119}…  [0.5, 0.5, 0.5, 0.5, … 3000 numbers]")


# -- questions -------------------------------------------------------------------------------------------------------


def test_a_question_too_long_to_be_read_is_one_line(run, built: Path) -> None:
    for verb in ("ask", "retrieve", "sql", "explain"):
        result = run(verb, built, "-", stdin="Who is Ada? " * 834)
        told = "mosaic: question: 10,007 characters, 10,000 are read; ask in fewer words\n"
        assert (result.exit_code, result.stdout, result.stderr) == (1, "", told)


# -- kept runs -------------------------------------------------------------------------------------------------------


def test_an_answer_is_given_though_its_run_finds_no_place(run, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "KEEP_TRIES", 2)
    assert run("ask", small, QUESTION, "--keep").exit_code == 0
    runs = small.with_name("small.runs.duckdb")
    held = f"held = duckdb.connect({str(runs)!r}, read_only=True)"
    code = f"import duckdb, sys; {held}; print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()
        result = run("ask", small, QUESTION, "--keep")
        other.stdin.close()
    assert (result.exit_code, result.stdout.splitlines()[0]) == (5, run("ask", small, QUESTION).stdout.splitlines()[0])
    (line,) = [line for line in result.stderr.splitlines() if "kept" in line]
    assert (
        line == f"the run is not kept: {runs} is in use, process {other.pid} has the file open for writing or reading"
    )
