"""Plain questions over imported graphs, from words to answers: patterns, anchors, the next pattern, vectors."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest

import mosaic_sql as mosaic
from mosaic_sql.models.fakes import ScriptedChat

FILMS = [
    ("Heat", "directed_by", "Michael Mann"),
    ("Thief", "directed_by", "Michael Mann"),
    ("Ali", "directed_by", "Michael Mann"),
    ("Alien", "directed_by", "Ridley Scott"),
    ("Heat", "starred_actors", "Al Pacino"),
    ("Heat", "starred_actors", "Val Kilmer"),
    ("Ali", "starred_actors", "Will Smith"),
    ("Insomnia", "starred_actors", "Al Pacino"),
    ("Heat", "release_year", "1995"),
    ("Ali", "release_year", "2001"),
    ("Insomnia", "release_year", "2002"),
    ("Heat", "has_genre", "crime"),
    ("Ali", "has_genre", "drama"),
    ("Ali", "has_tags", "movies"),
    ("Alien", "in_language", "English"),
]


@pytest.fixture(scope="module")
def films() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(FILMS, columns=["source", "relation", "target"]), embed="none")
        yield corpus


def answers(corpus: mosaic.Corpus, question: str) -> set[str]:
    return {answer.name for answer in corpus.retrieve(question).answers}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who directed Heat", {"Michael Mann"}),
        ("which films did Michael Mann direct", {"Heat", "Thief", "Ali"}),
        ("what movies have the same director as Heat", {"Thief", "Ali"}),
        ("who starred in the movies directed by Michael Mann", {"Al Pacino", "Val Kilmer", "Will Smith"}),
        ("when were the films that share actors with Heat released", {"2002"}),
        ("what are the genres of films by the director of Thief", {"crime", "drama"}),
        ("who co-starred with Al Pacino", {"Val Kilmer"}),
        ("who directed anything", {"Michael Mann", "Ridley Scott"}),
    ],
)
def test_a_plain_question_is_answered_by_the_walk_its_words_mean(
    films: mosaic.Corpus, question: str, expected: set[str]
) -> None:
    assert answers(films, question) == expected


@pytest.mark.parametrize(
    ("question", "operator"),
    [
        ("who is Michael Mann", "bfs"),
        ("how are Michael Mann and Al Pacino related", "shortest_path"),
        ("did Michael Mann direct Heat", "constrained_shortest_path"),
        ("who directed Heat", "meta_path"),
        ("who directed anything", "relation_scan"),
    ],
)
def test_the_shape_of_a_question_sets_the_operator(films: mosaic.Corpus, question: str, operator: str) -> None:
    assert films.analyze(question).policy.walk.operator == operator


def test_a_word_of_the_question_that_is_a_node_too_is_no_anchor_beside_the_one_that_is_meant(
    films: mosaic.Corpus,
) -> None:
    analysis = films.analyze("which movies did Michael Mann direct")
    assert [target.name for target in analysis.targets] == ["Michael Mann"]


def test_where_nothing_follows_the_best_pattern_the_next_one_is_walked(films: mosaic.Corpus) -> None:
    said = {"shape": "sp*", "anchors": ["Alien"], "patterns": ["directed_by / ^directed_by", "in_language"]}
    run = films.retrieve("what of Alien", analyzer=ScriptedChat([said]))
    assert [answer.name for answer in run.answers] == ["English"]
    assert run.policy.walk.pattern == "in_language"
    assert run.analysis.operator_reason == "scripted reads sp* of Alien; nothing follows directed_by / ^directed_by"
    said = {"shape": "sp*", "anchors": ["Alien"], "patterns": ["directed_by / ^directed_by"]}
    none = films.retrieve("what of Alien then", analyzer=ScriptedChat([said]))
    assert (none.answers, none.policy.walk.pattern) == ((), "directed_by / ^directed_by")


def test_vectors_tell_a_relation_that_no_word_names() -> None:
    triples = [("Ann", "adversary", "Ben"), ("Ann", "mentor_figure", "Cid"), ("Ben", "adversary", "Dot")]
    with mosaic.open(":memory:") as corpus:
        corpus.import_graph(pd.DataFrame(triples, columns=["source", "relation", "target"]), embed="none")
        analysis = corpus.analyze("with whom does Ann have a feud, hostile adversaries")
        assert analysis.policy.walk.pattern == "adversary"
        run = corpus.retrieve("what hostile antagonists does Ann face")
        assert run.policy.walk.pattern == "adversary"
        assert [answer.name for answer in run.answers] == ["Ben"]
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(triples, columns=["source", "relation", "target"]), embed="none")
        assert corpus.analyze("what hostile antagonists does Ann face").policy.walk.operator == "bfs"


@pytest.mark.parametrize(
    "question",
    [
        "Who founded Fjord Sounds?",
        "Who owns Fjord Sounds?",
        "Who is the king of Norland?",
        "Who are the siblings of Jorge Paz?",
        "Who composed Ice Psalms?",
        "Who sponsors Fjord Sounds?",
    ],
)
def test_vectors_tell_none_for_a_word_of_another_relation(question: str) -> None:
    kinds = {"Fjord Sounds": "label", "Bergen": "city", "Norland": "country", "Ice Psalms": "album"}
    people = ("Jorge Paz", "Elena Paz", "Ada Lund")
    nodes = [{"id": name, "name": name, "kind": kind} for name, kind in kinds.items()] + [
        {"id": p, "name": p, "kind": "person"} for p in people
    ]
    triples = [
        ("Fjord Sounds", "headquartered_in", "Bergen"),
        ("Bergen", "country", "Norland"),
        ("Jorge Paz", "parent", "Elena Paz"),
        ("Ice Psalms", "produced_by", "Ada Lund"),
    ]
    with mosaic.open(":memory:") as corpus:
        edges = pd.DataFrame(triples, columns=["source", "relation", "target"])
        corpus.import_graph(edges=edges, nodes=pd.DataFrame(nodes), embed="none")
        run = corpus.retrieve(question)
    assert (run.answers, run.policy.walk.operator) == ((), "bfs")
