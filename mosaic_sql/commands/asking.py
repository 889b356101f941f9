"""Commands that take a question: ask, retrieve, sql, explain."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar, cast

import click

import mosaic_sql
from mosaic_sql.commands import options
from mosaic_sql.commands.output import emit, emit_json, html_option, output_options, write_text
from mosaic_sql.commands.places import check_place
from mosaic_sql.commands.shell import NO_ANSWER, PARTLY_DONE, note, printable
from mosaic_sql.errors import ModelUnavailable
from mosaic_sql.link import remarks
from mosaic_sql.models.fakes import ScriptedChat
from mosaic_sql.models.spans import piece_spans
from mosaic_sql.page import page
from mosaic_sql.pipeline import Asked, Corpus, Retrieval, Step
from mosaic_sql.pipeline.explanation import told_target
from mosaic_sql.records import Analysis, Passage
from mosaic_sql.refine import Refined
from mosaic_sql.text import counted
from mosaic_sql.trace import runs_path

Command = TypeVar("Command", bound=Callable[..., Any])
Policy = dict[str, Any] | None


def asking(function: Command) -> Command:
    """What every command takes that reads a question: DB, QUESTION, the policy, who reads it, the embedder.

    With --dry-run the command itself is not called.
    """

    @functools.wraps(function)
    def command(*args: Any, dry_run: bool, **values: Any) -> Any:
        return rehearse(**values, answers=function.__name__ == "ask") if dry_run else function(*args, **values)

    wrapped = cast(Command, command)
    for option in (
        options.rehearsal,
        options.timeout,
        options.spending,
        options.base_url,
        options.model,
        options.analyzer,
        options.embedder,
        options.policy_options,
    ):
        wrapped = option(wrapped)
    return options.database(options.question(wrapped))


def rehearse(db: str, question: str, policy: Policy, *, answers: bool, **given: Any) -> None:
    """Print what a chat model would be asked, and ask none; `answers` where it also writes an answer."""
    silent = ScriptedChat([])
    opened = {name: given[name] for name in ("timeout", "base_url", "analyzer", "embedder")}
    with reading(db, **opened, model=silent if given["model"] else None) as corpus:
        read = corpus.analyze(question, policy=policy)
        if answers and given["model"]:
            with suppress(ModelUnavailable):  # it has nothing to say, which comes after it was asked
                corpus.ask(question, policy=policy, analyzer="rules", record=False)
    sent = [message for call in silent.calls for message in call.messages]
    for message in sent:
        click.echo(printable(f"{message['role']}:\n{message['content']}\n"))
    size = sum(len(piece_spans(message["content"])) for message in sent)
    again = "; a reply of no use is asked for once more" if read.calls else ""
    note(f"{counted(len(silent.calls), 'call')} of a model, about {size:,} tokens to read{again}; none was made")


def reading(db: str, **opened: Any) -> Corpus:
    """The corpus without a write lock."""
    return mosaic_sql.open(db, read_only=True, **opened)


@click.command()
@asking
@click.option("--keep", is_flag=True, help="Keep the run in NAME.runs.duckdb beside DB.")
@click.option("--show-path", is_flag=True, help="Also print how each source was reached.")
@options.show_sql
@options.fail_on_empty
@click.option("--json", "as_json", is_flag=True, help="Answer, citations, passages and policy as JSON.")
def ask(
    db: str,
    question: str,
    policy: Policy,
    keep: bool,
    show_path: bool,
    show_sql: bool,
    fail_on_empty: bool,
    as_json: bool,
    **opened: Any,
) -> None:
    """Answer QUESTION from DB with numbered sources; `-` reads the question from stdin.

    Without a model the answer quotes the evidence. A question that begins with a dash goes after `--`.

    \b
    Example:
      mosaic ask papers.duckdb "How are Yttrium and Erbium related?"
      mosaic ask papers.duckdb "Who found argon?" --policy wide --show-path
      mosaic ask papers.duckdb "Who found argon?" --model llama3.2 --base-url http://localhost:11434/v1
      mosaic ask papers.duckdb "Who found argon?" --model llama3.2 --analyzer model
    """
    with reading(db, **opened) as corpus:
        if show_sql:
            click.echo(corpus.sql(question, policy=policy), nl=False)
            return
        asked = corpus.ask(question, policy=policy, record=keep)
    if as_json:
        emit_json(told(asked))
    else:
        click.echo(printable("\n".join(written(asked, show_path=show_path))))
        for line in (*map(meant, asked.retrieval.steps), how(asked.retrieval)):
            note(line)
    tell_reading(asked.retrieval.analysis)
    tell_cuts(asked.retrieval.cuts)
    if keep:
        note(kept(asked, runs_path(db)))
    done = PARTLY_DONE if asked.unkept else 0
    click.get_current_context().exit(NO_ANSWER if fail_on_empty and not asked.found else done)


@click.command()
@asking
@click.option("--passages", is_flag=True, help="The numbered passages an answer would read, in place of the units.")
@options.show_sql
@options.fail_on_empty
@output_options
def retrieve(
    db: str,
    question: str,
    policy: Policy,
    passages: bool,
    show_sql: bool,
    fail_on_empty: bool,
    form: str,
    **opened: Any,
) -> None:
    """Find the evidence for QUESTION in DB, best first, without the answer; `-` reads the question from stdin.

    \b
    Example:
      mosaic retrieve papers.duckdb "Who found argon?"
      mosaic retrieve papers.duckdb "Who found argon?" --policy narrow --jsonl
      mosaic retrieve papers.duckdb "Who found argon?" --passages --csv
    """
    with reading(db, **opened) as corpus:
        if show_sql:
            click.echo(corpus.sql(question, policy=policy), nl=False)
            return
        found = corpus.retrieve(question, policy=policy)
    rows = [asdict(passage) for passage in found.context.passages] if passages else units(found)
    tell_reading(found.analysis)
    for step in found.steps:
        note(meant(step))
    if passages and form == "table" and any(passage.chunk_id is None for passage in found.context.passages):
        click.echo(printable("\n\n".join(block(passage) for passage in found.context.passages)))
    else:
        emit(brief(rows) if form == "table" else rows, form)
    tell_cuts(found.cuts)
    note(
        how(found)
        + (f"; {size(found)}" if passages else "")
        + ("" if not rows or any(row["text"] for row in rows) else "; --passages writes the facts out")
    )
    click.get_current_context().exit(NO_ANSWER if fail_on_empty and not rows else 0)


@click.command("sql")
@asking
@click.option("--params", is_flag=True, help="JSON: each statement's text with $names, and its values beside it.")
def show_script(db: str, question: str, policy: Policy, params: bool, **opened: Any) -> None:
    """Print the SQL that a retrieval for QUESTION runs; any DuckDB shell on DB gives the same rows.

    \b
    Example:
      mosaic sql papers.duckdb "Who found argon?" | duckdb -readonly papers.duckdb
      mosaic sql papers.duckdb "Who found argon?" --params
      mosaic sql papers.duckdb "Who found argon?" --policy mine.json
    """
    with reading(db, **opened) as corpus:
        click.echo(corpus.sql(question, policy=policy, params=params), nl=False)


@click.command()
@asking
@options.show_sql
@html_option
@click.option("--json", "as_json", is_flag=True, help="All of it as JSON.")
def explain(
    db: str, question: str, policy: Policy, show_sql: bool, html: Path | None, as_json: bool, **opened: Any
) -> None:
    """Retrieve for QUESTION and tell how: operator, seeds, rows per depth, what was pruned and why, times.

    \b
    Example:
      mosaic explain papers.duckdb "Which awards did the discoverers of argon receive?"
      mosaic explain papers.duckdb "Who found argon?" --policy mosaic --json
      mosaic explain papers.duckdb "Who found argon?" --html argon.html
    """
    check_place("html")
    with reading(db, **opened) as corpus:
        if show_sql:
            click.echo(corpus.sql(question, policy=policy), nl=False)
            return
        explanation = corpus.explain(question, policy=policy)
    if html is not None:
        write_text(html, page(explanation))
        note(f"wrote {html}")
    if as_json:
        emit_json(explanation.to_dict())
    else:
        click.echo(printable(str(explanation)))


def tell_reading(analysis: Analysis) -> None:
    """Say on stderr what a name was taken for where that is open, and that the rules had to read for the model."""
    for remark in remarks(analysis.targets):
        note(remark)
    for correction in analysis.corrections:
        if correction.field == "analyzer":
            note(f"{correction.proposed} did not read the question, the rules did: {correction.reason}")


def tell_cuts(cuts: tuple[str, ...]) -> None:
    """Say on stderr what a bound left out."""
    for cut in cuts:
        note(cut)


def kept(asked: Asked, place: Path) -> str:
    """What became of the run that is to be kept at `place`."""
    if asked.unkept:
        return f"the run is not kept: {asked.unkept}"
    pruned = f"; {counted(asked.pruned, 'older run')} deleted, by the bound of `mosaic runs retain`"
    return f"run {asked.run} kept in {place}{pruned if asked.pruned else ''}"


# -- told ------------------------------------------------------------------------------------------------------------


def how(found: Retrieval) -> str:
    """One line: operator, reason, and what it came to."""
    milliseconds = sum(stage.milliseconds for stage in found.stages)
    evidence = len(found.to_arrow()) or (len(found.refined.answers) if found.refined else 0)  # as `units` has them
    return (
        f"{found.policy.walk.operator}: {found.analysis.operator_reason}; {counted(len(found.seeds.rows), 'seed')}, "
        f"{counted(evidence, 'unit')} of evidence, {milliseconds:.0f} ms"
    )


def written(asked: Asked, *, show_path: bool) -> list[str]:
    """The answer for a person: text and sources."""
    passages = {passage.number: passage for passage in asked.retrieval.context.passages}
    lines = [asked.text]
    if asked.answer.reason and asked.text == asked.answer.text:
        lines.append(f"({asked.answer.reason})")
    lines += [""] if asked.citations else []
    of_graph = [cited for cited in asked.citations if cited.chunk_id is None and not show_path]
    if of_graph:
        lines.append(f"[{', '.join(str(cited.number) for cited in of_graph)}] {of_graph[0].source}")
    for cited in (cited for cited in asked.citations if cited not in of_graph):
        where = "" if cited.char_start is None else f", characters {cited.char_start}-{cited.char_end}"
        lines.append(f"[{cited.number}] {cited.source}: {cited.title}{where}")
        path = passages[cited.number].path or ("" if cited.chunk_id is not None else passages[cited.number].text)
        lines += [f"    {' '.join(path.split())}"] if show_path and path else []
    return lines


def meant(step: Step) -> str:
    """What a described part of a question stands for."""
    shown = [f"{found.name}{f' ({found.value})' if found.value else ''}" for found in step.nodes[:5]]
    names = ", ".join(shown) + (", …" if len(step.nodes) > 5 else "")
    return f"{step.text}: {names or 'nothing'} ({counted(step.found, 'node')})"


def traced(step: Step) -> dict[str, Any]:
    """A step for a program."""
    return {
        "text": step.text,
        "role": step.role,
        "nodes": [asdict(found) for found in step.nodes],
        "found": step.found,
        "pattern": step.retrieval.policy.walk.pattern,
        "run": step.retrieval.run,
        "steps": [traced(inner) for inner in step.retrieval.steps],
    }


def units(found: Retrieval) -> list[dict[str, Any]]:
    """Kept units of evidence, those of a text with the window of it that an answer would read.

    Where the answers stand by themselves, as all of a kind do, without an edge that leads to them, they are the units.
    """
    windows = {passage.chunk_id: passage for passage in reversed(found.context.passages)}
    rows: list[dict[str, Any]] = []
    for unit in found.to_arrow().drop_columns(["question_id", "kept", "pruned_by"]).to_pylist():
        window = windows.get(unit["chunk_id"]) if unit["chunk_id"] is not None else None
        unit["path"] = window.path if window else None
        unit["title"] = window.title if window else None
        unit["char_start"], unit["char_end"] = (window.char_start, window.char_end) if window else (None, None)
        rows.append({**unit, "text": unit.pop("fact") or (window.text if window else None)})
    return rows or (answering_units(found.refined) if found.refined else [])


def answering_units(refined: Refined) -> list[dict[str, Any]]:
    """Refined answers in the columns of units."""
    told = ("source", "chunk_id", "path_id", "score", "cosine", "path", "title", "char_start", "char_end")
    return [
        {
            "rank": rank,
            "unit_kind": "node",
            "unit_id": answer.node_id,
            "role": "answer",
            **dict.fromkeys(told),
            "text": line,
        }
        for rank, (answer, line) in enumerate(zip(refined.answers, refined.lines, strict=True), 1)
    ]


def block(passage: Passage) -> str:
    """A passage as it is read, lines and all."""
    return f"[{passage.number}] {passage.title}: {passage.text}"


def size(found: Retrieval) -> str:
    """How much an answer would read, and what the budget left out."""
    told = f"about {counted(found.context.tokens, 'token')} of context"
    return f"{told} ({', '.join(found.context.cut)})" if found.context.cut else told


BRIEF = ("number", "rank", "score", "role", "unit_kind", "unit_id", "source", "title", "text")


def brief(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns a person looks at first, without those that say nothing in any row: a screen is narrow."""
    said = [name for name in BRIEF if any(row.get(name) not in (None, "") for row in rows)]
    return [{name: row[name] for name in said} for row in rows]


