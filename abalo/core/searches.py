"""Metrics that searches for single targets have in every task: what they broke, and at what cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from abalo.core.metrics import Count, Floats, Metric, Share, column, share
from abalo.core.outcome import Obstacle, Outcome
from abalo.core.targets import Seen

TARGETS, BROKEN, SINGLE, PERTURBED = range(4)
"""Columns of counts: targets, full successes, those with a single change, and the sum over full successes of the share
of words that may be replaced that were changed, words put in among them. One for each `Obstacle` follows."""

_FAILED = {obstacle: 4 + k for k, obstacle in enumerate(Obstacle)}

COLUMNS = 4 + len(Obstacle)

See = Callable[[Outcome], Seen]
"""The target of an outcome as the model sees it in the state that the search settled on."""


def succeeded(outcome: Outcome, see: See) -> bool:
    """Whether the search came to its goal, which as a rule is that the target is broken."""
    reached = None if outcome.searched is None else outcome.searched.reached
    return see(outcome).broken if reached is None else reached


def searched_counts(
    outcomes: Sequence[Outcome],
    groups: int,
    rows_of: Callable[[Outcome], Sequence[int]],
    see: See,
    free: Callable[[Outcome], Sequence[int]],
) -> Floats:
    """Counts (outcomes × ``groups`` × `COLUMNS`) of the outcomes that are searches.

    ``rows_of`` an outcome are the groups that it counts in, ``free`` the places of the words that may be replaced.
    """
    table = np.zeros((len(outcomes), groups, COLUMNS))
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.searched is None:
            continue
        row = np.zeros(COLUMNS)
        row[TARGETS] = 1
        if succeeded(outcome, see):
            row[BROKEN] = 1
            row[SINGLE] = outcome.perturbed is not None and len(outcome.perturbed.edits) == 1
            row[PERTURBED] = _changed_share(outcome, free(outcome))
        else:
            row[_FAILED[outcome.searched.obstacle]] = 1
        rows[list(rows_of(outcome))] += row
    return table


def kept_counts(
    outcomes: Sequence[Outcome], groups: int, rows_of: Callable[[Outcome], Sequence[int]], see: See
) -> Floats:
    """Targets, and those that the model has right and that were not broken (outcomes × ``groups`` × 2).

    Targets are those of searches, and all others of the same examples, which the model has wrong as they stand.
    """
    table = np.zeros((len(outcomes), groups, 2))
    for rows, outcome in zip(table, outcomes, strict=True):
        if outcome.searched is not None or outcome.not_found:
            rows[list(rows_of(outcome))] += 1, not outcome.not_found and not succeeded(outcome, see)
    return table


def _changed_share(outcome: Outcome, free: Sequence[int]) -> float:
    """The share of the words that may be replaced that were; 0 where there is no such word.

    Words that were put in beside others are words too, and changed.
    """
    edits = () if outcome.perturbed is None else outcome.perturbed.edits
    changed = {place for edit in edits for place in range(edit.start, edit.stop)} & set(free)
    put_in = sum(len(edit.tokens) for edit in edits if edit.start == edit.stop)
    return (len(changed) + put_in) / max(1, len(free) + put_in)


success_rate = share(BROKEN, TARGETS)
"""Targets that were broken over all targets; NaN where there are none."""

robust = share(1, 0)
"""Of `kept_counts`, targets right in the clean example and not broken over all; or NaN.

Unlike the success rate it does not reward a model for having little right, which leaves little to attack.
"""

single_change_rate = share(SINGLE, BROKEN)
"""Of the successes, those that took a single change; NaN without a success."""

words_perturbed = share(PERTURBED, BROKEN)
"""Mean over the successes of changed words over words that may be replaced, and over words put in, which count as both;
NaN without a success."""


def failure_rate(obstacle: Obstacle) -> Share:
    """Of the failures, those that this held up, 0 to 1; NaN without a failure. Over all obstacles they sum to 1."""
    return Share(column(_FAILED[obstacle]), lambda sums: sums[..., TARGETS] - sums[..., BROKEN])


FAILURES = {
    Obstacle.NOTHING_TO_TRY: ("nothing_to_try_rate", "of the failures, those with no candidate at all to try"),
    Obstacle.SIMILARITY: ("filtered_by_similarity_rate", "of the failures, those with no candidate similar enough"),
    Obstacle.PART_OF_SPEECH: (
        "filtered_by_part_of_speech_rate",
        "of the failures, those whose candidates that were similar enough all had a word of another part of speech",
    ),
    Obstacle.BUDGET: ("out_of_budget_rate", "of the failures, those that had more to ask about than the budget allows"),
    Obstacle.RESISTED: ("resisted_rate", "of the failures, those in which the model withstood all it was shown"),
}
"""For each obstacle the name and the meaning of its share of the failures, in the order in which to read them."""


def robust_metric(name: str, count: Count, meaning: str) -> Metric:
    """The metric that counts what is right and stays so."""
    return Metric(name, count, robust, probes=("attack",), more_is_better=True, meaning=meaning)


def success_metric(count: Count, meaning: str) -> Metric:
    """The metric of success."""
    return Metric("success_rate", count, success_rate, probes=("attack",), flips=True, meaning=meaning)


def cost_metrics(count: Count, words: str) -> tuple[Metric, ...]:
    """The metrics of what successes took, and of why the rest failed; ``words`` are those that may be replaced."""
    named = (
        ("single_change_rate", single_change_rate, "of the successes, those that took a single change"),
        ("words_perturbed", words_perturbed, f"changed words over {words} and words put in, mean over the successes"),
        *((name, failure_rate(obstacle), meaning) for obstacle, (name, meaning) in FAILURES.items()),
    )
    return tuple(Metric(name, count, value, probes=("attack",), meaning=meaning) for name, value, meaning in named)
