"""Documents into chunks along their structure: headings, paragraphs, sentences, words; no overlap.

Offsets count characters of the decoded text that the document keeps (LF line ends).
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from mosaic_sql import text as words
from mosaic_sql.ingest.structure import (
    ATX,
    UNDERLINE,
    Block,
    Span,
    blocks_of,
    definitions,
    document_title,
    front_matter,
    line_spans,
    plain,
    sections,
    sentence_spans,
    trimmed,
)
from mosaic_sql.records import ChunkDraft, SourceDocument

TokenOffsets = Callable[[str], list[Span]]

SPECIAL_TOKENS = 2  # what an encoder puts around a text
MAX_SUBJECTS = 6
_TINY = 0.15  # share of the budget under which a last piece is balanced with the one before
_CLIP = 100  # characters of a title, and of the headings, that are embedded
_SLAB = 1 << 17  # characters tokenised in one call
_LONG_TOKEN = 32  # a longer token is an unknown word and counts one token per character


def chunk(document: SourceDocument, *, token_offsets: TokenOffsets, max_tokens: int = 256) -> list[ChunkDraft]:
    """Cut a document into chunks whose `embedding_text` is at most `max_tokens` tokens, special tokens included.

    `token_offsets` gives the character span of each token of a text, special tokens left out. A chunk may always use
    an eighth of `max_tokens` for its own text, however long its title. Together the chunks hold every non-blank
    character once, front matter excepted; a document of nothing else gives no chunk.
    """
    body = trimmed(document.text, front_matter(document.text, document.markup)[0], len(document.text))
    if body[0] >= body[1]:
        return []
    blocks = blocks_of(document.text, body, document.markup)
    title = document_title(document, blocks)
    ruler = _Ruler(document.text, body, token_offsets, max_tokens)
    if ruler.count(*body) <= ruler.budget(title, ""):
        pieces = [("", body)]
    else:
        pieces = [
            (heading, span)
            for section in sections(blocks, title)
            for heading in [" > ".join(section.path)]
            for span in _Packer(document.text, ruler, ruler.budget(title, heading)).spans(section.blocks)
        ]
    return _drafts(document.text, title, pieces, blocks)


def embedding_text(chunk: ChunkDraft) -> str:
    """What is embedded for a chunk: "title. text" or "title > heading. text", no line of it said twice."""
    return (_prefix(chunk.title, chunk.heading) + _without_headings(chunk)).strip()


def _drafts(text: str, title: str, pieces: list[tuple[str, Span]], blocks: list[Block]) -> list[ChunkDraft]:
    found = definitions(text, blocks)
    positions = [definition.position for definition in found]
    drafts: list[ChunkDraft] = []
    for ordinal, (heading, (start, end)) in enumerate(pieces):
        inside = found[bisect_left(positions, start) : bisect_left(positions, end)]
        names = [title] if ordinal == 0 else []
        names += [name for definition in inside for name in definition.names]
        drafts.append(ChunkDraft(ordinal, title, heading, text[start:end], start, end, _distinct(names)))
    return drafts


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(words.node_key(name), name)
    return tuple(name for key, name in first.items() if key)[:MAX_SUBJECTS]


# --- prefix -----------------------------------------------------------------------------------------------------------


def _prefix(title: str, heading: str) -> str:
    named = " > ".join(part for part in (_clipped(title), _clipped(heading)) if part)
    return "" if not named else f"{named} " if named[-1] in ".!?:" else f"{named}. "


def _clipped(name: str) -> str:
    if len(name) <= _CLIP:
        return name.strip()
    own = name.rpartition(" > ")[2]
    return (own if len(own) <= _CLIP else own[:_CLIP].rpartition(" ")[0] or own[:_CLIP]).strip()


def _without_headings(chunk: ChunkDraft) -> str:
    said = {words.normalise(name) for name in (chunk.title, *chunk.heading.split(" > "))} - {""}
    rest = chunk.text
    while rest:
        line, _, after = rest.partition("\n")
        atx = ATX.match(line)
        name = words.normalise(plain(atx.group(2) if atx else line))
        if name not in said and not (UNDERLINE.match(line) and rest is not chunk.text) and line.strip():
            break
        rest = after
    return rest


# --- tokens -----------------------------------------------------------------------------------------------------------


class _Ruler:
    """Token counts of any span of a text, from one tokenisation of it."""

    def __init__(self, text: str, body: Span, token_offsets: TokenOffsets, max_tokens: int) -> None:
        self._text = text
        self._token_offsets = token_offsets
        self._max_tokens = max_tokens
        self._starts = array("q")
        position, end = body
        while position < end:
            stop = self._slab_end(position, end)
            self._starts.extend(_token_starts(token_offsets(text[position:stop]), position))
            position = stop

    def _slab_end(self, start: int, end: int) -> int:
        stop = start + _SLAB
        if stop >= end:
            return end
        blank = max(self._text.rfind("\n", start, stop), self._text.rfind(" ", start, stop))
        return blank + 1 if blank > start else stop

    def count(self, start: int, end: int) -> int:
        return bisect_left(self._starts, end) - bisect_left(self._starts, start)

    def measured(self, start: int, end: int) -> int:
        return len(_token_starts(self._token_offsets(self._text[start:end]), 0))

    def reach(self, start: int, end: int, tokens: int) -> int:
        """The furthest position up to `end` with at most `tokens` tokens since `start`; always past `start`."""
        after = bisect_left(self._starts, start) + tokens
        return end if after >= len(self._starts) else max(start + 1, min(end, self._starts[after]))

    def budget(self, title: str, heading: str) -> int:
        prefix = _prefix(title, heading)
        used = SPECIAL_TOKENS + (len(self._token_offsets(prefix)) if prefix else 0)
        return max(self._max_tokens - used, self._max_tokens // 8, 1)


def _token_starts(spans: list[Span], offset: int) -> list[int]:
    starts: list[int] = []
    for start, end in spans:
        if end - start > _LONG_TOKEN:
            starts.extend(range(offset + start, offset + end))
        elif end > start:
            starts.append(offset + start)
    starts.sort()
    return starts


# --- packing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Packer:
    """Cuts the blocks of one section into spans of at most `budget` tokens."""

    text: str
    ruler: _Ruler
    budget: int

    def spans(self, blocks: Sequence[Block]) -> list[Span]:
        atoms = [atom for block in blocks for atom in self._atoms(block)]
        packed: list[Span] = []
        for start, end in atoms:
            if packed and self._fits(packed[-1][0], end):
                packed[-1] = (packed[-1][0], end)
            else:
                packed.append((start, end))
        return [span for piece in self._balanced(packed, atoms) for span in self._measured(piece, self.budget)]

    def _fits(self, start: int, end: int) -> bool:
        return self.ruler.count(start, end) <= self.budget

    def _atoms(self, block: Block) -> Iterator[Span]:
        if self._fits(block.start, block.end):
            yield block.start, block.end
            return
        split = line_spans if block.kind == "lines" else sentence_spans
        for start, end in split(self.text, block.start, block.end):
            if self._fits(start, end):
                yield start, end
            else:
                yield from self._cut(start, end, self.budget)

    def _cut(self, start: int, end: int, budget: int) -> Iterator[Span]:
        """Even pieces that end at a blank where there is one, else between two tokens."""
        while start < end:
            left = self.ruler.count(start, end)
            stop = self.ruler.reach(start, end, ceil(left / max(1, ceil(left / budget))))
            if stop < end:
                stop = self._edge(start, stop)
            yield from self._nonblank(start, stop)
            start = stop

    def _nonblank(self, start: int, end: int) -> Iterator[Span]:
        first, last = trimmed(self.text, start, end)
        if first < last:
            yield first, last

    def _edge(self, start: int, stop: int) -> int:
        for position in range(stop, start + (stop - start) // 2, -1):
            if self.text[position - 1].isspace() or self.text[position].isspace():
                return position
        position = stop
        while position > start + 1 and _joins(self.text[position - 1], self.text[position]):
            position -= 1
        return position if position > start + 1 else stop

    def _balanced(self, packed: list[Span], atoms: list[Span]) -> list[Span]:
        if len(packed) < 2 or self.ruler.count(*packed[-1]) >= _TINY * self.budget:
            return packed
        (start, middle), (_, end) = packed[-2:]
        inner = [span for span in atoms if start < span[0] < middle] or sentence_spans(self.text, start, middle)[1:]
        cuts = [position for position, _ in inner if self._fits(start, position) and self._fits(position, end)]
        if not cuts:
            return packed
        best = min(cuts, key=lambda position: abs(self.ruler.count(start, position) - self.ruler.count(position, end)))
        return [*packed[:-2], trimmed(self.text, start, best), (best, end)]

    def _measured(self, piece: Span, budget: int) -> list[Span]:
        """`piece`, or its parts where its own tokenisation is longer than that of the whole text let expect."""
        tokens = self.ruler.measured(*piece)
        if tokens <= self.budget or piece[1] - piece[0] <= 1:
            return [piece]
        smaller = max(1, min(budget - 1, budget * self.budget // tokens))
        parts = list(self._cut(*piece, smaller))
        if len(parts) == 1:
            middle = (piece[0] + piece[1]) // 2
            parts = [*self._nonblank(piece[0], middle), *self._nonblank(middle, piece[1])]
        return [span for part in parts for span in self._measured(part, smaller)]


def _joins(before: str, after: str) -> bool:
    return unicodedata.combining(after) > 0 or after in "\u200d\ufe0e\ufe0f" or before == "\u200d"
