"""In which share of real sentences each perturbation fits, and which it changes at its own rate: docs/coverage.tsv.

    python -m benchmarks.perturbation_coverage ../shared/data

The folder holds LeNER-Br, W-NUT 17, MSRA and treebanks of Universal Dependencies, as `CORPORA` names them. Counted are
the distinct ones among the first sentences of each. After it: ``python -m docs.make_catalogue``.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from abalo.raters.variants import fitting, load
from abalo.sources.resources import Resources
from docs.measured import COVERAGE, COVERAGE_COLUMNS

CORPORA: Mapping[str, str] = {
    "lener-br/dev.conll": "pt",
    "ud/pt_gsd-dev.conllu": "pt",
    "wnut17/dev.conll": "en",
    "ud/en_ewt-dev.conllu": "en",
    "msra/dev.conll": "zh",
    "ud/zh_gsdsimp-dev.conllu": "zh",
}
"""Their language by the name of the file in the folder."""

SEED = 1


def main() -> None:
    """Counts, prints and writes."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.perturbation_coverage", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("data", type=Path, help="folder with the corpora")
    parser.add_argument("--limit", type=int, default=2000, help="sentences of each (default: %(default)s)")
    arguments = parser.parse_args()
    day = datetime.now(UTC).date().isoformat()
    rows = sorted(
        (name, language, corpus, day, *map(str, counts))
        for corpus, language in CORPORA.items()
        for name, *counts in _counted(arguments.data / corpus, language, arguments.limit)
    )
    with COVERAGE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, "excel-tab", lineterminator="\n").writerows([COVERAGE_COLUMNS, *rows])
    for row in rows:
        print("\t".join(row))
    print(f"written to {COVERAGE}; now: python -m docs.make_catalogue")


def _counted(path: Path, language: str, limit: int) -> Iterator[tuple[str, int, int, int]]:
    """For each perturbation the number of sentences, of those in which it fits, and of those that it changes."""
    corpus, task = load(str(path), limit=limit)
    sentences = list(dict.fromkeys(corpus.sentences))
    for name, perturbation in fitting(task, Resources(corpus, language=language)).items():
        fits = sum(map(perturbation.fits, sentences))
        changed = sum(perturbation.sample(sentence, seed=SEED) is not None for sentence in sentences)
        yield name, len(sentences), fits, changed


if __name__ == "__main__":
    main()
