"""Rank correlation of graded similarity, and how much a change lowers it.

Spearman's coefficient is Pearson's coefficient of ranks. Ranks are taken once over all units of a case and seed; their
moments add up over pairs. Several seeds are pooled. Resamples and slices keep these ranks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.metrics import Floats, Metric
from abalo.models.labelling.classified import Classified
from abalo.tasks.pairs.relations import Relations

SCORE = "score"

_CLEAN, _NOW = 0, 3


def predicted_score(example: Example, prediction: Classified) -> float | None:
    """The predicted number, or the probability of entailment or equal meaning; else None."""
    source = example.source
    own = prediction.probability(SCORE)
    if own is not None or not isinstance(source, Relations):
        return own
    likely = [each for label in source.positive if (each := prediction.probability(label)) is not None]
    return sum(likely) if likely else None


def rank_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """1, and moments of the gold, clean and present ranks of each fully scored pair."""
    table = np.zeros((len(outcomes), 1 + len(labels), 9))
    by_seed: dict[int, list[tuple[int, float, float, float]]] = defaultdict(list)
    for place, outcome in enumerate(outcomes):
        found = _scores(outcome)
        if found is not None:
            by_seed[outcome.seed].append((place, *found))
    for rows in by_seed.values():
        places = [place for place, *_ in rows]
        gold, clean, now = (ranks(np.array([row[k] for row in rows])) for k in (1, 2, 3))
        table[places, 0] = np.stack(
            [np.ones_like(gold), gold, gold**2, clean, clean**2, clean * gold, now, now**2, now * gold], axis=-1
        )
    return table


def kept_rank_counts(outcomes: Sequence[Outcome], view: str, labels: Sequence[str]) -> Floats:
    """`rank_counts` if all similarities are known after the change, else zeros."""
    table = rank_counts(outcomes, view, labels)
    changed = ((outcome.example, outcome.variant.example) for outcome in outcomes if outcome.variant is not None)
    return table if all(_is_known(before) == _is_known(after) for before, after in changed) else np.zeros_like(table)


def _is_known(example: Example) -> bool:
    return isinstance(example.source, Relations) and example.source.score is not None


def _scores(outcome: Outcome) -> tuple[float, float, float] | None:
    new = outcome.example if outcome.variant is None else outcome.variant.example
    if not isinstance(new.source, Relations) or new.source.score is None:
        return None
    found = [predicted_score(outcome.example, each) for each in (outcome.clean, outcome.prediction)]
    return None if found[0] is None or found[1] is None else (new.source.score, found[0], found[1])


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from -0.5 to 0.5; ties share their mean."""
    _, groups, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    middle = last - (counts - 1) / 2
    return (middle[groups] - (len(values) + 1) / 2) / max(1, len(values) - 1)


def _correlation(sums: Floats, first: int) -> Floats:
    n, x, xx = (sums[..., k] for k in range(3))
    y, yy, xy = (sums[..., 3 + first + k] for k in range(3))
    spread = np.clip(n * xx - x**2, 0, None) * np.clip(n * yy - y**2, 0, None)
    known = spread > ROUNDING
    found = np.divide(n * xy - x * y, np.sqrt(np.where(known, spread, 1)), out=np.zeros_like(n), where=known)
    return np.where(n > 0, np.clip(found, -1, 1), np.nan)


def spearman(sums: Floats) -> Floats:
    """Spearman's correlation of predicted and gold similarity, -1 to 1."""
    return _correlation(sums, _NOW)


def clean_spearman(sums: Floats) -> Floats:
    """`spearman` on the clean pairs."""
    return _correlation(sums, _CLEAN)


def spearman_drop(sums: Floats) -> Floats:
    """Clean minus perturbed `spearman`, -2 to 2."""
    return clean_spearman(sums) - spearman(sums)


def _reverse_order(sums: Floats) -> Floats:
    lost = sums.copy()
    _, x, xx = (sums[..., k] for k in range(3))
    lost[..., 3 + _NOW :] = np.stack([-x, xx, -xx], axis=-1)
    return lost


METRICS = (
    Metric(
        "spearman",
        rank_counts,
        spearman,
        of_clean=True,
        more_is_better=True,
        per_group=False,
        low=-1.0,
        lost=_reverse_order,
        title="Spearman's ρ",
        meaning=(
            "rank correlation of the gold similarity with the model's number, or with its probability that "
            "the sentences entail each other or mean the same"
        ),
    ),
    Metric(
        "spearman_drop",
        kept_rank_counts,
        spearman_drop,
        per_group=False,
        low=-2.0,
        high=2.0,
        before=clean_spearman,
        lost=_reverse_order,
        title="drop of Spearman's ρ",
        meaning="rank correlation on the clean pairs minus rank correlation on the changed pairs",
    ),
)
