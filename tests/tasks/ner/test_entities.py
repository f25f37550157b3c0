"""Precision, recall and F1 of entities, and what a perturbation takes off them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as seqeval_scores

from abalo.core.protocols.registry import Registry
from abalo.core.statistics.metrics import Metric
from abalo.tasks.ner.metrics.entities import entity_counts
from abalo.tasks.ner.task import TASK
from abalo.tasks.ner.types import entity_types
from perturbations import Edit, Sentence, apply, parse
from tests.scripted import measured, outcome

LABELS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC", "B-ORG-NGO", "I-ORG-NGO")

pairs_of_tags = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=8)


@given(st.lists(pairs_of_tags, min_size=1, max_size=6))
def test_every_number_is_that_of_seqeval_malformed_tags_included(sentences):
    gold = [[tag for tag, _ in pairs] for pairs in sentences]
    predicted = [[tag for _, tag in pairs] for pairs in sentences]
    outcomes = [
        outcome(Sentence(tuple(f"w{i}" for i, _ in enumerate(tags)), tuple(tags)), said)
        for tags, said in zip(gold, predicted, strict=True)
    ]
    counts = entity_counts(outcomes, "projected", entity_types(outcomes)).sum(axis=0)
    for average, sums in (("micro", counts.sum(axis=0)), (None, counts)):
        expected = seqeval_scores(gold, predicted, average=average, zero_division=0)
        for name, theirs in zip(("precision", "recall", "f1"), expected[:3], strict=True):
            ours = TASK.metrics()[name].value(sums)
            assert ours == pytest.approx(theirs, abs=1e-12)


def tags(text: str) -> list[str]:
    return [{"o": "O", "P": "B-PER", "p": "I-PER", "L": "B-LOC"}[letter] for letter in text]


def values(*outcomes, view="projected") -> dict[str, float]:
    """Every metric overall."""
    return {name: estimate.value for name, estimate in measured(outcomes, view).overall.items()}


SENTENCE = parse("[Ana Sá PER] viu [Rui PER] em [Natal LOC]")
RUI_MISSED = tags("PpoooL")  # clean: 2 found, 2 predicted, 3 gold: F1 4/5


@pytest.mark.parametrize(
    ("view", "precision", "recall", "f1"),
    [
        ("projected", 1, 2 / 3, 4 / 5),  # the inserted word is not looked at
        ("structural", 1 / 3, 1 / 3, 1 / 3),  # gold has three words now; the model says Ana, and Sá, apart
        ("padded", 0, 0, 0),  # everything behind the insertion is out of step
    ],
)
def test_an_insertion_inside_an_entity_in_each_view(view, precision, recall, f1):
    inserted = apply(SENTENCE, [Edit(1, 1, ("xxx",))])
    found = values(outcome(SENTENCE, RUI_MISSED, inserted, tags("PopoooL")), view=view)
    assert found["precision"] == pytest.approx(precision)
    assert found["recall"] == pytest.approx(recall)
    assert found["f1"] == pytest.approx(f1)
    assert found["f1_drop"] == pytest.approx(4 / 5 - f1)


@pytest.mark.parametrize(
    ("view", "precision", "recall", "f1"),
    [
        ("projected", 1 / 2, 1 / 3, 2 / 5),  # Ana is gone and predicted as O, so Ana Sá is not found
        ("structural", 1, 2 / 3, 4 / 5),  # gold is Sá alone, which is found
        ("padded", 0, 0, 0),
    ],
)
def test_the_deletion_of_an_entitys_first_token_in_each_view(view, precision, recall, f1):
    deleted = apply(SENTENCE, [Edit(0, 1, ())])
    found = values(outcome(SENTENCE, RUI_MISSED, deleted, tags("PoooL")), view=view)
    assert (found["precision"], found["recall"], found["f1"]) == pytest.approx((precision, recall, f1))


@pytest.mark.parametrize(("view", "drop"), [("projected", 0), ("structural", 0), ("padded", 1)])
def test_one_word_at_the_front_is_enough_for_the_padded_view_to_collapse(view, drop):
    shifted = apply(SENTENCE, [Edit(0, 0, ("xxx",))])
    assert values(outcome(SENTENCE, tags("PpoPoL"), shifted, tags("oPpoPoL")), view=view)["f1_drop"] == drop


def test_an_entity_of_the_wrong_type_is_both_missed_and_invented():
    found = values(outcome("[Ana PER] saiu", tags("Lo")))
    assert (found["precision"], found["recall"], found["f1"]) == (0, 0, 0)


def test_what_was_not_changed_counts_in_f1_but_not_in_f1_of_the_changed():
    broken = apply(parse("[Ana PER] saiu"), [Edit(0, 1, ("Axa",))])
    found = values(outcome("[Ana PER] saiu", tags("Po"), broken, tags("oo")), outcome("[Rui PER] saiu", tags("Po")))
    assert found["f1"] == pytest.approx(2 / 3)  # 1 found, 1 predicted, 2 gold
    assert found["f1_drop"] == pytest.approx(1 / 3)
    assert (found["f1_changed"], found["f1_drop_changed"]) == (0, 1)


def test_numbers_about_the_changed_have_no_value_where_nothing_changed():
    found = values(outcome("[Ana PER] saiu"))
    assert found["f1"] == 1
    assert math.isnan(found["f1_changed"])
    assert math.isnan(found["f1_drop_changed"])


def test_copies_and_seeds_are_pooled_and_the_clean_counts_repeated_for_each():
    broken = apply(parse("[Ana PER] saiu"), [Edit(0, 1, ("Axa",))])
    right = outcome("[Ana PER] saiu", tags("Po"))
    wrong = outcome("[Ana PER] saiu", tags("Po"), broken, tags("oo"), seed=2)
    found = values(right, right, wrong, right)
    assert found["f1"] == pytest.approx(2 * 3 / (3 + 4))
    assert found["f1_drop"] == pytest.approx(1 - 6 / 7)


def test_types_that_only_the_new_gold_has_are_counted_too():
    renamed = apply(parse("[Ana PER] saiu"), [Edit(0, 1, ("Vale",), tags=("B-ORG",))])
    only = outcome("[Ana PER] saiu", tags("Po"), renamed, ["B-ORG", "O"])
    assert entity_types([only]) == ["ORG", "PER"]
    assert values(only, view="structural")["f1"] == 1
    assert values(only, view="projected")["f1"] == 0


def test_metrics_are_found_in_the_modules_of_the_package():
    assert {"precision", "recall", "f1", "f1_drop", "f1_changed", "f1_drop_changed"} <= set(TASK.metrics())


def test_two_metrics_of_one_name_are_refused(monkeypatch):
    twin = TASK.metrics()["f1"]
    monkeypatch.setattr("abalo.tasks.ner.metrics.entities.METRICS", (twin, twin))
    with pytest.raises(ValueError, match="two metrics are called 'f1'; rename the one in entities"):
        Registry[Metric]("metric", "abalo.tasks.ner.metrics", "METRICS", several=True)()
