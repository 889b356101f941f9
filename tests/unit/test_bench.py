"""`mosaic bench retrieval`: its measures by hand, its arms, and whole runs over a tiny one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from bench_folder import PASSAGES, write
from click.testing import CliRunner, Result

from mosaic_sql import sqlfiles
from mosaic_sql.bench import dataset as datasets
from mosaic_sql.bench import indexing, measures, retrieval
from mosaic_sql.bench.indexing import Settings
from mosaic_sql.commands.bench import bench
from mosaic_sql.database import Database
from mosaic_sql.errors import EmbedderMismatch, IngestError, MosaicError, PolicyError, StoreError

HASH = Settings(embedder="hash")
STAGES = "embed link question base seed cue walk evidence rows context".split()


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path / "tiny")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder measured by every method: its index beside it, the rows in `rows.json`."""
    folder = write(tmp_path_factory.mktemp("kept") / "tiny")
    methods = ",".join(retrieval.METHODS)
    rows = rows_of(folder, "--db", folder / "index.duckdb", "--methods", methods, "--threads", 1)
    (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


@pytest.fixture
def rows(kept: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((kept / "rows.json").read_text(encoding="utf-8"))
    return found


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(bench, ["retrieval", *map(str, arguments)], help_option_names=["-h", "--help"])


def rows_of(*arguments: object) -> list[dict[str, Any]]:
    done = invoke(*arguments, "--embedder", "hash", "--json")
    assert done.exit_code == 0, done.output
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


# -- measures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ranking", "wanted", "k", "share"),
    [
        (["a", "b", "c"], ["a", "c"], 2, 0.5),
        (["a", "b", "c"], ["a", "c"], 3, 1.0),
        (["a", "b", "c"], ["d"], 3, 0.0),
        ([], ["d"], 5, 0.0),
        (["a"], ["a"], 10, 1.0),
        (["a", "b"], ["b", "b"], 2, 1.0),
        (["x", "a", "b", "c"], ["a", "b", "c"], 2, 1 / 3),
    ],
)
def test_recall_is_the_share_of_the_support_among_the_first_k(
    ranking: list[str], wanted: list[str], k: int, share: float
) -> None:
    assert measures.recall(ranking, wanted, k) == pytest.approx(share)


def test_quality_is_averaged_over_questions_in_percent() -> None:
    ranking = [f"d{number}" for number in range(10)]
    judged = [
        (ranking, {"d0", "d1"}),  # 1, 1, 1 and all among 5
        (ranking, {"d0", "d5"}),  # 1/2, 1/2, 1
        (ranking, {"d4", "d9", "x"}),  # 0, 1/3, 2/3
    ]
    assert measures.quality(judged) == {"R@2": 50.0, "R@5": 61.1, "R@10": 88.9, "all@5": 33.3}


def test_a_document_stands_where_its_best_chunk_stands() -> None:
    assert measures.by_first_appearance(["b", None, "a", "b", "c", "a"]) == ["b", "a", "c"]


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([3.0], 0.95, 3.0), ([4.0, 1.0, 2.0, 3.0], 0.5, 2.5), ([1.0, 2.0, 3.0], 0.5, 2.0), ([0.0, 10.0], 0.95, 9.5),
     ([5.0, 1.0], 0.0, 1.0), ([5.0, 1.0], 1.0, 5.0)],
)  # fmt: skip
def test_percentiles_lie_between_neighbours(values: list[float], share: float, expected: float) -> None:
    assert measures.percentile(values, share) == pytest.approx(expected)


# -- arms ------------------------------------------------------------------------------------------------------------


def arms(database: Database, base: Sequence[tuple[int, float, float | None]], limit: int = 10) -> dict[str, list[str]]:
    """Chunks (id, lexical, cosine) of one question, ranked by each arm."""
    connection = database.connection
    for number, _, _ in base:
        connection.execute("INSERT INTO document (document_id, source) VALUES ($1, 'd' || $1)", [number])
        connection.execute("INSERT INTO chunk (chunk_id, document_id, text) VALUES ($1, $1, '')", [number])
    connection.executemany(
        "INSERT INTO base (question_id, chunk_id, lexical, cosine) VALUES (0, $1, $2, $3)", [list(row) for row in base]
    )
    body = sqlfiles.load("evidence.arms").body
    rows = connection.execute(body, {"fusion_constant": 60, "ranking_limit": limit}).fetchall()
    found: dict[str, list[str]] = {}
    for _, arm, rank, _, source in rows:
        found.setdefault(arm, []).append(source)
        assert rank == len(found[arm])
    return found


