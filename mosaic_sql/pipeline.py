"""A corpus: open it, add to it, retrieve, ask, explain. The one module that knows the order of the stages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql import answer as answering
from mosaic_sql import context as contexts
from mosaic_sql import evidence as evidences
from mosaic_sql import link as linking
from mosaic_sql import pattern as patterns
from mosaic_sql import render as rendering
from mosaic_sql import seed as seeding
from mosaic_sql import trace as traces
from mosaic_sql import walk as walking
from mosaic_sql.analyze import analyze
from mosaic_sql.database import SCHEMA_VERSION, STORAGE_VERSION, Database, open_database, script
from mosaic_sql.errors import EmbedderMismatch, PolicyError, StoreError, UnknownId
from mosaic_sql.ingest import documents, graph, index, parquet, readers, store
from mosaic_sql.models import PROBES, ChatModel, Embedder, load_chat, load_embedder, to_grid
from mosaic_sql.policy import NAMED_POLICIES, Policy
from mosaic_sql.records import (
    AddReport,
    Analysis,
    Answer,
    Catalogue,
    Context,
    Evidence,
    Found,
    RenderedQuery,
    Seeds,
    StageTime,
    Walk,
)
from mosaic_sql.resident import Resident

Progress = Callable[[str, int, int], None]
PolicyLike = str | Policy | Mapping[str, Any] | None
RESIDENT_ROWS = 50_000
"""Adjacency rows from which a handle that is asked a second time keeps the graph in memory."""


@dataclass(frozen=True)
class Retrieval:
    """All that one retrieval found, stage by stage, and how. `rows` of each stage are Arrow tables."""

    question: str
    analysis: Analysis
    seeds: Seeds
    walk: Walk
    evidence: Evidence
    context: Context
    answers: tuple[Found, ...]
    stages: tuple[StageTime, ...]
    statements: tuple[RenderedQuery, ...]
    run: str | None

    @property
    def policy(self) -> Policy:
        """The policy that was run."""
        return self.analysis.policy

    def to_arrow(self) -> pa.Table:
        """Kept units of evidence, best first."""
        return self.evidence.rows.filter(self.evidence.rows["kept"])

    def to_pandas(self) -> Any:
        """`to_arrow` as a pandas data frame."""
        return self.to_arrow().to_pandas()


@dataclass(frozen=True)
class Asked:
    """An answer and the retrieval it rests on."""

    answer: Answer
    retrieval: Retrieval

    @property
    def text(self) -> str:
        """The answer's text."""
        return self.answer.text

    @property
    def citations(self) -> tuple[Any, ...]:
        """Passages the answer cites, checked."""
        return self.answer.citations

    @property
    def found(self) -> bool:
        """Whether the corpus holds an answer."""
        return self.answer.found

    @property
    def policy(self) -> Policy:
        """The policy of the question."""
        return self.retrieval.policy

    @property
    def run(self) -> str | None:
        """The id of the recorded run."""
        return self.retrieval.run


@dataclass
class _Options:
    embedder: str | None = None
    base_url: str | None = None
    model: str | None = None
    record: bool = False
    trace: bool = True
    timeout: float | None = None
    sentence_vectors: bool = False
    extractor: str = "rules"
    given: Embedder | None = field(default=None)


