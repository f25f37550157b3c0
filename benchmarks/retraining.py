"""How a release ends whose model is a retraining of the last: the same recipe, another seed and other data.

Of each recipe of `benchmarks.retrained`, eight models train on another nine tenths of the training set each, under
seeds of their own. Every ordered pair is compared on the cases that ship, as a run of the gate compares a new model
with the accepted one. Some of these models are truly worse than others, so the pairs are told apart on examples that no
pair is judged on: a pair is *harmless* if it lost there, on the clean corpus at most ``max_loss``, in the mean over the
cases at most ``max_mean_loss``, in no case more than three times ``max_loss``, and in no label's F1 (of 30 places or
more) more than ``max_label_loss``.

    python -m benchmarks.retraining [--data DATA] [--models 8] [--keep FOLDER] [RECIPE ...]

Aims, of the harmless pairs of all recipes together: exit code 1 in at most 5 %, exit code 0 in at least 95 %; exit code
1 in no recipe above 10 %, if it has 20 such pairs. Intervals are over models: 56 pairs of eight models are no 56
trials, so the variance is that of a jackknife that leaves out one model at a time. All recipes take about 20 CPU
minutes. With ``--keep`` the evidence is written to a folder and read from there the next time.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from abalo import Session
from abalo.bundled import bundled_path
from abalo.comparison.test.label_losses import label_metric
from abalo.comparison.test.mean import pool_weights
from abalo.core.protocols.task import Task
from abalo.core.records.gate import Gate
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.plan import BASELINE
from benchmarks.arguments import Parser
from benchmarks.outcomes import PARTS, SEEDS, Outcome, Side, compared_cases, outcome, read_side, side_of, thresholds
from benchmarks.published import VARIABLE
from benchmarks.results import Aim, show
from benchmarks.retrained import RECIPES, SMALLEST, Parts, Recipe, parts_of, trained

MODELS = 8
PLACES = 30
"""Gold places that a label needs for its F1 to tell whether a pair is harmless."""

CASE_LOSS = 3
"""A case of a harmless pair loses at most so many times ``max_loss``."""

MOST, MOST_OF_RECIPE, LEAST = 5, 10, 95
PAIRS_OF_RECIPE = 20
"""A recipe with so many harmless pairs has an aim of its own."""

CONFIDENCE = 0.95


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--models", "2"))
    parser.add_argument(
        "--data", type=Path, default=os.environ.get(VARIABLE), help=f"folder of published corpora; default: {VARIABLE}"
    )
    parser.add_argument("--models", type=int, default=MODELS, help=f"models of each recipe; default: {MODELS}")
    parser.add_argument("--keep", type=Path, help="folder that keeps the evidence; default: a temporary one")
    names = [each.name for each in RECIPES]
    parser.add_argument(
        "recipes", nargs="*", choices=[*names, []], metavar="RECIPE", help=f"default: {'; '.join(names)}"
    )
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Trains the models, compares every ordered pair, and prints the tables."""
    asked = parser()
    options = asked.parse_args(given)
    recipes = [each for each in RECIPES if not options.recipes or each.name in options.recipes]
    data = options.data
    if options.smoke:
        recipes, data = [SMALLEST], bundled_path("fixtures/corpora")
    elif data is None:
        asked.error(f"--data: the folder of published corpora is needed; name it, or set {VARIABLE}")
    with tempfile.TemporaryDirectory() as folder:
        keep = options.keep or Path(folder)
        pairs = {each.name: pairs_of(sides_of(each, data, options.models, keep)) for each in recipes}
    every = [pair for own in pairs.values() for pair in own]
    rows = [codes_of(recipe, own) for recipe, own in pairs.items()]
    show("retraining", rows, [Aim(EXIT_1, MOST_OF_RECIPE, at_most=True, least=(HARMLESS, PAIRS_OF_RECIPE))])
    show("retraining_all", [codes_of("all", every)], [Aim(EXIT_1, MOST, at_most=True), Aim(EXIT_0, LEAST)])
    show("retraining_causes", [causes_of(recipe, own) for recipe, own in [*pairs.items(), ("all", every)]])


