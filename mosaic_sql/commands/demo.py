"""`mosaic demo`: build a corpus of the sample data, and show each way of walking on a real question."""

from __future__ import annotations

import re
import shlex
import tempfile
import textwrap
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

import mosaic_sql
from mosaic_sql.commands.asking import how
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import note, printable
from mosaic_sql.errors import StoreError
from mosaic_sql.pipeline import Asked, Corpus

WIDTH = 100
SQL_LINES = 20
ANSWER_LINES = 4
RULE = "── "


@dataclass(frozen=True)
class Scene:
    """A question, what it shows, and the options it is asked with."""

    title: str
    question: str
    options: tuple[str, ...] = ()
    policy: dict[str, Any] | None = field(default=None)
    shows_sql: bool = False
    quick: bool = False


SCENES = (
    Scene(
        "a bridge from text to text",
        "In which town was the physicist born who identified technetium together with Carlo Perrier?",
        shows_sql=True,
        quick=True,
    ),
    Scene("a chain of relations", "Which awards did the discoverers of argon receive?", quick=True),
    Scene("how two things are related", "How are Yttrium and Erbium related?"),
    Scene("whether something is so", "Did Marie Curie and Pierre Curie receive the same award?"),
    Scene("all about one thing", "Who was Marie Curie?", ("--operator", "bfs"), {"operator": "bfs"}),
    Scene(
        "the scored beam of the MOSAIC paper",
        "At which school did the discoverer of germanium teach?",
        ("--policy", "mosaic"),
        {"policy": "mosaic"},
    ),
    Scene("nothing to be found", "Who won the 1998 football World Cup?", quick=True),
)


@click.command()
@click.option("--dir", "folder", metavar="DIR", type=click.Path(file_okay=False), help="Keep the file in DIR.")
@click.option("--quick", is_flag=True, help="Three questions in place of seven.")
def demo(folder: str | None, quick: bool) -> None:
    """Build a corpus of the sample data and ask it seven questions, each walked in another way.

    \b
    Example:
      mosaic demo
      mosaic demo --dir ~/mosaic-demo --quick
    """
    path = place(folder)
    note(f"building {path} from the sample data: 48 documents and a graph, in one file")
    show(built(path))
    with mosaic_sql.open(path, read_only=True) as corpus:
        for number, scene in enumerate([scene for scene in SCENES if scene.quick or not quick], start=1):
            show(played(corpus, path, number, scene))
    show(closing(path))


def show(lines: Iterable[str]) -> None:
    """Lines to stdout, headings bold on a terminal."""
    for line in lines:
        click.echo(click.style(printable(line), bold=line.startswith(RULE)))


def sample_data() -> Path:
    """The sample data: in the installed package, or at the top of a checkout.

    Raises:
        StoreError: neither is there.
    """
    package = Path(mosaic_sql.__file__).parent
    for folder in (package / "sample_data", package.parent / "sample_data"):
        if (folder / "questions.jsonl").is_file():
            return folder
    raise StoreError("the sample data is not installed; run the demo from a checkout, or install the package again")


def place(folder: str | None) -> Path:
    """Where the demo's file goes; a temporary folder stays, so that its commands can be tried afterwards."""
    chosen = Path(folder) if folder else Path(tempfile.mkdtemp(prefix="mosaic-demo-"))
    try:
        chosen.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{chosen} cannot be made: {error.strerror}") from error
    return chosen / "elements.duckdb"


def built(path: Path) -> Iterator[str]:
    """Build the file, or bring an earlier one up to date, and say what is in it."""
    data, started = sample_data(), time.perf_counter()
    with mosaic_sql.open(path) as corpus, progress() as report:
        corpus.add(data / "documents", progress=report)
        corpus.import_graph(nodes=data / "graph" / "nodes.csv", edges=data / "graph" / "edges.csv", progress=report)
        told = corpus.stats()
    counts = ", ".join(f"{told[name]} {name}" for name in ("documents", "chunks", "nodes", "edges"))
    yield f"{counts}; embedded by {told['embedder']}, on this machine; {time.perf_counter() - started:.1f} s"


# -- one scene -------------------------------------------------------------------------------------------------------


