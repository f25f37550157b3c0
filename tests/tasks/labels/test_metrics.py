"""Numbers about labelled texts, worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.protocols.task import tasks
from abalo.core.records.example import Example, Variant
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.reach import worst
from abalo.corpora.examples import TEXT
from abalo.corpora.running_text import running_text
from abalo.models.labelling.classified import Classified
from abalo.tasks.labels.metrics.confidence import (
    confidence_counts,
    decision_counts,
    prob_drop_gold,
    prob_drop_pred,
)
from abalo.tasks.labels.metrics.direction import direction_counts, unmoved_rate, wrong_way_rate
from abalo.tasks.labels.metrics.labels import (
    accuracy,
    accuracy_drop,
    balanced_accuracy,
    class_counts,
    flip_rate,
    kept_counts,
    label_counts,
    macro_f1,
    macro_f1_drop,
)
from perturbations import apply
from tests.scripted import evidence_of, measured

LABELS = ("a", "b")


def relabelled(gold, clean, now, new):
    """A text to which a change gave other labels."""
    made = outcome(gold, clean, now)
    variant = replace(made.variant, example=replace(made.example, gold=tuple(new)))
    return replace(made, variant=variant)


def test_after_a_change_of_labels_the_new_ones_are_right():
    right = relabelled("a", said("a", 0.9, 0.1), said("b", 0.2, 0.8), "b")
    wrong = relabelled("a", said("a", 0.8, 0.2), said("a", 0.6, 0.4), "b")
    outcomes = [right, wrong]
    assert value(accuracy, label_counts, outcomes)[0] == 0.5
    assert value(flip_rate, kept_counts, outcomes)[0] == 0.5
    assert value(accuracy_drop, kept_counts, outcomes)[0] == 0.5
    table = label_counts(outcomes, "", LABELS)
    assert table[:, 1].tolist() == [[1, 1, 1, 0], [1, 1, 0, 1]], "by the labels that they had"
    assert not table[:, 2].any()
    assert class_counts(outcomes, "", LABELS)[:, :, 3:].tolist() == [
        [[0, 0, 0], [1, 0, 0]],
        [[0, 1, 0], [0, 0, 1]],
    ]
    lost = value(prob_drop_gold, confidence_counts, outcomes)[0]
    assert lost == pytest.approx(((0.9 - 0.8) + (0.8 - 0.4)) / 2, abs=1e-6)
    assert decisions([wrong]) == [pytest.approx((1, 0.6, 0), abs=1e-6)]


def said(labels, *probabilities):
    if not probabilities:
        return Classified(tuple(labels))
    return Classified(tuple(labels), np.array(probabilities, dtype=np.float32), names=LABELS)


def outcome(gold, clean, now=None, *, meaning="keeps", several=False):
    sentence = running_text("one")
    example = Example("1", {TEXT: sentence}, "1", tuple(gold), several)
    if now is None:
        return Outcome(example, 1, clean, None, clean)
    made = replace(apply(sentence, []), meaning=meaning)
    new = replace(example, gold=example.gold if meaning == "keeps" else None)
    return Outcome(example, 1, clean, Variant(new, {TEXT: made}), now)


def value(metric, count, outcomes, labels=LABELS):
    table = count(outcomes, "", labels)
    if table.shape[1] == len(labels):
        table = np.concatenate([table.sum(axis=1, keepdims=True), table], axis=1)
    return metric(table.sum(axis=0))


def test_accuracy_and_what_flips():
    outcomes = [
        outcome("a", said("a"), said("a")),
        outcome("a", said("a"), said("b")),
        outcome("b", said("a"), said("b")),
        outcome("b", said("b")),
    ]
    assert value(accuracy, label_counts, outcomes).tolist() == [0.75, 0.5, 1.0]
    assert value(accuracy_drop, label_counts, outcomes).tolist() == [0.0, 0.5, -0.5]
    assert value(flip_rate, label_counts, outcomes).tolist() == [1 / 3, 0.5, 0.0]


def test_macro_f1_is_the_mean_over_labels_and_by_label_its_own():
    outcomes = [outcome("a", said("a"), said("b")), outcome("a", said("a"), said("a")), outcome("b", said("b"))]
    # Now a has 1 hit and 1 missed, b 1 hit and 1 false: both 2/3. Clean all is right.
    np.testing.assert_allclose(value(macro_f1, class_counts, outcomes), [2 / 3, 2 / 3, 2 / 3])
    np.testing.assert_allclose(value(macro_f1_drop, class_counts, outcomes), [1 / 3, 1 / 3, 1 / 3])
    assert math.isnan(value(macro_f1, class_counts, [], LABELS)[0])


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30))
def test_macro_f1_is_that_of_scikit_learn(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    labels = sorted({gold for gold, _ in pairs})
    outcomes = [outcome(gold, said(predicted)) for gold, predicted in pairs]
    golds, predicted = zip(*pairs, strict=True)
    expected = metrics.f1_score(golds, predicted, labels=labels, average="macro", zero_division=0)
    assert value(macro_f1, class_counts, outcomes, labels)[0] == pytest.approx(expected)


def test_the_reach_of_macro_f1_misses_every_label_of_the_changed_texts():
    kept = [outcome("a", said("a")), outcome("a", said("a")), outcome("b", said("b"))]
    changed = [outcome("b", said("b"), said("b")), outcome("a", said("b"), said("b"))]
    evidence = evidence_of([*kept, *changed], "classification")
    metrics = tasks()["classification"].metrics()
    # Of a: 2 hits, 1 missed now; of b: 2 hits, 1 false. With the hit of the changed b lost: 1 hit, 1 missed, 1 false.
    np.testing.assert_allclose(worst(metrics["macro_f1"], evidence, ""), [(0.8 + 0.5) / 2, 0.8, 0.5])
    np.testing.assert_allclose(worst(metrics["macro_f1_drop"], evidence, ""), [0.15, 0, 0.3], atol=1e-9)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")), min_size=1))
def test_the_mean_recall_is_that_of_scikit_learn(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    labels = sorted({gold for gold, _ in pairs})
    outcomes = [outcome(gold, said(predicted)) for gold, predicted in pairs]
    golds, predicted = zip(*pairs, strict=True)
    expected = metrics.recall_score(golds, predicted, labels=labels, average="macro", zero_division=0)
    assert value(balanced_accuracy, label_counts, outcomes, labels)[0] == pytest.approx(expected)


def test_the_mean_recall_of_labels_that_are_all_found_has_an_interval():
    # Of 60 and 40 texts that are all right, the shares are at least 0.025 ** (1 / 60) and 0.025 ** (1 / 40).
    each = [outcome(label, said(label)) for label in "a" * 60 + "b" * 40]
    examples = [replace(one.example, id=f"s{k}", cluster=f"s{k}") for k, one in enumerate(each)]
    outcomes = [replace(one, example=example) for one, example in zip(each, examples, strict=True)]
    found = measured(outcomes, "", task="classification").estimate("balanced_accuracy")
    assert (found.value, found.high) == (1, 1)
    assert found.low == pytest.approx((0.025 ** (1 / 60) + 0.025 ** (1 / 40)) / 2)


def test_of_several_labels_all_must_be_right_and_by_label_that_one():
    outcomes = [outcome("ab", said("a"), several=True), outcome("", said(""), several=True)]
    assert value(accuracy, label_counts, outcomes).tolist()[:2] == [0.5, 1.0]
    assert value(accuracy, label_counts, outcomes)[2] == 0.0


def test_what_the_probability_of_a_label_loses():
    outcomes = [
        outcome("a", said("a", 0.9, 0.1), said("b", 0.4, 0.6)),
        outcome("b", said("a", 0.6, 0.4), said("a", 0.7, 0.3)),
    ]
    gold, predicted = (value(each, confidence_counts, outcomes)[0] for each in (prob_drop_gold, prob_drop_pred))
    assert gold == pytest.approx((0.5 + 0.1) / 2)
    assert predicted == pytest.approx((0.5 - 0.1) / 2)
    assert math.isnan(value(prob_drop_gold, confidence_counts, [outcome("a", said("a"), said("a"))])[0])
    assert math.isnan(value(prob_drop_gold, confidence_counts, [outcome("c", said("a", 1, 0))], ("c",))[0])


def decisions(outcomes):
    """For each narrow bin that holds any: decisions, the sum of their confidence, right ones."""
    table = decision_counts(outcomes, "", LABELS)
    assert not table[:, 1:].any(), "they are counted overall alone"
    return [tuple(row) for row in table[:, 0].sum(axis=0).reshape(-1, 3).tolist() if row[0]]


def test_decisions_are_counted_by_bins_of_confidence():
    outcomes = [
        outcome("a", said("a", 0.96, 0.04)),
        outcome("b", said("a", 0.96, 0.04)),
        outcome("a", said("a", 0.62, 0.38)),
        outcome("a", said("a", 1.0, 0.0)),
    ]
    found = [(1, 0.62, 1), (2, 1.92, 1), (1, 1.0, 1)]
    assert decisions(outcomes) == [pytest.approx(each, abs=1e-6) for each in found]


def test_calibration_of_several_labels_is_about_each_decision():
    # Decisions: has a with 0.86, right; has no b with 0.86, wrong.
    found = decisions([outcome("ab", said("a", 0.86, 0.14), several=True)])
    assert found == [pytest.approx((2, 1.72, 1), abs=1e-6)]


def test_a_turned_text_has_no_right_label_and_moves_wrongly_if_the_model_is_surer():
    outcomes = [
        outcome("a", said("a", 0.6, 0.4), said("a", 0.8, 0.2), meaning="turns"),  # surer by 0.2
        outcome("a", said("a", 0.6, 0.4), said("a", 0.65, 0.35), meaning="turns"),  # within the tolerance
        outcome("a", said("a", 0.6, 0.4), said("b", 0.3, 0.7), meaning="turns"),
        outcome("a", said("b", 0.3, 0.7), said("a", 0.9, 0.1), meaning="turns"),  # was wrong: says nothing
        outcome("b", said("b", 0.3, 0.7)),
    ]
    assert value(wrong_way_rate, direction_counts, outcomes)[0] == pytest.approx(1 / 3)
    assert value(unmoved_rate, direction_counts, outcomes)[0] == pytest.approx(2 / 3)
    assert value(accuracy, label_counts, outcomes)[0] == 1.0
    assert np.isnan(value(accuracy_drop, kept_counts, outcomes)).all()
    assert np.isnan(value(wrong_way_rate, direction_counts, outcomes[-1:])).all()


def test_a_text_whose_meaning_is_lost_is_counted_nowhere():
    outcomes = [outcome("a", said("a", 0.6, 0.4), said("b", 0.3, 0.7), meaning="loses")]
    for count in (label_counts, class_counts, confidence_counts, decision_counts, direction_counts):
        assert not count(outcomes, "", LABELS).any()
