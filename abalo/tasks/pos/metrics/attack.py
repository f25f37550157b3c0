"""Success of attacks on tags of unchanged words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abalo.core.records.outcome import Outcome
from abalo.core.statistics import search_metrics
from abalo.core.statistics.metrics import Floats
from abalo.core.statistics.search_metrics import cost_metrics, count_searches, robust_metric, success_metric
from abalo.tasks.pos.targets import seen_word


def search_counts(outcomes: Sequence[Outcome], _view: str, tags: Sequence[str]) -> Floats:
    """The columns of `count_searches`, by gold tag."""
    return count_searches(outcomes, len(tags), _rows_of(tags), seen_word, _others)


def robust_counts(outcomes: Sequence[Outcome], _view: str, tags: Sequence[str]) -> Floats:
    """Words, and right ones that no search broke, by gold tag."""
    return search_metrics.kept_counts(outcomes, len(tags), _rows_of(tags), seen_word)


def _rows_of(tags: Sequence[str]) -> Callable[[Outcome], Sequence[int]]:
    rows = {tag: (k,) for k, tag in enumerate(tags)}
    return lambda outcome: rows[outcome.targets[0].type]


def _others(outcome: Outcome) -> list[int]:
    return [place for place in range(len(outcome.sentence)) if place != outcome.targets[0].start]


METRICS = (
    robust_metric(
        "robust_accuracy",
        robust_counts,
        "share of the words in the attacked sentences that are tagged correctly before and after the attack",
    ),
    success_metric(
        search_counts,
        "share of the attacked words, all tagged correctly before, that are tagged wrongly after the attack",
    ),
    *cost_metrics(search_counts, "all other words"),
)
