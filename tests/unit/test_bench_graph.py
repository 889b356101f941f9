"""`bench graph`: sets of entities against gold, by hops and by mode."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner

import mosaic_sql as mosaic
from mosaic_sql.bench import graph as benchmark
from mosaic_sql.bench.graph import Answered, GraphQuestion
from mosaic_sql.commands import cli
from mosaic_sql.errors import IngestError

FILMS = [
    ("Heat", "directed_by", "Michael Mann"),
    ("Thief", "directed_by", "Michael Mann"),
    ("Alien", "directed_by", "Ridley Scott"),
    ("Heat", "starred_actors", "Al Pacino"),
    ("Thief", "starred_actors", "James Caan"),
    ("Heat", "release_year", "1995"),
    ("Thief", "release_year", "1981"),
]
QUESTIONS: list[dict[str, Any]] = [
    {"id": "1", "question": "who directed Heat", "anchors": ["Heat"], "answers": ["Michael Mann"],
     "path": [{"relation": "directed_by", "forward": True}], "hops": 1},
    {"id": "2", "question": "what is Alien painted with", "anchors": ["Alien"], "answers": ["Ridley Scott"],
     "path": [{"relation": "directed_by", "forward": True}], "hops": 1},
    {"id": "3", "question": "who starred in the films directed by Michael Mann", "anchors": ["Michael Mann"],
     "answers": ["Al Pacino", "James Caan"],
     "path": [{"relation": "directed_by", "forward": False}, {"relation": "starred_actors", "forward": True}]},
]  # fmt: skip


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("graph")
    with mosaic.open(place / "films.duckdb", embedder="none") as corpus:
        corpus.import_graph(pd.DataFrame(FILMS, columns=["source", "relation", "target"]), embed="none")
    write(place / "questions.jsonl", QUESTIONS)
    return place


@pytest.fixture(scope="module")
def films(folder: Path) -> Iterator[mosaic.Corpus]:
    with mosaic.open(folder / "films.duckdb", read_only=True) as corpus:
        yield corpus


def test_questions_are_read_with_their_path_as_a_pattern(folder: Path) -> None:
    first, _, last = benchmark.load(folder / "questions.jsonl")
    assert first == GraphQuestion("1", "who directed Heat", ("Heat",), frozenset({"Michael Mann"}), "directed_by", 1)
    assert (last.pattern, last.hops) == ("^directed_by / starred_actors", 2)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"anchors": [], "answers": []}, ":1: no question; it holds {id, question"),
        ({"question": "x", "answers": []}, ":1: anchors is no list of names"),
        ({"question": "x", "anchors": ["a"], "answers": [1]}, ":1: answers is no list of names"),
        ({"question": "x", "anchors": [], "answers": [], "path": [{"relation": "r"}]}, ":1: a step of the path needs"),
        ("text", ":1: a str where a JSON object was expected"),
    ],
)
def test_a_line_that_says_nothing_usable_is_named(tmp_path: Path, row: Any, problem: str) -> None:
    path = write(tmp_path / "questions.jsonl", [row])
    with pytest.raises(IngestError, match=r"questions\.jsonl") as raised:
        benchmark.load(path)
    assert problem in str(raised.value)


def test_no_questions_are_told(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match="is empty; it holds"):
        benchmark.load(write(tmp_path / "none.jsonl", []))
    with pytest.raises(IngestError, match="cannot be read"):
        benchmark.load(tmp_path / "absent.jsonl")


def answered(found: set[str], gold: set[str], *, hops: int = 1, milliseconds: float = 1.0) -> Answered:
    question = GraphQuestion("q", "who", ("A",), frozenset(gold), "r", hops)
    return Answered(question, "plain", frozenset(found), "meta_path", "r", "why", milliseconds)


@pytest.mark.parametrize(
    ("found", "gold", "measured"),
    [
        ({"a", "b"}, {"a", "b"}, (1.0, 1.0, 1.0, True)),
        ({"a", "x"}, {"a", "b"}, (0.5, 0.5, 0.5, False)),
        ({"a"}, {"a", "b", "c", "d"}, (1.0, 0.25, 0.4, False)),
        (set(), {"a"}, (0.0, 0.0, 0.0, False)),
        ({"a"}, set(), (0.0, 0.0, 0.0, False)),
        (set(), set(), (1.0, 1.0, 1.0, True)),
    ],
)
def test_sets_are_compared(found: set[str], gold: set[str], measured: tuple[float, float, float, bool]) -> None:
    one = answered(found, gold)
    assert (one.precision, one.recall, one.f1, one.exact) == measured


def test_a_row_is_the_mean_of_its_hops_and_holds_what_went_wrong() -> None:
    told = [
        answered({"a"}, {"a"}, milliseconds=1),
        answered({"x"}, {"a"}, milliseconds=3),
        answered({"a"}, {"a"}, hops=2),
    ]
    one, two = benchmark.rows(told, wrong=None)
    assert (one.hops, one.mode, one.questions, one.exact, one.f1, one.p50_ms) == (1, "plain", 2, 0.5, 0.5, 2.0)
    assert [(each["missing"], each["extra"]) for each in one.wrong] == [(["a"], ["x"])]
    assert (two.hops, two.exact, two.wrong) == (2, 1.0, ())
    assert benchmark.rows(told, wrong=0)[0].wrong == ()


def test_every_mode_is_asked_and_the_given_path_is_exact(films: mosaic.Corpus, folder: Path) -> None:
    questions = benchmark.load(folder / "questions.jsonl")
    told = [each for mode in benchmark.MODES for each in benchmark.run(films, questions, mode)]
    exact = {(row.mode, row.hops): row.exact for row in benchmark.rows(told)}
    assert exact == {
        ("anchors+path", 1): 1.0, ("anchors", 1): 0.5, ("plain", 1): 0.5,
        ("anchors+path", 2): 1.0, ("anchors", 2): 1.0, ("plain", 2): 1.0,
    }  # fmt: skip


def test_the_command_prints_rows_and_lists_what_is_wrong(folder: Path) -> None:
    paths = [str(folder / "films.duckdb"), str(folder / "questions.jsonl")]
    done = CliRunner().invoke(cli, ["bench", "graph", *paths, "--mode", "plain", "--wrong", "3"], prog_name="mosaic")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["hops", "mode", "questions", "exact", "precision", "recall", "f1", "p50_ms"]
    assert lines[2].split()[:4] == ["1", "plain", "2", "0.5"]
    assert "wrong, 1 hop, plain" in lines
    assert "2: what is Alien painted with" in lines
    asked = ["bench", "graph", *paths, "--mode", "plain", "--limit", "1", "--json"]
    rows = json.loads(CliRunner().invoke(cli, asked, prog_name="mosaic").stdout)
    assert [(row["hops"], row["questions"], row["exact"], row["wrong"]) for row in rows] == [
        (1, 1, 1.0, []),
        (2, 1, 1.0, []),
    ]
