"""The walks again in naive Python: loops and dictionaries over the stored tables, nothing shared with the SQL."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from random_store import Store

from mosaic_sql.policy import Policy
from mosaic_sql.render import Question

Row = dict[str, Any]
Table = Mapping[int, Any]


def anchors(question: Question) -> list[int]:
    return sorted({node for target in question.targets for node in target.node_ids})


def bfs(store: Store, question: Question, policy: Policy) -> list[Row]:
    paths = {node: Row(depth=0, nodes=[node], edges=[], parent=None, stopped=None) for node in anchors(question)}
    level = list(paths)
    for depth in range(1, policy.walk.max_depth + 1):
        offers: dict[int, tuple[int, int]] = {}
        for node in level:
            fresh = sorted(
                (e, v) for e, v, _, forward in store.steps(node) if v not in paths and _along(policy, forward)
            )
            if len(fresh) > policy.walk.fan_out:
                paths[node]["stopped"] = f"{paths[node]['stopped'] or ''} fan_out".strip()
            for edge, neighbour in fresh[: policy.walk.fan_out]:
                offers[neighbour] = min(offers.get(neighbour, (node, edge)), (node, edge))
        chosen = sorted(offers.items(), key=lambda offer: offer[1])
        cut = len(chosen) > policy.walk.row_budget
        level = []
        for neighbour, (node, edge) in chosen[: policy.walk.row_budget]:
            above = paths[node]
            stopped = "row_budget" if cut else "max_depth" if depth == policy.walk.max_depth else None
            paths[neighbour] = Row(depth=depth, nodes=[*above["nodes"], neighbour], edges=[*above["edges"], edge],
                                   parent=above["edges"], stopped=stopped)  # fmt: skip
            level.append(neighbour)
    rows = sorted(paths.values(), key=lambda row: (row["depth"], row["nodes"][-1]))
    return [{**row, "rank": place, "view": "pattern"} for place, row in enumerate(rows, 1)]


def _along(policy: Policy, forward: bool) -> bool:
    return policy.walk.direction == "either" or forward == (policy.walk.direction == "forward")


def meta_path(store: Store, question: Question, policy: Policy) -> list[Row]:
    """Answers are the nodes that a walk in the product of graph and automaton reaches in an accepting state."""
    begin = starts(store, question)
    paths = {key: Row(depth=0, nodes=[key[1]], edges=[], parent=None, stopped=None) for key in begin}
    accepts = {rule["next_state"] for rule in question.transitions if rule["state"] == -1 and rule["accepts"]}
    accepting = {key for key in paths if key[0] in accepts}
    level = list(paths)
    for depth in range(1, policy.walk.max_depth + 1):
        offers: dict[tuple[int, int], tuple[tuple[int, int], int]] = {}
        for state, node in level:
            moves = [move for move in _moves(store, question, state, node)
                     if not _bars(begin, move[2], move[1]) and (move[2], move[1]) not in paths]  # fmt: skip
            edges = sorted({edge for edge, *_ in moves})
            if len(edges) > policy.walk.fan_out:
                paths[state, node]["stopped"] = f"{paths[state, node]['stopped'] or ''} fan_out".strip()
            for edge, neighbour, state_after, accepts in moves:
                key = (state_after, neighbour)
                if edge not in edges[: policy.walk.fan_out]:
                    continue
                accepting |= {key} if accepts else set()
                offers[key] = min(offers.get(key, ((state, node), edge)), ((state, node), edge))
        chosen = sorted(offers.items(), key=lambda offer: (offer[1], offer[0][0]))
        cut = len(chosen) > policy.walk.row_budget
        level = []
        for key, (above_key, edge) in chosen[: policy.walk.row_budget]:
            above = paths[above_key]
            paths[key] = Row(depth=depth, nodes=[*above["nodes"], key[1]], edges=[*above["edges"], edge],
                             parent=above["edges"], stopped="row_budget" if cut else None)  # fmt: skip
            level.append(key)
    first = {node: (depth, state) for depth, state, node in sorted(
        ((paths[key]["depth"], *key) for key in accepting & set(paths)), reverse=True)}  # fmt: skip
    order = sorted(first, key=lambda node: (first[node][0], node))
    rows = []
    for (state, node), row in sorted(paths.items(), key=lambda item: (item[1]["depth"], item[0])):
        answers = first.get(node) == (row["depth"], state) and (state, node) in accepting
        rank = order.index(node) + 1 if answers else None
        rows.append({**row, "rank": rank, "view": "answer" if answers else "pattern"})
    return rows


def starts(store: Store, question: Question) -> dict[tuple[int, int], int | None]:
    """(first state, node) -> the last state of its arm, up to which no path leads back to it."""
    entries = {rule["next_state"]: rule["kind"] for rule in question.transitions if rule["state"] == -1}
    found: dict[tuple[int, int], int | None] = {}
    for target in question.targets:
        for node in target.graph_ids or target.node_ids:
            own = [arm for arm in question.arms
                   if arm["group_id"] == target.group_id and arm["node_id"] in (None, node)]  # fmt: skip
            state, last = (own[0]["state"], own[0]["last_state"]) if own else (0, None)
            if entries[state] is None or entries[state] in store.kinds[node]:
                found[state, node] = last
    return found


def _bars(begin: Mapping[tuple[int, int], int | None], state: int, node: int) -> bool:
    return any(
        other == node and first <= state and (last is None or state <= last) for (first, other), last in begin.items()
    )


def _moves(store: Store, question: Question, state: int, node: int) -> Iterable[tuple[int, int, int, bool]]:
    for edge, neighbour, relation, forward in store.steps(node):
        for rule in question.transitions:
            if (
                rule["state"] == state
                and rule["relation_id"] in (None, relation)
                and (rule["forward"] in (None, forward) or neighbour == node)
                and (rule["kind"] is None or rule["kind"] in store.kinds[neighbour])
            ):
                yield edge, neighbour, rule["next_state"], rule["accepts"]


def shortest_paths(store: Store, question: Question, policy: Policy) -> list[Row]:
    """All simple paths that pass no end on their way, depth first, each with the set of states it may be in.

    Of those over the same nodes the one with the fewest steps against an edge, then the lowest edges.
    """
    source = {edge: node for edge, node, _, _ in store.edges}
    specificity = dict(store.rows("SELECT node_id, specificity FROM node"))
    groups = sorted({target.group_id for target in question.targets})
    ends = [[n for t in question.targets if t.group_id == group for n in t.node_ids] for group in groups]
    starts, goals = [*ends, [], []][:2]
    found: dict[tuple[int, ...], tuple[int, list[int]]] = {}

    def search(nodes: list[int], edges: list[int], states: set[int]) -> None:
        if len(edges) == policy.walk.max_depth:
            return
        for (edge, neighbour), outcome in _reached(store, question, states, nodes).items():
            longer = ([*nodes, neighbour], [*edges, edge])
            if neighbour in goals and any(accepts for _, accepts in outcome):
                over = (sum(source[e] != node for e, node in zip(longer[1], nodes, strict=True)), longer[1])
                found[tuple(longer[0])] = min(over, found.get(tuple(longer[0]), over))
            elif neighbour not in (*starts, *goals):
                search(*longer, {state for state, _ in outcome})

    for node in starts:
        search([node], [], {0})

    def key(path: tuple[list[int], list[int]]) -> tuple[Any, ...]:
        share = sum(specificity[node] for node in path[0]) / len(path[0]) / 65536
        return len(path[1]), -int(share * 1e6 + 0.5), path[0]

    ranked = sorted(((list(nodes), edges) for nodes, (_, edges) in found.items()), key=key)
    limit = policy.walk.path_limit
    longest = len(ranked[:limit][-1][1]) if ranked else 0
    rows = [Row(nodes=[n], edges=[], rank=None, kept=True, depth=0, view="pattern") for n in sorted(starts)]
    answers = [
        Row(nodes=nodes, edges=edges, rank=rank, kept=rank <= limit, depth=len(edges), view="answer")
        for rank, (nodes, edges) in enumerate(ranked, 1)
        if len(edges) <= longest
    ]
    return rows + answers


def _reached(
    store: Store, question: Question, states: set[int], nodes: list[int]
) -> dict[tuple[int, int], set[tuple[int, bool]]]:
    """The steps that a path may take, each with the states it leads to."""
    reached: dict[tuple[int, int], set[tuple[int, bool]]] = defaultdict(set)
    for state in states:
        for edge, neighbour, state_after, accepts in _moves(store, question, state, nodes[-1]):
            if neighbour not in nodes:
                reached[edge, neighbour].add((state_after, accepts))
    return reached


def base(store: Store, question: Question, policy: Policy) -> list[tuple[Any, ...]]:
    """Steps 1 to 3 of the chunk walk: what BM25, cosine and named titles make of every chunk they find."""
    terms = dict(store.rows(f"SELECT term_id, term_no FROM question_term WHERE question_id = {question.question_id}"))
    lexical: dict[int, int] = defaultdict(int)
    covered: dict[int, int] = defaultdict(int)
    for term, chunk, weight in store.rows("SELECT term_id, chunk_id, weight FROM posting"):
        if term in terms:
            lexical[chunk] += weight
            covered[chunk] |= 1 << terms[term]
    cosine = {}
    for chunk, embedding in store.rows("SELECT chunk_id, embedding FROM chunk WHERE embedding IS NOT NULL"):
        if question.vector is not None:
            cosine[chunk] = min(1.0, sum(a * b for a, b in zip(embedding, question.vector, strict=True)) / 16e6)
    named: dict[int, float] = {}
    for target in question.targets:
        pages = {
            c for k, c in store.rows("SELECT alias_key, chunk_id FROM alias WHERE is_title") if k == target.alias_key
        }
        for chunk in pages:
            named[chunk] = max(named.get(chunk, 0), target.weight / len(pages) ** 0.5)
    share = policy.seed.bm25_share if question.vector is not None else 1.0
    chunks = sorted({*lexical, *cosine, *named})
    most = max(lexical.values(), default=1)
    relative = {chunk: lexical.get(chunk, 0) / most for chunk in chunks}
    f0 = {chunk: share * relative[chunk] + (1 - share) * cosine.get(chunk, 0) for chunk in chunks}
    best = max(0, max(f0.values(), default=0))
    f1 = {chunk: f0[chunk] + policy.seed.title_boost * named.get(chunk, 0) * best for chunk in chunks}
    top = max(f1.values(), default=0)
    rows = []
    for chunk in chunks:
        plain = f1[chunk] / top if top > 0 else 0
        lifted = min(1.0, named.get(chunk, 0) / 0.6) if named.get(chunk, 0) >= policy.seed.anchor_threshold else 0
        score = max(plain, lifted) if lifted else plain
        rows.append(
            (chunk, score, plain, relative[chunk], cosine.get(chunk), named.get(chunk, 0), covered.get(chunk, 0))
        )
    return rows


def chunk_seeds(store: Store, question: Question, policy: Policy) -> list[tuple[int, float]]:
    ranked = sorted((-b, c, mw) for c, b, mw in _base(store, question, "chunk_id, score, title_weight") if b > 0)
    seeds = []
    for place, (score, chunk, named) in enumerate(ranked, 1):
        anchor = named >= policy.seed.anchor_threshold
        if anchor or place <= policy.seed.seed_limit:
            seeds.append((chunk, 1.0 if anchor else (score / ranked[0][0]) ** policy.seed.seed_exponent))
    return sorted(seeds, key=lambda seed: (-seed[1], seed[0]))


def _base(store: Store, question: Question, columns: str) -> list[tuple[Any, ...]]:
    return store.rows(f"SELECT {columns} FROM base WHERE question_id = {question.question_id}")


def cue(store: Store, question: Question, chunks: set[int] | None) -> dict[tuple[int, int], float]:
    """ctx: three times the share of the question's words, by idf, that stand beside a name; of its best sentence."""
    stems = dict(store.rows("SELECT term_id, term FROM term"))
    words = store.rows(f"SELECT stem, is_cue, idf FROM question_term WHERE question_id = {question.question_id}")
    beside: dict[tuple[int, int, int], dict[str, float]] = defaultdict(dict)
    for term, chunk, node, sentence, side in store.rows(
        "SELECT term_id, chunk_id, node_id, sentence_id, side FROM mention_context"
    ):
        for stem, is_cue, idf in words:
            short, long = sorted((stem, stems.get(term, "")), key=len)
            if is_cue and (short == long or (len(short) >= 4 and long.startswith(short))):
                share = idf if side == "before" else idf / 2
                held = beside[chunk, node, sentence]
                held[stem] = max(held.get(stem, 0), share)
    total = max(1, sum(idf for _, _, idf in words))
    scores: dict[tuple[int, int], float] = {}
    for (chunk, node, _), held in beside.items():
        if chunks is None or chunk in chunks:
            scores[chunk, node] = max(scores.get((chunk, node), 0), min(1.0, 3.0 * sum(held.values()) / total))
    return scores


