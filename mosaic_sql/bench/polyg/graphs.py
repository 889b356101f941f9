"""The three graphs of PolyG, made anew: same kinds, relations and skew, invented names, any size.

Facts are stored in both directions where the papers' graphs have them so: `author` beside `paper`, `cited_by` beside
`reference`. Of the relations between items, being viewed or bought together holds both ways; what was also bought, or
bought after viewing, is listed with one item alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial

from mosaic_sql.bench.polyg import names
from mosaic_sql.bench.polyg.world import Skewed, World, by_topic, distinct, room

_HOMONYMS = 0.01
"""Share of people that bear another's name."""


def build(graph: str, size: int, seed: int) -> World:
    """A graph of `size` nodes; the same arguments give the same graph.

    Args:
        graph: one of GRAPHS.
        size: nodes, at least 100.
        seed: any integer.
    """
    return _MAKERS[graph](room(size), random.Random(f"{graph} {size} {seed}"))


def stranger(world: World, kind: str, rng: random.Random) -> str:
    """A name such as nodes of that kind have, that none of the graph has."""
    field = rng.choice(names.FIELDS)
    makers: Mapping[str, Callable[[], str]] = {
        "paper": partial(names.paper, rng, field),
        "venue": partial(names.venue, rng, field),
        "author": partial(names.person, rng),
        "book": partial(names.book, rng),
        "publisher": partial(names.publisher, rng),
        "series": partial(names.series, rng),
        "brand": partial(names.brand, rng),
        "item": lambda: names.item(rng, distinct(partial(names.brand, rng), world.names), rng.choice(names.THING)),
    }
    return distinct(makers[kind], world.names)


def _people(world: World, kind: str, count: int, rng: random.Random) -> list[str]:
    """People, a few of whom share a name."""
    found: list[str] = []
    for _ in range(count):
        again = bool(found) and rng.random() < _HOMONYMS
        name = world.nodes[rng.choice(found)].name if again else distinct(partial(names.person, rng), world.names)
        found.append(world.add(kind, name))
    return found


