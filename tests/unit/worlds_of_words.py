"""Schemas of several worlds, and questions over them with the pattern that each means: general English."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mosaic_sql.records import Catalogue

Path = tuple[str, str, str]
Asked = tuple[str, str, str, str | None]
"""Question, the anchor's name in it, its kind, and the patterns that mean it (`|` between them); None: no aspect."""

BIOMEDICAL: tuple[Path, ...] = (
    ("Compound", "TREATS", "Disease"),
    ("Compound", "PALLIATES", "Disease"),
    ("Compound", "CAUSES", "Side Effect"),
    ("Compound", "BINDS", "Gene"),
    ("Compound", "UPREGULATES", "Gene"),
    ("Compound", "DOWNREGULATES", "Gene"),
    ("Compound", "RESEMBLES", "Compound"),
    ("Disease", "ASSOCIATES", "Gene"),
    ("Disease", "UPREGULATES", "Gene"),
    ("Disease", "DOWNREGULATES", "Gene"),
    ("Disease", "LOCALIZES", "Anatomy"),
    ("Disease", "PRESENTS", "Symptom"),
    ("Disease", "RESEMBLES", "Disease"),
    ("Anatomy", "EXPRESSES", "Gene"),
    ("Gene", "INTERACTS", "Gene"),
    ("Gene", "REGULATES", "Gene"),
    ("Gene", "PARTICIPATES", "Pathway"),
    ("Gene", "PARTICIPATES", "Biological Process"),
    ("Pharmacologic Class", "INCLUDES", "Compound"),
)
GENERAL: tuple[Path, ...] = (
    ("human", "place of birth", "city"),
    ("human", "place of death", "city"),
    ("human", "spouse", "human"),
    ("human", "father", "human"),
    ("human", "mother", "human"),
    ("human", "child", "human"),
    ("human", "educated at", "university"),
    ("human", "employer", "company"),
    ("human", "occupation", "occupation"),
    ("human", "country of citizenship", "country"),
    ("human", "member of political party", "party"),
    ("human", "member of", "band"),
    ("human", "award received", "award"),
    ("human", "date of birth", "date"),
    ("human", "doctoral advisor", "human"),
    ("human", "influenced by", "human"),
    ("city", "country", "country"),
    ("country", "capital", "city"),
    ("country", "head of state", "human"),
    ("country", "currency", "currency"),
    ("country", "official language", "language"),
    ("country", "shares border with", "country"),
    ("country", "continent", "continent"),
    ("company", "founded by", "human"),
    ("company", "headquarters location", "city"),
    ("company", "owned by", "company"),
    ("company", "chief executive officer", "human"),
    ("book", "author", "human"),
    ("book", "publisher", "company"),
    ("book", "publication date", "date"),
    ("film", "director", "human"),
    ("film", "cast member", "human"),
    ("university", "located in", "city"),
    ("company", "inception", "date"),
    ("human", "religion", "religion"),
)
ACADEMIA: tuple[Path, ...] = (
    ("author", "paper", "paper"),
    ("paper", "author", "author"),
    ("paper", "reference", "paper"),
    ("paper", "venue", "venue"),
    ("paper", "cited_by", "paper"),
    ("venue", "paper", "paper"),
)
LITERATURE: tuple[Path, ...] = (
    ("book", "author", "author"),
    ("book", "publisher", "publisher"),
    ("book", "series", "series"),
    ("book", "similar_books", "book"),
    ("author", "book", "book"),
    ("publisher", "book", "book"),
    ("series", "book", "book"),
)
COMMERCE: tuple[Path, ...] = (
    ("item", "also_viewed_item", "item"),
    ("item", "buy_after_viewing_item", "item"),
    ("item", "also_bought_item", "item"),
    ("item", "bought_together_item", "item"),
    ("item", "brand", "brand"),
    ("brand", "item", "item"),
)

