"""The frozen records that the stages hand on: seed, walk, evidence, context, answer.

Bulk rows travel as Arrow tables with the columns of the stage's SQL file; what a person reads travels as tuples.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from mosaic_sql.policy import Correction, Policy
from mosaic_sql.records.adding import AddReport as AddReport
from mosaic_sql.records.adding import ChunkDraft as ChunkDraft
from mosaic_sql.records.adding import ExtractionEstimate as ExtractionEstimate
from mosaic_sql.records.adding import ExtractionReport as ExtractionReport
from mosaic_sql.records.adding import Skipped as Skipped
from mosaic_sql.records.adding import SourceDocument as SourceDocument
from mosaic_sql.records.adding import Unread as Unread
from mosaic_sql.records.catalogue import Catalogue as Catalogue
from mosaic_sql.records.catalogue import Property as Property
from mosaic_sql.text import token_count


@dataclass(frozen=True)
class RenderedQuery:
    """One statement ready to run: text without values, values beside it, and the stage table it fills."""

    name: str
    sql: str
    params: Mapping[str, Any] = field(default_factory=dict)
    stage: str | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 (16 hex digits) of the statement and its values."""
        text = json.dumps([self.sql, dict(self.params)], sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


MEANT = 0.15
"""Weight of a target from which a question is taken to ask for it.

A lone lower-case name has some 0.2 where its word is telling, and less where it is common.
"""


@dataclass(frozen=True)
class Candidate:
    """A node of an imported graph that a name in the question may mean, and how well, in [0, 1].

    `why` is how it was found: `exact` (its name as written), `alias` (another of its names), `normalised` (but for
    capitals, accents and marks), `lexical` (its words, or near them), `similar` (by vector), `given` (by the caller).
    """

    node_id: int
    name: str
    kinds: tuple[str, ...]
    degree: int
    description: str
    score: float
    why: str


@dataclass(frozen=True)
class Target:
    """A name found in the question and what it is in the corpus.

    `weight` in [0, 1] is how surely the question means it; `node_ids` are the nodes it names, best first; `origin` is
    `graph` where some are nodes of an imported graph: `graph_ids`, with their `kinds` and the `steps`
    (relation, forward) that they have; `page_ids` are the chunks that bear the name as title. `why` is `title` or
    `name` in a text, that of the best candidate in a graph; `candidates` are the first of its `namesakes`, chosen
    (in `graph_ids`) or not, best first.
    """

    group_id: int
    name: str
    alias_key: str
    weight: float
    node_ids: tuple[int, ...]
    node_names: tuple[str, ...]
    char_start: int
    char_end: int
    why: str
    origin: str = "text"
    kinds: tuple[str, ...] = ()
    graph_ids: tuple[int, ...] = ()
    page_ids: tuple[int, ...] = ()
    steps: tuple[tuple[str, bool], ...] = ()
    candidates: tuple[Candidate, ...] = ()
    namesakes: int = 0

    @property
    def is_meant(self) -> bool:
        """Whether the question asks for it, rather than holding its word by chance."""
        return self.weight >= MEANT


@dataclass(frozen=True)
class Term:
    """A content stem of the question in the corpus.

    `term_id` is None and `idf` 0 for a stem the corpus does not have; `idf` is in units of 2^-16, `specificity` in
    [0, 1]; `alike` are the terms that begin like it, or that it begins like, itself included.
    """

    stem: str
    term_id: int | None
    idf: int
    specificity: float
    alike: tuple[int, ...]


@dataclass(frozen=True)
class ModelCall:
    """One call of a chat model, for the ledger.

    `output` is what it wrote, verbatim; `error` says why that was of no use. Tokens are 0 where the server does not
    count them, or the answer was kept from an earlier call.
    """

    purpose: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    milliseconds: float
    finish_reason: str
    output: str = ""
    error: str = ""


@dataclass(frozen=True)
class Compared:
    """A filter whose value another node has: answers whose `attribute` compares so with that of `target`.

    `own` is the property of the answers where it is another one: an end of a time that meets the other's.
    """

    target: Target
    attribute: str
    owner: str
    compare: str
    own: str = ""


@dataclass(frozen=True)
class Analysis:
    """A question read: its targets, its six signals (0-2) and the policy proposed, validated and corrected.

    `analyzer` is `rules` or the name of the chat model that read it; `facets` are what is asked of the targets; `risk`
    and `rationale` are a model's own words, kept and never acted upon; `calls` are what the model was asked;
    `alternatives` are patterns to walk, in order, where the policy's finds nothing.
    `unresolved` says which part of the question stands for nothing or cannot be served, and why; empty where none is.
    `each` is told where nothing holds for all anchors and what holds for one of them takes its place; empty where it
    may not. `lacks` says what the graph has nothing for, where what it knows beside that is told; empty for nothing.
    `verdict` is what the schema alone answers, with yes or no; empty where it does not. `compared` are the filters
    whose values are another node's. `second` is a question behind the one that is answered, which is not; empty for
    none.
    """

    question: str
    targets: tuple[Target, ...]
    signals: Mapping[str, int]
    policy: Policy
    corrections: tuple[Correction, ...]
    operator_reason: str
    facets: tuple[str, ...] = ()
    risk: str = ""
    rationale: str = ""
    analyzer: str = "rules"
    calls: tuple[ModelCall, ...] = ()
    alternatives: tuple[str, ...] = ()
    unresolved: str = ""
    each: str = ""
    lacks: str = ""
    verdict: str = ""
    compared: tuple[Compared, ...] = ()
    second: str = ""


@dataclass(frozen=True)
class Seeds:
    """Rows the walk starts from: columns of `sql/seed/*.sql`."""

    rows: pa.Table


@dataclass(frozen=True)
class Walk:
    """Every path looked at, kept or not: columns of `sql/walk/*.sql`; why the walk ended, and which form ran.

    `form` tells `walk join`, `walk paged`, `walk unrolled` or `walk resident`, `text scan` or `text resident`; `cuts`
    are the bounds (`row_budget`, `fan_out`) that left something out, one line each.
    """

    rows: pa.Table
    operator: str
    form: str
    stop_reason: str
    cuts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """Units of evidence, best first: columns of `sql/evidence/*.sql`."""

    rows: pa.Table


@dataclass(frozen=True)
class Passage:
    """A numbered window of a chunk, or a fact or path of the graph written out.

    `char_start` and `char_end` are offsets into the source document (None for a graph fact without a text);
    `path_from` is the chunk whose link led here, `path_node` the name it went over. `passage_id` is
    `<chunk id>:<char_start>`, empty for a fact; `score` is the unit's, or the window's cosine where that ranks windows.
    `edge_ids` are the edges of the graph that it states.
    """

    number: int
    text: str
    source: str
    title: str
    chunk_id: int | None
    char_start: int | None
    char_end: int | None
    score: float
    role: str
    path: str = ""
    path_from: int | None = None
    path_node: int | None = None
    passage_id: str = ""
    edge_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class GraphPath:
    """A path of the graph that a typed walk ended with, and the passage (by its number) that shows it.

    `names` and `kinds` are its nodes' in order; `labels` its edges', each with whether the path goes the edge's way.
    """

    number: int
    node_ids: tuple[int, ...]
    names: tuple[str, ...]
    kinds: tuple[tuple[str, ...], ...]
    labels: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Context:
    """The numbered passages an answer may use, within the policy's budget.

    `support` in [0, 1] is the best cosine of the question with a chunk of the evidence (1.0 for a graph match),
    `overlap` in [0, 1] the share of the question's content stems that stand in a passage, by their `weights` (how
    telling a stem is, in [0, 1]); `missing` are its words that the whole corpus does not have. `paths` are those of the
    graph that passages show; `cut` says what the budget left out, a line each.
    """

    passages: tuple[Passage, ...]
    support: float
    overlap: float
    weights: Mapping[str, float] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    paths: tuple[GraphPath, ...] = ()
    cut: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of the passages with their titles, approximately (`text.token_count`)."""
        return sum(token_count(f"{passage.title}: {passage.text}") for passage in self.passages)

    @property
    def fingerprint(self) -> str:
        """SHA-256 (16 hex digits) of the passages' texts and sources, in order."""
        text = json.dumps([[p.number, p.source, p.text] for p in self.passages])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Found:
    """A node that a pattern or a shortest path ends in, how many hops away, and the attribute or count read of it."""

    node_id: int
    name: str
    depth: int
    value: str = ""


@dataclass(frozen=True)
class StageTime:
    """One stage of a run: the rows it left and the milliseconds it took."""

    stage: str
    query: str
    rows: int
    milliseconds: float


@dataclass(frozen=True)
class Citation:
    """A marker `[n]` of an answer and the passage it points to."""

    number: int
    source: str
    title: str
    chunk_id: int | None
    char_start: int | None
    char_end: int | None


@dataclass(frozen=True)
class Answer:
    """An answer with its checked citations.

    `found` is False for *no answer*; `removed_citations` counts markers that pointed to nothing; `missing` are words of
    the question that the corpus does not have.
    """

    text: str
    citations: tuple[Citation, ...]
    found: bool
    method: str
    removed_citations: int = 0
    reason: str = ""
    missing: tuple[str, ...] = ()
