"""Intervals from a bootstrap over distinct sentences."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.estimates import (
    SHARED,
    UNDEFINED,
    Bootstrap,
    Estimate,
    _packed,
    _unpacked,
    bootstrap,
    estimate,
    measure,
)
from abalo.core.statistics.evidence import collect
from abalo.tasks.ner.targets import entities
from perturbations import Edit, Sentence, apply
from tests.scripted import evidence_of, measured, outcome


def one(i: int, clean: bool, after: bool | None = None) -> Outcome:
    """Sentence number ``i``, two words with one entity, which is found or not; ``after`` None: nothing was changed."""
    sentence = Sentence((f"Ana{i}", "saiu"), ("B-PER", "O"))
    said = {True: ["B-PER", "O"], False: ["O", "O"]}
    if after is None:
        return outcome(sentence, said[clean])
    return outcome(sentence, said[clean], apply(sentence, [Edit(0, 1, (f"Axa{i}",))]), said[after])


def some(count: int = 80, seed: int = 3) -> list[Outcome]:
    """Sentences, of which nine in ten are found clean and six in ten when perturbed."""
    draws = random.Random(seed)
    return [one(i, draws.random() < 0.9, draws.random() < 0.6) for i in range(count)]


def test_a_resample_draws_as_many_clusters_as_there_are():
    weights = Bootstrap(60, 200).sums(np.eye(60))
    assert weights.shape == (200, 60)
    assert (weights.sum(axis=1) == 60).all()
    assert weights.mean() == 1
    assert 0.9 < weights.var() < 1.05  # binomial: 1 - 1/60


def test_equal_numbers_of_clusters_have_equal_weights_in_every_process():
    eye = np.eye(60)
    assert (Bootstrap(60, 200).sums(eye) == Bootstrap(60, 200).sums(eye)).all()
    assert (Bootstrap(60, 200).sums(eye) != Bootstrap(60, 200, seed=1).sums(eye)).any()


def test_more_resamples_continue_the_same_sequence():
    assert (Bootstrap(60, 300).sums(np.eye(60))[:200] == Bootstrap(60, 200).sums(np.eye(60))).all()


def test_tables_have_the_same_sums_beside_others_as_alone():
    draws, numbers = Bootstrap(61, 300), np.random.Generator(np.random.PCG64(5))
    tables = [
        numbers.integers(9, size=(61, 4, 3)).astype(float),
        numbers.normal(size=(61, 2)),  # no whole numbers: summed as doubles, at a scale of their own
        1e6 * numbers.normal(size=(61, 1, 5)),
        np.zeros((61, 2)),
        np.where(numbers.random((61, 40, 1)) < 0.05, numbers.normal(size=(61, 40, 3)), 0),  # rare labels
    ]
    drawn = draws.sums(np.eye(61))
    assert np.allclose(draws.sums(tables[-1]), np.einsum("rc,cgk->rgk", drawn, tables[-1]))
    for table, sums in zip(tables, draws.sums_of(tables), strict=True):
        assert sums.shape == (300, *table.shape[1:])
        assert (sums == draws.sums(table)).all()


@pytest.mark.parametrize("cells", [1, 60, 7 * 60, 10**6])
def test_the_size_of_chunks_does_not_matter(monkeypatch, cells):
    expected = Bootstrap(60, 200).sums(np.eye(60))
    monkeypatch.setattr(Bootstrap, "_CELLS_DRAWN_AT_ONCE", cells)
    assert (Bootstrap(60, 200).sums(np.eye(60)) == expected).all()


@pytest.mark.parametrize("clusters", [1, 2, 7, 60])
def test_weights_are_how_often_each_cluster_was_drawn(clusters):
    drawn = np.random.Generator(np.random.PCG64([0, clusters])).integers(clusters, size=(50, clusters), dtype=np.int32)
    expected = [np.bincount(row, minlength=clusters) for row in drawn]
    assert (Bootstrap(clusters, 50).sums(np.eye(clusters)) == expected).all()


@pytest.mark.parametrize("most", [15, 16, 255])
def test_weights_of_any_size_are_kept_exactly(most):
    weights = np.random.Generator(np.random.PCG64(1)).integers(most, size=(5, 9), endpoint=True).astype(np.uint8)
    weights[0, 4] = most
    assert (_unpacked(_packed(weights), 5, np.dtype(np.float32)) == weights).all()


def test_weights_too_large_to_keep_are_drawn_again_and_are_the_same(monkeypatch):
    expected = Bootstrap(60, 200).sums(np.eye(60))
    monkeypatch.setattr(Bootstrap, "CELLS_KEPT", 0)
    bootstrap = Bootstrap(60, 200)
    assert (bootstrap.sums(np.eye(60)) == expected).all()
    assert (bootstrap.sums(np.eye(60)) == expected).all()


def test_together_only_so_many_weights_are_kept_the_last_used_first(monkeypatch):
    SHARED.clear()
    monkeypatch.setattr(Bootstrap, "CELLS_SHARED", 130 * 200)
    expected = bootstrap(60, 200).sums(np.eye(60))
    for clusters in (70, 60, 80):
        bootstrap(clusters, 200).sums(np.eye(clusters))
    assert {clusters: each.kept for (clusters, _), each in SHARED.items()} == {70: False, 60: False, 80: True}
    assert (bootstrap(60, 200).sums(np.eye(60)) == expected).all()
    assert {clusters: each.kept for (clusters, _), each in SHARED.items()} == {70: False, 60: True, 80: False}


def test_the_order_in_which_cases_are_measured_changes_nothing():
    first, second = some(seed=3), some(seed=4)
    SHARED.clear()
    forward = [measured(first), measured(second)]
    SHARED.clear()
    backward = [measured(second), measured(first)]
    assert forward == backward[::-1]


def test_the_order_of_the_sentences_changes_nothing():
    outcomes = some()
    assert measured(outcomes) == measured(outcomes[::-1])


def test_every_sentence_twice_is_no_more_evidence():
    once, twice = measured(some()), measured(some() * 2)
    assert once.overall == twice.overall
    assert once.per_group == twice.per_group
    assert (once.support, twice.support) == ({"PER": 80}, {"PER": 160})


def test_a_second_seed_that_shows_the_same_is_no_more_evidence():
    once = some()
    assert measured(once) == measured(once + [replace(each, seed=2) for each in once])


def test_the_interval_is_that_of_the_textbook_where_there_is_one():
    found = measured([one(i, i % 2 == 0) for i in range(400)], resamples=4000).overall["recall"]
    assert found.value == 0.5
    assert found.n == 400
    assert found.se == pytest.approx(math.sqrt(0.25 / 400), rel=0.05)
    assert (found.low, found.high) == pytest.approx((0.5 - 1.96 * found.se, 0.5 + 1.96 * found.se), abs=0.004)


def test_a_sample_without_variation_has_the_width_that_its_size_leaves_open():
    """All of 60 lose their entity: Jeffreys' end for all of 60, 0.959, root of the sum of squares with none of 60."""
    drop = measured([one(i, True, False) for i in range(60)]).overall["f1_drop"]
    assert (drop.value, drop.high, drop.n, drop.events) == (1.0, 1.0, 60, None)
    assert drop.low == pytest.approx(1 - math.hypot(0.0408, 0.0408), abs=5e-4)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.none() | st.booleans()), min_size=1, max_size=12))
