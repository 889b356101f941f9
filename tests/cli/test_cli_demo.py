"""The demo: every walk once, readable, and its commands work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import Result

from mosaic_sql.commands import demo
from mosaic_sql.errors import StoreError


def test_the_demo_shows_every_walk(demo_run: Result) -> None:
    assert demo_run.exit_code == 0
    walks = re.findall(r"^walk +(\w+):", demo_run.stdout, re.MULTILINE)
    assert walks == ["chunk_hop", "meta_path", "shortest_path", "constrained_shortest_path", "bfs", "beam", "chunk_hop"]
    for word in ("question ", "policy ", "path ", "SQL ", "WITH RECURSIVE", "UNION ALL", "[1]", " ms"):
        assert word in demo_run.stdout
    assert "The corpus holds no answer" in demo_run.stdout


def test_the_demo_fits_a_terminal_of_100_columns(demo_run: Result) -> None:
    assert [line for line in demo_run.stdout.splitlines() if len(line) > 100 and "$ mosaic" not in line] == []
    assert "\x1b" not in demo_run.stdout


def test_the_demo_finds_the_right_things(demo_run: Result) -> None:
    for expected in ("born in Tivoli in 1905", "Davy Medal", "Ytterby", "Nobel Prize in Physics", "Warsaw"):
        assert expected in demo_run.stdout


def test_every_command_the_demo_prints_works(run, demo_run: Result) -> None:
    joined = demo_run.stdout.replace(" \\\n", " ")
    commands = [shlex.split(line.split("$ mosaic ", 1)[1]) for line in joined.splitlines() if "$ mosaic " in line]
    assert len(commands) == 7 + 3
    each_kind = {(verb, *words[2:]): [verb, *words] for verb, *words in commands}  # by its verb and options
    assert [run(*command).exit_code for command in each_kind.values()] == [0] * 6


def test_the_demo_again_uses_the_file_that_is_there(run, sample: Path) -> None:
    result = run("demo", "--dir", sample.parent, "--quick")
    assert (result.exit_code, len(re.findall("^question ", result.stdout, re.MULTILINE))) == (0, 3)
    assert str(sample) in result.stdout


def test_a_folder_that_cannot_be_made_is_one_line(run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    result = run("demo", "--dir", tmp_path / "file" / "below")
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)


def test_the_sample_data_is_found_in_the_checkout() -> None:
    assert (demo.sample_data() / "questions.jsonl").is_file()


def test_missing_sample_data_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("mosaic_sql.__file__", str(tmp_path / "mosaic_sql" / "__init__.py"))
    with pytest.raises(StoreError, match="sample data"):
        demo.sample_data()
