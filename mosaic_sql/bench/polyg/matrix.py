"""The matrix: every fixed operator on every shape, and the choice per question, with more and less given beforehand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mosaic_sql.bench.polyg import graphs, scores
from mosaic_sql.bench.polyg.forms import SHAPES
from mosaic_sql.bench.polyg.questions import Question, ask, strangers
from mosaic_sql.bench.polyg.reading import Reader, Returned
from mosaic_sql.bench.polyg.scores import Score
from mosaic_sql.bench.polyg.world import World
from mosaic_sql.pipeline import open_corpus
from mosaic_sql.policy import OPERATORS

MODES = ("anchors+path", "anchors", "plain")
"""What is given: anchors, shape and path; anchors alone; nothing but the question."""
SHAPE_OF: Mapping[str, str] = {
    "bfs": "s**",
    "meta_path": "sp*",
    "shortest_path": "s*o",
    "constrained_shortest_path": "spo",
}
"""Operator -> the shape it answers."""
FIXED = tuple(
    name for name in ("bfs", "meta_path", "pagerank", "shortest_path", "constrained_shortest_path") if name in OPERATORS
)
ADAPTIVE = "adaptive"
_OPERATOR_OF = {shape: operator for operator, shape in SHAPE_OF.items()}
_PATTERNED = ("meta_path", "constrained_shortest_path")
_EVERY_PATH = 10_000
"""Paths asked for where the set of what joins a pair is to be exact."""
_STRANGERS = 4
"""One question with an unknown anchor for so many of a shape."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Settings:
    """What is measured: a graph by name, size (nodes) and seed; questions a shape; modes and fixed operators."""

    graph: str
    size: int = 4000
    seed: int = 0
    questions: int = 80
    modes: tuple[str, ...] = MODES
    operators: tuple[str, ...] = FIXED
    embedder: str = "minilm"
    threads: int | None = None


@dataclass(frozen=True)
class Told:
    """One question answered one way; `method` is a fixed operator or `adaptive`."""

    question: Question
    mode: str
    method: str
    returned: Returned
    score: Score

    def to_dict(self, world: World) -> dict[str, Any]:
        """A flat record: the question, its gold path, and what was run in its place."""
        return {
            "mode": self.mode,
            "shape": self.question.shape,
            "form": self.question.form.name,
            "question": self.question.text,
            "anchors": list(self.question.names),
            "gold_pattern": self.question.form.pattern,
            "operator": self.returned.operator,
            "pattern": self.returned.pattern,
            "refused": self.returned.refused,
            "score": round(self.score.score, 4),
            "verdict": self.score.verdict,
            "linked": [sorted(world.nodes[key].name for key in keys)[:5] for keys in self.returned.linked],
        }


@dataclass(frozen=True)
class Measured:
    """All that one graph gave. `refused` of `unknown` questions with an anchor that does not exist had no answer."""

    settings: Settings
    world: World
    told: tuple[Told, ...]
    unknown: int
    refused: int


def measure(settings: Settings, *, progress: Progress | None = None) -> Measured:
    """Make a graph, ask it, and score what comes back.

    Raises:
        PolicyError: a size under 100 nodes.
    """
    report = progress or _quiet
    world = graphs.build(settings.graph, settings.size, settings.seed)
    questions = [question for shape in SHAPES for question in ask(world, shape, settings.questions, settings.seed)]
    odd = strangers(world, -(-settings.questions // _STRANGERS), settings.seed) if "plain" in settings.modes else []
    nodes, edges = world.tables()
    with open_corpus(embedder=settings.embedder, trace=False, threads=settings.threads) as corpus:
        corpus.import_graph(nodes=nodes, edges=edges, progress=report)
        corpus.retrieve([question.text for question in questions[:2]])
        corpus.retrieve(questions[0].text)  # from the second reading on, the graph is held in memory
        reader = Reader(corpus)
        told: list[Told] = []
        for number, question in enumerate(questions):
            told += _all_ways(world, reader, question, settings)
            report(settings.graph, number + 1, len(questions))
        refused = sum(reader.is_refused(question.text) for question in odd)
    return Measured(settings, world, tuple(told), len(odd), refused)


def _all_ways(world: World, reader: Reader, question: Question, settings: Settings) -> Iterator[Told]:
    """Each mode and method; what comes to the same retrieval is run once."""
    known: dict[str, Returned] = {}
    for mode in settings.modes:
        anchors = None if mode == "plain" else question.anchors
        wanted = question.reached if mode == "anchors+path" else question.wanted
        for method in (*settings.operators, ADAPTIVE):
            controls = controls_of(question, mode, method)
            key = json.dumps([controls, anchors])
            if key not in known:
                known[key] = reader.read(question.text, controls, anchors)
            yield Told(question, mode, method, known[key], scores.score(world, question, known[key], wanted))


def controls_of(question: Question, mode: str, method: str) -> dict[str, Any]:
    """The policy of one method; where path and shape are given, the adaptive choice is the shape's own operator."""
    given = mode == "anchors+path"
    if method == ADAPTIVE and not given:
        return {}
    operator = _OPERATOR_OF[question.shape] if method == ADAPTIVE else method
    controls: dict[str, Any] = {"operator": operator}
    if given and operator in _PATTERNED and question.form.pattern:
        controls["pattern"] = question.form.pattern
    if given and operator == "constrained_shortest_path":
        controls["path_limit"] = _EVERY_PATH
    return controls


def of(told: Sequence[Told], **which: str) -> list[Told]:
    """Those of a mode, a method, a shape."""
    return [
        one
        for one in told
        if all(getattr(one.question if name == "shape" else one, name) == value for name, value in which.items())
    ]


def _quiet(stage: str, done: int, total: int) -> None:
    """No progress shown."""
