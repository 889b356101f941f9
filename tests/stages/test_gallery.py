"""Nouns for what somebody or something is, where that is a node that a relation leads to: painters, women, novels."""

from __future__ import annotations

from collections.abc import Iterator

import gallery
import pytest

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def bare() -> Iterator[mosaic.Corpus]:
    with gallery.opened() as corpus:
        yield corpus


@pytest.fixture(scope="module")
def typed() -> Iterator[mosaic.Corpus]:
    with gallery.typed() as corpus:
        yield corpus


def names(corpus: mosaic.Corpus, question: str) -> str:
    return ", ".join(sorted(one.name for one in corpus.retrieve(question).answers))


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which women won the Lyre Prize?", "Ada Brandt, Elsa Falk"),
        ("Which men won the Owl Medal?", "Finn Gray"),
        ("women born in Lorn", "Ada Brandt, Cora Dunn"),
        ("Which painters were born in Lorn?", "Ada Brandt, Bela Costa"),
        ("Which composers died in Lorn?", "Dirk Eames"),
        ("poets born in Orsk", "Gerd Holm"),
        ("Which painters won the Lyre Prize?", "Ada Brandt"),
        ("Which poet won the Lyre Prize?", "Elsa Falk"),
        ("Which female painters were born in Lorn?", "Ada Brandt"),
        ("Which novels did Elsa Falk write?", "Dust"),
        ("Which operas did Dirk Eames compose?", "Marta, Ostra, The Weir"),
        ("Which operas premiered in Lorn?", "Marta, Night Watch"),
    ],
)
def test_it_narrows_what_else_is_asked(
    request: pytest.FixtureRequest, graph: str, question: str, expected: str
) -> None:
    assert names(request.getfixturevalue(graph), question) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which people are both poets and diplomats?", "Finn Gray, Gerd Holm"),
        ("Who is both a poet and a diplomat?", "Finn Gray, Gerd Holm"),
        ("Which poets were diplomats?", "Finn Gray, Gerd Holm"),
        ("Poets who were also diplomats", "Finn Gray, Gerd Holm"),
        ("Which women were poets?", "Elsa Falk, Gerd Holm"),
        ("List all female poets", "Elsa Falk, Gerd Holm"),
        ("List all poets", "Elsa Falk, Finn Gray, Gerd Holm"),
        ("Which composers were born before 1800?", "Cora Dunn"),
        ("Which painters were born after 1820?", "Bela Costa"),
        ("the oldest painter", "Ada Brandt"),
    ],
)
def test_all_of_one_or_several_sorts(request: pytest.FixtureRequest, graph: str, question: str, expected: str) -> None:
    assert names(request.getfixturevalue(graph), question) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many painters were born in Lorn?", "2"),
        ("How many composers were born before 1800?", "1"),
        ("How many women are there?", "4"),
    ],
)
def test_they_are_counted(request: pytest.FixtureRequest, graph: str, question: str, count: str) -> None:
    assert request.getfixturevalue(graph).ask(question).text.split("\n")[0] == count


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which painters painted Red Barn?", "Ada Brandt"),  # who painted it, whatever else is told of them
        ("Who is the painter of Red Barn?", "Ada Brandt"),
        ("Which composer composed Marta?", "Dirk Eames"),
        ("Who was born in Lorn?", "Ada Brandt, Bela Costa, Cora Dunn"),
        ("What did Elsa Falk write?", "Ash, Dust"),
    ],
)
def test_a_noun_for_who_did_it_narrows_nothing(
    request: pytest.FixtureRequest, graph: str, question: str, expected: str
) -> None:
    assert names(request.getfixturevalue(graph), question) == expected


