"""Addresses that only look as if they were on this machine, and services that say which model they serve."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from abalo.core.protocols.options import Calling, RunOptions
from abalo.errors import AbaloError
from abalo.models.networks.addresses import is_here, is_local, served
from abalo.tasks.classification import TASK
from tests.tasks.labels.scripted import texts_of

CORPUS = texts_of(("a fine film", "good"), ("an awful film", "bad"))

VARIABLES = ("OLLAMA", "VLLM", "SGLANG", "LLAMA_CPP_PYTHON", "INSPECT_EVAL_MODEL", "OPENAI", "LOCAL", "ANTHROPIC")
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch):
    for name in (*(f"{each}_BASE_URL" for each in VARIABLES), *PROXIES, *map(str.upper, PROXIES)):
        monkeypatch.delenv(name, raising=False)


HERE = ["localhost", "127.0.0.1", "127.8.9.1", "[::1]", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "user:word@localhost"]
ELSEWHERE = [
    *(
        "localhost.evil.example",
        "localhost.",
        "localhosts",
        "127.evil.example",
        "127.0.0.1.evil.example",
        "::1.example",
    ),
    *("0.0.0.0.example", "evil.example", "10.0.0.1", "192.168.0.2", "[::2]", "localhost@evil.example", "2130706433"),
    *("evil.example\\@localhost", "evil.example#@localhost", "evil.example/localhost", "", "[::1", "[::ffff:8.8.8.8]"),
    *("evil.example?localhost", "localhost\n.evil.example", "evil.example\t@localhost"),
]


@pytest.mark.parametrize("host", HERE)
def test_this_machine(host):
    assert is_local(f"http://{host}/v1") or "/" in host
    if "@" not in host:
        assert is_local(f"https://{host}:8000")


@pytest.mark.parametrize("host", ELSEWHERE)
def test_another_machine(host):
    assert not is_local(f"http://{host}/v1")
    assert not is_local(f"http://{host}:8000/v1")


@pytest.mark.parametrize("address", ["localhost", "localhost:8000", "//localhost", "ftp://localhost", "file:///v1"])
def test_what_is_no_address_of_a_service_is_not_here(address):
    assert not is_local(address)


def test_a_proxy_is_another_machine_unless_it_is_left_out(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    assert not is_local("http://localhost/v1")
    monkeypatch.setenv("no_proxy", "localhost")
    assert is_local("http://localhost/v1")


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("ollama/m", "OLLAMA_BASE_URL"),
        ("vllm/m", "VLLM_BASE_URL"),
        ("sglang/m", "SGLANG_BASE_URL"),
        ("llama-cpp-python/m", "LLAMA_CPP_PYTHON_BASE_URL"),
        ("vllm/m", "INSPECT_EVAL_MODEL_BASE_URL"),
    ],
)
def test_a_local_provider_with_an_address_elsewhere_is_not_here(monkeypatch, model, variable):
    assert is_here(model, {})
    monkeypatch.setenv(variable, "http://localhost.evil.example/v1")
    assert not is_here(model, {})
    assert is_here(model, {"base_url": "http://localhost:1/v1"})


def test_a_service_elsewhere_is_here_by_its_own_variable_only(monkeypatch):
    for name in ("OPENAI_BASE_URL", "LOCAL_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.setenv(name, "http://localhost:1/v1")
    assert is_here("openai/m", {})
    assert is_here("openai-api/local/m", {})
    assert not is_here("openai/azure/m", {})
    assert not is_here("anthropic/bedrock/m", {})


def test_a_run_on_this_machine_only_refuses_it(monkeypatch):
    pytest.importorskip("inspect_ai")
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://localhost.evil.example/v1")
    with pytest.raises(AbaloError, match="sends the texts of the corpus to ollama; refused by --abalo-local-only"):
        TASK.load("inspect:ollama/m", RunOptions(calling=Calling(local_only=True)), CORPUS)


class Models(BaseHTTPRequestHandler):
    """Lists models as ``says`` says."""

    says = b""
    asked: ClassVar[list] = []

    def do_GET(self):
        self.asked.append((self.path, self.headers.get("Authorization")))
        status = 302 if self.says == b"elsewhere" else 200
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"http://127.0.0.1:{self.server.server_address[1]}/other")
        self.send_header("Content-Length", str(len(self.says)))
        self.end_headers()
        self.wfile.write(self.says)

    def log_message(self, *_):
        pass


@pytest.fixture
def address():
    """The address of a service that lists models."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Models) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        Models.asked.clear()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


def listed(*models):
    return json.dumps({"data": [*models]}).encode()


def test_another_model_behind_the_same_address_is_another_model(address, monkeypatch):
    pytest.importorskip("inspect_ai")
    monkeypatch.setenv("LOCAL_BASE_URL", address)
    found = []
    for root, created in (("/weights/1", 1), ("/weights/1", 2), ("/weights/2", 2)):
        Models.says = listed({"id": "m", "root": root, "created": created})
        found.append(TASK.load("inspect:openai-api/local/m", RunOptions(), CORPUS).fingerprint)
    assert found[0] == found[1] != found[2]


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        (listed({"id": "x"}, {"id": "m", "root": "r"}), ("m", "r")),
        (listed({"id": "only", "root": "r"}), ("only", "r")),
        (listed({"id": "x"}, {"id": "y"}), ("", "")),
        (listed({"id": 3, "root": []}), ("", "")),
        (listed(), ("", "")),
        *((says, ("", "")) for says in (b"", b"null", b"[]", b'{"data": 3}', b"<html>", b"[" * 100_000, b"elsewhere")),
    ],
)
def test_what_a_service_lists(address, monkeypatch, says, expected):
    monkeypatch.setenv("LOCAL_API_KEY", "k")
    Models.says = says
    assert served("openai-api/local/m", {"base_url": address}) == expected
    assert Models.asked == [("/v1/models", "Bearer k")]


def test_a_service_that_is_not_there_lists_nothing():
    assert served("openai-api/local/m", {"base_url": "http://127.0.0.1:9/v1"}) == ("", "")
    assert served("openai-api/local/m", {"base_url": "file:///etc"}) == ("", "")
