"""Retrieval for question answering over graphs, in one DuckDB file.

import mosaic_sql as mosaic

with mosaic.open("papers.duckdb") as corpus:
    corpus.add("papers/")
    print(corpus.ask("How are A and B related?").text)
"""

from mosaic_sql.errors import (
    CeilingReached,
    EmbedderMismatch,
    GroundingError,
    IngestError,
    MissingExtra,
    ModelError,
    ModelOutputError,
    ModelUnavailable,
    MosaicError,
    PolicyError,
    QueryError,
    QueryOutOfMemory,
    QueryTimeout,
    SchemaVersionError,
    StoreError,
    StoreLocked,
    TemplateError,
    UnknownId,
)
from mosaic_sql.ingest.parquet import import_folder
from mosaic_sql.models.bounds import Spending
from mosaic_sql.pipeline import Asked, Corpus, Extraction, Match, Matches, Retrieval, Step
from mosaic_sql.pipeline import open_corpus as open
from mosaic_sql.policy import Policy, default_policy, named_policy

__all__ = [
    "Asked",
    "CeilingReached",
    "Corpus",
    "EmbedderMismatch",
    "Extraction",
    "GroundingError",
    "IngestError",
    "Match",
    "Matches",
    "MissingExtra",
    "ModelError",
    "ModelOutputError",
    "ModelUnavailable",
    "MosaicError",
    "Policy",
    "PolicyError",
    "QueryError",
    "QueryOutOfMemory",
    "QueryTimeout",
    "Retrieval",
    "SchemaVersionError",
    "Spending",
    "Step",
    "StoreError",
    "StoreLocked",
    "TemplateError",
    "UnknownId",
    "default_policy",
    "import_folder",
    "named_policy",
    "open",
]
