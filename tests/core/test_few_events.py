"""Intervals of shares with few events and of differences between few clusters, by hand and by property."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.core.statistics.estimates import Estimate, estimate_value
from abalo.core.statistics.few_events import (
    FEW,
    FEWEST,
    Ends,
    Stratum,
    differing,
    few,
    few_apart,
    few_between,
    few_in_net,
    few_in_pairs,
    few_in_share,
    few_in_strata,
    gains_in_pairs,
    share_law,
    sign_flips,
    unseen,
)
from abalo.core.statistics.metrics import Difference, Net, Share, column, holding, mean, share
from abalo.core.statistics.verdicts import Bound, judge

ALPHA = 0.025


def ends(found, alpha=ALPHA):
    return found.law.low(alpha), found.law.high(alpha)


def counts(*values):
    return np.array(values, dtype=float)


def clusters(events: int, of: int, size: int = 1):
    """Events and trials of clusters of one size, of which the first are events altogether."""
    return np.repeat([size, 0], [events, of - events]).astype(float), np.full(of, float(size))


# Shares ---------------------------------------------------------------------------------------------------------------


def test_for_independent_trials_the_ends_are_hardly_wider_than_exact_ones():
    law = share_law(*clusters(40, 80))
    low, high = law.low(ALPHA), law.high(ALPHA)
    at_least_40 = sum(math.comb(80, k) * low**k * (1 - low) ** (80 - k) for k in range(40, 81))
    at_most_40 = sum(math.comb(80, k) * high**k * (1 - high) ** (80 - k) for k in range(41))
    # 80 trials count as 79: the variance of 80 that were seen is estimated with 79 in the denominator.
    assert 0.023 < at_least_40 < ALPHA
    assert 0.023 < at_most_40 < ALPHA


def test_the_law_of_a_share_with_few_events_is_the_same_in_both_ways():
    assert share_law(*clusters(3, 60, size=2)) == few_in_share(*clusters(3, 60, size=2)).law


def test_without_events_the_upper_end_is_a_rate_that_shows_none_once_in_forty_times():
    """97.5 % of the time one of 60 would have had it: 1 - 0.025^(1/60)."""
    found = few_in_share(*clusters(0, 60))
    assert ends(found) == (0, pytest.approx(1 - 0.025 ** (1 / 60)))
    assert found.events == 0


def test_trials_of_which_each_is_a_cluster_get_the_interval_of_clopper_and_pearson():
    """One of 60: from 1 - 0.975^(1/60) to the share at which at most one of 60 has a chance of 0.025.

    Nearly: that the share itself is estimated takes off half of a sixtieth.
    """
    low, high = ends(few_in_share(*clusters(1, 60)))
    assert low == pytest.approx(1 - 0.975 ** (1 / 60), rel=0.03)
    assert (1 - high) ** 60 + 60 * high * (1 - high) ** 59 == pytest.approx(0.025, rel=0.06)


def test_trials_that_are_events_together_are_one():
    """Three words in each of 60 sentences, all of them wrong or none: 60 trials, not 180."""
    assert ends(few_in_share(*clusters(1, 60, size=3))) == pytest.approx(ends(few_in_share(*clusters(1, 60))), rel=0.02)
    assert ends(few_in_share(*clusters(0, 60, size=3))) == ends(few_in_share(*clusters(0, 60)))


def test_a_large_cluster_makes_the_rest_weigh_less():
    """Kish: (59 + 60)² / (59 + 3600) = 3.9 clusters' worth where one of 60 holds half of all."""
    trials = counts(*[1] * 59, 60)
    found = few_in_share(np.zeros(60), trials)
    assert found.law.size == pytest.approx(119**2 / 3659)


def test_a_share_near_one_is_as_uncertain_as_one_near_zero():
    events, trials = clusters(2, 60)
    low, high = ends(few_in_share(events, trials))
    assert ends(few_in_share(trials - events, trials)) == pytest.approx((1 - high, 1 - low))
    assert few_in_share(trials - events, trials).events == 2


