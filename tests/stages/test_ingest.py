"""Adding, changing and removing documents: killed, repeated, in another order, on other input."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from corpora import (
    CURIE,
    DIMENSION,
    EMBEDDER,
    POLONIUM,
    RADIUM,
    SAMPLE,
    add,
    content,
    differences,
    doc,
    forget,
    ingest,
    new_corpus,
    of_three,
    quiet,
    rows_of,
)  # fmt: skip

from mosaic_sql.database import Database, open_database
from mosaic_sql.ingest import documents, index, readers
from mosaic_sql.records import SourceDocument

# -- killed ----------------------------------------------------------------------------------------------------------

MORE = pytest.mark.slow  # the first three, one of each phase, run always
POINTS = [
    ("ingest.insert_posting", 3),  # the second batch is half written
    ("ingest.insert_mention", 2),  # the second batch of the names pass
    ("ingest.derive_adjacency", 1),
    pytest.param("store.commit", 4, marks=MORE),
    pytest.param("ingest.await_named", 1, marks=MORE),
    pytest.param("ingest.delete_mention", 2, marks=MORE),
    pytest.param("ingest.delete_orphans", 1, marks=MORE),
    pytest.param("ingest.set_node_vector", 1, marks=MORE),
]


def killed(path: Path, statement: str, count: int) -> int:
    """An ingest in a process that dies; its exit code."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, str(Path(__file__).with_name("corpora.py")), str(path), statement, str(count)]
    return subprocess.run(command, env=environment, timeout=120, check=False).returncode


def stored(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with open_database(path, read_only=True) as database:
        return rows_of(database)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Any, ...]]]:
    path = tmp_path_factory.mktemp("unbroken") / "a.duckdb"
    ingest(path)
    return stored(path)


@pytest.mark.parametrize(("statement", "count"), POINTS)
def test_killed_and_run_again_gives_the_tables_of_an_unbroken_run(
    statement: str, count: int, tmp_path: Path, unbroken: dict[str, list[tuple[Any, ...]]]
) -> None:
    path = tmp_path / "a.duckdb"
    assert killed(path, statement, count) == -9
    ingest(path)
    assert differences(stored(path), unbroken) == {}


@pytest.mark.parametrize("threads", [1, 4])
def test_rows_and_ids_do_not_depend_on_threads(
    threads: int, tmp_path: Path, unbroken: dict[str, list[tuple[Any, ...]]]
) -> None:
    ingest(tmp_path / "a.duckdb", threads=threads)
    assert differences(stored(tmp_path / "a.duckdb"), unbroken) == {}


# -- again, changed, removed -----------------------------------------------------------------------------------------


@pytest.fixture
def three() -> Database:
    return of_three()


def test_the_same_again_changes_nothing(three: Database) -> None:
    before = rows_of(three)
    report = add(three, [RADIUM, POLONIUM, CURIE])
    assert (report.added, report.replaced, report.unchanged) == (0, 0, 3)
    assert differences(rows_of(three), before) == {}


def test_the_sample_again_changes_nothing() -> None:
    with new_corpus() as database:
        add(database, readers.read([str(SAMPLE)]))
        before = rows_of(database)
        add(database, readers.read([str(SAMPLE)]))
        assert differences(rows_of(database), before) == {}


def words_in(database: Database, word: str) -> list[str]:
    """Columns in which a word occurs, in any case."""
    columns = database.connection.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_catalog = 'corpus'"
        " AND data_type IN ('VARCHAR', 'JSON', 'VARCHAR[]')"
    ).fetchall()
    found = []
    for table, column in columns:
        sql = f"SELECT count(*) FROM {table} WHERE contains(lower({column}::VARCHAR), ?)"
        if database.connection.execute(sql, [word.lower()]).fetchone() != (0,):
            found.append(f"{table}.{column}")
    return found


