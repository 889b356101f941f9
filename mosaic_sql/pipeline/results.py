"""What a retrieval and an answer are to a caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa

from mosaic_sql.answer import NO_ANSWER
from mosaic_sql.errors import MissingExtra
from mosaic_sql.policy import Policy
from mosaic_sql.records import (
    Analysis,
    Answer,
    Citation,
    Context,
    Evidence,
    Found,
    RenderedQuery,
    Seeds,
    StageTime,
    Walk,
)
from mosaic_sql.refine import Refined


@dataclass(frozen=True)
class Step:
    """A described part of a question, and the retrieval that found what it stands for.

    `role` is `anchor` where the outer walk starts from `nodes`, `condition` where its answers are held to them, `but`
    where they are left out, `compared` where they have the value that answers are compared with, `tried` where nothing
    came of it and the question was read as it stands. `found` counts what was found, before `described_limit`; `text`
    is the question's own.
    """

    text: str
    role: str
    nodes: tuple[Found, ...]
    found: int
    retrieval: Retrieval


@dataclass(frozen=True)
class Retrieval:
    """All that one retrieval found, stage by stage, and how. `rows` of each stage are Arrow tables.

    `refined` is None where nothing was asked for after the walk; `steps` are the retrievals of its described parts,
    each a run of its own.
    """

    question: str
    analysis: Analysis
    seeds: Seeds
    walk: Walk
    evidence: Evidence
    answers: tuple[Found, ...]
    stages: tuple[StageTime, ...]
    statements: tuple[RenderedQuery, ...]
    run: str | None
    collect: Callable[[], Context] = field(repr=False, compare=False)
    refined: Refined | None = None
    steps: tuple[Step, ...] = ()

    @cached_property
    def context(self) -> Context:
        """The numbered passages an answer may use; put together when first asked for, while the corpus is open."""
        return self.collect()

    @property
    def policy(self) -> Policy:
        """The policy that was run."""
        return self.analysis.policy

    @property
    def cuts(self) -> tuple[str, ...]:
        """Bounds of the policy that left something of the graph out, one line each; empty where all was seen."""
        return self.walk.cuts

    def to_arrow(self) -> pa.Table:
        """Kept units of evidence, best first."""
        return self.evidence.rows.filter(self.evidence.rows["kept"])

    def to_pandas(self) -> Any:
        """`to_arrow` as a pandas data frame.

        Raises:
            MissingExtra: pandas is not installed.
        """
        try:
            return self.to_arrow().to_pandas()
        except ImportError as error:
            raise MissingExtra("a pandas data frame needs `pip install pandas`") from error

    def to_polars(self) -> Any:
        """`to_arrow` as a polars data frame.

        Raises:
            MissingExtra: polars is not installed.
        """
        try:
            import polars
        except ImportError as error:
            raise MissingExtra("a polars data frame needs `pip install polars`") from error
        return polars.from_arrow(self.to_arrow())


@dataclass(frozen=True)
class Asked:
    """An answer and the retrieval it rests on."""

    answer: Answer
    retrieval: Retrieval
    pruned: int = 0
    """Older kept runs that went when this one was kept, by the bound that `corpus.runs.retain` set."""
    unkept: str = ""
    """Why the run was not kept, though it should be: the file of kept runs is held, or cannot be written."""

    @property
    def text(self) -> str:
        """The answer's text; where there is no answer the reason stands below it, in brackets."""
        told = self.answer
        is_bare = told.text == NO_ANSWER and told.reason
        return f"{told.text}\n({told.reason})" if is_bare else told.text

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Passages the answer cites, checked."""
        return self.answer.citations

    @property
    def found(self) -> bool:
        """Whether the corpus holds an answer."""
        return self.answer.found

    @property
    def policy(self) -> Policy:
        """The policy of the question."""
        return self.retrieval.policy

    @property
    def run(self) -> str | None:
        """The id of the recorded run."""
        return self.retrieval.run