ASKED_BIOMEDICAL: tuple[Asked, ...] = (
    ("what regulates BRCA1", "BRCA1", "Gene", "^REGULATES"),
    ("which compounds treat asthma", "asthma", "Disease", "^TREATS"),
    ("what diseases does aspirin treat", "aspirin", "Compound", "TREATS"),
    ("what is asthma treated with", "asthma", "Disease", "^TREATS"),
    ("which drugs can be used to treat asthma", "asthma", "Disease", "^TREATS"),
    ("what genes are associated with asthma", "asthma", "Disease", "ASSOCIATES"),
    ("which diseases is BRCA1 associated with", "BRCA1", "Gene", "^ASSOCIATES"),
    ("which side effects does aspirin cause", "aspirin", "Compound", "CAUSES"),
    ("which compounds cause nausea", "nausea", "Side Effect", "^CAUSES"),
    ("what side effects does aspirin have", "aspirin", "Compound", "CAUSES"),
    ("which genes are downregulated by aspirin", "aspirin", "Compound", "DOWNREGULATES"),
    ("which genes does aspirin upregulate", "aspirin", "Compound", "UPREGULATES"),
    ("what compounds downregulate BRCA1", "BRCA1", "Gene", "^DOWNREGULATES[Compound]"),
    ("which symptoms does asthma present", "asthma", "Disease", "PRESENTS"),
    ("what are the symptoms of asthma", "asthma", "Disease", "PRESENTS"),
    ("where is asthma localized", "asthma", "Disease", "LOCALIZES"),
    ("in which anatomy does asthma localize", "asthma", "Disease", "LOCALIZES"),
    ("what genes interact with BRCA1", "BRCA1", "Gene", "~INTERACTS"),
    ("which genes regulate BRCA1", "BRCA1", "Gene", "^REGULATES"),
    ("which genes are regulated by BRCA1", "BRCA1", "Gene", "REGULATES"),
    ("what genes does BRCA1 regulate", "BRCA1", "Gene", "REGULATES"),
    ("which pathways does BRCA1 participate in", "BRCA1", "Gene", "PARTICIPATES[Pathway]"),
    ("which genes participate in apoptosis", "apoptosis", "Pathway", "^PARTICIPATES"),
    ("which tissues express BRCA1", "BRCA1", "Gene", "^EXPRESSES"),
    ("which genes are expressed in the liver", "liver", "Anatomy", "EXPRESSES"),
    ("what genes are associated with the diseases treated by aspirin", "aspirin", "Compound", "TREATS / ASSOCIATES"),
    ("which compounds bind genes associated with asthma", "asthma", "Disease", "ASSOCIATES / ^BINDS"),
    ("what are the side effects of the drugs that treat asthma", "asthma", "Disease", "^TREATS / CAUSES"),
    (
        "which pathways do the genes bound by aspirin participate in",
        "aspirin",
        "Compound",
        "BINDS / PARTICIPATES[Pathway]",
    ),
    ("which diseases share genes with asthma", "asthma", "Disease", "ASSOCIATES / ^ASSOCIATES"),
    (
        "which compounds treat diseases that resemble asthma",
        "asthma",
        "Disease",
        "RESEMBLES / ^TREATS|^RESEMBLES / ^TREATS",
    ),
    ("what symptoms do the diseases treated by aspirin present", "aspirin", "Compound", "TREATS / PRESENTS"),
    ("which drugs are similar to aspirin", "aspirin", "Compound", "RESEMBLES|^RESEMBLES"),
    ("which pharmacologic class includes aspirin", "aspirin", "Compound", "^INCLUDES"),
)
ASKED_GENERAL: tuple[Asked, ...] = (
    ("who died in the same city as Ada", "Ada", "human", "place of death / ^place of death"),
    ("where was Ann born", "Ann", "human", "place of birth"),
    ("who was born in Rome", "Rome", "city", "^place of birth"),
    ("when was Ann born", "Ann", "human", "date of birth"),
    ("in which city was Ann born", "Ann", "human", "place of birth"),
    ("what is the birthplace of Ann", "Ann", "human", "place of birth"),
    ("who is the spouse of Ann", "Ann", "human", "~spouse"),
    ("who is Ann married to", "Ann", "human", "~spouse"),
    ("who is the wife of Ann", "Ann", "human", "~spouse"),
    ("who is the father of Ann", "Ann", "human", "father"),
    ("who is Ann the father of", "Ann", "human", "^father"),
    ("who are the children of Ann", "Ann", "human", "child"),
    ("whose father is Ann", "Ann", "human", "^father"),
    ("what is the capital of France", "France", "country", "capital"),
    ("Paris is the capital of which country", "Paris", "city", "^capital"),
    ("what is Paris the capital of", "Paris", "city", "^capital"),
    ("which countries border France", "France", "country", "~shares border with"),
    ("what currency is used in France", "France", "country", "currency"),
    ("what language is spoken in France", "France", "country", "official language"),
    ("where did Ann study", "Ann", "human", "educated at"),
    ("which university did Ann attend", "Ann", "human", "educated at"),
    ("who studied at Oxford", "Oxford", "university", "^educated at"),
    ("who does Ann work for", "Ann", "human", "employer"),
    ("who founded Acme", "Acme", "company", "founded by"),
    ("which companies did Ann found", "Ann", "human", "^founded by"),
    ("who is the CEO of Acme", "Acme", "company", "chief executive officer"),
    ("where is Acme headquartered", "Acme", "company", "headquarters location"),
    ("which books did Ann write", "Ann", "human", "^author"),
    ("who wrote Emma", "Emma", "book", "author"),
    ("who published Emma", "Emma", "book", "publisher"),
    ("when was Emma published", "Emma", "book", "publication date"),
    ("which films did Ann direct", "Ann", "human", "^director"),
    ("which films starred Ann", "Ann", "human", "^cast member"),
    ("who influenced Ann", "Ann", "human", "influenced by"),
    ("who did Ann influence", "Ann", "human", "^influenced by"),
    ("which awards did Ann win", "Ann", "human", "award received"),
    ("who received the Nobel Prize", "Nobel Prize", "award", "^award received"),
    ("what religion is Ann", "Ann", "human", "religion"),
    ("what is Ann's occupation", "Ann", "human", "occupation"),
    ("in which country was the spouse of Ann born", "Ann", "human", "~spouse / place of birth / country"),
    ("where was the author of Emma born", "Emma", "book", "author / place of birth"),
    ("what is the capital of the country where Ann was born", "Ann", "human", "place of birth / country / capital"),
    ("what is the currency of the country of citizenship of Ann", "Ann", "human", "country of citizenship / currency"),
    ("who is the spouse of the head of state of France", "France", "country", "head of state / ~spouse"),
    ("which books were written by authors who were born in Rome", "Rome", "city", "^place of birth / ^author"),
    ("who directed the films that Ann starred in", "Ann", "human", "^cast member / director"),
    ("which people were educated at the same university as Ann", "Ann", "human", "educated at / ^educated at"),
    ("who founded the company that owns Acme", "Acme", "company", "owned by / founded by"),
    ("who was the doctoral advisor of Ann", "Ann", "human", "doctoral advisor"),
    ("which party does Ann belong to", "Ann", "human", "member of political party"),
    ("who are the members of Queen", "Queen", "band", "^member of"),
    ("which country is Rome in", "Rome", "city", "country"),
    ("on which continent is France", "France", "country", "continent"),
    ("who leads France", "France", "country", "head of state"),
    ("when was Acme founded", "Acme", "company", "inception"),
    ("Ann", "Ann", "human", None),
    ("who is Ann", "Ann", "human", None),
    ("tell me about Ann", "Ann", "human", None),
    ("what is known about Ann", "Ann", "human", None),
)
ASKED_ACADEMIA: tuple[Asked, ...] = (
    ("which papers did Jane Roe write", "Jane Roe", "author", "paper|^author"),
    ("what has Jane Roe published", "Jane Roe", "author", "paper|^author"),
    ("who are the collaborators of Jane Roe", "Jane Roe", "author", "paper / author|paper / ^paper|^author / author"),
    (
        "with whom has Jane Roe written papers",
        "Jane Roe",
        "author",
        "^author / ^paper|paper / author|paper / ^paper|^author / author",
    ),
    ("which venues has Jane Roe published in", "Jane Roe", "author", "paper / venue|^author / venue|paper / ^paper"),
    ("in which venues do the papers of Jane Roe appear", "Jane Roe", "author", "paper / venue|^author / venue"),
    ("who wrote Deep Sums", "Deep Sums", "paper", "author|^paper"),
    ("who are the authors of the paper Deep Sums", "Deep Sums", "paper", "author|^paper"),
    ("in which journal or at which conference was Deep Sums published", "Deep Sums", "paper", "venue|^paper"),
    (
        "which scholars have written papers together with the author Jane Roe",
        "Jane Roe",
        "author",
        "^author / ^paper|paper / author|paper / ^paper|^author / author",
    ),
    ("where was Deep Sums published", "Deep Sums", "paper", "venue|^paper"),
    ("which papers does Deep Sums cite", "Deep Sums", "paper", "reference|^cited_by"),
    ("which papers cite Deep Sums", "Deep Sums", "paper", "cited_by|^reference"),
    ("which papers are cited by Deep Sums", "Deep Sums", "paper", "reference|^cited_by"),
    (
        "who are the collaborators of the author of Deep Sums",
        "Deep Sums",
        "paper",
        "author / paper / author|author / ^author / author|author / paper / ^paper",
    ),
    (
        "in which venues has the author of Deep Sums published",
        "Deep Sums",
        "paper",
        "author / paper / venue|author / ^author / venue",
    ),
    (
        "which venues have the co-authors of the author of paper Deep Sums published in",
        "Deep Sums",
        "paper",
        "author / paper / author / ^author / venue|author / paper / author / paper / venue",
    ),
    ("which papers were published in ICDE", "ICDE", "venue", "paper|^venue"),
    ("who published papers in ICDE", "ICDE", "venue", "^venue / ^paper|paper / author|^venue / author"),
    ("who is Jane Roe", "Jane Roe", "author", None),
    ("what do you know about the paper Deep Sums", "Deep Sums", "paper", None),
)
ASKED_LITERATURE: tuple[Asked, ...] = (
    ("who wrote Emma", "Emma", "book", "author|^book"),
    ("which series did the author of Emma write", "Emma", "book", "author / book / series"),
    ("which books did Jane Roe write", "Jane Roe", "author", "book|^author"),
    (
        "which books have the collaborators of Jane Roe written",
        "Jane Roe",
        "author",
        "^author / author / ^author|book / author / book",
    ),
    (
        "what books did the people write who wrote a book together with Jane Roe",
        "Jane Roe",
        "author",
        "^author / author / ^author|book / author / book",
    ),
    ("which books were published by Acme Press", "Acme Press", "publisher", "book|^publisher"),
    ("which authors have published with Acme Press", "Acme Press", "publisher", "book / author|^publisher / author"),
    ("who wrote the books that Acme Press publishes", "Acme Press", "publisher", "book / author|^publisher / author"),
    ("which writers are published by Acme Press", "Acme Press", "publisher", "book / author|^publisher / author"),
    (
        "which authors write for the publishers of the books of Dune",
        "Dune",
        "series",
        "book / publisher / book / author|^series / publisher / book / author|book / publisher / ^publisher / author"
        "|^series / publisher / ^publisher / author",
    ),
    ("who publishes the books of the series Dune", "Dune", "series", "book / publisher|^series / publisher"),
    ("which books belong to the series Dune", "Dune", "series", "book|^series"),
    ("which books are similar to Emma", "Emma", "book", "similar_books|^similar_books"),
    ("who published the books of Jane Roe", "Jane Roe", "author", "book / publisher|^author / publisher"),
    (
        "which series has the author of the book Emma written other books for",
        "Emma",
        "book",
        "author / book / series|author / ^author / series",
    ),
    ("which series has the author of Emma written books for", "Emma", "book", "author / book / series"),
    ("tell me about the book Emma", "Emma", "book", None),
)
ASKED_COMMERCE: tuple[Asked, ...] = (
    ("which brand makes Lamp", "Lamp", "item", "brand|^item"),
    ("what is the brand of Lamp", "Lamp", "item", "brand|^item"),
    ("which items are made by Acme", "Acme", "brand", "item|^brand"),
    ("which items are also viewed with Lamp", "Lamp", "item", "also_viewed_item|^also_viewed_item"),
    ("what brands are bought after viewing Lamp", "Lamp", "item", "buy_after_viewing_item / brand"),
    (
        "which items are bought together with items of the brand Acme",
        "Acme",
        "brand",
        "item / bought_together_item|^brand / bought_together_item|item / ^bought_together_item",
    ),
    (
        "which items are also viewed with the items of the brand of Lamp",
        "Lamp",
        "item",
        "brand / item / also_viewed_item|brand / ^brand / also_viewed_item",
    ),
    ("which brands do people buy after they have viewed Lamp", "Lamp", "item", "buy_after_viewing_item / brand"),
    (
        "list the items also viewed beside other items of the brand of Lamp",
        "Lamp",
        "item",
        "brand / item / also_viewed_item|brand / ^brand / also_viewed_item",
    ),
    (
        "list the brands of what people also viewed with the items of Acme",
        "Acme",
        "brand",
        "item / also_viewed_item / brand|^brand / also_viewed_item / brand",
    ),
    ("what is Lamp", "Lamp", "item", None),
)

