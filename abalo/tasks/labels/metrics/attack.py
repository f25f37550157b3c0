"""Success of attacks on labels of texts: the model had them right, and has them wrong after a change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abalo.core import searches
from abalo.core.metrics import Floats
from abalo.core.outcome import Outcome
from abalo.core.searches import cost_metrics, robust_metric, searched_counts, success_metric
from abalo.tasks.labels.targets import seen


def search_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Per outcome, overall and by gold label, the columns of `searched_counts`."""
    return searched_counts(outcomes, 1 + len(labels), _rows_of(labels), seen, lambda each: range(len(each.edited)))


def robust_counts(outcomes: Sequence[Outcome], _view: str, labels: Sequence[str]) -> Floats:
    """Per outcome, overall and by gold label: texts, and those labelled right that no search broke."""
    return searches.kept_counts(outcomes, 1 + len(labels), _rows_of(labels), seen)


def _rows_of(labels: Sequence[str]) -> Callable[[Outcome], Sequence[int]]:
    """Gives the rows of an outcome: that of all, and those of its gold labels."""
    rows = {label: k for k, label in enumerate(labels, start=1)}
    return lambda outcome: (0, *(rows[label] for label in outcome.example.gold))


METRICS = (
    robust_metric(
        "robust_accuracy", robust_counts, "of the texts attacked, those labelled right as they stand and not broken"
    ),
    success_metric(search_counts, "of the texts attacked, all labelled right as they stand, those labelled wrong"),
    *cost_metrics(search_counts, "words that may be replaced"),
)