def _academia(size: int, rng: random.Random) -> World:
    world = World("academia")
    topics = max(2, min(len(names.FIELDS), size // 120))
    venue_count = max(2 * topics, size // 60)
    fields = rng.sample(names.FIELDS, topics)
    venues: list[list[str]] = [[] for _ in fields]
    for number in range(venue_count):
        field = fields[number % topics]
        name = distinct(partial(names.venue, rng, field), world.names)
        venues[number % topics].append(world.add("venue", name))
    authors = _people(world, "author", (size - venue_count) * 2 // 5, rng)
    groups = by_topic(authors, topics, rng)
    anyone = Skewed(authors, rng)
    printed = [Skewed(group, rng) for group in venues]
    urns: list[list[str]] = [[] for _ in fields]
    for number in range(size - venue_count - len(authors)):
        topic = rng.randrange(topics)
        field = fields[topic]
        paper = world.add(
            "paper",
            distinct(partial(names.paper, rng, field), world.names),
            year=1990 + 35 * number // size + rng.randint(0, 3),
            abstract=names.sentence(rng, field),
            label=field,
        )
        for author in dict.fromkeys(
            (groups[topic] if rng.random() < 0.9 else anyone).draw() for _ in range(rng.choice((1, 2, 2, 3, 3, 4)))
        ):
            world.join(paper, "author", author, inverse="paper")
        place = topic if rng.random() < 0.85 else rng.randrange(topics)
        world.join(paper, "venue", printed[place].draw(), inverse="paper")
        _cite(world, paper, urns[topic if rng.random() < 0.9 else rng.randrange(topics)], rng)
        urns[topic].append(paper)
    return world


def _cite(world: World, paper: str, urn: list[str], rng: random.Random) -> None:
    """References to earlier papers; what is cited is cited again."""
    for cited in dict.fromkeys(rng.choice(urn) for _ in range(rng.choice((0, 1, 2, 3, 5, 8))) if urn):
        world.join(paper, "reference", cited, inverse="cited_by")
        urn.append(cited)


def _literature(size: int, rng: random.Random) -> World:
    world = World("literature")
    genres = rng.sample(names.NOUN, max(2, min(20, size // 150)))
    authors = _people(world, "author", size * 3 // 10, rng)
    publishers = [
        world.add("publisher", distinct(partial(names.publisher, rng), world.names)) for _ in range(max(6, size // 25))
    ]
    series_count = max(6, size // 16)
    series = [
        world.add(
            "series",
            distinct(partial(names.series, rng), world.names),
            description=names.sentence(rng, "A series", 12),
        )
        for _ in range(series_count)
    ]
    houses, cycles, writers = Skewed(publishers, rng), Skewed(series, rng, 0.5), Skewed(authors, rng, 0.6)
    home = {author: houses.draw() for author in authors}
    own = {author: cycles.draw() for author in authors}
    shelves: dict[str, list[str]] = {genre: [] for genre in genres}
    for _ in range(size - len(world.nodes)):
        genre = rng.choice(genres)
        book = _book(world, genre, rng)
        first = writers.draw()
        for author in dict.fromkeys((first, *(writers.draw() for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))))):
            world.join(book, "author", author, inverse="book")
        world.join(book, "publisher", home[first] if rng.random() < 0.6 else houses.draw(), inverse="book")
        if rng.random() < 0.45:
            world.join(book, "series", own[first] if rng.random() < 0.7 else cycles.draw(), inverse="book")
        shelf = shelves[genre]
        for other in [rng.choice(shelf) for _ in range(rng.choice((1, 2, 3, 4))) if shelf]:
            world.join(book, "similar_books", other, inverse="similar_books")
        shelf.append(book)
    return world


def _book(world: World, genre: str, rng: random.Random) -> str:
    """A book; now and then one bears the name of a series."""
    series = [node.name for node in world.nodes.values() if node.kind == "series"] if rng.random() < 0.01 else []
    name = rng.choice(series) if series else distinct(partial(names.book, rng), world.names)
    if sum(world.nodes[key].kind == "book" for key in world.names.get(name, ())):
        name = distinct(partial(names.book, rng), world.names)
    return world.add(
        "book",
        name,
        description=names.sentence(rng, "A novel"),
        publication_year=rng.randint(1950, 2024),
        genres=[genre.lower()],
    )


def _ecommerce(size: int, rng: random.Random) -> World:
    world = World("e-commerce")
    brands = [world.add("brand", distinct(partial(names.brand, rng), world.names)) for _ in range(max(6, size // 16))]
    things = rng.sample(names.THING, max(2, min(len(names.THING), size // 60)))
    makers = by_topic(brands, len(things), rng)
    shops = Skewed(brands, rng, 0.7)
    urns: list[list[str]] = [[] for _ in things]
    for _ in range(size - len(brands)):
        aisle = rng.randrange(len(things))
        brand = (makers[aisle] if rng.random() < 0.7 else shops).draw()
        label, thing = world.nodes[brand].name, things[aisle]
        name = distinct(partial(names.item, rng, label, thing), world.names)
        item = world.add("item", name)
        world.join(item, "brand", brand, inverse="item")
        urn = urns[aisle if rng.random() < 0.85 else rng.randrange(len(things))]
        _shelve(world, item, urn, rng)
        urns[aisle].append(item)
    return world


def _shelve(world: World, item: str, urn: list[str], rng: random.Random) -> None:
    """What is looked at and bought beside an item: what sells, sells more."""
    for relation, inverse, counts in (
        ("also_viewed_item", "also_viewed_item", (1, 2, 3, 4)),
        ("bought_together_item", "bought_together_item", (0, 1, 1, 2)),
        ("also_bought_item", None, (1, 2, 3, 5)),
        ("buy_after_viewing_item", None, (0, 1, 2, 3)),
    ):
        for other in [rng.choice(urn) for _ in range(rng.choice(counts)) if urn]:
            world.join(item, relation, other, inverse=inverse)
            if inverse is None and rng.random() < 0.4:  # the other item lists this one too
                world.join(other, relation, item)
            urn.append(other)


_MAKERS: dict[str, Callable[[int, random.Random], World]] = {
    "academia": _academia,
    "literature": _literature,
    "e-commerce": _ecommerce,
}
GRAPHS = tuple(_MAKERS)
