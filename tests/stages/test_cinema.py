"""Questions that are easily answered wrong, over one world in two forms: what is left out, joined, unknown, or when."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cinema
import pytest
from worlds import graph

import mosaic_sql as mosaic

ASKED = [
    # one of several
    ("Who is the director of the oldest film starring Olu Bell?", "Mara Quist"),
    ("Which is older, Red Mesa or Glass Sea?", "Red Mesa"),
    # what is left out
    ("Which films were not directed by Mara Quist?", "Red Mesa, Quiet Hour, 1984"),
    ("Which films did Mara Quist not direct?", "Red Mesa, Quiet Hour, 1984"),
    ("Which films don't star Tom Vale?", "Night Train, Glass Sea, Red Mesa"),
    ("Which people were not born in Orsk?", "Per Holm, Olu Bell, Ines Rey, Tom Vale"),
    ("Which films starring Olu Bell were not directed by Mara Quist?", "Red Mesa"),
    ("Which films not directed by Mara Quist star Olu Bell?", "Red Mesa"),
    ("films by Mara Quist but not with Olu Bell", "Low Tide"),
    ("Which films star neither Olu Bell nor Ines Rey?", "Quiet Hour, 1984"),
    ("films directed but not written by Mara Quist", "Glass Sea"),
    ("Which films did Mara Quist direct without writing them?", "Glass Sea"),
    # what is joined
    ("films with Olu Bell and Ines Rey", "Night Train, Red Mesa"),
    ("Which films did Mara Quist and Tom Vale write together?", "Low Tide"),
    ("films by Mara Quist and with Ines Rey", "Night Train, Low Tide"),
    ("Who directed and starred in Red Mesa?", "Per Holm"),
    ("Who directed or starred in Red Mesa?", "Per Holm, Olu Bell, Ines Rey"),
    ("films directed and written by Mara Quist", "Night Train, Low Tide"),
    ("Which films did Per Holm direct and star in?", "Red Mesa"),
    ("What are the director and the genre of Red Mesa?", "Per Holm, western"),
    ("Who directed Night Train and Red Mesa?", "Mara Quist, Per Holm"),
    # when
    ("Where was Mara Quist born?", "Orsk"),
    ("films by Mara Quist released after 2005", "Low Tide"),
    ("Which films starring Olu Bell came out between 1989 and 1995?", "Glass Sea, Red Mesa"),
    ("Who is the director of 1984?", "Ida Frost"),
]


@pytest.fixture(scope="module", params=["typed", "triples"])
def films(request: pytest.FixtureRequest) -> Iterator[mosaic.Corpus]:
    with getattr(cinema, request.param)() as corpus:
        yield corpus


def names(found: mosaic.Retrieval) -> set[str]:
    return {answer.name for answer in found.answers}


@pytest.mark.parametrize(("question", "expected"), ASKED)
def test_a_plain_question_is_answered(films: mosaic.Corpus, question: str, expected: str) -> None:
    assert names(films.retrieve(question)) == set(expected.split(", "))


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("Were Mara Quist and Per Holm born in the same country?", "Yes: Veldland."),
        ("Were Mara Quist and Tom Vale born in the same country?", "No: "),
        ("Were Mara Quist and Ida Frost born in the same city?", "Yes: Orsk."),
        ("Has Olu Bell worked with Mara Quist?", "Yes: "),
        ("Has Tom Vale worked with Olu Bell?", "No: "),
        ("films directed by Mara Quist starring Tom Vale", ""),
    ],
)
def test_what_two_people_share_is_what_is_named(films: mosaic.Corpus, question: str, opening: str) -> None:
    asked = films.ask(question)
    assert asked.text.startswith(opening)
    assert bool(opening) == asked.text.startswith(("Yes", "No"))


def test_where_nothing_holds_for_both_what_holds_for_one_is_told_as_such(triples: mosaic.Corpus) -> None:
    asked = triples.ask("Who directed Night Train and Red Mesa?")
    reason = "nothing holds for both of Night Train and Red Mesa; these hold for one of them"
    assert (asked.found, asked.answer.reason) == (True, reason)
    none = triples.ask("Who directed both Night Train and Red Mesa?")
    assert (none.found, none.answer.reason) == (False, "nothing that holds for all from Night Train and Red Mesa")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Is Night Train longer than Glass Sea?", "No\nGlass Sea (runtime 141) [1]\nNight Train (runtime 95) [2]"),
        ("Is Glass Sea longer than Night Train?", "Yes\nGlass Sea (runtime 141) [1]\nNight Train (runtime 95) [2]"),
        ("Which has a longer runtime, Red Mesa or Low Tide?", "Low Tide (runtime 118) [1]"),
        ("Is Red Mesa or Low Tide longer?", "Low Tide (runtime 118) [1]"),
        ("Was Red Mesa or Low Tide released earlier?", "Red Mesa (release_date 1990-01-09) [1]"),
        ("Who is younger, Tom Vale or Ines Rey?", "Tom Vale (born 1971-08-08) [1]"),
        (
            "What is the average runtime of the films by Mara Quist?",
            "118, the mean of runtime (3 of 3) [1]\n"
            "Night Train (runtime 95) [2]\nGlass Sea (runtime 141) [3]\nLow Tide (runtime 118) [4]",
        ),
        (
            "What is the total runtime of the films directed by Per Holm?",
            "190, the sum of runtime (2 of 2) [1]\nRed Mesa (runtime 102) [2]\nQuiet Hour (runtime 88) [3]",
        ),
        (
            "How many films did each person direct?",
            "Mara Quist (count 3) [1]\nPer Holm (count 2) [2]\nIda Frost (count 1) [3]",
        ),
        (
            "What is the runtime of Glass Sea and Red Mesa?",
            "Glass Sea (runtime 141) [1]\nRed Mesa (runtime 102) [2]",
        ),
        ("number of cities per country", "Veldland (count 2) [1]\nWestria (count 2) [2]"),
        ("Which has the longest runtime, Red Mesa or Low Tide?", "Low Tide (runtime 118) [1]"),
        ("Which film directed by Mara Quist is a crime film?", "Night Train [1]"),
        ("How many drama films did Mara Quist direct?", "2\nGlass Sea [1]\nLow Tide [2]"),
        ("Which films are longer than Low Tide?", "Glass Sea (runtime 141) [1]"),
        ("What did Mara Quist direct after Glass Sea?", "Low Tide (release_date 2006-05-20) [1]"),
        ("list all cities", "Orsk [1]\nBelmont [2]\nIlmen [3]\nJarrow [4]"),
    ],
)
def test_nodes_are_compared_summed_and_counted_for_each(typed: mosaic.Corpus, question: str, text: str) -> None:
    assert typed.ask(question).text == text


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Is Orsk bigger than Belmont?", "no property of Orsk and Belmont tells which is “bigger than”"),
        ("Which films of Olu Bell were released before 1989 or have over 130 minutes?",
         "“before 1989 or over 130 minutes”: either of two comparisons is not served"),
        ("What is the producer of Glass Sea?", "no relation or property of Glass Sea answers to this question"),
        ("Which films are longer than Glass Sea?", "nothing has runtime > 141"),
        ("Which films are heavier than Glass Sea?",
         "“heavier than Glass Sea”: no property of the answers and of Glass Sea tells it"),
        ("How many films did each actor of Night Train star in?",
         "a number for each actor, and of Night Train alone, was not understood"),
        ("What is the heaviest film of Mara Quist?",
         "“heaviest”: no property of the answers goes with it; with an order: release_date, runtime"),
        ("What is the average weight of the films by Mara Quist?",
         "“mean”: no number among the properties of the answers goes with it"),
    ],
)  # fmt: skip
def test_what_no_property_serves_is_told(typed: mosaic.Corpus, question: str, reason: str) -> None:
    asked = typed.ask(question)
    assert (asked.found, asked.answer.reason) == (False, reason)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Who directed Foo Bar?", 'no node is called "Foo Bar"'),
        ("Did Mara Quist direct Foo Bar?", 'no node is called "Foo Bar"'),
        ("Which films star Olu Bell and Dr Zog?", 'no node is called "Zog"'),
        ("Who directed Glass Sea Returns?", 'no node is called "Glass Sea Returns"; near it: Glass Sea'),
        ('Who directed "the long farewell"?', 'no node is called "the long farewell"'),
        ("When was Mara Quist born?", "no relation or property of Mara Quist answers to this question"),
        ("Which films have no genre?", "“no” leaves something out, and what that is was not understood"),
    ],
)
def test_what_cannot_be_answered_is_said_and_not_guessed(triples: mosaic.Corpus, question: str, reason: str) -> None:
    asked = triples.ask(question)
    assert (asked.found, asked.answer.reason, asked.retrieval.answers) == (False, reason, ())


@pytest.mark.parametrize(
    "question",
    ["Who is the Director of Night Train?", "Who was in Night Train on a Monday, the CEO of it or Mr Olu Bell?"],
)
def test_a_capital_alone_makes_no_name(triples: mosaic.Corpus, question: str) -> None:
    assert triples.analyze(question).unresolved == ""


def test_texts_beside_a_graph_leave_its_questions_to_it_and_keep_their_own(tmp_path: Path) -> None:
    text = "The camera of the studio was built by Alma Strand. The crew called it the mill, for it was loud."
    (tmp_path / "mill.md").write_text(f"# The mill\n\n{text}\n", encoding="utf-8")
    with cinema.typed() as corpus:
        corpus.add([tmp_path])
        for question, expected in (
            ("How many films are there?", set(cinema.FILMS)),
            ("Which is the longest film?", {"Glass Sea"}),
            ("Who starred in more than two films?", {"Olu Bell", "Ines Rey", "Tom Vale"}),
            ("films by Mara Quist released after 2005", {"Low Tide"}),
            ("Which has a longer runtime, Red Mesa or Low Tide?", {"Low Tide"}),
            ("Which films were not directed by Mara Quist?", {"Red Mesa", "Quiet Hour", "1984"}),
        ):
            assert names(corpus.retrieve(question)) == expected
        both = corpus.retrieve("films directed by Mara Quist starring Tom Vale")
        assert both.policy.walk.operator == "meta_path"
        by_each = [("Mara Quist", "^directed_by"), ("Tom Vale", "^starring")]
        assert names(both) == set.intersection(*({row.name for row in corpus.match(*one)} for one in by_each))
        for question in (
            "Which is the longest film that the crew called loud?",
            "How many films did the crew lose in the mill?",
            "Who built the camera of the studio?",
            "Did Mara Quist direct Foo Bar?",
            "Which did the crew call the older, Red Mesa or Low Tide?",
        ):
            assert corpus.retrieve(question).policy.walk.operator in ("beam", "chunk_hop"), question


def test_a_number_may_be_a_title_and_a_date_is_one_of_the_answers() -> None:
    books = {
        "1984": ("Ida Frost", "Orbit", 1949),
        "Old Rope": ("Ida Frost", "Tor", 1984),
        "Mort": ("Ann Lee", "Tor", 1990),
    }
    nodes = [(name, name, "book", {"year": year}) for name, (*_, year) in books.items()]
    nodes += [(name, name, "author", {"born": "1930"}) for name in ("Ida Frost", "Ann Lee")]
    nodes += [(name, name, "publisher", {}) for name in ("Orbit", "Tor")]
    edges = [(book, "author", author) for book, (author, _, _) in books.items()]
    edges += [(book, "publisher", publisher) for book, (_, publisher, _) in books.items()]
    with graph(nodes, edges) as corpus:
        asked = {
            "Who is the author of 1984?": {"Ida Frost"},
            "When was the author of 1984 born?": {"Ida Frost"},
            "When was 1984 published?": {"1984"},
            "Which books of 1984 did Ida Frost write?": {"Old Rope"},
            "Which books by Ida Frost were published after 1980?": {"Old Rope"},
            "books published by Tor before 1990": {"Old Rope"},
            "What are Ida Frost's and Ann Lee's books?": {"1984", "Old Rope", "Mort"},
        }
        assert {question: names(corpus.retrieve(question)) for question in asked} == asked
        way = corpus.ask("Which books published by Tor were written by authors born after 1950?")
        said = "“after 1950”: no date among the properties of the answers goes with it"
        assert (way.found, way.answer.reason) == (False, said)


def test_a_script_tells_how_the_handle_runs_it_and_who_set_the_policy() -> None:
    with cinema.typed() as corpus:
        plain = corpus.sql("Who directed Red Mesa?")
        assert "-- this handle runs it as walk join; this is its plain twin, same rows" in plain
        assert "-- policy by rules\n" in plain
        corpus.warm()
        held = corpus.sql("Who directed Red Mesa?", policy={"max_depth": 2})
        assert "-- this handle runs it as walk resident; this is its plain twin, same rows" in held
        assert "-- policy by rules, and by the caller\n" in held
