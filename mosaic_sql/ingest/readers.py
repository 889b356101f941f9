"""Inputs of every kind into documents: files, folders, patterns, stdin, data frames, mappings, texts.

A document's text is what was decoded, with LF line ends and without NUL characters and lone surrogates; every offset
into a document counts characters of that text.
"""

from __future__ import annotations

import glob
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import IO, Any

import pyarrow as pa

from mosaic_sql.errors import PolicyError
from mosaic_sql.ingest.decoding import SNIFFED, Decoder, binary_kind, clean, decoded_lines, one_line
from mosaic_sql.ingest.structure import front_matter
from mosaic_sql.ingest.tabular import (
    FIELDS,
    Row,
    Table,
    content_name,
    csv_rows,
    frame_rows,
    json_line_rows,
    json_rows,
    parquet_rows,
)
from mosaic_sql.records import Skipped, SourceDocument

MARKUP = {".txt": "text", ".text": "text", ".log": "text", ".rst": "text", ".md": "markdown", ".markdown": "markdown"}
_JSON_LINES = (".jsonl", ".ndjson")
_ROW_SUFFIXES = (*_JSON_LINES, ".json")
SUFFIXES = (*MARKUP, *_ROW_SUFFIXES, ".csv", ".tsv", ".parquet")

_SENTENCE_END = (".", "!", "?", "…", "。", "！", "？", '."', ".”")
_NEITHER = "neither a file nor a folder"
_NOWHERE = "a link that leads nowhere"
_LONG = 200  # a string longer than this is a text, not a path
_QUESTIONS = re.compile(r"questions?\b", re.IGNORECASE)

Item = SourceDocument | Skipped


def read(
    inputs: Sequence[object], *, columns: Mapping[str, str] | None = None, stdin: IO[bytes] | None = None
) -> Iterator[Item]:
    """Yield each document of `inputs` in order, and one `Skipped` line for whatever is not taken.

    An input is a file, a folder (read in order of path, hidden files left out), a pattern such as "notes/*.md", "-"
    for `stdin`, a data frame, a mapping with a text, a list of those, a `SourceDocument`, or a string that is
    plainly a text. `columns` names the columns of tables, {"text": "body", "title": ..., "id": ..., "vector": ...};
    what it leaves out is looked for under the usual names, and all other columns become properties.

    A file's source is its path within the folder given, else its name; where two would be the same, both take their
    parent folders in. A row's source is "file#id", or "file#row".

    Raises PolicyError for a key of `columns` other than id, title, text and vector.
    """
    chosen = {which: column for which, column in (columns or {}).items() if column}
    if unknown := sorted(set(chosen) - set(FIELDS)):
        raise PolicyError(f"columns: no field {unknown[0]!r}; there are {', '.join(FIELDS)}")
    single = isinstance(inputs, (str, os.PathLike, Mapping, SourceDocument)) or _is_frame(inputs)
    return _Reading([inputs] if single else list(inputs), chosen, stdin).items()


def text_document(text: str, *, title: str = "", source: str = "") -> SourceDocument:
    """A document of a text at hand; without a `source` it is named by its content, "text:" and 12 hex digits."""
    kept, notes = clean(text)
    return SourceDocument(source or f"text:{content_name(kept)}", kept, title.strip(), notes=notes)


# --- what to read -----------------------------------------------------------------------------------------------------


@dataclass
class _File:
    """A file to read; its source is the last `depth` parts of its path."""

    path: str
    depth: int = 1
    named: bool = True

    @property
    def parts(self) -> list[str]:
        path = one_line(os.fsencode(os.path.abspath(self.path)).decode("utf-8", "replace"))
        return [part for part in path.replace(os.sep, "/").split("/") if part]

    @property
    def source(self) -> str:
        return "/".join(self.parts[-self.depth :])

    @property
    def suffix(self) -> str:
        return os.path.splitext(self.path)[1].lower()


class _Stdin:
    """The place of "-" among the inputs."""


@dataclass
class _Rows:
    """Rows handed over in Python."""

    rows: Callable[[], Iterator[Row]]


Planned = _File | _Stdin | _Rows | SourceDocument | Skipped


def _is_frame(item: object) -> bool:
    frame = type(item).__module__.partition(".")[0] in ("pandas", "polars") and hasattr(item, "columns")
    return hasattr(item, "__arrow_c_stream__") or frame


