"""How good a ranking is and how long things take: pure arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import ceil, floor

import pyarrow as pa

RECALL_AT = (2, 5, 10)
ALL_AT = 5

Judged = tuple[Sequence[str], Collection[str]]
"""A ranking of documents, best first, and the documents it should hold."""


def paths_scored(walk: pa.Table) -> int:
    """Paths beyond the seeds that a walk scored; links of a chunk walk over its width are passed over unscored."""
    columns = walk.select(["depth", "tail_kind", "pruned_by"]).to_pylist()
    return sum(
        row["depth"] > 0 and not (row["tail_kind"] == "chunk" and row["pruned_by"] == "beam_width") for row in columns
    )


def by_first_appearance(sources: Iterable[str | None]) -> list[str]:
    """Documents in the order of their best chunk; chunks without a document are passed over."""
    return list(dict.fromkeys(source for source in sources if source is not None))


def recall(ranking: Sequence[str], wanted: Collection[str], k: int) -> float:
    """Share of `wanted` among the first `k`; `wanted` is not empty."""
    support = set(wanted)
    return len(support & set(ranking[:k])) / len(support)


def quality(judged: Sequence[Judged]) -> dict[str, float]:
    """`R@k`: recall averaged over questions; `all@k`: questions with all of theirs among the first k. Percent."""
    found = {f"R@{k}": _percent([recall(ranking, wanted, k) for ranking, wanted in judged]) for k in RECALL_AT}
    whole = [float(recall(ranking, wanted, ALL_AT) == 1) for ranking, wanted in judged]
    return {**found, f"all@{ALL_AT}": _percent(whole)}


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie, between two neighbours by proportion."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low, high = ordered[floor(place)], ordered[ceil(place)]
    return low + (high - low) * (place - floor(place))


def mean(values: Sequence[float]) -> float:
    """The average of at least one value."""
    return sum(values) / len(values)


def _percent(values: Sequence[float]) -> float:
    return round(100 * mean(values), 1)
