"""How a retrieval came about, as data and as text: seeds with why, rows per depth and rule, evidence, times."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from mosaic_sql import refine as refining
from mosaic_sql.link import remarks
from mosaic_sql.pipeline import effects
from mosaic_sql.pipeline.effects import Joined, Searched
from mosaic_sql.pipeline.paths import Column
from mosaic_sql.pipeline.results import Retrieval, Step
from mosaic_sql.pipeline.script import script_of
from mosaic_sql.policy import STOP_GAIN, Policy
from mosaic_sql.records import RenderedQuery, StageTime, Target
from mosaic_sql.text import counted

_FEATURES = ("target_relevance", "anchor_consistency", "transition_alignment", "hub_exposure")


@dataclass(frozen=True)
class Depth:
    """One depth of the walk: paths it grew from, looked at, kept, pruned per rule; scores; gain and completeness.

    `best_dropped` is the best score below the cut: it missed by `worst_score - best_dropped`. All depths are one
    statement, so a depth has no time of its own; the stage `walk` has.
    `connectors` are those of the kept that join the regions of two targets, `by_anchor` those that would not be kept
    without the anchor's lift, `features` the means over the kept of what it lifts (beam; else empty).
    """

    depth: int
    rows_in: int
    evaluated: int
    kept: int
    connectors: int
    by_anchor: int
    features: dict[str, float]
    pruned: dict[str, int]
    best_score: float | None
    worst_score: float | None
    best_dropped: float | None
    gain: float | None
    completeness: float | None


@dataclass(frozen=True)
class StepTold:
    """A described part of the question: its words, what they stand for, and the retrieval that found it.

    `role` is that of `Step`; `found` counts the nodes before a cut; `sql` is the step's own script.
    """

    text: str
    role: str
    nodes: tuple[str, ...]
    found: int
    run: str | None
    parent_run: str | None
    sql: str
    told: Explanation


@dataclass(frozen=True)
class Explanation:
    """A retrieval told step by step; `str()` gives the text, `to_dict` plain data.

    `searched` are the texts that searched the indexes; a seed names its `target`. `boost` is the anchor's factor on the
    weights of four features, `connectors` the pairs of seeds that paths join. `gain_limit` is the gain up to which a
    depth may be the last, once `completeness_floor` is covered. A unit of evidence tells the `view` of its path, and in
    `pruned_by` the rule that was against it where the floor took it back; a dropped one tells in `behind` by how much
    its score is under that of the last kept.
    """

    question: str
    operator: str
    operator_reason: str
    form: str
    policy: dict[str, Any]
    signals: dict[str, int]
    corrections: tuple[dict[str, Any], ...]
    targets: tuple[dict[str, Any], ...]
    searched: tuple[Searched, ...]
    remarks: tuple[str, ...]
    seeds: tuple[dict[str, Any], ...]
    boost: float
    connectors: tuple[Joined, ...]
    gain_limit: float
    depths: tuple[Depth, ...]
    stop_reason: str
    cuts: tuple[str, ...]
    refined: dict[str, Any]
    evidence: tuple[dict[str, Any], ...]
    dropped: tuple[dict[str, Any], ...]
    passages: tuple[dict[str, Any], ...]
    context_tokens: int
    context_cut: tuple[str, ...]
    analyzer: str
    facets: tuple[str, ...]
    risk: str
    rationale: str
    stages: tuple[StageTime, ...]
    run: str | None
    walk: tuple[Column, ...] = ()
    statements: tuple[RenderedQuery, ...] = field(default=(), repr=False)
    unresolved: str = ""
    steps: tuple[StepTold, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything but the statements as plain data, for JSON."""
        return asdict(replace(self, statements=()))

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def explain(retrieval: Retrieval, columns: tuple[Column, ...] = ()) -> Explanation:
    """What a retrieval with `keep_pruned` tells of itself."""
    analysis = retrieval.analysis
    seeds, walk = retrieval.seeds.rows.to_pylist(), retrieval.walk.rows.to_pylist()
    named = {seed["item_id"]: seed["name"] for seed in seeds if seed["item_kind"] == "node"}
    groups = {target.group_id: target.name for target in analysis.targets}
    views = {row["path_id"]: row["view"] for row in walk}
    units = [{**unit, "view": views.get(unit["path_id"])} for unit in retrieval.evidence.rows.to_pylist()]
    kept = [unit for unit in units if unit["kept"]]
    return Explanation(
        question=retrieval.question,
        operator=retrieval.policy.walk.operator,
        operator_reason=analysis.operator_reason,
        form=retrieval.walk.form,
        policy=retrieval.policy.model_dump(),
        signals=dict(analysis.signals),
        corrections=tuple(asdict(correction) for correction in analysis.corrections),
        searched=effects.searched(analysis),
        seeds=tuple({**seed, "target": groups.get(seed["group_id"])} for seed in seeds),
        boost=effects.boost(retrieval.policy),
        connectors=effects.joined(walk, units, named),
        gain_limit=STOP_GAIN[retrieval.policy.walk.stop_regime],
        depths=_depths(walk, retrieval.policy),
        targets=tuple(told_target(target) for target in analysis.targets),
        remarks=remarks(analysis.targets),
        stop_reason=retrieval.walk.stop_reason,
        cuts=retrieval.cuts,
        refined=_refined(retrieval),
        evidence=tuple(kept),
        dropped=tuple({**unit, "behind": _behind(unit, kept)} for unit in units if not unit["kept"])[:5],
        passages=tuple(
            {name: getattr(p, name) for name in ("number", "source", "title", "chunk_id", "role", "path", "text")}
            for p in retrieval.context.passages
        ),
        context_tokens=retrieval.context.tokens,
        context_cut=retrieval.context.cut,
        analyzer=analysis.analyzer,
        facets=analysis.facets,
        risk=analysis.risk,
        rationale=analysis.rationale,
        stages=retrieval.stages,
        run=retrieval.run,
        walk=columns,
        statements=retrieval.statements,
        unresolved=analysis.unresolved,
        steps=tuple(_step(step, retrieval.run) for step in retrieval.steps),
    )


