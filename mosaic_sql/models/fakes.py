"""Stand-ins that need no weights and no server, for tests, documentation and dry runs."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mosaic_sql.errors import ModelError, ModelUnavailable
from mosaic_sql.models import Reply, unit_rows
from mosaic_sql.models.spans import word_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

_STEM_WEIGHT = 3
_STEM_LENGTH = 5


class HashEmbedder:
    """Vectors from hashed words: texts that share words or parts of words are similar.

    The same on every machine and in every process. It knows no meaning; synonyms are strangers.
    """

    max_tokens = 256

    def __init__(self, dimension: int = 64) -> None:
        """Take the length of the vectors, 1 to 65,536; more keeps unlike texts further apart."""
        if not 1 <= dimension <= 65_536:
            raise ModelError(f"a hash embedder has 1 to 65536 dimensions, not {dimension}")
        self.dimension = dimension
        self.name = f"hash-{dimension}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the unit vectors of `texts`, shape `(len(texts), dimension)`."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float64)
        for vector, text in zip(vectors, texts, strict=True):
            spans = self.token_offsets(text)[: self.max_tokens]
            for start, end in spans:
                for feature, weight in _features(text[start:end]):
                    self._add(vector, feature, weight)
            if not vector.any():  # no word at all, or all cancelled out
                self._add(vector, "", 1)
        return unit_rows(vectors).astype(np.float32)

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of words, and of punctuation marks and symbols on their own."""
        return word_spans(text)

    def _add(self, vector: NDArray[np.float64], feature: str, weight: int) -> None:
        digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
        number = int.from_bytes(digest, "little")
        vector[(number >> 1) % self.dimension] += weight if number & 1 else -weight


def _features(word: str) -> Iterator[tuple[str, int]]:
    """Yield the start of a word, a crude stem, and its trigrams, each with a weight."""
    word = unicodedata.normalize("NFKC", word).casefold()
    yield f"stem {word[:_STEM_LENGTH]}", _STEM_WEIGHT
    padded = f"^{word}$"
    for start in range(len(padded) - 2):
        yield padded[start : start + 3], 1


@dataclass(frozen=True)
class Call:
    """What a `ScriptedChat` was asked once."""

    messages: tuple[dict[str, str], ...]
    """The conversation, copied."""
    schema: Mapping[str, Any] | None
    """The JSON schema that came with it."""
    max_tokens: int | None
    """The limit that came with it."""


class ScriptedChat:
    """A chat model that reads its answers from a list and remembers what it was asked."""

    name = "scripted"

    def __init__(self, replies: Iterable[str | Mapping[str, Any] | ModelError]) -> None:
        """Take the answers in order: a text, a mapping (sent as JSON), or an error to raise."""
        self._replies = list(replies)
        self.calls: list[Call] = []
        """One entry per call of `complete`, refused calls included."""

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Return the next answer; token counts are words, the time is zero.

        Raises the scripted error, or `ModelUnavailable` when no answer is left.
        """
        asked = tuple(dict(message) for message in messages)
        self.calls.append(Call(asked, schema, max_tokens))
        if len(self.calls) > len(self._replies):
            raise ModelUnavailable(f"the script holds {len(self._replies)} replies and was asked for one more")
        reply = self._replies[len(self.calls) - 1]
        if isinstance(reply, ModelError):
            raise reply
        text = reply if isinstance(reply, str) else json.dumps(dict(reply), ensure_ascii=False)
        read = sum(len(message.get("content", "").split()) for message in asked)
        return Reply(text, read, len(text.split()), 0.0, self.name, "stop")
