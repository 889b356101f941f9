"""Runs as rows: what schema `trace` holds of a run is what the stages left, in memory and in the file of kept runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

import mosaic_sql as mosaic
from mosaic_sql.models.fakes import ScriptedChat

PAGES = [
    {"id": "alpha", "title": "Alpha", "text": "Alice Zorbax founded the Quirkel Institute in Lund. It opened in 1931."},
    {
        "id": "institute",
        "title": "Quirkel Institute",
        "text": "The Quirkel Institute studies tidal glass. Its director is Bela Farkas of the Lund Academy.",
    },
    {"id": "farkas", "title": "Bela Farkas", "text": "Bela Farkas was born in Szeged. He plays the cello in Lund."},
    {"id": "lund", "title": "Lund", "text": "Lund is a town. The Lund Academy stands in Lund, beside the cathedral."},
    {"id": "szeged", "title": "Szeged", "text": "Szeged is a town on the Tisza. Alice Zorbax lived in Szeged too."},
]
QUESTION = "Where was the director of the Quirkel Institute born?"
TIGHT = {"policy": "mosaic", "beam_width": 1, "seed_limit": 2, "max_depth": 2, "evidence_count": 3}
TERMS = [
    "relation_similarity", "target_relevance", "specificity", "anchor_consistency", "transition_alignment", "coherence",
    "hub_exposure", "repetition", "question_like", "source_weight", "tau", "cue", "residual",
]  # fmt: skip
TABLES = ("run", "seed", "walk", "evidence", "call", "event")


@pytest.fixture(scope="module")
def corpus() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="hash") as opened:
        opened.add(PAGES)
        yield opened


def traced(connection: Any, table: str, run: str | None) -> list[dict[str, Any]]:
    """The rows that a run has in a table of schema `trace`, without its id."""
    rows = connection.execute(f"SELECT * EXCLUDE (run_id) FROM trace.{table} WHERE run_id = ?", [run])
    names = [column[0] for column in rows.description]
    return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]


@pytest.mark.parametrize("policy", [None, TIGHT])
def test_seeds_walk_and_evidence_of_a_run_are_the_rows_of_the_stages(corpus: mosaic.Corpus, policy: Any) -> None:
    result = corpus.retrieve(QUESTION, policy=policy, keep_pruned=True)
    seeds = traced(corpus.connection, "seed", result.run)
    walk = traced(corpus.connection, "walk", result.run)
    evidence = traced(corpus.connection, "evidence", result.run)
    assert seeds == result.seeds.rows.drop_columns("question_id").to_pylist()
    assert walk == result.walk.rows.drop_columns("question_id").to_pylist()
    extra = ["question_id", "source", "cosine", "fact"]
    assert evidence == result.evidence.rows.drop_columns(extra).to_pylist()
    assert seeds
    assert walk
    assert any(unit["kept"] for unit in evidence)


def test_a_walk_tells_what_was_kept_what_was_pruned_by_which_rule_and_every_term(corpus: mosaic.Corpus) -> None:
    result = corpus.retrieve(QUESTION, policy=TIGHT, keep_pruned=True)
    walk = traced(corpus.connection, "walk", result.run)
    assert {row["kept"] for row in walk} == {True, False}
    assert [row["kept"] for row in walk] == [row["pruned_by"] is None for row in walk]
    hops = [row["terms"] for row in walk if row["depth"] > 0]
    assert hops
    assert all([*terms] == TERMS for terms in hops)
    assert all(terms["relation_similarity"] is not None for terms in hops)


def test_every_stage_is_an_event_with_its_rows_and_time(corpus: mosaic.Corpus) -> None:
    result = corpus.retrieve(QUESTION, keep_pruned=True)
    events = traced(corpus.connection, "event", result.run)
    assert events == [
        {
            "ordinal": ordinal,
            "stage": stage.stage,
            "query": stage.query,
            "row_count": stage.rows,
            "milliseconds": stage.milliseconds,
        }
        for ordinal, stage in enumerate(result.stages)
    ]
    counts = {event["stage"]: event["row_count"] for event in events}
    assert counts["walk"] == len(result.walk.rows)
    assert counts["evidence"] == len(result.evidence.rows)
    assert counts["seed"] == len(result.seeds.rows)
    assert all(event["milliseconds"] > 0 for event in events)


def test_a_run_says_what_was_asked_under_which_policy_and_what_was_answered(corpus: mosaic.Corpus) -> None:
    asked = corpus.ask(QUESTION, policy=TIGHT)
    (run,) = traced(corpus.connection, "run", asked.run)
    assert {name: run[name] for name in ("question", "operator", "answer", "answer_method", "answer_found")} == {
        "question": QUESTION,
        "operator": "beam",
        "answer": asked.text,
        "answer_method": "quoted",
        "answer_found": True,
    }
    assert mosaic.Policy.model_validate_json(run["policy"]) == asked.policy
    assert json.loads(run["signals"]) == dict(asked.retrieval.analysis.signals)
    assert run["stop_reason"] == asked.retrieval.walk.stop_reason
    assert run["context_hash"] == asked.retrieval.context.fingerprint
    assert run["milliseconds"] == pytest.approx(sum(stage.milliseconds for stage in asked.retrieval.stages))


def test_the_call_of_a_model_is_a_row_with_its_tokens(corpus: mosaic.Corpus) -> None:
    chat = ScriptedChat(["In Szeged, as its director [1, 9]."])
    asked = corpus.ask(QUESTION, model=chat)
    read = sum(len(message["content"].split()) for message in chat.calls[0].messages)
    assert traced(corpus.connection, "call", asked.run) == [
        {
            "ordinal": 0,
            "purpose": "answer",
            "model": "scripted",
            "prompt_tokens": read,
            "completion_tokens": 7,
            "milliseconds": 0.0,
            "finish_reason": "stop",
            "output": "In Szeged, as its director [1, 9].",
            "error": "",
        }
    ]
    (run,) = traced(corpus.connection, "run", asked.run)
    assert (run["answer"], run["answer_method"]) == ("In Szeged, as its director [1].", "model scripted")


def test_a_call_that_failed_is_in_the_ledger_of_its_run(tmp_path: Path) -> None:
    with mosaic.open(tmp_path / "towns.duckdb", embedder="hash", record=True) as corpus:
        corpus.add(PAGES)
        with pytest.raises(mosaic.ModelUnavailable, match="no connection"):
            corpus.ask(QUESTION, model=ScriptedChat([mosaic.ModelUnavailable("no connection")]))
        rows = corpus.connection.execute(
            "SELECT r.question, r.answer, c.purpose, c.model, c.finish_reason, c.error "
            "FROM trace.run AS r JOIN trace.call AS c USING (run_id)"
        ).fetchall()
    assert rows == [(QUESTION, None, "answer", "scripted", "error", "no connection")]
    with duckdb.connect(tmp_path / "towns.runs.duckdb", read_only=True) as plain:
        assert plain.execute("SELECT error FROM call").fetchall() == [("no connection",)]


def test_an_answer_without_a_model_has_no_call(corpus: mosaic.Corpus) -> None:
    assert traced(corpus.connection, "call", corpus.ask(QUESTION).run) == []


def test_two_runs_have_two_ids_and_the_same_rows(corpus: mosaic.Corpus) -> None:
    first, second = corpus.ask(QUESTION), corpus.ask(QUESTION)
    assert first.run != second.run
    for table in ("seed", "walk", "evidence"):
        assert traced(corpus.connection, table, first.run) == traced(corpus.connection, table, second.run)


def test_questions_of_a_batch_are_runs_of_their_own(corpus: mosaic.Corpus) -> None:
    questions = [QUESTION, "Where is the Lund Academy?", QUESTION]
    results = corpus.retrieve(questions, keep_pruned=True)
    assert len({result.run for result in results}) == 3
    for result in results:
        walk = traced(corpus.connection, "walk", result.run)
        assert walk == result.walk.rows.drop_columns("question_id").to_pylist()


def test_kept_runs_are_appended_beside_the_corpus_for_any_duckdb_to_read(tmp_path: Path) -> None:
    with mosaic.open(tmp_path / "towns.duckdb", embedder="hash", record=True) as corpus:
        corpus.add(PAGES)
        asked = [corpus.ask(QUESTION), corpus.ask("Where is the Lund Academy?", model=ScriptedChat(["In Lund [1]."]))]
        left_out = corpus.ask(QUESTION, record=False)
        held = {t: [traced(corpus.connection, t, one.run) for one in asked] for t in TABLES}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["towns.duckdb", "towns.runs.duckdb"]
    with mosaic.open(tmp_path / "towns.duckdb", read_only=True) as corpus:
        later = corpus.ask(QUESTION, record=True)
    with duckdb.connect(tmp_path / "towns.runs.duckdb", read_only=True) as plain:
        ids = [run for (run,) in plain.execute("SELECT run_id FROM run ORDER BY started_at").fetchall()]
        kept: dict[str, list[list[dict[str, Any]]]] = {}
        for table in TABLES:
            kept[table] = []
            for one in asked:
                rows = plain.execute(f"SELECT * EXCLUDE (run_id) FROM {table} WHERE run_id = ?", [one.run])
                names = [column[0] for column in rows.description]
                kept[table].append([dict(zip(names, row, strict=True)) for row in rows.fetchall()])
    assert ids == [asked[0].run, asked[1].run, later.run]
    assert left_out.run not in ids
    assert kept == held
    assert [len(calls) for calls in kept["call"]] == [0, 1]


FIRST = """
CREATE TABLE run (run_id VARCHAR, started_at TIMESTAMP, question VARCHAR, policy JSON, operator VARCHAR,
    operator_reason VARCHAR, signals JSON, corrections JSON, form VARCHAR, stop_reason VARCHAR, package_version VARCHAR,
    schema_version VARCHAR, sql_hash VARCHAR, context_hash VARCHAR, answer VARCHAR, answer_method VARCHAR,
    answer_found BOOLEAN, milliseconds DOUBLE);
