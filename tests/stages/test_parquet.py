"""A corpus as a folder of Parquet: nothing is lost on the way out, on the way in, or when it is opened as it is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from corpora import DIMENSION, EMBEDDER, SAMPLE, add, differences, doc, new_corpus, rows_of, tables
from pyarrow import parquet as pq

from mosaic_sql.database import Database, open_database
from mosaic_sql.errors import MosaicError, SchemaVersionError, StoreError
from mosaic_sql.ingest import readers
from mosaic_sql.ingest.parquet import export_folder, import_folder
from mosaic_sql.storefile import SCHEMA_VERSION

ODD_NAMES = ["it's", 'say "hi"', "two  blanks and é=1", "[a]*{b}", "東京 🚀", "year=2024", "$folder; --", "a%20b"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Text, sentence vectors missing, a graph row, JSON, lists, NULLs and odd names."""
    path = tmp_path_factory.mktemp("corpus") / "a.duckdb"
    with new_corpus(path) as database:
        items = list(readers.read([str(SAMPLE)]))[:20]
        said = "The \"Zoë's\" of 東京 met O'Brien\tin Paris. 🚀"
        odd = doc("o'dd", said, "It's; DROP", note={"a": [1, None, "ü"]}, n=1.5)
        add(database, [*items, odd])
        database.put_meta(embedder=EMBEDDER.name)
        vector = [float(number) for number in range(DIMENSION)]
        database.connection.execute(
            """
            INSERT INTO node BY NAME SELECT 900001 AS node_id, 'x' AS name, ['a', NULL, 'it''s'] AS kinds,
                '{"b":  1, "a": null}'::JSON AS properties, 'graph' AS origin, ?::FLOAT[16] AS embedding;
            INSERT INTO node BY NAME SELECT 900000 AS node_id, '' AS name, []::VARCHAR[] AS kinds, 'graph' AS origin;
            INSERT INTO relation VALUES (900, 'born in', NULL), (901, NULL, ?::FLOAT[16]);
            INSERT INTO edge BY NAME SELECT 900000 AS edge_id, 900000 AS source_id, 900 AS relation_id,
                900001 AS target_id, 'NaN'::DOUBLE AS weight, 'null'::JSON AS properties, 'graph' AS origin;
            INSERT INTO edge BY NAME SELECT 900002 AS edge_id, 900001 AS source_id, 901 AS relation_id,
                900001 AS target_id, 1e-300 AS weight, ?::FLOAT[16] AS embedding, 'graph' AS origin;
            INSERT INTO schema_path VALUES ('a', 'b', '', 5000000000); INSERT INTO pending_chunk VALUES (3), (3), (1);
            INSERT INTO schema_property VALUES ('node', '', 'i''', 'text', 5, ['é']);
            INSERT INTO pending_key VALUES ('i s'); INSERT INTO extraction VALUES (2, NULL, NULL, 'it''s'),
                (1, 'm', '{"entities": [], "relations": []}', '');
            """.replace("?", str(vector))
        )
    return path


@pytest.fixture
def folder(corpus: Path, tmp_path: Path) -> Path:
    with open_database(corpus, read_only=True) as database:
        export_folder(database, tmp_path / "out", version="1.2.3")
    return tmp_path / "out"


