"""The structure of a text: front matter, headings, paragraphs, sections, its title, and what it defines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mosaic_sql import text as words
from mosaic_sql.records import SourceDocument

Span = tuple[int, int]

ATX = re.compile(r"(?=.{1,400}$) {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(={3,}|-{3,}|~{3,})[ \t]*$")

_WINDOW = 1 << 13  # characters searched for sentences in one call
_LONG_LINE = 200  # a line longer than this is not hard-wrapped: its break ends a paragraph
_FLAT = 1500  # a paragraph longer than this has lost its line breaks: any of its sentences may define
_UNDERLINE_LEVEL = {"=": 1, "-": 2, "~": 3}

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NUMBERED = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?[ \t]+(?=[^\W\d_])")
_LIST_MARK = re.compile(r"(?:[-*+•>]|\d{1,3}[.)])\s+")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_MARKS = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")
_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:[^\n]*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FRONT_KEY = re.compile(r"[\w-]+:(?:[ \t]|$)")
_FRONT_TITLE = re.compile(r"^title:[ \t]+(.+?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_FILE_STEM = re.compile(r"(?:.*/)?([^/#]+)\.(?:txt|text|log|rst|md|markdown)", re.IGNORECASE)
_GENERIC_STEMS = frozenset("corpus data dataset doc docs document documents text texts file input index readme".split())
_GENERIC_HEADINGS = frozenset(
    "introduction|overview|summary|abstract|conclusion|conclusions|references|bibliography|contents|table of contents|"
    "notes|appendix|background|discussion|results|methods|example|examples|usage|see also|further reading|"
    "external links|key points|key takeaways|about".split("|")
)

_WHAT_IS = re.compile(r"(?:what (?:is|are)|about) (?:an? )?(.+?)\??$", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:The|A|An) ")
_TERM = re.compile(r"(?:the )?(?:term|word|name) [\"“']?", re.IGNORECASE)
_NAME = r"(?P<name>[^\W_][\w'’./&+-]*(?: [\w'’./&+-]+){0,6}?)[\"”']?"
_ASIDE = r"(?: \((?P<aside>[^()]{1,120})\))?(?:, [^,.;!?]{1,80},)?"
_NOUN = r"(?!\w+(?:ed|ing|ly|able)\b|(?:not|at|in|on|to|more|less|often|made|done|seen|found|known|so|too|due|no)\b)\w"
_DEFINES = (
    r" (?:(?:is|was) (?:(?:also|usually|often|generally) )?(?:an?|the|any|one of|when)\b"
    rf"|are (?:also )?{_NOUN}|were (?:an?|the)\b"
    rf"|is {_NOUN}[\w-]*(?: [\w-]+){{0,2}} (?:that|which|where|in which)\b"
    r"|(?:is|are) (?:defined as|called|(?:also )?known as)\b|refers? to\b|means\b)"
)
_DEFINITION = re.compile(_NAME + _ASIDE + _DEFINES)
_ABBREVIATED = re.compile(_NAME + r" \((?P<aside>[A-Z][\w-]{1,9})\) (?:is|are|was|were)\b")
_GLOSSARY = re.compile(r"(?P<name>[^\W_][\w'’/-]*(?: [\w'’/-]+){0,3}) [–—] (?=(?:an?|the)\b|[A-Z])")
_ACRONYM = re.compile(r"(?=.*[A-Z].*[A-Z])[A-Z][\w-]{1,9}")
_NO_SUBJECT = (words.STOP_WORDS - words.PARTICLES) | frozenset(
    "here each another other others every neither either many few several much none nothing everything something "
    "anything someone everyone people however although while since because though until unless during after before "
    "under over through without within among despite like unlike per via upon today now often usually sometimes "
    "yes note also only just even still thus hence therefore finally first second third last next result reason "
    "goal aim purpose idea answer rest following former latter main point difference problem question "
    "can could may might must shall should will would cannot".split()
)
_NO_FIRST = words.PARTICLES - {"the", "van", "von", "de", "al", "el", "la", "le", "di", "da", "del", "bin", "ibn"}


@dataclass(frozen=True)
class Block:
    """A run of lines: `kind` is heading, prose, or lines (a fence or table, which breaks only between lines)."""

    start: int
    end: int
    kind: str
    level: int = 0
    name: str = ""


@dataclass
class Section:
    """Headings with what follows them up to the next heading; `path` is the headings above, its own last."""

    path: tuple[str, ...]
    blocks: list[Block] = field(default_factory=list)


class Definition(NamedTuple):
    """Names that a chunk holding `position` is about."""

    position: int
    names: tuple[str, ...]


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without blanks at its ends (empty, at `end` or before, when there is nothing else)."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def front_matter(text: str, markup: str) -> tuple[int, str]:
    """Where the front matter of a Markdown text ends, and the title it gives; (0, "") without any."""
    match = _FRONT_MATTER.match(text) if markup == "markdown" else None
    if match is None:
        return 0, ""
    lines = [line for line in match.group(1).split("\n") if line.strip() and line[0] not in " \t-#"]
    if not lines or not all(_FRONT_KEY.match(line) for line in lines):
        return 0, ""
    title = _FRONT_TITLE.search(match.group(1))
    return match.end(), title.group(1).strip("\"'").strip() if title else ""


def plain(line: str) -> str:
    """A line without Markdown marks: links become their text, emphasis and code marks go."""
    return _MARKS.sub("", _LINK.sub(r"\1", line)).strip()


# --- blocks -----------------------------------------------------------------------------------------------------------


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield start, stop
        start = stop + 1


def line_spans(text: str, start: int, end: int) -> list[Span]:
    """Spans of the non-blank lines of `text[start:end]`."""
    spans = (trimmed(text, *line) for line in _lines(text, start, end))
    return [span for span in spans if span[0] < span[1]]


def sentence_spans(text: str, start: int, end: int) -> list[Span]:
    """Spans of the sentences of `text[start:end]`, offsets in `text`, in time linear in its length."""
    spans: list[Span] = []
    while start < end:
        stop = min(end, start + _WINDOW)
        found = [(start + first, start + last) for first, last in words.sentences(text[start:stop])]
        if stop < end and len(found) > 1:
            stop = found.pop()[0]
        spans += found
        start = stop
    return spans


def blocks_of(text: str, body: Span, markup: str) -> list[Block]:
    """Headings, paragraphs, fences and tables of `text[body]` in order; together all its non-blank characters."""
    scanner = _Scanner(text, [*_lines(text, *body)], markup == "markdown")
    return list(scanner.blocks())


class _Scanner:
    def __init__(self, text: str, lines: list[Span], markdown: bool) -> None:
        self._text = text
        self._lines = lines
        self._markdown = markdown

    def blocks(self) -> Iterator[Block]:
        at = 0
        while at < len(self._lines):
            if not self._line(at).strip():
                at += 1
                continue
            count, block = self._fence(at) or self._heading(at) or self._paragraph(at)
            yield block
            at += count

    def _line(self, at: int) -> str:
        return self._text[slice(*self._lines[at])] if 0 <= at < len(self._lines) else ""

    def _block(self, at: int, count: int, kind: str, level: int = 0, name: str = "") -> tuple[int, Block]:
        start, end = trimmed(self._text, self._lines[at][0], self._lines[at + count - 1][1])
        return count, Block(start, end, kind, level, name)

    def _fence(self, at: int) -> tuple[int, Block] | None:
        opening = _FENCE.match(self._line(at))
        if opening is None:
            return None
        for after in range(at + 1, len(self._lines)):
            if self._line(after).strip().startswith(opening.group(1)):
                return self._block(at, after + 1 - at, "lines")
        return None

    def _heading(self, at: int) -> tuple[int, Block] | None:
        line = self._line(at)
        alone = not self._line(at - 1).strip()
        atx = ATX.match(line) if self._markdown or alone else None
        if atx and plain(atx.group(2)):
            return self._block(at, 1, "heading", len(atx.group(1)), plain(atx.group(2)))
        underline = UNDERLINE.match(self._line(at + 1))
        if underline and alone and len(line) <= 120 and plain(line) and not line.lstrip().startswith("|"):
            return self._block(at, 2, "heading", _UNDERLINE_LEVEL[underline.group(1)[0]], plain(line))
        if not self._markdown and alone and not self._line(at + 1).strip():
            level = _plain_level(line.strip(), self._following(at))
            return self._block(at, 1, "heading", level, line.strip()) if level else None
        return None

    def _following(self, at: int) -> int:
        """Length of the paragraph after the blank lines below line `at`."""
        at += 1
        while at < len(self._lines) and not self._line(at).strip():
            at += 1
        length = 0
        while at < len(self._lines) and self._line(at).strip() and length < _LONG_LINE:
            length += len(self._line(at))
            at += 1
        return length

    def _paragraph(self, at: int) -> tuple[int, Block]:
        table = self._line(at).lstrip().startswith("|")
        after = at + 1
        while after < len(self._lines) and not self._breaks(after, table):
            after += 1
        return self._block(at, after - at, "lines" if table else "prose")

    def _breaks(self, at: int, table: bool) -> bool:
        line, (start, end) = self._line(at), self._lines[at - 1]
        if not line.strip() or end - start > _LONG_LINE or line.lstrip().startswith("|") != table:
            return True
        return self._fence(at) is not None or (self._markdown and ATX.match(line) is not None)


def _plain_level(line: str, following: int) -> int:
    """The level of a line that looks like a heading in a text without markup, else 0."""
    if not 2 <= len(line) <= 80 or line[-1] in ".!?,;:…。" or _LIST_MARK.match(line) or not following:
        return 0
    numbered = _NUMBERED.match(line)
    if numbered:
        return 2 + numbered.group(1).count(".")
    names = [word for word in line.split() if word.lower() not in words.PARTICLES]
    if not line[0].isupper() or not names:
        return 0
    if line.isupper() or all(not word[0].islower() for word in names):
        return 2
    return 2 if len(names) <= 6 and following >= 120 else 0


def sections(blocks: list[Block], title: str) -> list[Section]:
    """Blocks grouped under their headings; a heading with nothing below it joins the next section."""
    found: list[Section] = []
    stack: list[tuple[int, str]] = []
    waiting = False
    for block in blocks:
        if block.kind == "heading":
            stack = [above for above in stack if above[0] < block.level]
            if words.normalise(block.name) != words.normalise(title):
                stack.append((block.level, block.name))
            path = tuple(name for _, name in stack)
            if waiting:
                found[-1].path = path
            else:
                found.append(Section(path))
        elif not found:
            found.append(Section(()))
        found[-1].blocks.append(block)
        waiting = block.kind == "heading"
    return found


# --- names ------------------------------------------------------------------------------------------------------------


def document_title(document: SourceDocument, blocks: list[Block]) -> str:
    """The title given, else the top heading, else what the first sentence defines, else the file's name in words."""
    given = document.title.strip() or front_matter(document.text, document.markup)[1]
    if given:
        return given
    for number, block in enumerate(blocks):
        if block.kind == "heading" and (block.level == 1 or number == 0):
            return block.name
    if blocks:
        names = defined_names(document.text[blocks[0].start : blocks[0].end])
        if names:
            return names[0]
    return _readable_stem(document.source)


