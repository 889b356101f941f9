"""Walks without a question: a pattern from a node, paths between two, what is told of bounds and of ambiguous names."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import mosaic_sql as mosaic
from mosaic_sql.errors import PolicyError, UnknownId

NODES = """id,name,kind
a1,Ada,author
a2,Bob,author
a3,Cy,author
p1,Engines,paper
p2,Looms,paper
p3,Cards,paper
v1,Mercury,venue
v2,Mercury,planet
v3,Acta,venue
m1,Deimos,moon
"""
EDGES = """source,relation,target
a1,wrote,p1
a2,wrote,p1
a2,wrote,p2
a3,wrote,p2
a3,wrote,p3
p1,in,v1
p2,in,v3
p3,in,v1
p2,cites,p1
p1,cites,p1
p3,cites,p2
m1,orbits,v2
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("match")
    (folder / "nodes.csv").write_text(NODES, encoding="utf-8")
    (folder / "edges.csv").write_text(EDGES, encoding="utf-8")
    path = folder / "small.duckdb"
    with mosaic.open(path, embedder="none") as corpus:
        corpus.import_graph(nodes=folder / "nodes.csv", edges=folder / "edges.csv", embed="none")
    return path


@pytest.fixture(scope="module")
def corpus(file: Path) -> Iterator[mosaic.Corpus]:
    with mosaic.open(file, read_only=True) as opened:
        yield opened


# -- match -----------------------------------------------------------------------------------------------------------


def test_a_pattern_gives_nodes_with_the_path_to_each(corpus: mosaic.Corpus) -> None:
    found = corpus.match("Ada", "wrote / ^wrote")
    assert [(row.rank, row.hops, row.name, row.kinds) for row in found] == [(1, 2, "Bob", ("author",))]
    assert found[0].path == "Ada -wrote-> Engines <-wrote- Bob"
    assert (len(found[0].nodes), len(found[0].edges), found[0].nodes[-1]) == (3, 2, found[0].node_id)
    assert (found.reason, found.cuts, found.notes) == ("", (), ())


def test_the_anchor_is_no_answer_and_not_passed_again(corpus: mosaic.Corpus) -> None:
    assert corpus.match("Engines", "^wrote / wrote").names == ("Looms",)
    assert corpus.match("Engines", "cites").names == ()  # it cites itself
    assert corpus.match("Engines", "^wrote / wrote / in").names == ("Acta",)


def test_an_empty_path_is_accepted_where_the_pattern_says_so(corpus: mosaic.Corpus) -> None:
    assert [(row.name, row.hops) for row in corpus.match("Cards", "cites{0,2}")] == [
        ("Cards", 0), ("Looms", 1), ("Engines", 2)
    ]  # fmt: skip


def test_an_id_may_be_written_as_on_the_command_line(corpus: mosaic.Corpus) -> None:
    found = corpus.match("Ada", "any{0,1}")[0]
    for anchor in (f"id:{found.node_id}", f" id:{found.node_id} "):
        assert corpus.match(anchor, "any{0,1}").names[0] == found.name == "Ada"


def test_several_anchors_start_together(corpus: mosaic.Corpus) -> None:
    assert set(corpus.match(["Ada", "Cy"], "wrote").names) == {"Engines", "Looms", "Cards"}
    assert corpus.match(["Ada", "Cy"], "wrote / ^wrote").names == ("Bob",)


def test_a_name_of_several_nodes_is_told_and_the_first_kind_chooses(corpus: mosaic.Corpus) -> None:
    both = corpus.match("Mercury", "~any")
    assert set(both.names) == {"Engines", "Cards", "Deimos"}
    ((told,), (target,)) = (both.notes, both.targets)
    assert told.startswith("2 nodes are called 'Mercury', all are taken: id:")
    assert ("(planet)" in told, "(venue)" in told) == (True, True)
    assert corpus.match("Mercury", "[planet] / ~any").names == ("Deimos",)
    planet = next(n for n in target.node_ids if corpus.match(n, "~any").names == ("Deimos",))
    assert corpus.match(planet, "~any").notes == ()


