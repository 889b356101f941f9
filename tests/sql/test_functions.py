"""The table macros of a corpus file, run by plain DuckDB without this package."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import mosaic_sql as mosaic
from mosaic_sql import sqlfiles
from mosaic_sql.errors import PolicyError
from mosaic_sql.ingest import functions

MACROS = [name.rpartition(".")[2] for name in sqlfiles.names() if name.startswith("functions.mosaic_")]


@pytest.fixture(scope="module")
def path(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample corpus with one kept run."""
    path = Path(shutil.copy(sample, tmp_path_factory.mktemp("functions") / "sample.duckdb"))
    with mosaic.open(path, read_only=True) as corpus:
        corpus.ask("Who found argon?", policy={"operator": "chunk_hop"}, record=True)
    return path


@pytest.fixture
def plain(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(path), read_only=True) as connection:
        yield connection


def column(connection: duckdb.DuckDBPyConnection, sql: str) -> list[object]:
    return [row[0] for row in connection.execute(sql).fetchall()]


def test_every_macro_is_in_the_file_and_says_what_it_does(plain: duckdb.DuckDBPyConnection) -> None:
    told = dict(
        plain.execute(
            "SELECT function_name, comment FROM duckdb_functions() WHERE function_name LIKE 'mosaic%'"
        ).fetchall()
    )
    assert told == {name: sqlfiles.load(f"functions.{name}").doc for name in MACROS}


def test_no_parameter_shares_a_name_with_a_column(plain: duckdb.DuckDBPyConnection) -> None:
    """DuckDB would put the parameter in the column's place, silently."""
    columns = set(column(plain, "SELECT column_name FROM duckdb_columns() WHERE NOT internal"))
    parameters = set(
        column(plain, "SELECT unnest(parameters) FROM duckdb_functions() WHERE function_name LIKE 'mosaic%'")
    )
    assert parameters
    assert not parameters & columns


@pytest.mark.parametrize("item", ["'Yttrium'", "'yttrium'", "(SELECT max(node_id) FROM node WHERE name = 'Yttrium')"])
def test_a_node_is_named_by_name_spelling_or_id(plain: duckdb.DuckDBPyConnection, item: str) -> None:
    found = column(plain, f"SELECT neighbour FROM mosaic_neighbours({item})")
    assert "Johan Gadolin" in found
    assert found == sorted(found, key=found.index)  # once each edge


ERRORS = {
    "mosaic_neighbours('Argonn')": "no node goes by the name `Argonn`; the nearest is `Argon`",
    "mosaic_neighbours('no such'' OR 1=1 --')": "no node goes by the name `no such' OR 1=1 --`; a part finds names",
    "mosaic_neighbours((SELECT node_id FROM node WHERE name = 'x'))": "no node has the id NULL; mosaic_nodes",
    "mosaic_similar(-1)": "no node has the id -1; mosaic_nodes",
    "mosaic_beam('Argonn')": "the nearest is `Argon`",
    "mosaic_bfs('Argonn')": "the nearest is `Argon`",
    "mosaic_bfs('Argon', ways := 'both')": "ways is 'either', 'forward' or 'backward', not both",
    "mosaic_paths('Yttrium', 'Erbiun')": "the nearest is `Erbium`",
    "mosaic_paths('Ytrium', 'Erbium')": "the nearest is `Yttrium`",
    "mosaic_match('Argonn', 'any')": "the nearest is `Argon`",
    "mosaic_match('Argon', '')": "pattern: step 1 is empty",
    "mosaic_match('Argon', NULL)": "pattern: step 1 is empty",
    "mosaic_match('Argon', 'any//any')": "pattern: step 2 is empty",
    "mosaic_match('Argon', 'discoverd_by / any')": "no relation `discoverd_by`; the nearest is `discovered_by`",
    "mosaic_match('Argon', 'received / discoverd_by')": "no relation `discoverd_by`; the nearest is `discovered_by`",
    "mosaic_match('Argon', 'discovered_by [persn]')": "no node kind `persn`; the nearest is `person`",
    "mosaic_match('Argon', 'any{1,3}')": "step 1 `any{1,3}` cannot be read",
    "mosaic_match('Argon', '(any')": "step 1 `(any` cannot be read",
    "mosaic_match('Argon', '''any')": "pattern: a quote is not closed",
    f"mosaic_match('Argon', '{'/'.join(['any'] * 21)}')": "pattern: more than 20 steps",
    "mosaic_similar_chunks(-1)": "no chunk has the id -1; chunk_id of mosaic_bm25",
    "mosaic_beam_chunk(NULL)": "no chunk has the id NULL",
    "mosaic_runs()": "kept runs are not attached; say ATTACH 'sample.runs.duckdb' AS trace (READ_ONLY)",
    "mosaic_why('x', 1)": "kept runs are not attached; say ATTACH 'sample.runs.duckdb' AS trace (READ_ONLY)",
    "mosaic_kept('walk')": "kept runs are not attached",
    "mosaic_kept('no''such')": "the tables run, seed, walk, evidence, event and call, not no'such",
    "mosaic_kept(NULL)": "event and call, not NULL",
    "mosaic_bfs(1.5)": "no node has the id 1.5; mosaic_nodes",
    "mosaic_similar_chunks(1.5)": "no chunk has the id 1.5",
    "mosaic_bfs('Argon', hops := -1)": "hops is a whole number from 1 to 100, not -1",
    "mosaic_bfs('Argon', hops := NULL)": "hops is a whole number from 1 to 100, not NULL",
    "mosaic_bfs('Argon', hops := 1.5)": "hops is a whole number from 1 to 100, not 1.5",
    "mosaic_beam('Argon', width := 0)": "width is a whole number from 1 to 100000, not 0",
    "mosaic_beam_chunk(1, hops := 0)": "hops is a whole number from 1 to 100, not 0",
    "mosaic_paths('Yttrium', 'Erbium', longest := 0)": "longest is a whole number from 1 to 100, not 0",
    "mosaic_bm25('argon', top := NULL)": "top is a whole number from 0 to 1000000000, not NULL",
    "mosaic_match('Argon', 'any', top := NULL)": "top is a whole number from 0 to 1000000000, not NULL",
    "mosaic_neighbours('Argon', top := NULL)": "top is a whole number from 0 to 1000000000, not NULL",
    "mosaic_similar('Argon', top := NULL)": "top is a whole number from 0 to 1000000000, not NULL",
    "mosaic_paths('Yttrium', 'Erbium', top := -1)": "top is a whole number from 0 to 1000000000, not -1",
    "mosaic_similar_chunks(1, top := NULL)": "top is a whole number from 0 to 1000000000, not NULL",
}


