"""Answers of the graph: names with the facts they rest on, yes or no with a witness or the bound, a profile, paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from mosaic_sql.answer import quoted
from mosaic_sql.answer.middle import middle_names
from mosaic_sql.answer.results import cite, is_closed, no_answer, told_apart
from mosaic_sql.pattern import single_steps
from mosaic_sql.records import Analysis, Answer, Citation, Context, Found, Passage
from mosaic_sql.text import STOP_WORDS, counted, tokens

JOINING = ("shortest_path", "constrained_shortest_path")
_OPEN = frozenset("who whom whose which what where when how".split())
_NAMES = 50
_COUNTED = 10
"""Answers beyond which a list begins with its number."""
_FACTS = 6
_PATHS, _EDGES = 5, 30
_STEPS = 4
_PROFILE = 20
_LINE_CHARS = 300
_NOTHING = {"intersection": "nothing that holds for all", "difference": "nothing is left of what is reached"}
_PARTS = re.compile(r'(?:"[^"]*"|[^";]|;(?! )|"(?=[^"]*$))+')
"""What semicolons part; those in quotation marks part nothing."""
_MORE = re.compile(r"\s*and ([\d,]+) more")
_CUT = ("row_budget", "fan_out")
"""Stops that leave part of the graph unseen."""


def from_graph(
    question: str, context: Context, analysis: Analysis, found: Sequence[Found], stopped: str = ""
) -> Answer:
    """What a walk over relations says, by the shape of the question.

    Between two ends the paths, for a pattern yes with what stands in the middle; about an entity its profile; along a
    pattern the names it ends in. Each line cites its passage, and the text that states its edges where there is one.
    """
    operator = analysis.policy.walk.operator
    facts = [passage for passage in context.passages if passage.role == "path" and passage.chunk_id is None]
    if operator in JOINING:
        return _joined(question, context, analysis, facts, stopped)
    if operator == "bfs":
        return _profile(question, context, analysis, facts)
    if operator == "beam":
        shown = [passage for passage in context.passages if passage.role in ("entity", "path")][:12]
        return _answered([], shown, context) if facts else no_answer("graph", "no fact was found", context.missing)
    if not found:
        pattern, refine = analysis.policy.walk.pattern, analysis.policy.refine
        what = f"no path {pattern}" if pattern else "no path"
        what = _NOTHING.get(refine.combine, f"{what} to what has {refine.conditions}" if refine.conditions else what)
        cut = f"; {_bound(analysis, stopped)}" if _is_cut(stopped) else ""
        if is_closed(question) and pattern and not cut and not refine.is_active:
            return Answer(f"No: {what} from {_names(analysis)}.", (), True, "graph")
        return no_answer("graph", f"{what} from {_names(analysis)}{cut}", context.missing)
    steps = _steps(context)
    reason = "; ".join(filter(None, [told_apart(analysis), _incomplete(analysis, stopped)]))
    affirmed = "Yes: " if is_closed(question) else ""
    told = _answered([f"{affirmed}{_listed(found)}."], [*steps, *facts[:_FACTS]], context, reason=reason)
    return replace(told, text=f"{_said(analysis.lacks)} Without that: {told.text}") if analysis.lacks else told


def _steps(context: Context) -> list[Passage]:
    """What was gone over to find what the question describes, the first few."""
    return [passage for passage in context.passages if passage.role == "described"][:_STEPS]


def not_joined(analysis: Analysis, stopped: str) -> Answer:
    """Two ends and no path: for a pattern a no with the bound that was searched, unless the search was cut."""
    walk = analysis.policy.walk
    known = [target for target in analysis.targets if target.node_ids]
    if len(known) < 2:
        only = f"the graph knows only {known[0].name}" if known else "the graph knows none"
        return no_answer("graph", f"a path has two ends; of what the question names {only}")
    what = f"path {walk.pattern}" if walk.operator == "constrained_shortest_path" else "path"
    if _is_cut(stopped):
        text = f"Not found: no {what} between {_names(analysis)} among the rows that were looked at; there may be one."
        return Answer(text, (), False, "graph", reason=_bound(analysis, stopped))
    if walk.operator == "constrained_shortest_path":
        return Answer(f"No: {_none(analysis)}.", (), True, "graph", reason=_searched(analysis))
    none = f"no path of at most {walk.max_depth} hops between {_names(analysis)}"
    return _lacking(no_answer("graph", none), analysis, " ")


def _none(analysis: Analysis) -> str:
    """That no path follows a pattern; where it is a single step, which edge there would be."""
    walk = analysis.policy.walk
    steps = single_steps(str(walk.pattern))
    if not steps:
        return f"the graph has no path {walk.pattern} between {_names(analysis)}"
    edge = f"no {' or '.join(f'`{relation}`' for relation in dict.fromkeys(one for one, _ in steps))} edge"
    first, second = (target.name for target in analysis.targets[:2])
    ways = {forward for _, forward in steps}
    if ways == {True}:
        return f"{edge} from {first} to {second}"
    return f"{edge} from {second} to {first}" if ways == {False} else f"{edge} between {first} and {second}"


def _searched(analysis: Analysis) -> str:
    """What was looked through for a path that is not there."""
    if single_steps(str(analysis.policy.walk.pattern)):
        return f"searched every edge between {_names(analysis)}"
    return f"searched up to {analysis.policy.walk.max_depth} hops"


# -- by shape --------------------------------------------------------------------------------------------------------


def _joined(question: str, context: Context, analysis: Analysis, facts: Sequence[Passage], stopped: str) -> Answer:
    """The paths; for a pattern whether, and over whom: what stands in the middle where the question asks for it."""
    walk = analysis.policy.walk
    shown = facts[: _EDGES if single_steps(str(walk.pattern)) else _PATHS]
    reason = _incomplete(analysis, stopped)
    left = len(context.paths) - sum(path.number in {passage.number for passage in shown} for path in context.paths)
    tail = [f"and {counted(left, 'more path')}"] if left > 0 else []
    shown = [*shown, *_steps(context)]
    if walk.operator == "shortest_path":
        told = _answered([], shown, context, opening="They are joined by: ", tail=tail, reason=reason)
        return _lacking(told, analysis, " ")
    spans = [(target.char_start, target.char_end) for target in analysis.targets]
    affirmed = is_closed(question) or not _asks(question, spans)
    names = middle_names(question, context.paths, spans)
    if not names:
        return _answered([], shown, context, opening="Yes: " if affirmed else "", tail=tail, reason=reason)
    head = f"{'Yes: ' if affirmed else ''}{_joined_names(names)}."
    return _answered([head], shown, context, tail=tail, reason=reason)


def _asks(question: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a question holds more than names, so that it asks for something."""
    outside = (token for token in tokens(question) if not any(start <= token.start < end for start, end in spans))
    return any(token.form not in STOP_WORDS or token.form in _OPEN for token in outside)


