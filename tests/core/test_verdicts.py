"""Verdicts from estimates and bounds, by hand."""

import math
from dataclasses import replace

import pytest

from abalo.core.statistics.estimates import UNDEFINED, Estimate
from abalo.core.statistics.verdicts import Bound, judge
from tests.texts import TextWith

AT_MOST = Bound("f1_drop", "max", 0.25)
AT_LEAST = Bound("f1", "min", 0.9)


def verdict(bound, value, low, high, *, se=0.01, n=100, m=1, corrected=True):
    return judge(bound, Estimate(value, low, high, se, n), confidence=0.95, blocking_bounds=m, corrected=corrected)


@pytest.mark.parametrize(
    ("bound", "low", "value", "high", "expected"),
    [
        (AT_MOST, 0.10, 0.15, 0.20, "pass"),
        (AT_MOST, 0.20, 0.22, 0.25, "pass"),  # bounds are inclusive
        (AT_MOST, 0.20, 0.24, 0.26, "inconclusive"),
        (AT_MOST, 0.25, 0.30, 0.35, "inconclusive"),  # the bound itself is allowed
        (AT_MOST, 0.26, 0.30, 0.35, "fail"),
        (AT_LEAST, 0.92, 0.95, 0.98, "pass"),
        (AT_LEAST, 0.90, 0.95, 0.98, "pass"),
        (AT_LEAST, 0.88, 0.92, 0.95, "inconclusive"),
        (AT_LEAST, 0.80, 0.85, 0.90, "inconclusive"),
        (AT_LEAST, 0.80, 0.85, 0.89, "fail"),
    ],
)
def test_the_whole_interval_decides(bound, low, value, high, expected):
    found = verdict(bound, value, low, high)
    assert (found.verdict, found.uncorrected) == (expected, expected)


def test_rounding_breaks_no_bound():
    drop = 0.8 - 0.7
    assert drop > 0.1
    assert verdict(Bound("f1_drop", "max", 0.1), 0.05, 0.0, drop).verdict == "pass"
    assert verdict(Bound("f1", "min", 0.1), 0.2, 0.3 - 0.2, 0.3).verdict == "pass"


def test_p_is_the_level_at_which_the_end_of_the_interval_would_reach_the_bound():
    """An end that is 1.96 standard errors from the value is 0.0196 away; the bound is 0.02 away, two of them."""
    assert verdict(AT_MOST, 0.27, 0.27 - 0.0196, 0.9).p == pytest.approx(0.02275, abs=1e-5)
    assert verdict(AT_LEAST, 0.88, 0.1, 0.88 + 0.0196).p == pytest.approx(0.02275, abs=1e-5)
    assert verdict(AT_MOST, 0.23, 0.0, 0.23 + 0.0196).p == pytest.approx(1 - 0.02275, abs=1e-5)


@pytest.mark.parametrize("low", [0.2499, 0.25, 0.2501])
def test_p_and_the_verdict_agree_where_an_end_is_about_to_cross_the_bound(low):
    found = verdict(AT_MOST, 0.3, low, 0.9)
    assert (found.verdict == "fail") == (found.p < 0.025) == (low > 0.25)


@pytest.mark.parametrize("value", [0.2, 0.25, 0.3])
def test_an_interval_without_width_decides_nothing(value):
    found = verdict(AT_MOST, value, value, value, se=0)
    assert (found.verdict, found.uncorrected, found.p) == ("inconclusive", "inconclusive", None)
    assert found.reason == TextWith("no width")


@pytest.mark.parametrize(
    ("bound", "value", "n", "expected"),
    [
        (replace(AT_LEAST, limit=0.3), 0.0, 60, "fail"),  # 0.85 ** 60 = 0.00006
        (replace(AT_LEAST, limit=0.05), 0.0, 60, "inconclusive"),  # 0.975 ** 60 = 0.22
        (replace(AT_LEAST, limit=0.3), 0.2, 60, "inconclusive"),
        (AT_MOST, 1.0, 60, "fail"),
        (AT_MOST, 0.0, 60, "inconclusive"),
    ],
)
def test_all_units_at_an_end_beyond_the_bound_fail(bound, value, n, expected):
    assert verdict(bound, value, value, value, n=n).verdict == expected


def test_of_events_too_few_to_decide_it_says_how_many_there_were():
    one = Estimate(0.2, 0.1, 0.3, 0.05, 100, events=1, decidable=False)
    assert judge(AT_MOST, one, confidence=0.95, blocking_bounds=1).reason == "the number rests on 1 of 100 sentences"


def test_a_fail_stands_only_after_correction_for_the_bounds_of_the_run():
    beyond = {"bound": AT_MOST, "value": 0.275, "low": 0.2554, "high": 0.2946}  # 2.5 standard errors of 0.01, p 0.0062
    assert verdict(**beyond, m=1).verdict == "fail"
    assert verdict(**beyond, m=4).verdict == "fail"  # level 0.00625
    held_back = verdict(**beyond, m=5)  # level 0.005
    assert (held_back.verdict, held_back.uncorrected) == ("inconclusive", "fail")
    assert held_back.reason == TextWith("beyond the bound", "5 bounds (p = 0.0062 > 0.005)")
    assert held_back.needed == 107  # z is 2.576 at 0.005, so 100 × (2.576 / 2.5)² = 106.2
    assert verdict(**beyond, m=5, corrected=False).verdict == "fail"


def test_where_no_bound_blocks_one_that_does_not_is_corrected_for_itself():
    assert verdict(AT_MOST, 0.275, 0.2554, 0.2946, m=0).verdict == "fail"