# Runs ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A model's run on the examples that pairs are judged on, and its scores on the others."""

    recipe: str
    name: str
    judged: Side
    scores: Scores


def sides_of(recipe: Recipe, data: Path, models: int, keep: Path) -> list[Model]:
    """The runs of the models of a recipe, from the folder if it has them."""
    folder = keep / recipe.name.replace(" ", "-").replace(",", "")
    folder.mkdir(parents=True, exist_ok=True)
    parts = parts_of(recipe, data)
    return [_model(recipe, parts, seed, folder) for seed in range(1, models + 1)]


def _model(recipe: Recipe, parts: Parts, seed: int, folder: Path) -> Model:
    files = [folder / f"{part}-{seed}.npz" for part in ("judged", "others")]
    if not all(file.is_file() for file in files):
        with tempfile.TemporaryDirectory() as temporary:
            spec = trained(recipe, parts, seed, Path(temporary))
            for file, blocks in zip(files, (parts.judged, parts.others), strict=True):
                corpus = parts.write(blocks, Path(temporary) / "corpus")
                session = Session(recipe.task, model=spec, corpus=str(corpus), seeds=SEEDS)
                side_of(session, compared_cases(session)).write(file)
    judged, others = map(read_side, files)
    return Model(recipe.name, str(seed), judged, scores_of(others))


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """A reference and a new model, how a run of the new one ends, and whether it is as good on other examples."""

    reference: Model
    new: Model
    outcome: Outcome
    harmless: bool


