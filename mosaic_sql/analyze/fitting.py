"""Which words of a question nothing in a graph fits: no relation, kind or property is called so, or by a like word."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from mosaic_sql import text as words
from mosaic_sql.analyze import moved, properties, schema, wording
from mosaic_sql.analyze.lexicon import LIGHT
from mosaic_sql.analyze.mentions import STRONG, Mention
from mosaic_sql.analyze.sentence import FUNCTION, Sentence, sentence
from mosaic_sql.records import Catalogue, Target

_OF_IT_ALL = frozenset(
    "about know known knows tell telling say says said describe described summarise summarize introduce explain detail "
    "details info information overview profile summary fact facts everything anything something mean exactly "
    "different distinct unique".split()
)
"""Words that ask for all that is known, or for nothing of their own."""
_HOW_SURE = frozenset(
    "ever never really actually truly still already yet currently now today once just only even indeed perhaps "
    "many much before after since until during used able true right each other another common together same "
    "anyone anybody anything someone somebody something few words co share shares shared sharing".split()
)


def unfit(question: str, anchors: Sequence[Target], catalogue: Catalogue) -> str:
    """The words of a question outside its names that nothing in the graph fits; empty where there are none."""
    spans = [(anchor.char_start, anchor.char_end) for anchor in anchors if anchor.char_end > anchor.char_start]
    told = sentence(question, spans)
    return left(told, wording.read(question, spans, catalogue).mentions, anchors, catalogue)


def left(told: Sentence, mentions: Sequence[Mention], anchors: Sequence[Target], catalogue: Catalogue) -> str:
    """As `unfit`, of a question that was read: its first run of such words."""
    who = not {"who", "whom"}.isdisjoint(told.forms)  # whom no number and no date tells
    known = {
        stem
        for one in catalogue.properties
        if not (who and one.owner == "node" and one.type in ("number", "date"))
        if one.owner != "node" or any(one.label in anchor.kinds for anchor in anchors)
        for stem in properties.stems(one.name)
    }
    spoken = {
        place
        for mention in mentions
        if mention.is_strong or mention.kinds or mention.roles or mention.asks
        for place in range(mention.start, mention.end)
    }
    runs = itertools.groupby(
        range(len(told.forms)),
        key=lambda place: place not in spoken and is_telling(told.forms[place]) and not _is_of(told, place, known),
    )
    return next((" ".join(told.forms[place] for place in run) for untold, run in runs if untold), "")


def is_telling(form: str) -> bool:
    """Whether a word says what is asked for, rather than how, or that all is."""
    return not form.isdigit() and form not in FUNCTION | _OF_IT_ALL | _HOW_SURE and words.stem(form) not in LIGHT


def _is_of(told: Sentence, place: int, known: set[str]) -> bool:
    return any(words.alike(words.stem(told.forms[place]), stem) for stem in known)


def unserved(question: str, anchor: Target, catalogue: Catalogue) -> str:
    """What words name, a relation or the kind of the answers, where no pattern from a node serves them; else empty."""
    spans = [(anchor.char_start, anchor.char_end)] if anchor.char_end > anchor.char_start else []
    read, told = wording.read(question, spans, catalogue), sentence(question, spans)
    focus = read.mentions[read.focus] if read.focus is not None else None
    kinds = sorted(focus.kinds & schema.given_kinds(catalogue)) if focus and not focus.beside else []
    naming = [
        one for one in read.mentions if one.is_strong and not (one.beside or one.asks or (kinds and one is focus))
    ]
    if not (naming or kinds) or (read.asks in ("when", "where") and not kinds):
        return ""
    said = f" fits “{' '.join(told.forms[naming[0].start : naming[0].end])}”" if naming else ""
    end = f" leads to `{'` or `'.join(kinds)}` as asked" if kinds else ""
    turned = _turned(read, anchor)
    if turned:
        return turned
    has = ", ".join(dict.fromkeys(f"`{relation}`" for relation, _ in anchor.steps))
    return f"no relation of {anchor.name}{' and'.join(filter(None, (said, end)))}" + (f"; it has {has}" if has else "")


def acting(question: str, anchor: Target) -> str:
    """The one word behind a name that it is said to do: how many drugs did A recall; else empty."""
    after = [token.form for token in words.tokens(question[anchor.char_end :])]
    before = [token.form for token in words.tokens(question[: anchor.char_start])]
    before = [form for form in before if form not in ("the", "a", "an")]
    told = len(after) == 1 and before[-1:] in (["do"], ["does"], ["did"]) and is_telling(after[0])
    return after[0] if told else ""


def _turned(read: wording.Wording, anchor: Target) -> str:
    """That a node has edges of a verb's relation at their other end alone; empty where it has none, or both."""
    acting = read.mentions[read.acting] if read.acting is not None else None
    touching = (one for one in read.mentions if one.touching and not one.noun and one.end <= read.anchor)
    verb = acting or next(touching, None) or next((one for one in read.mentions if one.noun and one.is_strong), None)
    if verb is None:
        return ""
    for relation, said in verb.relations.items():
        wanted, turned = (relation, said.forward > 0), (relation, said.forward <= 0)
        surely = said.strength >= STRONG and (acting is not None or moved.acts_by_name(relation, verb))
        if surely and wanted not in anchor.steps and turned in anchor.steps:
            way, other = ("outgoing", "to") if wanted[1] else ("incoming", "from")
            return f"{anchor.name} has no {way} `{relation}`; its edges of that name lead {other} it"
    return ""