def test_every_interval_contains_its_value(drawn):
    found = measured([one(i, *each) for i, each in enumerate(drawn)], resamples=100)
    for each in [*found.overall.values(), *found.per_group.get("PER", {}).values()]:
        if each is not UNDEFINED:
            assert -1 <= each.low <= each.value <= each.high <= 1
            assert each.se >= 0


def test_numbers_about_changed_sentences_count_only_those():
    outcomes = [one(i, True, False) for i in range(20)] + [one(i, True) for i in range(20, 60)]
    found = measured(outcomes).overall
    assert (found["f1_drop_changed"].value, found["f1_drop_changed"].n) == (1, 20)
    assert found["f1_drop"].n == 60


def test_behind_a_number_for_a_type_stand_the_sentences_that_hold_it():
    places = [outcome(Sentence((f"Natal{i}",), ("B-LOC",)), ["B-LOC"]) for i in range(5)]
    found = measured(some() + places)
    assert (found.estimate("f1").n, found.estimate("f1", "PER").n, found.estimate("f1", "LOC").n) == (85, 80, 5)
    assert found.support == {"LOC": 5, "PER": 80}
    assert found.estimate("f1", "LOC").value == 1


def test_a_type_that_is_predicted_but_not_in_gold_has_no_sentence_behind_it():
    invented = outcome(Sentence(("x",), ("O",)), ["B-LOC"])
    found = measured([*some(), invented])
    assert (found.estimate("f1", "LOC").n, found.support["LOC"]) == (0, 0)
    assert found.estimate("precision", "LOC").value == 0


def test_a_type_that_occurs_nowhere_has_no_estimate():
    assert measured(some()).estimate("f1", "LOC") is UNDEFINED


def test_without_a_single_entity_everything_is_zero_and_nothing_warns():
    found = measured([outcome(Sentence((f"w{i}",), ("O",)), ["O"]) for i in range(3)])
    assert found.estimate("f1").value == 0
    assert found.per_group == {}


