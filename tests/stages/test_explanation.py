"""What `explain` tells of a beam: every control of the policy, and what it did."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from test_trace import PAGES

import mosaic_sql as mosaic
from mosaic_sql import sqlfiles
from mosaic_sql.pipeline.effects import Searched
from mosaic_sql.policy import PART_OF, STOP_GAIN

QUESTION = "Who was born first, Alice Zorbax or Bela Farkas?"
BEAM: dict[str, Any] = {"policy": "mosaic", "seed_query_mode": "full_query", "use_connector": False}
CONTROLS: dict[str, Any] = {
    "seed_limit": 2,
    "seed_query_mode": "per_target",
    "selection_mode": "hybrid",
    "max_depth": 2,
    "beam_width": 1,
    "anchor_strength": 0.9,
    "use_connector": True,
    "stop_regime": "deep",
    "evidence_count": 3,
    "min_evidence": 1,
    "adaptive_final_evidence": True,
}
"""The eleven controls of table 3 of MOSAIC, each at a value that is not `plain`'s."""


@pytest.fixture(scope="module")
def corpus() -> Iterator[mosaic.Corpus]:
    with mosaic.open(":memory:", embedder="hash", trace=False) as opened:
        opened.add(PAGES)
        yield opened


@pytest.fixture(scope="module")
def plain(corpus: mosaic.Corpus) -> Any:
    return told(corpus)


def told(corpus: mosaic.Corpus, **controls: Any) -> Any:
    return corpus.explain(QUESTION, policy={**BEAM, **controls})


def lines(explanation: Any, head: str) -> list[str]:
    return [line for line in str(explanation).splitlines() if line.split()[0] == head]


@pytest.mark.parametrize("control", CONTROLS)
def test_each_control_is_told_in_words_and_as_data(corpus: mosaic.Corpus, plain: Any, control: str) -> None:
    changed = told(corpus, **{control: CONTROLS[control]})
    assert lines(changed, "policy") != lines(plain, "policy")
    part = PART_OF[control]
    assert json.loads(json.dumps(changed.to_dict()))["policy"][part][control] == CONTROLS[control]


def test_the_texts_that_searched_are_told_with_their_target(corpus: mosaic.Corpus, plain: Any) -> None:
    whole = plain
    assert [each for each in whole.searched if each.role == "seed"] == [Searched("seed", QUESTION, None)]
    assert lines(whole, "searched") == [f"searched   “{QUESTION}”"]
    assert lines(told(corpus, seed_query_mode="compact_keywords"), "searched") == [
        "searched   “born, first, Alice, Zorbax, Bela, Farkas”"
    ]
    each = told(corpus, seed_query_mode="per_target")
    assert each.facets == ("born first",)
    assert lines(each, "searched") == [
        "searched   “Alice Zorbax, born first” for Alice Zorbax",
        "searched   “Bela Farkas, born first” for Bela Farkas",
    ]
    assert each.to_dict()["searched"] == (
        {"role": "seed", "text": "Alice Zorbax, born first", "target": "Alice Zorbax"},
        {"role": "seed", "text": "Bela Farkas, born first", "target": "Bela Farkas"},
        {"role": "facet", "text": "born first", "target": None},
    )
    assert {seed["target"] for seed in each.seeds} == {"Alice Zorbax", "Bela Farkas"}
    assert all(seed["target"] is None or line.endswith(f" for {seed['target']}")
               for seed, line in zip(each.seeds, lines(each, "seed"), strict=True))  # fmt: skip


def test_a_walk_over_text_searches_by_the_question_and_one_over_relations_by_none(corpus: mosaic.Corpus) -> None:
    by_text = corpus.explain(QUESTION, policy={"operator": "chunk_hop"})
    assert by_text.searched == (Searched("seed", QUESTION, None),)
    by_names = corpus.explain(QUESTION, policy={"operator": "shortest_path"})
    assert (by_names.searched, lines(by_names, "searched")) == ((), [])


def test_how_seeds_are_scored_is_told(corpus: mosaic.Corpus, plain: Any) -> None:
    assert lines(plain, "scored") == ["scored     seeds by the relation index"]
    assert lines(told(corpus, selection_mode="hybrid"), "scored") == [
        "scored     seeds by 0.3 of the entity and 0.7 of the relation index"
    ]


def test_the_anchor_s_lift_is_told_from_0_4_on(corpus: mosaic.Corpus) -> None:
    assert lines(told(corpus, anchor_strength=0.7), "anchor") == [
        "anchor     strength 0.7: weights of target, anchor, transition and hub x 1.50"
    ]
    assert lines(told(corpus, anchor_strength=0.39), "anchor") == ["anchor     strength 0.39: no lift below 0.4"]
    assert told(corpus, anchor_strength=0.7).boost == pytest.approx(1.5)


