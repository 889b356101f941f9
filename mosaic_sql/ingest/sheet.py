"""Tables as people keep them: delimited text, JSON lines, Parquet, or in memory, read with the line of every row."""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from mosaic_sql.errors import IngestError
from mosaic_sql.ingest.columns import but_grades, encoded
from mosaic_sql.ingest.decoding import SNIFFED, binary_kind
from mosaic_sql.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    Roles = Mapping[str, Sequence[str]]

ENDS = ("source", "relation", "target")
_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_BLOCK = 1 << 24


@dataclass(frozen=True)
class Sheet:
    """A table as read: `columns` maps a role to the name of its column, `line` a row to where it stands.

    `typed` is False where every value is text, so that numbers are still to be recognised.
    """

    place: str
    table: pa.Table
    columns: Mapping[str, str]
    line: Callable[[int], str]
    notes: tuple[str, ...] = ()
    typed: bool = True

    def column(self, role: str) -> pa.ChunkedArray:
        """The column of a role as it is; nulls where there is none."""
        if role not in self.columns:
            return pa.chunked_array([pa.nulls(self.table.num_rows, pa.string())])
        return self.table.column(self.columns[role])

    def text(self, role: str) -> pa.ChunkedArray:
        """A column as trimmed text without NUL; blanks are null.

        Raises:
            IngestError: its values cannot be text.
        """
        with _translated(f"{self.place}, column {self.columns.get(role, role)}"):
            column = self._bare(role)
            return column.cast(pa.string()) if pa.types.is_integer(column.type) else _trimmed(column.cast(pa.string()))

    def coded(self, role: str) -> pa.DictionaryArray:
        """As `text`, each distinct value once."""
        with _translated(f"{self.place}, column {self.columns.get(role, role)}"):
            column = self._bare(role)
            if pa.types.is_integer(column.type):
                coded = encoded(column)
                return pa.DictionaryArray.from_arrays(coded.indices, coded.dictionary.cast(pa.string()))
            coded = encoded(column.cast(pa.string()))
            values = encoded(_trimmed(coded.dictionary))
            return pa.DictionaryArray.from_arrays(values.indices.take(coded.indices), values.dictionary)

    def _bare(self, role: str) -> pa.ChunkedArray:
        column = self.column(role)
        if pa.types.is_floating(column.type) and _whole(column):
            return column.cast(pa.int64())  # ids that pandas has turned into 1.0
        return column


def read(source: Any, what: str, roles: Roles, *, delimiter: str | None = None, header: bool | None = None) -> Sheet:
    """A path, or a table in memory (pyarrow, pandas, anything with `__arrow_c_stream__`), with its columns found.

    Raises:
        IngestError: no such file, an empty one, one that cannot be read, or without the columns.
    """
    if not isinstance(source, str | Path):
        place = f"the table of {what}"
        with _translated(place):
            table = _from_memory(source, place)
        return _named(Sheet(place, table, {}, _row), roles)
    path, place = Path(source), str(source)
    if not path.is_file():
        what = "not a file; name one that holds a table" if path.exists() else "no such file"
        raise IngestError(f"{place}: {what}")
    with _translated(place):
        if path.suffix.lower() in (".parquet", ".pq"):
            return _named(Sheet(place, pa.parquet.ParquetFile(path).read(), {}, _row), roles)
        data = path.read_bytes()
        if delimiter is None and (kind := binary_kind(data[:SNIFFED])):  # one that is given may be a control byte
            raise IngestError(f"{place}: not a text: {kind}")
        text, notes = _decoded(data)
        if not text.strip():
            raise IngestError(f"no {what} in {place}")
        if path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
            return _json_lines(Sheet(place, None, {}, _row, notes), text, roles)
        form = _Form.of(path, text, delimiter)
        return _delimited(Sheet(place, None, {}, _row, notes, typed=False), _Lines(text, form), roles, header)


def _trimmed(column: Any) -> Any:
    column = pc.utf8_trim_whitespace(pc.replace_substring(column, "\0", ""))
    return pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)


def _whole(column: pa.ChunkedArray) -> bool:
    exact = pc.and_(pc.equal(column, pc.trunc(column)), pc.less(pc.abs(column), 2.0**53))
    return bool(pc.all(exact).as_py())


def _row(row: int) -> str:
    return f"row {row + 1}"


def _from_memory(source: Any, place: str) -> pa.Table:
    if isinstance(source, pa.Table):
        return source
    try:
        if type(source).__module__.startswith("pandas"):
            return pa.Table.from_pandas(source, preserve_index=False)
        if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
            return pa.table(source)
    except (ValueError, TypeError) as error:
        raise IngestError(f"{place}: {short(error)}") from error
    raise IngestError(f"{place}: a {type(source).__name__} is neither a path nor a table")


