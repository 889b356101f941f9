"""Tables of documents: JSON lines, CSV, Parquet, data frames and mappings, one document a row."""

from __future__ import annotations

import csv
import hashlib
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, time
from itertools import chain, islice
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from mosaic_sql.ingest.decoding import Line, clean
from mosaic_sql.records import Skipped, SourceDocument
from mosaic_sql.text import counted

FIELDS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "doc_id", "_id"),
    "title": ("title", "name", "headline"),
    "text": ("text", "content", "body", "passage", "document"),
    "vector": ("vector", "embedding"),
}

_HEAD = 20  # rows looked at before a table is judged
_LISTED = 20  # columns named in a message
_BATCH = 1024  # rows of a column table turned into Python values at once
_INDEX_COLUMN = re.compile(r"__index_level_\d+__")
_NO_VECTOR = "the vector is not a list of finite numbers"


class Row(NamedTuple):
    """One row: its number, its fields or what is wrong with it, and notes on how it was read."""

    number: int
    fields: Mapping[str, Any] | None
    fault: str = ""
    notes: tuple[str, ...] = ()


def content_name(text: str) -> str:
    """The first 12 hex digits of the SHA-256 of a text: its name where it has no other."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


@dataclass
class Table:
    """Turns the rows of one table into documents.

    `name` prefixes their sources, "name#id", else "name#row"; without a name the source is the id, else "text:hash".
    `columns` maps a field (id, title, text, vector) to the column that holds it. With `by_content` a row without an
    id is named by its content, since its number means nothing the next time. `may_ask`: a table with a `question`
    and no text is taken for a question file.
    """

    name: str
    columns: Mapping[str, str] = field(default_factory=dict)
    by_content: bool = False
    may_ask: bool = False
    _dimension: int | None = None
    _seen: set[int] = field(default_factory=set)

    def documents(self, rows: Iterable[Row]) -> Iterator[SourceDocument | Skipped]:
        """A document or a Skipped for each row, in order; one Skipped for all when no row has a text column."""
        rows = iter(rows)
        head = list(islice(rows, _HEAD))
        found = [row.fields for row in head if row.fields is not None]
        if not head:
            yield Skipped(self.name or "table", "empty", failed=False)
        elif found and not any(self._column(fields, "text") for fields in found):
            yield self._textless(found)
        else:
            yield from map(self._document, chain(head, rows))

    def _column(self, fields: Mapping[str, Any], which: str) -> str | None:
        if which in self.columns:
            return self.columns[which] if self.columns[which] in fields else None
        folded = {str(column).strip().casefold(): column for column in reversed(list(fields))}
        return next((folded[alias] for alias in FIELDS[which] if alias in folded), None)

    def _textless(self, found: list[Mapping[str, Any]]) -> Skipped:
        columns = list(dict.fromkeys(str(column) for fields in found for column in fields))
        if self.may_ask and "question" in columns and "text" not in self.columns:
            return Skipped(self.name, "question file", failed=False)
        wanted = f'no column "{self.columns["text"]}"' if "text" in self.columns else "no text column"
        listed = ", ".join(columns[:_LISTED]) + (", ..." if len(columns) > _LISTED else "")
        reason = f"{wanted} among: {listed or 'none'}; name the one to read with --text-column NAME"
        return Skipped(self.name or "table", " ".join(reason.split()))

    def _document(self, row: Row) -> SourceDocument | Skipped:
        if row.fields is None:
            return Skipped(f"{self.name or 'table'}#line {row.number}", row.fault)
        used = {which: column for which in FIELDS if (column := self._column(row.fields, which))}
        if "vector" not in self.columns and not _vector_like(row.fields.get(used.get("vector", ""))):
            used.pop("vector", None)
        value = {which: row.fields[column] for which, column in used.items()}
        text, mended = clean(_written(value.get("text")))
        source = self._source(row.number, _written(value.get("id")), text)
        if not text.strip():
            return Skipped(source, "empty", failed=False)
        vector = as_vector(value.get("vector"))
        if fault := self._vector_fault(value.get("vector"), vector):
            return Skipped(source, fault)
        rest = {str(name): field for name, field in row.fields.items() if name not in used.values()}
        notes = tuple(dict.fromkeys(row.notes + mended))
        title = " ".join(clean(_written(value.get("title")))[0].split())
        return SourceDocument(source, text, title, "text", json_able(rest), vector, notes)

    def _source(self, number: int, given: str, text: str) -> str:
        given = " ".join(clean(given)[0].split())
        if not given and self.name:
            given = content_name(text) if self.by_content else str(number)
        source = f"{self.name}#{given}" if self.name else given or f"text:{content_name(text)}"
        if hash(source) in self._seen:
            source = f"{source} (row {number})"
        self._seen.add(hash(source))
        return source

    def _vector_fault(self, given: object, vector: tuple[float, ...] | None) -> str:
        if given is None or given == "":
            return ""
        if vector is None:
            return _NO_VECTOR
        if self._dimension is None:
            self._dimension = len(vector)
        short = len(vector) != self._dimension
        return f"the vector has {counted(len(vector), 'number')}, not {self._dimension} as before" if short else ""


# --- values -----------------------------------------------------------------------------------------------------------


def _written(value: object) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, (list, tuple)):
        return "\n".join(map(_written, value))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _vector_like(value: object) -> bool:
    return (hasattr(value, "__len__") and not isinstance(value, (str, bytes, Mapping))) or str(value).startswith("[")


def as_vector(value: object) -> tuple[float, ...] | None:
    """A list of finite numbers, or one written as JSON, as a tuple; None for anything else."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)) or not value:
        return None
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in value):
        return None
    try:
        vector = tuple(map(float, value))
    except OverflowError:
        return None
    return vector if all(map(math.isfinite, vector)) else None


