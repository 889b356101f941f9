"""The page of a retrieval: it stands alone, is escaped, draws the walk, and a browser shows it without complaint."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner

import mosaic_sql as mosaic
from mosaic_sql.commands import cli
from mosaic_sql.page import page
from mosaic_sql.page.frame import framed
from mosaic_sql.pipeline.explanation import Explanation
from mosaic_sql.pipeline.paths import DROPPED_SHOWN, KEPT_SHOWN

SAMPLE = Path(__file__).parents[2] / "sample_data"
HOSTILE = '<script>alert(1)</script> & "quotes" </svg>'
PARTS = {
    "page": dict.fromkeys("how parts analysis seeds walk evidence passages sql times".split(), ""),
    "bench.compare": dict.fromkeys("settings notes plots tables".split(), ""),
}
VOID = {"meta", "br", "hr", "img", "input", "link", "rect", "path"}


class Balance(HTMLParser):
    """Every tag is closed by its own, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.stack.pop() == tag


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[mosaic.Corpus]:
    with mosaic.open(tmp_path_factory.mktemp("page") / "sample.duckdb", embedder="none") as corpus:
        corpus.add(SAMPLE / "documents")
        corpus.add({"id": "odd", "title": HOSTILE, "text": f"{HOSTILE} was found by William Ramsay in argon."})
        yield corpus


@pytest.fixture(scope="module", params=["default", "mosaic"])
def told(request: pytest.FixtureRequest, corpus: mosaic.Corpus) -> Explanation:
    return corpus.explain("Which awards did the discoverers of argon receive?", policy=request.param)


def test_a_page_stands_alone_and_is_well_formed(told: Explanation) -> None:
    html = page(told)
    assert not re.search(r"https?://|<script|<link|<iframe|@import|url\(", html)
    balance = Balance()
    balance.feed(html)
    assert balance.stack == []


def test_it_tells_question_policy_walk_evidence_sql_and_times(told: Explanation) -> None:
    html = page(told)
    assert "<h1>Which awards did the discoverers of argon receive?</h1>" in html
    assert f"<b>operator</b> {told.operator}" in html
    boxes = html.count('tabindex="0" role="img"')
    assert boxes == sum(len(column.hops) for column in told.walk) > 0
    assert html.count("<article") == len(told.passages) > 0
    assert all(f"<td>{seed['why']}</td>" in html for seed in told.seeds)
    assert html.count("<details>") == 2 + len(told.statements)
    assert all(f"<td>{stage.stage}</td>" in html for stage in told.stages)
    assert "<mark>argon</mark>" in html.lower()


def test_a_table_says_all_that_the_drawing_does_and_has_no_empty_column(told: Explanation) -> None:
    html = page(told)
    table = html[html.index("The paths drawn, best first") : html.index("Evidence</h2>")]
    for hop in (hop for column in told.walk for hop in column.hops):
        assert all(f"{name.replace('_', ' ')} {value:.3f}" in table for name, value in hop.terms.items())
    assert ('<th scope="col">gain</th>' in html) == (told.operator == "beam")


def test_what_scrolls_is_a_named_region_within_reach_of_the_keyboard(told: Explanation) -> None:
    html = page(told)
    assert html.count('class="scroll"') == html.count('class="scroll" tabindex="0" role="region" aria-label="') > 5
    assert "<th>" not in html


def test_described_parts_bounds_and_what_comes_after_the_walk_are_told() -> None:
    with mosaic.open(":memory:", embedder="none") as graph:
        heads, relations = ["Ada", "Bo"] * 2, ["wrote"] * 2 + ["born_in"] * 2
        tails = ["Notes", "Notes", "Rome", "Pisa"]
        graph.import_graph(pa.table({"subject": heads, "relation": relations, "object": tails}))
        refined = graph.explain("?", policy={
            "operator": "meta_path", "anchors": ["Notes"], "pattern": "^wrote", "sort_by": "degree", "limit": 1,
        })  # fmt: skip
        cut = graph.explain("?", policy={"operator": "bfs", "anchors": ["Notes"], "row_budget": 1})
        parts = graph.explain("Where were the authors who wrote Notes born?")
    assert "<li>after the walk: 2 in, 1 kept, 1 dropped by limit (" in page(refined)
    assert cut.cuts
    assert all(f"<li>bound: {line}" in page(cut) for line in cut.cuts)
    assert page(parts).count("<summary>step ") == len(parts.steps)


def test_pages_of_all_commands_have_one_head_and_their_own_style_after_it() -> None:
    pages = {package: framed(f"mosaic_sql.{package}", "<T>", **parts) for package, parts in PARTS.items()}
    heads = {text[: text.index("svg .soft")] for text in pages.values()}
    assert len(heads) == 1
    assert "<title>&lt;T&gt;</title>" in heads.pop()
    assert "--kept" in pages["page"]
    assert "--kept" not in pages["bench.compare"]


def test_what_a_corpus_says_is_escaped(corpus: mosaic.Corpus) -> None:
    html = page(corpus.explain(f"Who found {HOSTILE}?"))
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    balance = Balance()
    balance.feed(html)
    assert balance.stack == []


def test_a_large_walk_is_told_by_its_best_and_a_number(corpus: mosaic.Corpus) -> None:
    told = corpus.explain("What is known of elements?", policy="wide")
    kept = {column.depth: sum(step.kept for step in column.hops) for column in told.walk}
    for depth, column in zip(told.depths, told.walk, strict=True):
        assert kept[column.depth] + column.more_kept == depth.kept
        assert len(column.hops) + column.more_kept + column.more_dropped == depth.evaluated
        parents = {s.parent_id for later in told.walk for s in later.hops if later.depth == column.depth + 1}
        assert kept[column.depth] <= max(KEPT_SHOWN, len(parents))
        assert len(column.hops) - kept[column.depth] <= DROPPED_SHOWN
        assert parents <= {step.path_id for step in column.hops}
    assert any(column.more_kept or column.more_dropped for column in told.walk)


def test_a_question_without_an_answer_has_a_page_too() -> None:
    with mosaic.open(":memory:", embedder="none") as empty:
        html = page(empty.explain("Is there anything?"))
    assert "Nothing was found." in html


def test_the_command_writes_it_and_refuses_a_place_that_is_none(corpus: mosaic.Corpus, tmp_path: Path) -> None:
    with mosaic.open(tmp_path / "c.duckdb", embedder="none") as small:
        small.add("Argon was found by William Ramsay.")
    run = CliRunner()
    done = run.invoke(
        cli, ["explain", str(tmp_path / "c.duckdb"), "Who found argon?", "--html", str(tmp_path / "a.html")]
    )
    assert done.exit_code == 0, done.output
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    none = run.invoke(cli, ["explain", str(tmp_path / "c.duckdb"), "Who?", "--html", str(tmp_path / "no" / "a.html")])
    assert none.exit_code == 1
    assert "make the folder first" in none.output


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no Chromium on this machine")
def test_a_browser_shows_it_without_complaint(told: Explanation, tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    place.write_text(page(told), encoding="utf-8")
    command = [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
        f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr", "--dump-dom", place.as_uri(),
    ]  # fmt: skip
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "CONSOLE" not in shown.stderr
    assert shown.stdout.count('role="img"') == sum(len(column.hops) for column in told.walk)
