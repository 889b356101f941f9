"""The family `runs`: what was asked before, shown, compared and asked again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import click

import mosaic_sql
from mosaic_sql.commands import options
from mosaic_sql.commands.output import emit, emit_json, output_options
from mosaic_sql.commands.shell import PARTLY_DONE, note, printable
from mosaic_sql.errors import StoreError
from mosaic_sql.pipeline import Corpus
from mosaic_sql.text import counted
from mosaic_sql.trace import Retention

DAYS = click.FloatRange(min=0, min_open=True)
run_id = click.argument("run", metavar="RUN")


@click.group()
def runs() -> None:
    """Look at kept runs (`mosaic ask --keep`): list, show, diff, replay, prune, retain.

    \b
    Example:
      mosaic ask papers.duckdb "Who found argon?" --keep
      mosaic runs list papers.duckdb
    """


def reading(db: str) -> Corpus:
    """The corpus without a write lock, its runs at hand."""
    return mosaic_sql.open(db, read_only=True)


@runs.command("list")
@options.database
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, metavar="N", help="At most so many."
)
@output_options
def list_runs(db: str, limit: int, form: str) -> None:
    """List the kept runs of DB, the latest first.

    \b
    Example:
      mosaic runs list papers.duckdb --limit 5
    """
    with reading(db) as corpus:
        rows = corpus.runs.list(limit=limit)
    emit(rows, form)
    if not rows:
        note(f"no run is kept; keep one with `mosaic ask {db} QUESTION --keep`")


@runs.command()
@options.database
@run_id
@click.option("--json", "as_json", is_flag=True, help="All of it as JSON.")
def show(db: str, run: str, as_json: bool) -> None:
    """Show a kept RUN: question, operator, policy, hashes, the walk by depth, the evidence, the stages.

    The beginning of its id is enough where no other begins so.

    \b
    Example:
      mosaic runs show papers.duckdb 289daf29fcab
    """
    with reading(db) as corpus:
        shown = corpus.runs.show(run)
    if as_json:
        emit_json(asdict(shown))
        return
    for name, value in shown.run.items():
        if name != "policy" and value is not None:
            click.echo(printable(f"{name:<16} {value}"))
    for change in shown.changes:
        click.echo(printable(f"{'changed':<16} {change}"))
    for title, rows in (("walk", shown.walk), ("evidence", shown.evidence), ("stages", shown.events)):
        _section(title, rows)


@runs.command()
@options.database
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option("--question", metavar="TEXT", help="A and B are policies, by name or file, and this is asked under both.")
@click.option("--json", "as_json", is_flag=True, help="All of it as JSON.")
def diff(db: str, one: str, other: str, question: str | None, as_json: bool) -> None:
    """Tell what run B kept otherwise than run A: which controls differ, what entered, left or moved, and why.

    \b
    Example:
      mosaic runs diff papers.duckdb 289daf29fcab 5d1c0e7742aa
      mosaic runs diff papers.duckdb narrow wide --question "Who found argon?"
    """
    with reading(db) as corpus:
        if question is not None:
            one, other = (_asked(corpus, question, policy) for policy in (one, other))
        found = corpus.runs.diff(one, other)
    if as_json:
        emit_json({**asdict(found), "same": found.same})
        return
    if found.question == found.other_question:
        click.echo(printable(f"question   {found.question}"))
    else:
        click.echo(printable(f"questions  {found.question}\n           {found.other_question}"))
        click.echo("           two questions: what they kept differs for that reason too")
    for change in found.changes:
        click.echo(printable(f"changed    {change}"))
    _section("policy", found.policy)
    _section("evidence", found.evidence)
    if found.same:
        click.echo("both kept the same evidence in the same order")


@runs.command()
@options.database
@run_id
@click.option("--json", "as_json", is_flag=True, help="The outcome as JSON.")
def replay(db: str, run: str, as_json: bool) -> None:
    """Ask the question of a kept RUN again with its policy and compare every row; exit with 5 where one differs.

    \b
    Example:
      mosaic runs replay papers.duckdb 289daf29fcab
    """
    with reading(db) as corpus:
        found = corpus.runs.replay(run)
    if as_json:
        emit_json(asdict(found))
    elif found.first is None:
        click.echo("the same rows: seeds, kept paths, evidence and context")
    else:
        first = found.first
        click.echo(printable(f"first difference: {first['stage']}, {first['item']}"))
        click.echo(printable(f"  then  {first['one']}\n  now   {first['other']}\ncause: {found.cause}"))
    click.get_current_context().exit(0 if found.same else PARTLY_DONE)


@runs.command()
@options.database
@click.option("--keep", type=click.IntRange(min=0), metavar="N", help="Keep the N latest.")
@click.option("--days", type=click.FloatRange(min=0), metavar="DAYS", help="Keep those of the last DAYS.")
@options.dry_run
def prune(db: str, keep: int | None, days: float | None, dry_run: bool) -> None:
    """Delete kept runs by count or age.

    \b
    Example:
      mosaic runs prune papers.duckdb --keep 100 --dry-run
    """
    if keep is None and days is None:
        raise click.UsageError("say what to keep: --keep N, --days DAYS, or both")
    with reading(db) as corpus:
        gone = corpus.runs.prune(keep=keep, days=days, dry_run=dry_run)
    note(f"{counted(gone, 'run')} {'would go' if dry_run else 'deleted'}")


@runs.command()
@options.database
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="The N latest stay.")
@click.option("--days", type=DAYS, metavar="DAYS", help="Those of the last DAYS stay.")
@click.option("--all", "everything", is_flag=True, help="All stay: there is no bound any more.")
@options.dry_run
def retain(db: str, keep: int | None, days: float | None, everything: bool, dry_run: bool) -> None:
    """Set which kept runs of DB stay from now on, or tell it; each `--keep` deletes the others, and says so.

    Without a bound, as at first, every kept run stays.

    \b
    Example:
      mosaic runs retain papers.duckdb --keep 1000 --days 90
      mosaic runs retain papers.duckdb --all
    """
    bounded = keep is not None or days is not None
    if bounded and everything:
        raise click.UsageError("either --all, or --keep N and --days DAYS")
    with reading(db) as corpus:
        if not bounded and not everything:
            click.echo(f"{corpus.runs.retention}")
            return
        set_bound = partial(corpus.runs.prune, dry_run=True) if dry_run else corpus.runs.retain
        gone = set_bound(keep=keep, days=days)
    note(f"{Retention(keep, days)} stay; {counted(gone, 'run')} {'would go now' if dry_run else 'deleted now'}")


def _asked(corpus: Corpus, question: str, policy: str) -> str:
    made = corpus.retrieve(question, policy=options.policy_from(policy, {}), keep_pruned=True).run
    if made is None:
        raise StoreError("runs are not traced; open the corpus with trace=True")
    return made


def _section(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        click.echo(f"\n{title}")
        emit(list(rows), "table")
