"""Small graphs of the three schemas (arXiv 2504.02112), and what the tests of nested questions read off a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

import mosaic_sql as mosaic

Triple = tuple[str, str, str]

AUTHORS = {
    "Ann Lee": ["Graph Walks", "Deep Trees", "Loud Rings"],
    "Bob Ray": ["Deep Trees", "Sparse Fields"],
    "Cid Fox": ["Lonely Sets", "Loud Rings"],
}
VENUES = {
    "Graph Walks": "ICML",
    "Deep Trees": "VLDB",
    "Sparse Fields": "ICML",
    "Lonely Sets": "KDD",
    "Loud Rings": "VLDB",
}
BOOKS = [
    ("Mort", "Ann Lee", "Tor", "Discs"),
    ("Sourcery", "Ann Lee", "Orbit", "Discs"),
    ("Hard Sums", "Ann Lee", "Tor", "Sums"),
    ("Old Rope", "Bob Ray", "Orbit", "Knots"),
    ("New Rope", "Bob Ray", "Tor", "Knots"),
    ("Odd Hours", "Cid Fox", "Gollancz", "Hours"),
]
ITEMS = [
    ("Lamp", "Lux", ["Bulb"]),
    ("Desk", "Oak", ["Lamp", "Chair"]),
    ("Shelf", "Oak", ["Chair"]),
    ("Chair", "Sit", ["Desk"]),
    ("Bulb", "Lux", []),
]


def graph(nodes: Sequence[Triple], edges: Sequence[Triple], path: Path | str = ":memory:") -> mosaic.Corpus:
    corpus = mosaic.open(path, embedder="none")
    corpus.import_graph(
        nodes=pd.DataFrame(nodes, columns=["id", "name", "kind"]),
        edges=pd.DataFrame(edges, columns=["source", "relation", "target"]),
        embed="none",
    )
    return corpus


def academia(
    path: Path | str = ":memory:", cited: Sequence[tuple[str, str]] = (), more: Mapping[str, str] | None = None
) -> mosaic.Corpus:
    """Authors, papers, venues; papers that cite others, and `more` papers in their venues, by nobody."""
    venues = {**VENUES, **(more or {})}
    kinds = {**dict.fromkeys(AUTHORS, "author"), **dict.fromkeys(venues, "paper")}
    kinds |= dict.fromkeys(venues.values(), "venue")
    edges = [e for a, papers in AUTHORS.items() for p in papers for e in [(a, "paper", p), (p, "author", a)]]
    edges += [e for p, v in venues.items() for e in [(p, "venue", v), (v, "paper", p)]]
    edges += [e for p, q in cited for e in [(p, "reference", q), (q, "cited_by", p)]]
    return graph([(name, name, kind) for name, kind in kinds.items()], edges, path)


def names(found: mosaic.Retrieval) -> set[str]:
    return {answer.name for answer in found.answers}


def steps(found: mosaic.Retrieval) -> list[tuple[str, str, list[str]]]:
    """Every step in the order it ran: role, text, what it found."""
    return [
        told
        for step in found.steps
        for told in (*steps(step.retrieval), (step.role, step.text, sorted(node.name for node in step.nodes)))
    ]
