"""What a question asks to be done with what is found: order, count, group, compare. English wordings, no schema.

Each cue is found in the question with the names in it blanked out, and says which characters it spoke with, so that
these words speak for no relation.
"""

from __future__ import annotations

import re
from dataclasses import replace

from mosaic_sql.analyze import timing
from mosaic_sql.analyze.amounts import AMOUNT, N, number, shown
from mosaic_sql.analyze.calendar import PART_OF_YEAR, months
from mosaic_sql.analyze.families import ADJECTIVES, COMPARATIVES, SIZE, STATES, SUPERLATIVES, TIME
from mosaic_sql.analyze.wants import Asked, Bound, Often, Sort, State
from mosaic_sql.text import blanked

__all__ = ["Asked", "Bound", "Often", "Sort", "State", "as_often", "bare_number", "is_plural", "number", "read"]

_ORDINALS = {
    word: number
    for number, word in enumerate("second third fourth fifth sixth seventh eighth ninth tenth".split(), start=2)
}
_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_DAY = rf"(?:\d{{4}}-\d\d(?:-\d\d)?|(?:\d{{1,2}} )?(?:{_MONTH}) (?:\d{{1,2}}, )?\d{{4}}|(?:the )?\d{{3}}0s|[12]\d{{3}})"
_ORDER = "|".join(sorted(map(re.escape, SUPERLATIVES), key=len, reverse=True))
_NTH = rf"{'|'.join(_ORDINALS)}|\d+(?:nd|rd|th)"
_MORE = {
    "more than": (">", 1), "over": (">", 1), "above": (">", 1), "greater than": (">", 1), "larger than": (">", 1),
    "higher than": (">", 1), "longer than": (">", 1), "exceeding": (">", 1), "at least": (">=", 0),
    "no fewer than": (">=", 0), "no less than": (">=", 0), "less than": ("<", -1), "fewer than": ("<", -1),
    "under": ("<", -1), "below": ("<", -1), "shorter than": ("<", -1), "smaller than": ("<", -1), "at most": ("<=", 0),
    "no more than": ("<=", 0), "up to": ("<=", 0), "exactly": ("=", 0), "only": ("=", 0),
}  # fmt: skip
_OF_ONE = frozenset("taller heavier lighter richer wealthier poorer".split())
"""Comparatives that are of a number of something, and never of how many there are."""
_MEASURES = {
    f"{word} than": order for word, order in COMPARATIVES.items() if word in _OF_ONE or not {*order[0]} & {*TIME, *SIZE}
}
_MORE = {**{said: (">", 1) if more else ("<", -1) for said, (_, more) in _MEASURES.items()}, **_MORE}
_THAN = "|".join(sorted(map(re.escape, _MORE), key=len, reverse=True))


