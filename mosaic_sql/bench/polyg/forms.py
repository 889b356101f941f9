"""The questions that the three schemas are asked: each form with its path and several wordings."""

from __future__ import annotations

from dataclasses import dataclass

SHAPES = ("s**", "sp*", "s*o", "spo")
"""Known and unknown parts of subject, predicate, object: about, a named aspect, how related, whether and which."""


@dataclass(frozen=True)
class Form:
    """One kind of question.

    `kinds` are those of its anchors, in order; `path` the relations from the first one, a step each: `a|b` is either,
    `^a` against the edge; `wanted` the kind asked for. `others` is the step whose nodes are no answer, where a
    question asks for others than them. A wording has `{a}` and `{b}` where the anchors' names stand.
    """

    name: str
    shape: str
    kinds: tuple[str, ...]
    wordings: tuple[str, ...]
    path: tuple[str, ...] = ()
    wanted: str = ""
    others: int | None = None

    @property
    def pattern(self) -> str:
        """The path as a pattern of the engine; empty for a shape without one."""
        return " / ".join(f"({step.replace('|', ' | ')})" if "|" in step else step for step in self.path)


def about(kind: str, *wordings: str) -> Form:
    """A question about one entity."""
    return Form(f"{kind}", "s**", (kind,), wordings)


def aspect(kind: str, path: str, wanted: str, *wordings: str, others: int | None = None) -> Form:
    """A question for what a path leads to; `path` is written with blanks around its slashes."""
    return Form(f"{kind}: {path}", "sp*", (kind,), wordings, tuple(path.split(" / ")), wanted, others)


def related(one: str, other: str) -> Form:
    """A question for the paths between two entities."""
    return Form(f"{one}, {other}", "s*o", (one, other), _RELATED)


def whether(one: str, path: str, other: str, wanted: str, *wordings: str) -> Form:
    """A question whether two entities are joined by a path, and over what."""
    return Form(f"{one}: {path}: {other}", "spo", (one, other), wordings, tuple(path.split(" / ")), wanted)


_RELATED = (
    "How are {a} and {b} related?",
    "How is {a} connected to {b}?",
    "What is the connection between {a} and {b}?",
    "Explain the relationship between {a} and {b}.",
    "What links {a} with {b}?",
    "In what way does {a} hang together with {b}?",
)

_ACADEMIA = (
    about(
        "author",
        "Who is {a}?",
        "Tell me about {a}.",
        "What is known about the author {a}?",
        "Give me an overview of the author {a}.",
        "Describe the researcher {a}.",
    ),
    about(
        "paper",
        "What is “{a}”?",
        "Tell me about the paper {a}.",
        "Summarise what is known about the paper “{a}”.",
        "Describe “{a}”.",
        "What is there to say about the article “{a}”?",
    ),
    aspect(
        "author", "paper", "paper",
        "Which papers did {a} write?",
        "List the papers of the author {a}.",
        "What has {a} published?",
        "Show me every article by {a}.",
        "What papers is the author {a} known for?",
    ),
    aspect(
        "author", "paper / author", "author",
        "Who are the collaborators of {a}?",
        "Who are the co-authors of the author {a}?",
        "With whom has {a} written papers?",
        "Which other authors wrote papers with {a}?",
        "Which researchers have published papers together with the author {a}?",
    ),
    aspect(
        "author", "paper / venue", "venue",
        "In which venues has {a} published?",
        "Which venues carry papers by the author {a}?",
        "Where do the papers of {a} appear?",
        "Which journals and conferences have printed the papers of {a}?",
        "At what venues did the author {a} publish papers?",
    ),
    aspect(
        "paper", "author", "author",
        "Who wrote “{a}”?",
        "Who are the authors of the paper {a}?",
        "Which researchers wrote the paper “{a}”?",
        "By whom was “{a}” written?",
        "Name the writers of the paper {a}.",
    ),
    aspect(
        "paper", "venue", "venue",
        "In which venue was “{a}” published?",
        "What is the venue of the paper {a}?",
        "Where did the paper “{a}” appear?",
        "At which conference or in which journal was “{a}” published?",
    ),
    aspect(
        "paper", "author / paper / author", "author",
        "Who are the collaborators of the authors of “{a}”?",
        "Which other authors have written papers with the authors of the paper {a}?",
        "Name the co-authors of the author of the paper “{a}”.",
        "Who else has published papers together with the writers of “{a}”?",
        others=1,
    ),
    aspect(
        "paper", "author / paper / venue", "venue",
        "In which venues have the authors of “{a}” published other papers?",
        "Which venues carry the other papers of the authors of the paper {a}?",
        "Where do the other papers of the author of “{a}” appear?",
        "What are the venues of the other papers by the writers of the paper {a}?",
    ),
    aspect(
        "paper", "author / paper / author / paper / venue", "venue",
        "Which venues have the collaborators of the author of the paper {a} published in?",
        "In which venues do the co-authors of the authors of “{a}” publish their papers?",
        "Where do the papers of the collaborators of the writers of “{a}” appear?",
        "Which venues carry papers of people who wrote papers with the authors of the paper {a}?",
    ),
    related("author", "author"),
    related("paper", "paper"),
    related("author", "paper"),
    whether(
        "author", "paper / reference|cited_by / author", "author", "paper",
        "Have {a} and {b} cited each other, and through which papers?",
        "Did the authors {a} and {b} cite each other's work, and in which papers?",
        "Are there citations between the papers of {a} and those of {b}, and which papers are they?",
        "Do papers by {a} reference papers by {b}, or the other way round, and which?",
    ),
    whether(
        "author", "paper / author / paper / author", "author", "author",
        "Do {a} and {b} have common collaborators, and who are they?",
        "Do the authors {a} and {b} share co-authors, and who?",
        "Is there another author who wrote papers with both {a} and {b}?",
        "Which authors have written papers with both {a} and {b}, if any?",
    ),
    whether(
        "author", "paper / venue / paper / author", "author", "venue",
        "Have {a} and {b} published in the same venues, and in which?",
        "Do the authors {a} and {b} share venues, and which?",
        "Is there a venue that carries papers of both {a} and {b}?",
        "Which venues have published papers by both {a} and {b}, if any?",
    ),
    whether(
        "venue", "paper / author / paper / venue", "venue", "author",
        "Do the venues {a} and {b} share authors, and who?",
        "Do {a} and {b} have authors in common?",
        "Is there an author who published papers in both {a} and {b}?",
        "Which authors have published papers in both {a} and {b}, if any?",
    ),
)  # fmt: skip

