"""The refine stage: what is made of the nodes a walk found: looked up, filtered, combined, ordered, counted.

Attributes are found in the file's `schema_property` before anything runs, so a name that is not there, or a value that
does not compare, is one clear line and never an empty result.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mosaic_sql import pattern as patterns
from mosaic_sql import sqlfiles
from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.errors import PolicyError
from mosaic_sql.policy import Filter, Policy, RefinePolicy
from mosaic_sql.records import Catalogue, Found, Property, RenderedQuery, StageTime
from mosaic_sql.render import TYPED, Refinement

STAGES = ("arrival", "attribute", "refine")
_OVERLAP = {"edge": (101, 102), "node": (103, 104)}
"""Numbers of the look-ups of start and end, by where they stand; sql/refine/overlap.sql and refine.sql know them."""
_DURING = re.compile(r"(?:(?P<how>before|after|since|until)\s+)?(?P<low>.+?)(?:\s+to\s+(?P<high>.+))?", re.IGNORECASE)
_EVER = 1e12
"""A day after all others."""
_STARTS = re.compile(r"\b(start|started|starts|begin|began|beginning|from|since|inception|opened)\b")
_ENDS = re.compile(r"\b(end|ended|ends|ending|finish|finished|until|till|to|closed)\b")
_DATE = re.compile(r"\s*([+-]?\d{1,6})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:$|[^\d-])")
_NUMBER = re.compile(r"\s*[+-]?(?=\.?\d)(\d{1,3}(,\d{3})+|\d*)(\.\d*)?([eE][+-]?\d+)?\s*$")
_WRITTEN = ("%d %B %Y", "%B %d, %Y", "%d %b %Y", "%b %d, %Y", "%Y/%m/%d")


@dataclass(frozen=True)
class Refined:
    """What was made of the walk's answers: columns of `sql/refine/refine.sql`; the kept ones, each with its line.

    `overall` is their sum or mean as it is told, empty where none is asked for.
    """

    rows: pa.Table
    answers: tuple[Found, ...]
    lines: tuple[str, ...]
    overall: str = ""


def plan(policy: Policy, catalogue: Catalogue) -> Refinement:
    """What the refine controls look up, found in the schema of the file.

    Raises:
        PolicyError: an attribute or a kind that the file does not have, with the nearest name; a value that is
            no number or date where the attribute is one; a walk that has no answers to refine.
    """
    refine = policy.refine
    if not refine.is_active:
        return Refinement()
    if policy.walk.operator not in TYPED:
        raise PolicyError(
            f"refine: {policy.walk.operator} has no answers to refine; use operator meta_path or bfs with an anchor"
        )
    if refine.answers_from == "kind" and policy.walk.operator != "meta_path":
        raise PolicyError(f"answers_from: `kind` goes with operator meta_path, not {policy.walk.operator}")
    for kind in (refine.source_kind, *refine.or_kinds, refine.overlap_kind):
        if kind is not None and kind not in catalogue.kinds:
            raise PolicyError(f"refine: {_unknown('node kind', kind, catalogue.kinds)}")
    lookups = [] if refine.attribute is None else _lookups(0, refine.attribute, refine.attribute_owner, catalogue)
    filters: list[dict[str, Any]] = []
    for item in refine.filters:  # those of which any will do have one number
        number = len({row["number"] for row in filters}) + (not item.either)
        found = _lookups(number, item.attribute, item.owner, catalogue)
        filters.append(_bound(number, item, found[0]["type"]))
        lookups += () if item.either else found
    if refine.during is not None:
        first, last = window(refine.during)
        filters.append({"number": 101, "compare": "during", "text": refine.during, "low": first, "high": last})
        lookups += _spells(catalogue) if refine.overlap_kind is None else []
    if refine.overlap_kind is not None:
        lookups += _intervals(refine.overlap_kind, catalogue)
    steps = () if refine.degree_of is None else _steps(refine.degree_of, catalogue)
    return Refinement(tuple(lookups), tuple(filters), steps)


def plain(name: str) -> str:
    """A property's name as words: `birthYear` and `birth_year` are `birth year`."""
    return words.normalise(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " "))


def resolve(name: str, owner: str, properties: Iterable[Property]) -> list[Property]:
    """The properties that a name means: those written so, else those that are the same words; most values first."""
    known = [one for one in properties if owner in ("any", one.owner)]
    found = [one for one in known if one.name == name] or [one for one in known if plain(one.name) == plain(name)]
    return sorted(found, key=lambda one: (-one.count, one.owner, one.label, one.name))


