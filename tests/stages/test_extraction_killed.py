"""A run killed while a model reads goes on where it stopped, pays nothing twice, and ends with the same tables."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpora import differences, rows_of
from fake_openai import FakeServer, serving
from fake_reader import Reader, entity, relation, said

from mosaic_sql.database import open_database

ADD = """
import sys, mosaic_sql
from mosaic_sql import Extraction
path, folder, url, parallel = sys.argv[1:]
with mosaic_sql.open(path, embedder="hash:16", model="reader", base_url=url, extractor="model") as corpus:
    report = corpus.add(folder, extraction=Extraction(parallel=int(parallel))).extraction
    print(report.done, report.calls, report.cached)
"""
TOWNS = ("Aarau", "Basel", "Chur", "Davos", "Evian", "Fiesch", "Genf", "Horw")


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving() as fake:
        yield fake


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "texts"
    place.mkdir()
    for number, town in enumerate(TOWNS):
        text = f"{town} lies in Switzerland. {TOWNS[number - 1]} is near {town}.\n"
        (place / f"{number}.txt").write_text(text, encoding="utf-8")
    return place


def reader(server: FakeServer) -> Reader:
    return Reader(
        server,
        {
            f"{town} lies in": said(
                [entity(town, "town"), entity("Switzerland", "country"), entity(TOWNS[number - 1])],
                relation(town, "lies in", "Switzerland", f"{town} lies in Switzerland."),
                relation(TOWNS[number - 1], "is near", town, f"{TOWNS[number - 1]} is near {town}."),
            )
            for number, town in enumerate(TOWNS)
        },
    )


def start(path: Path, folder: Path, server: FakeServer, parallel: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", ADD, str(path), str(folder), server.url, str(parallel)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with open_database(path, read_only=True) as database:
        return rows_of(database)


@pytest.mark.parametrize("parallel", [1, 3])
def test_killed_and_run_again_gives_the_tables_of_an_unbroken_run(
    server: FakeServer, folder: Path, tmp_path: Path, parallel: int
) -> None:
    whole = reader(server)
    process = start(tmp_path / "whole.duckdb", folder, server, parallel)
    assert process.communicate(timeout=60) == ("8 8 0\n", None)
    assert len(whole.asked) == 8

    broken = reader(server)
    process = start(tmp_path / "broken.duckdb", folder, server, parallel)

    def kill_at_the_fifth(path: str, body: dict[str, Any]) -> Any:
        if len(broken.asked) == 4:
            process.kill()
            process.wait()
        return broken(path, body)

    server.always = kill_at_the_fifth
    assert process.communicate(timeout=60) == ("", None)
    assert process.returncode == -9
    answered = len((tmp_path / "broken.calls.jsonl").read_text(encoding="utf-8").splitlines())
    asked = len(broken.asked)
    assert 2 <= answered <= asked < 8

    server.always = broken
    output, _ = start(tmp_path / "broken.duckdb", folder, server, parallel).communicate(timeout=60)
    done, calls, cached = map(int, output.split())
    assert (done, calls) == (8 - (answered - cached), 8 - answered)
    assert differences(tables(tmp_path / "broken.duckdb"), tables(tmp_path / "whole.duckdb")) == {}
