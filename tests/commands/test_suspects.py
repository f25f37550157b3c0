"""``abalo suspects``: what it prints and writes, and what it refuses."""

import json
from pathlib import Path

import pytest

from abalo.cli import main
from tests.texts import TextWith

MODELS = """
def model(odd):
    def label(tokens):
        tags = ["B-ORG" if word == "Rio" else "B-PER" if word in ("Ana", odd) else "O" for word in tokens]
        return tags
    return lambda batch: [label(tokens) for tokens in batch]

def first():
    return model("saiu")

def second():
    return model("venceu")
"""
CORPUS = "Ana B-PER\nsaiu O\n\no O\nRio B-LOC\nvenceu O\n\nAna B-PER\nviu O\nRio B-ORG\n"


@pytest.fixture
def models(folder):
    Path("models_of.py").write_text(MODELS, encoding="utf-8")
    Path("dev.conll").write_text(CORPUS, encoding="utf-8")
    return "models_of:first,models_of:second"


def test_what_both_say_against_gold_is_listed_and_written(models, capsys):
    assert main(["suspects", "--model", models, "--corpus", "dev.conll", "--out", "found.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "2: type: [Rio LOC] -> [Rio ORG]; elsewhere ORG 1",
        "    o «Rio» venceu",
        TextWith("1 place ", "2 models contradict", " (1 type), of 4 labels"),
    ]  # one of four fits well enough to say no more
    (record,) = map(json.loads, Path("found.jsonl").read_text("utf-8").splitlines())
    assert (record["example"], record["kind"], record["elsewhere"]) == (2, "type", {"ORG": 1})


def test_a_corpus_that_all_contradict_nearly_everywhere_is_told_not_to_fit(models, capsys):
    Path("other.conll").write_text("Ana B-LOC\nsaiu O\n\nRio B-PER\nvenceu O\n", encoding="utf-8")
    assert main(["suspects", "--model", models, "--corpus", "other.conll"]) == 0
    assert "do not match" in capsys.readouterr().out


def test_the_same_model_twice_is_refused(models, capsys):
    first = models.partition(",")[0]
    assert main(["suspects", "--model", f"{first},{first}", "--corpus", "dev.conll"]) == 2
    assert "two are the same model" in capsys.readouterr().err


def test_labels_of_whole_texts_are_doubted_too(folder, capsys):
    table = ["text\tlabel", *("bom\tpositive",) * 3, "ruim\tpositive"]
    Path("texts.tsv").write_text("\n".join(table), encoding="utf-8")
    Path("texts_of.py").write_text(
        "class Model:\n"
        "    labels = ('negative', 'positive')\n"
        "    def __init__(self, k): self.k = k\n"
        "    def predict(self, texts): return ['negative' if 'ruim' in text else 'positive' for text in texts]\n"
        "def one(): return Model(1).predict\n"
        "def two(): return Model(2).predict\n",
        encoding="utf-8",
    )
    assert main(["suspects", "--model", "texts_of:one,texts_of:two", "--corpus", "texts.tsv"]) == 0
    assert "type: positive -> negative" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--model", "models_of:first", "--corpus", "dev.conll"], "one model; expected two or more"),
        (["--corpus", "dev.conll"], "--model: missing; name two or more"),
        (["--model", "a,b", "--corpus", "dev.conll", "--out", "dev.conll"], "is the corpus itself"),
        (["--model", "a,b", "--corpus", "dev.conll", "--limit", "0"], "--limit 0"),
    ],
)
def test_misuse_is_told(models, refused, arguments, told):
    assert told in refused("suspects", *arguments)
