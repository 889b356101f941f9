"""`mosaic compare`: its measures by hand, whole comparisons over ten passages, the page, and the command."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from bench_folder import QUESTIONS, write
from click.testing import CliRunner, Result

import mosaic_sql
from mosaic_sql.bench import dataset as datasets
from mosaic_sql.bench import indexing
from mosaic_sql.bench.compare import Comparison, Plan, Question, compare, fixed, intervals, statements, traits
from mosaic_sql.bench.compare import first as first_of
from mosaic_sql.bench.compare import load as load_questions
from mosaic_sql.bench.compare.page import page
from mosaic_sql.bench.compare.questions import located
from mosaic_sql.bench.compare.statements import Part
from mosaic_sql.bench.indexing import Settings
from mosaic_sql.commands import cli
from mosaic_sql.errors import IngestError, MosaicError, PolicyError
from mosaic_sql.pipeline import Corpus
from mosaic_sql.policy import Policy, default_policy

HASH = Settings(embedder="hash")
SAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "questions.jsonl"
EVIDENCE = [
    "Pierre Curie was killed in the Rue Dauphine",
    "Polonium is named after Poland.; Marie Curie discovered polonium",
    "The Seine reaches the sea at Le Havre; Le Havre is a port on Mars with unicorns",
]
KINDS = ["bridge", "bridge", "<script>alert(1)</script>"]
ROWS = [
    {"question": text, "support": [f"p{n}" for n in support], "evidence": said, "answers": ["Poland"], "kind": kind}
    for (text, support), said, kind in zip(QUESTIONS[1:], EVIDENCE, KINDS, strict=True)
]


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of ten passages, and three questions about it."""
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


# -- questions -------------------------------------------------------------------------------------------------------


def test_a_line_may_hold_every_field_or_the_question_alone(tmp_path: Path) -> None:
    file = lines(
        tmp_path / "q.jsonl",
        {"question": "A?", "support": ["x", 7], "evidence": " one ; two;; ", "answers": ["a"], "kind": "list"},
        {"question": "B?", "documents": "y", "evidence": ["three"], "expected": ["b", "c"], "need": "direct", "id": 9},
        {"question": "C?"},
    )
    assert load_questions(file) == (
        Question("A?", f"{file}:1", frozenset({"x", "7"}), ("one", "two"), ("a",), "list"),
        Question("B?", f"{file}:2", frozenset({"y"}), ("three",), ("b", "c"), "direct"),
        Question("C?", f"{file}:3"),
    )


def test_the_sample_questions_are_read_as_they_are() -> None:
    read = load_questions(SAMPLE)
    assert (read[0].support, read[0].answers, read[0].kind) == ({"francium.md"}, ("Marguerite Perey", "1939"), "direct")
    chosen = first_of(read, None, 1)
    assert len({question.kind for question in chosen}) == len(chosen) == len({question.kind for question in read})
    assert first_of(read, 2, None) == read[:2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no questions; it needs one JSON object a line"),
        ("\n \n", "holds no questions"),
        ("{", ":1: not a line of JSON"),
        ("[]", ":1: a list where a JSON object was expected"),
        ('{"q": "x"}', ":1: no question; give a text under `question`"),
        ('{"question": " "}', ":1: no question"),
        ('{"question": "x"}\n{"question": "y", "support": {"a": 1}}', ":2: support holds a dict; give texts"),
        ('{"question": "x", "answers": [true]}', ":1: answers holds a bool"),
    ],
)
def test_what_is_no_question_is_told_by_its_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(IngestError, match=re.escape(message)) as told:
        load_questions(file)
    assert "\n" not in str(told.value)


def test_a_document_is_found_by_its_source_or_the_end_of_it() -> None:
    sources = ["a/x.md", "b/x.md", "b/c/y.md", "z.md"]

    def place(name: str) -> frozenset[str]:
        return located([Question("?", "f:1", frozenset({name}))], sources, "DB")[0].support

    assert [place(name) for name in ("b/x.md", "y.md", "c/y.md", "z.md")] == [
        {"b/x.md"}, {"b/c/y.md"}, {"b/c/y.md"}, {"z.md"},
    ]  # fmt: skip
    with pytest.raises(IngestError, match=r"f:1: 'x.md' may be 'a/x.md' or 'b/x.md'; write the whole source"):
        place("x.md")
    with pytest.raises(IngestError, match=r"f:1: DB holds no document '/z\.md'; name a document by its source"):
        place("/z.md")


# -- measures --------------------------------------------------------------------------------------------------------


