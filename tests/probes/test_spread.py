"""The spread of a score over prompts, beyond what exchanging answers among prompts gives."""

import math

import numpy as np
import pytest

from abalo.core.protocols.task import tasks
from abalo.core.statistics.evidence import ALIKE, Evidence
from abalo.probes.spread import exchanged, spread_beyond, spread_scores

METRIC = tasks()["classification"].metrics()["accuracy"]


def evidence_of(right: np.ndarray) -> Evidence:
    """One repeat of answers (prompts × texts), 1 for right."""
    prompts, texts = right.shape
    counts = np.zeros((right.size, 1, 4))
    counts[:, 0, 0], counts[:, 0, 2] = 1, right.ravel()
    ids = np.tile([f"t{k:03}" for k in range(texts)], prompts)
    places = np.repeat([f"p{k}" for k in range(prompts)], texts)
    none = np.zeros(right.size, dtype=np.int64)
    held = np.zeros((right.size, 0), dtype=np.int64)
    tables = {ALIKE: {METRIC.count.__name__: counts}}
    return Evidence((), ids, ids, none, none, places, ids, ids, none > 0, none > 0, held, tables)


def spread_of(right: np.ndarray):
    return spread_scores(evidence_of(right), METRIC, "", [f"p{k}" for k in range(len(right))], 0.95)


def test_answers_that_never_change_have_no_spread():
    right = np.tile(np.arange(200) % 10 > 0, (5, 1)).astype(float)
    found = spread_of(right)
    assert (found.sd, found.beyond, found.low, found.high, found.loss) == (0, 0, 0, 0, 0)
    assert not found.sensitive


def test_a_prompt_that_loses_is_the_worst_with_its_loss():
    """One of 3 prompts is wrong on 30 of 200 texts: scores 1, 1 and 0.85, deviations 0.05, 0.05 and -0.1."""
    right = np.ones((3, 200))
    right[2, :30] = 0
    found = spread_of(right)
    assert found.scores == pytest.approx((1, 1, 0.85))
    assert found.sd == pytest.approx(math.sqrt((0.05**2 + 0.05**2 + 0.1**2) / 2))
    assert found.sensitive
    assert (found.best, found.worst, found.loss) == (0, 2, pytest.approx(0.15))
    assert 0 < found.low <= found.beyond <= found.sd <= found.high
    assert 0 < found.least_loss < 0.15 < found.most_loss


def test_prompts_that_each_miss_other_texts_are_chance():
    right = np.ones((4, 200))
    for prompt in range(4):
        right[prompt, 10 * prompt : 10 * prompt + 10] = 0
    right[0, 40] = 0
    found = spread_of(right)
    assert not found.sensitive
    assert found.low == 0 < found.sd


def test_one_text_proves_nothing():
    right = np.ones((4, 200))
    right[3, 0] = 0
    found = spread_of(right)
    assert (found.low, found.least_loss) == (0, 0)


def test_few_texts_or_a_single_prompt_say_nothing():
    assert spread_of(np.ones((3, 49))) is None
    assert spread_of(np.ones((1, 200))) is None


def test_exchanged_sums_have_the_variance_of_permutations():
    """Each row of 1, 0, 0 exchanged has variance 2/9 in a place; 60 of them, drawn or normal, 60 times as much."""
    for rows in (60, 300):
        parts = np.tile([1.0, 0.0, 0.0], (rows, 1))
        sums = exchanged(parts)
        assert np.abs(sums.sum(axis=1)).max() < 1e-9
        assert sums.var(axis=0) == pytest.approx([rows * 2 / 9] * 3, rel=0.12)


def test_the_interval_holds_the_true_spread_mostly():
    """Scores 0, d, -d with normal noise of the same size as chance: 95 % intervals."""
    random = np.random.Generator(np.random.PCG64(1))
    truth, inside = np.array([0.0, 0.05, -0.05]), 0
    for _ in range(200):
        normal = random.standard_normal((501, 3)) * 0.02
        noise = normal - normal.mean(axis=1, keepdims=True)
        found = spread_beyond(truth + noise[0], noise[1:], 0.95)
        inside += found.low <= 0.05 <= found.high
    assert inside >= 180
