"""MOSAIC's beam again in naive Python: scores of nodes and edges, seeds, nine features, pruning, gain and stop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from random_store import Store

from mosaic_sql.policy import Policy
from mosaic_sql.render import Query, Question

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
            groups = {
                target.group_id
                for target in question.targets
                if node in target.node_ids or any(cosine(embedding, vectors[n]) >= 0.60 for n in target.node_ids)
            }
            scores[node] = Row(similarity=similarity, relevance=1.0 if node in targets else near, groups=groups,
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


def facet_edges(store: Store, question: Question, *, with_relations: bool = True) -> dict[int, set[int]]:
    """Edge -> facets: the cosine of their texts, or 0.6 of the facet's words in the sentence; the relation's cosine."""
    said = {(term, sentence) for term, sentence in store.rows("SELECT term_id, sentence_id FROM sentence_posting")}
    labels = dict(store.rows("SELECT relation_id, embedding FROM relation"))
    found: dict[int, set[int]] = defaultdict(set)
    facets = [query for query in question.queries if query.role == "facet"]
    for edge, relation, fact, embedding in store.rows("SELECT edge_id, relation_id, fact_id, embedding FROM edge"):
        for number, facet in enumerate(facets):
            idf = [term.idf for term in facet.terms]
            spoken = [term.idf for term in facet.terms if (term.term_id, fact) in said]
            by_words = bool(spoken) and sum(spoken) >= 0.6 * max(1, sum(idf))
            close = [
                cosine(vector, facet.vector) >= 0.45
                for vector in (embedding, labels[relation] if with_relations else None)
            ]
            if by_words or any(close):
                found[edge].add(number)
    return found


def relation_scores(store: Store, question: Question) -> dict[int, float]:
    words = store.rows(f"SELECT stem, idf FROM question_term WHERE question_id = {question.question_id}")
    total = max(1, sum(idf for _, idf in words))
    scores = {}
    for relation, name, embedding in store.rows("SELECT relation_id, relation, embedding FROM relation"):
        shared = sum(idf for stem, idf in words if any(word.startswith(stem) for word in name.split("_")))
        by_words = embedding is None or question.vector is None
        scores[relation] = shared / total if by_words else cosine(embedding, question.vector)
    return scores


def query_edges(store: Store, query: Query) -> list[tuple[float, int]]:
    """(-similarity, edge) of the 40 edges most like a query, from 0.2 on."""
    said = {(term, sentence) for term, sentence in store.rows("SELECT term_id, sentence_id FROM sentence_posting")}
    total = max(1, sum(term.idf for term in query.terms))
    like = []
    for edge, fact, embedding in store.rows("SELECT edge_id, fact_id, embedding FROM edge"):
        score = sum(term.idf for term in query.terms if (term.term_id, fact) in said) / total
        if embedding is not None and query.vector is not None:
            score = cosine(embedding, query.vector)
        if score >= 0.2:
            like.append((-score, edge))
    return sorted(like)[:40]


def later_twins(store: Store, ranked: list[int]) -> set[int]:
    """Nodes whose own name, normalised, is that of an earlier one."""
    names = dict(store.rows("SELECT node_id, name FROM node"))
    keys = {(node, alias): key for node, alias, key in store.rows("SELECT node_id, alias, alias_key FROM alias")}
    spelled = [keys.get((node, names[node])) for node in ranked]
    return {node for place, node in enumerate(ranked) if spelled[place] and spelled[place] in spelled[:place]}


def seeds(store: Store, question: Question, policy: Policy) -> list[tuple[int, int | None, float]]:
    """Eq. 6 and 7: (node, group, score); two names of each target's query first, then named nodes, then by score."""
    scores, ends = node_scores(store, question), {edge: {source, target} for edge, source, _, target in store.edges}
    close = sorted((-row["similarity"], node) for node, row in scores.items() if row["similarity"] >= 0.2)
    s_ent = {node: -score for score, node in close[:40]}
    named: dict[int, tuple[float, int]] = {}
    for target in question.targets:
        for node in target.node_ids:
            weight, group = named.get(node, (0.0, target.group_id))
            named[node] = (max(weight, target.weight), min(group, target.group_id))
    asked = [query for query in question.queries if query.role == "seed"]
    asked = asked or [Query("seed", question.text, question.vector, question.terms)]
    best: dict[int, tuple[Any, ...]] = {}
    for query in asked:
        s_rel: dict[int, float] = defaultdict(float)
        for score, edge in query_edges(store, query):
            for node in ends[edge]:
                s_rel[node] = max(s_rel[node], -score)
        own = {n for t in question.targets if query.group_id in (None, t.group_id) for n in t.node_ids}
        ranked = []
        for node in {*s_rel, *own, *(s_ent if query.group_id is None else ())}:
            relation, entity = s_rel.get(node, 0.0), s_ent.get(node, 0.0)
            score = 0.3 * entity + 0.7 * relation if policy.seed.selection_mode == "hybrid" else relation
            if score > 0 or entity > 0 or node in named:
                weight = -named[node][0] if node in named else 1.0
                ranked.append((weight, -score, -entity, node))
        later = later_twins(store, [node for *_, node in sorted(ranked)])
        ranked.sort(key=lambda row: (row[-1] in later, row))
        for turn, (weight, score, entity, node) in enumerate(ranked, 1):
            late = query.group_id is None or turn > 2 or node in later
            group = 99 if query.group_id is None else query.group_id
            offer = (late, turn, group, score, weight, entity)
            best[node] = min(best.get(node, (True, 10**6)), offer)
    found = []
    for node, (late, turn, group, score, weight, entity) in best.items():
        reserved = policy.seed.seed_query_mode == "per_target" and not late
        first = (0, turn, group) if reserved else (1, 0, 0)
        groups = scores[node]["groups"] if node in scores else set()
        belongs = named[node][1] if node in named else min(groups) if groups else group if group < 99 else None
        value = named[node][0] if node in named else -score
        found.append((first, weight, score, entity, node, belongs, value))
    return [(node, belongs, value) for *_, node, belongs, value in sorted(found)[: policy.seed.seed_limit]]


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


