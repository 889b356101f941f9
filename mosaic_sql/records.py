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
class Catalogue:
    """What an analyzer may know of a corpus: counts, kinds, relations with their ends."""

    chunk_count: int
    node_count: int
    edge_count: int
    rule_edge_count: int
    kinds: tuple[str, ...] = ()
    relations: tuple[tuple[int, str], ...] = ()
    schema_paths: tuple[tuple[str, str, str, int], ...] = ()
    graph_node_count: int = 0


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
class Analysis:
    """A question read: its targets, its six signals (0-2) and the policy proposed, validated and corrected.

    `analyzer` is `rules` or the name of the chat model; `facets` are what is asked of the targets; `risk` and
    `rationale` are its words, never acted upon; `calls` what it was asked; `alternatives` the next patterns to walk.
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


@dataclass(frozen=True)
class Seeds:
    """Rows the walk starts from: columns of `sql/seed/*.sql`."""

    rows: pa.Table


@dataclass(frozen=True)
class Walk:
    """Every path looked at, kept or not: columns of `sql/walk/*.sql`; why the walk ended, and which form ran.

    `form` tells `walk join` or `walk resident`, `text scan` or `text resident`.
    """

    rows: pa.Table
    operator: str
    form: str
    stop_reason: str


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


@dataclass(frozen=True)
class Context:
    """The numbered passages an answer may use, within the policy's budget.

    `support` in [0, 1] is the best cosine of the question with a chunk of the evidence (1.0 for a graph match),
    `overlap` in [0, 1] the share of the question's content stems that stand in a passage, by their `weights` (how
    telling a stem is, in [0, 1]); `missing` are its words that the whole corpus does not have.
    """

    passages: tuple[Passage, ...]
    support: float
    overlap: float
    weights: Mapping[str, float] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @property
    def fingerprint(self) -> str:
        """SHA-256 (16 hex digits) of the passages' texts and sources, in order."""
        text = json.dumps([[p.number, p.source, p.text] for p in self.passages])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Found:
    """A node that a pattern or a shortest path ends in, and how many hops away."""

    node_id: int
    name: str
    depth: int


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


@dataclass(frozen=True)
class SourceDocument:
    """One document as read: decoded text, where it came from, and what came with it.

    `source` names it in the file and in citations and is unique in a corpus; `vector` is a ready-made embedding.
    `notes` are one-line remarks on what had to be mended (encoding guessed, odd bytes replaced).
    """

    source: str
    text: str
    title: str = ""
    markup: str = "text"
    properties: Mapping[str, Any] = field(default_factory=dict)
    vector: tuple[float, ...] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Skipped:
    """An input that was not taken, and why, in one line. `failed` tells a fault from a choice."""

    source: str
    reason: str
    failed: bool = True


@dataclass(frozen=True)
class ChunkDraft:
    """A chunk before it has an id: `text` is `document.text[char_start:char_end]`.

    `title` is the document's title, `heading` the headings above the chunk joined by " > " (empty for none),
    `subjects` the names the chunk is *about* (title, own heading, the subject of a definition sentence).
    """

    ordinal: int
    title: str
    heading: str
    text: str
    char_start: int
    char_end: int
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExtractionEstimate:
    """What asking a model for the facts of some chunks will cost, before it is asked.

    Tokens are an approximate count that errs upwards; `price` is None where no price was given.
    """

    chunks: int
    prompt_tokens: int
    completion_tokens: int
    price: float | None


@dataclass(frozen=True)
class Unread:
    """A chunk that a model gave no facts for, by its document and its place in it (from 0), and why."""

    source: str
    ordinal: int
    reason: str


@dataclass(frozen=True)
class ExtractionReport:
    """What a model was asked for in one `add`, and what came of it.

    chunks waiting = `done` + `failed` + `not_done`; the last two are asked for again by the next `add`. `calls` went to
    the model, `cached` were answered without it, `repaired` chunks took a second call. `dropped_entities` did not stand
    in their chunk, `dropped_relations` joined anything but kept entities, `lost_sentences` of kept relations were not
    found. Tokens are the server's count, or an approximate one where it gives none.
    """

    expected: ExtractionEstimate
    done: int
    failed: tuple[Unread, ...] = ()
    not_done: tuple[Unread, ...] = ()
    calls: int = 0
    cached: int = 0
    repaired: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    price: float | None = None
    entities: int = 0
    relations: int = 0
    dropped_entities: int = 0
    dropped_relations: int = 0
    lost_sentences: int = 0
    seconds: float = 0.0

    @property
    def left(self) -> int:
        """Chunks that still have no facts."""
        return len(self.failed) + len(self.not_done)


@dataclass(frozen=True)
class AddReport:
    """What one `add` did: inputs = added + replaced + unchanged + skipped.

    `extraction` is None where no model reads the corpus.
    """

    added: int
    replaced: int
    unchanged: int
    skipped: tuple[Skipped, ...]
    chunks: int
    notes: tuple[str, ...]
    seconds: float
    extraction: ExtractionReport | None = None

    @property
    def failed(self) -> int:
        """Inputs that could not be read (a choice such as an unknown suffix is not a failure)."""
        return sum(skipped.failed for skipped in self.skipped)
