"""What holds over any number of steps: dependencies, direct and indirect."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds
from described import names

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def packages() -> Iterator[mosaic.Corpus]:
    nodes = [(name, name, "package") for name in ("alder", "birch", "cedar", "dune", "ember")]
    nodes += [("Orsk", "Orsk", "team")]
    edges = [
        ("alder", "depends_on", "birch"), ("birch", "depends_on", "cedar"), ("cedar", "depends_on", "dune"),
        ("dune", "depends_on", "birch"), ("ember", "depends_on", "cedar"), ("alder", "owned_by", "Orsk"),
    ]  # fmt: skip
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does ember depend on, directly or indirectly?", ["birch", "cedar", "dune"]),
        ("all direct and indirect dependencies of ember", ["birch", "cedar", "dune"]),
        ("What are the transitive dependencies of ember?", ["birch", "cedar", "dune"]),
        ("indirect dependencies of ember", ["birch", "cedar", "dune"]),  # and cedar over both of the others
        ("indirect dependencies of alder", ["birch", "cedar", "dune"]),
        ("Which packages depend, directly or indirectly, on dune?", ["alder", "birch", "cedar", "ember"]),
        ("How many packages depend directly or transitively on dune?", ["alder", "birch", "cedar", "ember"]),
        ("What does ember depend on?", ["cedar"]),
    ],
)
def test_a_step_is_repeated(packages: mosaic.Corpus, question: str, expected: list[str]) -> None:
    assert sorted(names(packages.retrieve(question))) == expected


@pytest.mark.parametrize(("question", "said"), [
    ("Does ember depend indirectly on dune?", "Yes"),
    ("Does alder depend directly or indirectly on ember?", "No"),
])  # fmt: skip
def test_yes_or_no_over_any_number_of_steps(packages: mosaic.Corpus, question: str, said: str) -> None:
    assert packages.ask(question).text.startswith(said)


def test_a_step_that_leads_to_another_kind_is_not_repeated(packages: mosaic.Corpus) -> None:
    run = packages.ask("Which team indirectly owns alder?")
    assert not run.retrieval.answers
    assert "indirectly was not understood" in run.text


def test_a_word_of_a_name_repeats_nothing() -> None:
    nodes = [("p", "On Recursive Descent", "paper"), ("q", "Plain Parsing", "paper"), ("a", "Ada Rue", "author")]
    with worlds.graph(nodes, [("p", "written_by", "a"), ("p", "cites", "q")]) as corpus:
        assert names(corpus.retrieve("Who wrote On Recursive Descent?")) == {"Ada Rue"}
        assert names(corpus.retrieve("What does On Recursive Descent cite?")) == {"Plain Parsing"}


def test_a_name_right_before_the_words_is_kept(packages: mosaic.Corpus) -> None:
    assert packages.ask("Does ember indirectly depend on dune?").text.startswith("Yes")
