"""What a policy becomes: the statements and their values, kept as files whose changes are read in review."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_store import transitions

from mosaic_sql.policy import NAMED_POLICIES, OPERATORS, Policy, named_policy
from mosaic_sql.records import RenderedQuery, Target
from mosaic_sql.render import Form, Query, Question, render

GOLDEN = Path(__file__).parent.parent / "golden" / "render"
HOSTILE = "'; DROP TABLE node; --"
PATTERNS = {"shortest_path": "~any{1,4}"}
FORMS = {
    **{operator: (operator, Form(8)) for operator in OPERATORS},
    **{
        f"{operator}_resident": (operator, Form(8, expand="resident"))
        for operator in OPERATORS
        if operator != "chunk_hop"
    },
    "meta_path_uncapped": ("meta_path", Form(8, expand="resident", widest=40)),
    "chunk_hop_sentences": ("chunk_hop", Form(8, sentence_vectors=True)),
    "chunk_hop_resident": ("chunk_hop", Form(8, text="resident")),
}


def question(operator: str, **fields: Any) -> Question:
    targets = (
        Target(0, "Marie Curie", "marie curie", 0.9, (4, 7), ("Marie Curie", "Marie Curie"), 8, 19, "exact name"),
        Target(1, "radium", "radium", 0.6, (2,), ("Radium",), 30, 36, "exact name"),
    )
    known = {
        "vector": (4000.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        "targets": targets,
        "topics": (2, 4, 7),
        "transitions": transitions(PATTERNS.get(operator, "wrote / ^directed_by[person]{1,2}")),
    }
    return Question(1, "How did Marie Curie discover radium?", **{**known, **fields})


def script(stages: tuple[RenderedQuery, ...]) -> str:
    return "\n\n".join(f"-- {stage.stage}: {stage.name}\n{stage.sql};" for stage in stages) + "\n"


def values(stages: tuple[RenderedQuery, ...]) -> str:
    """Every value once; one parameter means one thing in all stages."""
    merged: dict[str, Any] = {}
    for stage in stages:
        for name, value in stage.params.items():
            assert merged.setdefault(name, value) == value
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in sorted(merged.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def compare(name: str, text: str, *, accept: bool) -> None:
    path = GOLDEN / name
    if accept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{name} is missing; look at it after `pytest --accept`"
    assert text == path.read_text(encoding="utf-8"), (
        f"{name} differs; if it is meant, `pytest --accept` and review the diff"
    )


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--accept"))


@pytest.mark.parametrize("case", FORMS)
def test_the_statements_of_every_operator(case: str, accept: bool) -> None:
    operator, form = FORMS[case]
    compare(f"{case}.sql", script(render([question(operator)], named_policy("default", operator), form)), accept=accept)


def test_the_statements_of_an_unrolled_walk(accept: bool) -> None:
    asked = question("meta_path", transitions=transitions("wrote / ^directed_by"))
    stages = render([asked], named_policy("default", "meta_path"), Form(8, "paged", is_large=True))
    compare("meta_path_unrolled.sql", script(stages), accept=accept)


@pytest.mark.parametrize(
    ("control", "stage"), [("use_connector", "connector"), ("adaptive_final_evidence", "evidence")]
)
def test_a_switch_of_the_beam_changes_one_stage(control: str, stage: str, accept: bool) -> None:
    plain = render([question("beam")], named_policy("default", "beam"), Form(8))
    switched = render([question("beam")], Policy.parse({control: True}, base=named_policy("default", "beam")), Form(8))
    changed = [new for old, new in zip(plain, switched, strict=True) if new.sql != old.sql]
    assert [query.stage for query in changed] == [stage]
    compare(f"beam_{control}.sql", script(tuple(changed)), accept=accept)


@pytest.mark.parametrize("policy", NAMED_POLICIES)
@pytest.mark.parametrize("operator", OPERATORS)
def test_the_values_of_every_named_policy(operator: str, policy: str, accept: bool) -> None:
    chosen = named_policy(policy, operator)
    stages = render([question(operator)], chosen, Form(8))
    compare(f"{operator}_{policy}.json", values(stages), accept=accept)
    # a choice of file hangs on a value: links for a chunk walk of one hop, or of more
    same_depth = Policy.parse({"max_depth": chosen.walk.max_depth}, base=named_policy("default", chosen.walk.operator))
    plain = render([question(chosen.walk.operator)], same_depth, Form(8))
    assert script(stages) == script(plain), "a policy changes values, never the text"
    if chosen.walk.operator == "chunk_hop" and chosen.walk.max_depth > 1:
        compare("chunk_hop_deep.sql", script(stages), accept=accept)


def test_no_file_is_left_over() -> None:
    wanted = {
        f"{case}.sql"
        for case in (
            *FORMS,
            "meta_path_unrolled",
            "chunk_hop_deep",
            "beam_use_connector",
            "beam_adaptive_final_evidence",
        )
    } | {f"{o}_{p}.json" for o in OPERATORS for p in NAMED_POLICIES}
    assert {path.name for path in GOLDEN.iterdir()} == wanted


def test_rendering_is_pure() -> None:
    first, second = (render([question("beam")], named_policy("default", "beam"), Form(8)) for _ in range(2))
    assert first == second
    assert [stage.fingerprint for stage in first] == [stage.fingerprint for stage in second]


def hostile(operator: str, text: str) -> tuple[RenderedQuery, ...]:
    """A question whose text, names, facets, pattern and kinds are `text`, rendered."""
    target = Target(0, text, text, 1.0, (1,), (text,), 0, len(text), text)
    rule = {"state": 0, "relation_id": None, "forward": None, "kind": text, "next_state": 1, "accepts": True}
    asked = Question(1, text, None, targets=(target,), transitions=(rule,), queries=(Query("facet", text, None, ()),))
    chosen = named_policy("default", operator)
    chosen = chosen.model_copy(update={"walk": chosen.walk.model_copy(update={"pattern": text})})
    return render([asked], chosen, Form(8))


@pytest.mark.parametrize("operator", OPERATORS)
def test_no_value_reaches_the_text_of_a_statement(operator: str) -> None:
    stages = hostile(operator, HOSTILE)
    assert "DROP TABLE" not in script(stages)
    assert "DROP TABLE" in values(stages)


@lru_cache
def harmless(operator: str) -> str:
    return script(hostile(operator, "harmless"))


@settings(max_examples=30)
@given(operator=st.sampled_from(OPERATORS), text=st.text(min_size=1, max_size=40))
def test_the_text_is_the_same_whatever_is_asked(operator: str, text: str) -> None:
    assert script(hostile(operator, text)) == harmless(operator)
