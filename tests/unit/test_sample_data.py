"""The example set must be consistent in itself."""

import csv
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "sample_data"
NEEDS = {
    "direct",
    "bridge",
    "comparison",
    "list",
    "summary",
    "chain",
    "related",
    "whether",
    "out_of_corpus",
}


def _rows(name: str) -> list[dict[str, str]]:
    with (ROOT / "graph" / name).open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def _documents() -> dict[str, str]:
    paths = sorted((ROOT / "documents").iterdir())
    return {path.name: path.read_bytes().decode("utf-8") for path in paths}


def _questions() -> list[dict]:
    lines = (ROOT / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


NODES = _rows("nodes.csv")
EDGES = _rows("edges.csv")
DOCUMENTS = _documents()
QUESTIONS = _questions()


def test_documents_are_a_mix_of_formats() -> None:
    assert 30 <= len(DOCUMENTS) <= 60
    assert {name.rsplit(".", 1)[1] for name in DOCUMENTS} == {"md", "txt"}


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_document_is_not_empty_and_is_titled(name: str) -> None:
    text = DOCUMENTS[name]
    assert 90 <= len(text.split()) <= 700
    assert text.startswith("# ") == name.endswith(".md")


def test_node_ids_and_names_are_unique() -> None:
    ids = [node["id"] for node in NODES]
    names = [node["name"].lower() for node in NODES]
    assert len(set(ids)) == len(ids)
    assert len(set(names)) == len(names)


def test_edges_join_known_nodes_and_are_unique() -> None:
    ids = {node["id"] for node in NODES}
    assert [e for e in EDGES if e["source"] not in ids or e["target"] not in ids] == []
    keys = [(e["source"], e["relation"], e["target"]) for e in EDGES]
    assert len(set(keys)) == len(keys)


def test_no_node_is_isolated() -> None:
    used = {edge["source"] for edge in EDGES} | {edge["target"] for edge in EDGES}
    assert {node["id"] for node in NODES} == used


def test_there_are_enough_relations() -> None:
    assert len({edge["relation"] for edge in EDGES}) >= 8


def test_properties_are_json_objects_and_weights_are_numbers() -> None:
    for row in NODES + EDGES:
        assert isinstance(json.loads(row["properties"]), dict)
    for edge in EDGES:
        assert not edge["weight"] or float(edge["weight"]) > 0


def test_every_need_is_present_at_least_twice() -> None:
    needs = [question["need"] for question in QUESTIONS]
    assert set(needs) == NEEDS
    assert all(needs.count(need) >= 2 for need in NEEDS)


def test_questions_are_unique() -> None:
    texts = [question["question"] for question in QUESTIONS]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q["question"])
def test_expected_strings_are_held_by_the_named_evidence(question: dict) -> None:
    if question["need"] == "out_of_corpus":
        assert question["expected"] == [] and question["documents"] == []
        return
    assert question["expected"]
    assert question["graph"] or question["documents"]
    texts = [DOCUMENTS[name].lower() for name in question["documents"]]
    labels = {node["name"] for node in NODES}
    labels |= {alias for node in NODES for alias in node["aliases"].split("|") if alias}
    for expected in question["expected"]:
        if texts:
            assert any(expected.lower() in text for text in texts), expected
        if question["graph"]:
            assert expected in labels, expected


@pytest.mark.parametrize(
    "question",
    [q for q in QUESTIONS if q["need"] == "bridge"],
    ids=lambda q: q["question"],
)
def test_a_bridge_question_needs_its_second_document(question: dict) -> None:
    first, second = question["documents"]
    for expected in question["expected"]:
        assert expected.lower() not in DOCUMENTS[first].lower()
        assert expected.lower() in DOCUMENTS[second].lower()