def test_a_share_can_be_told_in_thousands():
    found = few_in_share(*clusters(0, 60), scale=1000.0)
    assert found.law.high(ALPHA) == pytest.approx(59.6295, abs=1e-3)
    assert found.law.at_least(59.6295) == pytest.approx(ALPHA, abs=1e-6)


def test_from_thirty_clusters_with_events_on_a_bootstrap_serves():
    assert few_in_share(*clusters(FEW - 1, 200)) is not None
    assert few_in_share(*clusters(FEW, 200)) is None
    assert few_in_share(*clusters(FEW, 2 * FEW - 1)) is not None  # of the others there are 29


def test_without_a_trial_there_is_no_law():
    assert few_in_share(np.zeros(3), np.zeros(3)) is None
    assert few_in_net(np.zeros(3), np.zeros(3)) is None
    assert few_in_pairs(counts(1), counts(1), counts(0), counts(0)) is None
    assert few_apart(counts(1), counts(1), counts(0), counts(0)) is None


def test_where_all_clusters_show_the_same_there_still_is_a_width():
    """Each of 60 sentences has one of two right: nothing varies, and a bootstrap would say 0.5 for sure."""
    low, high = ends(few_in_share(np.ones(60), np.full(60, 2.0)))
    assert 0.4 < low < 0.5 < high < 0.6


# Differences ----------------------------------------------------------------------------------------------------------


def pairs(first, second, trials=2):
    whole = np.full(len(first), float(trials))
    return few_in_pairs(counts(*first), whole, counts(*second), whole)


def test_of_sides_that_never_differ_either_could_be_better():
    """Jeffreys' end for none of 60: the beta quantile of 0.5 and 60.5, which is 0.0411."""
    found = pairs([1] * 60, [1] * 60)
    low, high = ends(found)
    assert (found.events, found.law.value) == (0, 0)
    assert (low, high) == (pytest.approx(-0.0408, abs=5e-4), pytest.approx(0.0408, abs=5e-4))


def test_clusters_in_which_the_sides_agree_add_nothing_however_many_trials_they_have():
    trials = counts(*range(1, 61))
    found = few_in_pairs(trials - 1, trials, trials - 1, trials)
    assert (found.events, found.law.value) == (0, 0)


def test_what_clusters_add_is_the_difference_also_where_the_sides_have_other_trials():
    """9 of 10 less 6 of 8 is 0.15; shares are 0.9 and 0.75."""
    found = few_in_pairs(counts(4, 5), counts(5, 5), counts(2, 4), counts(4, 4))
    assert found.law.value == pytest.approx(0.15)


def test_two_models_are_compared_by_the_same_share_of_their_counts():
    """The second misses both entities in one of 60 sentences."""
    first = np.tile([2.0, 2.0], (60, 1))
    second = first.copy()
    second[0, 0] = 0
    found = few_between(share(0, 1), first, second)
    assert (found.events, found.law.value) == (1, pytest.approx(2 / 120))
    assert found == few(Difference(share(0, 1), share(2, 3)), np.concatenate([first, second], axis=1))
    gains = gains_in_pairs(*first.T, *second.T)
    assert (gains[0], np.count_nonzero(gains)) == (pytest.approx(2), 1)


def test_a_difference_of_two_models_changes_by_the_clusters_in_which_they_differ():
    """Of 60 pairs of trials, clean and changed: one model misses three changed ones, the other one clean one."""
    drop = Difference(share(0, 1), share(2, 3))
    first, second = (np.tile([1.0, 1.0, 1.0, 1.0], (60, 1)) for _ in range(2))
    first[:3, 2] = 0
    second[9, 0] = 0
    found = few_between(drop, first, second)
    assert (found.events, found.law.value) == (4, pytest.approx(3 / 60 + 1 / 60))
    assert found.law.at_most(0) >= 1 / 16
    assert found.law.low(ALPHA) <= 0
    low, high = ends(few_between(drop, second, first))
    assert ends(found) == pytest.approx((-high, -low))