def _planned(item: object) -> Iterator[Planned]:
    if isinstance(item, (SourceDocument, Skipped)):
        yield item
    elif isinstance(item, str) and item == "-":
        yield _Stdin()
    elif isinstance(item, (str, os.PathLike)):
        yield from _located(os.fspath(item), is_text=isinstance(item, str) and _looks_like_text(item))
    elif isinstance(item, Mapping):
        yield _Rows(partial(_mapping_rows, [item]))
    elif _is_frame(item):
        yield _Rows(partial(frame_rows, item))
    elif isinstance(item, (list, tuple)) and item and all(isinstance(row, Mapping) for row in item):
        yield _Rows(partial(_mapping_rows, item))
    elif isinstance(item, (list, tuple)):
        for inner in item:
            yield from _planned(inner)
    else:
        yield Skipped(type(item).__name__, f"cannot read a {type(item).__name__}; give a path, a table or a mapping")


def _mapping_rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    return (Row(number, row) for number, row in enumerate(rows, start=1))


def _looks_like_text(item: str) -> bool:
    spaced = len(item.split()) > 1
    return spaced and ("\n" in item.strip() or len(item) > _LONG or item.rstrip().endswith(_SENTENCE_END))


def _located(path: str, *, is_text: bool) -> Iterator[Planned]:
    if os.path.isdir(path):
        yield from _folder(path)
    elif os.path.isfile(path):
        yield _File(path)
    elif os.path.lexists(path):
        yield Skipped(one_line(path), _NEITHER if os.path.exists(path) else _NOWHERE)
    elif found := _matches(path):
        for match in found:
            yield from _located(match, is_text=False)
    elif is_text:
        yield text_document(path)
    else:
        shown = clean(" ".join(path.split()))[0]
        shown = shown if len(shown) <= _LONG else f"{shown[:_LONG]}..."
        yield Skipped(shown or "''", f"no such file or folder, and no match: {shown!r}")


def _matches(pattern: str) -> list[str]:
    if not glob.has_magic(pattern) or "\n" in pattern or "\0" in pattern:
        return []
    try:
        return sorted(glob.glob(pattern, recursive=True), key=_posix)
    except (OSError, re.error):
        return []


def _posix(path: str) -> str:
    return path.replace(os.sep, "/")


def _folder(path: str) -> Iterator[Planned]:
    faults: list[OSError] = []
    found: list[str] = []
    for folder, inner, names in os.walk(path, onerror=faults.append):
        inner[:] = [name for name in inner if not name.startswith(".")]
        linked = [name for name in inner if os.path.islink(os.path.join(folder, name))]  # which the walk leaves out
        found += [os.path.join(folder, name) for name in (*names, *linked) if not name.startswith(".")]
    above = len(_File(path).parts)
    for place in sorted(found, key=_posix):
        file = _File(place, named=False)
        file.depth = len(file.parts) - above
        yield _in_folder(file)
    for fault in faults:
        yield Skipped(one_line(str(fault.filename or path)), f"cannot be read: {fault.strerror}")
    if not found and not faults:
        yield Skipped(one_line(path), "no files in this folder", failed=False)


def _in_folder(file: _File) -> Planned:
    try:
        kind = stat.S_IFMT(os.stat(file.path).st_mode)
    except OSError as error:
        told = _NOWHERE if os.path.islink(file.path) else f"cannot be read: {error.strerror}"
        return Skipped(file.source, told)
    if kind == stat.S_IFDIR:
        why = "a link to a folder, which is not followed; name it to add what it holds"
        return Skipped(file.source, why, failed=False)
    return file if kind == stat.S_IFREG else Skipped(file.source, _NEITHER)


def _named_apart(files: Sequence[_File]) -> None:
    """Lengthen the sources that two files share until they differ."""
    while True:
        counts = Counter(file.source for file in files)
        shared = [file for file in files if counts[file.source] > 1 and file.depth < len(file.parts)]
        if not shared:
            return
        for file in shared:
            file.depth += 1


# --- reading ----------------------------------------------------------------------------------------------------------


