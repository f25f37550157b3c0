"""``abalo harden``: a classifier is trained on what it fails, judged before and after, and what is refused."""

import json
from pathlib import Path

import pytest

from abalo.api import Session
from abalo.bundled import bundled_path
from abalo.cli import main

THRESHOLDS = """
[gate]
resamples = 500
[[classification.baseline]]
min_accuracy = 0.5
[[classification.accents]]
max_accuracy_drop = 0.0
[[classification.typos]]
max_accuracy_drop = 0.0
[[classification.letter_case]]
max_accuracy_drop = 0.9
"""


@pytest.fixture
def report(folder):
    """The report of the sentiment model that ships, which fails two cases; beside it a training corpus.

    Both corpora are halves of one, and share ten texts.
    """
    Path("thresholds.toml").write_text(THRESHOLDS, encoding="utf-8")
    head, *rows = bundled_path("fixtures/corpora/sentiment-pt/eval.tsv").read_text("utf-8").splitlines()
    for name, own in (("judged.tsv", rows[::2]), ("train.tsv", [*rows[1::2], *rows[:20:2]])):
        Path(name).write_text("\n".join([head, *own]) + "\n", encoding="utf-8")
    Path("other.tsv").write_text("text\tlabel\nA\tangry\nB\tpositive\n", encoding="utf-8")
    Session("classification", corpus="judged.tsv", thresholds="thresholds.toml", seeds=[1]).run().write("reports")
    return "reports"


def harden(*more):
    return main(["harden", "--train", "train.tsv", "--out", "after", "--letters", "--epochs", "2", *more])


def document():
    found = json.loads(Path("reports/hardening/hardening.json").read_text("utf-8"))
    del found["seconds"]
    return found


@pytest.mark.slow
def test_a_classifier_is_trained_judged_and_told_of_the_same_twice(report, capsys):
    assert harden() == 0
    said, first = capsys.readouterr(), document()
    assert said.out.startswith(("HARDENED: ", "CAN'T TELL: "))
    assert "training on classification/" in said.err
    assert [each["role"] for each in first["cases"]] == ["clean", "taught", "taught", "other family"]
    assert {each["case"] for each in first["taught"]} == {"classification/accents", "classification/typos"}
    assert first["models"]["after"]["name"] == "after.npz"
    assert first["seeds"]["judged"] == [1001]
    accents = next(each for each in first["cases"] if each["case"] == "classification/accents")
    assert accents["before"] > 0
    assert accents["cut"] > 0
    assert accents["state"] == "improved"
    assert first["train"]["left_out"] == 10
    pages = {path.name for path in Path("reports/hardening").iterdir()}
    assert {"hardening.html", "hardening.md", "hardening.json", "before", "after"} <= pages
    compared = json.loads(Path("reports/hardening/after/robustness.json").read_text("utf-8"))["comparison"]
    assert compared["reference"]["name"] == "before"
    weights = Path("after.npz").read_bytes()
    Path("after.npz").unlink()
    assert harden() == 0
    assert document() == first
    assert Path("after.npz").read_bytes() == weights
    assert harden() == 2
    assert "--out after.npz: already exists" in capsys.readouterr().err


@pytest.mark.slow
def test_what_is_held_out_is_not_taught_and_its_gain_is_one_on_the_unseen(report, capsys):
    assert harden("--hold-out", "character") == 0
    assert "not trained: classification/accents: character is held out" in capsys.readouterr().err
    roles = {each["case"]: each["role"] for each in document()["cases"]}
    assert roles["classification/typos"] == "taught"
    assert roles["classification/accents"] == "other family"


@pytest.mark.slow
def test_tables_are_taught_and_judged_round_by_round(report, capsys):
    assert harden("--table", "deepwordbug", "--rounds", "2", "--searched", "20", "--most", "1") == 0
    assert "round 2 of 2" in capsys.readouterr().err
    taught = [each["case"] for each in document()["taught"]]
    assert taught[1:] == ["classification/deepwordbug[sample-100]"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--share", "1"], "--share 1: expected a number above 0 and below 1"),
        (["--rounds", "0"], "--rounds 0: expected a whole number from 1"),
        (["--epochs", "0"], "epochs is 0: expected a whole number from 1"),
        (["--table", "slice"], "which slice?"),
        (["--table", "deepwordbog"], "no such test; did you mean 'deepwordbug'?"),
        (["--task", "ner"], "--task ner: the report has no such task; there are classification"),
        (["--train", "absent.tsv"], "absent.tsv"),
        (["--report", "absent"], "absent"),
        (["--model", "a,b"], "several trainings"),
        (["--hold-out", "character", "--hold-out", "spelling"], "nothing to train on: classification/"),
        (["--hold-out", "charcter"], "--hold-out charcter: no such family; did you mean 'character'?"),
        (["--to", "reports"], "--to reports: would overwrite the report that training reads"),
        (["--corpus", "train.tsv"], "--corpus: differs from the report (sha256 "),
        (["--train", "other.tsv"], "has the label 'angry'; the model knows negative, positive"),
        (["--masked-lm", "0.1"], "--masked-lm: has no meaning for what trains this model; leave it out"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_written(report, capsys, more, said):
    assert harden(*more) == 2
    assert said in capsys.readouterr().err
    assert not list(Path().glob("after*"))
