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
    compared = analysis.compared
    if compared is None:
        return prepared
    step = _looked_up(retriever, compared.target.graph_ids, compared.attribute, compared.owner)
    value = next((found.value for found in step.nodes if found.value), "")
    if not value:
        lacks = f"{compared.target.name} has no {compared.attribute} to compare with"
        return replace(prepared, analysis=replace(analysis, unresolved=lacks))
    held = Filter(attribute=compared.attribute, compare=compared.compare, value=value.split(", ")[0])
    others = [
        one for one in analysis.policy.refine.filters if one != Filter(attribute=held.attribute, compare="present")
    ]
    policy = Policy.parse({"filters": (*others, held)}, base=analysis.policy)
    return replace(prepared, analysis=replace(analysis, policy=policy), steps=(*prepared.steps, step))


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
