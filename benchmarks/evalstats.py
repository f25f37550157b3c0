"""Intervals of `abalo gate` beside those of evalstats, for a mean difference of two runs on the same examples.

*Own*: both runs are right with the same chance, and a share of the examples has one answer in both. *Published*: the
paired scenarios by which evalstats validates its defaults [github.com/ianarawjo/evalstats, simulations/harness,
``ci_paired``, official preset]. These are all shapes, shares of variance between examples (ICC) and effects of right or
wrong answers, of scores from 0 to 1 and of ratings from 1 to 5. *One-sided* scenarios are answers of which nearly all
changes are for the better, or for the worse; each has as many runs as a shape with all its ICCs and effects.

Each line: coverage of intervals of 95 % and their mean width, of evalstats, of its exact interval by Tango for right or
wrong answers, and of ours. Of evalstats, the interval that its ``compare`` chooses for scores of such a kind and range:
Bonett-Price, logit-t or normal-inverse-gamma. Aim: at least 92.5 % covered by ours.

    PEER/bin/python -m benchmarks.evalstats [--runs RUNS]

PEER is an environment with Abalo and ``pip install evalstats==0.3.3``; without it the benchmark ends and says so.
Runs without any difference are left out: ours calls them the same results. Below 50 examples, where ours flips 131,072
subsets of signs, a fifth of the published runs are made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from itertools import product
from statistics import fmean
from typing import Any, Literal

import numpy as np

from abalo.core.statistics.estimates import FEWEST_CLUSTERS
from abalo.core.statistics.metrics import Floats
from abalo.scores.judging import judge_scores
from abalo.scores.rows import ScoreColumns, ScoreFile, collect
from abalo.scores.rules import ScoreRule
from benchmarks.arguments import Parser, need
from benchmarks.results import Aim, show
from benchmarks.scores import ALONE, right_or_wrong

PACKAGE, REMEDY = "evalstats", "make an environment of its own: pip install evalstats==0.3.3, beside what Abalo needs"
SIZES, RATES, SHARED = (50, 100, 200), (0.7, 0.95), (0.5, 0.9)
PUBLISHED_SIZES = (30, 50, 100)

Draws = np.random.Generator
Drawn = Callable[[Draws, int], tuple[Floats, Floats]]
Ends = tuple[float, float]

# The published scenarios ----------------------------------------------------------------------------------------------

ICCS, EFFECTS = (0.01, 0.3, 0.5, 0.65, 0.75, 0.85, 0.95), (0.0, 0.2, 0.4)
"""Shares of variance between examples, and differences in standard deviations of a score."""

CHANCES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.92, 0.95, 0.98)
BETAS = ((1, 1), (0.5, 0.5), (2, 8), (8, 2), (2, 5), (0.6, 0.6), (0.35, 6), (6, 0.35), (0.3, 0.3), (6, 6))
RATINGS = (
    *((3.0, 1.2), (2.2, 1.2), (3.8, 1.2), (3.0, 2.0), (2.0, 1.1), (4.0, 1.1), (3.0, 0.55)),
    *((1.8, 1.2), (1.5, 0.65), (4.5, 0.65), (3.0, 1.4)),
)
"""Mean and standard deviation of a rating before it is rounded."""

ONE_SIDED = (
    *((0.001, 0.384, 0.0), (0.02, 0.3, 0.05), (0.0, 0.52, 0.0), (0.001, 0.09, 0.03), (0.0, 0.08, 0.9)),
    *((0.05, 0.22, 0.15), (0.384, 0.001, 0.0), (0.3, 0.02, 0.05), (0.52, 0.0, 0.0), (0.09, 0.001, 0.03)),
    *((0.08, 0.0, 0.02), (0.22, 0.05, 0.15)),
)
"""Chances that only the first run is right, only the second, and both."""

_SMALLEST_CONCENTRATION = 0.1
_MANY = 200_000


Kind = Literal["right or wrong", "one-sided", "0 to 1", "1 to 5"]

_THEIR_KINDS: Mapping[Kind, str] = {
    "right or wrong": "binary",
    "one-sided": "binary",
    "0 to 1": "bounded_01",
    "1 to 5": "likert",
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """Scores of two runs, and the true difference of their means."""

    kind: Kind
    drawn: Drawn
    difference: float
    rule: ScoreRule = field(default_factory=ScoreRule)


def published() -> Iterator[Scenario]:
    """The paired scenarios of evalstats."""
    for icc, effect in product(ICCS, EFFECTS):
        for chance in CHANCES:
            yield _scenario("right or wrong", partial(_answers, chance, icc, effect))
        for beta in BETAS:
            yield _scenario("0 to 1", partial(_shares, beta, icc, effect))
        for mean, deviation in RATINGS:
            drawn = partial(_ratings, mean, deviation, icc, effect)
            yield _scenario("1 to 5", drawn, ScoreRule(range=(1.0, 5.0)))
    for first, second, both in ONE_SIDED:
        yield Scenario("one-sided", partial(_one_sided, first, second, both), first - second)


def _scenario(kind: Kind, drawn: Drawn, rule: ScoreRule | None = None) -> Scenario:
    first, second = drawn(np.random.Generator(np.random.PCG64(94)), _MANY)
    return Scenario(kind, drawn, float(first.mean() - second.mean()), rule or ScoreRule())


def _answers(chance: float, icc: float, effect: float, draws: Draws, size: int) -> tuple[Floats, Floats]:
    concentration = max(1 / icc - 1, _SMALLEST_CONCENTRATION)
    own = draws.beta(chance * concentration, (1 - chance) * concentration, size)
    better = np.clip(own + effect * math.sqrt(chance * (1 - chance)), 0, 1)
    first, second = (draws.random(size) < each for each in (own, better))
    return first.astype(np.float64), second.astype(np.float64)


def _shares(beta: tuple[float, float], icc: float, effect: float, draws: Draws, size: int) -> tuple[Floats, Floats]:
    a, b = beta
    between = a * b / ((a + b) ** 2 * (a + b + 1))
    own, within = draws.beta(a, b, size), between / icc - between
    first, second = _noisy(own, math.sqrt(within), effect * math.sqrt(between / icc), draws)
    return np.clip(first, 0, 1), np.clip(second, 0, 1)


def _ratings(
    mean: float, deviation: float, icc: float, effect: float, draws: Draws, size: int
) -> tuple[Floats, Floats]:
    own = mean + math.sqrt(icc) * deviation * draws.standard_normal(size)
    first, second = _noisy(own, math.sqrt(1 - icc) * deviation, effect * deviation, draws)
    return np.rint(np.clip(first, 1, 5)), np.rint(np.clip(second, 1, 5))


def _noisy(own: Floats, noise: float, shift: float, draws: Draws) -> tuple[Floats, Floats]:
    """Both runs of examples; half of the variance of the noise is common to both."""
    common, first, second = (noise * math.sqrt(0.5) * draws.standard_normal(len(own)) for _ in range(3))
    return own + common + first, own + shift + common + second


def _one_sided(first: float, second: float, both: float, draws: Draws, size: int) -> tuple[Floats, Floats]:
    cell = draws.choice(4, size, p=(both, first, second, 1 - both - first - second))
    return np.isin(cell, (0, 1)).astype(np.float64), np.isin(cell, (0, 2)).astype(np.float64)


# Measuring ------------------------------------------------------------------------------------------------------------


def parser() -> Parser:
    """Its arguments."""
    made = Parser(__doc__, smoke=("--runs", "1", "--sizes", "50", "--published", "50", "--published-runs", "1"))
    made.add_argument("--runs", type=int, default=500, help="runs of each line; default: %(default)s")
    made.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of examples; default: %(default)s")
    sizes = "likewise of the published scenarios; default: %(default)s"
    made.add_argument("--published", type=int, nargs="+", default=PUBLISHED_SIZES, help=sizes)
    made.add_argument("--published-runs", type=int, default=5, help="runs of each of them; default: %(default)s")
    return made


def main(given: Sequence[str] | None = None) -> None:
    """Compares coverage and width."""
    options = parser().parse_args(given)
    need(PACKAGE, REMEDY)
    rows = [_own(*each, options.runs) for each in product(options.sizes, RATES, SHARED)]
    scenarios: dict[Kind, list[Scenario]] = {}
    for each in published():
        scenarios.setdefault(each.kind, []).append(each)
    rows += [
        measured(f"published: {kind}", of_kind, size, _runs(kind, size, options.published_runs))
        for kind, of_kind in scenarios.items()
        for size in options.published
    ]
    show("evalstats", rows, [Aim("Abalo: covered (%)", 92.5)])


def _runs(kind: str, size: int, runs: int) -> int:
    runs = runs if size >= FEWEST_CLUSTERS else max(1, runs // 5)
    return runs * len(ICCS) * len(EFFECTS) if kind == "one-sided" else runs


def _own(size: int, rate: float, shared: float, runs: int) -> Mapping[str, object]:
    def drawn(draws: Draws, examples: int) -> tuple[Floats, Floats]:
        first, second = right_or_wrong(rate, shared)(draws, examples)
        return first[:, 0], second[:, 0]

    name = f"own: right in {100 * rate:g} %, {100 * shared:g} % agree"
    return measured(name, [Scenario("right or wrong", drawn, 0.0)], size, runs)


def measured(name: str, scenarios: Sequence[Scenario], size: int, runs: int) -> Mapping[str, object]:
    """Coverage and mean width of each library's intervals over these scenarios."""
    found: dict[str, list[tuple[Ends, float]]] = {"evalstats": [], "Tango": [], "Abalo": []}
    for number, scenario in enumerate(scenarios):
        draws = np.random.Generator(np.random.PCG64([94, size, number]))
        for _ in range(runs):
            first, second = scenario.drawn(draws, size)
            if not np.array_equal(first, second):
                _add(found, first, second, scenario)
    used = len(found["Abalo"])
    row: dict[str, object] = {"scenarios": name, "examples": size, "runs": used}
    row["left out"] = runs * len(scenarios) - used
    for library, ends in found.items():
        known = [(end, truth) for end, truth in ends if not math.isnan(end[0])]
        covered = [low <= truth <= high for (low, high), truth in known]
        row[f"{library}: covered (%)"] = "–" if not known else round(100 * fmean(covered), 1)
        row[f"{library}: width"] = "–" if not known else round(fmean(high - low for (low, high), _ in known), 3)
    row["Abalo: with an interval (%)"] = round(100 * len(known) / max(1, used), 1)
    return row


