"""Who reads the questions of a handle: the rules, or a chat model whose replies are kept for as long as it is open."""

from __future__ import annotations

from mosaic_sql.errors import ModelError, PolicyError
from mosaic_sql.models import ChatModel, load_chat
from mosaic_sql.models.bounds import BoundedChat, Spending, Tally
from mosaic_sql.models.cache import CachedChat
from mosaic_sql.models.ledger import NotedChat
from mosaic_sql.records import ModelCall

ANALYZERS = ("rules", "model")
ANALYZER_TIMEOUT = 60.0
"""Seconds that a model may take to read a question, all tries together, unless the handle says otherwise."""

AnalyzerLike = str | ChatModel | None
"""`rules`, `model` (the chat model of the call or of the handle), a chat model of its own, or None for the handle's."""


class Analysts:
    """Chat models that read questions, each behind one cache; all connections to a corpus share them."""

    def __init__(
        self,
        default: AnalyzerLike,
        *,
        base_url: str | None,
        timeout: float | None = None,
        spending: Spending | None = None,
    ) -> None:
        """Take what the handle was opened with; ANALYZER_TIMEOUT where it names no `timeout`.

        Raises:
            PolicyError: a name that is none of ANALYZERS.
        """
        self._default = _checked(default) or "rules"
        self._base_url = base_url
        self._timeout = timeout
        self._tally = Tally(spending)
        self._cached: dict[str | int, CachedChat] = {}

    def pick(self, analyzer: AnalyzerLike, model: str | ChatModel | None) -> ChatModel | None:
        """The model that reads a question; None for the rules.

        Args:
            analyzer: what the call asks for; None for what the handle was opened with.
            model: the chat model that `model` means.

        Raises:
            PolicyError: a name that is none of ANALYZERS.
            ModelError: a model is to read and none is named.
        """
        chosen = _checked(analyzer) or self._default
        if chosen == "rules":
            return None
        source = model if chosen == "model" else chosen
        if not source:
            raise ModelError("the analyzer `model` needs a chat model; name one by --model, MOSAIC_MODEL or model=")
        key = source if isinstance(source, str) else id(source)  # which the cache holds on to
        if key not in self._cached:
            chat = load_chat(source, base_url=self._base_url) if isinstance(source, str) else source
            seconds = ANALYZER_TIMEOUT if self._timeout is None else self._timeout
            self._cached[key] = CachedChat(BoundedChat(chat, timeout=seconds, tally=self._tally))
        return self._cached[key]

    def answering(self, model: str | ChatModel | None, calls: list[ModelCall]) -> ChatModel | None:
        """The model that writes an answer, within the handle's bounds; every call of it is added to `calls`."""
        if model is None:
            return None
        chat = load_chat(model, base_url=self._base_url) if isinstance(model, str) else model
        return NotedChat(BoundedChat(chat, timeout=self._timeout, tally=self._tally), "answer", calls)


def _checked(analyzer: AnalyzerLike) -> AnalyzerLike:
    if isinstance(analyzer, str) and analyzer not in ANALYZERS:
        raise PolicyError(f"analyzer: unknown {analyzer!r}; one of {', '.join(ANALYZERS)}, or a chat model")
    return analyzer
