"""What is known of a corpus before a question: counts, kinds, relations and their ends, properties and their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from mosaic_sql.text import Token, normalise, singulars


@dataclass(frozen=True)
class Property:
    """A property that the file has, from `schema_property`.

    `owner` is `node`, `edge` or `relation` (a relation read as a property of its source, by the names it leads to);
    `label` is the kind of the node or the relation of the edge; `type` is number, date, bool or text; `texts` are the
    distinct texts that it holds, where they are few.
    """

    owner: str
    label: str
    name: str
    type: str
    count: int
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """What an analyzer may know of a corpus: counts, kinds, relations with their ends, properties."""

    chunk_count: int
    node_count: int
    edge_count: int
    rule_edge_count: int
    kinds: tuple[str, ...] = ()
    relations: tuple[tuple[int, str], ...] = ()
    schema_paths: tuple[tuple[str, str, str, int], ...] = ()
    properties: tuple[Property, ...] = ()
    graph_node_count: int = 0

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Taken once: what is learnt of a schema is kept by it."""
        return hash((self.kinds, self.relations, self.schema_paths, self.properties, self.node_count, self.edge_count))

    @cached_property
    def texts(self) -> Mapping[str, tuple[tuple[Property, str], ...]]:
        """By the look-up form of a text, the properties of nodes and edges that hold it, and how each writes it."""
        found: dict[str, list[tuple[Property, str]]] = {}
        for one in self.properties:
            for text in one.texts:
                found.setdefault(normalise(text), []).append((one, text))
        return {key: tuple(told) for key, told in found.items() if key}

    @cached_property
    def _longest_text(self) -> int:
        return max((key.count(" ") + 1 for key in self.texts), default=0)

    def texts_in(self, tokens: Sequence[Token]) -> list[tuple[int, int, str]]:
        """Runs of words that a property holds, the longest from left to right: (first, end, look-up form).

        The last word may be in the plural: thrillers, where a genre is a thriller.
        """
        found: list[tuple[int, int, str]] = []
        place = 0
        while place < len(tokens):
            longest = min(self._longest_text, len(tokens) - place)
            runs = ((length, key) for length in range(longest, 0, -1) for key in _keys(tokens[place : place + length]))
            length, key = next(((length, key) for length, key in runs if key in self.texts), (1, ""))
            if key:
                found.append((place, place + length, key))
            place += length
        return found

    @property
    def schema(self) -> tuple[tuple[str, str, str], ...] | None:
        """(kind, relation, kind) of every edge; None where edges that rules made join nodes of any kind."""
        return None if self.rule_edge_count else tuple((s, r, t) for s, r, t, _ in self.schema_paths)


def _keys(run: Sequence[Token]) -> list[str]:
    """What a run of words may be looked up by: as it stands, then with its last word in the singular."""
    before, last = [token.form for token in run[:-1]], run[-1].form
    return [" ".join([*before, form]) for form in (last, *sorted(singulars(last) - {last}))]
