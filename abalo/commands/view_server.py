"""Serves the pages of ``abalo view`` to this machine, at a random path, and changes nothing."""

from __future__ import annotations

import secrets
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from abalo.errors import AbaloError
from abalo.reporting.runs.viewing import Viewed, failure_page

_HERE = "127.0.0.1"

_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

_NO_SCRIPT = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'"
"""For pages without a script; a report brings a policy of its own, which names its script."""


class ViewServer(ThreadingHTTPServer):
    """Serves runs at `address`; raises `AbaloError` if the port is taken. 0 is any free port."""

    daemon_threads = True

    def __init__(self, viewed: Viewed, port: int = 0) -> None:
        self.viewed, self.secret, self.reading = viewed, secrets.token_urlsafe(16), threading.Lock()
        try:
            super().__init__((_HERE, port), _Handler)
        except OSError as error:
            raise AbaloError(f"--port {port}: {error.strerror}; leave it out for a port that is free") from error

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Passes over a browser that closed its connection."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """The address of the first page."""
        return f"http://{_HERE}:{self.server_port}/{self.secret}/"


class _Handler(BaseHTTPRequestHandler):
    server: ViewServer
    server_version, sys_version = "abalo", ""
    timeout = 30

    def do_GET(self) -> None:
        """Answers with a page."""
        port = self.server.server_port
        if self.headers.get_all("Host") not in ([f"{_HERE}:{port}"], [f"localhost:{port}"]):
            self._say(HTTPStatus.FORBIDDEN, "this address is for this machine alone")
            return
        path, _, query = self.path.partition("?")
        secret, slash, name = path.removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(secret.encode(), self.server.secret.encode()):
            self._say(HTTPStatus.NOT_FOUND, "no such page")
            return
        try:
            with self.server.reading:
                page = self._page(name, query)
        except AbaloError as error:
            self._send(HTTPStatus.UNPROCESSABLE_ENTITY, failure_page(error), _NO_SCRIPT)
            return
        if page is None:
            self._say(HTTPStatus.NOT_FOUND, "no such page")
        else:
            self._send(HTTPStatus.OK, page, None if name.startswith("run-") else _NO_SCRIPT)

    def _page(self, name: str, query: str) -> str | None:
        viewed = self.server.viewed
        if name == "":
            return viewed.index()
        if name.startswith("run-"):
            return viewed.report(name.removeprefix("run-"))
        if name == "compare":
            chosen = {key: values[0] for key, values in parse_qs(query).items()}
            return viewed.comparison(chosen.get("old", ""), chosen.get("new", ""))
        return None

    def _refuse(self) -> None:
        self._say(HTTPStatus.METHOD_NOT_ALLOWED, "only GET")

    do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_TRACE = do_CONNECT = _refuse  # noqa: N815

    def _say(self, status: HTTPStatus, text: str) -> None:
        self._send(status, text, "default-src 'none'", {"Content-Type": "text/plain; charset=utf-8"})

    def _send(self, status: HTTPStatus, text: str, policy: str | None, more: dict[str, str] | None = None) -> None:
        body = text.encode("utf-8", "backslashreplace")
        self.close_connection = True
        self.send_response(status)
        for name, value in {**_HEADERS, **(more or {}), "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        if policy is not None:
            self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Logs nothing: the address is a secret."""
