"""Bring the index in step with the documents: read pending chunks for names and facts, derive what is derived.

Every step is a transaction of its own, in chunk order, so that a run that was killed goes on where it stopped and ends
with the same tables as an unbroken one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import pyarrow as pa

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.ingest import extract
from mosaic_sql.ingest.facts import Facts, Relation
from mosaic_sql.ingest.names import derive_postings
from mosaic_sql.ingest.store import Counters, Nodes, Progress, Rows, Vocabulary, fixed_size, quiet
from mosaic_sql.models import Embedder, to_grid
from mosaic_sql.storefile import INDEXED_NODES

HUB_LIMIT = 60
"""Nodes in more chunks than this link nothing (measured flat between 30 and 400)."""
RULE_RELATION = "stated_with"
_BATCH = 400
_SETTLED = ("settle_names", "settle_aliases", "settle_kinds")
_DERIVED = (
    "derive_term", "derive_posting", "derive_sentence_posting", "derive_mention_context", "derive_alias", "derive_node",
    "forget_edge_vectors", "forget_vectors", "derive_adjacency", "derive_schema_path", "derive_schema_property",
)  # fmt: skip


def build(database: Database, *, embedder: Embedder | None, graph_vectors: str = "all", progress: Progress) -> None:
    """Everything that is pending, then the derived tables, then missing vectors.

    `graph_vectors` says what of an imported graph is embedded: none, relations, names or all.
    """
    _await_chunks(database)
    _read_pending(database, progress)
    _forget_orphans(database)
    derive(database, progress)
    if embedder is not None:
        embed_missing(database, embedder, graph_vectors=graph_vectors, progress=progress)
    with database.transaction():
        database.put_meta(index_state="ready")
    progress("index", 1, 1)


def _await_chunks(database: Database) -> None:
    """Chunks that hold a new title in their text are read again."""
    keys = [key for (key,) in database.rows("ingest.pending_keys")]
    if not keys:
        return
    vocabulary = Vocabulary(database, Counters.load(database))
    pairs: list[tuple[int, int]] = []
    for number, key in enumerate(keys):
        term_ids = {vocabulary.get(words.stem(form)) for form in key.split(" ") if form not in words.STOP_WORDS}
        pairs += [(number, term_id) for term_id in term_ids if term_id is not None] if None not in term_ids else []
    incoming = pa.table(
        {
            "key_no": pa.array([pair[0] for pair in pairs], pa.int32()),
            "term_id": pa.array([pair[1] for pair in pairs], pa.int32()),
        }
    )
    with database.transaction(), database.registered(incoming=incoming):
        database.execute("ingest.await_named")
        database.execute("ingest.clear_pending_keys")


def _read_pending(database: Database, progress: Progress) -> None:
    pending = [chunk_id for (chunk_id,) in database.rows("ingest.pending_chunks")]
    if not pending:
        return
    reader = _Reader(database)
    for start in range(0, len(pending), _BATCH):
        progress("names", start, len(pending))
        reader.read(pending[start : start + _BATCH])
    progress("names", len(pending), len(pending))


def _forget_orphans(database: Database) -> None:
    """Also after a removal that left nothing to read again."""
    with database.transaction():
        database.execute("ingest.delete_orphans")
        database.execute("ingest.delete_orphan_names")
        database.execute("ingest.delete_unused_relations")


class _Reader:
    """Reads chunks for mentions, their context and facts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counters = Counters.load(database)
        self._vocabulary = Vocabulary(database, self._counters)
        self._nodes = Nodes(database, self._counters)
        self._titles = words.NameIndex(key for (key,) in database.rows("ingest.title_keys"))
        self._relations = dict(database.rows("ingest.known_relations"))
        extractor = database.meta().get("extractor")
        self._by_model = extractor == "model"
        self._find_spans = extract.spacy_finder() if extractor == "spacy" else extract.find_spans

    def read(self, chunk_ids: Sequence[int]) -> None:
        """One transaction: what these chunks said before is forgotten, what they say is stored."""
        database, rows = self._database, Rows()
        with database.transaction():
            for statement in ("delete_edge", "delete_edge_chunk", "delete_mention_context", "delete_mention"):
                database.execute(f"ingest.{statement}", chunk_ids=list(chunk_ids))
            sentences = database.rows("ingest.sentences_of", chunk_ids=list(chunk_ids))
            spans = self._find_spans([text[start:end] for _, text, _, start, end in sentences])
            kept = database.rows("ingest.extractions_of", chunk_ids=list(chunk_ids)) if self._by_model else []
            said = {chunk_id: Facts.from_json(facts) for chunk_id, facts in kept}
            pairs = zip(sentences, spans, strict=True)
            for chunk_id, group in groupby(pairs, key=lambda pair: pair[0][0]):
                self._chunk(list(group), said.get(chunk_id, Facts((), ())), rows)
            rows.write(database)
            database.execute("ingest.delete_pending_chunk", chunk_ids=list(chunk_ids))
            self._counters.save(database)

    def _chunk(self, group: list[tuple[Any, Any]], said: Facts, rows: Rows) -> None:
        sentences = [sentence for sentence, _ in group]
        named = said.mentions(sentences[0][1])
        for sentence, spans in group:
            self._sentence(sentence, spans, named, rows)
        names = {entity.key: entity.name for entity in said.entities}
        for relation in said.relations:
            source, target = (self._nodes.id_of(key, names[key], rows) for key in (relation.source, relation.target))
            place = (sentences[0][0], _stating(relation, sentences))
            self._edge(place, (source, relation.relation, target), relation.relation, rows)

    def _sentence(
        self, row: tuple[Any, ...], spans: Sequence[tuple[int, int]], named: Sequence[extract.Mention], rows: Rows
    ) -> None:
        chunk_id, text, sentence_id, start, end = row
        tokens = words.tokens(text[start:end])
        found = extract.mentions(text, (start, end), tokens, self._titles, spans, named)
        ids: dict[str, int] = {}
        for mention in found:
            node_id = ids[mention.key] = self._nodes.id_of(mention.key, mention.name, rows)
            rows.add("mention", node_id, chunk_id, sentence_id, mention.char_start, mention.char_end, mention.origin)
            for stem, side in extract.context_stems(mention, start, tokens):
                term_id = self._vocabulary.get(stem)
                if term_id is not None:
                    rows.add("mention_context", term_id, chunk_id, node_id, sentence_id, side)
        for fact in [] if self._by_model else extract.facts(text, found):
            ends = (ids[fact.source_key], RULE_RELATION, ids[fact.target_key])
            self._edge((chunk_id, sentence_id), ends, fact.label, rows)

    def _edge(self, place: tuple[int, int | None], ends: tuple[int, str, int], label: str, rows: Rows) -> None:
        """An edge (source, relation, target) that the sentence at `place` states, None for no sentence."""
        source, relation, target = ends
        if relation not in self._relations:
            self._relations[relation] = self._counters.take("relation")
            rows.add("relation", self._relations[relation], relation)
        edge_id = self._counters.take("edge")
        rows.add("edge", edge_id, source, self._relations[relation], target, label, place[1], 1.0, "text")
        rows.add("edge_chunk", edge_id, place[0])


