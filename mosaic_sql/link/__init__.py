"""Names in a question and the nodes they mean: exact name or alias, normalised, longest match first; then near ones.

For names of a text that is all. A name of an imported graph also has its candidates with a score each, chosen by how
it is written and by the kind it is given; where a name is not found as written, its words are looked for, then its
vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.link import near
from mosaic_sql.link.anchors import given, named
from mosaic_sql.link.hits import Others, find, plurals, sayings, without_schema_words
from mosaic_sql.link.names import Lexicon, look_up
from mosaic_sql.link.namesakes import of
from mosaic_sql.link.targets import Hit, from_graph, from_text, near_weight, of_candidates, told_in_full
from mosaic_sql.link.telling import remarks
from mosaic_sql.link.unknown import Unknown, unknown
from mosaic_sql.link.wording import LONGEST_NAME, Schema, Wording
from mosaic_sql.records import Catalogue, Target, Term
from mosaic_sql.storefile import INDEXED_NODES

__all__ = [
    "LONGEST_NAME", "TARGET_LIMIT", "TERM_LIMIT", "Lexicon", "Linked", "Unknown", "given", "is_indexed", "link",
    "named", "remarks", "terms"
]  # fmt: skip

TARGET_LIMIT = 12
TERM_LIMIT = 62
"""Distinct content stems of a question that take part: one bit each in a BIGINT."""


@dataclass(frozen=True)
class Linked:
    """What a question names: targets in its order, every node whose name it holds (its topics), its content stems.

    `unknown` are names that no node of the imported graph bears.
    """

    targets: tuple[Target, ...]
    topics: tuple[int, ...]
    terms: tuple[Term, ...]
    unknown: tuple[Unknown, ...] = ()


def link(
    database: Database,
    question: str,
    lexicon: Lexicon | None = None,
    *,
    catalogue: Catalogue | None = None,
    embed: near.Embed | None = None,
    others: Others | None = None,
) -> Linked:
    """Find what the question names, in the file or, where it is given, in a lexicon of it.

    Titles of the text and nodes of an imported graph win over other names, the longest first; a target's weight in
    [0, 1] is how surely the question means it. The same question and file give the same targets.

    Args:
        database: the corpus.
        question: the question.
        lexicon: the names of the corpus in memory.
        catalogue: its schema. The kinds and relations choose among namesakes; without it no near name is looked for.
        embed: for names that only resemble one of the graph; they are compared where its names have vectors.
        others: names of nodes that a word may stand for.
    """
    wording = Wording(question, Schema.of(catalogue))
    only_graph = catalogue is not None and catalogue.graph_node_count > 0 and not catalogue.chunk_count
    keys = {key for _, _, key in wording.plurals()} if only_graph else set[str]()
    others = others if only_graph and others else _none
    keys |= {key for token in wording.tokens for key in others(token.form)}
    names = look_up(database, sorted({*wording.grams(), *keys}), lexicon, indexed=is_indexed(database, catalogue))
    hits = without_schema_words(wording, find(wording, names), names)
    found = terms(database, question, lexicon, indexed=is_indexed(database, catalogue))
    specific = {term.stem: term.specificity for term in found}
    search = _search(database, wording, catalogue, embed)
    sorts = plurals(wording, names, hits) if only_graph else []
    sorts += sayings(wording, names, [*hits, *sorts], others)
    texts = [(start, end) for start, end, _ in catalogue.texts_in(wording.tokens)] if catalogue else []
    near_ones = [one for one in (_near(search, hits) if search else ()) if not _is_only(one, sorts)]
    near_ones = [one for one in near_ones if not any(s <= one.start and one.end <= e for s, e in texts)]
    held = {place for one in near_ones for place in range(one.start, one.end)}
    hits = [hit for hit in (*hits, *sorts) if not held & set(range(hit.start, hit.end))]
    hits = sorted(hits, key=lambda hit: hit.place)[:TARGET_LIMIT]
    targets = [
        from_graph(hit, wording, names.known[hit.key], specific, database)
        if any(name.is_graph for name in names.known[hit.key])
        else from_text(hit, wording, names.known[hit.key], specific)
        for hit in hits
    ]
    targets += [_near_target(wording, one) for one in near_ones]
    targets.sort(key=lambda target: (target.char_start, target.char_end))
    numbered = [replace(target, group_id=number) for number, target in enumerate(targets[:TARGET_LIMIT])]
    targets = told_in_full(database, numbered, names.descriptions)
    spans = [*((hit.start, hit.end) for hit in hits), *((one.start, one.end) for one in near_ones), *texts]
    none = unknown(search, spans) if search else ()
    return Linked(tuple(targets), tuple(sorted(names.node_ids)), found, none)


def _none(form: str) -> tuple[str, ...]:
    """No other names for any word."""
    return ()


def is_indexed(database: Database, catalogue: Catalogue | None) -> bool:
    """Whether the names of a corpus have an index: it is large, and a file."""
    return catalogue is not None and catalogue.node_count >= INDEXED_NODES and not database.folder


def terms(
    database: Database, question: str, lexicon: Lexicon | None = None, *, indexed: bool = False
) -> tuple[Term, ...]:
    """The distinct content stems of a question in order, at most TERM_LIMIT, known to the corpus or not.

    `indexed` for a corpus so large that its names have an index.
    """
    stems = list(dict.fromkeys(words.stems(question)))[:TERM_LIMIT]
    exact: dict[str, tuple[int, int, float]] = {}
    alike: dict[str, list[int]] = {stem: [] for stem in stems}
    if lexicon is not None:
        rows = lexicon.terms(stems)
    elif indexed:
        rows = [row for stem in sorted(stems) for row in database.rows("link.terms_like", stem=stem)]
    else:
        rows = database.rows("link.terms", stems=stems)
    for stem, term_id, is_exact, idf, specificity in rows:
        alike[stem].append(term_id)
        if is_exact:
            exact[stem] = (term_id, idf, specificity)
    return tuple(_term(stem, exact.get(stem), tuple(alike[stem])) for stem in stems)


def _term(stem: str, exact: tuple[int, int, float] | None, alike: tuple[int, ...]) -> Term:
    if exact is None:
        return Term(stem, None, 0, 1.0, alike)
    term_id, idf, specificity = exact
    return Term(stem, term_id, idf, specificity, alike)


def _search(
    database: Database, wording: Wording, catalogue: Catalogue | None, embed: near.Embed | None
) -> near.Search | None:
    """The search for near names, in a corpus that has an imported graph."""
    if catalogue is None or not catalogue.graph_node_count:
        return None
    within = catalogue.node_count <= near.SIMILAR_NODES
    least = near.LEAST_LOOSE if catalogue.chunk_count else near.LEAST
    return near.Search(database, wording, least, embed if within else None)


def _near(search: near.Search, hits: Sequence[Hit]) -> list[near.Near]:
    """Near names of what looks like a name and is none; of any telling words where the question names nothing."""
    covered = [(hit.start, hit.end) for hit in hits]
    found: list[near.Near] = []
    for one in search.find_all(near.spans(search.wording, covered)):
        if (one.start, one.end) in covered:
            continue  # what is left of a run without its first word is a name as it stands
        touched = [hit for hit in hits if hit.start < one.end and one.start < hit.end]
        best = one.candidates[0]
        if not touched or (
            best.score >= near.SURE
            and not _lists(search.wording, one, covered)
            and all(near.goes_beyond(best.name, hit.key) for hit in touched)
        ):
            found.append(one)
    if not hits and not found:
        found = replace(search, least=near.LEAST_LOOSE).find_all(near.loose_spans(search.wording))
    return found


def _is_only(one: near.Near, hits: Sequence[Hit]) -> bool:
    """Whether a near name is but the words of an exact one."""
    return any(hit.start <= one.start and one.end <= hit.end for hit in hits)


def _lists(wording: Wording, one: near.Near, covered: Sequence[tuple[int, int]]) -> bool:
    """Whether a near name would take two that stand side by side (A and B) for one, where one of them is exact."""
    forms = [token.form for token in wording.tokens]
    return any(
        (start == one.start and end < one.end and forms[end] == "and")
        or (end == one.end and start > one.start and forms[start - 1] == "and")
        for start, end in covered
    )


def _near_target(wording: Wording, one: near.Near) -> Target:
    choice = of(one.candidates, wording.standing(one.start, one.end), {})
    weight = near_weight(wording, (one.start, one.end), choice.chosen[0].score)
    return of_candidates(wording.question, wording.span(one.start, one.end), choice, weight)
