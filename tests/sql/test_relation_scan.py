"""The aggregate over a relation against plain Python on random graphs, and through a corpus."""

from __future__ import annotations

from collections import Counter, defaultdict

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mosaic_sql as mosaic
from mosaic_sql.errors import PolicyError

EDGES = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["likes", "knows"]), st.sampled_from("abcdef")),
    min_size=1,
    max_size=14,
    unique=True,
)
PATTERNS = {
    "likes": [("likes", True)],
    "^likes": [("likes", False)],
    "~knows": [("knows", True), ("knows", False)],
    "likes | ^knows": [("likes", True), ("knows", False)],
    "any": [("likes", True), ("knows", True)],
}


def counted(edges: list[tuple[str, str, str]], steps: list[tuple[str, bool]]) -> Counter[str]:
    """How many edges end in each node, read in one of the directions."""
    ends: defaultdict[str, set[tuple[str, str, str]]] = defaultdict(set)
    for edge in edges:
        for relation, forward in steps:
            if edge[1] == relation:
                ends[edge[2] if forward else edge[0]].add(edge)
    return Counter({name: len(own) for name, own in ends.items()})


@given(edges=EDGES, pattern=st.sampled_from(sorted(PATTERNS)))
@settings(max_examples=8)
def test_every_node_at_an_end_is_counted_once_per_edge(edges: list[tuple[str, str, str]], pattern: str) -> None:
    used = [relation for _, relation, _ in edges]
    steps = [step for step in PATTERNS[pattern] if step[0] in used]
    if not set(pattern.replace("any", "").replace("|", " ").replace("^", "").replace("~", "").split()) <= set(used):
        return  # a relation that the graph does not have is an error, tested elsewhere
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(edges, columns=["source", "relation", "target"]), embed="none")
        run = corpus.retrieve("who?", policy={"operator": "relation_scan", "pattern": pattern})
        rows = run.walk.rows.sort_by("rank").to_pylist()
        names = dict(corpus.connection.execute("SELECT node_id, name FROM node").fetchall())
    found = {names[row["tail_id"]]: int(row["score"]) for row in rows}
    assert found == dict(counted(edges, steps))
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    assert [answer.name for answer in run.answers] == [names[row["tail_id"]] for row in rows]


FILMS = [
    ("Heat", "directed_by", "Mann"),
    ("Thief", "directed_by", "Mann"),
    ("Alien", "directed_by", "Scott"),
    ("Heat", "starred_actors", "Pacino"),
]


def test_it_is_asked_in_words_and_its_evidence_is_a_witness_each() -> None:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(FILMS, columns=["source", "relation", "target"]), embed="none")
        run = corpus.retrieve("who directed anything?")
        assert run.policy.walk.operator == "relation_scan"
        assert [answer.name for answer in run.answers] == ["Mann", "Scott"]
        kept = [(row["unit_kind"], row["rank"], row["kept"]) for row in run.evidence.rows.to_pylist()]
        assert kept == [("edge", 1, True), ("edge", 2, True)]
        assert run.walk.rows["score"].to_pylist() == [2.0, 1.0]


def test_it_is_bounded_and_says_so() -> None:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(FILMS, columns=["source", "relation", "target"]), embed="none")
        run = corpus.retrieve("who directed anything?", policy={"row_budget": 1})
        assert [answer.name for answer in run.answers] == ["Mann"]
        assert run.walk.stop_reason == "row_budget: cut at the row budget; raise row_budget for more"


@pytest.mark.parametrize("pattern", ["directed_by / ^directed_by", "directed_by{1,2}", "directed_by?"])
def test_a_longer_pattern_is_refused_in_one_line(pattern: str) -> None:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(FILMS, columns=["source", "relation", "target"]), embed="none")
        with pytest.raises(PolicyError, match="pattern: relation_scan takes a pattern of one step"):
            corpus.retrieve("who?", policy={"operator": "relation_scan", "pattern": pattern})
