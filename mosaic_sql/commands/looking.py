"""Commands that look into a corpus: query, stats."""

from __future__ import annotations

import time

import click

import mosaic_sql
from mosaic_sql import sqlfiles
from mosaic_sql.commands import options
from mosaic_sql.commands.cells import Clock
from mosaic_sql.commands.output import emit, emit_record, output_options
from mosaic_sql.commands.shell import note
from mosaic_sql.text import counted

PLAN = ["explain_key", "explain_value"]
"""The columns of EXPLAIN; its text is a drawing of several lines."""
SECONDS = click.FloatRange(min=0, min_open=True)


@click.command()
@options.database
@options.statement
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=1_000_000,
    show_default=True,
    metavar="ROWS",
    help="At most so many rows.",
)
@click.option("--timeout", type=SECONDS, default=60.0, show_default=True, metavar="SECONDS", help="Time it may take.")
@options.show_sql
@output_options
def query(db: str, statement: str, limit: int, timeout: float, show_sql: bool, form: str) -> None:
    """Run one SELECT of your own on DB, read-only: no other files, no network, no settings. `-` reads stdin.

    \b
    Example:
      mosaic query papers.duckdb "SELECT source, length(text) FROM document ORDER BY 2 DESC" --limit 5
      mosaic query papers.duckdb "FROM meta" --csv
    """
    if show_sql:
        click.echo(statement)
        return
    with mosaic_sql.open(db, read_only=True) as corpus:
        started = time.perf_counter()
        rows = corpus.query(statement, limit=limit + 1, timeout=timeout)
        left = timeout - (time.perf_counter() - started)
    if form == "table" and rows.column_names == PLAN:
        click.echo("\n".join(rows["explain_value"].to_pylist()))
        return
    emit(rows.slice(0, limit), form, Clock(left))
    if len(rows) > limit:
        note(f"the first {counted(limit, 'row')} and no more; raise --limit")


@click.command()
@options.database
@options.show_sql
@output_options
def stats(db: str, show_sql: bool, form: str) -> None:
    """Count what DB holds, and name its embedder, its versions and the state of its index.

    \b
    Example:
      mosaic stats papers.duckdb
      mosaic stats papers.duckdb --json
    """
    if show_sql:
        click.echo(sqlfiles.load("store.counts").body)
        return
    with mosaic_sql.open(db, read_only=True) as corpus:
        emit_record(corpus.stats(), form)
