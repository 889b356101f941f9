"""Names of documents: one line each, and what is there under two of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from corpora import CURIE, POLONIUM, RADIUM, add, forget, new_corpus, of_three

from mosaic_sql.database import Database


@pytest.fixture
def three() -> Database:
    return of_three()


def test_the_name_of_a_document_is_one_line() -> None:
    with new_corpus() as database:
        add(database, [replace(RADIUM, source="one\ntwo\x00 three")])
        assert [row[0] for row in database.rows("ingest.known_documents")] == ["one two three"]


def test_what_is_there_under_another_name_is_told(three: Database) -> None:
    """It is added all the same: a row of a table may well say what another does."""
    report = add(three, [replace(RADIUM, source="papers/radium"), POLONIUM])
    assert (report.added, report.unchanged) == (1, 1)
    assert report.notes == ("the content of 1 document is there under another name too: papers/radium (radium)",)
    again = add(three, [RADIUM, replace(RADIUM, source="papers/radium")])
    assert (again.unchanged, again.notes) == (2, ())
    many = [replace(CURIE, source=f"copy {number}") for number in range(7)]
    (told,) = add(three, many).notes
    assert told.startswith("the content of 7 documents is there under another name too: copy 0 (curie), copy 1 (")
    assert told.endswith(" and 2 more")
    forget(three, "papers/radium")
    changed = add(three, [replace(RADIUM, text="Other."), replace(RADIUM, source="moved")])
    assert changed.notes == ("what stood under the same name was replaced: radium",)
