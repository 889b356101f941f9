"""What a question leaves out: what services of a team do not call, films without a prize."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def shop() -> Iterator[mosaic.Corpus]:
    nodes = [
        ("Data", "Data", "team"), ("Web", "Web", "team"),
        *((name, name, "service") for name in ("feature-store", "report-api", "recommender", "front-door")),
        ("Ola Berg", "Ola Berg", "person"), ("Prize of Orsk", "Prize of Orsk", "award"),
        *((name, name, "film") for name in ("Long Night", "Short Day", "Grey Sea")),
    ]  # fmt: skip
    edges = [
        ("feature-store", "owned_by", "Data"), ("report-api", "owned_by", "Data"), ("recommender", "owned_by", "Data"),
        ("front-door", "owned_by", "Web"), ("recommender", "calls", "feature-store"),
        ("front-door", "calls", "feature-store"), ("report-api", "calls", "recommender"),
        ("Long Night", "directed_by", "Ola Berg"), ("Short Day", "directed_by", "Ola Berg"),
        ("Long Night", "won", "Prize of Orsk"),
    ]  # fmt: skip
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which services of the Data team do not call feature-store?", "feature-store, report-api"),
        ("Which services of the Data team don't call feature-store?", "feature-store, report-api"),
        ("Which Data services do not call feature-store?", "feature-store, report-api"),
        ("Which services of the Data team do not call recommender?", "feature-store, recommender"),
        ("Ola Berg films that did not win an award", "Short Day"),
        ("Which Ola Berg films did not win an award?", "Short Day"),
        ("films by Ola Berg that did not win an award", "Short Day"),
        ("Ola Berg films without an award", "Short Day"),
        ("films by Ola Berg", "Long Night, Short Day"),
    ],
)
def test_what_is_not_so_is_left_out(shop: mosaic.Corpus, question: str, names: str) -> None:
    assert ", ".join(sorted(one.name for one in shop.retrieve(question).answers)) == names


@pytest.mark.parametrize(
    "question",
    ["Which services of the Data team do not like feature-store?", "Ola Berg films that did not sell a ticket"],
)
def test_what_nothing_answers_to_is_no_reason_to_leave_something_out(shop: mosaic.Corpus, question: str) -> None:
    run = shop.ask(question)
    assert not run.retrieval.answers
    assert "not understood" in run.text
