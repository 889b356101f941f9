"""What a question names in an imported graph: namesakes, small names, near names, and what is told of them."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import mosaic_sql as mosaic
from mosaic_sql.errors import UnknownId
from mosaic_sql.link import Lexicon, Linked, link, remarks
from mosaic_sql.link.names import look_up
from mosaic_sql.link.near import goes_beyond, likeness
from mosaic_sql.link.wording import Wording
from mosaic_sql.records import Candidate, Target

NODES = [
    ("Mercury", "planet", "nearest to the sun"), ("Mercury", "element", ""), ("Mercury", "god", ""),
    ("Heat", "film", ""), ("heat", "topic", ""), ("It", "film", ""), ("Her", "film", ""), ("The Who", "band", ""),
    ("To Be or Not to Be", "film", ""), ("!!!", "band", ""), ("$", "film", ""), ("21", "film", ""),
    ("Star", "film", ""), ("Star!", "film", ""), ("Inception", "film", ""), ("A Farewell to Arms", "film", ""),
    ("Arms", "topic", ""),
    ("Christopher Nolan", "person", ""), ("Jonathan Nolan", "person", ""), ("Smith", "person", ""),
    ("Smith", "film", ""), ("World War I", "event", ""), ("東京", "city", ""), ("Москва", "city", ""),
    ("European Union", "union", ""), ("topic", "topic", ""),
]  # fmt: skip
EDGES = [
    (3, "directed_by", 17),
    (4, "topic_of", 14),
    (5, "directed_by", 18),
    (14, "directed_by", 17),
    (13, "made_by", 18),
]


@pytest.fixture(scope="module")
def corpus() -> Iterator[mosaic.Corpus]:
    nodes = pd.DataFrame(NODES, columns=["name", "kind", "description"]).assign(id=lambda rows: rows.index.astype(str))
    nodes["aliases"] = [["EU"] if name == "European Union" else [] for name in nodes["name"]]
    edges = pd.DataFrame(EDGES, columns=["source", "relation", "target"]).astype(str)
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.import_graph(nodes=nodes, edges=edges, embed="names")
        yield corpus


def linked(corpus: mosaic.Corpus, question: str) -> tuple[Target, ...]:
    return link(corpus._database, question, catalogue=corpus._retriever.catalogue()).targets


def found(corpus: mosaic.Corpus, question: str) -> list[tuple[str, ...]]:
    """For each target its name, how it was found, and the chosen nodes as name and kind."""
    known = {number: f"{name} {kind}" for number, (name, kind, _) in enumerate(NODES)}
    return [(one.name, one.why, *(known[node] for node in sorted(one.graph_ids))) for one in linked(corpus, question)]


def weight(corpus: mosaic.Corpus, question: str) -> float:
    (target,) = linked(corpus, question)
    return round(target.weight, 3)


# -- namesakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "nodes"),
    [
        ("what is Mercury", ("Mercury planet", "Mercury element", "Mercury god")),
        ("where is the planet Mercury", ("Mercury planet",)),
        ("what did Mercury the god do", ("Mercury god",)),
        ("what is Mercury (element)", ("Mercury element",)),
        ("who met the author Smith", ("Smith person",)),
        ("who is in the movie Smith", ("Smith film",)),
    ],
)
def test_the_word_for_its_kind_beside_a_name_chooses_among_namesakes(
    corpus: mosaic.Corpus, question: str, nodes: tuple[str, ...]
) -> None:
    ((_, why, *chosen),) = found(corpus, question)
    assert (why, tuple(chosen)) == ("exact", nodes)


@pytest.mark.parametrize(
    ("question", "name", "why", "node"),
    [
        ("what about Heat", "Heat", "exact", "Heat film"),
        ("what about heat", "heat", "exact", "heat topic"),
        ("who directed heat", "heat", "normalised", "Heat film"),
        ("who saw the film heat", "heat", "normalised", "Heat film"),
        ("what of HEAT", "HEAT", "normalised", "Heat film"),
        ("who saw Star! twice", "Star", "exact", "Star! film"),
        ("who saw Star twice", "Star", "exact", "Star film"),
        ("who is in the EU", "EU", "alias", "European Union union"),
    ],
)
def test_letters_as_written_choose_unless_a_relation_or_a_kind_speaks_for_another(
    corpus: mosaic.Corpus, question: str, name: str, why: str, node: str
) -> None:
    assert found(corpus, question)[0][:3] == (name, why, node)


def test_a_target_tells_every_candidate_with_its_score(corpus: mosaic.Corpus) -> None:
    (target,) = linked(corpus, "who saw the planet Mercury")
    assert target.namesakes == 3
    assert target.candidates == (
        Candidate(0, "Mercury", ("planet",), 0, "nearest to the sun", 1.0, "exact"),
        Candidate(1, "Mercury", ("element",), 0, "", 0.5, "exact"),
        Candidate(2, "Mercury", ("god",), 0, "", 0.5, "exact"),
    )


def test_the_same_question_gives_the_same_targets_from_file_index_and_lexicon(corpus: mosaic.Corpus) -> None:
    database, catalogue = corpus._database, corpus._retriever.catalogue()
    lexicon = Lexicon(database)
    for question in (
        "is Heat hot",
        "who made $ or !!!",
        "the film It",
        "Mercury and Smith in 東京",
        "by Christoper Nolan",
    ):
        one = link(database, question, catalogue=catalogue)
        assert isinstance(one, Linked)
        assert link(database, question, lexicon, catalogue=catalogue) == one
        keys = Wording(question).grams()
        plain, indexed = look_up(database, keys, None), look_up(database, keys, None, indexed=True)
        assert plain.node_ids == indexed.node_ids
        assert not indexed.known
        indexed.resolve(keys)
        assert indexed.known == plain.known


# -- how strong ------------------------------------------------------------------------------------------------------


def test_capitals_quotation_marks_and_kinds_make_a_name_strong(corpus: mosaic.Corpus) -> None:
    assert weight(corpus, "what about heat") == 0.3
    assert weight(corpus, "what about Heat") == 0.75
    assert weight(corpus, 'what about "heat"') == 0.9
    assert weight(corpus, "who saw the film heat") == 0.75
    assert weight(corpus, "What About All The Heat Seen Today") == 0.3
    assert weight(corpus, "Heat is what") == 0.3
    assert weight(corpus, "what about Dead Heat") == 0.3  # part of a name that is not known


def test_a_number_is_a_name_unless_it_counts(corpus: mosaic.Corpus) -> None:
    assert weight(corpus, "who wrote the script for 21") == 0.6
    assert weight(corpus, "which were the top 21") == 0.15
    assert weight(corpus, "list 21 songs") == 0.15


def test_a_word_of_the_schema_is_a_name_only_where_the_question_has_no_other(corpus: mosaic.Corpus) -> None:
    assert [one[0] for one in found(corpus, "which topic is this")] == ["topic"]
    assert [one[0] for one in found(corpus, "which topic has Heat")] == ["Heat"]


# -- small names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "node"),
    [
        ("who directed It", "It film"),
        ('who directed "it"', "It film"),
        ("who directed the movie Her", "Her film"),
        ("who directed the movie her", "Her film"),
        ("who sang in The Who", "The Who band"),
        ("the film To Be or Not to Be was made when", "To Be or Not to Be film"),
        ('who plays in "!!!"', "!!! band"),
        ("who directed $?", "$ film"),
        ("東京はどこ", "東京 city"),
        ("где Москва", "Москва city"),
    ],
)
def test_names_of_small_words_signs_and_other_scripts_are_found(
    corpus: mosaic.Corpus, question: str, node: str
) -> None:
    assert [one[2] for one in found(corpus, question)] == [node]


@pytest.mark.parametrize("question", ["is it here", "what did her do to it", "I was - in a & b", "who is this?"])
def test_small_words_are_no_names_by_themselves(corpus: mosaic.Corpus, question: str) -> None:
    assert found(corpus, question) == []


# -- near names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "nodes"),
    [
        ("films by Christoper Nolan", ["Christopher Nolan person"]),
        ("who directed Incepton", ["Inception film"]),
        ("who directed inceptoin", ["Inception film"]),
        ("who wrote A Farewel to Arms", ["A Farewell to Arms film"]),
        ("films by Nolan", ["Christopher Nolan person", "Jonathan Nolan person"]),
        ("who saw World War II", []),
        ("who is Zorbax Quill", []),
        ("films by Steven Nolan", []),
        ("films by Jonathan Zorbax", []),
    ],
)
def test_a_name_that_is_not_there_is_looked_for_by_its_words(
    corpus: mosaic.Corpus, question: str, nodes: list[str]
) -> None:
    assert [node for one in found(corpus, question) for node in one[2:]] == nodes
    assert {one[1] for one in found(corpus, question)} <= {"lexical"}


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Inception and Heat", ["Inception", "Heat"]),
        ("Heat or Inception", ["Heat", "Inception"]),
    ],
)
def test_small_words_between_two_names_are_part_of_neither(
    corpus: mosaic.Corpus, question: str, names: list[str]
) -> None:
    assert [target.name for target in linked(corpus, question)] == names


def test_what_somebody_serves_as_is_a_name_though_such_words_ask_for_a_kind(corpus: mosaic.Corpus) -> None:
    with mosaic.open(":memory:", embedder="none") as offices:
        nodes = {"id": ["a", "b", "c"], "name": ["Ada Lorne", "President", "person"], "kind": ["person", "office", "x"]}
        edges = {"source": ["a"], "relation": ["held"], "target": ["b"]}
        offices.import_graph(nodes=pd.DataFrame(nodes), edges=pd.DataFrame(edges), embed="none")
        for role in ("as president", "as a president"):
            assert [one.name for one in linked(offices, f"when did Ada Lorne serve {role}")] == [
                "Ada Lorne", "president"
            ]  # fmt: skip
        for other in ("the president who knew Ada Lorne", "who knew Ada Lorne as person"):
            assert [one.name for one in linked(offices, other)] == ["Ada Lorne"]


@pytest.mark.parametrize(
    ("question", "nodes"),
    [
        ("films of Inception and Christopher Nolan", ["Inception", "Christopher Nolan"]),
        ("how are Christopher Nolan or Jonathan Nolan related", ["Christopher Nolan", "Jonathan Nolan"]),
        ("who wrote A Farewel to Arms", ["A Farewell to Arms"]),  # says the exact name inside, and more
    ],
)
def test_exact_names_inside_stay_beside_a_near_one(corpus: mosaic.Corpus, question: str, nodes: list[str]) -> None:
    assert [name for one in linked(corpus, question) for name in one.node_names] == nodes


@pytest.mark.parametrize(
    ("name", "exact", "goes"),
    [
        ("Robert De Niro", "robert de niro", False),
        ("Robert De Niro", "al pacino", False),
        ("A Farewell to Arms", "arms", True),
        ("The Lord of the Rings", "crown", False),
        ("The Lords of the Rings", "lord", True),
    ],
)
def test_a_near_name_takes_the_place_of_an_exact_one_that_it_holds(name: str, exact: str, goes: bool) -> None:
    assert goes_beyond(name, exact) is goes


def test_a_name_is_found_by_its_vector_where_names_have_one(corpus: mosaic.Corpus) -> None:
    database, catalogue = corpus._database, corpus._retriever.catalogue()
    (vector,) = corpus._vectors(["European Union"])
    targets = link(database, "who left Zzyzx", catalogue=catalogue, embed=lambda texts: [vector] * len(texts)).targets
    assert [(one.name, one.why, one.node_names) for one in targets] == [("Zzyzx", "similar", ("European Union",))]
    assert targets[0].candidates[0].score == pytest.approx(1.0, abs=1e-3)
    assert link(database, "who left Zzyzx", catalogue=catalogue, embed=lambda texts: [None]).targets == ()


@pytest.mark.parametrize(
    ("asked", "name", "least", "most", "holds"),
    [
        ("nolan", "christopher nolan", 0.4, 0.6, True),
        ("christoper nolan", "christopher nolan", 0.95, 0.99, False),
        ("steven nolan", "christopher nolan", 0, 0, False),
        ("world war i", "world war ii", 0, 0, False),
        ("alien", "alien 3", 0, 0, True),
        ("heat", "heat", 1, 1, True),
    ],
)
def test_likeness_is_the_share_of_letters_in_words_that_are_alike(
    asked: str, name: str, least: float, most: float, holds: bool
) -> None:
    score, held = likeness(asked.split(), name.split())
    assert least <= score <= most
    assert held is holds


# -- told ------------------------------------------------------------------------------------------------------------


def test_ambiguity_and_near_names_are_told_in_a_line_each(corpus: mosaic.Corpus) -> None:
    assert remarks(linked(corpus, "what is Mercury")) == (
        '3 nodes are called Mercury: planet, element, god; started from all; choose with --anchor "Mercury [planet]"',
    )
    assert remarks(linked(corpus, "who directed Incepton")) == (
        'no node is called "Incepton"; took Inception (by its words, 0.94)',
    )
    assert remarks(linked(corpus, "the planet Mercury")) == ()


def test_a_word_that_several_names_hold_is_of_all_of_them() -> None:
    names = [
        "Johann Sebastian Bach",
        "Carl Philipp Bach",
        "Bach House",
        "Georg Telemann",
        *(f"Ann Lee {n}" for n in range(6)),
    ]
    edges = [("Johann Sebastian Bach", "composed", "Mass"), ("Carl Philipp Bach", "composed", "Magnificat")]
    with mosaic.open(":memory:", embedder="none") as corpus:
        nodes = pd.DataFrame({"id": names, "name": names})
        corpus.import_graph(
            nodes=nodes, edges=pd.DataFrame(edges, columns=["source", "relation", "target"]), embed="none"
        )
        assert {one.name for one in corpus.retrieve("What did Bach compose?").answers} == {"Mass", "Magnificat"}
        assert remarks(corpus.analyze("What did Bach compose?").targets) == (
            'no node is called "Bach"; 3 have it in their name: Johann Sebastian Bach, Carl Philipp Bach, Bach House; '
            'started from all; choose with --anchor "Johann Sebastian Bach"',
        )
        (told,) = remarks(corpus.analyze("What did Ann compose?").targets)
        assert "6 have it in their name: Ann Lee 0, Ann Lee 1, Ann Lee 2, Ann Lee 3, Ann Lee 4, 1 more;" in told


def test_explain_shows_who_was_taken_and_who_was_left(corpus: mosaic.Corpus) -> None:
    told = str(corpus.explain("who saw the planet Mercury"))
    assert "  taken    1.000  Mercury [planet] (node 0, exact, degree 0: nearest to the sun)" in told
    assert "  left     0.500  Mercury [god] (node 2, exact, degree 0)" in told
    assert "note       3 nodes are called Mercury" in str(corpus.explain("what is Mercury"))


# -- given -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("anchor", "node_ids"),
    [
        ("Mercury", (0, 1, 2)),
        ("Mercury [planet]", (0,)),
        ("mercury [GOD]", (2,)),
        ("Mercury [#1]", (1,)),
        ("EU", (24,)),
        ("!!!", (9,)),
        (5, (5,)),
    ],
)
def test_an_anchor_may_have_its_kind_or_id_in_brackets(
    corpus: mosaic.Corpus, anchor: str | int, node_ids: tuple[int, ...]
) -> None:
    (target,) = corpus.analyze("what?", policy={"anchors": [anchor]}).targets
    assert (tuple(sorted(target.graph_ids)), target.why, target.namesakes) == (node_ids, "given", len(node_ids))


def test_an_anchor_of_another_kind_is_refused_with_those_there_are(corpus: mosaic.Corpus) -> None:
    with pytest.raises(UnknownId, match="no node called 'Mercury' is of kind 'city'; there are element, god, planet"):
        corpus.analyze("what?", policy={"anchors": ["Mercury [city]"]})
