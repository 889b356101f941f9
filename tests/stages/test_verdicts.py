"""Yes or no: whether the one relation that is asked for holds, and what is told where the graph has no such."""

from __future__ import annotations

from collections.abc import Iterator

import cinema
import pandas as pd
import pytest
from small import ACTS, FAMILY, GENES, METRO, MUSIC, PLAYED, RUNS, triples, typed

import mosaic_sql as mosaic

Corpora = dict[str, mosaic.Corpus]


@pytest.fixture(scope="module")
def graphs() -> Iterator[Corpora]:
    opened = {
        "music": typed(MUSIC, PLAYED),
        "metro": typed(METRO, RUNS),
        "genes": typed(GENES, ACTS),
        "family": triples([], FAMILY),
    }
    yield opened
    for corpus in opened.values():
        corpus.close()


@pytest.mark.parametrize(
    ("name", "question", "line"),
    [
        ("music", "Was Otto Brask a member of The Lanterns?", "Yes: Otto Brask -member_of-> The Lanterns"),
        ("music", "was otto brask ever a member of the lanterns", "Yes: Otto Brask -member_of-> The Lanterns"),
        ("music", "Is Lia Moran one of the members of Blue Ferry?", "Yes: Lia Moran -member_of-> Blue Ferry"),
        ("music", "Is Ida Wren in Ash Choir?", "Yes: Ida Wren -member_of-> Ash Choir"),
        ("music", "Was Ida Wren influenced by Nora Venn?", "Yes: Ida Wren <-influenced- Nora Venn"),
        ("music", "Is Cold Water an album by Blue Ferry?", "Yes: Cold Water <-recorded- Blue Ferry"),
        ("metro", "Is Old Mill on the Red Line?", "Yes: Old Mill -on_line-> Red Line"),
        ("metro", "Is Fountain next to Castle Gate?", "Yes: Fountain <-next_to- Castle Gate"),
        ("genes", "Does TP53 encode p53?", "Yes: TP53 -encodes-> p53"),
        ("genes", "Is Nutlin an inhibitor of MDM2?", "Yes: Nutlin -inhibits-> MDM2"),
        ("genes", "Is glioma associated with TP53?", "Yes: glioma <-associated_with- TP53"),
        ("family", "Does Bob teach Ann?", "Yes: Bob -teaches-> Ann"),
        ("family", "Is Ann taught by Bob?", "Yes: Ann <-teaches- Bob"),
        ("family", "Is Bob Ann's teacher?", "Yes: Bob -teaches-> Ann"),
        ("family", "Is Dora the mother of Eve?", "Yes: Dora -mother_of-> Eve"),
        ("family", "Are Ann and Carl siblings?", "Yes: Ann -sister_of-> Carl"),
        ("family", "Are Carl and Dora married?", "Yes: Carl -married_to-> Dora"),
        ("family", "Is Dora Carl's wife?", "Yes: Dora <-married_to- Carl"),
        ("family", "Does Finn live in Ulm?", "Yes: Finn -lives_in-> Ulm"),
    ],
)
def test_a_relation_that_holds_is_affirmed_with_its_edge(graphs: Corpora, name: str, question: str, line: str) -> None:
    asked = graphs[name].ask(question)
    assert (asked.found, asked.text) == (True, f"{line} [1]")