def _profile(question: str, context: Context, analysis: Analysis, facts: Sequence[Passage]) -> Answer:
    """The record of each anchor, its relations, and sentences of the text that is about it."""
    anchors = {target.name for target in analysis.targets}
    records = [passage for passage in context.passages if passage.role == "entity"][: max(1, len(anchors))]
    if analysis.verdict:
        return _answered([f"{analysis.verdict}."], records, context)
    shown = [*_steps(context), *records, *facts[:_PROFILE]]
    left = len(facts) - _PROFILE
    tail = [f"and {counted(left, 'more relation')}"] if left > 0 else []
    reason = ", ".join(context.cut)
    if not shown:
        return no_answer("graph", f"the graph says nothing of {_names(analysis)}", context.missing)
    told = _answered([], shown, context, tail=tail, reason=reason)
    if all(passage.chunk_id is None for passage in context.passages):
        return _lacking(told, analysis, f" What it says of {_names(analysis)}:\n")
    said = quoted.quoted(question, context, analysis)
    both = {cited.number: cited for cited in (*told.citations, *said.citations)}
    text = f"{told.text}\n{said.text}" if said.found else told.text
    return Answer(text, tuple(both[number] for number in sorted(both)), True, "graph", reason=reason)


def _lacking(told: Answer, analysis: Analysis, opening: str) -> Answer:
    """What is told beside what was asked for, after the word that the graph has nothing for that."""
    if not analysis.lacks:
        return told
    text = _said(analysis.lacks)
    return replace(told, text=f"{text}{opening}{told.text}" if told.citations else text, found=False)


