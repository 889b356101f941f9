"""Passages and questions of a folder: `corpus.jsonl` and `questions.jsonl`, one JSON object a line.

Where answers are measured, the corpus may be one plain text instead, `corpus.txt`. Every command that takes a file of
questions reads it here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.errors import IngestError
from mosaic_sql.ingest import readers
from mosaic_sql.records import Skipped

CORPUS = "corpus.jsonl"
QUESTIONS = "questions.jsonl"
PLAIN = "corpus.txt"
_ONE_A_LINE = "write one a line"
_FOLDER = f"a benchmark folder holds {CORPUS} and {QUESTIONS}"


@dataclass(frozen=True)
class Passage:
    """A text to index; its id is the source it gets in the corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class Question:
    """A question and the ids of the passages that together answer it.

    `answers` are the variants of the gold; none where the corpus holds no answer.
    """

    id: str
    text: str
    support: frozenset[str]
    kind: str = ""
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Dataset:
    """Passages with questions about them."""

    name: str
    passages: tuple[Passage, ...]
    questions: tuple[Question, ...]

    def first(self, limit: int | None) -> Dataset:
        """The same passages with the first `limit` questions."""
        return self if limit is None else replace(self, questions=self.questions[:limit])


def load(folder: str | Path) -> Dataset:
    """Read a folder.

    Raises:
        IngestError: a file is missing, or a line of it says nothing usable; the message names the line.
    """
    place = Path(folder)
    passages = _passages(place / CORPUS)
    questions = tuple(_question(row, where, passages) for where, row in objects(place / QUESTIONS))
    for name, rows in ((CORPUS, passages), (QUESTIONS, questions)):
        if not rows:
            raise IngestError(f"{place / name} is empty; it needs one JSON object a line")
    return Dataset(place.resolve().name, tuple(passages.values()), questions)


def load_gold(folder: str | Path, *, with_passages: bool = True) -> Dataset:
    """Read a folder whose questions have gold answers, or an empty list for none; support is not looked at.

    Without passages (the corpus is at hand already) only the questions are read.

    Raises:
        IngestError: as `load`, or a question that does not list its gold answers.
    """
    place = Path(folder)
    found: dict[str, Passage] = {}
    if with_passages and not (place / CORPUS).exists() and (place / PLAIN).exists():
        found = _plain(place / PLAIN)
    elif with_passages:
        found = _passages(place / CORPUS)
    questions = tuple(_with_gold(row, where) for where, row in objects(place / QUESTIONS))
    if not questions:
        raise IngestError(f"{place / QUESTIONS} is empty; it needs one JSON object a line")
    return Dataset(place.resolve().name, tuple(found.values()), questions)


def load_all(folders: Sequence[str | Path]) -> list[Dataset]:
    """Read each folder; where two have one name, every one is named by its whole path as given."""
    return told_apart([load(folder) for folder in folders], folders)


def told_apart(found: list[Dataset], folders: Sequence[str | Path]) -> list[Dataset]:
    """Data sets of these folders under names that differ."""
    if len({dataset.name for dataset in found}) == len(found):
        return found
    return [replace(dataset, name=str(folder)) for dataset, folder in zip(found, folders, strict=True)]


def merge(datasets: Sequence[Dataset]) -> Dataset:
    """One corpus of all passages, the same title and text once, and all questions over it."""
    passages: dict[tuple[str, str], Passage] = {}
    questions: list[Question] = []
    for number, dataset in enumerate(datasets, start=1):
        renamed: dict[str, str] = {}
        for passage in dataset.passages:
            told = (passage.title, passage.text)
            renamed[passage.id] = passages.setdefault(told, replace(passage, id=f"{number}/{passage.id}")).id
        questions += [
            replace(question, id=f"{number}/{question.id}", support=frozenset(renamed[id_] for id_ in question.support))
            for question in dataset.questions
        ]
    return Dataset("+".join(dataset.name for dataset in datasets), tuple(passages.values()), tuple(questions))


def _passages(path: Path) -> dict[str, Passage]:
    passages: dict[str, Passage] = {}
    for where, row in objects(path):
        passage = Passage(_id(row, where), _text(row, "title", where), _text(row, "text", where))
        if passage.id in passages:
            raise IngestError(f"{where}: id {passage.id!r} stands there twice; every passage needs its own")
        passages[passage.id] = passage
    return passages