CREATE TABLE call (run_id VARCHAR, ordinal INTEGER, purpose VARCHAR, model VARCHAR, prompt_tokens INTEGER,
    completion_tokens INTEGER, milliseconds DOUBLE, finish_reason VARCHAR);
INSERT INTO run (run_id, question) VALUES ('old', 'Who?');
INSERT INTO call (run_id, ordinal, model) VALUES ('old', 0, 'm');
"""
"""The tables of kept runs as the first version made them, where they differ from those of today."""


def test_runs_kept_by_an_older_version_are_kept_on_with_those_of_today(tmp_path: Path) -> None:
    runs = tmp_path / "towns.runs.duckdb"
    with duckdb.connect(runs) as old:
        old.execute(FIRST)
    with mosaic.open(tmp_path / "towns.duckdb", embedder="hash", record=True) as corpus:
        corpus.add(PAGES)
        asked = corpus.ask(QUESTION, model=ScriptedChat(["In Szeged [1]."]))
        again = corpus.ask(QUESTION)
        today = {table: columns_of(corpus.connection, f"trace.{table}") for table in TABLES}
    with duckdb.connect(runs, read_only=True) as kept:
        assert {table: columns_of(kept, table) for table in TABLES} == today
        rows = kept.execute("SELECT run_id, question, analyzer FROM run ORDER BY started_at NULLS FIRST").fetchall()
        calls = kept.execute("SELECT run_id, model, output FROM call ORDER BY output NULLS FIRST").fetchall()
    assert rows == [("old", "Who?", None), (asked.run, QUESTION, "rules"), (again.run, QUESTION, "rules")]
    assert calls == [("old", "m", None), (asked.run, "scripted", "In Szeged [1].")]


def columns_of(connection: Any, table: str) -> dict[str, str]:
    return {row[0]: row[1] for row in connection.execute(f"DESCRIBE {table}").fetchall()}


def test_an_answer_is_given_though_its_run_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "towns.runs.duckdb").mkdir()
    with mosaic.open(tmp_path / "towns.duckdb", embedder="hash") as corpus:
        corpus.add(PAGES)
        asked = corpus.ask(QUESTION, record=True)
        assert (asked.text, asked.found) == (corpus.ask(QUESTION).text, True)
    assert asked.unkept.startswith(f"{tmp_path / 'towns.runs.duckdb'} cannot be ")


def test_a_file_of_other_tables_in_the_place_of_kept_runs_is_named_with_the_way_out(tmp_path: Path) -> None:
    runs = tmp_path / "towns.runs.duckdb"
    with duckdb.connect(runs) as other:
        other.execute("CREATE TABLE seed (colour VARCHAR); INSERT INTO seed VALUES ('red')")
    with mosaic.open(tmp_path / "towns.duckdb", embedder="hash") as corpus:
        corpus.add(PAGES)
        asked = corpus.ask(QUESTION, record=True)
        assert (asked.text, asked.found) == (corpus.ask(QUESTION).text, True)  # the handle goes on
    told = asked.unkept
    assert told.startswith(f"{runs} holds other tables than runs (")
    assert told.endswith("); move it away, and the next kept run makes a new one")
    assert "\n" not in told
    with duckdb.connect(runs, read_only=True) as other:
        assert other.execute("FROM seed").fetchall() == [("red",)]
        assert other.execute("SELECT count(*) FROM information_schema.tables").fetchall() == [(1,)]


def test_a_corpus_in_memory_refuses_to_keep_a_run_in_one_line(corpus: mosaic.Corpus) -> None:
    with pytest.raises(mosaic.StoreError) as refused:
        corpus.ask(QUESTION, record=True)
    assert str(refused.value) == ("a corpus in memory keeps its runs in memory; give the corpus a file to keep them")
    assert corpus.ask(QUESTION).found
