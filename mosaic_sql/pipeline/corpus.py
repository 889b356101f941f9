"""A corpus: open it, add to it, retrieve, ask, explain."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, overload

import pyarrow as pa

from mosaic_sql import answer as answering
from mosaic_sql import trace as traces
from mosaic_sql.database import Connection, Database
from mosaic_sql.errors import StoreError, StoreLocked, UnknownId
from mosaic_sql.ingest import functions, graph, index, parquet, readers, reembed, store
from mosaic_sql.ingest.store import Progress
from mosaic_sql.models import ChatModel, identity, to_grid
from mosaic_sql.pipeline import paths, reading
from mosaic_sql.pipeline.analysts import Analysts, AnalyzerLike
from mosaic_sql.pipeline.controls import PolicyLike, clean
from mosaic_sql.pipeline.embedding import Embedding
from mosaic_sql.pipeline.explanation import Explanation, explain
from mosaic_sql.pipeline.known import Known
from mosaic_sql.pipeline.options import Options
from mosaic_sql.pipeline.results import Asked, Retrieval
from mosaic_sql.pipeline.retriever import Retriever, Vector
from mosaic_sql.pipeline.runs import Runs, reader, recording, speaks_of_runs
from mosaic_sql.pipeline.script import planned, script, with_values
from mosaic_sql.pipeline.walking import Walking
from mosaic_sql.records import AddReport, Analysis
from mosaic_sql.storefile import SCHEMA_VERSION


class Corpus(Walking):
    """An open corpus. Made by `mosaic_sql.open`; close it, or use it as a context manager."""

    def __init__(self, database: Database, options: Options) -> None:
        self._database = database
        self._options = options
        self._embedding = Embedding(options)
        self._reader: Database | None = None
        self._checked = False
        self._lock = threading.RLock()
        self._analysts = Analysts(
            options.analyzer, base_url=options.base_url, timeout=options.timeout, spending=options.spending
        )
        self._retriever = Retriever(
            database, self._vectors, trace=options.trace, timeout=options.timeout, known=Known(options.memory)
        )
        database.make_trace()
        if not database.read_only and not database.rows("store.tables"):
            self._create()
        if database.folder or not database.read_only:
            functions.install(database)

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        if self._reader is not None:
            self._reader.close()
        self._database.close()

    @property
    def connection(self) -> Connection:
        """The plain DuckDB connection; unqualified names are the corpus's tables."""
        return self._database.connection

    def cursor(self) -> Corpus:
        """A second handle on the same file for another thread, with stage tables of its own."""
        twin = Corpus.__new__(Corpus)
        twin.__dict__.update(self.__dict__)
        twin._database = self._database.cursor()
        twin._reader, twin._lock = None, threading.RLock()
        twin._retriever = self._retriever.on(twin._database)
        return twin

    # -- writing -------------------------------------------------------------------------------------------------

    def add(
        self,
        *inputs: object,
        columns: Mapping[str, str] | None = None,
        stdin: IO[bytes] | None = None,
        progress: Progress | None = None,
        extractor: str | None = None,
        extraction: reading.Extraction | None = None,
    ) -> AddReport:
        """Add documents: paths, folders, globs, texts, mappings, data frames, `-` for stdin; then index.

        The same content again is skipped, changed content replaces the old. Without inputs an interrupted indexing is
        finished. `extractor` changes who reads the whole corpus; `extraction` says how the extractor `model` does.
        """
        self._must_write()
        report, told = progress or store.quiet, self._options
        found = reading.add(
            self._database,
            readers.read(list(inputs), columns=columns, stdin=stdin),
            reading.prepare(self._database, extractor, extraction, model=told.model, base_url=told.base_url),
            embedder=self._embedding.of(self._database),
            record=told.record,
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
        embed: str | None = None,
        progress: Progress | None = None,
        **options: Any,
    ) -> graph.GraphReport:
        """Add a knowledge graph: `triples`, or `nodes` and `edges`.

        `embed` is none, relations, names or all: all by default, relations for a graph of more than 200,000 nodes.
        """
        self._must_write()
        tell = progress or store.quiet
        tell("reading the graph", 0, 0)
        tables = graph.read(triples, nodes, edges, options)
        report = graph.import_graph(
            self._database,
            tables,
            embed=embed,
            embedder=lambda: self._embedding.of(self._database),
            progress=tell,
        )
        self.index(progress=progress)
        return report

    def remove(self, *sources: str) -> int:
        """Remove documents by source, with all that came from them; their number.

        Raises:
            UnknownId: a source that the corpus does not hold; nothing is removed then.
        """
        self._must_write()
        known = {
            source: number for number, source in self._database.rows("store.documents_like", sources=list(sources))
        }
        for source in sources:
            if source not in known:
                raise UnknownId(f"no document {source!r}; `mosaic query DB 'FROM document'` lists them")
        with self._database.transaction():
            store.remove(self._database, list(known.values()))
        self.index()
        return len(known)

    def index(self, *, progress: Progress | None = None) -> None:
        """Bring the index in step with the documents, if it is not."""
        if self._database.meta().get("index_state") != "ready":
            index.build(
                self._database,
                embedder=self._embedding.of(self._database),
                graph_vectors=self._database.meta().get("graph_embed", "all"),
                progress=progress or store.quiet,
            )
            self._database.settle()
        self._retriever.forget()

    def reembed(self, *, progress: Progress | None = None) -> int:
        """Compute every vector anew with the embedder this corpus was opened with; the number of chunks."""
        self._must_write()
        embedder = self._embedding.chosen()
        count = reembed.reembed(self._database, embedder, progress=progress or store.quiet)
        self._embedding.use(embedder)
        self.index(progress=progress)
        return count

    def export(self, folder: str | Path) -> dict[str, int]:
        """Write the corpus as a folder of Parquet; rows per table."""
        self._must_be_ready()
        return parquet.export_folder(self._database, Path(folder), version=traces.package_version())

    # -- reading -------------------------------------------------------------------------------------------------

    def analyze(self, question: str, *, policy: PolicyLike = None, analyzer: AnalyzerLike = None) -> Analysis:
        """The policy a question gets, and why; nothing is walked."""
        with self._lock:
            self._must_be_ready()
            return self._retriever.prepare(clean(question), policy, None, analyst=self._analyst(analyzer)).analysis

    @overload  # a str is a Sequence[str] too; the first signature that fits is the one meant
    def retrieve(  # type: ignore[overload-overlap]
        self, question: str, *, policy: PolicyLike = None, keep_pruned: bool = False, analyzer: AnalyzerLike = None
    ) -> Retrieval: ...
    @overload
    def retrieve(
        self,
        question: Sequence[str],
        *,
        policy: PolicyLike = None,
        keep_pruned: bool = False,
        analyzer: AnalyzerLike = None,
    ) -> list[Retrieval]: ...
    def retrieve(
        self,
        question: str | Sequence[str],
        *,
        policy: PolicyLike = None,
        keep_pruned: bool = False,
        analyzer: AnalyzerLike = None,
    ) -> Retrieval | list[Retrieval]:
        """Retrieve for one question, or for many: those that get the same policy share their statements.

        Args:
            question: a question, or a list of them; the result has the same form.
            policy: a name (`default`, `mosaic`, `narrow`, `medium`, `wide`), a Policy, or controls to override.
            keep_pruned: also return the paths that were looked at and not kept.
            analyzer: who reads the question: `rules`, `model`, or a chat model; by default as the handle was opened.

        Raises:
            PolicyError: a policy that cannot be meant.
            StoreError: the index is behind its documents and the file is open read-only.
        """
        single = isinstance(question, str) or not isinstance(question, Sequence)
        questions = [clean(text) for text in ([question] if single else list(question))]
        with self._lock:  # one connection does one thing at a time; threads that want more take cursors
            self._must_be_ready()
            given: dict[str, Any] = {"policy": policy, "keep_pruned": keep_pruned, "analyst": self._analyst(analyzer)}
            results = self._retriever.retrieve(questions, self._vectors(questions), **given)
        return results[0] if single else results

    def ask(
        self,
        question: str,
        *,
        policy: PolicyLike = None,
        model: str | ChatModel | None = None,
        record: bool | None = None,
        analyzer: AnalyzerLike = None,
    ) -> Asked:
        """Retrieve and answer: by `model` where one is asked for, else quoted from the evidence.

        Args:
            question: the question.
            policy: as in `retrieve`.
            model: a chat model, by name or as an object.
            record: keep the run in the file beside the corpus; by default as the handle was opened.
            analyzer: as in `retrieve`; `model` is the model that answers.

        Raises:
            StoreError: the run is to be kept of a corpus in memory; nothing is asked of a model then.
        """
        question = clean(question)
        keep = self._options.record if record is None else record
        if keep and not self._options.trace:
            raise StoreError("a run is kept only where it is traced; open the corpus with trace=True")
        place = traces.runs_path(self._database.path) if keep else None
        found, unkept = None, ""
        with self._lock:
            analyst = self._analyst(analyzer, model) or "rules"
            retrieval = self.retrieve(question, policy=policy, keep_pruned=True, analyzer=analyst)
            try:
                with recording(self._database, retrieval, keep=keep) as ledger:
                    found, _ = answering.answer(
                        retrieval.question,
                        retrieval.context,
                        analysis=retrieval.analysis,
                        found=retrieval.answers,
                        stopped=retrieval.walk.stop_reason,
                        model=self._analysts.answering(
                            model if model is not None else self._options.model, ledger.calls
                        ),
                    )
                    if retrieval.run is not None:
                        traces.record_answer(self._database, retrieval.run, found)
            except StoreError as error:  # what was answered, and paid for, is not thrown away
                if found is None:
                    raise
                held = isinstance(error, StoreLocked)
                unkept = f"{place} is in use, {str(error).partition(';')[0]}" if held else str(error)
        return Asked(found, retrieval, ledger.pruned, unkept)

    def explain(self, question: str, *, policy: PolicyLike = None, analyzer: AnalyzerLike = None) -> Explanation:
        """Retrieve and tell how: seeds with why, rows per depth, what was pruned by which rule, evidence with role."""
        with self._lock:
            found = self.retrieve(question, policy=policy, keep_pruned=True, analyzer=analyzer)
            return explain(found, paths.columns(self._database, found))

    def sql(
        self, question: str, *, policy: PolicyLike = None, analyzer: AnalyzerLike = None, params: bool = False
    ) -> str:
        """The script a retrieval runs, for any DuckDB client; with `params` JSON, the values beside the texts."""
        with self._lock:
            self._must_be_ready()
            text, analyst = clean(question), self._analyst(analyzer)
            plan = planned(self._retriever, text, self._vectors([text])[0], policy=policy, analyst=analyst)
        return with_values(plan) if params else script(plan)

    def query(self, sql: str, *, limit: int | None = None, timeout: float | None = 60.0) -> pa.Table:
        """A person's own SELECT: no other files, no network, no settings, nothing written.

        On a handle that may write, the query runs in the same connection, which from then on opens no further files.

        Raises:
            QueryError: DuckDB refused it, or it is not one SELECT.
            QueryTimeout: it ran longer than `timeout` seconds.
        """
        with self._lock:
            if self._database.read_only and speaks_of_runs(sql):
                return self.runs.query(sql, limit=limit, timeout=timeout)
            if self._reader is None and self._database.read_only:
                self._reader = reader(self._database.path)
            return (self._reader or self._database).select(sql, limit=limit, timeout=timeout)

    def stats(self) -> dict[str, Any]:
        """Counts, the embedder, versions, the state of the index."""
        meta = self._database.meta()
        told = ("embedder", "dimension", "extractor", "sentence_vectors", "schema_version", "storage_version")
        return {
            "path": self._database.path,
            **dict(self._database.rows("store.counts")),
            **{name: meta.get(name) for name in told},
            "index": meta.get("index_state"),
            **self.runs.stats(),
        }

    @property
    def runs(self) -> Runs:
        """The runs of this corpus: list, show, diff, replay, prune, retain."""
        return Runs(self, self._database)

    def warm(self) -> int:
        """Load the graph into memory for fast walks; bytes held, 0 where it would take more than `memory` allows.

        A handle that is asked a second time does it by itself; a change of the corpus lets go of it.
        """
        return self._retriever.warm()

    # -- inside --------------------------------------------------------------------------------------------------

    def _must_write(self) -> None:
        if self._database.folder:
            raise StoreError(
                f"{self._database.path} is a folder of Parquet, which is only read; bring it into a file with "
                f"`mosaic import FILE {self._database.path}` and change that"
            )
        if self._database.read_only:
            raise StoreError(f"{self._database.path} is open read-only; open it for writing to change it")
        self._database.use_threads(one=False)

    def _must_be_ready(self) -> None:
        if self._checked:
            return
        if self._database.meta().get("index_state", "ready") == "ready":
            self._checked = self._database.read_only  # nobody changes a file that is open for reading
            return
        if self._database.read_only:
            raise StoreError(
                f"the index of {self._database.path} is behind its documents (an add was interrupted); "
                f"finish it with `mosaic add {self._database.path}`"
            )
        self.index()

    def _create(self) -> None:
        embedder = self._embedding.chosen()
        described = identity.describe(embedder)
        with self._database.transaction():
            for name in ("1_corpus", "2_search", "4_comments"):
                self._database.script(name, dimension=described["dimension"])
            self._database.put_meta(
                schema_version=SCHEMA_VERSION,
                storage_version=self._database.storage_version,
                extractor=self._options.extractor,
                sentence_vectors=str(self._options.sentence_vectors).lower(),
                index_state="ready",
                **described,
            )
        self._embedding.use(embedder)

    def _vectors(self, questions: Sequence[str]) -> list[Vector]:
        embedder = self._embedding.of_questions(self._database)
        if embedder is None or not questions:
            return [None] * len(questions)
        self._retriever.embed_with(embedder)
        return [tuple(row) for row in to_grid(embedder.embed(questions)).tolist()]

    def _analyst(self, analyzer: AnalyzerLike, model: str | ChatModel | None = None) -> ChatModel | None:
        return self._analysts.pick(analyzer, model if model is not None else self._options.model)
