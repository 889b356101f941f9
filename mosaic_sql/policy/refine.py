"""What is done with the nodes that a walk found: look up, filter, combine, group, sort, count.

The operators are those that WebQSP's questions need after a traversal (PolyG, arXiv 2504.02112, section on WebQSP);
attributes are properties of nodes or edges, or relations to literal nodes, and are compared by the type that the file's
`schema_property` gives them.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from mosaic_sql.policy.part import Part

Compare = Literal["=", "!=", "<", ">", "<=", ">=", "between", "contains", "missing", "present"]
_FILTER = re.compile(
    r"^\s*(?P<attribute>.+?)\s*(?:(?P<sign><=|>=|!=|<|>|=)|\s(?P<word>between|contains)\s)\s*(?P<value>.+?)\s*$",
    re.IGNORECASE | re.DOTALL,
)
_WHETHER = re.compile(r"^\s*(?P<attribute>.+?)\s+(?P<word>missing|present)\s*$", re.IGNORECASE | re.DOTALL)
_OR = re.compile(r"^\s*or\s+", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)


class Filter(Part):
    """One comparison of an attribute with a value; written `population > 1000000` or `founded between 1950 and 1960`.

    Numbers and dates are compared as such, texts without regard to case. A date may be partial: `1990` is the whole
    year, `<` is before its first day and `>` after its last. `died missing` is met by what has no such value, `died
    present` by what has one. Written `or year = 1982` it need not be met where the comparison before it is.
    """

    attribute: str = Field(min_length=1, description="name of the attribute")
    compare: Compare = Field("=", description="how it is compared")
    value: str = Field("", description="what it is compared with; nothing for `missing` and `present`")
    high: str | None = Field(None, description="the upper end of `between`, included")
    owner: Literal["any", "node", "edge", "relation"] = Field("any", description="where the attribute is looked for")
    either: bool = Field(False, description="met also where the filter before it is, of the same attribute")

    @model_validator(mode="before")
    @classmethod
    def _written(cls, data: Any) -> Any:
        """A filter as one text, for the command line."""
        if not isinstance(data, str):
            return data
        either = {"either": True} if _OR.match(data) else {}
        data = _OR.sub("", data)
        whether = _WHETHER.match(data)
        if whether is not None:
            return {"attribute": whether["attribute"], "compare": whether["word"].lower(), **either}
        match = _FILTER.match(data)
        if match is None:
            raise ValueError(
                "write NAME < VALUE (or =, >, <=, >=, contains), NAME between LOW and HIGH, or NAME missing"
            )
        word = (match["word"] or "").lower()
        value, *high = _AND.split(match["value"], 1) if word == "between" else [match["value"]]
        return {
            "attribute": match["attribute"],
            "compare": match["sign"] or word,
            "value": value,
            **({"high": high[0]} if high else {}),
            **either,
        }

    @field_validator("value", "high", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value

    @model_validator(mode="after")
    def _ends(self) -> Filter:
        if (self.compare == "between") != (self.high is not None):
            raise ValueError("`between` takes a low and a high value, any other comparison one value")
        if not self.value and self.compare not in ("missing", "present"):
            raise ValueError(f"`{self.compare}` takes a value")
        return self

    def __str__(self) -> str:
        ends = f" and {self.high}" if self.high is not None else ""
        return f"{'or ' if self.either else ''}{self.attribute} {self.compare} {self.value}{ends}".rstrip()


class RefinePolicy(Part):
    """What is done with the nodes that a walk over relations found, in the order of these controls."""

    answers_from: Literal["walk", "anchors", "kind"] = Field(
        "walk", description="what is refined: nodes that the walk found, the anchors themselves, or all of source_kind"
    )
    source_kind: str | None = Field(
        None, description="node kind: with answers_from `walk` all its nodes are seeds, with `kind` candidates"
    )
    or_kinds: tuple[str, ...] = Field((), max_length=20, description="further kinds, of which the same holds")
    arms: tuple[str, ...] = Field(
        (), max_length=50, description="path patterns of the second and further anchors, in order, where not `pattern`"
    )
    filters: tuple[Filter, ...] = Field(
        (), max_length=20, description="comparisons that an answer must pass, such as `population > 1000000`"
    )
    during: str | None = Field(
        None,
        min_length=1,
        description="time in which the last edge holds, by its start and end: `1981`, `1983 to 1990`, `before 1986`",
    )
    overlap_kind: str | None = Field(
        None, description="answer with the nodes of this kind whose interval meets that of the walk's last edge"
    )
    combine: Literal["union", "intersection", "difference"] = Field(
        "union", description="answers of several anchors: of any, of all, of the first and of no other"
    )
    included: int = Field(
        1,
        ge=1,
        le=50,
        description="with combine `difference`: so many of the first anchors must all hold, no other may",
    )
    row_per: Literal["node", "edge", "value"] = Field(
        "node",
        description="one row per node, one for each edge into it, or one for each value of the attribute, with how many"
        " nodes have it: having, descending, extreme, offset and limit are of these numbers",
    )
    having: Literal["none", "=", ">=", "<="] = Field("none", description="compare how often an answer is reached")
    having_count: int = Field(1, ge=0, le=1_000_000_000, description="with this number")
    having_of: Literal["edges", "paths", "starts", "degree"] = Field(
        "edges",
        description="how often: last edges (between two nodes along one relation), paths (a path read in two ways "
        "counts twice), starts (nodes from which a pattern leads there), or the degree",
    )
    degree_of: str | None = Field(
        None,
        min_length=1,
        description="path pattern of one step: `degree` counts the edges of an answer that take it, between two nodes"
        " along one relation",
    )
    attribute: str | None = Field(None, min_length=1, description="property, or relation to a literal, that is read")
    attribute_owner: Literal["any", "node", "edge", "relation"] = Field(
        "any", description="where it is looked for: on the answer, on the edge into it, in a relation from it"
    )
    sort_by: Literal["none", "attribute", "paths", "edges", "starts", "degree"] = Field(
        "none", description="order of the answers; those without a value come last"
    )
    descending: bool = Field(True, description="highest first")
    extreme: bool = Field(False, description="keep those that share the first value, and no others")
    offset: int = Field(0, ge=0, le=1_000_000_000, description="answers left out at the top: 1 begins with the second")
    limit: int | None = Field(None, ge=1, le=1_000_000_000, description="answers kept; all where none is given")
    count_only: bool = Field(False, description="answer with the number of answers kept")
    aggregate: Literal["none", "sum", "mean"] = Field(
        "none", description="sum or mean over the answers kept: of the attribute, else of what sort_by counts"
    )

    @field_validator("or_kinds", "arms", "filters", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        """A list written as JSON, or a single item, for the command line."""
        if not isinstance(value, str):
            return value
        if not value.lstrip().startswith("["):
            return (value,)
        try:
            return tuple(json.loads(value))
        except (ValueError, RecursionError) as error:
            raise ValueError("no list; write one item, or a JSON list of them") from error

    @model_validator(mode="after")
    def _complete(self) -> RefinePolicy:
        for before, item in zip((None, *self.filters), self.filters, strict=False):
            if item.either and (before is None or before.attribute != item.attribute):
                raise ValueError(f"filters: `{item}` follows no comparison of {item.attribute}")
        if self.answers_from == "kind" and self.source_kind is None:
            raise ValueError("answers_from `kind` needs source_kind")
        if self.or_kinds and self.source_kind is None:
            raise ValueError("or_kinds needs source_kind")
        if self.sort_by == "attribute" and self.attribute is None:
            raise ValueError("sort_by `attribute` needs an attribute")
        if self.aggregate != "none" and self.attribute is None and self.sort_by == "none":
            raise ValueError("aggregate needs an attribute, or a number in sort_by")
        counts = {self.sort_by, self.having_of if self.having != "none" else self.sort_by}
        if counts == {"edges", "starts"}:
            raise ValueError("sort_by and having_of: either `edges` or `starts`, not one of each")
        if self.row_per == "value" and (self.attribute is None or self.sort_by != "none"):
            raise ValueError("row_per `value` needs an attribute, and orders by how many have each value")
        if self.extreme and self.sort_by == "none" and self.row_per != "value":
            raise ValueError("extreme needs sort_by")
        return self

    @property
    def conditions(self) -> str:
        """The filters, and what an answer must have edges of, in words."""
        told = ""
        for item in self.filters:
            told += f"{'' if not told else ' ' if item.either else ' and '}{item}"
        if self.having == ">=" and self.having_of == "degree":
            told += f"{' and ' if told else ''}{self.having_count} {self.degree_of} or more"
        return told

    @property
    def is_active(self) -> bool:
        """Whether anything is asked for after the walk."""
        return self != RefinePolicy()
