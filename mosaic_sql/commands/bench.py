"""`mosaic bench`: measure on data of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from mosaic_sql.bench import dataset as datasets
from mosaic_sql.bench import retrieval as benchmark
from mosaic_sql.bench.dataset import Dataset
from mosaic_sql.bench.indexing import Settings
from mosaic_sql.bench.retrieval import METHODS, USUAL, Result
from mosaic_sql.commands.answering import answers
from mosaic_sql.commands.graphing import graph
from mosaic_sql.commands.output import emit_json
from mosaic_sql.commands.polyg import polyg
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import note
from mosaic_sql.pipeline import EXTRACTORS

_COLUMNS = ("R@2", "R@5", "R@10", "all@5")


@click.group()
def bench() -> None:
    """Measure on data of your own.

    \b
    Example:
      mosaic bench retrieval questions/ --limit 50
    """


bench.add_command(answers)
bench.add_command(graph)
bench.add_command(polyg)


def _named(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    methods = tuple(part.strip() for part in value.split(","))
    for method in methods:
        if method not in METHODS:
            raise click.BadParameter(f"unknown {method!r}; one of {', '.join(METHODS)}", ctx, param)
    return methods


@bench.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--db", type=click.Path(path_type=Path), metavar="FILE", help="Keep the index here; used again as it is.")
@click.option("--methods", callback=_named, default=",".join(USUAL), show_default=True, metavar="NAME,...",
              help=f"Of {', '.join(METHODS)}.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N questions of each DIR.")
@click.option("--merge", is_flag=True, help="One corpus of all passages, all questions over it.")
@click.option("--drop-titles", is_flag=True, help="Index the texts without their titles.")
@click.option("--embedder", default="minilm", show_default=True, metavar="NAME", help="As in `mosaic add`.")
@click.option("--extractor", type=click.Choice(EXTRACTORS), default="rules", show_default=True)
@click.option("--sentence-vectors", is_flag=True, help="Embed sentences too.")
@click.option("--stages", is_flag=True, help="Also print the time of each stage.")
@click.option("--json", "as_json", is_flag=True, help="A list of rows, stages and settings included.")
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="DuckDB's threads; by default as many as pay.")
def retrieval(
    folders: tuple[Path, ...],
    db: Path | None,
    methods: tuple[str, ...],
    limit: int | None,
    merge: bool,
    stages: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Share of the supporting passages that each method finds, and its time, one question after the other.

    DIR holds corpus.jsonl ({id, title, text}) and questions.jsonl ({id, question, answers, support, kind}), where
    support lists ids of passages. R@k is the share of a question's support among the first k passages, all@5 the
    share of questions with all of theirs among the first 5, in percent; paths is how many a walk looked at. The time
    of bm25, dense and fusion is that of one reading of both arms.

    \b
    Example:
      mosaic bench retrieval questions/ --methods bm25,default --stages
      mosaic bench retrieval one/ two/ --merge --db merged.duckdb --json > rows.json
    """
    if db is not None and len(folders) > 1 and not merge:
        raise click.UsageError("--db keeps one corpus; give one DIR, or --merge")
    loaded = [dataset.first(limit) for dataset in datasets.load_all(folders)]
    results = _measure([datasets.merge(loaded)] if merge else loaded, methods, Settings(**settings), db)
    if as_json:
        emit_json([result.to_dict() for result in results])
    else:
        _print(results, stages=stages)


def _measure(
    chosen: Iterable[Dataset], methods: Sequence[str], settings: Settings, db: Path | None
) -> Iterator[Result]:
    measurable = benchmark.measurable(methods, settings)
    if left_out := [method for method in methods if method not in measurable]:
        note(f"{', '.join(left_out)} left out: without an embedder there are no vectors")
    for dataset in chosen:
        passages, questions = len(dataset.passages), len(dataset.questions)
        note(f"{dataset.name}: {passages:,} passages, {questions:,} questions")
        with progress() as report:
            for number, result in enumerate(benchmark.run(dataset, measurable, settings, db=db, progress=report)):
                if number == 0:
                    note(f"{dataset.name}: {_rate(result)}")
                yield result


def _rate(result: Result) -> str:
    rate = result.index_passages_per_s
    return "index used as it was" if rate is None else f"indexed at {rate:,.1f} passages/s"


def _print(results: Iterable[Result], *, stages: bool) -> None:
    """Rows as they come, a heading where the data set changes."""
    name = ""
    for result in results:
        if result.dataset != name:
            click.echo(("\n" if name else "") + result.dataset)
            click.echo(f"{'method':8}" + "".join(f"{column:>7}" for column in _COLUMNS) + _heads())
            name = result.dataset
        measured = "".join(f"{result.quality[column]:7.1f}" for column in _COLUMNS)
        click.echo(f"{result.method:8}{measured}{result.paths:11,.1f}{result.p50_ms:9.1f}{result.p95_ms:9.1f}")
        if stages:
            for stage, spread in result.stages.items():
                click.echo(f"  {stage:45}{spread['p50_ms']:9.1f}{spread['p95_ms']:9.1f}")


def _heads() -> str:
    return f"{'paths':>11}{'p50 ms':>9}{'p95 ms':>9}"
