"""Readers: every kind of input, and one clear line for what is not taken."""

import codecs
import io
import json
import os
import tracemalloc
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_sql.errors import PolicyError
from mosaic_sql.ingest.readers import read, text_document
from mosaic_sql.ingest.tabular import json_able
from mosaic_sql.records import Skipped, SourceDocument


def taken(*inputs: object, columns: Mapping[str, str] | None = None, stdin: bytes = b"") -> list[SourceDocument]:
    items = list(read(inputs, columns=columns, stdin=io.BytesIO(stdin)))
    assert not [item for item in items if isinstance(item, Skipped)]
    return [item for item in items if isinstance(item, SourceDocument)]


def only(*inputs: object, columns: Mapping[str, str] | None = None, stdin: bytes = b"") -> SourceDocument:
    (document,) = taken(*inputs, columns=columns, stdin=stdin)
    return document


def refused(*inputs: object, columns: Mapping[str, str] | None = None, stdin: bytes = b"") -> Skipped:
    (item,) = read(inputs, columns=columns, stdin=io.BytesIO(stdin))
    assert isinstance(item, Skipped)
    assert "\n" not in item.reason
    return item


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# --- texts and their encodings ----------------------------------------------------------------------------------------

POLISH = "Zażółć gęślą jaźń, proszę państwa. Wrocław i Łódź są piękne."


@pytest.mark.parametrize(
    ("content", "text", "notes"),
    [
        (b"plain", "plain", ()),
        ("Müller 居里".encode(), "Müller 居里", ()),
        (codecs.BOM_UTF8 + b"marked", "marked", ()),
        ("Müller".encode("utf-16"), "Müller", ("read as utf-16",)),
        (codecs.BOM_UTF16_BE + "Müller".encode("utf-16-be"), "Müller", ("read as utf-16",)),
        ("Müller".encode("utf-32"), "Müller", ("read as utf-32",)),
        ("Marie Curie, no mark".encode("utf-16-le"), "Marie Curie, no mark", ("read as utf-16-le",)),
        ("Die Größe der Straße.".encode("latin-1"), "Die Größe der Straße.", ("read as cp1252",)),
        ("Café".encode("cp1252"), "Café", ("read as cp1252",)),
        (POLISH.encode("cp1250"), POLISH, ("read as cp1250",)),
        (b"one\r\ntwo\rthree\n", "one\ntwo\nthree\n", ()),
        (b"nu\x00l in a longer text", "nul in a longer text", ("1 NUL character removed",)),
        (
            "Größe, Straße, Übung, ".encode() + b"\xff\xfe\xfd",
            "Größe, Straße, Übung, \ufffd\ufffd\ufffd",
            ("3 bytes could not be decoded as UTF-8 and were replaced",),
        ),
    ],
)
def test_encodings(tmp_path: Path, content: bytes, text: str, notes: tuple[str, ...]) -> None:
    document = only(written(tmp_path, "a.txt", content))
    assert (document.source, document.text, document.notes) == ("a.txt", text, notes)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    (item,) = read(["-"], stdin=io.BytesIO(data.lstrip().lstrip(b"{[")))
    if isinstance(item, SourceDocument):
        item.text.encode()
        assert "\x00" not in item.text
        assert "\r" not in item.text


@pytest.mark.parametrize("content", [b"", b" \r\n\t", b"\xef\xbb\xbf\n"])
def test_blank_files(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, "blank.txt", content)
    assert refused(path) == Skipped("blank.txt", "empty", failed=False)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json"])
def test_blank_tables(tmp_path: Path, suffix: str) -> None:
    assert not refused(written(tmp_path, f"blank.{suffix}", b"\n")).failed


def test_front_matter_gives_the_title_and_stays_in_the_text(tmp_path: Path) -> None:
    text = "---\ntitle: On Yttrium\n---\n\nBody.\n"
    document = only(written(tmp_path, "a.md", text))
    assert (document.title, document.text, document.markup) == ("On Yttrium", text, "markdown")
    assert refused(written(tmp_path, "b.md", "---\ntitle: X\n---\n")).reason == "empty"


@pytest.mark.parametrize(
    ("name", "content", "reason", "failed"),
    [
        ("scan.pdf", b"%PDF-1.7 ...", "unknown kind of file: .pdf", False),
        ("scan.txt", b"%PDF-1.7\n\x00\x01\x02", "not a text: PDF; convert it to text first", True),
        ("raw.txt", bytes(range(32)) * 20, "not a text: many NUL or control bytes; convert it to text first", True),
        ("table.parquet", b"no such thing", None, True),
    ],
)
def test_content_that_is_no_text(tmp_path: Path, name: str, content: bytes, reason: str | None, failed: bool) -> None:
    skipped = refused(written(tmp_path, name, content))
    assert (skipped.source, skipped.failed) == (name, failed)
    assert reason is None or skipped.reason == reason


