"""What a model reads from a corpus while documents are added: which model, within which bounds, and its ledger."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from mosaic_sql import trace as traces
from mosaic_sql.database import Database
from mosaic_sql.errors import ModelError, PolicyError
from mosaic_sql.ingest import documents, store
from mosaic_sql.ingest import extraction as extracting
from mosaic_sql.ingest.extract import spacy_finder
from mosaic_sql.ingest.facts import Passage
from mosaic_sql.models import ChatModel, Embedder, load_chat
from mosaic_sql.models.cache import CachedChat
from mosaic_sql.records import AddReport, ExtractionEstimate, ModelCall, Skipped, SourceDocument

EXTRACTORS = ("rules", "spacy", "model")
"""Who reads names and facts: rules, spaCy's names with the facts of rules, or the names of rules and a chat model."""

NO_CACHE = "none"
"""The cache that keeps nothing."""


@dataclass(frozen=True)
class Extraction(extracting.Limits):
    """How a chat model reads entities and relations from chunks; for `Corpus.add`.

    Attributes:
        parallel, max_tokens, ceiling, price_in, price_out: see `Limits`.
        model: its name on an OpenAI-compatible server, or an object; that of the open corpus unless given.
        base_url: the server; that of the open corpus unless given.
        cache: a file of replies, so that nothing is paid for twice; `<name>.calls.jsonl` beside the corpus unless
            given, nothing for a corpus in memory or for `none`.
        timeout: seconds to wait for one reply, 60 unless given.
        edge_vectors: whether edges get vectors of their own ("source relation target"); at first they do, and a corpus
            remembers it.
        announce: called with the estimate before the first call.
        before: the extractor to go back to where the model reads nothing; set by the corpus.
    """

    model: str | ChatModel | None = None
    base_url: str | None = None
    cache: str | Path | None = None
    timeout: float | None = None
    edge_vectors: bool | None = None
    announce: Callable[[ExtractionEstimate], None] | None = None
    before: str = "model"


def prepare(
    database: Database, extractor: str | None, extraction: Extraction | None, *, model: str | None, base_url: str | None
) -> Extraction | None:
    """Settle who reads the corpus, before anything is added; None where no model does.

    The model of the result is an object, or None where the corpus wants one and none was given: its chunks then wait.

    Raises:
        PolicyError: an unknown extractor.
        ModelError: the extractor `model` was asked for without a model, or one of a malformed address.
        MissingExtra: the extractor `spacy` is not installed.
    """
    if extractor is not None and extractor not in EXTRACTORS:
        raise PolicyError(f"extractor: unknown {extractor!r}; one of {', '.join(EXTRACTORS)}")
    wanted = extraction or Extraction()
    chosen = wanted.model if wanted.model is not None else model
    chosen = None if chosen == "none" else chosen
    if extractor == "model" and chosen is None:
        raise ModelError("the extractor `model` needs a chat model; give --model NAME, or Extraction(model=...)")
    if extractor == "spacy":
        spacy_finder()  # where it is not installed, nothing is changed
    reader = extractor or database.meta().get("extractor", "rules")
    by_model = reader == "model"
    if by_model and isinstance(chosen, str):
        chosen = load_chat(chosen, base_url=wanted.base_url or base_url, timeout=wanted.timeout)
    read_already = bool(database.rows("ingest.known_documents"))
    before = database.meta().get("extractor", "rules") if read_already else "model"
    cached = _cached(chosen, wanted.cache, database.path) if by_model else None
    plan = replace(wanted, model=cached, before=before) if by_model else None
    extracting.choose(database, reader, edge_vectors=wanted.edge_vectors)
    return plan


def _cached(chat: str | ChatModel | None, cache: str | Path | None, corpus: str) -> ChatModel | None:
    if chat is None or isinstance(chat, str) or cache == NO_CACHE:
        return None if isinstance(chat, str) else chat
    path = None if cache is None and corpus == ":memory:" else Path(cache) if cache else cache_path(corpus)
    return CachedChat(chat, path=path)


def cache_path(corpus: str) -> Path:
    """The file of kept replies that belongs to a corpus file."""
    path = Path(corpus)
    return path.with_name(f"{path.stem if path.suffix == '.duckdb' else path.name}.calls.jsonl")


def add(
    database: Database,
    inputs: Iterable[SourceDocument | Skipped],
    extraction: Extraction | None,
    *,
    embedder: Embedder | None,
    record: bool,
    progress: store.Progress,
) -> AddReport:
    """Store what is new or changed, then have the model read every chunk it has not read yet; the index is pending.

    Calls of the model are rows of the ledger, under a run of their own; `record` also keeps them in the file of kept
    runs beside the corpus.
    """
    sentences = database.meta().get("sentence_vectors") == "true"
    report = documents.add_documents(database, inputs, embedder=embedder, sentence_vectors=sentences, progress=progress)
    if extraction is None:
        return report
    if extraction.model is None or isinstance(extraction.model, str):
        return replace(report, extraction=extracting.unasked(database, extraction, "no model was given"))
    announce = extraction.announce or _quiet
    ledger: list[ModelCall] = []
    try:
        found = extracting.extract(
            database, extraction.model, extraction, announce=announce, progress=progress, ledger=ledger
        )
    finally:  # calls that were made are kept also where the run was ended
        _keep(database, ledger, record=record)
    if found.left and not found.done and extraction.before != "model":
        extracting.choose(database, extraction.before)
        kept = f"the model read nothing: the edges stay those of the extractor {extraction.before}"
        report = replace(report, notes=(*report.notes, kept))
    return replace(report, extraction=found)


def _keep(database: Database, ledger: Sequence[ModelCall], *, record: bool) -> None:
    if not ledger:
        return
    run_id = f"add-{uuid.uuid4().hex[:12]}"
    traces.record_calls(database, run_id, ledger)
    if record and database.path != ":memory:":
        traces.in_turn(lambda: traces.keep(database, run_id))


def estimate(
    inputs: Iterable[SourceDocument | Skipped], extraction: Extraction, *, embedder: Embedder | None
) -> ExtractionEstimate:
    """What having a model read `inputs` would cost; nothing is asked or written."""
    drafts = (draft for item in inputs if not isinstance(item, Skipped) for draft in documents.cut(item, embedder))
    return extracting.estimate((Passage(draft.title, draft.heading, draft.text) for draft in drafts), extraction)


def _quiet(expected: ExtractionEstimate) -> None:
    """Nobody wants to know."""
