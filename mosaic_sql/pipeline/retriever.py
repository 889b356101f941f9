"""One retrieval from question to context: analyze, seed, walk, evidence, context, trace, in this order."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql import context as contexts
from mosaic_sql import evidence as evidences
from mosaic_sql import link as linking
from mosaic_sql import render as rendering
from mosaic_sql import seed as seeding
from mosaic_sql import text as words
from mosaic_sql import trace as traces
from mosaic_sql import walk as walking
from mosaic_sql.analyze import analyze, unread
from mosaic_sql.analyze.mentions import Likeness
from mosaic_sql.database import Database
from mosaic_sql.errors import PolicyError
from mosaic_sql.ingest.index import RULE_RELATION
from mosaic_sql.models import ChatModel, Embedder
from mosaic_sql.pipeline import alternatives, automata
from mosaic_sql.pipeline.likeness import RelationVectors
from mosaic_sql.pipeline.results import Retrieval
from mosaic_sql.policy import NAMED_POLICIES, Correction, Policy
from mosaic_sql.records import (
    Analysis,
    Catalogue,
    Context,
    Evidence,
    Passage,
    RenderedQuery,
    Seeds,
    StageTime,
    Target,
    Walk,
)
from mosaic_sql.resident import Resident, ResidentText

PolicyLike = str | Policy | Mapping[str, Any] | None
Vector = tuple[float, ...] | None
Embed = Callable[[Sequence[str]], Sequence[Vector]]
"""Texts to vectors on the grid, None each without an embedder."""
LEXICON_NODES = 300_000
"""Nodes up to which a handle that is asked a second time keeps names and terms in memory."""
RESIDENT_ROWS = 50_000
"""Adjacency rows from which a handle that is asked a second time keeps the graph in memory."""
RESIDENT_CHUNKS = 200_000
"""Chunks up to which a handle that is asked a second time keeps postings and vectors in memory: some 400 MB."""


@dataclass(frozen=True)
class Prepared:
    """A question analysed and ready to render."""

    analysis: Analysis
    question: rendering.Question
    times: tuple[StageTime, ...]


@dataclass
class _Known:
    """What was learnt of the corpus; shared by the connections to it, forgotten when it changes."""

    catalogue: Catalogue | None = None
    relations: RelationVectors | None = None
    form: rendering.Form | None = None
    resident: Resident | None = None
    lexicon: linking.Lexicon | None = None
    text: bool = False
    rounds: int = 0
    windows: contexts.WindowVectors | None = None


class Retriever:
    """Runs retrievals on one connection."""

    def __init__(
        self, database: Database, embed: Embed, *, trace: bool, timeout: float | None, known: _Known | None = None
    ) -> None:
        self._database = database
        self._embed = embed
        self._trace = trace
        self._timeout = timeout
        self._known = known or _Known()

    def on(self, database: Database) -> Retriever:
        """The same on another connection to the same file."""
        return Retriever(database, self._embed, trace=self._trace, timeout=self._timeout, known=self._known)

    def forget(self) -> None:
        """The corpus changed."""
        self._known.__dict__.update(_Known().__dict__)

    def embed_with(self, embedder: Embedder) -> None:
        """What windows are embedded with, where a policy ranks them."""
        if self._known.windows is None or self._known.windows.embedder is not embedder:
            self._known.windows = contexts.WindowVectors(embedder)

    def warm(self) -> int:
        """Load the graph into memory; bytes held, 0 where it does not fit."""
        resident = Resident.load(self._database)
        if resident is None:
            return 0
        resident.register(self._database)
        self._known.resident, self._known.form = resident, None
        return resident.bytes

    def catalogue(self) -> Catalogue:
        """Counts, kinds, relations and schema of the corpus."""
        if self._known.catalogue is None:
            chunks, nodes, edges, rule_edges, graph_nodes = self._database.rows("link.catalogue")[0]
            paths = tuple((s, r, t, n) for s, r, t, n in self._database.rows("link.schema") if r != RULE_RELATION)
            kinds = sorted({kind for source, _, target, _ in paths for kind in (source, target) if kind})
            relations = tuple((number, name) for number, name in self._database.rows("link.relations"))
            self._known.catalogue = Catalogue(
                chunks, nodes, edges, rule_edges, tuple(kinds), relations, paths, graph_nodes
            )
        return self._known.catalogue

    def form(self) -> rendering.Form:
        """How walks run on this corpus now."""
        if self._known.form is None:
            meta = self._database.meta()
            relations = {relation: relation_id for relation_id, relation in self.catalogue().relations}
            self._known.form = rendering.Form(
                dimension=int(meta["dimension"]),
                expand="join" if self._known.resident is None else "resident",
                rule_relation_id=relations.get(RULE_RELATION, -1),
                sentence_vectors=meta.get("sentence_vectors") == "true",
                text="resident" if self._known.text else "scan",
            )
        return self._known.form

    def prepare(
        self, question: str, policy: PolicyLike, vector: Vector, *, number: int = 0, analyst: ChatModel | None = None
    ) -> Prepared:
        """Link and analyse one question; `vector` is its place in the corpus's embedding space.

        The rules read it, or the model `analyst`.
        """
        started = time.perf_counter()
        named, overrides = _policy_parts(policy)
        catalogue = self.catalogue()
        linked = self._linked(question, Policy.parse(overrides).seed.anchors)
        near = self._likeness(question, linked.targets)
        analysis = analyze(
            question, linked.targets, catalogue, named=named, overrides=overrides, model=analyst, likeness=near
        )
        analysis = analysis if vector is not None else _without_vectors(analysis)
        transitions = automata.transitions(analysis.policy, catalogue)
        prepared = rendering.Question(
            number,
            question,
            vector,
            linked.terms,
            analysis.targets,
            linked.topics,
            transitions,
            self._queries(analysis),
        )
        asked = sum(call.milliseconds for call in analysis.calls)
        milliseconds = max(0.0, 1000 * (time.perf_counter() - started) - asked)
        times = [StageTime("link", "link.names", len(linked.targets), milliseconds)]
        if analysis.calls:
            times.append(StageTime("analyze", analysis.analyzer, len(analysis.calls), asked))
        return Prepared(analysis, prepared, tuple(times))

    def _likeness(self, question: str, targets: tuple[Target, ...]) -> Likeness:
        """How near relations are to what no word of a question speaks for; nothing is embedded where words do."""
        phrases, known = unread(question, targets, self.catalogue()), self._known
        if phrases and known.relations is None:
            known.relations = RelationVectors.of(self.catalogue(), self._embed)
        return known.relations.likeness(phrases, self._embed) if phrases and known.relations else {}

    def _linked(self, question: str, anchors: Sequence[str | int]) -> linking.Linked:
        """What the question names, or the caller in its place."""
        database, catalogue = self._database, self.catalogue()
        embed = self._embed if database.meta().get("graph_embed") in ("names", "all") else None
        linked = linking.link(database, question, self._known.lexicon, catalogue=catalogue, embed=embed)
        if not anchors:
            return linked
        indexed = linking.is_indexed(database, catalogue)
        return replace(linked, targets=linking.given(database, anchors, question, indexed=indexed))

    def _queries(self, analysis: Analysis) -> tuple[rendering.Query, ...]:
        """What a beam looks for beside the question, with vectors and terms."""
        if analysis.policy.walk.operator != "beam":
            return ()
        wanted = seeding.wanted(analysis)
        vectors = self._embed([query.text for query in wanted]) if wanted else []
        return tuple(
            rendering.Query(
                query.role,
                query.text,
                vector,
                linking.terms(self._database, query.text, self._known.lexicon),
                query.group_id,
            )
            for query, vector in zip(wanted, vectors, strict=True)
        )

    def retrieve(
        self,
        questions: Sequence[str],
        vectors: Sequence[Vector],
        *,
        policy: PolicyLike,
        keep_pruned: bool,
        analyst: ChatModel | None = None,
    ) -> list[Retrieval]:
        """Many questions; those of one policy share their statements."""
        self._maybe_warm()
        prepared = [
            self.prepare(question, policy, vector, number=number, analyst=analyst)
            for number, (question, vector) in enumerate(zip(questions, vectors, strict=True))
        ]
        groups: dict[str, list[Prepared]] = {}
        for item in prepared:
            groups.setdefault(item.analysis.policy.model_dump_json(), []).append(item)
        results: dict[int, Retrieval] = {}
        for group in groups.values():
            results.update(self._run(group, keep_pruned))
        for number, item in enumerate(prepared):
            for again in alternatives.of(item, self.catalogue()):
                if results[number].answers:
                    break
                tried = self._run([again], keep_pruned)[number]
                results[number] = tried if tried.answers else results[number]
        return [
            self._or_by_text(results[number], item, policy, keep_pruned=keep_pruned, analyst=analyst)
            for number, item in enumerate(prepared)
        ]

    def _or_by_text(
        self, result: Retrieval, item: Prepared, policy: PolicyLike, *, keep_pruned: bool, analyst: ChatModel | None
    ) -> Retrieval:
        """A walk over relations that found nothing in a corpus with text gives way to the walk over the text."""
        chosen = item.analysis.policy.walk.operator
        has_text = self.catalogue().chunk_count > 0
        if not is_free(policy) or not has_text or chosen not in rendering.TYPED or len(result.evidence.rows):
            return result
        number = item.question.question_id
        again = self.prepare(
            item.question.text, over_text(policy), item.question.vector, number=number, analyst=analyst
        )
        reason = f"{chosen} found nothing ({item.analysis.operator_reason}); the text instead"
        again = replace(again, analysis=replace(again.analysis, operator_reason=reason))
        return self._run([again], keep_pruned)[number]

    def _run(self, group: Sequence[Prepared], keep_pruned: bool) -> dict[int, Retrieval]:
        """The stages, once for a group of questions with one policy; one transaction, so one state of the corpus."""
        policy = group[0].analysis.policy
        form = replace(self.form(), keep_pruned=keep_pruned)
        statements = rendering.render([item.question for item in group], policy, form)
        with self._database.transaction():
            return self._stages(group, policy, form, statements)

    def _stages(
        self, group: Sequence[Prepared], policy: Policy, form: rendering.Form, statements: tuple[RenderedQuery, ...]
    ) -> dict[int, Retrieval]:
        database, timeout, operator = self._database, self._timeout, policy.walk.operator
        seeds, times = seeding.find(database, statements, named=form.keep_pruned, timeout=timeout)
        walk, walk_times = walking.walk(
            database, statements, operator=operator, form=form.told(operator), timeout=timeout
        )
        evidence, evidence_times = evidences.select(
            database, statements, with_facts=operator != "chunk_hop", timeout=timeout
        )
        found = evidences.answers(database) if operator in rendering.TYPED else {}
        numbers = [item.question.question_id for item in group]
        facts = {} if operator == "chunk_hop" else contexts.facts(database, numbers, policy.context)
        results: dict[int, Retrieval] = {}
        for item in group:
            number = item.question.question_id
            part = walk if len(group) == 1 else walking.of_question(walk, number)
            units = Evidence(_of(evidence.rows, number, numbers))
            result = Retrieval(
                question=item.question.text,
                analysis=item.analysis,
                seeds=Seeds(_of(seeds.rows, number, numbers)),
                walk=part,
                evidence=units,
                answers=found.get(number, ()),
                stages=(*item.times, *times, *walk_times, *evidence_times),
                statements=statements,
                run=None,
                collect=self._collector(item, units, part, facts.get(number, ()), with_sentences=form.keep_pruned),
            )
            results[number] = self._recorded(number, result)
        return results

    def _collector(
        self, item: Prepared, evidence: Evidence, walk: Walk, facts: Sequence[Passage], *, with_sentences: bool
    ) -> Callable[[], Context]:
        """Puts the context together when it is asked for; it needs no stage table any more."""
        question, policy = item.question, item.analysis.policy.context
        material = contexts.Material(
            question.question_id, question.text, question.terms, evidence, walk, question.vector
        )
        vectors = self._known.windows

        def collect() -> Context:
            context = contexts.collect(self._database, material, policy=policy, facts=facts, vectors=vectors)
            return contexts.with_link_sentences(self._database, context) if with_sentences else context

        return collect

    def _recorded(self, number: int, result: Retrieval) -> Retrieval:
        if not self._trace:
            return result
        context = result.context
        run = traces.Run(
            number,
            result.analysis,
            context,
            result.walk.form,
            result.walk.stop_reason,
            result.statements,
            result.stages,
        )
        return replace(result, run=traces.record(self._database, run), collect=lambda: context)

    def _maybe_warm(self) -> None:
        """A handle that is asked a second time will be asked again: keep what every question reads in memory."""
        known = self._known
        known.rounds += 1
        if known.rounds != 2:
            return
        catalogue = self.catalogue()
        if catalogue.node_count <= LEXICON_NODES:
            known.lexicon = linking.Lexicon(self._database)
        if known.resident is None and 2 * catalogue.edge_count >= RESIDENT_ROWS:
            self.warm()
        if 0 < catalogue.chunk_count <= RESIDENT_CHUNKS:
            form = self.form()
            text = ResidentText.load(self._database, form.dimension, sentence_vectors=form.sentence_vectors)
            text.register(self._database)
            known.text, known.form = True, None


def _without_vectors(analysis: Analysis) -> Analysis:
    """The same analysis where windows cannot be ranked by cosine; the trace tells it as a correction."""
    if analysis.policy.context.window_ranking != "cosine":
        return analysis
    correction = Correction("window_ranking", "cosine", "evidence", "no embedder")
    policy = Policy.parse({"window_ranking": "evidence"}, base=analysis.policy)
    return replace(analysis, policy=policy, corrections=(*analysis.corrections, correction))


def over_text(policy: PolicyLike) -> dict[str, Any]:
    """The caller's controls for a walk over the text."""
    return {**(policy if isinstance(policy, Mapping) else {}), "operator": "chunk_hop"}


