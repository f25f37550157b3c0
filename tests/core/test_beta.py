"""The beta distribution, against closed forms."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.statistics.beta import below, quantile
from tests.rows import every

SIZES = st.floats(0.01, 2000)
CHANCES = st.floats(1e-6, 1 - 1e-6)


@every("x", [0.001, 0.3, 0.5, 0.97])
@every("b", [0.5, 1, 60, 900])
def test_with_a_one_it_is_a_power(x, b):
    assert below(x, 1, b) == pytest.approx(1 - (1 - x) ** b, abs=1e-12)
    assert below(x, b, 1) == pytest.approx(x**b, abs=1e-12)


@pytest.mark.parametrize(("successes", "trials", "rate"), [(3, 10, 0.2), (1, 60, 0.05), (30, 100, 0.25)])
def test_it_adds_up_a_binomial_tail(successes, trials, rate):
    """At least k of n succeed with the chance that a beta variable with k and n - k + 1 is at most the rate."""
    tail = sum(math.comb(trials, k) * rate**k * (1 - rate) ** (trials - k) for k in range(successes, trials + 1))
    assert below(rate, successes, trials - successes + 1) == pytest.approx(tail, rel=1e-9)


def test_outside_of_its_range_it_is_sure():
    assert (below(-0.1, 2, 3), below(0, 2, 3), below(1, 2, 3), below(1.5, 2, 3)) == (0, 0, 1, 1)
    assert (quantile(0, 2, 3), quantile(1, 2, 3)) == (0, 1)


def test_quantiles_known_from_tables():
    """The upper end for none of 60, and the ends of Clopper and Pearson for 1 of 10."""
    assert quantile(0.975, 1, 60) == pytest.approx(1 - 0.025 ** (1 / 60), abs=1e-10)
    assert quantile(0.025, 1, 10) == pytest.approx(0.0025286, abs=1e-7)
    assert quantile(0.975, 2, 9) == pytest.approx(0.4450161, abs=1e-7)


@given(CHANCES, SIZES, SIZES)
def test_a_quantile_has_its_chance_below_it(chance, a, b):
    x = quantile(chance, a, b)
    assert 0 <= x <= 1
    assert below(x - 1e-9, a, b) - 1e-6 <= chance <= below(x + 1e-9, a, b) + 1e-6


@given(SIZES, SIZES, st.floats(0, 1), st.floats(0, 1))
def test_it_rises(a, b, first, second):
    low, high = sorted((first, second))
    assert below(low, a, b) <= below(high, a, b) + 1e-12


@given(CHANCES, st.floats(0.5, 2000), st.floats(0.5, 2000))
def test_seen_from_the_other_end_it_is_the_rest(x, a, b):
    assert below(x, a, b) == pytest.approx(1 - below(1 - x, b, a), abs=1e-9)