def _lookups(number: int, name: str, owner: str, catalogue: Catalogue) -> list[dict[str, Any]]:
    """Rows of the parameter `lookups` for one attribute: every place of the schema that has it, all of one type."""
    found = resolve(name, owner, catalogue.properties)
    if not found and name.casefold() == "name":
        return [{"number": number, "owner": "name", "pointer": None, "relation_id": None, "type": "text"}]
    if not found:
        known = sorted({one.name for one in catalogue.properties if owner in ("any", one.owner)})
        raise PolicyError(f"attribute: {_unknown('property', name, known)}")
    return _rows(number, found, catalogue)


def _rows(number: int, found: Sequence[Property], catalogue: Catalogue) -> list[dict[str, Any]]:
    relations = {relation: relation_id for relation_id, relation in catalogue.relations}
    places = dict.fromkeys((one.owner, one.name) for one in found)
    return [
        {
            "number": number,
            "owner": owner,
            "pointer": None if owner == "relation" else _pointer(name),
            "relation_id": relations.get(name) if owner == "relation" else None,
            "type": found[0].type,
        }
        for owner, name in places
    ]


def _steps(text: str, catalogue: Catalogue) -> tuple[dict[str, Any], ...]:
    """Rows of the parameter `steps`: the edges that a pattern of one step takes."""
    automaton = patterns.parse(text)
    if (automaton.min_length, automaton.max_length) != (1, 1):
        raise PolicyError(f"degree_of: takes a pattern of one step, such as author | ^editor; not {text}")
    relations = {relation: relation_id for relation_id, relation in catalogue.relations}
    patterns.check(automaton, relations=relations, kinds=catalogue.kinds, schema=catalogue.schema)
    return tuple(
        {
            "relation_id": None if step.relation is None else relations[step.relation],
            "forward": step.forward,
            "kind": step.kind,
        }
        for step in automaton.transitions
    )


def _pointer(name: str) -> str:
    """A JSON pointer (RFC 6901) to a member."""
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _bound(number: int, item: Filter, kind: str) -> dict[str, Any]:
    """A row of the parameter `filters`: a comparison by the attribute's type."""
    row = {"number": number, "compare": item.compare, "text": item.value, "low": None, "high": None}
    if kind not in ("number", "date") or item.compare in ("contains", "missing", "present"):
        if item.compare == "between":
            raise PolicyError(f"filters: {item.attribute} is a text, `between` compares numbers and dates")
        return row
    ends = [period(text, kind) for text in (item.value, item.high if item.high is not None else item.value)]
    if ends[0] is None or ends[1] is None:
        wrong = item.value if ends[0] is None else item.high
        raise PolicyError(f"filters: {item.attribute} is compared as a {kind}, and `{wrong}` is none")
    return {**row, "low": ends[0][0], "high": ends[1][1]}


def period(text: str, kind: str) -> tuple[float, float] | None:
    """A value as the pair that sql/refine/typed.sql makes of it: a number twice, or the first and last day of a date.

    Days are year * 10000 + month * 100 + day. A bound may also be a decade, `1990s`. None where it is no such value.
    """
    if kind == "number":
        amount = float(text.replace(",", "")) if _NUMBER.match(text) else math.inf
        return (amount, amount) if math.isfinite(amount) else None
    decade = re.fullmatch(r"\s*(\d{3})0s\s*", text)
    if decade:
        return float(int(decade[1]) * 100_000 + 101), float((int(decade[1]) * 10 + 9) * 10_000 + 1231)
    match = _DATE.match(_as_iso(text.strip()))
    if not match:
        return None
    year, month, day = (int(part) if part else 0 for part in match.groups())
    first = month * 100 + (day or 1) if month else 101
    last = month * 100 + (day or 31) if month else 1231
    return float(year * 10_000 + first), float(year * 10_000 + last)


def _as_iso(text: str) -> str:
    for form in _WRITTEN:
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    try:
        return datetime.strptime(text, "%B %Y").date().isoformat()[:7]
    except ValueError:
        return text


def interval(properties: Iterable[Property]) -> tuple[list[Property], list[Property]]:
    """The properties that begin and end an interval; a lone date is both. Empty lists where there are none."""
    dated = [one for one in properties if one.type in ("date", "number")]
    starts = [one for one in dated if _STARTS.search(plain(one.name))]
    ends = [one for one in dated if _ENDS.search(plain(one.name))]
    if not starts and not ends:
        starts = ends = [one for one in dated if one.type == "date"]
    return starts, ends


def window(text: str) -> tuple[float, float]:
    """The first and last day of a time: `1981`, `1983 to 1990`, `before 1986`, `after May 1990`, `since 1990`."""
    match = _DURING.fullmatch(text.strip())
    how = (match["how"] or "").lower() if match else ""
    low = period(match["low"], "date") if match else None
    high = period(match["high"], "date") if match and match["high"] else low
    if low is None or high is None or (how and match and match["high"]):
        raise PolicyError(
            f"during: `{text}` is no time; write a date, `1983 to 1990`, or before, after, since, until one"
        )
    if how in ("before", "until"):
        return -_EVER, low[0] - 1 if how == "before" else low[1]
    return (low[1] + 1 if how == "after" else low[0]), (_EVER if how else high[1])


