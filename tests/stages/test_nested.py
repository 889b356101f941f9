"""Described parts of a question, end to end: each a retrieval of its own, its nodes the anchors of the outer one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from described import BOOKS, ITEMS, Triple, academia, graph, names, steps

import mosaic_sql as mosaic
from mosaic_sql.pipeline import nested


@pytest.fixture(scope="module")
def papers() -> Iterator[mosaic.Corpus]:
    with academia() as corpus:
        yield corpus


@pytest.fixture(scope="module")
def books() -> Iterator[mosaic.Corpus]:
    kinds: dict[str, str] = {}
    edges: list[Triple] = []
    for book, author, publisher, series in BOOKS:
        kinds |= {book: "book", author: "author", publisher: "publisher", series: "series"}
        edges += [(book, "author", author), (author, "book", book), (book, "publisher", publisher)]
        edges += [(publisher, "book", book), (book, "series", series), (series, "book", book)]
    with graph([(name, name, kind) for name, kind in kinds.items()], edges) as corpus:
        yield corpus


@pytest.fixture(scope="module")
def shop() -> Iterator[mosaic.Corpus]:
    kinds = {**{item: "item" for item, _, _ in ITEMS}, **{brand: "brand" for _, brand, _ in ITEMS}}
    edges = [e for item, brand, _ in ITEMS for e in [(item, "brand", brand), (brand, "item", item)]]
    edges += [(item, "also_bought_item", other) for item, _, others in ITEMS for other in others]
    with graph([(name, name, kind) for name, kind in kinds.items()], edges) as corpus:
        yield corpus


# -- the three schemas -----------------------------------------------------------------------------------------------


def test_two_conditions_find_the_one_author_whose_venues_are_asked_for(papers: mosaic.Corpus) -> None:
    found = papers.retrieve("What are the venues of the papers by the author who wrote Graph Walks and Deep Trees?")
    assert names(found) == {"ICML", "VLDB"}
    assert steps(found) == [
        ("condition", "Which author wrote Graph Walks?", ["Ann Lee"]),
        ("anchor", "the author who wrote Graph Walks and Deep Trees", ["Ann Lee"]),
    ]
    assert [(t.name, t.why, t.node_names) for t in found.analysis.targets] == [
        ("the author who wrote Graph Walks and Deep Trees", "described", ("Ann Lee",))
    ]


def test_a_description_that_is_all_the_question_asks_is_answered_by_its_last_walk(papers: mosaic.Corpus) -> None:
    asked = papers.ask("Who is the author who wrote Deep Trees and Sparse Fields?")
    assert names(asked.retrieval) == {"Bob Ray"}
    assert asked.text.splitlines() == [
        "Bob Ray.",
        "Deep Trees -author-> Bob Ray [1]",
        "Sparse Fields -author-> Bob Ray [4]",
    ]
    cited = {passage.number: passage.text for passage in asked.retrieval.context.passages}
    assert (cited[1], cited[4]) == ("Deep Trees -author-> Bob Ray", "Sparse Fields -author-> Bob Ray")
    assert asked.retrieval.question == "Who is the author who wrote Deep Trees and Sparse Fields?"
    held = [row for row in asked.retrieval.walk.rows.to_pylist() if row["view"] == "answer"]
    assert [(row["rank"], row["kept"], row["pruned_by"]) for row in held] == [(1, True, None)]


def test_a_description_is_an_end_of_a_path(papers: mosaic.Corpus) -> None:
    asked = papers.ask("How is the author of Sparse Fields related to VLDB?")
    assert asked.policy.walk.operator == "shortest_path"
    assert steps(asked.retrieval) == [("anchor", "the author of Sparse Fields", ["Bob Ray"])]
    assert "Bob Ray" in asked.text
    assert "Sparse Fields -author-> Bob Ray" in asked.text


def test_two_descriptions_are_both_ends(papers: mosaic.Corpus) -> None:
    found = papers.retrieve("How is the author of Sparse Fields related to the author of Lonely Sets?")
    assert [t.node_names for t in found.analysis.targets] == [("Bob Ray",), ("Cid Fox",)]
    path = next(row for row in found.walk.rows.to_pylist() if row["view"] == "answer")
    ends = papers.connection.execute("SELECT name FROM node WHERE node_id = ?", [path["nodes"][0]]).fetchall()
    assert ends == [("Bob Ray",)]


@pytest.mark.parametrize(
    ("question", "answers", "stands_for"),
    [
        ("Who is the publisher of the book that Ann Lee wrote and Tor published?", {"Tor"}, [["Hard Sums", "Mort"]]),
        ("What is the series of the book that Ann Lee wrote and Orbit published?", {"Discs"}, [["Sourcery"]]),
        (
            "Which publishers published books by the author who wrote Old Rope and New Rope?",
            {"Orbit", "Tor"},
            [["Bob Ray"]],
        ),
        ("Who is the author of the books that Orbit published?", {"Ann Lee", "Bob Ray"}, []),
        (
            "What are the series of the books by the author who wrote Mort or Odd Hours?",
            {"Discs", "Sums", "Hours"},
            [["Ann Lee"], ["Cid Fox"]],
        ),
    ],
)
def test_literature(books: mosaic.Corpus, question: str, answers: set[str], stands_for: list[list[str]]) -> None:
    found = books.retrieve(question)
    assert names(found) == answers
    assert [sorted(node.name for node in step.nodes) for step in found.steps] == stands_for


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("What are the items of the brand of Desk and Shelf?", {"Desk", "Shelf"}),
        ("How is the brand of Desk related to Bulb?", {"Bulb"}),
    ],
)
def test_e_commerce(shop: mosaic.Corpus, question: str, answers: set[str]) -> None:
    found = shop.retrieve(question)
    assert found.steps
    assert names(found) == answers


def test_or_and_but_not_are_union_and_difference(books: mosaic.Corpus) -> None:
    either = books.retrieve("What are the series of the books that Gollancz or Orbit published?")
    assert names(either) == {"Hours", "Discs", "Knots"}
    assert [step.role for step in either.steps] == ["anchor", "anchor"]
    less = books.retrieve("What are the books of the publisher that published Mort but not Sourcery?")
    assert ("but", "Which publisher published Sourcery?", ["Orbit"]) in steps(less)
    assert names(less) == {"Mort", "Hard Sums", "New Rope"}


def test_two_names_and_no_path_between_them_meet_in_the_kind_asked_for(papers: mosaic.Corpus) -> None:
    assert names(papers.retrieve("Which papers by Ann Lee appeared in VLDB?")) == {"Deep Trees", "Loud Rings"}


@pytest.mark.parametrize("question", ["How many papers did each author write?", "number of papers per author"])
def test_something_is_counted_for_each_of_a_kind(papers: mosaic.Corpus, question: str) -> None:
    counted = [(answer.name, answer.value) for answer in papers.retrieve(question).answers]
    assert counted == [("Ann Lee", "3"), ("Bob Ray", "2"), ("Cid Fox", "2")]


def test_a_verb_that_no_relation_answers_to_is_told(papers: mosaic.Corpus) -> None:
    asked = papers.ask("Which papers cite Graph Walks?")
    assert (asked.found, asked.answer.reason) == (False, "no relation of the graph answers to “cite”")


# -- the worked case of the paper ------------------------------------------------------------------------------------


def test_common_authors_of_two_venues_are_named_by_the_constrained_paths_and_missed_by_the_plain_ones() -> None:
    """Two venues asked for common authors: the shortest paths run through citations (arXiv 2504.02112, section 5)."""
    more = dict.fromkeys(("Wide Nets", "Slow Heaps", "Cold Starts"), "ICML")
    cited = [(p, q) for p in ("Graph Walks", "Sparse Fields", *more) for q in ("Deep Trees", "Loud Rings")]
    with academia(cited=cited, more=more) as corpus:
        question, ends = "Do ICML and VLDB share authors, and who are they?", {"anchors": ["ICML", "VLDB"]}
        kinds = dict(corpus.connection.execute("SELECT node_id, kinds[1] FROM node").fetchall())
        called = dict(corpus.connection.execute("SELECT node_id, name FROM node").fetchall())

        def on_paths(policy: dict[str, object]) -> list[list[int]]:
            rows = corpus.retrieve(question, policy={**ends, **policy}).walk.rows.to_pylist()
            return [row["nodes"] for row in rows if row["view"] == "answer" and row["kept"]]

        plain = on_paths({"operator": "shortest_path", "path_limit": 10})
        assert len(plain) == len(set(map(tuple, plain))) == 10
        assert all([kinds[node] for node in path] == ["venue", "paper", "paper", "venue"] for path in plain)
        pattern = "paper / author / paper / venue"
        constrained = on_paths({"operator": "constrained_shortest_path", "pattern": pattern})
        assert {called[path[2]] for path in constrained} == {"Ann Lee", "Bob Ray"}
        asked = corpus.ask(question, policy={"pattern": pattern})
        head, first, *_ = asked.text.splitlines()
        assert head in ("Yes: Ann Lee, Bob Ray.", "Yes: Bob Ray, Ann Lee.")
        assert first.startswith("ICML -paper-> ")
        assert "Cid Fox" not in asked.text


# -- what cannot be resolved -----------------------------------------------------------------------------------------


def test_an_answer_says_which_part_stands_for_nothing(papers: mosaic.Corpus) -> None:
    asked = papers.ask("What are the venues of the papers by the author who wrote Graph Walks and Lonely Sets?")
    reason = (
        "“the author who wrote Graph Walks and Lonely Sets” stands for nothing: "
        "“Which author wrote Lonely Sets?” finds none of the 1 found before"
    )
    assert (asked.found, asked.answer.reason, asked.citations) == (False, reason, ())
    assert asked.retrieval.analysis.unresolved == reason
    assert [len(asked.retrieval.walk.rows), len(asked.retrieval.evidence.rows)] == [0, 0]
    assert steps(asked.retrieval) == [
        ("condition", "Which author wrote Graph Walks?", ["Ann Lee"]),
        ("anchor", "the author who wrote Graph Walks and Lonely Sets", []),
    ]


def test_a_whole_question_that_nothing_meets_says_so_too(papers: mosaic.Corpus) -> None:
    asked = papers.ask("Who is the author who wrote Graph Walks and Lonely Sets?")
    assert not asked.found
    assert "finds none of the 1 found before" in asked.answer.reason
    (row,) = [row for row in asked.retrieval.walk.rows.to_pylist() if row["view"] == "answer"]
    assert (row["kept"], row["rank"], row["pruned_by"]) == (False, None, "within")


def test_a_condition_that_no_relation_answers_to_is_named(papers: mosaic.Corpus) -> None:
    asked = papers.ask("How is the author who admires Graph Walks and Deep Trees related to KDD?")
    assert asked.found == bool(asked.retrieval.answers)
    told = papers.ask("How is the singer who painted Graph Walks and Deep Trees related to KDD?")
    (correction,) = [c for c in told.retrieval.analysis.corrections if c.field == "description"]
    assert correction.proposed == (
        "“the singer who painted Graph Walks and Deep Trees” stands for nothing: "
        "no relation answers to “Which singer painted Graph Walks?”"
    )
    assert correction.reason == "read as it stands"


def test_what_was_tried_before_a_question_is_read_as_it_stands_is_told(papers: mosaic.Corpus) -> None:
    found = papers.retrieve("How is the lady who is author of Graph Walks and painter of Deep Trees related to KDD?")
    assert steps(found) == [("tried", "Which lady is author of Graph Walks?", ["Ann Lee"])]
    assert found.context.passages
    assert {passage.role for passage in found.context.passages} <= {"entity", "path"}


def test_several_nodes_become_one_anchor_and_are_cut_at_the_limit_and_told(papers: mosaic.Corpus) -> None:
    question = "How are the authors of Deep Trees related to KDD?"
    found = papers.retrieve(question)
    (step,) = found.steps
    assert ([node.name for node in step.nodes], step.found) == (["Ann Lee", "Bob Ray"], 2)
    assert found.analysis.targets[0].node_names == ("Ann Lee", "Bob Ray")
    cut = papers.retrieve(question, policy={"described_limit": 1})
    assert ([node.name for node in cut.steps[0].nodes], cut.steps[0].found) == (["Ann Lee"], 2)
    (correction,) = [c for c in cut.analysis.corrections if c.field == "described_limit"]
    assert (correction.proposed, correction.used) == (2, 1)
    assert correction.reason == "“the authors of Deep Trees” stands for 2 nodes, the first 1 are started from"


def test_three_levels_are_resolved_and_a_fourth_is_told() -> None:
    people = [
        f"{first} {last}"
        for first, last in zip(
            "Ada Ben Cay Dov Eve Flo Gus Hal Ivy Joy".split(),
            "Ayr Byr Cyr Dyr Eyr Fyr Gyr Hyr Iyr Jyr".split(),
            strict=True,
        )
    ]
    known = [("Ada Ayr", "Cay Cyr"), ("Ben Byr", "Cay Cyr"), ("Cay Cyr", "Eve Eyr"), ("Dov Dyr", "Eve Eyr")]
    known += [("Eve Eyr", "Gus Gyr"), ("Flo Fyr", "Gus Gyr"), ("Gus Gyr", "Ivy Iyr"), ("Hal Hyr", "Ivy Iyr")]
    known += [("Ivy Iyr", "Joy Jyr")]
    edges = [edge for a, b in known for edge in [(a, "knows", b), (b, "knows", a)]]
    level = "the person who knows Ada Ayr and Ben Byr"
    for other in ("Dov Dyr", "Flo Fyr"):
        level = f"the person who knows {other} and knows {level}"
    with graph([(name, name, "person") for name in people], edges) as corpus:
        three = corpus.retrieve(f"How is {level} related to Joy Jyr?")
        assert three.analysis.targets[0].node_names == ("Gus Gyr",)
        anchors = [(text.count("who"), found) for role, text, found in steps(three) if role == "anchor"]
        assert anchors == [(1, ["Cay Cyr"]), (2, ["Eve Eyr"]), (3, ["Gus Gyr"])]
        four = corpus.retrieve(f"How is the person who knows Hal Hyr and knows {level} related to Joy Jyr?")
        (correction,) = [c for c in four.analysis.corrections if c.field == "description"]
        assert correction.reason == f"at most {nested.MAX_LEVELS} levels are resolved"


def test_a_chain_without_a_pattern_is_taken_apart_the_innermost_first(papers: mosaic.Corpus) -> None:
    question = "What is the venue of the papers by the author of Sparse Fields?"
    assert papers.retrieve(question).steps == ()  # one chain, one walk
    retriever = papers._retriever
    state = nested._Resolver(retriever, None, retriever.link(question, None)).taken_apart(question)
    assert [(t.name, sorted(t.node_names)) for t in state.names.linked.targets] == [
        ("the papers by the author of Sparse Fields", ["Deep Trees", "Sparse Fields"])
    ]
    assert state.unresolved == ""
    nowhere = "What is the venue of the papers by the singer who painted Sparse Fields?"
    state = nested._Resolver(retriever, None, retriever.link(nowhere, None))
    assert state.taken_apart(nowhere) is state


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is there a publisher that has published books by both Ann Lee and Bob Ray?", "Yes: Orbit, Tor."),
        ("Is there a series with books from both Tor and Orbit?", "Yes: Discs, Knots."),
        ("Is there a publisher that has published books by both Bob Ray and Cid Fox?", "No: "),
    ],
)
def test_whether_something_joins_two_is_a_path_and_names_it(books: mosaic.Corpus, question: str, said: str) -> None:
    answer = books.ask(question)
    assert answer.retrieval.policy.walk.operator == "constrained_shortest_path"
    assert answer.text.startswith(said)


def test_if_any_leaves_nothing_for_what_one_alone_has(shop: mosaic.Corpus) -> None:
    asked = "Which items are also bought with items of Oak and of Sit"
    assert not names(shop.retrieve(f"{asked}, if any?"))
    assert names(shop.retrieve(f"{asked}?"))


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who are the co-authors of the authors of Deep Trees?", {"Cid Fox"}),
        ("Which other authors wrote papers with the authors of Deep Trees?", {"Cid Fox"}),
        ("Who are the authors of the papers of the authors of Deep Trees?", {"Ann Lee", "Bob Ray", "Cid Fox"}),
        ("List the papers by the co-authors of Bob Ray.", {"Graph Walks", "Deep Trees", "Loud Rings"}),
        ("Which venues carry papers by Bob Ray?", {"VLDB", "ICML"}),
    ],
)
def test_others_are_not_those_on_the_way(papers: mosaic.Corpus, question: str, found: set[str]) -> None:
    assert names(papers.retrieve(question)) == found