def json_able(value: Any) -> Any:
    """`value` as JSON can hold it: no missing fields, dates in ISO form, other objects written out."""
    if isinstance(value, Mapping):
        able = {clean(str(key))[0]: json_able(item) for key, item in value.items()}
        return {key: item for key, item in able.items() if item is not None}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [json_able(item) for item in (sorted(value, key=str) if isinstance(value, (set, frozenset)) else value)]
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (date, time)):
        return value.isoformat()
    return json_able(value.tolist()) if hasattr(value, "tolist") else clean(str(value))[0]


# --- rows -------------------------------------------------------------------------------------------------------------


def json_line_rows(lines: Iterable[Line]) -> Iterator[Row]:
    """A row for each non-blank line, which should hold one JSON object."""
    for number, (line, notes) in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line.rstrip())
        except (ValueError, RecursionError) as error:
            yield Row(number, None, f"not a JSON object: {_json_fault(error)}")
            continue
        yield _object_row(number, value, notes)


def json_rows(text: str, notes: tuple[str, ...]) -> Iterator[Row]:
    """Rows of a whole JSON text: an array of objects, one object, or JSON lines after all; none of a blank text."""
    if not text.strip():
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip().startswith("{"):
            yield from json_line_rows((line, notes) for line in text.split("\n"))
        else:
            yield Row(getattr(error, "lineno", 1), None, f"not JSON: {_json_fault(error)}")
        return
    for number, item in enumerate(value if isinstance(value, list) else [value], start=1):
        yield _object_row(number, item, notes)


def _object_row(number: int, value: object, notes: tuple[str, ...] = ()) -> Row:
    if isinstance(value, Mapping):
        return Row(number, value, notes=notes)
    return Row(number, None, f"not a JSON object but {type(value).__name__}")


def _json_fault(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at column {error.colno}"
    return "nested too deep" if isinstance(error, RecursionError) else str(error)


def csv_rows(lines: Iterable[Line], delimiter: str = "") -> Iterator[Row]:
    """A row for each record below the header; one with more cells than the header, or never closed, is a fault.

    Without a `delimiter` it is the one of comma, semicolon and tab that the first line holds most of.
    """
    csv.field_size_limit(sys.maxsize)
    notes: list[str] = []
    ended: list[bool] = []
    texts = _csv_lines(lines, notes, ended)
    first = next(texts, "")
    reader = csv.reader(chain([first], texts), delimiter=delimiter or max(",;\t", key=first.count))
    header: list[str] | None = None
    number = 0
    while True:
        begins = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Row(reader.line_num, None, f"not CSV: {error}")
            continue
        if ended:  # the reader looked for more of this record, and there is none
            yield Row(begins, None, "a quotation mark that nothing closes; it and what follows are left out")
        elif not any(cell.strip() for cell in cells):
            continue
        elif header is None:
            header = cells
        elif len(cells) > len(header):
            yield Row(reader.line_num, None, f"{len(cells)} cells under {len(header)} columns")
        else:
            number += 1
            yield Row(number, dict(zip(header, cells, strict=False)), notes=tuple(notes))
        notes.clear()


def _csv_lines(lines: Iterable[Line], notes: list[str], ended: list[bool]) -> Iterator[str]:
    for text, remarks in lines:
        notes += remarks
        yield from (f"{line}\n" for line in text.removesuffix("\n").split("\n"))
    ended.append(True)


def arrow_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    """A row for each row of the batches; a data frame's unnamed index is left out."""
    number = 0
    for batch in batches:
        kept = [at for at, name in enumerate(batch.schema.names) if not _INDEX_COLUMN.fullmatch(name)]
        for start in range(0, batch.num_rows, _BATCH):
            for fields in batch.select(kept).slice(start, _BATCH).to_pylist():
                number += 1
                yield Row(number, fields)


def parquet_rows(path: str) -> Iterator[Row]:
    """Rows of a Parquet file, a batch at a time. Raises pyarrow's ArrowException for another kind of file."""
    with pq.ParquetFile(path) as file:
        yield from arrow_rows(file.iter_batches(batch_size=_BATCH))


def frame_rows(frame: Any) -> Iterator[Row]:
    """Rows of a data frame. Raises pyarrow's ArrowException for columns of mixed types."""
    if hasattr(frame, "__arrow_c_stream__"):
        yield from arrow_rows(pa.RecordBatchReader.from_stream(frame))
    else:
        yield from arrow_rows(pa.Table.from_pandas(frame).to_batches())