def told(asked: Asked) -> dict[str, Any]:
    """The answer for a program; `passages` are the very ones it was made from."""
    found = asked.retrieval
    return {
        "question": found.question,
        "answer": asked.answer.text,
        "found": asked.found,
        "reason": asked.answer.reason,
        "method": asked.answer.method,
        "citations": [asdict(cited) for cited in asked.citations],
        "removed_citations": asked.answer.removed_citations,
        "passages": [asdict(passage) for passage in found.context.passages],
        "context_hash": found.context.fingerprint,
        "context_tokens": found.context.tokens,
        "context_cut": list(found.context.cut),
        "answers": [asdict(item) for item in found.answers],
        "support": found.context.support,
        "overlap": found.context.overlap,
        "operator": found.policy.walk.operator,
        "operator_reason": found.analysis.operator_reason,
        "stop_reason": found.walk.stop_reason,
        "cuts": list(found.cuts),
        "policy": found.policy.model_dump(),
        "targets": [told_target(target) for target in found.analysis.targets],
        "analyzer": found.analysis.analyzer,
        "signals": dict(found.analysis.signals),
        "facets": list(found.analysis.facets),
        "risk": found.analysis.risk,
        "rationale": found.analysis.rationale,
        "corrections": [asdict(correction) for correction in found.analysis.corrections],
        "steps": [traced(step) for step in found.steps],
        "milliseconds": sum(stage.milliseconds for stage in found.stages),
        "run": asked.run,
    }
