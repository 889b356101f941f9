"""Knowledge graphs from files and tables: formats, headers, identity, what is left out, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_sql.errors import IngestError
from mosaic_sql.ingest.triples import EDGES, KIND_MARK, NODES, GraphTables, read_graph, read_triples

SAMPLE = Path(__file__).parents[2] / "sample_data" / "graph"
ODD = [
    "'); DROP TABLE node; --",
    "🎬 film",
    "関係",
    "back\\slash",
    'say "hi"',
    "a, b",
    "a|b",
    "it's",
    "NA",
    "null",
    "true",
]


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def written(name: str, text: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return written


def triples(graph: GraphTables) -> list[tuple[str, str, str]]:
    assert graph.nodes.schema == NODES
    assert graph.edges.schema == EDGES
    keys = graph.nodes["key"].to_pylist()
    assert len(set(keys)) == len(keys)
    assert {*graph.edges["source"].to_pylist(), *graph.edges["target"].to_pylist()} <= set(keys)
    return [(row["source"], row["relation"], row["target"]) for row in graph.edges.to_pylist()]


def properties(table: pa.Table) -> list[Any]:
    return [None if text is None else json.loads(text) for text in table["properties"].to_pylist()]


def test_every_format_gives_the_same_graph(write: Any, tmp_path: Path) -> None:
    table = pa.table(
        {"head": ["a", "b"], "rel": ["r", "s"], "tail": ["b", "c"], "score": [0.5, None], "year": [1999, 7]}
    )
    pq.write_table(table, tmp_path / "g.parquet")
    lines = '{"head":"a","rel":"r","tail":"b","score":0.5,"year":1999}\n\n{"head":"b","rel":"s","tail":"c","year":7}\n'
    sources = [
        table.to_batches()[0],
        write("g.csv", "head,rel,tail,score,year\na,r,b,.5,1999\nb,s,c,,7\n"),
        write("g.tsv", "head\trel\ttail\tscore\tyear\r\na\tr\tb\t+0.5\t1999\r\nb\ts\tc\t\t7"),
        write("g.txt", "Tail|Rel|Head|Score|year\nb|r|a|5e-1|1999\n\nc|s|b||7\n"),
        str(write("semicolon.csv", "head;rel;tail;score;year\na;r;b;0.5;1999\nb;s;c;;7\n")),
        write("g.jsonl", lines),
        tmp_path / "g.parquet",
        table,
        table.to_pandas(),
    ]
    for source in sources:
        graph = read_triples(source)
        assert triples(graph) == [("a", "r", "b"), ("b", "s", "c")], source
        assert graph.edges["weight"].to_pylist() == [0.5, 1.0]
        assert graph.nodes["key"].to_pylist() == graph.nodes["name"].to_pylist() == ["a", "b", "c"]
        assert properties(graph.edges) == [{"year": 1999}, {"year": 7}], source


def test_three_columns_without_a_header(write: Any) -> None:
    path = write("kb.txt", "Kismet|directed_by|William Dieterle\nKismet|written_by|Edward Knoblock\n")
    graph = read_triples(path)
    assert triples(graph)[0] == ("Kismet", "directed_by", "William Dieterle")
    assert graph.notes == ("no header line: columns taken as source, relation, target",)
    assert len(triples(read_triples(path, header=True))) == 1
    assert len(triples(read_triples(write("h.csv", "s,p,o\na,r,b\n"), header=False))) == 2
    assert triples(read_triples(write("l.jsonl", '["a", "r", "b"]\n["b", "r", 1984]\n'))) == [
        ("a", "r", "b"),
        ("b", "r", "1984"),
    ]
    assert triples(read_triples(pa.table({"x": ["a"], "y": ["r"], "z": ["b"]}))) == [("a", "r", "b")]


def test_header_names_and_order(write: Any) -> None:
    graph = read_triples(write("g.csv", "﻿Object,Label,Subject,Type,Evidence\nb,the label,a,r,It is so.\n"))
    assert graph.edges.to_pylist() == [
        {"source": "a", "relation": "r", "target": "b", "weight": 1.0, "label": "the label", "fact": "It is so.",
         "properties": None}
    ]  # fmt: skip
    assert graph.notes == ("header line recognised",)
    labelled = read_triples(write("l.csv", "from,label,to\na,r,b\n"))
    assert triples(labelled) == [("a", "r", "b")]


def test_other_delimiters_and_encodings(write: Any) -> None:
    assert triples(read_triples(write("g.txt", "a;r;b, c\n"))) == [("a", "r", "b, c")]
    assert triples(read_triples(write("g.csv", "a:r:b\n"), delimiter=":")) == [("a", "r", "b")]
    assert triples(read_triples(write("u.csv", "é,r,b\n".encode("utf-16")))) == [("é", "r", "b")]
    latin = read_triples(write("w.csv", "é,r,b\n".encode("cp1252")))
    assert triples(latin) == [("é", "r", "b")]
    assert latin.notes[0] == "not UTF-8; read as Windows-1252"
    with pytest.raises(IngestError, match="a delimiter is one character"):
        read_triples(write("g.csv", "a,r,b\n"), delimiter="::")


def test_odd_names_survive_every_format(write: Any, tmp_path: Path) -> None:
    frame = pd.DataFrame({"s": ODD, "p": "r", "o": ODD[::-1]})
    wanted = [(s, "r", o) for s, o in zip(ODD, ODD[::-1], strict=True)]
    frame.to_csv(tmp_path / "g.csv", index=False)
    frame.to_csv(tmp_path / "g.tsv", index=False, sep="\t")
    frame.to_json(tmp_path / "g.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "g.parquet")
    for source in [*tmp_path.iterdir(), frame]:
        assert triples(read_triples(source)) == wanted, source


def test_quotation_marks(write: Any) -> None:
    quoted = read_triples(write("g.csv", '"a, ""b""",r,"two\nlines"\nc,r,5" disk\n'))
    assert triples(quoted) == [('a, "b"', "r", "two\nlines"), ("c", "r", '5" disk')]
    literal = read_triples(write("g.tsv", '"Weird Al" Yankovic\tr\t"b"\n12"\tr\tc\n'))
    assert triples(literal) == [('"Weird Al" Yankovic', "r", '"b"'), ('12"', "r", "c")]
    with pytest.raises(IngestError, match=r"g\.csv: quotation marks of the row at line 3"):
        read_triples(write("g.csv", 'a,r,b\nb,r,c\n"c,r,d\ne,r,f\n'))


