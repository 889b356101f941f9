"""What a chat model says of a chunk, checked against the chunk: names that stand in it, relations between them.

The model's reply is data. A name that the chunk does not hold is dropped, a relation between anything but the names
that were kept is dropped, and a stating sentence that cannot be found leaves its relation without a fact.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from mosaic_sql import text as words
from mosaic_sql.errors import ModelOutputError
from mosaic_sql.ingest.extract import Mention, title_surfaces

_TEXT = {"type": "string"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "entities": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": _TEXT, "kind": _TEXT, "description": _TEXT},
                "required": ["name", "kind", "description"],
                "additionalProperties": False,
            },
        },
        "relations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"source": _TEXT, "relation": _TEXT, "target": _TEXT, "sentence": _TEXT},
                "required": ["source", "relation", "target", "sentence"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["entities", "relations"],
    "additionalProperties": False,
}
"""The JSON schema that is sent with the prompt; closed, so that a server may enforce it."""

_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"<(?=\s*/?\s*chunk)", re.IGNORECASE)
_LONGEST_NAME, _LONGEST_LABEL, _LONGEST_KIND, _LONGEST_DESCRIPTION = 120, 80, 40, 300


@dataclass(frozen=True)
class Passage:
    """The text of a chunk and what stands above it."""

    title: str
    heading: str
    text: str


@dataclass(frozen=True)
class Entity:
    """A name of the chunk; `key` is the node it belongs to, `kind` and `description` may be empty."""

    key: str
    name: str
    kind: str
    description: str


@dataclass(frozen=True)
class Relation:
    """Two entities by their keys, how they are related, and the span of `Passage.text` that states it, if found."""

    source: str
    relation: str
    target: str
    start: int | None
    end: int | None


@dataclass(frozen=True)
class Facts:
    """What a chunk names and states, in the order of the reply."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]

    def to_json(self) -> str:
        """As it is kept in the corpus file."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, kept: str) -> Facts:
        """As `to_json` wrote it."""
        data = json.loads(kept)
        return cls(
            tuple(Entity(**entity) for entity in data["entities"]),
            tuple(Relation(**relation) for relation in data["relations"]),
        )

    def mentions(self, text: str) -> list[Mention]:
        """Every place of `text` where an entity is named."""
        tokens = words.tokens(text)
        return [
            Mention(entity.key, text[start:end], start, end, "model")
            for entity in self.entities
            for start, end in _places(tokens, entity.key.split(" "))
        ]


@dataclass(frozen=True)
class Dropped:
    """How many things of a reply failed the check: entities, relations, and sentences that were not found."""

    entities: int = 0
    relations: int = 0
    sentences: int = 0


@lru_cache(maxsize=1)
def prompt() -> str:
    """The instructions, as they ship with the package."""
    return resources.files("mosaic_sql.ingest").joinpath("extraction.txt").read_text(encoding="utf-8").strip()


def messages(passage: Passage) -> list[dict[str, str]]:
    """The conversation that asks for the facts of a passage, which stands in a fence that it cannot close."""
    above = " > ".join(part for part in (passage.title, passage.heading) if part)
    said = f"{above}: {passage.text}" if above else passage.text
    return [
        {"role": "system", "content": prompt()},
        {"role": "user", "content": f"<chunk>\n{_FENCE.sub('‹', said)}\n</chunk>"},
    ]


def repair(asked: Sequence[Mapping[str, str]], reply: str, problem: str) -> list[dict[str, str]]:
    """The conversation that shows a model its unusable reply and what is wrong with it."""
    wish = f"That reply cannot be used: {problem}. Reply again with one JSON object as described, and nothing else."
    return [*map(dict, asked), {"role": "assistant", "content": reply}, {"role": "user", "content": wish}]


def checked(reply: str, passage: Passage) -> tuple[Facts, Dropped]:
    """The facts of a reply that hold against the passage, and how many did not.

    Raises:
        ModelOutputError: the reply is no JSON object with two lists, `entities` and `relations`.
    """
    data = _parsed(reply)
    tokens = words.tokens(passage.text)
    titles = {words.node_key(surface) for surface in title_surfaces(passage.title, passage.text)}
    entities: dict[str, Entity] = {}
    for item in data["entities"]:
        entity = _entity(item)
        if entity and (entity.key in titles or _places(tokens, entity.key.split(" "))):
            entities.setdefault(entity.key, entity)
    wrong = sum(_key(item, "name") not in entities for item in data["entities"])
    relations: dict[tuple[str, str, str], Relation] = {}
    bad = lost = 0
    for item in data["relations"]:
        relation = _relation(item, tokens)
        if relation is None or relation.source not in entities or relation.target not in entities:
            bad += 1
        elif relations.setdefault((relation.source, relation.relation, relation.target), relation) is relation:
            lost += relation.start is None
    return Facts(tuple(entities.values()), tuple(relations.values())), Dropped(wrong, bad, lost)


def _parsed(reply: str) -> dict[str, list[Any]]:
    """The JSON object in a reply; what stands around it (thoughts, a code fence) is passed over."""
    text = _THOUGHT.sub("", reply)
    start, end = text.find("{"), text.rfind("}")
    if start < 0:
        raise ModelOutputError(f"it holds no JSON object, but {' '.join(reply.split())[:80]!r}")
    try:
        data = json.loads(text[start : end + 1])
    except ValueError as error:
        raise ModelOutputError(f"it is no valid JSON ({error})") from error
    except RecursionError as error:
        raise ModelOutputError("it is nested too deeply") from error
    for name in ("entities", "relations"):
        if not isinstance(data, dict) or not isinstance(data.get(name), list):
            raise ModelOutputError(f"it has no list {name!r}")
    return {name: data[name] for name in ("entities", "relations")}


def _said(item: Any, name: str, longest: int) -> str:
    """A text field with single blanks, without what a store cannot take; empty where there is none."""
    value = item.get(name) if isinstance(item, Mapping) else None
    if not isinstance(value, str):
        return ""
    kept = value.replace("\0", "").encode("utf-8", "ignore").decode()
    return " ".join(kept.split())[:longest]


def _key(item: Any, name: str) -> str:
    return words.node_key(_said(item, name, _LONGEST_NAME))


def _entity(item: Any) -> Entity | None:
    key = _key(item, "name")
    if not words.is_name(key):
        return None
    kind = _said(item, "kind", _LONGEST_KIND).lower()
    return Entity(key, _said(item, "name", _LONGEST_NAME), kind, _said(item, "description", _LONGEST_DESCRIPTION))


def _relation(item: Any, tokens: Sequence[words.Token]) -> Relation | None:
    label = " ".join(_said(item, "relation", _LONGEST_LABEL).replace("_", " ").lower().split())
    source, target = _key(item, "source"), _key(item, "target")
    if not label or source == target:
        return None
    forms = [token.form for token in words.tokens(_said(item, "sentence", 2000))]
    start, end = next(iter(_places(tokens, forms)), (None, None))
    return Relation(source, label, target, start, end)


def _places(tokens: Sequence[words.Token], forms: Sequence[str]) -> list[tuple[int, int]]:
    """Character spans where `forms` follow each other in a text: case, accents, blanks and marks do not count."""
    if not forms:
        return []
    length = len(forms)
    return [
        (tokens[first].start, tokens[first + length - 1].end)
        for first in range(len(tokens) - length + 1)
        if tokens[first].form == forms[0] and all(tokens[first + n].form == forms[n] for n in range(1, length))
    ]
