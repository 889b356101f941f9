"""`mosaic compare`: whole comparisons over ten passages, the page, and the command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from bench_folder import QUESTIONS, write
from click.testing import CliRunner, Result

import mosaic_sql
from mosaic_sql.bench import dataset as datasets
from mosaic_sql.bench import indexing
from mosaic_sql.bench.compare import Comparison, Plan, Question, compare, fixed
from mosaic_sql.bench.compare import load as load_questions
from mosaic_sql.bench.compare.page import page
from mosaic_sql.bench.indexing import Settings
from mosaic_sql.commands import cli
from mosaic_sql.errors import PolicyError
from mosaic_sql.pipeline import Corpus

HASH = Settings(embedder="hash")
EVIDENCE = [
    "Polonium is named after Poland.; Marie Curie discovered polonium",
    "The Seine reaches the sea at Le Havre; Le Havre is a port on Mars with unicorns",
]
KINDS = ["bridge", "<script>alert(1)</script>"]
ROWS = [
    {"question": text, "support": [f"p{n}" for n in support], "evidence": said, "answers": ["Poland"], "kind": kind}
    for (text, support), said, kind in zip(QUESTIONS[2:], EVIDENCE, KINDS, strict=True)
]


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of ten passages, and two questions about it."""
    place = write(tmp_path_factory.mktemp("compared") / "tiny")
    with indexing.opened(place / "tiny.duckdb", HASH, indexing.watched(HASH)) as corpus:
        indexing.index(corpus, datasets.load(place), HASH, None)
    lines(place / "gold.jsonl", *ROWS)
    return place


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Iterator[Corpus]:
    with mosaic_sql.open(folder / "tiny.duckdb", read_only=True, trace=False, threads=1) as opened:
        yield opened


@pytest.fixture(scope="module")
def found(corpus: Corpus, folder: Path) -> Comparison:
    """Everything that can be compared, once."""
    return compare(
        corpus,
        load_questions(folder / "gold.jsonl"),
        Plan(policies=("adaptive", "wide", "budget-matched"), ablate=True, budgets=(120, 400)),
    )


def invoke(*arguments: object) -> Result:
    return CliRunner(env={"MOSAIC_BASE_URL": None}).invoke(cli, ["compare", *map(str, arguments)], prog_name="mosaic")


# -- comparisons -----------------------------------------------------------------------------------------------------


def test_every_operator_is_asked_under_every_policy(found: Comparison) -> None:
    assert Plan().policies == ("adaptive", "narrow", "medium", "wide", "budget-matched")
    rows = [row for row in found.rows if row.group == "policy"]
    assert [(row.operator, row.policy) for row in rows] == [
        (operator, policy) for operator in ("beam", "chunk_hop") for policy in ("adaptive", "wide", "budget-matched")
    ]
    for row in rows:
        assert row.questions == {"all": 2, "bridge": 1, KINDS[1]: 1}
        assert set(row.scores) == set(row.questions)
        means = row.scores["all"]
        for share in ("R@5", "all@5", "kept_recall", "statements", "in_passage", "precision", "chance", "answers"):
            assert 0 <= means[share] <= 100
        assert means["in_passage"] <= means["statements"]
        assert means["statements"] <= 75  # no passage speaks of unicorns
        assert means["chars@120"] <= 120
        assert min(means["retrieve_ms"], means["analyze_ms"], means["answer_ms"]) > 0
    assert [row.policies for row in rows if row.policy != "adaptive"] == [1] * 4
    paths = {(row.operator, row.policy): row.scores["all"]["paths"] for row in rows}
    assert paths["chunk_hop", "adaptive"] < paths["chunk_hop", "wide"]


def test_measures_are_those_of_the_retrievals(found: Comparison, corpus: Corpus) -> None:
    controls = {"operator": "chunk_hop", "policy": "wide"}
    got = [corpus.retrieve(row["question"], policy=controls, keep_pruned=True) for row in ROWS]
    (row,) = (row for row in found.rows if (row.operator, row.policy) == ("chunk_hop", "wide"))
    chars = [sum(len(passage.text) for passage in each.context.passages) for each in got]
    assert row.scores["all"]["chars"] == round(sum(chars) / 2, 1)
    assert row.scores["all"]["units"] == round(sum(each.to_arrow().num_rows for each in got) / 2, 1)
    tops = [list(dict.fromkeys(each.evidence.rows["source"].to_pylist()))[:5] for each in got]
    shares = [len({*top} & {*row["support"]}) / 2 for top, row in zip(tops, ROWS, strict=True)]
    assert row.scores["all"]["R@5"] == round(100 * sum(shares) / 2, 1)
    assert row.scores["bridge"]["R@5"] == round(100 * shares[0], 1)