def _readable_stem(source: str) -> str:
    match = _FILE_STEM.fullmatch(source)
    stem = re.sub(r"[-_\s]+", " ", match.group(1)).strip() if match else ""
    generic = stem.lower().rstrip("0123456789 ") in _GENERIC_STEMS or not any(map(str.isalpha, stem))
    return "" if generic else stem


def definitions(text: str, blocks: list[Block]) -> list[Definition]:
    """What each heading names and each paragraph's first sentence defines, in order of position.

    Of a paragraph too long to be one (a text that lost its line breaks) every sentence may define.
    """
    found = []
    for block in blocks:
        if block.kind == "heading":
            found.append(Definition(block.start, _heading_names(block.name)))
        elif block.kind == "prose" and block.end - block.start > _FLAT:
            spans = sentence_spans(text, block.start, block.end)
            found += [Definition(start, defined_names(text[start:end], flat=True)) for start, end in spans]
        elif block.kind == "prose":
            found.append(Definition(block.start, defined_names(text[block.start : block.end])))
    return [definition for definition in found if definition.names]


def _heading_names(heading: str) -> tuple[str, ...]:
    name = _after(_NUMBERED, heading)
    asked = _WHAT_IS.match(name)
    name = asked.group(1) if asked else name
    return () if words.normalise(name) in _GENERIC_HEADINGS or not words.normalise(name) else (name,)


