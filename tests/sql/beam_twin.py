"""MOSAIC's beam again in naive Python: scores of nodes and edges, seeds, nine features, pruning, gain and stop."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from random_store import Store

from mosaic_sql.policy import Policy
from mosaic_sql.render import Question

Row = dict[str, Any]
THRESHOLDS = {"shallow": 5.00, "medium": 0.35, "deep": 0.24}
SHARES = (
    "relation_similarity",
    "specificity",
    "anchor_consistency",
    "transition_alignment",
    "coherence",
    "hub_exposure",
)


def held(value: float) -> float:
    return max(0.0, min(1.0, value))


def cosine(one: Any, other: Any) -> float:
    """0 where either has no vector: what is not known is not like the question."""
    if one is None or other is None:
        return 0.0
    return held(sum(a * b for a, b in zip(one, other, strict=True)) / 16_000_000.0)


def node_scores(store: Store, question: Question) -> dict[int, Row]:
    nodes = store.rows("SELECT node_id, name, embedding, specificity, hub_share, degree FROM node ORDER BY node_id")
    vectors = {node: embedding for node, _, embedding, *_ in nodes}
    targets = {node for target in question.targets for node in target.node_ids}
    scores = {}
    for node, name, embedding, specificity, hub_share, degree in nodes:
        if degree or node in targets:
            similarity = cosine(embedding, question.vector)
            near = max((cosine(embedding, vectors[target]) for target in targets), default=similarity)
            scores[node] = Row(similarity=similarity, relevance=1.0 if node in targets else near,
                               specificity=max(0, specificity) / 65536, hub_exposure=hub_share / 65536,
                               question_like=float(name.endswith("?")))  # fmt: skip
    return scores


def edge_scores(store: Store, question: Question) -> dict[int, tuple[float | None, bool]]:
    """(similarity, anchored) of the edges that a vector, a fact or the chunk of an anchor speaks for."""
    words = store.rows(f"SELECT term_id, idf FROM question_term WHERE question_id = {question.question_id}")
    total = max(1, sum(idf for _, idf in words))
    said = {(term, sentence) for term, sentence in store.rows("SELECT term_id, sentence_id FROM sentence_posting")}
    targets = {node for target in question.targets for node in target.node_ids}
    pages = store.rows("SELECT node_id, chunk_id FROM mention UNION SELECT node_id, chunk_id FROM title_page")
    near = {chunk for node, chunk in pages if node in targets}
    anchored = {edge for edge, chunk in store.rows("SELECT edge_id, chunk_id FROM edge_chunk") if chunk in near}
    scores: dict[int, tuple[float | None, bool]] = {}
    for edge, fact, embedding in store.rows("SELECT edge_id, fact_id, embedding FROM edge"):
        overlap = [idf for term, idf in words if (term, fact) in said]
        similarity = sum(overlap) / total if overlap else None
        if embedding is not None and question.vector is not None:
            similarity = cosine(embedding, question.vector)
        if similarity is not None or edge in anchored:
            scores[edge] = (similarity, edge in anchored)
    return scores


def relation_scores(store: Store, question: Question) -> dict[int, float]:
    words = store.rows(f"SELECT stem, idf FROM question_term WHERE question_id = {question.question_id}")
    total = max(1, sum(idf for _, idf in words))
    scores = {}
    for relation, name, embedding in store.rows("SELECT relation_id, relation, embedding FROM relation"):
        shared = sum(idf for stem, idf in words if any(word.startswith(stem) for word in name.split("_")))
        by_words = embedding is None or question.vector is None
        scores[relation] = shared / total if by_words else cosine(embedding, question.vector)
    return scores


def seeds(store: Store, question: Question, policy: Policy) -> list[tuple[int, int | None, float]]:
    """Eq. 6 and 7: (node, group, score), named nodes first."""
    ends = {edge: {source, target} for edge, source, _, target in store.edges}
    like = [(-score, edge) for edge, (score, _) in edge_scores(store, question).items() if score and score >= 0.2]
    s_rel: dict[int, float] = defaultdict(float)
    for score, edge in sorted(like)[:40]:
        for node in ends[edge]:
            s_rel[node] = max(s_rel[node], -score)
    close = [
        (-row["similarity"], node) for node, row in node_scores(store, question).items() if row["similarity"] >= 0.2
    ]
    s_ent = {node: -score for score, node in sorted(close)[:40]}
    named: dict[int, tuple[float, int]] = {}
    for target in question.targets:
        for node in target.node_ids:
            weight, group = named.get(node, (0.0, target.group_id))
            named[node] = (max(weight, target.weight), min(group, target.group_id))
    found = []
    for node in {*s_rel, *s_ent, *named}:
        relation, entity = s_rel.get(node, 0.0), s_ent.get(node, 0.0)
        score = 0.3 * entity + 0.7 * relation if policy.seed.selection_mode == "hybrid" else relation
        first = (0, -named[node][0]) if node in named else (1, 0)
        found.append((first, -score, -entity, node))
    return [
        (node, named[node][1] if node in named else None, named[node][0] if node in named else -score)
        for _, score, _, node in sorted(found)[: policy.seed.seed_limit]
    ]


def features(path: list[Row], *, aimed: bool, rule_relation: int = -1) -> Row:
    """The nine features of a path (B4) from its hops; sums run hop by hop."""
    hops = len(path)
    sums: dict[str, float] = defaultdict(float)
    for place, hop in enumerate(path):
        last = path[place - 1]["relation_similarity"] if place else hop["relation_similarity"]
        for name in SHARES:
            sums[name] += min(last, hop["relation_similarity"]) if name == "coherence" else hop[name]
    relations = [hop["relation_id"] for hop in path]
    repeated = sum(
        relation in relations[:place] and relation != rule_relation for place, relation in enumerate(relations)
    )
    return {
        **{name: sums[name] / hops for name in SHARES},
        "target_relevance": max(hop["relevance"] for hop in path) if aimed else path[-1]["relevance"],
        "repetition": repeated / hops,
        "question_like": max(hop["question_like"] for hop in path),
    }


def total(values: Row, policy: Policy) -> float:
    """Eq. 8 with the boost of B5."""
    weights, strength = policy.walk.weights, policy.walk.anchor_strength
    boost = 1.0 if strength < 0.4 else 1 + (strength - 0.4) / 0.6
    return (
        weights.relation_similarity * values["relation_similarity"]
        + weights.target_relevance * boost * values["target_relevance"]
        + weights.specificity * values["specificity"]
        + weights.anchor_consistency * boost * values["anchor_consistency"]
        + weights.transition_alignment * boost * values["transition_alignment"]
        + weights.coherence * values["coherence"]
        - weights.hub_exposure * boost * values["hub_exposure"]
        - weights.repetition * values["repetition"]
        - weights.question_like * values["question_like"]
    )


def beam(store: Store, question: Question, policy: Policy, *, rule_relation: int = -1) -> list[Row]:
    nodes, edges = node_scores(store, question), edge_scores(store, question)
    relations = relation_scores(store, question)
    start = sorted(seeds(store, question, policy), key=lambda seed: (-seed[2], seed[0]))
    level = [
        Row(depth=0, nodes=[node], edges=[], path=[], score=score, rank=rank, kept=True, parent=None, pruned_by=None,
            stopped=None, gain=None, completeness=None)
        for rank, (node, _, score) in enumerate(start, 1)
    ]  # fmt: skip
    rows, seen_nodes, seen_edges = list(level), {row["nodes"][0] for row in level}, set[int]()
    for depth in range(1, policy.walk.max_depth + 1):
        grown = []
        for place, row in enumerate(level):
            hops = []
            for edge, neighbour, relation, _ in store.steps(row["nodes"][-1]):
                if neighbour not in row["nodes"]:
                    own, anchored = edges.get(edge, (None, False))
                    of_relation = relations[relation]
                    like = of_relation if own is None else own
                    tail = nodes[row["nodes"][-1]]["similarity"]
                    triple = (tail + of_relation + nodes[neighbour]["similarity"]) / 3
                    hop = {**nodes[neighbour], "relation_similarity": like, "anchor_consistency": int(anchored),
                           "transition_alignment": triple if own is None else own, "relation_id": relation}  # fmt: skip
                    hops.append((-like, -nodes[neighbour]["similarity"], edge, neighbour, hop))
            for _, _, edge, neighbour, hop in sorted(hops, key=lambda h: h[:3])[: policy.walk.fan_out]:
                path = [*row["path"], hop]
                terms = features(path, aimed=bool(question.targets), rule_relation=rule_relation)
                grown.append(Row(depth=depth, nodes=[*row["nodes"], neighbour], edges=[*row["edges"], edge], path=path,
                                 terms=terms, score=total(terms, policy), parent=row["edges"],
                                 place=place))  # fmt: skip
        if not grown:
            break
        _prune(grown, policy)
        kept = [row for row in grown if row["kept"]]
        _judge(grown, kept, question, policy, (seen_nodes, seen_edges))
        rows += grown
        if grown[0]["stopped"]:
            break
        level = kept
    return rows


def _prune(grown: list[Row], policy: Policy) -> None:
    """The best of the paths over one set of edges, then the best `beam_width` of the pool or of each seed's."""
    grown.sort(key=lambda row: (-row["score"], row["place"], row["edges"][-1]))
    known: set[frozenset[int]] = set()
    taken: dict[int | None, int] = defaultdict(int)
    for row in grown:
        row["turn"] = frozenset(row["edges"]) in known
        known.add(frozenset(row["edges"]))
        pool = row["nodes"][0] if policy.walk.beam_scope == "seed" else None
        taken[pool] += not row["turn"]
        row["kept"] = not row["turn"] and taken[pool] <= policy.walk.beam_width
        row["pruned_by"] = None if row["kept"] else "same_edges" if row["turn"] else "beam_width"
    grown.sort(key=lambda row: row["turn"])
    for rank, row in enumerate(grown, 1):
        row["rank"] = rank


