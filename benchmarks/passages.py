"""Passages as an encyclopedia has them, made up: `passages.parquet` (id, title, text, vector) and questions.

Each passage defines its title and states facts about others, a few of which are named again and again; words follow
Zipf's law. `python benchmarks/passages.py FOLDER --count 10000`
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
from pyarrow import parquet

DIMENSION = 384
"""Of the vectors: as of the bundled model."""
_KINDS = ("river", "composer", "village", "museum", "novel", "engineer", "bridge", "orchestra", "mountain", "company")
_VERBS = ("founded", "described", "restored", "crossed", "financed", "recorded", "named after", "opposed")
_HEADS = ("ba", "ce", "di", "fo", "gu", "ha", "ki", "lo", "me", "nu", "pa", "ri", "so", "ta", "ve", "zo")
_TAILS = ("lan", "mer", "nis", "rot", "sel", "tan", "vor", "wick", "den", "burg", "mond", "stein")
_WORDS = 20_000
_FACTS = 4
_TOPICS = 200


@dataclass(frozen=True)
class Written:
    """The file of passages, and the questions: each names a title and asks what stands one link away."""

    passages: Path
    questions: tuple[str, ...]


def write(folder: Path, *, count: int, questions: int = 200, seed: int = 7) -> Written:
    """Make `count` passages of about 90 words; the same for the same seed.

    Vectors are a topic's direction and noise, of length 1: they cost what real ones cost, and mean nothing.
    """
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True, exist_ok=True)
    words = _names(rng, _WORDS, capital=False)
    titles = [f"{one} {other}" for one, other in zip(_names(rng, count), _names(rng, count), strict=True)]
    kinds = rng.integers(0, len(_KINDS), count)
    named = (count * rng.random((count, _FACTS)) ** 2).astype(np.int64)  # a few are named by very many
    verbs = rng.integers(0, len(_VERBS), (count, _FACTS))
    spoken = np.minimum(rng.zipf(1.3, (count, 14 * _FACTS)), _WORDS) - 1
    texts = []
    for row in range(count):
        said = [f"{titles[row]} is a {_KINDS[kinds[row]]} of {words[spoken[row, 0]]}."]
        for fact in range(_FACTS):
            filler = " ".join(words[word] for word in spoken[row, 14 * fact : 14 * (fact + 1)])
            said.append(
                f"It was {_VERBS[verbs[row, fact]]} by {titles[named[row, fact]]} in {1500 + row % 500}, {filler}."
            )
        texts.append(" ".join(said))
    topics = rng.normal(size=(_TOPICS, DIMENSION))
    vectors = topics[rng.integers(0, _TOPICS, count)] + rng.normal(size=(count, DIMENSION))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    columns = {
        "id": pa.array([f"p{row}" for row in range(count)]),
        "title": pa.array(titles),
        "text": pa.array(texts),
        "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.astype(np.float32).ravel()), DIMENSION).cast(
            pa.list_(pa.float32())
        ),
    }
    path = folder / "passages.parquet"
    parquet.write_table(pa.table(columns), path)
    asked = rng.integers(0, count, questions)
    return Written(
        path,
        tuple(
            f"Which {_KINDS[kinds[named[row, 0]]]} {_VERBS[verbs[row, 0]]} the {_KINDS[kinds[row]]} {titles[row]}, "
            f"and what is known of {words[spoken[row, 3]]} there?"
            for row in asked
        ),
    )


def _names(rng: np.random.Generator, count: int, *, capital: bool = True) -> list[str]:
    """Made-up words of two or three syllables."""
    heads, tails = rng.integers(0, len(_HEADS), (count, 2)), rng.integers(0, len(_TAILS), count)
    long = rng.random(count) < 0.7
    found = [
        _HEADS[one] + (_HEADS[other] if is_long else "") + _TAILS[tail]
        for (one, other), tail, is_long in zip(heads, tails, long, strict=True)
    ]
    return [name.capitalize() for name in found] if capital else found


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--count", default=10_000, show_default=True)
def main(folder: Path, count: int) -> None:
    """Write passages into FOLDER."""
    click.echo(write(folder, count=count).passages)


if __name__ == "__main__":
    main()
