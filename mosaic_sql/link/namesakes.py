"""Which of the nodes that bear one name a question means: by how it is written, and by the kind that it is given."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mosaic_sql.link.names import Name
from mosaic_sql.link.wording import PLAIN, Standing
from mosaic_sql.records import Candidate

AS_WRITTEN, BUT_FOR_MARKS, BUT_FOR_CASE, BUT_FOR_A_SIGN = 1.0, 0.95, 0.8, 0.7
"""Scores of a name that stands in the question as it is, without its marks, in other letters, with one sign more."""
OTHER_KIND, OTHER_RELATION = 0.5, 0.75
"""Factors for a namesake of another kind than the one named beside it, and without the relation named there."""
CANDIDATE_LIMIT = 10
"""Candidates that a target tells of."""
TIED = 0.04
"""Namesakes that score within this of the best are meant as well."""

_SIGNS = ("!", "$", "#", "*", "+")

Steps = Mapping[int, Collection[tuple[str, bool]]]
"""Node -> what relations it has, as (relation, forward)."""


@dataclass(frozen=True)
class Choice:
    """The nodes of one name: all of them best first, and those that are meant."""

    candidates: tuple[Candidate, ...]
    chosen: tuple[Candidate, ...]

    @property
    def shown(self) -> tuple[Candidate, ...]:
        """What a target tells of: the chosen first, as many as it may."""
        return self.candidates[:CANDIDATE_LIMIT]


def choose(
    names: Iterable[Name],
    question: str,
    place: tuple[int, int],
    standing: Standing = PLAIN,
    steps: Steps | None = None,
) -> Choice:
    """Score the nodes of an imported graph that answer to the name at `place` and take the best; ties are all taken."""
    return of([_candidate(name, question, place) for name in names if name.is_graph], standing, steps or {})


def of(candidates: Sequence[Candidate], standing: Standing, steps: Steps) -> Choice:
    """Weigh candidates by the kind and the relation that stand beside the name: where some fit, the others lose."""
    by_kind = [bool(standing.kinds & set(candidate.kinds)) for candidate in candidates]
    by_relation = [
        any(relation in standing.relations for relation, _ in steps.get(candidate.node_id, ()))
        for candidate in candidates
    ]
    weighed = [
        replace(
            candidate,
            score=round(
                candidate.score
                * (OTHER_KIND if any(by_kind) and not of_kind else 1.0)
                * (OTHER_RELATION if any(by_relation) and not related else 1.0),
                6,
            ),
        )
        for candidate, of_kind, related in zip(candidates, by_kind, by_relation, strict=True)
    ]
    weighed.sort(key=lambda candidate: (-candidate.score, -candidate.degree, candidate.node_id))
    least = weighed[0].score - TIED if weighed else 0.0
    return Choice(tuple(weighed), tuple(candidate for candidate in weighed if candidate.score >= least))


def _candidate(name: Name, question: str, place: tuple[int, int]) -> Candidate:
    """The best of a node's names: as its own name before an alias, as written before spelled otherwise."""
    texts = [name.name] if name.name in name.aliases or not name.aliases else []
    texts += [alias for alias in name.aliases if alias != name.name]
    scored = [(_fit(text, question, place), text == name.name) for text in texts]
    score, own = max(scored, default=(BUT_FOR_CASE, True))
    why = "normalised" if score < BUT_FOR_MARKS else "exact" if own else "alias"
    return Candidate(name.node_id, name.name, name.kinds, name.degree, "", score, why)


def _fit(text: str, question: str, place: tuple[int, int]) -> float:
    """How a name stands in the question at a place that holds its words."""
    start, end = place
    written = question[start:end]
    before, inner, after = _parted(text)
    if inner != written:
        return BUT_FOR_CASE
    around = question[max(0, start - len(before)) : end + len(after)]
    if around != text:
        return BUT_FOR_MARKS
    rest = question[end + len(after) :]
    if rest[:1] in _SIGNS and any(character.isalnum() for character in rest):  # Star! is another name than Star
        return BUT_FOR_A_SIGN
    return AS_WRITTEN


def _parted(text: str) -> tuple[str, str, str]:
    """The marks before the first letter or digit of a name, what lies between, and the marks after the last."""
    places = [place for place, character in enumerate(text) if character.isalnum()]
    if not places:
        return "", text, ""
    first, last = places[0], places[-1] + 1
    return text[:first], text[first:last], text[last:]
