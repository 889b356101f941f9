"""What a question asks to be done with what is found, as records: an order, comparisons, a count, a state."""

from __future__ import annotations

from dataclasses import dataclass, field

from mosaic_sql.analyze.families import Family


@dataclass(frozen=True)
class Sort:
    """An order that is asked for: by a family of properties, by one that is named, or by how often (`often`)."""

    words: str
    descending: bool
    family: Family | None = None
    noun: str = ""
    often: bool = False
    offset: int = 0
    limit: int | None = None
    extreme: bool = False


@dataclass(frozen=True)
class Bound:
    """A comparison that is asked for: `kind` is date or number, `noun` the word after it, `family` what is compared.

    `either` tells that it need not hold where the one before it does; of a number with a `high`, that it is either one.
    `place` is the character at which a date's words begin; -1 where that is not known.
    """

    words: str
    kind: str
    compare: str
    value: str
    high: str | None = None
    noun: str = ""
    family: Family | None = None
    either: bool = False
    place: int = field(default=-1, compare=False)


@dataclass(frozen=True)
class Often:
    """How often an answer must be reached; `noun` is what is counted where the question names it."""

    words: str
    compare: str
    count: int
    noun: str = ""


@dataclass(frozen=True)
class State:
    """What things are to be: alive, closed; they `has` a value of a property of the family, or none."""

    words: str
    family: Family
    has: bool


@dataclass
class Asked:
    """What a question asks beside the walk. `rest` is the question with the words of all cues blanked out.

    `overall` is `sum` or `mean`, `each` the noun for which something is counted, `than` how answers are compared with
    what another node has; `lasting` are the words that ask for what holds `still`, or for what no longer does.
    """

    rest: str
    count: bool = False
    sort: Sort | None = None
    often: Often | None = None
    bounds: list[Bound] = field(default_factory=list)
    how: Family | None = None
    overall: str = ""
    each: str = ""
    state: State | None = None
    than: Sort | None = None
    lasting: str = ""
    still: bool = True

    @property
    def is_plain(self) -> bool:
        """Whether nothing is asked beside the walk."""
        cues = (
            self.count,
            self.sort,
            self.often,
            self.bounds,
            self.how,
            self.overall,
            self.each,
            self.state,
            self.than,
        )
        return not any(cues)