@contextmanager
def _translated(place: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, UnicodeError, csv.Error) as error:
        raise IngestError(f"{place}: {short(error)}") from error


def _decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    if data[:2] in _MARKS:
        return data.decode(_MARKS[data[:2]]), ()
    try:
        return data.decode("utf-8-sig"), ()
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace"), ("not UTF-8; read as Windows-1252",)


def _found(names: Iterable[str], roles: Roles) -> dict[str, str]:
    """Which column plays which role; each column plays one, the first name of a role wins."""
    folded = {re.sub(r"[\s-]+", "_", name.strip().casefold()): name for name in reversed(list(names))}
    columns: dict[str, str] = {}
    for role, options in roles.items():
        option = next((option for option in options if option in folded), None)
        if option is not None:
            columns[role] = folded.pop(option)
    return columns


def _named(sheet: Sheet, roles: Roles) -> Sheet:
    """The sheet with its columns; three columns without known names are source, relation, target."""
    names = sheet.table.column_names
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise IngestError(f"{sheet.place}: two columns are called {short(twice[0])}")
    columns = _found(names, roles)
    triples = "relation" in roles
    if triples and not set(ENDS) <= set(columns) and len(names) == len(ENDS):
        columns = dict(zip(ENDS, names, strict=True))
    if not (set(ENDS) <= set(columns) if triples else columns.keys() & {"key", "name"}):
        wanted = "source, relation and target" if triples else "id or name"
        raise IngestError(f"{sheet.place}: no columns for {wanted} among: {short(', '.join(names))}")
    return Sheet(sheet.place, sheet.table, columns, sheet.line, sheet.notes, sheet.typed)


# Delimited text


@dataclass(frozen=True)
class _Form:
    delimiter: str
    quoted: bool

    @classmethod
    def of(cls, path: Path, text: str, delimiter: str | None) -> _Form:
        """The usual delimiter of the suffix if the first line has it, else the first that it has."""
        first = text.lstrip("\r\n").split("\n", 1)[0]
        usual = {".tsv": "\t", ".tab": "\t", ".csv": ","}.get(path.suffix.lower(), "\t")
        delimiter = delimiter or next((mark for mark in (usual, "\t", "|", ";", ",") if mark in first), usual)
        if len(delimiter) != 1:
            raise IngestError(f"{path}: a delimiter is one character, not {delimiter!r}")
        return cls(delimiter, '"' in text and (delimiter == "," or _well_quoted(text, delimiter)))


def _well_quoted(text: str, delimiter: str) -> bool:
    """Whether every quotation mark belongs to a quoted field; else the marks are part of the names."""
    mark = re.escape(delimiter)
    field = re.compile(rf'(?:(?<=[{mark}\r\n])|\A)"(?:[^"]|"")*"(?=[{mark}\r\n]|\Z)')
    return '"' not in field.sub("", text)


@dataclass(frozen=True)
class _Lines:
    """The slow way through a text, for its first line and for telling where a row stands."""

    text: str
    form: _Form

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """The line on which each record begins, and its cells; empty lines are none."""
        lines, mark = io.StringIO(self.text, newline=""), self.form.delimiter
        quoting: Any = csv.QUOTE_MINIMAL if self.form.quoted else csv.QUOTE_NONE
        reader = csv.reader(lines, delimiter=mark, quoting=quoting)
        before = 0
        for cells in reader:
            if cells:
                yield before + 1, cells
            before = reader.line_num

    def check_quotes(self, place: str) -> None:
        """Refuse quotation marks that would swallow lines.

        Raises:
            IngestError: a field's quotation mark is not closed, or closed in the middle.
        """
        if not self.form.quoted or _well_quoted(self.text, self.form.delimiter):
            return
        reader = csv.reader(io.StringIO(self.text, newline=""), delimiter=self.form.delimiter, strict=True)
        started = 0
        try:
            for _ in reader:
                started = reader.line_num
        except csv.Error as error:
            raise IngestError(f"{place}: quotation marks of the row at line {started + 1}: {short(error)}") from error

    def line_of(self, wanted: int, width: int, *, other_width: bool = False) -> str:
        """Where the record of that number stands, counting records of that width (or of all others)."""
        limit = csv.field_size_limit(len(self.text) + 1)
        try:
            fitting = (line for line, cells in self.records() if (len(cells) == width) != other_width)
            line = next((line for number, line in enumerate(fitting) if number == wanted), None)
        finally:
            csv.field_size_limit(limit)
        return f"row {wanted + 1}" if line is None else f"line {line}"


