"""How often a comparison finds that a model answers one label less often than before.

A model and a retraining of it (seeds 1 and 2 of a recipe of `benchmarks.retrained`) run on the cases that ship, and so
does the retraining with one label whose weights are so small that it gives all answers of this label to other labels.
For each run, examples are drawn, of which so many hold the label, the others in the proportion of the corpus. The new
model has the answers of the retraining, but for a share of the examples, drawn by a coin for each, those of the model
that gives the label away, in all cases alike. *Found* is a label that is regressed or lost.

    python -m benchmarks.label_power [--data DATA] [--runs 40] [--keep FOLDER]

Aim: 80 % of the runs, for labels held by 160 examples or more that give away 30 % of their answers. *Alone* is what a
test of this label on the clean corpus could find of them, at the level of all cases and labels, if nothing else were
tested: the normal law with the mean loss and the mean standard error.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo import Session
from abalo.bundled import bundled_path
from abalo.comparison.test.family import CASES_PART
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import Gate
from abalo.core.statistics.few_events import FEWEST
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import POWER
from abalo.models.classifiers.linear import LinearWeights
from abalo.models.tokens.linear import LinearTagger
from benchmarks.arguments import Parser
from benchmarks.outcomes import SEEDS, Both, Outcome, Side, compared_cases, outcome, read_side, side_of, thresholds
from benchmarks.published import VARIABLE
from benchmarks.results import Aim, show
from benchmarks.retrained import RECIPES, SMALLEST, Recipe, parts_of, trained

RUNS = 40
HELD = (30, 60, 100, 160, 250)
"""Numbers of examples that hold the label."""

GIVEN_AWAY = (0.1, 0.3, 0.5, 0.7)
AIM, AIM_FROM, AIM_SHARE = 80, 160, 0.3

LOADED: dict[str, Callable[[str], Any]] = {"pairs": LinearWeights.load, "pos": LinearTagger.load}
SMALLEST_WEIGHT = -127


@dataclass(frozen=True, slots=True)
class Label:
    """A label of a recipe."""

    recipe: str
    name: str


LABELS = (Label("pairs, logistic regression", "ENTAILMENT"),)


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--runs", "1"))
    data = os.environ.get(VARIABLE)
    parser.add_argument("--data", type=Path, default=data, help=f"folder of published corpora; default: {VARIABLE}")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"runs for each cell; default: {RUNS}")
    parser.add_argument("--keep", type=Path, help="folder that keeps the evidence; default: a temporary one")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the share of runs in which the label is found."""
    arguments = parser()
    options = arguments.parse_args(given)
    if not options.smoke and options.data is None:
        arguments.error(f"--data: expected the folder of published corpora; name it, or set {VARIABLE}")
    asked = [(next(each for each in RECIPES if each.name == label.recipe), label.name) for label in LABELS]
    held, shares, data = HELD, GIVEN_AWAY, options.data
    if options.smoke:
        asked, held, shares = [(SMALLEST, "NUM")], (10,), (0.3, 0.7)
        data = bundled_path("fixtures/corpora")
    aims = [Aim(_column(AIM_SHARE), AIM, least=("held by", AIM_FROM))] if AIM_SHARE in shares else []
    rows = []
    for recipe, label in asked:
        with tempfile.TemporaryDirectory() as folder:
            models = models_of(recipe, label, data, options.keep or Path(folder))
        rows += [row_of(models, n, shares, options.runs) for n in held]
    show("label_power", rows, aims)


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """The runs of the reference, of its retraining, and of the retraining without the answers of a label."""

    label: str
    reference: Side
    retrained: Side
    without: Side

    def only(self, clusters: NDArray[np.str_]) -> Models:
        """The runs on these clusters."""
        sides = (self.reference, self.retrained, self.without)
        return Models(self.label, *(_only(side, clusters) for side in sides))

    def mixed(self, clusters: NDArray[np.str_], kept: NDArray[np.bool_]) -> tuple[Side, Side]:
        """The run of the retraining that gives the label away in the clusters that are not kept, and the reference."""
        both = {
            case: Both(clusters, each, self.without.evidence[case]) for case, each in self.retrained.evidence.items()
        }
        return replace(self.retrained, evidence={case: each.mixed(kept) for case, each in both.items()}), self.reference


