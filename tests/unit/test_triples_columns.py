"""What the columns of tables of nodes and edges are read as: kinds by other names, and grades of evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mosaic_sql.ingest.triples import read_graph, read_triples


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("id,name,label,category", "label"),
        ("id,name,:LABEL,category", ":LABEL"),
        ("id,name,node_type,label", "node_type"),
        ("id,name,labels,note", "labels"),
        ("id,name,category,note", "category"),
    ],
)
def test_what_graph_databases_call_a_kind(write: Any, header: str, kind: str) -> None:
    rows = {"label": ":Part", ":LABEL": ":Part", "node_type": "Part", "labels": "Part", "category": "Part"}
    cells = [rows[name] if name == kind else f"x {name}" for name in header.split(",")[2:]]
    nodes = write("nodes.csv", f"{header}\n1,Pump,{','.join(cells)}\n")
    edges = write("edges.csv", "source,relation,target\n1,is_in,1\n")
    graph = read_graph(nodes, edges)
    assert graph.nodes["kind"].to_pylist() == ["Part"]
    assert any(f"column `{kind}` is read as the kind" in note for note in graph.notes)


def test_a_label_without_a_name_is_the_name(write: Any) -> None:
    nodes = write("nodes.csv", "id,label,kind\n1,Pump,Part\n")
    graph = read_graph(nodes, write("edges.csv", "source,relation,target\n1,is_in,1\n"))
    assert (graph.nodes["name"].to_pylist(), graph.nodes["kind"].to_pylist()) == (["Pump"], ["Part"])
    assert not any("kind" in note for note in graph.notes)


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_evidence_that_is_no_sentence_is_a_property(write: Any, suffix: str) -> None:
    def edges(evidence: str) -> Path:
        row = {"source": "Orsk", "relation": "treats", "target": "Vell", "evidence": evidence}
        text = json.dumps(row) if suffix == "jsonl" else f"{','.join(row)}\n{','.join(row.values())}"
        return write(f"edges.{suffix}", text + "\n")

    graded = read_triples(edges("high"))
    assert (graded.edges["fact"].to_pylist(), graded.edges["properties"].to_pylist()) == (
        [None],
        ['{"evidence": "high"}'],
    )
    told = read_triples(edges("Orsk treats Vell."))
    assert told.edges["fact"].to_pylist() == ["Orsk treats Vell."]
