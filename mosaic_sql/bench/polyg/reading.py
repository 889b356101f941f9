"""One retrieval as the benchmark sees it: where its paths end, what its context says, what it cost."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mosaic_sql.bench.answers import CHARS_PER_TOKEN
from mosaic_sql.bench.indexing import since
from mosaic_sql.errors import PolicyError, UnknownId
from mosaic_sql.pipeline import Corpus, Retrieval

_CHOOSING = ("link", "analyze")
"""Stages that read the question: names linked, shape and pattern chosen."""

_PASSING = ("bfs", "beam", "chunk_hop")
"""Operators that return whatever they passed; the walk of any other ends in answers."""


@dataclass(frozen=True)
class Returned:
    """What came back for one question, nodes by their keys.

    `trails` are the paths returned, each from an anchor to the node it speaks for; `linked` the nodes of each name that
    the walk started from; `text` the context. `refused` says why nothing could be run, empty where it was. Times are
    milliseconds of wall clock, context included; `choosing` is the part spent on reading the question.
    """

    operator: str
    pattern: str | None
    trails: tuple[tuple[str, ...], ...]
    linked: tuple[frozenset[str], ...]
    text: str
    tokens: float
    milliseconds: float
    choosing: float
    choosing_tokens: int = 0
    refused: str = ""


class Reader:
    """Asks a corpus of a generated graph; node ids become the graph's own keys."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        rows = corpus.connection.table("node").project("node_id, key").fetchall()
        self._keys: dict[int, str] = dict(rows)
        self._ids = {key: node_id for node_id, key in self._keys.items()}

    def read(self, question: str, controls: Mapping[str, Any], anchors: Sequence[str] | None) -> Returned:
        """Retrieve once; `anchors` are keys, None where the question's own names are to be linked."""
        named = {} if anchors is None else {"anchors": [self._ids[key] for key in anchors]}
        started = time.perf_counter()
        try:
            found = self._corpus.retrieve(question, policy={**controls, **named})
        except (PolicyError, UnknownId) as error:
            return Returned(
                str(controls.get("operator", "")), None, (), (), "", 0.0, since(started), 0.0, 0, str(error)
            )
        text = "\n".join(passage.text for passage in found.context.passages)
        return Returned(
            operator=found.policy.walk.operator,
            pattern=found.policy.walk.pattern,
            trails=self._trails(found),
            linked=tuple(frozenset(map(self._key, target.node_ids)) for target in found.analysis.targets),
            text=text,
            tokens=len(text) / CHARS_PER_TOKEN,
            milliseconds=since(started),
            choosing=sum(stage.milliseconds for stage in found.stages if stage.stage in _CHOOSING),
            choosing_tokens=sum(call.prompt_tokens + call.completion_tokens for call in found.analysis.calls),
        )

    def is_refused(self, question: str) -> bool:
        """Whether the plain question gets *no answer*."""
        return not self._corpus.ask(question).found

    def _key(self, node_id: int) -> str:
        return self._keys[node_id]

    def _trails(self, found: Retrieval) -> tuple[tuple[str, ...], ...]:
        """Ranked rows of the walk; of an operator that names answers, those that end in one."""
        rows = found.walk.rows.select(["depth", "tail_kind", "tail_id", "nodes", "kept", "rank"]).to_pylist()
        passing = found.policy.walk.operator in _PASSING
        answers = None if passing else {answer.node_id for answer in found.answers}
        return tuple(
            tuple(map(self._key, row["nodes"]))
            for row in rows
            if row["kept"] and row["rank"] is not None and row["tail_kind"] == "node" and row["depth"] > 0
            if answers is None or row["tail_id"] in answers
        )
