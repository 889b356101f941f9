"""Write documents: a few whole documents per transaction, ids from counters, derived tables left to `index`."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.ingest.extract import title_surfaces
from mosaic_sql.records import ChunkDraft, SourceDocument

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total); total 0 where it is not known."""


def quiet(stage: str, done: int, total: int) -> None:
    """A progress callback that shows nothing."""


_INT, _TEXT = pa.int32(), pa.string()
_SCHEMAS: dict[str, list[tuple[str, pa.DataType]]] = {
    "document": [
        ("document_id", _INT),
        ("source", _TEXT),
        ("title", _TEXT),
        ("hash", _TEXT),
        ("char_count", _INT),
        ("properties", _TEXT),
    ],
    "chunk": [
        ("chunk_id", _INT),
        ("document_id", _INT),
        ("ordinal", _INT),
        ("title", _TEXT),
        ("heading", _TEXT),
        ("text", _TEXT),
        ("char_start", _INT),
        ("char_end", _INT),
        ("term_count", _INT),
    ],
    "sentence": [
        ("sentence_id", _INT),
        ("chunk_id", _INT),
        ("ordinal", _INT),
        ("char_start", _INT),
        ("char_end", _INT),
    ],
    "node": [("node_id", _INT), ("name", _TEXT), ("key", _TEXT), ("origin", _TEXT)],
    "alias": [
        ("node_id", _INT),
        ("alias", _TEXT),
        ("alias_key", _TEXT),
        ("is_title", pa.bool_()),
        ("chunk_id", _INT),
    ],
    "title_page": [("node_id", _INT), ("chunk_id", _INT)],
    "term": [("term_id", _INT), ("term", _TEXT)],
    "term_form": [("form", _TEXT), ("term_id", _INT)],
    "posting": [("term_id", _INT), ("chunk_id", _INT), ("tf", _INT)],
    "sentence_posting": [("term_id", _INT), ("sentence_id", _INT)],
    "pending_chunk": [("chunk_id", _INT)],
    "pending_key": [("alias_key", _TEXT)],
    "relation": [("relation_id", _INT), ("relation", _TEXT)],
    "mention": [
        ("node_id", _INT),
        ("chunk_id", _INT),
        ("sentence_id", _INT),
        ("char_start", _INT),
        ("char_end", _INT),
        ("origin", _TEXT),
    ],
    "mention_context": [
        ("term_id", _INT),
        ("chunk_id", _INT),
        ("node_id", _INT),
        ("sentence_id", _INT),
        ("side", _TEXT),
    ],
    "edge": [
        ("edge_id", _INT),
        ("source_id", _INT),
        ("relation_id", _INT),
        ("target_id", _INT),
        ("label", _TEXT),
        ("fact_id", _INT),
        ("weight", pa.float64()),
        ("origin", _TEXT),
    ],
    "edge_chunk": [("edge_id", _INT), ("chunk_id", _INT)],
    "extraction": [("chunk_id", _INT), ("model", _TEXT), ("facts", _TEXT), ("reason", _TEXT)],
}
_REMOVAL = (
    "await_retitled", "delete_sentence_posting", "delete_edge", "delete_edge_chunk", "delete_mention_context",
    "delete_mention", "delete_posting", "delete_title_page", "delete_alias", "delete_sentence", "delete_pending_chunk",
    "delete_extraction", "delete_chunk",
)  # fmt: skip


@dataclass
class Prepared:
    """A document cut into chunks, with their vectors (and their sentences' where asked for)."""

    document: SourceDocument
    digest: str
    chunks: Sequence[ChunkDraft]
    sentences: Sequence[Sequence[tuple[int, int]]]
    vectors: NDArray[np.float32] | None = None
    sentence_vectors: NDArray[np.float32] | None = None


class Rows:
    """Rows gathered per table, written as Arrow in one INSERT each."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[Any, ...]]] = {}

    def add(self, table: str, *values: Any) -> None:
        """One row in the order of the table's columns."""
        self._rows.setdefault(table, []).append(values)

    def write(self, database: Database, vectors: Mapping[str, NDArray[np.float32] | None] | None = None) -> None:
        """Insert everything gathered; `vectors` adds an `embedding` column to a table."""
        for table, rows in self._rows.items():
            insert(database, table, rows, (vectors or {}).get(table))
        self._rows.clear()


