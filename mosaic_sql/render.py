"""Policy and question in, statements out. Pure: the same input gives the same text and values, nothing is run."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mosaic_sql import sqlfiles
from mosaic_sql import text as words
from mosaic_sql.database import with_literals
from mosaic_sql.pattern import depth_of, is_entered_freely, is_short
from mosaic_sql.policy import PART_OF, Policy, RefinePolicy
from mosaic_sql.records import RenderedQuery, Target, Term

VIEWS = ("question_term", "cue_term", "target", "page", "transition", "arm")
"""Stages that only take the question apart: views, made once per connection; an operator makes those that it reads."""
_ARC = {"arc": "refine.arc"}
_READ = {
    "chunk_hop": ("question_term", "cue_term", "target", "page", "arm"),
    "beam": ("question_term", "target", "page", "arm"),
}
_READ_TYPED = ("target", "page", "transition", "arm")
TYPED = ("bfs", "meta_path", "shortest_path", "constrained_shortest_path", "pagerank", "relation_scan")
"""Operators that walk from anchors over relations."""
UNROLLED = 3
"""Steps up to which a pattern that tests no kind is unrolled over a large file (docs/performance.md)."""

# Words that ask; they are no relation that could stand beside a name.
QUESTION_STEMS = frozenset(
    words.stem(word)
    for word in (
        "what which who whom whose when where how many much name year date old first last same both more than "
        "between is was does"
    ).split()
)


@dataclass(frozen=True)
class Query:
    """A text looked for beside the question: `seed` searches the seed indexes, `facet` is to be covered.

    `group_id` is the target it asks for; the vector is on the grid, None without an embedder.
    """

    role: str
    text: str
    vector: tuple[float, ...] | None
    terms: tuple[Term, ...]
    group_id: int | None = None


@dataclass(frozen=True)
class Question:
    """A question ready to render: its text, its vector on the grid (None without an embedder), targets and topics.

    `within` and `without` hold its answers to nodes that earlier steps found (None: to none); such a one has no batch.
    """

    question_id: int
    text: str
    vector: tuple[float, ...] | None
    terms: tuple[Term, ...] = ()
    targets: tuple[Target, ...] = ()
    topics: tuple[int, ...] = ()
    transitions: tuple[Mapping[str, Any], ...] = ()
    queries: tuple[Query, ...] = field(default=())
    arms: tuple[Mapping[str, Any], ...] = ()
    within: tuple[int, ...] | None = None
    without: tuple[int, ...] = ()

    @property
    def is_held(self) -> bool:
        """Whether its answers are held to what earlier steps found."""
        return self.within is not None or bool(self.without)


@dataclass(frozen=True)
class Form:
    """How a retrieval is run; the file tells the rest.

    `expand` is `join` (plain SQL), `resident` (arrays in memory) or `paged` (arrays read as they are asked for), `text`
    is `scan` (of postings and vectors) or `resident`. `widest` is how many steps the node with most has, where known; a
    scan of the adjacency of an `is_large` file takes long.
    """

    dimension: int
    expand: str = "join"
    widest: int | None = None
    is_large: bool = False
    rule_relation_id: int = -1
    sentence_vectors: bool = False
    text: str = "scan"
    keep_pruned: bool = False


@dataclass(frozen=True)
class Refinement:
    """The look-ups of a policy's refine controls, found in a file's schema: rows of the parameters of `sql/refine`."""

    lookups: tuple[Mapping[str, Any], ...] = ()
    filters: tuple[Mapping[str, Any], ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()


def render(
    questions: Sequence[Question], policy: Policy, form: Form, refinement: Refinement | None = None
) -> tuple[RenderedQuery, ...]:
    """The stages of a retrieval in order, each filling a temporary table of its name.

    `refinement` is what the refine controls look up, found in the file's schema.
    """
    looked_up = {name: list(rows) for name, rows in vars(refinement or Refinement()).items()}
    values = {**_values(questions, policy, form), **looked_up}
    is_held, plan = any(question.is_held for question in questions), _plan(questions, policy, form)
    plan = [_held(*stage) if is_held and stage[0] == "walk" else stage for stage in plan]
    return tuple(_stage(stage, name, slots, values) for stage, name, slots in plan)


def told(questions: Sequence[Question], policy: Policy, form: Form) -> str:
    """Which form runs, in words, for the trace."""
    operator, walk = policy.walk.operator, "unrolled" if is_unrolled(questions, policy, form) else form.expand
    parts = [] if operator == "chunk_hop" else [f"walk {walk}"]
    return ", ".join([*parts, *([] if operator in TYPED else [f"text {form.text}"])])


def _held(stage: str, name: str, slots: Mapping[str, str]) -> tuple[str, str, dict[str, str]]:
    """A walk inside the file that holds its answers to earlier ones."""
    return stage, "walk.within", _inside("walk", name, slots)


def _inside(slot: str, name: str, slots: Mapping[str, str]) -> dict[str, str]:
    """A file in a slot, with what fills its own slots."""
    return {slot: name, **{f"{slot}.{inner}": file for inner, file in slots.items()}}


def _plan(questions: Sequence[Question], policy: Policy, form: Form) -> list[tuple[str, str, dict[str, str]]]:
    """(stage, file, slots) in the order they run."""
    operator = policy.walk.operator
    near = "seeds" if policy.walk.max_depth == 1 else "deep"
    arrays = "join" if form.expand == "join" else "resident"
    expand = {"expand": f"walk.expand_{arrays}"}
    typed = {**expand, "kind": f"walk.kind_{arrays}"}
    step = _inside("step", "walk.path_step", typed)
    scored = {"met_score": f"walk.met_score_{'resident' if form.expand == 'resident' else 'join'}"}
    grow = {**expand, **_inside("hop", "walk.hop", scored), "grow": "walk.grow", "score": "walk.path_score"}
    base = _base(form)
    views = _READ.get(operator, _READ_TYPED)
    asked: list[tuple[str, str, dict[str, str]]] = [("question", "", {}), *((view, "", {}) for view in views)]
    if operator == "chunk_hop":
        return [
            *asked,
            base,
            ("seed", "seed.chunk_hop", {}),
            ("cue", "walk.cue", {}),
            ("walk", "walk.chunk_hop", {"near": f"walk.near_{near}", "step": "walk.chunk_hop_step"}),
            ("evidence", "evidence.chunk_hop", {}),
        ]
    if operator == "beam":
        return [
            *asked,
            base,
            ("query", "", {}),
            ("name_score", "walk.name_score", {}),
            _node_score(form, scored),
            ("relation_score", "walk.relation_score", {}),
            ("edge_score", "walk.edge_score", {}),
            ("seed", "seed.beam", scored),
            ("connector", *_connector(policy, {**scored, **grow})),
            ("walk", "walk.beam", {**scored, **_inside("step", "walk.beam_step", grow)}),
            (
                "evidence",
                "evidence.beam",
                _inside("reserve", "evidence.reserve", scored) if policy.evidence.adaptive_final_evidence else {},
            ),
        ]
    if operator in ("shortest_path", "constrained_shortest_path"):
        walk: list[tuple[str, str, dict[str, str]]] = [
            ("reach", "walk.reach", step),
            ("corridor", "walk.corridor", step),
            ("walk", "walk.constrained_shortest_path", {}),
        ]
    elif operator == "meta_path":
        walk = [("walk", *_along(questions, policy, form, typed))]
    else:
        walk = [("walk", f"walk.{operator}", {} if operator == "relation_scan" else expand)]
    ranked = "evidence.path" if operator == "meta_path" else "evidence.pattern"
    of_kind = policy.refine.source_kind is not None and policy.refine.answers_from == "walk"
    return [
        *asked,
        ("base", "seed.no_base", {}),
        ("seed", "seed.kind" if of_kind else "seed.node", {}),
        *walk,
        *(_refining(policy) if policy.refine.is_active else [("evidence", ranked, {"edge": "evidence.edge"})]),
    ]


def _along(
    questions: Sequence[Question], policy: Policy, form: Form, typed: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """The walk along a pattern: a recursion, or its levels written out."""
    around = {**_start(questions), "found": "walk.pattern_found"}
    if is_unrolled(questions, policy, form):
        step = _inside("step", "walk.pattern_step", {"expand": "walk.expand_join", "kind": "walk.kind_join"})
        level = "walk.start_level", dict[str, str]()
        for _ in range(_depth(questions, policy)["max_depth"]):
            level = "walk.unrolled_level", {**_inside("before", *level), **step}
        return "walk.unrolled", {**around, **_inside("level", *level)}
    capped = {"capped": "walk.uncapped"} if form.widest is not None and form.widest <= policy.walk.fan_out else {}
    return "walk.meta_path", {**around, **_inside("step", "walk.pattern_step", {**typed, **capped})}


def is_unrolled(questions: Sequence[Question], policy: Policy, form: Form) -> bool:
    """Whether a walk over a large file that is not in memory is written out level by level, since that reads less."""
    if not form.is_large or form.expand == "resident" or policy.walk.operator != "meta_path":
        return False
    return not any(one.is_held for one in questions) and all(is_short(one.transitions, UNROLLED) for one in questions)


def _start(questions: Sequence[Question]) -> dict[str, str]:
    """The file that a walk along a pattern starts with: a short one where no anchor has states or tests of its own."""
    is_plain = all(not question.arms and is_entered_freely(question.transitions) for question in questions)
    return {"start": "walk.start_alone" if is_plain else "walk.start"}


def _refining(policy: Policy) -> list[tuple[str, str, dict[str, str]]]:
    """The stages after a walk over relations: what it arrived at, what is read of that, what is made of both."""
    of_pattern = policy.walk.operator == "meta_path"
    walked = ("refine.arrival_pattern", _ARC) if of_pattern else ("refine.arrival_path", dict[str, str]())
    arrivals: dict[str, tuple[str, dict[str, str]]] = {
        "walk": walked,
        "anchors": ("refine.arrival_anchor", {}),
        "kind": ("refine.arrival_kind", _inside("walked", *walked)),
    }
    return [
        ("arrival", *arrivals[policy.refine.answers_from]),
        _attribute(policy.refine),
        ("refine", "refine.refine", _refine_slots(policy.refine)),
        ("evidence", "evidence.refined", {}),
    ]


def _attribute(refine: RefinePolicy) -> tuple[str, str, dict[str, str]]:
    """The stage that reads the look-ups, if there are any."""
    if refine.filters or refine.during or refine.overlap_kind or refine.attribute is not None:
        return "attribute", "refine.attribute", {"typed": "refine.typed"}
    return "attribute", "refine.attribute_none", {}


def _refine_slots(refine: RefinePolicy) -> dict[str, str]:
    """What a policy asks for, in its slots; the others keep their empty defaults."""
    compares = {one.compare for one in refine.filters}
    beside = {"different": "!=" in compares, "lasting": refine.during is not None, "missing": "missing" in compares}
    checked = _inside("checked", "refine.checked", {name: f"refine.{name}" for name, used in beside.items() if used})
    of_starts = "starts" in (refine.sort_by, refine.having_of)
    return {
        **(_inside("often", "refine.starts", _ARC) if of_starts else {"often": "refine.often"}),
        **(checked if refine.filters or refine.during is not None else {}),
        **({"meeting": "refine.overlap"} if refine.overlap_kind is not None else {}),
        **({"value": "refine.value"} if refine.attribute is not None else {}),
        **({"degree": "refine.degree"} if refine.degree_of is not None else {}),
    }


def _base(form: Form) -> tuple[str, str, dict[str, str]]:
    """The stage that scores the chunks."""
    if form.text == "resident":
        return "base", "seed.base_resident", {}
    return "base", "seed.base", {"cosine": "seed.cosine_sentence"} if form.sentence_vectors else {}


def _node_score(form: Form, scored: dict[str, str]) -> tuple[str, str, dict[str, str]]:
    """The stage that scores nodes: all of them, or those that seeds are chosen from."""
    if form.expand == "resident":
        return "node_score", "walk.node_score_resident", scored
    return "node_score", "walk.node_score", {}


def _connector(policy: Policy, grow: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The file that finds paths between targets."""
    return ("walk.connector", grow) if policy.walk.use_connector else ("walk.no_connector", {})