def _cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_COUNT = _cue(
    r"\b(?:how many(?! times\b)|(?:what is )?the (?:total )?number of|^number of|count (?:of )?(?:the|all)"
    r"|(?P<mean>average|mean) number of(?=.*\b(?:each|every|per)\b))\b"
)
_APART = re.compile(r"\s*(different|distinct|unique)\b", re.IGNORECASE)
_TIMES = _cue(rf"\b(?:(?P<than>{_THAN}) )?(?:(?P<word>once|twice|thrice)|(?P<n>{N}) times)\b")
_RANKED = _cue(
    rf"\b(?:(?P<top>top|first|last) (?P<top_n>{N})\b|(?:(?P<n>{N}) )?(?:(?P<nth>{_NTH})[ -])?(?P<word>{_ORDER})\b"
    rf"(?! (?:name|names|year|month|week|century|more than|less than|longer|at least|at most|over|for|until|from)\b)"
    rf"(?: (?P<after>{N})\b)?)"
)
_NTH_ALONE = _cue(rf"\b(?P<nth>{_NTH})\b")
_SORTED = _cue(
    r"\b(?:sorted|ordered|ranked|order|sort|rank) (?:them )?by(?: the| their)? (?P<noun>\w+(?: (?!asc|desc)\w+)?)"
    r"(?P<down> desc\w*| asc\w*)?"
    r"|\bby (?!(?:who|whom|what|which|nobody|no|none|him|her|them|it|the|an?|its|their)\b)(?P<by>\w+)\s*[?.]?\s*$"
)
_BY = _cue(
    r"\bby (?!(?:who|whom|what|which|nobody|no|none|him|her|them|it|an?)\b)(?:the |their )?(?P<by>\w+(?: \w+){1,3})"
    r"\s*[?.!]*\s*$"
)
"""By what the largest are told, in several words: by box office, by number of employees."""
_END = rf"{_ORDER}|high|low|most|fewest|least"
_FROM_TO = _cue(
    rf"(?:,\s*)?\b(?:from )?(?:the )?(?P<word>{_END}) (?:down |up )?to (?:the )?"
    rf"(?:{_END})\b(?: (?!by\b)(?P<noun>\w+))?"
)
_FIRST = _cue(rf",?\s*\b(?P<word>{_END}) (?:ones? )?first\b(?P<noun>(?!))?")
_DIRECTION = _cue(
    r",?\s*\b(?:in )?(?P<word>(?:de|a)scending)(?: order)?\b(?: (?:of|by)(?: the| their)? (?P<noun>\w+))?"
)
_ORDERS, _ALL = r"sort|order|rank|arrange", r"(?=(?:all|the|every|\w+s)\b)"
_ORDERING = _cue(rf"^\W*(?:please )?(?:{_ORDERS}) {_ALL}")
_LISTING = _cue(rf"^\W*(?:please )?(?:{_ORDERS}|list) {_ALL}")
_DIRECTIONS = {
    **dict.fromkeys(("high", "most", "descending"), True),
    **dict.fromkeys(("low", "fewest", "least", "ascending"), False),
}
_MOST = _cue(
    rf"\b(?<!\bat )(?:the )?(?:(?P<n>{N}) )?(?:(?P<nth>{_NTH})[ -])?"
    r"(?P<way>most|fewest|least) (?:(?:other|different|distinct) )?(?P<noun>often|frequently|times|\w+)\b"
)
_MOST_OF_THEM = _cue(r"\b(?<!\bat )the (?P<way>most|fewest|least)(?= {3}|\s*[?.!]*\s*$)")
"""Of things that are named, and their name blanked out."""
_BETWEEN = _cue(rf"\b(?:between|from) (?P<low>{_DAY}) (?:and|to|until) (?P<high>{_DAY})\b")
_MONTHS = _cue(
    rf"\b(?:between|from) (?P<low>{_MONTH}) (?:and|to|until|through) (?P<high>(?:{_MONTH}) (?P<year>\d{{4}}))\b"
)
"""From one month to another of the same year, which is said once."""
_HOW_WHEN = "before|prior to|earlier than|until|up to|by|since|after|later than|in|during|on|of|from"
_WHEN = _cue(
    rf"\b(?P<how>{_HOW_WHEN}) (?P<day>{_DAY})"
    rf"(?P<on> or (?:later|earlier|after|before)(?! {_DAY})| onwards?)?(?![\w,]*\d)\b"
)
_OR_WHEN = _cue(rf"\s*,?\s*\bor (?:(?P<how>{_HOW_WHEN}) )?(?P<day>{_DAY})(?![\w,]*\d)\b")
_SPAN = _cue(rf"\bbetween (?P<low>{AMOUNT}) and (?P<high>{AMOUNT})(?: (?P<noun>\w+))?")
_THAN_N = _cue(rf"\b(?P<than>{_THAN}) (?P<n>{AMOUNT})(?: (?P<noun>\w+))?")
_N_OR_MORE = _cue(rf"\b(?P<n>{AMOUNT}) or (?P<way>more|fewer|less)\b(?: (?P<noun>\w+))?")
_EITHER_N = _cue(rf"\b(?P<low>{AMOUNT}) or (?P<n>{AMOUNT}) (?P<noun>\w+s)\b")
_N_OF = _cue(rf"\b(?:the|which|what|name|list) (?P<n>{N}) (?P<noun>\w+s)\b")
_BARE_N = _cue(rf"\b(?!one\b)(?P<n>{N}) (?P<noun>\w+s)\b")
_HOW = _cue(rf"\bhow (?P<word>{'|'.join(ADJECTIVES)})\b")
_OVERALL = _cue(r"\b(?:the )?(?:(?P<mean>average|(?<=the )mean(?= \w))|total(?! number\b)|combined|sum of(?: the)?)\b")
_EACH = _cue(r"\b(?:(?:for|in|of|by|from) )?(?:each|every|per)(?: of the| single)? (?P<noun>\w+)\b")
_STATES = "|".join(sorted(STATES, key=len, reverse=True))
_STATE = _cue(
    rf"(?:^|(?<=  )|\b(?:are|is|was|were|has|have|still|now|already|not) )(?P<word>{_STATES})\s*(?:$|[?.!]|\band\b)"
    rf"|\b(?P<before>living|dead|deceased|defunct)(?= \w+s\b)"
)
_BEFORE_AFTER = {
    "before": "<", "prior to": "<", "earlier than": "<", "until": "<=", "up to": "<=", "by": "<=", "since": ">=",
    "after": ">", "later than": ">", "in": "=", "during": "=", "on": "=", "of": "=",
    "from": "=",
}  # fmt: skip
_AS_SIGN = {">": ">=", "<": "<=", "=": "=", ">=": ">=", "<=": "<="}


