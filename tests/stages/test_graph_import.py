"""What an import of a graph stores, what it leaves alone, and what it embeds."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import mosaic_sql as mosaic
from mosaic_sql.errors import EmbedderMismatch
from mosaic_sql.ingest import graph

NODES = {
    "id": [1, 2, 3],
    "name": ["Heat", "Michael Mann", "Ali"],
    "kind": ["film", "person", None],
    "aliases": [["Heat (1995)", "??"], None, []],
}
EDGES = {"source": [1, 3, 3], "relation": ["directed_by", "directed_by", "stars"], "target": [2, 2, 9]}


@pytest.fixture
def films(tmp_path: Path) -> Path:
    path = tmp_path / "films.duckdb"
    with mosaic.open(path, embedder="hash:16") as corpus:
        corpus.import_graph(nodes=pa.table(NODES), edges=pa.table(EDGES), embed="none")
    return path


def test_nodes_names_edges_and_kinds_are_stored(films: Path) -> None:
    with mosaic.open(films, read_only=True) as corpus:
        assert corpus.query("SELECT node_id, name, key, kinds FROM node ORDER BY node_id").to_pylist() == [
            {"node_id": 0, "name": "Heat", "key": "1", "kinds": ["film"]},
            {"node_id": 1, "name": "Michael Mann", "key": "2", "kinds": ["person"]},
            {"node_id": 2, "name": "Ali", "key": "3", "kinds": ["has directed_by", "has stars"]},
            {"node_id": 3, "name": "9", "key": "9", "kinds": ["stars"]},
        ]
        names = corpus.query("SELECT alias_key, node_id FROM alias ORDER BY alias_key").to_pydict()
        assert names == {
            "alias_key": ["9", "??", "ali", "heat", "heat 1995", "michael mann"],
            "node_id": [3, 0, 2, 0, 0, 1],
        }
        edges = corpus.query("SELECT source_id, relation_id, target_id FROM edge ORDER BY edge_id").to_pydict()
        assert edges == {"source_id": [0, 2, 2], "relation_id": [0, 0, 1], "target_id": [1, 1, 3]}


def test_what_is_known_is_not_added_again_and_what_is_new_goes_on_counting(films: Path) -> None:
    with mosaic.open(films) as corpus:
        again = corpus.import_graph(nodes=pa.table(NODES), edges=pa.table(EDGES), embed="none")
        assert (again.nodes, again.edges, again.relations) == (0, 0, 0)
        more = corpus.import_graph(
            nodes=pa.table({"id": [2, 7], "name": ["Michael Mann", "Collateral"]}),
            edges=pa.table({"source": [7, 1], "relation": ["directed_by"] * 2, "target": [2, 2]}),
            embed="none",
        )
        assert (more.nodes, more.edges, more.relations) == (1, 1, 0)
        assert corpus.query("SELECT edge_id, source_id, target_id FROM edge WHERE edge_id > 2").to_pylist() == [
            {"edge_id": 3, "source_id": 4, "target_id": 1}
        ]


def test_what_is_told_anew_of_a_known_node_takes_the_place_of_what_it_had(films: Path) -> None:
    edges = pa.table({"source": [1], "relation": ["directed_by"], "target": [2]})
    with mosaic.open(films) as corpus:
        first = pa.table({"id": [1, 2], "name": ["Heat", "Michael Mann"], "year": [1994, None], "cost": [60, None]})
        assert corpus.import_graph(nodes=first, edges=edges, embed="none").updated == 1
        second = pa.table({"id": [1, 3], "name": ["Heat", None], "kind": ["crime film", "film"], "year": [1995, None]})
        assert corpus.import_graph(nodes=second, edges=edges, embed="none").updated == 2
        assert corpus.import_graph(nodes=second, edges=edges, embed="none").updated == 0
        nodes = corpus.query("SELECT name, kinds, properties FROM node WHERE key IN ('1', '2', '3') ORDER BY key")
    assert [tuple(row.values()) for row in nodes.to_pylist()] == [
        ("Heat", ["crime film"], '{"cost":60,"year":1995}'),
        ("Michael Mann", ["person"], None),
        ("Ali", ["film"], None),
    ]


@pytest.mark.parametrize("embedder", ["none", "hash:8", "hash:16", None])
def test_where_nothing_is_embedded_any_embedder_may_ask(films: Path, embedder: str | None) -> None:
    with mosaic.open(films, read_only=True, embedder=embedder) as corpus:
        assert corpus.ask("who directed Heat?").answer.text.startswith("Michael Mann")


def test_an_embedder_of_another_space_adds_nothing(films: Path) -> None:
    with mosaic.open(films, embedder="hash:8") as corpus, pytest.raises(EmbedderMismatch):
        corpus.add("Heat is a film.")


def test_names_of_a_large_graph_are_embedded_only_when_asked_for(films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "EMBEDDED_NAMES", 2)
    more = {"nodes": pa.table({"name": ["A", "B", "C"]}), "edges": pa.table({"s": ["A"], "p": ["made"], "o": ["B"]})}
    with mosaic.open(films) as corpus:
        done = corpus.import_graph(**more)
        assert done.notes[-1] == (
            "3 names are not embedded, it would take about 1 minute; import with `--embed all` to have it done"
        )
        vectors = (
            "SELECT (SELECT count(embedding) FROM relation) AS relations, (SELECT count(embedding) FROM node) AS names"
        )
        assert corpus.query(vectors).to_pylist() == [{"relations": 3, "names": 0}]
        assert corpus.import_graph(**more, embed="all").notes == ()
        assert corpus.query(vectors).to_pylist() == [{"relations": 3, "names": 7}]


def test_vectors_of_nodes_are_stored_some_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "_VECTORS_AT_ONCE", 2)
    given = [[3.0, 4.0], None, None, None, [0.0, -2.0]]
    nodes = pa.table({"id": ["a", "b", "c", "d", "e"], "vector": pa.array(given, pa.list_(pa.float32()))})
    edges = pa.table({"s": ["a"], "p": ["made"], "o": ["b"]})
    with mosaic.open(tmp_path / "v.duckdb", embedder="hash:2") as corpus:
        corpus.import_graph(nodes=nodes, edges=edges, embed="none")
        stored = corpus.query("SELECT key, embedding::FLOAT[] AS vector FROM node ORDER BY key").to_pylist()
    assert [row["vector"] for row in stored] == [[2400.0, 3200.0], None, None, None, [0.0, -4000.0]]
