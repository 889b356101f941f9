"""Targets from names: how surely a question means one, and what the graph knows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.link.names import Name
from mosaic_sql.link.namesakes import Choice, choose
from mosaic_sql.link.wording import Standing, Wording
from mosaic_sql.records import Target

QUOTED, TOLD, NUMBER, SMALL_NAME = 0.9, 0.75, 0.6, 0.75
"""Weights of a graph's name in quotation marks, beside the word for its kind, of a number, of a name of stop words."""
LONE, LOOSE, COUNT = 0.3, 0.5, 0.15
"""Weights of a lone word in small letters, of small words that are near a name, and of a number that counts."""
_NAMESAKES = 64
"""Namesakes whose relations are looked up to choose among them."""


@dataclass(frozen=True)
class Hit:
    """A name in a question: its words (first, end; none for a sign), its look-up form, its characters."""

    start: int
    end: int
    key: str
    place: tuple[int, int]


def from_text(hit: Hit, wording: Wording, names: Sequence[Name], specific: Mapping[str, float]) -> Target:
    """A name of the text: titles before other names; its weight is how telling its words are, and how many."""
    titles = [name for name in names if name.is_title]
    chosen = titles or list(names)
    return Target(
        group_id=0,
        name=wording.question[hit.place[0] : hit.place[1]],
        alias_key=hit.key,
        weight=_text_weight(hit, wording, specific),
        node_ids=tuple(name.node_id for name in chosen),
        node_names=tuple(name.name for name in chosen),
        char_start=hit.place[0],
        char_end=hit.place[1],
        why="title" if titles else "name",
        page_ids=_pages(names),
    )


def from_graph(
    hit: Hit, wording: Wording, names: Sequence[Name], specific: Mapping[str, float], database: Database
) -> Target:
    """A name of the imported graph, and of the text where that has it too."""
    graph = [name for name in names if name.is_graph]
    own = sorted({kind for name in graph for kind in name.kinds})
    standing = wording.standing(hit.start, hit.end, own) if hit.start < hit.end else Standing(quoted=True)
    wanted = sorted(name.node_id for name in graph) if standing.relations and 1 < len(graph) <= _NAMESAKES else []
    choice = choose(graph, wording.question, hit.place, standing, steps(database, wanted))
    rest = [name for name in names if name.is_title and not name.is_graph]
    rest = rest or [name for name in names if not name.is_graph]
    target = of_candidates(wording.question, hit.place, choice, _graph_weight(hit, wording, standing, choice, specific))
    return replace(
        target,
        alias_key=hit.key,
        node_ids=(*target.graph_ids, *(name.node_id for name in rest)),
        node_names=(*target.node_names, *(name.name for name in rest)),
        page_ids=_pages(names),
    )


def of_candidates(question: str, place: tuple[int, int], choice: Choice, weight: float) -> Target:
    """A target that starts from the chosen of its candidates."""
    name = question[place[0] : place[1]]
    node_ids = tuple(candidate.node_id for candidate in choice.chosen)
    return Target(
        group_id=0,
        name=name,
        alias_key=words.name_key(name),
        weight=weight,
        node_ids=node_ids,
        node_names=tuple(candidate.name for candidate in choice.chosen),
        char_start=place[0],
        char_end=place[1],
        why=choice.chosen[0].why,
        origin="graph",
        kinds=tuple(sorted({kind for candidate in choice.chosen for kind in candidate.kinds})),
        graph_ids=node_ids,
        candidates=choice.shown,
        namesakes=len(choice.candidates),
    )


def told_in_full(
    database: Database, targets: Sequence[Target], descriptions: Mapping[int, str] | None = None
) -> list[Target]:
    """Targets with the relations that their graph's nodes have, and their candidates with descriptions.

    `descriptions` are those that were read already; a near name has its own.
    """
    related = steps(database, sorted({node_id for target in targets for node_id in target.graph_ids}))
    shown = {one.node_id for target in targets for one in target.candidates if one.why not in ("lexical", "similar")}
    known = dict(descriptions or {})
    unread = sorted(shown - set(known))
    known.update((row[0], row[6] or "") for row in (database.rows("link.nodes", node_ids=unread) if unread else ()))
    return [
        replace(
            target,
            steps=tuple(sorted({step for node in target.graph_ids for step in related.get(node, ())})),
            candidates=tuple(
                replace(one, description=known.get(one.node_id, one.description)) for one in target.candidates
            ),
        )
        for target in targets
    ]


def steps(database: Database, node_ids: Sequence[int]) -> dict[int, list[tuple[str, bool]]]:
    """Node -> the relations that it has, as (relation, forward)."""
    found: dict[int, list[tuple[str, bool]]] = {}
    for node_id, relation, forward in database.rows("link.steps", node_ids=list(node_ids)) if node_ids else ():
        found.setdefault(node_id, []).append((relation, forward))
    return found


def near_weight(wording: Wording, span: tuple[int, int], score: float) -> float:
    """How surely a span means what it only resembles."""
    standing = wording.standing(*span)
    if standing.quoted or standing.beside_kind:
        return QUOTED * score
    content = [token for token in wording.tokens[span[0] : span[1]] if token.form not in words.STOP_WORDS]
    if standing.capital:
        return min(1.0, 0.5 + 0.25 * len(content)) * score
    return (LOOSE if len(content) > 1 else LONE) * score


def _pages(names: Sequence[Name]) -> tuple[int, ...]:
    return tuple(sorted({chunk_id for name in names for chunk_id in name.page_ids}))


def _text_weight(hit: Hit, wording: Wording, specific: Mapping[str, float]) -> float:
    run = wording.tokens[hit.start : hit.end]
    content = [token for token in run if token.form not in words.STOP_WORDS]
    share = sum(specific.get(words.stem(token.form), 1.0) for token in content) / max(1, len(content))
    sure = len(run) > 1 or (run[0].strong and not wording.opens(hit.start))
    weight = share * min(1.0, 0.5 + 0.25 * len(content)) if sure else LONE * share
    return min(1.0, weight)


def _graph_weight(
    hit: Hit, wording: Wording, standing: Standing, choice: Choice, specific: Mapping[str, float]
) -> float:
    """Quotation marks and the word for its kind make a name strong; a lone word in small letters is weak."""
    if hit.start == hit.end:
        return QUOTED
    if wording.is_count(hit.start, hit.end) and not standing.quoted:
        return COUNT
    run = wording.tokens[hit.start : hit.end]
    content = [token for token in run if token.form not in words.STOP_WORDS]
    told = bool(standing.kinds & set(choice.chosen[0].kinds)) or (standing.beside_kind and standing.capital)
    least = QUOTED if standing.quoted else TOLD if told else 0.0
    if not content:
        return max(least, SMALL_NAME)
    if len(run) == 1 and run[0].form.isdigit():
        return max(least, NUMBER)
    weight = _text_weight(hit, wording, specific)
    small = not standing.capital and not (len(run) > 1 and wording.opens(hit.start))
    if len(content) == 1 and (small or wording.is_part(hit.start, hit.end)):
        weight = min(weight, LONE)
    return max(least, weight)
