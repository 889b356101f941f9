"""The operator of a question and why: from its anchors, the patterns that its words name, and what a caller set."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mosaic_sql import pattern as patterns
from mosaic_sql import text as words
from mosaic_sql.analyze import (
    anchoring,
    called,
    containing,
    cues,
    fitting,
    lexicon,
    lone,
    properties,
    scanning,
    schema,
    shapes,
    verdicts,
)
from mosaic_sql.analyze.drafting import blank, kind_in
from mosaic_sql.analyze.mentions import Likeness
from mosaic_sql.analyze.nouns import TYPE_NOUNS
from mosaic_sql.analyze.sentence import FUNCTION, entries_said
from mosaic_sql.errors import PolicyError
from mosaic_sql.policy import default_policy
from mosaic_sql.records import Catalogue, Target

_WARNING = re.compile(
    r"\b(should|must|ought|avoid\w*|unsafe|harmful|dangerous|banned|forbidden|contraindicated)\b", re.IGNORECASE
)
"""Words that ask what something is to be kept from."""
_VALUE = re.compile(
    r"\s*(?:(?:in|on|at)\s+)?(?:when|where|(?:what|which)\s+(?:year|date|day|time)"
    r"|(?:what|who)\s+(?:is|are|was|were)\s+the\s+(?:\w+\s+){1,2}of"
    r"|how\s+(?!(?:is|are|was|were|do|does|did|can|could|has|have)\b)\w+)\b",
    re.IGNORECASE,
)
"""What opens a question for one value, which the neighbourhood of a node is no answer to."""
_COUNTS = re.compile(r"\bhow many\b|\bnumber of\b", re.IGNORECASE)
_AGE_THEN = re.compile(
    r"\s*(?:how old\b.*\b(?:when|as|at (?:his|her|their|the))\b|(?:at|to) (?:what|which) age\b"
    r"|how long did \w.*\blive\W*$)",
    re.IGNORECASE,
)
"""What asks for the years between two dates."""
_ASKED = re.compile(r"\s*(?:(?:in|at|on|for|to|from|by) )?(?:which|what|how many) (?P<noun>\w+)", re.IGNORECASE)
"""What opens a question, with the noun for what it asks."""
_SAID = 0.5
"""Share of a yes-or-no question's telling words from which a pattern between two names is what it asks."""
_MUCH = re.compile(
    r"\b(?:all|every|each|none|most) (?!of them|other|time)\w+|\bboth \w+ and \w+(?! of\b)"
    r"|\b(?:its|his|her|their) (?!own)\w+",
    re.IGNORECASE,
)
"""What a path between two nodes, or from one, says neither yes nor no to."""
_WHICH = "which relation is asked for was not understood"
_PATTERNED = ("meta_path", "constrained_shortest_path", "relation_scan")
"""Operators that follow a pattern."""
_SHOWN = 8
"""Kinds or relations of a graph that are told for want of a name."""
_NEAR, _TRIED = 0.6, 3
"""How much less a pattern may be worth than the best one to be tried after it, and how many are."""


@dataclass(frozen=True)
class Held:
    """What a caller set: the named policy, the operator, the pattern."""

    named: str
    operator: str | None
    pattern: str | None


@dataclass(frozen=True)
class Choice:
    """An operator and why; for a walk over relations its pattern, the next ones to try, and its anchors.

    `unresolved` says what of the question nothing answers to; `lacks` what the graph has nothing for, where what is
    known beside it is told; `verdict` what the schema alone answers; `undone` that a name is said to have done what no
    relation is of.
    """

    operator: str
    reason: str
    pattern: str | None = None
    alternatives: tuple[str, ...] = ()
    anchors: tuple[Target, ...] = ()
    unresolved: str = ""
    lacks: str = ""
    verdict: str = ""
    undone: bool = False


