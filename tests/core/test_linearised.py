"""Intervals of many clusters: as wide as those of a bootstrap, without resampling."""

import math
from functools import partial

import numpy as np
import pytest

from abalo.core.records.gate import Gate
from abalo.core.statistics.estimates import Bootstrap, estimate, estimate_value, measure_metrics
from abalo.core.statistics.evidence import ALIKE, Evidence
from abalo.core.statistics.linearised import ENOUGH, MANY, standard_error
from abalo.core.statistics.metrics import Difference, Mean, Metric, Net, Share, column, share


def test_a_share_of_single_trials_has_the_error_of_a_binomial():
    rows = np.array([[1.0, 1.0]] * 300 + [[0.0, 1.0]] * 700)
    assert standard_error(share(0, 1), rows) == pytest.approx(math.sqrt(0.3 * 0.7 / 1000), rel=1e-6)


def test_a_mean_has_the_error_of_a_mean():
    rows = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [6.0, 1.0]] * 50)
    assert standard_error(Mean(column(0), column(1)), rows) == pytest.approx(math.sqrt(3.5 / 200), rel=1e-6)


def test_a_column_that_never_varies_has_no_part_in_it():
    rows = np.array([[1.0, 1.0]] * 50)
    assert standard_error(share(0, 1), rows) == 0


def f1(sums):
    return 2 * sums[..., 0] / (2 * sums[..., 0] + sums[..., 1] + sums[..., 2])


VALUES = {
    "f1": f1,
    "loss of f1": lambda sums: f1(sums) - f1(sums[..., 3:6]),
    "share": share(0, 6),
    "rare share": share(7, 6),
    "difference": Difference(Share(column(0), column(6)), Share(column(3), column(6))),
    "net": Net(lambda sums: sums[..., 0] - sums[..., 3], column(6)),
    "mean": Mean(column(1), column(6)),
}


@pytest.fixture(scope="module")
def many():
    """20,000 clusters of one to twelve trials that hang together, and their sums in 10,000 resamples."""
    draws = np.random.Generator(np.random.PCG64(5))
    trials = draws.integers(1, 13, MANY)
    good = draws.beta(6, 2, MANY)
    before, after = draws.binomial(trials, good), draws.binomial(trials, good * 0.8)
    wrong = draws.poisson(0.3, (2, MANY))
    rare = draws.random(MANY) < 0.01
    columns = (after, trials - after, wrong[0], before, trials - before, wrong[1], trials, rare)
    rows = np.stack(columns, axis=1).astype(float)
    return rows, Bootstrap(MANY, 10_000, seed=3).sums(rows)


@pytest.mark.parametrize("name", VALUES)
def test_it_is_within_two_per_cent_of_the_bootstrap(many, name):
    rows, resampled = many
    value = VALUES[name]
    number = float(value(rows.sum(axis=0)))
    by_bootstrap = estimate(number, value(resampled), MANY, 0.95)
    found = estimate_value(
        value, rows, lambda: pytest.fail("it was resampled"), MANY, 0.95, error=partial(standard_error, value, rows)
    )
    assert found.value == number
    assert found.high - found.low == pytest.approx(by_bootstrap.high - by_bootstrap.low, rel=0.02)
    assert found.se == pytest.approx(by_bootstrap.se, rel=0.02)


def rates():
    return Metric("rate", _counted, share(0, 1))


def _counted(outcomes, view, groups):
    raise AssertionError("counted already")


def evidence_of(clusters, rare):
    """Clusters of three trials with one or two events; the first ``rare`` of them hold the group."""
    numbers = np.arange(clusters)
    table = np.zeros((clusters, 2, 2))
    table[:, 0] = np.stack([1 + (numbers % 3 == 0), np.full(clusters, 3)], axis=1)
    table[:rare, 1] = table[:rare, 0]
    names = numbers.astype(np.str_)
    empty, false = np.full(clusters, ""), np.zeros(clusters, bool)
    held = (numbers < rare).astype(np.int64)[:, None]
    zeros = np.zeros(clusters, np.int64)
    return Evidence(
        ("A",), names, names, zeros + 1, zeros, empty, names, empty, ~false, false, held, {ALIKE: {"_counted": table}}
    )


def resamples_asked_for(monkeypatch, clusters, rare):
    """The numbers of clusters that are resampled, and the estimates."""
    asked = []
    drawn = Bootstrap._drawn
    monkeypatch.setattr(Bootstrap, "_drawn", lambda self: asked.append(self.clusters) or drawn(self))
    found = measure_metrics(evidence_of(clusters, rare), ALIKE, [rates()], Gate(resamples=50))
    return asked, found.estimate("rate"), found.estimate("rate", "A")


def test_up_to_twenty_thousand_clusters_are_resampled(monkeypatch):
    asked, overall, _ = resamples_asked_for(monkeypatch, MANY, 100)
    assert set(asked) == {MANY}
    assert overall.high - overall.value != pytest.approx(overall.value - overall.low, rel=1e-6)


def test_of_more_only_groups_of_few_clusters_are(monkeypatch):
    asked, overall, group = resamples_asked_for(monkeypatch, MANY + 1, 100)
    assert set(asked) == {100}
    assert overall.high - overall.value == pytest.approx(overall.value - overall.low)
    assert (overall.n, group.n) == (MANY + 1, 100)


def test_a_group_of_many_clusters_is_linearised_too(monkeypatch):
    assert resamples_asked_for(monkeypatch, MANY + 1, ENOUGH + 1)[0] == []
