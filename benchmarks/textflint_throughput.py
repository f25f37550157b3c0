"""Sentences a second of CPU time, by TextFlint and by our counterparts of its transformations. Aim: five times as many.

    python -m benchmarks.textflint_throughput [--data corpus.conll] [--limit 2000] [--only EntTypos,OOV]

TextFlint's figures are published ones: TextFlint 0.1.0 on the first 2,000 sentences of LeNER-Br, one core of a machine
like ours, lowest and highest of three runs in CPU time; in wall-clock time, where no other is known, of one run. They
count the sentences that went in, also those of which nothing came out, and so do ours: all sentences of the corpus over
the CPU time of one variant of each, or of finding that there is none. ``variants`` says how many came out.

Counted is `Perturbation.sample`, at the default rate, of sentences seen for the first time by a process that has never
perturbed one, so that nothing is remembered; ``again`` is the same once more. What a run makes before it perturbs is
made before: the corpus is read, its pool of entities and the order of its sentences are there, as TextFlint's stand-in
lists were, and the word lists are read, by perturbing the perturbation's own example. The loop has nothing to do with
us: compare runs only where it is as fast.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abalo.corpora import load
from abalo.sources.resources import Resources
from benchmarks.results import show
from perturbations import Perturbation, Sentence, UnknownPerturbation, find, parse

LENER_BR = Path(__file__).parents[2] / "shared" / "data" / "lener-br" / "train.conll"

REPEATS, PART = 10, 100


@dataclass(frozen=True, slots=True)
class Published:
    """Sentences a second by TextFlint, and in which time they are counted."""

    lowest: int
    highest: int
    time: str = "CPU"

    def __str__(self) -> str:
        return f"{self.lowest}" + (f" to {self.highest}" if self.highest > self.lowest else "") + f" ({self.time})"


TEXTFLINT: Mapping[str, Published] = {
    "Typos": Published(2643, 3000),
    "Keyboard": Published(2058, 2153),
    "EntTypos": Published(3568, 3620),
    "OOV": Published(5251, 6101),
    "CrossCategory": Published(5844, 6192),
    "SwapLonger": Published(5525, 6296),
    "ConcatSent": Published(4499, 4868),
    "Ocr": Published(1498, 1498, "wall clock"),
    "WordCase": Published(7186, 7186, "wall clock"),
    "Punctuation": Published(644, 644, "wall clock"),
    "SwapNum": Published(8220, 8220, "wall clock"),
    "TwitterType": Published(980, 980, "wall clock"),
    "AppendIrr": Published(952, 952, "wall clock"),
}
"""By TextFlint's name; ours has it as an alias. SpellingError is left out: it was measured with five words."""


def main() -> None:
    """Samples every sentence with every counterpart at its default rate: first anew, then again."""
    arguments = _arguments()
    count = len(load(arguments.data, limit=arguments.limit).sentences)
    print(f"{count} sentences of {arguments.data}, best of {REPEATS}")
    rows: list[Mapping[str, object]] = []
    for name in arguments.only.split(",") if arguments.only else TEXTFLINT:
        published = TEXTFLINT[name]
        try:
            ours = find(name)
        except UnknownPerturbation:
            continue
        timed = _timed(name, arguments.data, count)
        rows.append(
            {
                "TextFlint": name,
                "its sentences a second": str(published),
                "ours": ours.name,
                "sentences a CPU second": round(timed.first),
                "again": round(timed.again),
                "times its best": f"{timed.first / published.highest:.1f}",
                "variants": timed.variants,
                "loop µs": round(timed.loop * 1e6),
            }
        )
    show("textflint_throughput", rows)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.textflint_throughput", description=(__doc__ or "").partition("\n")[0]
    )
    known = str(LENER_BR) if LENER_BR.exists() else "bundled:legal-pt"
    parser.add_argument("--data", default=known, help="a corpus, by default LeNER-Br where it is, else the bundled one")
    parser.add_argument("--limit", type=int, default=2000, help="how many sentences of it (default: 2000)")
    parser.add_argument("--only", help="names in TextFlint, with commas between them (default: all)")
    return parser.parse_args()


@dataclass(frozen=True, slots=True)
class Timed:
    """Sentences a second, ``first`` and ``again``; how many ``variants``; seconds of a loop of a thousand turns."""

    first: float
    again: float
    variants: int
    loop: float


@dataclass(frozen=True, slots=True)
class Run:
    """The seconds that every part took, ``first`` and ``again``; how many ``variants``; seconds of the loop."""

    first: Sequence[float]
    again: Sequence[float]
    variants: int
    loop: float


def _timed(name: str, data: str, count: int) -> Timed:
    """Every hundred sentences count at their fastest, since others on the machine only make them slower."""
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as processes:
        runs = processes.starmap(_run, [(name, data, count)] * REPEATS, chunksize=1)
    first = sum(map(min, zip(*(run.first for run in runs), strict=True)))
    again = sum(map(min, zip(*(run.again for run in runs), strict=True)))
    return Timed(count / first, count / again, runs[0].variants, min(run.loop for run in runs))


def _run(name: str, data: str, count: int) -> Run:
    """The measurement of a process of its own."""
    corpus = load(data, limit=count)
    perturbation = Resources(corpus).configured(find(name), {})
    perturbation.sample(parse(perturbation.example.before), seed=1)
    loop = min(_seconds_of_a_loop() for _ in range(100))
    parts = [corpus.sentences[start : start + PART] for start in range(0, count, PART)]
    first, again = ([_seconds(perturbation, part) for part in parts] for _ in range(2))
    return Run(first, again, sum(perturbation.sample(each, seed=1) is not None for each in corpus.sentences), loop)


def _seconds(perturbation: Perturbation, part: Sequence[Sentence]) -> float:
    started = time.process_time()
    for sentence in part:
        perturbation.sample(sentence, seed=1)
    return time.process_time() - started


def _seconds_of_a_loop() -> float:
    started, total = time.process_time(), 0
    for turn in range(1000):
        total += turn * turn
    return time.process_time() - started


if __name__ == "__main__":
    main()
