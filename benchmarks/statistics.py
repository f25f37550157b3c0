"""How long intervals take, and how wide they are.

100 cases × 10,000 resamples × 200 distinct sentences: aim under a second of CPU time.

Large corpora: a scripted model on many distinct sentences, a case with typos and one with inserted words, perturbed,
counted and judged, and judged once more in the old way, which is put together again here: weights that take more than
64 MiB were drawn anew for every table of counts, and no number of sentences was linearised. Aims: of 10,000 sentences
all of it 1.7 times as fast, of 50,000 2.3 times. The most memory is that of all but the old way.

Widths: of 20,000 sentences every number of those cases, linearised and by the bootstrap, here of 40,000 resamples: of
10,000 the width of the bootstrap itself is off by one per cent (standard error), of these by half of that. Aim: within
2 %.
"""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from unittest.mock import patch

import numpy as np

from abalo.config.thresholds import case_of
from abalo.core.protocols.probe import metrics_of
from abalo.core.records.gate import Gate
from abalo.core.running.engine import Engine
from abalo.core.running.judging import judge_case
from abalo.core.statistics import linearised
from abalo.core.statistics.estimates import SHARED, Bootstrap, Estimate, estimate, measure
from abalo.core.statistics.evidence import Evidence
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show
from benchmarks.stopping import ByWord, many_sentences

TABLES, RESAMPLES, SENTENCES = 100, 10_000, 200

LARGE: Mapping[int, float] = {10_000: 1.7, 50_000: 2.3}
"""How many times as fast as the old way each number of sentences should be, in all."""

OLD_CELLS_KEPT = 2**26
"""Bytes of weights that were kept, of one number of clusters."""

GATE = Gate(seeds=(1,), language="pt", resamples=RESAMPLES)

PRECISE = replace(GATE, resamples=40_000)

CASES = [case_of(TASK, name, {"rate": 0.1, "max_f1_drop": 0.5}, GATE) for name in ("character_noise", "word_insertion")]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--sentences", "50", "--widths", "200"))
    parser.add_argument(
        "--sentences", type=int, nargs="+", default=[*LARGE], help="sizes of corpora; default: %(default)s"
    )
    parser.add_argument("--widths", type=int, default=linearised.MANY, help="sentences whose widths are compared")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the tables."""
    options = parser().parse_args(given)
    show("statistics", [_small()], [Aim("seconds", 1, at_most=True)])
    for sentences in options.sentences:
        aims = [Aim("times, in all", LARGE[sentences])] if sentences in LARGE else []
        print()
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            show(f"statistics_{sentences}", [pool.submit(_large, sentences).result()], aims)
    print()
    show("statistics_widths", [_widths(options.widths)], [Aim("largest difference, %", 2, at_most=True)])


def _small() -> Mapping[str, object]:
    """The interval of the F1 drop for random counts of entities."""
    generator = np.random.Generator(np.random.PCG64(1))
    gold = generator.integers(0, 4, (TABLES, SENTENCES, 1)).astype(float)
    found = generator.binomial(gold.astype(int), 0.8).astype(float)
    tables = np.concatenate([gold, gold, gold, found, gold, gold], axis=2)
    bootstrap = Bootstrap(SENTENCES, RESAMPLES)
    started = time.process_time()
    drop = TASK.metrics()["f1_drop"].value
    for table in tables:
        estimate(float(drop(table.sum(axis=0))), drop(bootstrap.sums(table)), SENTENCES, 0.95)
    seconds = time.process_time() - started
    return {"cases": TABLES, "resamples": RESAMPLES, "sentences": SENTENCES, "seconds": round(seconds, 2)}


def _large(sentences: int) -> Mapping[str, object]:
    """A row of the table; in a process of its own, for the memory."""
    began = time.process_time()
    evidence = _evidence(sentences)
    counting = time.process_time() - began
    judging = _judging(evidence)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    with patch.object(Bootstrap, "CELLS_KEPT", OLD_CELLS_KEPT), patch.object(linearised, "MANY", math.inf):
        SHARED.clear()
        old = _judging(evidence)
    return {
        "sentences": sentences,
        "counting s": round(counting, 1),
        "judging s, old": round(old, 1),
        "judging s": round(judging, 1),
        "times, judging": round(old / judging, 1),
        "times, in all": round((counting + old) / (counting + judging), 2),
        "most memory MB": round(memory),
    }


def _judging(evidence: Sequence[Evidence]) -> float:
    """CPU seconds in which all cases are judged."""
    began = time.process_time()
    for case, each in zip(CASES, evidence, strict=True):
        judge_case(case, TASK, each, GATE, len(CASES))
    return time.process_time() - began


def _evidence(sentences: int) -> list[Evidence]:
    corpus = many_sentences(sentences)
    session = Engine(TASK, corpus, ByWord(corpus), GATE)
    return [session.run(case).evidence for case in CASES]


def _widths(sentences: int) -> Mapping[str, object]:
    """The largest difference of the widths of all numbers that are resampled over all sentences."""
    evidence = _evidence(sentences)
    resampled = _intervals(evidence)
    with patch.object(linearised, "MANY", sentences - 1):
        linear = _intervals(evidence)
    differences = {name: abs(_width(linear[name]) / _width(each) - 1) for name, each in resampled.items()}
    widest = max(differences, key=lambda name: differences[name])
    return {
        "sentences": sentences,
        "numbers": len(differences),
        "largest difference, %": round(100 * differences[widest], 2),
        "of": widest,
    }


def _intervals(evidence: Sequence[Evidence]) -> Mapping[str, Estimate]:
    """The numbers over all sentences that have an interval without a law of their own, by case, view and metric."""
    found: dict[str, Estimate] = {}
    for case, each in zip(CASES, evidence, strict=True):
        metrics = metrics_of(case.probe, TASK).values()
        for view, measurement in measure(each, TASK.views, metrics, PRECISE).items():
            found |= {f"{case.name}, {view}, {name}": number for name, number in measurement.overall.items()}
    return {name: number for name, number in found.items() if number.law is None and _width(number) > 0}


def _width(estimate: Estimate) -> float:
    return estimate.high - estimate.low


if __name__ == "__main__":
    main()
