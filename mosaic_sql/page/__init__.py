"""A retrieval as one page that needs nothing else: no script, no link, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.page.drawing import drawing
from mosaic_sql.page.frame import framed
from mosaic_sql.pipeline.explanation import Explanation, missed, refine_line, step_lines
from mosaic_sql.policy import Policy, default_policy
from mosaic_sql.records import RenderedQuery

__all__ = ["page"]

_ALWAYS = ("operator", "seed_limit", "max_depth", "beam_width", "evidence_count")


def page(told: Explanation) -> str:
    """The page's HTML; whatever comes from the corpus, the question or a model is escaped."""
    used = frozenset(unit["path_id"] for unit in told.evidence if unit["path_id"] is not None)
    return framed(
        __name__,
        told.question,
        how=escape(f"{told.operator}: {told.operator_reason}. {told.stop_reason}. Run as: {told.form}."),
        parts=_parts(told),
        analysis=_analysis(told),
        seeds=_seeds(told),
        walk=_walk(told, used),
        evidence=_evidence(told),
        passages=_passages(told),
        sql=_statements(told.statements),
        times=_times(told),
    )


# -- parts -----------------------------------------------------------------------------------------------------------


def _parts(told: Explanation) -> str:
    """What was resolved before, and what a reader has to know of the result."""
    steps = "".join(
        f"<details><summary>{escape(' '.join(step_lines(step)[0].split()))}</summary>"
        f'<pre tabindex="0"><code>{escape(step.sql)}</code></pre></details>'
        for step in told.steps
    )
    notes = [*told.remarks, *([told.unresolved] if told.unresolved else []), *(f"bound: {cut}" for cut in told.cuts)]
    notes += [f"after the walk: {refine_line(told.refined)}"] if told.refined else []
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return steps + (f'<ul class="notes">{listed}</ul>' if listed else "")


def _seeds(told: Explanation) -> str:
    rows = [(s["score"], s["name"], f"{s['item_kind']} {s['item_id']}", s["target"], s["why"]) for s in told.seeds]
    searched = "; ".join(f"“{s.text}”" for s in told.searched if s.role == "seed")
    title = f"Where the walk starts{', searched with ' if searched else ''}{searched}"
    return _table(title, ("score", "seed", "item", "for", "why"), rows) if rows else ""


def _analysis(told: Explanation) -> str:
    signals = [f"<li><b>{escape(name.replace('_', ' '))}</b> {value}</li>" for name, value in told.signals.items()]
    targets = [
        f"<li><b>{escape(t['name'])}</b> {escape(', '.join(t['nodes'][:3]))}, "
        f"weight {t['weight']:g}, {escape(t['why'])}</li>"
        for t in told.targets
    ]
    chosen, others = _controls(told)
    parts = [
        _chips("Policy", chosen),
        f"<details><summary>{len(others)} more controls, as by default</summary>"
        f'<ul class="chips">{"".join(others)}</ul></details>',
    ]
    parts += [_chips(f"Signals, read by {escape(told.analyzer)}", signals)]
    parts += [_chips("Names in the question", targets)] if targets else []
    parts += [_chips("Asked of them", [f"<li>{escape(facet)}</li>" for facet in told.facets])] if told.facets else []
    parts += [
        _table(
            "What an analyzer proposed and was not used",
            ("control", "proposed", "used", "why"),
            [(c["field"], c["proposed"], c["used"], c["reason"]) for c in told.corrections],
        )
        if told.corrections
        else ""
    ]
    return "\n".join(parts)


def _controls(told: Explanation) -> tuple[list[str], list[str]]:
    """Chips of the controls: the operator and those that differ from its default, then the others."""
    default = default_policy(told.operator).model_dump()
    chosen, others = list[str](), list[str]()
    for part, controls in told.policy.items():
        fields = type(getattr(Policy(), part)).model_fields
        for name, value in controls.items():
            if isinstance(value, dict) or value is None:
                continue
            says = escape(fields[name].description or "", quote=True)
            chip = f'<li title="{says}"><b>{escape(name)}</b> {escape(_said(value))}</li>'
            (chosen if name in _ALWAYS or value != default[part].get(name) else others).append(chip)
    return chosen, others


def _chips(title: str, items: Iterable[str]) -> str:
    return f'<h3>{title}</h3>\n<ul class="chips">{"".join(items)}</ul>'