def _after(mark: re.Pattern[str], line: str) -> str:
    match = mark.match(line)
    return line[match.end() :] if match else line


def defined_names(sentence: str, *, flat: bool = False) -> tuple[str, ...]:
    """The subject of a sentence that defines it, and its abbreviation: "Gadolinite (GAD) is a ..." gives both.

    `flat`: a heading may stand before the sentence without a break, as in "Skin lesions Basal cell cancer is a ...".
    """
    start = _after(_TERM, _after(_LIST_MARK, plain(" ".join(sentence[:400].split()))))
    article = _ARTICLE.match(start)
    start = start[article.end() :] if article else start
    match = _DEFINITION.match(start) or _ABBREVIATED.match(start) or (_GLOSSARY.match(start) if flat else None)
    if match is None:
        return ()
    name = match["name"]
    if flat and (own := _unglued(name)) != name:
        article = _ARTICLE.match(own)
        name = own[article.end() :] if article else own
    if not _is_subject(name, article is not None):
        return ()
    aside = match.groupdict().get("aside") or ""
    name = f"The {name}" if article and article.group() == "The " and name[0].isupper() else name
    return (name, aside) if _ACRONYM.fullmatch(aside) else (name,)


def _unglued(name: str) -> str:
    """A name without the heading glued before it: said twice, or ended by a lower-case word before a capital."""
    parts = name.split()
    for half in range(len(parts) // 2, 0, -1):
        if words.normalise(" ".join(parts[:half])) == words.normalise(" ".join(parts[half : 2 * half])):
            parts, name = parts[half:], " ".join(parts[half:])
            break
    for at in range(len(parts) - 1, 0, -1):
        before = parts[at - 1]
        if parts[at][0].isupper() and before[0].islower() and before not in words.PARTICLES:
            return " ".join(parts[at:])
    return name


def _is_subject(name: str, article: bool) -> bool:
    parts = name.lower().split()
    if not (article or name[0].isupper()) or len(parts) > 6 or any(part in _NO_SUBJECT for part in parts):
        return False
    return parts[0] not in _NO_FIRST and parts[-1] not in words.PARTICLES and words.is_name(words.normalise(name))
