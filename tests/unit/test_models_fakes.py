"""The stand-ins, the factory and the grid."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mosaic_sql.errors import ModelError, ModelOutputError, ModelUnavailable
from mosaic_sql.models import EMBEDDERS, GRID, PROBES, load_embedder, to_grid, unit_rows
from mosaic_sql.models.fakes import HashEmbedder, ScriptedChat


def test_hash_vectors_are_units_in_order():
    embedder = HashEmbedder()
    vectors = embedder.embed(PROBES)
    assert (embedder.name, embedder.dimension) == ("hash-64", 64)
    assert vectors.shape == (len(PROBES), 64)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.array_equal(vectors[3:], embedder.embed(PROBES[3:]))
    assert embedder.embed([]).shape == (0, 64)


def test_hash_vectors_never_change():
    first = to_grid(HashEmbedder(8).embed(["Marie Curie discovered polonium."]))
    assert first.tolist() == [[2066.0, -516.0, 516.0, -516.0, 3098.0, 0.0, 516.0, 1033.0]]


def test_shared_words_and_stems_make_texts_similar():
    query, near, stem, far = HashEmbedder(256).embed(
        ["discovery of radium", "the radium discovery", "radium was discovered", "cheese prices"]
    )
    assert query @ near > 0.7
    assert query @ stem > 0.5
    assert query @ far < 0.3


@given(st.text(max_size=300))
def test_any_text_has_a_hash_vector_and_ordered_tokens(text):
    embedder = HashEmbedder(3)
    assert np.isfinite(to_grid(embedder.embed([text]))).all()
    offsets = embedder.token_offsets(text)
    assert all(0 <= start < end <= len(text) for start, end in offsets)
    assert offsets == sorted(offsets)


def test_words_past_the_limit_are_not_seen():
    words = [f"w{i}" for i in range(400)]
    embedder = HashEmbedder()
    full, cut = embedder.embed([" ".join(words), " ".join(words[: embedder.max_tokens])])
    assert np.array_equal(full, cut)


@pytest.mark.parametrize("dimension", [0, -1, 65_537])
def test_an_impossible_dimension_is_refused(dimension):
    with pytest.raises(ModelError, match="dimensions"):
        HashEmbedder(dimension)


def test_the_script_is_read_in_order_and_calls_are_kept():
    chat = ScriptedChat(["two words", {"a": "ü"}, ModelOutputError("broken")])
    messages = [{"role": "user", "content": "one two three"}]
    schema = {"type": "object"}
    reply = chat.complete(messages)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("two words", 3, 2)
    assert chat.complete(messages, schema=schema, max_tokens=9).text == '{"a": "ü"}'
    with pytest.raises(ModelOutputError, match="broken"):
        chat.complete(messages)
    with pytest.raises(ModelUnavailable, match="holds 3 replies"):
        chat.complete(messages)
    messages[0]["content"] = "changed later"
    assert len(chat.calls) == 4
    assert chat.calls[1].messages[0]["content"] == "one two three"
    assert (chat.calls[1].schema, chat.calls[1].max_tokens) == (schema, 9)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        (None, "minilm-l6-v2"),
        ("minilm", "minilm-l6-v2"),
        ("minilm-l6-v2", "minilm-l6-v2"),
        ("hash", "hash-64"),
        ("hash:7", "hash-7"),
        ("hash-7", "hash-7"),
        ("openai:text-embedding-3-small", "openai:text-embedding-3-small"),
        ("openai:qwen3:0.6b", "openai:qwen3:0.6b"),
    ],
)
def test_a_spec_names_an_embedder(spec, name):
    embedder = load_embedder(spec)
    assert embedder is not None
    assert embedder.name == name


def test_none_is_no_embedder():
    assert load_embedder("none") is None


@pytest.mark.parametrize("spec", ["", "word2vec", "openai:", "sentence-transformers", "minilm:x", "none:x"])
def test_an_unknown_spec_lists_the_choices(spec):
    with pytest.raises(ModelError) as caught:
        load_embedder(spec)
    assert all(choice in str(caught.value) for choice in EMBEDDERS)


@pytest.mark.parametrize("spec", ["hash:x", "hash:-1", "hash:0", "hash:²"])
def test_a_hash_dimension_is_a_positive_number(spec):
    with pytest.raises(ModelError):
        load_embedder(spec)


def test_importing_the_package_is_light():
    check = (
        "import sys, mosaic_sql.models\n"
        "heavy = {'onnxruntime', 'openai', 'tokenizers', 'torch'} & set(sys.modules)\n"
        "sys.exit(', '.join(sorted(heavy)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_grid_holds_whole_numbers():
    grid = to_grid(HashEmbedder(384).embed(PROBES) * 17)
    assert grid.dtype == np.float32
    assert np.array_equal(grid, np.rint(grid))
    assert np.abs(np.linalg.norm(grid, axis=1) - GRID).max() < 10
    assert not np.signbit(grid[grid == 0]).any()
    assert to_grid(np.empty((0, 5))).shape == (0, 5)


def test_the_grid_takes_any_length_of_vector():
    expected = [[2400.0, -3200.0]]
    for factor in (1.0, 1e-320, 1e300, 1e-30):
        assert np.allclose(to_grid([[3 * factor, -4 * factor]]), expected, atol=2)
    assert to_grid([[3e200, -4e200]]).tolist() == expected


def test_float32_adds_grid_products_exactly_in_any_order():
    grid = to_grid(np.random.default_rng(0).normal(size=(2, 384)))
    products = grid[0] * grid[1]
    exact = int(grid[0].astype(np.int64) @ grid[1].astype(np.int64))
    assert float(np.cumsum(products, dtype=np.float32)[-1]) == exact
    assert float(np.cumsum(products[::-1], dtype=np.float32)[-1]) == exact


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1, 0], [0, 0]], "row 1 is zero"),
        ([[1, 0], [2, 0], [float("nan"), 1]], "row 2 is not finite"),
        ([[float("inf"), 1]], "row 0 is not finite"),
        ([1.0, 2.0], r"this is \(2,\)"),
        ([[], []], r"this is \(2, 0\)"),
    ],
)
def test_rows_without_a_direction_are_named(rows, message):
    for function in (to_grid, unit_rows):
        with pytest.raises(ModelError, match=message):
            function(rows)
