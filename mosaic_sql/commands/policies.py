"""Policies on their own: show, list, validate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import mosaic_sql
from mosaic_sql.bench import analysis as studies
from mosaic_sql.bench.dataset import questions_of
from mosaic_sql.commands import options
from mosaic_sql.commands.options import policy_file
from mosaic_sql.commands.output import emit, emit_json, output_options
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import note, printable
from mosaic_sql.policy import NAMED_POLICIES, OPERATORS, PART_OF, Policy, named_policy
from mosaic_sql.text import counted


@click.group()
def policy() -> None:
    """Show, list and check policies: what a retrieval does and how far it goes.

    \b
    Example:
      mosaic policy list
      mosaic policy show narrow --json > mine.json
      mosaic policy validate mine.json
    """


@policy.command()
@click.argument("name", type=click.Choice(NAMED_POLICIES), default="default")
@click.option("--operator", type=click.Choice(OPERATORS), default="chunk_hop", show_default=True, help="Whose values.")
@output_options
def show(name: str, operator: str, form: str) -> None:
    """Show every control of the policy NAME; with --json as a file that --policy takes.

    \b
    Example:
      mosaic policy show
      mosaic policy show wide --operator beam --json > mine.json
    """
    chosen = named_policy(name, operator)
    if form == "json":
        emit_json(chosen.model_dump())
    else:
        emit(controls(chosen), form)


@policy.command("list")
@output_options
def list_policies(form: str) -> None:
    """List the named policies with their main controls, for each operator they differ by.

    \b
    Example:
      mosaic policy list
    """
    operators = {"default": OPERATORS, "mosaic": ("beam",)}
    emit([summary(name, operator) for name in NAMED_POLICIES for operator in operators.get(name, OPERATORS[:2])], form)


@policy.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="The whole policy as JSON.")
def validate(file: str, as_json: bool) -> None:
    """Check the policy in FILE; what is wrong is named with its control.

    \b
    Example:
      mosaic policy validate mine.json
    """
    data = policy_file(file)
    base = named_policy(str(data.pop("policy", "default")), operator_of(data))
    checked = Policy.parse(data, base=base)
    if as_json:
        emit_json(checked.model_dump())
    else:
        click.echo(f"{file}: valid, operator {checked.walk.operator}")


@policy.command()
@options.database
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--policy", "named", type=click.Choice(("default", "mosaic")), default="default", show_default=True,
              help="Whose ranges: the operator's that each question gets, or the paper's beam.")  # fmt: skip
@options.analyzer
@options.model
@options.base_url
@options.timeout
@options.spending
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N questions.")
@click.option("--dry-run", is_flag=True, help="Print what a model would be asked for the first question; ask none.")
@click.option("--json", "as_json", is_flag=True, help="The summary, and what was made of every question.")
def study(db: str, file: Path, named: str, limit: int | None, dry_run: bool, as_json: bool, **opened: Any) -> None:
    """Read the questions in FILE over DB and tell what became of them.

    FILE has a question a line: plain text, or JSON objects with `question`. Nothing is walked. With --analyzer model:
    how often its reply held at once, after one retry, or not at all, which controls had to be corrected, time and
    tokens, how many policies came out, and how deep they go.

    \b
    Example:
      mosaic policy study papers.duckdb questions.jsonl
      mosaic policy study papers.duckdb questions.jsonl --analyzer model --model llama3.2 --limit 30 --json
    """
    asked = questions_of(file)[:limit]
    with mosaic_sql.open(db, read_only=True, **opened) as corpus:
        if dry_run:
            click.echo(printable(studies.prompt(corpus, asked[0], policy=named)))
            note(f"{counted(len(asked), 'question')}, each asked once, or twice where the reply is of no use")
            return
        with progress() as report:
            read = list(studies.study(corpus, asked, policy=named, progress=report))
    if as_json:
        emit_json(studies.told(read))
    else:
        emit([{"measure": name, "value": value} for name, value in studies.summary(read).items()], "table")


def operator_of(data: dict[str, Any]) -> str:
    """The operator that a file's controls name, flat or nested."""
    nested = data.get("walk")
    inner = nested.get("operator") if isinstance(nested, dict) else None
    return str(data.get("operator") or inner or "chunk_hop")


def controls(chosen: Policy) -> list[dict[str, Any]]:
    """A row per control."""
    rows: list[dict[str, Any]] = []
    for name, part in PART_OF.items():
        holder = getattr(chosen, part)
        value = getattr(holder, name)
        meaning = type(holder).model_fields[name].description or "weights of the path features of beam"
        rows.append(
            {
                "part": part,
                "control": name,
                "value": value.model_dump() if name == "weights" else value,
                "meaning": meaning,
            }
        )
    return rows


def summary(name: str, operator: str) -> dict[str, Any]:
    """The controls that a named policy is about."""
    chosen = named_policy(name, operator)
    return {
        "policy": name,
        "operator": operator,
        "seed_limit": chosen.seed.seed_limit,
        "max_depth": chosen.walk.max_depth,
        "beam_width": chosen.walk.beam_width,
        "evidence_count": chosen.evidence.evidence_count,
        "min_evidence": chosen.evidence.min_evidence,
    }
