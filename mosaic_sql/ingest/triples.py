"""Knowledge graphs as files or tables: triples, or nodes and edges, become two Arrow tables.

Read are CSV, TSV and other delimited text, JSON lines, Parquet, and tables in memory (pyarrow, pandas, anything
with `__arrow_c_stream__`). Columns are found by name (`TRIPLE_COLUMNS`, `NODE_COLUMNS`), others go into `properties`.

A node of a triple is its exact name, with its kind where given: the key is the name, or name, U+001F and kind.
A node of a nodes table with an id column is its id, and edges refer to ids.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql.errors import IngestError
from mosaic_sql.ingest.columns import CODED, all_in, any_in, but_grades, codes_of, encoded, first_rows, places_in, plain
from mosaic_sql.ingest.sheet import Sheet, literal, loads, read, short
from mosaic_sql.ingest.vectors import VECTOR, given_vectors
from mosaic_sql.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mosaic_sql.ingest.sheet import Roles

KIND_MARK = "\u001f"

TRIPLE_COLUMNS: Roles = {
    "source": ("subject", "head", "source", "src", "from", "s", "start"),
    "relation": ("predicate", "relation", "rel", "edge", "p", "type", "label"),
    "target": ("object", "tail", "target", "dst", "to", "o", "end"),
    "weight": ("weight", "score"),
    "label": ("label",),
    "fact": ("fact", "sentence", "evidence"),
    "properties": ("properties",),
    "source_kind": ("source_kind", "subject_kind", "head_kind", "source_type", "subject_type", "head_type"),
    "target_kind": ("target_kind", "object_kind", "tail_kind", "target_type", "object_type", "tail_type"),
}
NODE_COLUMNS: Roles = {
    "key": ("id", "node_id", "key"),
    "name": ("name", "label", "title"),
    "kind": ("kind", "type", "node_type", "entity_type", "node_kind", ":label", "labels", "label", "class", "category"),
    "aliases": ("aliases", "alias", "synonyms"),
    "properties": ("properties",),
    "description": ("description",),
    "vector": ("vector", "embedding"),
}
_ENDS = ("source", "relation", "target")
_ARTICLES = {"source": "a source", "relation": "a relation", "target": "a target", "key": "an id", "name": "a name"}

_NAMES = pa.list_(pa.string())
NODES = pa.schema(
    [
        ("key", pa.string()),
        ("name", pa.string()),
        ("kind", pa.string()),
        ("aliases", _NAMES),
        ("properties", pa.string()),
        ("description", pa.string()),
        ("vector", VECTOR),
    ]
)
EDGES = pa.schema(
    [
        ("source", CODED),
        ("relation", CODED),
        ("target", CODED),
        ("weight", pa.float64()),
        ("label", pa.string()),
        ("fact", pa.string()),
        ("properties", pa.string()),
    ]
)

_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$"
_JSON_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d+)?([eE][+-]?\d{1,2})?")


@dataclass(frozen=True)
class GraphTables:
    """A graph as two tables (`NODES`, `EDGES`) and remarks on the reading, one line each.

    Nodes are unique by `key` and stand in the order of their first appearance; `source` and `target` are keys.
    """

    nodes: pa.Table
    edges: pa.Table
    notes: tuple[str, ...]


def read_triples(source: Any, *, delimiter: str | None = None, header: bool | None = None) -> GraphTables:
    """Read a graph from triples: subject, relation, object, and what is said about them.

    Without known column names exactly three columns are needed, in that order; the first line of a file is
    then data unless `header` is True.

    Raises:
        IngestError: no such file, no triples, columns or values that cannot be read (naming the line).
    """
    sheet = read(source, "triples", TRIPLE_COLUMNS, delimiter=delimiter, header=header)
    edges, notes = _edges(sheet)
    edges, merged = _merged(edges, _keys(edges, "source"), _keys(edges, "target"))
    return GraphTables(_conform(_ends(edges), NODES), _conform(edges, EDGES), (*sheet.notes, *notes, *merged))


def read_graph(nodes: Any, edges: Any) -> GraphTables:
    """Read a graph from a table of nodes and a table of edges.

    Edges refer to the ids of the nodes, or to names (the first node of that name) where there are no ids.
    An end that is not among the nodes becomes a node of that name.

    Raises:
        IngestError: no such file, no rows, columns or values that cannot be read (naming the line).
    """
    node_sheet = read(nodes, "nodes", NODE_COLUMNS, header=True)
    known, node_notes = _nodes(node_sheet)
    edge_sheet = read(edges, "triples", TRIPLE_COLUMNS)
    links, edge_notes = _edges(edge_sheet)
    by_id = "key" in node_sheet.columns
    source, target = _keys(links, "source", with_kind=not by_id), _keys(links, "target", with_kind=not by_id)
    (source, target), ambiguous = _resolved(links, known, (source, target), by_id=by_id)
    links, merged = _merged(links, source, target)
    missing = _missing(links, known["key"].combine_chunks())
    merged += _told_missing(missing, known, by_id=by_id)
    everything = pa.concat_tables([_conform(known, NODES), _conform(missing, NODES)])
    of_nodes = tuple(f"nodes: {note}" for note in (*node_sheet.notes, *node_notes))
    of_edges = tuple(f"edges: {note}" for note in (*edge_sheet.notes, *edge_notes, *ambiguous, *merged))
    return GraphTables(everything, _conform(links, EDGES), of_nodes + of_edges)


def _missing(edges: pa.Table, known_keys: pa.Array) -> pa.Table:
    """The ends of edges that are none of the known nodes."""
    is_missing = np.zeros(edges.num_rows, dtype=bool)
    for end in ("source", "target"):
        if not all_in(edges[end], known_keys):
            is_missing |= places_in(edges[end], known_keys) < 0
    ends = _ends(edges.filter(pa.array(is_missing)))
    return ends.filter(pa.array(places_in(ends["key"], known_keys) < 0))


def _told_missing(missing: pa.Table, known: pa.Table, *, by_id: bool) -> tuple[str, ...]:
    """Remarks on the ends that become nodes: what no node is called, and names where other ends are ids."""
    is_name = pc.and_(pc.is_in(missing["name"], known["name"].combine_chunks()), by_id)
    told = []
    for some, said in (
        (pc.invert(is_name), "not among the nodes added as nodes (first: {})"),
        (is_name, "of known nodes added as nodes of their own, since other ends are ids (first: {}); write ids there"),
    ):
        names = missing["name"].filter(some)
        if len(names):
            told.append(f"{counted(len(names), 'name')} {said.format(short(names[0].as_py()))}")
    return tuple(told)


# Edges


def _edges(sheet: Sheet) -> tuple[pa.Table, tuple[str, ...]]:
    """Complete rows with the columns of `EDGES`, ends still as written, and the kinds of the ends."""
    sheet = replace(sheet, columns=but_grades(sheet.columns, sheet.text))
    coded = (*_ENDS, "source_kind", "target_kind", "label", "fact")
    table = pa.table({**{role: sheet.coded(role) for role in coded}, "weight": sheet.text("weight")})
    table = table.append_column("row", pa.array(np.arange(table.num_rows)))
    table, notes = _complete(sheet, table, _ENDS)
    if not table.num_rows:
        raise IngestError(f"no triples in {sheet.place}{': ' if notes else ''}{'; '.join(notes)}")
    weight = _weights(sheet, table["weight"], table["row"])
    table = table.set_column(table.column_names.index("weight"), "weight", weight)
    return table.append_column("properties", _properties(sheet, table["row"])), notes


def _complete(sheet: Sheet, table: pa.Table, roles: Sequence[str]) -> tuple[pa.Table, tuple[str, ...]]:
    notes = []
    for role in roles:
        blank = pc.is_null(table[role])
        rows = table["row"].filter(blank)
        if len(rows):
            notes.append(
                f"{counted(len(rows), 'row')} without {_ARTICLES[role]} left out (first: {sheet.line(rows[0].as_py())})"
            )
            table = table.filter(pc.invert(blank))
    return table, tuple(notes)


def _weights(sheet: Sheet, text: pa.ChunkedArray, rows: pa.ChunkedArray) -> Any:
    if text.null_count == len(text):
        return pa.array(np.ones(len(text)))
    wrong = rows.filter(pc.fill_null(pc.invert(pc.match_substring_regex(text, _NUMBER)), False))
    if not len(wrong):
        weights = pc.replace_substring_regex(text, r"^\+", "").cast(pa.float64())
        wrong = rows.filter(pc.fill_null(pc.invert(pc.is_finite(weights)), False))
    if len(wrong):
        value = sheet.text("weight")[wrong[0].as_py()].as_py()
        raise IngestError(
            f"{sheet.place}: weight `{short(value)}` is not a finite number, {sheet.line(wrong[0].as_py())}"
        )
    return pc.fill_null(weights, 1.0)


def _keys(edges: pa.Table, end: str, *, with_kind: bool = True) -> pa.ChunkedArray:
    if not with_kind or edges[f"{end}_kind"].null_count == edges.num_rows:
        return edges[end]
    return _with_kind(plain(edges[end]), plain(edges[f"{end}_kind"]))


def _with_kind(name: pa.ChunkedArray, kind: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.coalesce(pc.binary_join_element_wise(name, kind, KIND_MARK), name)


def _merged(edges: pa.Table, source: Any, target: Any) -> tuple[pa.Table, tuple[str, ...]]:
    """`edges` with names and keys of their ends, repeated ones without properties left out."""
    for end, keys in (("source", source), ("target", target)):
        position = edges.column_names.index(end)
        edges = edges.append_column(f"{end}_name", edges[end]).set_column(position, end, encoded(keys))
    single = pc.if_else(pc.is_valid(edges["properties"]), edges["row"], -1).to_numpy()
    rows = first_rows(*(codes_of(edges[name]) for name in (*_ENDS, "label", "fact")), single)
    repeated = edges.num_rows - len(rows)
    if not repeated:
        return edges, ()
    is_first = np.zeros(edges.num_rows, dtype=bool)
    is_first[rows] = True
    return edges.filter(pa.array(is_first)), (f"{counted(repeated, 'repeated triple')} merged",)


def _ends(edges: pa.Table) -> pa.Table:
    """Key, name and kind of the distinct ends, in order of first appearance (source before target)."""
    both = pa.chunked_array([encoded(edges["source"]), encoded(edges["target"])], CODED)
    codes = codes_of(both).reshape(2, -1).T.ravel()
    firsts = first_rows(codes)
    rows, is_target = pa.array(firsts // 2), pa.array(firsts % 2 == 1)

    def of_ends(column: str) -> pa.Array:
        one, two = (plain(edges[column.format(end)].take(rows)) for end in ("source", "target"))
        return pc.if_else(is_target, two, one)

    return pa.table({"key": of_ends("{}"), "name": of_ends("{}_name"), "kind": of_ends("{}_kind")})


# Nodes


def _nodes(sheet: Sheet) -> tuple[pa.Table, tuple[str, ...]]:
    table = pa.table({role: sheet.text(role) for role in ("key", "name", "kind", "description")})
    table = table.append_column("row", pa.array(np.arange(table.num_rows)))
    if "key" in sheet.columns:
        table, notes = _complete(sheet, table, ["key"])
        table = table.set_column(1, "name", pc.coalesce(table["name"], table["key"]))
        if "name" not in sheet.columns:
            notes += (f"no column of names ({', '.join(NODE_COLUMNS['name'])}), so ids are the names",)
    else:
        table, notes = _complete(sheet, table, ["name"])
        table = table.set_column(0, "key", _with_kind(table["name"], table["kind"]))
    if not table.num_rows:
        raise IngestError(f"no nodes in {sheet.place}")
    if sheet.columns.get("kind", "kind").strip().casefold() not in ("kind", "type"):
        notes += (f"column `{sheet.columns['kind']}` is read as the kind; call it kind or type to be sure",)
        at = table.column_names.index("kind")  # :Person, as graph databases write labels
        table = table.set_column(at, "kind", pc.utf8_ltrim(table["kind"], ":"))
    firsts = first_rows(codes_of(table["key"]))
    if len(firsts) < table.num_rows:
        later = np.setdiff1d(np.arange(table.num_rows), firsts)
        where = sheet.line(table["row"][int(later[0])].as_py())
        notes += (f"{counted(len(later), 'repeated node')} left out (first: {where})",)
        table = table.take(pa.array(firsts))
    rows = table["row"]
    table = table.append_column("properties", _properties(sheet, rows))
    table = table.append_column("aliases", _converted(sheet, "aliases", rows, _aliases, _NAMES))
    return table.append_column("vector", given_vectors(sheet, rows)), notes


def _resolved(
    edges: pa.Table, known: pa.Table, keys: tuple[pa.ChunkedArray, pa.ChunkedArray], *, by_id: bool
) -> tuple[tuple[pa.ChunkedArray, pa.ChunkedArray], tuple[str, ...]]:
    """The keys of the ends; where none of them is an id, or there are no ids, names are looked up."""
    node_keys = known["key"].combine_chunks()
    if by_id and any(any_in(key, node_keys) for key in keys):
        return keys, ()
    known_ends = [places_in(key, node_keys) >= 0 for key in keys]
    rows = first_rows(codes_of(known["name"]))
    firsts = known.take(pa.array(rows))
    others = known["name"].take(pa.array(np.setdiff1d(np.arange(known.num_rows), rows)))
    found, doubtful = [], set()
    for end, key, is_known in zip(("source", "target"), keys, known_ends, strict=True):
        position = places_in(edges[end], firsts["name"].combine_chunks())
        named = firsts.take(pa.array(position, mask=position < 0))
        # Where both sides have a kind, it has to agree, and then the key is a node's already.
        free = pc.or_(pc.is_null(edges[f"{end}_kind"]), pc.is_null(named["kind"]))
        usable = pc.and_(pa.array(~is_known & (position >= 0)), pc.or_(free, by_id))
        found.append(pc.if_else(usable, named["key"], plain(key)))
        used = plain(edges[end]).filter(usable)
        doubtful |= set(used.filter(pc.is_in(used, others.combine_chunks())).unique().to_pylist())
    if not doubtful:
        return (found[0], found[1]), ()
    some = f"{counted(len(doubtful), 'name')} of several nodes, the first one taken (such as {short(min(doubtful))})"
    return (found[0], found[1]), (some,)


def _aliases(value: Any) -> list[str]:
    if isinstance(value, str):
        value = _list_of(value) or value.split("|")
    names = [str(name).replace("\0", "").strip() for name in value if name is not None]
    return list(dict.fromkeys(name for name in names if name))


def _list_of(text: str) -> list[Any] | None:
    """A JSON list; None for text that only looks like one (`[untitled]`)."""
    try:
        return list(loads(text)) if text.startswith("[") else None
    except ValueError:
        return None


def _converted(sheet: Sheet, role: str, rows: pa.ChunkedArray, convert: Callable[[Any], Any], kind: pa.DataType) -> Any:
    """A column value by value; blank is an empty list of aliases, else nothing."""
    column = sheet.column(role)
    if column.null_count == len(column):
        return _blank(role, len(rows), kind)
    empty: list[str] | None = [] if role == "aliases" else None
    column = column if pa.types.is_nested(column.type) else sheet.text(role)
    values = []
    for row, value in zip(rows.to_pylist(), column.take(rows).to_pylist(), strict=True):
        try:
            values.append(empty if value is None else convert(value))
        except (ValueError, TypeError) as error:
            raise IngestError(f"{sheet.place}: {role} of {sheet.line(row)}: {short(error)}") from error
    return pa.array(values, kind)


def _blank(role: str, rows: int, kind: pa.DataType) -> pa.Array:
    """No value in any row: no aliases are an empty list."""
    if role != "aliases":
        return pa.nulls(rows, kind)
    return pa.ListArray.from_arrays(pa.array(np.zeros(rows + 1, dtype=np.int32)), pa.array([], kind.value_type))


# Properties


def _properties(sheet: Sheet, rows: pa.ChunkedArray) -> pa.ChunkedArray:
    """The properties column and every column without a role as one JSON object; null where it would be empty."""
    others = [name for name in sheet.table.column_names if name not in sheet.columns.values()]

    def members(value: Any) -> str | None:
        found = loads(value) if isinstance(value, str) else dict(value)
        if not isinstance(found, dict):
            raise ValueError("expected a JSON object")
        kept = {name: one for name, one in found.items() if name not in others}
        return literal(kept)[1:-1] or None

    given = _converted(sheet, "properties", rows, members, pa.string())
    if not others and given.null_count == len(given):
        return pa.nulls(len(rows), pa.string())
    pieces = [given]
    for name in others:
        literals = _literals(sheet.table[name].take(rows), typed=sheet.typed)
        pieces.append(pc.binary_join_element_wise(literal(name), literals, ": "))
    ended = [pc.fill_null(pc.binary_join_element_wise(piece, "", ", "), "") for piece in pieces]
    inside = pc.binary_join_element_wise(*ended, "")
    objects = pc.binary_join_element_wise("{", pc.utf8_slice_codeunits(inside, 0, -2), "}", "")
    return pc.if_else(pc.equal(inside, ""), pa.scalar(None, pa.string()), objects)


def _literals(column: pa.ChunkedArray, *, typed: bool) -> pa.Array:
    """Each value as JSON text. A column of text that holds nothing but numbers is one of numbers."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_decimal(column.type):
        column = column.cast(pa.float64())
    if pa.types.is_nested(column.type):
        return pa.array([None if value is None else literal(value) for value in column.to_pylist()], pa.string())
    column = column if typed else pc.utf8_trim_whitespace(column)
    codes = pa.concat_arrays(column.chunks).dictionary_encode()
    values = [None if value in ("", None) or value != value else value for value in codes.dictionary.to_pylist()]
    plain = not typed and all(value is None or _JSON_NUMBER.fullmatch(value) for value in values)
    texts = [value if value is None or plain else literal(value) for value in values]
    return pa.array(texts, pa.string()).take(codes.indices)


def _conform(table: pa.Table, schema: pa.Schema) -> pa.Table:
    def column(name: str, kind: pa.DataType) -> Any:
        if name in table.column_names:
            return table[name].cast(kind)
        return _blank(name, table.num_rows, kind)

    return pa.table([column(field.name, field.type) for field in schema], schema=schema)
