"""The small cinema, opened once a module: its nodes with kinds, and as plain triples."""

from __future__ import annotations

from collections.abc import Iterator

import cinema
import pytest

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def typed() -> Iterator[mosaic.Corpus]:
    with cinema.typed() as corpus:
        yield corpus


@pytest.fixture(scope="module")
def triples() -> Iterator[mosaic.Corpus]:
    with cinema.triples() as corpus:
        yield corpus
