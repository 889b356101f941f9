"""What may be said for the relations and kinds of a catalogue: the words of their names, and word families."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from mosaic_sql.analyze import lexicon
from mosaic_sql.analyze.lexicon import Label
from mosaic_sql.analyze.schema import inferred_kinds, is_called_by_target, numbers
from mosaic_sql.records import Catalogue


@dataclass(frozen=True)
class Meanings:
    """The relations of a catalogue by what may be said for them.

    Those `by_target` are called by what they lead to; in the thing that those `joint` lead to or from two may meet: not
    in a time too (born in), nor in one of their like (child of).
    """

    labels: dict[str, Label]
    by_family: dict[str, tuple[str, ...]]
    by_stem: dict[str, tuple[str, ...]]
    kinds: dict[str, tuple[str, ...]]
    by_target: frozenset[str]
    known_roles: frozenset[tuple[str, bool]]
    joint: frozenset[str]


@lru_cache(maxsize=8)
def meanings(catalogue: Catalogue) -> Meanings:
    """What may be said for the relations and kinds of a catalogue."""
    relations = sorted({relation for _, relation, _, _ in catalogue.schema_paths})
    labels = {relation: lexicon.label(relation) for relation in relations}
    told = numbers(catalogue) & {*relations}
    labels |= {relation: replace(labels[relation], one_is_target=True) for relation in told}
    by_family: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    by_target = frozenset(relations) - {
        r for _, r, target, _ in catalogue.schema_paths if not is_called_by_target(r, target)
    }
    across = {relation for source, relation, target, _ in catalogue.schema_paths if source != target}
    for relation, label in labels.items():
        for family, one_is_target in label.families.items():
            if relation in by_target - across and not one_is_target:
                continue  # similar books: both ends are books, and nothing tells who published them
            by_family.setdefault(family, []).append(relation)
        for stem in label.stems:
            by_stem.setdefault(stem, []).append(relation)
    inferred = inferred_kinds(catalogue)
    kinds = {kind: tuple(lexicon.parts(kind)) for kind in catalogue.kinds if kind not in inferred}
    return Meanings(
        labels,
        {family: tuple(own) for family, own in by_family.items()},
        {stem: tuple(own) for stem, own in by_stem.items()},
        kinds,
        by_target,
        frozenset((family, end) for family in by_family for end in (True, False)),
        frozenset(relation for relation in across if _joins_people(labels[relation])),
    )


def _joins_people(label: Label) -> bool:
    """Whether a relation's one end is somebody, and no time."""
    families = lexicon.lexicon().families
    asks = {families[family].asks for family in label.families if not families[family].symmetric}
    return "who" in asks and "when" not in asks
