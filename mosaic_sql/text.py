"""Words, stems, sentences and names in plain text: pure functions, no model, no database.

Offsets are Python string offsets (code points) into the text that was passed in, the unit in which
DuckDB's `substr` counts too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import snowballstemmer

STOP_WORDS = frozenset(
    "a an the of in on at to for from by with and or is are was were be been being it its this "
    "that these those as which who whom whose what when where how why did do does has have had he "
    "she they his her their him them there then than not no i you we our your into about also both "
    "between more most such same s t if any some all one".split()
)
PARTICLES = frozenset("of the de van von & and la le du di da bin ibn al in del der for".split())
ALIKE = 4
"""Letters from which two stems may be alike by their beginnings."""
ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sr jr st vs no inc ltd co corp u.s u.k vol gen col lt sgt capt rev hon gov "
    "sen rep fig ca c b d approx est e.g i.e etc op feat ft".split()
)

SAME_KIND = tuple(
    frozenset(group.split())
    for group in (
        "film movie picture",
        "book novel",
        "person people human man woman",
        "author writer",
        "song track tune",
        "band group",
        "company firm corporation business enterprise",
        "city town",
        "country nation state",
        "drug medicine medication",
        "disease illness disorder condition",
        "series show",
    )
)
"""Everyday words for one kind: a schema that has one of a group is asked for by the others."""

_NARROW = frozenset("novel man woman".split())
"""Those of them that say more than their kind: a novel is a book, and not every book is one."""

_TOKEN = re.compile(r"[^\W_]+")
# Scripts written without blanks: Thai to Khmer, kana, Han, Hangul.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_UNSPACED_START = re.compile(f"[{_UNSPACED}]")
_END = re.compile(r"[.!?]+[\"')\]”’]*|[。！？]+[」』”]*|\n[ \t]*\n\s*|\n(?=[ \t]*(?:[-*+•]|\d+[.)])[ \t])")
_LAST_WORD = re.compile(r"[\w.]+$")
_INITIALS = re.compile(r"(?:[a-z]\.)*[a-z]")

_stemmer = snowballstemmer.stemmer("porter")


class Token(NamedTuple):
    """One word: lower-case folded form, its stem's source span, and whether it opens with a capital or digit."""

    form: str
    start: int
    end: int
    strong: bool


@lru_cache(maxsize=1 << 16)
def _fold_character(character: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKD", character) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", plain)


def fold(text: str) -> tuple[str, list[int] | None]:
    """`text` without accents, and for each folded character its offset in `text` (None: unchanged)."""
    if text.isascii():
        return text, None
    folded: list[str] = []
    offsets: list[int] = []
    for position, character in enumerate(text):
        plain = _fold_character(character)
        folded.append(plain)
        offsets.extend([position] * len(plain))
    return "".join(folded), offsets


def tokens(text: str) -> list[Token]:
    """Words of `text` in order; runs of an unspaced script become overlapping pairs of characters."""
    folded, offsets = fold(text)
    found: list[Token] = []
    for match in _TOKEN.finditer(folded):
        for start, end in _pieces(match.group(), match.start()):
            form = folded[start:end]
            first, last = (start, end) if offsets is None else (offsets[start], offsets[end - 1] + 1)
            found.append(Token(form.lower(), first, last, not form[0].islower()))
    return found


def _pieces(word: str, start: int) -> list[tuple[int, int]]:
    if word.isascii():
        return [(start, start + len(word))]
    pieces: list[tuple[int, int]] = []
    for run in _UNSPACED_RUN.finditer(word):
        first, last = start + run.start(), start + run.end()
        if last - first > 2 and _UNSPACED_START.match(run.group()):
            pieces += [(i, i + 2) for i in range(first, last - 1)]
        else:
            pieces.append((first, last))
    return pieces


def is_unspaced(text: str) -> bool:
    """Whether some of `text` (already folded) is of a script written without blanks."""
    return _UNSPACED_START.search(text) is not None


def stem(word: str) -> str:
    """Porter stem of one lower-case word; every ending that is taken off is of plain letters."""
    return _stem(word) if "a" <= word[-1:] <= "z" else word


@lru_cache(maxsize=1 << 18)
def _stem(word: str) -> str:
    return str(_stemmer.stemWord(word))


@lru_cache(maxsize=1 << 14)
def singulars(form: str) -> frozenset[str]:
    """A form and what it may be the plural of."""
    found = {form}
    if form.endswith("s") and not form.endswith("ss") and len(form) > 3:
        found.add(form[:-1])
    if form.endswith("ies") and len(form) > 4:
        found.add(f"{form[:-3]}y")
    if form.endswith(("ches", "shes", "sses", "xes")):
        found.add(form[:-2])
    return frozenset(found)


def stems(text: str) -> list[str]:
    """Stems of the content words of `text`, in order, with repeats."""
    return [stem(token.form) for token in tokens(text) if token.form not in STOP_WORDS]


def is_kind_word(form: str) -> bool:
    """Whether a word, in the singular or the plural, is an everyday one for a kind of things."""
    return any(singulars(form) & group for group in SAME_KIND)


def is_narrow(form: str) -> bool:
    """Whether an everyday word for a kind, in the singular or the plural, says more than the kind."""
    return not singulars(form).isdisjoint(_NARROW)