class Corpus:
    """An open corpus. Use `mosaic_sql.open`; close it, or use it as a context manager."""

    def __init__(self, database: Database, options: _Options) -> None:
        self._database = database
        self._options = options
        self._embedder: Embedder | None = options.given
        self._embedder_ready = False
        self._resident: Resident | None = None
        self._asked = 0
        self._catalogue: Catalogue | None = None
        traces.prepare(database)
        if not database.read_only and not database.rows("store.tables"):
            self._create()

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self._database.close()

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The plain DuckDB connection; unqualified names are the corpus's tables."""
        return self._database.connection

    def cursor(self) -> Corpus:
        """A second handle on the same file for another thread."""
        twin = Corpus.__new__(Corpus)
        twin.__dict__.update(self.__dict__)
        twin._database = self._database.cursor()
        return twin

    # -- writing -------------------------------------------------------------------------------------------------

    def add(
        self,
        *inputs: object,
        columns: Mapping[str, str] | None = None,
        stdin: IO[bytes] | None = None,
        progress: Progress | None = None,
    ) -> AddReport:
        """Add documents: paths, folders, globs, texts, mappings, data frames, `-` for stdin; then index.

        The same content again is skipped, changed content replaces the old. Without inputs an interrupted indexing
        is finished.
        """
        report = progress or _quiet
        embedder = self._load_embedder()
        found = documents.add_documents(
            self._database,
            readers.read(list(inputs), columns=columns, stdin=stdin),
            embedder=embedder,
            sentence_vectors=self._meta_flag("sentence_vectors"),
            progress=report,
        )
        self.index(progress=report)
        return found

    def import_graph(
        self,
        triples: object | None = None,
        *,
        nodes: object | None = None,
        edges: object | None = None,
        embed: str = "all",
        progress: Progress | None = None,
        **options: Any,
    ) -> graph.GraphReport:
        """Add a knowledge graph: `triples`, or `nodes` and `edges`. `embed` is none, relations, names or all."""
        report = graph.import_graph(self._database, triples, nodes=nodes, edges=edges, embed=embed, **options)
        self.index(progress=progress)
        return report

    def remove(self, *sources: str) -> int:
        """Remove documents by source, with all that came from them; their number.

        Raises:
            UnknownId: a source that the corpus does not hold; nothing is removed then.
        """
        known = {source: number for number, source in self._database.rows("store.documents_like", sources=list(sources))}
        for source in sources:
            if source not in known:
                raise UnknownId(f"no document {source!r}; list them with `mosaic query DB 'SELECT source FROM document'`")
        with self._database.transaction():
            store.remove(self._database, list(known.values()))
        self.index()
        return len(known)

    def index(self, *, progress: Progress | None = None) -> None:
        """Bring the index in step with the documents, if it is not."""
        if self._database.meta().get("index_state") != "ready":
            embed = self._database.meta().get("graph_embed", "all")
            index.build(
                self._database,
                embedder=self._load_embedder() if embed != "none" or self._has_text() else None,
                graph_names=embed in ("names", "all"),
                progress=progress or _quiet,
            )
        self._forget()

    def reembed(self, *, progress: Progress | None = None) -> int:
        """Compute every vector anew with the embedder this corpus was opened with; the number of chunks."""
        embedder = self._options.given or load_embedder(self._options.embedder, base_url=self._options.base_url)
        count = index.reembed(self._database, embedder, progress=progress or _quiet)
        self._embedder, self._embedder_ready = embedder, True
        self._describe_embedder(embedder)
        self.index(progress=progress)
        return count

    def export(self, folder: str | Path) -> dict[str, int]:
        """Write the corpus as a folder of Parquet; rows per table."""
        self._must_be_ready()
        return parquet.export_folder(self._database, Path(folder), version=traces.package_version())

    # -- reading -------------------------------------------------------------------------------------------------

    def analyze(self, question: str, *, policy: PolicyLike = None) -> Analysis:
        """The policy a question gets, and why; nothing is walked."""
        return self._analyze(question, policy)[0]

    def retrieve(self, question: str | Sequence[str], *, policy: PolicyLike = None, keep_pruned: bool = False) -> Any:
        """Retrieve for one question (a Retrieval) or many (a list of them, in one statement per policy).

        `policy` is a name (`default`, `mosaic`, `narrow`, `medium`, `wide`), a Policy, or controls to override.

        Raises:
            PolicyError: a policy that cannot be meant.
            StoreError: the index is behind and the file is open read-only.
        """
        if isinstance(question, str):
            return self._retrieve([question], policy, keep_pruned)[0]
        return self._retrieve(list(question), policy, keep_pruned)

    def ask(
        self, question: str, *, policy: PolicyLike = None, model: str | ChatModel | None = None, record: bool | None = None
    ) -> Asked:
        """Retrieve and answer: with `model` by that model, else quoted from the evidence."""
        retrieval = self._retrieve([question], policy, keep_pruned=True)[0]
        found, reply = answering.answer(
            question,
            retrieval.context,
            analysis=retrieval.analysis,
            found=retrieval.answers,
            model=self._chat(model),
        )
        if retrieval.run is not None:
            traces.record_answer(self._database, retrieval.run, found, reply)
            if self._options.record if record is None else record:
                traces.keep(self._database, retrieval.run)
        return Asked(found, retrieval)

    def sql(self, question: str, *, policy: PolicyLike = None) -> str:
        """The script a retrieval runs, values as literals; a plain DuckDB shell on the file gives the same rows."""
        analysis, prepared = self._analyze(question, policy)
        form = replace(self._form(), expand="join")
        return script(
            rendering.render([prepared], analysis.policy, form),
            title=f"retrieval for: {question}",
            notes=(f"operator {analysis.policy.walk.operator}: {analysis.operator_reason}",),
        )

    def query(self, sql: str, *, limit: int | None = None, timeout: float | None = 60.0) -> pa.Table:
        """A person's own SELECT over the file: no files, no network, no settings; the file is open read-only."""
        return self._database.ask(sql, limit=limit, timeout=timeout)

    def stats(self) -> dict[str, Any]:
        """Counts, the embedder, versions."""
        meta = self._database.meta()
        counts = dict(self._database.rows("store.counts"))
        return {
            "path": self._database.path,
            **counts,
            "embedder": meta.get("embedder"),
            "extractor": meta.get("extractor"),
            "schema_version": meta.get("schema_version"),
            "index": meta.get("index_state"),
        }

    def warm(self) -> int:
        """Load the graph into memory for fast walks; bytes held (0 where it does not fit)."""
        self._resident = Resident.load(self._database)
        if self._resident is None:
            return 0
        self._resident.register(self._database)
        return self._resident.bytes

    # -- the stages ----------------------------------------------------------------------------------------------

    def _retrieve(self, questions: list[str], policy: PolicyLike, keep_pruned: bool) -> list[Retrieval]:
        self._must_be_ready()
        self._maybe_warm()
        vectors = self._vectors(questions)
        analysed = [
            self._analyze(question, policy, number=number, vector=vector)
            for number, (question, vector) in enumerate(zip(questions, vectors, strict=True))
        ]
        groups: dict[str, list[tuple[Analysis, rendering.Question]]] = {}
        for analysis, prepared in analysed:
            groups.setdefault(analysis.policy.model_dump_json(), []).append((analysis, prepared))
        results: dict[int, Retrieval] = {}
        for group in groups.values():
            results.update(self._run(group, keep_pruned))
        for number, (analysis, prepared) in enumerate(analysed):
            results[number] = self._or_by_text(results[number], analysis, prepared, policy, keep_pruned)
        return [results[number] for number in range(len(questions))]

    def _or_by_text(
        self, result: Retrieval, analysis: Analysis, prepared: rendering.Question, policy: PolicyLike, keep_pruned: bool
    ) -> Retrieval:
        """A walk over relations that found nothing in a corpus with text gives way to the walk over the text."""
        chosen = analysis.policy.walk.operator
        if policy is not None or chosen not in rendering.TYPED or len(result.evidence.rows) or not self._has_text():
            return result
        again, _ = self._analyze(analysis.question, {"operator": "chunk_hop"})
        again = replace(again, operator_reason=f"{chosen} found nothing ({analysis.operator_reason}); the text instead")
        return self._run([(again, prepared)], keep_pruned)[prepared.question_id]

    def _run(
        self, group: Sequence[tuple[Analysis, rendering.Question]], keep_pruned: bool
    ) -> dict[int, Retrieval]:
        database, timeout = self._database, self._options.timeout
        policy = group[0][0].policy
        form = replace(self._form(), keep_pruned=keep_pruned)
        statements = rendering.render([prepared for _, prepared in group], policy, form)
        seeds, times = seeding.find(database, statements, timeout=timeout)
        walk, walk_times = walking.walk(
            database, statements, operator=policy.walk.operator, form=form.expand, timeout=timeout
        )
        evidence, evidence_times = evidences.select(database, statements, timeout=timeout)
        questions = {prepared.question_id: prepared.text for _, prepared in group}
        context = contexts.collect(database, questions=questions, policy=policy.context)
        found = evidences.answers(database)
        stages = (*times, *walk_times, *evidence_times)
        results: dict[int, Retrieval] = {}
        for analysis, prepared in group:
            number = prepared.question_id
            part = walking.of_question(walk, number)
            run = None
            if self._options.trace:
                run = traces.record(
                    database,
                    traces.Run(number, analysis, context[number], form.expand, part.stop_reason, statements, stages),
                )
            results[number] = Retrieval(
                question=prepared.text,
                analysis=analysis,
                seeds=Seeds(_of(seeds.rows, number)),
                walk=part,
                evidence=Evidence(_of(evidence.rows, number)),
                context=context[number],
                answers=found.get(number, ()),
                stages=stages,
                statements=statements,
                run=run,
            )
        return results

    def _analyze(
        self, question: str, policy: PolicyLike, *, number: int = 0, vector: tuple[float, ...] | None = None
    ) -> tuple[Analysis, rendering.Question]:
        if not question.strip():
            raise PolicyError("question: empty; ask something")
        question = question.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
        linked = linking.link(self._database, question)
        named, overrides = _policy_parts(policy)
        catalogue = self._schema()
        analysis = analyze(question, linked.targets, catalogue, named=named, overrides=overrides)
        transitions = self._transitions(analysis.policy, catalogue)
        if vector is None:
            vector = self._vectors([question])[0]
        return analysis, rendering.Question(
            number, question, vector, linked.targets, linked.topics, transitions, analysis.facets
        )

    def _transitions(self, policy: Policy, catalogue: Catalogue) -> tuple[Mapping[str, Any], ...]:
        text = policy.walk.pattern
        if policy.walk.operator == "shortest_path":
            text = f"~any{{1,{policy.walk.max_depth}}}"
        if policy.walk.operator not in ("meta_path", "shortest_path", "constrained_shortest_path"):
            return ()
        if text is None:
            raise PolicyError(f"pattern: {policy.walk.operator} needs one, such as --pattern 'author / ^author'")
        automaton = patterns.parse(text)
        relations = {relation: relation_id for relation_id, relation in catalogue.relations}
        patterns.check(automaton, relations=relations, kinds=catalogue.kinds)
        return rendering.transitions(automaton, relations)

    # -- what the file knows -------------------------------------------------------------------------------------

    def _schema(self) -> Catalogue:
        if self._catalogue is None:
            chunks, nodes, edges, rule_edges = self._database.rows("link.catalogue")[0]
            paths = tuple(tuple(row) for row in self._database.rows("link.schema") if row[1] != index.RULE_RELATION)
            kinds = sorted({kind for row in paths for kind in (row[0], row[2]) if kind})
            relations = tuple(tuple(row) for row in self._database.rows("link.relations"))
            self._catalogue = Catalogue(chunks, nodes, edges, rule_edges, tuple(kinds), relations, paths)  # type: ignore[arg-type]
        return self._catalogue

    def _form(self) -> rendering.Form:
        relations = {relation: relation_id for relation_id, relation in self._schema().relations}
        return rendering.Form(
            dimension=int(self._database.meta()["dimension"]),
            expand="resident" if self._resident is not None else "join",
            rule_relation_id=relations.get(index.RULE_RELATION, -1),
            sentence_vectors=self._meta_flag("sentence_vectors"),
        )

    def _maybe_warm(self) -> None:
        self._asked += 1
        if self._asked == 2 and self._resident is None and 2 * self._schema().edge_count >= RESIDENT_ROWS:
            self.warm()

    def _forget(self) -> None:
        self._resident, self._catalogue, self._asked = None, None, 0

    def _has_text(self) -> bool:
        return self._schema().chunk_count > 0

    def _meta_flag(self, name: str) -> bool:
        return self._database.meta().get(name) == "true"

    def _must_be_ready(self) -> None:
        state = self._database.meta().get("index_state", "ready")
        if state == "ready":
            return
        if self._database.read_only:
            raise StoreError(
                f"the index of {self._database.path} is behind its documents (an add was interrupted); "
                f"finish it with `mosaic add {self._database.path}`"
            )
        self.index()

    # -- models --------------------------------------------------------------------------------------------------

    def _create(self) -> None:
        embedder = self._options.given or load_embedder(self._options.embedder, base_url=self._options.base_url)
        dimension = embedder.dimension if embedder else 1
        with self._database.transaction():
            for name in ("1_corpus", "2_search", "4_comments"):
                self._database.script(name, dimension=dimension)
            self._database.put_meta(
                schema_version=SCHEMA_VERSION,
                storage_version=STORAGE_VERSION,
                extractor=self._options.extractor,
                sentence_vectors=str(self._options.sentence_vectors).lower(),
                index_state="ready",
            )
            self._describe_embedder(embedder)
        self._embedder, self._embedder_ready = embedder, True

    def _describe_embedder(self, embedder: Embedder | None) -> None:
        probes = to_grid(embedder.embed(PROBES)).tolist() if embedder else []
        self._database.put_meta(
            embedder=embedder.name if embedder else "none",
            dimension=embedder.dimension if embedder else 1,
            probes=json.dumps(probes),
            grid=4000,
        )

    def _load_embedder(self) -> Embedder | None:
        """The embedder, checked once against the file's probe vectors."""
        if not self._embedder_ready:
            meta = self._database.meta()
            spec = self._options.embedder or meta.get("embedder")
            self._embedder = self._options.given or load_embedder(spec, base_url=self._options.base_url)
            _check_probes(self._embedder, meta, self._database.path)
            self._embedder_ready = True
        return self._embedder

    def _vectors(self, questions: Sequence[str]) -> list[tuple[float, ...] | None]:
        embedder = self._load_embedder()
        if embedder is None:
            return [None] * len(questions)
        return [tuple(row) for row in to_grid(embedder.embed(questions)).tolist()]

    def _chat(self, model: str | ChatModel | None) -> ChatModel | None:
        chosen = model if model is not None else self._options.model
        return load_chat(chosen, base_url=self._options.base_url) if isinstance(chosen, str) else chosen


