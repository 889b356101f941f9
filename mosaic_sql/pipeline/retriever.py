"""One retrieval from question to context: analyze, seed, walk, evidence, context, trace, in this order."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql import context as contexts
from mosaic_sql import evidence as evidences
from mosaic_sql import link as linking
from mosaic_sql import refine as refining
from mosaic_sql import render as rendering
from mosaic_sql import seed as seeding
from mosaic_sql import trace as traces
from mosaic_sql import walk as walking
from mosaic_sql.analyze import analyze, unread
from mosaic_sql.analyze.mentions import Likeness
from mosaic_sql.database import Database
from mosaic_sql.models import ChatModel, Embedder
from mosaic_sql.pipeline import alternatives, naming, nested
from mosaic_sql.pipeline import steps as stepping
from mosaic_sql.pipeline.automata import automata
from mosaic_sql.pipeline.controls import PolicyLike, is_free, over_text, policy_parts
from mosaic_sql.pipeline.known import Known
from mosaic_sql.pipeline.likeness import RelationVectors
from mosaic_sql.pipeline.naming import Named
from mosaic_sql.pipeline.results import Retrieval, Step
from mosaic_sql.policy import Correction, Policy
from mosaic_sql.records import (
    Analysis,
    Catalogue,
    Context,
    Evidence,
    RenderedQuery,
    Seeds,
    StageTime,
    Target,
    Walk,
)

Vector = tuple[float, ...] | None
Embed = Callable[[Sequence[str]], Sequence[Vector]]
"""Texts to vectors on the grid, None each without an embedder."""


@dataclass(frozen=True)
class Prepared:
    """A question analysed and ready to render."""

    analysis: Analysis
    question: rendering.Question
    times: tuple[StageTime, ...]
    steps: tuple[Step, ...] = ()


class Retriever:
    """Runs retrievals on one connection."""

    def __init__(self, database: Database, embed: Embed, *, trace: bool, timeout: float | None, known: Known) -> None:
        self._database = database
        self._embed = embed
        self._trace = trace
        self._timeout = timeout
        self._known = known

    @property
    def timeout(self) -> float | None:
        """Seconds that a single statement may take."""
        return self._timeout

    def on(self, database: Database) -> Retriever:
        """The same on another connection to the same file."""
        return Retriever(database, self._embed, trace=self._trace, timeout=self._timeout, known=self._known)

    def plain(self) -> Retriever:
        """The same in SQL that any client runs, and without a trace."""
        form = replace(self.form(), expand="join", text="scan", widest=None)
        known = replace(self._known, _form=form, rounds=2)  # no more warming
        return Retriever(self._database, self._embed, trace=False, timeout=self._timeout, known=known)

    def forget(self) -> None:
        """The corpus changed."""
        self._known.forget()

    def embed_with(self, embedder: Embedder) -> None:
        """What windows are embedded with, where a policy ranks them."""
        if self._known.windows is None or self._known.windows.embedder is not embedder:
            self._known.windows = contexts.WindowVectors(embedder)

    def warm(self) -> int:
        """Load the graph into memory; bytes held, 0 where it does not fit."""
        return self._known.warm(self._database)

    def maybe_warm_graph(self) -> None:
        """As `warm`, before the second walk."""
        self._known.maybe_warm_graph(self._database)

    def catalogue(self) -> Catalogue:
        """Counts, kinds, relations, properties and schema of the corpus."""
        return self._known.catalogue(self._database)

    def form(self) -> rendering.Form:
        """How walks run on this corpus now."""
        return self._known.form(self._database)

    def link(self, question: str, policy: PolicyLike, targets: tuple[Target, ...] | None = None) -> Named:
        """What a question names, or the anchors that a policy names in its place; or its terms beside given targets."""
        anchors = Policy.parse(policy_parts(policy)[1]).seed.anchors
        known, catalogue = self._known, self.catalogue()
        place = naming.Place(self._database, known.lexicon, catalogue, self._embed if known.has_name_vectors else None)
        return naming.link(place, question, anchors=anchors, targets=targets)

    def standing_for(self, target: Target, nodes: Sequence[int]) -> Target:
        """A target with some nodes in its place."""
        return naming.standing_for(self._database, target, nodes)

    def prepare(
        self,
        question: str,
        policy: PolicyLike,
        vector: Vector,
        *,
        number: int = 0,
        analyst: ChatModel | None = None,
        names: Named | None = None,
    ) -> Prepared:
        """Analyse one question; `vector` is its place in the corpus's embedding space, `names` what it names.

        The rules read it, or the model `analyst`.
        """
        started = time.perf_counter()
        named, overrides = policy_parts(policy)
        before = names.milliseconds if names else 0.0
        linked = names.linked if names else self.link(question, policy).linked
        catalogue = self.catalogue()
        near = self._likeness(question, linked.targets)
        analysis = analyze(
            question, linked.targets, catalogue, named=named, overrides=overrides, model=analyst, likeness=near
        )
        analysis = analysis if vector is not None else _without_vectors(analysis)
        transitions, arms = automata(analysis.policy, catalogue, analysis.targets)
        prepared = rendering.Question(
            number,
            question,
            vector,
            linked.terms,
            analysis.targets,
            linked.topics,
            transitions,
            self._queries(analysis),
            arms,
        )
        asked = sum(call.milliseconds for call in analysis.calls)
        milliseconds = max(0.0, before + 1000 * (time.perf_counter() - started) - asked)
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

    def _queries(self, analysis: Analysis) -> tuple[rendering.Query, ...]:
        """What a beam looks for beside the question, with vectors and terms."""
        if analysis.policy.walk.operator != "beam":
            return ()
        wanted = seeding.wanted(analysis)
        vectors = self._embed([query.text for query in wanted]) if wanted else []
        indexed = linking.is_indexed(self._database, self.catalogue())
        return tuple(
            rendering.Query(
                query.role,
                query.text,
                vector,
                linking.terms(self._database, query.text, self._known.lexicon, indexed=indexed),
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
        self._known.maybe_warm(self._database)
        prepared = [
            nested.prepare(self, question, policy, vector, number=number, analyst=analyst)
            for number, (question, vector) in enumerate(zip(questions, vectors, strict=True))
        ]
        groups: dict[str, list[Prepared]] = {}
        for item in prepared:
            alone = f"{item.question.question_id} " if item.question.is_held else ""
            groups.setdefault(alone + item.analysis.policy.model_dump_json(), []).append(item)
        results: dict[int, Retrieval] = {}
        for group in groups.values():
            results.update(self.run(group, keep_pruned))
        walked = [self._or_next_pattern(results[number], item, keep_pruned) for number, item in enumerate(prepared)]
        return [
            self._or_by_text(result, item, policy, keep_pruned=keep_pruned, analyst=analyst)
            for result, item in zip(walked, prepared, strict=True)
        ]

    def _or_next_pattern(self, result: Retrieval, item: Prepared, keep_pruned: bool) -> Retrieval:
        """A walk along a pattern that found nothing gives way to the next pattern that the words allow."""
        for again in alternatives.of(item, self.catalogue()):
            if result.answers:
                break
            tried = self.run([again], keep_pruned)[item.question.question_id]
            result = tried if tried.answers else result
        return result

    def _or_by_text(
        self, result: Retrieval, item: Prepared, policy: PolicyLike, *, keep_pruned: bool, analyst: ChatModel | None
    ) -> Retrieval:
        """A walk over relations that found nothing in a corpus with text gives way to the walk over the text."""
        chosen = item.analysis.policy.walk.operator
        has_text = self.catalogue().chunk_count > 0
        if (
            not is_free(policy)
            or not has_text
            or chosen not in rendering.TYPED
            or len(result.evidence.rows)
            or result.answers
        ):
            return result
        number = item.question.question_id
        again = self.prepare(
            item.question.text, over_text(policy), item.question.vector, number=number, analyst=analyst
        )
        reason = f"{chosen} found nothing ({item.analysis.operator_reason}); the text instead"
        again = replace(again, analysis=replace(again.analysis, operator_reason=reason))
        return self.run([again], keep_pruned)[number]

    def run_one(self, item: Prepared, *, keep_pruned: bool) -> Retrieval:
        """One prepared question."""
        return self._or_next_pattern(self.run([item], keep_pruned)[item.question.question_id], item, keep_pruned)

    def run(self, group: Sequence[Prepared], keep_pruned: bool) -> dict[int, Retrieval]:
        """The stages, once for a group of questions with one policy; one transaction, so one state of the corpus."""
        policy = group[0].analysis.policy
        form = replace(self.form(), keep_pruned=keep_pruned)
        refinement = refining.plan(policy, self.catalogue())
        statements = rendering.render([item.question for item in group], policy, form, refinement)
        with self._database.transaction():
            return self._stages(group, policy, form, statements)

    def _stages(
        self, group: Sequence[Prepared], policy: Policy, form: rendering.Form, statements: tuple[RenderedQuery, ...]
    ) -> dict[int, Retrieval]:
        database, timeout, operator = self._database, self._timeout, policy.walk.operator
        ran = rendering.told([item.question for item in group], policy, form)
        seeds, times = seeding.find(database, statements, named=form.keep_pruned, timeout=timeout)
        walk, walk_times = walking.walk(database, statements, operator=operator, form=ran, timeout=timeout)
        refined, refine_times = refining.refine(database, statements, policy, timeout=timeout)
        evidence, evidence_times = evidences.select(
            database, statements, with_facts=operator != "chunk_hop", timeout=timeout
        )
        found = evidences.answers(database) if operator in rendering.TYPED else {}
        numbers = [item.question.question_id for item in group]
        found.update((number, one.answers) for number, one in refined.items())
        parts = {number: walk if len(group) == 1 else walking.of_question(walk, number) for number in numbers}
        facts: dict[int, contexts.Facts] = {}
        if operator != "chunk_hop":
            told = {item.question.question_id: self._told(item, parts, refined) for item in group}
            facts = contexts.facts(database, numbers, policy, found, told)
        results: dict[int, Retrieval] = {}
        for item in group:
            number = item.question.question_id
            part = parts[number]
            units = Evidence(_of(evidence.rows, number, numbers))
            result = Retrieval(
                question=item.question.text,
                analysis=nested.judged(item, found.get(number, ())),
                seeds=Seeds(_of(seeds.rows, number, numbers)),
                walk=part,
                evidence=units,
                answers=found.get(number, ()),
                stages=(*item.times, *times, *walk_times, *refine_times, *evidence_times),
                statements=statements,
                run=None,
                refined=refined.get(number),
                collect=self._collector(
                    item, units, part, facts.get(number, contexts.NO_FACTS), with_sentences=form.keep_pruned
                ),
                steps=item.steps,
            )
            results[number] = self._recorded(number, result)
        return results

    def _told(
        self, item: Prepared, walks: Mapping[int, Walk], refined: Mapping[int, refining.Refined]
    ) -> list[tuple[str, str]]:
        """What is told before the graph's own rows, each with its role: refined answers, and what steps went over."""
        number = item.question.question_id
        made = refined.get(number)
        overall = [("overall", made.overall)] if made and made.overall else []
        told = [("answer", line) for line in made.lines] if made else []
        of_values = item.analysis.policy.refine.row_per == "value"  # how many have none comes last
        told = told + overall if of_values else overall + told
        return [*told, *(("described", line) for line in stepping.lines(self._database, walks[number], item.steps))]

    def _collector(
        self, item: Prepared, evidence: Evidence, walk: Walk, facts: contexts.Facts, *, with_sentences: bool
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
            self._known.state(self._database),
        )
        run_id = traces.record(self._database, run)
        if result.steps:
            traces.adopt(self._database, run_id, [step.retrieval.run for step in result.steps if step.retrieval.run])
        return replace(result, run=run_id, collect=lambda: context)


def _without_vectors(analysis: Analysis) -> Analysis:
    """The same analysis where windows cannot be ranked by cosine; the trace tells it as a correction."""
    if analysis.policy.context.window_ranking != "cosine":
        return analysis
    correction = Correction("window_ranking", "cosine", "evidence", "no embedder")
    policy = Policy.parse({"window_ranking": "evidence"}, base=analysis.policy)
    return replace(analysis, policy=policy, corrections=(*analysis.corrections, correction))


def _of(rows: pa.Table, question_id: int, batch: Sequence[int]) -> pa.Table:
    """The rows of one question of a batch."""
    if len(batch) == 1:
        return rows
    return rows.filter(pc.equal(rows["question_id"], question_id))
