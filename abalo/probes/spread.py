"""The spread of a score over several prompts, beyond chance.

If the prompt does not matter, an example's answers are equally likely under all prompts. A permutation test therefore
exchanges them among prompts, example by example.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from abalo.core.statistics.estimates import FEWEST_CLUSTERS
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.linearised import linear_parts
from abalo.core.statistics.metrics import Floats, Metric

EXCHANGES = 2_000

MANY = 100
"""With more varying examples, sums are drawn from their normal limit."""

_NOTHING = 1e-12

_STEPS = 20


@dataclass(frozen=True, slots=True)
class ScoreSpread:
    """The scores of several prompts, and how much of their spread is beyond chance.

    ``low`` and ``high`` bound ``beyond``; ``low`` is 0 if chance explains all. ``best`` and ``worst`` are indices;
    ``least_loss`` and ``most_loss`` bound the ``loss`` between them, for all pairs at once.
    """

    scores: tuple[float, ...]
    sd: float
    beyond: float
    low: float
    high: float
    best: int
    worst: int
    loss: float
    least_loss: float
    most_loss: float

    @property
    def sensitive(self) -> bool:
        """Whether both the spread and the worst prompt's loss exceed chance."""
        return self.low > 0 and self.least_loss > 0


def spread_scores(
    evidence: Evidence, metric: Metric, view: str, prompts: Sequence[str], confidence: float
) -> ScoreSpread | None:
    """The spread of the metric over the prompts, which are the units' places.

    None with fewer than two prompts or 50 distinct examples, or if the metric is undefined for a prompt.
    """
    if len(prompts) < 2 or evidence.distinct < FEWEST_CLUSTERS:
        return None
    rows = _rows_of_prompts(evidence, metric, view, prompts)
    scores = np.array([_value(metric, each) for each in rows.sum(axis=1)])
    parts = linear_parts(lambda sums: _value(metric, sums), rows.reshape(-1, *rows.shape[2:])) * len(prompts)
    if np.isnan(scores).any() or np.isnan(parts).any():
        return None
    chance = exchanged(parts.reshape(len(prompts), -1).T)
    return spread_beyond(scores, chance, confidence)


def exchanged(parts: Floats) -> Floats:
    """Permuted sums of ``parts`` (examples × prompts), as exchanges × prompts."""
    centred = parts - parts.mean(axis=1, keepdims=True)
    varying = centred[np.abs(centred).max(axis=1, initial=0.0) > _NOTHING]
    random = np.random.Generator(np.random.PCG64(0))
    count = parts.shape[1]
    if len(varying) > MANY:
        normal = random.standard_normal((EXCHANGES, count))
        scale = math.sqrt(float(np.einsum("ij,ij->", varying, varying)) / (count - 1))
        drawn: Floats = scale * (normal - normal.mean(axis=1, keepdims=True))
        return drawn
    sums = np.zeros((EXCHANGES, count))
    for row in varying:
        sums += random.permuted(np.broadcast_to(row, sums.shape), axis=1)
    return sums


def spread_beyond(scores: Floats, chance: Floats, confidence: float) -> ScoreSpread:
    """The spread of the scores (prompts), given their variation by ``chance`` (exchanges × prompts)."""
    count, alpha = len(scores), (1 - confidence) / 2
    away = scores - scores.mean()
    away[np.abs(away) < _NOTHING] = 0.0
    total, noise = float(away @ away), np.einsum("ij,ij->i", chance, chance)
    sd = math.sqrt(total / (count - 1))
    beyond = math.sqrt(max(0.0, total - float(noise.mean())) / (count - 1))
    towards = away / sd if sd > 0 else np.zeros(count)

    def probability(spread: float) -> float:
        shifted = spread * towards + chance
        reached = np.einsum("ij,ij->i", shifted, shifted) >= total * (1 - 1e-9)
        return float((1 + reached.sum()) / (1 + len(reached)))

    def least(level: float, upper: float) -> float:
        low, high = 0.0, upper
        for _ in range(_STEPS if probability(0.0) <= level else 0):
            middle = (low + high) / 2
            low, high = (middle, high) if probability(middle) <= level else (low, middle)
        return low

    reach = sd + 8 * math.sqrt(float(noise.mean()) / (count - 1))
    ends = least(alpha, reach), least(1 - alpha, reach)
    best, worst = int(scores.argmax()), int(scores.argmin())
    loss = float(scores[best] - scores[worst])
    wide = float(np.quantile(np.ptp(chance, axis=1), confidence))
    return ScoreSpread(
        tuple(map(float, scores)),
        sd,
        beyond,
        min(ends[0], beyond),
        max(ends[1], beyond),
        best,
        worst,
        loss,
        max(0.0, loss - wide),
        loss + wide,
    )


def _rows_of_prompts(evidence: Evidence, metric: Metric, view: str, prompts: Sequence[str]) -> Floats:
    """Prompts × clusters × (1 + groups) × columns."""
    table = evidence.counts(metric, view)
    clusters, rows = np.unique(evidence.clusters, return_inverse=True)
    found = np.zeros((len(prompts), len(clusters), *table.shape[1:]))
    for place, name in enumerate(prompts):
        own = evidence.places == name
        np.add.at(found[place], rows[own], table[own])
        if name in evidence.groups:
            found[place, :, 0] = found[place, :, 1 + evidence.groups.index(name)]
    return found


def _value(metric: Metric, sums: Floats) -> Floats:
    return metric.value(sums)[..., 0]
