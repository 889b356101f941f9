"""What a question names by its kind is of that kind, where the relation it names leads to others too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic

KINDS = {
    "person": ["Ada Brock", "Lin Park", "Tim Okoro", "Eve Salt", "Nina Holt"],
    "robot": ["Unit 7"],
    "company": ["Acme", "Borealis", "Cindex"],
    "team": ["Harbor Hawks", "River Rats"],
    "city": ["Paris", "Geneva"],
    "product": ["Gizmo"],
}
EDGES = [
    ("Acme", "headquartered_in", "Paris"),
    ("Cindex", "headquartered_in", "Paris"),
    ("Borealis", "headquartered_in", "Geneva"),
    ("Harbor Hawks", "headquartered_in", "Paris"),
    ("River Rats", "headquartered_in", "Geneva"),
    ("Tim Okoro", "works_at", "Acme"),
    ("Eve Salt", "works_at", "Acme"),
    ("Unit 7", "works_at", "Acme"),
    ("Nina Holt", "works_at", "Cindex"),
    ("Acme", "ceo", "Tim Okoro"),
    ("Ada Brock", "founded", "Acme"),
    ("Lin Park", "founded", "Borealis"),
    ("Acme", "owns", "Cindex"),
    ("Acme", "owns", "Harbor Hawks"),
    ("Lin Park", "owns", "River Rats"),
    ("Borealis", "makes", "Gizmo"),
    ("Ada Brock", "born_in", "Paris"),
]


@pytest.fixture(scope="module")
def firms() -> Iterator[mosaic.Corpus]:
    nodes = [(name, name, kind) for kind, names in KINDS.items() for name in names]
    with worlds.graph(nodes, EDGES) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "pattern", "expected"),
    [
        ("which companies are headquartered in Paris", "^headquartered_in[company]", "Acme, Cindex"),
        ("companies in Paris", "^headquartered_in[company]", "Acme, Cindex"),
        ("Which firms have their headquarters in Paris?", "^headquartered_in[company]", "Acme, Cindex"),
        ("which businesses are headquartered in Paris", "^headquartered_in[company]", "Acme, Cindex"),
        ("Which teams are headquartered in Paris?", "^headquartered_in[team]", "Harbor Hawks"),
        ("what is headquartered in Paris", "^headquartered_in", "Acme, Cindex, Harbor Hawks"),
        ("which people work at Acme", "^works_at[person]", "Tim Okoro, Eve Salt"),
        ("list the persons who work at Acme", "^works_at[person]", "Tim Okoro, Eve Salt"),
        ("which teams does Acme own", "owns[team]", "Harbor Hawks"),
        ("what does Acme own", "owns", "Cindex, Harbor Hawks"),
        ("which companies did Ada Brock found", "founded", "Acme"),
        (
            "which people work at companies headquartered in Paris",
            "^headquartered_in[company] / ^works_at[person]",
            "Tim Okoro, Eve Salt, Nina Holt",
        ),
    ],
)
def test_answers_are_of_the_kind_that_is_asked_for(
    firms: mosaic.Corpus, question: str, pattern: str, expected: str
) -> None:
    found = firms.retrieve(question)
    assert found.policy.walk.pattern == pattern
    assert ", ".join(one.name for one in found.answers) == expected


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many people work at Acme", "2"),
        ("how many robots work at Acme", "1"),
        ("How many companies are headquartered in Paris?", "2"),
        ("how many people work at companies headquartered in Paris", "3"),
    ],
)
def test_no_others_are_counted(firms: mosaic.Corpus, question: str, count: str) -> None:
    assert firms.ask(question).text.split("\n")[0].startswith(count)


def test_the_verb_of_a_relation_at_a_place_is_no_work(firms: mosaic.Corpus) -> None:
    """Who works at a maker of something has not invented it."""
    asked = firms.ask("who invented Gizmo")
    assert not asked.found
    assert asked.text.startswith("No relation of this graph fits “invented”.")
