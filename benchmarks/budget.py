"""How many model inputs the mean loss needs, and how often it raises a false alarm: panels, early stopping, whole runs.

The bundled tagger of entities and copies of it with noise on their weights are run on every default case that draws,
whole: their paired counts are the population. Corpora are drawn from its sentences with replacement. The true mean loss
is that of the population, and the limit lies where the question needs it: at the truth for false alarms, 0.015 below it
for power, as 0.005 lies below a loss of 0.02. Inputs are those that a case changed, and the clean corpus.

A loss is tested by its linear part, whose standard error a bootstrap would find too; **agreement** counts the runs that
`abalo.core.statistics.losses` decides alike.

**Power**: the fewest inputs at which at least 80 % of runs find the loss, by a panel of one look, by a panel that stops
early (the mean over its runs), and by all cases and seeds on fewer sentences. **False alarms**: the share of runs that
call a loss of exactly the limit regressed. **Variance**: the parts of the variance of one input.

    python -m benchmarks.budget [--keep DIR] [--runs 2000]

DIR keeps the evidence of the models, which takes an hour of one core.
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from abalo import Session
from abalo.comparison.test.family import MEAN_PART
from abalo.comparison.test.mean import pool_weights
from abalo.core.records.gate import Gate
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.evidence import Evidence, read, write_large
from abalo.core.statistics.losses import Draws, Hypothesis, Loss, judge_losses
from abalo.core.statistics.metrics import Floats, Share
from abalo.core.statistics.panel import EACH, LOOKS, Panel, PanelNotes, deal_groups, group_cases
from abalo.reporting.runs.design import GIVE_UP, chance_to_find
from abalo.run.prepared import is_drawn
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.noised import noised
from benchmarks.results import Aim, show

SIGMAS = (0.2, 0.25)
"""Noise on the weights, in standard deviations of each matrix."""

EXCESS, POWER = 0.015, 0.8
"""The loss above the limit, and the share of runs that must find it."""

GATE = Gate(resamples=2_000, max_mean_loss=0.0)
LEVEL = (1 - GATE.confidence) / 2 * MEAN_PART
METRIC = TASK.metrics()[TASK.floor]
TRIED, DEALS, CHUNK, AGREEING = 1_000, 50, 100, 50
"""Runs by which a size is tried in the search for the smallest; deals of groups; runs at once; runs judged in full."""


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """The paired counts of two models (sentences × cases × seeds × columns), zero where a case changed nothing.

    ``cases`` are their ids, each with its name, ``changed`` (sentences × cases × seeds) says where an input is.
    """

    name: str
    cases: tuple[tuple[str, str], ...]
    groups: tuple[tuple[str, ...], ...]
    reference: Floats
    new: Floats
    changed: NDArray[np.bool_]

    @property
    def sentences(self) -> int:
        """How many there are."""
        return len(self.changed)

    @property
    def inputs(self) -> int:
        """The inputs of a whole run."""
        return self.sentences + int(self.changed.sum())

    def column(self, case: str) -> int:
        """The place of a case."""
        return [each for each, _ in self.cases].index(case)


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--runs", "2", "--limit", "2", "--sigmas", "0.25"))
    parser.add_argument("--keep", type=Path, help="folder that keeps the evidence of the models")
    parser.add_argument("--runs", type=int, default=2_000)
    parser.add_argument(
        "--sigmas", type=float, nargs="+", default=SIGMAS, help="noise of the models; default: %(default)s"
    )
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Measures and shows all of it."""
    options = parser().parse_args(given)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        found = [*populations(folder, options.sigmas, options.limit)]
    show("budget_variance", [_variance(each) for each in found])
    print()
    rows = [_needed(each, options.runs) for each in found]
    aims = [
        Aim("panel / whole (%)", 12.5, at_most=True),
        Aim("early / whole (%)", 10, at_most=True),
        Aim("panel / fewer sentences (%)", 100 / 3, at_most=True),
        Aim("early / fewer sentences (%)", 25, at_most=True),
    ]
    show("budget_inputs", rows, aims)
    print()
    most = 100 * (LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / options.runs))
    rows = [_false_alarms(each, sentences, options.runs) for each in found for sentences in (128, 256, 490)]
    show("budget_errors", rows, [Aim(f"{way} (%)", round(most, 2), at_most=True) for way in ("one look", "early")])