def _behind(unit: dict[str, Any], kept: list[dict[str, Any]]) -> float | None:
    """By how much a dropped unit's score is under that of the last kept one; negative where a rule was against it."""
    last = min((one["score"] for one in kept if one["score"] is not None), default=None)
    return None if last is None or unit["score"] is None else last - unit["score"]


def _step(step: Step, parent_run: str | None) -> StepTold:
    return StepTold(
        text=step.text,
        role=step.role,
        nodes=tuple(found.name for found in step.nodes),
        found=step.found,
        run=step.retrieval.run,
        parent_run=parent_run,
        sql=script_of(step.retrieval),
        told=explain(step.retrieval),
    )


def told_target(target: Target) -> dict[str, Any]:
    """A target as plain data; `candidates` are the nodes of an imported graph that its name may mean."""
    return {
        "name": target.name,
        "weight": round(target.weight, 3),
        "nodes": list(target.node_names),
        "why": target.why,
        "namesakes": target.namesakes,
        "candidates": [
            {**asdict(candidate), "chosen": candidate.node_id in target.graph_ids} for candidate in target.candidates
        ],
    }


def _target_lines(told: dict[str, Any]) -> list[str]:
    """A target, and its candidates where there is a choice."""
    lines = [f"target     {told['name']} -> {', '.join(told['nodes'][:3])} (weight {told['weight']:g}, {told['why']})"]
    if told["namesakes"] < 2 and told["why"] not in ("lexical", "similar"):
        return lines
    for one in told["candidates"]:
        kinds = f" [{', '.join(one['kinds'])}]" if one["kinds"] else ""
        taken = "taken" if one["chosen"] else "left"
        about = f", degree {one['degree']}" + (f": {one['description'][:60]}" if one["description"] else "")
        lines.append(
            f"  {taken:<8} {one['score']:.3f}  {one['name']}{kinds} (node {one['node_id']}, {one['why']}{about})"
        )
    more = told["namesakes"] - len(told["candidates"])
    return [*lines, *([f"           and {more} more of this name"] if more else [])]


def _refined(retrieval: Retrieval) -> dict[str, Any]:
    """What came into the stage after the walk, what it kept, and what fell by which control; empty without one."""
    if retrieval.refined is None:
        return {}
    rows = retrieval.refined.rows.to_pylist()
    without = sum(row["kept"] and row["measure"] is None for row in rows)
    return {
        "controls": refining.told(retrieval.policy.refine),
        **refining.counts(retrieval.refined),
        "without_value": without if retrieval.policy.refine.sort_by == "attribute" else 0,
    }


def _depths(walk: list[dict[str, Any]], policy: Policy) -> tuple[Depth, ...]:
    by_depth: dict[int, list[dict[str, Any]]] = {}
    for row in walk:
        by_depth.setdefault(row["depth"], []).append(row)
    grown_from = {depth + 1: sum(row["kept"] for row in rows) for depth, rows in by_depth.items()}
    return tuple(_depth(depth, rows, grown_from.get(depth, 0), policy) for depth, rows in sorted(by_depth.items()))


