"""What a file promises in its header is checked by the engine."""

from __future__ import annotations

import re

import duckdb
import pyarrow as pa
import pytest

from mosaic_sql import sqlfiles
from mosaic_sql.database import Database, with_literals
from mosaic_sql.errors import TemplateError
from mosaic_sql.ingest.store import _SCHEMAS
from mosaic_sql.ingest.triples import EDGES, NODES
from mosaic_sql.resident import ResidentText
from mosaic_sql.resident.nodes import _SCORES, ASKED, NODE, SCORES, TARGETS
from mosaic_sql.sqlfiles import Identifier, SqlFile

SAMPLES = {
    "INTEGER": 1,
    "INTEGER[]": [1],
    "BIGINT": 1,
    "DOUBLE": 0.5,
    "FLOAT[]": [0.5],
    "VARCHAR": "x",
    "VARCHAR[]": ["x"],
    "BOOLEAN": True,
}
READS = [name for name in sqlfiles.names() if sqlfiles.load(name).returns]
# Attaching, transactions and settings change the connection itself; they are covered by the tests of the database room.
EFFECTS = [n for n in sqlfiles.names() if not sqlfiles.load(n).returns and not n.startswith(("store.", "trace."))]


def sample(kind: str) -> object:
    return [] if kind.startswith("STRUCT") else SAMPLES[kind]


def adjacent_over_nothing(node_ids: pa.Array) -> pa.Array:
    step = pa.struct([
        ("neighbour_id", pa.int32()), ("edge_id", pa.int32()), ("relation_id", pa.int32()), ("forward", pa.bool_())
    ])  # fmt: skip
    return pa.array([[] for _ in node_ids], pa.list_(step))


def no_path(nodes: pa.Array, edges: pa.Array) -> pa.Array:
    return pa.nulls(len(nodes), pa.string())


def no_node(node_ids: pa.Array) -> pa.Array:
    return pa.nulls(len(node_ids), pa.struct([("name", pa.string()), ("kinds", pa.list_(pa.string()))]))


def no_kind(node_ids: pa.Array, kinds: pa.Array) -> pa.Array:
    return pa.array([False] * len(node_ids), pa.bool_())


def no_nodes(embeddings: pa.Array, counts: pa.Array) -> pa.Array:
    return pa.array([[]] * len(embeddings), pa.list_(pa.int32()))


def no_name(node_ids: pa.Array) -> pa.Array:
    return pa.array([False] * len(node_ids))


def no_scores(embeddings: pa.Array, targets: pa.Array, asked: pa.Array) -> pa.Array:
    return pa.nulls(len(embeddings), pa.list_(pa.struct(list(_SCORES.items()))))


@pytest.fixture(scope="module")
def stages(still_empty: Database) -> Database:
    """Every function and the trace too; what a test changes it takes back."""
    empty = still_empty
    empty.create_function(
        "adjacent",
        adjacent_over_nothing,
        ["INTEGER"],
        "STRUCT(neighbour_id INTEGER, edge_id INTEGER, relation_id INTEGER, forward BOOLEAN)[]",
    )
    empty.create_function("path_of", no_path, ["INTEGER[]", "INTEGER[]"], "VARCHAR")
    empty.create_function("node_of", no_node, ["INTEGER"], NODE)
    empty.create_function("node_scores", no_scores, ["FLOAT[]", TARGETS, ASKED], SCORES)
    empty.create_function("nearest_nodes", no_nodes, ["FLOAT[]", "INTEGER"], "INTEGER[]")
    empty.create_function("stands_by_name", no_name, ["INTEGER"], "BOOLEAN")
    empty.create_function("has_kind", no_kind, ["INTEGER", "VARCHAR"], "BOOLEAN")
    ResidentText.load(empty, 8).register(empty)
    empty.make_trace()
    empty.connection.execute("ATTACH ':memory:' AS kept")  # the file of kept runs
    empty.execute("store.use_kept")
    empty.script("5_trace")
    empty.execute("store.use_corpus")
    empty.execute("functions.mosaic_kept")  # others read from it
    return empty


@pytest.mark.parametrize("name", READS)
def test_declared_columns_are_the_returned_columns(name: str, stages: Database) -> None:
    file = sqlfiles.load(name)
    params = {key: sample(kind) for key, kind in file.params.items()}
    with stages.registered(**incoming_for(name)):
        described = stages.connection.execute(f"DESCRIBE {file.body}", params or None).fetchall()
    assert {row[0]: row[1].replace('"', "") for row in described} == dict(file.returns)


