"""Windows ranked by the embedder: cut from long chunks, ordered by cosine, embedded only where they must be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

import mosaic_sql as mosaic
from mosaic_sql.context import WindowVectors
from mosaic_sql.models import GRID, to_grid
from mosaic_sql.models.fakes import HashEmbedder
from mosaic_sql.policy import default_policy

if TYPE_CHECKING:
    from numpy.typing import NDArray

RANKED = {"window_ranking": "cosine", "drop_duplicates": True}
SMALL = {"window_chars": 200, "window_stride": 100, "passage_limit": 500, "context_chars": 1_000_000}
FILLER = " ".join(f"Barley field number {number} was ploughed in the spring." for number in range(12))
NEEDLE = "The lighthouse keeper of Skarn painted seventeen copper herons."
LONG = f"{FILLER} {NEEDLE} {FILLER.replace('Barley', 'Rye')}"
TEXTS = {
    "long": ("Skarn almanac", LONG),
    "short": ("Herons", "Herons wade in shallow water and eat small fish."),
    "twin": ("Herons", "Herons wade in shallow water and eat small fish."),
    "other": ("Copper", "Copper is a metal that herons do not eat."),
}
QUESTION = "Which lighthouse keeper painted copper herons?"


class Counted(HashEmbedder):
    """Remembers what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__(256)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return super().embed(texts)


@pytest.fixture
def embedder() -> Counted:
    return Counted()


@pytest.fixture
def corpus(embedder: Counted) -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder=embedder) as opened:
        opened.add([{"id": name, "title": title, "text": text} for name, (title, text) in TEXTS.items()])
        embedder.asked.clear()
        yield opened


def cosine(text: str) -> float:
    one, other = to_grid(HashEmbedder(256).embed([text, QUESTION]))
    return float(one @ other) / GRID**2


def test_windows_come_by_their_cosine_with_the_question(corpus: mosaic.Corpus) -> None:
    found = corpus.retrieve(QUESTION, policy={**SMALL, **RANKED}).context.passages
    assert len({passage.chunk_id for passage in found}) > 1
    assert [passage.score for passage in found] == sorted((passage.score for passage in found), reverse=True)
    for passage in found:
        assert passage.score == pytest.approx(cosine(f"{passage.title}. {passage.text}"), abs=1e-3)
    assert "lighthouse keeper" in next(passage.text for passage in found if passage.source == "long")


def test_a_window_tells_where_it_stands_in_the_source(corpus: mosaic.Corpus) -> None:
    found = corpus.retrieve(QUESTION, policy={**SMALL, **RANKED}).context.passages
    long = [passage for passage in found if passage.source == "long"]
    assert [p.text for p in found] == [TEXTS[p.source][1][p.char_start : p.char_end] for p in found]
    assert [p.passage_id for p in found] == [f"{p.chunk_id}:{p.char_start}" for p in found]
    starts = dict(corpus.connection.execute("SELECT chunk_id, char_start FROM chunk").fetchall())
    assert {(p.char_start - starts[p.chunk_id]) % 100 for p in long} == {0}
    assert max(p.char_end for p in long if p.char_end) == len(LONG)  # the last one is short and stays


def test_a_short_last_window_stays(corpus: mosaic.Corpus) -> None:
    window = {"window_chars": 120, "window_stride": 120}
    found = corpus.retrieve(QUESTION, policy={**SMALL, **RANKED, **window}).context.passages
    lengths = sorted(len(passage.text) for passage in found if passage.source == "long")
    ends = corpus.connection.execute("SELECT length(text) % 120 FROM chunk WHERE title = 'Skarn almanac'").fetchall()
    assert {rest for (rest,) in ends if rest} <= set(lengths)


def test_whole_chunks_are_not_embedded_again(corpus: mosaic.Corpus, embedder: Counted) -> None:
    found = corpus.retrieve(QUESTION, policy={"policy": "default", **RANKED}).context.passages
    assert [passage.score for passage in found] == sorted((passage.score for passage in found), reverse=True)
    assert embedder.asked == [QUESTION]