def choose(
    question: str, targets: tuple[Target, ...], catalogue: Catalogue, held: Held, likeness: Likeness | None
) -> Choice:
    """The operator, its reason, and a pattern where one was found."""
    anchors = anchors_of(targets, catalogue)
    if held.operator is not None:
        return _forced(question, anchors, catalogue, held)
    if held.pattern is not None:
        operator = "constrained_shortest_path" if len(anchors) >= 2 else "meta_path"
        reason = f"{_counted(anchors)} and the caller's pattern"
        return Choice(operator, reason, held.pattern, anchors=tuple(anchors))
    if held.named == "mosaic":
        return Choice("beam", "the policy `mosaic` is the paper's beam")
    scan = scanning.find(question, catalogue) if not catalogue.chunk_count else None
    if scan and not any(anchor.weight > anchoring.SURE for anchor in anchors):
        return Choice("relation_scan", f"no anchor but “{scan.anyone}”, from: {', '.join(scan.words)}", scan.pattern)
    crowded = _crowded(question, anchors) if not catalogue.chunk_count else ""
    if crowded:
        return Choice("bfs", _counted(anchors), anchors=tuple(anchors[:1]), unresolved=crowded)
    if anchors:
        reading = anchoring.best(question, anchors, catalogue, likeness)
        choice = _verdict(verdicts.find(question, targets, catalogue), reading, catalogue)
        choice = choice or _from_anchors(reading, question, catalogue)
        if choice:
            return choice
    if catalogue.rule_edge_count and catalogue.chunk_count:
        return Choice("chunk_hop", "a text whose edges come from rules")
    if not catalogue.edge_count:
        return Choice("chunk_hop", "no edges in the corpus")
    only_graph = bool(catalogue.graph_node_count) and not (catalogue.chunk_count or anchors)
    lacks = _of_what(question, catalogue) if only_graph else ""
    return Choice("beam", "edges that were given or read by a model, and no anchor with a pattern", unresolved=lacks)


def _of_what(question: str, catalogue: Catalogue) -> str:
    """Why a question over a graph alone that names none of its nodes is not walked: what may be named instead."""
    kind, given = kind_in(question, catalogue), schema.given_kinds(catalogue)
    if kind in given:
        return f"what is asked of every {kind} was not understood"
    shown = ", ".join(sorted(given)[:_SHOWN])
    if given:
        return f"of what this is asked was not understood; name a node, or a kind of node: {shown}"
    related = ", ".join(sorted({relation for _, relation in catalogue.relations})[:_SHOWN])
    return f"of what this is asked was not understood; name a node; it has {related}"


def _crowded(question: str, anchors: Sequence[Target]) -> str:
    """That yes or no is asked of more than a path tells: of many names, of all of something, of two things at once."""
    sure = [anchor for anchor in anchors if anchor.weight > anchoring.SURE and anchor.why != "given"]
    if not anchors or not cues.asks_verdict(question) or cues.asks_relation(question):
        return ""
    said = _MUCH.search(blank(question, anchors))
    if said:
        return f"yes or no with “{said[0]}” is not served; ask for what there is"
    if len(sure) < 3:
        return ""
    return f"yes or no of {len(sure)} names at once is not served; ask it of two"


def anchors_of(targets: tuple[Target, ...], catalogue: Catalogue) -> list[Target]:
    """Names of the imported graph that a question means.

    A weak one, such as a lone common word, counts only for want of a stronger, and never if it is a word of the schema.
    """
    named = [target for target in targets if target.origin == "graph"]
    strong = [target for target in named if target.weight > anchoring.SURE]
    weak = [target for target in named if not schema.is_schema_word(target.alias_key, catalogue)]
    return strong or weak


def _counted(anchors: list[Target]) -> str:
    """How many anchors, for a reason."""
    return f"{len(anchors) or 'no'} anchor{'' if len(anchors) == 1 else 's'}"


