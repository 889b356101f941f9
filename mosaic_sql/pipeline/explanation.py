"""How a retrieval came about, as data and as text: seeds with why, rows per depth and rule, evidence, times."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from mosaic_sql.link import remarks
from mosaic_sql.pipeline.results import Retrieval
from mosaic_sql.records import StageTime, Target


@dataclass(frozen=True)
class Depth:
    """One depth of the walk: paths looked at, kept, pruned per rule; scores of the kept; gain and completeness.

    `connectors` are those of the kept that join the regions of two targets.
    """

    depth: int
    evaluated: int
    kept: int
    connectors: int
    pruned: dict[str, int]
    best_score: float | None
    worst_score: float | None
    gain: float | None
    completeness: float | None


@dataclass(frozen=True)
class Explanation:
    """A retrieval told step by step; `str()` gives the text, `to_dict` plain data."""

    question: str
    operator: str
    operator_reason: str
    form: str
    policy: dict[str, Any]
    signals: dict[str, int]
    corrections: tuple[dict[str, Any], ...]
    targets: tuple[dict[str, Any], ...]
    remarks: tuple[str, ...]
    seeds: tuple[dict[str, Any], ...]
    depths: tuple[Depth, ...]
    stop_reason: str
    evidence: tuple[dict[str, Any], ...]
    dropped: tuple[dict[str, Any], ...]
    passages: tuple[dict[str, Any], ...]
    analyzer: str
    facets: tuple[str, ...]
    risk: str
    rationale: str
    stages: tuple[StageTime, ...]
    run: str | None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(_lines(self))


def explain(retrieval: Retrieval) -> Explanation:
    """What a retrieval with `keep_pruned` tells of itself."""
    analysis = retrieval.analysis
    units = retrieval.evidence.rows.to_pylist()
    kept = [unit for unit in units if unit["kept"]]
    return Explanation(
        question=retrieval.question,
        operator=retrieval.policy.walk.operator,
        operator_reason=analysis.operator_reason,
        form=retrieval.walk.form,
        policy=retrieval.policy.model_dump(),
        signals=dict(analysis.signals),
        corrections=tuple(asdict(correction) for correction in analysis.corrections),
        targets=tuple(told_target(target) for target in analysis.targets),
        remarks=remarks(analysis.targets),
        seeds=tuple(retrieval.seeds.rows.to_pylist()),
        depths=_depths(retrieval),
        stop_reason=retrieval.walk.stop_reason,
        evidence=tuple(kept),
        dropped=tuple(unit for unit in units if not unit["kept"])[:5],
        passages=tuple(
            {"number": p.number, "source": p.source, "title": p.title, "role": p.role, "path": p.path, "text": p.text}
            for p in retrieval.context.passages
        ),
        analyzer=analysis.analyzer,
        facets=analysis.facets,
        risk=analysis.risk,
        rationale=analysis.rationale,
        stages=retrieval.stages,
        run=retrieval.run,
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


def _depths(retrieval: Retrieval) -> tuple[Depth, ...]:
    by_depth: dict[int, list[dict[str, Any]]] = {}
    columns = ["depth", "score", "kept", "pruned_by", "gain", "completeness", "view"]
    for row in retrieval.walk.rows.select(columns).to_pylist():
        by_depth.setdefault(row["depth"], []).append(row)
    return tuple(_depth(depth, rows) for depth, rows in sorted(by_depth.items()))


def _depth(depth: int, rows: list[dict[str, Any]]) -> Depth:
    pruned: dict[str, int] = {}
    for row in rows:
        if row["pruned_by"]:
            pruned[row["pruned_by"]] = pruned.get(row["pruned_by"], 0) + 1
    scores = [row["score"] for row in rows if row["kept"] and row["score"] is not None]
    return Depth(
        depth=depth,
        evaluated=len(rows),
        kept=sum(row["kept"] for row in rows),
        connectors=sum(row["kept"] and row["view"] == "connector" for row in rows),
        pruned=pruned,
        best_score=max(scores, default=None),
        worst_score=min(scores, default=None),
        gain=rows[0]["gain"],
        completeness=rows[0]["completeness"],
    )


def _lines(told: Explanation) -> list[str]:
    lines = [
        f"question   {told.question}",
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
        f"seed       {s['score']:.3f}  {s['name']} ({s['item_kind']} {s['item_id']}: {s['why']})"
        for s in told.seeds[:15]
    ]
    lines += [f"depth {d.depth}    {_depth_line(d)}" for d in told.depths]
    lines.append(f"stop       {told.stop_reason}")
    lines += [f"evidence   {_unit_line(unit)}" for unit in told.evidence[:20]]
    lines += [f"dropped    {_unit_line(unit)} by {unit['pruned_by']}" for unit in told.dropped[:3]]
    lines += [
        f"passage    [{p['number']}] {p['title']} ({p['role']}){' via ' + p['path'] if p['path'] else ''}"
        for p in told.passages
    ]
    times = ", ".join(f"{s.stage} {s.milliseconds:.1f}" for s in told.stages)
    lines.append(f"time (ms)  {times}; run as: {told.form}")
    return lines


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


def _depth_line(depth: Depth) -> str:
    joining = f" ({depth.connectors} by connector)" if depth.connectors else ""
    parts = [f"{depth.evaluated} looked at", f"{depth.kept} kept{joining}"]
    parts += [f"{count} pruned by {rule}" for rule, count in sorted(depth.pruned.items())]
    if depth.best_score is not None and depth.worst_score is not None:
        parts.append(f"kept scores {depth.best_score:.3f} to {depth.worst_score:.3f}")
    if depth.gain is not None and depth.completeness is not None:
        parts.append(f"gain {depth.gain:.2f}, completeness {depth.completeness:.2f}")
    return ", ".join(parts)


def _unit_line(unit: dict[str, Any]) -> str:
    what = unit["fact"] or f"{unit['unit_kind']} {unit['unit_id']}"
    what += f" of {unit['source']}" if unit["source"] else ""
    return f"{unit['rank']:>3}. {unit['score']:.3f}  {unit['role']}  {what}"
