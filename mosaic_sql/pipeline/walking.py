"""Walks for people who know what they want: a pattern from a node, or the paths between two."""

from __future__ import annotations

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, SupportsIndex

import pyarrow as pa

from mosaic_sql import link as linking
from mosaic_sql import pattern as patterns
from mosaic_sql import readable
from mosaic_sql import render as rendering
from mosaic_sql import seed as seeding
from mosaic_sql import walk as walking
from mosaic_sql.database import Database
from mosaic_sql.errors import PolicyError, UnknownId, short
from mosaic_sql.pipeline.automata import automata
from mosaic_sql.pipeline.retriever import Retriever
from mosaic_sql.policy import Policy, default_policy
from mosaic_sql.records import Catalogue, RenderedQuery, StageTime, Target

Anchor = str | int
"""A node by its name, an alias or its id, which may be written `id:NUMBER`."""
Anchors = Anchor | Sequence[Anchor]
_ID = re.compile(r"id:([0-9]{1,18})")
_FREE = frozenset({"anchors", "operator", "pattern"})
"""Controls that `match` and `paths` set by themselves."""


class Match(NamedTuple):
    """A node that was found and the path to it.

    `rank` is its place from 1; `hops` the length of the path; `path` is written out, arrows pointing as the edges do;
    `nodes` and `edges` are its ids in order.
    """

    rank: int
    hops: int
    node_id: int
    name: str
    kinds: tuple[str, ...]
    path: str
    nodes: tuple[int, ...]
    edges: tuple[int, ...]


@dataclass(frozen=True)
class Matches(Sequence[Match]):
    """What was found, in order, as a sequence; empty with a `reason`.

    `targets` are the nodes that each name stands for, `notes` names that stand for several; `cuts` are bounds of the
    policy that left something out, one line each; `form` tells how the walk ran: `walk join`, `walk paged`,
    `walk unrolled` or `walk resident`.
    """

    rows: tuple[Match, ...]
    targets: tuple[Target, ...]
    policy: Policy
    notes: tuple[str, ...]
    cuts: tuple[str, ...]
    reason: str
    stages: tuple[StageTime, ...]
    form: str

    def __getitem__(self, place: Any) -> Any:
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the nodes found."""
        return tuple(row.name for row in self.rows)

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table."""
        ids = pa.list_(pa.int32())
        texts = pa.list_(pa.string())
        kinds = [pa.int32()] * 3 + [pa.string(), texts, pa.string(), ids, ids]
        names = ("rank", "hops", "node_id", "name", "kinds", "path", "nodes", "edges")
        return pa.Table.from_pylist(
            [row._asdict() for row in self.rows], schema=pa.schema(list(zip(names, kinds, strict=True)))
        )


@dataclass(frozen=True)
class Plan:
    """A walk ready to run: its statements up to the walk, and what is told of it."""

    targets: tuple[Target, ...]
    automaton: patterns.Automaton | None
    policy: Policy
    form: rendering.Form
    question: rendering.Question

    @property
    def statements(self) -> tuple[RenderedQuery, ...]:
        """The stages, the walk last."""
        stages = rendering.render([self.question], self.policy, self.form)
        return tuple(stage for stage in stages if stage.stage not in ("base", "evidence"))


def match(
    database: Database,
    known: tuple[Catalogue, rendering.Form],
    anchors: Anchors,
    pattern: str,
    controls: Mapping[str, Any],
) -> Plan:
    """The walk from every one of `anchors` along a pattern; `known` is the catalogue of the corpus and its form.

    Raises:
        PolicyError: the pattern cannot be read or meant, or a control cannot.
        UnknownId: no node of that name or id.
    """
    many: list[Any] = [anchors]
    if isinstance(anchors, Iterable) and not isinstance(anchors, str | Mapping):
        many = list(anchors)
    if not many:
        raise PolicyError("anchor: none given; name a node to start from")
    return _plan(database, known, many, pattern, {**_checked(controls), "operator": "meta_path", "pattern": pattern})


def paths(
    database: Database,
    known: tuple[Catalogue, rendering.Form],
    ends: tuple[Anchor, Anchor],
    pattern: str | None,
    controls: Mapping[str, Any],
) -> Plan:
    """The shortest simple paths between two nodes, those that a pattern accepts where one is given; else as `match`."""
    operator = "shortest_path" if pattern is None else "constrained_shortest_path"
    return _plan(database, known, ends, pattern, {**_checked(controls), "operator": operator, "pattern": pattern})


