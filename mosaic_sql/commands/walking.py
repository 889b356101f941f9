"""Commands that walk without a question: match, paths."""

from __future__ import annotations

from typing import Any

import click

import mosaic_sql
from mosaic_sql.commands import options
from mosaic_sql.commands.output import emit, output_options
from mosaic_sql.commands.shell import NO_ANSWER, PARTLY_DONE, note
from mosaic_sql.errors import PolicyError, UnknownId
from mosaic_sql.pipeline import Matches
from mosaic_sql.text import counted

BRIEF = {"match": ("rank", "name", "kinds", "hops", "path"), "paths": ("rank", "hops", "path")}


@click.command()
@options.database
@click.argument("anchor", metavar="ANCHOR", callback=options.names)
@click.argument("pattern", metavar="PATTERN")
@options.controls("max_depth", "fan_out", "row_budget")
@options.timeout
@options.show_sql
@options.fail_on_empty
@output_options
def match(
    db: str,
    anchor: str,
    pattern: str,
    policy: dict[str, Any],
    timeout: float | None,
    show_sql: bool,
    fail_on_empty: bool,
    form: str,
) -> None:
    """Find the nodes that PATTERN reaches from ANCHOR, a name or id:NUMBER; `-` reads names from stdin, one a line.

    A pattern is a regular expression over relations: `author / ^author`, `(cites | cited_by){1,3}`, `~any[venue]`
    (`^` against the direction, `~` either way, a kind in brackets; `[planet] / moon` tests the first node). A relation
    or kind with blanks, slashes or other signs stands in quotes, `'directed by' / ^"cast/crew"`; a quote inside twice.

    Of several names from stdin those that no node bears are told and left out; the exit code is then 5.

    \b
    Example:
      mosaic match films.duckdb "Heat" "directed_by / ^directed_by"
      mosaic match films.duckdb "Heat" "'directed by' / ^\"fan's choice\""
      mosaic match films.duckdb - "directed_by" --csv < names.txt
      mosaic match films.duckdb "Heat" "~any{0,1} / ~any[person]" --csv
      mosaic match films.duckdb "Heat" "starred_actors" --sql | duckdb -readonly films.duckdb
    """
    anchors: list[str | int] = [line.strip() for line in anchor.splitlines() if line.strip()] or [anchor]
    with mosaic_sql.open(db, read_only=True, timeout=timeout) as corpus:
        lacking = list[str]()
        if len(anchors) > 1:
            anchors, lacking = corpus.known(anchors)
        for line in lacking:
            note(line)
        if not anchors:
            raise UnknownId("anchor: no node bears any of these names")
        if show_sql:
            click.echo(corpus.match_sql(anchors, pattern, policy=policy), nl=False)
            return
        found = corpus.match(anchors, pattern, policy=policy)
    show(found, "match", form, fail_on_empty=fail_on_empty, partly=bool(lacking))


@click.command()
@options.database
@click.argument("a", metavar="A", callback=options.names)
@click.argument("b", metavar="B")
@click.option("--pattern", metavar="PATTERN", help="What the paths follow, from A to B; see `mosaic match -h`.")
@click.option("-k", "limit", type=click.IntRange(1, 10_000), default=10, show_default=True, help="Paths at most.")
@options.controls("max_depth", "direction", "fan_out", "row_budget")
@options.timeout
@options.show_sql
@options.fail_on_empty
@output_options
def paths(
    db: str,
    a: str,
    b: str,
    pattern: str | None,
    limit: int,
    policy: dict[str, Any],
    timeout: float | None,
    show_sql: bool,
    fail_on_empty: bool,
    form: str,
) -> None:
    """Find the shortest simple paths between A and B, names or id:NUMBER; `-` reads A from stdin.

    \b
    Example:
      mosaic paths films.duckdb "Al Pacino" "Tom Hanks" -k 5
      mosaic paths films.duckdb "Al Pacino" "Tom Hanks" --pattern "^starred_actors / directed_by / ^directed_by / any"
    """
    first, second = a.strip(), b.strip()
    if len(first.splitlines()) > 1:
        raise PolicyError(f"A: {counted(len(first.splitlines()), 'name')} came on stdin; paths begin at one, send one")
    with mosaic_sql.open(db, read_only=True, timeout=timeout) as corpus:
        if show_sql:
            click.echo(corpus.paths_sql(first, second, pattern=pattern, k=limit, policy=policy), nl=False)
            return
        found = corpus.paths(first, second, pattern=pattern, k=limit, policy=policy)
    show(found, "paths", form, fail_on_empty=fail_on_empty)


def stated(kinds: tuple[str, ...]) -> str:
    """Kinds for a person; of one that was inferred from what a node has, the path says as much."""
    return ", ".join(kind for kind in kinds if not kind.startswith("has "))


def show(found: Matches, command: str, form: str, *, fail_on_empty: bool, partly: bool = False) -> None:
    """Rows to stdout; ambiguous names, bounds that cut and the reason of an empty result to stderr."""
    rows = [row._asdict() for row in found]
    if form == "table":
        rows = [{name: row[name] for name in BRIEF[command]} for row in rows]
        rows = [{**row, "kinds": stated(row["kinds"])} if "kinds" in row else row for row in rows]
    for line in found.notes:
        note(line)
    emit(rows, form)
    for line in (*found.cuts, found.reason):
        if line:
            note(line)
    milliseconds = sum(stage.milliseconds for stage in found.stages)
    note(f"{counted(len(found), 'path' if command == 'paths' else 'node')}, {milliseconds:.0f} ms")
    done = PARTLY_DONE if partly else 0
    click.get_current_context().exit(NO_ANSWER if fail_on_empty and not found else done)