def open_corpus(
    path: str | Path = ":memory:",
    *,
    read_only: bool = False,
    create: bool = True,
    embedder: str | Embedder | None = None,
    base_url: str | None = None,
    model: str | None = None,
    record: bool = False,
    trace: bool = True,
    timeout: float | None = None,
    sentence_vectors: bool = False,
    extractor: str = "rules",
    storage_version: str = STORAGE_VERSION,
    threads: int | None = None,
    memory_limit: str | None = None,
) -> Corpus:
    """Open a corpus file, a folder of Parquet (read-only) or `:memory:`; an absent file is created.

    Args:
        path: the file.
        read_only: take no write lock; several processes may read side by side.
        create: make the file where it does not exist.
        embedder: `minilm` (bundled, the default), `none`, `sentence-transformers:NAME`, `openai:NAME`, or an object;
            a file remembers its own.
        base_url: an OpenAI-compatible server for `openai:` embedders and for `model`.
        model: a chat model that answers; none unless asked for.
        record: keep every asked run in `<name>.runs.duckdb` beside the file.
        trace: hold runs in memory as rows of schema `trace`.
        timeout: seconds a single statement may take.
        sentence_vectors: a new corpus also embeds its sentences (better, at 2-3 times the embedding time).
        extractor: `rules` or `spacy`, for a new corpus.
        storage_version: DuckDB storage version of a new file.
        threads: DuckDB's threads; all cores by default.
        memory_limit: DuckDB's memory limit, such as `4GB`.

    Raises:
        StoreLocked, SchemaVersionError, StoreError: the file cannot be used.
    """
    if extractor not in ("rules", "spacy"):
        raise PolicyError(f"extractor: unknown {extractor!r}; one of rules, spacy")
    database = open_database(
        path,
        read_only=read_only,
        create=create,
        storage_version=storage_version,
        threads=threads,
        memory_limit=memory_limit,
    )
    given = None if embedder is None or isinstance(embedder, str) else embedder
    options = _Options(
        embedder=embedder if isinstance(embedder, str) else None,
        base_url=base_url,
        model=model,
        record=record,
        trace=trace,
        timeout=timeout,
        sentence_vectors=sentence_vectors,
        extractor=extractor,
        given=given,
    )
    with _closing_on_error(database):
        return Corpus(database, options)


