"""How often the paired gate errs where nothing was lost: two models with independent errors of equal rate.

Whether a model finds an entity is a hash of the entity, the case and the model's seed, and in two of three entities
that of the clean corpus decides in every case, as errors of one model hang together. The loss is 0 in truth, and
``max_loss`` is 0: a run that has anything regressed is a false alarm. Aim: at most 2.5 % of the runs.

    python -m benchmarks.errors [RUNS]

How often a label of equal models is found somewhere by the reference and nowhere by the new one, and how often that is
called a loss, by its places, one a sentence. Each model finds each place with the same probability, independently: real
models agree more often. Aim: at most 0.01 % of the labels that are found in 80 % of their places or more.

    python -m benchmarks.errors labels

How often any of six cases is called regressed on few documents, by sign flips, where nothing was lost. Aim: at most
2.5 % in every row but the last ones, whose losses lean to one side.

    python -m benchmarks.errors few
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.comparison.test.lost_labels import is_lost
from abalo.config.thresholds import case_of
from abalo.core.documents.losses_found import LabelCount
from abalo.core.protocols.probe import Case
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import ALIKE, Evidence
from abalo.core.statistics.flips import Flipped, flip_signs, parts_of, values_on_subsets
from abalo.corpora import load
from abalo.corpora.corpus import Corpus
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.documents import KINDS, SIZES, drawn, few_flips, loss
from benchmarks.results import Aim, show
from perturbations import entity_spans

SENTENCES = (110, 490)
CASES = ("accents", "keyboard", "synonyms", "typos", "letter_case", "word_insertion")
FOUND, SHARED = 0.85, 2 / 3
GATE = Gate(resamples=2_000, max_loss=0.0)
TODAY = date(2026, 1, 1)
PLACES, RATES = (1, 2, 3, 4, 5, 6, 8, 10, 20), (0.95, 0.9, 0.85, 0.8, 0.5)
ALARMS, DOCUMENT_RUNS = 0.025, 1_000
LABELS = 5_000_000
"""The labels for each number of places and each rate."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("1",))
    parser.add_argument("what", nargs="?", type=_runs, default=1_000, help="runs, labels or few; default: %(default)s")
    parser.add_argument("--runs", type=int, default=DOCUMENT_RUNS, help="runs with few documents; default: %(default)s")
    return parser


def _runs(given: str) -> int | str:
    return given if given in ("labels", "few") else int(given)


def main(given: Sequence[str] | None = None) -> None:
    """Counts the runs in which a model is said to be worse than one that is as good."""
    options = parser().parse_args(given)
    runs = options.what
    if runs == "few":
        with few_flips():
            show("few_documents", [few_documents(kind, size, options.runs) for kind in KINDS for size in SIZES])
        return
    if runs == "labels":
        aims = [Aim(f"lost at {rate} (%)", 0.01, at_most=True) for rate in RATES[:-1]]
        show("lost_labels", [*map(lost_labels, PLACES)], aims)
        return
    cases = [case_of(TASK, name, {}, GATE) for name in CASES]
    rows = []
    for sentences in SENTENCES:
        corpus = load("bundled:legal-pt").first(None)
        alarms: Counter[str] = Counter()
        for run in range(runs):
            first, second = (evidence(corpus, sentences, cases, 2 * run + side) for side in (0, 1))
            found = compare_task(TASK, cases, Runs(first, second), GATE, TODAY)
            by_part = {
                "baseline": [found.baseline],
                "mean": [] if found.mean is None else [found.mean],
                "cases and types": found.losses,
            }
            said = {name for name, losses in by_part.items() if any(loss.state == "regressed" for loss in losses)}
            alarms.update([*said, *(["any"] if said else [])])
        rows.append(
            {
                "sentences": sentences,
                "runs": runs,
                **{f"{name} (%)": round(100 * alarms[name] / runs, 2) for name in (*by_part, "any")},
                "at most (%)": round(100 * (0.025 + 2 * math.sqrt(0.025 * 0.975 / runs)), 2),
            }
        )
    show("errors", rows)