def _walk(told: Explanation, used: frozenset[int]) -> str:
    depths = _table(
        "What happened at each depth",
        (
            "depth",
            "from",
            "looked at",
            "kept",
            "dropped, by rule",
            "best",
            "worst kept",
            "best dropped",
            "gain",
            "completeness",
        ),
        [
            (
                d.depth,
                d.rows_in,
                d.evaluated,
                d.kept,
                ", ".join(f"{count} {rule}" for rule, count in sorted(d.pruned.items())),
                d.best_score,
                d.worst_score,
                d.best_dropped,
                d.gain,
                d.completeness,
            )
            for d in told.depths
        ],
    )
    steps = _table(
        "The paths drawn, best first",
        ("depth", "path", "from", "over", "reached", "score", "kept", "terms of the score"),
        [
            (
                *(s.depth, s.path_id, s.parent_id, s.over, s.name, s.score),
                "yes" if s.kept else f"no: {s.pruned_by}",
                ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in s.terms.items()),
            )
            for column in told.walk
            for s in column.hops
        ],
    )
    legend = "Green leads to kept evidence, blue was kept, dashed was dropped. A box tells its score when pointed at."
    return (
        f'{depths}<p class="soft">{legend}</p>{_scroll("The walk drawn", drawing(told.walk, used))}'
        f"<details><summary>The same as a table, with the terms of each score</summary>{steps}</details>"
    )


def _evidence(told: Explanation) -> str:
    columns = ("place", "score", "role", "unit", "source")
    kept = [(u["rank"], u["score"], u["role"], _unit(u), u["source"]) for u in told.evidence]
    dropped = [(u["rank"], u["score"], u["pruned_by"], _unit(u), u["source"], missed(u)) for u in told.dropped]
    shown = _table(f"Kept, {len(kept)}", columns, kept) if kept else "<p>No unit was kept.</p>"
    if told.refined and not kept:
        shown = "<p>The answers stand by themselves: no edge leads to them.</p>"
    if not dropped:
        return shown
    names = ("place", "score", "rule", "unit", "source", "by how much")
    return shown + _table("Dropped, the nearest first", names, dropped)


def _unit(unit: Mapping[str, Any]) -> str:
    return unit["fact"] or f"{unit['unit_kind']} {unit['unit_id']}"


def _passages(told: Explanation) -> str:
    asked = frozenset(words.stems(told.question))
    articles = []
    for p in told.passages:
        path = f'<p class="soft">reached by {escape(p["path"])}</p>' if p["path"] else ""
        articles.append(
            f'<article class="{escape(p["role"], quote=True)}"><h3>[{p["number"]}] {escape(p["title"])} '
            f'<span class="soft">{escape(p["source"])}, {escape(p["role"])}</span></h3>{path}'
            f"<p>{_marked(p['text'], asked)}</p></article>"
        )
    return "\n".join(articles) or "<p>Nothing was found.</p>"


def _marked(text: str, stems: frozenset[str]) -> str:
    """The text with the question's words marked."""
    pieces, at = list[str](), 0
    for token in words.tokens(text):
        if token.start >= at and token.form not in words.STOP_WORDS and words.stem(token.form) in stems:
            pieces += [escape(text[at : token.start]), f"<mark>{escape(text[token.start : token.end])}</mark>"]
            at = token.end
    return "".join([*pieces, escape(text[at:])])


def _statements(statements: Sequence[RenderedQuery]) -> str:
    return "\n".join(
        f"<details><summary>{escape(query.stage or '')}: <code>{escape(query.name)}</code></summary>"
        f'<pre tabindex="0"><code>{escape(query.sql)}</code></pre></details>'
        for query in statements
    )


def _times(told: Explanation) -> str:
    most = max((stage.milliseconds for stage in told.stages), default=0.0) or 1.0
    rows = "".join(
        f'<tr><td>{escape(s.stage)}</td><td class="number">{s.rows:,}</td><td class="number">{s.milliseconds:.1f}</td>'
        f'<td><span class="bar" style="width:{12 * s.milliseconds / most:.2f}rem"></span></td></tr>'
        for s in told.stages
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("stage", "rows", "ms", "beside the longest"))
    return _scroll("Milliseconds", f"<table><caption>Milliseconds</caption><tr>{head}</tr>{rows}</table>")


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table without the columns that say nothing in any row."""
    lines = [*rows]
    places = [n for n in range(len(columns)) if not lines or any(line[n] not in (None, "") for line in lines)]
    head = "".join(f'<th scope="col">{escape(columns[n])}</th>' for n in places)
    body = "".join(f"<tr>{''.join(_cell(line[n]) for n in places)}</tr>" for line in lines)
    return _scroll(title, f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{body}</table>")


def _scroll(name: str, content: str) -> str:
    """What may be wider than the screen, within reach of a keyboard."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(name, quote=True)}">{content}</div>'


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f'<td class="number">{value:,.3f}</td>'
    kind = ' class="number"' if isinstance(value, int) and not isinstance(value, bool) else ""
    return f"<td{kind}>{escape(_said(value))}</td>"


def _said(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:,.3f}".rstrip("0").rstrip(".")
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value) or "none"
    return str(value)