def pairs_of(models: Sequence[Model]) -> list[Pair]:
    """Every ordered pair."""
    by = thresholds(models[0].judged.task)
    return [
        Pair(old, new, outcome(new.judged, old.judged, by), is_harmless(new.scores, old.scores, by.gate))
        for old, new in permutations(models, 2)
    ]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a model that tell whether a pair is harmless.

    ``cases`` and ``mean`` are over changed examples; ``labels`` has the F1 of each label with enough places, on the
    clean corpus and over all cases together.
    """

    clean: float
    mean: float
    cases: Mapping[str, float]
    labels: Mapping[tuple[str, str], float]


def scores_of(side: Side) -> Scores:
    """The scores in a run, by the values of its metrics alone."""
    task = side.task
    metric, asked = task.metrics()[task.floor], label_metric(task)
    clean = next(each for case, each in side.evidence.items() if case.endswith(f"/{BASELINE}"))
    used = [case for case in thresholds(task).cases if case.id in side.evidence and case.probe.perturbs]
    used = [case for case in used if case.blocking and case.probe.compared_by(task) == task.floor]
    changed = {case.id: each.only(each.changed) for case in used if (each := side.evidence[case.id]).changed.any()}
    used = [case for case in used if case.id in changed]
    weights = pool_weights([(case.name, [*set(changed[case.id].clusters.tolist())]) for case in used])
    cases = {case: _sums(metric, task, each)[0] for case, each in changed.items()}
    values = {case: float(metric.value(sums)) for case, sums in cases.items()}
    labels: dict[tuple[str, str], float] = {}
    for part, own in (("clean", [clean]), ("changed", [*changed.values()])) if asked is not None else ():
        counts: dict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros(3))
        for each in own:
            for label, of_label in zip(each.groups, asked.by_label(_sums(asked, task, each)[1:]), strict=True):
                counts[label] += of_label
        labels |= {
            (part, label): float(2 * right / max(1, predicted + gold))
            for label, (right, predicted, gold) in counts.items()
            if gold >= PLACES
        }
    mean = math.fsum(weight * values[case.id] for case, weight in zip(used, weights, strict=True))
    return Scores(float(metric.value(_sums(metric, task, clean)[0])), mean, values, labels)


def _sums(metric: Metric, task: Task, evidence: Evidence) -> NDArray[np.float64]:
    """The counts of all examples together, overall and by label."""
    return evidence.counts(metric, task.usual_view).sum(axis=0)


def is_harmless(new: Scores, reference: Scores, gate: Gate) -> bool:
    """Whether the losses are within the margins of the gate."""
    return (
        reference.clean - new.clean <= gate.max_loss
        and reference.mean - new.mean <= gate.mean_limit
        and all(value - new.cases[case] <= CASE_LOSS * gate.max_loss for case, value in reference.cases.items())
        and all(value - new.labels[label] <= gate.label_limit for label, value in reference.labels.items())
    )


# Tables --------------------------------------------------------------------------------------------------------------


HARMLESS, EXIT_0, EXIT_1 = "harmless: pairs", "harmless: exit 0 (%)", "harmless: exit 1 (%)"


def codes_of(recipe: str, pairs: Sequence[Pair]) -> dict[str, object]:
    """How pairs end: of all and of the harmless ones, the share with each exit code, with its interval."""
    row: dict[str, object] = {"recipe": recipe}
    for told, chosen in _told(pairs):
        row[f"{told}: pairs"] = len(chosen)
        for code in (1, 0, 10):
            share = share_over_models(chosen, partial(_ends_with, code))
            row[f"{told}: exit {code} (%)"] = "" if share is None else round(100 * share.value, 1)
            row[f"{told}: exit {code}, interval"] = "" if share is None else share.interval
    return row


def _told(pairs: Sequence[Pair]) -> Iterator[tuple[str, list[Pair]]]:
    yield "all", [*pairs]
    yield "harmless", [pair for pair in pairs if pair.harmless]


def _ends_with(code: int, pair: Pair) -> bool:
    return pair.outcome.conclusion.exit_code == code


def causes_of(recipe: str, pairs: Sequence[Pair]) -> dict[str, object]:
    """The parts of a comparison that fail pairs, in per cent of all and of the harmless ones."""
    row: dict[str, object] = {"recipe": recipe}
    for told, chosen in _told(pairs):
        for part in PARTS:
            found = [part in pair.outcome.regressed for pair in chosen]
            row[f"{told}: {part} (%)"] = round(100 * fmean(found), 1) if found else ""
    return row


@dataclass(frozen=True, slots=True)
class Share:
    """A share of pairs, with its interval over models."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> str:
        """Its ends in per cent."""
        return f"{100 * self.low:.0f} to {100 * self.high:.0f}"


def share_over_models(pairs: Sequence[Pair], holds: Callable[[Pair], bool]) -> Share | None:
    """The share of pairs for which something holds; None without pairs.

    The interval is Clopper and Pearson's for as many independent pairs as give the variance of a jackknife over models
    [Efron and Stein, The Annals of Statistics 9, 1981], at least half the number of models (pairs without a common
    model) and at most the number of pairs. Without any variance, it is that of as many pairs as models.
    """
    if not pairs:
        return None
    of_models: dict[tuple[str, str], NDArray[np.float64]] = defaultdict(lambda: np.zeros(2))
    whole = np.zeros(2)
    for pair in pairs:
        counts = np.array([holds(pair), 1.0])
        whole += counts
        for model in (pair.reference, pair.new):
            of_models[model.recipe, model.name] += counts
    value = float(whole[0] / whole[1])
    without: dict[str, list[float]] = defaultdict(list)
    for (recipe, _), counts in of_models.items():
        held, left = (whole - counts).tolist()
        without[recipe].append(held / left if left else value)
    variance = sum((len(own) - 1) * float(np.var(own)) for own in without.values())
    count = value * (1 - value) / variance if variance > ROUNDING else len(of_models)
    n = float(np.clip(count, len(of_models) / 2, len(pairs)))
    low, high = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    return Share(
        value,
        float(beta.ppf(low, n * value, n * (1 - value) + 1)) if value else 0.0,
        float(beta.ppf(high, n * value + 1, n * (1 - value))) if value < 1 else 1.0,
    )


if __name__ == "__main__":
    main()
