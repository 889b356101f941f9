"""Names of nodes, many at once: their look-up form and their words, the same as `text` gives them one by one.

What is plain ASCII, nearly always most of it, is done column by column; other names are folded as one long text, and
those of a script written without blanks one by one.
"""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.ingest.columns import flat, places_in
from mosaic_sql.ingest.store import Counters

_BETWEEN = "\0"
_NO_WORD = re.compile(f"(?:[^\\w{_BETWEEN}]|_)+")


def normalised(names: pa.ChunkedArray) -> pa.Array:
    """`text.normalise` of each name."""
    names = flat(names)
    ascii_only = pc.string_is_ascii(names)
    runs = pc.replace_substring_regex(pc.ascii_lower(names), "[^a-z0-9]+", " ")
    keys = pc.ascii_trim(runs, " ")
    others = names.filter(pc.invert(ascii_only))
    if not len(others):
        return keys
    return pc.replace_with_mask(keys, pc.invert(ascii_only), pa.array(_folded(others.to_pylist()), keys.type))


def name_keys(names: pa.ChunkedArray) -> pa.Array:
    """`text.name_key` of each name."""
    keys = normalised(names)
    wordless = pc.equal(keys, "")
    signs = flat(names).filter(wordless)
    return pc.replace_with_mask(
        keys, wordless, pa.array([words.name_key(sign) for sign in signs.to_pylist()], keys.type)
    )


def derive_postings(database: Database) -> None:
    """The stems of every name, numbered in order of first appearance, as the table `name_posting`."""
    names = database.table("ingest.names_of_nodes")
    node_ids, places, forms = words_of(names["node_id"].to_numpy(), names["alias"])
    seen, firsts = np.unique(places, return_index=True)
    seen = seen[np.argsort(firsts)]
    term_ids = np.empty(len(forms), dtype=np.int32)
    term_ids[seen] = _term_ids(database, [forms[place] for place in seen.tolist()])
    found_nodes, found_terms = _distinct_pairs(node_ids, term_ids[places])
    lengths = np.bincount(found_nodes)[found_nodes] if len(found_nodes) else found_nodes
    columns = {"term_id": found_terms, "node_id": found_nodes, "length": lengths}
    incoming = pa.table({name: column.astype(np.int32) for name, column in columns.items()})
    with database.registered(incoming=incoming):
        database.execute("ingest.derive_name_posting")


def _term_ids(database: Database, forms: list[str]) -> NDArray[np.int32]:
    """The ids of the stems of word forms; new stems are numbered in order, new stems and forms stored."""
    counters = Counters.load(database)
    stems = pa.array([words.stem(form) for form in forms], pa.string()).dictionary_encode()
    known, known_forms = database.table("ingest.known_terms"), database.table("ingest.known_forms")["form"]
    places = places_in(stems.dictionary, flat(known["term"]))
    ids = np.append(known["term_id"].to_numpy(), -1).astype(np.int32)[places]
    ids[places < 0] = counters.take_many("term", int((places < 0).sum()))
    of_forms: NDArray[np.int32] = ids[stems.indices.to_numpy()]
    new_forms = places_in(pa.array(forms, pa.string()), flat(known_forms)) < 0
    for table, rows, is_new in (
        ("term", {"term_id": ids, "term": stems.dictionary}, places < 0),
        ("term_form", {"form": pa.array(forms, pa.string()), "term_id": of_forms}, new_forms),
    ):
        with database.registered(incoming=pa.table(rows).filter(pa.array(is_new))):
            database.execute(f"ingest.insert_{table}")
    counters.save(database)
    return of_forms


def _folded(names: list[str]) -> list[str]:
    folds = {ord(character): words.fold(character)[0] for character in set().union(*names)}
    joined = _BETWEEN.join(names)
    folded = joined.translate(folds).split(_BETWEEN)
    keys = _NO_WORD.sub(" ", joined.translate(folds)).lower().split(_BETWEEN)
    if len(keys) != len(names):  # a name holds what stands between names here
        return [words.normalise(name) for name in names]
    return [
        words.normalise(name) if words.is_unspaced(fold) else key.strip(" ")
        for name, fold, key in zip(names, folded, keys, strict=True)
    ]


def words_of(
    node_ids: NDArray[np.int32], names: pa.ChunkedArray
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[str]]:
    """The distinct words of each node, by node, then word; each word by its place among all of them in order."""
    runs = pc.split_pattern(normalised(names), " ")
    every = pc.list_flatten(runs).dictionary_encode()
    order = pc.sort_indices(every.dictionary).to_numpy()
    forms = every.dictionary.take(pa.array(order)).to_pylist()
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    codes = places[every.indices.to_numpy()]
    parents = node_ids[pc.list_parent_indices(runs).to_numpy()]
    worded = codes >= (1 if forms and not forms[0] else 0)  # a name without words is one empty word
    return (*_distinct_pairs(parents[worded], codes[worded]), forms)


def _distinct_pairs(
    firsts: NDArray[np.integer], seconds: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The distinct pairs of two columns, in order."""
    pairs = np.sort(firsts.astype(np.int64) << 32 | seconds.astype(np.int64))
    pairs = pairs[np.diff(pairs, prepend=-1) != 0]
    return pairs >> 32, pairs & 0xFFFFFFFF