@pytest.mark.parametrize(
    ("name", "question", "edge"),
    [
        ("music", "Was Nora Venn a member of Blue Ferry?", "`member_of` edge from Nora Venn to Blue Ferry"),
        ("music", "Did Otto Brask record Salt?", "`recorded` edge from Otto Brask to Salt"),
        ("music", "Did Ida Wren influence Nora Venn?", "`influenced` edge from Ida Wren to Nora Venn"),
        ("music", "Was Salt recorded by Blue Ferry?", "`recorded` edge from Blue Ferry to Salt"),
        ("metro", "Is Old Mill on the Blue Line?", "`on_line` edge from Old Mill to Blue Line"),
        ("metro", "Is Quayside in North End?", "`located_in` edge from Quayside to North End"),
        ("metro", "Is Fountain next to Airport?", "`next_to` edge between Fountain and Airport"),
        ("genes", "Does Olaparib treat leukemia?", "`treats` edge from Olaparib to leukemia"),
        ("genes", "Is MDM2 an inhibitor of Nutlin?", "`inhibits` edge from MDM2 to Nutlin"),
        ("family", "Does Ann teach Bob?", "`teaches` edge from Ann to Bob"),
        ("family", "Does Bob teach Eve?", "`teaches` edge from Bob to Eve"),
        ("family", "Is Carl Ann's sister?", "`sister_of` edge from Carl to Ann"),
        ("family", "Is Ann the mother of Eve?", "`mother_of` edge from Ann to Eve"),
        ("family", "Are Bob and Dora married?", "`married_to` edge between Bob and Dora"),
        ("family", "Is Bob in Ulm?", "`lives_in` edge from Bob to Ulm"),
    ],
)
def test_a_relation_that_does_not_hold_is_denied_whatever_else_joins_the_two(
    graphs: Corpora, name: str, question: str, edge: str
) -> None:
    asked = graphs[name].ask(question)
    assert (asked.found, asked.text) == (True, f"No: no {edge}.")
    assert asked.answer.reason.startswith("searched every edge between ")


@pytest.mark.parametrize(
    ("name", "question", "word", "joined"),
    [
        ("music", "Did Nora Venn marry Otto Brask?", "marry", "Nora Venn -member_of-> The Lanterns"),
        ("music", "Is Ida Wren Nora Venn's sister?", "sister", "Ida Wren <-influenced- Nora Venn"),
        ("metro", "Does the Blue Line cross Fountain?", "cross", "Blue Line <-on_line- Fountain"),
        ("family", "Did Bob kill Ann?", "kill", "Bob -teaches-> Ann"),
        ("family", "Does Bob love Ann?", "love", "Bob -teaches-> Ann"),
    ],
)
def test_a_word_that_fits_no_relation_is_told_before_what_joins_the_two(
    graphs: Corpora, name: str, question: str, word: str, joined: str
) -> None:
    asked = graphs[name].ask(question)
    assert asked.text.startswith(f"No relation of this graph fits “{word}”. They are joined by: {joined}")
    assert not asked.found


def test_where_it_is_not_understood_what_is_asked_of_two_that_is_told(graphs: Corpora) -> None:
    asked = graphs["family"].ask("Do Bob and Ann know each other?")
    opening = "Which relation is asked for was not understood. They are joined by: Bob -teaches-> Ann"
    assert (asked.found, asked.text.startswith(opening)) == (False, True)


def test_where_nothing_joins_the_two_the_word_is_told_all_the_same(graphs: Corpora) -> None:
    asked = graphs["genes"].ask("Does Olaparib cause leukemia?")
    assert (asked.found, asked.text) == (False, "No relation of this graph fits “cause”.")
    assert asked.answer.reason == "no path of at most 4 hops between Olaparib and leukemia"


@pytest.mark.parametrize(
    ("name", "question", "word", "first"),
    [
        ("music", "Who married Nora Venn?", "married", "Nora Venn (singer): born: 1955; died: 2011"),
        ("music", "Who drummed for Blue Ferry?", "drummed", "Blue Ferry (band): formed: 1991"),
        ("genes", "What causes leukemia?", "causes", "leukemia (disease)"),
        ("metro", "Who designed Old Mill?", "designed", "Old Mill (station): opened: 1931; zone: 1"),
        ("family", "Who employs Bob?", "employs", "Bob (has friend_of, has teaches)"),
    ],
)
def test_a_verb_that_fits_no_relation_is_told_before_what_is_known(
    graphs: Corpora, name: str, question: str, word: str, first: str
) -> None:
    asked = graphs[name].ask(question)
    told, line, *_ = asked.text.split("\n")
    assert told.startswith(f"No relation of this graph fits “{word}”. What it says of ")
    assert (line, asked.found) == (f"{first} [1]", False)