def test_resamples_in_which_a_metric_has_no_value_are_left_out():
    draws = np.array([math.nan] * 20 + [0.2, 0.4] * 40)
    assert estimate(0.3, draws, 60, 0.95) == Estimate(0.3, 0.2, 0.4, pytest.approx(0.1, rel=0.01), 60)
    assert estimate(math.nan, draws, 60, 0.95) is UNDEFINED


# Views that see the same ----------------------------------------------------------------------------------------------

KEPT = "entity_retention_rate"
"""It has a meaning in the structural view alone."""


def test_equal_views_give_no_value_to_a_metric_that_has_no_meaning_in_one():
    outcomes = [one(i, True, True) for i in range(4)]
    assert evidence_of(outcomes).alike
    shown, foreign = measured(outcomes, "structural"), measured(outcomes, "projected")
    assert (shown.estimate(KEPT).value, shown.estimate(KEPT, "PER").value) == (1, 1)
    assert foreign.estimate(KEPT) is UNDEFINED
    assert foreign.estimate(KEPT, "PER") is UNDEFINED
    assert foreign.estimate("f1") == shown.estimate("f1")
    assert (shown.view, foreign.view) == ("structural", "projected")


def test_evidence_that_all_views_see_alike_is_measured_as_if_it_were_not():
    outcomes = [*some(), one(99, True, True)]
    known = tasks()["ner"]
    alike = evidence_of(outcomes)
    groups = known.groups(outcomes)
    apart = collect(outcomes, groups, known.held(outcomes, groups), known.metrics().values(), known.views, alike=False)
    gate, metrics = Gate(resamples=100), known.metrics().values()
    assert alike.alike
    assert not apart.alike
    for view in known.views:
        assert repr(measure(alike, known.views, metrics, gate)[view]) == repr(
            measure(apart, known.views, metrics, gate)[view]
        )


# Rare events ----------------------------------------------------------------------------------------------------------


def events(happened: int, of: int = 60) -> list[Outcome]:
    """One edit in each of so many sentences; the first of them lose the entity that they should bear."""
    sentences = [Sentence((f"Ana{i}", "saiu"), ("B-PER", "O")) for i in range(of)]
    edited = [
        outcome(
            sentence,
            perturbed=apply(sentence, [Edit(1, 2, ("foi",))]),
            predicted=("O", "O") if i < happened else ("B-PER", "O"),
        )
        for i, sentence in enumerate(sentences)
    ]
    return [replace(each, invariant=tuple(entities(each.example, each.clean, ()))) for each in edited]


def test_without_events_the_upper_end_is_a_rate_that_shows_none_once_in_forty_times():
    """97.5 % of the time one of 60 would have had it: 1000 · (1 - 0.025^(1/60)); with 0.05 it would be 48.70."""
    found = measured(events(0)).estimate("violations_per_thousand")
    assert (found.value, found.low, found.n, found.events) == (0, 0, 60, 0)
    assert found.high == pytest.approx(59.63, abs=0.005)
    tighter = measured(events(0), confidence=0.9).estimate("violations_per_thousand")
    assert tighter.high == pytest.approx(48.70, abs=0.005)


def test_an_event_that_happened_once_has_the_interval_of_clopper_and_pearson():
    """At most one of 60 has a chance of 0.025 where each has one of 0.0894; resamples would say 0.05."""
    found = measured(events(1), resamples=2000).estimate("violations_per_thousand")
    assert found.value == pytest.approx(1000 / 60)
    assert (found.high, found.events) == (pytest.approx(89.4, abs=0.6), 1)


def test_many_events_have_the_interval_of_their_resamples():
    found = measured(events(30), resamples=2000).estimate("violations_per_thousand")
    assert (found.events, found.law) == (None, None)
    assert found.low == pytest.approx(1000 * (0.5 - 1.96 * math.sqrt(0.25 / 60)), abs=10)


def test_a_drop_that_is_zero_could_be_a_gain_or_a_loss():
    found = measured(events(0)).estimate("f1_drop")
    assert (found.value, found.n, found.events) == (0, 60, 0)
    assert -found.low == found.high == pytest.approx(1 - 0.025 ** (1 / 60))


def test_behind_a_number_stand_the_sentences_that_hold_something_to_count():
    """Two sentences hold an entity, a third is said to; of 50 more nothing is counted."""
    plain = [outcome(Sentence((f"w{i}",), ("O",)), ["O"]) for i in range(50)]
    invented = outcome(Sentence(("x",), ("O",)), ["B-PER"])
    found = measured([one(1, True), one(2, False), invented, *plain])
    assert [(found.estimate(name).n, found.estimate(name).distinct) for name in ("f1", "recall")] == [(3, 53), (2, 53)]


def test_without_a_single_unit_nothing_has_a_value():
    found = measured([])
    assert found.estimate("f1") is UNDEFINED
    assert (found.per_group, found.support) == ({}, {})