_LITERATURE = (
    about("author", "Who is {a}?", "Tell me about the author {a}.", "What do you know about {a}?",
          "Introduce the writer {a}."),
    about("book", "What is “{a}”?", "Tell me about the book {a}.", "Describe the book “{a}”.",
          "What is known about “{a}”?"),
    about("publisher", "Tell me about {a}.", "What is the publisher {a}?", "Give me an overview of the publisher {a}."),
    about("series", "Tell me about the series {a}.", "What is “{a}”?", "Describe the series “{a}”."),
    aspect(
        "book", "author", "author",
        "Who wrote “{a}”?",
        "Who is the author of the book {a}?",
        "By whom was the book “{a}” written?",
        "Name the writers of “{a}”.",
    ),
    aspect(
        "book", "author / book / series", "series",
        "To which series do the other books of the author of “{a}” belong?",
        "Which series has the author of the book {a} written other books for?",
        "In which series did the writers of “{a}” publish their other books?",
    ),
    aspect(
        "author", "book", "book",
        "Which books did {a} write?",
        "List the books of the author {a}.",
        "What has {a} written?",
        "Show me every novel by {a}.",
    ),
    aspect(
        "author", "book / author / book", "book",
        "Which books have the collaborators of {a} written?",
        "List the books by the co-authors of the author {a}.",
        "What books did the people write who wrote a book together with {a}?",
    ),
    aspect(
        "author", "book / publisher / book / series", "series",
        "Which series do the publishers of the books of {a} publish books of?",
        "To which series do the books belong that the publishers of the author {a} have brought out?",
        "What series have books from the same publishers as the books of {a}?",
    ),
    aspect(
        "publisher", "book / author", "author",
        "Which authors have written books for {a}?",
        "Who are the authors of the books of the publisher {a}?",
        "Who writes the books that {a} publishes?",
        "Which writers are published by the publisher {a}?",
    ),
    aspect(
        "series", "book / publisher", "publisher",
        "Which publishers have published books of the series {a}?",
        "Who published the books in “{a}”?",
        "Name the publishers of the books of the series “{a}”.",
    ),
    aspect(
        "series", "book / publisher / book / author", "author",
        "Which authors write for the publishers of the books of the series {a}?",
        "Who are the authors of the other books by the publishers of the series “{a}”?",
        "Name the writers of the other books from the publishers that published the books in “{a}”.",
    ),
    related("author", "author"),
    related("book", "book"),
    related("publisher", "publisher"),
    related("series", "series"),
    related("author", "book"),
    whether(
        "author", "book / publisher / book / author", "author", "publisher",
        "Do {a} and {b} have the same publishers, and which?",
        "Do the authors {a} and {b} share a publisher, and which one?",
        "Is there a publisher that has published books by both {a} and {b}?",
    ),
    whether(
        "publisher", "book / author / book / publisher", "publisher", "author",
        "Do {a} and {b} have authors in common, and with which books?",
        "Do the publishers {a} and {b} share authors, and who?",
        "Which authors have written books for both {a} and {b}, if any?",
    ),
    whether(
        "publisher", "book / series / book / publisher", "publisher", "series",
        "Have {a} and {b} published books of the same series, and of which?",
        "Do the publishers {a} and {b} share a series, and which?",
        "Is there a series with books from both {a} and {b}?",
    ),
    whether(
        "series", "book / publisher / book / series", "series", "publisher",
        "Do the series {a} and {b} have books of the same publisher, and of which?",
        "Do {a} and {b} share a publisher, and which one?",
        "Is there a publisher that has published books of both {a} and {b}?",
    ),
)  # fmt: skip


