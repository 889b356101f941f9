"""Who reads the questions of a handle: the rules, or a chat model whose replies are kept for as long as it is open."""

from __future__ import annotations

from mosaic_sql.errors import ModelError, PolicyError
from mosaic_sql.models import ChatModel, load_chat
from mosaic_sql.models.cache import CachedChat

ANALYZERS = ("rules", "model")

AnalyzerLike = str | ChatModel | None
"""`rules`, `model` (the chat model of the call or of the handle), a chat model of its own, or None for the handle's."""


class Analysts:
    """Chat models that read questions, each behind one cache; all connections to a corpus share them."""

    def __init__(self, default: AnalyzerLike, *, base_url: str | None) -> None:
        """Take what the handle was opened with. Raises `PolicyError` for a name that is none of ANALYZERS."""
        self._default = _checked(default) or "rules"
        self._base_url = base_url
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
        if isinstance(source, CachedChat):
            return source
        key = source if isinstance(source, str) else id(source)  # which the cache holds on to
        if key not in self._cached:
            chat = load_chat(source, base_url=self._base_url) if isinstance(source, str) else source
            self._cached[key] = CachedChat(chat)
        return self._cached[key]


def _checked(analyzer: AnalyzerLike) -> AnalyzerLike:
    if isinstance(analyzer, str) and analyzer not in ANALYZERS:
        raise PolicyError(f"analyzer: unknown {analyzer!r}; one of {', '.join(ANALYZERS)}, or a chat model")
    return analyzer
