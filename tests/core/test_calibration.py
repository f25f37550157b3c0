"""The calibration error: its bins, its bias and its interval."""

import math

import numpy as np
import pytest

from abalo.core.records.gate import Gate
from abalo.core.statistics.calibration import COLUMNS, CalibrationError, calibration_law, narrow_bin
from abalo.core.statistics.estimates import estimate_value, measure_metrics
from abalo.core.statistics.evidence import ALIKE, Evidence
from abalo.core.statistics.few_events import few
from abalo.core.statistics.metrics import Metric, holding
from abalo.core.statistics.verdicts import Bound, judge

ERROR = CalibrationError()


def rows_of(stated, right, clusters=None):
    """Counts by cluster; each decision is a cluster of its own if none are given."""
    clusters = np.arange(len(stated)) if clusters is None else clusters
    rows = np.zeros((int(max(clusters)) + 1, COLUMNS))
    for cluster, probability, hit in zip(clusters, stated, right, strict=True):
        first = 3 * narrow_bin(probability)
        rows[cluster, first : first + 3] += 1, probability, hit
    return rows


def normal_size(mean, deviation):
    """The mean size of a normal number."""
    units = mean / deviation
    density = math.exp(-(units**2) / 2) / math.sqrt(2 * math.pi)
    return mean * math.erf(units / math.sqrt(2)) + 2 * deviation * density


@pytest.mark.parametrize(
    ("probability", "first"), [(0.0, 0), (0.19, 0), (0.2, 1), (0.5, 4), (0.989, 16), (0.9995, 19), (1.0, 19)]
)
def test_narrow_bins_hold_their_lower_edge_and_the_last_one_1(probability, first):
    assert narrow_bin(probability) == first


def test_the_bias_of_noise_is_taken_off_each_bin():
    # 100 decisions of 0.8, 60 right: gap 0.2, variance 0.6 x 0.4; 100 of 0.6, 60 right: no gap, the same variance.
    rows = rows_of([0.8] * 100 + [0.6] * 100, ([1] * 60 + [0] * 40) * 2)
    deviation = math.sqrt(0.24 * 100) / 200
    expected = 2 * 0.1 - normal_size(0.1, deviation) + 0 - normal_size(0, deviation)
    assert float(ERROR(rows.sum(axis=0))) == pytest.approx(expected)
    assert calibration_law(rows).plain == pytest.approx(0.1)


def test_a_bin_without_an_error_has_the_variance_of_its_probability():
    rows = rows_of([0.9] * 100, [1] * 100)
    deviation = math.sqrt(0.09 / 100)
    assert float(ERROR(rows.sum(axis=0))) == pytest.approx(2 * 0.1 - normal_size(0.1, deviation))
    law = calibration_law(rows)
    assert law.variance == pytest.approx(0.09 / 100)
    assert law.noise[0] == pytest.approx(math.sqrt(2 / math.pi) * deviation)


def test_it_is_never_below_0_and_has_no_value_without_a_decision():
    even = rows_of([0.5] * 100, [1, 0] * 50)
    assert float(ERROR(even.sum(axis=0))) == 0
    assert math.isnan(ERROR(np.zeros(COLUMNS)))
    assert few(ERROR, np.zeros((3, COLUMNS))) is None
    assert holding(ERROR, np.stack([np.zeros(COLUMNS), even[0]])).tolist() == [False, True]


def test_narrow_bins_are_joined_to_tenths_of_the_decisions():
    # Half of all decisions are in one narrow bin, so there are two gaps; with opposite signs they do not cancel.
    rows = rows_of([0.96] * 50 + [0.52] * 50, [1] * 50 + [0] * 25 + [1] * 25)
    assert calibration_law(rows).plain == pytest.approx((0.04 + 0.02) / 2)
    # Two narrow bins in the first tenth are one bin, in which gaps of opposite signs cancel.
    rows = rows_of([0.91] * 4 + [0.94] * 4 + [0.96] * 92, [0] * 1 + [1] * 99)
    assert calibration_law(rows).plain == pytest.approx((abs(4 * 0.91 + 4 * 0.94 - 7) + 0.04 * 92) / 100)