def _only(side: Side, clusters: NDArray[np.str_]) -> Side:
    found = {case: each.only(np.isin(each.clusters, clusters)) for case, each in side.evidence.items()}
    return replace(side, evidence=found)


def models_of(recipe: Recipe, label: str, data: Path, keep: Path) -> Models:
    """The runs on all examples that no model trains on, from the folder if it has them."""
    keep.mkdir(parents=True, exist_ok=True)
    files = [keep / f"{recipe.task}-{label}-{name}.npz" for name in ("reference", "retrained", "without")]
    if not all(file.is_file() for file in files):
        parts = parts_of(recipe, data)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            one, other = (trained(recipe, parts, seed, folder) for seed in (1, 2))
            corpus = parts.write(chain(parts.judged, parts.others), folder / "corpus")
            without = _giving_away(recipe, label, other, folder / "without.npz")
            for file, model in zip(files, (one, other, without), strict=True):
                session = Session(recipe.task, model=model, corpus=str(corpus), seeds=SEEDS)
                side_of(session, compared_cases(session)).write(file)
    return Models(label, *map(read_side, files))


def _giving_away(recipe: Recipe, label: str, path: str, out: Path) -> str:
    model = LOADED[recipe.task](path)
    weights = model.weights.copy()
    weights[:, model.labels.index(label)] = SMALLEST_WEIGHT
    replace(model, weights=weights).save(out)
    return str(out)


def row_of(models: Models, held: int, shares: Sequence[float], runs: int) -> dict[str, object]:
    """For each share that is given away, in how many runs the label is found."""
    clean = next(each for case, each in models.reference.evidence.items() if case.endswith(f"/{BASELINE}"))
    clusters = np.unique(clean.clusters)
    holds = np.isin(clusters, clean.clusters[clean.held[:, clean.groups.index(models.label)] > 0])
    examples = round(held / holds.mean())
    by = thresholds(models.reference.task)
    row: dict[str, object] = {"label": models.label, "held by": held, "examples": examples}
    found: dict[float, list[bool]] = {share: [] for share in shares}
    clean_rows = []
    for run in range(runs):
        draws = np.random.Generator(np.random.PCG64([run]))
        counts = ((holds, held), (~holds, examples - held))
        used = np.concatenate([draws.choice(clusters[of], n, replace=False) for of, n in counts])
        coins = draws.random(len(clusters))
        drawn = models.only(used)
        for share in shares:
            new, reference = drawn.mixed(clusters, coins >= share)
            ended = outcome(new, reference, by)
            found[share].append(_is_found(models.label, ended))
            clean_rows += [_clean_row(models.label, ended)] if share == AIM_SHARE else []
    row |= {_column(share): round(100 * fmean(of_share), 1) for share, of_share in found.items()}
    return row | {f"{round(100 * AIM_SHARE)} %, alone (%)": _power_alone(clean_rows, by.gate)}


def _column(share: float) -> str:
    return f"{round(100 * share)} % given away (%)"


def _clean_row(label: str, found: Outcome) -> JsonObject:
    (row,) = (each for each in found.compared["losses"] if each["type"] == label and each["id"].endswith(BASELINE))
    return row


def _power_alone(rows: Sequence[JsonObject], gate: Gate) -> float | str:
    """The power in per cent, "" if the law of few events judged the label in any run."""
    normal, level = NormalDist(), (1 - gate.confidence) / 2 * CASES_PART
    reaches = [row["value"] - row["low"] if row["detectable_loss"] else math.nan for row in rows]
    errors = [
        (row["detectable_loss"] - row["limit"] - reach) / normal.inv_cdf(POWER)
        for row, reach in zip(rows, reaches, strict=True)
        if reach > 0 and row["discordant"] >= FEWEST
    ]
    if len(errors) < len(rows):
        return ""
    excess = fmean(row["value"] - row["limit"] for row in rows)
    return round(100 * normal.cdf(excess / fmean(errors) + normal.inv_cdf(level)), 1)


def _is_found(label: str, found: Outcome) -> bool:
    rows = [*found.compared["losses"], *found.compared["lost"]]
    return any(each["type"] == label and each.get("state", "regressed") == "regressed" for each in rows)


if __name__ == "__main__":
    main()