def _add(found: dict[str, list[tuple[Ends, float]]], first: Floats, second: Floats, scenario: Scenario) -> None:
    truth, width = scenario.difference, scenario.rule.width
    settings: Any = import_module(f"{PACKAGE}.config")
    kind = _THEIR_KINDS[scenario.kind]
    chosen, _ = settings.resolve_auto_analyze_methods(kind, len(first), False)
    found["evalstats"].append((_theirs(chosen, first, second, scenario.rule), truth))
    if kind == "binary":
        found["Tango"].append((_theirs("tango", first, second, scenario.rule), truth))
    low, high = _ours(first, second, scenario.rule)
    found["Abalo"].append(((low * width, high * width), truth))


def _theirs(method: str, first: Floats, second: Floats, rule: ScoreRule) -> Ends:
    library: Any = import_module(PACKAGE)
    found = library.pairwise_differences(
        np.stack([first, second])[:, :, None], 0, 1, method=method, score_range=rule.range
    )
    return float(found.ci_low), float(found.ci_high)


def _ours(first: Floats, second: Floats, rule: ScoreRule) -> Ends:
    (found,) = judge_scores(_file(first), _file(second), {"score": rule}, ALONE)
    return found.loss.loss.low, found.loss.loss.high


def _file(scores: Floats) -> ScoreFile:
    def rows() -> Iterator[tuple[int, dict[str, object]]]:
        yield from ((k, {"id": f"e{k}", "score": score}) for k, score in enumerate(scores.tolist()))

    return collect("drawn", "drawn", rows(), ScoreColumns())


if __name__ == "__main__":
    main()