def test_a_statement_is_held_from_seven_tenths_of_its_stems_on() -> None:
    (statement,) = statements.statements(["The five words: alpha beta gamma delta epsilon"])
    assert len(statement) == 7
    text = "alpha betas gamma deltas"
    assert not statements.holds(frozenset(statements.words.stems(text)), statement)  # 4 of 7
    assert statements.holds(frozenset(statements.words.stems(text + " words")), statement)  # 5 of 7
    (ten,) = statements.statements(["a1 a2 a3 a4 a5 a6 a7 a8 a9 a10"])
    assert statements.holds(frozenset(f"a{n}" for n in range(1, 8)), ten)


def test_what_says_nothing_is_not_looked_for() -> None:
    assert statements.statements(["yes", "No.", "the", "", "no idea"]) == (frozenset({"idea"}),)


def test_a_context_is_judged_as_a_whole_by_passage_and_by_length() -> None:
    wanted = statements.statements(["Rome lies on the Tiber", "Paris lies on the Seine", "Bonn lies nowhere"])
    parts = [Part("Rome lies on the Tiber."), Part("Seine, 18 letters.", title="Paris"), Part("It lies there.")]
    assert [len(part.text) for part in parts] == [23, 18, 14]
    assert statements.judge(wanted, parts) == {
        "statements": pytest.approx(2 / 3),  # Paris and Seine in one passage, lies in another
        "in_passage": pytest.approx(1 / 3),
        "precision": pytest.approx(23 / 55),
    }
    assert statements.judge(wanted, []) == {"statements": 0, "in_passage": 0, "precision": 0}


def test_a_context_is_cut_at_the_character() -> None:
    parts = [Part("abcde", "t"), Part("fgh"), Part("ij")]
    assert statements.cut(parts, 5) == parts[:1]
    assert statements.cut(parts, 6) == [parts[0], Part("f")]
    assert statements.cut(parts, 99) == parts
    assert [statements.length(statements.cut(parts, size)) for size in (1, 7, 10)] == [1, 7, 10]


def test_an_interval_is_seeded_and_holds_the_difference() -> None:
    one, other = [1.0, 1.0, 0.0, 1.0] * 25, [0.0, 1.0, 0.0, 1.0] * 25
    told = intervals.interval(one, other, seed=1)
    assert told == intervals.interval(one, other, seed=1)
    mean, low, high = told
    assert mean == 25
    assert (low, high) == (pytest.approx(25 - 8.5, abs=2), pytest.approx(25 + 8.5, abs=2))  # 1.96 * sqrt(.1875 / 100)
    assert intervals.interval([0.5] * 3, [0.25] * 3, seed=0) == (25, 25, 25)


def test_alignment_compares_questions_with_a_trait_and_without() -> None:
    asked = [
        Question("?", "", kind="bridge"),
        Question("?", "", kind="Fact Retrieval"),
        Question("?", "", frozenset({"a", "b"})),  # of no category: two documents are two hops
        Question("?", "", kind="comparison"),
    ]
    connected = Policy.parse({"use_connector": True, "evidence_count": 14})
    shallow = Policy.parse({"max_depth": 2})
    rows = traits.alignment("beam", asked, [connected, shallow, connected, shallow])
    assert {(row.trait, row.with_trait, row.without, row.questions_with) for row in rows} == {
        ("multi-target", 0.0, 66.7, 1),
        ("multi-answer", None, 50.0, 0),
        ("multi-hop", 100.0, 0.0, 2),
        ("direct", 100.0, 33.3, 1),
    }


# -- policies --------------------------------------------------------------------------------------------------------


def test_the_matched_policy_has_the_rounded_means() -> None:
    made = [
        Policy.parse({"seed_limit": seeds, "max_depth": depth, "evidence_count": count, "min_evidence": 6})
        for seeds, depth, count in [(7, 2, 6), (10, 3, 14), (8, 2, 8)]
    ]
    policy = fixed.matched(made, "beam")
    assert [fixed.value(policy, name) for name in fixed.MATCHED] == [8, 2, 8, 9]
    assert policy == fixed.with_controls(
        default_policy("beam"), {"seed_limit": 8, "max_depth": 2, "beam_width": 8, "evidence_count": 9}
    )
    assert fixed.with_controls(policy, {"evidence_count": 2}).evidence.min_evidence == 2


def test_a_reset_moves_one_control() -> None:
    policy = Policy.parse({"operator": "beam", "use_connector": True, "evidence_count": 16, "min_evidence": 12})
    assert fixed.reset(policy, "use_connector") == Policy.parse({"use_connector": False}, base=policy)
    assert fixed.reset(policy, "max_depth") == policy
    assert fixed.reset(policy, "evidence_count").evidence.min_evidence == 8  # the floor gives way to the cap


