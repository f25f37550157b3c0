"""Labels of texts as targets of searches, worked out by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest

from abalo.attacks.log import ATTACKS, record_of
from abalo.core.documents.found import Result
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.records.outcome import Outcome, Searched, Tried
from abalo.corpora.examples import TEXT, example_of
from abalo.models.labelling.classified import Classified
from abalo.reporting.formats.files import failures
from abalo.tasks.labels.metrics.attack import METRICS, robust_counts, search_counts
from abalo.tasks.labels.targets import TextLabels
from perturbations import Edit, Sentence, apply
from tests.attacks.scripted import ended, greedy, options
from tests.reporting.documents import result as some_result
from tests.reporting.documents import result_of, searched

TASK = tasks()["classification"]
NAMES = ("bad", "good")
SCRIPT = {"a fine film": 0.9, "fine film": 0.8, "a film": 0.3, "a fine": 0.85, "a decent film": 0.6, "a thin film": 0.2}
"""The probability of *good* by text."""


def said(text: str) -> Classified:
    good = SCRIPT[text]
    found = np.array([1 - good, good], dtype=np.float32)
    return Classified((NAMES[int(good > 0.5)],), found, names=NAMES)


def target() -> TextLabels:
    text = Sentence(("a", "fine", "film"))
    return TextLabels(replace(example_of(text), gold=("good",)), TEXT, said("a fine film"))


def model(variants):
    return [said(" ".join(variant.example.sentence.tokens)) for variant in variants]


def test_importance_is_what_the_gold_label_loses_and_a_wrong_one_gains():
    own = target()

    def without(place: int) -> float:
        made = apply(own.sentence, [Edit(place, place + 1, ())])
        return own.importance(said(" ".join(made.sentence.tokens)), made)

    assert without(0) == pytest.approx(0.9 - 0.8)
    assert without(1) == pytest.approx((0.9 - 0.3) + (0.7 - 0.1))
    assert without(2) == pytest.approx(0.9 - 0.85)


def test_without_probabilities_a_label_is_right_or_wrong():
    own = target()
    assert own.read(Classified(("good",))).scores == (1.0,)
    assert own.read(Classified(("bad",))).broken
    assert not own.read(said("a decent film")).broken


def test_words_of_labelled_spans_are_not_free():
    text = Sentence(("the", "soup", "was", "cold"), ("O", "B-negative", "O", "O"))
    assert TextLabels(example_of(text), TEXT, None).free == [0, 2, 3]


def outcomes() -> list[Outcome]:
    """A text that a synonym breaks, one that resists, and one that is labelled wrong as it stands."""
    own = target()
    end = ended(greedy(own, options(p1="decent thin")), model)
    assert " ".join(end.found.perturbed.sentence.tokens) == "a thin film"
    assert end.queries == 1 + 2  # one word left out, then both synonyms
    searched = Searched(1, end.queries, end.spent, end.found.similarity, end.tried)
    broken = Outcome(
        own.example, 1, own.clean, own.variant(end.found.perturbed), end.found.prediction, searched=searched
    )
    resisted = Outcome(
        own.example, 1, own.clean, None, own.clean, searched=Searched(0, 0, False, 1.0, Tried(0, 0, 0, 0))
    )
    wrong = Outcome(own.example, 1, said("a film"), None, said("a film"), not_found=True)
    return [broken, resisted, wrong]


def test_rates_are_of_texts_that_are_right_and_robust_accuracy_is_of_all():
    found = outcomes()
    sums = {count: count(found, "", ["good"])[:, 0].sum(axis=0) for count in (search_counts, robust_counts)}
    rates = {metric.name: float(metric.value(sums[metric.count])) for metric in METRICS}
    assert rates["success_rate"] == 1 / 2
    assert rates["robust_accuracy"] == 1 / 3
    assert rates["single_change_rate"] == 1
    assert rates["words_perturbed"] == pytest.approx(1 / 3)
    assert rates["nothing_to_try_rate"] == 1


def test_a_record_has_no_span_and_is_kept_to_be_tried_again(tmp_path):
    record = record_of("word_attack", outcomes()[0], TASK)
    assert (record["target"], record["broken"], record["labels"]) == (
        None,
        True,
        {"clean": ("good",), "attacked": ("bad",)},
    )
    (tmp_path / ATTACKS).mkdir()
    lines = [json.dumps({"format": "abalo attack log 2"}), json.dumps(record)]
    (tmp_path / ATTACKS / "log.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (kept,) = failures(
        [
            typed.read(Result, each)
            for each in [
                some_result(
                    "accents",
                    {},
                    0.8,
                    [],
                    attack=result_of(searched(), "entity_attack", "structural")["attack"] | {"log": "log.jsonl"},
                )
            ]
        ],
        tmp_path,
    )
    assert (kept["task"], kept["example"]["gold"]) == ("classification", ["good"])
    assert kept["example"]["fields"] == {TEXT: None}, "the field that was edited is the sentence itself"
