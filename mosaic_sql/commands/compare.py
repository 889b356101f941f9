"""`mosaic compare`: which policy finds what, and at what price, on questions of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

import mosaic_sql
from mosaic_sql.bench import compare as comparing
from mosaic_sql.bench.compare import Comparison, Plan, Row
from mosaic_sql.bench.compare.page import page
from mosaic_sql.bench.compare.table import ALL
from mosaic_sql.commands import options
from mosaic_sql.commands.output import emit, emit_json, html_option, output_options, write_text
from mosaic_sql.commands.places import check_place
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import note, printable

_QUALITY = ("R@5", "all@5", "kept_recall", "statements", "in_passage", "precision", "chance", "answers", "chars")
_EFFORT = ("paths", "depth", "beam", "units", "analyze_ms", "retrieve_ms", "answer_ms")


def _names(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """Names apart by commas, each one that can be compared."""
    known = comparing.OPERATORS if parameter.name == "operators" else comparing.POLICIES
    names = tuple(part.strip() for part in value.split(","))
    for name in names:
        if name not in known:
            raise click.BadParameter(f"unknown {name!r}; one of {', '.join(known)}", context, parameter)
    return names


def _numbers(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Positive numbers apart by commas."""
    parts = [part.strip() for part in value.split(",")] if value is not None else []
    for part in parts:
        if not part.isascii() or not part.isdigit() or not 0 < int(part) <= 10_000_000:
            raise click.BadParameter(f"{part!r} is no number of characters, such as 6000", context, parameter)
    return tuple(int(part) for part in parts)


@click.command()
@options.database
@click.argument("questions", metavar="QUESTIONS", type=click.Path(path_type=Path))
@click.option("--operator", "operators", callback=_names, default=",".join(comparing.OPERATORS), show_default=True,
              metavar="NAME,...", help="The walks to compare on.")  # fmt: skip
@click.option("--policies", callback=_names, default=",".join(comparing.POLICIES), show_default=True,
              metavar="NAME,...", help="The policies to compare.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N questions.")
@click.option("--per-kind", type=click.IntRange(min=1), metavar="N", help="Only the first N questions of each kind.")
@click.option("--ablate", is_flag=True, help="Also adaptive with one control at a time back at its default.")
@click.option("--budget", "budgets", callback=_numbers, metavar="CHARS,...",
              help="Also cut each context to CHARS characters, and compare with bm25 and dense.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the intervals' resampling.")
@html_option
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="DuckDB's threads; by default as many as pay.")
@options.embedder
@options.base_url
@output_options
def compare(
    db: str, questions: Path, limit: int | None, per_kind: int | None, html: Path | None, threads: int | None,
    embedder: str | None, base_url: str | None, form: str, **plan: Any,
) -> None:  # fmt: skip
    """Compare the policy chosen per question with fixed ones, on QUESTIONS about DB.

    QUESTIONS has a JSON object a line: `question` and, if known, `support` (sources of the documents that answer it),
    `evidence` (statements apart by `;`), `answers` and `kind`. They judge what is found; retrieval never sees them.
    `budget-matched` is one fixed policy made of the means of the adaptive ones, with contexts of about their length.

    R@5, all@5: supporting documents among the first five. kept_recall: among the evidence kept. statements: evidence
    whose words (70 % of the content stems) stand in the context; in_passage: in a single passage of it; precision:
    share of the context's characters in passages that hold a statement; chance: statements of another question in the
    same context; answers: the answers' words in the context. paths: candidates scored. beam: paths kept per
    depth. Differences come with 95 % intervals (paired bootstrap over the questions).

    \b
    Example:
      mosaic compare papers.duckdb questions.jsonl --limit 50
      mosaic compare papers.duckdb questions.jsonl --operator beam --ablate --html compare.html
      mosaic compare papers.duckdb questions.jsonl --budget 6000,15000 --json > compare.json
    """
    check_place("html")
    asked = comparing.first(comparing.load(questions), limit, per_kind)
    opened: dict[str, Any] = {"embedder": embedder, "base_url": base_url, "threads": threads}
    with mosaic_sql.open(db, read_only=True, trace=False, **opened) as corpus, progress() as report:
        found = comparing.compare(corpus, asked, Plan(**plan), report)
    if html is not None:
        write_text(html, page(found))
    for remark in found.notes:
        note(remark)
    _print(found, form)


def _print(found: Comparison, form: str) -> None:
    """Tables with headings for people, the whole record as JSON, or flat rows for programs."""
    if form == "json":
        emit_json(found.to_dict())
    elif form != "table":
        emit(list(found.lines()), form)
    else:
        for number, (heading, rows) in enumerate(_tables(found)):
            click.echo(printable(f"{'' if number == 0 else chr(10)}{heading}"))
            emit(rows, form)


def _tables(found: Comparison) -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
    """What was found, table by table; one without rows is left out."""
    policies = [row for row in found.rows if row.group == "policy"]
    ablations = [row for row in found.rows if row.group == "ablation"]
    questions = found.settings["questions"]
    yield (
        f"Quality, {questions} questions (percent; chars: mean length of the context)",
        _scores(policies, ALL, _QUALITY),
    )
    yield (
        "Effort (means per question)",
        [
            {**line, "policies": row.policies}
            for line, row in zip(_scores(policies, ALL, _EFFORT), policies, strict=True)
        ],
    )
    for kind in [kind for kind in policies[0].scores if kind != ALL]:
        yield f"{kind}, {policies[0].questions[kind]} questions", _scores(policies, kind, (*_QUALITY, "paths"))
    if found.alignment:
        yield (
            "Requirement alignment (percent of the questions that get the control)",
            [row.to_dict() for row in found.alignment],
        )
    if ablations:
        yield (
            "Adaptive with one control at its default",
            [
                {**line, "changed": row.changed}
                for line, row in zip(_scores(ablations, ALL, (*_QUALITY, "paths")), ablations, strict=True)
            ],
        )
    for budget in found.settings["budgets"]:
        names = [f"{name}@{budget}" for name in ("statements", "in_passage", "precision", "chance", "answers", "chars")]
        for kind in policies[0].scores:
            rows = [row for row in found.rows if row.group != "ablation"]
            yield f"Contexts cut to {budget:,} characters: {kind}", _scores(rows, kind, names)
    if found.differences:
        yield "Differences, points of percent with 95 % intervals", [row.to_dict() for row in found.differences]


def _scores(rows: Sequence[Row], kind: str, names: Sequence[str]) -> list[dict[str, Any]]:
    """A line per row with those measures that any of them has."""
    had = [name for name in names if any(name in row.scores[kind] for row in rows)]
    return [
        {"operator": row.operator, "policy": row.policy, **{name: row.scores[kind].get(name) for name in had}}
        for row in rows
    ]