def read(question: str) -> Asked:
    """The cues of a question whose names have been blanked out."""
    asked = Asked(question)
    for step in (
        _count,
        _each,
        _state,
        _overall,
        _times,
        timing.century,
        timing.order,
        _between,
        _when,
        _in_order,
        _sorted,
        _most,
        _ranked,
        _than,
        _or_more,
        _nth,
        _how,
    ):
        step(asked)
    return asked


def _whole(text: str) -> int:
    return int(number(text) or 1)


def _take(asked: Asked, pattern: re.Pattern[str], *, keep: str = "") -> re.Match[str] | None:
    """The first match; its words are blanked out, except the group `keep`."""
    match = pattern.search(asked.rest)
    if match:
        start, end = match.span()
        blank = re.sub(r"\S", " ", asked.rest[start:end])
        if keep and match[keep] is not None:
            first, last = match.start(keep) - start, match.end(keep) - start
            blank = blank[:first] + match[keep] + blank[last:]
        asked.rest = asked.rest[:start] + blank + asked.rest[end:]
    return match


def _count(asked: Asked) -> None:
    match = _take(asked, _COUNT)
    asked.count = match is not None
    asked.overall = "mean" if match and match["mean"] else ""
    if match and (apart := _APART.match(asked.rest, match.end())):
        asked.rest = blanked(asked.rest, *apart.span(1))


def _each(asked: Asked) -> None:
    """For each of a kind, where something is counted."""
    match = _take(asked, _EACH, keep="noun") if asked.count else None
    if match:
        asked.each = match["noun"].lower()


def _state(asked: Asked) -> None:
    """Whether things are alive, closed: behind a form of to be or to have."""
    match = _STATE.search(asked.rest)
    if match:
        said = match["word"] or match["before"]
        asked.rest = blanked(asked.rest, *match.span("word" if match["word"] else "before"))
        asked.state = State(said, *STATES[said.lower()])


def _overall(asked: Asked) -> None:
    match = None if asked.overall else _take(asked, _OVERALL)
    if match and (match["mean"] or not asked.count):  # how many in total is their number
        asked.overall = "mean" if match["mean"] else "sum"


def _times(asked: Asked) -> None:
    match = _take(asked, _TIMES)
    if match:
        count = {"once": 1, "twice": 2, "thrice": 3}[match["word"].lower()] if match["word"] else _whole(match["n"])
        asked.often = _often(match[0], match["than"], count)


def _often(said: str, than: str | None, count: int, noun: str = "") -> Often:
    sign, step = _MORE[than.lower()] if than else ("=", 0)
    return Often(said, _AS_SIGN[sign], count + step, noun)


def _between(asked: Asked) -> None:
    if of_year := _take(asked, PART_OF_YEAR):
        asked.bounds.append(Bound(of_year[0], "date", "between", *months(of_year), place=of_year.start()))
        return
    within = _take(asked, _MONTHS)
    if within:
        low = f"{within['low']} {within['year']}"
        asked.bounds.append(Bound(within[0], "date", "between", _bare(low), _bare(within["high"])))
        return
    match = _take(asked, _BETWEEN)
    if match:
        asked.bounds.append(
            Bound(match[0], "date", "between", _bare(match["low"]), _bare(match["high"]), place=match.start())
        )
        return
    span = _take(asked, _SPAN, keep="noun")
    if span and number(span["low"]) is not None and number(span["high"]) is not None:
        low, high = (shown(number(span[name])) for name in ("low", "high"))
        asked.bounds.append(Bound(span[0], "number", "between", low, high, span["noun"] or ""))


