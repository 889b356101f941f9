"""A filter whose value another node has (films longer than X): the value is looked up in a step of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mosaic_sql.pipeline.results import Step
from mosaic_sql.policy import Filter, Policy

if TYPE_CHECKING:
    from mosaic_sql.pipeline.retriever import Prepared, Retriever


def resolved(retriever: Retriever, prepared: Prepared) -> Prepared:
    """A prepared question with the value that its answers are compared with; unresolved where there is none."""
    analysis = prepared.analysis
    filters, steps = list(analysis.policy.refine.filters), list(prepared.steps)
    for compared in analysis.compared:
        step = _looked_up(retriever, compared.target.graph_ids, compared.attribute, compared.owner)
        value = next((found.value for found in step.nodes if found.value), "")
        is_open = bool(compared.own) and compared.compare == "<="  # what has not ended yet
        if not value and not is_open:
            lacks = f"{compared.target.name} has no {compared.attribute} to compare with"
            return replace(prepared, analysis=replace(analysis, unresolved=lacks))
        steps.append(step)
        own = compared.own or compared.attribute
        filters = [one for one in filters if one != Filter(attribute=own, compare="present")]
        if value:
            filters.append(Filter(attribute=own, compare=compared.compare, value=value.split(", ")[0]))
        if value and compared.own and not is_open:
            filters.append(Filter(attribute=own, compare="missing", either=True))
    if not analysis.compared:
        return prepared
    policy = Policy.parse({"filters": tuple(filters)}, base=analysis.policy)
    return replace(prepared, analysis=replace(analysis, policy=policy), steps=tuple(steps))


def _looked_up(retriever: Retriever, node_ids: tuple[int, ...], attribute: str, owner: str) -> Step:
    """What some nodes have."""
    policy = {
        "operator": "meta_path",
        "anchors": node_ids,
        "answers_from": "anchors",
        "attribute": attribute,
        "attribute_owner": owner,
    }
    text = f"the {attribute.replace('_', ' ')} that is compared with"
    retrieval = retriever.run_one(retriever.prepare(text, policy, None), keep_pruned=True)
    return Step(text, "compared", retrieval.answers, len(retrieval.answers), retrieval)