def _stage(stage: str, name: str, slots: Mapping[str, str], values: Mapping[str, Any]) -> RenderedQuery:
    fillings = {"rows": name, **{f"rows.{slot}": value for slot, value in slots.items()}} if name else {}
    sql = sqlfiles.compose(f"stage.{stage}", fillings)
    if stage in ("question", "query"):
        sql = with_literals(sql, {"dimension": values["dimension"]})
    params = {key: values[key] for key in sorted(sqlfiles.parameters(sql))}
    return RenderedQuery(name or f"stage.{stage}", sql, params, stage)


def _values(questions: Sequence[Question], policy: Policy, form: Form) -> dict[str, Any]:
    controls = {name: getattr(getattr(policy, part), name) for name, part in PART_OF.items() if name != "weights"}
    return {
        **controls,
        **policy.walk.weights.model_dump(),
        **_depth(questions, policy),
        "dimension": form.dimension,
        "keep_pruned": form.keep_pruned,
        "base_hops": policy.walk.max_depth if policy.walk.operator == "chunk_hop" and not form.keep_pruned else None,
        "rule_relation_id": form.rule_relation_id,
        "within": None if questions[0].within is None else list(questions[0].within),
        "without": list(questions[0].without),
        "questions": [_question(q, typed=policy.walk.operator in TYPED) for q in questions],
        "queries": [row for q in questions for row in _queries(q)],
    }


