"""The names of a corpus among the words of a question: quoted ones first, then the longest from left to right."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence, Set

from mosaic_sql import text as words
from mosaic_sql.link.names import Name, Names
from mosaic_sql.link.namesakes import BUT_FOR_MARKS, choose
from mosaic_sql.link.targets import Hit
from mosaic_sql.link.wording import Wording, runs

_BEING = frozenset("is was are were".split())
_ASKING = frozenset("who which what".split())
Others = Callable[[str], Sequence[str]]
"""A word in small letters -> the names of nodes that it may stand for: women, female."""
_SMALL_LENGTH = 8
"""Words of a name that has small words only (To Be or Not to Be)."""


def find(wording: Wording, names: Names) -> list[Hit]:
    """The names that a question holds, in its order, none over another."""
    spans = _spans(wording, names)
    spans += _small(wording, names, {place for start, end, _ in spans for place in range(start, end)})
    hits = [Hit(start, end, key, wording.span(start, end)) for start, end, key in spans]
    return sorted([*hits, *_signs(wording, names)], key=lambda hit: hit.place)


def without_schema_words(wording: Wording, hits: list[Hit], names: Names) -> list[Hit]:
    """The hits without lone words in small letters that ask for a kind or a relation, where the graph has others."""
    asking = [hit for hit in hits if _asks(wording, hit) and all(one.is_graph for one in names.known[hit.key])]
    asking = [hit for hit in asking if not _is_of_sort(wording, hit)]
    others = [hit for hit in hits if hit not in asking and _is_graph(names, hit.key)]
    return [hit for hit in hits if hit not in asking] if others else hits


def plurals(wording: Wording, names: Names, hits: Collection[Hit]) -> list[Hit]:
    """Nodes of the graph that are said in the plural (thrillers, short stories), outside of other names."""
    found: list[Hit] = []
    held = {place for hit in hits for place in range(hit.start, hit.end)}
    for start, end, key in wording.plurals():
        if held.isdisjoint(range(start, end)) and not wording.schema.sorts(wording.tokens[end - 1].form):
            names.resolve([key])
            if _is_graph(names, key):
                found.append(Hit(start, end, key, wording.span(start, end)))
                held |= set(range(start, end))
    return found


def sayings(wording: Wording, names: Names, hits: Collection[Hit], others: Others) -> list[Hit]:
    """Nodes of the graph that are said in another word (women: female), outside of other names."""
    held = {place for hit in hits for place in range(hit.start, hit.end)}
    found: list[Hit] = []
    for place, token in enumerate(wording.tokens):
        if place in held or token.strong or wording.schema.is_kind(token.form):
            continue
        for key in others(token.form):
            names.resolve([key])
            if _is_graph(names, key):
                found.append(Hit(place, place + 1, key, wording.span(place, place + 1)))
                break
    return found


def _asks(wording: Wording, hit: Hit) -> bool:
    if hit.end - hit.start != 1 or (hit.start, hit.end) in wording.quoted:
        return False
    token = wording.tokens[hit.start]
    return not token.strong and wording.schema.speaks(token.form) and not _is_role(wording, hit.start)


def _is_of_sort(wording: Wording, hit: Hit) -> bool:
    """Whether a word behind `which` is what somebody is called (a poet), and no name of a kind or a relation."""
    chosen = hit.start > 0 and wording.tokens[hit.start - 1].form in ("which", "what")
    return chosen and wording.schema.is_role(wording.tokens[hit.start].form)


def _is_role(wording: Wording, place: int) -> bool:
    """Whether a word that the schema lacks says what somebody serves as: it asks for nothing."""
    before = [token.form for token in wording.tokens[max(0, place - 2) : place] if token.form not in ("a", "an", "the")]
    said = before[-1:] == ["as"] or _is_said_to_be(wording, place)
    return said and not wording.schema.holds(wording.tokens[place].form)


def _is_said_to_be(wording: Wording, place: int) -> bool:
    """Whether a word is what something is asked to be: is A a poet, who is a poet and a diplomat."""
    forms = [token.form for token in wording.tokens]
    ends = place + 1 == len(forms) or (forms[place + 1] == "and" and forms[0] in _ASKING)
    opens = any(form in _BEING for form in forms[: 1 + (forms[0] in _ASKING)])
    return opens and ends and forms[place - 1] in ("a", "an")


def _spans(wording: Wording, names: Names) -> list[tuple[int, int, str]]:
    """Names as (first word, end word, key). A name whose nodes are not read yet counts as one of the first rank."""
    while True:
        quoted = _quoted(wording, names)
        first = {key for key, found in names.known.items() if any(one.is_title or one.is_graph for one in found)}
        spans = quoted + _scan(wording, first | set(names.waiting), _places(quoted))
        if not names.resolve(key for _, _, key in spans):
            break
    others = {key for key, found in names.known.items() if _may_stand_alone(found)}
    return spans + _scan(wording, others, _places(spans))


def _places(spans: list[tuple[int, int, str]]) -> set[int]:
    return {place for start, end, _ in spans for place in range(start, end)}


def _quoted(wording: Wording, names: Names) -> list[tuple[int, int, str]]:
    """Words in quotation marks that are a name of the graph as a whole, whatever words they are."""
    keyed = [(start, end, _key(wording, start, end)) for start, end in wording.quoted]
    names.resolve(key for _, _, key in keyed)
    return [span for span in keyed if _is_graph(names, span[2])]


def _scan(wording: Wording, keys: Collection[str], taken: Collection[int]) -> list[tuple[int, int, str]]:
    index = words.NameIndex(keys)
    if not taken:
        return index.scan(wording.tokens, strong=False)
    free = runs(place for place in range(len(wording.tokens)) if place not in taken)
    return [
        (first + start, first + end, key)
        for first, last in free
        for start, end, key in index.scan(wording.tokens[first:last], strong=False)
    ]


def _small(wording: Wording, names: Names, taken: Set[int]) -> list[tuple[int, int, str]]:
    """Names of the graph that are small words or a number: with capitals, or after the word for a kind."""
    tokens, found, place = wording.tokens, list[tuple[int, int, str]](), 0
    while place < len(tokens):
        form = tokens[place].form
        longest = _SMALL_LENGTH if form in words.STOP_WORDS else 1 if form.isdigit() else 0
        lengths = range(min(longest, len(tokens) - place), 0, -1)
        ends = (place + length for length in lengths if taken.isdisjoint(range(place, place + length)))
        end = next((end for end in ends if _is_small(wording, names, place, end)), 0)
        if end:
            found.append((place, end, _key(wording, place, end)))
        place = end or place + 1
    return found


def _is_small(wording: Wording, names: Names, start: int, end: int) -> bool:
    run, key = wording.tokens[start:end], _key(wording, start, end)
    is_number = len(run) == 1 and run[0].form.isdigit()
    if not is_number and any(token.form not in words.STOP_WORDS for token in run):
        return False
    if key not in names.known and key not in names.waiting:
        return False
    names.resolve([key])
    if not _is_graph(names, key):
        return False
    if is_number:
        return True
    standing = wording.standing(start, end)
    capital = standing.capital or (len(run) > 2 and wording.cased and run[0].strong)
    if standing.beside_kind:
        return capital or end == len(wording.tokens)
    best = choose(names.known[key], wording.question, wording.span(start, end)).chosen[0]
    return capital and key != "i" and best.score >= BUT_FOR_MARKS


def _signs(wording: Wording, names: Names) -> list[Hit]:
    """Names of the graph without a letter or digit, the longer where two begin alike."""
    found: dict[int, Hit] = {}
    for start, end in wording.signs:
        key = wording.question[start:end].strip().casefold()
        names.resolve([key])
        if start not in found and _is_graph(names, key):
            found[start] = Hit(0, 0, key, (start, end))
    return list(found.values())


def _key(wording: Wording, start: int, end: int) -> str:
    return " ".join(token.form for token in wording.tokens[start:end])


def _is_graph(names: Names, key: str) -> bool:
    return any(name.is_graph for name in names.known.get(key, ()))


def _may_stand_alone(names: Collection[Name]) -> bool:
    """Nodes of an imported graph, and names that the text uses in more than one place."""
    return any(name.is_graph or name.chunk_count > 1 for name in names)