@pytest.mark.parametrize("question", ["poets and women", "Which poets were not diplomats?", "Who is a robot?"])
def test_what_is_not_understood_is_not_answered(bare: mosaic.Corpus, question: str) -> None:
    assert not bare.retrieve(question).answers


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("In which country was Ada Brandt born?", "Arland"),
        ("Which country was Bela Costa born in?", "Arland"),
        ("In which country did Bela Costa die?", "Belmark"),
        ("In which country was the painter of Red Barn born?", "Arland"),
        ("In which city was Ada Brandt born?", "Lorn"),
        ("Where was Ada Brandt born?", "Lorn"),
        ("Which country is Lorn in?", "Arland"),
        ("Which museum has Red Barn?", "North Hall"),
        ("In which city is North Hall?", "Lorn"),
        ("Which composers died in Lorn but were not born there?", "Dirk Eames"),
    ],
)
def test_a_place_is_the_one_that_is_asked_for(
    request: pytest.FixtureRequest, graph: str, question: str, expected: str
) -> None:
    assert names(request.getfixturevalue(graph), question) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many paintings does each museum have?", "North Hall 2, Old Gallery 1, Sea House 1"),
        ("Number of paintings per museum", "North Hall 2, Old Gallery 1, Sea House 1"),
        ("How many paintings did each painter paint?", "Ada Brandt 2, Bela Costa 2"),
        ("Number of works per composer", "Dirk Eames 4, Cora Dunn 1"),
        ("How many works did each composer compose?", "Dirk Eames 4, Cora Dunn 1"),
        ("How many books did each author write?", "Elsa Falk 2, Finn Gray 1"),
        ("Which museum has the most paintings?", "North Hall 2"),
        ("Which country has the most cities?", "Arland 2"),
    ],
)
def test_what_is_counted_for_each_is_what_is_asked_for(
    request: pytest.FixtureRequest, graph: str, question: str, expected: str
) -> None:
    found = request.getfixturevalue(graph).retrieve(question).answers
    assert ", ".join(f"{one.name} {one.value}" for one in found) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
def test_another_place_is_told(request: pytest.FixtureRequest, graph: str) -> None:
    asked = request.getfixturevalue(graph).ask("Which composers were born in Lorn but died elsewhere?")
    assert not asked.found
    assert "“elsewhere” leaves something out" in asked.text


def test_a_museum_is_no_city(bare: mosaic.Corpus, typed: mosaic.Corpus) -> None:
    assert not bare.retrieve("In which city does Red Barn hang?").answers
    assert names(typed, "In which city does Red Barn hang?") == "Lorn"


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize("question", ["How many novels per author?", "Which city has the most paintings?"])
def test_nothing_else_is_counted_in_its_place(request: pytest.FixtureRequest, graph: str, question: str) -> None:
    assert not request.getfixturevalue(graph).retrieve(question).answers


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was born in Arland?", "Ada Brandt, Bela Costa, Cora Dunn, Elsa Falk"),
        ("Which painters were born in Arland?", "Ada Brandt, Bela Costa"),
        ("Which operas premiered in Arland?", "Marta, Night Watch, The Weir"),
        ("Which cities are in Arland?", "Lorn, Tarn"),
        ("Who won a Lyre Prize and was born in Arland?", "Ada Brandt, Elsa Falk"),
        ("Which writers died in Lorn?", "Elsa Falk"),
        ("List the writers born in Tarn", "Elsa Falk"),
        ("Which writers wrote Dust?", "Elsa Falk"),
    ],
)
def test_nobody_else_is_reached(request: pytest.FixtureRequest, graph: str, question: str, expected: str) -> None:
    assert names(request.getfixturevalue(graph), question) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
def test_a_doer_that_is_none_is_told(request: pytest.FixtureRequest, graph: str) -> None:
    asked = request.getfixturevalue(graph).ask("Which writers were born in Orsk?")
    assert not asked.found
    assert "to what has 1 wrote or more" in asked.text


@pytest.fixture(scope="module")
def kin() -> Iterator[mosaic.Corpus]:
    more = [
        ("Ada Brandt", "country of citizenship", "Norland"), ("Ada Brandt", "father", "Finn Gray"),
        ("Dust", "original language of work", "Arlandic"), ("Salt", "original language of work", "Norlandic"),
    ]  # fmt: skip
    with gallery.opened(more) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was born in Norland?", "Finn Gray"),
        ("Which people were born in Norland?", "Finn Gray"),
        ("Which books were written by authors born in Tarn?", "Ash, Dust"),
        ("Which novels were written by authors born in Tarn?", "Dust"),
        ("What is the original language of Dust?", "Arlandic"),
        ("Who is the father of Ada Brandt?", "Finn Gray"),
    ],
)
def test_birth_and_writing_go_over_their_own_relations(kin: mosaic.Corpus, question: str, expected: str) -> None:
    assert names(kin, question) == expected