@pytest.mark.parametrize("call", ERRORS)
def test_a_call_that_can_mean_nothing_is_an_error_that_says_what_to_do(
    plain: duckdb.DuckDBPyConnection, call: str
) -> None:
    for columns in ("*", "count(*)"):
        with pytest.raises(duckdb.InvalidInputException, match=re.escape(ERRORS[call])):
            plain.execute(f"SELECT {columns} FROM {call}").fetchall()


LONG = "repeat('x', 1000000)"


@pytest.mark.parametrize(
    "call",
    [
        f"mosaic_bfs({LONG})",
        f"mosaic_paths('Yttrium', {LONG})",
        f"mosaic_match('Argon', {LONG})",
        f"mosaic_match('Argon', 'any [' || {LONG} || ']')",
        f"mosaic_match('Argon', '?' || {LONG})",
        f"mosaic_bfs('Argon', ways := {LONG})",
        f"mosaic_kept({LONG})",
        f"mosaic_beam_chunk({LONG})",
    ],
)
def test_a_long_name_that_is_not_there_is_told_at_once_and_shortened(
    plain: duckdb.DuckDBPyConnection, call: str
) -> None:
    stop = threading.Timer(5, plain.interrupt)
    stop.start()
    with pytest.raises(duckdb.InvalidInputException) as raised:
        plain.execute(f"FROM {call}").fetchall()
    stop.cancel()
    assert len(str(raised.value)) < 400


def test_a_search_by_name_that_finds_nothing_has_no_rows(plain: duckdb.DuckDBPyConnection) -> None:
    assert plain.execute("FROM mosaic_nodes('no such node'' OR 1=1 --')").fetchall() == []


def test_words_are_found_in_any_form_and_best_first(plain: duckdb.DuckDBPyConnection) -> None:
    rows = plain.execute("SELECT score, source FROM mosaic_bm25('DISCOVERIES of argon', top := 5)").fetchall()
    assert rows[0][1] == "argon.txt"
    assert [row[0] for row in rows] == sorted((row[0] for row in rows), reverse=True)
    assert plain.execute("FROM mosaic_bm25('')").fetchall() == []


def test_why_tells_of_a_chunk_that_was_kept_and_of_one_that_was_not(
    path: Path, plain: duckdb.DuckDBPyConnection
) -> None:
    plain.execute(f"ATTACH '{path.with_name('sample.runs.duckdb')}' AS trace (READ_ONLY)")
    ((run, question),) = plain.execute("SELECT run_id, question FROM mosaic_runs()").fetchall()
    assert question == "Who found argon?"
    kept = column(plain, "SELECT min(chunk_id) FROM chunk WHERE title = 'Argon'")[0]
    stages = plain.execute("SELECT stage, kept FROM mosaic_why(?, ?)", [run, kept]).fetchall()
    assert ("evidence", True) in stages
    dropped = column(plain, f"SELECT chunk_id FROM trace.evidence WHERE run_id = '{run}' AND NOT kept ORDER BY rank")[0]
    reasons = plain.execute("SELECT reason FROM mosaic_why(?, ?) WHERE stage = 'evidence'", [run, dropped]).fetchall()
    assert reasons == [("dropped: evidence_count",)]
    for asked, chunk, told in (("x", kept, "no run x is kept"), (run, -1, "no chunk has the id -1")):
        with pytest.raises(duckdb.InvalidInputException, match=told):
            plain.execute("SELECT count(*) FROM mosaic_why(?, ?)", [asked, chunk]).fetchall()