def test_nothing_found_has_a_reason(corpus: mosaic.Corpus) -> None:
    empty = corpus.match("Ada", "cites")
    assert (len(empty), list(empty), empty.to_arrow().num_rows) == (0, [], 0)
    assert empty.reason == "no edge cites leads on from a node of kind `author`; there are `wrote`"
    assert corpus.match("Ada", "[paper] / cites").reason == "no start is of kind `paper`"
    assert corpus.match("Cards", "^cites").reason == "nothing follows ^cites from there"


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("wrote_by", "pattern: no relation `wrote_by`; did you mean `wrote`?"),
        ("any[authors]", "pattern: no node kind `authors`; did you mean `author`?"),
        ("wrote / ", "pattern: expected a relation at character 9: wrote /"),
        ("wrote / wrote", "pattern: no edge wrote leads on after wrote from a node of kind `paper`; there are"),
    ],
)
def test_a_pattern_that_cannot_be_meant_is_one_clear_line(corpus: mosaic.Corpus, pattern: str, message: str) -> None:
    for ask in (lambda: corpus.match("Ada", pattern), lambda: corpus.paths("Ada", "Bob", pattern=pattern)):
        with pytest.raises(PolicyError) as caught:
            ask()
        assert str(caught.value).startswith(message)


def test_what_cannot_be_an_anchor_is_one_clear_line(corpus: mosaic.Corpus) -> None:
    with pytest.raises(UnknownId, match=r"^anchor: no node is called 'Nobody'"):
        corpus.match("Nobody", "wrote")
    with pytest.raises(UnknownId, match=r"^anchor: no node is called 'Adda'; near it: Ada"):
        corpus.match("Adda", "wrote")
    with pytest.raises(UnknownId, match=r"^anchor: no node 99999"):
        corpus.paths("Ada", 99_999)
    for odd, told in ((None, "None"), (True, "True"), (1.5, "1.5"), ({"a": 1}, "{'a': 1}")):
        with pytest.raises(PolicyError, match=rf"^anchor: expected a name or a node id, got {re.escape(told)}$"):
            corpus.match(odd, "wrote")
        with pytest.raises(PolicyError, match=r"^anchor: expected a name or a node id, got"):
            corpus.match(["Ada", odd], "wrote")
        with pytest.raises(PolicyError, match=r"^anchor: expected a name or a node id, got"):
            corpus.paths("Ada", odd)
    for beyond in (10**12, -(10**12), "id:999999999999"):
        with pytest.raises(UnknownId, match=r"^anchor: no node -?(10{12}|9{12});"):
            corpus.match(beyond, "wrote")
    with pytest.raises(UnknownId, match=r"^anchor: no node 10{12};"):
        corpus.retrieve("Who?", policy={"anchors": [10**12]})
    with pytest.raises(PolicyError, match=r"^anchor: none given"):
        corpus.match([], "wrote")
    with pytest.raises(PolicyError, match=r"^operator: given by the arguments"):
        corpus.match("Ada", "wrote", policy={"operator": "bfs"})


def test_rows_go_out_as_arrow(corpus: mosaic.Corpus) -> None:
    table = corpus.match("Bob", "wrote").to_arrow()
    assert table.schema.names == ["rank", "hops", "node_id", "name", "kinds", "path", "nodes", "edges"]
    assert table.column("name").to_pylist() == ["Engines", "Looms"]
    assert table.schema.field("nodes").type == pa.list_(pa.int32())


# -- paths -----------------------------------------------------------------------------------------------------------


def test_paths_are_the_shortest_first(corpus: mosaic.Corpus) -> None:
    found = corpus.paths("Ada", "Cy", k=3)
    assert [row.hops for row in found] == [3, 4, 4]
    assert found[0].path == "Ada -wrote-> Engines <-cites- Looms <-wrote- Cy"
    assert corpus.paths("Ada", "Cy", k=1).names == ("Cy",)


