"""Metrics: additive counts, and values of their sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from abalo.core.records.outcome import Outcome
from abalo.errors import AbaloError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

Count = Callable[[Sequence[Outcome], str, Sequence[str]], NDArray[Any]]
"""``count(outcomes, view, groups)``: an array (outcomes × groups × columns) to be summed over outcomes.

Overall numbers are sums over groups, unless an extra first group holds them.
"""


Outputs = Callable[[Outcome], tuple[Sequence[Hashable], Sequence[Hashable]]]

Extremes = Callable[[Floats], tuple[Floats, Floats]]


Distance = Callable[[Any, Any], float]


def differs(first: object, second: object) -> float:
    """1 if outputs differ, else 0."""
    return float(first != second)


@dataclass(frozen=True, slots=True)
class Metric:
    """A number made from sums of counts.

    * ``value``: maps sums (… × columns) to an array (…). A `Share`, `MeanShare`, `Difference`, `Net` or `Mean` gets
      intervals that account for few events; other functions get a bootstrap, undecided if all resamples agree.
    * ``count``: metrics with the same count share a table.
    * ``changed_only``: counts only changed outcomes; NaN without any.
    * ``views``: NaN in other views; empty means all.
    * ``low`` and ``high``: range, inclusive if finite.
    * ``probes``: kinds of test that measure it; empty means all.
    * ``given``: resamples only clusters with something to count.
    * ``of_clean``: defined without a perturbation. ``compares``: defined only with one.
    * ``macro``: mean over groups with equal weights.
    * ``more_is_better``: by default less is.
    * ``before``: value that a drop is measured from.
    * ``flips``: counts changed predictions (or unchanged, if more is better); a random model flips some without a
      change.
    * ``outputs``: compared between repeats, by ``distance`` from 0 to 1 (`abalo.core.running.noise`).
    * ``exact``: an example is right if this number is at its best; comparisons count what is newly wrong.
    * ``lost``: maps sums to those of a model that lost all hits, if ``value`` defines none.
    * ``extremes``: maps sums to the best possible (of a drop: before the change) and the worst; for
      other ``value`` functions, which have no law of their own.
    * ``covered``: whether intervals cover the truth as often as they state; otherwise a bound can fail, never pass.
    * ``by_label``: maps sums to right, predicted and gold of each label (… × 3); comparisons judge the F1 of these.
    * ``least``: smallest acceptable clean value of a quality metric.
    * ``title``, ``meaning`` and ``unit``: words for reports.
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
    outputs: Outputs | None = None
    distance: Distance = differs
    hits: bool = False
    exact: bool = False
    lost: Callable[[Floats], Floats] | None = None
    extremes: Extremes | None = None
    covered: bool = True
    by_label: Callable[[Floats], Floats] | None = None
    least: float = 0.3
    title: str = ""
    meaning: str = ""
    unit: str = ""

    @property
    def needs_change(self) -> bool:
        """Whether it is meaningless without a perturbation."""
        return self.compares or self.changed_only or self.is_drop

    @property
    def is_drop(self) -> bool:
        """Whether it measures a loss from a clean value."""
        return self.before is not None

    @property
    def is_gap(self) -> bool:
        """Whether it is a difference that is 0 at both ends of a scale."""
        return self.low < 0 and not self.is_drop

    def fits(self, probe: str) -> bool:
        """Whether the probe measures it."""
        return not self.probes or probe in self.probes

    def keeps(self, side: Literal["max", "min"], limit: float) -> bool:
        """Whether every possible value is within the limit."""
        return limit >= self.high if side == "max" else limit <= self.low

    def meant_in(self, view: str) -> bool:
        """Whether it has a meaning in the view."""
        return not self.views or view in self.views

    @property
    def words(self) -> str:
        """The metric in words, such as ``flip rate``."""
        return self.title or self.name.replace("_", " ")


def with_all(table: Floats, groups: int) -> Floats:
    """The counts with an overall first row."""
    if table.shape[1] == groups + 1:
        return table
    overall = table.sum(axis=1, keepdims=True)
    kind = table.dtype if np.array_equal(overall.astype(table.dtype), overall) else overall.dtype
    return np.concatenate([overall, table], axis=1, dtype=kind)


def counts_of(metric: Metric, outcomes: Sequence[Outcome], view: str, groups: Sequence[str]) -> Floats:
    """The counts with an overall first row; raises `AbaloError` for other shapes."""
    table = np.asarray(metric.count(outcomes, view, groups))
    if table.ndim != 3 or len(table) != len(outcomes) or table.shape[1] not in (len(groups), len(groups) + 1):
        raise AbaloError(
            f"metric {metric.name}: its count function {_count_name(metric)} returned an array of shape {table.shape}; "
            f"expected (outcomes, groups, columns), here ({len(outcomes)}, {len(groups)}, columns), or one more group "
            "in front that stands for all"
        )
    return with_all(table, len(groups))


