"""Numbers of what a named node leads to, halves of a year, names that begin with an order, and either of two names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds
from described import names

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def lab() -> Iterator[mosaic.Corpus]:
    drugs = [("Abarol", 300.0, 2016), ("Belmin", 500.0, 2018), ("Cortan", 420.0, 2001), ("Dexil", 90.0, 2019)]
    nodes = [
        *((n, n, "compound", {"molecular_weight": weight, "first_approved": year}) for n, weight, year in drugs),
        ("Orskin", "Orskin", "class", {"code": 7}), ("Zidane", "Zidane", "class", {"code": 9}),
        *((name, name, "anatomy") for name in ("kidney", "lung")), ("gene X1", "gene X1", "gene"),
        *((name, name, "disease") for name in ("bone rot", "dry cough")),
        ("Tarn Works", "Tarn Works", "customer"),
    ]  # fmt: skip
    edges = [
        ("Orskin", "includes", "Abarol"), ("Orskin", "includes", "Belmin"), ("Zidane", "includes", "Dexil"),
        ("bone rot", "localizes", "lung"), ("kidney", "expresses", "gene X1"), ("lung", "expresses", "gene X1"),
        ("dry cough", "associates", "gene X1"),
        ("Tarn Works", "ordered", "Abarol", {"order_date": "2024-03-05", "quantity": 10}),
        ("Tarn Works", "ordered", "Belmin", {"order_date": "2024-08-09", "quantity": 5}),
        ("Tarn Works", "ordered", "Cortan", {"order_date": "2024-12-31", "quantity": 4}),
    ]  # fmt: skip
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("average molecular weight of the Orskins", "400, the mean of molecular_weight (2 of 2)"),
        ("total quantity of Tarn Works", "19, the sum of quantity (3 of 3)"),
    ],
)
def test_a_number_is_of_what_a_named_node_leads_to(lab: mosaic.Corpus, question: str, first: str) -> None:
    assert lab.ask(question).text.startswith(first)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which Orskin has the lowest molecular weight?", ["Abarol"]),
        ("Which of the Orskins has the highest molecular weight?", ["Belmin"]),
        ("compounds first approved after 2015", ["Abarol", "Belmin", "Dexil"]),
        ("which compounds were first approved in 2016", ["Abarol"]),
        ("What did Tarn Works order in the second half of 2024?", ["Belmin", "Cortan"]),
        ("What did Tarn Works order in the first quarter of 2024?", ["Abarol"]),
        ("What did Tarn Works order in Q4 2024?", ["Cortan"]),
        ("What did Tarn Works order in H1 2024?", ["Abarol"]),
        (
            "Which diseases localize to the kidney or the lung?",
            ["bone rot"],
        ),  # and not over genes from one to the other
        ("Which diseases localize to the lung?", ["bone rot"]),
        ("Which diseases localize to both the kidney and the lung?", []),
    ],
)
def test_what_is_asked_is_not_taken_for_another_order_or_path(
    lab: mosaic.Corpus, question: str, expected: list[str]
) -> None:
    assert sorted(names(lab.retrieve(question))) == expected


def test_what_links_two_names_is_a_path_though_a_relation_is_called_alike(lab: mosaic.Corpus) -> None:
    run = lab.ask("What links bone rot and dry cough?")
    assert run.text.startswith("They are joined by: bone rot -localizes-> lung")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which class does Abarol belong to?", ["Orskin"]),
        ("List the members of Orskin", ["Abarol", "Belmin"]),
        ("What does the class Orskin include?", ["Abarol", "Belmin"]),
        ("How many different compounds did Tarn Works order?", ["Abarol", "Belmin", "Cortan"]),
    ],
)
def test_what_a_class_includes_belongs_to_it(lab: mosaic.Corpus, question: str, expected: list[str]) -> None:
    assert sorted(names(lab.retrieve(question))) == expected


def test_a_list_is_ordered_by_what_is_named_in_several_words(lab: mosaic.Corpus) -> None:
    found = lab.retrieve("Sort the compounds by molecular weight").answers
    assert [one.name for one in found] == ["Belmin", "Cortan", "Abarol", "Dexil"]
