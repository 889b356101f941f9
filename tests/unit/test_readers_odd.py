"""Odd places and odd names among the inputs, and tables that break off: each is told in a line of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from mosaic_sql.ingest.readers import read
from mosaic_sql.records import Skipped, SourceDocument


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def test_links_are_followed_to_files_and_others_are_told(tmp_path: Path) -> None:
    written(tmp_path, "docs/a.txt", "a text")
    written(tmp_path, "far/b.txt", "b text")
    for name, target in (
        ("b.txt", "../far/b.txt"),
        ("gone.txt", "nowhere"),
        ("loop", "loop"),
        ("up", ".."),
        (".h", "x"),
    ):
        (tmp_path / "docs" / name).symlink_to(target)
    assert [item if isinstance(item, Skipped) else item.source for item in read([tmp_path / "docs"])] == [
        "a.txt",
        "b.txt",
        Skipped("gone.txt", "a link that leads nowhere"),
        Skipped("loop", "a link that leads nowhere"),
        Skipped("up", "a link to a folder, which is not followed; name it to add what it holds", failed=False),
    ]
    gone = str(tmp_path / "docs" / "gone.txt")
    assert list(read([gone])) == [Skipped(gone, "a link that leads nowhere")]


def test_a_source_is_one_line_whatever_the_file_is_called(tmp_path: Path) -> None:
    written(tmp_path, "a\nb\x1b[31m.txt", "text")
    written(tmp_path, "c\nskipped d.xyz", "text")
    document, skipped = read([tmp_path])
    assert isinstance(document, SourceDocument)
    assert document.source == "a b [31m.txt"
    assert skipped == Skipped("c skipped d.xyz", "unknown kind of file: .xyz", failed=False)
    lost = str(tmp_path / "x\ny.txt")
    (tmp_path / "x\ny.txt").symlink_to("nowhere")
    assert list(read([lost])) == [Skipped(str(tmp_path / "x y.txt"), "a link that leads nowhere")]


@pytest.mark.parametrize("rest", ['2,"two\n3,three\n', '2,"two', '2,"two\n\n\n3,x'])
def test_a_table_that_ends_within_a_quotation_tells_where_it_began(tmp_path: Path, rest: str) -> None:
    one, cut = read([written(tmp_path, "t.csv", f'id,text\n1,"one\nand more"\n{rest}')])
    assert isinstance(one, SourceDocument)
    assert one.text == "one\nand more"
    assert cut == Skipped("t.csv#line 4", "a quotation mark that nothing closes; it and what follows are left out")
