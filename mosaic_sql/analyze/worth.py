"""What the steps, the order and the end of a path are worth beside the words that speak for them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Worth:
    """What speaks for a path and against it; the unit is one step whose relation is named.

    Attributes:
        step: of every step, so that of two explanations the shorter wins.
        agrees, differs: the step's direction is the one that voice and prepositions ask for, or the other.
        silent: a step that no word names, between kinds that are.
        back: returning over the relation just walked, by the same word, where that is shared; `together` where
            something else is; `unshared` where nothing is; `again` by a word of its own, where nothing is.
        otherwise: going on over another relation that the same verb names, from what two had to do with.
        named_back: `unshared`, where a noun names what it returns to.
        single: a shared thing from which nothing returns.
        order: two steps whose words stand the other way round from the anchor.
        end, wrong_end: the path ends in what the question asks for, or in something else.
        called, left: a word that names a node of the path, or nothing of it.
    """

    step: float = -0.1
    agrees: float = 0.15
    differs: float = -0.35
    silent: float = -0.6
    back: float = 0.9
    together: float = 0.1
    otherwise: float = 0.8
    again: float = -0.4
    named_back: float = -0.2
    single: float = -0.5
    unshared: float = -1.2
    order: float = -0.25
    end: float = 0.5
    wrong_end: float = -0.7
    called: float = 0.2
    left: float = -0.7


WORTH = Worth()