def orphans(database: Database) -> list[tuple[Any, ...]]:
    return database.connection.execute(
        """
        SELECT 'node', name FROM node WHERE node_id NOT IN (SELECT node_id FROM mention)
            AND node_id NOT IN (SELECT node_id FROM title_page)
        UNION ALL SELECT 'alias', alias FROM alias WHERE node_id NOT IN (SELECT node_id FROM node)
        UNION ALL SELECT 'posting', term_id::VARCHAR FROM posting WHERE chunk_id NOT IN (SELECT chunk_id FROM chunk)
            OR term_id NOT IN (SELECT term_id FROM term)
        UNION ALL SELECT 'term', term FROM term WHERE term_id NOT IN (SELECT term_id FROM posting)
            AND term_id NOT IN (SELECT term_id FROM sentence_posting)
            AND term_id NOT IN (SELECT term_id FROM name_posting)
        UNION ALL SELECT 'link', node_id::VARCHAR FROM link WHERE chunk_id NOT IN (SELECT chunk_id FROM chunk)
            OR next_chunk_id NOT IN (SELECT chunk_id FROM chunk)
        """
    ).fetchall()


def test_changed_content_leaves_nothing_of_the_old(three: Database) -> None:
    old = doc("quick", 'The Zyxquartz Works in Zyxtown made zyxglass. "Zyx Lamp" was sold.', "Zyxquartz", zyx="zyx")
    add(three, [old])
    assert "node.name" in words_in(three, "zyx")
    report = add(three, [doc("quick", "The Lamp Works in Paris made glass.", "Quartz")])
    assert report.replaced == 1
    assert words_in(three, "zyx") == []
    assert orphans(three) == []


def test_changed_equals_new() -> None:
    changed, fresh = new_corpus(), new_corpus()
    add(changed, [RADIUM, doc("curie", "Something about Zyx and Radium.", "Zyx"), POLONIUM])
    add(changed, [CURIE])
    add(fresh, [RADIUM, POLONIUM, CURIE])
    assert differences(content(changed), content(fresh)) == {}


@pytest.mark.parametrize("gone", ["radium", "polonium", "curie"])
def test_removed_equals_never_added(gone: str, three: Database) -> None:
    forget(three, gone)
    with new_corpus() as other:
        add(other, [item for item in (RADIUM, POLONIUM, CURIE) if item.source != gone])
        assert differences(content(three), content(other)) == {}
    assert orphans(three) == []


def test_removed_from_the_sample_equals_never_added() -> None:
    items = list(readers.read([str(SAMPLE)]))[::2]
    gone = [item.source for item in items][::7]
    with new_corpus() as one, new_corpus() as two:
        add(one, items)
        forget(one, *gone)
        add(two, [item for item in items if item.source not in gone])
        assert differences(content(one), content(two)) == {}


