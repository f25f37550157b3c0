"""A server of chat completions, with the features that servers have or lack."""

import json
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATH = "/v1/chat/completions"


@dataclass
class Mock:
    """What a server does.

    * ``says``: the reply to a conversation's last message, given whether the server enforces a JSON Schema.
    * ``lacks``: fields that it refuses, with the status ``refuses``; it ``names`` them or not.
    * ``stray``: the number of a request that it refuses for no reason; 0 for none.
    * ``reasoning``: where thoughts are: "" for nowhere, "content", or the name of a field.
    * ``choices``: how many it gives.
    * ``usage``: whether it tells tokens.
    * ``shares``: tokens of the reply with alternatives; None without logprobs.
    * ``raw``: answers instead, as status, headers and body, one a request; the last for all further ones.
    """

    says: Callable[[str, bool], str] = lambda _prompt, _enforced: "reply"
    lacks: Sequence[str] = ()
    refuses: int = 400
    names: bool = True
    stray: int = 0
    reasoning: str = ""
    choices: int = 1
    usage: bool = True
    shares: Callable[[str], Sequence[tuple[str, dict[str, float]]]] | None = None
    raw: Sequence[Any] = ()
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    base_url: str = ""

    def spec(self, file: object = "", model: str = "m:1b") -> str:
        """The spec of a model there."""
        return f"openai:{model}?base_url={self.base_url}" + (f"&{file}" if file else "")

    def answer(self, asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        if self.raw:
            return self.raw[min(len(self.asked), len(self.raw)) - 1]
        lacking = [name for name in self.lacks if name in asked]
        if lacking or len(self.asked) == self.stray:
            told = f"{lacking[0]} is not supported" if lacking and self.names else "upstream error"
            said = {"error": {"message": told, "type": "invalid_request_error"}}
            return self.refuses, {}, json.dumps(said).encode()
        text = self.says(asked["messages"][-1]["content"], "response_format" in asked)
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if self.reasoning == "content":
            message["content"] = f"<think>It may be anything.</think>\n{text}"
        elif self.reasoning:
            message[self.reasoning] = "It may be anything."
        choice: dict[str, Any] = {"message": message, "finish_reason": "stop", "logprobs": None}
        if asked.get("logprobs") and self.shares is not None:
            choice["logprobs"] = {"content": [logprob(*each) for each in self.shares(text)]}
        others = [{**choice, "message": {"role": "assistant", "content": "another"}}] * (self.choices - 1)
        choices = [{"index": k, **each} for k, each in enumerate([choice, *others])]
        usage = {"usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}} if self.usage else {}
        return 200, {}, json.dumps({"object": "chat.completion", "choices": choices[::-1], **usage}).encode()


def logprob(token: str, shares: dict[str, float]) -> dict[str, Any]:
    """A token with its alternatives, as servers tell them."""
    told = [{"token": text, "logprob": math.log(share), "bytes": [*text.encode()]} for text, share in shares.items()]
    own = next(each for each in told if each["token"] == token)
    return {**own, "top_logprobs": told}


def message(content, finish="stop", **more):
    """An answer with one choice."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **more}, "finish_reason": finish}
    return 200, {}, json.dumps({"choices": [choice]}).encode()


@contextmanager
def serving(mock: Mock) -> Iterator[Mock]:
    """Serves until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            mock.asked.append(asked)
            mock.headers.append({"path": self.path, **dict(self.headers.items())})
            found = (404, {}, b'{"detail": "Not Found"}') if self.path != PATH else mock.answer(asked)
            if found is None:  # the connection is reset
                self.close_connection = True
                return
            status, headers, body = found
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            body = json.dumps({"data": [{"id": "m:1b", "root": "weights"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_):
            """Says nothing of clients that have gone."""

    with Server(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        mock.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        yield mock
        server.shutdown()
