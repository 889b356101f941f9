"""A small graph of films, firms, papers, services and drugs: several ways lead from one kind to another."""

from __future__ import annotations

from typing import Any

import worlds

import mosaic_sql as mosaic

NODES: dict[str, dict[str, dict[str, Any]]] = {
    "film": {
        "Night Harbour": {"runtime_min": 190, "year": 1999},
        "Tall Grass": {"runtime_min": 95, "year": 2004},
        "Red Dust": {"runtime_min": 121, "year": 2011},
        "Slow River": {"runtime_min": 182, "year": 2015},
    },
    "person": {
        "Ada Moss": {}, "Ben Oak": {}, "Cleo Birch": {}, "Dan Elm": {}, "Eve Salt": {}, "Finn Holt": {},
        "Gus Lind": {}, "Hal Park": {}, "Iris Cole": {}, "Jon Reed": {},
    },
    "studio": {"Lantern": {}, "Kestrel": {}},
    "painting": {"Grey Sea": {}},
    "museum": {"Hall of Ulm": {}},
    "company": {"Acorn": {}, "Beech": {}, "Cedar": {}},
    "city": {"Ulm": {}, "Bonn": {}, "Graz": {}},
    "country": {"Germany": {}, "Austria": {}},
    "paper": {"Deep Sets": {"year": 2012}, "Fast Joins": {"year": 2016}, "Loud Rings": {"year": 2019}},
    "author": {"Ann Lee": {"birth_year": 1980}, "Bob Ray": {"birth_year": 1960}, "Cid Fox": {"birth_year": 1970}},
    "institute": {"Lakeside": {}, "Northway": {}},
    "venue": {"Nature of Data": {}},
    "topic": {"sets": {}, "joins": {}},
    "service": {"login": {}, "cart": {}, "shopfront": {}},
    "host": {"web-1": {}, "web-2": {}},
    "datacenter": {"fra-1": {}, "dub-2": {}},
    "package": {"axio": {}, "reactor": {}, "cryptor": {}, "ssl-lib": {}},
    "drug": {
        "Aluvin": {"is_prescription": True},
        "Benzor": {"is_prescription": False},
        "Citrel": {"is_prescription": True},
    },
    "disease": {"hay fever": {}, "gout": {}},
}  # fmt: skip
EDGES: list[tuple[Any, ...]] = [
    ("Night Harbour", "directed_by", "Ada Moss"),
    ("Tall Grass", "directed_by", "Ada Moss"),
    ("Red Dust", "directed_by", "Ben Oak"),
    ("Slow River", "directed_by", "Eve Salt"),
    ("Cleo Birch", "acted_in", "Night Harbour", {"character": "Captain Bold"}),
    ("Dan Elm", "acted_in", "Night Harbour", {"character": "Moth"}),
    ("Cleo Birch", "acted_in", "Red Dust", {"character": "Marshal Quill"}),
    ("Finn Holt", "acted_in", "Slow River", {"character": "Captain Bold"}),
    ("Dan Elm", "acted_in", "Tall Grass", {"character": "Wren"}),
    ("Night Harbour", "produced_by", "Lantern"),
    ("Tall Grass", "produced_by", "Lantern"),
    ("Slow River", "produced_by", "Lantern"),
    ("Red Dust", "produced_by", "Kestrel"),
    ("Eve Salt", "child_of", "Ben Oak"),
    ("Grey Sea", "creator", "Iris Cole"),
    ("Grey Sea", "location", "Hall of Ulm"),
    ("Gus Lind", "works_at", "Acorn", {"title": "CEO", "from": "2001-01-01", "to": "2009-12-31"}),
    ("Hal Park", "works_at", "Acorn", {"title": "CEO", "from": "2010-01-01", "to": None}),
    ("Jon Reed", "works_at", "Acorn", {"title": "lawyer", "from": "2003-01-01", "to": "2005-12-31"}),
    ("Jon Reed", "works_at", "Beech", {"title": "editor", "from": "2006-01-01", "to": None}),
    ("Gus Lind", "owns_share", "Cedar", {"percent": 12}),
    ("Gus Lind", "board_member_of", "Beech"),
    ("Acorn", "located_in", "Ulm"),
    ("Beech", "located_in", "Bonn"),
    ("Cedar", "located_in", "Graz"),
    ("Ulm", "in_country", "Germany"),
    ("Bonn", "in_country", "Germany"),
    ("Graz", "in_country", "Austria"),
    ("Ann Lee", "wrote", "Deep Sets", {"position": 2}),
    ("Bob Ray", "wrote", "Deep Sets", {"position": 1}),
    ("Bob Ray", "wrote", "Fast Joins", {"position": 1}),
    ("Cid Fox", "wrote", "Loud Rings", {"position": 1}),
    ("Loud Rings", "cites", "Deep Sets"),
    ("Fast Joins", "cites", "Deep Sets"),
    ("Ann Lee", "affiliated_with", "Lakeside"),
    ("Bob Ray", "affiliated_with", "Northway"),
    ("Cid Fox", "affiliated_with", "Lakeside"),
    ("Lakeside", "located_in", "Bonn"),
    ("Northway", "located_in", "Graz"),
    ("Deep Sets", "published_in", "Nature of Data"),
    ("Fast Joins", "published_in", "Nature of Data"),
    ("Deep Sets", "about", "sets"),
    ("Loud Rings", "about", "sets"),
    ("Fast Joins", "about", "joins"),
    ("login", "runs_on", "web-1"),
    ("login", "runs_on", "web-2"),
    ("cart", "runs_on", "web-2"),
    ("web-1", "located_in", "fra-1"),
    ("web-2", "located_in", "dub-2"),
    ("fra-1", "located_in", "Bonn"),
    ("shopfront", "uses", "axio"),
    ("shopfront", "uses", "reactor"),
    ("cart", "uses", "axio"),
    ("login", "calls", "cart"),
    ("axio", "depends_on", "cryptor"),
    ("cryptor", "depends_on", "ssl-lib"),
    ("Aluvin", "treats", "hay fever", {"evidence": "strong"}),
    ("Benzor", "treats", "hay fever", {"evidence": "weak"}),
    ("Citrel", "treats", "hay fever", {"evidence": "weak"}),
]


def graph() -> mosaic.Corpus:
    """The graph, open, in memory."""
    return worlds.graph([(name, name, kind, own) for kind, of in NODES.items() for name, own in of.items()], EDGES)