def test_a_file_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "secret.txt", "text")

    def denied(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", denied)
    assert refused(path) == Skipped("secret.txt", "cannot be read: Permission denied")


# --- which files ------------------------------------------------------------------------------------------------------


def test_a_folder_is_read_in_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.md", "a/b.txt", ".hidden.txt", ".git/c.txt", "image.png"):
        written(tmp_path, name, "text")
    items = list(read([tmp_path]))
    assert [item.source for item in items] == ["a/b.txt", "a/z.md", "b.txt", "image.png"]
    assert items[-1] == Skipped("image.png", "unknown kind of file: .png", failed=False)


def test_an_empty_folder(tmp_path: Path) -> None:
    assert not refused(tmp_path).failed


def test_patterns(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c.md", "d/e.txt"):
        written(tmp_path, name, "text")
    assert [document.source for document in taken(f"{tmp_path}/*.txt")] == ["a.txt", "b.txt"]
    assert [document.source for document in taken(f"{tmp_path}/**/*.txt")] == ["a.txt", "b.txt", "e.txt"]


def test_sources_that_would_be_the_same_take_their_folders_in(tmp_path: Path) -> None:
    one, two = written(tmp_path, "x/a.txt", "one"), written(tmp_path, "y/a.txt", "two")
    assert [document.source for document in taken(one, two)] == ["x/a.txt", "y/a.txt"]
    assert [document.source for document in taken(two, one)] == ["y/a.txt", "x/a.txt"]
    assert [document.source for document in taken(tmp_path / "x", tmp_path / "y")] == ["x/a.txt", "y/a.txt"]


def test_a_file_given_twice_is_read_once(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", "one")
    assert len(taken(path, str(path), tmp_path)) == 1


def test_a_missing_file() -> None:
    for missing in ("no-such.txt", "my report.txt", Path("no-such.txt"), "no/*.txt", "", "a\0b"):
        assert refused(missing).reason.startswith("no such file")


def test_a_pipe_is_refused_rather_than_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    assert refused(tmp_path / "pipe.txt").reason == "neither a file nor a folder"
    assert refused(tmp_path) == Skipped("pipe.txt", "neither a file nor a folder")


def test_a_named_file_without_a_suffix_is_a_text(tmp_path: Path) -> None:
    written(tmp_path, "NOTES", "text")
    assert only(tmp_path / "NOTES").text == "text"
    assert refused(tmp_path).reason == "unknown kind of file: no suffix"


# --- texts and mappings handed over -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Ytterby is a village.", "two\nlines", "word " * 60, "A [pattern*?] of words."])
def test_a_string_that_is_plainly_a_text(text: str) -> None:
    document = only(text)
    assert document.text == text
    assert len(document.source) == len("text:") + 12
    assert document == text_document(text)


def test_text_document() -> None:
    document = text_document("a\r\nb\ud800\x00", title=" T ", source="s")
    assert (document.source, document.title, document.text) == ("s", "T", "a\nb")
    assert document.notes == ("1 NUL character removed", "1 lone surrogate removed")


def test_mappings_and_documents() -> None:
    given_document = SourceDocument("mine", "text")
    documents = taken(
        given_document,
        {"id": 7, "title": "T", "text": "seven", "year": 1794},
        [{"_id": "b", "content": "list"}, {"body": "no id"}, {"_id": "b", "content": "again"}],
    )
    assert documents[0] is given_document
    assert documents[1] == SourceDocument("7", "seven", "T", properties={"year": 1794})
    assert documents[2].source == "b"
    assert documents[3].source == text_document("no id").source
    assert documents[4].source == "b (row 3)"


def test_one_input_may_stand_alone(tmp_path: Path) -> None:
    assert [item.source for item in read(str(written(tmp_path, "a.txt", "x")))] == ["a.txt"]  # type: ignore[arg-type]
    assert [item.source for item in read({"id": "m", "text": "x"})] == ["m"]  # type: ignore[arg-type]


def test_what_cannot_be_read() -> None:
    assert refused(42) == Skipped("int", "cannot read a int; give a path, a table or a mapping")
    assert refused({"id": 1}).reason == "no text column among: id; name the one to read with --text-column NAME"
    with pytest.raises(PolicyError, match="columns: no field 'headline'"):
        read(["-"], columns={"headline": "title"})


# --- tables -----------------------------------------------------------------------------------------------------------


def test_json_lines(tmp_path: Path) -> None:
    lines = ['{"id": 12, "title": "A", "text": "one", "year": 1}', "", '{"text": "two"}', '{"id": "", "text": "three"}']
    documents = taken(written(tmp_path, "corpus.jsonl", "\n".join(lines)))
    assert [document.source for document in documents] == ["corpus.jsonl#12", "corpus.jsonl#3", "corpus.jsonl#4"]
    assert documents[0] == SourceDocument("corpus.jsonl#12", "one", "A", properties={"year": 1})


def test_each_broken_line_is_named_and_the_others_pass(tmp_path: Path) -> None:
    lines = ['{"text": "one"}', '{"text": ', "[1]", '{"text": ""}', '{"text": "two"}', "[" * 10_000]
    first, broken, no_object, blank, last, deep = read([written(tmp_path, "c.jsonl", "\n".join(lines))])
    assert broken == Skipped("c.jsonl#line 2", "not a JSON object: Expecting value at column 9")
    assert no_object == Skipped("c.jsonl#line 3", "not a JSON object but list")
    assert blank == Skipped("c.jsonl#4", "empty", failed=False)
    assert isinstance(deep, Skipped)
    assert [first.source, last.source] == ["c.jsonl#1", "c.jsonl#5"]


def test_lone_surrogates_and_nul_in_json(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", r'{"text": "a\ud800b\u0000c \ud83d\ude00", "k\ud800": "v\ud800"}')
    document = only(path)
    assert (document.text, document.properties) == ("abc 😀", {"k": "v"})
    assert document.notes == ("1 NUL character removed", "1 lone surrogate removed")


def test_utf16_and_latin1_json_lines(tmp_path: Path) -> None:
    lines = '{"id": 1, "text": "Größe"}\n{"id": 2, "text": "Straße"}\n'
    for encoding, note in (("utf-16", "read as utf-16"), ("latin-1", "read as cp1252")):
        one, two = taken(written(tmp_path, "c.jsonl", lines.encode(encoding)))
        assert (one.text, two.text, two.notes) == ("Größe", "Straße", (note,))


def test_json_array_object_and_lines(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}]
    for content in (json.dumps(rows, indent=2), "\n".join(map(json.dumps, rows))):
        documents = taken(written(tmp_path, "c.json", content))
        assert [document.source for document in documents] == ["c.json#a", "c.json#b"]
    assert only(written(tmp_path, "one.json", json.dumps(rows[0], indent=2))).source == "one.json#a"
    assert refused(written(tmp_path, "bad.json", "[1, ")).reason.startswith("not JSON")


def test_question_files(tmp_path: Path) -> None:
    by_name = written(tmp_path, "questions.jsonl", '{"text": "is this one"}')
    by_content = written(tmp_path, "dev.jsonl", '{"id": 1, "question": "Who?", "answer": "She."}')
    assert refused(by_name) == Skipped("questions.jsonl", "question file", failed=False)
    assert refused(by_content) == Skipped("dev.jsonl", "question file", failed=False)
    assert only(by_content, columns={"text": "question"}).text == "Who?"


def test_csv_and_tsv(tmp_path: Path) -> None:
    quoted = 'id,Title,Text,year\n1,"A, B","one\ntwo ""x""",1794\n\n2,,three,\n'
    one, two = taken(written(tmp_path, "t.csv", quoted))
    assert (one.source, one.title, one.text, one.properties) == ("t.csv#1", "A, B", 'one\ntwo "x"', {"year": "1794"})
    assert (two.source, two.title, two.text) == ("t.csv#2", "", "three")
    assert only(written(tmp_path, "t.tsv", "text\tpid\nfour, five\tx\n"), columns={"id": "pid"}).source == "t.tsv#x"
    assert only(written(tmp_path, "e.csv", "id;text\n1;vier, fünf\n")).text == "vier, fünf"
    assert only(written(tmp_path, "w.csv", "id,text\r\n1,six\r\n".encode("utf-16"))).text == "six"
    assert only(written(tmp_path, "long.csv", f"text\n{'x' * 200_000}\n")).text == "x" * 200_000


def test_a_record_with_too_many_cells(tmp_path: Path) -> None:
    _, skipped = read([written(tmp_path, "t.csv", "id,text\n1,one\n2,two,three\n")])
    assert skipped == Skipped("t.csv#line 3", "3 cells under 2 columns")


def test_a_table_without_a_text_column(tmp_path: Path) -> None:
    path = written(tmp_path, "t.csv", "pid,abstract\n1,one\n")
    option = "name the one to read with --text-column NAME"
    assert refused(path) == Skipped("t.csv", f"no text column among: pid, abstract; {option}")
    wrong = refused(path, columns={"text": "nope"})
    assert wrong.reason == f'no column "nope" among: pid, abstract; {option}'
    assert only(path, columns={"text": "abstract", "id": "pid"}).source == "t.csv#1"


def test_parquet_pandas_arrow_and_frames_of_a_stream(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"doc_id": ["a", "b"], "text": ["one", "two"], "n": [1.5, None], "when": pd.Timestamp("2024-01-02")}
    )
    frame.index = pd.Index([7, 9])
    table = pa.table(frame[["doc_id", "text", "n", "when"]].reset_index(drop=True))
    pq.write_table(table, tmp_path / "t.parquet")
    expected = [{"n": 1.5, "when": "2024-01-02T00:00:00"}, {"when": "2024-01-02T00:00:00"}]
    for given_input, prefix in ((frame, ""), (table, ""), (tmp_path / "t.parquet", "t.parquet#")):
        documents = taken(given_input)
        assert [document.source for document in documents] == [f"{prefix}a", f"{prefix}b"]
        assert [document.properties for document in documents] == expected
    mixed = pd.DataFrame({"text": ["a", 1]})
    assert all(isinstance(item, (SourceDocument, Skipped)) for item in read([mixed]))


def test_vectors() -> None:
    rows = [
        {"id": "good", "text": "x", "vector": [1, 0.5]},
        {"id": "written", "text": "x", "vector": "[1, 0]"},
        {"id": "none", "text": "x", "vector": None},
        {"id": "short", "text": "x", "vector": [1.0]},
        {"id": "nan", "text": "x", "vector": [1.0, float("nan")]},
        {"id": "huge", "text": "x", "vector": [1.0, 10**400]},
        {"id": "words", "text": "x", "vector": ["a", "b"]},
        {"id": "mosquito", "text": "x", "vector": "mosquito"},
    ]
    items = {item.source: item for item in read([rows])}
    good, written_out, none, mosquito = (items[name] for name in ("good", "written", "none", "mosquito"))
    assert isinstance(good, SourceDocument) and good.vector == (1.0, 0.5)
    assert isinstance(written_out, SourceDocument) and written_out.vector == (1.0, 0.0)
    assert isinstance(none, SourceDocument) and none.vector is None
    assert isinstance(mosquito, SourceDocument) and mosquito.properties == {"vector": "mosquito"}
    assert items["short"] == Skipped("short", "the vector has 1 number, not 2 as before")
    for name in ("nan", "huge", "words"):
        assert items[name] == Skipped(name, "the vector is not a list of finite numbers")
    assert isinstance(next(read([{"text": "x", "emb": "no"}], columns={"vector": "emb"})), Skipped)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_properties_are_json(value: object) -> None:
    json.dumps(json_able(value), allow_nan=False).encode()


# --- stdin ------------------------------------------------------------------------------------------------------------


def test_stdin_takes_a_text_lines_an_array_or_an_object() -> None:
    assert only("-", stdin=b"\n plain [text]\n").source == "stdin"
    assert only("-", stdin=b"[draft] a text").text == "[draft] a text"
    rows = [{"id": "a", "text": "one"}, {"text": "two"}]
    for content in ("\n" + "\n".join(map(json.dumps, rows)), json.dumps(rows), json.dumps(rows, indent=1)):
        one, two = taken("-", stdin=content.encode())
        assert one.source == "stdin#a"
        assert two.source == f"stdin#{text_document('two').source.removeprefix('text:')}"
    assert only("-", stdin=json.dumps(rows[0], indent=1).encode()).source == "stdin#a"
    assert only("-", stdin="\n".join(map(json.dumps, rows[:1])).encode("utf-16")).source == "stdin#a"
    assert refused("-", stdin=b" \n") == Skipped("stdin", "empty", failed=False)


def test_a_broken_first_line_of_stdin_does_not_take_the_others_along() -> None:
    broken, fine = read(["-"], stdin=io.BytesIO(b'{"text": \n{"text": "two"}\n'))
    assert broken.source == "stdin#line 1"
    assert isinstance(fine, SourceDocument)


class _Endless(io.RawIOBase):
    """Lines made on demand."""

    def __init__(self, lines: Iterator[bytes]) -> None:
        self._lines = lines

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        line = next(self._lines, b"")
        buffer[: len(line)] = line
        return len(line)


@pytest.mark.slow
def test_fifty_thousand_documents_stream() -> None:
    lines = (b'{"id": %d, "text": "%s"}\n' % (number, b"word " * 20) for number in range(50_000))
    tracemalloc.start()
    try:
        count = sum(1 for _ in read(["-"], stdin=io.BufferedReader(_Endless(lines))))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 50_000
    assert peak < 12_000_000
