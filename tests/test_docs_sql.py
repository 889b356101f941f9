"""The SQL of the docs: each block runs in plain DuckDB, in order, and gives the rows printed below it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mosaic_sql.commands import cli

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PLAIN = Path(__file__).with_name("plain.py")
PAGES = ("tour", "recursion", "recipes", "sql")
BLOCK = re.compile(r"^```sql\n(?P<sql>.*?)^```\n(?:\n(?P<table>(?:^\|[^\n]*\n)+))?", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```sql (?P<path>sql/\S+)\n(?P<text>.*?)^```\n", re.MULTILINE | re.DOTALL)
TOLERANCE = 0.0101  # of a printed cosine: the embedder may round the other way on another processor


@pytest.fixture(scope="module")
def folder(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands at the head of the tour make; `mosaic demo` is not run again."""
    place = tmp_path_factory.mktemp("tour")
    shutil.copy(sample, place / "elements.duckdb")
    tour = (DOCS / "tour.md").read_text(encoding="utf-8")
    commands = [shlex.split(line) for line in re.findall(r"^\$ mosaic (ask .*)$", tour, re.MULTILINE)]
    assert len(commands) == 3
    for verb, database, *rest in commands:
        done = CliRunner().invoke(cli, [verb, str(place / database), *rest], catch_exceptions=False)
        assert done.exit_code == 0, done.output
    return place


@pytest.mark.parametrize("name", PAGES)
def test_each_block_gives_the_rows_below_it(name: str, folder: Path, request: pytest.FixtureRequest) -> None:
    path = DOCS / f"{name}.md"
    text = path.read_text(encoding="utf-8")
    command = [sys.executable, str(PLAIN), "elements.duckdb", str(path)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    blocks = list(BLOCK.finditer(text))
    assert len(blocks) == len(found)
    if request.config.getoption("--accept"):
        path.write_text(accepted(text, found), encoding="utf-8")
        return
    for block, (columns, *rows) in zip(blocks, found, strict=True):
        assert rows or columns == ["Success"], block["sql"]  # of ATTACH
        if block["table"]:
            heading, _, *lines = map(cells, block["table"].splitlines())
            assert heading == columns, block["sql"]
            assert len(lines) == len(rows), block["sql"]
            for line, row in zip(lines, rows, strict=True):
                assert all(map(same, line, map(shown, row))), (block["sql"], line, row)


@pytest.mark.skipif(shutil.which("duckdb") is None, reason="no DuckDB shell on this machine")
@pytest.mark.parametrize("name", PAGES)
def test_the_shell_of_duckdb_runs_a_page_to_its_end(name: str, folder: Path) -> None:
    sql = "".join(block["sql"] for block in BLOCK.finditer((DOCS / f"{name}.md").read_text(encoding="utf-8")))
    command = ["duckdb", "-bail", "-readonly", "elements.duckdb"]
    done = subprocess.run(command, input=sql, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def accepted(text: str, found: list[list[list[Any]]]) -> str:
    """The page with the tables that were found, where there are tables."""
    rows = iter(found)

    def replaced(match: re.Match[str]) -> str:
        columns, *lines = next(rows)
        if not match["table"]:
            return match.group()
        table = [columns, ["---"] * len(columns), *([shown(cell) for cell in line] for line in lines)]
        body = "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in table)
        return f"```sql\n{match['sql']}```\n\n{body}"

    return BLOCK.sub(replaced, text)


def cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def shown(value: Any) -> str:
    """A value as it stands in a table."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    return "" if value is None else " ".join(str(value).split())


def same(one: str, other: str) -> bool:
    try:
        return abs(float(one) - float(other)) <= (TOLERANCE if "." in one else 0)
    except ValueError:
        return one == other


def test_a_file_that_a_page_shows_is_the_one_that_runs() -> None:
    shown_files = [match for name in PAGES for match in FILE.finditer((DOCS / f"{name}.md").read_text("utf-8"))]
    assert shown_files
    for match in shown_files:
        text = (ROOT / match["path"]).read_text(encoding="utf-8")
        assert match["text"] in text, match["path"]