def test_the_matched_row_comes_from_the_adaptive_policies(found: Comparison, corpus: Corpus) -> None:
    for operator in ("beam", "chunk_hop"):
        policies = [corpus.analyze(row["question"], policy={"operator": operator}).policy for row in ROWS]
        wanted = fixed.matched(policies, operator)
        (row,) = (row for row in found.rows if (row.operator, row.policy) == (operator, "budget-matched"))
        assert {name: row.controls[name] for name in ("seed_limit", "max_depth", "beam_width")} == {
            name: fixed.value(wanted, name) for name in ("seed_limit", "max_depth", "beam_width")
        }
        (remark,) = (note for note in found.notes if note.startswith(operator))
        assert "mean evidence characters adaptive" in remark


def test_an_ablation_asks_again_only_where_the_control_was_moved(found: Comparison, corpus: Corpus) -> None:
    rows = {(row.operator, row.policy): row for row in found.rows if row.group == "ablation"}
    assert len(rows) == 2 * len(fixed.CONTROLS)
    adaptive = {row.operator: row for row in found.rows if row.policy == "adaptive"}
    for (operator, policy), row in rows.items():
        control = policy.removeprefix("without ")
        policies = [corpus.analyze(line["question"], policy={"operator": operator}).policy for line in ROWS]
        moved = sum(fixed.reset(each, control) != each for each in policies)
        assert row.changed == moved
        if not moved:
            assert row.scores == adaptive[operator].scores
    assert any(row.changed for row in rows.values())


def test_budgets_have_rows_of_both_arms(found: Comparison) -> None:
    arms = {row.policy: row.scores["all"] for row in found.rows if row.group == "arm"}
    assert list(arms) == ["bm25", "dense"]
    for means in arms.values():
        assert means["chars@120"] == 120
        assert means["chars@120"] < means["chars@400"] <= 400
        assert means["statements@120"] <= means["statements@400"]


def test_arms_without_text_are_left_out_and_it_says_so() -> None:
    with mosaic_sql.open(embedder="none", trace=False) as graph:
        facts = {"source": ["Ada", "Babbage"], "relation": ["wrote_for", "designed"], "target": ["Engine", "Engine"]}
        graph.import_graph(pa.table(facts))
        plan = Plan(operators=("beam",), policies=("narrow",), budgets=(50,))
        told = compare(graph, [Question("Who designed the Engine?", "", answers=("Babbage",))], plan)
    assert [(row.group, row.policy) for row in told.rows] == [("policy", "narrow")]
    assert told.notes == (
        "no question has support or evidence: only effort and the answers held are compared",
        "bm25 left out: it finds nothing, since the corpus holds no text",
        "dense left out: it finds nothing, since the corpus holds no text with vectors",
    )


def test_the_same_question_twice_gives_the_same_numbers(corpus: Corpus, folder: Path) -> None:
    plan = Plan(operators=("chunk_hop",), policies=("adaptive", "budget-matched"))
    asked = load_questions(folder / "gold.jsonl")[:1]
    one, two = (untimed(compare(corpus, asked, plan).to_dict()) for _ in range(2))
    assert one == two
    assert [row["measure"] for row in one["differences"]] == ["R@5", "all@5", "kept_recall", "statements"]


def untimed(data: Any) -> Any:
    """The same without milliseconds."""
    if isinstance(data, dict):
        return {key: untimed(value) for key, value in data.items() if not str(key).endswith("_ms")}
    return [untimed(value) for value in data] if isinstance(data, list) else data


def test_without_gold_data_only_effort_is_compared_and_it_says_so(corpus: Corpus) -> None:
    seen: list[tuple[str, int, int]] = []
    plan = Plan(operators=("chunk_hop",), policies=("narrow",))
    bare = compare(corpus, [Question("Where is the Seine?", "")], plan, lambda *told: seen.append(told))
    assert bare.notes == ("no question has support or evidence: only effort is compared",)
    assert set(bare.rows[0].scores["all"]) == {
        "paths", "depth", "beam", "units", "chars", "analyze_ms", "retrieve_ms", "answer_ms",
    }  # fmt: skip
    assert (bare.differences, bare.alignment) == ((), ())
    assert seen == [("chunk_hop narrow", 0, 1), ("chunk_hop narrow", 1, 1)]


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (Plan(policies=("narrow", "huge")), "policies: unknown 'huge'; of adaptive, narrow"),
        (Plan(policies=()), "policies: unknown 'nothing'"),
        (Plan(operators=("bfs",)), "operator: unknown 'bfs'; of beam, chunk_hop"),
        (Plan(budgets=(100, 0)), "budget: 0 characters hold nothing; give 1 or more"),
    ],
)
def test_a_plan_that_cannot_be_meant_is_refused(corpus: Corpus, plan: Plan, message: str) -> None:
    with pytest.raises(PolicyError, match=re.escape(message)):
        compare(corpus, [Question("?", "")], plan)


