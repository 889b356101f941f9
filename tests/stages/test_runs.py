"""Kept runs: listed, shown, compared, replayed, pruned."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner, Result

import mosaic_sql as mosaic
from mosaic_sql.commands import cli
from mosaic_sql.errors import QueryError, UnknownId

TEXTS = {
    "argon": "Argon is a noble gas. Argon was found by William Ramsay in 1894.",
    "ramsay": "William Ramsay was born in Glasgow. William Ramsay received the Nobel Prize.",
    "glasgow": "Glasgow is a city in Scotland. William Ramsay was born in Glasgow.",
}
QUESTION = "Who found argon, and where was William Ramsay born?"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "c.duckdb"
    with mosaic.open(path, embedder="none") as corpus:
        corpus.add(*({"id": name, "title": name.title(), "text": text} for name, text in TEXTS.items()))
    return path


@pytest.fixture
def path(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(built, tmp_path / "c.duckdb"))


def kept(path: Path, policy: str | dict[str, object] | None = None, question: str = QUESTION) -> str:
    with mosaic.open(path, read_only=True) as corpus:
        run = corpus.ask(question, policy=policy, record=True).run
    assert run is not None
    return run


def test_runs_are_listed_the_latest_first_and_shown(path: Path) -> None:
    first, second = kept(path), kept(path, "wide", "What is argon?")
    with mosaic.open(path, read_only=True) as corpus:
        assert [row["run_id"] for row in corpus.runs.list()] == [second, first]
        assert [row["run_id"] for row in corpus.runs.list(limit=1)] == [second]
        shown = corpus.runs.show(first)
        again = corpus.retrieve(QUESTION, keep_pruned=True)
        assert corpus.stats()["runs_bytes"] == corpus.runs.bytes > 0
    assert shown.run["question"] == QUESTION
    assert shown.run["policy"] == again.policy.model_dump(mode="json")
    assert [(row["unit_id"], row["kept"]) for row in shown.evidence] == [
        (row["unit_id"], row["kept"]) for row in again.evidence.rows.to_pylist()
    ]
    assert sum(row["looked_at"] for row in shown.walk) == len(again.walk.rows)
    assert [row["stage"] for row in shown.events] == [stage.stage for stage in again.stages]


@pytest.mark.parametrize("policy", [None, "mosaic", "wide", {"max_depth": 2, "evidence_count": 1, "min_evidence": 1}])
def test_a_replay_proves_the_same_rows(path: Path, policy: str | dict[str, object] | None) -> None:
    run = kept(path, policy)
    with mosaic.open(path, read_only=True) as corpus:
        found = corpus.runs.replay(run)
    assert (found.same, found.first, found.cause) == (True, None, "")


def test_a_replay_names_the_first_difference_and_that_the_corpus_changed(path: Path) -> None:
    run = kept(path)
    with mosaic.open(path) as corpus:
        corpus.add({"id": "argon", "title": "Argon", "text": "Argon is heavy."})
        found = corpus.runs.replay(run)
    assert not found.same
    assert found.first is not None
    assert found.first["stage"] == "seed"
    assert found.cause == "the corpus changed"


def test_a_replay_tells_another_version(path: Path) -> None:
    run = kept(path)
    with duckdb.connect(str(path.with_name("c.runs.duckdb"))) as runs:
        runs.execute("UPDATE run SET package_version = '0.0.1'")
        runs.execute("UPDATE evidence SET score = score + 1 WHERE rank = 1")
    with mosaic.open(path, read_only=True) as corpus:
        found = corpus.runs.replay(run)
    assert found.first is not None
    assert (found.first["stage"], found.first["item"]) == ("evidence", "place      1")
    assert found.cause.startswith("mosaic-sql 0.0.1 then, ")


def test_a_diff_tells_what_entered_and_left_and_why(path: Path) -> None:
    one = kept(path, {"evidence_count": 1, "min_evidence": 1})
    other = kept(path, {"evidence_count": 3, "min_evidence": 1})
    with mosaic.open(path, read_only=True) as corpus:
        there, back, self = corpus.runs.diff(one, other), corpus.runs.diff(other, one), corpus.runs.diff(one, one)
    assert [(row["control"], row["one"], row["other"]) for row in there.policy] == [
        ("evidence.evidence_count", "1", "3")
    ]
    assert {row["change"] for row in there.evidence} == {"entered"}
    assert {row["why"] for row in there.evidence} == {"before: dropped by evidence_count"}
    assert {row["change"] for row in back.evidence} == {"left"}
    assert {row["why"] for row in back.evidence} == {"now: dropped by evidence_count"}
    assert self.same
    assert not there.same


def test_runs_are_pruned_by_count_and_age(path: Path) -> None:
    runs = [kept(path) for _ in range(3)]
    with mosaic.open(path, read_only=True) as corpus:
        assert corpus.runs.prune(keep=2, dry_run=True) == 1
        assert corpus.runs.prune(keep=2) == 1
        assert [row["run_id"] for row in corpus.runs.list()] == runs[:0:-1]
        assert corpus.runs.prune(days=1) == 0
        assert corpus.runs.prune(days=0) == 2
        assert corpus.runs.list() == []
    with duckdb.connect(str(path.with_name("c.runs.duckdb"))) as plain:
        assert plain.execute("SELECT count(*) FROM evidence").fetchall() == [(0,)]


def test_a_query_reads_kept_runs_and_lets_them_go(path: Path) -> None:
    with mosaic.open(path, read_only=True) as corpus:
        with pytest.raises(QueryError, match="no run is kept; keep one with `mosaic ask DB QUESTION --keep`"):
            corpus.query("FROM mosaic_runs()")
        assert corpus.query("SELECT 'trace' AS word").to_pylist() == [{"word": "trace"}]
        first = corpus.ask(QUESTION, record=True).run
        assert corpus.query("SELECT run_id FROM mosaic_runs()")["run_id"].to_pylist() == [first]
        second = corpus.ask(QUESTION, record=True).run  # the file is free again
        assert corpus.query("SELECT count(DISTINCT run_id) AS n FROM trace.seed")["n"].to_pylist() == [2]
        why = corpus.query(f"SELECT stage, kept FROM mosaic_why('{second}', (SELECT min(chunk_id) FROM chunk))")
        assert len(why) > 0


def test_a_run_that_is_none_and_a_corpus_without_runs(path: Path) -> None:
    with mosaic.open(path, read_only=True) as corpus:
        assert corpus.runs.list() == []
        with pytest.raises(UnknownId, match="no run 'nope' is kept; `mosaic runs list DB`"):
            corpus.runs.show("nope")


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_the_commands(path: Path) -> None:
    empty = run("runs", "list", path, "--json")
    assert json.loads(empty.stdout) == []
    one, other = kept(path, "narrow"), kept(path, "wide")
    assert [row["run_id"] for row in json.loads(run("runs", "list", path, "--json").stdout)] == [other, one]
    assert QUESTION in run("runs", "show", path, one).stdout
    assert json.loads(run("runs", "show", path, one, "--json").stdout)["run"]["run_id"] == one
    assert "seed.seed_limit" in run("runs", "diff", path, one, other).stdout
    asked = json.loads(run("runs", "diff", path, "narrow", "wide", "--question", QUESTION, "--json").stdout)
    assert [row["control"] for row in asked["policy"]] == [
        row["control"] for row in json.loads(run("runs", "diff", path, one, other, "--json").stdout)["policy"]
    ]
    assert run("runs", "replay", path, one).exit_code == 0
    with mosaic.open(path) as corpus:
        corpus.remove("argon")
    gone = run("runs", "replay", path, one)
    assert gone.exit_code == 5
    assert "cause: the corpus changed" in gone.stdout
    assert run("runs", "prune", path).exit_code == 2
    assert run("runs", "prune", path, "--keep", 1).exit_code == 0
    assert run("runs", "show", path, one).exit_code == 1
