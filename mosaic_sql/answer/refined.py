"""Answers that the stage after a walk sorted, counted or filtered: each with its value, cited."""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_sql.answer.results import cite, is_closed, no_answer, told_apart
from mosaic_sql.policy import RefinePolicy
from mosaic_sql.records import Analysis, Answer, Context, Found

_LIST_LIMIT = 50


def answers(context: Context, analysis: Analysis, found: Sequence[Found]) -> bool:
    """Whether that stage answers: there are answers, or a number is asked for and it is 0.

    It is 0 where there is something to start from, and nothing passes.
    """
    refine = analysis.policy.refine
    none = refine.count_only and any(passage.role == "entity" for passage in context.passages)
    return refine.is_active and (bool(found) or none or _is_held_then(analysis) or _is_of_one(analysis))


def _is_held_then(analysis: Analysis) -> bool:
    """Whether it is asked if something held at a time, or holds still: yes where an edge is left, else no."""
    refine = analysis.policy.refine
    of_one = any(item.attribute == "name" and item.compare == "=" for item in refine.filters)
    of_now = refine.filters[:1] and refine.filters[0].compare == "missing" and refine.filters[-1].either
    return bool(refine.during is not None or of_one or of_now) and is_closed(analysis.question)


def _is_of_one(analysis: Analysis) -> bool:
    """Whether it is asked if one node is so: yes where it passes, else no."""
    refine = analysis.policy.refine
    return refine.answers_from == "anchors" and bool(refine.filters) and is_closed(analysis.question)


def _is_bare_look_up(analysis: Analysis) -> bool:
    """Whether nothing but a property of the nodes that are named is asked for."""
    refine = analysis.policy.refine
    looked_up = RefinePolicy(answers_from="anchors", attribute=refine.attribute, attribute_owner=refine.attribute_owner)
    return refine.attribute is not None and refine == looked_up


def refined(context: Context, analysis: Analysis, found: Sequence[Found]) -> Answer:
    """What was made of the walk's answers: their number where that is asked for, each with its value, cited."""
    refine = analysis.policy.refine
    names = list(dict.fromkeys(item.name for item in found))
    if _is_bare_look_up(analysis) and found and not any(item.value for item in found):
        return no_answer("graph", f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} no {refine.attribute}")
    label = "count" if refine.attribute is None or refine.row_per == "value" else refine.attribute
    lines = [item.name + (f" ({label} {item.value})" if item.value else "") for item in found]
    told = [passage for passage in context.passages if passage.role == "answer"][:_LIST_LIMIT]
    if _is_of_one(analysis) and not found:  # what there is in place of what is asked for
        told = [passage for passage in context.passages if passage.role == "entity"][:1]
        lines = [passage.text for passage in told]
    witnessed = _is_held_then(analysis) and not refine.count_only
    how_often = refine.row_per == "edge" and refine.count_only and len(names) == 1
    if witnessed or how_often:  # the edge that holds, or each of those that are counted
        lines = [passage.text.removeprefix(f"{item.name}; ") for item, passage in zip(found, told, strict=False)]
    cited = [f"{line} [{passage.number}]" for line, passage in zip(lines, told, strict=False)]
    rest = max(0, len(found) - len(cited))
    head = [f"{len(found) if refine.row_per == 'edge' else len(names)}"] if refine.count_only else []
    overall = [passage for passage in context.passages if passage.role == "overall"]
    sums = [f"{passage.text} [{passage.number}]" for passage in overall]
    tail = [f"and {rest} more"] if rest > 0 else []
    if refine.row_per == "value":  # how many have none of the values
        tail += sums
    else:
        head += sums
    head += _verdict(analysis, found)
    citations = tuple(cite(passage) for passage in [*overall, *told[: len(cited)]])
    return Answer("\n".join([*head, *cited, *tail]), citations, True, "graph", reason=told_apart(analysis))


def _verdict(analysis: Analysis, found: Sequence[Found]) -> list[str]:
    """Yes or no: whether something held at a time, or whether of two nodes the first named is the first in order."""
    refine = analysis.policy.refine
    if _is_held_then(analysis) or _is_of_one(analysis):
        return ["Yes" if found else "No" if _is_of_one(analysis) else f"No: {_looked_for(analysis)}."]
    flag = [item.value.lower() for item in found]
    if refine.answers_from == "anchors" and is_closed(analysis.question) and flag in (["true"], ["false"]):
        return ["Yes" if flag == ["true"] else "No"]
    if refine.answers_from != "anchors" or refine.sort_by == "none" or not is_closed(analysis.question):
        return []
    if refine.extreme or len(found) < 2 or not all(item.value for item in found):
        return []
    holds = found[0].node_id in analysis.targets[0].graph_ids and found[0].value != found[1].value
    return ["Yes" if holds else "No"]


def _looked_for(analysis: Analysis) -> str:
    """What there is none of, where it is asked whether something held."""
    refine, names = analysis.policy.refine, list(dict.fromkeys(target.name for target in analysis.targets))
    of_all = refine.combine == "intersection" and len(names) > 1
    start = f"all of {', '.join(names)}" if of_all else " or ".join(names)
    ends = [item.value for item in refine.filters if item.attribute == "name" and item.compare == "="]
    ended = {item.attribute for item in refine.filters if item.compare == "missing"}
    others = tuple(item for item in refine.filters if item.attribute not in {"name", *ended})
    told = f"no path {analysis.policy.walk.pattern} from {start}{f' to {ends[0]}' if ends else ''}"
    told += f" with {refine.model_copy(update={'filters': others}).conditions}" if others else ""
    told += " that holds still" if ended else ""
    if refine.during is None:
        return told
    return f"{told}{' during' if refine.during[:1].isdigit() else ''} {refine.during}"
