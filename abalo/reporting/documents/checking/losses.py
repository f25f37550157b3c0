"""Recomputes the states of stored losses from their numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from abalo.core.comparison import (
    CASES_PART,
    CLEAN_PART,
    MEAN_PART,
    SAME,
    STOPPED,
    TYPES,
    because_of,
    is_held,
    is_identical,
    is_lost,
    worst_state,
)
from abalo.core.document import Document
from abalo.core.few_events import FEWEST
from abalo.core.found import certain
from abalo.core.label_losses import compared_by
from abalo.core.losses import STATES, State, detectable_loss_of_few, only_changed, state_of
from abalo.core.losses_found import ComparedTask, Comparison, Gone, LossFacts, Vanished
from abalo.core.numbers import STORED
from abalo.core.panel import PanelNotes
from abalo.core.plan import BASELINE
from abalo.core.statistics import FEWEST_CLUSTERS
from abalo.core.task import tasks
from abalo.reporting.documents.checking.faults import Fault, differing, near, unlikely
from abalo.reporting.documents.loss_tests import rows_of

NUMBERS = "its numbers"

_TOLD: tuple[State, ...] = ("can't tell", "not comparable", "too few changed")


def loss_faults(document: Document) -> Iterator[Fault]:
    """Yields contradictions in stored losses."""
    found = document.comparison
    if found is None:
        return
    gate, place = document.gate, "comparison"
    if gate.confidence is not None:
        yield from differing(f"{place}.level", found.level, (1 - gate.confidence) / 2, "gate.confidence")
    for name, own in found.tasks.items():
        yield from _of_task(f"{place}.tasks.{name}", name, own, document)
    states = {own.state for own in found.tasks.values()} | ({"not comparable"} if found.missing else set())
    worst = next((state for state in STATES if state in states), "not comparable")
    yield from unlikely(f"{place}.state", found.state, [worst], "its tasks")
    decided = not found.missing and all(own.decided for own in found.tasks.values())
    yield from unlikely(f"{place}.decided", found.decided, [decided], "its tasks")
    missing = sorted(document.tasks.keys() - found.tasks.keys())
    yield from differing(f"{place}.missing", found.missing, missing, "the tasks of the run")
    yield from _since(found)


def _since(found: Comparison) -> Iterator[Fault]:
    since = found.since
    if since is None:
        return
    before = {} if found.reference.since is None else dict(found.reference.since.mean_loss)
    means = {name: own.mean.value for name, own in found.tasks.items() if own.mean is not None}
    follows = before | {name: before.get(name, 0.0) + value for name, value in means.items() if value is not None}
    for name, value in follows.items():
        said = since.mean_loss.get(name)
        if said is None or abs(said - value) > 2 * STORED:
            yield Fault(f"comparison.since.mean_loss.{name}", said, round(value, 6), "the mean losses")


def _of_task(place: str, name: str, own: ComparedTask, document: Document) -> Iterator[Fault]:
    level = certain(document.comparison).level
    every: list[Gone | Vanished] = [*own.lost, *own.vanished]
    for label in every:
        kind = "lost" if isinstance(label, Gone) else "vanished"
        is_of_case = isinstance(label, Vanished) and bool(label.case)
        is_lost_now = is_lost(label.places, label.found, label.examples)
        follows = "lost" if is_lost_now and not is_of_case else "vanished"
        yield from unlikely(f"{place}: the label {label.type}", kind, [follows], NUMBERS)
    for row, part in ((own.baseline, "baseline"), (own.mean, "mean")):
        if row is not None:
            yield from _of_loss(f"{place}.{part}", name, row)
    blocking = {each.id: bool(each.blocking) for each in document.results}
    for row in own.losses:
        here = f"{place}.losses[{row.id}{'' if row.type is None else ' ' + row.type} {row.metric}]"
        yield from _of_loss(here, name, row)
        if row.type is not None and row.id not in (f"{name}/{BASELINE}", f"{name}/{TYPES}"):  # shown, never judged
            yield from differing(f"{here}.reason", row.reason, None, "its case")
        if row.id in blocking and row.id != f"{name}/{BASELINE}":
            yield from differing(f"{here}.blocking", row.blocking, blocking[row.id], "its case")
    counted = Counter((row.id, row.type, row.metric) for row in own.losses)
    for (case, group, metric), times in counted.items():
        if times > 1:
            yield Fault(f"{place}.losses: the number of rows on {case} {group} {metric}", times, 1, "all others")
    yield from _levels(place, name, own, level, document)
    if own.panel:
        yield from _of_panel(f"{place}.mean", own)
    elif own.mean is not None:
        yield from _of_mean(f"{place}.mean", own)
    elif any(row.weight for row in own.losses):
        yield Fault(f"{place}.mean", None, "a loss", "the weights of its cases")
    states = [(row.state, row.blocking) for row in rows_of(own)]
    state = worst_state(states, lost=bool(own.lost))
    yield from unlikely(f"{place}.state", own.state, [state], "its losses")
    if own.identical and not is_identical([state for state, _ in states]):
        yield Fault(f"{place}.identical", True, False, "its losses")
    decided = is_held(
        state,
        own.baseline.state,
        None if own.mean is None else own.mean.state,
        [
            (row.state, row.waiver is not None and not row.weight)
            for row in own.losses
            if row.type is None and row.blocking
        ],
        gone=bool(own.lost or own.vanished),
        perturbed=own.perturbed,
    )
    yield from unlikely(f"{place}.decided", own.decided, [decided], "its losses")


# One loss -------------------------------------------------------------------------------------------------------------


def _of_loss(place: str, task: str, row: LossFacts) -> Iterator[Fault]:
    yield from unlikely(f"{place}.state", row.state, _states(row), NUMBERS)
    yield from _numbers(place, task, row)
    yield from _check_waiver(place, row)
    yield from _p(place, row)
    yield from _check_detectable_loss(place, task, row)


def _states(row: LossFacts) -> list[State]:
    low, high, p, level = row.low, row.high, row.p, row.level
    if row.type is not None and level is None and (row.reason is not None or low is None):
        return ["can't tell"] if row.reason == STOPPED else ["not judged"]
    few = row.reason in _few_changed(row)
    if row.reason is not None:
        whole = row.id is None
        return ["too few changed" if few else "can't tell" if whole or row.paired_by is not None else "not comparable"]
    if low is None or high is None:
        return []
    if p is None and low == high == row.value and not row.discordant:
        return [*SAME]
    undecided: list[State] = ["can't tell", "too few changed"] if level == 0 else []
    if level == 0 and p != 0:
        return undecided
    if level is None and p in (0, 1):  # nothing is left to chance
        return [
            *undecided,
            *dict.fromkeys(state for state in _by_interval(row, low, high) if (state == "regressed") == (p == 0)),
        ]
    return [*undecided, *dict.fromkeys(_by_interval(row, low, high))]


def _few_changed(row: LossFacts) -> list[str]:
    return [only_changed(row.n, needed) for needed in (FEWEST, FEWEST_CLUSTERS)]


def _by_interval(row: LossFacts, low: float, high: float) -> Iterator[State]:
    limit = usual = certain(row.limit)
    if row.waiver is not None:
        usual = row.waiver.usual
    for off in (0.0, -STORED, STORED):
        for beyond in {low + off > limit, low > limit}:
            yield state_of(beyond, high + off, limit, usual)


def _numbers(place: str, task: str, row: LossFacts) -> Iterator[Fault]:
    if row.discordant > row.n:
        yield Fault(f"{place}.discordant", row.discordant, row.n, f"at most {place}.n")
    if row.reason is not None and row.reason not in _few_changed(row) and row.low is not None:
        yield Fault(f"{place}.reason", row.reason, None, "its interval")
    if row.value is None:
        for name in ("low", "high", "p", "level"):
            yield from differing(f"{place}.{name}", getattr(row, name), None, "its value")
        return
    if row.reference is None or row.new is None:
        return
    sign = 1 if compared_by(tasks()[task], row.metric, row.type).more_is_better else -1
    follows = sign * (row.reference - row.new)
    if abs(row.value - follows) > 2 * STORED:
        yield Fault(f"{place}.value", row.value, round(follows, 6), "the numbers of both runs")
    alone = row.uncorrected_high
    if alone is not None and row.high is not None and not row.value - STORED <= alone <= row.high + STORED:
        yield Fault(f"{place}.uncorrected_high", alone, [row.value, row.high], "its value and its corrected interval")
    if row.low is not None and not row.low - STORED <= row.value <= row.high + STORED:
        yield Fault(f"{place}.value", row.value, [row.low, row.high], "the ends of its interval")


def _check_waiver(place: str, row: LossFacts) -> Iterator[Fault]:
    waiver = row.waiver
    if waiver is not None:
        limit = waiver.usual if waiver.over else max(waiver.usual, waiver.accepted_loss)
        yield from differing(f"{place}.limit", row.limit, limit, "its waiver")


def _p(place: str, row: LossFacts) -> Iterator[Fault]:
    """P is at most the level if and only if the interval lies above the limit."""
    p, level, low, limit = row.p, row.level, row.low, row.limit
    if level is None and p not in (None, 0, 1):  # something is left to chance
        yield Fault(f"{place}.level", None, "a number", f"{place}.p")
    if p is None or not level or low is None:
        return
    varies = _varies(row)
    if low > limit + STORED and row.state == "regressed" and p > level + STORED:
        yield Fault(f"{place}.p", p, f"at most {level:g}", "its level and its interval")
    if varies and low > limit + STORED and p > level + STORED:
        yield Fault(f"{place}.p", p, f"at most {level:g}", "its interval")
    if varies and low < limit - STORED and p < level - STORED:
        yield Fault(f"{place}.p", p, f"more than {level:g}", "its interval")


def _varies(row: LossFacts) -> bool:
    """Only resampling gives a symmetric interval."""
    if not row.level or row.low is None or row.discordant < FEWEST:
        return False
    few_changed = row.type is None and row.n < FEWEST_CLUSTERS
    value, high = certain(row.value), certain(row.high)
    return not few_changed and near(high - value, value - row.low, 4 * STORED)


def _most(task: str, row: LossFacts) -> float:
    metric = compared_by(tasks()[task], row.metric, row.type)
    return metric.high - metric.low


def _check_detectable_loss(place: str, task: str, row: LossFacts) -> Iterator[Fault]:
    level, detectable_loss = row.level, row.detectable_loss
    if level is None or not 10 * STORED <= level < 0.5:
        return
    most = _most(task, row)
    if row.discordant < FEWEST and row.low is not None:
        found = [detectable_loss_of_few(certain(row.limit), row.n, level + off, most) for off in (STORED, -STORED)]
        ends = [most if math.isnan(each) else each for each in found]
        said = most if detectable_loss is None else detectable_loss
        if not ends[0] - 2 * STORED <= said <= ends[1] + 2 * STORED:
            yield Fault(f"{place}.detectable_loss", detectable_loss, round(ends[0], 6), NUMBERS)
    elif detectable_loss is not None and row.high is not None and row.high < most and _varies(row):
        least = certain(row.limit) + row.high - certain(row.value)
        if detectable_loss < least - 4 * STORED:
            yield Fault(f"{place}.detectable_loss", detectable_loss, f"at least {least:.6f}", "its interval")


# Losses together ------------------------------------------------------------------------------------------------------


def _levels(place: str, name: str, own: ComparedTask, level: float, document: Document) -> Iterator[Fault]:
    early = any(each.taken is not None for each in document.results)
    uncorrected = document.gate.correction == "none"
    plan = document.tasks[name].plan if name in document.tasks else None
    if own.judged > own.hypotheses:
        yield Fault(f"{place}.judged", own.judged, own.hypotheses, f"at most {place}.hypotheses")
    share = CASES_PART * own.judged / max(1, own.hypotheses)
    parts = [(own.baseline, CLEAN_PART), *([] if own.mean is None or early else [(own.mean, MEAN_PART)])]
    for row, part in parts:
        if row.level is not None:
            follows = level if uncorrected or not row.blocking else level * part
            if plan is not None and row.id is None:
                follows = PanelNotes(0, plan.seen, plan.sentences, plan.looks).level(follows)
            yield from differing(f"{place}.{'baseline' if row.id else 'mean'}.level", row.level, follows, "the level")
    if early:
        return
    tested = [row for row in own.losses if row.level is not None]
    corrected = [] if uncorrected else [row for row in tested if row.blocking]
    alone = level * share / max(1, len(corrected))
    together = [row for row in corrected if row.level > alone + STORED]
    for row in tested:
        here = f"{place}.losses[{row.id}{'' if row.type is None else ' ' + row.type} {row.metric}].level"
        if row not in corrected:
            yield from differing(here, row.level, level, "the level")
        else:
            follows = alone * len(together) if row in together else alone
            yield from differing(here, row.level, follows, "the level")


def _of_panel(place: str, own: ComparedTask) -> Iterator[Fault]:
    """A panel pools counts that the report lacks, so cases have no weights."""
    if own.mean is not None and own.mean.because_of:
        yield Fault(f"{place}.because_of", [*own.mean.because_of], [], "its panel")
    for row in own.losses:
        if row.weight:
            yield Fault(f"{place}: the weight of {row.id}", row.weight, 0, "its panel")


def _of_mean(place: str, own: ComparedTask) -> Iterator[Fault]:
    mean = certain(own.mean)
    parts = [row for row in own.losses if row.weight]
    slack = (len(parts) + 1) * STORED
    total = math.fsum(row.weight for row in parts)
    if abs(total - 1) > slack:
        yield Fault(f"{place}: the weights of its cases", round(total, 6), 1.0, "all of them")
    for name in ("value", "reference", "new"):
        follows = math.fsum(row.weight * getattr(row, name) for row in parts)
        said = getattr(mean, name)
        if said is None or abs(said - follows) > 2 * slack:
            yield Fault(f"{place}.{name}", said, round(follows, 6), "its cases")
    shares = [(certain(row.id), row.weight, certain(row.value)) for row in parts]
    lost = {certain(row.id) for row in own.losses if row.state == "regressed" and row.type is None and row.blocking}
    follows_from: list[object] = [[]]
    if mean.state == "regressed":
        follows_from = [[*because_of(shares, lost, certain(mean.limit) + off)] for off in (0.0, -slack, slack)]
    yield from unlikely(f"{place}.because_of", mean.because_of, _distinct(follows_from), "its cases")


def _distinct(found: Sequence[object]) -> list[object]:
    return [each for number, each in enumerate(found) if each not in found[:number]]