# Models ---------------------------------------------------------------------------------------------------------------


def populations(folder: Path, sigmas: Sequence[float], limit: int | None) -> Iterator[Population]:
    """The bundled model beside each of its noised copies."""
    reference = _evidence(folder, None, limit)
    for sigma in sigmas:
        yield _population(f"noise {sigma:g}", reference, _evidence(folder, sigma, limit))


def _evidence(folder: Path, sigma: float | None, limit: int | None) -> dict[str, Evidence]:
    """The evidence of a whole run of a model, kept in the folder."""
    path = folder / f"{'reference' if sigma is None else f'noise-{sigma:g}'}.npz"
    if not path.exists():
        model = None if sigma is None else str(noised(sigma, 1, folder / f"model-{sigma:g}"))
        session = Session("ner", model=model, seeds=(1, 2, 4), limit=limit)
        cases = [session.prepared.engine.baseline(), *filter(is_drawn, session.cases())]
        write_large(path, {case.id: session.prepared.engine.run(case).evidence for case in cases})
    return read(path)


def _population(name: str, reference: Mapping[str, Evidence], new: Mapping[str, Evidence]) -> Population:
    session = Session("ner")
    cases = [case for case in session.cases() if is_drawn(case)]
    clusters = sorted(set(reference[session.prepared.engine.baseline().id].clusters.tolist()))
    place = {cluster: row for row, cluster in enumerate(clusters)}
    seeds = {seed: k for k, seed in enumerate((1, 2, 4))}
    columns_of = reference[cases[0].id].counts(METRIC, cases[0].view).shape[2]
    tables = [np.zeros((len(clusters), len(cases), len(seeds), columns_of)) for _ in range(2)]
    changed = np.zeros(tables[0].shape[:3], dtype=bool)
    for k, case in enumerate(cases):
        either = new[case.id].changed | reference[case.id].changed if _alike(new, reference, case.id) else None
        for table, each in zip(tables, (reference[case.id], new[case.id]), strict=True):
            kept = each.changed if either is None else either
            counts = each.counts(METRIC, case.view)[:, 0]
            rows = [place[cluster] for cluster in each.clusters.tolist()]
            columns = [seeds[seed] for seed in each.seeds.tolist()]
            np.add.at(table[:, k], (rows, columns), counts * kept[:, None])
            changed[:, k][rows, columns] |= kept
    groups = group_cases((case.together, case.id) for case in cases)
    return Population(name, tuple((case.id, case.name) for case in cases), groups, tables[0], tables[1], changed)


def _alike(new: Mapping[str, Evidence], reference: Mapping[str, Evidence], case: str) -> bool:
    return bool(np.array_equal(new[case].ids, reference[case].ids))


# Runs -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The panels of several runs: events and trials of both models, and all inputs (runs × sentences)."""

    reference: tuple[Floats, Floats]
    new: tuple[Floats, Floats]
    inputs: Floats


@dataclass(frozen=True, slots=True)
class Outcome:
    """The share of runs that found the loss, and the mean of their inputs."""

    found: float
    inputs: float


def _corpora(found: Population, sentences: int, runs: range) -> NDArray[np.intp]:
    """The sentences of the corpus of each run (runs × sentences)."""
    draws = [np.random.Generator(np.random.PCG64([run, sentences])) for run in runs]
    return np.array([each.integers(found.sentences, size=sentences) for each in draws])


def _chosen(found: Population, sentences: int, seed: int) -> NDArray[np.bool_]:
    """Whether each sentence of a panel is seen in each case (sentences × cases)."""
    columns = [[found.column(case) for case in group] for group in found.groups]
    chosen = np.zeros((sentences, len(found.cases)), dtype=bool)
    for row, groups in enumerate(deal_groups(len(found.groups), sentences, EACH, seed)):
        chosen[row, [column for group in groups for column in columns[group]]] = True
    return chosen


