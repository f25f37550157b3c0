"""Classifiers that give no label for a text are judged: wrong if the gold has a label."""

import json

import pytest

from abalo import Session

MODEL = """
def unsure():
    return lambda texts: [[] if "x" in text else "pos" if "good" in text else "neg" for text in texts]


def silent():
    return lambda texts: [[] for _ in texts]


def by_small_letters():
    return lambda texts: ["pos" if "good" in text else "neg" if "bad" in text else [] for text in texts]
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Forty texts; the model is right but for the ten with an x."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(MODEL, "utf-8")
    rows = [
        (f"{'good' if k % 2 else 'bad'} film {k}{' x' if k % 4 == 0 else ''}", "pos" if k % 2 else "neg")
        for k in range(40)
    ]
    (tmp_path / "one.tsv").write_text("text\tlabel\n" + "".join(f"{a}\t{b}\n" for a, b in rows), "utf-8")
    several = [json.dumps({"text": text, "labels": [label]}) for text, label in rows]
    (tmp_path / "several.jsonl").write_text("\n".join(several) + "\n", "utf-8")
    return tmp_path


def overall(session):
    return {name: each.value for name, each in session.baseline.bound_view.overall.items()}


@pytest.mark.parametrize("corpus", ["one.tsv", "several.jsonl"])
def test_texts_without_a_label_count_as_wrong(here, corpus):
    found = overall(Session("classification", "own.py:unsure", corpus))
    assert found["accuracy"] == pytest.approx(30 / 40)


def test_a_model_that_never_answers_is_wrong_everywhere(here):
    session = Session("classification", "own.py:silent", "one.tsv")
    assert overall(session)["accuracy"] == 0
    assert overall(session)["macro_f1"] == 0
    assert "never predicts these labels of the corpus: neg 20, pos 20" in str(
        session.task.report.doubt(session.prepared.engine)
    )


def test_a_change_that_makes_a_model_abstain_is_a_loss(here):
    session = Session("classification", "own.py:by_small_letters", "one.tsv")
    found = {name: each.value for name, each in session.judge("letter_case").judged.bound_view.overall.items()}
    assert found["accuracy_drop_changed"] == 1
