"""Small graphs on which questions with something after the walk have a known answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

import mosaic_sql as mosaic

CITIES = [
    ("Orsk", 310_000, "1735"), ("Belmont", 2_400_000, "0987"), ("Carrow", 95_000, "1850-06-01"),
    ("Dunmere", 780_000, "1204"), ("Estgate", 1_150_000, "1666"), ("Farrow Bay", 12_000, "1921"),
    ("Glimmer", 640_000, None), ("Hollin", None, "1400"),
]  # fmt: skip
ELSEWHERE = [("Ilmen", 3_900_000, "1100"), ("Jarrow", 40_000, "1788")]


def graph(nodes: Sequence[tuple[Any, ...]], edges: Sequence[tuple[Any, ...]], path: str = ":memory:") -> mosaic.Corpus:
    """An open corpus; `nodes` are (id, name, kind, properties), `edges` (source, relation, target, properties)."""
    corpus = mosaic.open(path, embedder="none")
    frame = pd.DataFrame(
        [(*node[:3], node[3] if len(node) > 3 else {}, node[4] if len(node) > 4 else []) for node in nodes],
        columns=["id", "name", "kind", "more", "aliases"],
    )
    wide = pd.json_normalize(frame.pop("more"))
    links = pd.DataFrame([edge[:3] for edge in edges], columns=["source", "relation", "target"])
    told = pd.json_normalize(pd.Series([edge[3] if len(edge) > 3 else {} for edge in edges]))
    corpus.import_graph(nodes=frame.join(wide.astype(object)), edges=links.join(told.astype(object)), embed="none")
    return corpus


def countries(path: str = ":memory:") -> mosaic.Corpus:
    """Two countries and their cities, with population and founding year."""
    nodes: list[tuple[Any, ...]] = [("V", "Veldland", "country"), ("W", "Westria", "country")]
    edges = []
    for country, cities in (("V", CITIES), ("W", ELSEWHERE)):
        for name, population, founded in cities:
            nodes.append((name, name, "city", {"population": population, "founded": founded}))
            edges.append((name, "country", country))
    return graph(nodes, edges, path)


def wars(path: str = ":memory:") -> mosaic.Corpus:
    """Offices held for a time, stored on the edge, and wars with a start and an end."""
    return graph(
        [
            ("L", "Ada Lorne", "person"), ("M", "Bert Moss", "person"),
            ("P", "President of Veldland", "office", {}, ["president"]),
            ("S", "Senator of Veldland", "office", {}, ["senator"]),
            ("w1", "Salt War", "war", {"start_date": "1846-04-25", "end_date": "1848-02-02"}),
            ("w2", "River War", "war", {"start_date": "1861-04-12", "end_date": "1865-05-09"}),
            ("w3", "Long War", "war", {"start_date": "1850", "end_date": "1860"}),
            ("w4", "Last War", "war", {"start_date": "1870", "end_date": None}),
        ],
        [
            ("L", "position_held", "P", {"start": "1861-03-04", "end": "1865-04-15"}),
            ("L", "position_held", "S", {"start": "1847", "end": "1849"}),
            ("M", "position_held", "P", {"start": "1866", "end": None}),
        ],
        path,
    )  # fmt: skip


def games(path: str = ":memory:") -> mosaic.Corpus:
    """An event, its editions and the cities that held them."""
    hosts = [(1900, "Orsk"), (1904, "Belmont"), (1908, "Carrow"), (1912, "Orsk"), (1920, "Carrow"), (1924, "Carrow")]
    nodes = [("G", "Northern Games", "event"), *((name, name, "city") for name in ("Orsk", "Belmont", "Carrow"))]
    nodes += [(f"g{year}", f"{year} edition", "edition", {"year": year}) for year, _ in hosts]  # type: ignore[misc]
    edges = [("G", "edition", f"g{year}") for year, _ in hosts] + [(f"g{year}", "city", city) for year, city in hosts]
    return graph(nodes, edges, path)


def titles(path: str = ":memory:", *, on_edges: bool = False) -> mosaic.Corpus:
    """A team and its titles; the year stands on the title, or on the edge to the one cup there is."""
    years = {"Harriers": [1931, 1922, 1960, 1947], "Rovers": [1925, 1990]}
    nodes: list[tuple[Any, ...]] = [(team, team, "team") for team in years]
    edges: list[tuple[Any, ...]] = []
    if on_edges:
        nodes.append(("cup", "Crystal Cup", "competition"))
        edges = [(team, "won_title", "cup", {"year": year}) for team, won in years.items() for year in won]
        return graph(nodes, edges, path)
    for team, won in years.items():
        for year in won:
            nodes.append((f"{team}{year}", f"{year} championship", "championship", {"date": f"{year}-09-30"}))
            edges.append((team, "won_title", f"{team}{year}"))
    return graph(nodes, edges, path)


FILMS = {
    "Night Train": ("Mara Quist", ["Olu Bell", "Ines Rey"], 1988, "7.1"),
    "Glass Sea": ("Mara Quist", ["Olu Bell"], 1994, "8.3"),
    "Low Tide": ("Mara Quist", ["Ines Rey", "Tom Vale"], 2001, "6.4"),
    "Red Mesa": ("Per Holm", ["Olu Bell", "Ines Rey"], 1990, "7.9"),
    "Quiet Hour": ("Per Holm", ["Tom Vale"], 1999, "5.5"),
}


def films(path: str = ":memory:") -> mosaic.Corpus:
    """Films with kinds and properties."""
    people = sorted({who for director, cast, *_ in FILMS.values() for who in (director, *cast)})
    nodes: list[tuple[Any, ...]] = [(who, who, "person") for who in people]
    edges: list[tuple[Any, ...]] = []
    for film, (director, cast, year, rating) in FILMS.items():
        nodes.append((film, film, "film", {"release_year": year, "rating": rating}))
        edges += [(film, "directed_by", director), *((film, "starring", who) for who in cast)]
    return graph(nodes, edges, path)


def plain_films() -> mosaic.Corpus:
    """The same as plain triples: the year is a node."""
    corpus = mosaic.open(":memory:", embedder="none")
    triples = []
    for film, (director, cast, year, _) in FILMS.items():
        triples += [(film, "directed_by", director), (film, "release_year", str(year))]
        triples += [(film, "starred_actors", who) for who in cast]
    corpus.import_graph(pd.DataFrame(triples, columns=["source", "relation", "target"]), embed="none")
    return corpus


def bands(path: str = ":memory:") -> mosaic.Corpus:
    """Bands and albums of which two bear one name, and musicians who were members for a time."""
    born = {"Ann Lee": 1950, "Bob Ray": 1955, "Cid Fox": 1948, "Dot Moe": 1960, "Eve Poe": 1970}
    homes = ["Orsk", "Belmont", "Carrow", "Orsk", "Belmont"]
    members = [
        ("Ann Lee", "b1", 1975, 1982), ("Bob Ray", "b1", 1978, 1990), ("Cid Fox", "b1", 1983, None),
        ("Bob Ray", "b2", 1991, 1999), ("Dot Moe", "b2", 1980, 1985), ("Eve Poe", "b3", 1992, 2001),
    ]  # fmt: skip
    nodes: list[tuple[Any, ...]] = [
        ("b1", "Mercury", "band", {"founded": 1975}), ("b2", "The Owls", "band", {"founded": 1980}),
        ("b3", "Stone Lake", "band", {"founded": 1991}), ("a1", "Mercury", "album", {"year": 1978}),
        ("a2", "Night Flight", "album", {"year": 1983}), ("a3", "Still Water", "album", {"year": 1995}),
        *((name, name, "musician", {"birth_year": year}) for name, year in born.items()),
        *((city, city, "city") for city in sorted(set(homes))),
    ]  # fmt: skip
    edges: list[tuple[Any, ...]] = [("b1", "released", "a1"), ("b1", "released", "a2"), ("b3", "released", "a3")]
    edges += [(name, "member_of", band, {"from": first, "to": last}) for name, band, first, last in members]
    edges += [(name, "born_in", city) for name, city in zip(born, homes, strict=True)]
    return graph(nodes, edges, path)


def family(path: str = ":memory:") -> mosaic.Corpus:
    """People alone, so that both ends of every relation are of one kind."""
    children = {
        "Adam Roe": ["Carl Roe", "Dora Roe", "Ed Roe"],
        "Beth Roe": ["Carl Roe", "Dora Roe"],
        "Dora Roe": ["Gus Sims"],
    }
    people = sorted({name for parent, own in children.items() for name in (parent, *own)})
    edges = [(parent, "child", child) for parent, own in children.items() for child in own]
    return graph([(name, name, "person") for name in people], [*edges, ("Adam Roe", "spouse", "Beth Roe")], path)


def cast() -> mosaic.Corpus:
    """The films as triples whose kinds are inferred, with names of relations that are nouns."""
    corpus = mosaic.open(":memory:", embedder="none")
    triples = [(film, "director", director) for film, (director, *_) in FILMS.items()]
    triples += [(film, "cast member", who) for film, (_, cast, *_) in FILMS.items() for who in cast]
    corpus.import_graph(pd.DataFrame(triples, columns=["source", "relation", "target"]), embed="none")
    return corpus


def opened(names: Iterable[str]) -> Iterator[dict[str, mosaic.Corpus]]:
    """The corpora of this module by the names of their functions, open until the fixture that yields them ends."""
    found = {name: globals()[name]() for name in names}
    yield found
    for corpus in found.values():
        corpus.close()
