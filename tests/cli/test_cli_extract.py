"""`mosaic add --extractor model`: what it may cost is told before, what it cost after, what it left by exit code 5."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_openai import FakeServer, serving
from fake_reader import Reader, entity, relation, said

ADA = said(
    [entity("Ada Lovelace", "person"), entity("London", "place"), entity("Mars")],
    relation("Ada Lovelace", "lived in", "London", "She lived in London."),
)


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as fake:
        Reader(fake, {"She lived": ADA})
        yield fake


@pytest.fixture
def options(server: FakeServer) -> tuple[str, ...]:
    return ("--embedder", "hash", "--extractor", "model", "--model", "reader", "--base-url", server.url)


def count(run: Any, db: Path, table: str) -> int:
    return int(run("query", db, f"SELECT count(*) FROM {table}", "--csv").stdout.split()[1])


def test_what_was_done_is_told_before_and_after(run: Any, texts: Path, tmp_path: Path, options: Any) -> None:
    db = tmp_path / "a.duckdb"
    result = run("add", db, texts, *options, "--price-in", 1, "--price-out", 2)
    lines = result.stderr.splitlines()
    assert (result.exit_code, result.stdout, len(lines)) == (0, "", 4)
    assert lines[0].startswith("3 chunks for the model: about ")
    assert "tokens to read and " in lines[0]
    assert lines[2].startswith(
        "model: 3 chunks read, 0 failed, 0 not done; 3 calls, 0 cached; 33 tokens read, 21 written, price 0.00007; "
    )
    assert lines[3] == (
        "model: 2 entities and 1 relations kept; dropped 1 entities and 0 relations; 0 relations without their sentence"
    )
    found = run("query", db, "SELECT relation FROM relation", "--csv").stdout
    assert found == "relation\nlived in\n"


def test_a_dry_run_tells_the_cost_and_asks_nothing(
    run: Any, texts: Path, tmp_path: Path, options: Any, server: FakeServer
) -> None:
    db = tmp_path / "a.duckdb"
    result = run("add", db, texts, *options, "--price-in", 1, "--dry-run", "--json")
    assert [row["would"] for row in json.loads(result.stdout)] == ["add", "add", "add"]
    assert result.stderr.startswith("3 chunks for the model: about ")
    assert ", price 0.0" in result.stderr
    assert (server.requests, db.exists()) == ([], False)
    real = run("add", db, texts, *options, "--price-in", 1)
    assert real.stderr.splitlines()[0] == result.stderr.splitlines()[0]


def test_a_dry_run_over_a_file_of_rules_counts_what_is_there(
    run: Any, small: Path, options: Any, server: FakeServer
) -> None:
    result = run("add", small, *options, "--dry-run", "--json")
    assert result.stderr.startswith("3 chunks for the model: about ")
    assert "for the model" not in run("add", small, "--dry-run", "--json").stderr
    assert server.requests == []


def test_a_ceiling_leaves_the_rest_with_exit_code_5_and_a_second_run_ends_it(
    run: Any, texts: Path, tmp_path: Path, options: Any
) -> None:
    db = tmp_path / "a.duckdb"
    first = run("add", db, texts, *options, "--max-tokens-total", 10, "--json")
    report = json.loads(first.stdout)
    assert (first.exit_code, report["added"], report["extraction"]["done"]) == (5, 3, 0)
    assert [left["reason"] for left in report["extraction"]["not_done"]] == [
        "the bound of 10 tokens in all is reached"
    ] * 3
    assert first.stderr.count("no facts of chunk 0 of ") == 3
    second = run("add", db, *options)
    assert (second.exit_code, count(run, db, "edge")) == (0, 1)
    third = run("add", db, texts, "--json")
    assert (third.exit_code, "model:" in third.stderr) == (0, False)


def test_without_a_model_it_is_an_error_and_no_file_is_left(run: Any, texts: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    result = run("add", db, texts, "--embedder", "hash", "--extractor", "model")
    assert result.exit_code == 1
    assert result.stderr == (
        "mosaic: the extractor `model` needs a chat model; give --model NAME, or Extraction(model=...)\n"
    )
    assert not db.exists()
    assert (
        run("add", db, texts, "--embedder", "hash", "--extractor", "model", "--ceiling", 1, "--model", "m").exit_code
        == 1
    )


def test_a_model_in_the_environment_reads_nothing_by_itself(
    run: Any, texts: Path, tmp_path: Path, server: FakeServer
) -> None:
    env = {"MOSAIC_MODEL": "reader", "MOSAIC_BASE_URL": server.url}
    assert run("add", tmp_path / "a.duckdb", texts, "--embedder", "hash", env=env).exit_code == 0
    assert server.requests == []


def test_replies_are_kept_beside_the_file_or_where_told(
    run: Any, texts: Path, tmp_path: Path, options: Any, server: FakeServer
) -> None:
    kept = tmp_path / "kept.jsonl"
    assert run("add", tmp_path / "a.duckdb", texts, *options, "--cache", kept, "--parallel", 2).exit_code == 0
    again = run("add", tmp_path / "b.duckdb", texts, *options, "--cache", kept)
    assert "0 calls, 3 cached; 0 tokens read, 0 written;" in again.stderr
    assert len(server.requests) == 3
    run("add", tmp_path / "c.duckdb", texts, *options)
    assert (tmp_path / "c.calls.jsonl").exists()