def test_a_difference_of_shares_counts_trials_that_one_model_alone_has():
    """The sum of the parts is the exact change, although the models have other trials."""
    drop = Difference(share(0, 1), share(2, 3))
    first, second = (np.tile([2.0, 2.0, 2.0, 2.0], (60, 1)) for _ in range(2))
    first[:5] = [1, 2, 1, 3]
    second[3:9] = [2, 3, 0, 1]
    expected = (115 / 120 - 115 / 125) - (120 / 126 - 108 / 114)
    assert drop(first.sum(axis=0)) == pytest.approx(115 / 120 - 115 / 125)
    assert few_between(drop, first, second).law.value == pytest.approx(expected)
    assert few_between(drop, first, second).events == 9


def test_the_sides_changed_places_give_the_negative():
    first, second = [2, 1, 2, 2] + [1] * 56, [0, 2, 1, 1] + [1] * 56
    low, high = ends(pairs(first, second))
    assert ends(pairs(second, first)) == pytest.approx((-high, -low))


@pytest.mark.parametrize(("differ", "p"), [(1, 1 / 2), (5, 1 / 32), (6, 1 / 64), (9, 1 / 512)])
def test_below_ten_clusters_that_differ_the_exact_test_has_its_say(differ, p):
    """k clusters that all lose: by tosses of a coin all k would lose once in 2^k times."""
    gains = counts(*[1.0] * differ)
    assert sign_flips(gains) == (p, 1)
    found = pairs([2] * differ + [1] * (300 - differ), [1] * 300)
    assert found.law.at_most(0) >= p
    assert (found.law.low(ALPHA) > 0) == (found.law.at_most(0) < ALPHA)
    if p > ALPHA:
        assert found.law.low(ALPHA) <= 0


def test_signs_are_flipped_with_the_sizes_that_they_have():
    """Of the eight sums of ±3 ±1 ±1, one is at least 5 and four at least 1, as is 3 - 1 - 1."""
    assert sign_flips(counts(3, 1, 1)) == (1 / 8, 1)
    assert sign_flips(counts(3, -1, -1)) == (4 / 8, 5 / 8)
    assert sign_flips(np.zeros(0)) == (1, 1)


def test_a_loss_in_ten_of_three_hundred_clusters_and_a_gain_in_none_is_one():
    found = pairs([2] * 10 + [1] * 290, [1] * 300)
    low, high = ends(found)
    assert 0 < low < 10 / 600 < high
    assert found.law.at_most(0) < ALPHA


def test_shares_of_other_clusters_are_as_far_apart_as_newcombe_says():
    """0 of 60 less 0 of 60 with Jeffreys' ends: as far as that of one of them."""
    none = clusters(0, 60)
    found = few_apart(*none, *none)
    one_end = few_in_net(np.zeros(60), np.ones(60)).law.up.high(ALPHA)
    assert ends(found) == (pytest.approx(-one_end), pytest.approx(one_end))
    assert few_apart(*clusters(FEW, 100), *clusters(FEW, 100)) is None
    assert few_apart(*clusters(FEW, 100), *clusters(3, 100)).events == 3


# Properties -----------------------------------------------------------------------------------------------------------

SHARES = st.lists(
    st.integers(0, 4).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1, max_size=60
)
BOTH = st.lists(
    st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
        lambda n: st.tuples(st.integers(0, n[0]), st.just(n[0]), st.integers(0, n[1]), st.just(n[1]))
    ),
    min_size=1,
    max_size=60,
)
LEVELS = st.floats(1e-6, 0.4)
LIMITS = st.integers(-1000, 1000).map(lambda thousandths: thousandths / 1000)


def laws_of(drawn):
    columns = np.array(drawn, dtype=float).T
    return few_in_share(*columns) if len(columns) == 2 else few_in_pairs(*columns)