@settings(max_examples=60)
@given(st.lists(st.tuples(*[st.text(st.characters(codec="utf-8"), max_size=6)] * 3), min_size=1, max_size=8))
def test_any_text_in_a_table(rows: list[tuple[str, str, str]]) -> None:
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(("source", "relation", "target"))})
    blank = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0"
    complete = all(cell.replace("\0", "").strip(blank).strip() for row in rows for cell in row)
    try:
        found = triples(read_triples(table))
    except IngestError as error:
        assert "no triples" in str(error)
        assert not complete
        return
    assert all(part == part.strip() and part and "\0" not in part for triple in found for part in triple)
    assert not complete or len(found) == len({tuple(c.replace("\0", "").strip() for c in row) for row in rows})


def test_incomplete_and_repeated_rows_are_counted(write: Any) -> None:
    text = 'subject,predicate,object\n\na,r,"b\nc"\n ,r,b\na,,b\na,r,\na,r,"b\nc"\nx,r\na,r, \n\0,r,b\n'
    graph = read_triples(write("g.csv", text))
    assert triples(graph) == [("a", "r", "b\nc")]
    assert graph.notes == (
        "header line recognised",
        "1 row with another number of columns left out (first: line 10)",
        "2 rows without a source left out (first: line 5)",
        "1 row without a relation left out (first: line 6)",
        "2 rows without a target left out (first: line 7)",
        "1 repeated triple merged",
    )


def test_only_plain_repetitions_are_merged() -> None:
    table = pa.table({
        "source": ["a"] * 6, "relation": ["r"] * 6, "target": ["b"] * 6, "weight": [2, 3, 1, 1, 1, 1],
        "fact": [None, None, "x", "y", None, None], "properties": [None, "{}", None, None, '{"n": 1}', '{"n": 1}'],
    })  # fmt: skip
    graph = read_triples(table)
    assert graph.edges["weight"].to_pylist() == [2.0, 1.0, 1.0, 1.0, 1.0]
    assert graph.edges["fact"].to_pylist() == [None, "x", "y", None, None]
    assert graph.notes == ("1 repeated triple merged",)


