"""Nouns of general English for who, when and where, and for works, which are nobody."""

from __future__ import annotations

from collections.abc import Iterable

from mosaic_sql.analyze import lexicon

TYPE_NOUNS = {
    "who": "person people somebody someone individual human man woman men women".split(),
    "when": "year date day time month decade years dates".split(),
    "where": "place location city country town region".split(),
}
"""Nouns that ask as a question word does."""
_KINDS = {"who": "author actor human agent director".split()}
WORKS = (
    "film movie series show episode play book novel poem story paper article publication song album track record opera "
    "symphony painting picture sculpture photograph game software product item course building drug gene"
).split()
"""Kinds of what nobody means by who."""
NOBODY = (*WORKS, *TYPE_NOUNS["where"], *TYPE_NOUNS["when"], "village", "disease", "symptom", "language", "genre")
"""Kinds of what is nobody, that no relation makes somebody."""
OF_ONE = frozenset("sister brother wife husband girlfriend boyfriend uncle aunt nephew niece".split())
"""Nouns of a relation with two like ends that say which end is meant all the same."""


def kind_nouns(asks: str) -> tuple[str, ...]:
    """Names of kinds that answer a question word."""
    return (*TYPE_NOUNS.get(asks, ()), *_KINDS.get(asks, ()))


def is_called(kind: str, nouns: Iterable[str]) -> bool:
    """Whether the last word of a kind's name is one of some nouns."""
    return any(lexicon.is_noun(part, noun) for part in lexicon.parts(kind)[-1:] for noun in nouns)
