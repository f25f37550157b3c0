"""How often 95 % intervals hold the truth, for numbers with few events and with heavy tails, by number of sentences.

``python -m benchmarks.coverage [DATA]`` prints a line per number and number of sentences: of the replicates whose
interval is fit to be judged, the percentage whose interval holds the truth; the percentage that is fit; and what
percentiles of a bootstrap alone would hold. Aim: at least 92.5 % held in every line, and at 1,000 sentences at least
90 % fit, lines without events apart.

The population is endless: sentences of the development part of LeNER-Br, as often as one likes, each time as a sentence
of its own, with errors that are drawn for it. So a sentence has the entities and words of a real one, errors come in
heaps (beta-binomial, the errors of one sentence correlated by `TOGETHER`), and the truth is known from the way they are
drawn. DATA is the folder of the corpus or its file; without, ../shared/data/lener-br is looked for beside the checkout,
and where there is none, nothing is measured.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.core.calibration import COLUMNS, CalibrationError, narrow_bin
from abalo.core.metrics import Floats, holding
from abalo.core.statistics import Estimate, bootstrap, estimate, estimate_value
from abalo.core.verdicts import FEWEST_HOLDING
from abalo.corpora.loading import load
from abalo.tasks.choice.task import TASK as CHOICE
from abalo.tasks.ner.task import TASK as NER
from benchmarks.arguments import Parser
from benchmarks.results import show
from perturbations import entity_spans

REPLICATES, RESAMPLES, CONFIDENCE = 2_000, 1_000, 0.95
SENTENCES = (60, 110, 200, 1_000)
QUESTIONS = (64,)
CALIBRATED, CALIBRATION_REPLICATES, CALIBRATION_RESAMPLES = (50, 100, 300, 1_000, 3_000), 500, 200
TOGETHER = 0.3
"""The correlation of the errors in one sentence."""

USUAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "lener-br"

Counts = NDArray[np.int64]
Draws = np.random.Generator


@dataclass(frozen=True, slots=True)
class Population:
    """Gold entities and the words in them, by distinct sentence of a corpus."""

    entities: Counts
    words: Counts

    def drawn(self, draws: Draws, sentences: int) -> tuple[Counts, Counts]:
        """Entities and words of so many sentences, each any one of the corpus."""
        chosen = draws.integers(len(self.entities), size=sentences)
        return self.entities[chosen], self.words[chosen]


@dataclass(frozen=True, slots=True)
class Row:
    """A number with its true value, how the columns that it is made of are drawn, and at which sizes."""

    name: str
    value: Callable[[Floats], Floats]
    truth: float
    draw: Callable[[Draws, Population, int], Sequence[NDArray[np.float64] | Counts]]
    sizes: Sequence[int] = SENTENCES
    replicates: int = REPLICATES
    resamples: int = RESAMPLES


def rows() -> Sequence[Row]:
    """The numbers that few sentences decide."""
    ner, choice = NER.metrics(), CHOICE.metrics()
    f1, drop, flips = ner["f1"].value, ner["f1_drop"].value, ner["entity_flip_rate"].value
    success, fragility = ner["success_rate"].value, choice["fragility_score"].value
    return (
        Row("F1 0.999", f1, 0.999, partial(_f1, missed=0.001)),
        Row("flip rate 0.01", flips, 0.01, partial(_flips, rate=0.01)),
        Row("F1 drop 0.0045", drop, 0.0045, partial(_drop, lost=0.0055, gained=0.001)),
        Row("F1 drop 0.02", drop, 0.02, partial(_drop, lost=0.025, gained=0.005)),
        Row("attack success 0.19", success, 0.19, partial(_successes, rate=0.19)),
        Row("confidence drop", ner["conf_drop_gold"].value, _HIT * math.exp(0.5), _confidence),
        Row("fragility 0", fragility, 0.0, partial(_answers, rate=0.0), QUESTIONS),
        Row("fragility 0.02", fragility, 0.02, partial(_answers, rate=0.02), QUESTIONS),
        *(
            Row(
                f"calibration error {over:g}, {about}",
                CalibrationError(),
                over,
                partial(_decisions, over=over, stated=stated, copies=copies),
                CALIBRATED,
                CALIBRATION_REPLICATES,
                CALIBRATION_RESAMPLES,
            )
            for about, stated, copies in (
                ("probabilities from 0.5", _spread, 1),
                ("probabilities from 0.98", _near_one, 1),
                ("three seeds alike", _spread, 3),
            )
            for over in (0.0, 0.02, 0.1)
        ),
    )


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("DATA/lener-br", "--replicates", "2"))
    parser.add_argument("data", type=Path, nargs="?", default=USUAL, help="folder or file of LeNER-Br (%(default)s)")
    parser.add_argument(
        "--replicates", type=int, help=f"corpora drawn; default: {REPLICATES}, of calibration {CALIBRATION_REPLICATES}"
    )
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Draws corpora, measures them, and counts the intervals that hold what is true of all corpora."""
    options = parser().parse_args(given)
    path = options.data / "dev.conll" if options.data.is_dir() else options.data
    if not path.is_file():
        print(f"SKIPPED: no {path}; give the folder of LeNER-Br: python -m benchmarks.coverage DATA")
        return
    sentences = {sentence.tokens: sentence for sentence in load(str(path)).sentences}.values()
    spans = [entity_spans(sentence.tags or ()) for sentence in sentences]
    population = Population(np.array([*map(len, spans)]), np.array([sum(map(len, each)) for each in spans]))
    found = [replace(row, replicates=options.replicates or row.replicates) for row in rows()]
    show("coverage", [_line(row, population, size) for row in found for size in row.sizes])


