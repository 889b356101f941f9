"""What a benchmark found, as a table in the terminal, JSON and a page without network."""

from __future__ import annotations

import html
import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

_STYLE = "body{font:16px sans-serif;margin:2em}td,th{padding:.3em 1em;text-align:right;border-bottom:1px solid #ccc}"


def machine() -> str:
    """What the figures were taken on."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"


def put(
    lines: Sequence[Sequence[str]],
    found: Mapping[str, Any],
    *,
    title: str,
    json_path: Path | None,
    html_path: Path | None,
) -> None:
    """Print a table, and write the files that are asked for; `found` has the `machine`."""
    if json_path:
        json_path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if html_path:
        html_path.write_text(page(lines, title=title, machine=found["machine"]), encoding="utf-8")
    for row in lines:
        click.echo("  ".join(f"{cell:>28}" for cell in row))


def page(lines: Sequence[Sequence[str]], *, title: str, machine: str) -> str:
    """The table as a page."""
    head, *rows = lines
    cells = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f"<!doctype html><meta charset=utf-8><title>{title}</title><style>{_STYLE}</style><h1>{title}</h1>"
        f"<p>{html.escape(machine)}. In brackets: this project's figure over the other's.</p>"
        f"<table><tr>{cells}</tr>{body}</table>"
    )


def slope(sizes: Sequence[int], values: Sequence[float]) -> float:
    """By which power of the size a figure grows: 1 is linear, 0 is not at all."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])