def test_births_are_counted_over_their_own_relations(kin: mosaic.Corpus) -> None:
    assert kin.ask("How many people were born in Norland?").text.split("\n")[0] == "1"


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("List Dirk Eames's operas in chronological order", "Marta, Ostra, The Weir"),
        ("sort Dirk Eames's operas by premiere year", "Marta, Ostra, The Weir"),
        ("Dirk Eames's operas by premiere year", "Marta, Ostra, The Weir"),
        ("sort the paintings of Ada Brandt by year", "Grey Pond, Red Barn"),
        ("List the paintings of Ada Brandt in reverse chronological order", "Red Barn, Grey Pond"),
        ("sort the poets by birth year", "Finn Gray, Gerd Holm, Elsa Falk"),
        ("Which three operas premiered last?", "The Weir, Ostra, Marta"),
        ("Which opera premiered most recently?", "The Weir"),
        ("Which opera premiered first?", "Night Watch"),
        ("the two oldest painters", "Ada Brandt, Bela Costa"),
    ],
)
def test_years_that_relations_lead_to_tell_an_order(
    request: pytest.FixtureRequest, graph: str, question: str, expected: str
) -> None:
    found = request.getfixturevalue(graph).retrieve(question).answers
    assert ", ".join(one.name for one in found) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was born in the 18th century?", "Cora Dunn, Finn Gray"),
        ("Which painters were born in the 19th century?", "Ada Brandt, Bela Costa"),
        ("Who was born between 1800 and 1815?", "Ada Brandt, Gerd Holm"),
        ("Who was born after 1830?", "Bela Costa, Dirk Eames"),
        ("Who died before 1830?", "Cora Dunn"),
        ("Which people were born before 1800?", "Cora Dunn, Finn Gray"),
    ],
)
def test_years_that_relations_lead_to_are_compared(
    request: pytest.FixtureRequest, graph: str, question: str, expected: str
) -> None:
    assert names(request.getfixturevalue(graph), question) == expected


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    "question",
    [
        "How old was Ada Brandt when she died?",
        "How long did Elsa Falk live?",
        "At what age did Elsa Falk die?",
    ],
)
def test_an_age_is_no_year(request: pytest.FixtureRequest, graph: str, question: str) -> None:
    asked = request.getfixturevalue(graph).ask(question)
    assert not asked.found
    assert "then is not computed" in asked.text


@pytest.mark.parametrize("question", ["Who painted before 1850?", "Dirk Eames's operas by wedding date"])
def test_a_date_that_nothing_has_tells_nothing(bare: mosaic.Corpus, question: str) -> None:
    assert not bare.retrieve(question).answers


@pytest.mark.parametrize("graph", ["bare", "typed"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who studied under Elsa Falk?", "Finn Gray, Gerd Holm"),
        ("Who did Gerd Holm study under?", "Elsa Falk"),
        ("Which people belong to Symbolism?", "Bela Costa, Elsa Falk"),
        ("Which poets belong to Symbolism?", "Elsa Falk"),
        ("What can I see at the North Hall?", "Blue Gate, Red Barn"),
        ("Which museums are in Lorn?", "North Hall, Sea House"),
        ("Which museums are in Arland?", "North Hall, Sea House"),
    ],
)
def test_everyday_verbs_and_places(request: pytest.FixtureRequest, graph: str, question: str, expected: str) -> None:
    assert names(request.getfixturevalue(graph), question) == expected


@pytest.fixture(scope="module")
def shelf() -> Iterator[mosaic.Corpus]:
    kinds = {"Dust": "novel", "Ash": "play", "Salt": "novel"} | dict.fromkeys(gallery.PEOPLE, "human")
    with gallery.opened((name, "instance of", kind) for name, kind in kinds.items()) as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which novels did Elsa Falk write?", "Dust"),
        ("Which books did Elsa Falk write?", "Ash, Dust"),  # a play is a book too
        ("List all novels", "Dust, Salt"),
        ("List all books", ""),
    ],
)
def test_a_wide_noun_is_not_held_to_a_narrow_kind(shelf: mosaic.Corpus, question: str, expected: str) -> None:
    assert names(shelf, question) == expected
