"""Boundaries of several looks, exact for their joint law."""

import math
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import pytest

from abalo.core.statistics.spending import NEVER, boundaries, level_of

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)


def test_one_look_has_the_usual_boundary():
    assert boundaries([1.0], 0.0125, 2) == [pytest.approx(2.2414, abs=1e-3)]


def test_the_first_look_spends_its_share_of_the_level():
    first, *_ = boundaries(FIFTHS, 0.0125, 2)
    assert first == pytest.approx(NormalDist().inv_cdf(1 - 0.0125 / 25), abs=1e-3)


def test_looks_err_together_as_often_as_the_level_says():
    found = np.array(boundaries(FIFTHS, 0.025, 2))
    draws = np.random.Generator(np.random.PCG64(1)).normal(size=(200_000, 5)).cumsum(axis=1)
    crossed = (draws / np.sqrt(np.arange(1, 6)) > found).any(axis=1).mean()
    assert crossed == pytest.approx(0.025, abs=3 * math.sqrt(0.025 / 200_000))


def test_by_each_look_the_level_is_spent_as_the_square_of_the_share():
    found = np.array(boundaries(FIFTHS, 0.1, 2))
    draws = np.random.Generator(np.random.PCG64(2)).normal(size=(200_000, 5)).cumsum(axis=1) / np.sqrt(np.arange(1, 6))
    for k, share in enumerate(FIFTHS, start=1):
        spent = (draws[:, :k] > found[:k]).any(axis=1).mean()
        assert spent == pytest.approx(0.1 * share**2, abs=4 * math.sqrt(0.1 / 200_000))


def test_boundaries_fall_and_the_last_lies_above_that_of_one_look():
    found = boundaries(FIFTHS, 0.0125, 2)
    assert all(before > after for before, after in pairwise(found))
    assert 2.2414 < found[-1] < 2.45  # Boole's inequality would ask for the level of 0.36 of it, 2.61


def test_a_look_beyond_the_known_tail_spends_nothing_and_leaves_it_to_the_next():
    found = boundaries(FIFTHS, 0.0125, 2, [2.9, 3.3, 3.5, 3.7, 3.8])
    assert found[0] == NEVER
    assert level_of(found[0]) == 0
    assert found[1] == pytest.approx(NormalDist().inv_cdf(1 - 0.0125 * 0.16), abs=1e-3)


def test_the_last_look_is_never_passed_over():
    assert boundaries([0.5, 1.0], 0.0125, 2, [0.1, 0.1])[1] == pytest.approx(2.2414, abs=1e-3)
