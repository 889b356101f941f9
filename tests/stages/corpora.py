"""Small corpora for the tests of the stages; run as a script it ingests a folder and may kill itself half way."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mosaic_sql.database import Database, open_database
from mosaic_sql.ingest import documents, functions, index, readers
from mosaic_sql.ingest.store import remove
from mosaic_sql.models.fakes import HashEmbedder
from mosaic_sql.records import AddReport, Skipped, SourceDocument
from mosaic_sql.storefile import SCHEMA_VERSION

DIMENSION = 16
EMBEDDER = HashEmbedder(DIMENSION)
SAMPLE = Path(__file__).parents[2] / "sample_data" / "documents"


def quiet(stage: str, done: int, total: int) -> None:
    """A progress callback that says nothing."""


def new_corpus(path: str | Path = ":memory:", *, dimension: int = DIMENSION, threads: int | None = None) -> Database:
    """An empty corpus, or the one that is there."""
    database = open_database(path, threads=threads)
    if not database.rows("store.tables"):
        with database.transaction():
            database.script("1_corpus", dimension=dimension)
            database.script("2_search")
            database.script("4_comments")
            database.put_meta(schema_version=SCHEMA_VERSION, dimension=dimension, extractor="rules")
        functions.install(database)
    return database


def doc(source: str, text: str, title: str = "", **properties: Any) -> SourceDocument:
    return SourceDocument(source, text, title, properties=properties)


def add(database: Database, items: Iterable[SourceDocument | Skipped], *, embedder: Any = EMBEDDER) -> AddReport:
    """Documents in, index in step."""
    report = documents.add_documents(database, items, embedder=embedder, progress=quiet)
    index.build(database, embedder=embedder, progress=quiet)
    return report


def forget(database: Database, *sources: str) -> None:
    """Documents out, index in step."""
    ids = [number for source, _, number in database.rows("ingest.known_documents") if source in sources]
    with database.transaction():
        remove(database, ids)
    index.build(database, embedder=EMBEDDER, progress=quiet)


def tables(database: Database) -> list[str]:
    return [name for name, _ in database.rows("store.row_counts")]


def rows_of(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table as stored; of `meta` in the order of its keys."""
    found = {name: database.connection.execute(f"SELECT * FROM {name}").fetchall() for name in tables(database)}
    return {**found, "meta": sorted(found["meta"])}


def differences(one: dict[str, list[tuple[Any, ...]]], two: dict[str, list[tuple[Any, ...]]]) -> dict[str, str]:
    """Tables that differ, with what is in one only and in the other only."""
    found = {}
    for name in one.keys() | two.keys():
        left, right = one[name], two[name]
        if left != right:
            first, second = Counter(map(repr, left)), Counter(map(repr, right))
            found[name] = f"{[*(first - second)][:3]} / {[*(second - first)][:3]} / order only: {first == second}"
    return found