WORLDS = {
    "biomedical": (BIOMEDICAL, ASKED_BIOMEDICAL),
    "general": (GENERAL, ASKED_GENERAL),
    "academia": (ACADEMIA, ASKED_ACADEMIA),
    "literature": (LITERATURE, ASKED_LITERATURE),
    "commerce": (COMMERCE, ASKED_COMMERCE),
}
STYLES: dict[str, Callable[[str], str]] = {
    "plain": lambda name: name,
    "snake_case": lambda name: re.sub(r"\s+", "_", name.lower()),
    "camelCase": lambda name: re.sub(r"[\s_]+(\w)", lambda found: found[1].upper(), name.lower()),
    "code": lambda name: f"P_19 {name.lower()}",
    "freebase": lambda name: f"/thing/part/{re.sub(r'[^a-z]+', '_', name.lower())}",
    "shouted": lambda name: re.sub(r"\s+", "_", name.upper()),
}


def written(pattern: str, style: Callable[[str], str]) -> str:
    """A pattern with its relations in another style, without quotes."""
    return re.sub(r"(^|/ )([\^~]?)([^\[/]+?)(?=\[| /|$)", lambda step: step[1] + step[2] + style(step[3]), pattern)


def catalogue(paths: Sequence[Path], style: Callable[[str], str] = str) -> Catalogue:
    """A schema whose nodes have kinds."""
    kinds = sorted({kind for source, _, target in paths for kind in (source, target)})
    relations = sorted({style(relation) for _, relation, _ in paths})
    found = tuple((source, style(relation), target, 10) for source, relation, target in paths)
    return Catalogue(0, 99, 99, 0, tuple(kinds), tuple(enumerate(relations)), found)


