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

    python -m benchmarks.coverage few

prints a line per kind of losses and number of documents, whose true loss is 0, for the intervals of comparisons with
few documents. Aim: at least 92.5 % held in every line but the last ones, whose losses lean to one side.

    python -m benchmarks.coverage ends

prints the lines of macro F1 near 1, of the scores of translations and of F1 of answers, all of them drawn from a bank:
of macro F1 texts that are labelled wrongly at random, of translations 500 pairs of Tatoeba whose words were left out,
most of them in few sentences, of answers F1 by question. Aim: as above, TER apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from abalo.core.statistics.calibration import COLUMNS, CalibrationError, narrow_bin
from abalo.core.statistics.ends import few_at_ends
from abalo.core.statistics.estimates import Estimate, bootstrap, estimate, estimate_value, widened
from abalo.core.statistics.few_events import few_in_net
from abalo.core.statistics.flips import Flipped, flip_signs, parts_of, values_on_subsets
from abalo.core.statistics.metrics import Floats, Metric, holding
from abalo.core.statistics.verdicts import FEWEST_HOLDING
from abalo.corpora.loading import load
from abalo.models.translators.scoring import bleu_statistics, chrf_statistics, ter_statistics
from abalo.tasks.choice.task import TASK as CHOICE
from abalo.tasks.labels.metrics.labels import METRICS as OF_LABELS
from abalo.tasks.ner.task import TASK as NER
from abalo.tasks.reading.metrics.answers import METRICS as OF_ANSWERS
from abalo.tasks.translation.metrics.scores import METRICS as OF_TRANSLATION
from benchmarks.arguments import Parser
from benchmarks.documents import KINDS, SIZES, drawn, few_flips, loss
from benchmarks.results import show
from perturbations import entity_spans