def meant(anchor: object) -> Anchor:
    """A node as a caller gives it: `id:NUMBER` is an id, any other text a name.

    Raises:
        PolicyError: neither a text nor an integer.
    """
    if isinstance(anchor, str):
        given = _ID.fullmatch(anchor.strip())
        return int(given.group(1)) if given else anchor
    if isinstance(anchor, bool) or not isinstance(anchor, SupportsIndex):
        raise PolicyError(f"anchor: expected a name or a node id, got {short(repr(anchor))}")
    return anchor.__index__()


def _checked(controls: Mapping[str, Any]) -> Mapping[str, Any]:
    walk = controls.get("walk")
    held = sorted(_FREE & {*controls, *(walk if isinstance(walk, Mapping) else ())})
    if held:
        raise PolicyError(f"{held[0]}: given by the arguments of the walk; leave it out of the policy")
    return controls


def _plan(
    database: Database,
    known: tuple[Catalogue, rendering.Form],
    anchors: Sequence[Anchor],
    pattern: str | None,
    controls: Mapping[str, Any],
) -> Plan:
    catalogue, form = known
    policy = Policy.parse(controls, base=default_policy(controls["operator"]))
    automaton = None if pattern is None else patterns.parse(pattern)
    anchors = [meant(anchor) for anchor in anchors]
    targets = linking.named(database, anchors, indexed=linking.is_indexed(database, catalogue))
    text = " to ".join(str(anchor) for anchor in anchors)
    rules, arms = automata(policy, catalogue, targets)
    question = rendering.Question(0, text, None, targets=targets, transitions=rules, arms=arms)
    return Plan(targets, automaton, policy, form, question)


def run(database: Database, plan: Plan, catalogue: Catalogue, *, timeout: float | None = None) -> Matches:
    """Walk, and write out what was found."""
    operator, statements = plan.policy.walk.operator, plan.statements
    with database.transaction():
        times = seeding.fill(database, statements, timeout=timeout)
        walk, walk_times = walking.walk(
            database,
            statements,
            operator=operator,
            form=rendering.told([plan.question], plan.policy, plan.form),
            whole=False,
            timeout=timeout,
        )
        rows = tuple(map(Match._make, walking.written(database, walk, expand=plan.form.expand)))
    return Matches(
        rows=rows,
        targets=plan.targets,
        policy=plan.policy,
        notes=_notes(database, plan.targets),
        cuts=walk.cuts,
        reason="" if rows else _reason(plan, catalogue),
        stages=(*times, *walk_times),
        form=walk.form,
    )


def script(plan: Plan) -> str:
    """What `run` runs, values as literals, for any DuckDB shell on the file."""
    names = ", ".join(target.name for target in plan.targets)
    return readable.script(
        plan.statements,
        title=f"{plan.policy.walk.operator} from: {names}",
        notes=([f"pattern {plan.policy.walk.pattern}"] if plan.policy.walk.pattern else [])
        + ["run on the corpus file by any DuckDB client: duckdb -readonly FILE < this"],
        last="context.matches",
    )


def _notes(database: Database, targets: Sequence[Target]) -> tuple[str, ...]:
    """A line for each name that stands for several nodes."""
    told = []
    for target in targets:
        ids = target.graph_ids or target.node_ids
        if len(ids) > 1:
            rows = sorted(database.rows("link.nodes", node_ids=list(ids[:5])), key=lambda row: ids.index(row[0]))
            shown = ", ".join(f"id:{row[0]} {row[1]}{f' ({_kinds(row[3])})' if row[3] else ''}" for row in rows)
            more = f" and {len(ids) - 5} more" if len(ids) > 5 else ""
            told.append(f"{len(ids)} nodes are called {target.name!r}, all are taken: {shown}{more}")
    return tuple(told)


def _kinds(kinds: Sequence[str]) -> str:
    return ", ".join(kinds[:3]) + (", …" if len(kinds) > 3 else "")