def _delimited(sheet: Sheet, lines: _Lines, roles: Roles, header: bool | None) -> Sheet:
    """Every cell as text. Rows of another width than the first are left out and noted."""
    lines.check_quotes(sheet.place)
    _, first = next(lines.records())
    width, notes = len(first), list(sheet.notes)
    known = "relation" not in roles or set(ENDS) <= set(_found(first, roles))
    headed = (known or width != len(ENDS)) if header is None else header
    if not headed and width != len(ENDS):
        raise IngestError(f"{sheet.place}: without a header line three columns are needed, not {width}")
    if header is None:
        remark = "header line recognised" if headed else "no header line: columns taken as source, relation, target"
        notes.append(remark)
    names = _distinct(first) if headed else list(ENDS)
    table, odd = _parsed(lines, names)
    if odd:
        where = lines.line_of(0, width, other_width=True)
        notes.append(f"{counted(odd, 'row')} with another number of columns left out (first: {where})")
    skipped = int(headed)
    named = _named(Sheet(sheet.place, table.slice(skipped), {}, sheet.line), roles)
    return Sheet(
        sheet.place,
        named.table,
        named.columns,
        lambda row: lines.line_of(row + skipped, width),
        tuple(notes),
        typed=False,
    )


def _parsed(lines: _Lines, names: list[str]) -> tuple[pa.Table, int]:
    odd: list[int] = []

    def leave_out(row: Any) -> str:
        odd.append(row.actual_columns)
        return "skip"

    parse = pa.csv.ParseOptions(
        delimiter=lines.form.delimiter,
        quote_char='"' if lines.form.quoted else False,
        newlines_in_values=lines.form.quoted,
        invalid_row_handler=leave_out,
    )
    data = lines.text.encode()
    table = pa.csv.read_csv(
        pa.BufferReader(data),
        read_options=pa.csv.ReadOptions(column_names=names, block_size=_BLOCK),
        parse_options=parse,
        convert_options=pa.csv.ConvertOptions(column_types={name: pa.string() for name in names}),
    )
    return table, len(odd)


def _distinct(names: list[str]) -> list[str]:
    """Column names without blanks around them, none empty, none twice."""
    distinct: list[str] = []
    for position, name in enumerate(names, start=1):
        plain = name.replace("\0", "").strip() or f"column_{position}"
        distinct.append(f"{plain}_{position}" if plain in distinct else plain)
    return distinct


# JSON lines


def _json_lines(sheet: Sheet, text: str, roles: Roles) -> Sheet:
    """One object per line (or a list of three); what has no role is folded into the properties here, as it is."""
    rows, numbers = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = loads(line)
        except ValueError as error:
            raise IngestError(f"{sheet.place}: line {number} is not JSON: {short(error)}") from error
        if isinstance(row, list) and len(row) == len(ENDS):
            row = dict(zip(ENDS, row, strict=True))
        if not isinstance(row, dict):
            raise IngestError(f"{sheet.place}: line {number} is not a JSON object")
        rows.append(row)
        numbers.append(number)
    names = list(dict.fromkeys(name for row in rows for name in row))
    empty = pa.table({name: pa.array([], pa.string()) for name in names})
    columns = _named(Sheet(sheet.place, empty, {}, sheet.line), roles).columns
    table = {role: pa.array([_cell(row.get(name)) for row in rows], pa.string()) for role, name in columns.items()}
    columns = but_grades(columns, table.__getitem__)
    table = {role: table[role] for role in columns}
    others = [name for name in names if name not in columns.values()]
    if others:
        given = [row.get(columns.get("properties", "")) for row in rows]
        folded = [
            _folded(one, {name: row[name] for name in others if row.get(name) is not None})
            for one, row in zip(given, rows, strict=True)
        ]
        table["properties"] = pa.array(folded, pa.string())
    roles_found = {role: role for role in table}
    return Sheet(sheet.place, pa.table(table), roles_found, lambda row: f"line {numbers[row]}", sheet.notes)


def _cell(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else literal(value)


def _folded(given: Any, others: dict[str, Any]) -> str | None:
    """Given properties and further fields as one object; what is no object is left as it is, to be refused later."""
    if isinstance(given, str) and given.strip():
        try:
            given = loads(given)
        except ValueError:
            return str(given)
    if given and not isinstance(given, dict):
        return literal(given)
    return literal({**(given or {}), **others})


def literal(value: Any) -> str:
    """A value as JSON text; what JSON does not know is a string (a date) or null (NaN)."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        return json.dumps(json.loads(json.dumps(value, default=str), parse_constant=lambda _: None), ensure_ascii=False)


def loads(text: str) -> Any:
    """JSON text as a value.

    Raises:
        ValueError: not JSON (NaN and Infinity are not), or nested too deep.
    """

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise ValueError("nested too deep") from None


def short(value: object) -> str:
    """One line of at most 120 characters."""
    text = " ".join(str(value).split())
    return text if len(text) <= 120 else text[:117] + "..."
