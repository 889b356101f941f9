"""What a handle on a corpus is opened with."""

from __future__ import annotations

from dataclasses import dataclass

from mosaic_sql.models import Embedder
from mosaic_sql.models.bounds import Spending
from mosaic_sql.pipeline.analysts import AnalyzerLike
from mosaic_sql.pipeline.known import RESIDENT_BYTES


@dataclass(frozen=True)
class Options:
    """What a handle was opened with; see `mosaic_sql.open`."""

    embedder: str | Embedder | None = None
    base_url: str | None = None
    model: str | None = None
    record: bool = False
    trace: bool = True
    timeout: float | None = None
    sentence_vectors: bool = False
    extractor: str = "rules"
    analyzer: AnalyzerLike = None
    spending: Spending | None = None
    memory: int = RESIDENT_BYTES
