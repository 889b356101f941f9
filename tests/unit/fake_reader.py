"""A fake server that reads chunks: what it says of a chunk is looked up by a word that stands in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fake_openai import FakeServer, Response, completion

EMPTY: dict[str, Any] = {"entities": [], "relations": []}


def entity(name: str, kind: str = "", description: str = "") -> dict[str, str]:
    return {"name": name, "kind": kind, "description": description}


def relation(source: str, label: str, target: str, sentence: str = "") -> dict[str, str]:
    return {"source": source, "relation": label, "target": target, "sentence": sentence}


def said(entities: list[Any], *relations: Any) -> dict[str, Any]:
    return {"entities": entities, "relations": list(relations)}


def chunk_of(body: Mapping[str, Any]) -> str:
    """The chunk that a request is about."""
    return next(m["content"] for m in body["messages"] if m["content"].startswith("<chunk>"))


class Reader:
    """Answers a request by the first word of `table` that its chunk holds; keeps the chunks it was asked for."""

    def __init__(self, server: FakeServer, table: Mapping[str, Any]) -> None:
        self.table = dict(table)
        self.asked: list[str] = []
        self.usage = {"prompt_tokens": 11, "completion_tokens": 7}
        server.always = self

    def __call__(self, path: str, body: Mapping[str, Any]) -> Response | None:
        if not path.endswith("/chat/completions"):
            return None
        chunk = chunk_of(body)
        self.asked.append(chunk)
        found = next((value for word, value in self.table.items() if word in chunk), EMPTY)
        return completion(found if isinstance(found, str) else json.dumps(found), usage=self.usage)
