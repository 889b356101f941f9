"""Nouns for who does what a relation is called by: callers, dependents, and the dependencies that they have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds
from described import names

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def shop() -> Iterator[mosaic.Corpus]:
    nodes = [
        *((name, name, "package") for name in ("basalt", "cedar", "dune", "ember")),
        *((name, name, "service") for name in ("front-door", "report-api", "till")),
    ]
    edges = [
        ("cedar", "depends_on", "basalt"), ("dune", "depends_on", "basalt"), ("dune", "depends_on", "cedar"),
        ("ember", "depends_on", "basalt"), ("front-door", "calls", "till"), ("report-api", "calls", "till"),
        ("till", "uses", "basalt"), ("front-door", "calls", "report-api"),
    ]  # fmt: skip
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are the dependents of basalt?", ["cedar", "dune", "ember"]),
        ("basalt's dependents", ["cedar", "dune", "ember"]),
        ("What are the dependencies of dune?", ["basalt", "cedar"]),
        ("Which packages are depended on by dune?", ["basalt", "cedar"]),
        ("Which packages depend on cedar?", ["dune"]),
        ("What does cedar depend on?", ["basalt"]),
        ("Which package has the most dependents?", ["basalt"]),
        ("Which package has the most dependencies?", ["dune"]),
        ("Which package is depended on by the most packages?", ["basalt"]),
        ("Which package depends on the most packages?", ["dune"]),
        ("callers of till", ["front-door", "report-api"]),
        ("Which service has the most callers?", ["till"]),
        ("Which service calls the most other services?", ["front-door"]),
        ("Which service is called by the most different services?", ["till"]),
        ("Which services are users of basalt?", ["till"]),
        ("Which service does front-door call?", ["report-api", "till"]),
    ],
)
def test_a_noun_tells_which_end_is_meant(shop: mosaic.Corpus, question: str, expected: list[str]) -> None:
    assert sorted(names(shop.retrieve(question))) == expected


@pytest.mark.parametrize(("question", "told"), [("What are the dependencies of basalt?", "no outgoing `depends_on`")])
def test_an_end_that_a_node_has_not_is_told(shop: mosaic.Corpus, question: str, told: str) -> None:
    run = shop.ask(question)
    assert not run.retrieval.answers
    assert told in run.text
