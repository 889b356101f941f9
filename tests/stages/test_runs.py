"""Kept runs: listed, shown, compared, replayed, pruned."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from click.testing import CliRunner, Result

import mosaic_sql as mosaic
from mosaic_sql.commands import cli
from mosaic_sql.errors import PolicyError, QueryError, StoreError, UnknownId

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


def test_a_diff_tells_two_questions_and_what_else_changed(path: Path) -> None:
    one, other = kept(path), kept(path, question="Where was Ramsay born?")
    with mosaic.open(path) as corpus:
        found = corpus.runs.diff(one, other)
        assert (found.question, found.other_question, found.changes) == (QUESTION, "Where was Ramsay born?", ())
        corpus.remove("argon")
    later = kept(path)
    told = run("runs", "diff", path, other, later).stdout.splitlines()
    assert told[:4] == [
        "questions  Where was Ramsay born?",
        f"           {QUESTION}",
        "           two questions: what they kept differs for that reason too",
        "changed    the corpus changed",
    ]


def test_a_run_of_a_corpus_that_changed_since_says_so_and_what_is_gone(path: Path) -> None:
    one = kept(path)
    with mosaic.open(path, read_only=True) as corpus:
        assert corpus.runs.show(one).changes == ()
        (gone,) = corpus.query("SELECT chunk_id FROM chunk WHERE title = 'Argon'")["chunk_id"].to_pylist()
        why = f"SELECT stage, kept, reason FROM mosaic_why('{one}', {gone})"
        before = corpus.query(why).to_pylist()
        assert {row["stage"] for row in before} == {"seed", "evidence"}
    with mosaic.open(path) as corpus:
        corpus.remove("argon")
        shown, same = corpus.runs.show(one), corpus.runs.diff(one, one)
        titles = {row["title"] for row in shown.evidence if row["unit_kind"] == "chunk" and row["unit_id"] == gone}
    assert titles == {"(no longer in the corpus)"}
    assert shown.changes == same.changes == ("the corpus changed since",)
    assert "changed          the corpus changed since\n" in run("runs", "show", path, one).stdout
    with mosaic.open(path, read_only=True) as corpus:
        told = {"stage": "corpus", "kept": None, "reason": "changed since this run; the chunk is gone"}
        assert corpus.query(why).to_pylist() == [told, *before]
        there = corpus.query(f"FROM mosaic_why('{one}', (SELECT min(chunk_id) FROM chunk))").to_pylist()
        assert there[0]["reason"] == "changed since this run"
        with pytest.raises(QueryError, match="no chunk has the id -1"):
            corpus.query(f"FROM mosaic_why('{one}', -1)")


def test_a_diff_calls_an_edge_by_its_ends(tmp_path: Path) -> None:
    path = tmp_path / "g.duckdb"
    with mosaic.open(path, embedder="none") as corpus:
        corpus.import_graph(pa.table({"subject": ["Ada"] * 2, "relation": ["knows"] * 2, "object": ["Ben", "Cy"]}))
        one, other = (
            corpus.ask("?", record=True, policy={"operator": "bfs", "anchors": ["Ada"], "evidence_count": count}).run
            for count in (1, 2)
        )
        assert [row["title"] for row in corpus.runs.diff(str(one), str(other)).evidence] == ["Ada -knows-> Cy"]
        assert [row["title"] for row in corpus.runs.show(str(other)).evidence] == [
            "Ada -knows-> Ben",
            "Ada -knows-> Cy",
        ]


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


def test_all_runs_stay_until_a_bound_is_set_which_then_holds_whenever_one_is_kept(path: Path) -> None:
    runs = [kept(path) for _ in range(3)]
    with mosaic.open(path, read_only=True) as corpus:
        assert (corpus.stats()["runs"], corpus.stats()["runs_retained"]) == (3, "all")
        assert corpus.runs.retain(keep=2) == 1
        assert [row["run_id"] for row in corpus.runs.list()] == [runs[2], runs[1]]
    with mosaic.open(path, read_only=True) as other:
        asked = other.ask(QUESTION, record=True)
        assert asked.pruned == 1
        assert [row["run_id"] for row in other.runs.list()] == [asked.run, runs[2]]
        assert (other.stats()["runs"], other.stats()["runs_retained"]) == (2, "the 2 latest")
        assert other.runs.retain(keep=9, days=30) == 0
        assert str(other.runs.retention) == "the 9 latest of the last 30 days"
        assert other.runs.retain() == 0
        assert str(other.runs.retention) == "all"
        with pytest.raises(PolicyError, match="keeps one run at least"):
            other.runs.retain(keep=0)


def test_runs_older_than_the_bound_go_when_one_is_kept(path: Path) -> None:
    old, young = kept(path), kept(path)
    with mosaic.open(path, read_only=True) as corpus:
        corpus.runs.retain(days=2)
        with duckdb.connect(str(path.with_name("c.runs.duckdb"))) as runs:
            runs.execute("UPDATE run SET started_at = started_at - INTERVAL 3 DAY WHERE run_id = ?", [old])
        asked = corpus.ask(QUESTION, record=True)
        assert asked.pruned == 1
        assert [row["run_id"] for row in corpus.runs.list()] == [asked.run, young]


def test_the_steps_of_a_run_go_and_stay_with_it(path: Path) -> None:
    first, second = kept(path), kept(path)
    with duckdb.connect(str(path.with_name("c.runs.duckdb"))) as runs:  # each with a step that began before it
        for run in (first, second):
            runs.execute(
                "INSERT INTO run BY NAME SELECT 'of-' || run_id AS run_id, run_id AS parent_run_id, question, "
                "started_at - INTERVAL 1 HOUR AS started_at FROM run WHERE run_id = ?", [run]
            )  # fmt: skip
    with mosaic.open(path, read_only=True) as corpus:
        assert corpus.runs.prune(keep=1) == 1
        assert {row["run_id"] for row in corpus.runs.list()} == {second, f"of-{second}"}


def test_a_bound_keeps_the_file_from_growing(path: Path) -> None:
    kept(path)
    with mosaic.open(path, read_only=True) as corpus:
        corpus.runs.retain(keep=1)
        sizes = []
        for _ in range(6):
            corpus.ask(QUESTION, record=True)
            sizes.append(corpus.runs.bytes)
    assert max(sizes) <= 2 * sizes[0]


def test_a_file_that_holds_something_else_is_no_file_of_runs(path: Path) -> None:
    with duckdb.connect(str(path.with_name("c.runs.duckdb"))) as other:
        other.execute("CREATE TABLE run (speed INTEGER)")
    with mosaic.open(path, read_only=True) as corpus:
        assert "holds other tables than runs" in str(corpus.stats()["runs_error"])
        for look in (corpus.runs.list, lambda: corpus.runs.prune(keep=1), lambda: corpus.runs.retain()):
            with pytest.raises(StoreError, match="holds other tables than runs"):
                look()


def test_a_query_reads_kept_runs_and_lets_them_go(path: Path) -> None:
    with mosaic.open(path, read_only=True) as corpus:
        with pytest.raises(QueryError, match=r"^no run is kept; keep one with `mosaic ask DB QUESTION --keep`$"):
            corpus.query("FROM mosaic_runs()")
        with pytest.raises(QueryError, match=r"run does not exist.*; no run is kept"):
            corpus.query("FROM trace.run")
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
    assert run("runs", "retain", path).stdout == "all\n"
    assert run("runs", "retain", path, "--keep", 1, "--all").exit_code == 2
    assert run("runs", "retain", path, "--keep", 1, "--dry-run").stderr == "the 1 latest stay; 1 run would go now\n"
    bounded = run("runs", "retain", path, "--keep", 2, "--days", 9).stderr
    assert bounded == "the 2 latest of the last 9 days stay; 0 runs deleted now\n"
    told = run("ask", path, QUESTION, "--keep").stderr
    assert "; 1 older run deleted, by the bound of `mosaic runs retain`" in told
    assert run("runs", "retain", path, "--all").stderr == "all stay; 0 runs deleted now\n"
    assert run("runs", "prune", path, "--keep", 1).exit_code == 0
    assert run("runs", "show", path, one).exit_code == 1