def _bare(day: str) -> str:
    return day.lower().removeprefix("the ").strip()


def _when(asked: Asked) -> None:
    while match := _take(asked, _WHEN):
        sign = _BEFORE_AFTER[match["how"].lower()]
        later = (match["on"] or "").strip().lower()
        if later:
            sign = ">=" if later.startswith(("onward", "or later", "or after")) else "<="
        asked.bounds.append(Bound(match[0], "date", sign, _bare(match["day"]), place=match.start()))
        _or_when(asked, match.end(), sign)


def _or_when(asked: Asked, place: int, sign: str) -> None:
    """Further dates, any of which will do: in 1979 or 1982, before 1950 or after 1990."""
    while match := _OR_WHEN.match(asked.rest, place):
        sign, place = _BEFORE_AFTER[match["how"].lower()] if match["how"] else sign, match.end()
        asked.rest = blanked(asked.rest, match.start(), place)
        said, day = match[0].strip(" ,").removeprefix("or "), _bare(match["day"])
        asked.bounds.append(Bound(said, "date", sign, day, either=True, place=match.start()))


def _in_order(asked: Asked) -> None:
    """All of them in an order whose two ends, first one or direction is told: best first, from best to worst."""
    match = next(filter(None, (pattern.search(asked.rest) for pattern in (_FROM_TO, _FIRST, _DIRECTION))), None)
    by = _SORTED.search(blanked(asked.rest, *match.span())) if match else None
    if match is None:
        if _ORDERING.match(asked.rest) and _SORTED.search(asked.rest):
            _take(asked, _ORDERING)
        return
    word, noun = match["word"].lower(), match["noun"] or (by and (by["noun"] or by["by"])) or ""
    family, down = SUPERLATIVES.get(word) or (None, _DIRECTIONS[word])
    if not (noun or family):
        return
    _take(asked, match.re)
    if by:
        asked.rest = blanked(asked.rest, *by.span())
    _take(asked, _ORDERING)
    asked.sort = Sort(match[0].strip(" ,"), down, family, noun.lower())


def _sorted(asked: Asked) -> None:
    match = None if asked.sort else _take(asked, _SORTED)
    if match:
        down = not (match["down"] or "").strip().lower().startswith("asc")
        asked.sort = Sort(match[0].strip(), down, noun=match["noun"] or match["by"])
        return
    lists = _RANKED.search(asked.rest) or _LISTING.match(asked.rest)
    if not asked.sort and lists and (match := _take(asked, _BY)):
        asked.sort = Sort(match[0].strip(), True, noun=match["by"])
        _take(asked, _ORDERING)


def _most(asked: Asked) -> None:
    of_them = None if asked.sort else _take(asked, _MOST_OF_THEM)
    if of_them:
        asked.sort = Sort(of_them[0], of_them["way"].lower() == "most", often=True, extreme=True)
    match = _MOST.search(asked.rest)
    if not match or asked.sort or f"most {match['noun'].lower()}" in SUPERLATIVES:
        return
    noun, some = match["noun"].lower(), _N_OF.search(asked.rest[: match.start()])
    _take(asked, _MOST, keep="noun")
    offset = _place(match["nth"]) - 1 if match["nth"] else 0
    often, limit = noun in ("often", "frequently", "times"), 1 if offset else None
    if match["n"]:  # the two most cited papers
        limit = _whole(match["n"])
    elif some:  # the two directors with the most films
        limit = _whole(some["n"])
        asked.rest = blanked(asked.rest, *some.span("n"))
    most = match["way"].lower() == "most"
    noun = "" if often else noun
    asked.sort = Sort(match[0], most, noun=noun, often=often, offset=offset, limit=limit, extreme=limit is None)


