"""What somebody is of something else, told by a text on an edge: the CEO of A, A's keeper, who played Falstaff."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds
from described import names

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def town() -> Iterator[mosaic.Corpus]:
    nodes = [
        *((name, name, "person") for name in ("Ada Rue", "Bo Lind", "Cy Vane", "Di Marsh")),
        *((name, name, "company") for name in ("Orsk Mills", "Belmont Press")),
        *((name, name, "film") for name in ("Merry Wives", "Chimes")),
    ]  # fmt: skip
    edges = [
        ("Ada Rue", "works_at", "Orsk Mills", {"title": "CEO", "from": "2001-01-01", "to": "2010-05-01"}),
        ("Bo Lind", "works_at", "Orsk Mills", {"title": "CEO", "from": "2010-05-02"}),
        ("Cy Vane", "works_at", "Orsk Mills", {"title": "editor", "from": "2004-01-01"}),
        ("Cy Vane", "works_at", "Belmont Press", {"title": "CEO", "from": "1990-01-01", "to": "2003-01-01"}),
        ("Ada Rue", "owns", "Belmont Press", {}),
        ("Di Marsh", "acted_in", "Merry Wives", {"character": "Falstaff"}),
        ("Bo Lind", "acted_in", "Chimes", {"character": "Falstaff"}),
        ("Ada Rue", "acted_in", "Chimes", {"character": "Mistress Quickly"}),
    ]  # fmt: skip
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who is the CEO of Orsk Mills?", ["Ada Rue", "Bo Lind"]),
        ("Who is the current CEO of Orsk Mills?", ["Bo Lind"]),
        ("Who was the former CEO of Orsk Mills?", ["Ada Rue"]),
        ("Who was CEO of Orsk Mills in 2005?", ["Ada Rue"]),
        ("Who is Orsk Mills's editor?", ["Cy Vane"]),
        ("Belmont Press's CEO", ["Cy Vane"]),
        ("Who are the editors at Orsk Mills?", ["Cy Vane"]),
        ("Who played Falstaff?", ["Bo Lind", "Di Marsh"]),
        ("Who played Falstaff in Chimes?", ["Bo Lind"]),
        ("Which person played Mistress Quickly?", ["Ada Rue"]),
        ("Who plays the Falstaff in Merry Wives?", ["Di Marsh"]),
        ("Who played in Chimes?", ["Ada Rue", "Bo Lind"]),
    ],
)
def test_a_role_is_told_by_the_edge(town: mosaic.Corpus, question: str, expected: list[str]) -> None:
    assert sorted(names(town.retrieve(question))) == expected


@pytest.mark.parametrize(
    "question",
    ["Who is the treasurer of Orsk Mills?", "Who played Hamlet?", "In which films does someone play Hamlet?"],
)
def test_a_role_that_nobody_has_is_told(town: mosaic.Corpus, question: str) -> None:
    assert not town.ask(question).retrieval.answers


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is Cy Vane's title at Orsk Mills?", "title editor"),
        ("What was Ada Rue's character in Chimes?", "character Mistress Quickly"),
    ],
)
def test_what_a_name_has_at_another_is_read_from_their_edge(town: mosaic.Corpus, question: str, said: str) -> None:
    assert said in town.ask(question).text.splitlines()[0]