def _line(row: Row, population: Population, size: int) -> dict[str, object]:
    draws = np.random.Generator(np.random.PCG64([7, size]))
    held = fit = by_bootstrap = 0
    for _ in range(row.replicates):
        table = np.stack(row.draw(draws, population, size), axis=1).astype(float)
        found, percentiles = _measured(row.value, table, row.resamples)
        by_bootstrap += percentiles.low <= row.truth <= percentiles.high
        if found.decidable and found.n >= FEWEST_HOLDING and found.high > found.low:
            fit += 1
            held += found.low <= row.truth <= found.high
    return {
        "number": row.name,
        "n": size,
        "held (%)": round(100 * held / fit, 1) if fit else math.nan,
        "fit to be judged (%)": round(100 * fit / row.replicates, 1),
        "held by percentiles alone (%)": round(100 * by_bootstrap / row.replicates, 1),
    }


def _measured(value: Callable[[Floats], Floats], table: Floats, resamples: int) -> tuple[Estimate, Estimate]:
    """The number as Abalo measures it, and with percentiles of the bootstrap alone."""
    kept = table[holding(value, table)]
    draws = value(bootstrap(len(table), resamples).sums(table))
    found = estimate_value(value, kept, lambda: draws, len(kept), CONFIDENCE)
    return found, estimate(found.value, draws, len(kept), CONFIDENCE)


# Errors ---------------------------------------------------------------------------------------------------------------


def _wrong(draws: Draws, units: Counts, rate: float) -> Counts:
    """How many of the units of each sentence are wrong: at the rate on average, most of them in few sentences."""
    if not rate:
        return np.zeros_like(units)
    spread = (1 - TOGETHER) / TOGETHER
    return draws.binomial(units, draws.beta(rate * spread, (1 - rate) * spread, len(units)))


def _f1(draws: Draws, population: Population, sentences: int, missed: float) -> Sequence[Counts]:
    """Entities of which some are found with a wrong end: predictions are as many, and F1 is the share found."""
    gold, _ = population.drawn(draws, sentences)
    found = gold - _wrong(draws, gold, missed)
    return found, gold, gold, found, gold, gold


def _drop(draws: Draws, population: Population, sentences: int, lost: float, gained: float) -> Sequence[Counts]:
    """A model that finds 0.86 clean; of all entities, so many are lost and so many found when the text is changed."""
    gold, _ = population.drawn(draws, sentences)
    missed = _wrong(draws, gold, 0.14)
    clean = gold - missed
    after = clean - _wrong(draws, clean, lost / 0.86) + _wrong(draws, missed, gained / 0.14)
    return clean, gold, gold, after, gold, gold


def _flips(draws: Draws, population: Population, sentences: int, rate: float) -> Sequence[Counts]:
    """Entity words, all right on the clean sentence, of which some are wrong now."""
    _, words = population.drawn(draws, sentences)
    none = np.zeros_like(words)
    return words, _wrong(draws, words, rate), none, none, none


def _successes(draws: Draws, population: Population, sentences: int, rate: float) -> Sequence[Counts]:
    """Entities attacked, and those broken."""
    targets, _ = population.drawn(draws, sentences)
    none = np.zeros_like(targets)
    return targets, _wrong(draws, targets, rate), none, none, none, none, none, none


_HIT = 0.3
"""The share of sentences in which a change moves the scores."""


def _confidence(draws: Draws, population: Population, sentences: int) -> Sequence[NDArray[np.float64] | Counts]:
    """Words and the sum of their drops: in some sentences log-normal, alike for all words, in the others nothing."""
    _, words = population.drawn(draws, sentences)
    sizes = np.exp(draws.standard_normal(sentences)) * (draws.random(sentences) < _HIT)
    none = np.zeros_like(words)
    return words, words * sizes, none, none, none, none


def _answers(
    draws: Draws, _population: Population, questions: int, rate: float
) -> Sequence[NDArray[np.float64] | Counts]:
    """The share of four variants answered otherwise, which is what a question adds to fragility."""
    one, none = np.ones(questions, dtype=np.int64), np.zeros(questions, dtype=np.int64)
    flips = _wrong(draws, 4 * one, rate) / 4
    return none, none, none, none, none, none, flips, one, none, none


def _spread(draws: Draws, texts: int) -> Floats:
    return draws.uniform(0.5, 1.0, texts)


def _near_one(draws: Draws, texts: int) -> Floats:
    """Most of them above 0.995."""
    return 1 - 0.02 * draws.random(texts) ** 2


def _decisions(
    draws: Draws,
    _population: Population,
    texts: int,
    over: float,
    stated: Callable[[Draws, int], Floats],
    copies: int,
) -> Sequence[NDArray[np.float64]]:
    """A decision of each text, right less often than its probability says by ``over``; copies of a text are alike."""
    probabilities = stated(draws, texts)
    right = draws.random(texts) < probabilities - over
    table, places = np.zeros((texts, COLUMNS)), np.arange(texts)
    first = 3 * np.array([narrow_bin(each) for each in probabilities])
    for k, counts in enumerate((np.ones(texts), probabilities, right)):
        table[places, first + k] = copies * counts
    return [*table.T]


if __name__ == "__main__":
    main()
