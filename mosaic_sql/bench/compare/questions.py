"""Questions with what is known of their answers, from one file of JSON lines, and their documents in a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mosaic_sql.bench.dataset import objects, question_of
from mosaic_sql.errors import IngestError

_WANTED = 'it needs one JSON object a line, such as {"question": "…", "support": ["…"]}'


@dataclass(frozen=True)
class Question:
    """A question and its gold data, which judge a retrieval and are never shown to it.

    `support` are documents that together answer it, `statements` sentences that its evidence should say, `answers` its
    answers, `kind` its category; each may be empty. `where` is `file:line`.
    """

    text: str
    where: str
    support: frozenset[str] = frozenset()
    statements: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    kind: str = ""


def load(path: str | Path) -> tuple[Question, ...]:
    """Read a file of questions.

    A line holds `question` and, if known, `support` (or `documents`), `evidence` (statements apart by `;`, or a list),
    `answers` (or `expected`) and `kind` (or `need`). Other fields are passed over.

    Raises:
        IngestError: the file cannot be read, holds no question, or a line says nothing usable; the line is named.
    """
    found = tuple(_question(row, where) for where, row in objects(Path(path), _WANTED))
    if not found:
        raise IngestError(f"{path} holds no questions; {_WANTED}")
    return found


def first(questions: Sequence[Question], limit: int | None, per_kind: int | None) -> tuple[Question, ...]:
    """The first `per_kind` questions of each kind, in order, and of these the first `limit`; None for all."""
    seen: dict[str, int] = {}
    chosen = []
    for question in questions:
        seen[question.kind] = seen.get(question.kind, 0) + 1
        if per_kind is None or seen[question.kind] <= per_kind:
            chosen.append(question)
    return tuple(chosen[:limit])


def located(questions: Iterable[Question], sources: Iterable[str], corpus: str) -> tuple[Question, ...]:
    """The same questions, each supporting document by its source in the corpus.

    A document is named by its source, or by the end of it from a `/` on, where only one ends so.

    Raises:
        IngestError: a document that the corpus does not hold, or a name that several share.
    """
    known = set(sources)
    ends: dict[str, list[str]] = {}
    for source in sorted(known):
        parts = source.split("/")
        for start in range(1, len(parts)):
            ends.setdefault("/".join(parts[start:]), []).append(source)
    return tuple(
        replace(question, support=frozenset(_located(name, question.where, known, ends, corpus) for name in names))
        for question in questions
        for names in [sorted(question.support)]
    )


def _located(name: str, where: str, known: set[str], ends: Mapping[str, Sequence[str]], corpus: str) -> str:
    if name in known:
        return name
    found = ends.get(name, ())
    if not found:
        advice = "name a document by its source, as `mosaic query DB 'SELECT source FROM document'` lists them"
        raise IngestError(f"{where}: {corpus} holds no document {name!r}; {advice}")
    if len(found) > 1:
        raise IngestError(f"{where}: {name!r} may be {found[0]!r} or {found[1]!r}; write the whole source")
    return found[0]


def _question(row: Mapping[str, Any], where: str) -> Question:
    evidence = row.get("evidence")
    said = _clean(evidence).split(";") if isinstance(evidence, str) else _texts(row, ("evidence",), where)
    kind = _texts(row, ("kind", "need"), where)
    return Question(
        text=question_of(row, where),
        where=where,
        support=frozenset(_texts(row, ("support", "documents"), where)),
        statements=tuple(statement.strip() for statement in said if statement.strip()),
        answers=_texts(row, ("answers", "expected"), where),
        kind=kind[0] if kind else "",
    )


def _texts(row: Mapping[str, Any], names: Sequence[str], where: str) -> tuple[str, ...]:
    """The texts under the first of `names` that the row has: a text, a number, or a list of them."""
    name = next((name for name in names if row.get(name) is not None), None)
    if name is None:
        return ()
    values = row[name] if isinstance(row[name], list) else [row[name]]
    for value in values:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise IngestError(f"{where}: {name} holds a {type(value).__name__}; give texts")
    return tuple(_clean(str(value)) for value in values if str(value).strip())


def _clean(value: Any) -> Any:
    """A text without lone surrogates, which JSON can hold and no file."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value
