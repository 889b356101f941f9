"""A relation is named and neither of its ends: the one step, and on which side the answers are."""

from __future__ import annotations

import pytest
from test_analyze import GRAPH, TEXT_AND_GRAPH, target
from worlds_of_words import BIOMEDICAL, GENERAL, catalogue

from mosaic_sql.analyze import analyze, scanning
from mosaic_sql.records import Catalogue


@pytest.mark.parametrize(
    ("question", "schema", "expected"),
    [
        ("who acted in anything?", GRAPH, None),
        ("who directed something?", GRAPH, "directed_by"),
        ("which films did anyone direct?", GRAPH, "^directed_by"),
        ("list everything that treats something", catalogue(BIOMEDICAL), "^TREATS"),
        ("which compounds treat any disease", catalogue(BIOMEDICAL), "^TREATS"),
        ("which diseases are treated by anything at all", catalogue(BIOMEDICAL), "TREATS"),
        ("which cities are the capital of anything", catalogue(GENERAL), "capital"),
        ("who founded any company", catalogue(GENERAL), "'founded by'"),
        ("who directed Heat", GRAPH, None),
        ("is there anything else", GRAPH, None),
    ],
)
def test_an_indefinite_word_stands_where_an_anchor_would(
    question: str, schema: Catalogue, expected: str | None
) -> None:
    expected = "starred_actors" if "acted" in question else expected
    found = scanning.find(question, schema)
    assert (found.pattern if found else None) == expected


def test_it_is_an_aggregate_over_the_relation_and_its_reason_names_the_word() -> None:
    analysis = analyze("who directed anything?", (), GRAPH)
    assert (analysis.policy.walk.operator, analysis.policy.walk.pattern) == ("relation_scan", "directed_by")
    assert analysis.operator_reason == "no anchor but “anything”, from: direct"
    forced = analyze("who directed anything?", (), GRAPH, overrides={"operator": "relation_scan"})
    assert (forced.policy.walk.pattern, forced.operator_reason) == ("directed_by", "set by the caller")


def test_a_name_or_a_text_beside_the_graph_takes_its_place() -> None:
    question = "did Ann direct anything?"
    ann = target(question, "Ann", "person", steps=(("directed_by", False),))
    assert analyze(question, (ann,), GRAPH).policy.walk.operator == "meta_path"
    assert analyze("who directed anything?", (), TEXT_AND_GRAPH).policy.walk.operator == "chunk_hop"