def _plain(path: Path) -> dict[str, Passage]:
    """The one text of a file, read as `mosaic add` reads it."""
    found: dict[str, Passage] = {}
    for item in readers.read([str(path)]):
        if isinstance(item, Skipped):
            raise IngestError(f"{path}: {item.reason}")
        found[item.source] = Passage(item.source, item.title, item.text)
    return found


def _with_gold(row: Mapping[str, Any], where: str) -> Question:
    text, gold = question_of(row, where), row.get("answers")
    if not isinstance(gold, list) or not all(isinstance(item, str) and item.strip() for item in gold):
        raise IngestError(f"{where}: no answers; list the gold answer in its variants, each a text, or [] for none")
    return Question(_id(row, where), text, frozenset(), _text(row, "kind", where), tuple(gold))


def _question(row: Mapping[str, Any], where: str, passages: Mapping[str, Passage]) -> Question:
    text, support = question_of(row, where), row.get("support")
    if not isinstance(support, list) or not support:
        raise IngestError(f"{where}: no support; list the ids of the passages that answer the question")
    ids = [str(item) for item in support]
    missing = [item for item in ids if item not in passages]
    if missing:
        raise IngestError(f"{where}: support {missing[0]!r} is no passage of {CORPUS}")
    return Question(_id(row, where), text, frozenset(ids), _text(row, "kind", where))


# -- every file of questions -----------------------------------------------------------------------------------------


def questions_of(path: str | Path) -> list[str]:
    """The questions of a file: JSON objects with `question`, one a line, or plain text, a question a line.

    Raises:
        IngestError: the file cannot be read, or holds none; or a line is no question, and the message names it.
    """
    place = Path(path)
    lines = [(where, line) for where, line in _lines(place, _ONE_A_LINE) if line.strip()]
    if lines and _opens(lines[0][1]):
        found = [question_of(row, where) for where, row in objects(place, _ONE_A_LINE)]
    else:
        found = [_plainly(line, where) for where, line in lines]
    if not found:
        raise IngestError(f"{path}: no question in it; {_ONE_A_LINE}")
    return found


def _opens(line: bytes) -> bool:
    """Whether a line begins as an object of JSON does."""
    return line.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def _plainly(line: bytes, where: str) -> str:
    if _opens(line):
        raise IngestError(f"{where}: a JSON object among plain lines; write every question one way")
    try:
        return words.storable(line.decode("utf-8-sig")).strip()
    except ValueError as error:
        raise IngestError(f"{where}: no text in UTF-8 ({error}); {_ONE_A_LINE}") from error


def question_of(row: Mapping[str, Any], where: str) -> str:
    """The text under `question`, without what no file can hold.

    Raises:
        IngestError: there is none, or it is empty; the message names the line.
    """
    text = words.storable(_text(row, "question", where))
    if not text.strip():
        raise IngestError(f"{where}: the question is empty")
    return text


def objects(path: Path, wanted: str = _FOLDER) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a file of JSON lines, each with `file:line`; blank lines are passed over.

    Raises:
        IngestError: the file cannot be read, then `wanted` says what it should be; or a line is no JSON object.
    """
    for where, line in _lines(path, wanted):
        if not line.strip():
            continue
        try:
            row = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise IngestError(f"{where}: not a line of JSON ({error})") from error
        if not isinstance(row, dict):
            raise IngestError(f"{where}: a {type(row).__name__} where a JSON object was expected")
        yield where, row


def _lines(path: Path, wanted: str) -> Iterator[tuple[str, bytes]]:
    """The lines of a file, each with `file:line`."""
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise IngestError(f"{path} cannot be read ({error.strerror}); {wanted}") from error
    return ((f"{path}:{number}", line) for number, line in enumerate(lines, start=1))


def _id(row: Mapping[str, Any], where: str) -> str:
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise IngestError(f"{where}: no id; give a text or a number")
    return str(value)


def _text(row: Mapping[str, Any], name: str, where: str) -> str:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise IngestError(f"{where}: {name} is a {type(value).__name__}, a text was expected")
    if value is None and name in ("text", "question"):
        raise IngestError(f"{where}: no {name}; give a text under `{name}`")
    return value or ""
