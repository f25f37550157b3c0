"""Macro F1 is that of the official scorer of SemEval-2010 task 8, micro F1 that of TACRED, written again here."""

import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import abalo
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.metrics import with_all
from abalo.models.labelling.classified import Classified
from abalo.tasks.relations.corpus import Inventory
from abalo.tasks.relations.metrics.relations import METRICS, relation_counts

TASK = tasks()["relations"]
DATA = os.environ.get("ABALO_TEST_DATA", "")
BY_NAME = {metric.name: metric for metric in METRICS}

NINE = (
    "Cause-Effect",
    "Component-Whole",
    "Content-Container",
    "Entity-Destination",
    "Entity-Origin",
    "Instrument-Agency",
    "Member-Collection",
    "Message-Topic",
    "Product-Producer",
)


def official(gold: list[str], predicted: list[str]) -> float:
    """(9+1)-way evaluation with directionality: the mean F1 of nine relations, by the counts of the scorer's table."""
    table = Counter(zip(gold, predicted, strict=True))
    scores = []
    for relation in NINE:
        own = {label for label in {*gold, *predicted} if label.split("(")[0] == relation}
        right = sum(table[label, label] for label in own)
        answered = sum(n for (_, said), n in table.items() if said in own)
        there = sum(n for (label, _), n in table.items() if label in own)
        precision, recall = right / answered if answered else 0.0, right / there if there else 0.0
        scores.append(2 * precision * recall / (precision + recall) if precision + recall else 0.0)
    return sum(scores) / len(NINE)


def tacred(gold: list[str], predicted: list[str], negative: str) -> float:
    right = sum(a == b != negative for a, b in zip(gold, predicted, strict=True))
    guessed, there = sum(b != negative for b in predicted), sum(a != negative for a in gold)
    return 2 * right / (guessed + there)


def outcomes_of(examples, predicted):
    return [
        Outcome(example, 0, Classified((label,)), None, Classified((label,)))
        for example, label in zip(examples, predicted, strict=True)
    ]


def values(examples, predicted):
    outcomes = outcomes_of(examples, predicted)
    groups = TASK.groups(outcomes)
    sums = with_all(relation_counts(outcomes, "", groups), len(groups)).sum(axis=0)
    found = {name: np.atleast_1d(BY_NAME[name].value(sums)) for name in ("macro_f1", "micro_f1")}
    return {name: dict(zip(("", *groups), each, strict=True)) for name, each in found.items()}


@pytest.mark.skipif(not DATA, reason="ABALO_TEST_DATA names no folder with relations/semeval8-dev.txt")
@pytest.mark.parametrize("wrong", [0.0, 0.1, 0.5, 1.0])
def test_f1_on_semeval_is_that_of_the_official_scorer(wrong):
    corpus = TASK.read(str(Path(DATA) / "relations" / "semeval8-dev.txt"), RunOptions())
    draws, labels = random.Random(7), sorted({*corpus.gold, "Entity-Destination(e2,e1)"})
    gold = list(corpus.gold)
    predicted = [draws.choice(labels) if draws.random() < wrong else label for label in gold]
    found = values(corpus.examples, predicted)
    assert found["macro_f1"][""] == pytest.approx(official(gold, predicted))
    assert found["micro_f1"][""] == pytest.approx(tacred(gold, predicted, "Other"))


@pytest.mark.slow
@pytest.mark.skipif(not DATA, reason="ABALO_TEST_DATA names no folder with relations/semeval8-train.txt")
def test_a_linear_model_is_trained_on_semeval(tmp_path):
    folder, weights = Path(DATA) / "relations", tmp_path / "weights.npz"
    script = Path(abalo.__file__).parent.parent / "fixtures" / "train_relations.py"
    asked = ["--corpus", folder / "semeval8-train.txt", "--weights", weights]
    subprocess.run([sys.executable, script, *asked], check=True, capture_output=True)
    session = abalo.Session(task="relations", model=str(weights), corpus=str(folder / "semeval8-dev.txt"), seeds=[1])
    assert session.judge("baseline").metrics["accuracy"].value >= 0.74


def test_the_mean_is_over_the_relations_of_the_corpus_with_both_directions():
    """A wrong direction is wrong and missed; what is predicted on Other counts in precision; X has nothing right."""
    labels = ("A(e1,e2)", "A(e2,e1)", "B", "Other", "X")
    inventory = Inventory(labels, "Other")
    gold = ["A(e1,e2)", "A(e2,e1)", "B", "Other", "X"]
    predicted = ["A(e1,e2)", "A(e1,e2)", "B", "B", "Other"]
    examples = [type("E", (), {"gold": (label,), "source": inventory, "id": label})() for label in gold]
    found = values(examples, predicted)
    assert inventory.relations == ("A", "B", "X")
    assert found["macro_f1"][""] == pytest.approx((1 / 2 + 2 / 3 + 0) / 3)
    assert found["micro_f1"][""] == pytest.approx(2 * 2 / (4 + 4))
    assert found["macro_f1"]["A(e1,e2)"] == pytest.approx(2 / 3)
    assert found["macro_f1"]["X"] == 0


def test_a_resample_without_a_relation_counts_it_as_nothing_right():
    inventory = Inventory(("A", "B"), None)
    examples = [type("E", (), {"gold": (label,), "source": inventory, "id": label})() for label in ("A", "B")]
    table = relation_counts(outcomes_of(examples, ["A", "B"]), "", ["A", "B"])
    whole, half = table.sum(axis=0), table[:1].sum(axis=0)
    assert BY_NAME["macro_f1"].value(whole)[0] == 1
    assert BY_NAME["macro_f1"].value(half)[0] == 0.5
