"""Dates that say when an edge holds: a member from 1975 to 1982, asked for 1981; and dates that say something else."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def bands() -> Iterator[mosaic.Corpus]:
    with worlds.bands() as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "names", "during"),
    [
        ("Who was a member of Mercury in 1981?", "Ann Lee, Bob Ray", "1981"),
        ("Who was a member of Mercury between 1983 and 1990?", "Bob Ray, Cid Fox", "1983 to 1990"),
        ("Who was a member of Mercury after 1990?", "Cid Fox", "after 1990"),  # no end: still a member
        ("Who were the members of The Owls before 1986?", "Dot Moe", "before 1986"),
        ("Which band was Bob Ray a member of in 1995?", "The Owls", "1995"),
        ("Which bands was Bob Ray a member of in the 1980s?", "Mercury", "1980s"),
        ("Who joined Mercury in 1978?", "Bob Ray", None),
        ("Which members of Mercury were born after 1949?", "Ann Lee, Bob Ray", None),
        ("Which bands of Bob Ray were founded before 1980?", "Mercury", None),
    ],
)
def test_the_time_of_an_edge_is_an_interval_unless_another_date_is_named(
    bands: mosaic.Corpus, question: str, names: str, during: str | None
) -> None:
    run = bands.retrieve(question)
    assert run.policy.refine.during == during
    assert sorted(one.name for one in run.answers) == names.split(", ")


def test_a_number_at_a_time_and_whether_it_was_so(bands: mosaic.Corpus) -> None:
    assert bands.ask("How many members did Mercury have in 1981?").text.startswith("2\n")
    assert bands.ask("Was Ann Lee a member of Mercury in 1981?").text == (
        "Yes\nAnn Lee -member_of-> Mercury (from: 1975.0, to: 1982.0) [1]"
    )
    assert (
        bands.ask("Was Ann Lee a member of Mercury in 1985?").text
        == "No: no path member_of from Ann Lee to Mercury during 1985."
    )
    assert bands.ask("Was Bob Ray a member of The Owls before 1985?").text == (
        "No: no path member_of from Bob Ray to The Owls before 1985."
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who is a member of Mercury now?", "Cid Fox"),
        ("Who are the current members of Mercury?", "Cid Fox"),
        ("Who is still a member of Mercury?", "Cid Fox"),
        ("Who is currently a member of The Owls?", ""),
        ("Who used to be a member of Mercury?", "Ann Lee, Bob Ray"),
        ("former members of Mercury", "Ann Lee, Bob Ray"),
        ("Who is no longer a member of Mercury?", "Ann Lee, Bob Ray"),
        ("Who is not a member of Mercury any more?", "Ann Lee, Bob Ray"),
        ("Where were the former members of Mercury born?", "Belmont, Orsk"),
        ("Where were the current members of Mercury born?", "Carrow"),
        ("Which bands do former members of Mercury belong to now?", ""),
        ("Where were former members of The Owls born?", "Belmont, Orsk"),
        ("Who was the first member of Mercury?", "Ann Lee"),  # by the start of the edge, not by birth
        ("Which albums did Mercury formerly release?", "Mercury, Night Flight"),  # edges that tell no end
    ],
)
def test_what_holds_still_has_no_end_and_what_is_former_has_one(
    bands: mosaic.Corpus, question: str, names: str
) -> None:
    assert sorted(one.name for one in bands.retrieve(question).answers) == list(filter(None, names.split(", ")))


def test_an_end_that_is_to_come_is_none_yet() -> None:
    rows = [
        ("Ada Roe", "works_at", "Acme", "2001", "2900-01-01"),
        ("Bo Lind", "works_at", "Acme", "2001", "2003-05-01"),
    ]
    frame = pd.DataFrame(rows, columns=["source", "relation", "target", "start_date", "end_date"])
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(frame, embed="none")
        assert [one.name for one in corpus.retrieve("Who works at Acme now?").answers] == ["Ada Roe"]
        assert [one.name for one in corpus.retrieve("Who formerly worked at Acme?").answers] == ["Bo Lind"]
        assert corpus.ask("Does Bo Lind still work at Acme?").text == (
            "No: no path works_at from Bo Lind to Acme that holds still."
        )
        assert corpus.ask("Does Ada Roe still work at Acme?").text.startswith("Yes\nAda Roe -works_at-> Acme (")


@pytest.mark.parametrize(
    ("question", "name", "value"),
    [
        ("When did Ann Lee leave Mercury?", "Mercury", "1982"),
        ("When did Bob Ray join The Owls?", "The Owls", "1991"),
        ("Since when is Cid Fox a member of Mercury?", "Mercury", "1983"),
        ("Until when was Bob Ray a member of Mercury?", "Mercury", "1990"),
        ("When did Bob Ray stop being a member of Mercury?", "Mercury", "1990"),
        ("Since when has Cid Fox been the member of Mercury?", "Mercury", "1983"),
    ],
)
def test_when_an_edge_between_two_names_began_or_ended(
    bands: mosaic.Corpus, question: str, name: str, value: str
) -> None:
    assert [(one.name, one.value) for one in bands.retrieve(question).answers] == [(name, value)]


def test_verbs_of_a_start_and_an_end_alone_are_of_every_relation_that_tells_them() -> None:
    rows = [("Ada Roe", "works_at", "Acme", "2001", "2009"), ("Bo Lind", "directs", "Acme", "2005", None)]
    frame = pd.DataFrame(rows, columns=["source", "relation", "target", "since", "until"])
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(frame, embed="none")
        assert [one.name for one in corpus.retrieve("Who left Acme in 2009?").answers] == ["Ada Roe"]
        assert [one.name for one in corpus.retrieve("Who joined Acme after 2003?").answers] == ["Bo Lind"]


def test_yes_or_no_of_what_holds_still(bands: mosaic.Corpus) -> None:
    assert bands.ask("Are Bob Ray and Cid Fox members of Mercury now?").text == (
        "No: no path member_of from all of Bob Ray, Cid Fox to Mercury that holds still."
    )
    assert bands.ask("Was Bob Ray a member of Mercury or The Owls?").text.startswith("Yes\n")
    assert bands.ask("Is Cid Fox still a member of Mercury?").text.startswith("Yes\nCid Fox -member_of-> Mercury")
    assert bands.ask("Is Eve Poe currently a member of a band?").text == (
        "No: no path member_of from Eve Poe that holds still."
    )


def test_a_number_that_only_sounds_like_an_end_is_none() -> None:
    row = {"source": "Ada Roe", "relation": "flies", "target": "Acme", "from_gate": 17, "to_gate": 4}
    frame = pd.DataFrame([row])
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(frame, embed="none")
        assert [one.name for one in corpus.retrieve("Who flies Acme now?").answers] == ["Ada Roe"]


def test_what_holds_now_of_none_or_of_several_names_is_told_as_not_understood(bands: mosaic.Corpus) -> None:
    none = bands.ask("Which bands have no current members?")
    assert (none.found, none.answer.reason) == (False, "none of what is “current” was not understood")


def test_a_description_may_be_of_a_time(bands: mosaic.Corpus) -> None:
    run = bands.retrieve("Where were the members of Mercury in 1981 born?")
    assert [one.name for one in run.answers] == ["Belmont", "Orsk"]
    assert [one.name for one in run.steps[0].nodes] == ["Ann Lee", "Bob Ray"]


def test_one_date_of_an_edge_is_compared_as_any_other() -> None:
    with worlds.titles(on_edges=True) as corpus:
        run = corpus.retrieve("Which team won the title of the Crystal Cup in 1925?")
        assert [one.name for one in run.answers] == ["Rovers"]
        assert run.policy.refine.during is None
