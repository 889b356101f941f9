"""Commands that keep a corpus in order: export, remove, reembed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import mosaic_sql
from mosaic_sql.commands import options
from mosaic_sql.commands.output import emit, emit_record, output_options
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import note
from mosaic_sql.database import open_database
from mosaic_sql.errors import StoreError, UnknownId
from mosaic_sql.models import load_embedder


@click.command()
@options.database
@click.argument("folder")
@output_options
def export(db: str, folder: str, form: str) -> None:
    """Write DB as a FOLDER of Parquet, complete; `mosaic import` makes a file of it again.

    \b
    Example:
      mosaic export papers.duckdb papers-parquet/
    """
    with mosaic_sql.open(db, read_only=True) as corpus:
        counts = corpus.export(folder)
    note(f"{sum(counts.values())} rows in {len(counts)} tables, written to {folder}")
    if form != "table":
        emit_record(counts, form)


@click.command()
@options.database
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@options.dry_run
@output_options
def remove(db: str, sources: tuple[str, ...], dry_run: bool, form: str) -> None:
    """Remove documents from DB by SOURCE, with all that came from them.

    \b
    Example:
      mosaic remove papers.duckdb draft.md --dry-run
      mosaic query papers.duckdb "FROM document"
    """
    if dry_run:
        emit(known_sources(db, sources), form)
        return
    with mosaic_sql.open(db, create=False) as corpus:
        count = corpus.remove(*sources)
    note(f"{count} removed")
    if form != "table":
        emit_record({"removed": count}, form)


def known_sources(db: str, sources: tuple[str, ...]) -> list[dict[str, Any]]:
    """The documents that a remove would take; refuses what it would refuse."""
    with open_database(db, read_only=True) as database:
        rows = [
            {"document_id": number, "source": source}
            for number, source in database.rows("store.documents_like", sources=list(sources))
        ]
    missing = [source for source in sources if source not in {row["source"] for row in rows}]
    if missing:
        raise UnknownId(f"no document {missing[0]!r}; list them with `mosaic query {db} 'FROM document'`")
    return rows


@click.command()
@options.database
@click.option("--embedder", required=True, metavar="NAME", help="The new embedding model, such as minilm.")
@options.base_url
@options.dry_run
@output_options
def reembed(db: str, embedder: str, base_url: str | None, dry_run: bool, form: str) -> None:
    """Compute every vector of DB anew with another embedding model.

    \b
    Example:
      mosaic reembed papers.duckdb --embedder openai:text-embedding-3-small --dry-run
    """
    if dry_run:
        emit_record(reembedding(db, embedder, base_url), form)
        return
    if not Path(db).exists():
        raise StoreError(f"{db} does not exist; create it with `mosaic add {db} DOCUMENTS`")
    with mosaic_sql.open(db, create=False, embedder=embedder, base_url=base_url) as corpus, progress() as report:
        count = corpus.reembed(progress=report)
    note(f"{count} chunks embedded by {embedder}")
    if form != "table":
        emit_record({"chunks": count, "embedder": embedder}, form)


def reembedding(db: str, embedder: str, base_url: str | None) -> dict[str, Any]:
    """What a reembed would compute, without asking the model."""
    chosen = load_embedder(embedder, base_url=base_url)
    with mosaic_sql.open(db, read_only=True) as corpus:
        told = corpus.stats()
    counts = {name: told[name] for name in ("chunk_vector_count", "node_vector_count", "sentence_vector_count")}
    return {"now": told["embedder"], "then": chosen.name if chosen else "none", "chunks": told["chunks"], **counts}
