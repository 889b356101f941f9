"""Shared fixtures: real DuckDB files, small corpora, no network."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import duckdb
import pytest

from mosaic_sql.database import Database, open_database
from mosaic_sql.render import VIEWS

SAMPLE = pathlib.Path(__file__).parent.parent / "sample_data"


def pytest_report_header() -> str:
    return f"duckdb {duckdb.__version__}"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="write golden files instead of comparing with them")


@pytest.fixture
def empty() -> Iterator[Database]:
    """A corpus in memory with every table and every stage, all empty."""
    with open_database(":memory:") as database:
        for name in ("1_corpus", "2_search", "3_stages", "6_inner", "7_refine", "4_comments"):
            database.script(name, dimension=8)
        for view in VIEWS:
            database.execute(f"stage.{view}")
        yield database
