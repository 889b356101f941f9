"""Two documents, what a model says of them, and a corpus that asks it; shared by the tests of extraction."""

from __future__ import annotations

from typing import Any

from corpora import doc
from fake_reader import entity, relation, said

from mosaic_sql import Corpus

RADIUM = doc("radium", "Marie Curie found radium in Paris. Radium glows in the dark.", "Radium")
CURIE = doc("curie", "Marie Curie was born in Warsaw. She worked with Pierre Curie.", "Marie Curie")
FOUND = said(
    [entity("Marie Curie", "Person", "a chemist"), entity("Radium", "substance"), entity("Paris", "place")],
    relation("Marie Curie", "found", "Radium", "Marie Curie found radium in Paris."),
    relation("Radium", "found in", "Paris", "It was found in Paris."),
)
BORN = said(
    [entity("Marie Curie", "scientist", "a woman"), entity("Warsaw", "place"), entity("Pierre Curie", "person")],
    relation("Marie Curie", "born in", "Warsaw", "Marie Curie was born in Warsaw"),
    relation("Marie Curie", "worked with", "Pierre Curie", "She worked with Pierre Curie."),
)
TABLE = {"glows": FOUND, "Warsaw": BORN}
EDGES = """
    SELECT a.name, r.relation, b.name, e.label, substr(c.text, s.char_start + 1, s.char_end - s.char_start), d.source,
           e.origin
    FROM edge e JOIN relation r USING (relation_id) JOIN node a ON a.node_id = e.source_id
    JOIN node b ON b.node_id = e.target_id JOIN edge_chunk x USING (edge_id) JOIN chunk c USING (chunk_id)
    JOIN document d USING (document_id) LEFT JOIN sentence s ON s.sentence_id = e.fact_id ORDER BY e.edge_id
"""


def rows(corpus: Corpus, sql: str) -> list[tuple[Any, ...]]:
    return corpus.connection.execute(sql).fetchall()


def everything(corpus: Corpus) -> dict[str, list[tuple[Any, ...]]]:
    names = [name for (name,) in rows(corpus, "SELECT table_name FROM duckdb_tables() WHERE database_name = 'corpus'")]
    found = {name: rows(corpus, f"SELECT * FROM corpus.{name}") for name in names}
    return {**found, "meta": sorted(found["meta"])}