def like_kind(kind: str) -> set[str]:
    """The stems of everyday words for what a kind is called, its own among them; empty where there are none."""
    return set(map(stem, kind_words(kind)))


def kind_words(kind: str) -> frozenset[str]:
    """Everyday words for what a kind is called, its own among them; empty where there are none."""
    return frozenset(word for group in SAME_KIND if kind.lower() in group for word in group)


def blanked(text: str, start: int, end: int) -> str:
    """The text with blanks from `start` to `end`, every other character in its place."""
    return text[:start] + " " * (end - start) + text[end:]


def normalise(text: str) -> str:
    """The look-up form of a name: its `tokens`, folded and lower-case, joined by one blank."""
    return " ".join(token.form for token in tokens(text))


def name_key(text: str) -> str:
    """The look-up form of a name: `normalise`, or the name itself where it has no letter and no digit."""
    return normalise(text) or text.strip().casefold()


def node_key(name: str) -> str:
    """The identity of a node in a text corpus: `normalise`, less a leading "the" and a trailing "'s"."""
    return bare_key(normalise(name))


def bare_key(key: str) -> str:
    """`key` (already normalised) less a leading "the " and a trailing " s"."""
    return key.removeprefix("the ").removesuffix(" s")


def is_name(key: str) -> bool:
    """Whether a normalised key can name a node: longer than one letter and not a stop word."""
    return (len(key) > 1 or not key.isascii()) and bool(key) and key not in STOP_WORDS


class NameIndex:
    """Longest match of known names over the words of a text."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._lengths: dict[str, list[int]] = {}
        self._keys = set(keys)
        for key in self._keys:
            first, *rest = key.split(" ")
            self._lengths.setdefault(first, []).append(len(rest) + 1)
        for first, lengths in self._lengths.items():
            self._lengths[first] = sorted(set(lengths), reverse=True)

    def scan(self, tokens: Sequence[Token], *, strong: bool) -> list[tuple[int, int, str]]:
        """Matches as (first token, end token, key), left to right, not overlapping.

        `strong` asks that every content word opens with a capital or a digit, and refuses a bare number.
        """
        found: list[tuple[int, int, str]] = []
        position = 0
        while position < len(tokens):
            match = self._longest(tokens, position, strong)
            if match:
                found.append(match)
                position = match[1]
            else:
                position += 1
        return found

    def _longest(self, tokens: Sequence[Token], start: int, strong: bool) -> tuple[int, int, str] | None:
        for length in self._lengths.get(tokens[start].form, ()):
            run = tokens[start : start + length]
            if len(run) < length:
                continue
            key = " ".join(token.form for token in run)
            if key in self._keys and _plausible(run, strong):
                return start, start + length, key
        return None


def _plausible(run: Sequence[Token], strong: bool) -> bool:
    content = [token for token in run if token.form not in STOP_WORDS]
    if not content or (len(run) == 1 and run[0].form.isdigit()):
        return False
    return not strong or all(token.strong for token in content if token.form not in PARTICLES)


def alike(one: str, other: str) -> bool:
    """Whether two stems are equal, or one begins the other and both have ALIKE letters or more: director ~ direct."""
    return one == other or (min(len(one), len(other)) >= ALIKE and (one.startswith(other) or other.startswith(one)))


def storable(text: str) -> str:
    """`text` as a database and an embedder can take it: NUL a blank, a lone surrogate a question mark."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


TOKEN_BYTES = 3
"""Bytes of UTF-8 to a token, in names, numbers and short labels: what a byte-pair tokenizer of 49,152 entries needs."""


def token_count(text: str) -> int:
    """About how many tokens a chat model reads in `text`: its bytes of UTF-8 by `TOKEN_BYTES`, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // TOKEN_BYTES)


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 byte, 2 bytes."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def sentences(text: str) -> list[tuple[int, int]]:
    """Character spans of the sentences of `text`, blanks trimmed; fragments under 15 characters join the one before."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if match.start() < start or not _ends_sentence(text, start, match):
            continue
        _append_span(spans, text, start, match.end())
        start = match.end()
    _append_span(spans, text, start, len(text))
    return spans or ([_trim(text, 0, len(text))] if text.strip() else [])


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    mark, end = match.group(), match.end()
    rest = text[end : end + 60]
    if mark[0] in "\n。！？" or not rest:
        return True
    if rest[0].isspace():
        following = rest.lstrip()
        if not following:
            return True
        head = following[1:] if following[0] in "\"'“([" else following
        if not (head[:1].isupper() or head[:1].isdigit()):
            return False
    elif not _glued_start(rest):
        return False
    word = _LAST_WORD.search(text, max(start, match.start() - 32), match.start())
    last = word.group().lower() if word else ""
    return not (last in ABBREVIATIONS or _INITIALS.fullmatch(last))


def _glued_start(rest: str) -> bool:
    head = rest[1:] if rest[0] in '"“' else rest
    return head[:1].isupper() and head[1:2].islower()


def _append_span(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    first, last = _trim(text, start, end)
    if first >= last:
        return
    least = 5 if _UNSPACED_START.match(text[first]) else 15
    if spans and last - first < least and "\n\n" not in text[spans[-1][1] : first]:
        spans[-1] = (spans[-1][0], last)
    else:
        spans.append((first, last))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
