"""General knowledge as plain triples, with and without a relation that tells the kinds of some nodes."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

import mosaic_sql as mosaic

BORN = {
    "Ada Roth": ("Kiel", "1858-04-23", "1947-10-04", "physicist"),
    "Bo Lind": ("Ulm", "1879-03-14", "1955-04-18", "physicist"),
    "Cy Marsh": ("Bonn", "1770-12-17", "1827-03-26", "composer"),
    "Di Fabre": ("Nantes", "1862-08-22", "1918-03-25", "composer"),
    "Ed Noir": ("Lille", "1802-02-26", "1885-05-22", "novelist"),
}
CITIES = {
    "Kiel": ("Germany", "246794"),
    "Ulm": ("Germany", "126329"),
    "Bonn": ("Germany", "330579"),
    "Munich": ("Germany", "1487708"),
    "Nantes": ("France", "320732"),
    "Lille": ("France", "236710"),
}
FIRMS = {"Alpha": ("1915-10-02", "Munich"), "Siema": ("1847-10-01", "Munich"), "Bemo": ("1986-03-07", "Kiel")}
TRIPLES = [
    *((name, "place_of_birth", place) for name, (place, *_) in BORN.items()),
    *((name, "date_of_birth", date) for name, (_, date, *_) in BORN.items()),
    *((name, "date_of_death", date) for name, (_, _, date, _) in BORN.items()),
    *((name, "occupation", work) for name, (*_, work) in BORN.items()),
    *((city, "country", country) for city, (country, _) in CITIES.items()),
    *((city, "population", people) for city, (_, people) in CITIES.items()),
    *((firm, "inception", date) for firm, (date, _) in FIRMS.items()),
    *((firm, "headquarters_location", place) for firm, (_, place) in FIRMS.items()),
    ("Alpha", "founded_by", "Bo Lind"),
    ("Bemo", "founded_by", "Bo Lind"),
    ("Goon", "subsidiary_of", "Alpha"),
    ("Waymar", "subsidiary_of", "Alpha"),
    ("Deeper", "subsidiary_of", "Alpha"),
    ("Tubi", "subsidiary_of", "Goon"),
    ("Alpha", "has_subsidiary", "Goon"),
    ("Alpha", "has_subsidiary", "Calix"),
    ("Siema", "has_subsidiary", "Mobi"),
    ("Siema", "has_subsidiary", "Enex"),
    ("Old Museum", "country", "France"),
    ("Old Museum", "location", "Nantes"),
    ("Germany", "shares_border_with", "France"),
    ("France", "shares_border_with", "Germany"),
    ("Germany", "capital", "Bonn"),
    ("Ada Roth", "child", "Fay Roth"),
    ("Ada Roth", "child", "Gil Roth"),
    ("Fay Roth", "parent", "Ada Roth"),
    ("Hal Roth", "parent", "Ada Roth"),
    ("Long River", "tributary", "Main Brook"),
    ("Long River", "tributary", "Mill Brook"),
    ("Main Brook", "tributary_of", "Long River"),
    ("Quiet Song", "composer", "Cy Marsh"),
    ("Loud Song", "composer", "Cy Marsh"),
    ("Grey Days", "author", "Ed Noir"),
]
KINDS = {
    "human": BORN,
    "city": CITIES,
    "company": FIRMS,
    "country": ("Germany", "France"),
    "river": ("Long River", "Main Brook"),
}


def bare(more: Iterable[tuple[str, str, str]] = ()) -> mosaic.Corpus:
    """An open corpus of triples alone: every kind is inferred."""
    corpus = mosaic.open(":memory:", embedder="none")
    frame = pd.DataFrame([*TRIPLES, *more], columns=["source", "relation", "target"])
    corpus.import_graph(frame, embed="none")
    return corpus


def typed() -> mosaic.Corpus:
    """The same with `instance of` for some nodes: subsidiaries and a museum have inferred kinds."""
    return bare((name, "instance of", kind) for kind, names in KINDS.items() for name in names)
