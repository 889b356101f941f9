"""Embeddings and chat over the OpenAI protocol: OpenAI, Ollama, vLLM, llama.cpp and the like."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from mosaic_sql.errors import ModelError, ModelOutputError
from mosaic_sql.models import PROBES, Reply, unit_rows
from mosaic_sql.models.server import TIMEOUT, Refused, connect, send
from mosaic_sql.models.spans import piece_spans
from mosaic_sql.text import storable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


class OpenAIEmbedder:
    """An embedding model on an OpenAI-compatible server.

    Texts are sent as they are, except that an empty one becomes a space and one over `max_tokens`
    (by the approximate count of `token_offsets`) is cut.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        batch: int = 128,
        timeout: float = TIMEOUT,
    ) -> None:
        """Take the model's name and server; at most `batch` texts go into one request.

        Nothing is sent yet. Raises `ModelError` for a malformed URL.
        """
        self.name = f"openai:{model}"
        self.max_tokens = 8191
        self._model = model
        self._batch = max(1, batch)
        self._client = connect(base_url, timeout)
        self._dimension: int | None = None

    @property
    def dimension(self) -> int:
        """Length of a vector, taken from the first answer; a request is sent if none came yet."""
        if self._dimension is None:
            self.embed(PROBES[:1])
        return self._dimension or 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the unit vectors of `texts`, shape `(len(texts), dimension)`.

        Sends `ceil(len(texts) / batch)` requests. Raises `ModelUnavailable` when the server does
        not answer, and `ModelOutputError` naming the text whose vector is missing, of another
        length than the first, zero or not finite.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        rows: list[NDArray[np.float64]] = []
        for start in range(0, len(texts), self._batch):
            rows += self._request(texts[start : start + self._batch], start)
        try:
            return unit_rows(np.stack(rows)).astype(np.float32)
        except ModelError as error:
            raise ModelOutputError(f"{self.name}: {error}") from error

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Return approximate tokens, since the server's tokenizer is not at hand.

        Up to four ASCII letters or digits make one token, any other character is one of its own.
        """
        return piece_spans(text)

    def _request(self, texts: Sequence[str], first: int) -> list[NDArray[np.float64]]:
        body = {
            "model": self._model,
            "input": [self._fit(text) for text in texts],
            "encoding_format": "float",
        }
        answer = send(self._client.embeddings.with_raw_response.create, body, self.name)
        data = answer.get("data")
        if not isinstance(data, list) or len(data) != len(texts):
            count = len(data) if isinstance(data, list) else "no"
            raise ModelOutputError(f"{self.name} sent {count} vectors for {len(texts)} texts from text {first} on")
        ordered = sorted(enumerate(data), key=_given_index)
        return [self._row(item, first + index) for index, (_, item) in enumerate(ordered)]

    def _row(self, item: Any, index: int) -> NDArray[np.float64]:
        try:
            row = np.asarray(item["embedding"], dtype=np.float64)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelOutputError(f"{self.name} sent no vector for text {index}") from error
        if row.ndim != 1 or row.size == 0:
            raise ModelOutputError(f"{self.name} sent no flat vector for text {index}")
        self._dimension = self._dimension or row.size
        if row.size != self._dimension:
            raise ModelOutputError(f"{self.name} sent {row.size} numbers for text {index}, {self._dimension} before")
        return row

    def _fit(self, text: str) -> str:
        if not text.strip():
            return " "  # servers refuse an empty input
        if len(text) > self.max_tokens:
            spans = piece_spans(text)[: self.max_tokens]
            text = text[: spans[-1][1]]
        return text.encode("utf-8", "replace").decode("utf-8")


class OpenAIChat:
    """A chat model on an OpenAI-compatible server.

    What a server refuses is left out the next time: a JSON schema as response format gives way to
    plain JSON mode and that to the schema in words; `max_tokens` to its newer name; a temperature
    of 0 to the model's own.
    """

    def __init__(self, model: str, *, base_url: str | None = None, timeout: float = TIMEOUT) -> None:
        """Take the model's name and server; nothing is sent yet.

        Raises `ModelError` for a malformed URL.
        """
        self.name = model
        self.parameters = {"base_url": base_url or "", "temperature": 0}
        self._client = connect(base_url, timeout)
        self._formats: tuple[str, ...] = ("json_schema", "json_object", "text")
        self._limit = "max_tokens"
        self._temperature = True

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Answer `messages`, as JSON of `schema` where given (not validated here).

        `max_tokens` bounds what is written. Raises `ModelUnavailable` when the server does not
        answer or refuses, and `ModelOutputError` when it answers with something else.
        """
        started = time.perf_counter()
        create = self._client.chat.completions.with_raw_response.create
        formats = list(self._formats)
        while True:
            body = self._body(messages, schema, max_tokens, formats[0])
            try:
                answer = send(create, body, self.name)
                break
            except Refused as refusal:
                if self._adapt(str(refusal), body):
                    continue
                if schema is None or len(formats) == 1:
                    raise
                formats.pop(0)
        self._formats = tuple(formats)
        return _reply(answer, self.name, time.perf_counter() - started)

    def _body(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any] | None,
        max_tokens: int | None,
        form: str,
    ) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.name, "messages": [dict(each) for each in messages]}
        if self._temperature:
            body["temperature"] = 0
        if max_tokens is not None:
            body[self._limit] = max_tokens
        if schema is None:
            return body
        if form == "json_schema":
            wanted = {"name": "reply", "schema": dict(schema), "strict": _is_strict(schema)}
            body["response_format"] = {"type": form, "json_schema": wanted}
            return body
        if form == "json_object":
            body["response_format"] = {"type": form}
        wish = f"Answer with one JSON object of this JSON schema:\n{json.dumps(dict(schema))}"
        body["messages"].append({"role": "system", "content": wish})
        return body

    def _adapt(self, refusal: str, body: Mapping[str, Any]) -> bool:
        """Drop a parameter that the refusal names; say whether that leaves something to try."""
        if "max_tokens" in body and "max_completion_tokens" in refusal:
            self._limit = "max_completion_tokens"
            return True
        if "temperature" in body and "temperature" in refusal:
            self._temperature = False
            return True
        return False


def _given_index(numbered: tuple[int, Any]) -> int:
    """Return where a vector says it belongs, else where it stands."""
    position, item = numbered
    index = item.get("index") if isinstance(item, dict) else None
    return index if isinstance(index, int) else position


def _reply(answer: Mapping[str, Any], name: str, seconds: float) -> Reply:
    try:
        choice = answer["choices"][0]
        text = choice["message"]["content"]
    except (KeyError, IndexError, TypeError) as error:
        raise ModelOutputError(f"{name} sent no completion") from error
    if not isinstance(text, str):
        raise ModelOutputError(f"{name} sent no text (it may have refused to answer)")
    usage = answer.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Reply(
        text=storable(text),
        prompt_tokens=_count(counts.get("prompt_tokens")),
        completion_tokens=_count(counts.get("completion_tokens")),
        seconds=seconds,
        model=str(answer.get("model") or name),
        finish_reason=str(choice.get("finish_reason") or "stop"),
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _is_strict(schema: Any) -> bool:
    """Say whether every object in a JSON schema is closed and wholly required.

    Only then may `strict` be asked for; an open schema is still sent, as a guide.
    """
    if isinstance(schema, list):
        return all(_is_strict(part) for part in schema)
    if not isinstance(schema, dict):
        return True
    if schema.get("type") == "object":
        names = set(schema.get("properties", {}))
        if schema.get("additionalProperties") is not False or set(schema.get("required", ())) != names:
            return False
    return all(_is_strict(part) for part in schema.values())
