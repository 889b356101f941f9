"""Fixtures of the unit tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from mosaic_sql.database import Database, open_database
from mosaic_sql.storefile import SCHEMA_VERSION


def fill(corpus: Database) -> None:
    """Tables, a version, one document."""
    corpus.script("1_corpus", dimension=8)
    corpus.put_meta(schema_version=SCHEMA_VERSION)
    corpus.connection.execute("INSERT INTO document VALUES (1, 'a.txt', 'A', 'h', 3, NULL)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A corpus file of one document, closed."""
    file = tmp_path / "c.duckdb"
    with open_database(file) as corpus:
        fill(corpus)
    return file
