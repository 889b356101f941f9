"""Painters and composers as plain triples: what somebody is, is a node that a relation leads to; no kind is given."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

import mosaic_sql as mosaic

PEOPLE = {
    "Ada Brandt": ("painter", "female", "Lorn", "1801", "Lorn", "1860"),
    "Bela Costa": ("painter", "male", "Lorn", "1832", "Orsk", "1901"),
    "Cora Dunn": ("composer", "female", "Lorn", "1778", "Tarn", "1820"),
    "Dirk Eames": ("composer", "male", "Orsk", "1850", "Lorn", "1911"),
    "Elsa Falk": ("poet", "female", "Tarn", "1822", "Lorn", "1899"),
    "Finn Gray": ("poet", "male", "Vesby", "1795", "Vesby", "1871"),
    "Gerd Holm": ("poet", "female", "Orsk", "1811", "Orsk", "1888"),
}
MORE = [("Finn Gray", "profession", "diplomat"), ("Gerd Holm", "profession", "diplomat")]
MORE += [("Dirk Eames", "profession", "diplomat"), ("Bela Costa", "profession", "sculptor")]
PAINTED = {
    "Red Barn": ("Ada Brandt", "1840", "North Hall"),
    "Grey Pond": ("Ada Brandt", "1831", "Old Gallery"),
    "Blue Gate": ("Bela Costa", "1870", "North Hall"),
    "Long Field": ("Bela Costa", "1861", "Sea House"),
}
COMPOSED = {
    "Night Watch": ("Cora Dunn", "opera", "1805", "Lorn"),
    "The Weir": ("Dirk Eames", "opera", "1899", "Tarn"),
    "Marta": ("Dirk Eames", "opera", "1881", "Lorn"),
    "Ostra": ("Dirk Eames", "opera", "1890", "Orsk"),
    "Spring Suite": ("Dirk Eames", "suite", "1902", "Orsk"),
}
WROTE = {"Dust": ("Elsa Falk", "novel"), "Ash": ("Elsa Falk", "play"), "Salt": ("Finn Gray", "novel")}
HALLS = {"North Hall": ("Lorn", "1820"), "Old Gallery": ("Orsk", "1850"), "Sea House": ("Lorn", "1890")}
CITIES = {"Lorn": "Arland", "Tarn": "Arland", "Orsk": "Belmark", "Vesby": "Norland"}
MEMBERS = {"Ada Brandt": "Realism", "Bela Costa": "Symbolism", "Elsa Falk": "Symbolism"}
PRIZES = [(who, "won", "Lyre Prize") for who in ("Ada Brandt", "Dirk Eames", "Elsa Falk")]
PRIZES += [("Gerd Holm", "won", "Owl Medal"), ("Finn Gray", "won", "Owl Medal")]
TRIPLES = [
    *((who, "profession", work) for who, (work, *_) in PEOPLE.items()),
    *MORE,
    *((who, "sex_or_gender", sex) for who, (_, sex, *_) in PEOPLE.items()),
    *((who, "born_in", place) for who, (_, _, place, *_) in PEOPLE.items()),
    *((who, "birth_year", year) for who, (_, _, _, year, *_) in PEOPLE.items()),
    *((who, "died_in", place) for who, (*_, place, _) in PEOPLE.items()),
    *((who, "death_year", year) for who, (*_, year) in PEOPLE.items()),
    *((who, "painted", work) for work, (who, *_) in PAINTED.items()),
    *((work, "completed_in", year) for work, (_, year, _) in PAINTED.items()),
    *((work, "housed_in", hall) for work, (*_, hall) in PAINTED.items()),
    *((who, "composed", work) for work, (who, *_) in COMPOSED.items()),
    *((work, "form", form) for work, (_, form, *_) in COMPOSED.items()),
    *((work, "premiere_year", year) for work, (_, _, year, _) in COMPOSED.items()),
    *((work, "premiered_in", place) for work, (*_, place) in COMPOSED.items()),
    *((who, "wrote", work) for work, (who, _) in WROTE.items()),
    *((work, "form", form) for work, (_, form) in WROTE.items()),
    *((hall, "located_in", place) for hall, (place, _) in HALLS.items()),
    *((hall, "founded_in", year) for hall, (_, year) in HALLS.items()),
    *((city, "city_in", country) for city, country in CITIES.items()),
    *((who, "movement", group) for who, group in MEMBERS.items()),
    *PRIZES,
    ("The Weir", "based_on", "Ash"),
    ("Gerd Holm", "student_of", "Elsa Falk"),
    ("Dirk Eames", "student_of", "Cora Dunn"),
    ("Finn Gray", "student_of", "Elsa Falk"),
]


def opened(more: Iterable[tuple[str, str, str]] = ()) -> mosaic.Corpus:
    """An open corpus of these triples, and of some more."""
    corpus = mosaic.open(":memory:", embedder="none")
    corpus.import_graph(pd.DataFrame([*TRIPLES, *more], columns=["source", "relation", "target"]), embed="none")
    return corpus


def typed() -> mosaic.Corpus:
    """The same with `instance of` for people, places, works and halls."""
    kinds = {"human": PEOPLE, "city": CITIES, "country": set(CITIES.values()), "museum": HALLS}
    kinds |= {"painting": PAINTED, "composition": COMPOSED, "book": WROTE}
    return opened((name, "instance of", kind) for kind, names in kinds.items() for name in names)
