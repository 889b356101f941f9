"""What a question names by its kind is of that kind, where the relation it names leads to others too."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
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
    "paper": ["On Nets", "On Trees"],
    "course": ["Logic", "Optics"],
    "student": ["Amy Tran", "Ben Cole"],
    "professor": ["Vera Lind"],
    "hall": ["West Hall"],
    "university": ["Lakeside"],
    "country": ["France", "Peru"],
}
NUMBERS = {
    "Acme": {"founded": 1990, "employees": 120},
    "Cindex": {"founded": 1985},
    "On Nets": {"citations": 512},
    "Lakeside": {"students": 9000},
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
    ("On Trees", "cites", "On Nets"),
    ("Vera Lind", "teaches", "Logic"),
    ("Amy Tran", "teaches", "Logic"),
    ("Ben Cole", "enrolled_in", "Logic"),
    ("Vera Lind", "studied_at", "Lakeside"),
    ("Logic", "held_in", "West Hall"),
    ("Paris", "located_in", "France"),
]


@pytest.fixture(scope="module")
def firms() -> Iterator[mosaic.Corpus]:
    nodes = [(name, name, kind, NUMBERS.get(name, {})) for kind, names in KINDS.items() for name in names]
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


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        (
            "who founded Paris",
            "No relation of Paris fits “founded”; it has `born_in`, `headquartered_in`, `located_in`.",
        ),
        (
            "who founded the Harbor Hawks",
            "No relation of Harbor Hawks fits “founded”; it has `headquartered_in`, `owns`.",
        ),
        (
            "which person owns Cindex",
            "No relation of Cindex fits “owns” and leads to `person` as asked; it has `headquartered_in`, `owns`, "
            "`works_at`.",
        ),
        ("who supervises Vera Lind", "No relation of Vera Lind fits “supervises”; it has `studied_at`, `teaches`."),
        ("who owns West Hall", "No relation of West Hall fits “owns”; it has `held_in`."),
        (
            "which students are taught by Vera Lind",
            "No relation of Vera Lind fits “taught” and leads to `student` as asked; it has `studied_at`, `teaches`.",
        ),
        (
            "which students studied at Lakeside",
            "No relation of Lakeside fits “studied” and leads to `student` as asked; it has `studied_at`.",
        ),
        (
            "which cities did Ada Brock found",
            "No relation of Ada Brock fits “found” and leads to `city` as asked; it has `born_in`, `founded`.",
        ),
        (
            "which product does Ada Brock own",
            "No relation of Ada Brock fits “own” and leads to `product` as asked; it has `born_in`, `founded`.",
        ),
    ],
)
def test_words_of_a_relation_are_moved_to_no_other_node(firms: mosaic.Corpus, question: str, lacks: str) -> None:
    asked = firms.ask(question)
    assert (asked.found, asked.text.split(" What it says of ")[0]) == (False, lacks)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Who is the founder of Geneva?", "no relation of Geneva fits “founder”; it has `headquartered_in`"),
        (
            "who is the ceo of Paris",
            "no relation of Paris fits “ceo”; it has `born_in`, `headquartered_in`, `located_in`",
        ),
        ("which people live in Paris", "no relation of the graph answers to “live”"),
        ("which companies are in Peru", "no path ^located_in / ^headquartered_in[company] from Peru"),
        ("which company composed Gizmo", "no relation of the graph answers to “composed”"),
        ("which company owns the River Rats", "no path ^owns[company] from River Rats"),
    ],
)
def test_what_there_is_none_of_is_told(firms: mosaic.Corpus, question: str, reason: str) -> None:
    asked = firms.ask(question)
    assert (asked.found, asked.answer.reason) == (False, reason)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who founded the owner of Cindex", "Ada Brock"),
        ("which people founded companies headquartered in Geneva", "Lin Park"),
        ("who is the ceo of the company that owns Cindex", "Tim Okoro"),
        ("which companies headquartered in Geneva make products", "Borealis"),
        ("which companies are in France", "Acme, Cindex"),
        ("which teams are located in France", "Harbor Hawks"),
        ("Which country is Acme in?", "France"),
        ("in which country is the company Cindex", "France"),
        ("which students teach courses taught by Vera Lind", "Amy Tran"),
    ],
)
def test_what_is_said_of_a_node_between_is_walked_from_there(
    firms: mosaic.Corpus, question: str, expected: str
) -> None:
    assert ", ".join(one.name for one in firms.retrieve(question).answers) == expected


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("who founded Acme", "Ada Brock.\n"),
        ("who was Acme founded by", "Ada Brock.\n"),
        ("when was Acme founded", "Acme (founded 1990)"),
        ("who founded Cindex", "No relation of Cindex fits “founded”; it has `headquartered_in`, `owns`, `works_at`."),
        ("how many employees does Acme have", "Acme (employees 120)"),
        ("who are the employees of Acme", "Tim Okoro, Eve Salt, Unit 7.\n"),
        ("what are Acme's employees", "Tim Okoro, Eve Salt, Unit 7.\n"),
        ("how many citations does On Nets have", "On Nets (citations 512)"),
        ("list the citations of On Nets", "On Trees.\n"),
        ("which papers cite On Nets", "On Trees.\n"),
    ],
)
def test_a_number_is_how_many_or_when_and_its_relation_who_and_which(
    firms: mosaic.Corpus, question: str, opening: str
) -> None:
    assert firms.ask(question).text.startswith(opening)


def test_two_meet_where_both_have_done_something(typed: mosaic.Corpus) -> None:
    """Not where both were born; and a role that is asked for is walked to."""
    found = typed.retrieve("which directors worked with Olu Bell")
    assert found.policy.walk.pattern == "^starring / directed_by"
    assert [one.name for one in found.answers] == ["Mara Quist", "Per Holm"]


def test_to_found_what_is_in_a_city_is_not_to_found_the_city(firms: mosaic.Corpus) -> None:
    asked = firms.ask("did Ada Brock found Paris?")
    assert (asked.found, asked.text) == (True, "No: no `founded` edge from Ada Brock to Paris.")


@pytest.fixture(scope="module")
def told() -> Iterator[mosaic.Corpus]:
    """The same as triples alone, and what courses are worth."""
    triples = [(name, key, str(value)) for name, more in NUMBERS.items() for key, value in more.items()]
    triples += [("Logic", "credits", "6"), ("Optics", "credits", "4")]
    triples += [(name, "is_a", kind) for kind, names in KINDS.items() for name in names]
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame([*EDGES, *triples], columns=["source", "relation", "target"]), embed="none")
        yield corpus


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("how many citations does On Nets have", "512.\n"),
        ("how many papers cite On Nets", "1\n"),
        ("how many credits does Logic have", "6.\n"),
        ("who founded Acme", "Ada Brock.\n"),
        ("who founded Cindex", "No relation of Cindex fits “founded”"),
    ],
)
def test_a_number_that_triples_tell_is_not_counted_and_nobody(told: mosaic.Corpus, question: str, opening: str) -> None:
    assert told.ask(question).text.startswith(opening)


@pytest.fixture(scope="module")
def drugs() -> Iterator[mosaic.Corpus]:
    kinds = {"drug": ["Cardomab", "Veloprine"], "disease": ["Migraine"], "effect": ["Nausea"], "gene": ["BRX1"]}
    nodes = [(name, name, kind) for kind, names in [*kinds.items(), ("company", ["Bluegate"])] for name in names]
    edges = [
        ("Cardomab", "treats", "Migraine"),
        ("Veloprine", "treats", "Migraine"),
        ("Veloprine", "has_side_effect", "Nausea"),
        ("Cardomab", "targets", "BRX1"),
        ("BRX1", "associated_with", "Migraine"),
        ("Cardomab", "made_by", "Bluegate"),
        ("Veloprine", "made_by", "Bluegate"),
    ]
    with worlds.graph(nodes, edges) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("What does Migraine treat?", "Migraine has no outgoing `treats`"),
        ("What does Nausea cause?", "Nausea has no outgoing `has_side_effect`"),
        ("Which drugs does Nausea cause?", "Nausea has no outgoing `has_side_effect`"),
        ("What does Veloprine make?", "Veloprine has no incoming `made_by`"),
        ("Which genes does Migraine target?", "No relation of Migraine fits “target”"),
        ("How many genes does Migraine target?", "No relation of Migraine fits “target”"),
        ("What does Veloprine treat?", "Migraine."),
        ("What does Veloprine cause?", "Nausea."),
        ("Which drugs does Bluegate make?", "Cardomab, Veloprine."),
        ("How many drugs does Bluegate make?", "2"),
    ],
)
def test_a_verb_is_not_read_against_its_subject(drugs: mosaic.Corpus, question: str, opening: str) -> None:
    assert drugs.ask(question).text.startswith(opening)


@pytest.mark.parametrize("verb", ["recall", "burn", "fail", "lose"])
def test_a_verb_that_fits_nothing_is_not_left_out_of_a_count(drugs: mosaic.Corpus, verb: str) -> None:
    analysis = drugs.analyze(f"How many drugs did Bluegate {verb}?")
    assert (analysis.policy.walk.operator, analysis.policy.refine.count_only) == ("bfs", False)
    assert verb in analysis.unresolved + analysis.lacks


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which drugs should not be given in migraine?", "given"),
        ("Which drugs must not be used in migraine?", "used"),
        ("Which drugs no longer treat migraine?", "longer"),
    ],
)
def test_what_is_denied_is_not_another_relation(drugs: mosaic.Corpus, question: str, said: str) -> None:
    run = drugs.retrieve(question)
    assert (run.answers, said in run.analysis.unresolved) == ((), True)


def test_what_is_denied_of_a_relation_is_the_rest(drugs: mosaic.Corpus) -> None:
    for verb in ("do not", "don't", "cannot"):
        assert {one.name for one in drugs.retrieve(f"Which drugs {verb} target BRX1?").answers} == {"Veloprine"}
