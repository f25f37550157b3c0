"""Success of attacks on answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abalo.core.records.outcome import Outcome
from abalo.core.statistics import search_metrics
from abalo.core.statistics.metrics import Floats
from abalo.core.statistics.search_metrics import cost_metrics, count_searches, robust_metric, success_metric
from abalo.tasks.reading.metrics.answers import groups_of
from abalo.tasks.reading.targets import seen_answer


def search_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """The columns of `count_searches`, overall and by group."""
    return count_searches(
        outcomes, 1 + len(groups), _rows_of(groups), seen_answer, lambda each: range(len(each.edited))
    )


def robust_counts(outcomes: Sequence[Outcome], _view: str, groups: Sequence[str]) -> Floats:
    """Questions, and right ones that no search broke, overall and by group."""
    return search_metrics.kept_counts(outcomes, 1 + len(groups), _rows_of(groups), seen_answer)


def _rows_of(groups: Sequence[str]) -> Callable[[Outcome], Sequence[int]]:
    rows = {group: k for k, group in enumerate(groups, start=1)}
    return lambda outcome: (0, *(rows[group] for group in groups_of(outcome.example)))


METRICS = (
    robust_metric(
        "robust_exact_match",
        robust_counts,
        "share of the attacked questions that the model answers correctly before and after the attack",
    ),
    success_metric(
        search_counts,
        "share of the attacked questions, all answered correctly before, that are answered wrongly after the attack",
    ),
    *cost_metrics(search_counts, "replaceable words"),
)
