"""Epochs as repeats: sampling models flip without rewording, and fragility includes this noise."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Unpack

from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.metrics import Net, Share, column
from abalo.questions.answers import ORIG, ChoiceAnswer
from abalo.questions.measures import MEAN, Sampling, over_questions

Repeats = Mapping[int, int | None]

_Rates = Callable[[Mapping[str, Repeats]], Iterable[float]]


def noise(rows: Iterable[ChoiceAnswer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Mean share of pairs of repeats with different options, 0 to 1; NaN without repeats.

    The original weighs as much as all variants together. A missing answer is an option.
    """
    return _over_questions(rows, task, _noise, sampling)


def fragility_beyond_noise(
    rows: Iterable[ChoiceAnswer], task: str | None = None, **sampling: Unpack[Sampling]
) -> Estimate:
    """Share of variants answered differently from the original of *another* epoch, minus `noise`, -1 to 1; NaN without
    repeats.

    Its expectation is 0 if wording makes no difference, else half the squared distance of option probabilities. Within
    an epoch, all wordings share a seed.
    """
    return _over_questions(rows, task, _beyond_noise, sampling, Net(column(0), column(1)))


def noise_of_wording(rows: Iterable[ChoiceAnswer], task: str | None = None, **sampling: Unpack[Sampling]) -> Estimate:
    """Mean share of differing pairs of repeats over all wordings, 0 to 1; NaN without repeats."""
    return _over_questions(rows, task, _any_noise, sampling)


def _noise(wordings: Mapping[str, Repeats]) -> Iterator[float]:
    for original, variant in _pair_repeats(wordings):
        yield (_differing(original) + _differing(variant)) / 2


def _beyond_noise(wordings: Mapping[str, Repeats]) -> Iterator[float]:
    for original, variant in _pair_repeats(wordings):
        across = [a != b for epoch, a in original.items() for other, b in variant.items() if epoch != other]
        yield sum(across) / len(across) - (_differing(original) + _differing(variant)) / 2


def _any_noise(wordings: Mapping[str, Repeats]) -> Iterator[float]:
    for repeats in wordings.values():
        if len(repeats) > 1:
            yield _differing(repeats)


def _pair_repeats(wordings: Mapping[str, Repeats]) -> Iterator[tuple[Repeats, Repeats]]:
    original = wordings.get(ORIG, {})
    for variant, repeats in wordings.items():
        if variant != ORIG and len(original) > 1 and len(repeats) > 1:
            yield original, repeats


def _differing(repeats: Repeats) -> float:
    pairs = [a != b for a, b in combinations(repeats.values(), 2)]
    return sum(pairs) / len(pairs)


def _over_questions(
    rows: Iterable[ChoiceAnswer], task: str | None, rates: _Rates, sampling: Sampling, value: Share | Net = MEAN
) -> Estimate:
    found: dict[tuple[str, str, str], dict[int | None, dict[str, dict[int, int | None]]]] = {}
    for row in rows:
        if task is None or row.task == task:
            seeds = found.setdefault((row.task, row.id, row.model), {})
            seeds.setdefault(row.seed, {}).setdefault(row.variant, {})[row.epoch] = row.pred_option
    means = ((key[1], [_mean(rates(wordings)) for wordings in seeds.values()]) for key, seeds in found.items())
    known = ((question, [each for each in values if not math.isnan(each)]) for question, values in means)
    return over_questions(((question, _mean(values)) for question, values in known if values), value, **sampling)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return math.fsum(found) / len(found) if found else math.nan
