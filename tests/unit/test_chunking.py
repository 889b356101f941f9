"""Chunks: what they cover, how long they get, what they are called."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mosaic_sql.ingest.chunking import SPECIAL_TOKENS, chunk, embedding_text
from mosaic_sql.ingest.structure import defined_names, front_matter
from mosaic_sql.records import ChunkDraft, SourceDocument

_TOKEN = re.compile(r"[A-Za-z0-9]{1,6}|\S")


def offsets(text: str) -> list[tuple[int, int]]:
    """A token for each six letters or digits and for every other character."""
    return [match.span() for match in _TOKEN.finditer(text)]


def whole_words(text: str) -> list[tuple[int, int]]:
    """A word is one token however long, as WordPiece makes of words it does not know."""
    return [match.span() for match in re.finditer(r"\S+", text)]


def pieces(text: str, *, max_tokens: int = 40, **fields: str) -> list[ChunkDraft]:
    return chunk(
        SourceDocument(fields.pop("source", "a.txt"), text, **fields), token_offsets=offsets, max_tokens=max_tokens
    )


def check(document: SourceDocument, chunks: list[ChunkDraft], max_tokens: int) -> None:
    covered = front_matter(document.text, document.markup)[0]
    for ordinal, piece in enumerate(chunks):
        assert piece.ordinal == ordinal
        assert document.text[piece.char_start : piece.char_end] == piece.text
        assert piece.text.strip()
        assert piece.char_start >= covered
        assert not document.text[covered : piece.char_start].strip(), "left out"
        prefix = embedding_text(ChunkDraft(0, piece.title, piece.heading, "", 0, 0))
        budget = max(max_tokens - SPECIAL_TOKENS - len(offsets(prefix)), max_tokens // 8, 1)
        assert len(offsets(piece.text)) <= budget
        assert len(piece.subjects) <= 6
        covered = piece.char_end
    assert not document.text[covered:].strip(), "left out at the end"


LINES = st.sampled_from(
    [
        "",
        "# Gadolinite",
        "## Occurrence in *Sweden*",
        "### 3.2 Treatment ###",
        "Heading below",
        "=====",
        "-----",
        "---",
        "title: Odd",
        "```",
        "| a | b |",
        "- an item of a list",
        "3.2 Treatment",
        "EARLY LIFE",
        "Early life",
        "Gadolinite (GAD) is a silicate mineral. It was found at Ytterby. Johan Gadolin described it in 1794.",
        "Ytterbium are metals",
        "x" * 90,
        "玛丽·居里是波兰裔法国籍女物理学家。她两次获得诺贝尔奖。" * 3,
        "e\u0301\u200d\ufe0f👩‍🔬" * 12,
        "\u00a0\u2003",
        "\u200b",
    ]
)
TEXTS = st.one_of(st.lists(LINES, max_size=30).map("\n".join), st.text(max_size=300))


@settings(max_examples=300)
@given(
    TEXTS, st.sampled_from(["text", "markdown"]), st.sampled_from(["", "Gadolinite", "word " * 60]), st.integers(4, 60)
)
def test_chunks_cover_the_text_once_within_budget(text: str, markup: str, title: str, max_tokens: int) -> None:
    document = SourceDocument("notes/gadolinite.md", text, title, markup)
    chunks = chunk(document, token_offsets=offsets, max_tokens=max_tokens)
    check(document, chunks, max_tokens)
    assert chunks == chunk(document, token_offsets=offsets, max_tokens=max_tokens)


@settings(max_examples=100)
@given(TEXTS)
def test_chunks_stay_in_budget_when_a_cut_word_has_more_tokens_than_the_whole(text: str) -> None:
    document = SourceDocument("a.txt", text)

    def greedy(part: str) -> list[tuple[int, int]]:
        return [span for span in offsets(part) for _ in range(2 if span[0] == 0 else 1)]

    for piece in chunk(document, token_offsets=greedy, max_tokens=30):
        assert len(greedy(piece.text)) <= 28


def test_a_short_document_is_one_chunk() -> None:
    (only,) = pieces("Yttrium was found here.\n\n## Uses\n\nIn lamps.\n", title="Ytterby", markup="markdown")
    assert (only.heading, only.title, only.subjects) == ("", "Ytterby", ("Ytterby", "Uses"))


@pytest.mark.parametrize("text", ["", " \n\t", "---\ntitle: X\n---\n  \n"])
def test_a_blank_document_gives_no_chunk(text: str) -> None:
    assert pieces(text, markup="markdown") == []


@pytest.mark.parametrize("tokens", [offsets, whole_words])
def test_a_line_of_50000_characters_without_blanks_is_split(tokens: object) -> None:
    document = SourceDocument("a.txt", "x" * 50_000)
    chunks = chunk(document, token_offsets=tokens, max_tokens=256)  # type: ignore[arg-type]
    check(document, chunks, 256)
    assert len(chunks) > 30
    assert max(len(piece.text) for piece in chunks) <= 6 * 254


def test_sections_and_heading_paths() -> None:
    body = "Plain words fill this part of the page. " * 6
    text = f"# Gadolinite\n\n{body}\n\n## Occurrence\n\n### Sweden\n\n{body}\n\nUses\n----\n\n{body}\n"
    chunks = pieces(text, markup="markdown")
    assert {piece.title for piece in chunks} == {"Gadolinite"}
    assert list(dict.fromkeys(piece.heading for piece in chunks)) == ["", "Occurrence > Sweden", "Uses"]
    first = next(piece for piece in chunks if piece.heading == "Occurrence > Sweden")
    assert first.text.startswith("## Occurrence\n\n### Sweden\n\nPlain")
    assert first.subjects == ("Occurrence", "Sweden")
    check(SourceDocument("a.txt", text, markup="markdown"), chunks, 40)


def test_headings_of_a_plain_text() -> None:
    body = "These are plain words, and they fill the paragraph below the line that looks like a heading of it. " * 2
    text = (
        f"EARLY LIFE\n\n{body}\n\n3.2 Treatment\n\n{body}\n\nSigns and symptoms\n\n{body}\n\nNot a heading.\n\n{body}"
    )
    headings = list(dict.fromkeys(piece.heading for piece in pieces(text, title="Page")))
    assert headings == ["EARLY LIFE", "EARLY LIFE > 3.2 Treatment", "Signs and symptoms"]


def test_a_hash_within_a_fence_is_no_heading_and_a_fence_stays_whole() -> None:
    fence = "```sh\n# not a heading\n\nrun it\n```"
    text = f"# Page\n\n{'Words of the page. ' * 12}\n\n{fence}\n\n{'More words. ' * 12}"
    chunks = pieces(text, markup="markdown", max_tokens=60)
    assert sum(fence in piece.text for piece in chunks) == 1
    assert {piece.heading for piece in chunks} == {""}


def test_a_long_table_breaks_between_its_lines() -> None:
    text = "\n".join(f"| row {n} | value |" for n in range(60))
    for piece in pieces(text, markup="markdown"):
        assert all(line.startswith("| row") and line.endswith("|") for line in piece.text.split("\n"))


def test_a_tiny_last_piece_is_balanced() -> None:
    text = " ".join(f"Here stands sentence number {n} of them." for n in range(9)) + " And the end of it."
    sizes = [len(offsets(piece.text)) for piece in pieces(text, title="T", max_tokens=60)]
    assert min(sizes) >= 0.15 * 56


def test_front_matter_gives_the_title_and_is_left_out() -> None:
    text = '---\ntitle: "On Yttrium"\ntags:\n  - rare\n---\n# Heading\n\nBody.\n'
    (only,) = pieces(text, markup="markdown")
    assert only.title == "On Yttrium"
    assert only.text == "# Heading\n\nBody."
    assert text[only.char_start : only.char_end] == only.text


def test_a_rule_is_no_front_matter() -> None:
    text = "---\n\nJust a thought between rules.\n\n---\n\nMore."
    assert pieces(text, markup="markdown")[0].char_start == 0


@pytest.mark.parametrize(
    ("source", "text", "title"),
    [
        ("a.md", "# Ytterby\n\nA village.", "Ytterby"),
        ("a.md", "Gadolinite is a mineral.", "Gadolinite"),
        ("notes/royal-institution.txt", "founded in 1799", "royal institution"),
        ("corpus.txt", "nothing to go by", ""),
        ("0001.txt", "nothing to go by", ""),
        ("text:0123456789ab", "nothing to go by", ""),
        ("stdin", "nothing to go by", ""),
        ("corpus.jsonl#12", "nothing to go by", ""),
    ],
)
def test_titles(source: str, text: str, title: str) -> None:
    assert pieces(text, source=source, markup="markdown")[0].title == title


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Gadolinite is a silicate mineral.", ("Gadolinite",)),
        ("Basal cell carcinoma (BCC) is the most common type.", ("Basal cell carcinoma", "BCC")),
        ("Marie Curie (born Maria Sklodowska, 7 November 1867) was a physicist.", ("Marie Curie",)),
        ("**Ytterbite**, once known as gadolinite, is a mineral.", ("Ytterbite",)),
        ("A gene is a stretch of DNA.", ("gene",)),
        ("The Beatles were a band.", ("The Beatles",)),
        ("Lobules are structures that make milk.", ("Lobules",)),
        ("Metastasis refers to the spread of cancer.", ("Metastasis",)),
        ("The term “Triage” refers to sorting.", ("Triage",)),
        ("[Ytterby](y.md) is a village.", ("Ytterby",)),
        ("Patients are treated with care.", ()),
        ("This is a test.", ()),
        ("There is a village.", ()),
        ("Most of them are metals.", ()),
        ("Some metals are rare earths.", ()),
        ("It was the first.", ()),
        ("In 1911 Curie was a guest.", ()),
        ("the mineral is a silicate.", ()),
        ("She wrote to Gadolin.", ()),
    ],
)
def test_subjects_of_definitions(sentence: str, names: tuple[str, ...]) -> None:
    assert defined_names(sentence) == names


def test_any_sentence_of_a_text_without_line_breaks_may_define() -> None:
    filler = "Nothing of note happens in this one, which is here to fill. " * 30
    text = f"{filler}Skin basics Epidermis – The top layer of skin. {filler}Skin lesions Melanin is a pigment."
    subjects = [name for piece in pieces(text, max_tokens=200) for name in piece.subjects]
    assert "Melanin" in subjects


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Skin lesions Basal cell carcinoma is the most common type.", ("Basal cell carcinoma",)),
        ("Biopsy Biopsy is the removal of tissue.", ("Biopsy",)),
        ("Overview of it The stomach is an organ.", ("stomach",)),
        ("Epidermis – The top layer of skin.", ("Epidermis",)),
    ],
)
def test_a_heading_glued_to_its_sentence(sentence: str, names: tuple[str, ...]) -> None:
    assert defined_names(sentence, flat=True) == names


def test_subjects_are_distinct_and_at_most_six() -> None:
    text = "\n\n".join(
        f"{name} is a metal." for name in "Yttrium YTTRIUM Erbium Terbium Holmium Scandium Thulium Lutetium".split()
    )
    (only,) = pieces(text, max_tokens=400)
    assert only.subjects == ("Yttrium", "Erbium", "Terbium", "Holmium", "Scandium", "Thulium")


@pytest.mark.parametrize(
    ("title", "heading", "text", "embedded"),
    [
        ("", "", "Words.", "Words."),
        ("Ytterby", "", "A village.", "Ytterby. A village."),
        ("Ytterby", "", "# Ytterby\n\nA village.", "Ytterby. A village."),
        ("Ytterby", "Mine > Finds", "## Mine\n\n### **Finds**\n\nFour.", "Ytterby > Mine > Finds. Four."),
        ("Ytterby", "Mine", "Mine\n----\nDeep.", "Ytterby > Mine. Deep."),
        ("What is it?", "", "A village.", "What is it? A village."),
        ("Ytterby", "", "Ytterby is a village.", "Ytterby. Ytterby is a village."),
        ("Ytterby", "", "Ytterby", "Ytterby."),
    ],
)
def test_embedding_text(title: str, heading: str, text: str, embedded: str) -> None:
    assert embedding_text(ChunkDraft(0, title, heading, text, 0, len(text))) == embedded


def test_a_megabyte_takes_linear_time() -> None:
    calls: list[int] = []

    def counting(text: str) -> list[tuple[int, int]]:
        calls.append(len(text))
        return offsets(text)

    text = "Gadolinite is a mineral, and this sentence goes on about it. " * 16_000
    chunks = chunk(SourceDocument("a.txt", text), token_offsets=counting)
    assert sum(calls) < 2.5 * len(text)
    assert sum(len(piece.text) for piece in chunks) >= len(text) - len(chunks) - 1
