"""A service that reads raw text and answers over HTTP, through a few lines of its user's."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.real.counting import conll, entities, f1, touched

pytestmark = pytest.mark.real

NEWS = Path(__file__).parents[2] / "fixtures/corpora/news-en/eval.conll"
TYPES = {"PERSON": "PER", "GPE": "LOC", "LOC": "LOC", "ORG": "ORG"}

CLIENT = """
import json
from urllib.request import Request, urlopen


class Service:
    version = "2026-11-01"
    draws = False

    def entities(self, texts):
        asked = Request("{url}/predict", json.dumps(texts).encode(), {{"Content-Type": "application/json"}})
        with urlopen(asked, timeout=60) as answer:
            return json.load(answer)
"""


def spans(pipeline, text):
    """The entities that the pipeline finds in raw text, which it cuts into words of its own."""
    return [(each.start_char, each.end_char, each.label_) for each in pipeline(text).ents]


@pytest.fixture
def service(english):
    """The address of a service, and the texts that it has been asked about."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            assert self.path == "/predict"
            texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.extend(texts)
            answer = json.dumps([spans(english, text) for text in texts]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def test_a_service_is_judged_by_spans_of_raw_text_and_asked_about_each_once(
    judge, variants, service, english, tmp_path
):
    url, asked = service
    (tmp_path / "client.py").write_text(CLIENT.format(url=url), "utf-8")
    clean, noisy = judge(
        *("--abalo-model", tmp_path / "client.py:Service", "--abalo-corpus", NEWS, "--abalo-limit", "150"),
        *("--abalo-label-map", ",".join(f"{own}={kind}" for own, kind in TYPES.items())),
        *("--abalo-types", "PER,LOC,ORG"),
        notice="Only the entity types PER, LOC, ORG are judged (--abalo-types). All others count as O: "
        "0 entities of the corpus and * entities (DATE *) predicted by the model.",
    )

    def counted(sentences):
        found = [touched(words, spans(english, " ".join(words)), TYPES) for words, _ in sentences]
        return pytest.approx(f1([entities(tags, TYPES.values()) for _, tags in sentences], found), abs=1e-6)

    assert clean.metric("f1") == counted(conll(NEWS, 150))
    assert noisy.metric("f1_changed") == counted(conll(variants(NEWS, "--limit", "150")))
    assert clean.document["model"]["version"] == "2026-11-01"
    assert len(asked) == len(set(asked)) == sum(clean.document["inputs"].values())