def _forced(question: str, anchors: list[Target], catalogue: Catalogue, held: Held) -> Choice:
    """The operator that a person set, with a pattern where it needs one and none was set too."""
    operator = str(held.operator)
    default_policy(operator)  # an unknown operator is refused here, with the list of known ones
    if held.pattern is not None and operator not in _PATTERNED:
        raise PolicyError(f"pattern: {operator} follows none; leave it out, or use operator meta_path")
    if held.pattern is None and operator == "relation_scan":
        scan = scanning.find(question, catalogue)
        return Choice(operator, "set by the caller", scan.pattern if scan else None)
    needs_pattern = held.pattern is None and operator in ("meta_path", "constrained_shortest_path")
    reading = anchoring.best(question, anchors, catalogue) if needs_pattern else anchoring.Reading(())
    found = reading.shape.pattern if reading.shape else None
    return Choice(operator, "set by the caller", found, anchors=reading.anchors if found else ())


def _verdict(verdict: verdicts.Verdict | None, reading: anchoring.Reading, catalogue: Catalogue) -> Choice | None:
    """Whether one relation joins two names; a longer pattern that words name goes before a step that can not be."""
    has_text = catalogue.chunk_count > 0
    if verdict is None or (has_text and (verdict.unfit or not verdict.possible)):
        return None
    both = f"two anchors ({verdict.ends[0].name}, {verdict.ends[1].name})"
    if verdict.pattern is None:
        lacks = f"no relation of this graph fits “{verdict.unfit}”" if verdict.unfit else ""
        return Choice("shortest_path", f"{both} and no relation named", anchors=verdict.ends, lacks=lacks)
    shape = reading.shape if len(reading.anchors) == 2 else None
    if not verdict.possible and shape and set(shape.words) - set(verdict.words):
        return None
    reason = f"{both} and a pattern, from: {', '.join(verdict.words)}"
    path = verdicts.around(verdict, catalogue) or verdict.pattern
    return Choice("constrained_shortest_path", reason, path, anchors=verdict.ends)


def _from_anchors(reading: anchoring.Reading, question: str, catalogue: Catalogue) -> Choice | None:
    shape, first, has_text = reading.shape, reading.anchors[0].name, catalogue.chunk_count > 0
    if len(reading.anchors) >= 2:
        both = f"two anchors ({first}, {reading.anchors[1].name})"
        if cues.asks_relation(question) and not (shape and shape.score > 1):
            return Choice("shortest_path", f"{both} and no relation named", anchors=reading.anchors)
        asked = cues.asks_verdict(question)
        if shape and (not has_text or (asked and shape.coverage >= _SAID) or (shape.coverage >= 1 and is_sure(shape))):
            return _patterned("constrained_shortest_path", both, reading)
        unfit = "" if has_text else fitting.unfit(question, reading.anchors, catalogue)
        lacks = f"no relation of this graph fits “{unfit}”" if unfit else _WHICH if asked else ""
        lacks = "" if cues.asks_relation(question) else lacks
        reason = f"{both} and no pattern found"
        return None if has_text else Choice("shortest_path", reason, anchors=reading.anchors, lacks=lacks)
    if _AGE_THEN.match(question) and not has_text:
        lacks = f"how old {first} was then is not computed"
        return Choice("bfs", f"one anchor ({first}) and an age", anchors=reading.anchors, lacks=lacks)
    return _from_one(reading, question, catalogue)