PATTERNS = [
    "discovered_by / received",
    "^discovered_by [element]",
    "(discovered_by | found_in)",
    "~member_of_group / ~any",
    "'discovered_by'/any ['award']",
    "(discovered_by | ~found_in)[person]",
]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("item", ["Argon", "William Ramsay"])
def test_a_pattern_reaches_what_the_library_reaches(
    path: Path, plain: duckdb.DuckDBPyConnection, item: str, pattern: str
) -> None:
    found = sorted(
        row[0] for row in plain.execute("SELECT node_id FROM mosaic_match(?, ?)", [item, pattern]).fetchall()
    )
    with mosaic.open(path, read_only=True) as corpus:
        try:
            expected = sorted(row.node_id for row in corpus.match(item, pattern).rows)
        except PolicyError:  # the schema refuses what can lead nowhere
            expected = []
    assert found == expected


def test_a_neighbourhood_and_paths_are_those_of_the_library(path: Path, plain: duckdb.DuckDBPyConnection) -> None:
    argon = column(plain, "SELECT node_id FROM node WHERE name = 'Argon' AND origin = 'graph'")[0]
    near = plain.execute(f"SELECT node_id, distance FROM mosaic_bfs({argon}, hops := 2, top := 100000)").fetchall()
    ways = plain.execute("SELECT nodes FROM mosaic_paths('Yttrium', 'Erbium', longest := 3, top := 5)").fetchall()
    with mosaic.open(path, read_only=True) as corpus:
        walk = corpus.retrieve(
            "?", policy={"operator": "bfs", "anchors": [argon], "max_depth": 2}
        ).walk.rows.to_pylist()
        paths = corpus.paths("Yttrium", "Erbium", k=5, policy={"max_depth": 3}).rows
    assert sorted(near) == sorted((row["tail_id"], row["depth"]) for row in walk if row["depth"] > 0)
    assert [tuple(way[0]) for way in ways] == [row.nodes for row in paths]
    assert len(ways) == 5


def test_all_that_lies_around_a_hub_is_reached(tmp_path: Path) -> None:
    path, count = tmp_path / "hub.duckdb", 1200
    edges = {"subject": ["hub"] * count, "relation": ["of"] * count, "object": [f"leaf {n}" for n in range(count)]}
    with mosaic.open(path, embedder="none") as corpus:
        corpus.import_graph(pa.table(edges))
    with duckdb.connect(str(path), read_only=True) as shell:
        for call in ("mosaic_bfs('hub', top := 9999)", "mosaic_match('hub', 'of', top := 9999)"):
            assert shell.execute(f"SELECT count(*) FROM {call}").fetchall() == [(count,)]


def test_they_survive_export_and_import_and_are_in_a_folder(path: Path, tmp_path: Path) -> None:
    with mosaic.open(path, read_only=True) as corpus:
        corpus.export(tmp_path / "folder")
    mosaic.import_folder(tmp_path / "folder", tmp_path / "again.duckdb")
    query = "SELECT neighbour FROM mosaic_neighbours('Yttrium')"
    with duckdb.connect(str(path), read_only=True) as one, duckdb.connect(str(tmp_path / "again.duckdb")) as other:
        assert column(one, query) == column(other, query) != []
    with mosaic.open(tmp_path / "folder") as corpus:
        assert len(corpus.query(query)) > 0


def test_they_survive_the_export_and_import_of_duckdb_itself(plain: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    plain.execute(f"EXPORT DATABASE '{tmp_path / 'folder'}' (FORMAT parquet)")
    with duckdb.connect() as other:
        other.execute(f"IMPORT DATABASE '{tmp_path / 'folder'}'")
        query = "SELECT way FROM mosaic_paths('Yttrium', 'Erbium', longest := 2)"
        assert column(other, query) == column(plain, query) != []
        names = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_name LIKE 'mosaic%' ORDER BY 1"
        assert column(other, names) == sorted(MACROS)


def test_a_file_with_older_ones_gets_these_when_it_is_next_written(tmp_path: Path) -> None:
    path = tmp_path / "old.duckdb"
    mosaic.open(path, embedder="none").close()
    with duckdb.connect(str(path)) as plain:
        plain.execute("DROP MACRO TABLE mosaic_schema")
        plain.execute(f"UPDATE meta SET value = 'older' WHERE key = '{functions.META}'")
    mosaic.open(path, read_only=True).close()
    mosaic.open(path).close()
    with duckdb.connect(str(path), read_only=True) as plain:
        assert plain.execute("FROM mosaic_schema()").fetchall() == []
