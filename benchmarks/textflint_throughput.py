"""Sentences a second of CPU time, by TextFlint and by our counterparts of its transformations. Aim: five times as many.

    python -m benchmarks.textflint_throughput [--data corpus.conll] [--limit 2000]

TextFlint's figures are published ones: TextFlint 0.1.0 on the first 2,000 sentences of LeNER-Br, one core of a machine
like ours, lowest and highest of three runs in CPU time; in wall-clock time, where no other is known, of one run.
To be fair, the aim is for sentences seen for the first time, by a perturbation that has seen no word before. The loop
has nothing to do with us: compare runs only where it is as fast.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from abalo.corpora import load
from benchmarks.results import show
from perturbations import Perturbation, Sentence, UnknownPerturbation, find

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
    sentences = load(arguments.data, limit=arguments.limit).sentences
    loop = min(_seconds_of_a_loop() for _ in range(1000))
    print(f"{len(sentences)} sentences of {arguments.data}, best of {REPEATS}")
    print(f"a thousand turns of a loop: {loop * 1e6:.0f} µs\n")
    rows: list[Mapping[str, object]] = []
    for name, published in TEXTFLINT.items():
        try:
            ours = find(name)
        except UnknownPerturbation:
            continue
        first, again = _sentences_a_second(ours, sentences)
        rows.append(
            {
                "TextFlint": name,
                "its sentences a second": str(published),
                "ours": ours.name,
                "sentences a CPU second": round(first),
                "again": round(again),
                "times its best": f"{first / published.highest:.1f}",
                "variants": sum(ours.sample(sentence, seed=1) is not None for sentence in sentences),
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
    return parser.parse_args()


def _sentences_a_second(perturbation: Perturbation, sentences: Sequence[Sentence]) -> tuple[float, float]:
    """With options made for the first time, and again with options remembered.

    Every hundred sentences count at their fastest, since others on the machine only make them slower.
    """
    parts = [sentences[start : start + PART] for start in range(0, len(sentences), PART)]
    first, again = [], []
    for _ in range(REPEATS):
        fresh = perturbation.configured()
        first.append([_seconds(fresh, part) for part in parts])
        again.append([_seconds(fresh, part) for part in parts])
    fastest = [sum(map(min, zip(*runs, strict=True))) for runs in (first, again)]
    return len(sentences) / fastest[0], len(sentences) / fastest[1]


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
