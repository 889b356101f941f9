"""`mosaic bench graph`: how exactly questions over an imported graph are answered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

import mosaic_sql
from mosaic_sql.bench import graph as benchmark
from mosaic_sql.bench.graph import MODES, Answered, GraphRow
from mosaic_sql.commands import options
from mosaic_sql.commands.output import emit, emit_json
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import note, printable
from mosaic_sql.text import counted

_SHOWN = ("hops", "mode", "questions", "exact", "precision", "recall", "f1", "p50_ms")


@click.command()
@options.database
@click.argument("file", metavar="QUESTIONS", type=click.Path(path_type=Path))
@click.option("--mode", "modes", type=click.Choice(MODES), multiple=True, help="Only this mode; once for each.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N questions of each hops.")
@click.option("--wrong", type=click.IntRange(min=0), metavar="N",
              help="Also list the first N wrong questions of each row; --json holds all unless told.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="A list of rows, each with its wrong questions.")
def graph(db: str, file: Path, modes: tuple[str, ...], limit: int | None, wrong: int | None, as_json: bool) -> None:
    """Ask the questions in QUESTIONS over the graph in DB and compare the sets of entities found with the gold.

    A line of QUESTIONS is {id, question, anchors, answers, path: [{relation, forward}], hops}. Modes: anchors+path is
    given both, anchors finds the pattern in the words, plain has the question alone. exact is the share of equal
    sets; precision, recall and f1 are means over the questions.

    \b
    Example:
      mosaic bench graph films.duckdb questions.jsonl --wrong 5
      mosaic bench graph films.duckdb questions.jsonl --mode plain --json > rows.json
    """
    questions = _first(benchmark.load(file), limit)
    answered: list[Answered] = []
    with mosaic_sql.open(db, read_only=True, trace=False) as corpus:
        note(f"{counted(len(questions), 'question')} from {file}")
        with progress() as report:
            for mode in modes or MODES:
                answered += benchmark.run(corpus, questions, mode, progress=report)
    told = benchmark.rows(answered, wrong=wrong if wrong is not None or as_json else 0)
    if as_json:
        emit_json([row.to_dict() for row in told])
    else:
        _print(told)


def _first(questions: Sequence[benchmark.GraphQuestion], limit: int | None) -> list[benchmark.GraphQuestion]:
    if limit is None:
        return list(questions)
    hops = sorted({question.hops for question in questions})
    return [question for each in hops for question in [q for q in questions if q.hops == each][:limit]]


def _print(told: Sequence[GraphRow]) -> None:
    emit([{name: getattr(row, name) for name in _SHOWN} for row in told], "table")
    for row in told:
        for number, wrong in enumerate(row.wrong):
            if number == 0:
                click.echo(f"\nwrong, {counted(row.hops, 'hop')}, {row.mode}")
            click.echo(printable(f"{wrong['id']}: {wrong['question']}"))
            click.echo(printable(f"  walked {wrong['operator']} {wrong['pattern']}".rstrip()))
            click.echo(printable(f"  wanted {wrong['gold_pattern']}; f1 {wrong['f1']}; {wrong['reason']}"))