@settings(max_examples=50, deadline=None)
@given(SHARES | BOTH, LEVELS)
def test_an_interval_contains_its_value_and_has_a_width(drawn, alpha):
    found = laws_of(drawn)
    if found is not None:
        low, high = ends(found, alpha)
        assert -1 <= low <= found.law.value + 1e-9
        assert found.law.value - 1e-9 <= high <= 1
        assert high - low > 1e-6


@settings(max_examples=50, deadline=None)
@given(SHARES | BOTH, LEVELS, LEVELS)
def test_the_surer_the_wider(drawn, first, second):
    found = laws_of(drawn)
    if found is not None:
        alpha, beta = sorted((first, second))
        (low, high), (inner_low, inner_high) = ends(found, alpha), ends(found, beta)
        assert low <= inner_low + 1e-9
        assert high >= inner_high - 1e-9


@settings(max_examples=50, deadline=None)
@given(st.integers(0, FEW - 2), st.integers(60, 200), LEVELS)
def test_one_event_more_moves_both_ends_up(events, of, alpha):
    fewer, more = few_in_share(*clusters(events, of)), few_in_share(*clusters(events + 1, of))
    (low, high), (next_low, next_high) = ends(fewer, alpha), ends(more, alpha)
    assert low < next_low
    assert high < next_high


@settings(max_examples=50, deadline=None)
@given(SHARES | BOTH, LIMITS, st.sampled_from(["max", "min"]))
def test_p_and_the_verdict_never_disagree(drawn, limit, side):
    found = laws_of(drawn)
    if found is None:
        return
    low, high = ends(found)
    value = min(max(found.law.value, low), high)
    estimate = Estimate(value, low, high, 0.1, 60, law=found.law, events=found.events)
    judged = judge(Bound("f1", side, limit), estimate, confidence=0.95, blocking_bounds=1)
    if judged.uncorrected == "fail":
        assert judged.p <= ALPHA + 1e-6
        assert judged.verdict == "fail" or judged.p == pytest.approx(ALPHA, abs=1e-6)
    elif judged.p is not None:
        assert judged.p >= ALPHA - 1e-6


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1), LEVELS)
def test_the_law_of_two_ends_gives_them_back(value, below, above, alpha):
    law = Ends(value, (value - below, value + above), 0.95)
    assert (law.low(ALPHA), law.high(ALPHA)) == (pytest.approx(value - below), pytest.approx(value + above))
    if below > 1e-3:
        assert law.at_most(law.low(alpha)) == pytest.approx(alpha, rel=1e-6)
    if above > 1e-3:
        assert law.at_least(law.high(alpha)) == pytest.approx(alpha, rel=1e-6)


# Means without limits, and numbers of any kind ------------------------------------------------------------------------

MEAN = mean(0, 1)


def test_of_a_mean_with_a_heavy_tail_the_ends_lie_three_clusters_farther_out():
    """59 times 0 and once 60: the mean is 1, the farthest residual 59 up and 1 down, each over 60."""
    rows = np.stack([counts(*[0.0] * 59, 60), np.ones(60)], axis=1)
    assert unseen(MEAN, rows) == (pytest.approx(3 / 60), pytest.approx(3 * 59 / 60))
    assert differing(MEAN, rows) == 1


def test_where_many_clusters_make_the_spread_the_percentiles_stay():
    rows = np.stack([np.tile([0.0, 1.0], 60), np.ones(120)], axis=1)
    assert unseen(MEAN, rows) == (0, 0)


def test_a_mean_that_fewer_than_ten_clusters_move_decides_nothing():
    def found(moved):
        rows = np.stack([np.repeat([1.0, 0.0], [moved, 100 - moved]), np.ones(100)], axis=1)
        return estimate_value(MEAN, rows, lambda: np.array([0.0, 0.2]), 100, 0.95)

    assert not found(FEWEST - 1).decidable
    assert found(FEWEST).decidable
    judged = judge(Bound("loss", "max", 5.0), found(3), confidence=0.95, blocking_bounds=1)
    assert (judged.verdict, judged.p, judged.reason) == (
        "inconclusive",
        None,
        "the number rests on 3 of 100 sentences",
    )


