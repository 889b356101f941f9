"""The README is true: its Python runs, its commands run, in the order in which they stand."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from mosaic_sql.commands import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
LINES = [line.removeprefix("$ ") for kind, text in BLOCKS if kind == "console" for line in text.splitlines()]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a reader of the README has at hand: the folder of samples."""
    shutil.copytree(ROOT / "sample_data", tmp_path / "sample_data")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("code", "printed"),
    list(
        zip(
            [text for kind, text in BLOCKS if kind == "python"],
            ["pitchblende", "('Ytterby',)\nYtterby <-named_after- Yttrium\n"],
            strict=True,
        )
    ),
)
def test_the_python_of_the_readme_runs(code: str, printed: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    assert printed in capsys.readouterr().out


def test_the_commands_of_the_readme_run_in_their_order(reader: Path) -> None:
    ran = [run(line) for line in LINES if line.startswith("mosaic ") and "DB" not in line]
    assert len(ran) >= 6


def run(line: str) -> str:
    """A line as a shell would run it; what goes into `duckdb FILE` is run by plain DuckDB."""
    command, _, piped = line.partition(" | ")
    done = CliRunner().invoke(cli, shlex.split(command)[1:], prog_name="mosaic", catch_exceptions=False)
    assert done.exit_code == 0, f"{line}: {done.output}"
    if piped:
        with duckdb.connect(shlex.split(piped)[-1], read_only=True) as connection:
            assert connection.execute(done.stdout).fetchall()
    return done.stdout


def test_the_readme_is_short_and_says_whose_name_it_is_not() -> None:
    assert README.count("\n") <= 200
    assert "UW Mosaic" in README