def _said(remark: str) -> str:
    return f"{remark[0].upper()}{remark[1:]}."


# -- written ---------------------------------------------------------------------------------------------------------


def _answered(
    head: list[str],
    shown: Sequence[Passage],
    context: Context,
    *,
    opening: str = "",
    tail: Sequence[str] = (),
    reason: str = "",
) -> Answer:
    """`head`, then a line per passage with its marker; what no passage shows is cited as a whole."""
    lines, cited = list[str](), dict[int, Citation]()
    for passage in shown:
        rests_on = [passage, *_stating(passage, context)]
        cited.update({other.number: cite(other) for other in rests_on})
        lines.append(f"{_short(passage.text)} [{', '.join(str(other.number) for other in rests_on)}]")
    if lines:
        lines[0] = opening + lines[0]
    elif opening:
        head = [opening.rstrip(": ") + "."]
    if not shown and context.passages:
        cited[context.passages[0].number] = cite(context.passages[0])
        head = [f"{line} [{context.passages[0].number}]" for line in head]
    citations = tuple(cited[number] for number in sorted(cited))
    return Answer("\n".join([*head, *lines, *tail]), citations, True, "graph", reason=reason)


def _stating(fact: Passage, context: Context) -> list[Passage]:
    """The texts that state an edge of a fact, two at most, each chunk once."""
    edges = set(fact.edge_ids)
    texts = {
        passage.chunk_id: passage
        for passage in reversed(context.passages)
        if passage.chunk_id is not None and edges & set(passage.edge_ids)
    }
    return sorted(texts.values(), key=lambda passage: passage.number)[:2]


def _short(text: str) -> str:
    """A line that a person reads: of a long list whole names, as long as they fit, and how many more there are."""
    if len(text) <= _LINE_CHARS:
        return text
    parts = [part.strip() for part in _PARTS.findall(text)]
    shown, chars = 1, len(parts[0])
    while shown < len(parts) and chars + len(parts[shown]) < _LINE_CHARS:
        chars += len(parts[shown]) + 2
        shown += 1
    rest = parts[shown:]
    told = _MORE.fullmatch(rest[-1]) if rest else None
    more = len(rest) if told is None else len(rest) - 1 + int(told.group(1).replace(",", ""))
    return "; ".join([*parts[:shown], f"and {more:,} more"]) if more else text


def _listed(found: Sequence[Found]) -> str:
    """Names with their values, up to a limit, and how many there are."""
    times = Counter((item.name, item.value) for item in found)
    names = [
        f"{name}{f' ({value})' if value else ''}{f' ({number} of that name)' if number > 1 else ''}"
        for (name, value), number in times.items()
    ]
    return f"{len(found):,} found: {_joined_names(names)}" if len(found) > _COUNTED else _joined_names(names)


def _joined_names(names: Sequence[str]) -> str:
    """`A, B and 300 more`; parted by semicolons where a name has a comma."""
    flat = [" ".join(name.split()) or '""' for name in names]
    shown = ("; " if any(", " in name for name in flat) else ", ").join(flat[:_NAMES])
    return f"{shown} and {len(flat) - _NAMES:,} more" if len(flat) > _NAMES else shown


def _names(analysis: Analysis) -> str:
    """The anchors, as the question names them."""
    return " and ".join(dict.fromkeys(target.name for target in analysis.targets[:2])) or "there"


def _is_cut(stopped: str) -> bool:
    return any(mark in stopped for mark in _CUT)


def _bound(analysis: Analysis, stopped: str) -> str:
    """What a search was cut at, and the control that raises it."""
    control = next(mark for mark in _CUT if mark in stopped)
    return f"cut at {getattr(analysis.policy.walk, control):,} rows; raise {control} to search on"


def _incomplete(analysis: Analysis, stopped: str) -> str:
    """Why there may be more than is said; empty where there is not."""
    if _is_cut(stopped):
        return _bound(analysis, stopped)
    if "path_limit" in stopped:
        return f"the first {analysis.policy.walk.path_limit:,} paths; raise path_limit for more"
    return ""
