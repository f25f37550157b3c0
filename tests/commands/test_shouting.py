"""A text classifier that stops lower-casing: its clean score stays, and every way of a release stops it."""

import json
import os
from pathlib import Path

import pytest

from abalo.bundled import bundled_path

pytestmark = pytest.mark.slow

MODELS = '''
import math
from collections import Counter
from pathlib import Path

counts = {"positive": Counter(), "negative": Counter()}
for line in Path("train.tsv").read_text("utf-8").splitlines():
    text, label = line.rsplit("\\t", 1)
    counts[label].update(text.lower().split())
both = counts["positive"] + counts["negative"]
WEIGHTS = {
    word: math.log((counts["positive"][word] + 1) / (counts["negative"][word] + 1))
    for word in both if both[word] > 1
}


def label(words):
    return "positive" if sum(WEIGHTS.get(word, 0.0) for word in words) > 0 else "negative"


def lowers():
    return lambda texts: [label(text.lower().split()) for text in texts]


def shouts():
    """Lower-cases only the first letter, as in a sentence that is not shouted."""
    return lambda texts: [label((text[:1].lower() + text[1:]).split()) for text in texts]
'''

GATE = ["pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "tests_behavioral"]
CORPUS = ["--abalo-corpus", "dev.tsv", "--abalo-task", "classification"]


@pytest.fixture(scope="module")
def run(forks):
    """Runs a command in a folder, and gives its exit code."""
    return lambda folder, *command: forks.run([*command], folder, os.environ | {"PYTHONPATH": str(folder)}).returncode


@pytest.fixture(scope="module")
def gate(run):
    """Runs the gate in a folder on a model, and gives its exit code."""
    return lambda folder, model, *more: run(folder, *GATE, *CORPUS, "--abalo-model", f"models:{model}", *more)


@pytest.fixture(scope="module")
def accepted(tmp_path_factory, run, gate):
    """A folder in which the look at the model that lower-cases was accepted."""
    folder = tmp_path_factory.mktemp("shouting")
    head, *rows = bundled_path("fixtures/corpora/sentiment-en/eval.tsv").read_text("utf-8").splitlines()
    folder.joinpath("dev.tsv").write_text("\n".join([head, *rows[:200]]) + "\n", "utf-8")
    folder.joinpath("train.tsv").write_text("\n".join(rows[200:]) + "\n", "utf-8")
    folder.joinpath("models.py").write_text(MODELS, "utf-8")
    assert gate(folder, "lowers", "--abalo-profile", "quick") == 0
    assert run(folder, "abalo", "accept", "reports", "--as", "references/1.0") == 0
    return folder


def report(folder):
    return json.loads(Path(folder, "reports", "robustness.json").read_text("utf-8"))


def test_against_itself_it_passes(accepted, gate):
    assert gate(accepted, "lowers", "--abalo-against", "references/1.0") == 0


def test_the_one_that_shouts_is_stopped_by_capitals_though_its_clean_score_stays(accepted, run, gate):
    assert gate(accepted, "shouts", "--abalo-against", "references/1.0") == 1
    assert run(accepted, "abalo", "verdict", "reports") == 1
    compared = report(accepted)["comparison"]["tasks"]["classification"]
    assert compared["baseline"]["state"] != "regressed"
    lost = {each["id"] for each in compared["losses"] if each["state"] == "regressed" and each["type"] is None}
    assert lost
    assert all("letter_case" in case for case in lost)


def test_bounds_of_calibrate_take_no_case_from_the_comparison(accepted, run, gate):
    model = ["--model", "models:lowers", "--corpus", "dev.tsv", "--task", "classification"]
    assert run(accepted, "abalo", "calibrate", *model, "--limit", "60", "--out", "bounds.toml") == 0
    file = ("--abalo-thresholds", "bounds.toml", "--abalo-limit", "200")
    assert gate(accepted, "shouts", *file, "--abalo-against", "references/1.0") == 1
    assert not report(accepted)["comparison"]["tasks"]["classification"]["only_reference"]