def chunk_hop(store: Store, question: Question, policy: Policy) -> list[Row]:
    """Steps 4 to 7: every link of every kept chunk, weighed; per chunk the best path in."""
    prior = {chunk: (score, bits) for chunk, score, bits in _base(store, question, "chunk_id, score, covered")}
    links = defaultdict(list)
    for chunk, *link in store.rows(
        "SELECT chunk_id, node_id, next_chunk_id, is_title, specificity, title_share FROM link"
    ):
        links[chunk].append(link)
    cues = {(c, n): s for c, n, s in store.rows(
        f"SELECT chunk_id, node_id, score FROM cue WHERE question_id = {question.question_id}")}  # fmt: skip
    idf = [row[0] for row in store.rows(
        f"SELECT idf FROM question_term WHERE question_id = {question.question_id} ORDER BY term_no")]  # fmt: skip
    walk = policy.walk
    level = [
        Row(depth=0, chunks=[c], nodes=[], score=a, bits=prior.get(c, (0, 0))[1], parent=None, kept=True, rank=rank,
            pruned_by=None, view="seed")
        for rank, (c, a) in enumerate(chunk_seeds(store, question, policy), 1)
    ]  # fmt: skip
    rows = list(level)
    for depth in range(1, walk.max_depth + 1):
        candidates: list[Row] = []
        for path in level:
            here = path["chunks"][-1]
            body: dict[int, list[tuple[float, int]]] = defaultdict(list)
            for node, following, is_title, _, _ in links[here]:
                if not is_title and following not in path["chunks"]:
                    body[node].append((-prior.get(following, (0, 0))[0], following))
            for node, following, is_title, specificity, pages in links[here]:
                if node in question.topics or following in path["chunks"]:
                    continue
                score, bits = prior.get(following, (0, 0))
                crowded = not is_title and (-score, following) not in sorted(body[node])[: walk.beam_width]
                tau = walk.body_weight + (1 - walk.body_weight) * (pages / 65536 if is_title else 0)
                new = sum(w for number, w in enumerate(idf) if (bits & ~path["bits"]) >> number & 1)
                context = walk.cue_weight * cues.get((here, node), 0)
                residual = walk.residual_weight * new / max(1, sum(idf))
                source = path["score"] * (1.0 if depth == 1 else walk.decay)
                candidates.append(
                    Row(depth=depth, chunks=[*path["chunks"], following], nodes=[*path["nodes"], node],
                        score=source * (specificity / 65536) * (tau + context + residual), bits=path["bits"] | bits,
                        parent=path["chunks"], view="title" if is_title else "body", crowded=crowded, here=here)
                )  # fmt: skip
        candidates.sort(key=lambda r: (r["crowded"], -r["score"], r["here"], r["nodes"][-1], r["chunks"][-1]))
        taken: set[int] = set()
        for rank, row in enumerate(candidates, 1):
            row["rank"] = rank
            row["kept"] = not row["crowded"] and row["chunks"][-1] not in taken
            row["pruned_by"] = None if row["kept"] else "beam_width" if row["crowded"] else "better_path"
            taken |= {row["chunks"][-1]} if row["kept"] else set()
        rows += candidates
        level = [row for row in candidates if row["kept"] and row["rank"] <= policy.seed.seed_limit]
    return rows


