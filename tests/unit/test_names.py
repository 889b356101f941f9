"""Names many at once are what `text` makes of them one by one."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from mosaic_sql import text as words
from mosaic_sql.ingest import names

# Letters of several scripts, marks that vanish or multiply when folded, sigma at the end of a word, what is no word.
LETTERS = "aB1z9 _-.'\n\0é\u0301ﬁİßΣσς東京한ไ\u0e31ー²🙂"
NAMES = st.lists(st.text(st.sampled_from(LETTERS)) | st.text(max_size=12), max_size=8)


@given(NAMES)
def test_the_look_up_form_of_many_names_is_that_of_each(many: list[str]) -> None:
    column = pa.chunked_array([many[:3], many[3:]], pa.string())
    assert names.normalised(column).to_pylist() == [words.normalise(name) for name in many]
    assert names.name_keys(column).to_pylist() == [words.name_key(name) for name in many]


@given(NAMES)
def test_the_words_of_many_names_are_the_tokens_of_each(many: list[str]) -> None:
    ids = pa.array(range(len(many)), pa.int32()).to_numpy()
    nodes, places, forms = names.words_of(ids, pa.chunked_array([many], pa.string()))
    found = [(int(node), forms[place]) for node, place in zip(nodes, places, strict=True)]
    assert found == [
        (node, form) for node, name in enumerate(many) for form in sorted({token.form for token in words.tokens(name)})
    ]


@given(st.text(st.sampled_from("abesyingdlr1é東"), max_size=9))
def test_a_word_that_ends_in_no_plain_letter_is_its_own_stem(word: str) -> None:
    assert words.stem(word) == words._stemmer.stemWord(word)