def test_two_venues_with_common_authors_are_joined_by_them_and_not_by_citations(corpus: mosaic.Corpus) -> None:
    """PolyG's worked case: plain paths run through citations, the constrained ones name the authors."""
    plain = corpus.paths("Acta", "Mercury", k=1)
    assert "cites" in plain[0].path
    by_authors = corpus.paths("Acta", "Mercury", pattern="^in / ^wrote / wrote / in")
    assert {row.path.split(" <-wrote- ")[1].split(" -wrote-> ")[0] for row in by_authors} == {"Bob", "Cy"}


def test_direction_and_length_bound_the_search(corpus: mosaic.Corpus) -> None:
    assert corpus.paths("Cards", "Engines", policy={"direction": "forward"}).names == ("Engines",)
    none = corpus.paths("Engines", "Cards", policy={"direction": "forward"})
    assert (none.names, none.reason) == ((), "no path of at most 4 hops")
    assert corpus.paths("Ada", "Cy", policy={"max_depth": 2}).reason == "no path of at most 2 hops"
    assert corpus.paths("Ada", "Cy", pattern="wrote / ^wrote").reason.endswith("hops that follows wrote / ^wrote")


def test_a_node_is_no_path_to_itself_unless_the_pattern_accepts_it(corpus: mosaic.Corpus) -> None:
    assert corpus.paths("Ada", "Ada").names == ()
    assert [row.path for row in corpus.paths("Ada", "Ada", pattern="wrote?")] == ["Ada"]


# -- scripts, forms, bounds ------------------------------------------------------------------------------------------


def test_the_printed_script_gives_the_same_rows_in_a_plain_shell(corpus: mosaic.Corpus, file: Path) -> None:
    pairs = [
        (corpus.match_sql("Mercury", "[venue] / ~any{1,3}"), corpus.match("Mercury", "[venue] / ~any{1,3}")),
        (corpus.paths_sql("Ada", "Cy", k=4), corpus.paths("Ada", "Cy", k=4)),
        (corpus.paths_sql("Ada", "Cy", pattern="~any{1,4}"), corpus.paths("Ada", "Cy", pattern="~any{1,4}")),
    ]
    for script, found in pairs:
        with duckdb.connect() as shell:
            shell.execute(f"ATTACH '{file}' AS corpus (READ_ONLY)")
            shell.execute("USE corpus")
            rows = shell.execute(script).fetchall()
        assert [(row[1], row[4], row[6]) for row in rows] == [(row.rank, row.name, row.path) for row in found]
        assert len(rows) > 1


def test_parallel_edges_are_one_path_over_those_that_point_along_it() -> None:
    """Relations stored both ways double each hop: ten hops would be a thousand copies of one path."""
    names = [f"n{number}" for number in range(11)]
    edges = [edge for a, b in pairwise(names) for edge in [(b, "before", a), (a, "after", b)]]
    edges += [("n0", "after", "n1"), ("n0", "skips", "n2"), ("n0", "hides", "n2")]
    with mosaic.open(":memory:", embedder="none") as corpus:
        columns = zip(("source", "relation", "target"), zip(*edges, strict=True), strict=True)
        corpus.import_graph(pa.table(dict(columns)))
        assert [row.path for row in corpus.paths("n0", "n2")] == [
            "n0 -skips-> n2",
            "n0 -after-> n1 -after-> n2",
        ]
        assert [row.hops for row in corpus.paths("n0", "n10", policy={"max_depth": 10})] == [9, 10]
        (back,) = corpus.paths("n10", "n8")
        assert back.path == "n10 -before-> n9 -before-> n8"
        (told,) = corpus.paths("n1", "n3", pattern="^before / (^before | after)")
        assert told.path == "n1 <-before- n2 -after-> n3"