def test_each_arm_ranks_alone_and_ties_go_by_id(empty: Database) -> None:
    base = [(1, 0.5, 0.1), (2, 1.0, 0.3), (3, 0.5, 0.9), (4, 0.0, 0.3)]
    assert arms(empty, base) == {
        "bm25": ["d2", "d1", "d3"],
        "dense": ["d3", "d2", "d4", "d1"],
        "fusion": ["d2", "d3", "d1", "d4"],  # 1/61+1/62, 1/63+1/61, 1/62+1/64, 1/63
    }


def test_without_vectors_fusion_is_bm25(empty: Database) -> None:
    assert arms(empty, [(1, 0.5, None), (2, 1.0, None), (3, 0.0, None)]) == {
        "bm25": ["d2", "d1"],
        "fusion": ["d2", "d1"],
    }


def test_arms_end_at_the_limit(empty: Database) -> None:
    found = arms(empty, [(number, 1.0 / number, 0.5) for number in range(1, 6)], limit=2)
    assert found == {arm: ["d1", "d2"] for arm in ("bm25", "dense", "fusion")}


# -- whole runs ------------------------------------------------------------------------------------------------------


def test_json_is_a_list_of_rows(rows: list[dict[str, Any]]) -> None:
    assert [(row["dataset"], row["method"]) for row in rows] == [("tiny", method) for method in retrieval.METHODS]
    for row in rows:
        assert list(row) == [
            "dataset", "method", "R@2", "R@5", "R@10", "all@5", "paths", "p50_ms", "p95_ms", "questions", "passages",
            "index_passages_per_s", "stages", "settings",
        ]  # fmt: skip
        assert 0 <= row["R@2"] <= row["R@5"] <= row["R@10"] <= 100
        assert 0 < row["p50_ms"] <= row["p95_ms"]
        assert (row["questions"], row["passages"]) == (4, 10)
        assert row["index_passages_per_s"] > 0
        assert all(0 <= spread["p50_ms"] <= spread["p95_ms"] for spread in row["stages"].values())
        assert row["settings"]["embedder"] == "hash"
        assert row["settings"]["threads"] == 1


def test_every_method_says_what_ran(rows: list[dict[str, Any]]) -> None:
    found = {row["method"]: row for row in rows}
    assert list(found["default"]["stages"]) == STAGES
    assert list(found["fusion"]["stages"]) == [*STAGES[: STAGES.index("seed")], "arms"]
    assert found["default"]["settings"]["operators"] == {"chunk_hop": 4}
    assert found["mosaic"]["settings"]["operators"] == {"beam": 4}
    assert found["bm25"]["settings"]["operators"] == {"none": 4}
    assert [found[arm]["paths"] for arm in retrieval.ARMS] == [0, 0, 0]
    assert 0 < found["narrow"]["paths"] <= found["medium"]["paths"] <= found["wide"]["paths"]


def test_a_kept_index_is_used_again_with_the_same_rows_on_other_threads(kept: Path, rows: list[dict[str, Any]]) -> None:
    again = rows_of(kept, "--db", kept / "index.duckdb", "--threads", 4)
    same = ("method", "R@2", "R@5", "R@10", "all@5", "paths")
    assert {row["index_passages_per_s"] for row in again} == {None}
    assert [[row[key] for key in same] for row in again] == [
        [row[key] for key in same] for row in rows if row["method"] in retrieval.USUAL
    ]


def test_the_table_is_on_stdout_and_notes_on_stderr(kept: Path) -> None:
    index = ["--db", kept / "index.duckdb", "--embedder", "hash"]
    done = invoke(kept, *index, "--methods", "bm25, narrow", "--limit", 1, "--stages")
    assert done.exit_code == 0
    heading, columns, first, *rest = done.stdout.splitlines()
    assert heading == "tiny"
    assert columns.split() == "method R@2 R@5 R@10 all@5 paths p50 ms p95 ms".split()
    assert (first.split()[0], len(first.split())) == ("bm25", 8)
    arms_too = [*STAGES[: STAGES.index("seed")], "arms"]
    assert [line.split()[0] for line in rest] == [*arms_too, "narrow", *STAGES]
    assert done.stderr == "tiny: 10 passages, 1 questions\ntiny: index used as it was\n"


