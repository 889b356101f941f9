"""Two runs compared by their passages, with the reasons that `mosaic_why` tells."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import mosaic_sql as mosaic
from mosaic_sql.pipeline import Corpus

GERMANIUM = "At which school did the discoverer of germanium teach?"
Reasons = dict[int, tuple[bool, str | None]]


def told(corpus: Corpus, run: str, chunks: list[int]) -> Reasons:
    """Of each passage, whether the run kept it as evidence, and the rule that mosaic_why gives where it did not."""
    reasons: Reasons = {}
    for chunk in chunks:
        rows = corpus.query(f"SELECT stage, kept, reason FROM mosaic_why('{run}', {chunk})").to_pylist()
        rules = [row["reason"].removeprefix("dropped: ") for row in rows if not row["kept"]]
        reasons[chunk] = (
            any(row["kept"] for row in rows if row["stage"] == "evidence"),
            rules[-1] if rules else None,
        )
    return reasons


@pytest.mark.parametrize("other", ["mosaic", {"operator": "chunk_hop", "seed_limit": 1}])
def test_a_diff_compares_passages_and_tells_what_mosaic_why_tells(
    sample: Path, tmp_path: Path, other: str | dict[str, object]
) -> None:
    path = Path(shutil.copy(sample, tmp_path / "c.duckdb"))
    with mosaic.open(path, read_only=True) as corpus:
        first, second = (str(corpus.ask(GERMANIUM, policy=p, record=True).run) for p in ("narrow", other))
        rows = corpus.runs.diff(first, second).evidence
        chunks = [row["chunk_id"] for row in rows if row["chunk_id"] is not None]
        assert len(chunks) == len(set(chunks)) > 0  # each passage once
        then, now = told(corpus, first, chunks), told(corpus, second, chunks)
    for row in rows:
        if row["chunk_id"] is None:
            continue
        one, two = then[row["chunk_id"]], now[row["chunk_id"]]
        change = "moved" if one[0] and two[0] else "left" if one[0] else "entered"
        assert row["change"] == change
        rule = {"left": two[1], "entered": one[1]}.get(change)
        assert (rule is None and "dropped" not in row["why"]) or row["why"].endswith(f"dropped by {rule}"), row