def test_kinds_are_part_of_a_name(write: Any) -> None:
    text = "source,source_kind,relation,target,target_kind\nParis,city,in,France,country\nParis,person,loves,Rome,\n"
    graph = read_triples(write("g.csv", text))
    assert [(row["key"], row["name"], row["kind"]) for row in graph.nodes.to_pylist()] == [
        (f"Paris{KIND_MARK}city", "Paris", "city"),
        (f"France{KIND_MARK}country", "France", "country"),
        (f"Paris{KIND_MARK}person", "Paris", "person"),
        ("Rome", "Rome", None),
    ]


@pytest.mark.parametrize("value", ["abc", "nan", "inf", "-Infinity", "1e999", "1,5"])
def test_weights_are_finite_numbers(write: Any, value: str) -> None:
    path = write("g.tsv", f"s\tp\to\tweight\n\tr\tb\tx\na\tr\tb\t1\n\na\tr\tc\t{value}\n")
    with pytest.raises(IngestError, match=rf"weight `{value}` is not a finite number, line 5"):
        read_triples(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_of_tables_are_finite(value: float) -> None:
    table = pa.table({"s": ["a", "b"], "p": ["r", "r"], "o": ["b", "c"], "weight": [1.0, value]})
    with pytest.raises(IngestError, match="is not a finite number, row 2"):
        read_triples(table)


BROKEN = [
    ("g.csv", "s,p,o,properties\na,r,b,{}\na,r,c,{x\n", "properties of line 3: "),
    ("g.csv", "s,p,o,properties\na,r,b,[1]\n", "properties of line 2: expected a JSON object"),
    ("g.csv", 's,p,o,properties\na,r,b,"{""x"": NaN}"\n', "properties of line 2: NaN is not JSON"),
    ("g.jsonl", '{"s":"a","p":"r","o":"b"}\n\n{"s":\n', "line 3 is not JSON"),
    ("g.jsonl", '{"s":"a","p":"r","o":"b","x":1,"properties":"{x"}\n', "properties of line 1: "),
    ("g.jsonl", '{"s":"a","p":"r","o":"b","x":1,"properties":[1]}\n', "properties of line 1: expected a JSON object"),
    ("g.jsonl", "[" * 100_000, "nested too deep"),
    ("g.jsonl", "7\n", "line 1 is not a JSON object"),
    ("g.jsonl", '{"s":"\\ud800","p":"r","o":"b"}\n', "g.jsonl: "),
    ("g.csv", "", "no triples in "),
    ("g.csv", "\ufeff \n\n", "no triples in "),
    ("g.csv", "s,p,o\n", "no triples in "),
    ("g.csv", "s,p,o\na,,b\n", "no triples in .*: 1 row without a relation left out .first: line 2."),
    ("g.jsonl", "\n", "no triples in "),
    ("g.csv", "a,b,c,d\n1,2,3,4\n", "no columns for source, relation and target among: a, b, c, d"),
    ("g.csv", "a,b\n1,2\n", "no columns for source, relation and target"),
    ("g.parquet", "not Parquet", "g.parquet: "),
]


@pytest.mark.parametrize(("name", "text", "message"), BROKEN)
def test_refusals_are_one_line(write: Any, name: str, text: str, message: str) -> None:
    with pytest.raises(IngestError, match=message) as caught:
        read_triples(write(name, text))
    assert len(str(caught.value).splitlines()) == 1


def test_sources_that_are_none(tmp_path: Path) -> None:
    for name, data in (("b.tsv", bytes(range(256)) * 4), ("c.csv", b"\x89PNG\r\n\x1a\n" + bytes(90))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(IngestError, match=rf"{name}: not a text: [a-zA-Z ]+$"):
            read_triples(tmp_path / name)
    with pytest.raises(IngestError, match=r": not a file; name one that holds a table$"):
        read_triples(tmp_path)
    with pytest.raises(IngestError, match=r"none\.csv: no such file"):
        read_triples(tmp_path / "none.csv")
    with pytest.raises(IngestError, match="a int is neither a path nor a table"):
        read_triples(7)
    with pytest.raises(IngestError, match="two columns are called s"):
        read_triples(pa.table([["a"], ["r"], ["b"]], names=["s", "s", "o"]))
    with pytest.raises(IngestError, match="Duplicate column names"):
        read_triples(pd.DataFrame([["a", "r", "b"]], columns=["s", "s", "o"]))
    with pytest.raises(IngestError, match="the table of triples: "):
        read_triples(pd.DataFrame({"s": ["a", 1], "p": "r", "o": "b"}))
    with pytest.raises(IngestError, match="without a header line three columns are needed, not 4"):
        path = tmp_path / "g.csv"
        path.write_text("a,r,b,1\n")
        read_triples(path, header=False)


def test_nodes_with_ids(write: Any) -> None:
    nodes = write("nodes.csv", "id,name,kind,aliases,properties,description,founded,code,vector\n"
        '1, Ada ,person,Countess|"AL"|,"{""x"": [1]}",A person.,1815,007,"[1, 0.5]"\n'
        '2,Ada,person,"[""A"", ""B""]",,,1816,x,\n3,,,[untitled],,,,,\n,nobody,,,,,,,\n1,Again,,,,,,,\n')  # fmt: skip
    graph = read_graph(
        nodes, write("edges.csv", "source,relation,target,since\n1,knows,2,1820\n2,knows,9,\n2,knows,Ada,\n")
    )
    first, second, third, *added = graph.nodes.to_pylist()
    assert first == {
        "key": "1", "name": "Ada", "kind": "person", "aliases": ["Countess", '"AL"'], "description": "A person.",
        "properties": '{"x": [1], "founded": 1815, "code": "007"}', "vector": [1.0, 0.5],
    }  # fmt: skip
    assert (second["key"], second["name"], second["aliases"], second["vector"]) == ("2", "Ada", ["A", "B"], None)
    assert (third["name"], third["aliases"], third["properties"]) == ("3", ["[untitled]"], None)
    assert [row["key"] for row in added] == ["9", "Ada"]
    assert triples(graph) == [("1", "knows", "2"), ("2", "knows", "9"), ("2", "knows", "Ada")]
    assert properties(graph.edges) == [{"since": 1820}, None, None]
    assert graph.notes == (
        "nodes: 1 row without an id left out (first: line 5)",
        "nodes: 1 repeated node left out (first: line 6)",
        "edges: header line recognised",
        "edges: 1 name not among the nodes added as nodes (first: 9)",
        "edges: 1 name of known nodes added as nodes of their own, since other ends are ids (first: Ada); "
        "write ids there",
    )


def test_nodes_without_ids_are_their_names() -> None:
    nodes = pa.table({"name": ["Paris", "Paris", "Rome"], "kind": ["city", "person", None]})
    edges = pa.table({
        "source": ["Paris", "Paris", "Paris", "Rome"], "relation": ["r", "s", "t", "u"],
        "target": ["Rome", "Rome", "Rome", "Oslo"],
        "source_kind": [None, "person", "ship", None], "target_kind": [None, None, "city", None],
    })  # fmt: skip
    graph = read_graph(nodes, edges)
    city, person, ship = (f"Paris{KIND_MARK}{kind}" for kind in ("city", "person", "ship"))
    assert triples(graph) == [(city, "r", "Rome"), (person, "s", "Rome"), (ship, "t", "Rome"), ("Rome", "u", "Oslo")]
    assert graph.nodes["key"].to_pylist() == [city, person, "Rome", ship, "Oslo"]
    assert graph.notes == (
        "edges: 1 name of several nodes, the first one taken (such as Paris)",
        "edges: 2 names not among the nodes added as nodes (first: Paris)",
    )


def test_edges_that_use_names_although_there_are_ids() -> None:
    graph = read_graph(
        pa.table({"id": [1, 2], "name": ["a", "b"]}),
        pa.table({"s": ["a"], "p": ["r"], "o": ["b"], "target_kind": ["k"]}),
    )
    assert triples(graph) == [("1", "r", "2")]


def test_ids_that_a_data_frame_made_floats() -> None:
    nodes = pd.DataFrame({"id": [1.0, 2.0, None], "name": ["a", "b", "c"]})
    graph = read_graph(nodes, pd.DataFrame({"source": [1], "relation": ["r"], "target": [2]}))
    assert triples(graph) == [("1", "r", "2")]


def test_typed_columns_become_properties() -> None:
    nodes = pd.DataFrame({
        "id": ["a", "b"], "n": [1, 2], "x": [0.5, float("nan")], "ok": [True, False], "text": ["12", ""],
        "day": pd.to_datetime(["2020-01-02", None]), "tags": [["p", "q"], None], "none": [None, None],
        "kind": pd.Categorical(["k", None]), "shade": pd.Categorical(["red", None]),
        "vector": [[1.0, 2.0], None], "aliases": [["A", " ", "A"], None],
        "properties": [{"n": 9, "deep": {"y": 1}}, None],
    })  # fmt: skip
    graph = read_graph(nodes, pa.table({"s": ["a"], "p": ["r"], "o": ["b"]}))
    assert properties(graph.nodes) == [
        {"deep": {"y": 1}, "n": 1, "x": 0.5, "ok": True, "text": "12", "day": "2020-01-02 00:00:00", "tags": ["p", "q"],
         "shade": "red"},
        {"n": 2, "ok": False},
    ]  # fmt: skip
    assert graph.nodes["vector"].to_pylist() == [[1.0, 2.0], None]
    assert graph.nodes["aliases"].to_pylist() == [["A"], []]
    assert graph.nodes["kind"].to_pylist() == ["k", None]


def test_json_lines_keep_the_types_of_values(write: Any) -> None:
    nodes = write("n.jsonl",
        '{"id":1,"name":"a","aliases":["x"],"vector":[1,2],"zip":"0123","no":12,"properties":{"q":[null]}}\n'
        '{"id":2,"no":"12","properties":"{\\"w\\": 1}"}\n')  # fmt: skip
    graph = read_graph(nodes, write("e.jsonl", '{"source":1,"relation":"r","target":2,"since":null}\n'))
    assert properties(graph.nodes) == [{"q": [None], "zip": "0123", "no": 12}, {"w": 1, "no": "12"}]
    assert properties(graph.edges) == [None]
    assert graph.nodes["vector"].to_pylist() == [[1.0, 2.0], None]


def test_nodes_that_are_none(write: Any) -> None:
    edges = pa.table({"s": ["a"], "p": ["r"], "o": ["b"]})
    with pytest.raises(IngestError, match="no nodes in"):
        read_graph(write("n.csv", ""), edges)
    with pytest.raises(IngestError, match="no nodes in"):
        read_graph(write("n.csv", "id,name\n,x\n"), edges)
    with pytest.raises(IngestError, match="no columns for id or name among: x, y"):
        read_graph(write("n.csv", "x,y\n1,2\n"), edges)


def test_many_rows() -> None:
    numbers = range(200_000)
    table = pa.table(
        {
            "s": [f"n{i % 50_000}" for i in numbers],
            "p": [f"r{i % 7}" for i in numbers],
            "o": [f"m{i % 100_000}" for i in numbers],
        }
    )
    graph = read_triples(table)
    assert graph.edges.num_rows == 200_000
    assert graph.nodes.num_rows == 150_000
    assert graph.nodes["key"].to_pylist()[:4] == ["n0", "m0", "n1", "m1"]
    doubled = read_triples(pa.concat_tables([table, table]))
    assert doubled.edges.equals(graph.edges)
    assert doubled.nodes.equals(graph.nodes)


@pytest.mark.skipif(not (SAMPLE / "nodes.csv").is_file(), reason="no sample graph in this checkout")
def test_the_sample_graph() -> None:
    graph = read_graph(SAMPLE / "nodes.csv", SAMPLE / "edges.csv")
    assert triples(graph)
    assert not [note for note in graph.notes if "left out" in note or "not among" in note]
    assert all(isinstance(one, dict) for one in properties(graph.nodes) if one is not None)


def test_ids_that_are_names_for_want_of_a_column_are_told() -> None:
    graph = read_graph(
        pa.table({"id": ["a"], "titel": ["Heat"]}), pa.table({"source": ["a"], "relation": ["r"], "target": ["a"]})
    )
    assert graph.nodes["name"].to_pylist() == ["a"]
    assert graph.notes == ("nodes: no column of names (name, label, title), so ids are the names",)
