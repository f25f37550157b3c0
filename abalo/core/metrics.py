"""Metrics: counts that add up over outcomes, and values made of their sums.

Because counts add up, one table per case serves the point estimate and every bootstrap resample: a resample is a
weighted sum of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from abalo.core.outcome import Outcome
from abalo.errors import AbaloError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

Count = Callable[[Sequence[Outcome], str, Sequence[str]], Floats]
"""``count(outcomes, view, groups)``: an array (outcomes × groups × columns) whose sum over outcomes means something.

The overall numbers are the sums over groups, unless there is one more group, in front, that stands for all.
"""


@dataclass(frozen=True, slots=True)
class Metric:
    """A number made of sums of counts.

    ``value`` maps an array (… × columns) of sums to an array (…). A `Share`, `MeanShare`, `Difference`, `Net` or `Mean`
    says with it what its events are, so that its interval knows how few there were; any other gets one by a bootstrap,
    and decides nothing where all resamples agree. ``changed_only`` counts changed outcomes alone, and is NaN if there
    are none. Metrics with the same ``count`` share one table. The metric has a meaning in ``views``
    alone, in any other it is NaN; empty for all views. It lies between ``low`` and ``high``, both included where they
    are finite. It is measured in cases of the ``probes`` named; empty for all.

    ``given`` metrics are means over the clusters that have something to count, and resampled over these alone. A
    metric ``of_clean`` says something where nothing is perturbed; one that ``compares`` says nothing there. A ``macro``
    metric is a mean over groups, in which a rare one weighs as much as any. Of most metrics less is better, of some
    ``more_is_better``. ``before`` is, of a drop, the value that was lost from. A metric of ``flips`` is a share of
    predictions that changed, or where more is better of those that did not; a random model has some without any change.
    ``lost`` maps sums to those of a model that has lost all it got right, for a value that does not say what a hit is.
    ``title`` and ``meaning`` say it in words; ``unit`` follows the numbers.
    """

    name: str
    count: Count
    value: Callable[[Floats], Floats]
    changed_only: bool = False
    per_group: bool = True
    views: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    probes: tuple[str, ...] = ()
    given: bool = False
    of_clean: bool = False
    compares: bool = False
    macro: bool = False
    more_is_better: bool = False
    before: Callable[[Floats], Floats] | None = None
    flips: bool = False
    hits: bool = False
    lost: Callable[[Floats], Floats] | None = None
    title: str = ""
    meaning: str = ""
    unit: Literal["", "‰"] = ""

    @property
    def needs_change(self) -> bool:
        """Whether it says nothing where nothing is perturbed: every model has the same number there, or none."""
        return self.compares or self.changed_only or self.is_drop

    @property
    def is_drop(self) -> bool:
        """Whether it is what was lost from a value on the clean text, which says nothing of that value."""
        return self.before is not None

    def fits(self, probe: str) -> bool:
        """Whether it is measured in cases of the probe."""
        return not self.probes or probe in self.probes

    def keeps(self, side: Literal["max", "min"], limit: float) -> bool:
        """Whether every value is within the limit, so that nothing can break it."""
        return limit >= self.high if side == "max" else limit <= self.low

    def meant_in(self, view: str) -> bool:
        """Whether it has a meaning in the view."""
        return not self.views or view in self.views

    @property
    def words(self) -> str:
        """The metric in words, such as ``flip rate``."""
        return self.title or self.name.replace("_", " ")


def with_all(table: Floats, groups: int) -> Floats:
    """A table of counts with the row for all groups together in front, if it is not there yet."""
    return table if table.shape[1] == groups + 1 else np.concatenate([table.sum(axis=1, keepdims=True), table], axis=1)


def counts_of(metric: Metric, outcomes: Sequence[Outcome], view: str, groups: Sequence[str]) -> Floats:
    """The counts of a metric, with the row for all groups in front; raises `AbaloError` for another shape."""
    table = np.asarray(metric.count(outcomes, view, groups))
    if table.ndim != 3 or len(table) != len(outcomes) or table.shape[1] not in (len(groups), len(groups) + 1):
        raise AbaloError(
            f"metric {metric.name}: its count function {_called(metric)} returned an array of shape {table.shape}; "
            f"expected (outcomes, groups, columns), here ({len(outcomes)}, {len(groups)}, columns), or one more group "
            "in front that stands for all"
        )
    return with_all(table, len(groups))


def check_value(metric: Metric, table: Floats) -> None:
    """Raises `AbaloError` if the value of the metric cannot be computed from the sums of its counts."""
    sums = table.sum(axis=0)
    try:
        shape = np.shape(metric.value(sums))
    except IndexError as error:
        raise AbaloError(
            f"metric {metric.name}: its value reads a column that its count function {_called(metric)} lacks: {error}; "
            f"the columns are 0 to {table.shape[2] - 1}"
        ) from error
    if shape != sums.shape[:-1]:
        raise AbaloError(
            f"metric {metric.name}: its value has the shape {shape} for sums of the shape {sums.shape}; expected "
            f"{sums.shape[:-1]}: take columns from the last axis, as in sums[..., 0]"
        )


def _called(metric: Metric) -> str:
    return getattr(metric.count, "__name__", repr(metric.count))


def sided(table: Floats, outcomes: Sequence[Outcome]) -> Floats:
    """The columns of a table for outcomes inside of a part of the corpus, then the same for those outside."""
    outside = np.array([outcome.outside for outcome in outcomes], dtype=bool)[:, None, None]
    return np.concatenate([np.where(outside, 0, table), np.where(outside, table, 0)], axis=-1)


Column = Callable[[Floats], Floats]
"""A count that adds up: an array (… × columns) of sums to an array (…), such as one column."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share: ``events`` over ``trials``, which hold them, times ``scale``; ``empty`` where there is no trial.

    A lost ``hit`` takes so many events and trials.
    """

    events: Column
    trials: Column
    scale: float = 1.0
    empty: float = math.nan
    hit: tuple[float, float] = (1.0, 0.0)

    def __call__(self, sums: Floats) -> Floats:
        """The share of each of the sums."""
        return self.scale * ratio(self.events(sums), self.trials(sums), self.empty)


@dataclass(frozen=True, slots=True)
class MeanShare:
    """The mean of a ``share`` over the groups in which it has a value; of one group the share."""

    share: Share

    def __call__(self, sums: Floats) -> Floats:
        """The share in the sums of each group, and in front of them, for all together, the mean; NaN without any."""
        each = self.share(sums)
        if each.ndim:
            known = ~np.isnan(each[..., 1:])
            each[..., 0] = ratio(np.where(known, each[..., 1:], 0.0).sum(-1), known.sum(-1).astype(np.float64))
        return each


@dataclass(frozen=True, slots=True)
class Difference:
    """The ``first`` share less the ``second``, -1 to 1; ``paired`` where both are of the same clusters."""

    first: Share
    second: Share
    paired: bool = True

    def __call__(self, sums: Floats) -> Floats:
        """The difference in each of the sums; NaN where either share is."""
        return self.first(sums) - self.second(sums)


@dataclass(frozen=True, slots=True)
class Net:
    """``gains``, losses among them as numbers below 0, over ``trials``: -1 to 1, NaN without a trial."""

    gains: Column
    trials: Column

    def __call__(self, sums: Floats) -> Floats:
        """The mean gain in each of the sums."""
        return ratio(self.gains(sums), self.trials(sums))


@dataclass(frozen=True, slots=True)
class Mean:
    """``part`` over ``whole``, where one part may be far from all others; NaN where the whole is 0."""

    part: Column
    whole: Column

    def __call__(self, sums: Floats) -> Floats:
        """The mean in each of the sums."""
        return ratio(self.part(sums), self.whole(sums))


@runtime_checkable
class OfTrials(Protocol):
    """A number that is made of trials, such as a share."""

    @property
    def trials(self) -> Column:
        """How many trials there are in sums."""
        ...


def holding(value: Callable[[Floats], Floats], rows: Floats) -> Flags:
    """Which rows hold something to count: trials, or for any other number those for which it has a value."""
    if isinstance(value, OfTrials):
        return value.trials(rows) > 0
    if isinstance(value, Difference):
        return (value.first.trials(rows) > 0) | (value.second.trials(rows) > 0)
    return ~np.isnan(value(rows))


def ratio(part: Floats, whole: Floats, empty: float = math.nan) -> Floats:
    """``part`` over ``whole``; ``empty`` where ``whole`` is 0."""
    return np.divide(part, whole, out=np.full_like(part, empty), where=whole > 0)


def over_trainings(values: Floats) -> Floats:
    """The mean over trainings of numbers (… × trainings × 1 + groups), of those that have a value; NaN without any."""
    known = ~np.isnan(values)
    return ratio(np.where(known, values, 0.0).sum(axis=-2), known.sum(axis=-2).astype(np.float64))


def column(k: int) -> Column:
    """The count in column ``k``."""
    return lambda sums: sums[..., k]


def share(part: int, whole: int) -> Share:
    """Column ``part`` of the sums, events, over column ``whole``, trials; NaN where that is 0."""
    return Share(column(part), column(whole))


def mean(part: int, whole: int) -> Mean:
    """Column ``part`` of the sums over column ``whole``; NaN where that is 0."""
    return Mean(column(part), column(whole))