def _depth(questions: Sequence[Question], policy: Policy) -> dict[str, int]:
    """The depth after which no pattern leads on, so that a walk does not look further."""
    if policy.walk.operator != "meta_path":
        return {}
    return {"max_depth": max(depth_of(question.transitions, policy.walk.max_depth) for question in questions)}


def _question(question: Question, *, typed: bool) -> dict[str, Any]:
    """A row of `question`: `idf` per term and their sum T, at least 1.

    A walk over relations goes by nodes and rules alone: it has no use for vector, words and topics.
    """
    idf = [] if typed else [term.idf for term in question.terms]
    return {
        "question_id": question.question_id,
        "text": question.text,
        "embedding": None if question.vector is None or typed else list(question.vector),
        "idf": idf,
        "idf_total": max(1, sum(idf)),
        "terms": [] if typed else question_terms(question),
        "cues": [] if typed else _cues(question),
        "targets": _targets(question, typed=typed),
        "pages": _pages(question),
        "topics": [] if typed else list(question.topics),
        "transitions": [dict(transition) for transition in question.transitions],
        "arms": [dict(arm) for arm in question.arms],
    }


def question_terms(question: Question) -> list[dict[str, Any]]:
    """Rows of `question_term`: the question's stems, each with its bit."""
    return [
        {
            "term_no": number,
            "stem": term.stem,
            "is_cue": term.stem not in QUESTION_STEMS,
            "term_id": term.term_id,
            "idf": term.idf,
        }
        for number, term in enumerate(question.terms)
    ]