def _depth(depth: int, rows: list[dict[str, Any]], rows_in: int, policy: Policy) -> Depth:
    pruned: dict[str, int] = {}
    for row in rows:
        if row["pruned_by"]:
            pruned[row["pruned_by"]] = pruned.get(row["pruned_by"], 0) + 1
    kept = [row for row in rows if row["kept"]]
    scores = [row["score"] for row in kept if row["score"] is not None]
    last = min(scores, default=None)
    below = [row["score"] for row in rows if not row["kept"] and last is not None and row["score"] <= last]
    scored = bool(kept) and depth > 0 and policy.walk.operator == "beam"
    return Depth(
        depth=depth,
        rows_in=rows_in,
        evaluated=len(rows),
        kept=len(kept),
        connectors=sum(row["view"] == "connector" for row in kept),
        by_anchor=effects.kept_by_anchor(rows, policy) if scored else 0,
        features={n: sum(row["terms"][n] for row in kept) / len(kept) for n in _FEATURES} if scored else {},
        pruned=pruned,
        best_score=max(scores, default=None),
        worst_score=last,
        best_dropped=max(below, default=None),
        gain=rows[0]["gain"],
        completeness=rows[0]["completeness"],
    )


def _lines(told: Explanation) -> list[str]:
    lines = [
        f"question   {told.question}",
        *(line for step in told.steps for line in step_lines(step)),
        f"operator   {told.operator} ({told.operator_reason})",
        f"policy     {_policy_line(told.policy, beam=told.operator == 'beam')}",
    ]
    lines += [f"analyzer   {told.analyzer}"]
    lines += [f"{name:<10} {text}" for name, text in (("rationale", told.rationale), ("risk", told.risk)) if text]
    lines += [f"signal     {name} {value}" for name, value in told.signals.items() if value]
    lines += [f"corrected  {c['field']}: {c['proposed']!r} -> {c['used']!r} ({c['reason']})" for c in told.corrections]
    lines += [line for target in told.targets for line in _target_lines(target)]
    lines += [f"note       {remark}" for remark in told.remarks]
    lines += [f"facets     {'; '.join(told.facets)}"] if told.facets else []
    lines += [
        f"searched   “{s.text}”{f' for {s.target}' if s.target else ''}" for s in told.searched if s.role == "seed"
    ]
    lines += [
        f"seed       {s['score']:.3f}  {s['name']} ({s['item_kind']} {s['item_id']}: {s['why']})"
        f"{' for ' + s['target'] if s['target'] else ''}"
        for s in told.seeds[:15]
    ]
    lines += _beam_lines(told) if told.operator == "beam" else []
    lines += [f"depth {d.depth}    {_depth_line(d, told)}" for d in told.depths]
    lines.append(f"stop       {told.stop_reason}")
    lines += [f"bound      {cut}" for cut in told.cuts]
    lines += [f"refine     {refine_line(told.refined)}"] if told.refined else []
    lines += [f"evidence   {_unit_line(unit)}" for unit in told.evidence[:20]]
    lines += [
        ", ".join([f"dropped    {_unit_line(unit)} by {unit['pruned_by']}", *filter(None, [missed(unit)])])
        for unit in told.dropped[:3]
    ]
    lines += [f"passage    {_passage_line(passage)}" for passage in told.passages]
    cut = f"; {', '.join(told.context_cut)}" if told.context_cut else ""
    lines.append(f"context    {len(told.passages)} passages, about {told.context_tokens:,} tokens{cut}")
    times = ", ".join(f"{s.stage} {s.milliseconds:.1f} ({counted(s.rows, 'row')})" for s in told.stages)
    lines.append(f"time (ms)  {times}; run as: {told.form}")
    return lines


def missed(unit: dict[str, Any]) -> str:
    """How far a dropped unit's score is from that of the last kept one."""
    behind = unit["behind"]
    return "" if behind is None else f"{abs(behind):.3f} {'under' if behind >= 0 else 'over'} the last kept"


def _passage_line(passage: dict[str, Any]) -> str:
    """A window by its title and the path that led there; what is of the graph in full, its lines below each other."""
    if passage["chunk_id"] is None:
        text = str(passage["text"]).replace("\n", "\n" + " " * 15)
        return f"[{passage['number']}] {passage['title']}: {text}"
    via = f" via {passage['path']}" if passage["path"] else ""
    return f"[{passage['number']}] {passage['title']} ({passage['role']}){via}"


