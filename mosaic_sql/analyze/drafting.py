"""A plan in the making: what a question asks after its walk, and what is known of where the walk leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mosaic_sql import text as words
from mosaic_sql.analyze import asking, properties
from mosaic_sql.policy import Correction
from mosaic_sql.records import Catalogue, Property, Target


class Path(Protocol):
    """A pattern found in a question and the words that spoke for it."""

    @property
    def pattern(self) -> str:
        """The pattern."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """Stems of the question."""
        ...


Find = Callable[[str, Sequence[Target]], Path | None]
"""(question, anchors) -> the path pattern that its words name from there; the names may be blanked out."""


@dataclass(frozen=True)
class Plan:
    """Controls for what a question asks beside the walk, with the anchors it starts from and why."""

    pattern: str | None
    targets: tuple[Target, ...]
    refine: Mapping[str, Any]
    reason: str
    corrections: tuple[Correction, ...] = ()


@dataclass
class Draft:
    """A plan in the making."""

    asked: asking.Asked
    anchors: list[Target]
    catalogue: Catalogue
    find: Find
    refine: dict[str, Any] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)
    pattern: str | None = None
    spoken: tuple[str, ...] = ()
    known: list[Property] = field(default_factory=list)

    def refuse(self, said: str, reason: str) -> None:
        """A cue that cannot be served."""
        self.corrections.append(Correction("refine", said.strip(), None, reason))

    def walk(self, path: Path, kinds: Sequence[str]) -> None:
        """Take a path, and learn what the nodes it leads to have."""
        self.pattern, self.spoken = path.pattern, path.words
        self.known = properties.of(properties.ends(path.pattern, kinds, self.catalogue), self.catalogue)

    def done(self) -> Plan | None:
        """The plan; None where nothing came of the cues."""
        if not self.refine:
            return None
        used = tuple(self.anchors) if "source_kind" not in self.refine or "combine" in self.refine else ()
        return Plan(self.pattern, used, self.refine, "; ".join(self.reasons), tuple(self.corrections))


def blank(text: str, targets: Sequence[Target]) -> str:
    """The text with the names of some targets blanked out, every character in its place."""
    for target in targets:
        span = text[target.char_start : target.char_end]
        text = text[: target.char_start] + " " * len(span) + text[target.char_end :]
    return text


def stems_of(text: str) -> list[str]:
    """The stems of all words of a text, in order."""
    return [words.stem(token.form) for token in words.tokens(text)]


def kind_in(text: str, catalogue: Catalogue) -> str | None:
    """The first kind that a text names; of several with one word, the one with the longest name in it."""
    asked = stems_of(text)
    places = {}
    for kind in catalogue.kinds:
        wanted = properties.stems(kind)
        if not kind.startswith("has ") and wanted and set(wanted) <= set(asked):
            places[kind] = (asked.index(wanted[0]), -len(wanted), kind)
    return min(places, key=lambda kind: places[kind]) if places else None
