"""Many questions at once, on any number of threads, after changes, over other policies: the same rows."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_openai import FakeServer, completion, serving

import mosaic_sql as mosaic
from mosaic_sql.records import Answer

PAGES = [
    {"id": "alpha", "title": "Alpha", "text": "Alice Zorbax founded the Quirkel Institute in Lund. It opened in 1931."},
    {
        "id": "institute",
        "title": "Quirkel Institute",
        "text": "The Quirkel Institute studies tidal glass. Its director is Bela Farkas of the Lund Academy.",
    },
    {"id": "farkas", "title": "Bela Farkas", "text": "Bela Farkas was born in Szeged. He plays the cello in Lund."},
    {"id": "lund", "title": "Lund", "text": "Lund is a town. The Lund Academy stands in Lund, beside the cathedral."},
    {"id": "szeged", "title": "Szeged", "text": "Szeged is a town on the Tisza. Alice Zorbax lived in Szeged too."},
]
QUESTION = "Where was the director of the Quirkel Institute born?"
QUESTIONS = [
    QUESTION,
    "How are Alice Zorbax and Bela Farkas related?",
    "Which towns are there, and what stands in each of them?",
    "Which frobnicator framework governs quasar taxation?",
    "¿Quién fundó el 'Quirkel' Institute; DROP TABLE chunk --",
    QUESTION,
    "When did the institute that Alice Zorbax founded open?",
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("batch") / "towns.duckdb"
    with mosaic.open(file, embedder="hash") as corpus:
        corpus.add(PAGES)
    return file


@pytest.fixture(scope="module")
def corpus(path: Path) -> Iterator[mosaic.Corpus]:
    with mosaic.open(path, read_only=True) as opened:
        yield opened


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with serving() as fake:
        yield fake


def rows(result: mosaic.Retrieval) -> dict[str, Any]:
    """Everything a retrieval found, without its place in a batch, its run and its times."""
    tables = {"seeds": result.seeds.rows, "walk": result.walk.rows, "evidence": result.evidence.rows}
    return {
        **{name: table.drop_columns("question_id").to_pylist() for name, table in tables.items()},
        "question": result.question,
        "analysis": result.analysis,
        "answers": result.answers,
        "stop": result.walk.stop_reason,
        "context": result.context,
    }


@pytest.fixture(scope="module")
def default(corpus: mosaic.Corpus) -> list[dict[str, Any]]:
    """What the default policy finds for the questions together."""
    return [rows(result) for result in corpus.retrieve(QUESTIONS)]


@pytest.mark.parametrize(("policy", "keep_pruned"), [(None, False), ("mosaic", True)])
def test_a_batch_gives_each_question_the_rows_it_gets_alone(
    corpus: mosaic.Corpus, policy: str | None, keep_pruned: bool
) -> None:
    batch = corpus.retrieve(QUESTIONS, policy=policy, keep_pruned=keep_pruned)
    alone = [corpus.retrieve(question, policy=policy, keep_pruned=keep_pruned) for question in QUESTIONS]
    assert [rows(result) for result in batch] == [rows(result) for result in alone]
    assert sum(len(result.evidence.rows) > 0 for result in batch) >= 5


def test_the_order_and_the_size_of_a_batch_change_nothing(corpus: mosaic.Corpus, default: list[Any]) -> None:
    assert [rows(result) for result in corpus.retrieve(QUESTIONS[::-1])][::-1] == default
    assert [rows(result) for result in corpus.retrieve(QUESTIONS[:3])] == default[:3]


def test_no_question_gives_no_result_and_one_in_a_list_gives_a_list(corpus: mosaic.Corpus) -> None:
    assert corpus.retrieve([]) == []
    (one,) = corpus.retrieve([QUESTION])
    assert rows(one) == rows(corpus.retrieve(QUESTION))


def test_without_trace_no_run_is_left_and_the_rows_are_the_same(path: Path, default: list[Any]) -> None:
    with mosaic.open(path, read_only=True, trace=False) as silent:
        results = silent.retrieve(QUESTIONS)
        asked = silent.ask(QUESTION)
        tables = ("run", "seed", "walk", "evidence", "call", "event")
        left = [silent.connection.execute(f"SELECT count(*) FROM trace.{table}").fetchone() for table in tables]
        found = [rows(result) for result in results]
    assert ([result.run for result in results], asked.run) == ([None] * len(QUESTIONS), None)
    assert left == [(0,)] * len(tables)
    assert found == default


@pytest.mark.parametrize("policy", [None, "mosaic"])
def test_threads_and_cursors_give_the_same_rows(path: Path, policy: str | None) -> None:
    with mosaic.open(path, read_only=True, threads=1, trace=False) as one:
        alone = [rows(result) for result in one.retrieve(QUESTIONS[:3], policy=policy)]
    with mosaic.open(path, read_only=True, threads=4, trace=False) as four:
        assert [rows(result) for result in four.retrieve(QUESTIONS[:3], policy=policy)] == alone
        cursor = four.cursor()
        assert [rows(result) for result in cursor.retrieve(QUESTIONS[:3], policy=policy)] == alone
        cursor.close()


def test_a_graph_held_in_memory_gives_the_same_rows(path: Path, default: list[Any]) -> None:
    with mosaic.open(path, read_only=True) as warm:
        assert warm.warm() > 0
        found = [rows(result) for result in warm.retrieve(QUESTIONS)]
    assert found == default


def test_a_question_asked_again_after_an_add_sees_the_new_document() -> None:
    question = "Who repairs the harbour organ of Malmö?"
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.add(PAGES)
        cursor = corpus.cursor()
        corpus.warm()
        before = corpus.ask(question)
        corpus.add({"id": "organ", "title": "Harbour organ", "text": "Carla Dux repairs the harbour organ of Malmö."})
        after, beside = corpus.ask(question), cursor.ask(question)
        corpus.remove("organ")
        gone = corpus.ask(question)
    assert (before.found, after.found, gone.found) == (False, True, False)
    assert after.text.splitlines()[0] == "“Carla Dux repairs the harbour organ of Malmö.” [1]"
    assert beside.answer == after.answer
    assert rows(gone.retrieval) == rows(before.retrieval)


def test_the_same_question_under_another_policy_gets_the_rows_of_that_policy(path: Path, corpus: mosaic.Corpus) -> None:
    policies: list[Any] = [None, "mosaic", {"evidence_count": 3}, {"window_chars": 100, "window_stride": 50}]
    turns = [rows(corpus.retrieve(QUESTION, policy=policy)) for policy in policies]
    fresh = []
    for policy in policies:
        with mosaic.open(path, read_only=True) as opened:
            fresh.append(rows(opened.retrieve(QUESTION, policy=policy)))
    assert turns == fresh
    assert [turn["analysis"].policy.walk.operator for turn in turns[:2]] == ["chunk_hop", "beam"]
    assert turns[0]["walk"] != turns[1]["walk"]
    assert max(len(passage.text) for passage in turns[-1]["context"].passages) <= 100


def test_an_answer_comes_from_a_server_that_speaks_the_openai_protocol(path: Path, server: FakeServer) -> None:
    server.once(completion("In Szeged [1, 99]."))
    with mosaic.open(path, read_only=True, model="talker", base_url=server.url) as corpus:
        asked = corpus.ask(QUESTION)
        call = corpus.connection.execute(
            "SELECT model, prompt_tokens, completion_tokens, finish_reason, milliseconds > 0 FROM trace.call"
        ).fetchall()
    first = asked.retrieval.context.passages[0]
    assert [citation.source for citation in asked.citations] == [first.source]
    assert asked.answer == Answer("In Szeged [1].", asked.citations, True, "model served-1", removed_citations=1)
    assert call == [("served-1", 11, 7, "stop", True)]
    ((where, body),) = server.requests
    assert (where, body["model"], body["temperature"]) == ("/v1/chat/completions", "talker", 0)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert f"{first.title}: {first.text}" in body["messages"][1]["content"]


def test_another_model_is_asked_anew(path: Path, server: FakeServer) -> None:
    server.once(completion("In Szeged [1].", model="one"))
    server.once(completion("In Lund [1].", model="two"))
    with mosaic.open(path, read_only=True, base_url=server.url) as corpus:
        answers = [corpus.ask(QUESTION, model=model).answer for model in ("one", "two")]
    assert [(answer.text, answer.method) for answer in answers] == [
        ("In Szeged [1].", "model one"),
        ("In Lund [1].", "model two"),
    ]
    assert [body["model"] for _, body in server.requests] == ["one", "two"]


def test_a_question_the_corpus_does_not_support_sends_nothing(path: Path, server: FakeServer) -> None:
    with mosaic.open(path, read_only=True, model="talker", base_url=server.url) as corpus:
        asked = corpus.ask("Which frobnicator framework governs quasar taxation?")
    assert (asked.found, server.requests) == (False, [])


@pytest.mark.parametrize("closed", [False, True])
def test_a_handle_outlives_the_cursor_that_loaded_the_text_into_memory(closed: bool) -> None:
    pages = [{"id": str(n), "title": f"Alpha {n}", "text": f"Alice founded the Institute {n}."} for n in range(8)]
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.add(pages)
        first = corpus.retrieve("Who founded the Institute?")
        cursor = corpus.cursor()
        cursor.retrieve("Who founded the Institute?")
        if closed:
            cursor.connection.close()
        del cursor
        gc.collect()
        again = corpus.retrieve("Who founded the Institute?")
        assert "base_resident" in "".join(query.name for query in again.statements)
        assert again.to_arrow().equals(first.to_arrow())
