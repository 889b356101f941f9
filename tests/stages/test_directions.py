"""Relations between nodes of one kind: voice tells who does and who is done to, not what happens to be there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import worlds

import mosaic_sql as mosaic

TRIPLES = [
    "Conan Bright,influenced,Jay", "Jay,influenced,Lee Lane", "Ann,teaches,Bob", "Bob,teaches,Cy",
    "Ada Finch,reports_to,Gus Okoro", "Gus Okoro,reports_to,Ines Rey", "Old Corp,acquired,Mid Corp",
    "Mid Corp,acquired,New Corp", "Paper A,cites,Paper B", "Paper B,cites,Paper C",
]  # fmt: skip

ASKED = [
    ("Who influenced Jay?", "Conan Bright."),
    ("Whom did Jay influence?", "Lee Lane."),
    ("Who was influenced by Jay?", "Lee Lane."),
    ("Who teaches Bob?", "Ann."),
    ("Who does Bob teach?", "Cy."),
    ("Who is taught by Bob?", "Cy."),
    ("Who reports to Gus Okoro?", "Ada Finch."),
    ("Who does Gus Okoro report to?", "Ines Rey."),
    ("Who acquired Mid Corp?", "Old Corp."),
    ("Which company did Mid Corp acquire?", "“company” names no node, relation or kind. Without that: New Corp."),
    ("Who cites Paper B?", "Paper A."),
    ("What does Paper B cite?", "Paper C."),
]
NO = ["Was Conan Bright influenced by Jay?", "Does Ines Rey report to Gus Okoro?", "Did Jay influence Conan Bright?"]


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[mosaic.Corpus]:
    folder: Path = tmp_path_factory.mktemp("directions")
    (folder / "graph.csv").write_text("\n".join(TRIPLES), encoding="utf-8")
    with mosaic.open(folder / "graph.duckdb", embedder="none") as corpus:
        corpus.import_graph(str(folder / "graph.csv"), embed="none")
        yield corpus


@pytest.mark.parametrize(("question", "answer"), ASKED)
def test_a_verb_is_walked_the_way_it_is_said(people: mosaic.Corpus, question: str, answer: str) -> None:
    assert people.ask(question).text.splitlines()[0] == answer


@pytest.mark.parametrize("question", NO)
def test_an_edge_the_other_way_round_is_no_yes(people: mosaic.Corpus, question: str) -> None:
    assert not people.ask(question).text.startswith("Yes")


@pytest.mark.parametrize("question", ["Whom did Lee Lane influence?", "Who teaches Ann?"])
def test_an_end_without_such_an_edge_is_not_answered_from_the_other_end(people: mosaic.Corpus, question: str) -> None:
    assert people.ask(question).text.splitlines()[0] not in ("Jay.", "Bob.")


@pytest.fixture(scope="module")
def kitchen() -> Iterator[mosaic.Corpus]:
    nodes = [(name, name, "cook") for name in ("Ada Rue", "Bo Lind", "Cy Vane")] + [
        ("Blue Party", "Blue Party", "party")
    ]
    edges = [
        ("Ada Rue", "trained under", "Bo Lind"), ("Bo Lind", "trained under", "Cy Vane"),
        ("Bo Lind", "leads", "Blue Party"), ("Ada Rue", "member_of", "Blue Party"),
    ]  # fmt: skip
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("Who trained under Bo Lind?", "Ada Rue.\n"),
        ("Who did Bo Lind train under?", "Cy Vane.\n"),
        ("Who was taught by Bo Lind?", "Ada Rue.\n"),
        ("Is Bo Lind the leader of the Blue Party?", "Yes: Bo Lind -leads-> Blue Party"),
        ("Is Ada Rue the leader of the Blue Party?", "No: no `leads` edge from Ada Rue to Blue Party"),
        ("Who is the leader of the Blue Party?", "Bo Lind.\n"),
    ],
)
def test_who_is_under_whom_and_who_leads(kitchen: mosaic.Corpus, question: str, opening: str) -> None:
    assert kitchen.ask(question).text.startswith(opening)
