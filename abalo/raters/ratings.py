"""Results of filled sheets: means, significant changes, and the agreement of raters."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np

from abalo.core import words
from abalo.core.example import Json
from abalo.core.numbers import plain_fields
from abalo.corpora.findings import Findings, shown
from abalo.errors import AbaloError
from abalo.files import write_text
from abalo.raters.agreement import kappa
from abalo.raters.sheets import KEY, KEY_COLUMNS, ORIGINAL, SHEET_COLUMNS
from abalo.reporting.cells import read_csv
from abalo.reporting.markdown import escaped, table
from abalo.version import __version__
from perturbations import stream

_SCALE = ("1", "2", "3", "4", "5")


@dataclass(frozen=True, slots=True)
class Filled:
    """A sheet that came back: for each id the kind of its sentence, and its rating, 1 to 5, or None without one."""

    rater: str
    kinds: Mapping[str, str]
    ratings: Mapping[str, int | None]

    def of(self, kind: str) -> list[int | None]:
        """The ratings of the sentences of this kind."""
        return [rating for name, rating in self.ratings.items() if self.kinds[name] == kind]


@dataclass(frozen=True, slots=True)
class Found:
    """The ratings of a rater for the sentences of one kind: ``n`` with a rating, ``blank`` without.

    ``mean`` is 1 to 5; ``change`` is the mean less that of the rater's originals, ``p`` its `p_value`. NaN where there
    are no ratings to tell it from, and for change and p of the originals.
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
class Report:
    """All that came out; ``seed`` and ``resamples`` are those of the p values."""

    version: str
    seed: int
    resamples: int
    found: tuple[Found, ...]
    agreement: tuple[Agreement, ...]


def read(folder: Path) -> list[Filled]:
    """The sheets that key.csv in the folder names, as far as they are filled in.

    A row that is gone counts as one without a rating. Raises `AbaloError`, with file, line and value, for a rating
    other than 1 to 5 and an id that the rater was not given or that is there twice, and for a file that is missing.
    """
    findings = Findings(str(folder / KEY), lenient=False)
    kinds: dict[str, dict[str, str]] = {}
    for row in read_csv(folder / KEY, KEY_COLUMNS):
        rater, name, _, kind = row.cells
        given = kinds.setdefault(rater, {})
        if name in given or not re.fullmatch("rater-[0-9]+", rater):
            expected = "expected rater-1 and so on, each id once; take the key as it was written"
            findings.error(row.line, f"{shown(rater)}, id {shown(name)}; {expected}")
        given[name] = kind
    findings.raise_any()
    if not kinds:
        raise AbaloError(f"{folder / KEY}: no rows; take the key as it was written")
    return [_filled(folder / f"{rater}.csv", rater, given) for rater, given in kinds.items()]


def _filled(path: Path, rater: str, kinds: Mapping[str, str]) -> Filled:
    findings = Findings(str(path), lenient=False)
    ratings: dict[str, int | None] = {}
    for row in read_csv(path, SHEET_COLUMNS):
        name, _, rating = map(str.strip, row.cells)
        if name not in kinds:
            findings.error(row.line, f"id {shown(name)}; expected one that {KEY} has for {rater}; put it right")
        if name in ratings:
            findings.error(row.line, f"id {shown(name)} for the second time; remove one of its rows")
        if rating not in ("", *_SCALE):
            findings.error(row.line, f"rating {shown(rating)}; expected a whole number from 1 to 5, or nothing")
        ratings[name] = int(rating) if rating in _SCALE else None
    findings.raise_any()
    return Filled(rater, kinds, dict.fromkeys(kinds) | ratings)


def report(sheets: Sequence[Filled], seed: int = 1, resamples: int = 10_000) -> Report:
    """The results of each rater for each kind of sentence, originals first, and the agreement of every two raters."""
    found = [
        _found(sheet, kind, stream(seed, "ratings", sheet.rater, kind), resamples)
        for sheet in sheets
        for kind in sorted(set(sheet.kinds.values()), key=lambda kind: (kind != ORIGINAL, kind))
    ]
    agreement = [_agreement(*two) for two in combinations(sheets, 2)]
    return Report(__version__, seed, resamples, tuple(found), tuple(agreement))


def _found(sheet: Filled, kind: str, draws: Random, resamples: int) -> Found:
    given, originals = ([r for r in sheet.of(each) if r is not None] for each in (kind, ORIGINAL))
    mean, change, p = _mean(given), math.nan, math.nan
    if kind != ORIGINAL:
        change, p = mean - _mean(originals), p_value(given, originals, draws, resamples)
    return Found(sheet.rater, kind, len(given), sheet.of(kind).count(None), mean, change, p)


def _mean(ratings: Sequence[int]) -> float:
    return sum(ratings) / len(ratings) if ratings else math.nan


def p_value(first: Sequence[int], second: Sequence[int], draws: Random, resamples: int = 10_000) -> float:
    """Two-sided p of a permutation test of two means of unpaired ratings, 1 to 5; NaN where one has none.

    It is (k + 1) / (n + 1), where k of n = ``resamples`` random divisions of all the ratings into groups of these sizes
    part the means at least as far [Phipson & Smyth, Permutation P-values Should Never Be Zero, 2010].
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


def _agreement(one: Filled, other: Filled) -> Agreement:
    both = [(rating, other.ratings.get(name)) for name, rating in one.ratings.items()]
    rated = [(first, second) for first, second in both if first is not None and second is not None]
    return Agreement((one.rater, other.rater), len(rated), kappa(rated))


def document(result: Report) -> Json:
    """The report as plain JSON values, None for NaN."""
    return asdict(result, dict_factory=plain_fields)


def markdown(result: Report) -> str:
    """The report as a page of GitHub Markdown."""
    page = document(result)
    found = [
        f"{row['rater']} | {escaped(row['kind'], 80)} | {row['n']} | {row['blank']} | {words.number(row['mean'], 2)} "
        f"| {words.number(row['change'], 2)} | {words.p_value(row['p'])}"
        for row in page["found"]
    ]
    agreement = [
        f"{' and '.join(row['raters'])} | {row['n']} | {words.number(row['kappa'])}" for row in page["agreement"]
    ]
    return f"""# Grammaticality

{table("Rater | Sentences | Rated | Blank | Mean | Change | p", "--- | --- | --: | --: | --: | --: | --:", *found)}

Rated from 1 (very poor) to 5 (very good), without knowing which sentences an attack had changed. Change: mean less that
of the same rater's originals, which are other sentences. p: two-sided permutation test of the change,
{result.resamples:,} permutations, seed {result.seed}, not corrected for the number of tests.

## Agreement

{table("Raters | Rated by both | Kappa (linear weights)", "--- | --: | --:", *agreement)}
"""


def write(result: Report, folder: Path) -> None:
    """The report as ratings.json and ratings.md; raises `AbaloError` where the folder cannot be written."""
    text = json.dumps(document(result), ensure_ascii=False, allow_nan=False, indent=1)
    write_text(folder / "ratings.json", f"{text}\n")
    write_text(folder / "ratings.md", markdown(result))
