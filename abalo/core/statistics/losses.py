"""Losses tested together and corrected for each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np

from abalo.core.records.gate import Gate
from abalo.core.records.json_records import Count, JsonRecord, Positive, declared
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, UNDEFINED, Estimate, bootstrap
from abalo.core.statistics.few_events import FEWEST, Few
from abalo.core.statistics.flips import Flipped, FlipTest, flip_signs, parts_of, values_on_subsets
from abalo.core.statistics.metrics import Floats
from abalo.core.statistics.pairing import Pairing
from abalo.core.statistics.plan import Waiver
from abalo.core.statistics.sequential import FINEST
from abalo.core.statistics.verdicts import POWER

State = Literal[
    "regressed",
    "can't tell",
    "not comparable",
    "accepted",
    "no worse",
    "improved",
    "same results",
    "identical",
    "too few changed",
    "not judged",
]

STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True, slots=True)
class Moved(JsonRecord):
    """Answers that went to another label."""

    source: str = declared("Their label in the reference.")
    target: str = declared("Their label now; empty if they have none.")
    count: Positive = declared("Number of answers that moved.")
    places: Count = declared("Number of gold places of the first label.")


@dataclass(frozen=True, slots=True)
class Loss:
    """The loss of a case or group against the reference, and its state.

    * ``state``: *regressed* if the interval is above the ``limit``, *improved* if below 0, *no worse* if within the
      limit,
      else *can't tell*. *accepted* is within a limit raised by a ``waiver``, but not the ``usual`` limit.
    * ``p``: one-sided, corrected; None if not tested.
    * ``discordant``: clusters that differ.
    * ``detectable_loss``: with 80 % power; NaN if unknown.
    * ``case``: "" for the mean over cases.
    * ``because_of``: regressed cases that explain a regressed mean.
    * ``weight``: in the mean, 0 to 1.
    * ``level``: one-sided; 0 decides nothing, NaN if not tested.
    * ``uncorrected_high``: upper end at the gate's confidence, of the clean and the mean loss.
    * ``stopped_early``: measured only until it was decided, so a regression is likely smaller.
    * ``moved``: moves of answers from or to a regressed label.
    """

    case: str
    group: str | None
    metric: str
    limit: float
    state: State
    by: Pairing | None = None
    new: float = math.nan
    reference: float = math.nan
    loss: Estimate = UNDEFINED
    p: float | None = None
    detectable_loss: float = math.nan
    discordant: int = 0
    share: float = 0.0
    blocking: bool = True
    reason: str = ""
    waiver: Waiver | None = None
    because_of: tuple[str, ...] = ()
    weight: float = 0.0
    usual: float = math.inf
    level: float = math.nan
    cases: int = 0
    of_cases: int = 0
    uncorrected_high: float = math.nan
    stopped_early: bool = False
    moved: tuple[Moved, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Hypothesis:
    """An unjudged loss, with resampled values if tested.

    Of few clusters, ``draws`` are values on subsets, and ``parts`` the shares of all counts in these.
    """

    loss: Loss
    draws: Floats | None = None
    few: Few | None = None
    most: float = math.inf
    too_few: bool = False
    parts: Floats | None = None


class Draws:
    """Resampled numbers, with the same resamples for all cases; numbers on subsets if there are ``few`` clusters."""

    def __init__(self, clusters: Sequence[str], resamples: int, *, few: bool = False) -> None:
        self._place = {cluster: row for row, cluster in enumerate(clusters)}
        self._resamples = resamples
        self.few = few

    def zeros(self) -> Floats:
        """A zero for each cluster."""
        return np.zeros(len(self._place))

    def rows(self, clusters: Sequence[str]) -> list[int]:
        """The places of these clusters among all."""
        return [self._place[cluster] for cluster in clusters]

    def values(self, clusters: Sequence[str], table: Floats, value: Callable[[Floats], Floats]) -> Floats:
        """The resampled ``value`` (resamples × …) of the sums of a table (clusters × …)."""
        return (
            values_on_subsets(self._placed(clusters, table), value) if self.few else value(self.sums(clusters, table))
        )

    def sums(self, clusters: Sequence[str], table: Floats) -> Floats:
        """Resampled sums (resamples × …) of a table (clusters × …)."""
        return bootstrap(len(self._place), self._resamples).sums(self._placed(clusters, table))

    def _placed(self, clusters: Sequence[str], table: Floats) -> Floats:
        placed = np.zeros((len(self._place), *table.shape[1:]))
        placed[self.rows(clusters)] = table
        return placed

    def parts(self, clusters: Sequence[str], counts: Floats) -> Floats | None:
        """The share of the ``counts`` (clusters × …) in each subset; None for resamples."""
        return parts_of(self._placed(clusters, counts.reshape(len(counts), -1).sum(axis=1))) if self.few else None


def judge_losses(tests: Sequence[Hypothesis], level: float, alone: float, gate: Gate) -> list[Loss]:
    """Judges losses; blocking ones are corrected for each other."""
    if level <= 0 and gate.correction != "none":
        found = judge_losses(tests, FINEST, alone, gate)
        return [
            _leave_undecided(test, loss) if loss.blocking else loss for test, loss in zip(tests, found, strict=True)
        ]
    losses = [test.loss for test in tests]
    asked = [which for which, test in enumerate(tests) if test.draws is not None]
    corrected = [which for which in asked if losses[which].blocking and gate.correction != "none"]
    together = [which for which in corrected if _varies(tests[which])]
    for which in asked:
        own = level / len(corrected) if which in corrected else alone
        if not _varies(tests[which]):
            losses[which] = _by_law(tests[which], own)
        elif which not in together:
            (losses[which],) = _together([tests[which]], own)
    own = level * len(together) / max(1, len(corrected))
    for which, loss in zip(together, _together([tests[which] for which in together], own), strict=True):
        losses[which] = loss
    return losses


def judge_by_holm(tests: Sequence[Hypothesis], level: float, alone: float, gate: Gate) -> list[Loss]:
    """Judges each loss by itself; blocking ones share the level, the clearest first.

    The ``p`` of a blocking loss is corrected, to be compared with the ``level``. Others are judged at ``alone``.
    [Holm, Scandinavian Journal of Statistics 6, 1979: 65-70]
    """
    losses = [by_itself(test, alone) for test in tests]
    blocking = [which for which, loss in enumerate(losses) if loss.blocking and gate.correction != "none"]
    order = sorted(blocking, key=lambda which: (1.0 if losses[which].p is None else losses[which].p, which))
    corrected, left = 0.0, len(order)
    for step, which in enumerate(order):
        loss = by_itself(tests[which], level / left)
        if loss.p is not None:
            corrected = min(1.0, max(corrected, loss.p * (len(order) - step)))
            loss = replace(loss, p=corrected, level=level)
        losses[which] = loss
        left -= loss.state == "regressed" and left == len(order) - step and left > 1
    return losses


def _together(tests: Sequence[Hypothesis], level: float) -> list[Loss]:
    flipped = [
        Flipped(test.loss.loss.value, test.loss.limit, test.draws, test.parts)
        for test in tests
        if test.draws is not None and test.parts is not None
    ]
    if flipped:
        return [
            _decide_by_flips(test, found, level) for test, found in zip(tests, flip_signs(flipped, level), strict=True)
        ]
    return [_decide(test, p, reach, level) for test, (p, reach) in zip(tests, _step_down(tests, level), strict=True)]


def by_itself(test: Hypothesis, level: float) -> Loss:
    """Judges one loss, uncorrected; level 0 decides nothing."""
    if test.draws is None:
        return test.loss
    at = max(level, FINEST)
    found = _together([test], at)[0] if _varies(test) else _by_law(test, at)
    return found if level else _leave_undecided(test, found)


def _leave_undecided(test: Hypothesis, loss: Loss) -> Loss:
    if test.draws is None:
        return loss
    return replace(loss, state="too few changed" if test.too_few else "can't tell", level=0.0)


def _varies(test: Hypothesis) -> bool:
    if test.parts is not None:
        return not test.too_few
    few = test.too_few or test.loss.discordant < FEWEST
    return test.draws is not None and not few and _se(test.draws) > ROUNDING


def _by_law(test: Hypothesis, level: float) -> Loss:
    found = _judge_by_law(test, level)
    return too_few(found, test) if test.too_few and found.state != "regressed" else found


def too_few(loss: Loss, test: Hypothesis) -> Loss:
    """The loss, undecided for too few changes."""
    needed = FEWEST_CLUSTERS if test.parts is None else FEWEST
    return replace(loss, state="too few changed", reason=only_changed(loss.loss.n, needed))


def only_changed(n: int, needed: int) -> str:
    """Why so few changes decide nothing."""
    return f"only {n} changed; a case by itself needs {needed}"


def _judge_by_law(test: Hypothesis, level: float) -> Loss:
    detectable_loss = detectable_loss_of_few(test.loss.limit, test.loss.loss.n, level, test.most)
    loss = replace(test.loss, detectable_loss=detectable_loss, level=level)
    if test.few is None:
        few = f"only {loss.discordant} of the examples differ"
        return replace(
            loss,
            reason=few
            if loss.discordant < FEWEST
            else ("all examples differ by the same amount, so there is no interval"),
        )
    law = test.few.law
    low, high = law.low(level), law.high(level)
    p = law.at_most(loss.limit)
    found = replace(loss.loss, low=low, high=high)
    return replace(loss, state=state_of(p <= level and low > loss.limit, high, loss.limit, loss.usual), loss=found, p=p)


def detectable_loss_of_few(limit: float, clusters: int, level: float, most: float) -> float:
    """The detectable loss of few clusters; NaN above ``most``."""
    reach = NormalDist().inv_cdf(1 - level) + NormalDist().inv_cdf(POWER)
    part = reach**2 / clusters
    detectable_loss = (2 * limit + part + math.sqrt(part**2 + 4 * part * limit * (1 - limit))) / (2 * (1 + part))
    return detectable_loss if detectable_loss <= most else math.nan


def exact(loss: Loss) -> Loss:
    """The loss with its state, without sampling error."""
    beyond = loss.loss.value > loss.limit + ROUNDING
    state = state_of(beyond, loss.loss.value, loss.limit, loss.usual)
    return replace(certain(loss), state=state, p=float(not beyond))


def certain(loss: Loss) -> Loss:
    """The loss with an interval of width 0."""
    value = loss.loss.value
    return replace(loss, loss=replace(loss.loss, low=value, high=value, se=0.0))


def state_of(beyond: bool, high: float, limit: float, usual: float = math.inf) -> State:
    """The state of a loss; ``usual`` is the limit without a waiver."""
    if beyond:
        return "regressed"
    if high < 0:
        return "improved"
    if high > limit + ROUNDING:
        return "can't tell"
    return "no worse" if high <= usual + ROUNDING else "accepted"


def _se(draws: Floats) -> float:
    return float(np.nanstd(draws, ddof=1))


def _step_down(tests: Sequence[Hypothesis], level: float) -> list[tuple[float, float]]:
    """Steps down as Westfall and Young (1993, 2.6, 2.8) do."""
    if not tests:
        return []
    columns = [test.draws for test in tests if test.draws is not None]
    values = np.array([test.loss.loss.value for test in tests])
    spreads = np.array([_se(column) for column in columns])
    excess = (values - [test.loss.limit for test in tests]) / spreads
    chance = np.nan_to_num((np.column_stack(columns) - values) / spreads, nan=-np.inf)
    order = np.argsort(-excess, kind="stable")
    largest = np.maximum.accumulate(chance[:, order[::-1]], axis=1)[:, ::-1]
    found: dict[int, tuple[float, float]] = {}
    p, reach, open_still = 0.0, 0.0, True
    for step, which in enumerate(order.tolist()):
        tail = _Tail(largest[:, step])
        p = max(p, tail.beyond(float(excess[which])))
        reach = tail.reach(level) if open_still else reach
        open_still = open_still and p <= level
        found[which] = p, reach
    return [found[which] for which in range(len(tests))]


class _Tail:
    _COUNTED = 10

    def __init__(self, draws: Floats) -> None:
        self._sorted = np.sort(draws)[::-1]
        self._last = float(self._sorted[self._COUNTED - 1])
        self._rate = self._COUNTED / (len(draws) + 1)

    def beyond(self, value: float) -> float:
        if value > self._last:
            return self._rate * _above(value) / _above(self._last)
        return (1 + int((self._sorted >= value).sum())) / (len(self._sorted) + 1)

    def reach(self, level: float) -> float:
        if level < self._rate:
            return -NormalDist().inv_cdf(max(level / self._rate * _above(self._last), 1e-15))
        return float(self._sorted[min(math.floor(level * (len(self._sorted) + 1)), len(self._sorted)) - 1])


def _decide_by_flips(test: Hypothesis, found: FlipTest, level: float) -> Loss:
    """Few clusters can regress, and never pass: their upper end is not exact where losses are skewed."""
    assert test.draws is not None
    loss, spread = test.loss, _se(test.draws)
    value, limit = loss.loss.value, loss.limit
    low, high = found.low(test.draws), found.high(test.draws)
    if test.few is not None:
        high = max(high, test.few.law.high(max(found.rank / len(test.draws), FINEST)))
    low, high = max(min(low, value), -test.most), min(max(high, value), test.most)
    if loss.discordant < FEWEST:
        detectable_loss = detectable_loss_of_few(limit, loss.loss.n, level, test.most)
    else:
        detectable_loss = limit + value - low + NormalDist().inv_cdf(POWER) * spread
    return replace(
        loss,
        state="regressed" if found.p <= level and low > limit else "can't tell",
        loss=replace(loss.loss, low=low, high=high, se=spread),
        p=found.p,
        detectable_loss=detectable_loss if detectable_loss <= test.most else math.nan,
        level=level,
    )


def _above(value: float) -> float:
    return 0.5 * math.erfc(value / math.sqrt(2))


def _decide(test: Hypothesis, p: float, reach: float, level: float) -> Loss:
    assert test.draws is not None
    value, spread, limit = test.loss.loss.value, _se(test.draws), test.loss.limit
    low, high = max(value - reach * spread, -test.most), min(value + reach * spread, test.most)
    state = state_of(p <= level and value > limit, high, limit, test.loss.usual)
    detectable_loss = limit + (reach + NormalDist().inv_cdf(POWER)) * spread
    if detectable_loss > test.most:
        detectable_loss = math.nan
    return replace(
        test.loss,
        state=state,
        loss=replace(test.loss.loss, low=low, high=high, se=spread),
        p=p,
        detectable_loss=detectable_loss,
        level=level,
    )
