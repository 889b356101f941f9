"""What a walk over relations found, in the form that its shape asks for (PolyG, section 1), within a token budget.

About an entity (`bfs`): entity table and relation table. Along a pattern (`meta_path`): the pattern, the entity table
of anchors and answers, and the relations that lead to the answers. Between two ends: a list of paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from mosaic_sql.context import cells, pieces
from mosaic_sql.context.rows import EntityRow, NeighbourRow, PathRow, Rows
from mosaic_sql.context.tables import LINE_TOKENS, Budget, Line, Lines
from mosaic_sql.database import Database
from mosaic_sql.pattern import parse
from mosaic_sql.policy import Policy
from mosaic_sql.records import Found, GraphPath, Passage
from mosaic_sql.text import counted, token_count

JOINING = ("shortest_path", "constrained_shortest_path")
_ROW_TOKENS = 3
"""What the shortest row takes: no more rows are read than the budget could hold."""


@dataclass(frozen=True)
class Facts:
    """What the stage tables hold of the graph: passages, numbered from 1; the paths they show; what was cut.

    `matched` tells that a typed walk ended somewhere, so that the graph itself answers.
    """

    passages: tuple[Passage, ...] = ()
    paths: tuple[GraphPath, ...] = ()
    cut: tuple[str, ...] = ()
    matched: bool = False


NO_FACTS = Facts()


def facts(
    database: Database,
    question_ids: Iterable[int],
    policy: Policy,
    found: Mapping[int, Sequence[Found]],
    told: Mapping[int, Sequence[tuple[str, str]]] | None = None,
) -> dict[int, Facts]:
    """What the stage tables hold of the graph for each question, written out.

    `found` are the answers of its walk, `told` (role, text) what comes before: refined answers, and what steps found.
    """
    numbers = list(question_ids)
    limit = policy.context.context_tokens // _ROW_TOKENS
    given = {
        "answers": [
            {"question_id": number, "node_id": node_id, "place": place}
            for number in numbers
            for place, node_id in enumerate(list(dict.fromkeys(f.node_id for f in found.get(number, ())))[:limit])
        ],
        "row_limit": limit,
    }
    operator = policy.walk.operator
    described = [] if operator in JOINING else database.rows("context.entities", **given)
    neighbours = database.rows("context.neighbours", row_limit=limit) if operator == "bfs" else []
    paths = [] if operator == "bfs" else database.rows("context.paths", **given, beside=_beside(policy))
    by_question = [_by_question(rows) for rows in (described, neighbours, paths)]
    results: dict[int, Facts] = {}
    for number in numbers:
        own = [rows.get(number, []) for rows in by_question]
        rows = Rows(
            [EntityRow(*row) for row in own[0]],
            [NeighbourRow(*row) for row in own[1]],
            [PathRow(*row) for row in own[2]],
            found.get(number, ()),
            (told or {}).get(number, ()),
        )
        results[number] = _written(rows, policy)
    return results


def _beside(policy: Policy) -> str:
    """Which other edges between two names are told: how they are related by any, when A won B by those of that kind.

    None are looked up where no path can have one step.
    """
    walk = policy.walk
    if walk.operator == "shortest_path" and walk.direction == "either":
        return "any"
    is_one = walk.operator == "constrained_shortest_path" and parse(str(walk.pattern)).min_length <= 1
    return "same" if is_one else "none"


def _by_question(rows: Iterable[tuple[Any, ...]]) -> dict[int, list[tuple[Any, ...]]]:
    return {number: [row[1:] for row in own] for number, own in groupby(rows, key=lambda row: row[0])}


def _written(rows: Rows, policy: Policy) -> Facts:
    """Anchors first, within half of the budget; lines and the other entities share what is left."""
    context, operator = policy.context, policy.walk.operator
    names = cells.told_apart(rows.nodes(), context.cell_chars)
    lines, unseen = _lines(rows, names, policy), Lines(pieces.unseen(rows.neighbours, names))
    table = pieces.table(rows.entities, names, context)
    head = _pattern(rows, policy, names) if operator == "meta_path" else ""
    budget = Budget(context.context_tokens)
    budget.left -= min(budget.left, token_count(head) + 2 * LINE_TOKENS)
    before = _afforded(rows.told, budget)
    table.anchors(budget)
    first = Budget(budget.left // 2 if table.waiting else budget.left)
    rest = Budget(budget.left - first.left)
    lines.fill(first)
    rest.left += first.left
    table.fill(rest)
    lines.fill(rest)
    unseen.fill(rest)
    whole = _whole(rows, operator)
    head += f", {lines.taken:,} of them below" if head and lines.taken < whole else ""
    texts = [*before, ("pattern", head), *(("entity", text) for text in table.texts())]
    passages, paths = _numbered(
        [text for text in texts if text[1]],
        [*lines.finished(), *unseen.finished()],
        title="path" if operator in JOINING else "relation",
        left=whole - lines.taken if operator in JOINING else 0,
    )
    matched = operator != "beam" and bool(rows.paths or rows.neighbours)
    return Facts(tuple(passages), tuple(paths), _cut(lines.taken, whole, table.hidden, operator), matched)


def _afforded(told: Sequence[tuple[str, str]], budget: Budget) -> list[tuple[str, str]]:
    """The first of what is told before the rows, within half of the budget; at least one."""
    taken: list[tuple[str, str]] = []
    half = budget.left // 2
    for role, line in told:
        cost = token_count(line) + LINE_TOKENS
        if taken and cost > half:
            break
        half -= cost
        budget.left -= min(budget.left, cost)
        taken.append((role, line))
    return taken


def _lines(rows: Rows, names: Mapping[int, str], policy: Policy) -> Lines:
    """What the walk went over, to be filled."""
    operator, limit = policy.walk.operator, policy.context.cell_chars
    if operator == "bfs":
        return Lines(pieces.walked(rows.neighbours, names, limit))
    return Lines(pieces.ended(rows.paths, names, limit, joining=operator in JOINING))


def _cut(taken: int, whole: int, hidden: int, operator: str) -> tuple[str, ...]:
    """What is not shown, a remark each."""
    what = "relations" if operator == "bfs" else "paths"
    cut = [f"{taken:,} of {whole:,} {what} shown"] if taken < whole else []
    return (*cut, *([f"{hidden:,} entities left out"] if hidden > 0 else []))


def _pattern(rows: Rows, policy: Policy, names: Mapping[int, str]) -> str:
    """The path pattern, where it was walked from, and how many answers it has."""
    starts = "; ".join(dict.fromkeys(names[path.node_ids[0]] for path in rows.paths[:50]))
    return f"{policy.walk.pattern} from {starts} leads to {counted(len(rows.found), 'answer')}" if rows.paths else ""


def _whole(rows: Rows, operator: str) -> int:
    """How many relations, answers or paths there are, shown or not."""
    if operator == "bfs":
        return sum({(row.head_id, row.relation_id, row.forward): row.total for row in rows.neighbours}.values())
    return max(len(rows.found), max((row.total for row in rows.paths), default=0))


def _numbered(
    texts: Sequence[tuple[str, str]], lines: Sequence[Line], *, title: str, left: int
) -> tuple[list[Passage], list[GraphPath]]:
    """Passages from 1, `texts` with their titles and then one per line; and the paths with their passages' numbers.

    How many paths are left out is told at the end.
    """
    passages = [_passage(number, text, kind, kind) for number, (kind, text) in enumerate(texts, start=1)]
    paths: list[GraphPath] = []
    for number, line in enumerate(lines, start=len(passages) + 1):
        passage = _passage(number, str(line), title, "path", line.first.score)
        passages.append(replace(passage, edge_ids=line.edge_ids))
        paths += [replace(piece.path, number=number) for piece in line.pieces if piece.path is not None]
    if paths and left > 0:
        passages[-1] = replace(passages[-1], text=f"{passages[-1].text}\nand {counted(left, 'more path')}")
    return passages, paths


def _passage(number: int, text: str, title: str, role: str, score: float = 1.0) -> Passage:
    return Passage(number, text, "graph", title, None, None, None, score, role)
