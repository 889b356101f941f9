"""Shared fixtures: real DuckDB files, small corpora, no network."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from hypothesis import settings

from mosaic_sql.commands import demo
from mosaic_sql.database import Database, open_database
from mosaic_sql.render import VIEWS

settings.register_profile("untimed", deadline=None)  # no timing fails a test
settings.load_profile("untimed")

SAMPLE = Path(__file__).parent.parent / "sample_data"


def pytest_report_header() -> str:
    return f"duckdb {duckdb.__version__}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write golden files instead of comparing with them")


@pytest.fixture
def empty() -> Iterator[Database]:
    """A corpus in memory with every table and every stage, all empty."""
    with made() as database:
        yield database


@pytest.fixture(scope="module")
def still_empty() -> Iterator[Database]:
    """The same for all tests of a module, which leave it as it is."""
    with made() as database:
        yield database


@contextmanager
def made() -> Iterator[Database]:
    with open_database(":memory:", threads=1) as database:
        for name in ("1_corpus", "2_search", "3_stages", "6_inner", "7_refine", "4_comments"):
            database.script(name, dimension=8)
        for view in VIEWS:
            database.execute(f"stage.{view}")
        yield database


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A file that one process of the run makes, for all of them to copy; the others wait for it."""
    base = factory.getbasetemp()
    path = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    while not path.exists():
        try:
            path.with_suffix(".making").mkdir()
        except FileExistsError:
            time.sleep(0.2)
            continue
        try:
            if not path.exists():
                unfinished = path.with_suffix(".unfinished")
                make(unfinished)
                unfinished.rename(path)
        finally:
            path.with_suffix(".making").rmdir()
    return path


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of the sample data as `mosaic demo` builds it, this process's own copy."""
    built = once(tmp_path_factory, "elements.duckdb", lambda path: list(demo.built(path)).clear())
    return Path(shutil.copy(built, tmp_path_factory.mktemp("sample") / "elements.duckdb"))