def _reason(plan: Plan, catalogue: Catalogue) -> str:
    """Why nothing was found: the step of the pattern that nothing follows from there, or the bound of the search."""
    if plan.automaton is not None and catalogue.schema is not None:
        ended = patterns.dead_end(plan.automaton, catalogue.schema, plan.targets[0].kinds or ("",))
        if ended:
            return ended
    walk = plan.policy.walk
    pattern = short(walk.pattern or "", 200)
    if walk.operator == "meta_path":
        return f"nothing follows {pattern} from there"
    first, second = plan.targets[:2]
    if set(first.node_ids) == set(second.node_ids):
        return f"{short(first.name)} and {short(second.name)} are one node; a path joins two"
    said = f" that follows {pattern}" if pattern else ""
    return f"no path of at most {walk.max_depth} hops{said}"


class Walking(ABC):
    """The part of a corpus that walks for people who know what they want."""

    _database: Database
    _retriever: Retriever
    _lock: threading.RLock

    def match(self, anchor: Anchors, pattern: str, *, policy: Mapping[str, Any] | None = None) -> Matches:
        """The nodes that a path pattern reaches from a node, or from several; see `mosaic_sql.pattern` for patterns.

        The anchors themselves are no answers and are not passed again, unless the pattern accepts the empty path.

        Args:
            anchor: a name, an alias or a node id (`17`, `"id:17"`); a list of them starts from all.
            pattern: such as `author / ^author`, `~any{0,2} / ~any[venue]`, `[planet] / moon`.
            policy: controls to override: `max_depth`, `fan_out`, `row_budget`.

        Raises:
            PolicyError: the pattern cannot be read, names what the graph does not have, or no edges follow it; or an
                anchor is neither a name nor an id.
            UnknownId: no node is called so.
        """
        with self._lock:
            return self._walked(match(self._database, self._known(), anchor, pattern, policy or {}))

    def paths(
        self,
        a: Anchor,
        b: Anchor,
        *,
        pattern: str | None = None,
        k: int = 10,
        policy: Mapping[str, Any] | None = None,
    ) -> Matches:
        """The `k` shortest simple paths from one node to another, of equal ones those through less common nodes first.

        Args:
            a: a name, an alias or a node id.
            b: the other end.
            pattern: what the paths must follow, from `a` to `b`; without one any relation, either way.
            k: paths at most, 1 to 10,000.
            policy: controls to override: `max_depth` (4 hops, 8 with a pattern), `direction`, `fan_out`, `row_budget`.

        Raises:
            PolicyError, UnknownId: as `match`.
        """
        with self._lock:
            controls = {"path_limit": k, **(policy or {})}
            return self._walked(paths(self._database, self._known(), (a, b), pattern, controls))

    def known(self, anchors: Sequence[Anchor]) -> tuple[list[Anchor], list[str]]:
        """Those of some names and ids that nodes bear, and for each of the others why none does."""
        with self._lock:
            indexed = linking.is_indexed(self._database, self._retriever.catalogue())
            found, lacking = list[Anchor](), list[str]()
            for anchor in anchors:
                try:
                    linking.named(self._database, [meant(anchor)], indexed=indexed)
                    found.append(anchor)
                except UnknownId as error:
                    lacking.append(str(error))
            return found, lacking

    def match_sql(self, anchor: Anchors, pattern: str, *, policy: Mapping[str, Any] | None = None) -> str:
        """The script that `match` runs, values as literals; any DuckDB shell on the file gives the same rows."""
        with self._lock:
            return script(_plain(match(self._database, self._known(), anchor, pattern, policy or {})))

    def paths_sql(
        self,
        a: Anchor,
        b: Anchor,
        *,
        pattern: str | None = None,
        k: int = 10,
        policy: Mapping[str, Any] | None = None,
    ) -> str:
        """The script that `paths` runs, as `match_sql`."""
        with self._lock:
            controls = {"path_limit": k, **(policy or {})}
            return script(_plain(paths(self._database, self._known(), (a, b), pattern, controls)))

    def _walked(self, plan: Plan) -> Matches:
        return run(self._database, plan, self._retriever.catalogue(), timeout=self._retriever.timeout)

    def _known(self) -> tuple[Catalogue, rendering.Form]:
        self._must_be_ready()
        self._retriever.maybe_warm_graph()
        return self._retriever.catalogue(), self._retriever.form()

    @abstractmethod
    def _must_be_ready(self) -> None:
        """Refuse a corpus whose index is behind, or bring it in step."""


def _plain(plan: Plan) -> Plan:
    """The same walk in plain SQL, which any shell runs."""
    return replace(plan, form=replace(plan.form, expand="join", text="scan", widest=None))
