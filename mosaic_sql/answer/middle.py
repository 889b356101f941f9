"""Who or what two ends have in common: the nodes of the paths between them that a question asks for."""

from __future__ import annotations

from collections.abc import Sequence

from mosaic_sql import text as words
from mosaic_sql.records import GraphPath


def middle_names(question: str, paths: Sequence[GraphPath], spans: Sequence[tuple[int, int]]) -> list[str]:
    """Names of inner nodes of the paths, once each, in order.

    Args:
        question: the question; a word of it that is a node's kind, or the relation that leads there, asks for it.
        paths: paths between the same two ends.
        spans: where in the question the ends are named; those words ask for nothing.

    Without such a word, or with several, the node in the middle is meant, where a path reads the same from either end.
    """
    asked = [
        words.stem(token.form)
        for token in words.tokens(question)
        if token.form not in words.STOP_WORDS and not any(start <= token.start < end for start, end in spans)
    ]
    names: dict[int, str] = {}
    for path in paths:
        for place in _asked_places(path, asked):
            names.setdefault(path.node_ids[place], path.names[place])
    return list(names.values())


def _asked_places(path: GraphPath, asked: Sequence[str]) -> list[int]:
    inner = range(1, len(path.names) - 1)
    named = [place for place in inner if _speaks_of(asked, _stems(path, place))]
    half, odd = divmod(len(path.labels), 2)
    if not odd and _is_mirrored(path) and (not named or half in named):
        return [half]
    return named


def _is_mirrored(path: GraphPath) -> bool:
    """Whether a path reads the same from either end: by its relations, or by its kinds where inverses are stored."""
    if _read_alike(path.labels):
        return True
    kinds, half = [frozenset(each) for each in path.kinds], len(path.kinds) // 2
    alike = all(kinds) and kinds == kinds[::-1]
    return alike and (kinds[half] != kinds[half - 1] or _read_alike(path.labels[1:-1]))


def _read_alike(labels: Sequence[tuple[str, bool]]) -> bool:
    return list(labels) == [(label, not forward) for label, forward in reversed(labels)]


def _speaks_of(asked: Sequence[str], stems: set[str]) -> bool:
    return any(words.alike(word, stem) for word in asked for stem in stems)


def _stems(path: GraphPath, place: int) -> set[str]:
    """What a node is: its kinds, and the relations of the path whose object it is.

    A kind that was inferred from what a node has, `has director`, says what it leads to.
    """
    (before, arrives), (after, leaves) = path.labels[place - 1], path.labels[place]
    names = [kind for kind in path.kinds[place] if not kind.startswith("has ")]
    names += [before] if arrives else []
    names += [] if leaves else [after]
    return {stem for name in names for stem in words.stems(name.replace("_", " ").replace("-", " "))}
