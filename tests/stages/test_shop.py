"""A shop, whose relations are called with words that questions use for other things too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic

ITEMS = {"Kettle K1": "Orval", "Toaster T2": "Orval", "Lamp L3": "Brisa", "Tripod P4": "Tamsin"}
TOGETHER = [("Kettle K1", "Lamp L3"), ("Toaster T2", "Tripod P4")]


@pytest.fixture(scope="module")
def shop() -> Iterator[mosaic.Corpus]:
    edges = [(item, "brand", brand) for item, brand in ITEMS.items()]
    edges += [(brand, "item", item) for item, brand in ITEMS.items()]
    edges += [pair for a, b in TOGETHER for pair in ((a, "bought_together_item", b), (b, "bought_together_item", a))]
    nodes = [(item, item, "item") for item in ITEMS] + [(brand, brand, "brand") for brand in set(ITEMS.values())]
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    "question",
    [
        "In what way does Kettle K1 hang together with Toaster T2?",
        "How does Kettle K1 belong together with Toaster T2?",
        "What does Kettle K1 have to do with Toaster T2?",
    ],
)
def test_to_hang_together_is_no_relation(shop: mosaic.Corpus, question: str) -> None:
    found = shop.retrieve(question)
    assert found.policy.walk.operator == "shortest_path"
    assert "Kettle K1 -brand-> Orval -item-> Toaster T2" in str(found.context)


def test_to_be_bought_together_is_one(shop: mosaic.Corpus) -> None:
    found = shop.retrieve("Which items are bought together with Kettle K1?")
    assert [one.name for one in found.answers] == ["Lamp L3"]


def test_others_are_not_the_one_they_are_others_than(shop: mosaic.Corpus) -> None:
    """An item has one brand, so no brand is reached over a brand's own items."""
    found = shop.retrieve("Which other brands have items that are bought together with items of Orval?")
    assert sorted(one.name for one in found.answers) == ["Brisa", "Tamsin"]