def test_dropped_titles_are_not_indexed(kept: Path, tmp_path: Path) -> None:
    without = tmp_path / "without.duckdb"
    (row,) = rows_of(kept, "--methods", "bm25", "--db", without, "--drop-titles", "--limit", 1)
    assert row["settings"]["drop_titles"] is True
    found = []
    for path in (kept / "index.duckdb", without):
        with indexing.opened(path, HASH, indexing.watched(HASH)) as corpus:
            found.append(set(corpus.query("SELECT title FROM document")["title"].to_pylist()))
    titles, read_from_texts = found
    assert titles == {title for title, _ in PASSAGES}
    assert titles - read_from_texts >= {"Ada Lovelace", "Marie Curie", "Seine"}  # their texts define no name


def test_an_index_that_was_cut_short_is_finished(tiny: Path, tmp_path: Path) -> None:
    dataset, path = datasets.load(tiny), tmp_path / "half.duckdb"
    half = datasets.Dataset("half", dataset.passages[:5], dataset.questions)
    with indexing.opened(path, HASH, indexing.watched(HASH)) as corpus:
        assert indexing.index(corpus, half, HASH, None)
        assert indexing.index(corpus, dataset, HASH, None)
        assert corpus.stats()["documents"] == 10


@pytest.mark.parametrize(
    ("changed", "message", "kind"),
    [
        (["--drop-titles"], "holds other passages or titles", StoreError),
        (["--sentence-vectors"], "was made with sentence_vectors false, not true", StoreError),
        (["--extractor", "spacy"], "was made with extractor rules, not spacy", StoreError),
        (["--embedder", "hash:8"], "the corpus was embedded by hash-64", EmbedderMismatch),
        (["--embedder", "none"], "none was given", EmbedderMismatch),
    ],
)
def test_an_index_of_other_settings_is_refused(
    kept: Path, changed: list[str], message: str, kind: type[MosaicError]
) -> None:
    done = invoke(kept, "--db", kept / "index.duckdb", "--methods", "bm25", "--embedder", "hash", *changed)
    assert isinstance(done.exception, kind)
    assert message in str(done.exception)


def test_folders_are_measured_one_after_the_other_or_merged(tiny: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "other")
    apart = rows_of(tiny, other, "--methods", "bm25", "--limit", 2)
    assert [(row["dataset"], row["passages"], row["questions"]) for row in apart] == [("tiny", 10, 2), ("other", 10, 2)]
    (together,) = rows_of(tiny, other, "--methods", "bm25", "--limit", 2, "--merge")
    assert (together["dataset"], together["passages"], together["questions"]) == ("tiny+other", 10, 4)
    assert [together[key] for key in ("R@2", "R@5")] == [apart[0][key] for key in ("R@2", "R@5")]


def test_without_vectors_words_alone_are_measured(tiny: Path) -> None:
    done = invoke(tiny, "--embedder", "none", "--methods", "bm25,dense,fusion,default", "--limit", 1, "--json")
    assert [row["method"] for row in json.loads(done.stdout)] == ["bm25", "default"]
    assert "dense, fusion left out: without an embedder there are no vectors" in done.stderr
    with pytest.raises(PolicyError, match="none is left"):
        retrieval.measurable(["dense"], Settings(embedder="none"))


def test_unknown_methods_and_one_file_for_two_corpora_are_refused(tiny: Path, tmp_path: Path) -> None:
    assert "unknown 'bm26'; one of bm25, dense" in invoke(tiny, "--methods", "bm26").stderr
    assert "--db keeps one corpus" in invoke(tiny, tiny, "--db", tmp_path / "x.duckdb").stderr
    assert [invoke(tiny, "--methods", "bm26").exit_code, invoke(tiny, "--limit", 0).exit_code, invoke().exit_code] == [
        2
    ] * 3
    with pytest.raises(PolicyError, match="unknown 'bm26'"):
        retrieval.measurable(["bm26"], HASH)


def test_broken_input_reaches_the_command_as_our_error(tiny: Path) -> None:
    (tiny / "questions.jsonl").write_text("{", encoding="utf-8")
    assert isinstance(invoke(tiny).exception, IngestError)


def test_a_temporary_index_is_gone_afterwards(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    progress: list[str] = []
    told: Callable[[str, int, int], None] = lambda stage, done, total: progress.append(stage)  # noqa: E731
    found = retrieval.run(datasets.load(tiny), ["bm25"], HASH, progress=told)
    next(found)
    assert [*place.iterdir()]
    assert [*found] == []
    assert [*place.iterdir()] == []
    assert {"documents", "index", "arms"} <= set(progress)
