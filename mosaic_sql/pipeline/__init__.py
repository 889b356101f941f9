"""Open, explain, retrieve and answer: the one package that knows the order of the stages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mosaic_sql.database import STORAGE_VERSION, open_database
from mosaic_sql.errors import MosaicError, PolicyError
from mosaic_sql.models import Embedder
from mosaic_sql.models.bounds import Spending
from mosaic_sql.pipeline.analysts import AnalyzerLike
from mosaic_sql.pipeline.corpus import Corpus
from mosaic_sql.pipeline.options import Options
from mosaic_sql.pipeline.reading import EXTRACTORS, Extraction
from mosaic_sql.pipeline.results import Asked, Retrieval

__all__ = ["EXTRACTORS", "Asked", "Corpus", "Extraction", "Retrieval", "open_corpus"]


def open_corpus(  # noqa: PLR0913  # the one door: every option of a handle is named here
    path: str | Path = ":memory:",
    *,
    read_only: bool = False,
    create: bool = True,
    embedder: str | Embedder | None = None,
    base_url: str | None = None,
    model: str | None = None,
    record: bool = False,
    trace: bool = True,
    timeout: float | None = None,
    sentence_vectors: bool = False,
    extractor: str = "rules",
    storage_version: str = STORAGE_VERSION,
    threads: int | None = None,
    memory_limit: str | None = None,
    analyzer: AnalyzerLike = None,
    spending: Spending | None = None,
) -> Corpus:
    """Open a corpus file, a folder of Parquet (read-only) or `:memory:`; an absent file is created.

    Args:
        path: the file.
        read_only: take no write lock; several processes may read side by side.
        create: make the file where it does not exist.
        embedder: `minilm` (bundled, the default), `none`, `sentence-transformers:NAME`, `openai:NAME`, or an object;
            a file remembers its own.
        base_url: an OpenAI-compatible server for `openai:` embedders and for `model`.
        model: a chat model that answers, and reads a corpus whose extractor is `model`; none unless asked for.
        record: keep every asked run in `<name>.runs.duckdb` beside the file.
        trace: hold runs in memory as rows of schema `trace`.
        timeout: seconds for a single statement, and for a call of a model with all its tries (60 to read a question).
        sentence_vectors: a new corpus also embeds its sentences (at 2-3 times the embedding time).
        extractor: `rules`, `spacy` or `model`, for a new corpus.
        storage_version: DuckDB storage version of a new file.
        threads: DuckDB's; all cores by default.
        memory_limit: DuckDB's, such as `4GB`.
        analyzer: who reads a question and proposes its policy: `rules` (the default), `model` (the chat model of
            `model` or of the call), or a chat model of its own.
        spending: what models may cost on this handle; beyond, the rules read, and a model's answer is refused.

    Raises:
        StoreLocked, SchemaVersionError, StoreError: the file cannot be used.
    """
    if extractor not in EXTRACTORS:
        raise PolicyError(f"extractor: unknown {extractor!r}; one of {', '.join(EXTRACTORS)}")
    engine: dict[str, Any] = {"threads": threads, "memory_limit": memory_limit}
    database = open_database(path, read_only=read_only, create=create, storage_version=storage_version, **engine)
    options = Options(
        embedder, base_url, model, record, trace, timeout, sentence_vectors, extractor, analyzer, spending
    )
    try:
        return Corpus(database, options)
    except (MosaicError, KeyboardInterrupt):
        database.close()
        raise
