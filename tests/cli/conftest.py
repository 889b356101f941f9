"""Fixtures of the command line's tests: a runner, real processes, a small corpus and the demo's own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from processes import start

import mosaic_sql
from mosaic_sql.commands import cli

Run = Callable[..., Result]
Shell = Callable[..., subprocess.CompletedProcess[str]]

TEXTS = {
    "ada.md": "# Ada Lovelace\n\nAda Lovelace wrote notes on the Analytical Engine. She lived in London.\n",
    "engine.md": "# Analytical Engine\n\nThe Analytical Engine was designed by Charles Babbage in London.\n",
    "babbage.txt": "Charles Babbage taught at Cambridge. He designed the Analytical Engine.\n",
}
TRIPLES = "Ada Lovelace,wrote_for,Analytical Engine\nCharles Babbage,designed,Analytical Engine\n"


def invoke(*args: object, stdin: str | bytes | None = None, env: dict[str, str] | None = None) -> Result:
    """A command in this process; what is no error of ours is raised."""
    result = CliRunner(env={"MOSAIC_MODEL": None, "MOSAIC_BASE_URL": None, **(env or {})}).invoke(
        cli, [str(arg) for arg in args], input=stdin, prog_name="mosaic"
    )
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="session")
def run() -> Run:
    return invoke


@pytest.fixture(scope="session")
def shell() -> Shell:
    def call(*args: object, stdin: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
        process = start(*args, **options)
        out, err = process.communicate(stdin, timeout=60)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    return call


@pytest.fixture(scope="session")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three documents."""
    folder = tmp_path_factory.mktemp("texts")
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, texts: Path) -> Path:
    """A corpus file of the three documents and two triples, embedded by hashes."""
    path = tmp_path_factory.mktemp("built") / "small.duckdb"
    triples = path.with_name("triples.csv")
    triples.write_text(TRIPLES, encoding="utf-8")
    with mosaic_sql.open(path, embedder="hash") as corpus:
        corpus.add(texts)
        corpus.import_graph(triples, header=False)
    return path


@pytest.fixture
def small(built: Path, tmp_path: Path) -> Path:
    """A copy of the small corpus, alone in its folder."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    return Path(shutil.copy(built, folder / "small.duckdb"))


@pytest.fixture(scope="session")
def demo_run(sample: Path) -> Result:
    """`mosaic demo` on the file that it built before, run once."""
    return invoke("demo", "--dir", sample.parent)
