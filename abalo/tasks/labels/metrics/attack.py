"""Success of attacks on labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abalo.core.records.outcome import Outcome
from abalo.core.statistics import search_metrics
from abalo.core.statistics.metrics import Floats
from abalo.core.statistics.search_metrics import cost_metrics, count_searches, robust_metric, success_metric
from abalo.tasks.labels.targets import seen_labels


def search_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """The columns of `count_searches`, overall and by gold label."""
    return count_searches(
        outcomes, 1 + len(labels), _rows_of(labels), seen_labels, lambda each: range(len(each.edited))
    )


def robust_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Texts, and right texts that no search broke, overall and by gold label."""
    return search_metrics.kept_counts(outcomes, 1 + len(labels), _rows_of(labels), seen_labels)


def _rows_of(labels: Sequence[str]) -> Callable[[Outcome], Sequence[int]]:
    rows = {label: k for k, label in enumerate(labels, start=1)}
    return lambda outcome: (0, *(rows[label] for label in outcome.example.gold))


METRICS = (
    robust_metric(
        "robust_accuracy",
        robust_counts,
        "share of the attacked examples that the model labels correctly before and after the attack",
    ),
    success_metric(
        search_counts,
        "share of the attacked examples, all labelled correctly before, that are labelled wrongly after the attack",
    ),
    *cost_metrics(search_counts, "replaceable words"),
)