def test_which_seeds_a_connector_joins_is_told(corpus: mosaic.Corpus, plain: Any) -> None:
    joined = told(corpus, use_connector=True, stop_regime="deep", completeness_floor=1.0)
    assert joined.connectors
    seeds = {seed["name"] for seed in joined.seeds}
    walk = corpus.retrieve(
        QUESTION,
        policy={**BEAM, "use_connector": True, "stop_regime": "deep", "completeness_floor": 1.0},
        keep_pruned=True,
    ).walk.rows.to_pylist()
    found = [row for row in walk if row["view"] == "connector"]
    assert sum(pair.evaluated for pair in joined.connectors) == len(found)
    assert sum(pair.kept for pair in joined.connectors) == sum(row["kept"] for row in found)
    assert all({pair.source, pair.target} <= seeds and pair.source != pair.target for pair in joined.connectors)
    assert max(pair.best_score for pair in joined.connectors) == max(row["score"] for row in found)
    over = [unit for unit in joined.evidence if unit["view"] == "connector"]
    assert sum(pair.units for pair in joined.connectors) == len(over)
    assert str(joined).count(" over a connector") >= len(over)
    first = joined.connectors[0]
    assert lines(joined, "connector")[0].startswith(
        f"connector  {first.source} ~ {first.target}: {first.evaluated} looked at, {first.kept} kept, best "
    )
    assert lines(plain, "connector") == []


def test_a_connector_that_joins_nothing_says_so(corpus: mosaic.Corpus) -> None:
    alone = told(corpus, use_connector=True, seed_limit=1)
    assert lines(alone, "connector") == ["connector  no path joins two regions"]


def test_gain_and_completeness_stand_beside_what_stops_a_walk(corpus: mosaic.Corpus) -> None:
    for regime, limit in STOP_GAIN.items():
        text = str(told(corpus, stop_regime=regime, completeness_floor=0.5))
        assert re.search(rf"gain \d\.\d\d of {limit:.2f}, completeness \d\.\d\d of 0\.50", text)
    literals = re.findall(r"(?:WHEN '\w+' THEN|ELSE) (\d\.\d\d)\b", sqlfiles.load("walk.beam_step").body)
    assert [float(number) for number in literals] == [*STOP_GAIN.values()]


def test_units_that_the_floor_took_back_are_told_with_what_was_against_them(corpus: mosaic.Corpus) -> None:
    few = {"candidate_limit": 1, "chunk_units": False, "evidence_count": 5}
    floor, least = told(corpus, **few, min_evidence=5), told(corpus, **few, min_evidence=1)
    back = [unit for unit in floor.evidence if unit["pruned_by"]]
    assert len(floor.evidence) == 5 > len(least.evidence)
    assert len(back) == 5 - len(least.evidence)
    assert {unit["pruned_by"] for unit in back} <= {"candidate_limit", "chunk_units"}
    assert str(floor).count(", back to the floor (") == len(back)
    assert not any(unit["pruned_by"] for unit in least.evidence)


@pytest.mark.parametrize("policy", [{"operator": "chunk_hop"}, {**BEAM, "beam_width": 2}])
def test_what_was_dropped_last_is_told_with_by_how_much(corpus: mosaic.Corpus, policy: dict[str, Any]) -> None:
    whole = corpus.explain(QUESTION, policy={**policy, "evidence_count": 2, "min_evidence": 1})
    rows = corpus.retrieve(QUESTION, policy=policy, keep_pruned=True).walk.rows.to_pylist()
    for before, depth in zip([None, *whole.depths], whole.depths, strict=False):
        assert depth.rows_in == (before.kept if before else 0)
        scores = {
            kept: [r["score"] for r in rows if r["depth"] == depth.depth and r["kept"] is kept]
            for kept in (True, False)
        }
        below = [score for score in scores[False] if score <= min(scores[True])]
        assert depth.best_dropped == max(below, default=None)
    last, first = whole.evidence[-1], whole.dropped[0]
    assert first["behind"] == last["score"] - first["score"]
    side = "under" if first["behind"] >= 0 else "over"
    said = f" by {first['pruned_by']}, {abs(first['behind']):.3f} {side} the last kept"
    assert lines(whole, "dropped")[0].endswith(said)
    assert any(depth.best_dropped is not None for depth in whole.depths)
    assert "the next missed by " in str(whole)