def files(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Every file of a folder in its own order, as another program reads it; the manifest without its time."""
    found = {path.stem: pq.ParquetFile(path).read().to_pylist() for path in sorted(folder.iterdir())}
    del found["manifest"][0]["written_at"]
    return found


def same(one: dict[str, list[Any]], two: dict[str, list[Any]]) -> bool:
    return repr(one) == repr(two)  # NaN is not itself


def types(database: Database) -> dict[str, list[tuple[str, str]]]:
    return {
        name: [row[:2] for row in database.connection.execute(f"DESCRIBE corpus.main.{name}").fetchall()]
        for name in tables(database)
    }


# -- lossless --------------------------------------------------------------------------------------------------------


def test_out_in_and_out_again_is_the_same_row_for_row(folder: Path, tmp_path: Path) -> None:
    counts = import_folder(folder, tmp_path / "b.duckdb")
    with open_database(tmp_path / "b.duckdb", read_only=True) as database:
        assert export_folder(database, tmp_path / "again", version="1.2.3") == counts
    assert same(files(folder), files(tmp_path / "again"))
    assert all(counts.values())


def test_the_new_file_has_the_rows_and_types_of_the_old(corpus: Path, folder: Path, tmp_path: Path) -> None:
    import_folder(folder, tmp_path / "b.duckdb")
    with open_database(corpus, read_only=True) as old, open_database(tmp_path / "b.duckdb", read_only=True) as new:
        one, two = rows_of(old), rows_of(new)
        assert {name for name in one if sorted(map(repr, one[name])) != sorted(map(repr, two[name]))} == set()
        assert types(old) == types(new)
        comments = "SELECT table_name, comment FROM duckdb_tables() WHERE database_name = 'corpus' ORDER BY ALL"
        assert old.connection.execute(comments).fetchall() == new.connection.execute(comments).fetchall()


def test_derived_tables_keep_the_order_of_the_file(corpus: Path, folder: Path) -> None:
    with open_database(corpus, read_only=True) as old, open_database(folder) as opened:
        one, two = rows_of(old), rows_of(opened)
    derived = ["alias", "term", "posting", "sentence_posting", "name_posting", "mention_context", "adjacency", "link"]
    assert {name: one[name] == two[name] for name in derived} == dict.fromkeys(derived, True)
    for table in ("document", "chunk", "sentence", "node", "relation", "edge"):
        assert [row[0] for row in two[table]] == sorted(row[0] for row in two[table])


def test_every_table_and_column_of_the_schema_is_in_the_folder(folder: Path) -> None:
    with new_corpus() as fresh, open_database(folder) as opened:
        assert tables(fresh) == [name for (name,) in fresh.rows("store.tables")]
        assert types(opened) == types(fresh)
        assert {path.stem for path in folder.iterdir()} == {*tables(fresh), "manifest"}


def test_the_ingest_leaves_the_types_of_the_schema(corpus: Path) -> None:
    with new_corpus() as fresh, open_database(corpus, read_only=True) as filled:
        assert types(filled) == types(fresh)


def test_the_manifest_says_what_the_folder_is(folder: Path) -> None:
    (row,) = pq.ParquetFile(folder / "manifest.parquet").read().to_pylist()
    assert row["format"] == "mosaic"
    assert (row["schema_version"], row["dimension"], row["embedder"]) == (SCHEMA_VERSION, DIMENSION, EMBEDDER.name)
    assert (row["package_version"], row["counts"]["document"]) == ("1.2.3", 21)
    assert row["written_at"].startswith("20")


def test_an_empty_corpus_goes_out_and_in(tmp_path: Path) -> None:
    with new_corpus() as database:
        counts = export_folder(database, tmp_path / "out", version="1")
    assert {name for name, rows in counts.items() if rows} == {"meta"}
    assert import_folder(tmp_path / "out", tmp_path / "b.duckdb") == counts
    with new_corpus(tmp_path / "b.duckdb") as database:
        assert add(database, [doc("a", "Radium was found in Paris.", "Radium")]).added == 1


def test_plain_parquet_types_only(folder: Path) -> None:
    def leaves(kind: pa.DataType) -> set[str]:
        inner = [kind.field(place).type for place in range(kind.num_fields)]
        return set().union(*map(leaves, inner)) if inner else {str(kind)}

    found = {leaf for path in folder.iterdir() for leaf in leaves(pa.struct(pq.read_schema(path)))}
    assert found <= {"int32", "int64", "string", "bool", "double", "float", "extension<arrow.json>"}


def test_a_corpus_that_came_through_parquet_goes_on_like_the_old(corpus: Path, folder: Path, tmp_path: Path) -> None:
    import_folder(folder, tmp_path / "new.duckdb")
    shutil.copy(corpus, tmp_path / "old.duckdb")
    found = []
    for name in ("old", "new"):
        with new_corpus(tmp_path / f"{name}.duckdb") as database:
            add(database, [doc("later", "The Zyx Works of Paris made Radium lamps.", "Zyx Works")])
            found.append({name: sorted(rows, key=repr) for name, rows in rows_of(database).items()})
    assert {name for name in found[0] if repr(found[0][name]) != repr(found[1][name])} == set()


# -- opened as it is -------------------------------------------------------------------------------------------------


def test_the_folder_answers_like_the_file(corpus: Path, folder: Path) -> None:
    queries: list[tuple[str, dict[str, Any]]] = [
        ("link.names", {"keys": ["radium", "paris", "marie curie", "o brien"]}),
        ("link.terms", {"stems": ["radium", "discov", "element"]}),
        ("link.schema", {}),
        ("link.relations", {}),
        ("link.catalogue", {}),
        ("seed.base", {"bm25_share": 0.5, "title_boost": 0.5, "anchor_threshold": 0.3}),
        ("store.meta", {}),
    ]
    answers = []
    for path in (corpus, folder):
        with open_database(path, read_only=True) as database:
            database.script("3_stages", dimension=DIMENSION)
            database.execute("stage.question_term")
            database.execute("stage.page")
            question = str([float(x) for x in range(DIMENSION)])
            database.connection.execute(
                f"INSERT INTO question BY NAME SELECT 0 AS question_id, {question}::FLOAT[{DIMENSION}] AS embedding, "
                "list({'term_no': term_id % 60, 'stem': term, 'is_cue': 0, 'term_id': term_id, 'idf': idf}) AS terms "
                "FROM term WHERE term IN ('radium', 'discov', 'element')"
            )
            answers.append({name: database.rows(name, **params) for name, params in queries})
    assert answers[0] == answers[1]
    assert all(rows for rows in answers[0].values())


def test_a_folder_is_read_only(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with open_database(folder) as database:
        assert (database.read_only, database.folder) == (True, True)
        with pytest.raises(MosaicError):
            database.put_meta(embedder="other")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_folder_can_be_queried_when_files_are_shut_off(folder: Path) -> None:
    secret = folder.parent / "secret.csv"
    secret.write_text("a\n1\n")
    with open_database(folder) as database:
        database.lock_down()
        assert database.connection.execute("SELECT count(*) FROM document").fetchone() == (21,)
        with pytest.raises(duckdb.PermissionException):
            database.connection.execute(f"SELECT * FROM '{secret}'")
        with pytest.raises(duckdb.Error):
            database.connection.execute(f"COPY (SELECT 1) TO '{folder.parent / 'x.csv'}'")


def test_a_cursor_sees_the_folder(folder: Path) -> None:
    with open_database(folder) as database, database.cursor() as twin:
        assert twin.rows("link.catalogue") == database.rows("link.catalogue")


def test_a_folder_can_be_exported_into_itself(folder: Path) -> None:
    before = files(folder)
    with open_database(folder) as database:
        export_folder(database, folder, version="1.2.3")
    assert same(files(folder), before)


# -- odd paths -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_paths(name: str, corpus: Path, tmp_path: Path) -> None:
    place = tmp_path / name
    place.mkdir()
    with open_database(corpus, read_only=True) as database:
        counts = export_folder(database, place / name, version="1")
    with open_database(place / name) as opened:
        assert dict(opened.rows("store.row_counts")) == counts
        opened.lock_down()
        assert len(opened.rows("ingest.known_documents")) == 21
    assert import_folder(place / name, place / f"{name}.duckdb") == counts
    assert sorted(path.name for path in place.iterdir()) == sorted([name, f"{name}.duckdb"])


def test_a_question_mark_in_a_path_is_for_folders_only(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "why?").mkdir()
    with open_database(corpus, read_only=True) as database:
        counts = export_folder(database, tmp_path / "why?" / "out", version="1")
    with open_database(tmp_path / "why?" / "out") as opened:
        assert dict(opened.rows("store.row_counts")) == counts
    refused(
        StoreError, lambda: import_folder(tmp_path / "why?" / "out", tmp_path / "why?" / "b.duckdb"), "question mark"
    )
    assert [path.name for path in (tmp_path / "why?").iterdir()] == ["out"]


def test_relative_paths(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_database(corpus, read_only=True) as database:
        export_folder(database, "out", version="1")
    import_folder("out", "b.duckdb")
    with open_database("out") as opened, open_database("b.duckdb", read_only=True) as new:
        monkeypatch.chdir("/")
        assert opened.rows("link.catalogue") == new.rows("link.catalogue")


# -- refused ---------------------------------------------------------------------------------------------------------


def refused(error: type[Exception], action: Any, *parts: str) -> None:
    with pytest.raises(error) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message
    assert all(part in message for part in parts), message


@pytest.mark.parametrize("table", ["chunk", "posting", "meta", "manifest"])
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "text"])
def test_a_damaged_folder_is_refused_in_one_line(table: str, damage: str, folder: Path, tmp_path: Path) -> None:
    path = folder / f"{table}.parquet"
    whole = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "cut": whole[: len(whole) // 2], "text": b"hello world " * 50}[damage])
    refused(StoreError, lambda: open_database(folder), str(folder))
    refused(StoreError, lambda: import_folder(folder, tmp_path / "b.duckdb"), str(folder))
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def rewritten(folder: Path, table: str, change: Any) -> None:
    path = folder / f"{table}.parquet"
    pq.write_table(change(pq.ParquetFile(path).read()), path)


def test_a_column_that_is_gone_is_told(folder: Path, tmp_path: Path) -> None:
    rewritten(folder, "chunk", lambda table: table.drop_columns(["heading"]))
    refused(StoreError, lambda: open_database(folder), str(folder), "heading")
    refused(StoreError, lambda: import_folder(folder, tmp_path / "b.duckdb"), str(folder), "heading")


def test_rows_that_are_gone_are_told(folder: Path, tmp_path: Path) -> None:
    rewritten(folder, "posting", lambda table: table.slice(1))
    refused(StoreError, lambda: import_folder(folder, tmp_path / "b.duckdb"), "posting.parquet", "manifest")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_vectors_of_another_length_are_told(folder: Path, tmp_path: Path) -> None:
    def shorter(table: pa.Table) -> pa.Table:
        vectors = [None if value is None else value[:3] for value in table["embedding"].to_pylist()]
        return table.set_column(table.column_names.index("embedding"), "embedding", pa.array(vectors))

    rewritten(folder, "node", shorter)
    refused(StoreError, lambda: import_folder(folder, tmp_path / "b.duckdb"), str(folder))
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("manifest", [
    {"format": ["delta"]},
    {"a": [1]},
    {"format": ["mosaic", "mosaic"]},
    {"format": ["mosaic"], "schema_version": ["1"], "dimension": ["many"], "counts": [{"chunk": 1}]},
    {"format": ["mosaic"], "schema_version": ["1"], "dimension": [16]},
    {"format": pa.array([], pa.string())},
])  # fmt: skip
def test_a_foreign_manifest_is_refused(manifest: dict[str, Any], folder: Path, tmp_path: Path) -> None:
    pq.write_table(pa.table(manifest), folder / "manifest.parquet")
    refused(StoreError, lambda: open_database(folder), "not the manifest of a mosaic export")
    refused(StoreError, lambda: import_folder(folder, tmp_path / "b.duckdb"), "not the manifest of a mosaic export")
    with new_corpus() as database:
        refused(StoreError, lambda: export_folder(database, folder, version="1"), "no export wrote")


def test_a_newer_version_is_refused(folder: Path, tmp_path: Path) -> None:
    rewritten(folder, "manifest", lambda table: table.set_column(1, "schema_version", pa.array(["99"])))
    refused(SchemaVersionError, lambda: open_database(folder), "99", "mosaic export")
    refused(SchemaVersionError, lambda: import_folder(folder, tmp_path / "b.duckdb"), "99")


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    refused(StoreError, lambda: open_database(tmp_path), "manifest.parquet", "mosaic export")


# -- all or nothing --------------------------------------------------------------------------------------------------


def test_an_export_replaces_an_earlier_one_and_nothing_else(folder: Path) -> None:
    with new_corpus() as database:
        add(database, [doc("a", "Radium was found in Paris.", "Radium")])
        counts = export_folder(database, folder, version="2")
        assert pq.ParquetFile(folder / "manifest.parquet").read().to_pylist()[0]["counts"] == counts
        assert [path.name for path in folder.parent.iterdir()] == ["out"]
        (folder / "notes.txt").write_text("mine")
        refused(StoreError, lambda: export_folder(database, folder, version="2"), "notes.txt")
        assert (folder / "notes.txt").read_text() == "mine"


def test_where_an_export_may_not_go(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "chunk.parquet").write_text("x")
    (tmp_path / "empty").mkdir()
    with new_corpus() as database:
        refused(StoreError, lambda: export_folder(database, tmp_path / "file", version="1"), "is a file")
        refused(StoreError, lambda: export_folder(database, tmp_path / "full", version="1"), "chunk.parquet")
        refused(StoreError, lambda: export_folder(database, tmp_path / "no" / "out", version="1"), "does not exist")
        export_folder(database, tmp_path / "empty", version="1")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "full"]


def test_an_export_that_fails_half_way_leaves_the_earlier_one(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(folder)
    with new_corpus() as database:
        database.connection.execute("DROP TABLE link")
        refused(MosaicError, lambda: export_folder(database, folder, version="1"), "link")
    assert same(files(folder), before)
    assert [path.name for path in folder.parent.iterdir()] == ["out"]


def test_an_export_that_can_not_take_its_place_leaves_the_earlier_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, rename = files(folder), Path.rename

    def failing(self: Path, target: Path) -> Path:
        if ".tmp-" in self.name:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with new_corpus() as database:
        refused(StoreError, lambda: export_folder(database, folder, version="1"), "No space left on device")
    assert same(files(folder), before)
    assert [path.name for path in folder.parent.iterdir()] == ["out"]


def test_an_import_takes_no_place_that_is_taken(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "b.duckdb").write_bytes(b"mine")
    refused(StoreError, lambda: import_folder(folder, tmp_path / "b.duckdb"), "exists")
    assert (tmp_path / "b.duckdb").read_bytes() == b"mine"
    refused(StoreError, lambda: import_folder(folder, tmp_path / "no" / "b.duckdb"), "does not exist")
    refused(StoreError, lambda: import_folder(tmp_path / "none", tmp_path / "c.duckdb"), "none")


def test_differences_are_seen() -> None:
    assert differences({"a": [(1,)]}, {"a": [(2,)]}).keys() == {"a"}