def chunk_evidence(store: Store, question: Question, policy: Policy, rows: Sequence[Row]) -> list[Row]:
    """Steps 7 and 8: F = B + gain of the best path in + gain of the best path out; named pages first."""
    columns = "chunk_id, score, plain_score, title_weight"
    prior = {chunk: values for chunk, *values in _base(store, question, columns)}
    kept = [row for row in rows if row["kept"] and row["depth"] > 0]
    into: dict[int, float] = {}
    out: dict[int, float] = {}
    for row in kept:
        here, following = row["chunks"][-2:]
        into[following] = max(into.get(following, 0), row["score"])
        if following in prior:
            out[here] = max(out.get(here, 0), row["score"] * prior[following][0])
    threshold, gains = policy.seed.anchor_threshold, policy.evidence
    best_pages: dict[int, int] = {}
    titles = store.rows("SELECT alias_key, chunk_id FROM alias WHERE is_title")
    for target in sorted(question.targets, key=lambda target: target.group_id):
        pages = [c for key, c in titles if key == target.alias_key and c in prior]
        if target.weight >= threshold and pages:
            page = min(pages, key=lambda c: (-prior[c][1], c))
            best_pages.setdefault(page, target.group_id)
    first = [page for page in list(best_pages)[: gains.anchor_reserve] if prior[page][2] >= threshold]
    scored = []
    for chunk in {*prior, *into}:
        link = gains.link_gain * into.get(chunk, 0)
        score = prior.get(chunk, [0])[0] + link + gains.back_gain * out.get(chunk, 0)
        role = "anchor" if chunk in first else "link" if prior.get(chunk, [0])[0] < link else "seed"
        if score > 0:
            scored.append((chunk not in first, -score, chunk, role))
    limit = gains.evidence_count
    return [
        Row(rank=rank, chunk_id=chunk, role=role, score=-score, kept=rank <= limit)
        for rank, (_, score, chunk, role) in enumerate(sorted(scored), 1)
        if rank <= max(gains.ranking_limit, limit)
    ]
