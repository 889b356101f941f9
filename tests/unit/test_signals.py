"""Signals are one table: what is added there is seen by the rules, the prompt, the schema and the docs."""

from __future__ import annotations

import importlib.util
import re
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from mosaic_sql.analyze import cues, signals
from mosaic_sql.analyze.signals import SIGNALS, Cue, PerTarget, Signal
from mosaic_sql.policy import PART_OF, clamp
from mosaic_sql.records import Target

ROOT = Path(__file__).parents[2]
FRESHNESS = Signal(
    "freshness",
    "Does only the newest source count?",
    "old news outweighs new",
    (Cue("newest", "newest, current, latest", re.compile("newest|current|latest"), {"decay": 0.4, "max_depth": 3}),),
    may_move=("title_boost",),
)
EXTENDED = (*SIGNALS, FRESHNESS)
PAPER = {
    "seed_limit", "seed_query_mode", "selection_mode", "max_depth", "beam_width", "anchor_strength", "use_connector",
    "stop_regime", "evidence_count", "min_evidence", "adaptive_final_evidence",
}  # fmt: skip


def docs_script() -> ModuleType:
    loader = SourceFileLoader("docs_script", str(ROOT / "scripts" / "docs"))
    spec = importlib.util.spec_from_loader("docs_script", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def named(question: str, *names: str) -> list[Target]:
    places = [(question.index(name), name) for name in names]
    return [Target(at, n, n.lower(), 1.0, (at,), (n,), at, at + len(n), "name") for at, n in places]


def test_the_table_moves_the_eleven_controls_of_the_paper() -> None:
    assert set(signals.controls()) == PAPER
    assert [signal.name for signal in SIGNALS] == [
        "mediatedness", "output_cardinality", "seed_coverage", "anchoring", "identity_relation", "completeness",
    ]  # fmt: skip


def test_names_are_unique_and_refer_to_what_is_there() -> None:
    every = [cue for signal in SIGNALS for cue in signal.cues]
    names = [cue.name for cue in every]
    assert len(set(names)) == len(names)
    assert {cue.unless for cue in every} | {cue.within for cue in every} <= {*names, ""}
    assert {name for cue in every for name in cue.also} <= {signal.name for signal in SIGNALS}
    assert {cue.level for cue in every} <= {0, 1, 2}
    assert set(signals.controls()) <= set(PART_OF)


@pytest.mark.parametrize(("targets", "expected"), [(0, 7), (2, 7), (3, 9), (4, 12), (9, 12)])
def test_a_number_for_each_target_is_held_to_its_ends(targets: int, expected: int) -> None:
    assert PerTarget(3, 7, 12).of(targets) == expected


def test_what_the_rules_propose_is_within_what_an_analyzer_may_set() -> None:
    for cue in (cue for signal in SIGNALS for cue in signal.cues):
        moves = {name: value.of(2) if isinstance(value, PerTarget) else value for name, value in cue.moves.items()}
        assert clamp(moves, "beam")[1] == ()


def test_a_signal_that_is_added_is_read_and_moves_its_controls() -> None:
    question = "Who is the current king?"
    levels, proposal = cues.read(question, (), EXTENDED)
    assert levels == {**dict.fromkeys((signal.name for signal in SIGNALS), 0), "freshness": 2}
    assert (proposal["decay"], proposal["max_depth"]) == (0.4, 3)
    assert "freshness" not in cues.read(question, ())[0]
    assert clamp(proposal, "chunk_hop")[0].walk.decay == 0.4
    assert cues.for_chunk_hop(proposal) == {"decay": 0.4, "evidence_count": 10}


def test_a_signal_that_is_added_stands_in_the_docs() -> None:
    page = docs_script().policies_page
    told = (
        "`freshness`",
        "Does only the newest source count?",
        "newest, current, latest",
        "`decay` `0.4`, `max_depth` `3`",
    )
    assert f"| {' | '.join(told)} |" in page(EXTENDED).splitlines()
    assert "|  |  | as a model finds | `title_boost` |" in page(EXTENDED).splitlines()
    assert "freshness" not in page()


def test_every_signal_question_and_control_stands_in_the_docs() -> None:
    page = (ROOT / "docs" / "policies.md").read_text(encoding="utf-8")
    table = page.split("## Signals")[1]
    for signal in SIGNALS:
        assert f"| `{signal.name}` | {signal.asks} |" in table
        assert all(f"`{name}`" in table for name in signal.moves)


@pytest.mark.parametrize(
    ("question", "names", "expected"),
    [
        ("Where was the director of the Quirkel Institute born?", ("Quirkel Institute",), ("director", "born")),
        ("What is the date of birth of the director of Heat?", ("Heat",), ("date of birth", "director")),
        ("Are Heat and Dunkirk by the same director?", ("Heat", "Dunkirk"), ("director",)),
        ("Which is older, Heat or Dunkirk?", ("Heat", "Dunkirk"), ("older",)),
        ("the author, the author and the  AUTHOR of it", (), ("author",)),
        ("Why does fair skin affect the risk of cancer?", (), ("fair skin affect", "risk of cancer")),
        ("one big red old iron steam engine, two, three, four, five, six", (), None),
        ("What is it?", (), ()),
        ("Heat", ("Heat",), ()),
        ("", (), ()),
    ],
)
def test_facets_are_the_words_around_the_names(
    question: str, names: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    found = cues.facets(question, named(question, *names))
    assert found == expected if expected is not None else len(found) == cues.FACET_LIMIT
    assert found == cues.facets(question, named(question, *names))
    assert all(len(facet.split()) <= cues.FACET_WORDS for facet in found)


VALID = {
    "operator": "beam", "seed_limit": 7, "seed_query_mode": "full_query", "use_connector": False,
    "anchor_strength": 0.0, "evidence_count": 8, "min_evidence": 3,
}  # fmt: skip


@pytest.mark.parametrize(
    ("values", "levels", "targets", "changed"),
    [
        ({}, {}, 0, {}),
        ({"min_evidence": 9}, {}, 0, {"min_evidence": 8}),
        ({"seed_query_mode": "per_target"}, {}, 1, {"seed_query_mode": "full_query"}),
        ({"seed_query_mode": "per_target"}, {}, 2, {}),
        ({"seed_limit": 3}, {}, 1, {}),
        ({"seed_limit": 3}, {}, 4, {"seed_limit": 8}),
        ({"seed_limit": 3}, {}, 12, {"seed_limit": 15}),
        ({"seed_limit": 3, "operator": "chunk_hop"}, {}, 4, {}),
        ({"use_connector": True}, {}, 0, {}),
        ({"use_connector": True, "seed_limit": 1}, {}, 0, {"use_connector": False}),
        ({"use_connector": True, "seed_limit": 1}, {}, 2, {"seed_limit": 4}),
        ({"anchor_strength": 0.9}, {"anchoring": 2}, 0, {}),
        ({"anchor_strength": 0.9}, {"anchoring": 2, "mediatedness": 1}, 0, {"anchor_strength": 0.3}),
        ({"anchor_strength": 0.1}, {"anchoring": 2, "mediatedness": 1}, 0, {}),
    ],
)
def test_controls_are_checked_against_each_other(
    values: dict[str, object], levels: dict[str, int], targets: int, changed: dict[str, object]
) -> None:
    assert cues.checked({**VALID, **values}, levels, targets) == changed
