"""How often `abalo harden` sees a gain where there is none, and how often it sees a real one.

Two scripted models find the same 90 % of the entities of the clean corpus, and miss some of these in each taught case:
by lot, independent of the other model. For two of three entities the lot is the same in all cases, since the errors
of a model are correlated. *Equal* models miss the same share, so each gain is a false alarm (aim: at most 2.5 % of runs
have one). In *halved* the new model misses half as many in every case. The clean corpus decides nothing
(``max_loss = 1``).

    python -m benchmarks.gains [RUNS]
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from abalo.config.thresholds import case_of
from abalo.core.protocols.probe import Case
from abalo.core.records import json_records as typed
from abalo.core.records.gate import Gate
from abalo.core.statistics.metrics import Flags
from abalo.core.statistics.pairing import Paired
from abalo.core.statistics.plan import BASELINE
from abalo.corpora import load
from abalo.hardening.document import Hardening
from abalo.hardening.gains import CaseRuns, Gain, judge_gains
from abalo.hardening.page import verdict_of
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show
from perturbations import entity_spans

Ints = NDArray[np.int64]

FOUND, SHARED = 0.9, 2 / 3
GATE = Gate(resamples=4_000, max_loss=1.0)
UNCORRECTED = replace(GATE, correction="none")
CLEAN = case_of(TASK, BASELINE, {}, GATE)
LEVEL = (1 - GATE.confidence) / 2


@dataclass(frozen=True, slots=True)
class Row:
    """A corpus of so many sentences, and so many taught cases that each lose ``cost`` F1 before the training."""

    sentences: int
    taught: int
    cost: float


ROWS = (Row(110, 8, 0.1), Row(110, 16, 0.1), Row(490, 8, 0.05), Row(490, 8, 0.005))


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("6",))
    parser.add_argument("runs", type=int, nargs="?", default=700, help="default: %(default)s")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Counts the runs in which something improved, and those whose verdict is *hardened*."""
    runs = parser().parse_args(given).runs
    at_most = round(100 * (LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / runs)), 1)
    show("gains", [_row(row, runs) for row in ROWS], [Aim("equal: improved (%)", at_most, at_most=True)])


def _row(row: Row, runs: int) -> Mapping[str, float]:
    distinct = list(dict.fromkeys(load("bundled:legal-pt").first(None).sentences))[: row.sentences]
    held = np.array([len(entity_spans(each.tags or ())) for each in distinct])
    simulations = {
        "equal": (row.cost, GATE, runs),
        "uncorrected": (row.cost, UNCORRECTED, runs // 6),
        "halved": (row.cost / 2, GATE, runs // 6),
    }
    percent: dict[str, float] = {}
    for name, (cost, gate, times) in simulations.items():
        seen: Counter[str] = Counter()
        for run in range(times):
            found = judge_gains(list(_subjects(held, row.taught, (row.cost, cost), run)), gate)
            improved = sum(each.state == "improved" for each in found if each.role == "taught")
            verdict = verdict_of(_document(found))
            seen.update({"any": improved > 0, "cases": improved, "hardened": verdict.word == "hardened"})
        percent |= {f"{name}: {what}": round(100 * count / times, 1) for what, count in seen.items()}
    return {
        "sentences": row.sentences,
        "taught cases": row.taught,
        "F1 lost": row.cost,
        "equal: improved (%)": percent["equal: any"],
        "equal: hardened (%)": percent["equal: hardened"],
        "uncorrected: hardened (%)": percent["uncorrected: hardened"],
        "halved: hardened (%)": percent["halved: hardened"],
        "halved: cases improved (%)": round(percent["halved: cases"] / row.taught, 1),
    }


def _document(gains: Sequence[Gain]) -> Hardening:
    """What the verdict is of: the states of the cases."""
    corpus = {"name": "", "examples": 0}
    training = {"seed": 1, "epochs": 1, "letters": False, "share": 0.0, "rounds": 1, "uses": []}
    told = {"task": TASK.name, "models": {}, "corpus": corpus, "train": corpus, "training": training, "seeds": {}}
    told |= {"confidence": GATE.confidence, "max_loss": GATE.max_loss, "taught": [], "not_taught": [], "seconds": {}}
    return typed.read(Hardening, {**told, "cases": gains})


@cache
def _case(k: int) -> Case:
    return case_of(TASK, "character_noise", {"rate": round(0.1 + 0.01 * k, 2)}, GATE)


def _subjects(held: Ints, taught: int, costs: tuple[float, float], run: int) -> Iterator[CaseRuns]:
    """The clean corpus and the taught cases, in which the two models lose those ``costs`` in F1.

    ``held`` is the number of entities of each sentence. A model predicts as many entities as there are, so that its F1
    is the share found.
    """
    ids = tuple(f"{row:05}" for row in range(len(held)))
    rows = np.repeat(np.arange(len(held)), held)
    generator = np.random.Generator(np.random.PCG64([run, len(held), taught, round(1_000 * costs[0])]))
    clean = generator.random(len(rows)) < FOUND
    common = generator.random((2, len(rows)))

    def pair(*found: Flags) -> Paired:
        tables = []
        for each in found:
            hits = [np.bincount(rows, weights=which, minlength=len(held)) for which in (clean, each)]
            tables.append(np.stack([hits[0], held, held, hits[1], held, held], axis=1)[:, None, None])
        return Paired("variant", ids, (), tables[1], tables[0], (0,), 1.0)

    metrics = TASK.metrics()
    yield CaseRuns(CLEAN, "clean", metrics["f1"], pair(clean, clean))
    for k in range(taught):
        own = generator.random((2, len(rows)))
        lots = np.where(generator.random(own.shape) < SHARED, common, own)
        lost = [lot < cost / FOUND for lot, cost in zip(lots, costs, strict=True)]
        yield CaseRuns(_case(k), "taught", metrics["f1_drop"], pair(clean & ~lost[0], clean & ~lost[1]))


if __name__ == "__main__":
    main()
