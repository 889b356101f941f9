"""Four questions about the sample corpus, each with a signal that moves a control, seen in what is run and found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpora import SAMPLE

import mosaic_sql as mosaic
from mosaic_sql.pipeline import Corpus
from mosaic_sql.policy import PART_OF, default_policy

ROWS = [json.loads(line) for line in (SAMPLE.parent / "signals.jsonl").read_text(encoding="utf-8").splitlines()]
COVERAGE, CARDINALITY, MEDIATED, OVER_MEDIATED = ROWS


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with mosaic.open(tmp_path_factory.mktemp("signals") / "elements.duckdb", trace=False) as opened:
        opened.add(str(SAMPLE))
        yield opened


def ranked(corpus: Corpus, question: str, **controls: Any) -> tuple[Any, list[str]]:
    """A retrieval by the paper's beam and the documents of its kept evidence, best first."""
    retrieval = corpus.retrieve(question, policy={"policy": "mosaic", **controls}, keep_pruned=True)
    units = [row for row in retrieval.evidence.rows.to_pylist() if row["kept"]]
    return retrieval, list(dict.fromkeys(Path(row["source"]).stem for row in units))


@pytest.mark.parametrize("row", ROWS, ids=[row["question"] for row in ROWS])
def test_the_signal_is_read_and_its_control_differs_from_the_default(corpus: Corpus, row: dict[str, str]) -> None:
    policy = ranked(corpus, row["question"])[0].policy
    part, name = PART_OF[row["control"]], row["control"]
    assert corpus.retrieve(row["question"], policy="mosaic").analysis.signals[row["signal"]] > 0
    assert getattr(getattr(policy, part), name) != getattr(getattr(default_policy("beam"), part), name)


def test_each_of_two_targets_has_seeds_of_its_own(corpus: Corpus) -> None:
    retrieval, found = ranked(corpus, COVERAGE["question"])
    groups = retrieval.seeds.rows["group_id"].to_pylist()
    assert min(groups.count(target.group_id) for target in retrieval.analysis.targets[:2]) >= 2
    assert {"hafnium", "rhenium"} <= set(found[:3])


def test_the_two_places_of_a_target_go_to_two_names(tmp_path: Path) -> None:
    """A name may be a node of the text and a node of the graph: they share a place."""
    triples = tmp_path / "triples.csv"
    triples.write_text(
        "Lise Zorbax,born_in,Quirk\nBela Farkas,born_in,Lund\nLise Zorbax,wrote,Tidal Glass\n", encoding="utf-8"
    )
    pages = [
        {"id": "a", "title": "Lise Zorbax", "text": "Lise Zorbax was born in Quirk. She wrote Tidal Glass in Lund."},
        {"id": "b", "title": "Bela Farkas", "text": "Bela Farkas was born in Lund. He taught in Szeged."},
    ]
    with mosaic.open(":memory:", embedder="hash") as corpus:
        corpus.add(pages)
        corpus.import_graph(triples, header=False)
        retrieval = corpus.retrieve(
            "Who was born first, Lise Zorbax or Bela Farkas?",
            policy={"operator": "beam", "seed_query_mode": "per_target", "seed_limit": 4},
            keep_pruned=True,
        )
    targets = [target for target in retrieval.analysis.targets if target.is_meant]
    assert [(target.name, len(target.node_ids)) for target in targets] == [("Lise Zorbax", 2), ("Bela Farkas", 2)]
    seeds = retrieval.seeds.rows.to_pylist()
    assert len({seed["name"] for seed in seeds}) == len(seeds) == 4


def test_a_list_keeps_more_evidence_than_one_value(corpus: Corpus) -> None:
    found = ranked(corpus, CARDINALITY["question"])[1]
    fewer = ranked(corpus, CARDINALITY["question"], evidence_count=6, adaptive_final_evidence=False)[1]
    assert len(found) > len(fewer)
    assert {"ytterby", "yttrium"} <= set(found)


def test_a_mediated_question_walks_between_regions(corpus: Corpus) -> None:
    retrieval, found = ranked(corpus, MEDIATED["question"])
    assert "connector" in retrieval.walk.rows["view"].to_pylist()
    assert {"francium", "marguerite-perey"} <= set(found[:3])


def test_a_question_taken_for_a_mediated_one_walks_far_and_finds_no_more(corpus: Corpus) -> None:
    deep, found = ranked(corpus, OVER_MEDIATED["question"])
    near, direct = ranked(corpus, OVER_MEDIATED["question"], max_depth=2, use_connector=False, stop_regime="shallow")
    assert len(deep.walk.rows) > 1.5 * len(near.walk.rows)
    assert max(deep.walk.rows["depth"].to_pylist()) > max(near.walk.rows["depth"].to_pylist())
    assert direct[:2] == found[:2] == ["francium", "marguerite-perey"]


def test_the_form_that_ran_is_told_and_changes_no_row(tmp_path: Path) -> None:
    with mosaic.open(tmp_path / "few.duckdb", embedder="none") as corpus:
        corpus.add(*sorted(str(path) for path in SAMPLE.iterdir())[:6])
        first, second = (corpus.retrieve(MEDIATED["question"]) for _ in range(2))
        assert (first.walk.form, second.walk.form) == ("text scan", "text resident")
        assert first.evidence.rows.equals(second.evidence.rows)
        beam = corpus.retrieve(MEDIATED["question"], policy="mosaic")
        assert beam.walk.form == "walk join, text resident"
        assert corpus.connection.sql("SELECT form FROM trace.run ORDER BY started_at").fetchall() == [
            ("text scan",), ("text resident",), ("walk join, text resident",)
        ]  # fmt: skip