def insert(
    database: Database, table: str, rows: Sequence[tuple[Any, ...]], vectors: NDArray[np.float32] | None = None
) -> None:
    """Rows into a table, through Arrow."""
    schema = _SCHEMAS[table]
    columns = list(zip(*rows, strict=True))
    arrays = [pa.array(column, kind) for column, (_, kind) in zip(columns, schema, strict=True)]
    names = [name for name, _ in schema]
    if vectors is not None:
        arrays.append(fixed_size(vectors))
        names.append("embedding")
    with database.registered(incoming=pa.table(arrays, names=names)):
        database.execute(f"ingest.insert_{table}")


def fixed_size(vectors: NDArray[np.float32]) -> pa.Array:
    """Rows of a matrix as FLOAT[d]; a row of NaN is NULL."""
    absent = pa.array(np.isnan(vectors[:, 0]))
    values = pa.array(np.nan_to_num(vectors).reshape(-1), pa.float32())
    return pa.FixedSizeListArray.from_arrays(values, vectors.shape[1], mask=absent)


def _stack(prepared: Sequence[Prepared], name: str, lengths: Sequence[int]) -> NDArray[np.float32] | None:
    """The vectors of a batch one above the other; NaN for items without, None where no item has any."""
    blocks = [getattr(item, name) for item in prepared]
    known = next((block for block in blocks if block is not None), None)
    if known is None:
        return None
    empty = [np.full((length, known.shape[1]), np.nan, np.float32) for length in lengths]
    return np.concatenate([blank if block is None else block for block, blank in zip(blocks, empty, strict=True)])