REPLICATES, RESAMPLES, CONFIDENCE = 2_000, 1_000, 0.95
FEW_REPLICATES = BANK_REPLICATES = 1_000
SENTENCES = (60, 110, 200, 1_000)
BANK_SIZES = SENTENCES[:3]
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
    parser.add_argument(
        "data", type=Path, nargs="?", default=USUAL, help="folder or file of LeNER-Br, few, or ends (%(default)s)"
    )
    parser.add_argument(
        "--replicates", type=int, help=f"corpora drawn; default: {REPLICATES}, of calibration {CALIBRATION_REPLICATES}"
    )
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Draws corpora, measures them, and counts the intervals that hold what is true of all corpora."""
    options = parser().parse_args(given)
    if str(options.data) == "few":
        replicates = options.replicates or FEW_REPLICATES
        with few_flips():
            show("coverage_few", [_few_documents(kind, size, replicates) for kind in KINDS for size in SIZES])
        return
    if str(options.data) == "ends":
        show("coverage_ends", [_bank_line(each, n, options.replicates) for each in banks() for n in BANK_SIZES])
        return
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


# Few documents --------------------------------------------------------------------------------------------------------


def _few_documents(kind: str, size: int, replicates: int) -> dict[str, object]:
    """The interval of a loss by subsets of documents, its upper end the larger of that and the law of few events."""
    draws = np.random.Generator(np.random.PCG64([12, size]))
    below = above = alone_below = 0
    alone = (1 - CONFIDENCE) / 2
    for _ in range(replicates):
        table = drawn(kind, draws, size, 1)[:, 0]
        values, parts = values_on_subsets(table, loss), parts_of(table[:, 1])
        (found,) = flip_signs([Flipped(float(loss(table.sum(axis=0))), 0.0, values, parts)], alone)
        law = few_in_net(np.clip(table[:, 0], -table[:, 1], table[:, 1]), table[:, 1], always=True)
        high = found.high(values) if law is None else max(found.high(values), law.law.high(alone))
        below += high < 0
        alone_below += found.high(values) < 0
        above += found.low(values) > 0
    return {
        "losses": kind,
        "documents": size,
        "held (%)": round(100 * (1 - (below + above) / replicates), 1),
        "truth below the interval (%)": round(100 * above / replicates, 1),
        "truth above it (%)": round(100 * below / replicates, 1),
        "truth above it, without the law (%)": round(100 * alone_below / replicates, 1),
    }


# Banks ----------------------------------------------------------------------------------------------------------------

_BANK = 20_000


@dataclass(frozen=True, slots=True)
class Bank:
    """Counts of clusters to draw from, whose sum gives the truth."""

    name: str
    metric: Metric
    counts: Floats
    replicates: int = BANK_REPLICATES

    def value(self, sums: Floats) -> Floats:
        """Overall, if there are groups."""
        found = self.metric.value(sums)
        return found[..., 0] if self.metric.macro else found


def banks() -> list[Bank]:
    """The numbers that neither a share nor its law describes."""
    labels = {metric.name: metric for metric in OF_LABELS}
    answers = {metric.name: metric for metric in OF_ANSWERS}
    translation = {metric.name: metric for metric in OF_TRANSLATION}
    found = [Bank(f"macro F1, {rate:g} wrong", labels["macro_f1"], _labelled(rate)) for rate in (0.002, 0.02, 0.1)]
    found.append(Bank("macro F1, 0.2 wrong, 15 labels", labels["macro_f1"], _labelled(0.2, 15)))
    chrf, bleu, ter = (_translated(each) for each in (chrf_statistics, _bleu, ter_statistics))
    if len(chrf):
        found += [
            Bank("chrF", translation["chrf"], chrf),
            Bank("chrF drop", translation["chrf_drop"], chrf, REPLICATES),
            Bank("BLEU", translation["bleu"], bleu),
            Bank("TER", translation["ter"], ter),
        ]
    found.append(Bank("TER, unequal texts", translation["ter"], _edited()))
    return [*found, Bank("F1 drop of answers", answers["f1_drop"], _answered(), REPLICATES)]


def _bank_line(bank: Bank, size: int, replicates: int | None) -> dict[str, object]:
    replicates = replicates or bank.replicates
    draws = np.random.Generator(np.random.PCG64([13, size]))
    truth = float(bank.value(bank.counts.sum(axis=0)))
    held = by_bootstrap = fit = 0
    for _ in range(replicates):
        rows = bank.counts[draws.integers(len(bank.counts), size=size)]
        resampled = bank.value(bootstrap(size, RESAMPLES).sums(rows))
        plain = estimate(float(bank.value(rows.sum(axis=0))), resampled, size, CONFIDENCE)
        found = estimate_value(bank.metric.value, rows, lambda own=resampled: own, size, CONFIDENCE, plain.value)
        if bank.metric.extremes is not None:
            kinds = {"drop": bank.metric.is_drop, "more_is_better": bank.metric.more_is_better}
            found = widened(found, few_at_ends(bank.value, rows, bank.metric.extremes, **kinds), CONFIDENCE)
        by_bootstrap += plain.low <= truth <= plain.high
        if found.high > found.low:
            fit += 1
            held += found.low <= truth <= found.high
    return {
        "number": bank.name,
        "n": size,
        "held (%)": round(100 * held / fit, 1) if fit else math.nan,
        "fit to be judged (%)": round(100 * fit / replicates, 1),
        "held by percentiles alone (%)": round(100 * by_bootstrap / replicates, 1),
    }


def _labelled(rate: float, labels: int = 5) -> Floats:
    """Texts of labels, each half as common as the one before or more, wrongly labelled at this rate."""
    draws = np.random.Generator(np.random.PCG64(14))
    share = 1 / np.arange(1, labels + 1)
    gold = draws.choice(labels, _BANK, p=share / share.sum())
    given = np.where(draws.random(_BANK) < rate, (gold + draws.integers(1, labels, _BANK)) % labels, gold)
    counts, places = np.zeros((_BANK, 1 + labels, 6)), np.arange(_BANK)
    right = gold == given
    for first in (0, 3):
        counts[places[right], 1 + gold[right], first] = 1
        counts[places[~right], 1 + given[~right], first + 1] = 1
        counts[places[~right], 1 + gold[~right], first + 2] = 1
    counts[:, 0] = counts[:, 1:].sum(axis=1)
    return counts


_LEFT_OUT, _CHANGED, _COPIES = 0.2, 0.1, 10


def _translated(statistics: Callable[[str, tuple[str, ...]], Sequence[float]]) -> Floats:
    """Sentences without some of their words, and after a change without more, most of these in few sentences."""
    path = USUAL.parent / "translation" / "tatoeba-pt-en.tsv"
    if not path.is_file():
        print(f"SKIPPED: no {path}; translations are not measured")
        return np.zeros((0, 1))
    draws = np.random.Generator(np.random.PCG64(15))
    rows = []
    for line in path.read_text("utf-8").splitlines()[1:] * _COPIES:
        text = line.split("\t")[1]
        words = np.array(text.split())
        before = words[draws.random(len(words)) >= _LEFT_OUT]
        lost = draws.beta(0.2, 0.2 * (1 / _CHANGED - 1))
        after = before[draws.random(len(before)) >= lost]
        rows.append([*statistics(" ".join(before), (text,)), *statistics(" ".join(after), (text,))])
    return np.array(rows, dtype=float)


def _bleu(translation: str, references: tuple[str, ...]) -> Sequence[float]:
    return bleu_statistics(translation, references, "13a")


def _edited() -> Floats:
    """Texts of 1 to some hundred words, a fiftieth of whose translations are five times too long."""
    draws = np.random.Generator(np.random.PCG64(17))
    words = np.ceil(np.exp(draws.normal(2.0, 1.0, _BANK)))
    edits = np.where(draws.random(_BANK) < 0.02, 5 * words, draws.binomial(words.astype(int), draws.beta(1, 3, _BANK)))
    return np.stack([edits, words, edits, words], axis=-1)


def _answered() -> Floats:
    """Passages of five questions; of an eighth of them a change takes an answer's overlap, most in few passages."""
    draws = np.random.Generator(np.random.PCG64(16))
    passages, questions = _BANK, 5
    overlap = np.where(
        draws.random((passages, questions)) < 0.7, 1.0, draws.choice([0.0, 0.4, 0.67], (passages, questions))
    )
    hit = draws.random((passages, questions)) < draws.beta(0.3, 2.1, (passages, 1))
    after = np.where(hit, overlap * draws.choice([0.0, 0.5], (passages, questions)), overlap)
    rows = np.zeros((passages, 6))
    rows[:, 0], rows[:, 3], rows[:, 4] = questions, overlap.sum(axis=1), after.sum(axis=1)
    return rows


if __name__ == "__main__":
    main()
