"""Chunks that ran on devices which differ: how many labels do is counted, and the report says so."""

import json
from pathlib import Path

import pytest

from abalo.bundled import bundled_path
from abalo.cli import main
from abalo.scale.chunk import DONE, chunk_folder
from tests.reports import document_in

pytestmark = pytest.mark.slow

CHUNK = 60


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A finished run of the bundled model in three chunks, in whose folder the chunks can say other things."""
    monkeypatch.chdir(tmp_path)
    head = '[gate]\nlanguage = "pt"\nresamples = 100\nseeds = [1]\n\n[[ner.accents]]\nmax_f1_drop = 0.5\n'
    Path("thresholds.toml").write_text(head, encoding="utf-8")
    text = bundled_path("fixtures/corpora/legal-pt/eval.conll").read_text("utf-8")
    Path("corpus.conll").write_text("\n\n".join(text.split("\n\n")[: 3 * CHUNK]) + "\n", encoding="utf-8")
    assert main(["scale", "--corpus", "corpus.conll", "--out", "out", "--chunk-size", str(CHUNK)]) == 0
    return tmp_path / "out"


def said(folder, number):
    return json.loads((chunk_folder(folder, number) / DONE).read_text("utf-8"))


def as_if(folder, number, **device):
    found = said(folder, number)
    found["device"] |= device
    (chunk_folder(folder, number) / DONE).write_text(json.dumps(found), "utf-8")


def test_differences_are_counted_on_the_first_inputs_of_the_corpus(run):
    own = said(run, 0)["device"]
    assert own["name"] == "cpu"
    assert len(own["labels"]) == 32
    assert {json.dumps(said(run, number)["device"]) for number in range(3)} == {json.dumps(own)}
    assert "devices" not in document_in(run)["tasks"]["ner"]

    other = [[*labels] for labels in own["labels"]]
    other[3][0], other[7][1] = "B-other", "B-other"
    as_if(run, 1, name="cuda", labels=other)
    as_if(run, 2, name="mps")
    assert main(["merge", "out", "--out", "merged"]) == 0
    labels = sum(map(len, own["labels"]))
    assert document_in("merged")["tasks"]["ner"]["devices"] == [
        {"name": "cpu", "chunks": 1, "labels": labels, "differing": 0},
        {"name": "cuda", "chunks": 1, "labels": labels, "differing": 2},
        {"name": "mps", "chunks": 1, "labels": labels, "differing": 0},
    ]
    told = document_in("merged")["notice"]
    assert "several devices: cpu (1 chunk), cuda (1 chunk), mps (1 chunk)" in told
    assert f"2 of {labels:,} labels differ between cuda and cpu" in told


def test_of_a_black_box_only_the_names_are_known(run):
    for number, name in enumerate(("cpu", "cpu", "cuda")):
        as_if(run, number, name=name, labels=None)
    assert main(["merge", "out", "--out", "merged"]) == 0
    found = document_in("merged")["tasks"]["ner"]["devices"]
    assert [(each["name"], each["chunks"]) for each in found] == [("cpu", 2), ("cuda", 1)]
    assert {each["differing"] for each in found} == {None}