def digest_of(document: SourceDocument) -> str:
    """SHA-256 of what a document says: title, text, markup, properties, vector."""
    parts = [document.title, document.text, document.markup, dict(document.properties), document.vector]
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _json_of(properties: Mapping[str, Any]) -> str:
    """Properties as JSON; null for the numbers that JSON has no word for, "?" for lone surrogates."""
    try:
        text = json.dumps(dict(properties), ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(dict(properties), default=str), parse_constant=lambda _: None)
        text = json.dumps(finite, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()


@dataclass
class Counters:
    """The next free ids; they live in `meta` and move inside the transaction that uses them."""

    values: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(cls, database: Database) -> Counters:
        """As the file has them."""
        meta = database.meta()
        names = ("document", "chunk", "sentence", "node", "term", "edge", "relation")
        return cls({name: int(meta.get(f"next_{name}_id", 0)) for name in names})

    def take(self, name: str) -> int:
        """The next id."""
        value = self.values[name]
        self.values[name] = value + 1
        return value

    def take_many(self, name: str, count: int) -> NDArray[np.int32]:
        """The next ids."""
        first = self.values[name]
        self.values[name] = first + count
        return np.arange(first, first + count, dtype=np.int32)

    def save(self, database: Database) -> None:
        """Write them back; call inside the transaction."""
        database.put_meta(**{f"next_{name}_id": value for name, value in self.values.items()})


class Vocabulary:
    """Stems and their ids, word forms already stored."""

    def __init__(self, database: Database, counters: Counters) -> None:
        self._ids = dict(database.rows("ingest.known_terms"))
        self._forms = {form for (form,) in database.rows("ingest.known_forms")}
        self._counters = counters

    def id_of(self, form: str, rows: Rows) -> int:
        """The id of a word form's stem; new ones become rows."""
        term = words.stem(form)
        term_id = self._ids.get(term)
        if term_id is None:
            term_id = self._ids[term] = self._counters.take("term")
            rows.add("term", term_id, term)
        if form not in self._forms:
            self._forms.add(form)
            rows.add("term_form", form, term_id)
        return term_id

    def get(self, term: str) -> int | None:
        """The id of a stem, None where the corpus does not have it."""
        return self._ids.get(term)


class Nodes:
    """Nodes of the text by key; new ones become rows."""

    def __init__(self, database: Database, counters: Counters) -> None:
        self._ids = dict(database.rows("ingest.known_nodes"))
        self._counters = counters

    def id_of(self, key: str, name: str, rows: Rows) -> int:
        """The id of a key; `name` is how it was first written."""
        node_id = self._ids.get(key)
        if node_id is None:
            node_id = self._ids[key] = self._counters.take("node")
            plain = " ".join(name.split())
            rows.add("node", node_id, plain, key, "text")
            rows.add("alias", node_id, plain, key, False, None)
        return node_id


class Writer:
    """Stores prepared documents and removes old ones."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.counters = Counters.load(database)
        self.vocabulary = Vocabulary(database, self.counters)
        self.nodes = Nodes(database, self.counters)

    def store(self, prepared: Sequence[Prepared], replaced: Sequence[int] = ()) -> int:
        """All of `prepared` in, all of the documents `replaced` out, in one transaction; chunks written."""
        rows = Rows()
        with self.database.transaction():
            self.database.put_meta(index_state="pending")
            if replaced:
                remove(self.database, replaced)
            for item in prepared:
                self._document(item, rows)
            rows.write(
                self.database,
                {
                    "chunk": _stack(prepared, "vectors", [len(item.chunks) for item in prepared]),
                    "sentence": _stack(
                        prepared, "sentence_vectors", [sum(map(len, item.sentences)) for item in prepared]
                    ),
                },
            )
            self.counters.save(self.database)
        return sum(len(item.chunks) for item in prepared)

    def _document(self, item: Prepared, rows: Rows) -> None:
        document, document_id = item.document, self.counters.take("document")
        properties = _json_of(document.properties)
        title = item.chunks[0].title if item.chunks else document.title
        rows.add("document", document_id, document.source, title, item.digest, len(document.text), properties)
        for chunk, spans in zip(item.chunks, item.sentences, strict=True):
            chunk_id = self.counters.take("chunk")
            self._chunk(chunk, chunk_id, document_id, rows)
            self._sentences(chunk, chunk_id, spans, rows)
            self._titles(chunk, chunk_id, rows)
            rows.add("pending_chunk", chunk_id)

    def _chunk(self, chunk: ChunkDraft, chunk_id: int, document_id: int, rows: Rows) -> None:
        said = f"{chunk.title}\n{chunk.heading}\n{chunk.text}"
        forms = [token.form for token in words.tokens(said) if token.form not in words.STOP_WORDS]
        term_ids = [self.vocabulary.id_of(form, rows) for form in forms]
        for term_id, tf in Counter(term_ids).items():
            rows.add("posting", term_id, chunk_id, tf)
        rows.add(
            "chunk", chunk_id, document_id, chunk.ordinal, chunk.title, chunk.heading, chunk.text,
            chunk.char_start, chunk.char_end, len(term_ids),
        )  # fmt: skip

    def _sentences(self, chunk: ChunkDraft, chunk_id: int, spans: Sequence[tuple[int, int]], rows: Rows) -> None:
        for ordinal, (start, end) in enumerate(spans):
            sentence_id = self.counters.take("sentence")
            rows.add("sentence", sentence_id, chunk_id, ordinal, start, end)
            forms = {token.form for token in words.tokens(chunk.text[start:end])} - words.STOP_WORDS
            for term_id in sorted({self.vocabulary.id_of(form, rows) for form in sorted(forms)}):
                rows.add("sentence_posting", term_id, sentence_id)

    def _titles(self, chunk: ChunkDraft, chunk_id: int, rows: Rows) -> None:
        pages: set[int] = set()
        for subject in chunk.subjects:
            for surface in title_surfaces(subject, chunk.text):
                key = words.node_key(surface)
                if not words.is_name(key):
                    continue
                node_id = self.nodes.id_of(key, surface, rows)
                alias_key = words.normalise(surface)
                rows.add("alias", node_id, surface, alias_key, True, chunk_id)
                rows.add("pending_key", alias_key)
                if node_id not in pages:
                    pages.add(node_id)
                    rows.add("title_page", node_id, chunk_id)


def remove(database: Database, document_ids: Iterable[int]) -> int:
    """Documents and all that came from them; call inside a transaction. The index is then pending."""
    wanted = list(document_ids)
    chunk_ids = [row[0] for row in database.rows("ingest.chunks_of", document_ids=wanted)]
    for statement in _REMOVAL:
        database.execute(f"ingest.{statement}", chunk_ids=chunk_ids)
    database.execute("ingest.delete_document", document_ids=wanted)
    database.put_meta(index_state="pending", forms_state="stale")
    return len(chunk_ids)