def _judge(
    grown: list[Row], kept: list[Row], question: Question, policy: Policy, seen: tuple[set[int], set[int]]
) -> None:
    """Eq. 9, completeness (B7) and eq. 10; what the kept paths hold is seen from now on."""
    seen_nodes, seen_edges = seen
    before = len(seen_nodes) + len(seen_edges)
    for row in kept:
        seen_nodes.update(row["nodes"])
        seen_edges.update(row["edges"])
    gain = (len(seen_nodes) + len(seen_edges) - before) / max(1, before)
    volume = min(1.0, len(seen_edges) / policy.evidence.evidence_count)
    groups: dict[int, bool] = {}
    for target in question.targets:
        groups[target.group_id] = groups.get(target.group_id, False) or bool(seen_nodes & set(target.node_ids))
    complete = (0.5 * sum(groups.values()) / len(groups) + 0.2 * volume) / 0.7 if groups else volume
    depth, stopped = grown[0]["depth"], None
    if gain == 0:
        stopped = "no_gain"
    elif depth >= 2 and gain <= THRESHOLDS[policy.walk.stop_regime] and complete >= policy.walk.completeness_floor:
        stopped = "low_gain"
    elif depth >= policy.walk.max_depth:
        stopped = "max_depth"
    for row in grown:
        row.update(gain=gain, completeness=complete, stopped=stopped)


