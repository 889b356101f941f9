"""Yes or no of one name alone: "Is A a singer?", "Is A on the Purple Line?", where nothing is called so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mosaic_sql import pattern
from mosaic_sql.analyze import fitting, schema, wording
from mosaic_sql.analyze.mentions import Mention
from mosaic_sql.analyze.sentence import BE, FUNCTION, Sentence, sentence
from mosaic_sql.records import Catalogue, Target


class Said(NamedTuple):
    """A question of one name, read once."""

    question: str
    anchor: Target
    told: Sentence
    read: wording.Wording


def read(question: str, anchor: Target, catalogue: Catalogue) -> Said:
    """Read a question around its one name."""
    spans = [(anchor.char_start, anchor.char_end)] if anchor.char_end > anchor.char_start else []
    return Said(question, anchor, sentence(question, spans), wording.read(question, spans, catalogue))


def of_kind(said: Said, catalogue: Catalogue) -> str:
    """Whether a node is of the kind that a question names, in words; empty where it asks for something else."""
    anchor, mentions = said.anchor, said.read.mentions
    given = schema.given_kinds(catalogue)
    asked = [kind for mention in mentions for kind in sorted(mention.kinds & given)]
    own = [kind for kind in anchor.kinds if kind in given]
    if not (asked and own) or not _is_said_to_be(said.told, [mention for mention in mentions if mention.kinds]):
        return ""
    shown = " and ".join(f"`{kind}`" for kind in own)
    if set(asked) & set(own):
        return f"Yes: {anchor.name} is of kind {shown}"
    return f"No: {anchor.name} is of kind {shown}, not `{asked[0]}`"


def in_role(said: Said) -> str | None:
    """The step that a node takes in the role that a question names, as a pattern: is A a teacher, who teaches."""
    nouns = [mention for mention in said.read.mentions if mention.noun and mention.is_strong]
    if len(nouns) != 1 or not _is_said_to_be(said.told, nouns):
        return None
    relation, evidence = max(nouns[0].relations.items(), key=lambda each: (each[1].strength, each[0]))
    return pattern.format_path([(relation, evidence.forward < 0)])


def _is_said_to_be(told: Sentence, nouns: Sequence[Mention]) -> bool:
    """Whether a question is whether A is a NOUN, and nothing more."""
    opens = bool(told.forms) and told.forms[0] in BE and told.forms[told.anchor : told.anchor + 1] in (["a"], ["an"])
    named = {place for mention in nouns for place in range(mention.start, mention.end)}
    return opens and bool(named) and set(range(told.anchor + 1, len(told.forms))) <= named


def not_there(said: Said, catalogue: Catalogue) -> str:
    """What a question wants to hold of a node, and nothing in the graph is or fits; empty where all of it is known."""
    told = said.told
    left = fitting.left(told, said.read.mentions, (said.anchor,), catalogue)
    if not left:
        return ""
    start = end = told.forms.index(left.split()[0])
    while start and told.forms[start - 1] not in FUNCTION and start != told.anchor:
        start -= 1
    while end + 1 < len(told.forms) and told.forms[end + 1] not in FUNCTION:
        end += 1
    if told.forms[max(0, start - 1)] in ("a", "an"):
        return f"nothing in this graph fits “{left}”"
    return f'no node is called "{said.question[told.tokens[start].start : told.tokens[end].end]}"'
