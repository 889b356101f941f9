"""The frozen records of adding to a corpus: what was read, cut, skipped and asked of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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
