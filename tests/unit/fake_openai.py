"""A small OpenAI-compatible server on loopback that counts its requests and can misbehave."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from mosaic_sql.models.fakes import HashEmbedder

Response = tuple[int, dict[str, str], bytes]
Behaviour = Callable[[str, dict[str, Any]], Response | None]


def answer(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Make a JSON response."""
    kind = {"Content-Type": "application/json"}
    return status, kind | (headers or {}), json.dumps(value).encode()


def refuse(message: str, status: int = 400, headers: dict[str, str] | None = None) -> Response:
    """Make an error response as OpenAI words it."""
    return answer({"error": {"message": message, "type": "invalid"}}, status, headers)


def completion(text: str | None, **more: Any) -> Response:
    """Make a chat completion."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 11, "completion_tokens": 7}
    body = {"model": "served-1", "choices": [choice | {"finish_reason": "stop"}], "usage": usage}
    return answer(body | more)


class FakeServer:
    """What arrived, and what comes back: the scripted behaviours first, then good answers."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.keys: list[str] = []
        self.script: list[Behaviour] = []
        self.always: Behaviour | None = None
        self._embedder = HashEmbedder(16)
        self._lock = threading.Lock()

    def once(self, response: Response) -> None:
        """Answer the next unscripted request with this."""
        self.script.append(lambda path, body: response)

    def respond(self, path: str, body: dict[str, Any], key: str) -> Response:
        """Record a request and answer it."""
        with self._lock:
            self.requests.append((path, body))
            self.keys.append(key)
            behaviour = self.script.pop(0) if self.script else self.always
        response = behaviour(path, body) if behaviour else None
        return response or self._good(path, body)

    def _good(self, path: str, body: dict[str, Any]) -> Response:
        if path.endswith("/chat/completions"):
            return completion("Hello.")
        rows = 5.0 * self._embedder.embed(body["input"])
        data = [{"index": i, "embedding": row.tolist()} for i, row in enumerate(rows)]
        return answer({"object": "list", "model": body["model"], "data": data[::-1]})


def slow(seconds: float) -> Behaviour:
    """Wait before the good answer."""

    def wait(path: str, body: dict[str, Any]) -> None:
        time.sleep(seconds)

    return wait


@contextmanager
def serving() -> Iterator[FakeServer]:
    """Run a server for the length of a block."""
    fake = FakeServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            key = self.headers.get("Authorization", "")
            status, headers, payload = fake.respond(self.path, body, key)
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client lost patience

        def log_message(self, format: str, *args: Any) -> None:
            """Stay silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