@pytest.mark.parametrize(
    ("start", "wanted", "count", "tried"),
    [
        (8, 810, 8, [8]),  # near enough
        (8, 1600, 16, [8, 16]),
        (8, 390, 4, [8, 4]),
        (8, 350, 3, [8, 4, 3]),  # as far as 4: the smaller one
        (8, 40, 1, [8, 1]),
        (8, 5000, 50, [8, 50, 63]),  # longer than 40 units a context does not get
    ],
)
def test_the_evidence_count_of_the_nearest_length_is_found(
    start: int, wanted: float, count: int, tried: list[int]
) -> None:
    asked: list[int] = []

    def characters(units: int) -> float:
        asked.append(units)
        return 100.0 * min(units, 40)

    assert fixed.nearest_count(start, wanted, characters) == count
    assert asked[: len(tried)] == tried
    assert len(asked) == len(set(asked)) <= fixed.TRIES


# -- comparisons -----------------------------------------------------------------------------------------------------


def test_every_operator_is_asked_under_every_policy(found: Comparison) -> None:
    assert Plan().policies == ("adaptive", "narrow", "medium", "wide", "budget-matched")
    rows = [row for row in found.rows if row.group == "policy"]
    assert [(row.operator, row.policy) for row in rows] == [
        (operator, policy) for operator in ("beam", "chunk_hop") for policy in ("adaptive", "wide", "budget-matched")
    ]
    for row in rows:
        assert row.questions == {"all": 3, "bridge": 2, KINDS[2]: 1}
        assert set(row.scores) == set(row.questions)
        means = row.scores["all"]
        for share in ("R@5", "all@5", "kept_recall", "statements", "in_passage", "precision", "chance", "answers"):
            assert 0 <= means[share] <= 100
        assert means["in_passage"] <= means["statements"]
        assert means["statements"] <= (1 + 1 + 0.5) / 3 * 100 + 0.1  # no passage speaks of unicorns
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
    assert row.scores["all"]["chars"] == round(sum(chars) / 3, 1)
    assert row.scores["all"]["units"] == round(sum(each.to_arrow().num_rows for each in got) / 3, 1)
    tops = [list(dict.fromkeys(each.evidence.rows["source"].to_pylist()))[:5] for each in got]
    shares = [len({*top} & {*row["support"]}) / 2 for top, row in zip(tops, ROWS, strict=True)]
    assert row.scores["all"]["R@5"] == round(100 * sum(shares) / 3, 1)
    assert row.scores["bridge"]["R@5"] == round(100 * sum(shares[:2]) / 2, 1)


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


def test_the_same_question_twice_gives_the_same_numbers(corpus: Corpus, folder: Path) -> None:
    plan = Plan(operators=("chunk_hop",), policies=("adaptive", "budget-matched"))
    asked = load_questions(folder / "gold.jsonl")[:2]
    one, two = (untimed(compare(corpus, asked, plan).to_dict()) for _ in range(2))
    assert one == two
    assert [row["measure"] for row in one["differences"]] == ["R@5", "all@5", "statements"]


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
    assert outline.seen.count("svg") == 9  # three recalls, three differences to each of the two
    assert len(outline.ids) == len(set(outline.ids)) == 18
    assert sorted(outline.named) == sorted(outline.ids)
    assert "beam budget-matched" in text
    assert "nan" not in text.lower().replace("dominant", "")


# -- the command -----------------------------------------------------------------------------------------------------


def test_the_command_prints_tables_and_writes_the_page(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    few = ["--operator", "chunk_hop", "--policies", "adaptive,budget-matched", "--budget", 200, "--html", place]
    done = invoke(folder / "tiny.duckdb", folder / "gold.jsonl", "--limit", 2, *few)
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
    assert (record["settings"]["seed"], record["settings"]["questions"], record["settings"]["held"]) == (3, 3, 0.7)
    assert (record["differences"], record["rows"][0]["controls"]["seed_limit"]) == ([], 3)
    heading, *rows = invoke(*few, "--csv", "--per-kind", 1).stdout.splitlines()
    assert heading.startswith("group,operator,policy,kind,questions,R@5,")
    assert [row.split(",")[:5] for row in rows] == [
        ["policy", "chunk_hop", "narrow", kind, count]
        for kind, count in [("all", "2"), (KINDS[2], "1"), ("bridge", "1")]
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


def test_the_errors_are_ours() -> None:
    assert issubclass(IngestError, MosaicError)
