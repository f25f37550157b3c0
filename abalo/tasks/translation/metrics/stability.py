"""Stability under changes that should not affect translations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from abalo.core.records.outcome import Outcome
from abalo.core.statistics.invariance import invariance_metric
from abalo.core.statistics.metrics import Floats, Metric, share
from abalo.models.translators.kept_words import kept_places, signs_in
from abalo.models.translators.scoring import CHRF, chrf_statistics, distance
from abalo.tasks.translation.metrics.scores import example_now
from perturbations.parallel import sign_of


def is_steady(outcome: Outcome) -> bool:
    """True if the changed text may keep its translation."""
    return outcome.variant is not None and outcome.variant.example.gold == outcome.example.gold


def translations(outcome: Outcome) -> tuple[Sequence[str], Sequence[str]]:
    """The translations before and after a steady change; empty for other changes."""
    return ((outcome.clean.text,), (outcome.prediction.text,)) if is_steady(outcome) else ((), ())


def steady_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Texts that may keep their translation, distances of both translations, and chrF of new against old."""
    table = np.zeros((len(outcomes), 1 + len(groups), 2 + CHRF.columns))
    for rows, outcome in zip(table, outcomes, strict=True):
        if is_steady(outcome):
            old, new = outcome.clean.text, outcome.prediction.text
            rows[0] = 1, distance(old, new), *chrf_statistics(new, (old,))
    return table


def consistency(sums: Floats) -> Floats:
    """The chrF of new translations against the old ones, 0 to 1."""
    return CHRF.of(sums[..., 2:])


def _extremes(sums: Floats) -> tuple[Floats, Floats]:
    kept, own = sums[..., :2], sums[..., 2:]
    best, worst = (np.concatenate([kept, each(own)], axis=-1) for each in (CHRF.best, CHRF.worst))
    return best, worst


def kept_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Names and numbers that text and references share, and those translated."""
    table = np.zeros((len(outcomes), 1 + len(groups), 2))
    for rows, outcome in zip(table, outcomes, strict=True):
        example = example_now(outcome)
        wanted = {sign_of(example.sentence.tokens[place]) for place in kept_places(example)}
        rows[0] = len(wanted), len(wanted & signs_in(outcome.prediction.text))
    return table


_UNSTEADY = (
    "1 minus chrF between the translations of the clean and of the changed text: the mean over texts whose reference "
    "stays, less what differs between repeats"
)
_STEADY = "chrF between the translations of the clean and of the changed texts, where the reference stays"
_KEPT = "share of the names, numbers, handles and links of text and references alike that the translation has"
_OF_CHANGE: dict[str, Any] = {"compares": True, "per_group": False}
_FLIPS: dict[str, Any] = {"flips": True, "outputs": translations, "distance": distance}
_GOOD: dict[str, Any] = {"more_is_better": True, "per_group": False}

METRICS = (
    Metric("inconsistency", steady_counts, share(1, 0), meaning=_UNSTEADY, **_OF_CHANGE, **_FLIPS),
    Metric("consistency", steady_counts, consistency, compares=True, extremes=_extremes, meaning=_STEADY, **_GOOD),
    Metric("kept", kept_counts, share(1, 0), of_clean=True, title="names and numbers kept", meaning=_KEPT, **_GOOD),
    invariance_metric("change a name or number that the translation had right"),
)