def hops_from(store: Store, question: Question) -> Callable[[int], list[tuple[int, int, Row]]]:
    """(edge, neighbour, what the hop adds to a path) for the steps out of a node."""
    nodes, edges = node_scores(store, question), edge_scores(store, question)
    relations, facets = relation_scores(store, question), facet_edges(store, question)

    def hops(node: int) -> list[tuple[int, int, Row]]:
        found = []
        for edge, neighbour, relation, _ in store.steps(node):
            own, anchored = edges.get(edge, (None, False))
            of_relation = relations[relation]
            triple = (nodes[node]["similarity"] + of_relation + nodes[neighbour]["similarity"]) / 3
            hop = {**nodes[neighbour], "relation_similarity": of_relation if own is None else own,
                   "anchor_consistency": int(anchored), "transition_alignment": triple if own is None else own,
                   "relation_id": relation, "facets": facets.get(edge, set())}  # fmt: skip
            found.append((edge, neighbour, hop))
        return found

    return hops


def connectors(store: Store, question: Question, policy: Policy, rule_relation: int) -> dict[int, list[Row]]:
    """Per length the best paths that join two regions (B6): halves of up to two hops, met in the middle."""
    if not policy.walk.use_connector:
        return {}
    chosen, hops, depth = seeds(store, question, policy), hops_from(store, question), policy.walk.max_depth
    apart = len({group for _, group, _ in chosen if group is not None}) >= 2
    halves: dict[int, list[Row]] = {0: [], 1: [], 2: []}
    for node, group, _ in chosen:
        region = group if apart and group is not None else -1 - node
        halves[0].append(Row(region=region, nodes=[node], edges=[], path=[]))
    for length in range(min(2, (depth + 1) // 2)):
        for half in halves[length]:
            offers = [offer for offer in hops(half["nodes"][-1]) if offer[1] not in half["nodes"]]
            offers.sort(key=lambda o: (-o[2]["relation_similarity"], -o[2]["specificity"], o[0]))
            halves[length + 1] += [
                Row(region=half["region"], nodes=[*half["nodes"], neighbour], edges=[*half["edges"], edge],
                    path=[*half["path"], hop])
                for edge, neighbour, hop in offers[: policy.walk.connector_fan]
            ]  # fmt: skip
    scores = node_scores(store, question)
    pairs: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for left, right in ((1, 0), (1, 1), (2, 1), (2, 2)):
        for one in halves[left]:
            for other in halves[right]:
                joined = one["nodes"][-1] == other["nodes"][-1] and one["region"] < other["region"]
                if joined and left + right <= min(depth, 4) and len({*one["nodes"]} & {*other["nodes"]}) == 1:
                    pairs[one["region"], other["region"]].append(
                        _joined(one, other, scores, question, policy, rule_relation)
                    )
    best = [row for rows in pairs.values() for row in sorted(rows, key=_order)[:3]]
    return {
        length: sorted((row for row in best if len(row["edges"]) == length), key=_order)[: 2 * policy.walk.beam_width]
        for length in range(1, 5)
    }


def _order(row: Row) -> tuple[Any, ...]:
    return -row["score"], row["nodes"], row["edges"]


def _joined(one: Row, other: Row, scores: dict[int, Row], question: Question, policy: Policy, rule: int) -> Row:
    """One path of two halves; the node where they meet is spared the hub term."""
    back = [  # the other half walked from its end: each edge now leads to the node it came from
        {**hop, **scores[node]}
        for hop, node in zip(reversed(other["path"]), reversed(other["nodes"][:-1]), strict=True)
    ]
    middle = {**one["path"][-1], "hub_exposure": 0.0}
    path = [*one["path"][:-1], middle, *back]
    terms = features(path, aimed=bool(question.targets), rule_relation=rule)
    return Row(nodes=[*one["nodes"], *reversed(other["nodes"][:-1])], edges=[*one["edges"], *reversed(other["edges"])],
               path=path, terms=terms, score=total(terms, policy), parent=None, view="connector",
               place=10**9)  # fmt: skip


def beam(store: Store, question: Question, policy: Policy, *, rule_relation: int = -1) -> list[Row]:
    hops, nodes = hops_from(store, question), node_scores(store, question)
    joining = connectors(store, question, policy, rule_relation)
    start = sorted(seeds(store, question, policy), key=lambda seed: (-seed[2], seed[0]))
    level = [
        Row(depth=0, nodes=[node], edges=[], path=[], score=score, rank=rank, kept=True, parent=None, pruned_by=None,
            stopped=None, gain=None, completeness=None, view="seed")
        for rank, (node, _, score) in enumerate(start, 1)
    ]  # fmt: skip
    seen = Seen({row["nodes"][0] for row in level}, set(), set(), set())
    seen.groups.update(*(nodes.get(node, {"groups": set()})["groups"] for node in seen.nodes))
    rows = list(level)
    for depth in range(1, policy.walk.max_depth + 1):
        grown = []
        for place, row in enumerate(level):
            offers = [offer for offer in hops(row["nodes"][-1]) if offer[1] not in row["nodes"]]
            offers.sort(key=lambda o: (-o[2]["relation_similarity"], -o[2]["similarity"], o[0]))
            for edge, neighbour, hop in offers[: policy.walk.fan_out]:
                path = [*row["path"], hop]
                terms = features(path, aimed=bool(question.targets), rule_relation=rule_relation)
                grown.append(Row(depth=depth, nodes=[*row["nodes"], neighbour], edges=[*row["edges"], edge], path=path,
                                 terms=terms, score=total(terms, policy), parent=row["edges"], view="beam",
                                 place=place))  # fmt: skip
        grown += [{**row, "depth": depth} for row in joining.get(depth, ()) if level]
        if not grown:
            break
        _prune(grown, policy)
        kept = [row for row in grown if row["kept"]]
        _judge(grown, kept, question, policy, seen)
        rows += grown
        if grown[0]["stopped"]:
            break
        level = kept
    return rows


def _prune(grown: list[Row], policy: Policy) -> None:
    """The best of the paths over one set of edges, then the best `beam_width` of the pool or of each seed's."""
    grown.sort(key=lambda row: (-row["score"], row["place"], row["edges"]))
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


@dataclass
class Seen:
    """What kept paths have held so far; targets and facets count as covered."""

    nodes: set[int]
    edges: set[int]
    groups: set[int]
    facets: set[int]


def _judge(grown: list[Row], kept: list[Row], question: Question, policy: Policy, seen: Seen) -> None:
    """Eq. 9, completeness (B7) and eq. 10; what the kept paths hold is seen from now on."""
    before = len(seen.nodes) + len(seen.edges)
    for row in kept:
        seen.nodes.update(row["nodes"])
        seen.edges.update(row["edges"])
        seen.groups.update(row["path"][-1]["groups"])
        seen.facets.update(
            *(hop["facets"] for hop in (row["path"] if row["view"] == "connector" else row["path"][-1:]))
        )
    gain = (len(seen.nodes) + len(seen.edges) - before) / max(1, before)
    volume = min(1.0, len(seen.edges) / policy.evidence.evidence_count)
    targets = {target.group_id for target in question.targets}
    facets = sum(query.role == "facet" for query in question.queries)
    parts = [(0.5, len(seen.groups) / len(targets))] if targets else []
    parts += [(0.3, len(seen.facets) / facets)] if facets else []
    parts += [(0.2, volume)]
    complete = sum(weight * share for weight, share in parts) / sum(weight for weight, _ in parts)
    depth, stopped = grown[0]["depth"], None
    if gain == 0:
        stopped = "no_gain"
    elif depth >= 2 and gain <= THRESHOLDS[policy.walk.stop_regime] and complete >= policy.walk.completeness_floor:
        stopped = "low_gain"
    elif depth >= policy.walk.max_depth:
        stopped = "max_depth"
    for row in grown:
        row.update(gain=gain, completeness=complete, stopped=stopped)
