"""Open, explain, retrieve and answer: the one package that knows the order of the stages."""

from __future__ import annotations

from pathlib import Path

from mosaic_sql import storefile
from mosaic_sql.database import STORAGE_VERSION, open_database
from mosaic_sql.errors import MosaicError, PolicyError
from mosaic_sql.models import Embedder
from mosaic_sql.models.bounds import Spending
from mosaic_sql.pipeline.analysts import AnalyzerLike
from mosaic_sql.pipeline.corpus import Corpus
from mosaic_sql.pipeline.known import RESIDENT_BYTES
from mosaic_sql.pipeline.options import Options
from mosaic_sql.pipeline.reading import EXTRACTORS, Extraction
from mosaic_sql.pipeline.results import Asked, Retrieval, Step
from mosaic_sql.pipeline.walking import Match, Matches

__all__ = ["EXTRACTORS", "Asked", "Corpus", "Extraction", "Match", "Matches", "Retrieval", "Step", "open_corpus"]


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
    memory: int = RESIDENT_BYTES,
) -> Corpus:
    """Open a corpus file, a folder of Parquet (read-only) or `:memory:`; an absent file is created.

    Args:
        path: the file.
        read_only: take no write lock; several processes may read side by side.
        create: make the file where it does not exist.
        embedder: `minilm` (the default), `none`, `sentence-transformers:NAME`, `openai:NAME`, or an object.
        base_url: an OpenAI-compatible server for `openai:` embedders and for `model`.
        model: a chat model that answers, and reads a corpus whose extractor is `model`; none unless asked for.
        record: keep every asked run in `<name>.runs.duckdb` beside the file.
        trace: hold runs in memory as rows of schema `trace`.
        timeout: seconds of a statement, and of a call of a model with all its tries; else 60 to read a question.
        sentence_vectors: a new corpus also embeds its sentences (at 2-3 times the embedding time).
        extractor: `rules`, `spacy` or `model`, for a new corpus.
        storage_version: DuckDB storage version of a new file.
        threads: DuckDB's; by default one for questions to a small corpus, else all cores.
        memory_limit: DuckDB's, such as `4GB`.
        analyzer: who proposes the policy: `rules` (the default), `model` (that of `model`), or a chat model of its own.
        spending: what models may cost over the life of the handle; beyond, rules read and a model's answer is refused.
        memory: bytes that the graph may take in memory beside DuckDB; beyond, walks join tables.

    Raises:
        StoreLocked, SchemaVersionError, StoreError: the file cannot be used.
    """
    if extractor not in EXTRACTORS:
        raise PolicyError(f"extractor: unknown {extractor!r}; one of {', '.join(EXTRACTORS)}")
    database = open_database(
        path, read_only=read_only, create=create, storage_version=storage_version, threads=threads,
        memory_limit=memory_limit,
    )  # fmt: skip
    options = Options(
        embedder, base_url, model, record, trace, timeout, sentence_vectors, extractor, analyzer, spending, memory
    )
    try:
        return Corpus(database, options)
    except (MosaicError, KeyboardInterrupt):
        database.close()
        if database.storage_version is not None:  # a file of this call, with nothing in it
            storefile.remove(database.path)
        raise
