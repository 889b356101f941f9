"""Commands that fill a corpus: add, import-graph, import."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import mosaic_sql
from mosaic_sql.commands import extracting, options
from mosaic_sql.commands.output import emit, emit_json, emit_record, output_options
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import PARTLY_DONE, note
from mosaic_sql.database import STORAGE_VERSION, open_database
from mosaic_sql.ingest import readers
from mosaic_sql.ingest.graph import EMBED
from mosaic_sql.ingest.store import digest_of
from mosaic_sql.ingest.tabular import FIELDS
from mosaic_sql.pipeline import Extraction
from mosaic_sql.records import AddReport, Skipped, SourceDocument
from mosaic_sql.text import counted


@click.command()
@options.database
@click.argument("inputs", nargs=-1, metavar="[INPUTS]...")
@click.option("--text-column", "text", metavar="NAME", help="Column of a table that holds the text.")
@click.option("--title-column", "title", metavar="NAME", help="Column that holds the title.")
@click.option("--id-column", "id", metavar="NAME", help="Column that names the document.")
@click.option("--vector-column", "vector", metavar="NAME", help="Column that holds a ready-made embedding.")
@options.embedder
@extracting.extraction_options
@click.option("--sentence-vectors", is_flag=True, help="A new file also embeds its sentences: better and slower.")
@click.option("--storage-version", default=STORAGE_VERSION, show_default=True, help="DuckDB storage of a new file.")
@options.dry_run
@click.option("--json", "as_json", is_flag=True, help="The report as JSON on stdout.")
def add(
    db: str,
    inputs: tuple[str, ...],
    text: str | None,
    title: str | None,
    id: str | None,
    vector: str | None,
    extractor: str | None,
    extraction: Extraction,
    dry_run: bool,
    as_json: bool,
    **opened: Any,
) -> None:
    """Add documents to DB: files, folders, patterns, `-` for stdin; DB is made where it does not exist.

    What is there already is skipped, what has changed is replaced. Without INPUTS an interrupted indexing is
    finished. Exit code 5 says that some inputs could not be read, or that a model left chunks, and the rest was done.

    \b
    Example:
      mosaic add papers.duckdb papers/ notes.md
      mosaic add papers.duckdb abstracts.jsonl --text-column abstract --id-column doi
      curl -s https://example.org/page.txt | mosaic add papers.duckdb -
      mosaic add papers.duckdb papers/ --extractor model --model qwen2.5 --base-url http://localhost:11434/v1 --dry-run
    """
    columns = {name: column for name, column in zip(FIELDS, (id, title, text, vector), strict=True) if column}
    if dry_run:
        rows, fresh = preview(db, inputs, columns)
        extracting.expect(db, fresh, extractor, extraction, opened["embedder"])
        if rows or as_json:
            emit(rows, "json" if as_json else "table")
        note(plan(db, rows, extractor))
        return
    how: dict[str, Any] = {"extractor": extractor, "extraction": extraction}
    opened["base_url"] = extraction.base_url
    with fresh_file(db), mosaic_sql.open(db, create=bool(inputs), **opened) as corpus, progress() as report:
        done = corpus.add(*inputs, columns=columns, stdin=sys.stdin.buffer, progress=report, **how)
    tell(done)
    if as_json:
        emit_json({**asdict(done), "failed": done.failed})
    click.get_current_context().exit(exit_code(done))


@contextmanager
def fresh_file(db: str) -> Iterator[None]:
    """A file that this command made and put nothing into does not stay."""
    path, there = Path(db), Path(db).exists()
    try:
        yield
    finally:
        if not there and path.is_file() and _is_empty(path):
            path.unlink()


def _is_empty(path: Path) -> bool:
    with open_database(path, read_only=True) as database:
        tables = {name for (name,) in database.rows("store.tables")}
        counts = dict(database.rows("store.counts")) if "document" in tables else {}
    return not any(counts.get(name) for name in ("documents", "nodes", "edges"))


def preview(
    db: str, inputs: tuple[str, ...], columns: dict[str, str]
) -> tuple[list[dict[str, Any]], list[SourceDocument]]:
    """What an add would do with each input, and the documents that are new; no model, nothing written."""
    known: dict[str, str] = {}
    if Path(db).exists() or not inputs:
        with open_database(db, read_only=True) as database:
            known = {source: digest for source, digest, _ in database.rows("ingest.known_documents")}
    rows: list[dict[str, Any]] = []
    fresh: list[SourceDocument] = []
    for item in readers.read(list(inputs), columns=columns, stdin=sys.stdin.buffer):
        if isinstance(item, Skipped):
            rows.append({"source": item.source, "would": "skip", "characters": 0, "reason": item.reason})
            continue
        would = "add" if item.source not in known else "replace"
        would = "keep" if known.get(item.source) == digest_of(item) else would
        fresh += [] if would == "keep" else [item]
        rows.append({"source": item.source, "would": would, "characters": len(item.text), "reason": ""})
    return rows, fresh


def plan(db: str, rows: Sequence[Mapping[str, Any]], extractor: str | None) -> str:
    """What an add would do, in one line; `rows` are those of `preview`."""
    meta: dict[str, str] = {}
    if Path(db).exists():
        with open_database(db, read_only=True) as database:
            meta = database.meta()
    counts = {word: sum(row["would"] == word for row in rows) for word in ("add", "replace", "keep", "skip")}
    steps = [f"{word} {number}" for word, number in counts.items() if number]
    steps += [f"make {db}"] if not meta and counts["add"] else []
    now = meta.get("extractor", "")
    steps += [f"have all read by {extractor} in place of {now}"] if extractor and now not in ("", extractor) else []
    steps += ["finish the interrupted indexing"] if meta.get("index_state", "ready") != "ready" else []
    if not steps:
        return "nothing to do: no input, and the index is ready"
    return f"would {', '.join(steps)}; nothing was written"


def tell(done: AddReport) -> None:
    """A line per skipped input and remark, then the summary, on stderr."""
    for skipped in done.skipped:
        note(f"skipped {skipped.source}: {skipped.reason}")
    for remark in done.notes:
        note(f"note: {remark}")
    note(
        f"{done.added} added, {done.replaced} replaced, {done.unchanged} unchanged, {len(done.skipped)} skipped "
        f"({done.failed} failed); {done.chunks} chunks in {done.seconds:.1f} s"
    )
    if done.extraction is not None:
        extracting.tell(done.extraction)


def exit_code(done: AddReport) -> int:
    """0 where nothing failed, 1 where everything did, 5 between and where a model left chunks."""
    if not done.failed:
        return PARTLY_DONE if done.extraction is not None and done.extraction.left else 0
    return PARTLY_DONE if done.added + done.replaced + done.unchanged else 1


@click.command("import-graph")
@options.database
@click.argument("triples", required=False, metavar="[TRIPLES]")
@click.option("--nodes", metavar="FILE", help="A table of nodes, with --edges.")
@click.option("--edges", metavar="FILE", help="A table of edges, with --nodes.")
@click.option(
    "--embed", type=click.Choice(EMBED), help="What gets vectors; default: all, of over 200,000 nodes the relations."
)
@click.option("--delimiter", metavar="CHAR", help="What separates the columns of TRIPLES.")
@click.option("--header/--no-header", default=None, help="Whether the first line of TRIPLES names the columns.")
@options.embedder
@options.base_url
@output_options
def import_graph(
    db: str,
    triples: str | None,
    nodes: str | None,
    edges: str | None,
    embed: str | None,
    delimiter: str | None,
    header: bool | None,
    form: str,
    **opened: Any,
) -> None:
    """Add a knowledge graph to DB, from TRIPLES or from --nodes and --edges (CSV, TSV, JSON lines, Parquet).

    Columns are found by name. Nodes: `id`, `name`, `kind`, `aliases` (a JSON list, or apart by `|`), `description`,
    `properties` (a JSON object), `vector`; an id or a name is needed. Edges and triples: `source`, `relation`, `target`
    are needed; `weight`, `label`, `fact`, `properties`, `source_kind` and `target_kind` may stand beside them. The ends
    of an edge are ids of nodes, or names. Every other column is a property: dates such as `since` and `until` are.

    Other names are known, too, as `subject`, `predicate`, `object`, or `head`, `tail`, or `label` and `type` of a node;
    beside a `name` the `label`, `labels`, `node_type` or `class` of a node is its kind.
    Without a header line TRIPLES holds source, relation and target, in this order.

    \b
    Example:
      mosaic import-graph elements.duckdb --nodes nodes.csv --edges edges.csv
      mosaic import-graph wiki.duckdb triples.tsv --no-header --embed relations
    """
    if bool(triples) == bool(nodes or edges) or bool(nodes) != bool(edges):
        raise click.UsageError("give either TRIPLES, or both --nodes and --edges")
    if nodes and (delimiter is not None or header is not None):
        raise click.UsageError("--delimiter and --header are for TRIPLES; --nodes and --edges say it themselves")
    how = {"delimiter": delimiter, "header": header} if triples else {}
    with fresh_file(db), mosaic_sql.open(db, **opened) as corpus, progress() as report:
        done = corpus.import_graph(triples, nodes=nodes, edges=edges, embed=embed, progress=report, **how)
    for remark in done.notes:
        note(f"note: {remark}")
    told = (counted(done.nodes, "node"), counted(done.edges, "edge"), counted(done.relations, "relation"))
    updated = f"; {counted(done.updated, 'known node')} updated" if done.updated else ""
    note(f"{told[0]}, {told[1]} and {told[2]} added{updated}")
    if form != "table":
        emit_record(asdict(done), form)


@click.command("import")
@options.database
@click.argument("folder")
@output_options
def import_folder(db: str, folder: str, form: str) -> None:
    """Make the file DB from FOLDER, which `mosaic export` wrote.

    \b
    Example:
      mosaic import copy.duckdb papers-parquet/
    """
    counts = mosaic_sql.import_folder(folder, db)
    note(f"{sum(counts.values())} rows in {len(counts)} tables, written to {db}")
    if form != "table":
        emit_record(counts, form)
