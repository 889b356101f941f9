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

import mosaic_sql
from mosaic_sql import Extraction
from mosaic_sql.database import open_database

ADD = "import sys, test_extraction_killed as own; own.added(*sys.argv[1:4], int(sys.argv[4]))"
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


def added(path: str | Path, folder: str | Path, url: str, parallel: int) -> tuple[int, int, int]:
    """Chunks read by the model, its calls, and replies that were there."""
    with mosaic_sql.open(path, embedder="hash:16", model="reader", base_url=url, extractor="model") as corpus:
        report = corpus.add(str(folder), extraction=Extraction(parallel=parallel)).extraction
    assert report is not None
    return report.done, report.calls, report.cached


def start(path: Path, folder: Path, server: FakeServer, parallel: int) -> subprocess.Popen[str]:
    """The same in a process of its own."""
    here = Path(__file__).parent
    places = os.pathsep.join(map(str, (here.parents[1], here, here.parent / "unit")))
    command = [sys.executable, "-c", ADD, str(path), str(folder), server.url, str(parallel)]
    environment = {**os.environ, "PYTHONPATH": places}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    with open_database(path, read_only=True) as database:
        return rows_of(database)


@pytest.mark.parametrize("parallel", [pytest.param(1, marks=pytest.mark.slow), 3])
def test_killed_and_run_again_gives_the_tables_of_an_unbroken_run(
    server: FakeServer, folder: Path, tmp_path: Path, parallel: int
) -> None:
    whole = reader(server)
    assert added(tmp_path / "whole.duckdb", folder, server.url, parallel) == (8, 8, 0)
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
    done, calls, cached = added(tmp_path / "broken.duckdb", folder, server.url, parallel)
    assert (done, calls) == (8 - (answered - cached), 8 - answered)
    assert differences(tables(tmp_path / "broken.duckdb"), tables(tmp_path / "whole.duckdb")) == {}