def test_decisions_of_one_cluster_count_as_often_as_they_are_independent():
    stated, right = [0.7] * 300, [1] * 210 + [0] * 90
    alone = calibration_law(rows_of(stated, right))
    copied = calibration_law(rows_of(stated * 3, right * 3, [*range(300)] * 3))
    assert copied.plain == pytest.approx(alone.plain)
    # As far as 90 clusters with wrong decisions know it; a hundredth more since a gap is estimated.
    assert copied.variance == pytest.approx(alone.variance, rel=0.01)


@pytest.mark.parametrize("alpha", [0.2, 0.025, 0.001])
def test_p_and_interval_agree(alpha):
    law = calibration_law(rows_of([0.9] * 200 + [0.6] * 200, [1] * 150 + [0] * 50 + [1] * 120 + [0] * 80))
    assert law.at_most(law.low(alpha)) == pytest.approx(alpha)
    assert law.at_least(law.high(alpha)) == pytest.approx(alpha)


def drawn(draws, kind, size):
    if kind == "near 1":
        return 1 - 0.02 * draws.random(size) ** 2
    return draws.uniform(0.5, 1, size)


@pytest.mark.parametrize("size", [50, 100, 300])
@pytest.mark.parametrize("kind", ["spread", "near 1"])
@pytest.mark.parametrize("over", [0.0, 0.02, 0.1])
def test_intervals_hold_the_truth(kind, size, over):
    """Models that state too much by ``over``; `benchmarks.coverage` has more of them."""
    draws, held, failed = np.random.Generator(np.random.PCG64(4)), 0, 0
    for _ in range(200):
        stated = drawn(draws, kind, size)
        right = draws.random(size) < stated - over
        found = estimate_value(ERROR, rows_of(stated, right), lambda: pytest.fail("resampled"), size, 0.95)
        held += max(0, found.low) <= over <= found.high
        failed += judge(Bound("c", "max", 0.03), found, confidence=0.95, blocking_bounds=1).verdict == "fail"
    assert held >= 0.925 * 200
    assert over > 0.03 or failed <= 0.05 * 200


def test_a_large_gap_fails_its_bound_and_a_calibrated_model_passes_where_there_is_enough():
    draws = np.random.Generator(np.random.PCG64(4))
    verdicts = []
    for over in (0.1, 0.0):
        stated = draws.uniform(0.5, 1, 6000)
        rows = rows_of(stated, draws.random(6000) < stated - over)
        found = estimate_value(ERROR, rows, lambda: pytest.fail("resampled"), 6000, 0.95)
        verdicts.append(judge(Bound("c", "max", 0.04), found, confidence=0.95, blocking_bounds=1).verdict)
    assert verdicts == ["fail", "pass"]


def counted(outcomes, view, groups):
    raise AssertionError("counted already")


def test_rows_of_labels_are_left_aside():
    """A number that is overall alone needs the counts of all labels together alone."""
    draws = np.random.Generator(np.random.PCG64(4))
    stated = draws.uniform(0.5, 1, 100)
    rows = rows_of(stated, draws.random(100) < stated)
    table = np.stack([rows, np.full_like(rows, 7.0)], axis=1)
    names, no = np.arange(100).astype(np.str_), np.zeros(100, bool)
    empty, zeros = np.full(100, ""), np.zeros(100, np.int64)
    evidence = Evidence(
        ("A",), names, names, zeros, zeros, empty, names, empty, no, no, zeros[:, None], {ALIKE: {"counted": table}}
    )
    metric = Metric("calibration", counted, ERROR, per_group=False)
    found = measure_metrics(evidence, ALIKE, [metric], Gate())
    assert found.estimate("calibration").value == pytest.approx(float(ERROR(rows.sum(axis=0))))
    assert found.per_group == {"A": {}}