def test_a_window_is_embedded_once_a_handle(corpus: mosaic.Corpus, embedder: Counted) -> None:
    first = corpus.retrieve(QUESTION, policy={**SMALL, **RANKED}).context
    cut = [text for text in embedder.asked if text != QUESTION]
    assert cut
    assert len(cut) == len(set(cut))
    assert {text for text in cut if text.startswith("Herons")} == set()
    second = corpus.retrieve(QUESTION, policy={**SMALL, **RANKED}).context
    third = corpus.cursor().retrieve(QUESTION, policy={**SMALL, **RANKED}).context
    assert [text for text in embedder.asked if text != QUESTION] == cut
    assert first == second == third


def test_what_was_added_later_is_ranked_too(corpus: mosaic.Corpus) -> None:
    corpus.retrieve(QUESTION, policy={**SMALL, **RANKED})
    corpus.add({"id": "late", "title": "Keeper", "text": "A lighthouse keeper painted copper herons."})
    found = corpus.retrieve(QUESTION, policy={**SMALL, **RANKED}).context.passages
    assert found[0].source == "late"


def test_the_very_same_text_comes_once_where_the_policy_says_so(corpus: mosaic.Corpus) -> None:
    twice = corpus.retrieve(QUESTION, policy={**RANKED, "drop_duplicates": False}).context.passages
    once = corpus.retrieve(QUESTION, policy=RANKED).context.passages
    assert sorted(p.source for p in twice if p.title == "Herons") == ["short", "twin"]
    assert [p.source for p in once if p.title == "Herons"] == ["short"]
    assert [p.text for p in once] == [*dict.fromkeys(p.text for p in twice)]


def test_duplicates_can_go_in_the_order_of_evidence_too(corpus: mosaic.Corpus) -> None:
    every = corpus.retrieve(QUESTION).context.passages
    once = corpus.retrieve(QUESTION, policy={"drop_duplicates": True}).context.passages
    assert [p.text for p in once] == [*dict.fromkeys(p.text for p in every)]
    assert len(once) < len(every)


@pytest.mark.parametrize(("budget", "limit"), [(600, 500), (100_000, 2), (450, 1)])
def test_the_budget_holds_for_ranked_windows(corpus: mosaic.Corpus, budget: int, limit: int) -> None:
    every = corpus.retrieve(QUESTION, policy={**SMALL, **RANKED}).context.passages
    policy = {**SMALL, **RANKED, "context_chars": budget, "passage_limit": limit}
    found = corpus.retrieve(QUESTION, policy=policy).context.passages
    assert 1 <= len(found) <= limit
    assert sum(len(passage.text) for passage in found) <= budget
    assert found[0] == every[0]


def test_without_an_embedder_the_order_of_evidence_holds_and_is_told() -> None:
    with mosaic.open(":memory:", embedder="none") as corpus:
        corpus.add([{"id": name, "title": title, "text": text} for name, (title, text) in TEXTS.items()])
        plain = corpus.retrieve(QUESTION, policy={**SMALL, "drop_duplicates": True})
        ranked = corpus.retrieve(QUESTION, policy={**SMALL, **RANKED})
        told = str(corpus.explain(QUESTION, policy={**SMALL, **RANKED}))
    assert ranked.context == plain.context
    assert ranked.policy.context.window_ranking == "evidence"
    assert [(c.field, c.proposed, c.used, c.reason) for c in ranked.analysis.corrections] == [
        ("window_ranking", "cosine", "evidence", "no embedder")
    ]
    assert "corrected  window_ranking: 'cosine' -> 'evidence' (no embedder)" in told


def test_the_papers_walk_ranks_windows_as_the_paper_does() -> None:
    context = default_policy("beam").context
    assert (context.window_chars, context.window_stride, context.passage_limit) == (1600, 800, 15)
    assert (context.window_ranking, context.drop_duplicates) == ("cosine", True)
    assert default_policy("chunk_hop").context.window_ranking == "evidence"


def test_only_the_latest_vectors_are_kept(embedder: Counted) -> None:
    vectors = WindowVectors(embedder, keep=2)
    question = to_grid(embedder.embed([QUESTION]))[0].tolist()
    embedder.asked.clear()
    values = vectors.cosines(["one", "two", "three", "one"], question)
    assert values[0] == values[3]
    assert embedder.asked == ["one", "two", "three"]
    vectors.cosines(["two", "three"], question)
    assert embedder.asked == ["one", "two", "three"]
    vectors.cosines(["one"], question)
    assert embedder.asked == ["one", "two", "three", "one"]