def evidence(store: Store, question: Question, policy: Policy, rows: list[Row]) -> list[Row]:
    """Paths by score, their edges as units, the cap and the floor; then the chunks by seed score."""
    by_score = sorted(
        (row for row in rows if row["kept"] and row["depth"]), key=lambda r: (-r["score"], r["depth"], r["rank"])
    )
    paths, known = [], set[frozenset[int]]()
    for row in by_score:
        if frozenset(row["edges"]) not in known:
            paths.append(row)
            known.add(frozenset(row["edges"]))
    source: dict[int, int] = {}
    for edge, chunk in store.rows("SELECT edge_id, chunk_id FROM edge_chunk"):
        source[edge] = min(chunk, source.get(edge, chunk))
    units: list[Row] = []
    limits = policy.evidence
    for place, row in enumerate(paths, 1):
        for edge in row["edges"]:
            if edge not in {unit["unit_id"] for unit in units}:
                rank = len(units) + 1
                inside = place <= limits.candidate_limit
                kept = (inside and rank <= limits.evidence_count) or rank <= limits.min_evidence
                reason = None if kept else "evidence_count" if inside else "candidate_limit"
                units.append(Row(rank=rank, unit_kind="edge", unit_id=edge, chunk_id=source.get(edge), role="path",
                                 score=row["score"], kept=kept, pruned_by=reason))  # fmt: skip
    chunks = store.rows(f"SELECT chunk_id, score FROM base WHERE question_id = {question.question_id} AND score > 0")
    rest = sorted(chunks, key=lambda row: (-row[1], row[0]))[: limits.ranking_limit]
    edges_found = len(units)
    for rank, (chunk, score) in enumerate(rest, 1 + edges_found):
        kept = not edges_found and rank <= limits.evidence_count
        reason = None if kept else "path_first" if edges_found else "evidence_count"
        units.append(Row(rank=rank, unit_kind="chunk", unit_id=chunk, chunk_id=chunk, role="seed", score=score,
                         kept=kept, pruned_by=reason))  # fmt: skip
    return units
