"""The detectable loss of a bound: how much worse a model must be to fail it with a power of 80 %."""

import math
from dataclasses import replace

import numpy as np
import pytest

from abalo.core.statistics.detectable import detectable_loss_of
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.few_events import ShareLaw
from abalo.core.statistics.metrics import Metric, Share, column, share
from abalo.core.statistics.verdicts import Bound
from abalo.tasks.ner.task import TASK

LEVEL = 0.025
USUAL, POWER = 1.96, 0.8416
ACCURACY = Metric("accuracy", lambda outcomes, view, groups: np.zeros(0), share(0, 1), more_is_better=True)
FLOOR = Bound("accuracy", "min", 0.9)


def of_share(value: float, trials: int) -> Estimate:
    """A share of independent trials."""
    se = math.sqrt(value * (1 - value) / trials)
    return Estimate(value, value - USUAL * se, value + USUAL * se, se, trials, trials=float(trials))


def loss_of(bound: Bound, estimate: Estimate, metric: Metric = ACCURACY, level: float = LEVEL) -> float | None:
    return detectable_loss_of(bound, estimate, metric, 0.95, level)


def power(bound: Bound, worse: float, trials: int, level: float = LEVEL) -> float:
    """How often a share of so many independent trials fails a floor, by its binomial law and the ends of its interval.

    The interval is that of Jeffreys, which leaves out as much on either side as the percentiles of a bootstrap.
    """
    law = [ShareLaw(k / trials, trials, 0.5).high(level) < bound.limit for k in range(trials + 1)]
    chances = [math.comb(trials, k) * worse**k * (1 - worse) ** (trials - k) for k in range(trials + 1)]
    return sum(chance for fails, chance in zip(law, chances, strict=True) if fails)


@pytest.mark.parametrize("trials", [200, 500])
@pytest.mark.parametrize("value", [0.92, 0.97, 0.99, 0.995])
def test_of_independent_trials_four_models_in_five_with_that_loss_fail(value, trials):
    loss = loss_of(FLOOR, of_share(value, trials))
    assert loss is not None
    assert 0.75 < power(FLOOR, value - loss, trials) < 0.85


def test_near_1_the_standard_error_at_the_measured_score_would_state_half_of_it():
    estimate = of_share(0.995, 400)
    floor = Bound("accuracy", "min", 0.97)
    loss = loss_of(floor, estimate)
    assert 0.025 + (USUAL + POWER) * estimate.se == pytest.approx(0.0349, abs=1e-4)
    assert loss is not None
    assert loss > 0.055
    assert power(floor, 0.995 - 0.0349, 400) < 0.2


def test_errors_that_occur_together_make_it_larger():
    plain = of_share(0.9, 400)
    clustered = replace(plain, se=1.5 * plain.se)
    assert (loss_of(FLOOR, clustered) or 0) > (loss_of(FLOOR, plain) or 0) + 0.01


def test_an_f1_falls_by_a_lost_hit_as_its_denominator_does():
    """Of 100 entities, all found, 20 lost: F1 is 160 / 180 = 0.889, not 0.8."""
    f1 = TASK.metrics()["f1"]
    assert isinstance(f1.value, Share)
    assert f1.value.hit == (2.0, 1.0)
    all_found, lost = np.array([0, 0, 0, 100, 100, 100.0]), np.array([0, 0, 0, 80, 80, 100.0])
    events, trials = (float(part(all_found) - part(lost)) / 20 for part in (f1.value.events, f1.value.trials))
    assert (events, trials) == f1.value.hit


def test_a_drop_keeps_its_variance_and_the_lost_hits_add_theirs():
    drop = Metric("drop", lambda outcomes, view, groups: np.zeros(0), share(0, 1), low=-1.0)
    estimate = Estimate(0.1, 0.0804, 0.1196, 0.01, 10**9, trials=1e12)
    found = loss_of(Bound("drop", "max", 0.15), estimate, drop)
    assert found == pytest.approx(0.05 + (USUAL + POWER) * 0.01, abs=1e-4)  # of endless trials nothing is added
    assert (loss_of(Bound("drop", "max", 0.15), replace(estimate, trials=400.0), drop) or 0) > (found or 0) + 0.01


def test_a_stricter_level_needs_a_larger_loss():
    estimate = of_share(0.95, 400)
    assert (loss_of(FLOOR, estimate, level=LEVEL / 50) or 0) > (loss_of(FLOOR, estimate) or 0) + 0.01


def test_a_bound_that_is_broken_already_needs_no_further_loss():
    assert loss_of(FLOOR, of_share(0.7, 400)) == 0
    assert loss_of(FLOOR, of_share(0.0, 400)) == 0


def test_a_limit_is_in_units_of_the_metric():
    rate = Metric("rate", lambda outcomes, view, groups: np.zeros(0), Share(column(0), column(1), 1000.0), high=1000.0)
    errors = of_share(0.05, 400)
    scaled = Estimate(50, 1000 * errors.low, 1000 * errors.high, 1000 * errors.se, 400, trials=400.0)
    found = loss_of(Bound("rate", "max", 100.0), scaled, rate)
    assert found == pytest.approx(1000 * (loss_of(FLOOR, of_share(0.95, 400)) or 0), abs=1e-3)


def test_no_loss_is_known_if_there_is_too_little_to_lose():
    assert loss_of(Bound("accuracy", "min", 0.01), of_share(0.05, 200)) is None


def test_a_number_without_a_greatest_value_varies_as_it_does_now():
    logit = Metric("logit", lambda outcomes, view, groups: np.zeros(0), share(0, 1), low=-math.inf, high=math.inf)
    found = loss_of(Bound("logit", "max", 2.0), Estimate(1.0, 0.804, 1.196, 0.1, 200), logit)
    assert found == pytest.approx(1 + (USUAL + POWER) * 0.1, abs=1e-3)