CONTENT = {
    "document": "SELECT source, title, hash, char_count, properties FROM document",
    "chunk": "SELECT d.source, c.* EXCLUDE (chunk_id, document_id) FROM chunk c JOIN document d USING (document_id)",
    "sentence": "SELECT c.text, s.ordinal, s.char_start, s.char_end FROM sentence s JOIN chunk c USING (chunk_id)",
    "node": "SELECT * EXCLUDE (node_id) FROM node",
    "alias": "SELECT v.key, a.alias, a.alias_key, a.is_title, c.text FROM alias a JOIN node v USING (node_id)"
    " LEFT JOIN chunk c ON c.chunk_id = a.chunk_id",
    "mention": "SELECT v.key, c.text, s.ordinal, m.char_start, m.char_end, m.origin FROM mention m JOIN node v"
    " USING (node_id) JOIN chunk c USING (chunk_id) JOIN sentence s USING (sentence_id)",
    "edge": "SELECT a.key, r.relation, b.key, e.label, s.ordinal, c.text FROM edge e JOIN relation r USING"
    " (relation_id) JOIN node a ON a.node_id = e.source_id JOIN node b ON b.node_id = e.target_id JOIN"
    " sentence s ON s.sentence_id = e.fact_id JOIN edge_chunk x USING (edge_id) JOIN chunk c ON c.chunk_id"
    " = x.chunk_id",
    "title_page": "SELECT v.key, c.text FROM title_page JOIN node v USING (node_id) JOIN chunk c USING (chunk_id)",
    "term": "SELECT * EXCLUDE (term_id) FROM term",
    "term_form": "SELECT f.form, t.term FROM term_form f JOIN term t USING (term_id)",
    "posting": "SELECT t.term, c.text, p.tf, p.weight FROM posting p JOIN term t USING (term_id) JOIN chunk c"
    " USING (chunk_id)",
    "sentence_posting": "SELECT t.term, c.text, s.ordinal FROM sentence_posting JOIN term t USING (term_id)"
    " JOIN sentence s USING (sentence_id) JOIN chunk c USING (chunk_id)",
    "name_posting": "SELECT t.term, v.key, p.weight FROM name_posting p JOIN term t USING (term_id) JOIN node"
    " v USING (node_id)",
    "mention_context": "SELECT t.term, c.text, v.key, s.ordinal, m.side FROM mention_context m JOIN term t"
    " USING (term_id) JOIN chunk c USING (chunk_id) JOIN node v USING (node_id) JOIN sentence s USING"
    " (sentence_id)",
    "adjacency": "SELECT a.key, b.key, d.forward FROM adjacency d JOIN node a ON a.node_id = d.node_id JOIN"
    " node b ON b.node_id = d.neighbour_id",
    "link": "SELECT a.text, v.key, b.text, l.is_title, l.specificity, l.title_share FROM link l JOIN node v"
    " USING (node_id) JOIN chunk a ON a.chunk_id = l.chunk_id JOIN chunk b ON b.chunk_id = l.next_chunk_id",
    "schema_path": "SELECT * FROM schema_path",
    "schema_property": "SELECT * FROM schema_property",
}


def content(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """What a corpus says, without ids and order; nothing is pending and no row points to what is not there."""
    counts = dict(database.rows("store.row_counts"))
    assert counts["pending_chunk"] == counts["pending_key"] == 0
    found = {name: database.connection.execute(sql).fetchall() for name, sql in CONTENT.items()}
    assert {name: len(rows) for name, rows in found.items()} == {name: counts[name] for name in CONTENT}
    return {name: sorted(rows, key=repr) for name, rows in found.items()}


@contextmanager
def small_batches() -> Iterator[None]:
    before = documents._BATCH_CHUNKS, index._BATCH
    documents._BATCH_CHUNKS, index._BATCH = 10, 12
    try:
        yield
    finally:
        documents._BATCH_CHUNKS, index._BATCH = before


def ingest(path: str | Path, *, threads: int = 2) -> None:
    """Half of the sample documents in small batches."""
    with small_batches(), new_corpus(path, threads=threads) as database:
        add(database, list(readers.read([str(SAMPLE)]))[::2])


def main(path: str, statement: str, count: str) -> None:
    """Ingest, and die before the `count`-th run of `statement`."""
    left, execute = [int(count)], Database.execute

    def dying(self: Database, name: str, **params: Any) -> None:
        if name == statement:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), 9)
        execute(self, name, **params)

    new_corpus(path).close()
    Database.execute = dying  # type: ignore[method-assign]
    ingest(path)


if __name__ == "__main__":
    main(*sys.argv[1:])


RADIUM = doc("radium", "Radium was found by Marie Curie in Paris. It glows in the dark.", "Radium", year=1898)
POLONIUM = doc("polonium", "Polonium was named by Marie Curie after Poland. It decays.", "Polonium")
CURIE = doc("curie", "Marie Curie was born in Warsaw. She worked with Pierre Curie on Radium.", "Marie Curie")


def of_three() -> Database:
    """A corpus of three documents that name each other."""
    database = new_corpus()
    add(database, [RADIUM, POLONIUM, CURIE])
    return database