def _from_one(reading: anchoring.Reading, question: str, catalogue: Catalogue) -> Choice | None:
    shape, (anchor, *_), has_text = reading.shape, reading.anchors, catalogue.chunk_count > 0
    first, one = anchor.name, f"one anchor ({anchor.name})"
    closed = cues.asks_verdict(question) and not has_text
    said = lone.read(question, anchor, catalogue) if closed else None
    verdict = lone.of_kind(said, catalogue) if said else ""
    if verdict:
        return Choice("bfs", f"{one} and its kind", anchors=reading.anchors, verdict=verdict)
    role = lone.in_role(said) if said else None
    if role:
        return Choice("meta_path", f"{one} and its role", role, anchors=reading.anchors)
    warned = "" if has_text or shape is None else _warned(question, reading, catalogue)
    if warned:
        lacks = f"no relation says “{warned}”, and another one may say the opposite"
        return Choice("bfs", f"{one} and no aspect named", anchors=reading.anchors, unresolved=lacks)
    unsaid = "" if has_text else _left_unsaid(question, reading, catalogue)
    if unsaid:
        lacks = f"no relation of the graph answers to “{unsaid}”"
        undone = bool(_undone(question, reading, catalogue))
        return Choice("bfs", f"{one} and no aspect named", anchors=reading.anchors, unresolved=lacks, undone=undone)
    unknown = lone.not_there(said, catalogue) if shape and said else ""
    if unknown:
        return Choice("bfs", f"{one} and a name that no node bears", anchors=reading.anchors, unresolved=unknown)
    if shape and (not has_text or is_sure(shape)):
        return replace(
            _patterned("meta_path", one, reading), lacks="" if has_text else _unused(question, reading, catalogue)
        )
    if has_text:
        return None
    contained = containing.path(question, anchor, catalogue)
    if contained:
        return Choice("meta_path", f"{one} and what is in what", contained, anchors=reading.anchors)
    unfit, verb = fitting.unfit(question, reading.anchors, catalogue), fitting.acting(question, anchor)
    undone = bool(verb and _COUNTS.search(question)) and (verb in unfit.split() or not unfit)
    if _VALUE.match(question) and not undone:
        lacks = fitting.unserved(question, anchor, catalogue)
        lacks = lacks or f"no relation or property of {first} answers to this question"
        return Choice("bfs", f"{one} and no aspect named", anchors=reading.anchors, unresolved=lacks)
    lacks = f"no relation of this graph fits “{unfit}”" if unfit else fitting.unserved(question, anchor, catalogue)
    return Choice("bfs", f"{one} and no aspect named", anchors=reading.anchors, lacks=lacks, undone=undone)


def _left_unsaid(question: str, reading: anchoring.Reading, catalogue: Catalogue) -> str:
    """A verb that the pattern leaves out, so that it would answer another question; empty for none."""
    ways = (_unsaid, _elsewhere, _undone, _misplaced)
    return next((verb for way in ways if (verb := way(question, reading, catalogue))), "")


def _undone(question: str, reading: anchoring.Reading, catalogue: Catalogue) -> str:
    """What a name is said to have done (which films did A compose), of which the graph knows no relation at all.

    A verb of several families (made) may mean the pattern, though that rests on the name of a kind; one of none does
    not.
    """
    shape, (anchor, *_) = reading.shape, reading.anchors
    after = [token.form for token in words.tokens(question[anchor.char_end :])]
    before = {token.form for token in words.tokens(question[: anchor.char_start])}
    acts = len(after) == 1 and before & {"did", "does", "do", "has"}
    if shape is None or not acts or not _rests_on_kinds(shape, catalogue):
        return ""
    families = {entry.family for entry in lexicon.entries_at(after, 0) if entry.role == "verb"}
    known = lexicon.families_of(relation for _, relation in catalogue.relations)
    said = families & known or schema.is_schema_word(after[0], catalogue) or not fitting.is_telling(after[0])
    return after[0] if len(families) < 2 and not said else ""


def _unsaid(question: str, reading: anchoring.Reading, catalogue: Catalogue) -> str:
    """A verb that speaks of some relation, where a pattern rests on names of kinds alone; empty for none."""
    shape = reading.shape
    if shape is None or not _rests_on_kinds(shape, catalogue):
        return ""
    tokens = [
        token
        for token in words.tokens(question)
        if not any(anchor.char_start <= token.start < anchor.char_end for anchor in reading.anchors)
    ]
    forms = [token.form for token in tokens]
    said = lexicon.families_of(one.relation for one in patterns.parse(shape.pattern).transitions if one.relation)
    for place, form in enumerate(forms):
        families = {entry.family for entry in entries_said(forms, place) if entry.role == "verb"}
        verbs = bool(families) and not families & said
        if verbs and fitting.is_telling(form) and words.stem(form) not in shape.words:
            return form
    return ""


def _rests_on_kinds(shape: shapes.Shape, catalogue: Catalogue) -> bool:
    """Whether nothing but the names of kinds speaks for a pattern."""
    people = {words.stem(noun) for noun in TYPE_NOUNS["who"]}
    named = {stem for kind in catalogue.kinds for stem in (*properties.stems(kind), *words.like_kind(kind))}
    return set(shape.words) <= (named | people if named & people else named)


