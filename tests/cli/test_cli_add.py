"""Filling a corpus from the shell: add, import-graph, export, import, remove, reembed."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

import mosaic_sql


def stats(run, db: Path) -> dict[str, object]:
    return json.loads(run("stats", db, "--json").stdout)


# -- add -------------------------------------------------------------------------------------------------------------


def test_add_makes_the_file_and_sums_up_on_stderr(run, texts: Path, tmp_path: Path) -> None:
    db = tmp_path / "a.duckdb"
    result = run("add", db, texts, "--embedder", "hash")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("3 added, 0 replaced, 0 unchanged, 0 skipped (0 failed); 3 chunks in ")
    assert (stats(run, db)["documents"], stats(run, db)["embedder"]) == (3, "hash-64")


def test_add_again_changes_nothing(run, texts: Path, small: Path) -> None:
    result = run("add", small, texts, "--json")
    report = json.loads(result.stdout)
    assert (report["added"], report["replaced"], report["unchanged"], report["failed"]) == (0, 0, 3, 0)


def test_add_with_a_bad_input_among_good_ones_is_5(run, small: Path, tmp_path: Path) -> None:
    (tmp_path / "new.txt").write_text("Grace Hopper wrote a compiler.", encoding="utf-8")
    result = run("add", small, tmp_path / "new.txt", tmp_path / "absent.txt", "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == 5
    assert (report["added"], report["failed"]) == (1, 1)
    skipped = [line for line in result.stderr.splitlines() if line.startswith("skipped ")]
    assert len(skipped) == 1
    assert "absent.txt: no such file or folder" in skipped[0]


def test_add_with_bad_inputs_only_is_1(run, small: Path, tmp_path: Path) -> None:
    (tmp_path / "odd.txt").write_bytes(b"\x89PNG\x00\x01\x02\x03" * 20)
    result = run("add", small, tmp_path / "odd.txt")
    assert result.exit_code == 1
    assert "skipped odd.txt: not a text" in result.stderr


def test_what_is_left_out_by_choice_is_no_failure(run, small: Path, tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text(" \n", encoding="utf-8")
    assert run("add", small, tmp_path / "blank.txt").exit_code == 0


def test_add_reads_stdin(run, small: Path) -> None:
    result = run("add", small, "-", stdin="Grace Hopper wrote a compiler for the UNIVAC.")
    assert (result.exit_code, stats(run, small)["documents"]) == (0, 4)


def test_add_takes_named_columns(run, tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text("key,head,body\nk1,Ada,Ada wrote notes.\nk2,Bob,Bob wrote none.\n", encoding="utf-8")
    db = tmp_path / "a.duckdb"
    columns = ("--id-column", "key", "--title-column", "head", "--text-column", "body")
    assert run("add", db, table, *columns, "--embedder", "hash").exit_code == 0
    found = run("query", db, "SELECT source, title FROM document ORDER BY source", "--csv").stdout
    assert found == "source,title\nrows.csv#k1,Ada\nrows.csv#k2,Bob\n"


def test_a_dry_run_of_add_writes_nothing(run, texts: Path, small: Path, tmp_path: Path) -> None:
    before = small.read_bytes()
    (tmp_path / "new.txt").write_text("New.", encoding="utf-8")
    (tmp_path / "engine.md").write_text("Changed.", encoding="utf-8")
    inputs = (texts / "ada.md", tmp_path / "new.txt", tmp_path / "engine.md", tmp_path / "none.txt")
    rows = json.loads(run("add", small, *inputs, "--dry-run", "--json").stdout)
    assert [(row["source"].split("/")[-1], row["would"]) for row in rows] == [
        ("ada.md", "keep"),
        ("new.txt", "add"),
        ("engine.md", "replace"),
        ("none.txt", "skip"),
    ]
    assert small.read_bytes() == before


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_dry_run_says_what_would_be_done(
    run, texts: Path, small: Path, tmp_path: Path, form: tuple[str, ...]
) -> None:
    def told(*args: object) -> str:
        result = run("add", *args, "--dry-run", *form)
        assert (result.exit_code, "no rows" in result.stderr) == (0, False)
        return result.stderr.splitlines()[-1]

    (tmp_path / "new.txt").write_text("New.", encoding="utf-8")
    nothing_written = "; nothing was written"
    assert (
        told(small, texts / "ada.md", tmp_path / "new.txt", "none.txt")
        == f"would add 1, keep 1, skip 1{nothing_written}"
    )
    fresh = tmp_path / "fresh.duckdb"
    assert told(fresh, texts) == f"would add 3, make {fresh}{nothing_written}"
    assert told(small) == "nothing to do: no input, and the index is ready"
    assert told(small, "--extractor", "spacy") == f"would have all read by spacy in place of rules{nothing_written}"
    with duckdb.connect(small) as plain:
        plain.execute("UPDATE meta SET value = 'pending' WHERE key = 'index_state'")
    assert told(small) == f"would finish the interrupted indexing{nothing_written}"
    (tmp_path / "none").mkdir()
    assert told(fresh, tmp_path / "none") == f"would skip 1{nothing_written}"


def test_a_dry_run_without_inputs_of_no_file_is_what_the_run_says(run, tmp_path: Path) -> None:
    dry, real = (run("add", tmp_path / "a.duckdb", *flags) for flags in (("--dry-run",), ()))
    assert (dry.exit_code, dry.stderr) == (real.exit_code, real.stderr)
    assert dry.exit_code == 1


def test_a_dry_run_makes_no_file(run, texts: Path, tmp_path: Path) -> None:
    result = run("add", tmp_path / "a.duckdb", texts, "--dry-run")
    assert result.exit_code == 0
    assert list(tmp_path.iterdir()) == []


def test_add_without_inputs_finishes_an_interrupted_indexing(run, small: Path) -> None:
    with duckdb.connect(small) as plain:
        plain.execute("UPDATE meta SET value = 'pending' WHERE key = 'index_state'")
    behind = run("ask", small, "Who wrote notes?")
    assert behind.exit_code == 1
    assert f"mosaic add {small}" in behind.stderr
    assert run("add", small).exit_code == 0
    assert stats(run, small)["index"] == "ready"


def test_add_without_inputs_makes_no_file(run, tmp_path: Path) -> None:
    result = run("add", tmp_path / "a.duckdb")
    assert result.exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_another_embedder_is_refused_with_the_way_out(run, small: Path, texts: Path) -> None:
    before = small.read_bytes()
    result = run("add", small, texts, "--embedder", "hash:32")
    assert result.exit_code == 1
    assert result.stderr.startswith("mosaic: ")
    assert "reembed" in result.stderr
    assert small.read_bytes() == before


# -- import-graph ----------------------------------------------------------------------------------------------------


def test_triples_make_a_graph_that_answers(run, tmp_path: Path) -> None:
    triples = tmp_path / "t.tsv"
    triples.write_text("Ada\tmet\tBob\nBob\tmet\tCid\n", encoding="utf-8")
    db = tmp_path / "g.duckdb"
    result = run("import-graph", db, triples, "--no-header", "--embed", "none", "--embedder", "hash", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == {"nodes": 3, "relations": 1, "edges": 2, "notes": [], "updated": 0}
    assert "3 nodes, 2 edges and 1 relation added" in result.stderr
    asked = run("ask", db, "How are Ada and Cid related?")
    assert "Ada -met-> Bob -met-> Cid" in asked.stdout


def test_nodes_and_edges_make_a_graph(run, tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("id,name,kind\n1,Ada,person\n2,Paris,city\n", encoding="utf-8")
    (tmp_path / "e.csv").write_text("source,relation,target\n1,lives_in,2\n", encoding="utf-8")
    args = ("--nodes", tmp_path / "n.csv", "--edges", tmp_path / "e.csv", "--embedder", "hash")
    result = run("import-graph", tmp_path / "g.duckdb", *args)
    assert (result.exit_code, result.stdout) == (0, "")


def test_a_delimiter_can_be_named(run, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("Ada|met|Bob\n", encoding="utf-8")
    args = ("--delimiter", "|", "--no-header", "--embedder", "hash", "--csv")
    result = run("import-graph", tmp_path / "g.duckdb", tmp_path / "t.txt", *args)
    assert result.stdout == "nodes,relations,edges,notes,updated\n2,1,1,[],0\n"


def test_a_broken_graph_is_one_line(run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("just one column\n", encoding="utf-8")
    result = run("import-graph", tmp_path / "g.duckdb", tmp_path / "t.csv", "--embedder", "hash")
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert result.stderr.startswith("mosaic: ")


# -- export and import -----------------------------------------------------------------------------------------------


def test_an_exported_corpus_comes_back_and_answers_the_same(run, small: Path, tmp_path: Path) -> None:
    out, copy = tmp_path / "out", tmp_path / "copy.duckdb"
    assert run("export", small, out).exit_code == 0
    result = run("import", copy, out, "--json")
    assert json.loads(result.stdout)["document"] == 3
    question = ("Who designed the Analytical Engine?", "--json")
    first = run("retrieve", small, *question).stdout
    assert run("retrieve", copy, *question).stdout == first
    assert run("retrieve", out, *question).stdout == first  # the folder itself


def test_import_refuses_a_file_that_is_there(run, small: Path, tmp_path: Path) -> None:
    run("export", small, tmp_path / "out")
    result = run("import", small, tmp_path / "out")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "exists" in result.stderr


def test_import_of_what_is_no_export_is_one_line(run, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    result = run("import", tmp_path / "x.duckdb", tmp_path / "plain")
    assert (result.exit_code, len(result.stderr.splitlines())) == (1, 1)
    assert not (tmp_path / "x.duckdb").exists()


def test_export_writes_into_no_stranger_folder(run, small: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine", encoding="utf-8")
    assert run("export", small, folder).exit_code == 1
    assert (folder / "thesis.txt").read_text(encoding="utf-8") == "mine"


# -- remove and reembed ----------------------------------------------------------------------------------------------


def test_remove_takes_a_document_away(run, small: Path) -> None:
    assert run("remove", small, "ada.md").stderr == "1 removed\n"
    assert run("query", small, "SELECT source FROM document ORDER BY 1", "--csv").stdout.split() == [
        "source",
        "babbage.txt",
        "engine.md",
    ]


def test_a_dry_run_of_remove_removes_nothing(run, small: Path) -> None:
    before = small.read_bytes()
    result = run("remove", small, "ada.md", "--dry-run", "--csv")
    assert result.stdout.splitlines()[1].endswith(",ada.md")
    assert small.read_bytes() == before


@pytest.mark.parametrize("flags", [(), ("--dry-run",)])
def test_removing_what_is_not_there_removes_nothing(run, small: Path, flags: tuple[str, ...]) -> None:
    result = run("remove", small, "ada.md", "nope.md", *flags)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "nope.md" in result.stderr
    assert stats(run, small)["documents"] == 3


def test_reembed_changes_the_space(run, small: Path) -> None:
    planned = json.loads(run("reembed", small, "--embedder", "hash:32", "--dry-run", "--json").stdout)
    assert (planned["now"], planned["then"], planned["chunks"]) == ("hash-64", "hash-32", 3)
    assert stats(run, small)["embedder"] == "hash-64"
    assert run("reembed", small, "--embedder", "hash:32").stderr == "3 chunks embedded by hash:32\n"
    assert stats(run, small)["embedder"] == "hash-32"
    assert run("retrieve", small, "Who wrote notes?", "--json").exit_code == 0


@pytest.mark.parametrize("command", [("remove", "a.md"), ("reembed", "--embedder", "hash")])
def test_changing_what_is_not_there_makes_no_file(run, tmp_path: Path, command: tuple[str, ...]) -> None:
    verb, *rest = command
    result = run(verb, tmp_path / "x.duckdb", *rest)
    assert (result.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert "does not exist" in result.stderr


def test_a_corpus_in_memory_is_refused(run) -> None:
    result = run("stats", ":memory:")
    assert (result.exit_code, result.stderr.splitlines()) == (
        1,
        ["mosaic: a corpus in memory would end with the command; name a file"],
    )


def test_the_file_is_a_plain_corpus_for_python(run, texts: Path, tmp_path: Path) -> None:
    run("add", tmp_path / "a.duckdb", texts, "--embedder", "hash")
    with mosaic_sql.open(tmp_path / "a.duckdb", read_only=True) as corpus:
        assert corpus.stats()["documents"] == 3
