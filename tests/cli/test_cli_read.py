"""Reading from the shell: query, stats, output forms, locks, signals; nothing is written."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest
from processes import ROOT, start

QUESTION = "Who designed the Analytical Engine?"
ENDLESS = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE hash(a.range, b.range) = 7"

READS = {
    "ask": (QUESTION,),
    "retrieve": (QUESTION,),
    "sql": (QUESTION,),
    "explain": (QUESTION,),
    "query": ("FROM document",),
    "stats": (),
}


# -- nothing is written ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", READS)
def test_a_read_leaves_the_file_as_it_was(run, small: Path, verb: str) -> None:
    before = hashlib.sha256(small.read_bytes()).hexdigest()
    small.chmod(0o444)
    result = run(verb, small, *READS[verb])
    assert (result.exit_code, bool(result.stdout)) == (0, True)
    assert hashlib.sha256(small.read_bytes()).hexdigest() == before
    assert [path.name for path in small.parent.iterdir()] == ["small.duckdb"]


@pytest.mark.parametrize("verb", READS)
def test_a_read_of_what_is_not_there_makes_nothing(run, tmp_path: Path, verb: str) -> None:
    db = tmp_path / "typo.duckdb"
    result = run(verb, db, *READS[verb])
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"mosaic: {db} does not exist; create it with `mosaic add {db} DOCUMENTS`\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("verb", READS)
@pytest.mark.parametrize("content", [b"", b"hello", b"\0" * 20000])
def test_a_read_of_another_file_is_one_line(run, tmp_path: Path, verb: str, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    result = run(verb, path, *READS[verb])
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert path.read_bytes() == content


def test_a_stranger_database_is_named_as_such(run, tmp_path: Path) -> None:
    duckdb.connect(tmp_path / "other.duckdb").execute("CREATE TABLE t (a INTEGER)").close()
    result = run("ask", tmp_path / "other.duckdb", QUESTION)
    assert result.exit_code == 1
    assert "not a mosaic corpus" in result.stderr


# -- query and forms -------------------------------------------------------------------------------------------------


def test_query_in_every_form(run, small: Path) -> None:
    sql = "SELECT 1 AS a, 'x, \"y\"' AS b, [1, 2] AS c, NULL AS d UNION ALL SELECT 2, 'é\n', [], 1.5 ORDER BY a"
    first = {"a": 1, "b": 'x, "y"', "c": [1, 2], "d": None}
    second = {"a": 2, "b": "é\n", "c": [], "d": 1.5}
    assert json.loads(run("query", small, sql, "--json").stdout) == [first, second]
    assert [json.loads(line) for line in run("query", small, sql, "--jsonl").stdout.splitlines()] == [first, second]
    lines = list(csv.reader(io.StringIO(run("query", small, sql, "--csv").stdout)))
    assert lines == [["a", "b", "c", "d"], ["1", 'x, "y"', "[1, 2]", ""], ["2", "é\n", "[]", "1.5"]]
    table = ["a  b       c         d", "─  ──────  ──────  ───", '1  x, "y"  [1, 2]', "2  é       []      1.5"]
    assert run("query", small, sql, "--table").stdout.splitlines() == table
    assert run("query", small, sql, "-t").stdout == run("query", small, sql).stdout


def test_odd_values_are_still_json(run, small: Path) -> None:
    sql = """SELECT 'nan'::DOUBLE AS a, 'inf'::FLOAT AS b, 'ab'::BLOB AS c, {'x': 1, 'y': [2]} AS d, MAP {1: 2} AS e,
        TIMESTAMP_NS '2020-01-02 03:04:05.123456789' AS f, DATE '2020-01-02' AS g, 1 AS g, sum(7::HUGEINT) AS h,
        0.10::DECIMAL(38, 20) + 1e-20::DECIMAL(38, 20) AS i, INTERVAL '1 month 2 days 3.5 seconds' AS j,
        '-infinity'::TIMESTAMP AS k, 'infinity'::DATE AS l, true AS m"""
    rows = json.loads(run("query", small, sql, "--json").stdout)
    assert rows == [
        {
            "a": None,
            "b": None,
            "c": "6162",
            "d": {"x": 1, "y": [2]},
            "e": [[1, 2]],
            "f": "2020-01-02 03:04:05.123456789",
            "g": "2020-01-02",
            "g_1": 1,
            "h": 7,
            "i": "0.10000000000000000001",
            "j": "1 months 2 days 3.5 seconds",
            "k": "-infinity",
            "l": "infinity",
            "m": True,
        }
    ]
    (line,) = list(csv.DictReader(io.StringIO(run("query", small, sql, "--csv").stdout)))
    assert [line[name] for name in "chijklm"] == ["6162", "7", *map(rows[0].get, "ijkl"), "true"]
    assert run("query", small, "SELECT '\\x00ab'::BLOB AS a, false AS b").stdout.splitlines()[2] == "006162  false"


@pytest.mark.parametrize("value", ["'infinity'::DATE", "'infinity'::TIMESTAMP", "'290000-01-01'::TIMESTAMP"])
@pytest.mark.parametrize("form", ["--json", "--jsonl", "--csv", "--table"])
def test_a_time_that_python_has_no_word_for_is_no_crash(run, built: Path, value: str, form: str) -> None:
    assert run("query", built, f"SELECT {value} AS a", form).exit_code == 0


def test_no_rows_are_said_on_stderr_and_are_valid_data(run, small: Path) -> None:
    sql = "SELECT 1 AS a WHERE false"
    assert run("query", small, sql, "--json").stdout == "[]\n"
    assert run("query", small, sql, "--jsonl").stdout == ""
    assert run("query", small, sql, "--csv").stdout == "a\n"
    table = run("query", small, sql)
    assert (table.stdout, table.stderr) == ("", "no rows\n")


def test_a_long_result_is_cut_in_a_table_only(run, small: Path) -> None:
    sql = "SELECT range AS n FROM range(1500)"
    table = run("query", small, sql)
    assert len(table.stdout.splitlines()) == 1002
    assert "the first 1000 rows" in table.stderr
    assert len(run("query", small, sql, "--csv").stdout.splitlines()) == 1501
    cut = run("query", small, sql, "--csv", "--limit", 7)
    assert len(cut.stdout.splitlines()) == 8
    assert cut.stderr == "the first 7 rows and no more; raise --limit\n"
    assert run("query", small, sql, "--csv", "--limit", 1500).stderr == ""


def test_a_plan_is_drawn_line_by_line(run, small: Path) -> None:
    drawn = run("query", small, "EXPLAIN SELECT name FROM node").stdout
    assert len(drawn.splitlines()) > 5
    assert "explain_key" not in drawn
    assert [*json.loads(run("query", small, "EXPLAIN SELECT 1", "--json").stdout)[0]] == [
        "explain_key",
        "explain_value",
    ]


def test_wide_letters_and_control_characters_keep_the_table_straight(run, small: Path) -> None:
    sql = "SELECT '中国' AS a, 1 AS b UNION ALL SELECT chr(27) || '[31mred', 2 ORDER BY b"
    result = run("query", small, sql).stdout
    assert "\x1b" not in result
    assert result.splitlines()[2] == "中国      1"


def test_query_reads_stdin_and_prints_sql(run, small: Path) -> None:
    assert run("query", small, "-", "--csv", stdin="SELECT 1 AS a").stdout == "a\n1\n"
    assert run("query", small, "SELECT 1 AS a", "--sql").stdout == "SELECT 1 AS a\n"


@pytest.mark.parametrize(
    "sql",
    [
        "DROP TABLE node",
        "SELECT 1; DROP TABLE node",
        "SELECT * FROM read_csv('/etc/passwd')",
        "FROM read_text('/etc/hostname')",
        "FROM read_duckdb('other.duckdb', table_name := 'run')",
        "FROM glob('/etc/*')",
        "FROM '/etc/passwd'",
        "INSTALL fts",
        "EXPLAIN ANALYZE DELETE FROM node",
        "COPY document TO '/tmp/never.csv'",
        "ATTACH '/tmp/never.duckdb'",
        "SET threads = 1",
        "SELECT",
        "FROM nothing_of_that_name",
        "",
    ],
)
def test_query_runs_one_select_and_nothing_else(run, small: Path, sql: str) -> None:
    before = small.read_bytes()
    result = run("query", small, sql)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert small.read_bytes() == before


def test_a_query_ends_at_its_time_limit(run, small: Path) -> None:
    started = time.monotonic()
    result = run("query", small, ENDLESS, "--timeout", "0.3")
    assert (result.exit_code, time.monotonic() - started < 5) == (1, True)
    assert result.stderr == "mosaic: query: stopped at its time limit; raise it with --timeout, or ask for less\n"


def test_stats_is_one_record(run, small: Path) -> None:
    told = json.loads(run("stats", small, "--json").stdout)
    assert (told["documents"], told["embedder"], told["index"]) == (3, "hash-64", "ready")
    assert json.loads(run("stats", small, "--jsonl").stdout) == told
    assert re.search(r"^documents +3$", run("stats", small).stdout, re.MULTILINE)
    assert "SELECT" in run("stats", small, "--sql").stdout


def test_retrieve_in_every_form(run, small: Path) -> None:
    rows = json.loads(run("retrieve", small, QUESTION, "--json").stdout)
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    assert {"unit_kind", "unit_id", "source", "title", "char_start", "char_end", "score", "role", "text"} <= set(
        rows[0]
    )
    assert [json.loads(line) for line in run("retrieve", small, QUESTION, "--jsonl").stdout.splitlines()] == rows
    assert len(list(csv.reader(io.StringIO(run("retrieve", small, QUESTION, "--csv").stdout)))) == len(rows) + 1
    passages = json.loads(run("retrieve", small, QUESTION, "--passages", "--json").stdout)
    assert [passage["number"] for passage in passages] == list(range(1, len(passages) + 1))
    told = run("retrieve", small, QUESTION, "--operator", "chunk_hop")
    assert told.stdout.splitlines()[0].split() == "rank score role unit_kind unit_id source title text".split()
    assert told.stderr.count("\n") == 1


def test_facts_of_a_graph_are_written_out_as_passages(run, sample: Path) -> None:
    question = "How are Yttrium and Erbium related?"
    units = json.loads(run("retrieve", sample, question, "--json").stdout)
    assert "Yttrium -found_in-> Gadolinite" in [unit["text"] for unit in units]
    assert "Yttrium -found_in-> Gadolinite <-found_in- Erbium" in run("retrieve", sample, question, "--passages").stdout


def test_explain_tells_every_stage(run, small: Path) -> None:
    text = run("explain", small, QUESTION).stdout
    for word in ("question", "operator", "policy", "seed", "depth 0", "stop", "evidence", "passage", "time (ms)"):
        assert f"\n{word}" in f"\n{text}"
    told = json.loads(run("explain", small, QUESTION, "--json").stdout)
    assert {"operator_reason", "seeds", "depths", "stop_reason", "evidence", "passages", "stages"} <= set(told)


# -- kept runs -------------------------------------------------------------------------------------------------------


def test_a_run_is_kept_beside_the_file(run, small: Path) -> None:
    before = small.read_bytes()
    result = run("ask", small, QUESTION, "--keep", "--json")
    told = json.loads(result.stdout)
    path = small.with_name("small.runs.duckdb")
    assert result.stderr == f"run {told['run']} kept in {path}\n"
    run("ask", small, QUESTION, "--keep")
    with duckdb.connect(path, read_only=True) as kept:
        rows = kept.execute("SELECT run_id, question FROM run ORDER BY run_id = $1 DESC", [told["run"]]).fetchall()
    assert (len(rows), rows[0]) == (2, (told["run"], QUESTION))
    assert small.read_bytes() == before


def test_without_keep_nothing_is_kept(run, small: Path) -> None:
    run("ask", small, QUESTION)
    assert not small.with_name("small.runs.duckdb").exists()


# -- processes -------------------------------------------------------------------------------------------------------

HOLD = (
    "import sys, mosaic_sql; c = mosaic_sql.open(sys.argv[1]); print('open', flush=True); sys.stdin.read(); c.close()"
)


def test_a_locked_file_is_3_and_names_the_holder(shell, small: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(small)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "open\n"
    try:
        for command in (("ask", small, QUESTION), ("add", small, "A text to add."), ("stats", small)):
            result = shell(*command)
            assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (3, "", 1)
            assert f"process {holder.pid} " in result.stderr
    finally:
        holder.communicate("")
    assert shell("ask", small, QUESTION).returncode == 0


def test_two_asks_and_a_plain_shell_read_at_once(small: Path) -> None:
    with duckdb.connect(small, read_only=True) as plain:
        asks = [start("ask", small, QUESTION, "--json") for _ in range(2)]
        told = [json.loads(ask.communicate(timeout=60)[0]) for ask in asks]
        assert plain.execute("SELECT count(*) FROM document").fetchone() == (3,)
    assert [ask.returncode for ask in asks] == [0, 0]
    assert told[0]["answer"] == told[1]["answer"]


def test_a_reader_who_has_had_enough_is_no_error(small: Path) -> None:
    process = start("query", small, "SELECT repeat('x', 1000) AS a FROM range(100000)", "--jsonl")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert (process.wait(timeout=60), process.stderr.read()) == (0, "")
    for pipe in (process.stdin, process.stderr):
        assert pipe is not None
        pipe.close()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("args", [("query", ENDLESS), ("ask", "-")], ids=["in the engine", "in Python"])
def test_an_interrupt_is_130_in_one_line(small: Path, args: tuple[str, ...]) -> None:
    verb, text = args
    process = start(verb, small, text, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    with process:  # closes its pipes whatever happens
        interrupt(process)
        check_interrupted(process)


def interrupt(process: subprocess.Popen[str]) -> None:
    """Once it runs: a process that is still starting has no handler yet, so wait until its modules are loaded."""
    maps = Path(f"/proc/{process.pid}/maps")
    began = time.monotonic()
    while time.monotonic() - began < 60 and maps.exists() and "_duckdb" not in maps.read_text(encoding="utf-8"):
        time.sleep(0.1)
    time.sleep(6)
    process.send_signal(signal.SIGINT)


def check_interrupted(process: subprocess.Popen[str]) -> None:
    assert process.wait(timeout=60) == 130
    assert process.stderr is not None
    assert process.stderr.read().strip() == "mosaic: interrupted"


def test_the_launcher_works_from_anywhere(shell, small: Path, tmp_path: Path) -> None:
    result = shell("ask", small, QUESTION, cwd=tmp_path)
    assert result.returncode == 0
    assert result.stderr.startswith("meta_path: one anchor"), "how it was found, and nothing else"
    assert result.stderr.count("\n") == 1
    assert "\x1b" not in result.stdout + result.stderr


def test_any_script_gets_through_an_ascii_locale(shell, small: Path) -> None:
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    result = shell("query", small, "SELECT '中国 é' AS a", "--csv", env=env)
    assert (result.returncode, result.stdout) == (0, "a\n中国 é\n")


def test_a_question_from_a_real_pipe(shell, small: Path) -> None:
    assert "Charles Babbage" in shell("ask", small, "-", stdin=QUESTION).stdout
