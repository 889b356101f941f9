"""What a command writes, and where: files that are never written over, streams that take no more, limits of time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from processes import start

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
