"""Rows out: a table for people, JSON, JSON lines or CSV for programs, chosen by one set of flags."""

from __future__ import annotations

import csv
import json
import math
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import click
import pyarrow as pa

from mosaic_sql.commands import cells
from mosaic_sql.commands.cells import SHOWN, Clock, Line
from mosaic_sql.commands.shell import note, printable
from mosaic_sql.errors import StoreError

Command = TypeVar("Command", bound=Callable[..., Any])
TABLE_ROWS = 1000
CELL = 120
ENDLESS = Clock()


def output_options(function: Command) -> Command:
    """`--json`, `--jsonl`, `--csv`, `-t/--table`, handed on as `form`."""
    flags = [
        ("-t", "--table", "table", "A table for people (the default)."),
        ("--csv", "", "csv", "CSV with a header line."),
        ("--jsonl", "", "jsonl", "One JSON object a line."),
        ("--json", "", "json", "JSON."),
    ]
    for short, long, value, text in flags:
        names = [name for name in (short, long) if name]
        default = "table" if value == "table" else None
        function = click.option(*names, "form", flag_value=value, default=default, type=str, help=text)(function)
    return function


html_option = click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Also write a page: one file that needs no network.",
)


def write_text(path: Path, text: str) -> None:
    """Write a page, or another text; `check_place` comes before it.

    Raises:
        StoreError: the file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}); name a file in a folder of yours") from error


def emit(rows: pa.Table | Sequence[Mapping[str, Any]], form: str, clock: Clock = ENDLESS) -> None:
    """Write rows to stdout.

    Raises:
        QueryTimeout: the time of `clock` is over before all are written.
    """
    lines: Iterator[Line]
    if isinstance(rows, pa.Table):
        columns = _apart(rows.schema.names)
        lines = cells.lines(rows, clock, brief=form == "table")
    else:
        columns, lines = _mappings(rows)
    if form == "table":
        _table(columns, lines)
    elif form == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([_csv_cell(value, clock) for value in line] for line in lines)
    elif form == "jsonl":
        for line in lines:
            click.echo(_json(dict(zip(columns, line, strict=True)), clock=clock))
    else:
        _array(columns, lines, clock)


def emit_record(record: Mapping[str, Any], form: str) -> None:
    """Write one record to stdout: name and value line by line, or as an object."""
    if form == "table":
        width = max(map(len, record), default=0)
        for name, value in record.items():
            click.echo(f"{name:<{width}}  {_text(value)}".rstrip())
    elif form == "json":
        emit_json(record)
    else:
        emit([record], form)


def emit_json(data: object) -> None:
    """Write JSON to stdout."""
    click.echo(_json(data, indent=2))


def _mappings(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], Iterator[Line]]:
    columns = list(rows[0]) if rows else []
    return columns, (tuple(row[name] for name in columns) for row in rows)


def _apart(names: Sequence[str]) -> list[str]:
    """Column names made different, so that no value of an object is lost."""
    apart: list[str] = []
    for name in names:
        number, chosen = 1, name
        while chosen in apart:
            chosen, number = f"{name}_{number}", number + 1
        apart.append(chosen)
    return apart


# -- JSON and CSV ----------------------------------------------------------------------------------------------------


def _json(data: object, *, indent: int | None = None, clock: Clock = ENDLESS) -> str:
    return json.dumps(_plain(data, clock), ensure_ascii=False, indent=indent, default=str)


def _plain(value: Any, clock: Clock = ENDLESS) -> Any:
    """What JSON can say: no NaN, no bytes, no keys that are not text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Decimal):  # exact as a number, or else a text
        number = int(value) if value == value.to_integral_value() else float(value)
        return number if Decimal(str(number)) == value else str(value)
    if isinstance(value, pa.MonthDayNano):
        return f"{value.months} months {value.days} days {value.nanoseconds / 1e9:g} seconds"
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, clock) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner, clock) for inner in clock.each(value)]
    return value


def _array(columns: Sequence[str], lines: Iterator[Line], clock: Clock) -> None:
    opening = "["
    for line in lines:
        click.echo(f"{opening}\n  {_json(dict(zip(columns, line, strict=True)), clock=clock)}", nl=False)
        opening = ","
    click.echo("[]" if opening == "[" else "\n]")


def _csv_cell(value: Any, clock: Clock = ENDLESS) -> Any:
    if isinstance(value, bytes | bool | pa.MonthDayNano):
        return str(_plain(value)).lower()
    return _json(value, clock=clock) if isinstance(value, list | tuple | Mapping) else value


# -- tables ----------------------------------------------------------------------------------------------------------


def _table(columns: Sequence[str], lines: Iterator[Line]) -> None:
    shown = list(islice(lines, TABLE_ROWS))
    if not columns or not shown:
        note("no rows")
        return
    texts = [[_text(value) for value in line] for line in shown]
    numeric = [
        all(isinstance(line[place], int | float | Decimal | None) for line in shown) for place in range(len(columns))
    ]
    heads = [printable(name) for name in columns]
    widths = _widths([heads, *texts])
    click.echo(click.style(_row(heads, widths, numeric), bold=True))
    click.echo("  ".join("─" * width for width in widths))
    for line in texts:
        click.echo(_row(line, widths, numeric))
    if next(lines, None) is not None:
        note(f"the first {TABLE_ROWS} rows; all of them with --csv, --json or --jsonl")


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list | tuple) and len(value) > 8 and all(isinstance(item, float) for item in value):
        return f"[{', '.join(f'{item:.4g}' for item in value[:4])}, … {len(value)} numbers]"
    text = str(_csv_cell(value))
    return printable(" ".join(text[:SHOWN].split()))


def _widths(lines: Sequence[Sequence[str]]) -> list[int]:
    """The columns' widths: as wide as needed, the widest cut first where a terminal is too narrow."""
    from rich.cells import cell_len

    widths = [max(1, min(CELL, max(map(cell_len, column)))) for column in zip(*lines, strict=True)]
    space = shutil.get_terminal_size().columns if sys.stdout.isatty() else CELL * len(widths)
    while sum(widths) + 2 * (len(widths) - 1) > space and max(widths) > 4:
        widths[widths.index(max(widths))] -= 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    from rich.cells import cell_len, set_cell_size

    parts: list[str] = []
    for cell, width, right in zip(cells, widths, numeric, strict=True):
        if cell_len(cell) > width:
            parts.append(set_cell_size(cell, width - 1) + "…")
        else:
            parts.append(" " * (width - cell_len(cell)) + cell if right else set_cell_size(cell, width))
    return "  ".join(parts).rstrip()
