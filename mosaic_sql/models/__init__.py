"""Models: what an embedder and a chat model are, and how one is chosen.

Everything works without a server: the bundled MiniLM embeds, and no chat model is needed. Importing
this package loads neither a model nor NumPy; the module of a model is imported when it is chosen.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from mosaic_sql.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "EMBEDDERS",
    "GRID",
    "PROBES",
    "ChatModel",
    "Embedder",
    "Reply",
    "load_chat",
    "load_embedder",
    "to_grid",
    "unit_rows",
]

GRID = 4000
"""Stored vectors are `round(GRID * unit vector)`: whole numbers, so float32 adds products exactly.

By Cauchy-Schwarz no partial sum of an inner product passes `(GRID + sqrt(d) / 2) ** 2`, which stays
below 2**24 up to 36,000 dimensions.
"""

PROBES = (
    "The river flooded the old mill in the spring of 1911.",
    "Penicillin was discovered by Alexander Fleming in London.",
    "Die Hauptstadt von Australien ist Canberra, nicht Sydney.",
    "¿Qué ecuaciones describen el campo electromagnético?",
    "SELECT count(*) FROM orders WHERE status = 'open';",
)
"""Five fixed texts; their vectors are the fingerprint of an embedding space."""

EMBEDDERS = (
    "minilm (bundled, the default)",
    "none (no vectors: lexical search only)",
    "sentence-transformers:NAME_OR_PATH",
    "openai:NAME (with a base URL: any compatible server)",
    "hash or hash:DIM (for tests)",
)
"""What `load_embedder` takes, one line per choice, for help texts and messages."""


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Stable identity, such as `minilm-l6-v2`, `openai:NAME` or `hash-64`."""

    @property
    def dimension(self) -> int:
        """Length of a vector, at least 1."""

    @property
    def max_tokens(self) -> int:
        """Tokens the model sees of one text, special tokens not counted; the rest is cut off.

        It compares with `len(token_offsets(text))`.
        """

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, in order: shape `(len(texts), dimension)`, finite, L2 norm 1.

        Raises `ModelError` when the model can not be loaded, reached or trusted.
        """

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the character span of each token, ascending, without special tokens, not cut."""


@dataclass(frozen=True)
class Reply:
    """One answer of a chat model, with what it cost."""

    text: str
    """What the model wrote; may be empty."""
    prompt_tokens: int
    """Tokens read, as the server counts them; 0 where it does not say."""
    completion_tokens: int
    """Tokens written, as the server counts them; 0 where it does not say."""
    seconds: float
    """Wall time of the call, retries included."""
    model: str
    """The model that answered, as the server names it."""
    finish_reason: str
    """`stop`, `length` (cut off by the token limit) or what the server said."""
    cached: bool = False
    """Whether it was kept from an earlier call, so that nothing was spent."""


class ChatModel(Protocol):
    """Completes a conversation."""

    @property
    def name(self) -> str:
        """The model as the server knows it."""

    def complete(
        self,
        messages: Sequence[Mapping[str, str]],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """Answer `messages` (each with `role` and `content`), as JSON of `schema` where given.

        The text is not validated against the schema here. Raises `ModelUnavailable` when there is
        no answer and `ModelOutputError` when the answer is not a chat completion.
        """


def load_embedder(spec: str | None, *, base_url: str | None = None) -> Embedder | None:
    """Return the embedder that `spec` names (see `EMBEDDERS`); `None` for the spec `none`.

    No spec, or `minilm`, is the bundled model. `base_url` (or `MOSAIC_BASE_URL`) is for `openai:`.
    Raises `ModelError` for an unknown spec and `MissingExtra` when a package is not installed.
    """
    kind, _, name = (spec if spec is not None else "minilm").strip().partition(":")
    if kind == "none" and not name:
        return None
    if kind in ("minilm", "minilm-l6-v2") and not name:
        from mosaic_sql.models.minilm import MiniLM

        return MiniLM()
    if kind == "hash" or kind.startswith("hash-"):
        return _load_hash(kind.removeprefix("hash").removeprefix("-") or name)
    if kind == "sentence-transformers" and name:
        from mosaic_sql.models.sentence_transformers import SentenceTransformerEmbedder

        return SentenceTransformerEmbedder(name)
    if kind == "openai" and name:
        from mosaic_sql.models.openai import OpenAIEmbedder

        return OpenAIEmbedder(name, base_url=base_url or os.environ.get("MOSAIC_BASE_URL"))
    raise ModelError(f"unknown embedder {spec!r}; choose one of: {'; '.join(EMBEDDERS)}")


def _load_hash(dimension: str) -> Embedder:
    from mosaic_sql.models.fakes import HashEmbedder

    if dimension and not (dimension.isascii() and dimension.isdigit()):
        raise ModelError(f"hash:{dimension} is no embedder; write a whole number, as in hash:64")
    return HashEmbedder(int(dimension)) if dimension else HashEmbedder()


def load_chat(model: str, *, base_url: str | None, timeout: float | None = None) -> ChatModel:
    """Return a chat model on an OpenAI-compatible server; nothing is sent yet.

    Without `base_url` (or `MOSAIC_BASE_URL`) the server is OpenAI's; `timeout` is in seconds for one
    answer. Raises `ModelError` for an empty name or a malformed URL.
    """
    if not model.strip():
        raise ModelError("the chat model has no name; pass --model NAME or set MOSAIC_MODEL")
    from mosaic_sql.models.openai import OpenAIChat

    url = base_url or os.environ.get("MOSAIC_BASE_URL")
    return (
        OpenAIChat(model.strip(), base_url=url)
        if timeout is None
        else OpenAIChat(model.strip(), base_url=url, timeout=timeout)
    )


def unit_rows(vectors: ArrayLike) -> NDArray[np.float64]:
    """Return the rows of an `(n, d)` array at length 1.

    Raises `ModelError` for another shape, and names the first row that is zero or not finite.
    """
    import numpy as np

    rows = np.asarray(vectors, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ModelError(f"vectors need the shape (rows, dimension); this is {rows.shape}")
    largest = np.max(np.abs(rows), axis=1, keepdims=True)
    usable = (np.isfinite(largest) & (largest > 0)).all(axis=1)
    if not usable.all():
        row = int(np.argmin(usable))
        what = "zero" if largest[row, 0] == 0 else "not finite"
        raise ModelError(f"the vector of row {row} is {what}; it has no direction to search by")
    scaled = rows / largest  # no square can overflow or vanish
    unit: NDArray[np.float64] = scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    return unit


def to_grid(vectors: ArrayLike) -> NDArray[np.float32]:
    """Return `round(GRID * unit vector)` for each row of an `(n, d)` array of any length.

    The result holds whole numbers from -4000 to 4000 as float32. Raises as `unit_rows` does.
    """
    import numpy as np

    grid = np.rint(GRID * unit_rows(vectors)) + 0.0  # adding 0.0 turns -0.0 into 0.0
    return grid.astype(np.float32)
