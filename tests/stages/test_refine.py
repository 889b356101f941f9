"""Plain questions that end in an order, a count, a comparison, a set or an interval: asked, answered, printed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import worlds

import mosaic_sql as mosaic
from mosaic_sql.errors import PolicyError
from mosaic_sql.pipeline.results import Asked

QUESTIONS: dict[str, list[tuple[str, list[str]]]] = {
    "countries": [
        (  # the five biggest cities of a country
            "What are the five biggest cities of Veldland?",
            ["Belmont", "Estgate", "Dunmere", "Glimmer", "Orsk"],
        ),
        ("What is the second largest city of Veldland?", ["Estgate"]),
        ("Which city of Veldland is the oldest?", ["Belmont"]),
        ("How many cities does Veldland have?", [city for city, *_ in worlds.CITIES]),
        ("Which cities of Veldland have more than 500,000 inhabitants?", ["Belmont", "Dunmere", "Estgate", "Glimmer"]),
        ("Which cities of Veldland were founded before 1700?", ["Belmont", "Dunmere", "Estgate", "Hollin"]),
        ("Which cities of Veldland except Orsk have a population under 400000?", ["Carrow", "Farrow Bay"]),
        ("How many cities were founded between 1600 and 1800?", ["Orsk", "Estgate", "Jarrow"]),
        ("Which is the biggest city?", ["Ilmen"]),
        ("Which countries have more than 3 cities?", ["Veldland"]),
        ("How many inhabitants does Orsk have?", ["Orsk"]),
        ("When was Carrow founded?", ["Carrow"]),
    ],
    "wars": [
        (
            "In which war did Ada Lorne serve as president?",
            ["River War"],
        ),  # an interval of an edge, and those of all wars
        ("In which war did Ada Lorne serve as senator?", ["Salt War"]),
        ("In which war did Bert Moss serve as president?", ["Last War"]),  # neither has an end
        ("During which wars did Ada Lorne hold a position?", ["Salt War", "River War"]),
    ],
    "games": [
        ("Which city held the editions of the Northern Games twice?", ["Orsk"]),  # having count = 2
        ("Which city held more than two editions of the Northern Games?", ["Carrow"]),
        ("Which city of an edition of the Northern Games held it most often?", ["Carrow"]),
    ],
    "titles": [
        ("In which year did the Harriers win their second title?", ["1931 championship"]),  # by date, the second row
        (
            "When was the last time the Harriers won a title?",
            ["1960 championship"],
        ),  # by date descending, the first row
        ("How many titles did the Rovers win?", ["1925 championship", "1990 championship"]),
    ],
    "films": [
        ("Which films star both Olu Bell and Ines Rey?", ["Night Train", "Red Mesa"]),
        ("Which films star Olu Bell but not Ines Rey?", ["Glass Sea"]),
        ("Which films were directed by Mara Quist but not starring Tom Vale?", ["Night Train", "Glass Sea"]),
        ("Which films directed by Mara Quist star Olu Bell but not Ines Rey?", ["Glass Sea"]),
        ("Which films star neither Olu Bell nor Ines Rey?", ["Quiet Hour"]),
        ("Which films starring Olu Bell were released after 1989?", ["Glass Sea", "Red Mesa"]),
        ("Which film by Mara Quist has the highest rating?", ["Glass Sea"]),
        ("Which person starred in the most films?", ["Ines Rey", "Olu Bell"]),
        ("Who starred in more than two films?", ["Ines Rey", "Olu Bell"]),
    ],
    "plain_films": [
        ("Which films directed by Mara Quist were released after 1990?", ["Glass Sea", "Low Tide"]),
        ("Which films directed by Mara Quist were released in 1994?", ["Glass Sea"]),
        ("What is the oldest film directed by Mara Quist?", ["Night Train"]),
        ("How many movies did Mara Quist direct?", ["Night Train", "Glass Sea", "Low Tide"]),
    ],
}
CASES = [(world, question, names) for world, cases in QUESTIONS.items() for question, names in cases]


@pytest.fixture(scope="module")
def open_worlds() -> Iterator[dict[str, mosaic.Corpus]]:
    yield from worlds.opened(QUESTIONS)


def names(asked: Asked) -> list[str]:
    return [answer.name for answer in asked.retrieval.answers]


@pytest.mark.parametrize(("world", "question", "expected"), CASES)
def test_a_plain_question_is_answered(
    open_worlds: dict[str, mosaic.Corpus], world: str, question: str, expected: list[str]
) -> None:
    asked = open_worlds[world].ask(question)
    assert names(asked) == expected
    assert asked.found
    assert len(asked.citations) == len(expected)
    passages = {passage.number: passage for passage in asked.retrieval.context.passages}
    assert [passages[citation.number].text.split(":")[0].split(";")[0] for citation in asked.citations] == expected


def test_values_stand_beside_names_and_a_number_before_them(open_worlds: dict[str, mosaic.Corpus]) -> None:
    asked = open_worlds["countries"].ask("What are the two biggest cities of Veldland?")
    assert asked.text == "Belmont (population 2400000) [1]\nEstgate (population 1150000) [2]"
    first = asked.retrieval.context.passages[0].text
    assert first == "Belmont: population 2400000; Belmont -country-> Veldland"
    assert open_worlds["countries"].ask("How many cities of Veldland were founded after 1800?").text == (
        "2\nCarrow [1]\nFarrow Bay [2]"
    )
    none = open_worlds["countries"].ask("How many cities of Veldland were founded after 1950?")
    assert (none.text, none.found) == ("0", True)
    title = open_worlds["titles"].ask("In which year did the Harriers win their second title?")
    assert title.text == "1931 championship (date 1931-09-30) [1]"


def test_a_title_may_be_an_edge_with_a_year() -> None:
    with worlds.titles(on_edges=True) as corpus:
        for question, value in (
            ("When did Harriers win their second title?", "1931"),
            ("In which year did the Harriers win their second title?", "1931"),
            ("When did the Harriers last win a title?", "1960"),
        ):
            (answer,) = corpus.ask(question).retrieval.answers
            assert (answer.name, answer.value) == ("Crystal Cup", value)
        assert corpus.ask("How many titles did the Rovers win?").text.splitlines()[0] == "2"


@pytest.mark.parametrize("world", ["countries", "wars", "games", "titles", "films"])
def test_the_printed_script_gives_the_same_answers_in_a_plain_duckdb(world: str, tmp_path: Path) -> None:
    path = tmp_path / "world.duckdb"
    with getattr(worlds, world)(str(path)) as corpus:
        scripts = [(corpus.sql(question), corpus.retrieve(question)) for question, _ in QUESTIONS[world][:2]]
    for script, found in scripts:
        assert "-- refine: refine.refine." in script
        with duckdb.connect(str(path), read_only=True) as shell:
            results = [shell.execute(statement).fetchall() for statement in duckdb.extract_statements(script)]
        assert found.refined is not None
        assert results[-1]
        assert [row[6] for row in results[-1]] == list(found.refined.lines)
        assert len(results[-2]) == len(found.to_arrow())


def test_an_anchor_that_is_an_answer_too_is_one_entity(open_worlds: dict[str, mosaic.Corpus]) -> None:
    context = open_worlds["countries"].ask("Which is bigger, Belmont or Orsk?").retrieval.context
    entities = [passage.text.partition(" (")[0] for passage in context.passages if passage.title == "entity"]
    assert sorted(entities) == ["Belmont", "Orsk"]


def test_a_batch_is_answered_as_its_questions_one_by_one(open_worlds: dict[str, mosaic.Corpus]) -> None:
    corpus = open_worlds["countries"]
    questions = ["What is the biggest city of Veldland?", "What is the biggest city of Westria?"]
    together = corpus.retrieve(questions)
    assert [[answer.name for answer in run.answers] for run in together] == [["Belmont"], ["Ilmen"]]
    assert [names(corpus.ask(question)) for question in questions] == [["Belmont"], ["Ilmen"]]


def test_explain_tells_what_came_in_what_fell_and_what_has_no_value(open_worlds: dict[str, mosaic.Corpus]) -> None:
    told = open_worlds["countries"].explain("What are the five biggest cities of Veldland?")
    assert told.refined["answers"] == 8
    assert told.refined["pruned"] == {"limit": 3}
    assert "refine     8 in, 5 kept, 3 dropped by limit (attribute population" in str(told)
    assert "by population descending, from: five biggest" in told.operator_reason
    every = open_worlds["countries"].explain("What are the cities of Veldland by population?")
    assert "1 without a value, last" in str(every)


def test_controls_that_a_person_sets_stand_as_they_are(open_worlds: dict[str, mosaic.Corpus]) -> None:
    corpus = open_worlds["countries"]
    policy: dict[str, Any] = {"anchors": ["Veldland"], "operator": "meta_path", "pattern": "^country"}
    plain = corpus.ask("What are the five biggest cities?", policy=policy)
    assert len(names(plain)) == 8
    small = corpus.ask("which?", policy={**policy, "filters": "population < 100000", "attribute": "founded"})
    assert [(one.name, one.value) for one in small.retrieval.answers] == [
        ("Carrow", "1850-06-01"),
        ("Farrow Bay", "1921"),
    ]
    both = corpus.ask("which?", policy={**policy, "operator": "bfs", "pattern": None, "sort_by": "degree", "limit": 1})
    assert names(both) == ["Orsk"]
    with pytest.raises(PolicyError, match="did you mean `population`"):
        corpus.ask("which?", policy={**policy, "attribute": "popluation"})


@pytest.mark.parametrize(
    ("world", "question", "said"),
    [
        (
            "games",
            "What is the heaviest city of an edition of the Northern Games?",
            "no property of the answers goes with it",
        ),
        ("films", "Who starred in the latest film directed by Mara Quist?", "is on the way, not what is asked for"),
        ("wars", "Which position did Ada Lorne hold for more than 3 parsecs?", "no number among the properties"),
    ],
)
def test_what_the_schema_cannot_serve_is_left_out_and_told(
    open_worlds: dict[str, mosaic.Corpus], world: str, question: str, said: str
) -> None:
    analysis = open_worlds[world].analyze(question)
    assert not analysis.policy.refine.is_active
    assert [said in correction.reason for correction in analysis.corrections if correction.field == "refine"] == [True]


def test_the_kind_of_each_property_is_told_by_its_values() -> None:
    rows = [
        (
            "a",
            "A",
            "thing",
            {"born": "1900", "size": "1,200", "on": True, "mixed": "1", "day": "3 May 1999", "it's/~": "x"},
        ),
        ("b", "B", "thing", {"born": "1901-05", "size": "12.5", "on": False, "mixed": "no", "day": "1999-05-04"}),
        ("c", "C", "thing", {"born": "c. 1903", "size": "about 7", "pages": "1500"}),
    ]
    with worlds.graph(rows, [("a", "next", "b", {"since": "1999"}), ("b", "next", "c", {"since": "2001"})]) as corpus:
        found = corpus.connection.execute("SELECT owner, property, type, value_count FROM schema_property").fetchall()
    assert found == [
        ("edge", "since", "date", 2),
        ("node", "born", "text", 3),  # two of three are dates
        ("node", "day", "date", 2),
        ("node", "it's/~", "text", 1),
        ("node", "mixed", "text", 2),
        ("node", "on", "bool", 2),
        ("node", "pages", "number", 1),  # a year by its form, but its name says nothing of time
        ("node", "size", "text", 3),
        ("relation", "next", "text", 2),
    ]


def test_a_year_that_is_a_node_is_an_anchor_where_nothing_is_compared_with_it() -> None:
    with worlds.plain_films() as corpus:
        found = corpus.retrieve("Which films were released in 1990?")
        assert [answer.name for answer in found.answers] == ["Red Mesa"]
        assert not found.analysis.policy.refine.is_active
