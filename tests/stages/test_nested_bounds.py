"""What nested questions leave alone, and what they agree with: sets in Python, single questions, a plain shell."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from described import academia, graph, names

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def papers() -> Iterator[mosaic.Corpus]:
    with academia() as corpus:
        yield corpus


# -- what is left alone ----------------------------------------------------------------------------------------------


def test_a_text_without_a_graph_is_read_as_before() -> None:
    page = "Ann Lee wrote Graph Walks in Lund. Ann Lee wrote Deep Trees too. Deep Trees is about Lund."
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.add([{"id": "a", "title": "Ann Lee", "text": page}, {"id": "b", "title": "Deep Trees", "text": page}])
        found = corpus.retrieve("Where does the author who wrote Graph Walks and Deep Trees live?")
        assert (found.policy.walk.operator, found.steps) == ("chunk_hop", ())
        assert [c for c in found.analysis.corrections if c.field == "description"] == []
        assert corpus.connection.execute("SELECT count(*) FROM trace.run").fetchall() == [(1,)]


def test_a_graph_beside_a_text_gives_way_to_it_where_a_part_stands_for_nothing(tmp_path: Path) -> None:
    with academia(tmp_path / "both.duckdb") as corpus:
        corpus.add([{"id": "a", "title": "Notes", "text": "Graph Walks and Lonely Sets were both written in Lund."}])
        found = corpus.retrieve("Where does the author who wrote Graph Walks and Lonely Sets live?")
        assert found.analysis.unresolved == ""
        assert [c.reason for c in found.analysis.corrections if c.field == "description"] == ["read as it stands"]
        assert "Lund" in found.context.passages[0].text


def test_a_walk_that_the_caller_chose_resolves_nothing(papers: mosaic.Corpus) -> None:
    question = "What are the venues of the papers by the author who wrote Graph Walks and Deep Trees?"
    for policy in ({"operator": "bfs"}, {"pattern": "author"}, "narrow"):
        assert papers.retrieve(question, policy=policy).steps == ()


def test_anchors_that_the_caller_named_are_described_with_all_the_same(papers: mosaic.Corpus) -> None:
    question = "What are the venues of the papers by the author who wrote Graph Walks and Deep Trees?"
    found = papers.retrieve(question, policy={"anchors": ["Graph Walks", "Deep Trees"]})
    assert names(found) == {"ICML", "VLDB"}
    assert found.steps[0].retrieval.policy.seed.anchors == ()


def test_a_batch_gives_what_single_questions_give(papers: mosaic.Corpus) -> None:
    questions = [
        "What are the venues of the papers by the author who wrote Graph Walks and Deep Trees?",
        "Who is the author of Lonely Sets?",
        "Who is the author who wrote Deep Trees and Sparse Fields?",
        "Who is the author who wrote Deep Trees and Graph Walks?",
        "Who is the author who wrote Graph Walks and Lonely Sets?",
    ]
    together = papers.retrieve(questions)
    assert [names(one) for one in together] == [names(papers.retrieve(question)) for question in questions]
    assert [names(one) for one in together] == [{"ICML", "VLDB"}, {"Cid Fox"}, {"Bob Ray"}, {"Ann Lee"}, set()]


# -- oracles ---------------------------------------------------------------------------------------------------------


def test_conditions_are_the_sets_that_python_makes_of_them(tmp_path: Path) -> None:
    """Random books and authors: and, or, but not of two or three; the resident walk gives what plain SQL gives."""
    draw = random.Random(7)
    written = {
        f"Book Number {n}": draw.sample([f"Writer Name{a}" for a in range(9)], draw.randint(1, 5)) for n in range(12)
    }
    kinds = {**dict.fromkeys(written, "book"), **{name: "author" for names in written.values() for name in names}}
    edges = [(book, "author", name) for book, names in written.items() for name in names]
    with graph([(name, name, kind) for name, kind in kinds.items()], edges, tmp_path / "random.duckdb") as corpus:
        for turn in range(12):
            one, two, three = draw.sample(sorted(written), 3)
            sets = [set(written[book]) for book in (one, two, three)]
            question, wanted = [
                (f"Who is the author who wrote {one} and {two}?", sets[0] & sets[1]),
                (f"Who is the author who wrote {one}, {two} and {three}?", sets[0] & sets[1] & sets[2]),
                (f"Who is the author who wrote {one} but not {two}?", sets[0] - sets[1]),
                (f"Who is the author of {one} and {two} but not {three}?", (sets[0] & sets[1]) - sets[2]),
            ][turn % 4]
            found = corpus.retrieve(question)
            assert names(found) == wanted, question
            assert bool(wanted) == (found.analysis.unresolved == "")
            if turn == 5:
                corpus.warm()


def test_the_printed_steps_run_in_a_plain_shell_with_the_same_answers(tmp_path: Path) -> None:
    path = tmp_path / "papers.duckdb"
    question = "What are the venues of the papers by the author who wrote Graph Walks and Deep Trees?"
    with academia(path) as corpus:
        script, found = corpus.sql(question), corpus.retrieve(question)
        nodes = [node.node_id for node in found.steps[0].nodes]
        assert corpus.connection.execute("SELECT count(*) FROM trace.run").fetchall() == [(3,)]  # printing leaves none
    titles = [
        line for line in script.splitlines() if line.startswith(("-- step", "-- found", "-- retrieval", "-- the nodes"))
    ]
    assert titles == [
        "-- step 1 of 2, condition: Which author wrote Graph Walks?",
        "-- found 1 node: Ann Lee",
        "-- retrieval for: Which author wrote Graph Walks?",
        "-- step 2 of 2, anchor: the author who wrote Graph Walks and Deep Trees",
        "-- found 1 node: Ann Lee",
        "-- retrieval for: Which author wrote Deep Trees?",
        f"-- retrieval for: {question}",
        "-- the nodes that 2 steps above found stand here as literal values",
    ]
    assert f"unnest([{nodes[0]}]::INTEGER[])" in script
    with duckdb.connect(path, read_only=True) as plain:
        answers = []
        for statement in duckdb.extract_statements(script):
            rows = plain.execute(statement).fetchall()
            if "v.name" in statement.query and "walk" in statement.query and "CREATE" not in statement.query:
                answers.append([row[3] for row in rows])
        plain.execute("SELECT v.name FROM walk AS w JOIN node AS v ON v.node_id = w.tail_id WHERE w.view = 'answer'")
        assert answers == [["Ann Lee"], ["Ann Lee"]]
        assert {name for (name,) in plain.fetchall()} == names(found)


def test_words_inside_a_description_are_not_read_again_for_the_whole_question(papers: mosaic.Corpus) -> None:
    question = "How is the author who wrote Graph Walks and Deep Trees related to the venue VLDB?"
    found = papers.retrieve(question)
    assert (found.question, found.analysis.question) == (question, question)
    described = found.analysis.targets[0]
    assert question[described.char_start : described.char_end] == described.name
    assert "wrote" not in " ".join(found.analysis.facets)
    rows = papers.connection.execute("SELECT question FROM trace.run WHERE run_id = ?", [found.run]).fetchall()
    assert rows == [(question,)]