class _Reading:
    def __init__(self, inputs: Sequence[object], columns: Mapping[str, str], stdin: IO[bytes] | None) -> None:
        self._inputs = inputs
        self._columns = columns
        self._stdin = stdin
        self._handed = Table("", columns)

    def items(self) -> Iterator[Item]:
        for planned in self._plan():
            if isinstance(planned, (SourceDocument, Skipped)):
                blank = isinstance(planned, SourceDocument) and not planned.text.strip()
                yield Skipped(planned.source, "empty", failed=False) if blank else planned
            elif isinstance(planned, _Stdin):
                yield from self._standard()
            elif isinstance(planned, _Rows):
                yield from _guarded("table", self._handed.documents(planned.rows()))
            else:
                yield from _guarded(planned.source, self._file(planned))

    def _plan(self) -> list[Planned]:
        seen: set[str] = set()
        plan: list[Planned] = []
        for planned in chain.from_iterable(map(_planned, self._inputs)):
            real = os.path.realpath(planned.path) if isinstance(planned, _File) else ""
            if not real or real not in seen:
                plan.append(planned)
            seen.add(real)
        _named_apart([planned for planned in plan if isinstance(planned, _File)])
        return plan

    def _file(self, file: _File) -> Iterator[Item]:
        suffix = file.suffix
        if suffix not in SUFFIXES and not (file.named and not suffix):
            yield Skipped(file.source, f"unknown kind of file: {suffix or 'no suffix'}", failed=False)
        elif suffix in _ROW_SUFFIXES and _QUESTIONS.match(file.parts[-1]) and "text" not in self._columns:
            yield Skipped(file.source, "question file", failed=False)
        elif suffix == ".parquet":
            yield from Table(file.source, self._columns).documents(parquet_rows(file.path))
        else:
            with open(file.path, "rb") as stream:
                if kind := binary_kind(stream.peek(SNIFFED)[:SNIFFED]):
                    yield Skipped(file.source, f"not a text: {kind}; convert it to text first")
                elif suffix in MARKUP or not suffix:
                    yield _whole_text(file.source, stream.read(), MARKUP.get(suffix, "text"))
                else:
                    yield from self._rows(file, stream)

    def _rows(self, file: _File, stream: IO[bytes]) -> Iterator[Item]:
        if file.suffix == ".json":
            rows = json_rows(*Decoder()(stream.read()))
        elif file.suffix in _JSON_LINES:
            rows = json_line_rows(decoded_lines(stream))
        else:
            rows = csv_rows(decoded_lines(stream), "\t" if file.suffix == ".tsv" else "")
        asks = file.suffix == ".json" or file.suffix in _JSON_LINES
        return Table(file.source, self._columns, may_ask=asks).documents(rows)

    def _standard(self) -> Iterator[Item]:
        stream = self._stdin or sys.stdin.buffer
        begun = list(_to_first_text(stream))
        table = Table("stdin", self._columns, by_content=True)
        if begun and _is_object(begun[-1]):
            return table.documents(json_line_rows(decoded_lines(chain(begun, stream))))
        text, notes = Decoder()(b"".join(begun) + stream.read())
        opening = text.lstrip()[:1]
        if opening == "{" or (opening == "[" and all(row.fields is not None for row in json_rows(text, ()))):
            return table.documents(json_rows(text, notes))
        blank = not text.strip()
        return iter([Skipped("stdin", "empty", failed=False) if blank else SourceDocument("stdin", text, notes=notes)])


def _to_first_text(stream: Iterable[bytes]) -> Iterator[bytes]:
    for line in stream:
        yield line
        if line.strip():
            return


def _is_object(line: bytes) -> bool:
    text = Decoder()(line)[0]
    return text.lstrip().startswith("{") and all(row.fields is not None for row in json_rows(text, ()))


def _guarded(source: str, items: Iterator[Item]) -> Iterator[Item]:
    """`items`, and one Skipped in place of what could not be read to its end."""
    try:
        yield from items
    except OSError as error:
        yield Skipped(source, f"cannot be read: {error.strerror or error}")
    except pa.ArrowException as error:
        yield Skipped(source, f"not a table that can be read: {str(error).splitlines()[0][:_LONG]}")


def _whole_text(source: str, data: bytes, markup: str) -> Item:
    text, notes = Decoder()(data)
    end, title = front_matter(text, markup)
    if not text[end:].strip():
        return Skipped(source, "empty", failed=False)
    return SourceDocument(source, text, title, markup, notes=notes)