def step_lines(step: StepTold, level: int = 0) -> list[str]:
    """A step as a tree: what it found and how, the steps that it rests on below it."""
    names = ", ".join(step.nodes[:5]) + (", …" if len(step.nodes) > 5 else "")
    margin, walk = " " * 2 * level, step.told.policy["walk"]
    lines = [
        f"{'step':<10} {margin}{step.role}: {step.text} -> {names or 'nothing'} ({counted(step.found, 'node')})",
        f"{'':<10} {margin}  {walk['operator']} {walk['pattern'] or ''}; run {step.run or 'not traced'}",
    ]
    return [*lines, *(line for inner in step.told.steps for line in step_lines(inner, level + 1))]


def _policy_line(policy: dict[str, Any], *, beam: bool) -> str:
    """The controls that a question moves; those of the beam where it is one."""
    seed, walk, evidence = policy["seed"], policy["walk"], policy["evidence"]
    parts = [f"seeds {seed['seed_limit']}"]
    if beam:
        parts += [f"by {seed['seed_query_mode']}, {seed['selection_mode']}"]
    parts += [f"depth {walk['max_depth']}", f"width {walk['beam_width']}", f"stop {walk['stop_regime']}"]
    if beam:
        parts += [f"anchor {walk['anchor_strength']:g}", f"connector {'on' if walk['use_connector'] else 'off'}"]
    parts += [f"evidence {evidence['min_evidence']}-{evidence['evidence_count']}"]
    if beam:
        parts += [f"roles {'reserved' if evidence['adaptive_final_evidence'] else 'by score'}"]
    return ", ".join([*parts, *([f"pattern {walk['pattern']}"] if walk["pattern"] else [])])


def _beam_lines(told: Explanation) -> list[str]:
    """How seeds were scored, what the anchor lifts, and which seeds paths join."""
    walk, hybrid = told.policy["walk"], told.policy["seed"]["selection_mode"] == "hybrid"
    lines = [f"scored     seeds by {'0.3 of the entity and 0.7 of the relation' if hybrid else 'the relation'} index"]
    lifted = (
        f"weights of target, anchor, transition and hub x {told.boost:.2f}" if told.boost > 1 else "no lift below 0.4"
    )
    lines += [f"anchor     strength {walk['anchor_strength']:g}: {lifted}"]
    if walk["use_connector"] and not told.connectors:
        return [*lines, "connector  no path joins two regions"]
    return lines + [
        f"connector  {c.source} ~ {c.target}: {c.evaluated} looked at, {c.kept} kept, best {c.best_score:.3f}, "
        f"{counted(c.units, 'unit')} of evidence"
        for c in told.connectors
    ]


def _depth_line(depth: Depth, told: Explanation) -> str:
    joining = f" ({depth.connectors} by connector)" if depth.connectors else ""
    grown = f" from {depth.rows_in}" if depth.rows_in else ""
    parts = [f"{depth.evaluated} looked at{grown}", f"{depth.kept} kept{joining}"]
    parts += [f"{count} pruned by {rule}" for rule, count in sorted(depth.pruned.items())]
    if depth.best_score is not None and depth.worst_score is not None:
        parts.append(f"kept scores {depth.best_score:.3f} to {depth.worst_score:.3f}")
        if depth.best_dropped is not None:
            parts.append(f"the next missed by {depth.worst_score - depth.best_dropped:.3f}")
    if told.boost > 1 and depth.features:
        means = ", ".join(f"{name.partition('_')[0]} {value:.2f}" for name, value in depth.features.items())
        parts.append(f"{depth.by_anchor} kept by anchor strength ({means})")
    if depth.gain is not None and depth.completeness is not None:
        floor = told.policy["walk"]["completeness_floor"]
        parts.append(
            f"gain {depth.gain:.2f} of {told.gain_limit:.2f}, completeness {depth.completeness:.2f} of {floor:.2f}"
        )
    return ", ".join(parts)


def refine_line(refined: dict[str, Any]) -> str:
    """What the stage after the walk made of its answers, and by which controls."""
    parts = [f"{refined['answers']} in", f"{refined['kept']} kept"]
    parts += [f"{count} dropped by {rule}" for rule, count in refined["pruned"].items()]
    parts += [f"{refined['without_value']} without a value, last"] if refined["without_value"] else []
    return f"{', '.join(parts)} ({refined['controls']})"


def _unit_line(unit: dict[str, Any]) -> str:
    what = unit["fact"] or f"{unit['unit_kind']} {unit['unit_id']}"
    what += f" of {unit['source']}" if unit["source"] else ""
    what += " over a connector" if unit["view"] == "connector" else ""
    what += f", back to the floor ({unit['pruned_by']})" if unit["kept"] and unit["pruned_by"] else ""
    return f"{unit['rank']:>3}. {unit['score']:.3f}  {unit['role']}  {what}"
