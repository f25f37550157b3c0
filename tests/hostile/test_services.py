"""Models behind a service that fails: one message that names the model, and nothing of it judged."""

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from abalo.errors import AbaloError
from abalo.models.tokens.loading import load
from perturbations import Sentence

CLIENT = """
import json
from contextlib import closing
from http.client import HTTPConnection

def make():
    def ask(batch):
        with closing(HTTPConnection("127.0.0.1", {port}, timeout=0.3)) as connection:
            connection.request("POST", "/{path}", json.dumps(batch))
            with connection.getresponse() as answer:
                if answer.status != 200:
                    raise RuntimeError(f"{{answer.status}} {{answer.reason}}")
                return json.loads(answer.read())
    return ask
"""

OK = b'[["O"], ["O"]]'


class Service(BaseHTTPRequestHandler):
    """Answers by the path: some of what is wrong with services, and one that works."""

    over = threading.Event()

    def do_POST(self):
        status, body, promised = {
            "/works": (200, OK, len(OK)),
            "/page": (200, b"<html>Sign in</html>", 20),
            "/null": (200, b"null", 4),
            "/object": (200, b'{"error": "quota"}', 18),
            "/fewer": (200, b'[["O"]]', 7),
            "/longer": (200, b'[["O"], ["O", "O"]]', 19),
            "/numbers": (200, b"[[0], [0]]", 10),
            "/busy": (429, b"", 0),
            "/broken": (500, b"", 0),
            "/cut": (200, OK[:6], len(OK)),
            "/slow": (200, OK, len(OK)),
        }[self.path]
        if self.path == "/slow":
            self.over.wait(5)
            return
        self.send_response(status)
        self.send_header("Content-Length", str(promised))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def port():
    """The port of the service."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server.server_address[1]
        Service.over.set()
        server.shutdown()


@pytest.fixture
def predicted(write_module):
    """Asks the service at a path on a port about two words."""

    def ask(port, path):
        module = write_module("client", CLIENT.format(port=port, path=path))
        return load(f"{module}:make").predict([Sentence(("a",)), Sentence(("b",))])

    return ask


def test_a_service_that_works_is_a_model_like_any_other(predicted, port):
    assert [each.tags for each in predicted(port, "works")] == [("O",), ("O",)]


FAILING = {
    "page": "raised JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    "null": "found NoneType None where a list of rows was expected",
    "object": "found dict {'error': 'quota'} where a list of rows was expected",
    "fewer": "gave 1 rows for a batch of 2 sentences of 1 to 1 tokens; return one row per sentence",
    "longer": "2 tags for 1 tokens; return one tag per token",
    "numbers": "found tag 0; expected BIO",
    "busy": "raised RuntimeError: 429 Too Many Requests",
    "broken": "raised RuntimeError: 500 Internal Server Error",
    "cut": "raised IncompleteRead: IncompleteRead(6 bytes read, 8 more expected)",
    "slow": "raised TimeoutError: timed out",
}


@pytest.mark.parametrize(("path", "said"), FAILING.items(), ids=FAILING)
def test_an_answer_that_is_none_is_told(predicted, port, path, said):
    with pytest.raises(AbaloError) as caught:
        predicted(port, path)
    assert str(caught.value).startswith("model ")
    assert said in str(caught.value)


def test_a_service_that_is_not_there_is_told(predicted):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = free.getsockname()[1]
    with pytest.raises(AbaloError, match=r"raised ConnectionRefusedError: .*Connection refused"):
        predicted(closed, "works")


def test_a_service_that_fails_halfway_takes_nothing_that_was_judged(project):
    failing = """

def failing():
    asked = []
    def predict(batch):
        asked.append(batch)
        if len(asked) > 3:  # the clean corpus takes three batches
            raise ConnectionResetError("by peer")
        return gazetteer()(batch)
    predict.draws = False
    return predict
"""
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + failing)
    result = project.run(model="models:failing")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "Traceback" not in result.stdout.str()
    document = project.document()
    assert (document["verdict"], document["complete"]) == ("fail", False)
    assert {each["id"]: each["verdict"] for each in document["results"] if each["verdict"]} == {"ner/baseline": "pass"}
    assert {each["id"] for each in document["errors"]} == {"ner/accents", "ner/word_insertion[rate-0.1]"}