def test_histories_that_end_alike_leave_the_same_tables() -> None:
    items = [item for item in readers.read([str(SAMPLE)]) if isinstance(item, SourceDocument)][::2]
    random = Random(2)
    state: dict[str, SourceDocument] = {}
    with new_corpus() as one, new_corpus() as two:
        for _ in range(5):
            gone = random.sample(sorted(state), min(len(state), random.randint(0, 4)))
            forget(one, *gone)
            changed = [
                replace(item, text=random.choice([item.text, item.text.upper(), item.text[: len(item.text) // 2]]))
                for item in random.sample(items, 8)
            ]
            add(one, changed)
            state = {source: item for source, item in state.items() if source not in gone}
            state |= {item.source: item for item in changed}
        add(two, [state[source] for source, _, _ in one.rows("ingest.known_documents")])
        assert differences(content(one), content(two)) == {}


def test_all_removed_is_empty(three: Database) -> None:
    forget(three, "radium", "polonium", "curie")
    left = {name: len(rows) for name, rows in rows_of(three).items() if rows}
    assert left.keys() <= {"meta", "relation"}


def test_a_shared_node_stays_with_one_chunk_less(three: Database) -> None:
    def chunks() -> int:
        return three.connection.execute("SELECT chunk_count FROM node WHERE key = 'marie curie'").fetchone()[0]

    before = chunks()
    forget(three, "polonium")
    assert chunks() == before - 1


@pytest.mark.parametrize("gone", ["loud", "plain", "titled"])
def test_a_node_is_spelled_as_what_is_left_spells_it(gone: str) -> None:
    items = [
        doc("loud", "Long ago THE ZYX\u00c9 HOUSE burned."),
        doc("plain", "In May the Zyxe House was built again. Ask for Zyxe House."),
        doc("titled", "A hotel in Paris.", "Zyx\u00e9 House"),
    ]
    with new_corpus() as one, new_corpus() as two:
        for item in items:
            add(one, [item])
        forget(one, gone)
        add(two, [item for item in items if item.source != gone])
        assert differences(content(one), content(two)) == {}


# -- one by one ------------------------------------------------------------------------------------------------------


def many(count: int) -> list[SourceDocument]:
    names = ["Aldebaran", "Bellatrix", "Capella", "Deneb", "Elnath", "Fomalhaut", "Gacrux", "Hadar", "Izar", "Kochab"]
    return [
        doc(
            f"d{number}",
            f"{names[number % 10]} Station {number} lies north of {names[number * 7 % 10]} Harbour. "
            f"It was built by {names[number * 3 % 10]} Brothers in {1800 + number % 150}.",
            f"{names[number % 10]} Station {number}",
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("last", [
    doc("late", "Deneb Harbour is a port. Aldebaran Station 10 was its first client.", "Deneb Harbour"),
    doc("late", "nothing of note here", ""),
])  # fmt: skip
def test_document_101_added_later_equals_all_at_once(last: SourceDocument) -> None:
    with new_corpus() as later, new_corpus() as at_once:
        add(later, many(100))
        add(later, [last])
        add(at_once, [*many(100), last])
        assert differences(content(later), content(at_once)) == {}


def test_one_by_one_equals_all_at_once() -> None:
    items = list(readers.read([str(SAMPLE)]))[:12]
    with new_corpus() as later, new_corpus() as at_once:
        for item in items:
            add(later, [item])
        add(at_once, items)
        assert differences(content(later), content(at_once)) == {}


def titled(database: Database, key: str) -> list[str]:
    rows = database.connection.execute(
        "SELECT d.source FROM mention m JOIN node v USING (node_id) JOIN chunk c USING (chunk_id)"
        " JOIN document d USING (document_id) WHERE m.origin = 'title' AND v.key = ? ORDER BY 1", [key]
    ).fetchall()  # fmt: skip
    return [row[0] for row in rows]


def test_titles_that_come_later_are_found_in_older_chunks_and_forgotten_when_they_go() -> None:
    with new_corpus() as database:
        add(database, [doc("old", "The rocket flew past 243 Ida, says the Log of 243 Ida.", "A flight")])
        assert titled(database, "243 ida") == []
        before = content(database)
        add(database, [doc("new", "An asteroid with a moon.", "243 Ida")])
        assert titled(database, "243 ida") == ["old", "old"]
        forget(database, "new")
        assert titled(database, "243 ida") == []
        assert differences(content(database), before) == {}


# -- odd corpora -----------------------------------------------------------------------------------------------------

ODD = {
    "hello": "hello world",
    "cjk": "東京は日本の首都である。人口は約千四百万人。京都は古い都だ。",
    "emoji": "🚀🚀🚀 👩‍👩‍👧 Zoë met 🐙 in Zürich 🇨🇭.",
    "blankless": "x" * 50_000,
    "digits": "0123456789" * 20,
    "marks": "... !!! ??? --- \"\" '' “”",
    "names": '"Robert\'); DROP TABLE node;--" met O\'Brien & "A\\B" at 100 % of Café Ünïted.',
    "blank": "A.\n\n\n\nB.\n\n" + " " * 1000 + "C",
}


@pytest.mark.parametrize("name", ODD)
def test_one_odd_document(name: str) -> None:
    with new_corpus() as database:
        report = add(database, [doc(name, ODD[name])])
        assert (report.added, report.skipped) == (1, ())
        stored = "".join(row[0] for row in database.connection.execute("SELECT text FROM chunk ORDER BY 1").fetchall())
        assert sorted("".join(stored.split())) == sorted("".join(ODD[name].split()))
        content(database)
        assert orphans(database) == []
        specificities = database.connection.execute("SELECT specificity FROM node").fetchall()
        assert all(value is not None for (value,) in specificities)


def test_odd_documents_together_and_gone_again() -> None:
    with new_corpus() as database:
        add(database, [doc(name, text) for name, text in ODD.items()])
        assert orphans(database) == []
        forget(database, *ODD)
        assert {name for name, rows in rows_of(database).items() if rows} <= {"meta", "relation"}


@pytest.mark.parametrize("number", [0.0, float("nan"), float("inf"), 1e300])
def test_a_vector_without_direction_is_skipped_and_the_others_stored(number: float) -> None:
    odd = replace(doc("odd", "Polonium.", "Polonium"), vector=(number,) * DIMENSION)
    good = replace(doc("good", "Polonium.", "Polonium"), vector=(2.0,) * DIMENSION)
    with new_corpus() as database:
        report = add(database, [RADIUM, odd, good, CURIE])
        assert report.added == 3
        assert [(item.source, "vector" in item.reason) for item in report.skipped] == [("odd", True)]


def test_what_no_store_takes_is_mended() -> None:
    odd = doc("caf\udce9.txt", "A \ud800 b \0 c \r\nd.", "T\udfff\0", a=float("nan"), b={"c": [float("inf"), "\ud800"]})
    with new_corpus() as database:
        assert add(database, [odd]).added == 1
        assert add(database, [odd]).unchanged == 1
        row = database.connection.execute("SELECT source, title, properties FROM document").fetchone()
        assert row == ("caf\\udce9.txt", "T", '{"a": null, "b": {"c": [null, "?"]}}')
        assert database.connection.execute("SELECT properties->'b'->'c' FROM document").fetchone() == ('[null,"?"]',)


def test_a_form_that_only_the_removed_text_had_goes_with_it() -> None:
    with new_corpus() as one, new_corpus() as two:
        kept = doc("kept", "They zyxed once. A house and its roof.")
        add(
            one, [kept, doc("gone", "He was zyxing in THE ITS Zyxs House. Caf\u00e9s, a caf\u00e9, \u6771\u4eaczyxes.")]
        )
        assert "term_form.form" in words_in(one, "zyxing")
        forget(one, "gone")
        add(two, [kept])
        assert differences(content(one), content(two)) == {}


def test_an_empty_corpus_can_be_indexed() -> None:
    with new_corpus() as database:
        report = add(database, [])
        assert report.added == 0
        assert {name for name, rows in rows_of(database).items() if rows} == {"meta"}
        assert database.meta()["index_state"] == "ready"


def test_without_an_embedder() -> None:
    with new_corpus(dimension=1) as database:
        add(database, [RADIUM, CURIE], embedder=None)
        assert database.connection.execute("SELECT count(embedding) FROM chunk").fetchone() == (0,)
        assert titled(database, "radium")


# -- many ------------------------------------------------------------------------------------------------------------


def lines(count: int) -> list[SourceDocument]:
    return [doc(f"line {number}", f"Line {number} of the long list says {number % 97}.") for number in range(count)]


@pytest.mark.slow
def test_ten_thousand_documents_stream_in_bounded_memory() -> None:
    with new_corpus() as database:
        documents.add_documents(database, lines(200), embedder=EMBEDDER, progress=quiet)
        tracemalloc.start()
        documents.add_documents(database, (item for item in lines(10_000)), embedder=EMBEDDER, progress=quiet)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        index.build(database, embedder=EMBEDDER, progress=quiet)
        assert database.connection.execute("SELECT count(*) FROM document").fetchone() == (10_000,)
    assert peak < 60 << 20


@pytest.mark.slow
def test_time_per_document_is_flat() -> None:
    seconds = {}
    for count in (200, 1000):
        with new_corpus() as database:
            started = time.perf_counter()
            add(database, many(count))
            seconds[count] = (time.perf_counter() - started) / count
    assert seconds[1000] < 1.5 * seconds[200]
