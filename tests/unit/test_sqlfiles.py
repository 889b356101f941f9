"""SQL files: headers read and held to, slots filled with other files only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mosaic_sql import sqlfiles
from mosaic_sql.errors import TemplateError

Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write `folder.file` into a root of its own, header first."""
    monkeypatch.setattr(sqlfiles, "root", lambda: tmp_path)
    sqlfiles.load.cache_clear()
    monkeypatch.setattr(sqlfiles, "load", sqlfiles.load.__wrapped__)

    def write(place: str, body: str = "SELECT 1 AS a", **header: str) -> None:
        folder, file = place.split(".")
        lines = {"name": place, "doc": "One.", "params": "none", "slots": "none", "returns": "a INTEGER", "order": "a"}
        (tmp_path / folder).mkdir(exist_ok=True)
        text = "".join(f"-- {key}: {value}\n" for key, value in {**lines, **header}.items())
        (tmp_path / folder / f"{file}.sql").write_text(f"{text}{body}\n", encoding="utf-8")

    return write


# -- headers ---------------------------------------------------------------------------------------------------------


def test_a_header_is_read_whole(write: Write) -> None:
    body = "\nSELECT $low::INTEGER AS a, /*<more>*/ 1 /*</more>*/ AS b;\n"
    header = {
        "doc": "First line\n--   and the second.",
        "params": "low INTEGER, words STRUCT(a INTEGER, b VARCHAR)[]",
        "slots": "more",
        "returns": "a INTEGER,\n--   b DECIMAL(4, 2)",
        "order": "a, b",
    }
    write("walk.one", body, **header)
    with pytest.raises(TemplateError, match=r"walk\.one: header and body differ on words"):
        sqlfiles.load("walk.one")
    write("walk.one", body, **{**header, "params": "low INTEGER"})
    file = sqlfiles.load("walk.one")
    assert (file.name, file.doc, file.order) == ("walk.one", "First line and the second.", "a, b")
    assert (file.params, file.slots) == ({"low": "INTEGER"}, ("more",))
    assert list(file.returns.items()) == [("a", "INTEGER"), ("b", "DECIMAL(4, 2)")]
    assert file.body == "SELECT $low::INTEGER AS a, /*<more>*/ 1 /*</more>*/ AS b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", {}),
        ("  ", {}),
        ("a INTEGER", {"a": "INTEGER"}),
        ("a  INTEGER[] , b STRUCT(x INTEGER, y STRUCT(z VARCHAR, w DOUBLE)[])", {
            "a": "INTEGER[]", "b": "STRUCT(x INTEGER, y STRUCT(z VARCHAR, w DOUBLE)[])",
        }),
    ],
)  # fmt: skip
def test_names_with_types(text: str, expected: dict[str, str]) -> None:
    assert sqlfiles.typed(text, Path("x.sql")) == expected


