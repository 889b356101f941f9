"""Vectors that come with a table of nodes."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pytest

from mosaic_sql.errors import IngestError
from mosaic_sql.ingest.triples import read_graph


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (["[1, 2]", "[1]"], "vectors of different lengths: 1, 2"),
        (["[1, NaN]", None], "vector of row 1: NaN is not JSON"),
        ([None, "[]"], "vector of row 2: expected a list of numbers"),
        (['["x"]', None], "vector of row 1: could not convert"),
        (["[1e999]", None], "vector of row 1: a number is not finite"),
    ],
)
def test_vectors_are_lists_of_one_length(vectors: list[str | None], message: str) -> None:
    nodes = pa.table({"id": ["a", "b"], "vector": pa.array(vectors, pa.string())})
    with pytest.raises(IngestError, match=message):
        read_graph(nodes, pa.table({"s": ["a"], "p": ["r"], "o": ["b"]}))


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        ([[1.0, 2.0], [1.0]], "vectors of different lengths: 1, 2"),
        ([[1.0, 2.0], [1.0, math.nan]], "vector of row 2: a number is missing or not finite"),
        ([[1.0, None], None], "vector of row 1: a number is missing or not finite"),
        ([None, []], "vector of row 2: expected a list of numbers"),
        ([None, [0.0, 0.0]], "vector of row 2: all numbers are zero"),
    ],
)
def test_columns_of_vectors_are_checked_without_a_python_value_each(vectors: list[Any], message: str) -> None:
    edges = pa.table({"s": ["a"], "p": ["r"], "o": ["b"]})
    for kind in (pa.list_(pa.float64()), pa.large_list(pa.float32())):
        nodes = pa.table({"id": ["a", "b"], "vector": pa.array(vectors, kind)})
        with pytest.raises(IngestError, match=message):
            read_graph(nodes, edges)


def test_columns_of_vectors_stand_beside_their_nodes() -> None:
    edges = pa.table({"s": ["a"], "p": ["r"], "o": ["b"]})
    for kind in (pa.list_(pa.int64(), 2), pa.list_(pa.float64()), pa.large_list(pa.float32())):
        chunks = [pa.array([[3, 4], None], kind), pa.array([[5, 6], [1, 2]], kind)]
        nodes = pa.table({"id": ["a", "b", None, "c"], "vector": pa.chunked_array(chunks)})
        assert read_graph(nodes, edges).nodes["vector"].to_pylist() == [[3.0, 4.0], None, [1.0, 2.0]]
