"""Benchmark folders: what is read from them, what is refused, what merging does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench_folder import write

from mosaic_sql.bench import dataset as datasets
from mosaic_sql.errors import IngestError


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path / "tiny")


def test_a_folder_is_read(tiny: Path) -> None:
    dataset = datasets.load(tiny)
    assert (dataset.name, len(dataset.passages), len(dataset.questions)) == ("tiny", 10, 4)
    assert dataset.questions[0].support == {"p0", "p1"}
    assert dataset.first(2).questions == dataset.questions[:2]
    assert dataset.first(None) is dataset


def test_numbers_are_ids_and_blank_lines_and_titles_may_be_missing(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", [{"id": 7, "text": "x"}], [{"id": 1, "question": "y?", "support": [7]}])
    (folder / "corpus.jsonl").write_bytes(b"\xef\xbb\xbf" + (folder / "corpus.jsonl").read_bytes() + b"\r\n\n")
    dataset = datasets.load(folder)
    assert dataset.passages == (datasets.Passage("7", "", "x"),)
    assert dataset.questions == (datasets.Question("1", "y?", frozenset({"7"})),)


GOOD = {"id": "q", "question": "who?", "support": ["p0"]}


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("corpus", b'{"id": "p0", "text": ', r"corpus\.jsonl:1: not a line of JSON"),
        ("corpus", b'{"id": "p0", "text": "\xff"}', r"corpus\.jsonl:1: not a line of JSON"),
        ("corpus", b"[1]", r"corpus\.jsonl:1: a list where a JSON object"),
        ("corpus", b'{"text": "x"}', r"corpus\.jsonl:1: no id"),
        ("corpus", b'{"id": "p0"}', r"corpus\.jsonl:1: no text"),
        ("corpus", b'{"id": "p0", "text": 5}', r"corpus\.jsonl:1: text is a int"),
        ("corpus", b'{"id": "p0", "text": "x"}\n{"id": "p0", "text": "y"}', r"corpus\.jsonl:2: id 'p0' .* twice"),
        ("corpus", b"", r"corpus\.jsonl is empty"),
        ("questions", b"", r"questions\.jsonl is empty"),
        ("questions", json.dumps({**GOOD, "question": " "}).encode(), r"questions\.jsonl:1: the question is empty"),
        ("questions", json.dumps({**GOOD, "support": []}).encode(), r"questions\.jsonl:1: no support"),
        ("questions", json.dumps({**GOOD, "support": "p0"}).encode(), r"questions\.jsonl:1: no support"),
        ("questions", json.dumps({"id": "q", "question": "who?"}).encode(), r"questions\.jsonl:1: no support"),
        ("questions", json.dumps({**GOOD, "support": ["p0", "p99"]}).encode(), r"questions\.jsonl:1: support 'p99' is"),
    ],
)
def test_what_cannot_be_meant_is_told_in_one_line(tiny: Path, name: str, line: bytes, message: str) -> None:
    if name == "corpus":  # the first file read says it, whatever the questions hold
        (tiny / "questions.jsonl").write_text("", encoding="utf-8")
    (tiny / f"{name}.jsonl").write_bytes(line)
    with pytest.raises(IngestError, match=message) as caught:
        datasets.load(tiny)
    assert "\n" not in str(caught.value)


def test_a_folder_without_the_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(IngestError, match=r"corpus\.jsonl cannot be read .*a benchmark folder holds"):
        datasets.load(tmp_path)


def test_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent).mkdir()
    one, two, other = (write(tmp_path / name) for name in ("a/dev", "b/dev", "other"))
    assert [dataset.name for dataset in datasets.load_all([one, other])] == ["dev", "other"]
    assert [dataset.name for dataset in datasets.load_all([one, two])] == [str(one), str(two)]


def test_merged_corpora_hold_a_shared_passage_once(tmp_path: Path) -> None:
    one = write(
        tmp_path / "one",
        [{"id": "a", "title": "T", "text": "same"}, {"id": "b", "title": "T", "text": "other"}],
        [{"id": "q", "question": "one?", "support": ["a", "b"]}],
    )
    two = write(
        tmp_path / "two",
        [{"id": "b", "title": "T", "text": "same"}, {"id": "a", "title": "U", "text": "same"}],
        [{"id": "q", "question": "two?", "support": ["a", "b"]}],
    )
    merged = datasets.merge([datasets.load(one), datasets.load(two)])
    assert merged.name == "one+two"
    assert [(p.id, p.title, p.text) for p in merged.passages] == [
        ("1/a", "T", "same"), ("1/b", "T", "other"), ("2/a", "U", "same"),
    ]  # fmt: skip
    assert [(q.id, q.support) for q in merged.questions] == [
        ("1/q", frozenset({"1/a", "1/b"})),
        ("2/q", frozenset({"2/a", "1/a"})),
    ]
