"""Plain questions over drugs and their trials: numbers, dates, spells of time, and texts on nodes and edges."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pandas as pd
import pytest
from small import EDGE, opened

import mosaic_sql as mosaic
from mosaic_sql.errors import PolicyError

NODE = ["id", "name", "kind", "properties"]
NODES = [
    ("Alvexa", "Drug", {"status": "approved", "approved_on": "2004-03-15", "dose": 10}),
    ("Brixol", "Drug", {"status": "approved", "approved_on": "2016-08-01", "dose": 40}),
    ("Corvane", "Drug", {"status": "withdrawn", "approved_on": "1988-05-20", "dose": 25}),
    ("Dulmara", "Drug", {"status": "experimental"}),
    ("Nausea", "SideEffect", {}),
    ("Rash", "SideEffect", {}),
    ("T-1", "Trial", {"phase": 3, "start_date": "2012-01-10", "end_date": "2015-06-30", "participants": 800}),
    ("T-2", "Trial", {"phase": 3, "start_date": "2014-05-05", "end_date": "2018-12-20", "participants": 200}),
    ("T-3", "Trial", {"phase": 2, "start_date": "2019-03-01", "participants": 90}),
]
EDGES = [
    ("Alvexa", "interacts_with", "Brixol", {"severity": "severe"}),
    ("Alvexa", "interacts_with", "Corvane", {"severity": "mild"}),
    ("Dulmara", "interacts_with", "Corvane", {"severity": "mild"}),
    ("Alvexa", "has_side_effect", "Nausea", {"frequency": "common"}),
    ("Alvexa", "has_side_effect", "Rash", {"frequency": "rare"}),
    ("Corvane", "has_side_effect", "Nausea", {"frequency": "rare"}),
    ("T-1", "tests", "Alvexa", {}),
    ("T-2", "tests", "Brixol", {}),
    ("T-3", "tests", "Dulmara", {}),
]


@pytest.fixture(scope="module")
def drugs() -> Iterator[mosaic.Corpus]:
    nodes = pd.DataFrame([(name, name, kind, json.dumps(more)) for name, kind, more in NODES], columns=NODE)
    edges = pd.DataFrame([(*one, json.dumps(more)) for *one, more in EDGES], columns=[*EDGE, "properties"])
    with opened(nodes=nodes, edges=edges) as corpus:
        yield corpus


def names(corpus: mosaic.Corpus, question: str) -> str:
    return ", ".join(sorted(answer.name for answer in corpus.retrieve(question).answers))


def first(corpus: mosaic.Corpus, question: str) -> str:
    return corpus.ask(question).text.splitlines()[0]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Total participants of phase 3 trials", "1000, the sum of participants (2 of 2) [1]"),
        ("Average number of participants of phase 3 trials", "500, the mean of participants (2 of 2) [1]"),
        ("What is the total number of participants of all trials?", "1090, the sum of participants (3 of 3) [1]"),
        ("How many participants do phase 3 trials have?", "1000, the sum of participants (2 of 2) [1]"),
        ("Average phase of the trials", "2.666667, the mean of phase (3 of 3) [1]"),
    ],
)
def test_the_number_that_is_added_up_is_not_the_one_that_chooses(
    drugs: mosaic.Corpus, question: str, expected: str
) -> None:
    assert first(drugs, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When was Alvexa approved?", "Alvexa (approved_on 2004-03-15) [1]"),
        ("Was Corvane approved before 1990?", "Yes"),
        ("Was Brixol approved before 1990?", "No"),
        ("How many drugs were approved after 2010?", "1"),
        ("Which drugs were approved in 2004?", "Alvexa [1]"),
        ("Which drugs were approved before 2010?", "Alvexa [1]"),
        ("Which drugs are approved?", "Alvexa [1]"),
    ],
)
def test_a_word_of_a_date_is_no_value_of_another_property_where_a_time_is_asked_for(
    drugs: mosaic.Corpus, question: str, expected: str
) -> None:
    assert first(drugs, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Trials sorted by participants, fewest first", "T-3, T-2, T-1"),
        ("Trials by participants, largest first", "T-1, T-2, T-3"),
        ("List the drugs from newest to oldest", "Brixol, Alvexa, Corvane, Dulmara"),
        ("List the trials by participants from high to low", "T-1, T-2, T-3"),
        ("Sort all trials by participants, ascending", "T-3, T-2, T-1"),
        ("Sort the trials by participants in descending order", "T-1, T-2, T-3"),
        ("Sort all trials by participants", "T-1, T-2, T-3"),
        ("Top 2 trials by participants, largest first", "T-1, T-2"),
    ],
)
def test_an_order_that_is_told_by_its_ends_is_one_of_all(drugs: mosaic.Corpus, question: str, expected: str) -> None:
    assert ", ".join(answer.name for answer in drugs.retrieve(question).answers) == expected


@pytest.mark.parametrize("question", ["Which hospitals are there?", "List the enzymes.", "who", "🎸🎸", "zzz qqq"])
def test_a_question_of_which_nothing_is_read_lists_no_nodes(drugs: mosaic.Corpus, question: str) -> None:
    asked = drugs.ask(question)
    what = "of what this is asked was not understood; name a node, or a kind of node: Drug, SideEffect, Trial"
    assert (asked.found, asked.answer.reason, asked.retrieval.answers) == (False, what, ())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which trials ran in 2014?", "T-1, T-2"),
        ("Which trials ran between 2016 and 2017?", "T-2"),
        ("Which trials were running in 2019?", "T-3"),
        ("Which trials were active in 2013?", "T-1"),
        ("Which trials started in 2014?", "T-2"),
        ("Which trials ended in 2015?", "T-1"),
    ],
)
def test_a_time_is_one_in_which_what_has_a_start_and_an_end_went_on(
    drugs: mosaic.Corpus, question: str, expected: str
) -> None:
    assert names(drugs, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [("Was T-1 running in 2014?", "Yes"), ("Was T-1 running in 2017?", "No"), ("Did T-2 run in 2018?", "Yes")],
)
def test_whether_something_went_on_at_a_time_is_told_of_its_start_and_end(
    drugs: mosaic.Corpus, question: str, expected: str
) -> None:
    assert first(drugs, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which trials overlap with T-1?", "T-2"),
        ("Which trials overlapped with T-2?", "T-1"),
        ("Which trials ran at the same time as T-2?", "T-1"),
        ("Which trials overlap with T-3?", ""),
    ],
)
def test_what_went_on_at_the_same_time_is_told_of_both_spells(
    drugs: mosaic.Corpus, question: str, expected: str
) -> None:
    assert names(drugs, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"), [("Did T-1 and T-2 overlap?", "Yes"), ("Did T-1 and T-3 overlap?", "No")]
)
def test_whether_two_spells_meet(drugs: mosaic.Corpus, question: str, expected: str) -> None:
    assert first(drugs, question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("With which drugs does Alvexa have a severe interaction?", "Brixol"),
        ("Which drugs have a mild interaction with Corvane?", "Alvexa, Dulmara"),
        ("rare side effects of Alvexa", "Rash"),
        ("What are the common side effects of Alvexa?", "Nausea"),
        ("Which drugs have nausea as a rare side effect?", "Corvane"),
        ("What side effects do Alvexa and Corvane have in common?", "Nausea"),
    ],
)
def test_a_text_before_the_noun_of_a_relation_is_of_its_edges(
    drugs: mosaic.Corpus, question: str, expected: str
) -> None:
    assert names(drugs, question) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("severe", "Yes"), ("mild", "No: no path ~interacts_with from Alvexa to Brixol with severity = mild.")],
)
def test_whether_an_edge_has_a_text_is_told(drugs: mosaic.Corpus, kind: str, expected: str) -> None:
    assert first(drugs, f"Does Alvexa have a {kind} interaction with Brixol?") == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is T-1 in phase 3?", "Yes"),
        ("Is T-1 in phase 2?", "No"),
        ("Is T-1 a phase 3 trial?", "Yes"),
        ("Is T-3 not in phase 3?", "Yes"),
    ],
)
def test_whether_a_node_has_a_number_is_answered_with_yes_or_no(
    drugs: mosaic.Corpus, question: str, expected: str
) -> None:
    assert first(drugs, question) == expected


def test_a_property_that_a_node_lacks_is_no_answer(drugs: mosaic.Corpus) -> None:
    asked = drugs.ask("When was Dulmara approved?")
    assert (asked.found, asked.answer.reason) == (False, "Dulmara has no approved_on")


def test_a_pattern_beside_an_operator_that_follows_none_is_refused(drugs: mosaic.Corpus) -> None:
    with pytest.raises(PolicyError, match="pattern: bfs follows none; leave it out, or use operator meta_path"):
        drugs.retrieve("Who tests Alvexa?", policy={"operator": "bfs", "pattern": "nope"})
