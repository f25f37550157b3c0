"""Newly wrong and newly right examples, against Clopper and Pearson's ends by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.comparison.test.newly import bound_on_newly_wrong, newly
from abalo.core.statistics.verdicts import judge


def of(before, now, clusters=None, confidence=0.95):
    flags = [np.array([letter == "+" for letter in side], dtype=bool) for side in (before, now)]
    return newly(*flags, np.arange(len(before)) if clusters is None else np.array(clusters), confidence)


def test_both_kinds_are_counted():
    found = of("++++----", "+---++--")
    assert (found.wrong.count, found.right.count, found.examples) == (3, 2, 8)
    assert (found.wrong.share.value, found.right.share.value) == (3 / 8, 2 / 8)


def test_without_a_turn_the_interval_is_that_of_no_event():
    found = of("+" * 60, "+" * 60).wrong.share
    assert (found.value, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 60))  # Clopper and Pearson


def test_if_all_turn_the_lower_end_is_exact():
    found = of("+" * 10, "-" * 10).wrong.share
    assert (found.low, found.high) == (pytest.approx(0.025 ** (1 / 10)), 1.0)


def test_two_of_ten_have_the_ends_of_a_table():
    found = of("+" * 10, "--" + "+" * 8).wrong.share
    assert (found.low, found.high) == (pytest.approx(0.02521, abs=1e-5), pytest.approx(0.55610, abs=1e-5))


def test_examples_that_turn_with_their_cluster_are_less_evidence():
    before, now = "+" * 40, ("-" * 4 + "+" * 16) * 2
    alone, together = of(before, now), of(before, now, [k // 4 for k in range(40)])
    assert together.wrong.share.value == alone.wrong.share.value
    assert together.wrong.share.high > alone.wrong.share.high
    assert together.wrong.share.n == 10


def test_no_example_has_no_share():
    found = of("", "")
    assert found.wrong.count == 0
    assert math.isnan(found.wrong.share.value)


@pytest.mark.parametrize(("wrong", "verdict"), [(0, "pass"), (6, "inconclusive"), (40, "fail")])
def test_the_law_decides_a_bound(wrong, verdict):
    found = of("+" * 200, "-" * wrong + "+" * (200 - wrong)).wrong.share
    assert judge(bound_on_newly_wrong(0.03), found, confidence=0.95, blocking_bounds=1).verdict == verdict


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 4)), min_size=1, max_size=30))
def test_swapping_the_models_swaps_the_kinds(rows):
    before, now, clusters = map(np.array, zip(*rows, strict=True))
    there, back = newly(before, now, clusters, 0.9), newly(now, before, clusters, 0.9)
    assert (there.wrong, there.right) == (back.right, back.wrong)
    assert there.wrong.share.low <= there.wrong.share.value <= there.wrong.share.high
