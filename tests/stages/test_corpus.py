"""A corpus as a caller sees it: refusals, threads, what a handle may still do, questions over graph and text."""

from __future__ import annotations

import gc
import threading
import weakref
from pathlib import Path

import pytest

import mosaic_sql as mosaic
from mosaic_sql.pipeline import known

TRIPLES = [
    "Inception,directed_by,Christopher Nolan",
    "Dunkirk,directed_by,Christopher Nolan",
    "Inception,starred_actors,Tom Hardy",
    "Dunkirk,starred_actors,Tom Hardy",
    "Heat,directed_by,Michael Mann",
    "Nolan Land,directed_by,Jo Ann",
    "Nolan Land,in_language,English",
    "Inception,in_language,English",
    # a film of a director's name: the kinds of the two overlap
    "Michael Mann,directed_by,Jo Ann",
    "Star!,directed_by,Robert Wise",
]


@pytest.fixture
def films(tmp_path: Path) -> Path:
    (tmp_path / "films.csv").write_text("\n".join(TRIPLES), encoding="utf-8")
    with mosaic.open(tmp_path / "films.duckdb", embedder="none") as corpus:
        corpus.import_graph(str(tmp_path / "films.csv"), embed="none")
    return tmp_path / "films.duckdb"


def test_a_pattern_begins_with_a_relation_that_the_anchor_has(films: Path) -> None:
    with mosaic.open(films, read_only=True) as corpus:
        asked = corpus.ask("what films did Christopher Nolan direct")
        assert asked.policy.walk.pattern == "^directed_by"
        assert asked.text.splitlines()[0] == "Inception, Dunkirk."
        chain = corpus.ask("who starred in the films directed by Christopher Nolan")
        assert chain.policy.walk.pattern == "^directed_by / starred_actors"
        assert chain.text.splitlines()[0] == "Tom Hardy."


def test_a_word_of_the_schema_or_a_lone_common_word_is_no_anchor(films: Path) -> None:
    with mosaic.open(films, read_only=True) as corpus:
        assert corpus.ask("what language is Inception in").text.splitlines()[0] == "English."
        assert corpus.analyze("which films does Tom Hardy star in").policy.walk.operator == "meta_path"


def test_a_walk_that_finds_nothing_is_no_answer(films: Path) -> None:
    with mosaic.open(films, read_only=True) as corpus:
        asked = corpus.ask("Christopher Nolan", policy={"operator": "meta_path", "pattern": "in_language"})
        assert (asked.found, asked.citations) == (False, ())


def test_a_pattern_given_alone_is_walked(films: Path) -> None:
    with mosaic.open(films, read_only=True) as corpus:
        policy = {"pattern": "^starred_actors / directed_by"}
        assert corpus.ask("Tom Hardy", policy=policy).text.splitlines()[0] == "Christopher Nolan."


def test_a_folder_is_only_read(films: Path, tmp_path: Path) -> None:
    with mosaic.open(films) as corpus:
        corpus.export(tmp_path / "folder")
    with mosaic.open(tmp_path / "folder") as corpus:
        for change in (
            lambda: corpus.add("A text. It has two sentences."),
            lambda: corpus.import_graph(str(films.with_suffix(".csv"))),
            lambda: corpus.remove("a.txt"),
            lambda: corpus.reembed(),
        ):
            with pytest.raises(mosaic.StoreError, match="folder of Parquet, which is only read"):
                change()
        assert corpus.ask("what films did Christopher Nolan direct").found


@pytest.mark.parametrize("question", [None, 5, b"bytes", ["one", None], ""])
def test_a_question_that_is_no_text_is_refused_in_one_line(films: Path, question: object) -> None:
    with mosaic.open(films, read_only=True) as corpus, pytest.raises(mosaic.PolicyError, match="question: "):
        corpus.retrieve(question)


def test_a_policy_that_is_none_is_refused_in_one_line(films: Path) -> None:
    with mosaic.open(films, read_only=True) as corpus:
        with pytest.raises(mosaic.PolicyError, match="policy: expected a name"):
            corpus.retrieve("Tom Hardy", policy=5)
        dotted = corpus.retrieve("Tom Hardy", policy={"walk.max_depth": 2})
        assert dotted.policy.walk.max_depth == 2


def test_threads_may_share_a_handle_or_take_cursors(films: Path) -> None:
    answers: list[str] = []
    with mosaic.open(films, read_only=True) as corpus:

        def ask(handle: mosaic.Corpus) -> None:
            answers.append(handle.ask("what films did Christopher Nolan direct").text)

        handles = [corpus, corpus, corpus.cursor(), corpus.cursor()]
        threads = [threading.Thread(target=ask, args=(handle,)) for handle in handles]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(answers) == 4
    assert len(set(answers)) == 1


def test_a_cursor_asks_and_closes_by_itself(films: Path) -> None:
    with mosaic.open(films, read_only=True) as corpus:
        twin = corpus.cursor()
        assert twin.query("SELECT 1 AS one").to_pylist() == [{"one": 1}]
        twin.close()
        assert corpus.query("SELECT 2 AS two").to_pylist() == [{"two": 2}]


def test_what_a_handle_may_do_after_a_query_is_told(films: Path, tmp_path: Path) -> None:
    with mosaic.open(films) as corpus:
        corpus.query("SELECT 1")
        with pytest.raises(mosaic.QueryError, match="from a query on, a handle does; open the corpus again"):
            corpus.export(tmp_path / "late")


def test_a_heading_without_a_blank_line_hides_no_sentence(tmp_path: Path) -> None:
    (tmp_path / "alpha.md").write_text("# Alpha\nAlice Zorbax founded the Quirkel Institute in Lund.\n")
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.add(str(tmp_path / "alpha.md"))
        asked = corpus.ask("Where is the Quirkel Institute?")
    assert "Quirkel Institute in Lund" in asked.text
    assert "#" not in asked.text


def test_a_small_corpus_is_asked_on_one_thread_and_written_on_all(films: Path, tmp_path: Path) -> None:
    def threads(corpus: mosaic.Corpus) -> int:
        return int(corpus.connection.execute("SELECT current_setting('threads')").fetchall()[0][0])

    with mosaic.open(films, threads=3) as corpus:
        corpus.ask("what language is Inception in")
        assert threads(corpus) == 3, "a number that was asked for stands"
    with mosaic.open(films) as corpus:
        cores = threads(corpus)
        corpus.ask("what language is Inception in")
        assert threads(corpus) == 1
        (tmp_path / "more.csv").write_text("Tenet,directed_by,Christopher Nolan\n", encoding="utf-8")
        corpus.import_graph(str(tmp_path / "more.csv"), embed="none")
        assert threads(corpus) == cores
        corpus.query("SELECT 1")
        assert corpus.ask("what films did Christopher Nolan direct").found, "settings are locked from a query on"
    with mosaic.open(films) as corpus:
        corpus.ask("what language is Inception in")
        twin = corpus.cursor()
        assert threads(corpus) == threads(twin) > cores, "connections side by side share all threads but one"
        assert twin.ask("what language is Inception in").text == corpus.ask("what language is Inception in").text
        assert threads(twin) > cores


def test_a_graph_in_memory_lets_go_of_the_steps_that_were_read_before(
    films: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "PAGED_ROWS", 1)
    with mosaic.open(films, read_only=True) as corpus:
        assert corpus.match("Heat", "any{1,4}").form == "walk paged"
        pages = weakref.ref(corpus._retriever._known.pages)
        assert corpus.warm() > 0
        assert corpus.match("Heat", "any{1,4}").form == "walk resident"
        gc.collect()
        assert pages() is None
