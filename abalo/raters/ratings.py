"""Results of rated sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np

from abalo.core.records import words
from abalo.core.statistics.numbers import number_of
from abalo.raters import forms
from abalo.raters.agreement import kappa
from abalo.raters.forms import Key
from abalo.raters.sheets import ORIGINAL
from abalo.reporting.formats.markdown import escape, table
from abalo.version import __version__
from perturbations import stream


@dataclass(frozen=True, slots=True)
class RatedSheet:
    """A filled sheet: kind and rating by id, 1 to 5 or None."""

    rater: str
    kinds: Mapping[str, str]
    ratings: Mapping[str, int | None]

    def of(self, kind: str) -> list[int | None]:
        """The ratings of one kind of sentence."""
        return [rating for name, rating in self.ratings.items() if self.kinds[name] == kind]


@dataclass(frozen=True, slots=True)
class RatingResult:
    """One rater's ratings of one kind of sentence.

    ``change`` is the mean less the mean of the originals, ``p`` its `p_value`; NaN if undefined.
    """

    rater: str
    kind: str
    n: int
    blank: int
    mean: float
    change: float
    p: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """The `kappa` of two raters over the ``n`` sentences that both rated."""

    raters: tuple[str, str]
    n: int
    kappa: float


@dataclass(frozen=True, slots=True)
class RatingReport:
    """Results of all raters, with seed and resamples of the p values."""

    version: str
    seed: int
    resamples: int
    found: tuple[RatingResult, ...]
    agreement: tuple[Agreement, ...]


def collect_ratings(key: Key, sheets: Sequence[forms.FilledSheet]) -> list[RatedSheet]:
    """Adds the kinds of sentences; a missing row counts as unrated."""
    return [
        RatedSheet(
            sheet.rater,
            {name: key.items[name]["kind"] for name in sheet.said},
            {name: None if rating is None else int(rating) for name, (rating,) in sheet.said.items()},
        )
        for sheet in sheets
    ]


def report(sheets: Sequence[RatedSheet], seed: int = 1, resamples: int = 10_000) -> RatingReport:
    """Results by rater and kind, and the agreement of every two raters."""
    found = [
        _result_of(sheet, kind, stream(seed, "ratings", sheet.rater, kind), resamples)
        for sheet in sheets
        for kind in sorted(set(sheet.kinds.values()), key=lambda kind: (kind != ORIGINAL, kind))
    ]
    agreement = [_agreement(*two) for two in combinations(sheets, 2)]
    return RatingReport(__version__, seed, resamples, tuple(found), tuple(agreement))


def _result_of(sheet: RatedSheet, kind: str, draws: Random, resamples: int) -> RatingResult:
    given, originals = ([r for r in sheet.of(each) if r is not None] for each in (kind, ORIGINAL))
    mean, change, p = _mean(given), math.nan, math.nan
    if kind != ORIGINAL:
        change, p = mean - _mean(originals), p_value(given, originals, draws, resamples)
    return RatingResult(sheet.rater, kind, len(given), sheet.of(kind).count(None), mean, change, p)


def _mean(ratings: Sequence[int]) -> float:
    return sum(ratings) / len(ratings) if ratings else math.nan


def p_value(first: Sequence[int], second: Sequence[int], draws: Random, resamples: int = 10_000) -> float:
    """Two-sided p of a permutation test of two means of unpaired ratings; NaN if a group is empty.

    (k + 1) / (n + 1) for k of n random divisions that separate the means at least as far [Phipson & Smyth, Permutation
    P-values Should Never Be Zero, 2010].
    """
    if not first or not second:
        return math.nan
    ratings = np.array([*first, *second])
    generator = np.random.Generator(np.random.PCG64(int(draws.random() * 2**53)))
    # How often each rating falls to the first group is all that its sum depends on.
    groups = generator.multivariate_hypergeometric(np.bincount(ratings), len(first), size=resamples)
    # Means part as far as the first group's sum is from its expectation; times len(ratings), in whole numbers.
    expected = len(first) * ratings.sum()
    reached = np.abs((groups @ np.arange(groups.shape[1])) * len(ratings) - expected)
    as_far = np.count_nonzero(reached >= abs(sum(first) * len(ratings) - expected))
    return (int(as_far) + 1) / (resamples + 1)


def _agreement(one: RatedSheet, other: RatedSheet) -> Agreement:
    both = [(rating, other.ratings.get(name)) for name, rating in one.ratings.items()]
    rated = [(first, second) for first, second in both if first is not None and second is not None]
    return Agreement((one.rater, other.rater), len(rated), kappa(rated))


def markdown(result: RatingReport) -> str:
    """The report as GitHub Markdown."""
    found = [
        f"{row.rater} | {escape(row.kind, 80)} | {row.n} | {row.blank} | {words.number(number_of(row.mean), 2)} "
        f"| {words.number(number_of(row.change), 2)} | {words.p_value(number_of(row.p))}"
        for row in result.found
    ]
    agreement = [
        f"{' and '.join(row.raters)} | {row.n} | {words.number(number_of(row.kappa))}" for row in result.agreement
    ]
    return f"""# Grammaticality

{table("Rater | Sentences | Rated | Blank | Mean | Change | p", "--- | --- | --: | --: | --: | --: | --:", *found)}

Rated from 1 (very poor) to 5 (very good), without knowing which sentences an attack had changed. Change: mean less that
of the same rater's originals, which are other sentences. p: two-sided permutation test of the change,
{result.resamples:,} permutations, seed {result.seed}, not corrected for the number of tests.

## Agreement

{table("Raters | Rated by both | Kappa (linear weights)", "--- | --: | --:", *agreement)}
"""