def _queries(question: Question) -> list[dict[str, Any]]:
    """Rows of `query`; the question itself searches the seed indexes where nothing else does."""
    queries = list(question.queries)
    if not any(query.role == "seed" for query in queries):
        queries.insert(0, Query("seed", question.text, question.vector, question.terms))
    numbers = {role: itertools.count() for role in ("seed", "facet")}
    return [
        {
            "question_id": question.question_id,
            "role": query.role,
            "query_no": next(numbers[query.role]),
            "group_id": query.group_id,
            "text": query.text,
            "embedding": None if query.vector is None else list(query.vector),
            "terms": [{"term_id": term.term_id, "idf": term.idf} for term in query.terms if term.term_id is not None],
            "idf_total": max(1, sum(term.idf for term in query.terms)),
        }
        for query in queries
    ]


def _cues(question: Question) -> list[dict[str, Any]]:
    """Rows of `cue_term`: terms that begin like a word of the question that may be the relation asked for."""
    return [
        {"term_no": number, "term_id": term_id, "idf": term.idf}
        for number, term in enumerate(question.terms)
        if term.stem not in QUESTION_STEMS and term.idf
        for term_id in term.alike
    ]


def _pages(question: Question) -> list[dict[str, Any]]:
    """Rows of `page`: chunks that bear a target's name as title."""
    return [
        {"group_id": target.group_id, "chunk_id": chunk_id, "weight": target.weight, "pages": len(target.page_ids)}
        for target in question.targets
        for chunk_id in target.page_ids
    ]


def _targets(question: Question, *, typed: bool) -> list[dict[str, Any]]:
    """Rows of `target`; a typed walk starts from the imported graph's nodes where the name has any."""
    return [
        {"group_id": target.group_id, "alias_key": target.alias_key, "weight": target.weight, "node_id": node_id}
        for target in question.targets
        for node_id in ((target.graph_ids if typed else ()) or target.node_ids)
    ]