def test_each_kind_of_number_says_what_it_counts():
    rows = counts([1, 2, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0])
    assert holding(share(0, 1), rows).tolist() == [True, False, False]
    assert holding(Difference(share(0, 1), share(2, 3)), rows).tolist() == [True, True, False]
    assert holding(Net(column(0), column(3)), rows).tolist() == [False, True, False]
    assert holding(lambda sums: sums[..., 0], rows).tolist() == [True, True, True]
    assert Share(column(0), column(1), empty=0.0)(rows).tolist() == [0.5, 0, 0]
    assert math.isnan(share(0, 1)(rows)[1])


def test_a_number_that_does_not_say_what_its_events_are_has_no_law():
    assert few(lambda sums: sums[..., 0], np.ones((60, 2))) is None
    assert few(MEAN, np.ones((60, 2))) is None


def test_gains_and_losses_of_questions_are_a_difference():
    """Of 64 questions one is lost and none won."""
    rows = np.stack([np.repeat([1.0, 0.0], [1, 63]), np.ones(64)], axis=1)
    found = few(Net(column(0), column(1)), rows)
    assert found.law.value == pytest.approx(1 / 64)
    assert found.law.low(ALPHA) < 0 < found.law.high(ALPHA)
    assert found.law.at_most(0) == 0.5


# Strata ---------------------------------------------------------------------------------------------------------------

POPULATIONS = [
    # fillings that there are and that break, and how many are run, of each template
    [(1000, 0, 60)],
    [(1000, 30, 60)],
    [(100, 10, 95)],
    [(100, 3, 90), (100, 50, 90)],
    [(50, 1, 50), (5000, 100, 150)],
    [(300, 3, 40), (300, 3, 40), (300, 150, 40)],
    [(200, 0, 10), (200, 200, 10), (200, 100, 40)],
    [(10, 1, 10), (10, 0, 10), (10, 10, 10), (4000, 400, 85), (4000, 4, 85)],
    [(400, 2, 100), (400, 2, 100), (400, 4, 100)],
]


@pytest.mark.parametrize("population", POPULATIONS, ids=range(len(POPULATIONS)))
def test_the_interval_of_strata_holds_the_rate_of_all_fillings(population):
    draws = np.random.Generator(np.random.PCG64(1))
    total = sum(run for _, _, run in population)
    truth = sum(run * broken / exist for exist, broken, run in population) / total
    samples = np.column_stack([draws.hypergeometric(b, exist - b, run, 4000) for exist, b, run in population])
    kinds, counts = np.unique(samples, axis=0, return_counts=True)
    held = 0
    for events, count in zip(kinds.tolist(), counts.tolist(), strict=True):
        strata = [Stratum(k, run, exist) for k, (exist, _, run) in zip(events, population, strict=True)]
        law = few_in_strata(strata).law
        held += count * (law.low(0.025) - 1e-12 <= truth <= law.high(0.025) + 1e-12)
    assert held / 4000 >= 0.925


def test_of_one_stratum_with_nothing_seen_the_ends_are_those_of_clopper_and_pearson():
    law = few_in_strata([Stratum(0, 60, 10**6)]).law
    assert law.low(0.025) == 0
    assert law.high(0.025) == pytest.approx(1 - 0.025 ** (1 / 60))


def test_the_interval_shrinks_with_the_part_of_the_fillings_that_was_run():
    wide, narrow = (few_in_strata([Stratum(20, 100, exist)]).law for exist in (10**6, 110))
    assert wide.low(0.025) < narrow.low(0.025) < 0.2 < narrow.high(0.025) < wide.high(0.025)


def test_strata_that_differ_leave_less_to_chance():
    alike = few_in_strata([Stratum(50, 100, 10**6)] * 2).law
    apart = few_in_strata([Stratum(95, 100, 10**6), Stratum(5, 100, 10**6)]).law
    assert apart.high(0.025) - apart.low(0.025) < 0.6 * (alike.high(0.025) - alike.low(0.025))