def draw(found: Population, sentences: int, runs: range) -> Drawn:
    """Panels of corpora with so many sentences."""
    rows, times = _corpora(found, sentences, runs), Counter(name for _, name in found.cases)
    deals = [_chosen(found, sentences, seed) for seed in range(DEALS)]
    chosen = np.array([deals[run % DEALS] for run in runs])
    weights = chosen / np.array([times[name] for _, name in found.cases])
    sides = [
        tuple((weights * part[rows, :, 0]).sum(axis=2) for part in _events(table))
        for table in (found.reference, found.new)
    ]
    inputs = 1.0 + (chosen & found.changed[rows, :, 0]).sum(axis=2)
    return Drawn((sides[0][0], sides[0][1]), (sides[1][0], sides[1][1]), inputs)


def _events(table: Floats) -> tuple[Floats, Floats]:
    """The events and the trials of counts."""
    value = METRIC.value
    assert isinstance(value, Share)
    return value.events(table), value.trials(table)


def _tested(drawn: Drawn, end: int) -> tuple[Floats, Floats]:
    """The loss in the first sentences of each run, and its standard error."""
    values, linear = [], []
    for events, trials in (drawn.reference, drawn.new):
        events, trials = events[:, :end], trials[:, :end]
        total = trials.sum(axis=1, keepdims=True)
        value = events.sum(axis=1, keepdims=True) / total
        values.append(value[:, 0])
        linear.append((events - value * trials) / total)
    parts = linear[0] - linear[1]
    return values[0] - values[1], np.sqrt((parts**2).sum(axis=1) * end / (end - 1))


def one_look(drawn: Drawn, limit: float) -> tuple[NDArray[np.bool_], Floats]:
    """Whether each panel finds the loss, and its inputs."""
    value, se = _tested(drawn, drawn.inputs.shape[1])
    return value - limit > -NormalDist().inv_cdf(LEVEL) * se, drawn.inputs.sum(axis=1)


def early(drawn: Drawn, limit: float) -> tuple[NDArray[np.bool_], Floats]:
    """The same of panels that stop early, whose clean corpus is run whole."""
    sentences = drawn.inputs.shape[1]
    told, open_still = (np.full(len(drawn.inputs), each) for each in (False, True))
    spent = drawn.inputs.sum(axis=1)
    panel = Panel((), EACH, sentences, 0, LOOKS)
    levels = [PanelNotes(0, end, sentences, LOOKS).level(LEVEL) for end in panel.ends]
    boundary = -NormalDist().inv_cdf(levels[-1])
    for end, level in zip(panel.ends, levels, strict=True):
        if not level:
            continue
        value, se = _tested(drawn, end)
        crossed = open_still & (value - limit > -NormalDist().inv_cdf(level) * se)
        told |= crossed
        stops = crossed.copy()
        if end < sentences:
            final, share = se * math.sqrt(end / sentences), end / sentences
            chances = [
                chance_to_find((each - limit) / own, EXCESS / own, share, boundary)
                for each, own in zip(value.tolist(), final.tolist(), strict=True)
            ]
            stops |= open_still & (np.array(chances) < GIVE_UP)
        cost = sentences + (drawn.inputs[:, :end] - 1).sum(axis=1)
        spent = np.where(stops, cost, spent)
        open_still &= ~stops
    return told, spent


def panel_runs(found: Population, sentences: int, runs: int, limit: float) -> tuple[Outcome, Outcome]:
    """Panels of one look, and those that stop early."""
    every = []
    for start in range(0, runs, CHUNK):
        drawn = draw(found, sentences, range(start, min(start + CHUNK, runs)))
        every.append((*one_look(drawn, limit), *early(drawn, limit)))
    one, one_cost, stopped, stopped_cost = (np.concatenate(parts) for parts in zip(*every, strict=True))
    return Outcome(float(one.mean()), float(one_cost.mean())), Outcome(
        float(stopped.mean()), float(stopped_cost.mean())
    )