@dataclass(frozen=True)
class Untyped:
    """A schema whose kinds were inferred from random edges, with the kinds and steps of every node."""

    catalogue: Catalogue
    kinds: dict[str, set[str]]
    steps: dict[str, set[tuple[str, bool]]]

    def node(self, kind: str) -> str:
        """A node that was of a kind before the kinds were forgotten, with as many steps as any."""
        own = [name for name in sorted(self.kinds) if name.rstrip("0123456789") == kind]
        return max(own, key=lambda name: len(self.steps[name]))


def untyped(paths: Sequence[Path], style: Callable[[str], str] = str, *, nodes: int = 60, edges: int = 150) -> Untyped:
    """Random edges of a schema as triples without kinds: what the import infers of them."""
    rng = random.Random(1)
    drawn = sorted(
        {
            (f"{source}{rng.randrange(nodes)}", style(relation), f"{target}{rng.randrange(nodes)}")
            for source, relation, target in paths
            for _ in range(edges)
        }
    )
    kinds: defaultdict[str, set[str]] = defaultdict(set)
    steps: defaultdict[str, set[tuple[str, bool]]] = defaultdict(set)
    for source, relation, target in drawn:
        kinds[source].add(f"has {relation}")
        kinds[target].add(relation)
        steps[source].add((relation, True))
        steps[target].add((relation, False))
    counts = Counter((one, r, other) for source, r, target in drawn for one in kinds[source] for other in kinds[target])
    found = tuple((*path, count) for path, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    relations = sorted({relation for _, relation, _ in drawn})
    names = tuple(sorted(set().union(*kinds.values())))
    schema = Catalogue(0, 999, len(drawn), 0, names, tuple(enumerate(relations)), found)
    return Untyped(schema, dict(kinds), dict(steps))
