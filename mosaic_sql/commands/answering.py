"""`mosaic bench answers`: how good the answers are on data of one's own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from mosaic_sql.bench import answers as benchmark
from mosaic_sql.bench import dataset as datasets
from mosaic_sql.bench.answers import METHODS, USUAL, Result, Told, Weighing
from mosaic_sql.bench.dataset import Dataset
from mosaic_sql.bench.indexing import Settings
from mosaic_sql.bench.judge import CRITERIA, Counted, Judge
from mosaic_sql.commands import options
from mosaic_sql.commands.output import emit_json, write_text
from mosaic_sql.commands.places import check_place
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import PARTLY_DONE, note
from mosaic_sql.models import load_chat
from mosaic_sql.pipeline.controls import PolicyLike
from mosaic_sql.text import counted

_HEADS = {
    "EM": "EM", "F1": "F1", "contains": "contains", "recall": "recall", "context": "context", "refused": "refused",
    "false_refused": "falsely", "honest_refused": "honestly", "right_refused": "rightly", "cited": "cited",
    "cites_gold": "cites gold", "statements": "statements", **{f"won_{name}": name[:10] for name in CRITERIA},
}  # fmt: skip


@dataclass(frozen=True)
class _Models:
    """Who answers and who judges; what both did is counted. Where it is `dry`, nothing is sent."""

    model: Counted | None
    judge: Judge | None
    dry: bool

    def usage(self) -> dict[str, dict[str, Any]]:
        """Calls, tokens and failures of each."""
        found = {"model": self.model, "judge": self.judge.model if self.judge else None}
        return {role: chat.usage() for role, chat in found.items() if chat is not None}


def _systems(ctx: click.Context, param: click.Parameter, value: str) -> dict[str, PolicyLike]:
    """Names of policies and files of them."""
    systems: dict[str, PolicyLike] = {}
    for part in (part.strip() for part in value.split(",")):
        if part in METHODS:
            systems[part] = METHODS[part]
        elif Path(part).is_file():
            systems[part] = options.policy_file(part)
        else:
            raise click.BadParameter(f"unknown {part!r}; one of {', '.join(METHODS)}, or a JSON file", ctx, param)
    return systems


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--db", type=click.Path(path_type=Path), metavar="FILE",
              help="A corpus to ask as it is; where there is none, the index of DIR is kept here.")  # fmt: skip
@click.option("--methods", "systems", callback=_systems, default=",".join(USUAL), show_default=True,
              metavar="NAME,...", help=f"Of {', '.join(METHODS)}; or JSON files of policies.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N questions of each DIR.")
@options.model
@options.base_url
@click.option("--judge", metavar="NAME", help="A chat model that compares the answers with the gold.")
@click.option("--judge-base-url", metavar="URL", help="The judge's server, where it is another than --base-url.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the order in which the judge sees answers.")
@click.option("--each", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Also write every answer there, one JSON object a line.")  # fmt: skip
@click.option("--embedder", default="minilm", show_default=True, metavar="NAME", help="As in `mosaic add`.")
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="DuckDB's threads; by default as many as pay.")
@options.dry_run
@click.option("--json", "as_json", is_flag=True, help="A list of rows, seed and token counts included.")
def answers(
    folders: tuple[Path, ...],
    systems: dict[str, PolicyLike],
    dry_run: bool,
    as_json: bool,
    seed: int,
    each: Path | None,
    **given: Any,
) -> None:
    """What the answers hold of the gold, what is refused, and what the citations point to, in percent.

    DIR holds questions.jsonl ({id, question, answers, kind}) and corpus.jsonl ({id, title, text}) or corpus.txt;
    answers lists the variants of the gold, [] where the corpus holds none: such a question counts for rightly refused
    alone. Gold of at most six words is short: EM and F1 are SQuAD's, contains says
    that it stands in the answer (quoted answers are sentences, so look at this one). recall is the share of a longer
    gold's content words. context: the passages hold the gold. falsely refused: they do, and yet no answer. cites
    gold: of all citations, those whose passage holds it. Yes and no stand in no text: such gold counts for EM and F1
    alone. A judge adds the F1 of shared statements and, between several methods, who is best by five criteria; it
    sees the answers shuffled, under letters.

    \b
    Example:
      mosaic bench answers questions/ --limit 50
      mosaic bench answers questions/ --db papers.duckdb --methods default,mosaic --json > rows.json
      mosaic bench answers questions/ --model llama3.2 --base-url http://localhost:11434/v1 --judge llama3.2 --dry-run
    """
    check_place("each")
    loaded = _loaded(folders, given)
    models = _models(given, dry_run=dry_run)
    told = {dataset.name: _told(dataset, systems, models, seed, given) for dataset in loaded}
    if dry_run:
        judged = sum(bool(question.answers) for dataset in loaded for question in dataset.questions)
        _print_cost(models, judged, len(systems))
        return
    if each is not None:
        lines = [json.dumps({"dataset": name} | item.to_dict()) for name, items in told.items() for item in items]
        write_text(each, "\n".join([*lines, ""]))
    _show(told, models, seed, as_json=as_json)
    failed = sum(usage["failures"] for usage in models.usage().values())
    click.get_current_context().exit(PARTLY_DONE if failed else 0)


def _loaded(folders: Sequence[Path], given: Mapping[str, Any]) -> list[Dataset]:
    ready = _is_there(given["db"])
    if given["db"] is not None and not ready and len(folders) > 1:
        raise click.UsageError("--db keeps one corpus; give one DIR, or a FILE that holds the passages already")
    found = [datasets.load_gold(folder, with_passages=not ready).first(given["limit"]) for folder in folders]
    return datasets.told_apart(found, folders)


def _is_there(db: Path | None) -> bool:
    return db is not None and db.exists()


def _models(given: Mapping[str, Any], *, dry_run: bool) -> _Models:
    """The models asked for; in a dry run their stand-ins, which send nothing."""
    name, judge = (None if given[role] in (None, "", "none") else given[role] for role in ("model", "judge"))
    if dry_run:
        return _Models(Counted(Weighing(name)) if name else None, Judge(Weighing(judge)) if judge else None, dry=True)
    base_url = given["base_url"]
    judge_url = given["judge_base_url"] or base_url
    return _Models(
        Counted(load_chat(name, base_url=base_url)) if name else None,
        Judge(load_chat(judge, base_url=judge_url)) if judge else None,
        dry=False,
    )


def _told(
    dataset: Dataset, systems: Mapping[str, PolicyLike], models: _Models, seed: int, given: Mapping[str, Any]
) -> list[Told]:
    settings = Settings(embedder=given["embedder"], threads=given["threads"])
    db = None if models.dry and not _is_there(given["db"]) else given["db"]
    note(f"{dataset.name}: {len(dataset.questions):,} questions")
    with progress() as report, benchmark.corpus_for(dataset, settings, db=db, progress=report) as corpus:
        told = benchmark.ask(corpus, dataset.questions, systems, model=models.model, progress=report)
        if models.judge is None or models.dry:
            return told
        return benchmark.judged(told, models.judge, seed=seed, progress=report)


def _print_cost(models: _Models, questions: int, systems: int) -> None:
    """What a run would send, as data; nothing was sent. `questions` have an answer for a judge to compare with."""
    if models.model is not None:
        tokens = f"about {models.model.prompt_tokens:,} tokens read"
        click.echo(f"{models.model.name} would be asked {counted(models.model.calls, 'time')}, {tokens}")
    if models.judge is not None:
        most = benchmark.judge_calls(questions, systems)
        click.echo(f"{models.judge.model.name} would judge in at most {counted(most, 'call')}")
    if not models.usage():
        click.echo("nothing would be sent: no --model and no --judge")


def _show(told: Mapping[str, Sequence[Told]], models: _Models, seed: int, *, as_json: bool) -> None:
    by_judge = models.judge is not None
    rows = [row for name, items in told.items() for row in benchmark.results(name, items, by_judge=by_judge)]
    if as_json:
        emit_json([row.to_dict() | {"seed": seed, "usage": models.usage()} for row in rows])
    else:
        _print(rows)
    for role, usage in models.usage().items():
        tokens = f"{usage['prompt_tokens']:,} tokens read, {usage['completion_tokens']:,} written"
        note(f"{role} {usage['model']}: {counted(usage['calls'], 'call')}, {tokens}, {usage['failures']} failed")
    if by_judge:
        note(f"order of the answers: --seed {seed}")


def _print(rows: Sequence[Result]) -> None:
    """A heading where the data set changes; a measure that counts nowhere has no column."""
    for dataset in dict.fromkeys(row.dataset for row in rows):
        own = [row for row in rows if row.dataset == dataset]
        shown = [name for name in _HEADS if any(row.measures.get(name) is not None for row in own)]
        methods = max(6, *(len(row.method) for row in own))
        kinds = max(4, *(len(row.kind) for row in own))
        click.echo(("" if own[0] is rows[0] else "\n") + dataset)
        heads = "".join(f"{_HEADS[name]:>{_width(name)}}" for name in shown)
        click.echo(f"{'method':{methods}}  {'kind':{kinds}}{'n':>6}{heads}{'p50 ms':>10}")
        for row in own:
            cells = "".join(f"{_cell(row.measures[name]):>{_width(name)}}" for name in shown)
            click.echo(f"{row.method:{methods}}  {row.kind:{kinds}}{row.questions:6}{cells}{row.p50_ms:10.1f}")


def _width(name: str) -> int:
    return max(7, len(_HEADS[name]) + 2)


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
