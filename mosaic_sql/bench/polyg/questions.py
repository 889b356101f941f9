"""Questions drawn from a generated graph, each with its gold: deterministic by seed, forms and wordings in turn."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from mosaic_sql.bench.polyg import gold
from mosaic_sql.bench.polyg.forms import SHAPES, Form, of_shape
from mosaic_sql.bench.polyg.graphs import stranger
from mosaic_sql.bench.polyg.world import World
from mosaic_sql.policy import default_policy

PATHS = 10
"""k of the shortest paths (spec of the paper, v1)."""
HOPS = default_policy("shortest_path").walk.max_depth
"""Hops within which two things count as related: no true path is longer."""
_MOST_JOINED = 2_000
"""Paths that may join the pair of a question."""
_TRIES = 60


@dataclass(frozen=True)
class Question:
    """A question and its gold, by node keys.

    `reached` is what the form's path alone gives, `wanted` what the words ask for; `truth` whether a pair is joined
    (None where that is not asked); `paths` how many paths join it; `lengths` as of `gold.shortest`. `exists` is False
    where an anchor is in no graph: then it has no key, and no gold.
    """

    number: int
    form: Form
    text: str
    names: tuple[str, ...]
    anchors: tuple[str, ...]
    wanted: frozenset[str] = frozenset()
    reached: frozenset[str] = frozenset()
    truth: bool | None = None
    paths: int = 0
    lengths: Mapping[int, int] = field(default_factory=dict)
    exists: bool = True

    @property
    def shape(self) -> str:
        """Its shape."""
        return self.form.shape


def ask(world: World, shape: str, count: int, seed: int) -> list[Question]:
    """At most `count` questions of a shape, none twice; fewer where the graph has no more that can be asked."""
    rng = random.Random(f"{world.graph} {shape} {seed}")
    forms = of_shape(world.graph, shape)
    found: dict[tuple[str, tuple[str, ...]], Question] = {}
    for attempt in range(count * _TRIES):
        if len(found) == count:
            break
        number = len(found)
        form = forms[number % len(forms)] if attempt % _TRIES < _TRIES // 2 else rng.choice(forms)
        turn = number // len(forms) + number % len(forms)  # so that forms do not all begin alike
        question = _DRAW[shape](world, form, turn, rng)
        if question is not None:
            found.setdefault((form.name, question.anchors), replace(question, number=number))
    return list(found.values())


def strangers(world: World, count: int, seed: int) -> list[Question]:
    """Questions of every shape with an anchor that does not exist."""
    rng = random.Random(f"{world.graph} strangers {seed}")
    found: list[Question] = []
    for number in range(count):
        shape = SHAPES[number % len(SHAPES)]
        form = rng.choice(of_shape(world.graph, shape))
        names = [world.nodes[rng.choice(world.of_kind(kind))].name for kind in form.kinds]
        place = rng.randrange(len(names))
        names[place] = stranger(world, form.kinds[place], rng)
        found.append(Question(number, form, _worded(form, number, names), tuple(names), (), exists=False))
    return found


def _about(world: World, form: Form, turn: int, rng: random.Random) -> Question | None:
    anchor = rng.choice(world.of_kind(form.kinds[0]))
    near = frozenset(world.near[anchor])
    return _question(world, form, turn, (anchor,), wanted=near, reached=near)


def _aspect(world: World, form: Form, turn: int, rng: random.Random) -> Question | None:
    anchor = rng.choice(world.of_kind(form.kinds[0]))
    reached = gold.reached(world, anchor, form.path)
    wanted = gold.reached(world, anchor, form.path, others=form.others)
    return _question(world, form, turn, (anchor,), wanted=wanted, reached=reached) if wanted else None


def _related(world: World, form: Form, turn: int, rng: random.Random) -> Question | None:
    """A pair two, three or four hops apart, in turn."""
    one = rng.choice(world.of_kind(form.kinds[0]))
    apart = 2 + turn % (HOPS - 1)
    far = [
        node
        for node, hops in gold.distances(world.near, one, apart).items()
        if hops == apart and world.nodes[node].kind == form.kinds[1]
    ]
    if not far:
        return None
    other = rng.choice(far)
    lengths = gold.shortest(world.near, one, other, k=PATHS, hops=HOPS)
    return _question(world, form, turn, (one, other), lengths=lengths)


def _whether(world: World, form: Form, turn: int, rng: random.Random) -> Question | None:
    """A joined pair and one that is not, in turn; none where simple paths and walks would disagree."""
    one = rng.choice(world.of_kind(form.kinds[0]))
    ends = gold.layers(world, one, form.path)[-1] - {one}
    truth = turn % 2 == 0
    others = sorted(ends) if truth else [node for node in world.of_kind(form.kinds[1]) if node not in ends | {one}]
    if not others:
        return None
    other = rng.choice(others)
    found = gold.joined(world, one, other, form.path, form.wanted)
    if not found.is_plain or found.paths > _MOST_JOINED or bool(found.paths) != truth:
        return None
    sets = {"wanted": found.between, "reached": found.between}
    return _question(world, form, turn, (one, other), truth=truth, paths=found.paths, **sets)


_Draw = Callable[[World, Form, int, random.Random], Question | None]
_DRAW: dict[str, _Draw] = {"s**": _about, "sp*": _aspect, "s*o": _related, "spo": _whether}


def _question(world: World, form: Form, turn: int, anchors: tuple[str, ...], **known: object) -> Question | None:
    """The question in words; None where its names do not say who is meant."""
    wording = _wording(form, turn)
    if not all(
        world.is_alone(key) and (not world.shares_name(key) or _names_kind(wording, mark, kind))
        for key, mark, kind in zip(anchors, "ab", form.kinds, strict=False)
    ):
        return None
    names = tuple(world.nodes[key].name for key in anchors)
    return Question(0, form, _worded(form, turn, names), names, anchors, **known)  # type: ignore[arg-type]


def _wording(form: Form, turn: int) -> str:
    """Wordings in turn; each for pairs that are joined and that are not, near and farther."""
    variants = {"spo": 2, "s*o": HOPS - 1}.get(form.shape, 1)
    return form.wordings[turn // variants % len(form.wordings)]


def _worded(form: Form, turn: int, names: tuple[str, ...] | list[str]) -> str:
    return _wording(form, turn).format(**dict(zip("ab", names, strict=False)))


def _names_kind(wording: str, mark: str, kind: str) -> bool:
    """Whether the kind stands right before the name."""
    return any(f"{kind} {quote}{{{mark}}}" in wording for quote in ("", "“"))
