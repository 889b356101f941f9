"""A corpus for a benchmark: built from its passages, or taken as it is where it already holds them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mosaic_sql import sqlfiles
from mosaic_sql.bench.dataset import Dataset, Passage
from mosaic_sql.errors import StoreError
from mosaic_sql.ingest.readers import text_document
from mosaic_sql.ingest.store import digest_of
from mosaic_sql.models import Embedder, load_embedder
from mosaic_sql.pipeline import Corpus, open_corpus
from mosaic_sql.records import SourceDocument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total); total 0 where it is not known."""


@dataclass(frozen=True)
class Settings:
    """What a corpus is built and asked with."""

    embedder: str = "minilm"
    extractor: str = "rules"
    sentence_vectors: bool = False
    drop_titles: bool = False
    threads: int | None = None


class Watch:
    """An embedder that tells how long its last call took."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.name, self.dimension, self.max_tokens = inner.name, inner.dimension, inner.max_tokens
        self.milliseconds = 0.0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the embedder does."""
        started = time.perf_counter()
        vectors = self._inner.embed(texts)
        self.milliseconds = since(started)
        return vectors

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """As the embedder does."""
        return self._inner.token_offsets(text)


def since(started: float) -> float:
    """Milliseconds from a reading of `time.perf_counter` to now."""
    return 1000 * (time.perf_counter() - started)


def watched(settings: Settings) -> Watch | None:
    """The embedder of the settings; None where they name none."""
    inner = load_embedder(settings.embedder)
    return None if inner is None else Watch(inner)


def opened(path: str | Path, settings: Settings, watch: Watch | None) -> Corpus:
    """The corpus at `path`, made where there is none; nothing is traced."""
    return open_corpus(
        path,
        embedder="none" if watch is None else watch,
        trace=False,
        sentence_vectors=settings.sentence_vectors,
        extractor=settings.extractor,
        threads=settings.threads,
    )


def index(corpus: Corpus, dataset: Dataset, settings: Settings, progress: Progress | None) -> float | None:
    """Add the passages that the corpus does not hold yet; passages per second, None where it held them all.

    Raises:
        StoreError: it holds other documents, or was made with other settings, nothing is added then; or a model is to
            read it and has not.
    """
    documents = [_document(passage, settings) for passage in dataset.passages]
    _must_fit(corpus, documents, settings)
    started = time.perf_counter()
    report = corpus.add(documents, progress=progress)
    if report.extraction is not None and report.extraction.left:
        raise StoreError(
            f"{corpus.stats()['path']}: {report.extraction.left} chunks were read by no model; "
            "fill it first with `mosaic add --extractor model`"
        )
    return round(1000 * report.added / since(started), 1) if report.added else None


def _document(passage: Passage, settings: Settings) -> SourceDocument:
    return text_document(passage.text, title="" if settings.drop_titles else passage.title, source=passage.id)


def _must_fit(corpus: Corpus, documents: Sequence[SourceDocument], settings: Settings) -> None:
    stats, fix = corpus.stats(), "name another file"
    made = {"extractor": settings.extractor, "sentence_vectors": str(settings.sentence_vectors).lower()}
    for name, value in made.items():
        if stats[name] != value:
            raise StoreError(f"{stats['path']} was made with {name} {stats[name]}, not {value}; {fix}")
    wanted = {document.source: digest_of(document) for document in documents}
    known = corpus.connection.execute(sqlfiles.load("ingest.known_documents").body).fetchall()
    for source, digest, _ in known:
        if wanted.get(source) != digest:
            raise StoreError(f"{stats['path']} holds other passages or titles (such as {source!r}); {fix}")
