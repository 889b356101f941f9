"""The command line: `mosaic VERB DB ...`. Parse, call the library, print."""

from __future__ import annotations

import importlib.util
from importlib import import_module
from importlib.metadata import version

import click

from mosaic_sql.commands import adding, asking, compare, demo, keeping, looking, policies, runs, walking
from mosaic_sql.commands.shell import Shell, settle_streams, watch_interrupts
from mosaic_sql.trace import package_version

__all__ = ["cli", "main"]


@click.group(cls=Shell, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_version(), message=f"mosaic-sql %(version)s (duckdb {version('duckdb')})")
def cli() -> None:
    """Question answering over graphs in one DuckDB file.

    Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 an error told in one line, 2 wrong usage,
    3 the file is locked, 4 no answer (with --fail-on-empty), 5 partly done, 130 interrupted.

    \b
    Example:
      mosaic demo
      mosaic add papers.duckdb papers/
      mosaic ask papers.duckdb "How are A and B related?"
    """


for _command in (
    adding.add,
    adding.import_graph,
    asking.ask,
    asking.retrieve,
    asking.explain,
    asking.show_script,
    walking.match,
    walking.paths,
    looking.query,
    looking.stats,
    keeping.remove,
    keeping.reembed,
    keeping.export,
    adding.import_folder,
    runs.runs,
    policies.policy,
    compare.compare,
    demo.demo,
):
    cli.add_command(_command)

if importlib.util.find_spec("mosaic_sql.commands.bench") is not None:
    cli.add_command(import_module("mosaic_sql.commands.bench").bench)


def main() -> None:
    """What the `mosaic` script runs."""
    settle_streams()
    watch_interrupts()
    cli(prog_name="mosaic")
