"""Runs that ask a model: unusable replies, bounds, who reads, what is paid for once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from corpora import doc
from fake_openai import FakeServer, completion, refuse, serving, slow
from fake_reader import Reader
from readings import CURIE, EDGES, RADIUM, TABLE, everything, rows

import mosaic_sql
from mosaic_sql import Corpus, Extraction, ModelError, PolicyError
from mosaic_sql.records import Unread


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as fake:
        yield fake


@pytest.fixture
def corpus(server: FakeServer) -> Iterator[Corpus]:
    with mosaic_sql.open(embedder="hash:16", model="reader", base_url=server.url, extractor="model") as opened:
        yield opened


# -- unusable replies ------------------------------------------------------------------------------------------------


def test_a_broken_reply_is_repaired_once_with_the_problem_told(server: FakeServer, corpus: Corpus) -> None:
    Reader(server, TABLE)
    server.once(completion('{"entities": [}'))
    report = corpus.add([RADIUM]).extraction
    assert report is not None
    assert (report.done, report.calls, report.repaired, report.prompt_tokens) == (1, 2, 1, 22)
    roles = [message["role"] for message in server.requests[1][1]["messages"]]
    assert roles[:4] == ["system", "user", "assistant", "user"]
    assert "no valid JSON" in server.requests[1][1]["messages"][3]["content"]
    assert {body["temperature"] for _, body in server.requests} == {0}


def test_a_refusal_is_listed_and_asked_for_again_by_the_next_add(server: FakeServer, corpus: Corpus) -> None:
    reader = Reader(server, {**TABLE, "Warsaw": "I cannot help with that."})
    report = corpus.add([RADIUM, CURIE]).extraction
    assert report is not None
    assert (report.done, report.calls, [unread.source for unread in report.failed]) == (1, 3, ["curie"])
    assert "no JSON object" in report.failed[0].reason
    assert rows(corpus, "SELECT facts IS NULL, reason LIKE '%no JSON object%' FROM extraction ORDER BY chunk_id") == [
        (False, False),
        (True, True),
    ]
    assert corpus.retrieve("Where was Marie Curie born?").context.passages  # the text of the chunk is there
    reader.table, reader.asked = TABLE, []
    again = corpus.add([RADIUM, CURIE])
    assert (again.unchanged, again.extraction and again.extraction.done, len(reader.asked)) == (2, 1, 1)
    assert len(rows(corpus, EDGES)) == 4


def test_an_answer_without_text_is_a_failure_of_that_chunk_only(server: FakeServer, corpus: Corpus) -> None:
    Reader(server, TABLE)
    server.once(completion(None))
    report = corpus.add([RADIUM, CURIE]).extraction
    assert report is not None
    assert (report.done, [unread.source for unread in report.failed]) == (1, ["radium"])


def test_a_reply_that_was_cut_off_is_asked_for_again_shorter(server: FakeServer, corpus: Corpus) -> None:
    Reader(server, TABLE)
    cut = {"index": 0, "message": {"role": "assistant", "content": '{"entities": ['}, "finish_reason": "length"}
    server.once(completion("", choices=[cut]))
    report = corpus.add([RADIUM]).extraction
    assert report is not None
    assert report.done == 1
    assert "cut off" in server.requests[1][1]["messages"][3]["content"]


def test_a_reply_that_is_cut_off_twice_is_told_as_such(server: FakeServer, corpus: Corpus) -> None:
    cut = {"index": 0, "message": {"role": "assistant", "content": '{"entities": ['}, "finish_reason": "length"}
    server.always = lambda path, body: completion("", choices=[cut])
    report = corpus.add([RADIUM]).extraction
    assert report is not None
    assert [unread.reason for unread in report.failed] == ["it was cut off at its limit of 768 tokens"]
    assert rows(corpus, "SELECT reason FROM extraction") == [("it was cut off at its limit of 768 tokens",)]


def test_a_silent_server_ends_the_run_after_three_chunks(server: FakeServer, corpus: Corpus) -> None:
    server.always = lambda path, body: refuse("no such model", 404)
    items = [doc(f"d{number}", f"Paris number {number} is a town.") for number in range(5)]
    report = corpus.add(items).extraction
    assert report is not None
    assert [unread.source for unread in report.failed] == ["d0", "d1", "d2"]
    assert report.not_done == tuple(
        Unread(name, 0, "the server did not answer 3 times in a row") for name in ("d3", "d4")
    )
    assert corpus.stats()["documents"] == 5


def test_a_reply_that_takes_too_long_is_a_failure(server: FakeServer, corpus: Corpus, monkeypatch: Any) -> None:
    monkeypatch.setattr("mosaic_sql.models.server.RETRIES", 0)
    Reader(server, TABLE)
    server.script.append(slow(0.5))
    report = corpus.add([RADIUM, CURIE], extraction=Extraction(timeout=0.1)).extraction
    assert report is not None
    assert (report.done, [unread.source for unread in report.failed]) == (1, ["radium"])
    assert "did not answer in time" in report.failed[0].reason


# -- bounds ----------------------------------------------------------------------------------------------------------


def test_a_bound_on_tokens_stops_before_it_is_passed_and_the_rest_follows(server: FakeServer, corpus: Corpus) -> None:
    reader = Reader(server, TABLE)
    whole = []
    first = corpus.add([RADIUM, CURIE], extraction=Extraction(max_tokens=0, announce=whole.append)).extraction
    assert first is not None
    assert (first.done, first.calls, [unread.source for unread in first.not_done]) == (0, 0, ["radium", "curie"])
    half = whole[0].prompt_tokens // 2 + whole[0].completion_tokens
    reader.usage = {"prompt_tokens": half - 50, "completion_tokens": 20}
    second = corpus.add(extraction=Extraction(max_tokens=half)).extraction
    assert second is not None
    assert (second.done, second.not_done) == (
        1,
        (Unread("curie", 0, f"the bound of {half:,} tokens in all is reached"),),
    )
    third = corpus.add(extraction=Extraction()).extraction
    assert third is not None
    assert (third.done, third.left, len(reader.asked)) == (1, 0, 2)
    assert len(rows(corpus, EDGES)) == 4


def test_a_ceiling_in_money_counts_both_prices(server: FakeServer, corpus: Corpus) -> None:
    Reader(server, TABLE)
    told: list[Any] = []
    limits = Extraction(ceiling=1e-9, price_in=1.0, price_out=4.0, announce=told.append)
    report = corpus.add([RADIUM], extraction=limits).extraction
    assert report is not None
    assert (report.calls, report.left, report.price) == (0, 1, 0.0)
    assert told[0].price == pytest.approx((told[0].prompt_tokens + 4 * told[0].completion_tokens) / 1e6)
    paid = corpus.add(extraction=Extraction(ceiling=1.0, price_in=1.0, price_out=4.0)).extraction
    assert paid is not None
    assert paid.price == pytest.approx((11 + 4 * 7) / 1e6)


@pytest.mark.parametrize(
    ("limits", "field"),
    [
        ({"parallel": 0}, "parallel"),
        ({"max_tokens": -1}, "max_tokens"),
        ({"ceiling": 1.0}, "ceiling"),
        ({"price_in": float("inf")}, "price_in"),
    ],
)
def test_a_bound_that_cannot_be_meant_is_refused(limits: dict[str, Any], field: str) -> None:
    with pytest.raises(PolicyError, match=f"^{field}: "):
        Extraction(**limits)


# -- who reads -------------------------------------------------------------------------------------------------------


def test_a_corpus_of_rules_can_be_read_by_a_model_and_back(server: FakeServer) -> None:
    reader = Reader(server, TABLE)
    with mosaic_sql.open(embedder="hash:16", base_url=server.url) as corpus:
        corpus.add([RADIUM, CURIE])
        by_rules = rows(corpus, EDGES)
        assert {row[1] for row in by_rules} == {"stated_with"}
        report = corpus.add(extractor="model", extraction=Extraction(model="reader")).extraction
        assert (report and report.done, len(reader.asked)) == (2, 2)
        assert [row[1] for row in rows(corpus, EDGES)] == ["found", "found in", "born in", "worked with"]
        assert corpus.add(extractor="rules").extraction is None
        assert rows(corpus, EDGES) == by_rules
        corpus.add(extractor="model", extraction=Extraction(model="reader"))
        assert len(reader.asked) == 2  # what was paid for is still there


def test_a_model_that_reads_nothing_leaves_the_edges_of_the_rules(server: FakeServer) -> None:
    server.always = lambda path, body: completion("no object")
    with mosaic_sql.open(embedder="hash:16", base_url=server.url) as corpus:
        corpus.add([RADIUM, CURIE])
        by_rules = rows(corpus, EDGES)
        done = corpus.add(extractor="model", extraction=Extraction(model="reader"))
        assert (done.extraction and len(done.extraction.failed), rows(corpus, EDGES)) == (2, by_rules)
        assert done.notes == ("the model read nothing: the edges stay those of the extractor rules",)
        asked = len(server.requests)
        corpus.add(extractor="model", extraction=Extraction(model="reader"))
        assert len(server.requests) == 2 * asked  # replies of no use are not kept


def test_without_a_model_the_chunks_wait(server: FakeServer) -> None:
    with mosaic_sql.open(embedder="hash:16", extractor="model") as corpus:
        report = corpus.add([RADIUM]).extraction
        assert report is not None
        assert (report.calls, report.not_done) == (0, (Unread("radium", 0, "no model was given"),))
        with pytest.raises(ModelError, match="needs a chat model"):
            corpus.add(extractor="model")
        with pytest.raises(PolicyError, match="extractor: unknown 'gpt'"):
            corpus.add(extractor="gpt")
    assert server.requests == []


def test_a_model_that_cannot_be_asked_leaves_the_corpus_as_it_was() -> None:
    with mosaic_sql.open(embedder="hash:16") as corpus:
        corpus.add([RADIUM])
        before = everything(corpus)
        with pytest.raises(ModelError, match="no base URL"):
            corpus.add(extractor="model", extraction=Extraction(model="reader", base_url="nowhere"))
        assert everything(corpus) == before


def test_rules_ask_no_server_even_where_a_model_answers(server: FakeServer) -> None:
    with mosaic_sql.open(embedder="hash:16", model="reader", base_url=server.url) as corpus:
        assert corpus.add([RADIUM]).extraction is None
    assert server.requests == []


# -- paid once -------------------------------------------------------------------------------------------------------


def test_replies_are_kept_beside_the_corpus_for_another_file(server: FakeServer, tmp_path: Path) -> None:
    reader = Reader(server, TABLE)
    options: dict[str, Any] = {"embedder": "hash:16", "model": "reader", "base_url": server.url, "extractor": "model"}
    with mosaic_sql.open(tmp_path / "a.duckdb", **options) as corpus:
        corpus.add([RADIUM, CURIE])
        first = everything(corpus)
    assert len((tmp_path / "a.calls.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    with mosaic_sql.open(tmp_path / "b.duckdb", **options) as corpus:
        report = corpus.add([RADIUM, CURIE], extraction=Extraction(cache=tmp_path / "a.calls.jsonl")).extraction
        assert report is not None
        assert (report.calls, report.cached, report.prompt_tokens, len(reader.asked)) == (0, 2, 0, 2)
        assert everything(corpus) == first
    with mosaic_sql.open(tmp_path / "c.duckdb", **options) as corpus:
        corpus.add([RADIUM], extraction=Extraction(cache="none"))
    assert len(reader.asked) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.calls.jsonl", "a.duckdb", "b.duckdb", "c.duckdb"]


def test_every_call_is_a_row_of_the_ledger(server: FakeServer, corpus: Corpus) -> None:
    Reader(server, TABLE)
    server.once(completion("no"))
    corpus.add([RADIUM, CURIE])
    found = rows(corpus, "SELECT ordinal, purpose, model, prompt_tokens, completion_tokens FROM trace.call ORDER BY 1")
    assert found == [(number, "extract", "served-1", 11, 7) for number in range(3)]


def test_a_call_that_failed_is_a_row_of_the_ledger_too(server: FakeServer, corpus: Corpus) -> None:
    Reader(server, TABLE)
    for response in (refuse("no such model", 404), completion("hm"), refuse("gone", 404)):
        server.once(response)
    report = corpus.add([RADIUM, CURIE]).extraction
    assert report is not None
    assert [unread.source for unread in report.failed] == ["radium", "curie"]
    found = rows(corpus, "SELECT ordinal, purpose, model, finish_reason, output, error FROM trace.call ORDER BY 1")
    assert [row[:5] for row in found] == [
        (0, "extract", "reader", "error", ""),
        (1, "extract", "served-1", "stop", "hm"),
        (2, "extract", "reader", "error", ""),
    ]
    for row, error in zip(found, ("no such model", "holds no JSON object", "gone"), strict=True):
        assert error in row[5]


def test_calls_of_a_run_that_is_ended_are_kept(server: FakeServer, corpus: Corpus) -> None:
    Reader(server, TABLE)

    def ended(stage: str, done: int, total: int) -> None:
        if (stage, done) == ("facts", 2):
            until = time.monotonic() + 20
            while len(server.requests) < 2 and time.monotonic() < until:
                time.sleep(0.01)
            raise KeyboardInterrupt

    texts = [RADIUM, CURIE, doc("paris", "Paris is a town.")]
    with pytest.raises(KeyboardInterrupt):
        corpus.add(texts, progress=ended)
    assert rows(corpus, "SELECT count(*) FROM trace.call") == [(2,)]  # one settled, one answered or on its way
    corpus.add(texts)
    assert rows(corpus, "SELECT count(*) FROM trace.call") == [(4,)]


def test_a_recorded_ledger_is_kept_beside_the_corpus(server: FakeServer, tmp_path: Path) -> None:
    Reader(server, TABLE)
    options: dict[str, Any] = {"model": "reader", "base_url": server.url, "extractor": "model", "record": True}
    with mosaic_sql.open(tmp_path / "a.duckdb", embedder="hash:16", **options) as corpus:
        corpus.add([RADIUM])
    with duckdb.connect(tmp_path / "a.runs.duckdb", read_only=True) as kept:
        sql = "SELECT starts_with(run_id, 'add-'), purpose, completion_tokens FROM call"
        assert kept.execute(sql).fetchall() == [(True, "extract", 7)]


@pytest.mark.parametrize("parallel", [2, 4])
def test_calls_side_by_side_give_the_tables_of_one_after_the_other(server: FakeServer, parallel: int) -> None:
    Reader(server, TABLE)
    items = [RADIUM, CURIE, *(doc(f"d{n}", f"In Paris number {n} radium glows. Marie Curie saw it.") for n in range(6))]
    found = []
    for calls in (1, parallel):
        with mosaic_sql.open(embedder="hash:16", model="m", base_url=server.url, extractor="model") as corpus:
            report = corpus.add(items, extraction=Extraction(parallel=calls)).extraction
            assert report is not None
            assert report.done == 8
            found.append(everything(corpus))
    assert found[0] == found[1]
