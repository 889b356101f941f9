"""What a question names in a corpus of text and graph."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from corpora import EMBEDDER, add, doc, new_corpus, quiet, rows_of

import mosaic_sql as mosaic
from mosaic_sql.database import Database
from mosaic_sql.ingest import graph, index
from mosaic_sql.ingest.triples import read_triples
from mosaic_sql.link import TARGET_LIMIT, TERM_LIMIT, Lexicon, Linked, link, terms
from mosaic_sql.records import Candidate, Target, Term

DOCUMENTS = [
    doc("a", "Paris is the capital of France. New York City is far away from Paris.", "Paris"),
    doc("b", "New York is a city. Ann Zorbax lives in New York.", "New York"),
    doc("c", "New York City is large. Ann Zorbax works in it. Bob Quill lives there too.", "New York City"),
    doc("d", "Paris is a small town in Texas. The Inception of it was slow.", "Paris (Texas)"),
    doc("e", "Heat is energy that flows. It is measured by a thermometer, and heat moves.", "Heat"),
]
TRIPLES = [
    ("Inception", "directed_by", "Christopher Nolan"),
    ("Heat", "directed_by", "Michael Mann"),
    ("Heat", "in_language", "English"),
]


@pytest.fixture(scope="module")
def corpus() -> Iterator[Database]:
    with new_corpus() as database:
        add(database, DOCUMENTS)
        graph.import_graph(
            database, read_triples(pd.DataFrame(TRIPLES, columns=["source", "relation", "target"])), embed="none"
        )
        index.build(database, embedder=EMBEDDER, progress=quiet)
        yield database


def ids(database: Database) -> dict[tuple[str, str], int]:
    """(name, origin) -> node."""
    rows = database.connection.execute("SELECT name, origin, node_id FROM node").fetchall()
    return {(name, origin): node_id for name, origin, node_id in rows}


def page(database: Database, source: str) -> int:
    sql = "SELECT chunk_id FROM chunk JOIN document USING (document_id) WHERE source = ?"
    ((chunk_id,),) = database.connection.execute(sql, [source]).fetchall()
    return int(chunk_id)


def named(database: Database, question: str) -> list[tuple[str, str, str]]:
    """Each target as written, why it is one, and the origin of its best node."""
    return [(target.name, target.why, target.origin) for target in link(database, question).targets]


def weights(database: Database, question: str) -> list[float]:
    return [round(target.weight, 4) for target in link(database, question).targets]


def telling(database: Database, word: str) -> float:
    (term,) = terms(database, word)
    return term.specificity


def test_the_longest_name_wins_whatever_its_case(corpus: Database) -> None:
    assert named(corpus, "Who lives in New York City?") == [("New York City", "title", "text")]
    assert named(corpus, "is new york big") == [("new york", "title", "text")]
    assert named(corpus, "is NEW-YORK bigger than new york city") == [
        ("NEW-YORK", "title", "text"),
        ("new york city", "title", "text"),
    ]


def test_a_title_is_told_in_full(corpus: Database) -> None:
    found = link(corpus, "Who lives in New York City?")
    node, part = ids(corpus)["New York City", "text"], ids(corpus)["New York", "text"]
    weight = sum(telling(corpus, word) for word in ("new", "york", "city")) / 3
    assert found.targets == (
        Target(
            group_id=0,
            name="New York City",
            alias_key="new york city",
            weight=weight,
            node_ids=(node,),
            node_names=("New York City",),
            char_start=13,
            char_end=26,
            why="title",
            origin="text",
            page_ids=(page(corpus, "c"),),
        ),
    )
    assert found.topics == tuple(sorted((node, part)))


def test_a_title_keeps_its_words_from_the_other_names() -> None:
    with new_corpus() as database:
        texts = ["Zorbax York City is old. Zorbax York City is dry.", "We saw Zorbax York City. It is dry there."]
        add(database, [doc("a", "New Zorbax is a place in the north.", "New Zorbax"), *map(doc, "bc", texts)])
        assert named(database, "zorbax york city") == [("zorbax york city", "name", "text")]
        assert named(database, "new zorbax york city") == [("new zorbax", "title", "text")]


def test_targets_stand_in_the_order_of_the_question(corpus: Database) -> None:
    found = link(corpus, "Ann Zorbax or Paris or Heat").targets
    assert [(target.group_id, target.name, target.why) for target in found] == [
        (0, "Ann Zorbax", "name"),
        (1, "Paris", "title"),
        (2, "Heat", "exact"),
    ]


def test_a_name_of_one_place_in_the_text_is_a_topic_but_no_target(corpus: Database) -> None:
    found = link(corpus, "does Bob Quill live")
    assert (found.targets, found.topics) == ((), (ids(corpus)["Bob Quill", "text"],))


def test_a_weight_is_how_telling_the_words_are_times_how_many(corpus: Database) -> None:
    paris, ann, zorbax = (telling(corpus, word) for word in ("paris", "ann", "zorbax"))
    new, york, city = (telling(corpus, word) for word in ("new", "york", "city"))
    assert 0 < york < zorbax < 1
    assert weights(corpus, "see Paris") == [round(0.75 * paris, 4)]
    assert weights(corpus, "see Ann Zorbax") == [round((ann + zorbax) / 2, 4)]
    assert weights(corpus, "see new york city") == [round((new + york + city) / 3, 4)]


@pytest.mark.parametrize("question", ["where is paris", "Paris is where", '"Paris" is where', "paris"])
def test_a_single_word_in_small_letters_or_at_the_start_is_weak(corpus: Database, question: str) -> None:
    assert weights(corpus, question) == [round(0.3 * telling(corpus, "paris"), 4)]


def test_a_name_bears_the_pages_of_its_title(corpus: Database) -> None:
    pages = {name: link(corpus, f"see {name}").targets[0].page_ids for name in ("Paris", "Paris Texas", "Ann Zorbax")}
    assert pages == {
        "Paris": (page(corpus, "a"), page(corpus, "d")),
        "Paris Texas": (page(corpus, "d"),),
        "Ann Zorbax": (),
    }


def test_a_node_of_the_graph_comes_first_with_its_kinds_and_steps(corpus: Database) -> None:
    known = ids(corpus)
    nodes = (known["Heat", "graph"], known["Heat", "text"])
    found = link(corpus, "what is Heat")
    assert found.targets == (
        Target(
            group_id=0,
            name="Heat",
            alias_key="heat",
            weight=0.75 * telling(corpus, "heat"),
            node_ids=nodes,
            node_names=("Heat", "Heat"),
            char_start=8,
            char_end=12,
            why="exact",
            origin="graph",
            kinds=("has directed_by", "has in_language"),
            graph_ids=nodes[:1],
            page_ids=(page(corpus, "e"),),
            steps=(("directed_by", True), ("in_language", True)),
            candidates=(Candidate(nodes[0], "Heat", ("has directed_by", "has in_language"), 2, "", 1.0, "exact"),),
            namesakes=1,
        ),
    )
    assert found.topics == tuple(sorted(nodes))


def test_a_node_of_the_graph_needs_no_text(corpus: Database) -> None:
    (target,) = link(corpus, "films in English").targets
    node = ids(corpus)["English", "graph"]
    assert (target.node_ids, target.graph_ids, target.page_ids) == ((node,), (node,), ())
    assert (target.why, target.kinds, target.steps) == ("exact", ("in_language",), (("in_language", False),))


def test_the_terms_are_the_distinct_stems_in_order_known_or_not(corpus: Database) -> None:
    found = terms(corpus, "zzqx of the cities, city and zzqx")
    known = corpus.connection.execute(
        "SELECT term_id, idf, specificity / 65536 FROM term WHERE term = 'citi'"
    ).fetchall()
    ((term_id, idf, specificity),) = known
    assert found == (Term("zzqx", None, 0, 1.0, ()), Term("citi", term_id, idf, specificity, (term_id,)))
    assert link(corpus, "zzqx of the cities").terms == found


def test_a_stem_knows_the_terms_that_begin_alike(corpus: Database) -> None:
    ((energy,),) = corpus.connection.execute("SELECT term_id FROM term WHERE term = 'energi'").fetchall()
    assert terms(corpus, "ener en energizing energiqx") == (
        Term("ener", None, 0, 1.0, (energy,)),
        Term("en", None, 0, 1.0, ()),
        Term("energ", None, 0, 1.0, (energy,)),
        Term("energiqx", None, 0, 1.0, (energy,)),
    )


@pytest.mark.parametrize("question", ["", " ", "?!", "\x00", "%_\\", "🙂", "the of who"])
def test_a_question_without_words_names_nothing(corpus: Database, question: str) -> None:
    assert link(corpus, question) == Linked((), (), ())


@pytest.mark.parametrize(
    "question", ["'; DROP TABLE node; --", "$keys", "Robert'); DELETE FROM term", "a" * 100_000, "\ud7ff \U0010ffff x"]
)
def test_a_hostile_question_is_only_words(corpus: Database, question: str) -> None:
    before = rows_of(corpus)
    found = link(corpus, question)
    assert (found.targets, found.topics) == ((), ())
    assert all(term.term_id is None for term in found.terms)
    assert rows_of(corpus) == before


def test_names_of_the_corpus_may_hold_quotes_and_signs() -> None:
    triples = [("O'Brien; DROP TABLE node", "is $1", 'Say "x" -- %'), ("100%", "is $1", "東京都")]
    with new_corpus() as database:
        graph.import_graph(
            database, read_triples(pd.DataFrame(triples, columns=["source", "relation", "target"])), embed="none"
        )
        index.build(database, embedder=EMBEDDER, progress=quiet)
        question = 'is O\'Brien; DROP TABLE node or Say "x" -- % in 東京都 100%'
        found = link(database, question).targets
    assert [(target.name, target.node_names, target.steps) for target in found] == [
        ("O'Brien; DROP TABLE node", ("O'Brien; DROP TABLE node",), (("is $1", True),)),
        ('Say "x', ('Say "x" -- %',), (("is $1", False),)),
        ("東京都", ("東京都",), (("is $1", False),)),
        ("100", ("100%",), (("is $1", True),)),
    ]


def test_an_empty_corpus_names_nothing(empty: Database) -> None:
    assert link(empty, "Paris in France") == Linked(
        (), (), (Term("pari", None, 0, 1.0, ()), Term("franc", None, 0, 1.0, ()))
    )


def test_three_thousand_words_are_read_quickly_and_within_the_limits(corpus: Database) -> None:
    question = " ".join(f"New York City and Paris word{number}" for number in range(500))
    assert len(question.split()) == 3000
    began = time.perf_counter()
    found = link(corpus, question)
    assert time.perf_counter() - began < 2
    assert (len(found.targets), len(found.terms)) == (TARGET_LIMIT, TERM_LIMIT)
    assert [target.name for target in found.targets] == ["New York City", "Paris"] * 6


def test_a_lexicon_in_memory_gives_what_the_file_gives() -> None:
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.add(str(Path(__file__).parents[2] / "sample_data" / "documents"))
        database = corpus._database
        lexicon = Lexicon(database)
        for question in QUESTIONS:
            assert link(database, question, lexicon) == link(database, question)


QUESTIONS = (
    "Which directors directed the discovery of Yttrium and polonium at the Royal Institution?",
    "who was marie curie, and what is pitchblende's place in 1898",
    "Žluťoučký 世界 元素 'quoted' -- DROP",
    "a of the",
)


def test_terms_of_a_large_corpus_are_those_of_any(corpus: Database) -> None:
    questions = ["Who lives in New York City?", "a thermometer measures heats", "cit zorb inc moving capital's é", ""]
    for question in questions:
        assert terms(corpus, question, indexed=True) == terms(corpus, question)
