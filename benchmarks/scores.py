"""How often `abalo gate` errs: false alarms and coverage for scores of several kinds, by number of examples.

Both files have equal true means, and the scores of an example hang together. ``max_loss`` is 0, so a regressed loss is
a false alarm. Confidence is such that the share of a single metric is a one-sided level of 2.5 %, and its interval has
95 %. Aims: at most 2.5 % false alarms, plus two standard errors of the simulation; at least 92.5 % covered.

    python -m benchmarks.scores [--runs RUNS]

Below 50 clusters, where each run flips 131,072 subsets of signs, a fifth of the runs are made.

The last lines judge three metrics with three slices each, at the usual confidence: a run in which anything regressed is
a false alarm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from abalo.core.records.gate import Gate
from abalo.core.statistics.estimates import FEWEST_CLUSTERS
from abalo.core.statistics.metrics import Floats
from abalo.scores.judging import METRICS_PART, judge_scores
from abalo.scores.rows import ScoreColumns, ScoreFile, collect
from abalo.scores.rules import ScoreRule
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show

SIZES, RUNS, RESAMPLES = (30, 60, 200, 1_000), 500, 1_000
ALARMS, COVERED = 2.5, 92.5
ALONE = Gate(confidence=1 - 2 * 0.025 / METRICS_PART, resamples=RESAMPLES, max_loss=0.0)
TOGETHER = Gate(resamples=RESAMPLES, max_loss=0.0)

Draws = np.random.Generator
Drawn = Callable[[Draws, int], tuple[Floats, Floats]]


@dataclass(frozen=True, slots=True)
class Kind:
    """Scores of one kind: how both sides are drawn (examples × runs), the rule, and examples by cluster."""

    name: str
    drawn: Drawn
    rule: ScoreRule = field(default_factory=ScoreRule)
    by_cluster: int = 1
    weighted: bool = False


def right_or_wrong(rate: float, shared: float, runs: int = 1) -> Drawn:
    """Pairs of which a share has one answer, and the others an answer each."""

    def drawn(draws: Draws, size: int) -> tuple[Floats, Floats]:
        same = draws.random((size, 1)) < shared
        first, second, both = (draws.random((size, n)) < rate for n in (runs, runs, 1))
        return np.where(same, both, first) * 1.0, np.where(same, both, second) * 1.0

    return drawn


def graded(draws: Draws, size: int) -> tuple[Floats, Floats]:
    """Scores from 0 to 1 that agree in half of the examples."""
    level = draws.beta(4, 2, (size, 1))
    sides = [np.clip(level + 0.1 * draws.standard_normal((size, 1)), 0, 1) for _ in range(2)]
    same = draws.random((size, 1)) < 0.5
    return sides[0], np.where(same, sides[0], sides[1])


def rated(draws: Draws, size: int) -> tuple[Floats, Floats]:
    """Ratings from 1 to 5, nine of ten equal."""
    same = draws.random((size, 1)) < 0.9
    first, second = (draws.choice(np.arange(1.0, 6), (size, 1), p=(0.05, 0.05, 0.1, 0.3, 0.5)) for _ in range(2))
    return first, np.where(same, first, second)


def timed(draws: Draws, size: int) -> tuple[Floats, Floats]:
    """Seconds with a heavy tail."""
    hard = 0.5 * draws.standard_normal((size, 1))
    first, second = (np.exp(hard + 0.5 * draws.standard_normal((size, 1))) for _ in range(2))
    return first, second


def documents(draws: Draws, size: int) -> tuple[Floats, Floats]:
    """Right or wrong in fours that tend to change together."""
    sides = right_or_wrong(0.8, 0.7)(draws, size // 4)
    return (np.repeat(sides[0], 4, axis=0), np.repeat(sides[1], 4, axis=0))


KINDS = (
    Kind("right in 80 %, a fifth drawn again", right_or_wrong(0.8, 0.8)),
    Kind("right in 98 %, a fifth drawn again", right_or_wrong(0.98, 0.8)),
    Kind("right in 80 %, three runs", right_or_wrong(0.8, 0.5, runs=3)),
    Kind("right in 80 %, weighted", right_or_wrong(0.8, 0.8), weighted=True),
    Kind("right in 80 %, clusters of four", documents, by_cluster=4),
    Kind("graded from 0 to 1", graded),
    Kind("ratings from 1 to 5", rated, ScoreRule(range=(1.0, 5.0))),
    Kind("seconds", timed, ScoreRule(range=None, better="less", max_loss=0.0)),
)


def parser() -> Parser:
    """Its arguments."""
    made = Parser(__doc__, smoke=("--runs", "2", "--sizes", "30"))
    made.add_argument("--runs", type=int, default=RUNS, help="runs of each line; default: %(default)s")
    made.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of clusters; default: %(default)s")
    return made


def main(given: Sequence[str] | None = None) -> None:
    """Counts false alarms and covered truths."""
    options = parser().parse_args(given)
    runs = {size: max(2, options.runs // 5) if size < FEWEST_CLUSTERS else options.runs for size in options.sizes}
    rows = [measured(kind, size, runs[size]) for kind in KINDS for size in options.sizes]
    rows += [together(size, runs[size]) for size in options.sizes]
    show("scores", rows, [Aim("beyond the aim (%)", 0.0, at_most=True), Aim("covered (%)", COVERED)])


def _alarms(alarms: int, runs: int) -> Mapping[str, object]:
    most = ALARMS + 200 * math.sqrt(0.025 * 0.975 / runs)
    share = 100 * alarms / runs
    return {"runs": runs, "regressed (%)": round(share, 2), "beyond the aim (%)": round(max(0.0, share - most), 2)}


def measured(kind: Kind, size: int, runs: int) -> Mapping[str, object]:
    """The share of runs that are called regressed, and whose interval holds the true loss, 0."""
    draws = np.random.Generator(np.random.PCG64([94, size, len(kind.name)]))
    alarms = covered = told = 0
    for _ in range(runs):
        (found,) = judge_scores(*_sides(kind, draws, size), {"score": kind.rule}, ALONE)
        loss = found.loss
        alarms += loss.state == "regressed"
        known = not math.isnan(loss.loss.low)
        told += known
        covered += known and loss.loss.low <= 0 <= loss.loss.high
    return {
        "scores": kind.name,
        "clusters": size,
        **_alarms(alarms, runs),
        "covered (%)": round(100 * covered / max(1, told), 1),
        "with an interval (%)": round(100 * told / runs, 1),
    }


def together(size: int, runs: int) -> Mapping[str, object]:
    """The share of runs in which any of three metrics or nine slices is called regressed."""
    draws = np.random.Generator(np.random.PCG64([94, size]))
    rules = {name: ScoreRule() for name in ("a", "b", "c")}
    alarms = 0
    for _ in range(runs):
        sides = _of_three(draws, size)
        found = judge_scores(*sides, rules, TOGETHER)
        alarms += any(
            loss.state == "regressed" for own in found for loss in (own.loss, *(each for _, each in own.slices))
        )
    return {
        "scores": "three metrics, nine slices",
        "clusters": size,
        **_alarms(alarms, runs),
        "covered (%)": "–",
        "with an interval (%)": "–",
    }


def _sides(kind: Kind, draws: Draws, size: int) -> tuple[ScoreFile, ScoreFile]:
    first, second = kind.drawn(draws, size * kind.by_cluster)
    weights = draws.integers(1, 5, len(first)) if kind.weighted else None

    def rows(scores: Floats) -> Iterator[tuple[int, dict[str, object]]]:
        for k, own in enumerate(scores.tolist()):
            for run, score in enumerate(own):
                row: dict[str, object] = {"id": f"e{k}", "score": score}
                row |= {"run": str(run)} if len(own) > 1 else {}
                row |= {"cluster": f"c{k // kind.by_cluster}"} if kind.by_cluster > 1 else {}
                yield k, row if weights is None else row | {"weight": int(weights[k])}

    old, new = (collect("drawn", "drawn", rows(side), ScoreColumns()) for side in (first, second))
    return old, new


def _of_three(draws: Draws, size: int) -> tuple[ScoreFile, ScoreFile]:
    sides = [right_or_wrong(0.8, 0.8)(draws, size) for _ in "abc"]

    def rows(side: int) -> Iterator[tuple[int, dict[str, object]]]:
        for name, both in zip("abc", sides, strict=True):
            for k, (score,) in enumerate(both[side].tolist()):
                yield k, {"id": f"e{k}", "metric": name, "score": score, "slice": "xyz"[k % 3]}

    old, new = (collect("drawn", "drawn", rows(side), ScoreColumns()) for side in (0, 1))
    return old, new


if __name__ == "__main__":
    main()