def _also(relation: str, *wordings: str) -> Form:
    return whether("brand", f"item / {relation} / ^{relation} / brand", "brand", "item", *wordings)


_ECOMMERCE = (
    about("brand", "What is {a}?", "Tell me about the brand {a}.", "Give me an overview of the brand {a}.",
          "Describe {a}."),
    about("item", "What is the {a}?", "Tell me about the item {a}.", "Describe the product {a}.",
          "What is known about the {a}?"),
    aspect(
        "item", "brand", "brand",
        "Which brand is the {a} from?",
        "What is the brand of the item {a}?",
        "Which brand makes the {a}?",
        "Who makes the product {a}?",
    ),
    aspect(
        "item", "buy_after_viewing_item / brand", "brand",
        "Of which brands are the items that people buy after viewing the {a}?",
        "What are the brands of the items bought after viewing the item {a}?",
        "Which brands do customers buy after they have viewed the {a}?",
    ),
    aspect(
        "item", "brand / item / also_viewed_item", "item",
        "Which items are also viewed with the other items of the brand of the {a}?",
        "What do people also view who look at other items of the brand of the item {a}?",
        "List the items also viewed beside other products of the brand of the {a}.",
    ),
    aspect(
        "item", "brand / item / also_bought_item / brand", "brand",
        "Which brands have items that are also bought with the other items of the brand of the {a}?",
        "What are the brands of the items that were also bought with other items from the brand of the item {a}?",
        "Name the brands of what people also bought with other products of the brand of the {a}.",
    ),
    aspect(
        "brand", "item", "item",
        "Which items does {a} make?",
        "List the items of the brand {a}.",
        "What products does {a} sell?",
        "What does the brand {a} offer?",
    ),
    aspect(
        "brand", "item / bought_together_item", "item",
        "Which items are bought together with items of {a}?",
        "What is bought together with the items of the brand {a}?",
        "List the products that people buy together with products of {a}.",
    ),
    aspect(
        "brand", "item / also_bought_item / brand", "brand",
        "Which other brands have items that are also bought with items of {a}?",
        "What are the brands of the items that were also bought with items of the brand {a}?",
        "Name the brands of what people also bought with products of {a}.",
    ),
    aspect(
        "brand", "item / also_viewed_item / brand / item", "item",
        "Which items come from the brands of the items that are also viewed with items of {a}?",
        "List the items of the brands whose items are also viewed with items of the brand {a}.",
        "What products do the brands make whose items people also viewed with items of {a}?",
    ),
    related("brand", "brand"),
    related("item", "item"),
    related("brand", "item"),
    _also(
        "also_bought_item",
        "Are there items that were also bought with both items of {a} and items of {b}, and which?",
        "Were items of the brands {a} and {b} both also bought with the same third items, and with which?",
        "Which items are also bought with items of {a} and of {b}, if any?",
    ),
    _also(
        "buy_after_viewing_item",
        "Are there items that people buy after viewing items of {a} as well as items of {b}, and which?",
        "Are the same items bought after viewing the items of the brands {a} and {b}, and which?",
        "Which items are bought after viewing items of both {a} and {b}, if any?",
    ),
    _also(
        "also_viewed_item",
        "Are there items that were also viewed with both items of {a} and items of {b}, and which?",
        "Were items of the brands {a} and {b} viewed together with the same third items, and with which?",
        "Which items are also viewed with items of {a} and of {b}, if any?",
    ),
    _also(
        "bought_together_item",
        "Are there items that were bought together with both items of {a} and items of {b}, and which?",
        "Were items of the brands {a} and {b} bought together with the same third items, and with which?",
        "Which items are bought together with items of {a} and of {b}, if any?",
    ),
)  # fmt: skip

FORMS: dict[str, tuple[Form, ...]] = {"academia": _ACADEMIA, "literature": _LITERATURE, "e-commerce": _ECOMMERCE}


def of_shape(graph: str, shape: str) -> tuple[Form, ...]:
    """The forms of a shape that a graph is asked."""
    return tuple(form for form in FORMS[graph] if form.shape == shape)