# -- the page --------------------------------------------------------------------------------------------------------


class Outline(HTMLParser):
    """Tags in order, whether each is closed, and the attributes of all."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.ids: list[str] = []
        self.named: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        held = dict(attrs)
        self.ids += [held["id"] or ""] if "id" in held else []
        self.named += (held.get("aria-labelledby") or "").split()
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_stands_alone_and_is_escaped(found: Comparison) -> None:
    text = page(found)
    outline = Outline()
    outline.feed(text)
    assert outline.open == []
    assert not re.search(r"http|//|url\(|@import|src=|href=|<script|<link|\$[a-z]", text)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "prefers-color-scheme: dark" in text
    assert outline.seen.count("svg") == 12  # four recalls, four differences to each of the two
    assert len(outline.ids) == len(set(outline.ids)) == 24
    assert sorted(outline.named) == sorted(outline.ids)
    assert "beam budget-matched" in text
    assert "nan" not in text.lower().replace("dominant", "")


# -- the command -----------------------------------------------------------------------------------------------------


def test_the_command_prints_tables_and_writes_the_page(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    few = ["--operator", "chunk_hop", "--policies", "adaptive,budget-matched", "--budget", 200, "--html", place]
    done = invoke(folder / "tiny.duckdb", folder / "gold.jsonl", "--limit", 1, *few)
    assert done.exit_code == 0, done.output
    headings = [line for line in done.stdout.splitlines() if line and not line.startswith(("chunk", "op", "─", "none"))]
    assert [heading.split(",")[0].split(" (")[0] for heading in headings] == [
        "Quality", "Effort", "Requirement alignment", "Contexts cut to 200 characters: all", "Differences",
    ]  # fmt: skip
    assert done.stderr.startswith("chunk_hop: mean evidence characters adaptive ")
    assert place.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_json_is_the_whole_record_and_csv_is_flat(folder: Path) -> None:
    few = [folder / "tiny.duckdb", folder / "gold.jsonl", "--operator", "chunk_hop", "--policies", "narrow"]
    record = json.loads(invoke(*few, "--json", "--seed", 3).stdout)
    assert list(record) == ["settings", "rows", "differences", "alignment", "notes"]
    assert (record["settings"]["seed"], record["settings"]["questions"], record["settings"]["held"]) == (3, 2, 0.7)
    assert (record["differences"], record["rows"][0]["controls"]["seed_limit"]) == ([], 3)
    heading, *rows = invoke(*few, "--csv", "--per-kind", 1).stdout.splitlines()
    assert heading.startswith("group,operator,policy,kind,questions,R@5,")
    assert [row.split(",")[:5] for row in rows] == [
        ["policy", "chunk_hop", "narrow", kind, count]
        for kind, count in [("all", "2"), (KINDS[1], "1"), ("bridge", "1")]
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["{db}", "{dir}/none.jsonl"], 1, "none.jsonl cannot be read (No such file or directory); it needs"),
        (["{db}", "{dir}/empty.jsonl"], 1, "empty.jsonl holds no questions"),
        (["{dir}/none.duckdb", "{gold}"], 1, "none.duckdb does not exist"),
        (["{gold}", "{gold}"], 1, "gold.jsonl is not a DuckDB file"),
        (["{db}", "{dir}/foreign.jsonl"], 1, "holds no document 'elsewhere'"),
        (["{db}", "{gold}", "--html", "{dir}/no/page.html"], 1, "no folder"),
        (["{db}", "{gold}", "--policies", "adaptive,huge"], 2, "unknown 'huge'; one of adaptive, narrow"),
        (["{db}", "{gold}", "--operator", "bfs"], 2, "unknown 'bfs'; one of beam, chunk_hop"),
        (["{db}", "{gold}", "--budget", "10,-3"], 2, "'-3' is no number of characters"),
        (["{db}", "{gold}", "--limit", "0"], 2, "0 is not in the range"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(
    folder: Path, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    lines(tmp_path / "foreign.jsonl", {"question": "x?", "support": ["elsewhere"]})
    places = {"db": folder / "tiny.duckdb", "gold": folder / "gold.jsonl", "dir": tmp_path}
    done = invoke(*(argument.format(**places) for argument in arguments))
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr
    if code == 1:
        assert done.stderr.startswith("mosaic: ")
        assert done.stderr.count("\n") == 1