def played(corpus: Corpus, path: Path, number: int, scene: Scene) -> Iterator[str]:
    """A scene as lines of at most WIDTH characters."""
    asked = corpus.ask(scene.question, policy=scene.policy)
    yield ""
    yield f"{RULE}{number}. {scene.title} {'─' * (WIDTH - 7 - len(scene.title))}"
    yield from _field("question", scene.question)
    yield from _field("walk", how(asked.retrieval))
    yield from _field("policy", _policy(asked))
    for step in _paths(asked):
        yield from _field("path", step)
    if scene.shows_sql:
        yield from _field("SQL", "the walk is one statement; how its recursive part begins:")
        yield from _statement(asked)
    yield ""
    shown = asked.text.splitlines()[:ANSWER_LINES]
    for line in shown:
        yield from _wrapped(line, first="  ", then="  ")
    if asked.answer.reason:
        yield from _wrapped(f"({asked.answer.reason})", first="  ", then="  ")
    for line in _sources(asked, " ".join(shown)):
        yield from _wrapped(line, first="    ", then="        ")
    yield ""
    yield from _command("ask", path, scene.question, *scene.options)


def _policy(asked: Asked) -> str:
    policy = asked.policy
    pattern = f", pattern {policy.walk.pattern}" if policy.walk.pattern else ""
    return (
        f"seeds {policy.seed.seed_limit}, depth {policy.walk.max_depth}, width {policy.walk.beam_width}, "
        f"evidence {policy.evidence.evidence_count}{pattern}"
    )


def _paths(asked: Asked) -> list[str]:
    """How the walk came to what the answer cites; for an answer of the graph the facts are the paths."""
    if not asked.found:
        return []
    cited = {citation.number for citation in asked.citations}
    passages = [passage for passage in asked.retrieval.context.passages if passage.number in cited]
    steps = [
        passage.path or (passage.text if passage.role == "path" and passage.chunk_id is None else "")
        for passage in passages
    ]
    return [" ".join(step.split()) for step in steps if step][:2]


def _statement(asked: Asked) -> Iterator[str]:
    walk = next(query.sql for query in asked.retrieval.statements if query.stage == "walk")
    lines = [line for line in walk.splitlines() if not re.fullmatch(r"\s*/\*.*\*/\s*", line)]
    step = next(place for place, line in enumerate(lines) if line.strip() == "UNION ALL")
    for line in [*lines[:2], "    …", *lines[step : step + SQL_LINES]]:
        yield f"    {line}" if len(line) <= WIDTH - 4 else f"    {line[: WIDTH - 5]}…"
    yield f"    … {len(lines)} lines in all; every stage with its values: mosaic sql DB QUESTION"


def _sources(asked: Asked, shown: str) -> list[str]:
    """The documents that the shown lines cite."""
    return [
        f"[{cited.number}] {cited.source}: {cited.title}, characters {cited.char_start}-{cited.char_end}"
        for cited in asked.citations
        if cited.chunk_id is not None and f"[{cited.number}]" in shown
    ]


def _command(verb: str, path: Path, text: str, *more: str) -> list[str]:
    """A command line to copy; broken the way a shell takes it where it is long."""
    start, end = f"  $ mosaic {verb} {shlex.quote(str(path))}", " ".join([shlex.quote(text), *more])
    whole = f"{start} {end}"
    return [whole] if len(whole) <= WIDTH else [f"{start} \\", f"      {end}"]


def _field(name: str, text: str) -> Iterator[str]:
    yield from _wrapped(text, first=f"{name:<10}", then=" " * 10)


def _wrapped(text: str, *, first: str, then: str) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=then, break_on_hyphens=False, max_lines=5, placeholder=" …"
    )


def closing(path: Path) -> list[str]:
    """Where the file lies and what to try on it."""
    return [
        "",
        f"{RULE}now you {'─' * (WIDTH - 11)}",
        f"The file is {path}",
        "It stays there. Three commands to try on it:",
        "",
        *_command("explain", path, "Where is the mineral located in which germanium was found?"),
        *_command("sql", path, "How are Germanium and Indium related?"),
        *_command("query", path, "TABLE document LIMIT 5"),
    ]