def whole_runs(found: Population, sentences: int, runs: int, limit: float) -> Outcome:
    """All cases and seeds on as many sentences: the mean over cases, weighted by what each changed."""
    told, spent = [], []
    for rows in _corpora(found, sentences, range(runs)):
        value, se = _whole(found, rows)
        told.append(value - limit > -NormalDist().inv_cdf(LEVEL) * se)
        spent.append(sentences + found.changed[rows].sum())
    return Outcome(float(np.mean(told)), float(np.mean(spent)))


def _whole(found: Population, rows: NDArray[np.intp], seeds: int = 3) -> tuple[float, float]:
    """The mean loss of a whole run on these sentences, and its standard error."""
    changed = found.changed[rows, :, :seeds].any(axis=2)
    own = [k for k in range(len(found.cases)) if changed[:, k].any()]
    weights = np.zeros(len(found.cases))
    weights[own] = pool_weights([(found.cases[k][1], np.flatnonzero(changed[:, k]).tolist()) for k in own])
    values, linear = [], []
    for table in (found.reference, found.new):
        events, trials = (part[rows, :, :seeds].sum(axis=2) for part in _events(table))
        total = trials.sum(axis=0)
        value = np.divide(events.sum(axis=0), total, out=np.zeros(len(total)), where=total > 0)
        values.append(float((weights * value).sum()))
        linear.append(((events - value * trials) / np.maximum(total, 1) * weights).sum(axis=1))
    parts = linear[0] - linear[1]
    return values[0] - values[1], float(np.sqrt((parts**2).sum() * len(rows) / (len(rows) - 1)))


def _pooled_truth(found: Population) -> float:
    """The mean loss of the population as panels estimate it: all cases on all sentences, under the first seed."""
    times = Counter(name for _, name in found.cases)
    weights = 1 / np.array([times[name] for _, name in found.cases])
    shares = []
    for table in (found.reference, found.new):
        events, trials = (float((part[:, :, 0] * weights).sum()) for part in _events(table))
        shares.append(events / trials)
    return shares[0] - shares[1]


def _whole_truth(found: Population) -> float:
    """The same as whole runs estimate it."""
    return _whole(found, np.arange(found.sentences))[0]


def _agreement(found: Population, sentences: int, limit: float, runs: int) -> float:
    """The share of panels of one look that `abalo.core.statistics.losses` decides alike, from resampled counts."""
    drawn = draw(found, sentences, range(runs))
    told, _ = one_look(drawn, limit)
    value, _ = _tested(drawn, sentences)
    names = [f"{row:05}" for row in range(sentences)]
    draws, alike = Draws(names, GATE.resamples), 0
    for run in range(runs):
        reference, new = (np.column_stack([part[run] for part in side]) for side in (drawn.reference, drawn.new))
        sums = [draws.sums(names, side) for side in (reference, new)]
        resampled = sums[0][:, 0] / sums[0][:, 1] - sums[1][:, 0] / sums[1][:, 1]
        estimate = Estimate(float(value[run]), math.nan, math.nan, math.nan, sentences)
        loss = Loss("", None, METRIC.name, limit, "can't tell", loss=estimate, discordant=sentences)
        (judged,) = judge_losses([Hypothesis(loss, resampled, most=1.0)], LEVEL, LEVEL, GATE)
        alike += (judged.state == "regressed") == bool(told[run])
    return alike / runs


# What is shown --------------------------------------------------------------------------------------------------------


def _smallest(power: Callable[[int], float], low: int, high: int, step: int) -> int:
    """The smallest number of sentences, a multiple of the step, with the power that is wanted."""
    while high - low > step:
        middle = (low + high) // 2 // step * step
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return high