def _ranked(asked: Asked) -> None:
    match = _take(asked, _RANKED)
    if not match:
        return
    if match["top"]:
        _top(asked, match)
        return
    family, down = SUPERLATIVES[match["word"].lower()]
    some = match["n"] or match["after"] or timing.of_them(asked, match)
    offset = _place(match["nth"]) - 1 if match["nth"] else 0
    noun = re.match(r"\s*(\w+)", asked.rest[match.end() :])
    many = not some and not offset and bool(noun and is_plural(noun[1]))
    one = not some and not offset and not many
    limit = _whole(some) if some else 1 if offset else None
    said, by = noun[1].lower() if noun else "", asked.sort
    if by and by.words.lower().startswith("by "):  # the largest by revenue: by that, whatever is largest by itself
        asked.sort = replace(by, descending=down, offset=offset, limit=limit, extreme=one)
        if noun and noun[1].lower().endswith(("ing", "ed")):  # the highest grossing by box office
            asked.rest = blanked(asked.rest, match.end() + noun.start(1), match.end() + noun.end(1))
        return
    asked.sort = Sort(match[0], down, family, said, offset=offset, limit=limit, extreme=one)


def _top(asked: Asked, match: re.Match[str]) -> None:
    """The top five, by size where nothing says by what; the first and the last five, by time."""
    limit, word = _whole(match["top_n"]), match["top"].lower()
    if asked.sort:
        asked.sort = replace(asked.sort, limit=limit, extreme=False)
    else:
        asked.sort = Sort(match[0], word != "first", SIZE if word == "top" else TIME, limit=limit)


def is_plural(word: str) -> bool:
    """Whether a noun looks like a plural."""
    return len(word) > 3 and word.lower().endswith("s") and not word.lower().endswith(("ss", "us", "is"))


def _place(word: str) -> int:
    return _ORDINALS.get(word.lower()) or int(re.sub(r"\D", "", word))


def _than(asked: Asked) -> None:
    """A comparison with a number: of a property, or of how often; the schema tells which."""
    while match := _take(asked, _THAN_N, keep="noun"):
        amount = number(match["n"])
        if amount is None:
            return
        sign = _MORE[match["than"].lower()][0]
        than = match["than"].lower()
        measure = _MEASURES.get(than) or COMPARATIVES.get(than.removesuffix(" than"))
        family = measure[0] if measure else None
        noun = (match["noun"] or "").lower()
        asked.bounds.append(Bound(match[0], "number", sign, shown(amount), noun=noun, family=family))


def _or_more(asked: Asked) -> None:
    """Two or more, three or fewer, one or two."""
    match = _take(asked, _N_OR_MORE, keep="noun")
    if match:
        sign = ">=" if match["way"].lower() == "more" else "<="
        noun = (match["noun"] or "").lower()
        asked.bounds.append(Bound(match[0], "number", sign, shown(number(match["n"])), noun=noun))
    elif match := _take(asked, _EITHER_N, keep="noun"):
        low, high = (shown(number(match[name])) for name in ("low", "n"))
        asked.bounds.append(Bound(match[0], "number", "=", low, high, match["noun"].lower(), either=True))


def _nth(asked: Asked) -> None:
    """The second of something, with nothing to say second by what: by time."""
    if asked.sort:
        return
    match = _take(asked, _NTH_ALONE)
    if match:
        asked.sort = Sort(match[0], False, TIME, offset=_place(match["nth"]) - 1, limit=1)


def _how(asked: Asked) -> None:
    match = _take(asked, _HOW)
    if match:
        asked.how = ADJECTIVES[match["word"].lower()]


def bare_number(asked: Asked) -> Bound | None:
    """How many, with no word to compare by: exactly two films."""
    match = _take(asked, _BARE_N, keep="noun")
    return match and Bound(match[0], "number", "=", shown(number(match["n"])), noun=match["noun"].lower())


def as_often(bound: Bound) -> Often:
    """A comparison with a number read as how often an answer is reached; of one or more, the most."""
    if bound.high is not None:
        return Often(bound.words, "<=", int(float(bound.high)), bound.noun)
    step = {">": 1, "<": -1}.get(bound.compare, 0)
    return Often(bound.words, _AS_SIGN[bound.compare], int(float(bound.value)) + step, bound.noun)
