"""The mean loss over the cases."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from abalo.comparison.test.family import MEAN_PART, Runs
from abalo.comparison.test.subjects import CaseSubject
from abalo.core.statistics.few_events import Few, MeanLaw, few_in_net, few_mean
from abalo.core.statistics.losses import (
    Draws,
    Hypothesis,
    Loss,
    by_itself,
    certain,
    state_of,
)
from abalo.core.statistics.metrics import Floats
from abalo.core.statistics.sequential import level_at


@dataclass(frozen=True, slots=True, eq=False)
class InMean:
    """A case of the mean, and the hypothesis about its loss."""

    subject: CaseSubject
    test: Hypothesis


def pool_weights(cases: Sequence[tuple[str, Sequence[str]]]) -> list[float]:
    """Weights cases by the clusters that their name changed."""
    of_name: dict[str, list[Sequence[str]]] = defaultdict(list)
    for name, clusters in cases:
        of_name[name].append(clusters)
    distinct = {name: len(set().union(*own)) for name, own in of_name.items()}
    units = {name: sum(map(len, own)) for name, own in of_name.items()}
    whole = sum(distinct.values())
    return [distinct[name] / whole * len(clusters) / units[name] for name, clusters in cases]


def weights_of(parts: Sequence[InMean]) -> list[float]:
    """The weights of the cases, which sum to 1."""
    return pool_weights([(each.subject.case.name, each.subject.clusters) for each in parts])


def mean_over(parts: Sequence[InMean], draws: Draws, limit: float) -> Hypothesis | None:
    """The hypothesis that the weighted mean of the losses is at most the ``limit``; None without cases."""
    if not parts:
        return None
    weights, tests = weights_of(parts), [each.test for each in parts]

    def over(values: Iterable[float]) -> float:
        return math.fsum(weight * value for weight, value in zip(weights, values, strict=True))

    first, clusters = tests[0].loss, set().union(*(each.subject.clusters for each in parts))
    value = over(test.loss.loss.value for test in tests)
    mean = replace(
        first,
        case="",
        by=None,
        new=over(test.loss.new for test in tests),
        reference=over(test.loss.reference for test in tests),
        loss=replace(first.loss, value=value, n=len(clusters)),
        discordant=len(set().union(*(each.subject.differing for each in parts))),
        waiver=None,
        limit=limit,
        usual=limit,
    )
    resampled = [
        weight * (test.draws if draws.few else _known(test.draws, test.loss.loss.value))
        for test, weight in zip(tests, weights, strict=True)
        if test.draws is not None
    ]
    if not resampled:
        known = {test.loss.state for test in tests} == {"identical"}
        return Hypothesis(certain(replace(mean, state="identical" if known else "same results")))
    few = _few_in_mean(parts, weights, draws, mean.discordant)
    sizes = [(weight, test.parts) for test, weight in zip(tests, weights, strict=True) if test.parts is not None]
    whole = math.fsum(weight for weight, _ in sizes)
    together = np.sum([weight / whole * each for weight, each in sizes], axis=0) if sizes else None
    return Hypothesis(mean, np.sum(resampled, axis=0), few, most=tests[0].most, parts=together)


def _known(drawn: Floats, value: float) -> Floats:
    return np.where(np.isnan(drawn), value, drawn)  # a resample without its examples


def _few_in_mean(parts: Sequence[InMean], weights: Sequence[float], draws: Draws, events: int) -> Few | None:
    gains = [each.subject.gains() for each in parts]
    trainings = {len(own) for own in gains}
    if trainings == {0}:
        return _mean_of_laws(parts, weights, events)
    if len(trainings) != 1:
        return None
    found = []
    for k in range(*trainings):
        sums = [own[k][1].sum() for own in gains]
        pooled_gains, pooled_trials = draws.zeros(), draws.zeros()
        for part, weight, own, total in zip(parts, weights, gains, sums, strict=True):
            if not total:
                continue
            rows, scale = draws.rows(part.subject.clusters), weight * sum(sums) / total
            pooled_gains[rows] += scale * own[k][0]
            pooled_trials[rows] += scale * own[k][1]
        found.append(few_in_net(pooled_gains, pooled_trials, always=draws.few))
    return few_mean([each for each in found if each is not None]) if None not in found else None


def _mean_of_laws(parts: Sequence[InMean], weights: Sequence[float], events: int) -> Few | None:
    """Cases with the same answers lose nothing."""
    own = [(part.test.few, weight) for part, weight in zip(parts, weights, strict=True) if part.test.draws is not None]
    known = [(few.law, weight) for few, weight in own if few is not None]
    if len(known) < len(own):
        return None
    return Few(MeanLaw(*(tuple(each) for each in zip(*known, strict=True))), events)


def reasons_of_mean(mean: Loss, parts: Sequence[InMean], losses: Sequence[Loss]) -> tuple[str, ...]:
    """The regressed cases without which the mean would be within its limit; empty if it has not regressed."""
    if mean.state != "regressed":
        return ()
    lost = {loss.case for loss in losses if loss.state == "regressed" and loss.group is None and loss.blocking}
    shares = [
        (each.subject.case.id, weight, each.test.loss.loss.value)
        for each, weight in zip(parts, weights_of(parts), strict=True)
    ]
    return because_of(shares, lost, mean.limit)


def because_of(shares: Sequence[tuple[str, float, float]], lost: Set[str], limit: float) -> tuple[str, ...]:
    """The regressed cases that explain the mean's regression."""
    own, others = ([share for share in shares if (share[0] in lost) is told] for told in (True, False))
    left = math.fsum(weight * value for _, weight, value in others)
    rest = math.fsum(weight for _, weight, _ in others)
    if left > limit * rest or (len(shares) > 1 and len(own) > len(others)):
        return ()
    return tuple(case for case, _, _ in own)


def mean_apart(parts: Sequence[InMean], draws: Draws, level: float, runs: Runs, limit: float) -> Loss | None:
    """Averages the ends of intervals, so stopping times do not matter."""
    plain = mean_over(parts, draws, limit)
    if plain is None or plain.draws is None:
        return None if plain is None else plain.loss
    low, high = _ends(parts, level * MEAN_PART / len(parts), runs)
    loss = plain.loss
    return replace(
        loss,
        state=state_of(low > limit, high, limit),
        loss=replace(loss.loss, low=low, high=high),
        uncorrected_high=_ends(parts, level, runs)[1],
    )


def _ends(parts: Sequence[InMean], level: float, runs: Runs) -> tuple[float, float]:
    each = [by_itself(part.test, level_at(runs.new[part.test.loss.case].notes, level)).loss for part in parts]
    low, high = (
        math.fsum(weight * end for weight, end in zip(weights_of(parts), ends, strict=True))
        for ends in zip(*((one.low, one.high) for one in each), strict=True)
    )
    return low, high
