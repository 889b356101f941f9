"""The context stage: windows of chunks, budgets, facts before texts, the paths that led there, the fingerprint."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import mosaic_sql as mosaic
from mosaic_sql.models.fakes import ScriptedChat
from mosaic_sql.records import Passage

LONG = " ".join(f"Sentence {number} of Zorbax tells of glass number {number * 7}." for number in range(60))
ACCENTS = "Zörbäx “tells” of glass — 😀 ünder the sea.\n\n" * 40
TEXTS = {
    "long": LONG,
    "accents": ACCENTS.strip(),
    "institute": "The Quirkel Institute studies tidal glass. Its director is\nBela Farkas.",
    "farkas": "Bela Farkas was born in Szeged. He plays the cello.",
}
TITLES = {"long": "Zorbax", "accents": "Zörbäx", "institute": "Quirkel Institute", "farkas": "Bela Farkas"}
HOP = "Where was the director of the Quirkel Institute born?"
SMALL = {"window_chars": 200, "window_stride": 100, "passage_limit": 500, "context_chars": 1_000_000}


@pytest.fixture(scope="module")
def corpus() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="hash") as opened:
        opened.add([{"id": name, "title": TITLES[name], "text": text} for name, text in TEXTS.items()])
        yield opened


def passages(corpus: mosaic.Corpus, question: str, **policy: Any) -> tuple[Passage, ...]:
    return corpus.retrieve(question, policy=policy or None).context.passages


def chunks(corpus: mosaic.Corpus) -> dict[int, tuple[int, int]]:
    rows = corpus.connection.execute("SELECT chunk_id, char_start, char_end FROM chunk").fetchall()
    return {chunk_id: (start, end) for chunk_id, start, end in rows}


def test_passages_are_numbered_from_one(corpus: mosaic.Corpus) -> None:
    found = passages(corpus, "What does Zorbax tell?", **SMALL)
    assert [passage.number for passage in found] == [*range(1, len(found) + 1)]
    assert len(found) > 20


def test_a_long_chunk_becomes_windows_a_stride_apart_that_cover_it(corpus: mosaic.Corpus) -> None:
    found = passages(corpus, "What does Zorbax tell?", **SMALL)
    for chunk_id, (start, end) in chunks(corpus).items():
        windows = [(p.char_start, p.char_end) for p in found if p.chunk_id == chunk_id]
        if windows:
            at = [*range(start, max(start + 1, end - 100), 100)]
            assert windows == [(first, min(first + 200, end)) for first in at]
            assert windows[-1][1] == end


@pytest.mark.parametrize("window", [{}, SMALL, {**SMALL, "window_stride": 200}])
def test_spans_point_into_the_document_text(corpus: mosaic.Corpus, window: dict[str, int]) -> None:
    for question in ("What does Zorbax tell?", "What does Zörbäx tell of the sea?", HOP):
        found = passages(corpus, question, **window)
        assert found
        assert [p.text for p in found] == [TEXTS[p.source][p.char_start : p.char_end] for p in found]


def test_each_chunk_comes_once_with_its_windows_together(corpus: mosaic.Corpus) -> None:
    found = passages(corpus, "What does Zorbax tell?", **SMALL)
    order = [passage.chunk_id for passage in found]
    assert order == [chunk_id for chunk_id in dict.fromkeys(order) for _ in range(order.count(chunk_id))]
    whole = [passage.chunk_id for passage in passages(corpus, "What does Zorbax tell?")]
    assert whole == [*dict.fromkeys(order)]


@pytest.mark.parametrize("limit", [1, 15])
def test_no_more_passages_than_the_limit_and_the_best_first(corpus: mosaic.Corpus, limit: int) -> None:
    every = passages(corpus, "What does Zorbax tell?", **SMALL)
    assert passages(corpus, "What does Zorbax tell?", **{**SMALL, "passage_limit": limit}) == every[:limit]


@pytest.mark.parametrize(("budget", "count"), [(100, 1), (399, 1), (400, 2), (1000, 5)])
def test_no_more_characters_than_the_budget_but_for_one_passage(corpus: mosaic.Corpus, budget: int, count: int) -> None:
    every = passages(corpus, "What does Zorbax tell?", **SMALL)
    found = passages(corpus, "What does Zorbax tell?", **{**SMALL, "context_chars": budget})
    assert found == every[:count]
    assert len(found) == 1 or sum(len(passage.text) for passage in found) <= budget


def test_a_passage_that_a_link_led_to_tells_the_path_and_the_sentence_that_took_it(corpus: mosaic.Corpus) -> None:
    found = {passage.source: passage for passage in corpus.ask(HOP).retrieval.context.passages}
    assert found["farkas"].path == "Quirkel Institute -[Bela Farkas]-> Bela Farkas (“Its director is Bela Farkas.”)"
    assert found["farkas"].path_from == found["institute"].chunk_id
    assert (found["institute"].path, found["institute"].path_from) == ("", None)


def test_a_plain_retrieval_tells_the_path_without_the_sentence(corpus: mosaic.Corpus) -> None:
    found = {passage.source: passage for passage in passages(corpus, HOP)}
    assert found["farkas"].path == "Quirkel Institute -[Bela Farkas]-> Bela Farkas"


def test_facts_of_the_graph_come_before_texts() -> None:
    triples = {
        "source": ["Inception", "Dunkirk"],
        "relation": ["directed_by", "directed_by"],
        "target": ["Christopher Nolan", "Christopher Nolan"],
    }
    text = "Christopher Nolan was born in London. He films on film stock."
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.import_graph(pa.table(triples))
        corpus.add({"id": "nolan", "title": "Christopher Nolan", "text": text})
        found = corpus.retrieve("Who is Christopher Nolan?", policy="mosaic").context.passages
        few = corpus.retrieve("Who is Christopher Nolan?", policy={"policy": "mosaic", "passage_limit": 1})
    assert [(p.number, p.source, p.title, p.chunk_id, p.text) for p in found] == [
        (1, "graph", "entity", None, "Christopher Nolan (directed_by)"),
        (2, "graph", "relation", None, "Christopher Nolan <-directed_by- Dunkirk; Inception"),
        (3, "nolan", "Christopher Nolan", 0, text),
    ]
    assert few.context.passages == found  # the limit counts texts


def test_the_same_question_has_the_same_fingerprint(corpus: mosaic.Corpus) -> None:
    prints = {corpus.retrieve(HOP).context.fingerprint for _ in range(2)}
    prints.add(corpus.ask(HOP).retrieval.context.fingerprint)
    prints |= {result.context.fingerprint for result in corpus.retrieve([HOP, HOP])}
    assert len(prints) == 1
    other = corpus.retrieve(HOP, policy={"window_chars": 100, "window_stride": 50}).context.fingerprint
    assert other not in prints


def test_the_fingerprint_is_of_what_the_prompt_got(corpus: mosaic.Corpus) -> None:
    chat = ScriptedChat(["In Szeged [2]."])
    asked = corpus.ask(HOP, model=chat)
    context = asked.retrieval.context
    prompt = chat.calls[0].messages[1]["content"]
    blocks = re.findall(r"<passage number=(\d+)>\n(.*?)\n</passage>", prompt, re.DOTALL)
    titles = {str(passage.number): f"{passage.title}: " for passage in context.passages}
    sources = {str(passage.number): passage.source for passage in context.passages}
    got = [[int(number), sources[number], block.removeprefix(titles[number])] for number, block in blocks]
    assert hashlib.sha256(json.dumps(got).encode()).hexdigest()[:16] == context.fingerprint
    stored = corpus.connection.execute("SELECT context_hash FROM trace.run WHERE run_id = ?", [asked.run]).fetchall()
    assert stored == [(context.fingerprint,)]


def test_words_that_the_corpus_does_not_have_are_told_in_the_words_of_the_question(corpus: mosaic.Corpus) -> None:
    context = corpus.retrieve("Does the Quirkel Institute buy Frobnicators, frobnicators?").context
    assert context.missing == ("buy", "Frobnicators", "frobnicators")