@pytest.mark.parametrize("text", ["a", "a INTEGER, b", "a INTEGER,", ", a INTEGER"])
def test_a_name_without_a_type_is_refused(text: str) -> None:
    with pytest.raises(TemplateError, match=r"x\.sql: header entry without a type"):
        sqlfiles.typed(text, Path("x.sql"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "walk.two"}, "header names 'walk.two'"),
        ({"params": "b INTEGER"}, "header and body differ on b"),
        ({"body": "SELECT $b::INTEGER AS a"}, "header and body differ on b"),
        ({"slots": "step"}, "header slots"),
        ({"body": "SELECT /*<step>*/ 1 /*</step>*/ AS a"}, "header slots"),
        ({"body": ""}, "a header and no statement"),
        ({"returns": "a"}, "without a type"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(write: Write, change: dict[str, str], message: str) -> None:
    write("walk.one", **change)
    if change.get("body") == "":
        path = sqlfiles.root() / "walk" / "one.sql"
        path.write_text(path.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    with pytest.raises(TemplateError, match=message):
        sqlfiles.load("walk.one")


@pytest.mark.parametrize("name", ["walk.none", "none", "", "walk", "../secret.one"])
def test_a_name_without_a_file_is_told(write: Write, name: str) -> None:
    write("walk.one")
    with pytest.raises(TemplateError, match="no SQL file"):
        sqlfiles.load(name)


def test_a_slot_that_stands_twice_counts_once(write: Write) -> None:
    write("walk.one", "SELECT /*<x>*/ 1 /*</x>*/ AS a WHERE 1 = /*<x>*/ 1 /*</x>*/", slots="x")
    write("walk.two", "2")
    assert sqlfiles.load("walk.one").slots == ("x",)
    assert sqlfiles.compose("walk.one", {"x": "walk.two"}).count("2") == 2


def test_parameters_are_those_outside_of_comments_and_strings() -> None:
    sql = "SELECT $a, '$b', 'it''s $c', \"$d\", \"q\"\"$e\" -- $f\n, /* $g\n */ $h::INTEGER, $a"
    assert sqlfiles.parameters(sql) == {"a", "h"}


# -- filling ---------------------------------------------------------------------------------------------------------


def test_without_fillings_the_file_runs_as_it_stands(write: Write) -> None:
    write("walk.one", "SELECT /*<x>*/ 1 /*</x>*/ AS a", slots="x")
    assert sqlfiles.compose("walk.one") == "SELECT /*<x>*/ 1 /*</x>*/ AS a"


def test_a_filling_stands_in_the_place_of_the_default(write: Write) -> None:
    write("walk.one", "SELECT a\nFROM (\n    /*<x>*/ SELECT 1 AS a /*</x>*/\n)", slots="x")
    write("walk.two", "SELECT 2 AS a\nORDER BY a")
    assert sqlfiles.compose("walk.one", {"x": "walk.two"}) == (
        "SELECT a\nFROM (\n    /*<x>*/\n    SELECT 2 AS a\n    ORDER BY a\n/*</x>*/\n)"
    )


def test_fillings_nest(write: Write) -> None:
    write("walk.one", "SELECT a FROM (/*<x>*/ SELECT 1 AS a /*</x>*/)", slots="x")
    write("walk.two", "SELECT a FROM (/*<y>*/ SELECT 2 AS a /*</y>*/)", slots="y")
    write("walk.three", "SELECT 3 AS a")
    composed = sqlfiles.compose("walk.one", {"x": "walk.two", "x.y": "walk.three"})
    assert "SELECT 3 AS a" in composed
    assert "SELECT 1 AS a" not in composed and "SELECT 2 AS a" not in composed


def test_a_filling_with_backslashes_and_groups_is_text(write: Write) -> None:
    write("walk.one", "SELECT /*<x>*/ '' /*</x>*/ AS a", slots="x")
    write("walk.two", r"regexp_replace('a', '(a)', '\1\g<0>')")
    assert r"'\1\g<0>'" in sqlfiles.compose("walk.one", {"x": "walk.two"})


@pytest.mark.parametrize(
    ("fillings", "message"),
    [
        ({"y": "walk.two"}, "walk.one: no slot 'y'; it has x"),
        ({"x": "SELECT 1"}, "no SQL file 'SELECT 1'"),
        ({"x": "walk.two", "x.z": "walk.two"}, "walk.two: no slot 'z'; it has none"),
        ({"y.z": "walk.two"}, "walk.one: no slot 'y'"),
        ({"x.z": "walk.two"}, "walk.one: slot 'x' is not filled"),
    ],
)
def test_a_filling_that_fits_nowhere_is_refused(write: Write, fillings: dict[str, str], message: str) -> None:
    write("walk.one", "SELECT /*<x>*/ 1 /*</x>*/ AS a", slots="x")
    write("walk.two", "2")
    with pytest.raises(TemplateError, match=message):
        sqlfiles.compose("walk.one", fillings)


# -- the files there are ---------------------------------------------------------------------------------------------


def test_every_file_loads_and_is_named_by_its_place() -> None:
    names = sqlfiles.names()
    assert len(names) > 100
    assert list(names) == sorted(names)
    assert [sqlfiles.load(name).name for name in names] == list(names)


def test_schema_files_come_by_their_own_call() -> None:
    assert not any(name.startswith("schema.") for name in sqlfiles.names())
    assert "CREATE TABLE document" in sqlfiles.schema("1_corpus")
    with pytest.raises(TemplateError, match="no schema file 'nothing'"):
        sqlfiles.schema("nothing")


def test_every_slot_takes_every_file_that_is_meant_for_it() -> None:
    """A slot's default and its filling have the same parameters or fewer, and both compose."""
    for name in sqlfiles.names():
        file = sqlfiles.load(name)
        for slot in file.slots:
            for filling in (f"{name}_{slot}", f"{name.split('.')[0]}.{slot}"):
                if filling in sqlfiles.names():
                    assert sqlfiles.load(filling).body.splitlines()[0] in sqlfiles.compose(name, {slot: filling})
