"""Chat completions of one server over HTTP: a request, and the reading of what comes back."""

from __future__ import annotations

import json
import math
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import anyio
import httpx2

from abalo.errors import REDACTED, AbaloError, visible
from abalo.models.generative.server_spec import KEY
from abalo.models.prompts.protocol import Reply, Token
from abalo.models.services.service import used

LARGEST = 2**24
"""Bytes of an answer."""

ALTERNATIVES = 20
"""Alternatives for each token, the most that OpenAI and, unless told otherwise, vLLM give."""

LONGEST = 600.0
"""Seconds for an answer, unless told otherwise."""

_CONNECT = 10.0

_SHOWN = 300

_LEAST_SECRET = 12
"""Characters of a key that is taken out of answers; shorter ones, such as "ollama", are words."""

_MOST_TOKENS = 10**9


class ServerError(AbaloError):
    """An answer that is no completion.

    ``status_code`` and ``headers`` decide whether the call is made again; ``said`` is the server's message.
    """

    def __init__(
        self, message: str, status: int | None = None, headers: Mapping[str, str] | None = None, said: str = ""
    ) -> None:
        super().__init__(message)
        self.status_code, self.headers, self.said = status, headers or {}, said


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply; ``cut`` if the server ended it at its greatest length."""

    reply: Reply
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Server:
    """Chat completions of ``model`` at ``base_url``.

    ``settings`` go into each request. ``key`` is sent as a bearer token; "" for none. ``timeout`` is in seconds, for a
    whole answer.
    """

    spec: str
    model: str
    base_url: str
    settings: Mapping[str, object]
    key: str = field(default="", repr=False)
    timeout: float = LONGEST

    @property
    def host(self) -> str:
        """Host and port."""
        return httpx2.URL(self.base_url).netloc.decode("ascii")

    async def complete(self, messages: Sequence[Mapping[str, str]], extra: Mapping[str, object]) -> Completion:
        """The completion of a conversation; ``extra`` are further fields of the request.

        Raises `ServerError` for an answer without a completion.
        """
        asked = {"model": self.model, "messages": [*messages], "stream": False, **self.settings, **extra}
        try:
            with anyio.fail_after(self.timeout):
                status, headers, body = await self._sent(json.dumps(asked).encode())
        except TimeoutError as error:
            raise ServerError(f"{self._place}: no answer within {self.timeout:g} s") from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ServerError(f"{self._place}: {type(error).__name__}: {self._shown(str(error))}") from error
        if not 200 <= status < 300:
            said = _message(body)
            raise ServerError(f"{self._place}: {self._refusal(status, headers, said)}", status, headers, said)
        return self._read(body)

    async def _sent(self, content: bytes) -> tuple[int, Mapping[str, str], bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        timeout = httpx2.Timeout(None, connect=_CONNECT)
        async with (
            httpx2.AsyncClient(verify=_trusted(), timeout=timeout, follow_redirects=False) as client,
            client.stream("POST", f"{self.base_url}/chat/completions", content=content, headers=headers) as answer,
        ):
            body = bytearray()
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > LARGEST:
                    raise ServerError(f"{self._place}: an answer of more than {LARGEST:,} bytes")
            return answer.status_code, answer.headers, bytes(body)

    def _refusal(self, status: int, headers: Mapping[str, str], said: str) -> str:
        told = f"status {status}" + (f": {self._shown(said)}" if said.strip() else "")
        if 300 <= status < 400:
            return f"{told}; it redirects to {self._shown(headers.get('location', ''))}, which is not followed"
        if status in (401, 403):
            return f"{told}; the key is the value of {KEY}, {'which it refuses' if self.key else 'which is not set'}"
        if status == 404:
            return f"{told}; expected base_url up to /v1, and a model that the server lists at {self.base_url}/models"
        return told

    def _read(self, body: bytes) -> Completion:
        try:
            found = json.loads(body)
        except (ValueError, RecursionError):
            raise ServerError(
                f"{self._place}: answered {self._shown(body.decode('utf-8', 'replace'))!r}; expected JSON"
            ) from None
        choices = found.get("choices") if isinstance(found, dict) else None
        if not isinstance(choices, list) or not choices:
            said, status = _message(body), _status(found)
            told = f"{self._place}: answered {self._shown(said)!r}; expected choices with a message"
            raise ServerError(told, status, said=said)
        choice = next((each for each in choices if isinstance(each, dict) and each.get("index") == 0), choices[0])
        message = choice.get("message") if isinstance(choice, dict) else None
        text = _text(message) if isinstance(message, dict) else None
        if text is None:
            raise ServerError(f"{self._place}: a choice without a message of text")
        usage = found.get("usage")
        numbers = [_count(usage, name) for name in ("prompt_tokens", "completion_tokens")]
        used(*numbers)
        tokens = () if self._hides(text) else _tokens(choice.get("logprobs"))
        reply = Reply(self._without_key(text), *numbers, tokens=tokens)
        return Completion(reply, choice.get("finish_reason") == "length")

    @property
    def _place(self) -> str:
        return f"model {self.spec}: {self.host}"

    def _hides(self, text: str) -> bool:
        return len(self.key) >= _LEAST_SECRET and self.key in text

    def _without_key(self, text: str) -> str:
        return text.replace(self.key, REDACTED) if self._hides(text) else text

    def _shown(self, text: str) -> str:
        return visible(self._without_key(text))[:_SHOWN]


@cache
def _trusted() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def _text(message: Mapping[str, Any]) -> str | None:
    """The content, without reasoning; "" if there is none or the model refuses, None if it is no text."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [each.get("text") for each in content if isinstance(each, dict) and each.get("type") == "text"]
        content = "".join(part for part in parts if isinstance(part, str))
    return "" if content is None or message.get("refusal") else content if isinstance(content, str) else None


def _count(usage: object, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else 0


def _tokens(logprobs: object) -> tuple[Token, ...]:
    """The tokens of a reply with their alternatives; empty if the server gives none or others than documented."""
    listed = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(listed, list):
        return ()
    found: list[Token] = []
    for each in listed:
        told = [each, *(each.get("top_logprobs") or ())] if isinstance(each, dict) else [None]
        shares: dict[str, float] = {}
        for one in told:
            text, value = (one.get("token"), one.get("logprob")) if isinstance(one, dict) else (None, None)
            if not isinstance(text, str) or not isinstance(value, int | float) or not value <= _ROUNDING:
                return ()
            shares.setdefault(text, min(1.0, math.exp(value)))
        found.append(Token(each["token"], tuple(shares.items())))
    return tuple(found)


_ROUNDING = 1e-3


def _message(body: bytes) -> str:
    """What a server says is wrong, in the ways that servers have."""
    text = body[:LARGEST].decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for _ in range(2):
        if isinstance(found, dict):
            found = next((found[name] for name in ("error", "message", "detail") if found.get(name)), text)
    return found if isinstance(found, str) else text


def _status(found: object) -> int | None:
    """The status that some gateways write into an answer of status 200."""
    error = found.get("error") if isinstance(found, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    return code if type(code) is int and 400 <= code < 600 else None
