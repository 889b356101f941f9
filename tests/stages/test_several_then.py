"""Yes or no of several names and one, each held to its dates: members now, members in a year."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import worlds

import mosaic_sql as mosaic


@pytest.fixture(scope="module")
def bands() -> Iterator[mosaic.Corpus]:
    with worlds.bands() as corpus:
        yield corpus


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Are Cid Fox and Ann Lee members of Mercury now?", "No"),
        ("Is Cid Fox a member of Mercury now?", "Yes"),
        ("Are Cid Fox or Ann Lee members of Mercury now?", "Yes"),
        ("Are Ann Lee and Bob Ray still members of Mercury?", "No"),
        ("Were Ann Lee and Bob Ray members of Mercury in 1980?", "Yes"),
        ("Were Ann Lee and Bob Ray members of Mercury in 1985?", "No"),
        ("Were Ann Lee or Bob Ray members of Mercury in 1985?", "Yes"),
        ("Were Ann Lee and Bob Ray both members of Mercury before 1979?", "Yes"),
        ("Were Ann Lee, Bob Ray and Cid Fox members of Mercury?", "Yes"),
        ("Were Ann Lee and Dot Moe members of Mercury?", "No"),
    ],
)
def test_each_of_several_is_held_to_its_dates(bands: mosaic.Corpus, question: str, said: str) -> None:
    assert bands.ask(question).text.startswith(said)


def test_two_that_hold_now_are() -> None:
    with worlds.graph(
        [("Ann", "Ann", "person"), ("Cid", "Cid", "person"), ("b", "The Owls", "band")],
        [("Ann", "member_of", "b", {"from": 1990, "to": None}), ("Cid", "member_of", "b", {"from": 1995, "to": 2999})],
    ) as corpus:
        for question in ("Are Ann and Cid members of The Owls now?", "Are Cid and Ann currently members of The Owls?"):
            assert corpus.ask(question).text.startswith("Yes\n")
