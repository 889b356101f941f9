"""The house keeps its own rules: floors, one door to each engine, SQL in files, budgets, names in the right places."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from mosaic_sql.models import PROBES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mosaic_sql"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

FLOORS = {
    0: ["errors"],
    1: ["policy", "pattern", "text"],
    2: ["records"],
    3: ["sqlfiles", "models", "storefile"],
    4: ["database"],
    5: ["resident", "render", "readable"],
    6: ["ingest", "analyze", "link", "seed", "walk", "refine", "evidence", "context", "answer", "trace"],
    7: ["pipeline"],
    8: ["page"],
    9: ["bench"],
    10: ["commands"],
}
FLOOR = {room: floor for floor, rooms in FLOORS.items() for room in rooms} | {"__init__": 7.5, "__main__": 11}

DOORS = {  # what is imported by one room only
    "duckdb": "database",
    "onnxruntime": "models",
    "tokenizers": "models",
    "openai": "models",
    "sentence_transformers": "models",
    "click": "commands",
    "rich": "commands",
}
HEAVY = ("torch", "sentence_transformers", "openai", "onnxruntime", "pandas", "spacy")

SQL = re.compile(
    r"^\s*(SELECT|INSERT\s+INTO|CREATE|DELETE\s+FROM|UPDATE|DROP|ALTER|MERGE|COPY|WITH|FROM|ATTACH)\s"
    r"|\bSELECT\b.+\bFROM\b|\bINSERT\s+INTO\b|\bCREATE\s+(OR\s+REPLACE\s+)?(TEMP(ORARY)?\s+)?(TABLE|VIEW|MACRO)\b"
    r"|\bDELETE\s+FROM\b|\bUPDATE\s+\w+\s+SET\b",
    re.DOTALL,
)

MODULES = sorted(PACKAGE.rglob("*.py"))
CODE = [*MODULES, ROOT / "scripts" / "docs", ROOT / "cli.py"]
PYTHON = [*CODE, *sorted((ROOT / "tests").rglob("*.py"))]


def named(paths: list[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """A test of one file becomes one of all of them, which names the file where it fails."""

    def over(check: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            for path in paths:
                try:
                    check(path)
                except AssertionError as error:
                    error.add_note(f"in {path.relative_to(ROOT)}")
                    raise

        return test

    return over


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def room_of(path: Path) -> str:
    """The module or package right below `mosaic_sql/`."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Dotted names of what a module imports, wherever in it, relative ones made absolute."""
    place = ["mosaic_sql", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = place[: len(place) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            if module == "mosaic_sql":
                yield from (f"mosaic_sql.{alias.name}" for alias in node.names)
            else:
                yield module


def rooms_used(path: Path) -> set[str]:
    names = [name.split(".") for name in imported(path)]
    ours = [name for name in names if name[0] == "mosaic_sql"]
    return {name[1] if len(name) > 1 and name[1] in FLOOR else "__init__" for name in ours} - {room_of(path)}


# -- floors and doors ------------------------------------------------------------------------------------------------


@named(MODULES)
def test_every_room_has_a_floor(path: Path) -> None:
    assert room_of(path) in FLOOR


@named(MODULES)
def test_a_room_imports_from_lower_floors_only(path: Path) -> None:
    floor = FLOOR[room_of(path)]
    assert {room for room in rooms_used(path) if FLOOR[room] >= floor} == set()


@named(MODULES)
def test_each_engine_has_one_door(path: Path) -> None:
    outside = {name.split(".")[0] for name in imported(path)}
    assert {name for name in outside if DOORS.get(name, room_of(path)) != room_of(path)} == set()


def test_importing_the_package_is_light() -> None:
    code = f"import sys, mosaic_sql; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@named(MODULES)
def test_vectors_are_not_multiplied_by_blas(path: Path) -> None:
    """A matrix product starts the threads of BLAS, which spin on after it, on the core that the engine wants next."""
    calls = {node.attr for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}
    assert not calls & {"matmul", "dot", "inner", "tensordot"}
    assert not [
        node for node in ast.walk(tree(path)) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
    ]


# -- SQL lives in sql/ -----------------------------------------------------------------------------------------------


def strings(module: ast.Module) -> Iterator[tuple[int, str]]:
    """String constants that are no docstrings (of a module, class, function, or below an assignment)."""
    notes = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            yield node.lineno, node.value


@named(CODE)
def test_no_sql_stands_in_python(path: Path) -> None:
    """What a message advises to type stands in backquotes; the probes of an embedder are embedded, not run."""
    allowed = PROBES if path == PACKAGE / "models" / "__init__.py" else ()
    advised = ((line, re.sub(r"`[^`]*`", "", text)) for line, text in strings(tree(path)) if text not in allowed)
    assert [(line, text) for line, text in advised if SQL.search(text)] == []


@pytest.mark.parametrize(
    "text", ["SELECT 1", "FROM x WHERE", "a; DELETE FROM b", "WITH a AS (", "CREATE TEMP TABLE a AS "]
)
def test_sql_is_recognised(text: str) -> None:
    assert SQL.search(text)


@pytest.mark.parametrize("text", ["one SELECT at a time", "update the file", "from here on", "Select a name"])
def test_english_is_no_sql(text: str) -> None:
    assert not SQL.search(text)


# -- budgets ---------------------------------------------------------------------------------------------------------


@named(PYTHON)
def test_a_file_stays_within_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@named(CODE)
def test_a_function_stays_within_60_lines(path: Path) -> None:
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = {node.name: node.end_lineno - node.lineno + 1 for node in functions if node.end_lineno is not None}
    assert {name: lines for name, lines in long.items() if lines > 60} == {}


@named(CODE)
def test_every_function_says_what_it_returns(path: Path) -> None:
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert [node.name for node in functions if node.returns is None] == []


@named(sorted((ROOT / "sql").rglob("*.sql")))
def test_an_sql_file_stays_within_160_lines_of_130_characters(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 160
    assert [line for line in lines if len(line) > 130] == []


@named(CODE)
def test_no_error_is_caught_unnamed(path: Path) -> None:
    wide = {"Exception", "BaseException"}
    caught = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ExceptHandler):
            kinds = (
                [None] if node.type is None else [kind for kind in ast.walk(node.type) if isinstance(kind, ast.Name)]
            )
            again = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None  # cleans up, then lets it go on
            caught += [node.lineno for kind in kinds if (kind is None or kind.id in wide) and not again]
    assert caught == []


def test_the_readme_is_short() -> None:
    readme = ROOT / "README.md"
    assert not readme.exists() or len(readme.read_text(encoding="utf-8").splitlines()) < 200


# -- what is written in two places -----------------------------------------------------------------------------------


def test_the_newest_changelog_heading_is_the_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == PROJECT["version"]


def test_every_dependency_is_given_a_reason() -> None:
    extras = PROJECT["optional-dependencies"].values()
    wanted = [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]
    names = {re.split(r"[\[<>=!~ ;]", line)[0] for line in wanted} - {PROJECT["name"]}
    given = set(re.findall(r"^- `(.+?)`:", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert names - given == set()


def test_the_readme_and_ci_run_the_same_commands() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    readme = ROOT / "README.md"
    commands = re.search(r"^readme\(\) \{\n(.+?)\n\}", ci, re.MULTILINE | re.DOTALL)
    assert commands is not None
    assert re.findall(r"(pip install -q \S+|\bpytest\b)", commands.group(1)) == ["pip install -q '.[test]'", "pytest"]
    if readme.exists():
        assert re.search(r"pip install (-q )?'\.\[test\]' && pytest\b", readme.read_text(encoding="utf-8"))
