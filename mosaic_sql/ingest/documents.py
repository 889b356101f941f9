"""Add documents: skip what is unchanged, cut, embed, store; a few whole documents per transaction."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.errors import ModelError
from mosaic_sql.ingest.chunking import SPECIAL_TOKENS, chunk, embedding_text
from mosaic_sql.ingest.decoding import clean, one_line
from mosaic_sql.ingest.store import Prepared, Progress, Writer, digest_of
from mosaic_sql.models import Embedder, to_grid
from mosaic_sql.records import AddReport, ChunkDraft, Skipped, SourceDocument

_BATCH_CHUNKS = 128
_BATCH_DOCUMENTS = 64
_LARGEST = 1e18  # of a number in a vector: its square is still a float


@dataclass
class _Tally:
    added: int = 0
    replaced: list[str] = field(default_factory=list)
    twins: list[str] = field(default_factory=list)
    unchanged: int = 0
    chunks: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def add_documents(
    database: Database,
    inputs: Iterable[SourceDocument | Skipped],
    *,
    embedder: Embedder | None,
    sentence_vectors: bool = False,
    progress: Progress,
) -> AddReport:
    """Store every document that is new or changed. The index is then pending; `index.build` brings it in step."""
    started = time.perf_counter()
    adder = _Adder(database, embedder, sentence_vectors)
    batch: list[tuple[Prepared, int | None]] = []
    for number, item in enumerate(inputs):
        progress("documents", number, 0)
        prepared = adder.prepare(item)
        if prepared is not None:
            batch.append(prepared)
        if len(batch) >= _BATCH_DOCUMENTS or sum(len(p.chunks) for p, _ in batch) >= _BATCH_CHUNKS:
            adder.store(batch)
            batch = []
    adder.store(batch)
    tally = adder.tally
    if tally.replaced:
        tally.notes.append(f"what stood under the same name was replaced: {_some(tally.replaced)}")
    if tally.twins:
        told = f"the content of {words.counted(len(tally.twins), 'document')} is there under another name too"
        tally.notes.append(f"{told}: {_some(tally.twins)}")
    return AddReport(
        added=tally.added,
        replaced=len(tally.replaced),
        unchanged=tally.unchanged,
        skipped=tuple(tally.skipped),
        chunks=tally.chunks,
        notes=tuple(tally.notes),
        seconds=time.perf_counter() - started,
    )


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return f"{', '.join(names[:5])}{more}"


class _Adder:
    def __init__(self, database: Database, embedder: Embedder | None, sentence_vectors: bool) -> None:
        self._writer = Writer(database)
        self._embedder = embedder
        self._sentence_vectors = sentence_vectors
        self._known = {source: (digest, number) for source, digest, number in database.rows("ingest.known_documents")}
        self._names = {digest: source for source, (digest, _) in self._known.items()}
        self._seen: set[str] = set()
        self._dimension = int(database.meta()["dimension"])
        self.tally = _Tally()

    def prepare(self, item: SourceDocument | Skipped) -> tuple[Prepared, int | None] | None:
        """A document to store and the id of the one it replaces; None where there is nothing to do."""
        if isinstance(item, Skipped):
            self.tally.skipped.append(item)
            return None
        item = _storable(item)
        problem = self._problem(item)
        if problem:
            self.tally.skipped.append(Skipped(item.source, problem))
            return None
        self._seen.add(item.source)
        self.tally.notes += [f"{item.source}: {note}" for note in item.notes]
        digest = digest_of(item)
        known_digest, known_id = self._known.get(item.source, ("", None))
        if digest == known_digest:
            self.tally.unchanged += 1
            return None
        chunks = cut(item, self._embedder)
        if not chunks:
            self.tally.skipped.append(Skipped(item.source, "empty", failed=False))
            return None
        if self._names.get(known_digest) == item.source:
            del self._names[known_digest]  # it goes
        twin = self._names.setdefault(digest, item.source)
        if twin != item.source:
            self.tally.twins.append(f"{item.source} ({twin})")
        self.tally.added += known_id is None
        if known_id is not None:
            self.tally.replaced.append(item.source)
        return Prepared(item, digest, chunks, [words.sentences(part.text) for part in chunks]), known_id

    def _problem(self, item: SourceDocument) -> str:
        if item.source in self._seen:
            return "given twice in one call; the first one was taken"
        if item.vector is not None and len(item.vector) != self._dimension:
            return f"its vector has {len(item.vector)} numbers, the corpus has {self._dimension}"
        if item.vector is not None and not 0 < float(np.abs(np.array(item.vector)).max()) < _LARGEST:
            return "its vector is zero, or holds a number that is not finite"
        return ""

    def store(self, batch: Sequence[tuple[Prepared, int | None]]) -> None:
        """Embed and write a batch in one transaction."""
        if not batch:
            return
        prepared = [item for item, _ in batch]
        self._embed(prepared)
        replaced = [number for _, number in batch if number is not None]
        self.tally.chunks += self._writer.store(prepared, replaced)

    def _embed(self, prepared: Sequence[Prepared]) -> None:
        given = [item for item in prepared if item.document.vector is not None]
        for item in given:
            item.vectors = to_grid(np.array([item.document.vector], np.float32))
        if self._embedder is None:
            return
        plain = [item for item in prepared if item.document.vector is None]
        vectors = self._vectors([embedding_text(part) for item in plain for part in item.chunks])
        for item, rows in zip(plain, _split(vectors, [len(item.chunks) for item in plain]), strict=True):
            item.vectors = rows
        if self._sentence_vectors:
            texts = [list(_sentence_texts(item)) for item in prepared]
            vectors = self._vectors([text for group in texts for text in group])
            for item, rows in zip(prepared, _split(vectors, [len(group) for group in texts]), strict=True):
                item.sentence_vectors = rows

    def _vectors(self, texts: Sequence[str]) -> np.ndarray:  # (len(texts), dimension) float32 on the grid
        if self._embedder is None or not texts:
            return np.zeros((0, self._dimension), np.float32)
        vectors = self._embedder.embed(texts)
        if vectors.shape[1] != self._dimension:
            raise ModelError(
                f"{self._embedder.name} gave vectors of {vectors.shape[1]} numbers, the corpus has {self._dimension}"
            )
        return to_grid(vectors)


def cut(item: SourceDocument, embedder: Embedder | None) -> list[ChunkDraft]:
    """The chunks of a document, within what the embedder reads; one with a vector of its own stays whole."""
    if item.vector is not None:
        subjects = (item.title,) if item.title else ()
        return [ChunkDraft(0, item.title, "", item.text, 0, len(item.text), subjects)]
    if embedder is None:
        return chunk(item, token_offsets=_word_offsets, max_tokens=200)
    return chunk(item, token_offsets=embedder.token_offsets, max_tokens=embedder.max_tokens + SPECIAL_TOKENS)


def _storable(item: SourceDocument) -> SourceDocument:
    """`item` named in one line, without NUL characters and the lone surrogates of a name that is no UTF-8."""
    said = item.source + item.title + item.text
    if said.isascii() and "\0" not in said and item.source.isprintable():
        return item
    source = one_line(item.source.replace("\0", "").encode("utf-8", "backslashreplace").decode())
    return replace(item, source=source, title=clean(item.title)[0], text=clean(item.text)[0])


def _sentence_texts(item: Prepared) -> Iterator[str]:
    for part, spans in zip(item.chunks, item.sentences, strict=True):
        for start, end in spans:
            yield f"{part.title}: {part.text[start:end]}" if part.title else part.text[start:end]


def _split(vectors: np.ndarray, lengths: Sequence[int]) -> list[np.ndarray]:
    ends = np.cumsum(lengths)
    return [vectors[end - length : end] for end, length in zip(ends, lengths, strict=True)]


def _word_offsets(text: str) -> list[tuple[int, int]]:
    return [(token.start, token.end) for token in words.tokens(text)]
