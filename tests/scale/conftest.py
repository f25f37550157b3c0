"""A folder with a corpus of 300 sentences, models that tag word by word, and a thresholds file."""

import json
import sys
from contextlib import contextmanager

import pytest

from abalo.cli import main
from abalo.scale import running
from abalo.scale.chunk import is_done
from abalo.scale.manifest import read_manifest

NAMES = ("Ana", "José", "Íris", "Rui", "Zélia", "Otávio", "Célia")
PLACES = ("Belém", "Macapá", "Goiânia", "Natal")
WORDS = ("juiz", "não", "ação", "decidiu", "que", "é", "réu", "em")

MODELS = f'''
import os
import signal
from pathlib import Path

import numpy as np

NAMES, PLACES = {NAMES!r}, {PLACES!r}
LABELS = ("O", "B-PESSOA", "B-LOCAL")


def tag(word):
    return "B-PESSOA" if word in NAMES else "B-LOCAL" if word in PLACES else "O"


def tags(batch):
    return [[tag(word) for word in tokens] for tokens in batch]


def by_word():
    return tags


class Once:
    """Does something at the twentieth call, in the second chunk, unless it was done before, in whatever process."""

    def __init__(self, does):
        self.calls, self.does = 0, does

    def __call__(self, batch):
        self.calls += 1
        if self.calls == 20 and not Path("done").exists():
            Path("done").touch()
            self.does()
        return tags(batch)

    fingerprint = "once"


def stop():
    raise KeyboardInterrupt


def fail():
    raise RuntimeError("out of memory")


def stopped():
    return Once(stop)


def fails_once():
    return Once(fail)


def killed():
    return Once(lambda: os.kill(os.getpid(), signal.SIGKILL))


def fails_on_rui():
    def predict(batch):
        if any("Rui" in tokens for tokens in batch):
            raise RuntimeError("never heard of")
        return tags(batch)

    return predict
'''

THRESHOLDS = """
[gate]
language = "pt"
resamples = 300
seeds = [1, 2]

[[ner.baseline]]
min_f1 = 0.9

[[ner.accents]]
max_f1_drop = 0.7

[[ner.char_typo]]
span_source = "oracle"
max_f1_drop = 0.99

[[ner.char_typo]]
span_source = "predicted"
max_f1_drop = 0.99

[[ner.word_insertion]]
rate = 0.1
max_f1_drop = 0.5
"""

RECORDS = [
    {
        "tokens": [WORDS[i % 8], NAMES[i % 7], WORDS[i % 5], PLACES[i % 4], WORDS[i % 3], f"n{i % 290}"],
        "tags": ["O", "B-PESSOA", "O", "B-LOCAL" if i % 11 else "O", "O", "O"],
    }
    for i in range(300)
]
"""300 sentences: 290 are distinct."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "scale_models.py").write_text(MODELS, encoding="utf-8")
    (tmp_path / "thresholds.toml").write_text(THRESHOLDS, encoding="utf-8")
    lines = (json.dumps(record, ensure_ascii=False) for record in RECORDS)
    (tmp_path / "corpus.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    yield tmp_path
    sys.modules.pop("scale_models", None)


@pytest.fixture
def scale(folder):
    """Runs the command with a model of the folder, and gives its exit code."""

    def run(*more, model="by_word", corpus="corpus.jsonl", out="out", size=70):
        given = ["--corpus", corpus, "--model", f"scale_models:{model}", "--out", out, "--chunk-size", str(size)]
        return main(["scale", *given, *more])

    return run


@pytest.fixture
def arranged(monkeypatch):
    """Has chunks run in the order that a function gives their numbers."""
    local = running.local

    def arrange(order):
        @contextmanager
        def other():
            with local() as engine:
                yield lambda run, step, numbers, retries, tell: engine(run, step, order(numbers), retries, tell)

        monkeypatch.setattr(running, "local", other)

    return arrange


def done_in(folder):
    """Whether each chunk of the run in the folder is done."""
    manifest = read_manifest(folder)
    return [is_done(folder, manifest, number) for number in range(len(manifest.parts))]
