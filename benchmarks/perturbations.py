"""How many sentences each perturbation makes in a second of CPU time. Aim: 20,000, and 40,000 of the plain ones.

    python -m benchmarks.perturbations [--data corpus.conll] [--limit 2000]

On 2,000 sentences of LeNER-Br, TextFlint makes 2,600 to 3,000 with typing errors and about 2,100 with neighbouring
keys. Plain are those that change single words, whatever stands around them. The first row is a loop that has nothing to
do with us: compare runs only where it is as fast. All are measured by turns, ten times, and every hundred sentences
count at their fastest. By then it is known what there is to know of a sentence or a word whatever the seed, as it is
for the second seed of a run. `benchmarks.peers` has figures for sentences that are seen for the first time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from abalo.corpora import load
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show
from perturbations import Perturbation, Sentence, apply, members
from perturbations.levels import TargetLevel, WordLevel

LENER_BR = Path(__file__).parents[2] / "shared" / "data" / "lener-br" / "train.conll"

APPLIED_ALONE = ("character_noise", "word_insertion")

AIMS = {False: 20_000, True: 40_000}
"""Sentences a CPU second, by whether a perturbation is plain."""

REPEATS, PART = 10, 100

LOOP = "(a thousand turns of a loop)"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Work:
    """Work on a number of items, in parts."""

    parts: Sequence[Callable[[], object]]
    items: int


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "bundled:legal-pt", "--limit", "2"))
    known = str(LENER_BR) if LENER_BR.exists() else "bundled:legal-pt"
    parser.add_argument("--data", default=known, help="a corpus, by default LeNER-Br where it is, else the bundled one")
    parser.add_argument("--limit", type=int, default=2000, help="how many sentences of it (default: 2000)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Samples every sentence with every perturbation at its default rate; then only applies what was drawn."""
    arguments = parser().parse_args(given)
    sentences = load(arguments.data, limit=arguments.limit).sentences
    print(f"{len(sentences)} sentences of {arguments.data}, best of {REPEATS}\n")
    textual = {name: member for name, member in members().items() if member.cost == "text"}
    works = {LOOP: _work(_looping, [1000] * 500)}
    works |= {name: _sampling(member, sentences) for name, member in textual.items()}
    works |= {f"apply alone: {name}": _applying(textual[name], sentences) for name in APPLIED_ALONE}
    measured = _seconds(works)
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


def _sampling(perturbation: Perturbation, sentences: Sequence[Sentence]) -> Work:
    return _work(lambda part: [perturbation.sample(sentence, seed=1) for sentence in part], sentences)


def _applying(perturbation: Perturbation, sentences: Sequence[Sentence]) -> Work:
    """Of changed sentences, the edits already drawn."""
    sampled = [(sentence, perturbation.sample(sentence, seed=1)) for sentence in sentences]
    drawn = [(sentence, perturbed.edits) for sentence, perturbed in sampled if perturbed is not None]
    return _work(lambda part: [apply(sentence, edits) for sentence, edits in part], drawn)


def _looping(turns: Sequence[int]) -> int:
    total = 0
    for count in turns:
        for turn in range(count):
            total += turn * turn
    return total


def _work(work: Callable[[Sequence[T]], object], items: Sequence[T]) -> Work:
    parts = [items[start : start + PART] for start in range(0, len(items), PART)]
    return Work([partial(work, part) for part in parts], len(items))


def _seconds(works: Mapping[str, Work]) -> Mapping[str, float]:
    """CPU seconds an item: every part at its fastest, since others on the machine only make it slower."""
    taken: dict[str, list[list[float]]] = {name: [] for name in works}
    for _ in range(REPEATS):
        for name, work in works.items():
            taken[name].append([_once(part) for part in work.parts])
    return {name: sum(map(min, zip(*taken[name], strict=True))) / work.items for name, work in works.items()}


def _once(part: Callable[[], object]) -> float:
    started = time.process_time()
    part()
    return time.process_time() - started


if __name__ == "__main__":
    main()
