"""Options and words for having a model read documents: what it may cost, what it cost, what it left."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import click

from mosaic_sql.commands import options
from mosaic_sql.commands.places import check_place
from mosaic_sql.commands.shell import note
from mosaic_sql.database import open_database
from mosaic_sql.ingest.extraction import unasked
from mosaic_sql.models import load_embedder
from mosaic_sql.pipeline import EXTRACTORS, Extraction
from mosaic_sql.pipeline.reading import NO_CACHE, estimate
from mosaic_sql.records import ExtractionEstimate, ExtractionReport, Skipped, SourceDocument

_SHOWN = 10  # chunks that are named one by one


def extraction_options(function: options.Command) -> options.Command:
    """`--extractor` and what belongs to the extractor `model`, handed on as `extractor` and one `extraction`."""

    @functools.wraps(function)
    def command(*args: Any, **values: Any) -> Any:
        if values["cache"] != NO_CACHE:
            check_place("cache")
        told = {name: values.pop(name) for name in _NAMES}
        return function(*args, extraction=Extraction(**told, announce=announce), **values)

    wrapped = cast(options.Command, command)
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped


_OPTIONS = (
    click.option(
        "--extractor",
        type=click.Choice(EXTRACTORS),
        help="Who reads names and facts: rules (a new file's default), spacy, or a chat model, for the whole file.",
    ),
    click.option(
        "--model",
        metavar="NAME",
        envvar="MOSAIC_MODEL",
        show_envvar=True,
        help="The chat model of the extractor `model`.",
    ),
    options.base_url,
    click.option("--cache", metavar="FILE", help="Kept replies; DB.calls.jsonl unless given, `none` keeps nothing."),
    click.option("--parallel", type=click.IntRange(1, 64), default=1, show_default=True, help="Calls at a time."),
    click.option(
        "--call-timeout", "timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="For a reply."
    ),
    *options.BOUNDS,
    click.option("--edge-vectors/--no-edge-vectors", default=None, help="Whether a model's edges get vectors."),
)
_NAMES = (
    "model", "base_url", "cache", "parallel", "timeout", "max_tokens", "ceiling", "price_in", "price_out",
    "edge_vectors",
)  # fmt: skip


def announce(expected: ExtractionEstimate) -> None:
    """What is about to be spent, on stderr."""
    note(
        f"{expected.chunks} chunks for the model: about {expected.prompt_tokens} tokens to read and "
        f"{expected.completion_tokens} to write{_priced(expected.price)}"
    )


def _priced(price: float | None) -> str:
    return "" if price is None else f", price {price:.5f}"


def tell(report: ExtractionReport) -> None:
    """What was spent and found, and each chunk that was left, on stderr; nothing where there was nothing to read."""
    if not report.expected.chunks:
        return
    for unread in [*report.failed, *report.not_done][:_SHOWN]:
        note(f"no facts of chunk {unread.ordinal} of {unread.source}: {unread.reason}")
    if report.left > _SHOWN:
        note(f"and {report.left - _SHOWN} chunks more")
    note(
        f"model: {report.done} chunks read, {len(report.failed)} failed, {len(report.not_done)} not done; "
        f"{report.calls} calls, {report.cached} cached; {report.prompt_tokens} tokens read, "
        f"{report.completion_tokens} written{_priced(report.price)}; {report.seconds:.1f} s"
    )
    note(
        f"model: {report.entities} entities and {report.relations} relations kept; dropped {report.dropped_entities} "
        f"entities and {report.dropped_relations} relations; {report.lost_sentences} relations without their sentence"
    )
    if report.left:
        note("the next `mosaic add` with --model asks for what is left")


def expect(
    db: str,
    inputs: Iterable[SourceDocument | Skipped],
    extractor: str | None,
    extraction: Extraction,
    embedder: str | None,
) -> None:
    """Announce what an add would cost, if a model reads DB; nothing is asked or written."""
    meta: dict[str, str] = {}
    waiting = ExtractionEstimate(0, 0, 0, None)
    if Path(db).exists():
        with open_database(db, read_only=True) as database:
            meta = database.meta()
            if "model" in (extractor, meta.get("extractor")):
                waiting = unasked(database, extraction, "").expected
    if (extractor or meta.get("extractor")) != "model":
        return
    new = estimate(inputs, extraction, embedder=load_embedder(embedder or meta.get("embedder")))
    read, written = new.prompt_tokens + waiting.prompt_tokens, new.completion_tokens + waiting.completion_tokens
    announce(ExtractionEstimate(new.chunks + waiting.chunks, read, written, extraction.money(read, written)))