@contextmanager
def _closing_on_error(database: Database) -> Iterator[None]:
    try:
        yield
    except BaseException:
        database.close()
        raise


def _policy_parts(policy: PolicyLike) -> tuple[str, dict[str, Any]]:
    if policy is None:
        return "default", {}
    if isinstance(policy, str):
        if policy not in NAMED_POLICIES:
            raise PolicyError(f"policy: unknown {policy!r}; one of {', '.join(NAMED_POLICIES)}, or a JSON file")
        return policy, {}
    if isinstance(policy, Policy):
        return "default", policy.model_dump()
    overrides = dict(policy)
    return str(overrides.pop("policy", "default")), overrides


def _check_probes(embedder: Embedder | None, meta: Mapping[str, str], path: str) -> None:
    stored = np.array(json.loads(meta.get("probes", "[]")), np.float64)
    fix = f"; re-embed with `mosaic reembed {path} --embedder NAME`"
    if embedder is None:
        if stored.size:
            raise EmbedderMismatch(f"the corpus was embedded by {meta.get('embedder')}, none was given{fix}")
        return
    if not stored.size:
        raise EmbedderMismatch(f"the corpus has no vectors, {embedder.name} was given{fix}")
    if stored.shape[1] != embedder.dimension:
        raise EmbedderMismatch(
            f"the corpus was embedded by {meta.get('embedder')} ({stored.shape[1]} numbers), "
            f"{embedder.name} gives {embedder.dimension}{fix}"
        )
    given = np.asarray(to_grid(embedder.embed(PROBES)), np.float64)
    cosine = (given * stored).sum(1) / np.linalg.norm(given, axis=1) / np.linalg.norm(stored, axis=1)
    if cosine.min() < 0.998:
        raise EmbedderMismatch(
            f"the corpus was embedded by {meta.get('embedder')}; {embedder.name} is another space "
            f"(probe cosine {cosine.min():.3f}){fix}"
        )


def _of(rows: pa.Table, question_id: int) -> pa.Table:
    return rows.filter(pc.equal(rows["question_id"], question_id))


def _quiet(stage: str, done: int, total: int) -> None:
    """No progress shown."""