def few_documents(kind: str, size: int, runs: int) -> dict[str, object]:
    """The share of runs in which sign flips call any case regressed."""
    draws = np.random.Generator(np.random.PCG64([11, size]))
    alarms = 0
    for _ in range(runs):
        table = drawn(kind, draws, size, len(CASES))
        values, losses = values_on_subsets(table, loss), loss(table.sum(axis=0))
        parts = parts_of(table[:, 0, 1])
        each = [Flipped(float(losses[k]), 0.0, values[:, k], parts) for k in range(len(CASES))]
        alarms += any(found.p <= ALARMS for found in flip_signs(each, ALARMS))
    most = ALARMS + 2 * math.sqrt(ALARMS * (1 - ALARMS) / runs)
    return {
        "losses": kind,
        "documents": size,
        "runs": runs,
        "regressed (%)": round(100 * alarms / runs, 2),
        "at most (%)": round(100 * most, 2),
    }


def lost_labels(places: int) -> dict[str, object]:
    """The share of labels with so many places that are gone, and that are lost, by the rate at which they are found."""
    row: dict[str, object] = {"places": places}
    for rate in RATES:
        generator = np.random.Generator(np.random.PCG64([places, round(100 * rate)]))
        found, now = (generator.binomial(places, rate, LABELS) for _ in range(2))
        times = Counter(found[(now == 0) & (found > 0)].tolist())
        lost = sum(count for hits, count in times.items() if is_lost(LabelCount("", places, hits, hits)))
        row |= {f"gone at {rate} (%)": _percent(times.total()), f"lost at {rate} (%)": _percent(lost)}
    return row


def _percent(labels: int) -> float:
    return round(100 * labels / LABELS, 4)


def evidence(corpus: Corpus, sentences: int, cases: list[Case], model: int) -> dict[str, Evidence]:
    """The evidence of a scripted model on the first distinct sentences of the corpus, clean and in each case."""
    distinct = list(dict.fromkeys(corpus.sentences))[:sentences]
    entities = [entity_spans(sentence.tags or ()) for sentence in distinct]
    groups = tuple(sorted({span.type for spans in entities for span in spans}))
    rows = np.array([row for row, spans in enumerate(entities) for _ in spans])
    kinds = np.array([groups.index(span.type) for spans in entities for span in spans])
    generator = np.random.Generator(np.random.PCG64([model, sentences]))
    clean = generator.random(len(rows)) < FOUND
    made = {"ner/baseline": clean}
    for case in cases:
        own = generator.random(len(rows)) < FOUND
        made[case.id] = np.where(generator.random(len(rows)) < SHARED, clean, own)
    held = np.zeros((len(distinct), len(groups)), dtype=np.int64)
    np.add.at(held, (rows, kinds), 1)
    return {name: _evidence(groups, held, rows, kinds, clean, found) for name, found in made.items()}


def _evidence(
    groups: tuple[str, ...],
    held: NDArray[np.int64],
    rows: NDArray[np.int64],
    kinds: NDArray[np.int64],
    clean: NDArray[np.bool_],
    found: NDArray[np.bool_],
) -> Evidence:
    """Counts of a model that predicts as many entities as there are, so that F1 is the share found."""
    n = len(held)
    table = np.zeros((n, 1 + len(groups), 6))
    for columns, hits in (((0, 1, 2), clean), ((3, 4, 5), found)):
        hit = np.zeros((n, len(groups)))
        np.add.at(hit, (rows[hits], kinds[hits]), 1)
        for column, counts in zip(columns, (hit, held, held), strict=True):
            table[:, 1:, column], table[:, 0, column] = counts, counts.sum(axis=1)
    ids = np.array([f"{row:05}" for row in range(n)])
    ones, none = np.ones(n, dtype=np.int64), np.zeros(n, dtype=bool)
    first, empty = np.zeros(n, dtype=np.int64), np.full(n, "")
    tables = {ALIKE: {"entity_counts": table}}
    return Evidence(groups, ids, ids, ones, first, empty, ids, empty, ~none, none, held, tables)


if __name__ == "__main__":
    main()
