"""`mosaic bench polyg`: the matrix of operators and question shapes over generated graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from mosaic_sql.bench.polyg import matrix, paper, report
from mosaic_sql.bench.polyg.forms import SHAPES
from mosaic_sql.bench.polyg.graphs import GRAPHS
from mosaic_sql.bench.polyg.matrix import ADAPTIVE, FIXED, MODES, Measured, Settings
from mosaic_sql.bench.polyg.world import LEAST_SIZE
from mosaic_sql.commands.output import emit_json
from mosaic_sql.commands.progress import progress
from mosaic_sql.commands.shell import note

_SHORT = {"constrained_shortest_path": "constrained"}
_MEASURES = ("score", "exact", "precision", "recall", "verdict", "valid")


def _listed(known: Sequence[str]) -> Any:
    def read(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
        parts = tuple(part.strip() for part in value.split(","))
        for part in parts:
            if part not in known:
                raise click.BadParameter(f"unknown {part!r}; one of {', '.join(known)}", ctx, param)
        return tuple(name for name in known if name in parts)

    return read


@click.command()
@click.option("--graph", "chosen", type=click.Choice(GRAPHS), multiple=True, help="One or more; all by default.")
@click.option("--questions", type=click.IntRange(min=1), default=80, show_default=True, metavar="N",
              help="Questions a shape.")  # fmt: skip
@click.option("--size", type=click.IntRange(min=LEAST_SIZE), default=4000, show_default=True, metavar="NODES",
              help="Nodes of a graph.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of graphs and questions.")
@click.option("--modes", callback=_listed(MODES), default=",".join(MODES), show_default=True, metavar="NAME,...",
              help="What is given beside the question.")  # fmt: skip
@click.option("--operators", callback=_listed(FIXED), default=",".join(FIXED), show_default=True,
              metavar="NAME,...", help="Fixed operators beside the adaptive choice.")  # fmt: skip
@click.option("--embedder", default="minilm", show_default=True, metavar="NAME", help="As in `mosaic add`.")
@click.option("--wrong", type=click.IntRange(min=0), default=0, metavar="N",
              help="Also list N questions that the adaptive choice did not get whole.")  # fmt: skip
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="DuckDB's threads; by default as many as pay.")
@click.option("--json", "as_json", is_flag=True, help="A list of graphs, with rows, wins, confusion and wrong ones.")
def polyg(chosen: tuple[str, ...], wrong: int, as_json: bool, **given: Any) -> None:
    """Every fixed operator on every shape of question, and the choice per question, as PolyG's paper tests them.

    Graphs of its three schemas are generated, questions with them; gold is computed from the edges alone. Shapes are
    s** (about an entity), sp* (a named aspect), s*o (how two are related) and spo (whether and over what they are
    joined; half of the pairs are not). Modes: anchors+path gives anchors, shape and path; anchors gives those alone, so
    that the pattern comes from the words; plain is the question alone.

    score, in percent: of s** the neighbours named in the context, of sp* the F1 of the answer set, of s*o the ten
    shortest paths found, of spo the F1 of what joins the pair, or that nothing was found where nothing does.

    \b
    Example:
      mosaic bench polyg --graph academia --questions 20
      mosaic bench polyg --modes plain --wrong 10
      mosaic bench polyg --json > matrix.json
    """
    rows = []
    for graph in chosen or GRAPHS:
        with progress() as shown:
            measured = matrix.measure(Settings(graph, **given), progress=shown)
        if as_json:
            rows.append(report.to_dict(measured, wrong=wrong))
        else:
            _print(measured, wrong)
    if as_json:
        emit_json(rows)


def _print(measured: Measured, wrong: int) -> None:
    settings, world = measured.settings, measured.world
    nodes, edges = f"{len(world.nodes):,} nodes", f"{len(world.edges):,} edges"
    click.echo(f"{settings.graph}: {nodes}, {edges}, {settings.questions} questions a shape, --seed {settings.seed}")
    _print_cells(measured)
    _print_wins(measured)
    _print_confusion(measured)
    for mode, cost in report.choosing(measured).items():
        click.echo(
            f"choosing, {mode}: {cost['p50_ms']} ms at the median, {cost['share']} % of the time, "
            f"{cost['tokens']:g} tokens"
        )
    if measured.unknown:
        click.echo(f"anchors that do not exist: {measured.refused} of {measured.unknown} questions had no answer")
    for one in report.failures(measured)[:wrong]:
        told = one.to_dict(world)
        click.echo(f"  {told['mode']} {told['shape']} {told['score']:.2f}  {told['question']}")
        click.echo(f"    gold {told['gold_pattern'] or '-'}; ran {told['operator']} {told['pattern'] or ''}".rstrip())
        if told["refused"]:
            click.echo(f"    {told['refused']}")
    click.echo()


def _print_cells(measured: Measured) -> None:
    """A row a cell; the paper's figures stand beside the adaptive choice."""
    heads = "".join(f"{name:>10}" for name in _MEASURES)
    click.echo(f"{'mode':13}{'shape':6}{'method':14}{heads}{'tokens':>9}{'paper':>8}{'p50 ms':>9}{'paper s':>9}")
    for cell in report.cells(measured):
        measures = "".join(f"{_shown(cell[name]):>10}" for name in _MEASURES)
        name = _SHORT.get(cell["method"], cell["method"])
        costs = f"{cell['tokens']:9,.0f}{_shown(cell['paper_tokens'], ',.0f'):>8}{cell['p50_ms']:9.1f}"
        click.echo(
            f"{cell['mode']:13}{cell['shape']:6}{name:14}{measures}{costs}{_shown(cell['paper_s'], '.2f'):>9}".rstrip()
        )


def _shown(value: float | None, form: str = ".1f") -> str:
    return "" if value is None else format(value, form)


def _print_wins(measured: Measured) -> None:
    rows = report.wins(measured)
    if not rows:
        return
    won = sum(row["won"] for row in rows)
    click.echo(f"{ADAPTIVE} at least the best fixed operator in {won} of {len(rows)} rows")
    for row in rows:
        if not row["won"]:
            best = f"{row['best_fixed']} {row['best']}"
            click.echo(f"  below it: {row['mode']} {row['shape']}: {row['adaptive']}, {best}")
    if "anchors" in measured.settings.modes:
        note(f"F1 of the paper's guided walk on sp*: {100 * paper.F1[measured.settings.graph]:.0f}")


def _print_confusion(measured: Measured) -> None:
    """Rows are the shapes asked, columns the shapes chosen."""
    for mode, table in report.confusion(measured).items():
        chosen = [*SHAPES, *sorted({name for row in table.values() for name in row} - set(SHAPES))]
        click.echo(f"shapes chosen, {mode}" + "".join(f"{name:>10}" for name in chosen))
        for shape, row in table.items():
            click.echo(f"{'':>{15 + len(mode) - 5}}{shape:5}" + "".join(f"{row.get(name, 0):10}" for name in chosen))
