"""Small graphs of several domains for questions in plain words: nodes with kinds and properties, and triples alone."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd

import mosaic_sql as mosaic

Node = tuple[str, str, dict[str, Any]]
Edge = tuple[str, str, str]
EDGE = ["source", "relation", "target"]

MUSIC: list[Node] = [
    ("The Lanterns", "band", {"formed": 1978}),
    ("Blue Ferry", "band", {"formed": 1991}),
    ("Ash Choir", "band", {"formed": 2003}),
    ("Nora Venn", "singer", {"born": 1955, "died": 2011}),
    ("Lia Moran", "singer", {"born": 1960}),
    ("Ida Wren", "singer", {"born": 1984}),
    ("Otto Brask", "musician", {"born": 1960}),
    ("Sam Tull", "musician", {"born": 1971, "died": 1999}),
    ("Harbour Lights", "album", {"released": 1980, "minutes": 41}),
    ("Cold Water", "album", {"released": 1992, "minutes": 52}),
    ("Salt", "album", {"released": 2005, "minutes": 38}),
    ("Port Ellis", "city", {"population": 120_000}),
    ("Greyford", "city", {"population": 45_000}),
    ("Fen Records", "label", {}),
]
PLAYED: list[Edge] = [
    ("Nora Venn", "member_of", "The Lanterns"),
    ("Otto Brask", "member_of", "The Lanterns"),
    ("Otto Brask", "member_of", "Blue Ferry"),
    ("Lia Moran", "member_of", "Blue Ferry"),
    ("Sam Tull", "member_of", "Blue Ferry"),
    ("Ida Wren", "member_of", "Ash Choir"),
    ("Otto Brask", "produced", "Salt"),
    ("The Lanterns", "recorded", "Harbour Lights"),
    ("Blue Ferry", "recorded", "Cold Water"),
    ("Ash Choir", "recorded", "Salt"),
    ("Nora Venn", "born_in", "Port Ellis"),
    ("Otto Brask", "born_in", "Greyford"),
    ("Lia Moran", "born_in", "Port Ellis"),
    ("The Lanterns", "signed_to", "Fen Records"),
    ("Ash Choir", "signed_to", "Fen Records"),
    ("Nora Venn", "influenced", "Ida Wren"),
]
METRO: list[Node] = [
    ("Red Line", "line", {}),
    ("Blue Line", "line", {}),
    ("Green Line", "line", {}),
    ("Old Mill", "station", {"opened": 1931, "zone": 1}),
    ("Castle Gate", "station", {"opened": 1931, "zone": 1}),
    ("Fountain", "station", {"opened": 1954, "zone": 2}),
    ("Quayside", "station", {"opened": 1975, "zone": 2}),
    ("Airport", "station", {"opened": 1998, "zone": 4}),
    ("North End", "district", {}),
    ("Harbour", "district", {}),
]
RUNS: list[Edge] = [
    ("Old Mill", "on_line", "Red Line"),
    ("Castle Gate", "on_line", "Red Line"),
    ("Castle Gate", "on_line", "Blue Line"),
    ("Fountain", "on_line", "Blue Line"),
    ("Fountain", "on_line", "Green Line"),
    ("Quayside", "on_line", "Green Line"),
    ("Airport", "on_line", "Green Line"),
    ("Old Mill", "next_to", "Castle Gate"),
    ("Castle Gate", "next_to", "Fountain"),
    ("Fountain", "next_to", "Quayside"),
    ("Old Mill", "located_in", "North End"),
    ("Quayside", "located_in", "Harbour"),
]
FAMILY: list[Edge] = [
    ("Bob", "teaches", "Ann"),
    ("Ann", "sister_of", "Carl"),
    ("Carl", "married_to", "Dora"),
    ("Dora", "mother_of", "Eve"),
    ("Carl", "father_of", "Eve"),
    ("Eve", "teaches", "Finn"),
    ("Bob", "friend_of", "Carl"),
    ("Finn", "lives_in", "Ulm"),
    ("Ann", "lives_in", "Ulm"),
]
GENES: list[Node] = [
    ("TP53", "gene", {"length": 19_149}),
    ("BRCA1", "gene", {"length": 81_189}),
    ("MDM2", "gene", {"length": 37_000}),
    ("p53", "protein", {}),
    ("Nutlin", "drug", {"approved": False}),
    ("Olaparib", "drug", {"approved": True}),
    ("Imatinib", "drug", {"approved": True}),
    ("breast cancer", "disease", {}),
    ("leukemia", "disease", {}),
    ("glioma", "disease", {}),
]
ACTS: list[Edge] = [
    ("TP53", "encodes", "p53"),
    ("Nutlin", "inhibits", "MDM2"),
    ("Olaparib", "treats", "breast cancer"),
    ("Imatinib", "treats", "leukemia"),
    ("BRCA1", "associated_with", "breast cancer"),
    ("TP53", "associated_with", "glioma"),
]
MEDICINE: list[Node] = [
    *((name, "drug", {}) for name in ("aspirin", "naproxen", "warfarin", "metformin")),
    *((name, "disease", {}) for name in ("headache", "fever", "stroke", "diabetes")),
    *((name, "symptom", {}) for name in ("nausea", "bleeding")),
    *((name, "maker", {}) for name in ("Orsk Labs", "Belmont Pharma")),
]
GIVEN: list[Edge] = [
    ("aspirin", "interacts_with", "warfarin"),
    ("naproxen", "interacts_with", "warfarin"),
    ("aspirin", "treats", "headache"),
    ("aspirin", "treats", "fever"),
    ("aspirin", "treats", "stroke"),
    ("naproxen", "treats", "fever"),
    ("warfarin", "treats", "stroke"),
    ("metformin", "treats", "diabetes"),
    ("aspirin", "causes", "nausea"),
    ("aspirin", "causes", "bleeding"),
    ("warfarin", "causes", "bleeding"),
    ("Orsk Labs", "makes", "aspirin"),
    ("Orsk Labs", "makes", "metformin"),
    ("Belmont Pharma", "makes", "warfarin"),
]


def typed(nodes: list[Node], edges: list[Edge]) -> mosaic.Corpus:
    """Nodes with kinds and properties."""
    told = [(name, name, kind, json.dumps(more)) for name, kind, more in nodes]
    frame = pd.DataFrame(told, columns=["id", "name", "kind", "properties"])
    return opened(nodes=frame, edges=pd.DataFrame(edges, columns=EDGE))


def triples(nodes: list[Node], edges: list[Edge], kind_of: str = "is_a") -> mosaic.Corpus:
    """The same as triples alone: a relation `kind_of` leads to the kind, another to each value."""
    told = [(name, kind_of, kind) for name, kind, _ in nodes]
    told += [(name, key, str(value)) for name, _, more in nodes for key, value in more.items()]
    return opened(pd.DataFrame([*edges, *told], columns=EDGE))


def opened(*tables: pd.DataFrame, **named: pd.DataFrame) -> mosaic.Corpus:
    """An open corpus with a graph and without vectors."""
    corpus = mosaic.open(":memory:", embedder="none")
    corpus.import_graph(*tables, **named, embed="none")
    return corpus
