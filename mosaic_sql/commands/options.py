"""Arguments and options that commands share: database, question, policy, models."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

import click

from mosaic_sql.errors import PolicyError, StoreError
from mosaic_sql.models import EMBEDDERS
from mosaic_sql.models.bounds import Spending
from mosaic_sql.pipeline.analysts import ANALYZERS
from mosaic_sql.policy import NAMED_POLICIES, PART_OF, Policy

Command = TypeVar("Command", bound=Callable[..., Any])

CONTROLS = (
    "operator",
    "pattern",
    "max_depth",
    "beam_width",
    "seed_limit",
    "evidence_count",
    "min_evidence",
    "anchor_strength",
    "use_connector",
    "stop_regime",
    "path_limit",
    "fan_out",
    "row_budget",
    "passage_limit",
    "context_tokens",
    "min_support",
)
"""Controls with an option of their own; the others are reached by --set."""


_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that no operating system's bytes are read as."""


def typed(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """`-` stands for what comes on stdin."""
    if value != "-":
        kept = _LONE.sub("\ufffd", value)
        return kept.encode("utf-8", "surrogateescape").decode("utf-8", "replace")  # a locale may have read it as ASCII
    return sys.stdin.buffer.read().decode("utf-8", "replace").strip()


def names(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """As `typed`, of names: where none comes on stdin it is said."""
    found = typed(context, parameter, value)
    if value == "-" and not found:
        raise PolicyError(
            f"{parameter.human_readable_name}: no name came on stdin; send one, or type it in place of `-`"
        )
    return found


def _kept(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if value == ":memory:":
        raise StoreError("a corpus in memory would end with the command; name a file")
    return value


def _asked_for(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """`none` and an empty variable ask for no model."""
    return None if value in (None, "", "none") else value


database = click.argument("db", metavar="DB", callback=_kept)
question = click.argument("question", metavar="QUESTION", callback=typed)
statement = click.argument("statement", metavar="SQL", callback=typed)

embedder = click.option("--embedder", metavar="NAME", help=f"Embedding model: {'; '.join(EMBEDDERS)}.")
base_url = click.option(
    "--base-url", metavar="URL", envvar="MOSAIC_BASE_URL", show_envvar=True, help="An OpenAI-compatible server."
)
model = click.option(
    "--model",
    metavar="NAME",
    envvar="MOSAIC_MODEL",
    show_envvar=True,
    callback=_asked_for,
    help="A chat model: it writes the answer of `ask`, and reads the question with --analyzer model. `none`, the "
    "default, asks none.",
)
analyzer = click.option(
    "--analyzer",
    type=click.Choice(ANALYZERS),
    help="Who reads the question and proposes its policy: rules, the default, or the model.",
)
timeout = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Time for a single statement, and for a single call of a model.",
)
fail_on_empty = click.option("--fail-on-empty", is_flag=True, help="Exit with 4 where nothing is found.")
show_sql = click.option("--sql", "show_sql", is_flag=True, help="Print the SQL and do not run it.")
rehearsal = click.option("--dry-run", is_flag=True, help="Print what a chat model would be asked, and ask none.")
dry_run = click.option("--dry-run", is_flag=True, help="Say what would be done and write nothing.")


MONEY = click.FloatRange(min=0)
BOUNDS = (
    click.option(
        "--max-tokens-total", "max_tokens", type=click.IntRange(min=0), metavar="N", help="Stop before more tokens."
    ),
    click.option("--ceiling", type=MONEY, metavar="MONEY", help="Stop before it costs more; needs a price."),
    click.option("--price-in", type=MONEY, metavar="MONEY", help="Of a million tokens that the model reads."),
    click.option("--price-out", type=MONEY, metavar="MONEY", help="Of a million tokens that the model writes."),
)
"""What calls of a model may cost together."""


def spending(function: Command) -> Command:
    """BOUNDS, handed on as one `spending`: what models may cost that read and answer."""

    @functools.wraps(function)
    def command(*args: Any, **values: Any) -> Any:
        told = {name: values.pop(name) for name in ("max_tokens", "ceiling", "price_in", "price_out")}
        return function(*args, spending=Spending(**told), **values)

    wrapped = cast(Command, command)
    for option in reversed(BOUNDS):
        wrapped = option(wrapped)
    return wrapped


def policy_options(function: Command) -> Command:
    """`--policy`, an option per common control and `--set`, handed on as one `policy`."""

    @functools.wraps(function)
    def command(
        *args: Any, named: str | None, settings: tuple[str, ...], anchors: tuple[str, ...], **values: Any
    ) -> Any:
        controls = {name: values.pop(name) for name in CONTROLS}
        overrides = {name: value for name, value in controls.items() if value is not None}
        if anchors:
            overrides["anchors"] = anchors
        return function(*args, policy=policy_from(named, overrides, settings), **values)

    wrapped = cast(Command, command)
    any_control = "Any other control; see `mosaic policy show`."
    wrapped = click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help=any_control)(wrapped)
    for name in reversed(CONTROLS):
        wrapped = _control(name)(wrapped)
    start = "A node to start from, NAME or NAME [KIND], in place of what QUESTION names; once for each, in order."
    wrapped = click.option("--anchor", "anchors", multiple=True, metavar="NODE", help=start)(wrapped)
    names = ", ".join(NAMED_POLICIES)
    return click.option("--policy", "named", metavar="NAME|FILE", help=f"{names}, or a JSON file.")(wrapped)


def controls(*names: str) -> Callable[[Command], Command]:
    """An option for each of some controls; those that were given are handed on as one `policy`."""

    def decorate(function: Command) -> Command:
        @functools.wraps(function)
        def command(*args: Any, **values: Any) -> Any:
            given = {name: values.pop(name) for name in names}
            return function(*args, policy={name: value for name, value in given.items() if value is not None}, **values)

        wrapped = cast(Command, command)
        for name in reversed(names):
            wrapped = _control(name)(wrapped)
        return wrapped

    return decorate


def policy_from(
    named: str | None, overrides: Mapping[str, Any], settings: tuple[str, ...] = ()
) -> dict[str, Any] | None:
    """What `Corpus.retrieve` takes as policy; None where nothing was asked for."""
    pairs = [setting.partition("=") for setting in settings]
    for name, equals, _ in pairs:
        if not equals:
            raise PolicyError(f"--set {name}: write NAME=VALUE, such as decay=0.5")
    return {**_base(named), **overrides, **{name: value for name, _, value in pairs}} or None


def _base(named: str | None) -> dict[str, Any]:
    if named is None or named == "default":
        return {}
    return {"policy": named} if named in NAMED_POLICIES else policy_file(named)


def policy_file(path: str) -> dict[str, Any]:
    """The controls in a JSON file, nested or flat, on top of the named policy under `policy`, if any.

    Raises:
        PolicyError: no such file, or not an object of JSON.
    """
    if not Path(path).is_file():
        raise PolicyError(f"policy: unknown {path!r}; one of {', '.join(NAMED_POLICIES)}, or a JSON file")
    try:
        data = json.loads(Path(path).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise PolicyError(f"policy: {path} holds no JSON ({error})") from error
    if not isinstance(data, dict):
        raise PolicyError(f"policy: {path} holds no object; write one with `mosaic policy show --json`")
    return data


def _control(name: str) -> Callable[[Command], Command]:
    field = getattr(Policy(), PART_OF[name]).__class__.model_fields[name]
    description = field.description or name
    flag, text = f"--{name.replace('_', '-')}", f"{description[0].upper()}{description[1:]}."
    if field.annotation is bool:
        return click.option(f"{flag}/--no-{flag[2:]}", name, default=None, help=text)
    if get_origin(field.annotation) is Literal:
        choices = get_args(field.annotation)
        text = f"{text} One of {', '.join(choices)}."
        return click.option(flag, name, type=click.Choice(choices), metavar="NAME", help=text)
    kind = field.annotation if field.annotation in (int, float) else str
    return click.option(flag, name, type=kind, help=text)
