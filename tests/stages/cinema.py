"""One small world of films, people and places in two forms: nodes with kinds and properties, and triples alone."""

from __future__ import annotations

from typing import Any

import pandas as pd
from worlds import graph

import mosaic_sql as mosaic

# film: director, writers, cast, release date, running time, genre
FILMS: dict[str, tuple[str, list[str], list[str], str, int, str]] = {
    "Night Train": ("Mara Quist", ["Mara Quist"], ["Olu Bell", "Ines Rey"], "1988-03-01", 95, "crime"),
    "Glass Sea": ("Mara Quist", ["Per Holm"], ["Olu Bell"], "1994-10-12", 141, "drama"),
    "Low Tide": ("Mara Quist", ["Mara Quist", "Tom Vale"], ["Ines Rey", "Tom Vale"], "2006-05-20", 118, "drama"),
    "Red Mesa": ("Per Holm", ["Per Holm"], ["Olu Bell", "Ines Rey", "Per Holm"], "1990-01-09", 102, "western"),
    "Quiet Hour": ("Per Holm", ["Ines Rey"], ["Tom Vale"], "1999-07-30", 88, "drama"),
    "1984": ("Ida Frost", ["Ida Frost"], ["Tom Vale"], "1984-12-01", 110, "drama"),
}
PEOPLE = {
    "Mara Quist": ("1950-02-03", "Orsk"),
    "Per Holm": ("1948-06-21", "Belmont"),
    "Olu Bell": ("1960-11-30", "Belmont"),
    "Ines Rey": ("1965-01-17", "Ilmen"),
    "Tom Vale": ("1971-08-08", "Jarrow"),
    "Ida Frost": ("1940-04-04", "Orsk"),
}
CITIES = {"Orsk": "Veldland", "Belmont": "Veldland", "Ilmen": "Westria", "Jarrow": "Westria"}


def edges() -> list[tuple[str, str, str]]:
    """All edges, in both forms the same."""
    found = [(city, "country", country) for city, country in CITIES.items()]
    found += [(person, "birthplace", place) for person, (_, place) in PEOPLE.items()]
    for film, (director, writers, cast, _, _, genre) in FILMS.items():
        found += [(film, "directed_by", director), (film, "genre", genre)]
        found += [(film, "written_by", who) for who in writers] + [(film, "starring", who) for who in cast]
    return found


def typed(path: str = ":memory:") -> mosaic.Corpus:
    """Nodes with kinds and properties."""
    nodes: list[tuple[Any, ...]] = [(who, who, "person", {"born": born}) for who, (born, _) in PEOPLE.items()]
    nodes += [(city, city, "city") for city in CITIES]
    nodes += [(country, country, "country") for country in sorted(set(CITIES.values()))]
    nodes += [(genre, genre, "genre") for genre in sorted({film[-1] for film in FILMS.values()})]
    nodes += [
        (film, film, "film", {"release_date": released, "runtime": runtime})
        for film, (*_, released, runtime, _) in FILMS.items()
    ]
    return graph(nodes, edges(), path)


def triples(path: str = ":memory:") -> mosaic.Corpus:
    """Triples alone: kinds are inferred, a year is a node, and nothing tells when somebody was born."""
    corpus = mosaic.open(path, embedder="none")
    years = [(film, "release_year", released[:4]) for film, (*_, released, _, _) in FILMS.items()]
    frame = pd.DataFrame([*edges(), *years], columns=["source", "relation", "target"])
    corpus.import_graph(frame, embed="none")
    return corpus
