"""Losses of few clusters: a metric on all subsets of them, and the same flips of signs for all losses."""

from datetime import date

import numpy as np
import pytest

from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.core.records.gate import Gate
from abalo.core.statistics.few_events import sign_flips
from abalo.core.statistics.flips import Flipped, flip_signs, parts_of, subsets, values_on_subsets
from abalo.core.statistics.metrics import ratio
from abalo.tasks.ner.task import TASK as NER
from tests.compared import found_of, run_of

GATE = Gate(resamples=500)
TODAY = date(2026, 1, 1)


def mean(sums):
    return ratio(sums[..., 0], sums[..., 1])


def flipped(losses, limit=0.0, sizes=None):
    losses = np.asarray(losses, dtype=float)
    sizes = np.ones(len(losses)) if sizes is None else np.asarray(sizes, dtype=float)
    table = np.stack([losses * sizes, sizes], axis=1)
    values = values_on_subsets(table, mean)
    return Flipped(float(mean(table.sum(axis=0))), limit, values, parts_of(sizes))


def test_three_losses_have_seven_means_between_which_the_true_one_lies():
    """Those of one, of two (1.5, 2, 2.5), of all, and none of no loss."""
    own = flipped([1, 2, 3])
    assert sorted(own.values[1:].tolist()) == [1, 1.5, 2, 2, 2, 2.5, 3]
    assert np.isnan(own.values[0])
    (found,) = flip_signs([own], 0.25)
    assert found.low(own.values) == 1.5  # one of the eight may lie below, beside the empty one
    assert found.high(own.values) == 2.5


@pytest.mark.parametrize("losses", [[0.3, 0.1, 0.2, -0.05, 0.4], [0.1, 0.1, 0.0, -0.3], [1.0] * 12])
def test_p_of_one_loss_is_that_of_the_flips_of_its_signs(losses):
    (found,) = flip_signs([flipped(losses)], 0.025)
    assert found.p == pytest.approx(sign_flips(np.array(losses))[0])


def test_documents_of_unequal_size_weigh_as_many_words_as_they_have():
    """The long one alone gains, so that only subsets without it lose: half of them."""
    (found,) = flip_signs([flipped([-0.1, 0.2, 0.2, 0.2], sizes=[100, 1, 1, 1])], 0.1)
    assert found.p > 0.5


@pytest.mark.parametrize("seed", range(5))
def test_a_loss_is_beyond_its_limit_if_p_is_within_its_level_also_beside_others(seed):
    draws = np.random.Generator(np.random.PCG64(seed))
    tests = [flipped(draws.normal(0.1 * k, 0.15, 12), limit=0.02) for k in range(4)]
    found = flip_signs(tests, 0.05)
    for test, own in zip(tests, found, strict=True):
        assert (own.p <= 0.05) == (own.low(test.values) > test.limit)
        assert flip_signs([test], 0.05)[0].p <= own.p


def test_the_same_subsets_are_drawn_again_and_the_first_is_empty():
    assert subsets(5).shape == (32, 5)
    assert len({tuple(row) for row in subsets(5).tolist()}) == 32
    drawn = subsets(20).copy()
    subsets.cache_clear()
    assert drawn.shape == (2**17, 20)
    assert not drawn[0].any()
    assert np.array_equal(drawn, subsets(20))
    assert drawn.mean() == pytest.approx(0.5, abs=0.01)


# Comparisons ----------------------------------------------------------------------------------------------------------


def baseline(new, reference):
    runs = Runs({"ner/baseline": run_of(new)}, {"ner/baseline": run_of(reference)})
    return compare_task(NER, (), runs, GATE, TODAY).baseline


@pytest.mark.parametrize(("n", "state"), [(9, "not comparable"), (10, "regressed"), (49, "regressed")])
def test_ten_clusters_show_a_large_loss(n, state):
    assert baseline(np.zeros(n), np.ones(n)).state == state


@pytest.mark.parametrize(("n", "state"), [(12, "can't tell"), (49, "can't tell"), (2_000, "no worse")])
def test_few_clusters_never_show_that_nothing_was_lost(n, state):
    other = np.ones(n)
    other[0] = 0
    loss = baseline(other, np.ones(n))
    assert loss.state == state
    assert loss.loss.low <= loss.loss.value <= loss.loss.high


def test_a_better_model_of_few_clusters_is_not_called_so():
    assert baseline(np.ones(30), np.zeros(30)).state == "can't tell"


def test_few_clusters_regress_as_seldom_as_the_level_says():
    """Of 100 pairs of models that are equally good."""
    regressed = 0
    for seed in range(100):
        generator = np.random.Generator(np.random.PCG64(seed))
        runs = [generator.random(12) < 0.7 for _ in range(2)]
        regressed += baseline(*runs).state == "regressed"
    assert regressed <= 5


def test_the_order_of_clusters_is_nothing():
    both = found_of(0.5, 14, 1), found_of(0.9, 14, 2)
    loss = baseline(*both).loss
    turned = baseline(*(each[::-1] for each in both)).loss
    assert (turned.low, turned.high) == (pytest.approx(loss.low), pytest.approx(loss.high))
