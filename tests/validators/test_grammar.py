"""Errors of grammar, by a small server that answers as LanguageTool does."""

import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import parse_qs

import pytest

from abalo.errors import AbaloError
from abalo.validators import passing, validators
from abalo.validators.requirements import prepare_scores
from perturbations import Sentence
from tests.scripted import corpus_of

CORPUS = corpus_of("a b")

KINDS = {"bad": "grammar", "odd": "uncategorized", "tpyo": "misspelling", "dull": "style"}
"""The words about which the server has something to say, and the kind of it; *plain* is a rule without a kind."""


class Handler(BaseHTTPRequestHandler):
    """Finds the words of `KINDS`."""

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.asked.append((self.path, form["language"], form["text"]))
        words = form["text"][0].split()
        matches = [{"rule": {"id": word, "issueType": KINDS[word]}} for word in words if word in KINDS]
        matches += [{"rule": {"id": word}} for word in words if word == "plain"]
        body = json.dumps({"matches": matches} if "broken" not in words else {}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing."""


@pytest.fixture
def server():
    made = HTTPServer(("127.0.0.1", 0), Handler)
    made.asked = []
    thread = Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def spec(server) -> str:
    return f"languagetool:http://127.0.0.1:{server.server_port}"


def sentence(text: str) -> Sentence:
    return Sentence(tuple(text.split()))


@pytest.mark.parametrize(
    ("original", "variant", "rise"),
    [
        ("a b", "a bad", 1),
        ("a b", "bad odd", 2),
        ("a bad", "odd b", 0),  # one for another
        ("bad odd", "a b", 0),  # fewer
        ("a b", "tpyo dull", 0),  # neither is grammar
        ("a b", "a plain", 1),
    ],
)
def test_only_errors_beyond_those_of_the_original_count(server, original, variant, rise):
    validator = validators()["grammar_errors"]
    measure = validator.prepare(CORPUS, validator.configured(checker=spec(server), language="pt-BR"))
    assert measure.of([(sentence(original), sentence(variant))]).tolist() == [rise]
    assert server.asked == [("/v2/check", ["pt-BR"], [text]) for text in (original, variant)]


def test_a_text_is_asked_about_once(server):
    validator = validators()["grammar_errors"]
    measure = validator.prepare(CORPUS, validator.configured(checker=spec(server)))
    pairs = [(sentence("a b"), sentence(word)) for word in ("bad", "c")]
    assert [measure.of(pairs).tolist(), measure.of(pairs).tolist()] == [[1, 0]] * 2
    assert [text for *_, (text,) in server.asked] == ["a b", "bad", "c"]
    assert measure.of([]).shape == (0,)


def test_a_case_can_require_that_they_do_not_rise(server):
    required = prepare_scores({"grammar_errors": {"limit": 0, "checker": spec(server)}}, CORPUS)
    assert passing(required, [(sentence("a b"), sentence(text)) for text in ("a c", "a bad")]) == [True, False]


@pytest.mark.parametrize(
    "checker", ["none", "http://localhost:8081", "languagetool:localhost", "languagetool:file:///x"]
)
def test_without_a_server_it_says_what_it_needs(checker):
    with pytest.raises(
        AbaloError, match=r'grammar_errors needs the address of a LanguageTool server: "languagetool:http://localhost'
    ):
        prepare_scores({"grammar_errors": {"limit": 0, "checker": checker}}, CORPUS)


def test_a_server_that_does_not_answer_is_told(server):
    validator = validators()["grammar_errors"]
    measure = validator.prepare(CORPUS, validator.configured(checker=spec(server)))
    with pytest.raises(AbaloError, match="no answer of a LanguageTool server: 'matches'; start one"):
        measure.of([(sentence("a"), sentence("broken"))])
    with pytest.raises(AbaloError, match=r"languagetool:http://127\.0\.0\.1:9, language 'auto': no answer"):
        validator.prepare(CORPUS, validator.configured(checker="languagetool:http://127.0.0.1:9")).of(
            [(sentence("a"), sentence("b"))]
        )
