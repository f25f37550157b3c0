"""Measures of agreement, worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.raters.agreement import ac1, kappa, mean_kappa, observed_agreement

items_of_three = st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1)


def test_observed_agreement_is_the_share_of_pairs_of_raters_that_agree():
    assert observed_agreement([(0, 0), (0, 1), (2, 2), (1, 1)]) == 0.75
    assert observed_agreement([(0, 0, 1), (2, 2, 2)]) == pytest.approx(4 / 6)  # one of three pairs, then all three


def test_one_rater_agrees_with_nobody():
    assert math.isnan(observed_agreement([(0,), (1,)]))
    assert math.isnan(mean_kappa([(0,), (1,)]))
    assert math.isnan(ac1([(0,), (1,)], 3))


def test_ac1_is_that_worked_out_by_hand():
    # Of 8 ratings 5, 1 and 2: chance agrees in (15 + 7 + 12) / 64 / 2 = 17/64; seen are 3 of 4.
    assert ac1([(0, 0), (0, 0), (0, 1), (2, 2)], 3) == pytest.approx((48 - 17) / (64 - 17))
    # Of 6 ratings 3 and 3: chance agrees in 1/4 + 1/4; seen are 4 of 6 pairs.
    assert ac1([(0, 0, 1), (1, 1, 0)], 2) == pytest.approx((1 / 3 - 1 / 2) / (1 / 2))


def test_ac1_stays_high_where_nearly_all_is_right_and_kappa_falls():
    items = [(0, 0)] * 18 + [(0, 1), (1, 0)]
    # Seen 0.9, by chance 2 * 0.95 * 0.05 = 0.095.
    assert ac1(items, 2) == pytest.approx((0.9 - 0.095) / 0.905)
    assert kappa(items) == pytest.approx(1 - 0.1 / 0.095)


def test_all_the_same_is_full_agreement_for_ac1_and_no_kappa():
    assert ac1([(0, 0), (0, 0)], 3) == 1
    assert math.isnan(mean_kappa([(0, 0), (0, 0)]))


def test_kappa_of_three_raters_is_the_mean_over_their_pairs():
    # First and second agree in all, 1; each with the third: mean distance 1/2 of 1/2 by chance, 0.
    assert mean_kappa([(0, 0, 0), (1, 1, 0)]) == pytest.approx(1 / 3)


def test_two_raters_of_whom_one_always_says_the_same_do_not_count_as_none():
    # First and second always say 0, which no kappa can be had of; each with the third: 1 - (1/2) / (1/2) = 0.
    assert mean_kappa([(0, 0, 0), (0, 0, 1)]) == 0


@given(items_of_three)
def test_no_measure_depends_on_the_order_of_raters_or_exceeds_one(items):
    turned = [list(reversed(ratings)) for ratings in items]
    for measure in (observed_agreement, mean_kappa, lambda each: ac1(each, 3)):
        assert measure(turned) == pytest.approx(measure(items), nan_ok=True)
        assert not measure(items) > 1
