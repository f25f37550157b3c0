"""How many sentences each perturbation makes in a second of CPU time. Aim: 20,000, and 40,000 of the plain ones.

    python -m benchmarks.perturbations [--data corpus.conll] [--limit 2000]

On 2,000 sentences of LeNER-Br, TextFlint makes 2,600 to 3,000 with typing errors and about 2,100 with neighbouring
keys. Plain are those that change single words, whatever stands around them. The first row is a loop that has nothing to
do with us: compare runs only where it is as fast.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from abalo.corpora import load
from benchmarks.results import Aim, show
from perturbations import Perturbation, Sentence, apply, members
from perturbations.levels import TargetLevel, WordLevel

LENER_BR = Path(__file__).parents[2] / "shared" / "data" / "lener-br" / "train.conll"

APPLIED_ALONE = ("character_noise", "word_insertion")

AIMS = {False: 20_000, True: 40_000}
"""Sentences a CPU second, by whether a perturbation is plain."""

REPEATS, PART = 10, 100

T = TypeVar("T")


def main() -> None:
    """Samples every sentence with every perturbation at its default rate; then only applies what was drawn."""
    arguments = _arguments()
    sentences = load(arguments.data, limit=arguments.limit).sentences
    print(f"{len(sentences)} sentences of {arguments.data}, best of {REPEATS}\n")
    textual = {name: member for name, member in members().items() if member.cost == "text"}
    measured = {"(a thousand turns of a loop)": _seconds(_looping, [1000] * 500)}
    measured |= {name: _sampling(member, sentences) for name, member in textual.items()}
    measured |= {f"apply alone: {name}": _applying(textual[name], sentences) for name in APPLIED_ALONE}
    show(
        "perturbations",
        [
            {
                "perturbation": what,
                "sentences a CPU second": round(1 / seconds),
                "µs each": round(seconds * 1e6, 1),
                "aim": AIMS[_is_plain(textual[what])] if what in textual else "",
                "of the aim": round(1 / seconds / AIMS[_is_plain(textual[what])], 2) if what in textual else "",
            }
            for what, seconds in measured.items()
        ],
        [Aim("of the aim", 1)],
    )


def _is_plain(perturbation: Perturbation) -> bool:
    return isinstance(perturbation, TargetLevel) or (isinstance(perturbation, WordLevel) and not perturbation.across)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.perturbations", description=(__doc__ or "").partition("\n")[0]
    )
    known = str(LENER_BR) if LENER_BR.exists() else "bundled:legal-pt"
    parser.add_argument("--data", default=known, help="a corpus, by default LeNER-Br where it is, else the bundled one")
    parser.add_argument("--limit", type=int, default=2000, help="how many sentences of it (default: 2000)")
    return parser.parse_args()


def _sampling(perturbation: Perturbation, sentences: Sequence[Sentence]) -> float:
    """CPU seconds a sentence."""
    return _seconds(lambda part: [perturbation.sample(sentence, seed=1) for sentence in part], sentences)


def _applying(perturbation: Perturbation, sentences: Sequence[Sentence]) -> float:
    """CPU seconds a changed sentence, for edits already drawn."""
    sampled = [(sentence, perturbation.sample(sentence, seed=1)) for sentence in sentences]
    drawn = [(sentence, perturbed.edits) for sentence, perturbed in sampled if perturbed is not None]
    return _seconds(lambda part: [apply(sentence, edits) for sentence, edits in part], drawn)


def _looping(turns: Sequence[int]) -> int:
    total = 0
    for count in turns:
        for turn in range(count):
            total += turn * turn
    return total


def _seconds(work: Callable[[Sequence[T]], object], items: Sequence[T]) -> float:
    """CPU seconds an item: every hundred items at their fastest, since others on the machine only make them slower."""
    parts = [items[start : start + PART] for start in range(0, len(items), PART)]
    return sum(min(_once(work, part) for _ in range(REPEATS)) for part in parts) / len(items)


def _once(work: Callable[[Sequence[T]], object], part: Sequence[T]) -> float:
    started = time.process_time()
    work(part)
    return time.process_time() - started


if __name__ == "__main__":
    main()
