"""Load the files of `sql/`, hold them to their headers, and fill their slots with other files.

A header is a contract:

    -- name: walk.bfs                         folder.file
    -- doc: one sentence, may go on in further `--` lines
    -- params: max_depth INTEGER, ...         named parameters `$max_depth` with their types
    -- slots: expand                          places that take another file
    -- returns: node_id INTEGER, ...          columns with types; `none` for a statement without rows
    -- order: depth, node_id                  the total order of the rows
    -- example: FROM mosaic_nodes('argon')    of a function: a call that runs on the sample corpus

A slot stands in the body as `/*<expand>*/ default /*</expand>*/` and takes only the body of another file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mosaic_sql.errors import QueryError, TemplateError

_KEYS = ("name", "doc", "params", "slots", "returns", "order", "example")
_HEADER = re.compile(rf"^-- ({'|'.join(_KEYS)}):(.*)$")
_SLOT = re.compile(r"/\*<(\w+)>\*/(.*?)/\*</\1>\*/", re.DOTALL)
_COMMENT_OR_STRING = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", re.DOTALL)
_IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]*")
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")


class Identifier(str):
    """A name of ours (lower-case letters, digits, underscores) that stands in SQL as it is, not as a text."""


@dataclass(frozen=True)
class SqlFile:
    """One file: its header, typed, and its body as it stands (runnable, with the slots' defaults)."""

    name: str
    doc: str
    params: Mapping[str, str]
    slots: tuple[str, ...]
    returns: Mapping[str, str]
    order: str
    body: str
    path: Path
    example: str = ""


def root() -> Path:
    """The folder of SQL files: inside the installed package, else at the top of the checkout."""
    packaged = Path(__file__).parent / "sql"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "sql"


def names() -> tuple[str, ...]:
    """Every file with a header, as `folder.file`, sorted."""
    files = sorted(root().rglob("*.sql"))
    return tuple(_name_of(path) for path in files if path.parent.name != "schema")


def schema(name: str) -> str:
    """The text of one file of `sql/schema/`: several statements, no header contract."""
    path = root() / "schema" / f"{name}.sql"
    if not path.is_file():
        raise TemplateError(f"no schema file {name!r}")
    return path.read_text(encoding="utf-8")


@lru_cache(maxsize=512)
def load(name: str) -> SqlFile:
    """The file `folder.file`.

    Raises:
        TemplateError: no such file, or a header that does not fit its body.
    """
    path = root().joinpath(*name.split(".")).with_suffix(".sql")
    if not path.is_file():
        raise TemplateError(f"no SQL file {name!r}")
    header, body = _split(path)
    file = SqlFile(
        name=header.get("name", ""),
        doc=header.get("doc", ""),
        params=typed(header.get("params", ""), path),
        slots=tuple(part.strip() for part in header.get("slots", "").split(",") if part.strip() not in ("", "none")),
        returns=typed(header.get("returns", ""), path),
        order=header.get("order", ""),
        body=body,
        path=path,
        example=header.get("example", ""),
    )
    _check(file, name)
    return file


def compose(name: str, fillings: Mapping[str, str] | None = None) -> str:
    """The body of `name` with slots filled by the (raw) bodies of other files.

    A filling may name its own fillings by dotted slots:
    `{"step": "walk.beam_step", "step.expand": "walk.expand_join"}`.
    """
    fillings = fillings or {}
    file = load(name)
    direct = {slot: value for slot, value in fillings.items() if "." not in slot}
    outer = {slot.split(".", 1)[0] for slot in fillings}
    unknown = sorted(outer - set(file.slots))
    if unknown:
        raise TemplateError(f"{name}: no slot {unknown[0]!r}; it has {', '.join(file.slots) or 'none'}")
    unfilled = sorted(outer - set(direct))
    if unfilled:
        raise TemplateError(f"{name}: slot {unfilled[0]!r} is not filled, so nothing can be filled inside it")

    def fill(match: re.Match[str]) -> str:
        slot = match.group(1)
        if slot not in direct:
            return match.group(0)
        inner = {key.split(".", 1)[1]: value for key, value in fillings.items() if key.startswith(f"{slot}.")}
        return f"/*<{slot}>*/\n{_indent(compose(direct[slot], inner), match)}\n/*</{slot}>*/"

    return _SLOT.sub(fill, file.body)


def parameters(sql: str) -> frozenset[str]:
    """Names of the `$parameters` of a statement, outside of comments and strings."""
    return frozenset(_PARAMETER.findall(_COMMENT_OR_STRING.sub(" ", sql)))


def bound(value: Any) -> Any:
    """A value as the engine binds it quickest: a vector as an array, where 384 numbers one by one cost 2 ms."""
    if isinstance(value, Mapping):
        return {key: bound(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if len(value) > 16 and all(type(item) is float for item in value):
            return np.array(value)
        return [bound(item) for item in value]
    return value


def literal(value: Any) -> str:
    """A value as SQL text that means the same value and nothing else."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value)) if value >= 0 else f"({int(value)})"  # `5 -$a` must not become a comment
    if isinstance(value, float):
        return _double(float(value))
    if isinstance(value, Identifier):
        if not _IDENTIFIER.fullmatch(value):
            raise TemplateError(f"{value!r} is no name")
        return str(value)
    if isinstance(value, str):
        parts = ["'" + part.replace("'", "''") + "'" for part in value.split("\0")]
        return parts[0] if len(parts) == 1 else f"({' || chr(0) || '.join(parts)})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{literal(str(key))}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    raise QueryError(f"a value of type {type(value).__name__} cannot be written into SQL")


def _double(value: float) -> str:
    """A DOUBLE by its form: `0.2e0` is one where `0.2` would be a DECIMAL."""
    if value != value or value in (float("inf"), float("-inf")):
        return f"'{value!r}'::DOUBLE"
    text = repr(abs(value))
    text = text if "e" in text else f"{text}e0"
    return text if math.copysign(1, value) > 0 else f"(-{text})"


def typed(text: str, path: Path) -> dict[str, str]:
    """`a INTEGER, b STRUCT(x INTEGER, y VARCHAR)[]` as an ordered mapping."""
    if text.strip() in ("", "none"):
        return {}
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    pairs = [part.split(None, 1) for part in parts]
    if any(len(pair) != 2 for pair in pairs):
        raise TemplateError(f"{path.name}: header entry without a type in {text.strip()!r}")
    return {name: kind.strip() for name, kind in pairs}


def _indent(body: str, match: re.Match[str]) -> str:
    line_start = match.string.rfind("\n", 0, match.start()) + 1
    margin = " " * (match.start() - line_start) if not match.string[line_start : match.start()].strip() else "        "
    return "\n".join(f"{margin}{line}" if line else line for line in body.splitlines())


def _name_of(path: Path) -> str:
    return ".".join(path.relative_to(root()).with_suffix("").parts)


def _split(path: Path) -> tuple[dict[str, str], str]:
    header: dict[str, str] = {}
    key = ""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if not line.startswith("--"):
            return header, "\n".join(lines[number:]).strip().rstrip(";")
        match = _HEADER.match(line)
        if match:
            key = match.group(1)
            header[key] = match.group(2).strip()
        elif key:
            header[key] += " " + line.removeprefix("--").strip()
    raise TemplateError(f"{path.name}: a header and no statement")


def _check(file: SqlFile, name: str) -> None:
    where = f"{name}: "
    if file.name != name:
        raise TemplateError(f"{where}header names {file.name!r}")
    used = parameters(file.body)
    if used != set(file.params):
        raise TemplateError(f"{where}header and body differ on {', '.join(sorted(used ^ set(file.params)))}")
    slots = tuple(dict.fromkeys(match.group(1) for match in _SLOT.finditer(file.body)))
    if slots != file.slots:
        raise TemplateError(f"{where}header slots {file.slots}, body slots {slots}")
