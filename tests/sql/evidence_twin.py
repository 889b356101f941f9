"""The evidence of a beam again in naive Python: units of paths, pages and chunks, roles, cap and floor."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from beam_twin import Row, edge_scores, facet_edges, node_scores
from random_store import Store

from mosaic_sql.policy import Policy
from mosaic_sql.render import Question


def evidence(
    store: Store, question: Question, policy: Policy, rows: list[Row], *, rule_relation: int = -1
) -> list[Row]:
    """The chunks that state the edges of kept paths and those about their nodes, then other chunks; cap and floor."""
    limits = policy.evidence
    paths = _distinct([row for row in rows if row["kept"] and row["depth"]])
    stated = _stated(store, paths)
    prior = dict(store.rows(f"SELECT chunk_id, score FROM base WHERE question_id = {question.question_id}"))
    units: dict[tuple[int | None, int | None], Row] = {}
    for key, offers in stated.items():
        strength, place, _, _, edge = min(offers, key=lambda o: (-o[0], o[1], o[2], o[3], o[4] or 0))
        score = prior.get(key[0], 0.0) + limits.link_gain * max(0.0, strength)
        units[key] = Row(key=key, score=score, edge=edge, role="page" if edge is None else "path",
                         eligible=min(offer[1] for offer in offers) <= limits.candidate_limit,
                         rule="candidate_limit", place=place)  # fmt: skip
    for score, chunk in sorted((-s, c) for c, s in prior.items())[: limits.ranking_limit]:
        if score < 0 and (chunk, None) not in units:
            units[chunk, None] = Row(key=(chunk, None), score=-score, edge=None, role="seed", rule="chunk_units",
                                     eligible=limits.chunk_units or not paths)  # fmt: skip
    ranked = sorted(units.values(), key=lambda u: (-u["score"], _last(u["key"][0]), _last(u["key"][1])))
    if limits.adaptive_final_evidence:
        ranked = _with_roles(store, question, policy, paths, stated, ranked, rule_relation)
    return _kept(ranked, policy)


def _last(value: int | None) -> int:
    return 10**12 if value is None else value


def _distinct(rows: list[Row]) -> list[Row]:
    paths, known = [], set[frozenset[int]]()
    for row in sorted(rows, key=lambda r: (-r["score"], r["depth"], r["rank"])):
        if frozenset(row["edges"]) not in known:
            paths.append(row)
            known.add(frozenset(row["edges"]))
    return paths


def _stated(store: Store, paths: list[Row]) -> dict[tuple[int | None, int | None], list[tuple[Any, ...]]]:
    """(chunk, edge without a chunk) -> what speaks for it: strength, place of the path, page or edge, hop, edge."""
    sources, pages = defaultdict(list), defaultdict(list)
    for edge, chunk in store.rows("SELECT edge_id, chunk_id FROM edge_chunk"):
        sources[edge].append(chunk)
    for node, chunk in store.rows("SELECT node_id, chunk_id FROM title_page"):
        pages[node].append(chunk)
    stated = defaultdict(list)
    for place, row in enumerate(paths, 1):
        row["held"] = []
        for hop, edge in enumerate(row["edges"], 1):
            for chunk in sources[edge] or [None]:
                key = (chunk, edge if chunk is None else None)
                stated[key].append((row["score"], place, False, hop, edge))
                row["held"].append(key)
        for hop, node in enumerate(row["nodes"], 1):
            for chunk in pages[node]:
                stated[chunk, None].append((row["score"] / len(pages[node]) ** 0.5, place, True, hop, None))
                row["held"].append((chunk, None))
    return stated


def _with_roles(
    store: Store, question: Question, policy: Policy, paths: list[Row], stated: object, ranked: list[Row], rule: int
) -> list[Row]:
    """After the core a unit each of a path that connects, of a new target, of a new facet, of a new first relation."""
    limits = policy.evidence
    nodes, facets = node_scores(store, question), facet_edges(store, question)
    spoken = {edge for edge, _ in edge_scores(store, question).items()} | set(facets)
    of_edge = {edge: relation for edge, _, relation, _ in store.edges}
    for row in paths:
        row["groups"] = set().union(*(nodes[node]["groups"] for node in row["nodes"] if node in nodes))
        row["facets"] = set().union(*(_own_facets(store, question, edge) for edge in row["edges"] if edge in spoken))
        row["first"] = of_edge[row["edges"][0]]
    first_units = [unit for unit in ranked if unit["eligible"]][: limits.core_units]
    core = [paths[unit["place"] - 1] for unit in first_units if "place" in unit]
    rest = [row for row in paths[: limits.candidate_limit] if not any(row is path for path in core)]
    chosen: list[tuple[str, Row]] = []
    groups, seen = (set().union(*(row[name] for row in core)) for name in ("groups", "facets"))
    relations = {row["first"] for row in core}
    for role in ("connector", "target", "facet", "relation"):
        fitting = [
            row
            for row in rest
            if row not in [path for _, path in chosen]
            and {
                "connector": row["view"] == "connector",
                "target": bool(row["groups"] - groups),
                "facet": bool(row["facets"] - seen),
                "relation": row["first"] != rule and row["first"] not in relations,
            }[role]
        ]
        pick = fitting[0] if fitting else None
        if pick is not None:
            chosen.append((role, pick))
            groups |= pick["groups"]
            seen |= pick["facets"]
            relations |= {pick["first"]}
    tail = [unit for unit in ranked if not any(unit is first for first in first_units)]
    reserved: list[Row] = []
    roles_of: dict[int, list[tuple[int, str]]] = defaultdict(list)
    order = {"connector": 1, "target": 2, "facet": 3, "relation": 4}
    for role, path in chosen:
        for unit in tail:
            if unit["key"] in path["held"]:
                roles_of[id(unit)].append((order[role], role))
    first = {id(unit): min(roles_of[id(unit)]) for unit in tail if id(unit) in roles_of}
    for number, role in sorted({*first.values()}):
        unit = next(u for u in tail if first.get(id(u)) == (number, role))
        unit["role"] = role
        reserved.append(unit)
    return [*first_units, *reserved, *(unit for unit in tail if unit not in reserved)]


def _own_facets(store: Store, question: Question, edge: int) -> set[int]:
    """Facets of an edge's own text, without its relation's."""
    return facet_edges(store, question, with_relations=False).get(edge, set())


def _kept(ranked: list[Row], policy: Policy) -> list[Row]:
    limits, eligible = policy.evidence, sum(unit["eligible"] for unit in ranked)
    others = sorted(
        (u for u in ranked if not u["eligible"]), key=lambda u: (-u["score"], _last(u["key"][0]), _last(u["key"][1]))
    )
    back = [id(unit) for unit in others[: max(0, limits.min_evidence - eligible)]]
    rows, taken = [], 0
    for rank, unit in enumerate(ranked, 1):
        taken += unit["eligible"]
        kept = taken <= limits.evidence_count if unit["eligible"] else id(unit) in back
        chunk, _ = unit["key"]
        reason = "evidence_count" if unit["eligible"] else unit["rule"]
        if kept or rank <= limits.ranking_limit:
            rows.append(Row(rank=rank, unit_kind="chunk" if unit["edge"] is None else "edge",
                            unit_id=chunk if unit["edge"] is None else unit["edge"], chunk_id=chunk, role=unit["role"],
                            score=unit["score"], kept=kept,
                            pruned_by=None if kept and unit["eligible"] else reason))  # fmt: skip
    return rows