def is_free(policy: PolicyLike) -> bool:
    """Whether the caller left the choice of the walk to the analyzer."""
    if policy is None or policy == "default":
        return True
    walk = policy.get("walk") if isinstance(policy, Mapping) else None
    held = {*policy, *(walk if isinstance(walk, Mapping) else ())} if isinstance(policy, Mapping) else {"operator"}
    return not held & {"operator", "pattern", "policy"}


def _policy_parts(policy: PolicyLike) -> tuple[str, dict[str, Any]]:
    """The named policy and the controls that override it."""
    if policy is None:
        return "default", {}
    if isinstance(policy, str):
        if policy not in NAMED_POLICIES:
            raise PolicyError(f"policy: unknown {policy!r}; one of {', '.join(NAMED_POLICIES)}, or a JSON file")
        return policy, {}
    if isinstance(policy, Policy):
        return "default", policy.model_dump()
    if not isinstance(policy, Mapping):
        raise PolicyError(f"policy: expected a name, a Policy or controls, got {type(policy).__name__}")
    overrides = dict(policy)
    return str(overrides.pop("policy", "default")), overrides


def _of(rows: pa.Table, question_id: int, batch: Sequence[int]) -> pa.Table:
    """The rows of one question of a batch."""
    if len(batch) == 1:
        return rows
    return rows.filter(pc.equal(rows["question_id"], question_id))


def clean(question: object) -> str:
    """A question that SQL and an embedder can take: no NUL, no lone surrogate, not empty."""
    if not isinstance(question, str):
        raise PolicyError(f"question: expected text, got {type(question).__name__}")
    cleaned = words.storable(question)
    if not cleaned.strip():
        raise PolicyError("question: empty; ask something")
    return cleaned
