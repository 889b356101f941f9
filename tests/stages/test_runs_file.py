"""The file of kept runs: its bounds, its size, damage to it, and runs named by the beginning of their id."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

import mosaic_sql as mosaic
from mosaic_sql.commands import cli
from mosaic_sql.errors import PolicyError, UnknownId


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "c.duckdb"
    with mosaic.open(path, embedder="none") as corpus:
        corpus.add({"id": "argon", "title": "Argon", "text": "Argon was found by William Ramsay in 1894."})
    return path


def kept(path: Path, count: int) -> list[str]:
    with mosaic.open(path, read_only=True) as corpus:
        return [str(corpus.ask("Who found argon?", record=True).run) for _ in range(count)]


def test_a_bound_outside_its_range_is_told_with_the_range(path: Path) -> None:
    kept(path, 1)
    for option, value, told in (
        ("--days", "1e400", "days are from 0 to 100000, not inf"),
        ("--days", "nan", "days are from 0 to 100000, not nan"),
        ("--keep", "99999999999999999999999", "keep is from 0 to 1000000000, not 99999999999999999999999"),
    ):
        for command in ("prune", "retain"):
            done = CliRunner().invoke(cli, ["runs", command, str(path), option, value])
            assert (done.exit_code, done.stderr) == (1, f"mosaic: runs: {told}\n")
    with mosaic.open(path, read_only=True) as corpus, pytest.raises(PolicyError, match="not -1"):
        corpus.runs.prune(keep=-1)


def test_room_of_runs_that_went_is_given_back(path: Path) -> None:
    kept(path, 1)
    with mosaic.open(path, read_only=True) as corpus:
        single = corpus.runs.bytes
        with duckdb.connect(str(path.with_name("c.runs.duckdb"))) as runs:
            runs.execute("INSERT INTO run BY NAME SELECT 'old' AS run_id, TIMESTAMP '2000-01-01' AS started_at")
            runs.execute(
                "INSERT INTO call BY NAME SELECT 'old' AS run_id, hash(i)::VARCHAR AS output FROM range(90000) t(i)"
            )
        full = corpus.runs.bytes
        assert corpus.runs.prune(keep=1) == 1
        assert corpus.runs.bytes <= single < full
        assert len(corpus.runs.list()) == 1
        assert corpus.runs.retain(keep=5) == 0
        corpus.ask("Who found argon?", record=True)
        assert len(corpus.runs.list()) == 2
    assert sorted(file.name for file in path.parent.iterdir()) == ["c.duckdb", "c.runs.duckdb"]


def test_stats_tell_of_a_damaged_file_of_runs(path: Path) -> None:
    path.with_name("c.runs.duckdb").write_bytes(b"no database" * 1000)
    with mosaic.open(path, read_only=True) as corpus:
        stats = corpus.stats()
    assert (stats["documents"], stats["runs"], stats["runs_bytes"]) == (1, None, 11000)
    assert "runs_error" in stats
    assert CliRunner().invoke(cli, ["stats", str(path)]).exit_code == 0


def test_a_run_is_named_by_the_beginning_of_its_id(path: Path) -> None:
    one, other = kept(path, 2)
    with duckdb.connect(str(path.with_name("c.runs.duckdb"))) as runs:
        for table in ("run", "seed", "walk", "evidence", "event"):
            for old, new in ((one, "abc1"), (other, "abc12")):
                runs.execute(f"UPDATE {table} SET run_id = ? WHERE run_id = ?", [new, old])
    with mosaic.open(path, read_only=True) as corpus:
        assert corpus.runs.show("abc12").run["run_id"] == "abc12"
        assert corpus.runs.show("abc1").run["run_id"] == "abc1"
        with pytest.raises(UnknownId, match=r"several runs begin with 'ab' \(abc1, abc12\); give more of the id"):
            corpus.runs.show("ab")
        for none in ("", "abd"):
            with pytest.raises(UnknownId, match=f"no run '{none}' is kept"):
                corpus.runs.show(none)


def test_a_replay_that_differs_in_its_context_alone_shows_both_hashes(path: Path) -> None:
    (run,) = kept(path, 1)
    with mosaic.open(path, read_only=True) as corpus:
        now = corpus.runs.show(run).run["context_hash"]
    with duckdb.connect(str(path.with_name("c.runs.duckdb"))) as runs:
        runs.execute("UPDATE run SET context_hash = 'other'")
    done = CliRunner().invoke(cli, ["runs", "replay", str(path), run[:8]])
    assert done.exit_code == 5
    assert f"context, hash\n  then  other\n  now   {now}\n" in done.stdout