def test_a_pass_needs_no_correction():
    assert verdict(AT_MOST, 0.1, 0.05, 0.2, m=1000).verdict == "pass"


def test_an_undecided_bound_says_how_many_sentences_would_decide_it():
    inside = verdict(AT_MOST, 0.2, 0.09, 0.312)  # 0.112 wide towards the bound, which is 0.05 away
    assert inside.reason == TextWith("contains the bound")
    assert inside.needed == 502  # 100 × (0.112 / 0.05)² = 501.8
    assert verdict(AT_LEAST, 0.95, 0.838, 0.97).needed == 502


def test_a_number_of_sentences_that_nobody_can_judge_is_no_advice():
    assert verdict(AT_MOST, 0.24, 0.14, 0.335).needed == pytest.approx(9025, abs=1)  # 100 × (0.095 / 0.01)²
    assert verdict(AT_MOST, 0.24, 0.14, 0.36).needed is None


def test_beyond_the_bound_the_correction_counts_too():
    wide = {"bound": AT_MOST, "value": 0.3, "low": 0.3 - 1.96 * 0.056, "high": 0.41}
    assert verdict(**wide, m=1).needed == 482  # 100 × (1.96 × 0.056 / 0.05)² = 481.9
    assert verdict(**wide, m=100).needed == 1520  # z is 3.481 at 0.00025: 100 × (3.481 × 0.056 / 0.05)² = 1519.8


def test_on_the_bound_itself_no_number_of_sentences_would_do():
    assert verdict(AT_MOST, 0.25, 0.2, 0.3).needed is None


@pytest.mark.parametrize("n", [0, 1, 49])
def test_fewer_than_fifty_distinct_sentences_are_not_judged(n):
    found = verdict(AT_MOST, 0.9, 0.9, 0.9, se=0, n=n)
    assert (found.verdict, found.uncorrected, found.p) == ("inconclusive", "inconclusive", None)
    assert found.reason == f"fewer than 50 distinct sentences ({n})"
    assert found.needed == 50


def test_fifty_are():
    assert verdict(AT_MOST, 0.9, 0.8, 1, n=50).verdict == "fail"


@pytest.mark.parametrize(("n", "needed"), [(0, None), (1, 1200), (2, 600), (19, 64)])
def test_of_the_distinct_sentences_at_least_twenty_must_hold_something_to_count(n, needed):
    estimate = Estimate(0.9, 0.8, 1, 0.05, n, distinct=60)
    found = judge(AT_MOST, estimate, confidence=0.95, blocking_bounds=1)
    assert (found.verdict, found.p, found.needed) == ("inconclusive", None, needed)
    assert found.reason == f"fewer than 20 of 60 distinct sentences contain anything that f1_drop counts ({n})"


def test_twenty_of_fifty_do():
    estimate = Estimate(0.9, 0.8, 1, 0.05, 20, distinct=50)
    assert judge(AT_MOST, estimate, confidence=0.95, blocking_bounds=1).verdict == "fail"
    few = replace(estimate, distinct=49)
    assert judge(AT_MOST, few, confidence=0.95, blocking_bounds=1).reason == "fewer than 50 distinct sentences (49)"


def test_too_few_sentences_and_an_undecided_interval_need_as_many_as_would_decide():
    assert verdict(AT_MOST, 0.2, 0.0, 0.4, n=40).needed == pytest.approx(640, abs=1)


@pytest.mark.parametrize(("n", "distinct"), [(40, 150), (150, 150), (25, 49)])
def test_more_distinct_sentences_are_needed_than_there_are(n, distinct):
    found = judge(AT_MOST, Estimate(0.2, 0.15, 0.26, 0.03, n, distinct), confidence=0.95, blocking_bounds=1)
    assert found.verdict == "inconclusive"
    assert found.needed == pytest.approx(max(50, distinct * (0.06 / 0.05) ** 2), abs=1)
    assert found.needed > distinct


def test_too_few_sentences_with_a_type_are_named():
    found = verdict(Bound("f1", "min", 0.5, "LOC"), 1, 1, 1, n=12)
    assert found.reason == "fewer than 50 distinct sentences with LOC (12)"


def test_what_has_no_value_is_not_judged():
    found = judge(Bound("f1_changed", "min", 0.5), UNDEFINED, confidence=0.95, blocking_bounds=1)
    assert (found.verdict, found.p, found.needed) == ("inconclusive", None, None)
    assert found.reason == TextWith("f1_changed has no value")
    assert math.isnan(found.estimate.value)


def test_a_type_that_occurs_nowhere_is_named():
    found = judge(Bound("f1", "min", 0.5, "PESOA"), UNDEFINED, confidence=0.95, blocking_bounds=1)
    assert found.reason == TextWith("no PESOA")


def test_the_highest_confidence_that_a_float_can_hold_is_no_trouble():
    estimate = Estimate(0.3, 0.2, 0.4, 0.05, 100)
    found = judge(AT_MOST, estimate, confidence=1 - 2**-53, blocking_bounds=10_000)
    assert found.verdict == "inconclusive"


def test_a_model_without_an_error_is_not_told_to_take_more():
    perfect = replace(Estimate(0.0, 0.0, 0.1, 0.01, 100), events=0)
    found = judge(Bound("f1_drop", "max", 0.05), perfect, confidence=0.95, blocking_bounds=1)
    assert (found.verdict, found.needed) == ("inconclusive", None)
    some = judge(Bound("f1_drop", "max", 0.05), replace(perfect, events=3), confidence=0.95, blocking_bounds=1)
    assert some.needed is not None
