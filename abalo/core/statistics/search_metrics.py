"""Metrics of targeted searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from abalo.core.records.outcome import Obstacle, Outcome
from abalo.core.records.targets import Seen
from abalo.core.statistics.metrics import Count, Floats, Metric, Share, column, share

TARGETS, BROKEN, SINGLE, PERTURBED = range(4)
"""Columns of counts; one for each `Obstacle` follows."""

_FAILED = {obstacle: 4 + k for k, obstacle in enumerate(Obstacle)}

COLUMNS = 4 + len(Obstacle)

See = Callable[[Outcome], Seen]


def has_succeeded(outcome: Outcome, see: See) -> bool:
    """Whether the search reached its goal."""
    reached = None if outcome.searched is None else outcome.searched.reached
    return see(outcome).broken if reached is None else reached


def count_searches(
    outcomes: Sequence[Outcome],
    groups: int,
    rows_of: Callable[[Outcome], Sequence[int]],
    see: See,
    free: Callable[[Outcome], Sequence[int]],
) -> Floats:
    """Counts of searches (outcomes × ``groups`` × `COLUMNS`)."""
    table = np.zeros((len(outcomes), groups, COLUMNS))
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.searched is None:
            continue
        row = np.zeros(COLUMNS)
        row[TARGETS] = 1
        if has_succeeded(outcome, see):
            row[BROKEN] = 1
            row[SINGLE] = outcome.perturbed is not None and len(outcome.perturbed.edits) == 1
            row[PERTURBED] = _share_changed(outcome, free(outcome))
        else:
            row[_FAILED[outcome.searched.obstacle]] = 1
        rows[list(rows_of(outcome))] += row
    return table


def kept_counts(
    outcomes: Sequence[Outcome], groups: int, rows_of: Callable[[Outcome], Sequence[int]], see: See
) -> Floats:
    """All targets, and those that stay right (outcomes × ``groups`` × 2)."""
    table = np.zeros((len(outcomes), groups, 2))
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.searched is not None or outcome.not_found:
            rows[list(rows_of(outcome))] += 1, not outcome.not_found and not has_succeeded(outcome, see)
    return table


def _share_changed(outcome: Outcome, free: Sequence[int]) -> float:
    edits = () if outcome.perturbed is None else outcome.perturbed.edits
    changed = {place for edit in edits for place in range(edit.start, edit.stop)} & set(free)
    put_in = sum(len(edit.tokens) for edit in edits if edit.start == edit.stop)
    return (len(changed) + put_in) / max(1, len(free) + put_in)


success_rate = share(BROKEN, TARGETS)

robust = share(1, 0)
"""Share of all targets that stay right."""

single_change_rate = share(SINGLE, BROKEN)

words_perturbed = share(PERTURBED, BROKEN)


def failure_rate(obstacle: Obstacle) -> Share:
    """The share of failures by this obstacle."""
    return Share(column(_FAILED[obstacle]), lambda sums: sums[..., TARGETS] - sums[..., BROKEN])


FAILURES = {
    Obstacle.NOTHING_TO_TRY: ("nothing_to_try_rate", "share of the failures without any candidate to try"),
    Obstacle.SIMILARITY: (
        "filtered_by_similarity_rate",
        "share of the failures without a candidate that was similar enough",
    ),
    Obstacle.PART_OF_SPEECH: (
        "filtered_by_part_of_speech_rate",
        "share of the failures in which every similar candidate changed a part of speech",
    ),
    Obstacle.BUDGET: ("out_of_budget_rate", "share of the failures that ran out of queries"),
    Obstacle.RESISTED: ("resisted_rate", "share of the failures in which the model resisted all candidates"),
}


def robust_metric(name: str, count: Count, meaning: str) -> Metric:
    """The metric of what stays right."""
    return Metric(name, count, robust, probes=("attack",), more_is_better=True, meaning=meaning)


def success_metric(count: Count, meaning: str) -> Metric:
    """The metric of success."""
    return Metric("success_rate", count, success_rate, probes=("attack",), flips=True, meaning=meaning)


def cost_metrics(count: Count, words: str) -> tuple[Metric, ...]:
    """The metrics of costs and obstacles."""
    named = (
        ("single_change_rate", single_change_rate, "share of the successes that took a single change"),
        (
            "words_perturbed",
            words_perturbed,
            f"share of {words} and inserted words that the attack changed, mean over the successes",
        ),
        *((name, failure_rate(obstacle), meaning) for obstacle, (name, meaning) in FAILURES.items()),
    )
    return tuple(Metric(name, count, value, probes=("attack",), meaning=meaning) for name, value, meaning in named)