def _stating(relation: Relation, sentences: Sequence[tuple[Any, ...]]) -> int | None:
    """The sentence that holds most of the words which state a relation; None where they were not found."""
    if relation.start is None or relation.end is None:
        return None
    begin, end = relation.start, relation.end
    return int(max(sentences, key=lambda row: min(end, row[4]) - max(begin, row[3]))[2])


def derive(database: Database, progress: Progress = quiet) -> None:
    """Drop and rebuild every derived table, in one transaction."""
    with database.transaction():
        steps: dict[str, Callable[[], None]] = {
            **{name: partial(database.execute, f"ingest.{name}") for name in _SETTLED},
            "derive_name_posting": partial(derive_postings, database),
            **{name: partial(database.execute, f"ingest.{name}") for name in _DERIVED},
            "index_alias": partial(index_names, database),
            "derive_link": partial(database.execute, "ingest.derive_link", hub_limit=HUB_LIMIT),
            "delete_orphan_forms": partial(database.execute, "ingest.delete_orphan_forms"),
        }
        for number, (name, step) in enumerate(steps.items()):
            progress(f"index: {name.replace('_', ' ')}", number, len(steps))
            step()
        if database.meta().get("forms_state") == "stale":
            database.execute("ingest.delete_unused_forms", stop_words=sorted(words.STOP_WORDS))
            database.put_meta(forms_state="ready")
        database.script("4_comments")


def index_names(database: Database) -> None:
    """An index on names where there are so many that a scan of them for each question takes too long."""
    _, node_count, *_ = database.rows("link.catalogue")[0]
    if node_count >= INDEXED_NODES:
        database.execute("ingest.index_alias")


def embed_missing(database: Database, embedder: Embedder, *, graph_vectors: str, progress: Progress) -> None:
    """Vectors of relation labels, node names and edges a model read that have none, a batch a transaction."""
    tables = ["node"] if graph_vectors == "none" else ["relation", "node"]
    if database.meta().get("edge_vectors", "true") == "true":
        tables.append("edge")
    for table in tables:
        params = {"graph_names": graph_vectors in ("names", "all")} if table == "node" else {}
        wanted = database.rows(f"ingest.{table}s_to_embed", **params)
        for start in range(0, len(wanted), 2048):
            progress(f"{table} vectors", start, len(wanted))
            batch = wanted[start : start + 2048]
            places = {text: place for place, text in enumerate(dict.fromkeys(text for _, text in batch))}
            vectors = to_grid(embedder.embed(list(places)))[[places[text] for _, text in batch]]
            incoming = pa.table(
                {
                    f"{table}_id": pa.array([row[0] for row in batch], pa.int32()),
                    "embedding": fixed_size(vectors),
                }
            )
            with database.transaction(), database.registered(incoming=incoming):
                database.execute(f"ingest.set_{table}_vector")