@pytest.mark.parametrize(
    "question", ["Who is Nora Venn?", "Tell me about Nora Venn", "what do you know about Nora Venn"]
)
def test_who_somebody_is_lacks_nothing(graphs: Corpora, question: str) -> None:
    asked = graphs["music"].ask(question)
    assert asked.found
    assert asked.text.startswith("Nora Venn (singer): born: 1955; died: 2011 [1]\n")


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Is Old Mill on the Purple Line?", 'no node is called "Purple Line"'),
        ("is old mill on the purple line", 'no node is called "purple line"'),
        ("Is Old Mill on a fast line?", "nothing in this graph fits “fast”"),
    ],
)
def test_a_second_name_that_nothing_bears_is_told(graphs: Corpora, question: str, reason: str) -> None:
    asked = graphs["metro"].ask(question)
    assert (asked.found, asked.answer.reason) == (False, reason)


@pytest.mark.parametrize(
    ("name", "question", "opening"),
    [
        ("music", "Is Nora Venn a singer?", "Yes: Nora Venn is of kind `singer`.\nNora Venn (singer)"),
        ("music", "Is Otto Brask a singer?", "No: Otto Brask is of kind `musician`, not `singer`.\nOtto Brask"),
        ("family", "Is Bob a teacher?", "Yes: Ann.\nBob -teaches-> Ann"),
        ("family", "Is Ann a teacher?", "No: no path teaches from Ann."),
        ("music", "Has Blue Ferry recorded an album?", "Yes: Cold Water.\n"),
        ("music", "Can you tell me who recorded Salt?", "Ash Choir.\n"),
    ],
)
def test_one_name_alone_is_affirmed_or_denied(graphs: Corpora, name: str, question: str, opening: str) -> None:
    asked = graphs[name].ask(question)
    assert asked.found
    assert asked.text.startswith(opening)


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Did Olu Bell, Ines Rey and Per Holm star in Red Mesa?", "Yes"),
        ("Did Olu Bell, Ines Rey and Tom Vale all star in Red Mesa?", "No"),
        ("Did Olu Bell or Tom Vale star in Red Mesa?", "Yes"),
        ("Did Mara Quist direct Night Train, Glass Sea and Low Tide?", "Yes"),
        ("Did Mara Quist direct both Night Train and Red Mesa?", "No"),
        ("Was Red Mesa directed by Mara Quist or Per Holm?", "Yes"),
        ("Is Red Mesa a western?", "Yes"),
        ("Is Glass Sea a western?", "No"),
    ],
)
def test_yes_or_no_of_a_list_of_names_and_of_what_a_node_says(question: str, verdict: str) -> None:
    with cinema.typed() as corpus:
        assert corpus.ask(question).text.split("\n")[0].split(":")[0] == verdict


def test_a_list_of_members(graphs: Corpora) -> None:
    asked = graphs["music"].ask("Are Nora Venn, Otto Brask and Lia Moran members of Blue Ferry?")
    assert (asked.found, asked.text) == (
        True,
        "No: no path member_of from all of Nora Venn, Otto Brask, Lia Moran to Blue Ferry.",
    )


def test_a_noun_that_is_a_node_is_no_role() -> None:
    rows = [("Ines Rey", "profession", "poet"), ("Per Holm", "profession", "actor"), ("Heat", "written_by", "Per Holm")]
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(rows, columns=["source", "relation", "target"]), embed="none")
        assert corpus.ask("Is Ines Rey a poet?").text == "Yes\nInes Rey -profession-> poet [1]"
        assert corpus.ask("Is Per Holm a poet?").text == "No: no path profession from Per Holm to poet."


def test_what_three_names_have_in_common_is_next_to_each() -> None:
    with cinema.typed() as corpus:
        found = corpus.retrieve("What do Glass Sea, Low Tide and Quiet Hour have in common?")
        assert [one.name for one in found.answers] == ["drama"]
        found = corpus.retrieve("Which actors do Night Train, Glass Sea and Red Mesa share?")
        assert [one.name for one in found.answers] == ["Olu Bell"]
