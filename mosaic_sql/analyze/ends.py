"""Whether the end of a path is what a question asks for: who, where, when, or what a noun names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.nouns import NOBODY, TYPE_NOUNS, WORKS, is_called, kind_nouns
from mosaic_sql.analyze.schema import SchemaGraph, Step, is_within
from mosaic_sql.analyze.wording import Wording
from mosaic_sql.analyze.worth import WORTH

PLACING = frozenset(("in", "on", "at"))
"""Last words of the names of relations that lead to a place."""


@cache
def _of_people() -> frozenset[str]:
    """The families of what people have: a birth place, an occupation."""
    return frozenset(entry.family for entry in lexicon.entries_at(["people"], 0) if entry.role == "other")


@dataclass(frozen=True)
class Ends:
    """What a question asks for, in a schema; `types` are those of relations that are read as properties."""

    read: Wording
    schema: SchemaGraph
    types: Mapping[str, str]

    def worth(self, last: Step, *, fits: bool) -> float:
        """What the end of a path is worth; it `fits` where the noun for what is asked for names it."""
        read = self.read
        if read.focus is not None:
            return WORTH.end if fits or self._answers(read.mentions[read.focus].asks, last) else WORTH.wrong_end
        if read.asks:
            return WORTH.end if self._answers(read.asks, last) else WORTH.wrong_end
        return 0.0

    def _answers(self, asks: str, last: Step) -> bool:
        """Whether the end of a path answers who, where or when."""
        if not asks or (asks == "who" and last.kind not in self.schema.inferred and is_called(last.kind, WORKS)):
            return False
        families = lexicon.lexicon().families
        roles = self.schema.roles.get(last.kind, frozenset())
        if any(families[family].asks == asks and one for family, one in roles):
            return True
        ends = lexicon.label(last.relation).families.items()
        if any(families[family].asks == asks and one == last.forward for family, one in ends):
            return True
        if asks == "who" and any(family in _of_people() and one != last.forward for family, one in ends):
            return True
        if asks == "where" and last.forward and self._is_placed(last):
            return True
        return last.kind not in self.schema.inferred and any(
            lexicon.is_noun(part, noun) for part in lexicon.parts(last.kind) for noun in kind_nouns(asks)
        )

    def _is_placed(self, last: Step) -> bool:
        """Whether the name of a relation ends in a preposition of place: where a thing runs is what it runs on."""
        parts, told = lexicon.parts(last.relation), self.types.get(last.relation)
        timed = told in ("number", "date") or is_called(last.kind, TYPE_NOUNS["when"])
        return len(parts) > 1 and parts[-1] in PLACING and not timed and last.kind not in self.schema.inferred

    def is_other(self, last: Step) -> bool:
        """Whether a path ends in somebody or somewhere and it is asked when, or in a time and asked where, or who."""
        asks, families = self.read.asks, lexicon.lexicon().families
        is_named = last.kind and last.kind not in self.schema.inferred
        told = self.types.get(last.relation) if last.forward and not is_named else None
        if asks not in ("when", "where"):
            return asks == "who" and (told in ("number", "date") or bool(is_named and self._is_nobody(last)))
        placed = is_within(last) or self._is_placed(last)
        if asks == "where" and is_named and last.forward and not placed and self._lies_within(last):
            return True
        ends = lexicon.label(last.relation).families.items()
        own = {families[family].asks for family, one in ends if one == last.forward}
        if asks == "when" and told == "date":
            return False
        fits = self._answers(asks, last) and not (asks == "when" and told == "text")
        return not fits and bool(own & {"who", "when", "where"} - {asks})

    def _lies_within(self, last: Step) -> bool:
        """Whether the schema tells a step further on where what a step leads to lies."""
        return any(is_within(step) for step, _ in self.schema.steps.get(last.kind, ()))

    def _is_nobody(self, last: Step) -> bool:
        """Whether a step leads to places or things, and not from their like (who borders France)."""
        return last.relation not in self.schema.looped and is_called(last.kind, NOBODY)
