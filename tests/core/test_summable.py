"""Sums do not depend on the order in which they are added."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.statistics.estimates import Bootstrap
from abalo.core.statistics.summable import summable

COLUMNS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


@given(COLUMNS, st.integers(0, 2**32))
def test_sums_are_the_same_in_any_order_and_exact(numbers, seed):
    generator = np.random.Generator(np.random.PCG64(seed))
    weights = generator.multinomial(len(numbers), [1 / len(numbers)] * len(numbers))
    found = summable(np.array(numbers)[:, None], len(numbers))[:, 0]
    exact = sum((int(w) * Fraction(float(each)) for w, each in zip(weights, found, strict=True)), Fraction())
    for _ in range(3):
        order = generator.permutation(len(numbers))
        total = found.dtype.type(0)
        for i in order:
            total += found.dtype.type(weights[i]) * found[i]
        assert Fraction(float(total)) == exact


@given(COLUMNS)
def test_numbers_move_by_no_more_than_the_last_bit_of_the_largest_sum(numbers):
    found = summable(np.array(numbers)[:, None], len(numbers))[:, 0]
    largest = len(numbers) * max(map(abs, numbers))
    assert np.abs(found - numbers).max() <= largest * 2**-52


@pytest.mark.parametrize(("number", "kind"), [(3.0, np.float32), (2.0**24, np.float64), (0.5, np.float64)])
def test_whole_numbers_are_kept_in_single_precision_if_their_sums_fit(number, kind):
    found = summable(np.array([[number], [1.0]]), 2)
    assert found.dtype == kind
    assert found.tolist() == [[number], [1.0]]


@pytest.mark.parametrize("number", [math.nan, math.inf, 0.0, 5e-324, 1.7e308])
def test_numbers_at_the_ends_of_their_range_stay(number):
    assert summable(np.array([[number]]), 1)[0, 0] == pytest.approx(number, nan_ok=True)


def test_sums_of_resamples_are_those_of_exact_arithmetic():
    table = np.random.Generator(np.random.PCG64(1)).random((37, 2))
    sums = Bootstrap(37, 50).sums(table)
    weights = Bootstrap(37, 50).sums(np.eye(37)).astype(int)
    exact = [[math.fsum(np.repeat(column, row)) for column in table.T] for row in weights]
    np.testing.assert_allclose(sums, exact, rtol=1e-14)
