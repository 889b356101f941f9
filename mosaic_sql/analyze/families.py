"""Which properties a comparing word may speak of: families of property words, the likeliest first. Data only."""

from __future__ import annotations

Family = tuple[str, ...]
"""Words of property names, the likeliest first."""

SIZE: Family = (
    "population", "inhabitants", "residents", "size", "area", "employees", "members", "capacity", "volume",
    "enrollment", "enrolment", "students", "revenue", "mass", "magnitude", "diameter", "length",
)  # fmt: skip
TIME: Family = (
    "date", "year", "season", "released", "release", "founded", "founding", "formed", "established", "inception",
    "opened", "start", "began", "begin", "built", "created", "completed", "published", "born", "birth", "since", "time",
    "first",
)  # fmt: skip
AGE: Family = ("born", "birth", *TIME)
LENGTH: Family = ("length", "duration", "runtime", "running time", "minutes", "distance", "pages")
HEIGHT: Family = ("height", "elevation", "altitude", "rating", "score", "price", "population")
DEPTH: Family = ("depth",)
WEIGHT: Family = ("weight", "mass")
MONEY: Family = ("net worth", "wealth", "income", "revenue", "gdp", "budget", "sales")
PRICE: Family = ("price", "cost", "budget", "fee")
SPEED: Family = ("speed", "velocity")
QUALITY: Family = ("rating", "score", "rank", "stars", "votes")
FAME: Family = ("popularity", "votes", "followers", "views", "rating", "score")
HEAT: Family = ("temperature",)
DENSITY: Family = ("density",)
SHARE: Family = ("percent", "percentage", "share", "stake", "fraction", "proportion", "pct")
WIDTH: Family = ("width", "breadth", "span")

SUPERLATIVES: dict[str, tuple[Family, bool]] = {
    **dict.fromkeys(("biggest", "largest", "greatest"), (SIZE, True)),
    "smallest": (SIZE, False),
    **dict.fromkeys(("most populous", "most populated"), (SIZE[:3], True)),
    **dict.fromkeys(("least populous", "least populated"), (SIZE[:3], False)),
    "oldest": (AGE, False),
    "youngest": (AGE, True),
    **dict.fromkeys(("newest", "latest", "most recent", "most recently", "last", "last time"), (TIME, True)),
    **dict.fromkeys(("earliest", "first", "first time"), (TIME, False)),
    "longest": (LENGTH, True),
    "shortest": ((*LENGTH, "height"), False),
    **dict.fromkeys(("tallest", "highest"), (HEIGHT, True)),
    "lowest": (HEIGHT, False),
    "deepest": (DEPTH, True),
    "shallowest": (DEPTH, False),
    "heaviest": (WEIGHT, True),
    "lightest": (WEIGHT, False),
    **dict.fromkeys(("richest", "wealthiest"), (MONEY, True)),
    "poorest": (MONEY, False),
    **dict.fromkeys(("most expensive", "costliest", "priciest"), (PRICE, True)),
    **dict.fromkeys(("cheapest", "least expensive"), (PRICE, False)),
    "fastest": (SPEED, True),
    "slowest": (SPEED, False),
    **dict.fromkeys(("best", "highest rated", "best rated", "top rated"), (QUALITY, True)),
    **dict.fromkeys(("worst", "lowest rated"), (QUALITY, False)),
    "most popular": (FAME, True),
    "least popular": (FAME, False),
    **dict.fromkeys(("hottest", "warmest"), (HEAT, True)),
    "coldest": (HEAT, False),
    "densest": (DENSITY, True),
    "widest": (WIDTH, True),
    "narrowest": (WIDTH, False),
}
"""Superlative -> the family it compares, and whether the highest value comes first."""

COMPARATIVES: dict[str, tuple[Family, bool]] = {
    **{f"{word[:-3]}er": order for word, order in SUPERLATIVES.items() if word.endswith("est") and word != "best"},
    **{f"more {word[5:]}": order for word, order in SUPERLATIVES.items() if word.startswith("most ")},
    **{f"less {word[6:]}": order for word, order in SUPERLATIVES.items() if word.startswith("least ")},
    "better": SUPERLATIVES["best"],
    "worse": SUPERLATIVES["worst"],
}
"""Comparative -> the family it compares, and whether the higher value is meant."""

ADJECTIVES: dict[str, Family] = {
    **dict.fromkeys(("big", "large", "populous"), SIZE),
    "old": ("age", *AGE),
    "long": LENGTH,
    **dict.fromkeys(("tall", "high"), HEIGHT),
    "deep": DEPTH,
    "heavy": WEIGHT,
    "rich": MONEY,
    "expensive": PRICE,
    "fast": SPEED,
    "hot": HEAT,
    "wide": WIDTH,
}
"""The adjective of `how tall is …` -> the family it asks for."""

UNITS: dict[str, Family] = {
    **dict.fromkeys(("inhabitants", "residents", "people", "citizens"), SIZE[:3]),
    **dict.fromkeys(("minutes", "hours", "seconds"), LENGTH),
    **dict.fromkeys(
        ("metres", "meters", "feet", "km", "kilometres", "kilometers", "miles"), (*HEIGHT[:3], *LENGTH, "depth")
    ),
    **dict.fromkeys(("dollars", "euros", "pounds", "usd", "eur"), (*PRICE, *MONEY)),
    **dict.fromkeys(("kg", "kilograms", "tonnes", "tons"), WEIGHT),
    "years": ("age",),
}
"""What is counted after a number -> the family it measures."""

_DEATH: Family = ("died", "death", "deceased", "dead")
_END: Family = ("ended", "end", "closed", "closing", "dissolved", "disbanded", "retired", "until")
STATES: dict[str, tuple[Family, bool]] = {
    **dict.fromkeys(("alive", "living"), (_DEATH, False)),
    **dict.fromkeys(("dead", "deceased", "died"), (_DEATH, True)),
    **dict.fromkeys(("still open", "still active", "still running", "still in operation"), (_END, False)),
    **dict.fromkeys(("defunct", "closed", "disbanded", "dissolved", "retired"), (_END, True)),
}
"""What something is -> the family of the property that tells it, and whether by having a value or by having none."""