def check_value(metric: Metric, table: Floats) -> None:
    """Raises `AbaloError` if the counts do not suit the value."""
    sums = table.sum(axis=0, dtype=np.float64)
    try:
        shape = np.shape(metric.value(sums))
    except IndexError as error:
        raise AbaloError(
            f"metric {metric.name}: its value reads a column that its count function {_count_name(metric)} lacks: "
            f"{error}; "
            f"the columns are 0 to {table.shape[2] - 1}"
        ) from error
    if shape != sums.shape[:-1]:
        raise AbaloError(
            f"metric {metric.name}: its value has the shape {shape} for sums of the shape {sums.shape}; expected "
            f"{sums.shape[:-1]}: take columns from the last axis, as in sums[..., 0]"
        )


def _count_name(metric: Metric) -> str:
    return getattr(metric.count, "__name__", repr(metric.count))


def split_sides(table: NDArray[Any], outcomes: Sequence[Outcome]) -> Floats:
    """The columns inside the judged part, then outside."""
    outside = np.array([outcome.outside for outcome in outcomes], dtype=bool)[:, None, None]
    return np.concatenate([np.where(outside, 0, table), np.where(outside, table, 0)], axis=-1)


def extremes_of_sides(extremes: Extremes) -> Extremes:
    """The extremes of the counts that `split_sides` makes."""

    def found(sums: Floats) -> tuple[Floats, Floats]:
        inside, outside = (extremes(half) for half in np.split(sums, 2, axis=-1))
        best, worst = (np.concatenate(sides, axis=-1) for sides in zip(inside, outside, strict=True))
        return best, worst

    return found


ColumnFunction = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Share:
    """``events`` over ``trials``, which include them, times ``scale``; ``empty`` without a trial.

    A lost ``hit`` takes that many events and trials.
    """

    events: ColumnFunction
    trials: ColumnFunction
    scale: float = 1.0
    empty: float = math.nan
    hit: tuple[float, float] = (1.0, 0.0)

    def __call__(self, sums: Floats) -> Floats:
        return self.scale * ratio(self.events(sums), self.trials(sums), self.empty)


@dataclass(frozen=True, slots=True)
class MeanShare:
    """The mean of a ``share`` over groups with a value."""

    share: Share

    def __call__(self, sums: Floats) -> Floats:
        each = self.share(sums)
        if each.ndim:
            known = ~np.isnan(each[..., 1:])
            each[..., 0] = ratio(np.where(known, each[..., 1:], 0.0).sum(-1), known.sum(-1).astype(np.float64))
        return each


@dataclass(frozen=True, slots=True)
class Difference:
    """The ``first`` share minus the ``second``, -1 to 1; NaN if either is undefined.

    ``paired`` if both are measured on the same clusters.
    """

    first: Share
    second: Share
    paired: bool = True

    def __call__(self, sums: Floats) -> Floats:
        return self.first(sums) - self.second(sums)


@dataclass(frozen=True, slots=True)
class Net:
    """``gains``, where losses are negative, over ``trials``: -1 to 1, NaN without a trial."""

    gains: ColumnFunction
    trials: ColumnFunction

    def __call__(self, sums: Floats) -> Floats:
        return ratio(self.gains(sums), self.trials(sums))


@dataclass(frozen=True, slots=True)
class Mean:
    """``part`` over ``whole`` with possible outliers; NaN if the whole is 0."""

    part: ColumnFunction
    whole: ColumnFunction

    def __call__(self, sums: Floats) -> Floats:
        return ratio(self.part(sums), self.whole(sums))


@runtime_checkable
class OfTrials(Protocol):
    """A number made of trials."""

    @property
    def trials(self) -> ColumnFunction:
        """The number of trials in sums."""
        ...


def holding(value: Callable[[Floats], Floats], rows: Floats) -> Flags:
    """Which rows have something to count."""
    if isinstance(value, OfTrials):
        return value.trials(rows) > 0
    if isinstance(value, Difference):
        return (value.first.trials(rows) > 0) | (value.second.trials(rows) > 0)
    return ~np.isnan(value(rows))


def ratio(part: Floats, whole: Floats, empty: float = math.nan) -> Floats:
    """``part`` over ``whole``; ``empty`` if ``whole`` is 0."""
    return np.divide(part, whole, out=np.full_like(part, empty, dtype=np.float64), where=whole > 0)


def over_trainings(values: Floats) -> Floats:
    """The mean over trainings with a value."""
    known = ~np.isnan(values)
    return ratio(np.where(known, values, 0.0).sum(axis=-2), known.sum(axis=-2).astype(np.float64))


def column(k: int) -> ColumnFunction:
    """The count in column ``k``."""
    return lambda sums: sums[..., k]


def share(part: int, whole: int) -> Share:
    """Column ``part`` (events) over column ``whole`` (trials); NaN if that is 0."""
    return Share(column(part), column(whole))


def mean(part: int, whole: int) -> Mean:
    """Column ``part`` over column ``whole``; NaN if that is 0."""
    return Mean(column(part), column(whole))
