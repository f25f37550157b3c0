"""Success of attacks on the tags of single words: right as they stand, and wrong after other words changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from abalo.core import searches
from abalo.core.metrics import Floats
from abalo.core.outcome import Outcome
from abalo.core.searches import cost_metrics, robust_metric, searched_counts, success_metric
from abalo.tasks.pos.targets import seen


def search_counts(outcomes: Sequence[Outcome], _view: str, tags: Sequence[str]) -> Floats:
    """Per outcome and gold tag of its word, the columns of `searched_counts`."""
    return searched_counts(outcomes, len(tags), _rows_of(tags), seen, _others)


def robust_counts(outcomes: Sequence[Outcome], _view: str, tags: Sequence[str]) -> Floats:
    """Per outcome and gold tag: words, and those tagged right that no search broke."""
    return searches.kept_counts(outcomes, len(tags), _rows_of(tags), seen)


def _rows_of(tags: Sequence[str]) -> Callable[[Outcome], Sequence[int]]:
    """Gives the row of an outcome: that of the tag of its word."""
    rows = {tag: (k,) for k, tag in enumerate(tags)}
    return lambda outcome: rows[outcome.targets[0].type]


def _others(outcome: Outcome) -> list[int]:
    """The places of all words but the target."""
    return [place for place in range(len(outcome.sentence)) if place != outcome.targets[0].start]


METRICS = (
    robust_metric(
        "robust_accuracy",
        robust_counts,
        "of the words of the sentences attacked, those tagged right as they stand and not broken",
    ),
    success_metric(search_counts, "of the words attacked, all tagged right as they stand, those tagged wrong"),
    *cost_metrics(search_counts, "all other words"),
)