def _warned(question: str, reading: anchoring.Reading, catalogue: Catalogue) -> str:
    """A word that asks what is to be kept from (should, avoid), and that no relation answers to; empty for none."""
    said = reading.shape.words if reading.shape else ()
    outside = blank(question, reading.anchors)
    for form in (match[0].lower() for match in _WARNING.finditer(outside)):
        if not any(words.alike(words.stem(form), word) for word in said) and not schema.is_schema_word(form, catalogue):
            return form
    return ""


def _unused(question: str, reading: anchoring.Reading, catalogue: Catalogue) -> str:
    """That words say more than a pattern does (which thrillers), and nothing is called so; empty for none.

    Where nodes have no kinds, it is told of the noun for what is asked alone: which stations did A found.
    """
    unfit = fitting.unfit(question, reading.anchors, catalogue)
    asked = _ASKED.match(question)
    if not schema.given_kinds(catalogue) and not (asked and unfit.startswith(asked["noun"].lower())):
        return ""
    said = reading.shape.words if reading.shape else ()
    is_said = any(words.alike(words.stem(form), word) for form in unfit.split() for word in said)
    return f"“{unfit}” names no node, relation or kind" if unfit and not is_said else ""


def uncounted(question: str, choice: Choice) -> bool:
    """Whether what is to be counted is called by a noun that nothing in the graph is called by."""
    asked = _ASKED.match(question)
    return bool(asked and _COUNTS.match(question) and choice.lacks.startswith(f"“{asked['noun'].lower()}"))


def _elsewhere(question: str, reading: anchoring.Reading, catalogue: Catalogue) -> str:
    """What is said beside `where`, if that is all that a pattern was read for (goes to school, where work is known)."""
    if reading.shape is None or set(reading.shape.words) != {"where"}:
        return ""
    return fitting.unfit(question, reading.anchors, catalogue)


def _misplaced(question: str, reading: anchoring.Reading, catalogue: Catalogue) -> str:
    """The noun for another place than the pattern leads to: in which city, where a thing is in a museum there."""
    if reading.shape is None or len(reading.anchors) != 1:
        return ""
    return called.other_place(question, reading.shape.pattern, reading.anchors[0].kinds, catalogue)


def _patterned(operator: str, anchors: str, reading: anchoring.Reading) -> Choice:
    """A walk along the best pattern, with the next ones for want of an answer."""
    best, *others = reading.shapes
    reason = f"{anchors} and a pattern, from: {', '.join(best.words)}"
    alike = [other for other in others if set(best.words) <= set(other.words)]  # what they say is no other question
    near = tuple(other.pattern for other in alike if other.score > best.score - _NEAR)[:_TRIED]
    return Choice(operator, reason, best.pattern, near, reading.anchors)


def is_sure(shape: shapes.Shape) -> bool:
    """Whether a pattern explains a question so well that the text beside the graph need not be read."""
    return shape.score >= max(1.2, 0.9 * shape.length) and shape.coverage >= 0.7


def asks_to_join(question: str, anchors: Sequence[Target], catalogue: Catalogue) -> bool:
    """Whether yes or no is told by a path between two names: is there a publisher of books by both A and B?"""
    if len(anchors) != 2 or not cues.asks_verdict(question) or _says_apart(question, anchors, catalogue):
        return False
    shape = anchoring.read(question, tuple(anchors), catalogue).shape
    return shape is not None and shape.coverage >= _SAID


def _says_apart(question: str, anchors: Sequence[Target], catalogue: Catalogue) -> bool:
    """Whether the second of two names has words of its own: directed by A and written by B."""
    first, second = sorted(anchors, key=lambda one: one.char_start)
    forms = [token.form for token in words.tokens(question[first.char_end : second.char_start])]
    named = all(form in FUNCTION or schema.is_schema_word(form, catalogue) for form in forms)
    verbs = any(entry.role == "verb" for place in range(len(forms)) for entry in lexicon.entries_at(forms, place))
    return "and" in forms and (verbs or not named)
