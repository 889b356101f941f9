"""Questions over triples whose nodes have no kinds, or of which a relation tells the kinds of some."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import triples_of
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def bare() -> Iterator[mosaic.Corpus]:
    with triples_of.bare() as corpus:
        yield corpus


@pytest.fixture(scope="module")
def typed() -> Iterator[mosaic.Corpus]:
    with triples_of.typed() as corpus:
        yield corpus


def _names(corpus: mosaic.Corpus, question: str) -> str:
    return ", ".join(one.name for one in corpus.retrieve(question).answers)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("In which country was Bo Lind born?", "Germany"),
        ("Which country was Di Fabre born in?", "France"),
        ("In which city was Bo Lind born?", "Ulm"),
        ("Where was Bo Lind born?", "Ulm"),
        ("Who was born in Germany?", "Ada Roth, Bo Lind, Cy Marsh"),
        ("Which physicists were born in Germany?", "Ada Roth, Bo Lind"),
        ("Which countries border Germany?", "France"),
        ("Which subsidiaries does Alpha have?", "Goon, Waymar, Deeper, Calix"),
    ],
)
def test_where_a_relation_tells_kinds_those_of_the_others_are_inferred(
    typed: mosaic.Corpus, question: str, expected: str
) -> None:
    assert _names(typed, question) == expected


def test_kinds_that_are_told_are_the_ones_that_may_be_named(typed: mosaic.Corpus) -> None:
    assert "a kind of node: city, company, country, human, river" in typed.ask("Which stations are there?").text


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which people died before 1900?", "Cy Marsh, Ed Noir"),
        ("Which people were born before 1850?", "Cy Marsh, Ed Noir"),
        ("Which physicists died before 1950?", "Ada Roth"),
        ("Which person died first?", "Cy Marsh"),
        ("Which person was born last?", "Bo Lind"),
        ("Which people died before Di Fabre?", "Cy Marsh, Ed Noir"),
        ("Who is the oldest human?", "Cy Marsh"),
        ("Which companies were founded after 1900?", "Alpha, Bemo"),
    ],
)
def test_the_date_that_is_compared_is_of_what_the_verb_says_happened(
    typed: mosaic.Corpus, question: str, expected: str
) -> None:
    assert _names(typed, question) == expected


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Did Ada Roth die before 1950?", "Yes"), ("Was Ada Roth born before 1850?", "No")],
)
def test_yes_or_no_is_of_that_date_too(typed: mosaic.Corpus, question: str, answer: str) -> None:
    assert typed.ask(question).text.split("\n")[0] == answer


@pytest.mark.parametrize("question", ["Which people were founded before 1900?", "Which companies died before 1950?"])
def test_a_birth_is_no_date_of_anything_else(typed: mosaic.Corpus, question: str) -> None:
    asked = typed.ask(question)
    assert not asked.found
    assert "no date among the properties of the answers goes with it" in asked.text


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "pattern", "expected"),
    [
        ("Which cities in Germany have more than 250000 inhabitants?", "^country", "Bonn, Munich"),
        ("Which cities in Germany have a population over 250000?", "^country", "Bonn, Munich"),
        ("cities of Germany with fewer than 250000 inhabitants", "^country", "Kiel, Ulm"),
        ("Which companies founded by Bo Lind have more than two subsidiaries?", "^founded_by", "Alpha"),
    ],
)
def test_a_number_that_a_relation_leads_to_is_compared_and_not_counted(
    request: pytest.FixtureRequest, graph: str, question: str, pattern: str, expected: str
) -> None:
    found = request.getfixturevalue(graph).retrieve(question)
    assert found.policy.walk.pattern in (pattern, f"{pattern}[city]")
    assert ", ".join(one.name for one in found.answers) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which company has the most subsidiaries?", "Alpha 4"),
        ("Which companies have more than two subsidiaries?", "Alpha 4"),
        ("Which companies have at least two subsidiaries?", "Alpha 4, Siema 2"),
        ("Who has the most children?", "Ada Roth 3"),
        ("Who has at least two children?", "Ada Roth 3"),
    ],
)
def test_what_is_stored_from_either_end_is_counted_whole_and_once(
    request: pytest.FixtureRequest, graph: str, question: str, expected: str
) -> None:
    found = request.getfixturevalue(graph).retrieve(question)
    assert ", ".join(f"{one.name} {one.value}" for one in found.answers) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many tributaries does Long River have?", "2"),
        ("How many children does Ada Roth have?", "3"),
        ("How many subsidiaries does Alpha have?", "4"),
    ],
)
def test_how_many_counts_nodes(request: pytest.FixtureRequest, graph: str, question: str, count: str) -> None:
    assert request.getfixturevalue(graph).ask(question).text.split("\n")[0] == count


def test_edges_along_one_relation_between_two_nodes_are_still_several() -> None:
    """The same cup, won in other years."""
    with worlds.titles(on_edges=True) as corpus:
        found = corpus.retrieve("Which team won the most titles?")
        assert [(one.name, one.value) for one in found.answers] == [("Harriers", "4")]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("In which country was Bo Lind born?", "Germany"),
        ("Which country was Di Fabre born in?", "France"),
        ("In which country is the headquarters of Siema?", "Germany"),
        ("In which city was Bo Lind born?", "Ulm"),
        ("Where was Bo Lind born?", "Ulm"),
        ("Which country is Kiel in?", "Germany"),
        ("Who was born in Ulm?", "Bo Lind"),
        ("Which occupation does Bo Lind have?", "physicist"),
    ],
)
def test_a_noun_that_names_a_further_relation_goes_on_to_it(bare: mosaic.Corpus, question: str, expected: str) -> None:
    assert _names(bare, question) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which stations did Bo Lind found?", "“stations” names no node, relation or kind. Without that: Alpha, Bemo."),
        ("Which robots were born in Ulm?", "“robots” names no node, relation or kind. Without that: Bo Lind."),
        ("Which books did Ed Noir write?", "Grey Days."),
        ("Which songs did Cy Marsh compose?", "Quiet Song, Loud Song."),
        ("Which companies were founded by Bo Lind?", "Alpha, Bemo."),
        ("What did Bo Lind found?", "Alpha, Bemo."),
    ],
)
def test_a_noun_that_nothing_is_called_by_is_told(
    request: pytest.FixtureRequest, graph: str, question: str, told: str
) -> None:
    assert request.getfixturevalue(graph).ask(question).text.split("\n")[0] == told


@pytest.mark.parametrize("graph", ["bare", "typed"])
def test_what_nothing_is_called_by_is_not_counted(request: pytest.FixtureRequest, graph: str) -> None:
    corpus = request.getfixturevalue(graph)
    assert not corpus.ask("How many stations did Bo Lind found?").found
    assert corpus.ask("How many companies did Bo Lind found?").text.split("\n")[0] == "2"


def test_what_a_relation_tells_the_kind_of_is_not_what_it_tells_none_of(typed: mosaic.Corpus) -> None:
    assert _names(typed, "Which cities are in France?") == "Nantes, Lille"
    assert typed.ask("How many cities are in France?").text.split("\n")[0] == "2"