def _spells(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Look-ups of the start and the end of edges, by what each relation has."""
    edges = [one for one in catalogue.properties if one.owner == "edge"]
    labels = sorted({one.label for one in edges})
    both = [interval([one for one in edges if one.label == label]) for label in labels]
    rows: list[dict[str, Any]] = []
    for number, found in zip(_OVERLAP["edge"], zip(*both, strict=True), strict=False):
        names = [one for some in found for one in some]
        rows += [{**row, "type": "date"} for row in _rows(number, names, catalogue)] if names else []
    if not rows:
        raise PolicyError("during: the edges have no properties that are dates; nothing to compare")
    return rows


def _intervals(kind: str, catalogue: Catalogue) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for owner, numbers in _OVERLAP.items():
        label = kind if owner == "node" else None
        known = [one for one in catalogue.properties if one.owner == owner and label in (None, one.label)]
        if owner == "node":
            known += [one for one in catalogue.properties if one.owner == "relation" and one.label == kind]
        for number, found in zip(numbers, interval(known), strict=True):
            rows += [{**row, "type": "date"} for row in _rows(number, found, catalogue)] if found else []
        if not any(row["number"] in numbers for row in rows):
            what = f"nodes of kind `{kind}`" if owner == "node" else "edges"
            raise PolicyError(f"overlap_kind: the {what} have no properties that are dates; nothing to compare")
    return rows


def _unknown(what: str, name: str, known: Sequence[str]) -> str:
    by_plain = {plain(other): other for other in sorted(known, reverse=True)}
    near = difflib.get_close_matches(plain(name), sorted(by_plain), n=1)
    if near:
        return f"no {what} `{name}`; did you mean `{by_plain[near[0]]}`?"
    some = ", ".join(f"`{other}`" for other in sorted(known)[:10])
    more = f" and {len(known) - 10} more" if len(known) > 10 else ""
    return f"no {what} `{name}`; there {f'are {some}{more}' if known else 'is none'}"


def refine(
    database: Database, statements: Sequence[RenderedQuery], policy: Policy, *, timeout: float | None = None
) -> tuple[dict[int, Refined], list[StageTime]]:
    """Fill the stages after the walk; per question its answers. Nothing where no refinement was asked for."""
    if not policy.refine.is_active:
        return {}, []
    times = [database.fill(query, timeout=timeout) for query in statements if query.stage in STAGES]
    rows = database.table("refine.rows")
    told: dict[int, list[dict[str, Any]]] = {}
    for row in database.run(refined_answers(policy)).to_pylist():
        told.setdefault(row["question_id"], []).append(row)
    numbers: pa.Array = pc.unique(rows["question_id"])
    return {number: _of(rows, number, told.get(number, [])) for number in numbers.to_pylist()}, times


def answer_label(refine: RefinePolicy) -> str | None:
    """What the value beside a refined answer is: the attribute, or what was counted; None where nothing was read."""
    if refine.attribute is not None or refine.sort_by != "none":
        return refine.attribute or refine.sort_by
    return None if refine.having == "none" else refine.having_of


def refined_answers(policy: Policy) -> RenderedQuery:
    """The kept answers of the refine stage, or the values they have, each with its line."""
    refine = policy.refine
    name = "context.valued" if refine.row_per == "value" else "context.refined"
    values = {**refine.model_dump(), "label": answer_label(refine)}
    body = sqlfiles.load(name)
    return RenderedQuery(name, body.body, {one: values[one] for one in body.params})


def _of(rows: pa.Table, number: int, told: Sequence[dict[str, Any]]) -> Refined:
    return Refined(
        rows.filter(pc.equal(rows["question_id"], number)),
        tuple(Found(row["node_id"], row["name"], row["depth"], row["value"]) for row in told),
        tuple(row["text"] for row in told),
        next((row["overall"] for row in told if row["overall"]), ""),
    )


def counts(refined: Refined) -> dict[str, Any]:
    """Answers that came in, were kept, and fell, by the control that dropped them; kept ones without a value."""
    fell: dict[str, int] = {}
    for rule in refined.rows["pruned_by"].drop_null().to_pylist():
        fell[rule] = fell.get(rule, 0) + 1
    return {"answers": len(refined.rows), "kept": len(refined.answers), "pruned": dict(sorted(fell.items()))}


def told(refine: RefinePolicy) -> str:
    """The refine controls that differ from their defaults, in words, in the order they are applied."""
    changed = {name: value for name, value in refine.model_dump().items() if value != getattr(RefinePolicy(), name)}
    if "filters" in changed:
        changed["filters"] = refine.conditions
    return ", ".join(f"{name} {value}" for name, value in changed.items())