def star(corpus: mosaic.Corpus, spokes: int) -> None:
    triples = [("Hub", "near", f"n{number}") for number in range(spokes)]
    triples += [(f"n{number}", "near", "End") for number in range(spokes)]
    corpus.import_graph(pa.table(dict(zip(("source", "relation", "target"), zip(*triples, strict=True), strict=True))))


def test_bounds_that_cut_are_told_everywhere(tmp_path: Path) -> None:
    with mosaic.open(tmp_path / "star.duckdb", embedder="none") as corpus:
        star(corpus, 30)
        fan = ("cut at fan_out: 1 node has more neighbours, only the first were looked at; raise it for more",)
        budget = ("cut at row_budget at depth 1; raise it for more",)
        assert corpus.match("Hub", "near", policy={"fan_out": 30}).cuts == ()
        assert (found := corpus.match("Hub", "near", policy={"fan_out": 10})).cuts == fan
        assert len(found) == 10
        assert corpus.match("Hub", "near", policy={"row_budget": 10}).cuts == budget
        both = corpus.paths("Hub", "End", policy={"fan_out": 10})
        assert both.cuts == (fan[0].replace("1 node has", "2 nodes have"),)
        assert [row.hops for row in both] == [2] * 10
        assert corpus.paths("Hub", "End", k=100, policy={"row_budget": 20}).cuts[0].startswith("cut at row_budget")
        run = corpus.retrieve("?", policy={"operator": "bfs", "anchors": ["Hub"], "fan_out": 10, "max_depth": 2})
        assert run.cuts == (
            "cut at fan_out: 1 node has more neighbours, only the first were looked at; raise it for more",
        )
        told = corpus.explain("?", policy={"operator": "bfs", "anchors": ["Hub"], "row_budget": 10})
        assert told.cuts == budget
        assert f"bound      {budget[0]}" in str(told)


def test_arrays_in_memory_change_nothing(file: Path) -> None:
    with mosaic.open(file, read_only=True) as corpus:
        asked = [("Mercury", "~any{0,2} / ~any[author]"), ("Bob", "wrote[paper] / in[venue]"), ("Acta", "any{0,2}")]
        plain = [corpus.match(*one).rows for one in asked] + [
            corpus.paths("Ada", "Mercury", pattern="~any{0,3} / ~any[venue]").rows
        ]
        assert corpus.warm() > 0
        again = [corpus.match(*one).rows for one in asked] + [
            corpus.paths("Ada", "Mercury", pattern="~any{0,3} / ~any[venue]").rows
        ]
        assert plain == again
        assert all(plain)


def test_pagerank_answers_with_the_nodes_of_most_mass(corpus: mosaic.Corpus) -> None:
    run = corpus.retrieve("?", policy={"operator": "pagerank", "anchors": ["Ada"], "rank_limit": 3})
    assert run.answers[0].name == "Engines"
    assert len(run.answers) == 3
    scores = [row["score"] for row in run.walk.rows.to_pylist() if row["view"] == "answer"]
    assert scores == sorted(scores, reverse=True)
    assert corpus.ask("Who is near Ada?", policy={"operator": "pagerank", "anchors": ["Ada"]}).found


def test_kinds_are_looked_up_for_every_node_and_set(corpus: mosaic.Corpus) -> None:
    from mosaic_sql.resident import Resident

    resident = Resident.load(corpus._database)
    assert resident is not None
    kinds = dict(corpus.connection.execute("SELECT node_id, kinds FROM node").fetchall())
    rng = random.Random(1)
    ids = [rng.choice([*kinds, -1, 10_000, None]) for _ in range(200)]
    asked = [rng.choice(["author", "paper", "venue", "nothing", None]) for _ in ids]
    got = resident.nodes.has_kind(pa.array(ids, pa.int32()), pa.array(asked, pa.string())).to_pylist()
    assert got == [asked[place] in kinds.get(node, []) for place, node in enumerate(ids)]