def test_each_is_one_statement_whose_parameters_are_declared() -> None:
    for file in map(sqlfiles.load, sqlfiles.names()):
        check_parameters(file)


def check_parameters(file: SqlFile) -> None:
    body = file.body.replace("FLOAT[$dimension]", "FLOAT[384] /* $dimension */")  # a type takes no parameter
    written_in = {"dimension", *(file.params if file.name == "store.comment_on_macro" else ())}
    (statement,) = duckdb.extract_statements(with_literals(body, {"macro": Identifier("m"), "doc": "says"}))
    assert set(statement.named_parameters) == set(file.params) - written_in, file.name
    assert file.doc, f"{file.name} says nothing of itself"
    assert bool(file.example) == file.name.startswith("functions.mosaic_"), f"{file.name}: an example, of a function"


@pytest.mark.parametrize("name", EFFECTS)
def test_statements_for_effect_run_on_an_empty_corpus(name: str, stages: Database) -> None:
    file = sqlfiles.load(name)
    sql = file.body
    params = {key: sample(kind) for key, kind in file.params.items()}
    if name in ("stage.question", "stage.query"):
        sql, params = sql.replace("$dimension", "8"), {"questions" if name == "stage.question" else "queries": []}
    with stages.registered(**incoming_for(name)):
        stages.connection.execute("BEGIN")
        try:
            stages.connection.execute(sql, params or None)
        finally:
            stages.connection.execute("ROLLBACK")


def incoming_for(name: str) -> dict[str, pa.Table]:
    schemas = {
        **{f"ingest.insert_{key}": value for key, value in _SCHEMAS.items()},
        **{f"walk.load_{name}": [("node_id", pa.int32())] for name in ("steps", "node_kinds")},
        "ingest.await_named": [("key_no", pa.int32()), ("term_id", pa.int32())],
        "ingest.derive_name_posting": [("term_id", pa.int32()), ("node_id", pa.int32()), ("length", pa.int32())],
        **{
            f"ingest.set_{table}_vector": [(f"{table}_id", pa.int32()), ("embedding", pa.list_(pa.float32(), 8))]
            for table in ("chunk", "sentence", "node", "relation", "edge")
        },
    }
    if name == "ingest.graph_node_update":
        kept = {"kinds": pa.list_(pa.string()), "is_renamed": pa.bool_(), "node_id": pa.int32()}
        strings = dict.fromkeys(("name", "description", "properties"), pa.string())
        return {"incoming": pa.schema({**strings, **kept}).empty_table()}
    if name.startswith(("ingest.graph_node", "ingest.graph_edge")):
        numbers = [pa.field(f"{one}_id", pa.int32()) for one in ("node", "edge", "source", "relation", "target")]
        told = {field.name: field for field in (*NODES, *EDGES, pa.field("ordinal", pa.int32()), *numbers)}
        return {"incoming": pa.schema(told.values()).empty_table()}
    return {"incoming": pa.schema(schemas[name]).empty_table()} if name in schemas else {}


def test_values_are_cast_where_they_are_used() -> None:
    plain = ("store.attach", "store.comment")  # ATTACH and COMMENT take no expression
    bare = {
        name: re.findall(r"\$\w+(?![\w:\]])", re.sub(r"--[^\n]*", "", sqlfiles.load(name).body))
        for name in sqlfiles.names()
        if not name.startswith(plain)
    }
    assert {name: found for name, found in bare.items() if found} == {}


def test_a_header_that_lies_is_refused(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "walk"
    folder.mkdir()
    (folder / "lie.sql").write_text(
        "-- name: walk.lie\n-- doc: x.\n-- params: a INTEGER\n-- returns: b INTEGER\n-- order: none\nSELECT 1 AS b\n"
    )
    monkeypatch.setattr(sqlfiles, "root", lambda: tmp_path)
    with pytest.raises(TemplateError, match="differ on a"):
        sqlfiles.load("walk.lie")


def test_a_slot_takes_only_what_the_file_names() -> None:
    with pytest.raises(TemplateError, match="no slot 'where'"):
        sqlfiles.compose("walk.bfs", {"where": "walk.expand_resident"})
    with pytest.raises(TemplateError, match="no SQL file"):
        sqlfiles.compose("walk.bfs", {"expand": "walk.drop_everything"})
