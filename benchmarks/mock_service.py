"""A service that classifies texts slowly and fails on demand, and models that call it.

`serving` starts it in this process. ``plain`` and ``asynchronous`` are factories for ``path/to/mock_service.py:plain``:
they find it by the variable MOCK_SERVICE, send one text a call, and raise what the usual clients raise.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest.mock import patch

VARIABLE = "MOCK_SERVICE"

SLOW = "slow"

FAILURES = ("429", "500", "408", "reset", SLOW, "cut")
"""Statuses; a connection that is closed before the answer; a slow body; a body that ends too early."""


@dataclass
class MockService:
    """What the service does, and what it was asked.

    Attributes:
        delay: Seconds before an answer.
        fails: How often, 0 to 1, a text fails the first time it is asked, by its digest.
        wrong: A text that is answered with something other than labels.
        texts: How often each text was asked.
        failed: Requests without an answer.
        most: The largest number of requests at once.
    """

    delay: float = 0.0
    fails: float = 0.0
    wrong: str = ""
    texts: Counter[str] = field(default_factory=Counter)
    failed: int = 0
    now: int = 0
    most: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def requests(self) -> int:
        """All requests, failed ones too."""
        return sum(self.texts.values())

    def failure(self, text: str) -> str:
        """How this request fails; "" if it does not."""
        with self.lock:
            self.texts[text] += 1
            lot = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest())
            if self.texts[text] > 1 or lot / 2**32 >= self.fails:
                return ""
            found = FAILURES[lot % len(FAILURES)]
            self.failed += found != SLOW
            return found


def label(text: str) -> str:
    """The label that the service gives a text: whether good words stand in it, in any letter case."""
    return "positive" if "good" in text.casefold() else "negative"


@contextmanager
def serving(state: MockService, port: int = 0) -> Iterator[MockService]:
    """Serves on a port of this machine, by default a free one, which MOCK_SERVICE then names."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with state.lock:
                state.now += 1
                state.most = max(state.most, state.now)
            time.sleep(state.delay)
            with state.lock:  # before the answer, which another request may follow at once
                state.now -= 1
            self._answer(texts)

        def _answer(self, texts: Sequence[str]) -> None:
            failure = state.failure("\n".join(texts))
            if failure.isdigit():
                self.send_response(int(failure))
                self.send_header("Retry-After", "0")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if failure == "reset":
                self.connection.close()
                return
            body = json.dumps({"error": "busy"} if state.wrong in texts else [label(text) for text in texts]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            half = len(body) // 2
            self.wfile.write(body[:half])
            if failure == SLOW:
                time.sleep(0.05)
            if failure != "cut":
                self.wfile.write(body[half:])

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - as the base class calls it
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 256

        def handle_error(self, request: Any, client_address: Any) -> None:
            pass

    with Server(("127.0.0.1", port), Handler) as server, patch.dict(os.environ, {VARIABLE: str(server.server_port)}):
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()


class StatusError(Exception):
    """A status other than 200, with the attributes that exceptions of the usual clients have."""

    def __init__(self, status_code: int, headers: Any) -> None:
        super().__init__(f"status {status_code}")
        self.status_code, self.headers = status_code, headers


def plain() -> Callable[[Sequence[str]], list[str]]:
    """A function that waits for its answer."""

    def labels(texts: Sequence[str]) -> list[str]:
        connection = HTTPConnection("127.0.0.1", int(os.environ[VARIABLE]), timeout=60)
        with contextlib.closing(connection):
            connection.request("POST", "/", json.dumps(list(texts)))
            answer = connection.getresponse()
            if answer.status != 200:
                raise StatusError(answer.status, answer.headers)
            found: list[str] = json.loads(answer.read())
            return found

    labels.batch = 1  # type: ignore[attr-defined]
    return labels


def asynchronous() -> Callable[..., Any]:
    """An ``async def``."""

    async def labels(texts: Sequence[str]) -> Any:
        body = json.dumps(list(texts)).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", int(os.environ[VARIABLE]))
        try:
            writer.write(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            head = await reader.readuntil(b"\r\n\r\n")
            status = int(head.split()[1])
            if status != 200:
                raise StatusError(status, {"Retry-After": "0"})
            size = int(head.lower().partition(b"content-length:")[2].split()[0])
            return json.loads(await reader.readexactly(size))
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError("the connection was closed") from error
        finally:
            writer.close()

    labels.batch = 1  # type: ignore[attr-defined]
    return labels
