"""Help, version, usage: every command says what it does and shows it."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mosaic_sql import commands
from mosaic_sql.commands import cli
from mosaic_sql.commands.options import CONTROLS
from mosaic_sql.policy import PART_OF

MODULES = sorted(Path(commands.__file__).parent.glob("*.py"))


def walk(group: click.Group, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        yield (*above, name), command
        if isinstance(command, click.Group):
            yield from walk(command, (*above, name))


ALL = dict(walk(cli))
LEAVES = {names: command for names, command in ALL.items() if not isinstance(command, click.Group)}


def test_every_verb_is_there() -> None:
    verbs = (
        "add import-graph import export ask retrieve sql explain query stats remove reembed policy compare demo bench"
    )
    assert set(verbs.split()) <= set(cli.commands)


@pytest.mark.parametrize("names", ALL, ids=" ".join)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_works_and_goes_to_stdout(run, names: tuple[str, ...], flag: str) -> None:
    result = run(*names, flag)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: mosaic {' '.join(names)}")
    assert result.stderr == ""


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_every_command_shows_an_example_of_itself(run, names: tuple[str, ...]) -> None:
    shown = re.search(r"^  Example:\n((?:    .+\n)+)", run(*names, "-h").stdout, re.MULTILINE)
    assert shown is not None
    assert f"mosaic {' '.join(names)}" in shown.group(1)


@pytest.mark.parametrize("names", ALL, ids=" ".join)
def test_every_option_has_a_help_text(names: tuple[str, ...]) -> None:
    options = [parameter for parameter in ALL[names].params if isinstance(parameter, click.Option)]
    silent = [option.name for option in options if not option.help]
    assert [name for name in silent if names[0] != "bench"] == []


@pytest.mark.parametrize("names", LEAVES, ids=" ".join)
def test_a_command_is_twenty_lines_without_try(names: tuple[str, ...]) -> None:
    function = inspect.unwrap(LEAVES[names].callback)  # type: ignore[arg-type]
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    body = tree.body[1:] if ast.get_docstring(tree) else tree.body
    assert body[-1].end_lineno is not None
    assert body[-1].end_lineno - body[0].lineno + 1 <= 20
    assert [node for node in ast.walk(tree) if isinstance(node, ast.Try)] == []


def test_the_version_names_the_engine_too(run) -> None:
    assert re.fullmatch(r"mosaic-sql \S+ \(duckdb \d[\w.]+\)\n", run("--version").stdout)


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("nothing",),
        ("ask",),
        ("ask", "x.duckdb"),
        ("ask", "x.duckdb", "q", "--nope"),
        ("ask", "x.duckdb", "q", "--max-depth", "deep"),
        ("ask", "x.duckdb", "q", "--operator", "teleport"),
        ("ask", "x.duckdb", "-q"),
        ("query", "x.duckdb", "q", "--timeout", "0"),
        ("query", "x.duckdb", "q", "--limit", "-1"),
        ("remove", "x.duckdb"),
        ("reembed", "x.duckdb"),
        ("import-graph", "x.duckdb"),
        ("import-graph", "x.duckdb", "t.csv", "--nodes", "n.csv", "--edges", "e.csv"),
        ("import-graph", "x.duckdb", "--nodes", "n.csv"),
        ("import-graph", "x.duckdb", "--nodes", "n.csv", "--edges", "e.csv", "--delimiter", ";"),
        ("add", "x.duckdb", "a.txt", "--extractor", "magic"),
        ("policy", "show", "huge"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2_and_nothing_on_stdout(run, args: tuple[str, ...]) -> None:
    result = run(*args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: mosaic" in result.stderr


def test_the_common_controls_are_controls() -> None:
    assert set(CONTROLS) <= set(PART_OF)
    assert {f"--{name.replace('_', '-')}" for name in CONTROLS} <= {
        flag for parameter in cli.commands["ask"].params for flag in parameter.opts
    }


def test_no_command_prints_with_print() -> None:
    calls = [
        (path.name, node.lineno)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert calls == []
