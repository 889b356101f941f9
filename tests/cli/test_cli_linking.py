"""Names that several nodes have, on the command line: told on stderr, chosen by --anchor, all of it in JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import mosaic_sql as mosaic
from mosaic_sql.commands import cli


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("linking")
    triples = "s,source_kind,r,o,target_kind\nMercury,planet,circles,Sun,star\nMercury,element,melts_at,-39,value\n"
    (folder / "facts.csv").write_text(triples.replace("s,", "subject,", 1).replace(",r,o,", ",relation,object,"))
    with mosaic.open(folder / "facts.duckdb", embedder="none") as corpus:
        corpus.import_graph(str(folder / "facts.csv"), embed="none")
    return str(folder / "facts.duckdb")


TOLD = (
    "2 nodes are called Mercury: planet, element; started from all; "
    'choose with --anchor "Mercury [planet]"'
)  # fmt: skip


@pytest.mark.parametrize("command", ["ask", "retrieve"])
def test_namesakes_are_told_on_stderr_and_an_anchor_with_its_kind_settles_them(path: str, command: str) -> None:
    asked = CliRunner().invoke(cli, [command, path, "What is Mercury?", "--embedder", "none"])
    assert TOLD in asked.stderr
    assert TOLD not in asked.stdout
    chosen = ["--anchor", "Mercury [element]"]
    settled = CliRunner().invoke(cli, [command, path, "What is Mercury?", "--embedder", "none", *chosen])
    assert "nodes are called" not in settled.stderr
    assert "Sun" not in settled.stdout


def test_json_has_every_candidate(path: str) -> None:
    asked = CliRunner().invoke(cli, ["ask", path, "What is the planet Mercury?", "--embedder", "none", "--json"])
    (target,) = json.loads(asked.stdout)["targets"]
    told = [(one["name"], one["kinds"], one["score"], one["why"], one["chosen"]) for one in target["candidates"]]
    assert told == [("Mercury", ["planet"], 1.0, "exact", True), ("Mercury", ["element"], 0.5, "exact", False)]
