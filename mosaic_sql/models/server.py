"""One OpenAI-compatible server: connecting, sending, and errors in this package's terms.

The key is `OPENAI_API_KEY`; servers that want none are sent `none`. The client tries again after
connection errors, 408, 409, 429 and 5xx, waiting as `Retry-After` asks.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mosaic_sql.errors import MissingExtra, ModelError, ModelOutputError, ModelUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TIMEOUT = 60.0
"""Seconds to wait for one answer."""

RETRIES = 4
"""Further tries after a failure that may pass."""

_REFUSALS = (400, 422)


class Refused(ModelUnavailable):
    """The server does not accept the request as it is written."""


def connect(base_url: str | None, timeout: float) -> Any:
    """Return an `openai.OpenAI` client; no base URL means OpenAI's own server.

    Raises `MissingExtra` without the openai package and `ModelError` for a malformed URL.
    """
    try:
        import openai
    except ImportError as error:
        raise MissingExtra("the openai package is not installed; run: pip install openai") from error
    if base_url is not None:
        try:
            url = urlsplit(base_url)
        except ValueError:
            url = urlsplit("")
        if url.scheme not in ("http", "https") or not url.hostname:
            raise ModelError(f"{base_url!r} is no base URL; write it like http://localhost:11434/v1")
    key = os.environ.get("OPENAI_API_KEY") or "none"
    return openai.OpenAI(base_url=base_url, api_key=key, timeout=timeout, max_retries=RETRIES)


def send(call: Callable[..., Any], body: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Call a raw-response method of the client and return the JSON object of its answer.

    Raises `Refused` for 400 and 422, `ModelUnavailable` for any other failure of the call, and
    `ModelOutputError` for an answer that is no JSON object.
    """
    import openai

    try:
        text: str = call(**body).http_response.text
    except openai.APIStatusError as error:
        kind = Refused if error.status_code in _REFUSALS else ModelUnavailable
        raise kind(f"{name}: {_line(error)}{_hint(error.status_code)}") from error
    except openai.APITimeoutError as error:
        raise ModelUnavailable(f"{name} did not answer in time; try again") from error
    except openai.APIConnectionError as error:
        raise ModelUnavailable(f"{name}: no connection; check the base URL") from error
    except openai.OpenAIError as error:
        raise ModelOutputError(f"{name}: {_line(error)}") from error
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ModelOutputError(f"{name} did not answer with JSON: {text[:80]!r}") from error
    if not isinstance(answer, dict):
        raise ModelOutputError(f"{name} did not answer with a JSON object: {text[:80]!r}")
    return answer


def _hint(status: int) -> str:
    hints = {401: "; set OPENAI_API_KEY", 404: "; check the model's name and the base URL"}
    return hints.get(status, "")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