def _needed(found: Population, runs: int) -> dict[str, object]:
    limit, whole_limit = _pooled_truth(found) - EXCESS, _whole_truth(found) - EXCESS
    one, stopping = (
        _smallest(lambda n, k=k: panel_runs(found, n, min(TRIED, runs), limit)[k].found, 64, 1_024, 16) for k in (0, 1)
    )
    fewer = _smallest(lambda n: whole_runs(found, n, min(TRIED, runs), whole_limit).found, 30, 490, 10)
    outcomes = {
        "panel": (one, panel_runs(found, one, runs, limit)[0]),
        "early": (stopping, panel_runs(found, stopping, runs, limit)[1]),
        "fewer sentences": (fewer, whole_runs(found, fewer, runs, whole_limit)),
    }
    row: dict[str, object] = {
        "pair": found.name,
        "mean loss": round(_whole_truth(found), 4),
        "pooled": round(_pooled_truth(found), 4),
        "inputs, whole run": found.inputs,
    }
    for name, (sentences, each) in outcomes.items():
        row |= {f"{name}: sentences": sentences, f"{name}: power (%)": round(100 * each.found, 1)}
        row[f"{name}: inputs"] = round(each.inputs)
    for name in ("panel", "early"):
        row[f"{name} / whole (%)"] = round(100 * outcomes[name][1].inputs / found.inputs, 1)
        row[f"{name} / fewer sentences (%)"] = round(
            100 * outcomes[name][1].inputs / outcomes["fewer sentences"][1].inputs, 1
        )
    return row


def _false_alarms(found: Population, sentences: int, runs: int) -> dict[str, object]:
    limit = _pooled_truth(found)
    one, stopping = panel_runs(found, sentences, runs, limit)
    return {
        "pair": f"{found.name}, {sentences} sentences",
        "runs": runs,
        "one look (%)": round(100 * one.found, 2),
        "early (%)": round(100 * stopping.found, 2),
        "agreement (%)": round(100 * _agreement(found, sentences, limit, min(AGREEING, runs)), 1),
    }


def _variance(found: Population) -> dict[str, object]:
    """The parts of the variance of the loss of one input: of sentences, of sentences in a case, of seeds.

    The loss of an input is its linear part in the loss of its case. Cases count that draw, by the method of moments.
    """
    values = np.zeros(found.changed.shape)
    for table, sign in ((found.reference, 1), (found.new, -1)):
        events, trials = _events(table)
        total = np.maximum(trials.sum(axis=(0, 2), keepdims=True), 1)
        values += sign * (events - events.sum(axis=(0, 2), keepdims=True) / total * trials) / total
    drawing = [k for k in range(len(found.cases)) if found.changed[:, k].all(axis=1).mean() > 0.5]
    values = values[found.changed[:, drawing].all(axis=(1, 2))][:, drawing]
    values = values - values.mean(axis=(0, 2), keepdims=True)
    sentences, cases, seeds = values.shape
    by_case = values.mean(axis=2)
    within = values.var(axis=2, ddof=1).mean()
    crossed = by_case - by_case.mean(axis=1, keepdims=True) - by_case.mean(axis=0, keepdims=True) + by_case.mean()
    in_case = (crossed**2).sum() / ((sentences - 1) * (cases - 1)) - within / seeds
    of_sentence = by_case.mean(axis=1).var(ddof=1) - in_case / cases - within / seeds / cases
    shares = [100 * each / (of_sentence + in_case + within) for each in (of_sentence, in_case, within)]
    rows = np.arange(found.sentences)
    more = 100 * (_whole(found, rows, 1)[1] / _whole(found, rows)[1] - 1)
    names = ("sentence (%)", "sentence × case (%)", "seed (%)")
    return {"pair": found.name, "sentences": sentences, "cases": cases} | {
        **{name: round(float(share), 1) for name, share in zip(names, shares, strict=True)},
        "one seed: standard error of the mean (+%)": round(more, 1),
        "one seed: inputs (%)": round(100 * float(found.sentences + found.changed[:, :, 0].sum()) / found.inputs, 1),
    }


if __name__ == "__main__":
    main()
