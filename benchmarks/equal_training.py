"""How often one training regresses against another with another seed: the luck of a seed, as a gate shows it.

Sixteen networks are trained alike on SST-2 (Kim 2014: convolutions over word vectors that begin at random, with
dropout) under sixteen seeds. The seed draws the first weights, the order of the examples and the dropout, as in
fine-tuning. Every ordered pair is compared on the cases that ship. Some of these networks are truly worse than others,
so there is no number to aim at.

    python -m benchmarks.equal_training [--data DATA] [--keep FOLDER]

Rows: one training against one other; with a larger ``max_mean_loss``; and several trainings, judged as one, against as
many others. Needs PyTorch. With ``--keep`` the evidence is written to a folder and read from there the next time.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from abalo import Session
from abalo.core.evidence import join_trainings
from abalo.core.trainings import facts_together
from abalo.corpora.running_text import running_text
from benchmarks.foresight import sentiment, sentiment_corpus
from benchmarks.outcomes import SEEDS as DRAWN
from benchmarks.outcomes import Side, compared_cases, counted, outcome, read_side, side_of, thresholds
from benchmarks.published import add_data
from benchmarks.results import show

SEEDS = range(1, 17)
TOGETHER = (3, 5)
"""Numbers of trainings that are judged as one."""

GROUPINGS = 2
"""How often the networks are divided into groups of so many."""

LOOSER = 0.02
"""A ``max_mean_loss`` that is larger than the default."""

EXAMPLES = 500
EPOCHS, BATCH, RATE = 3, 50, 3e-3
SIZE, SPREAD, FILTERS, WIDTHS, DROPOUT = 64, 0.1, 50, (3, 4, 5), 0.5
LENGTH = 40
"""Words of a text that are read."""


def main() -> None:
    """Trains, runs and compares the networks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser)
    parser.add_argument("--keep", type=Path, help="folder that keeps the evidence; default: a temporary one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        keep = options.keep or Path(folder)
        keep.mkdir(parents=True, exist_ok=True)
        sides = [side_for(seed, options.data, keep) for seed in SEEDS]
    scores = [_accuracy(side) for side in sides]
    print(f"accuracy of the {len(sides)} networks: mean {fmean(scores):.3f}, standard deviation {stdev(scores):.3f}\n")
    pairs = [*permutations(sides, 2)]
    rows = [row_of("one training", pairs), row_of(f"one training, max_mean_loss {LOOSER}", pairs, max_mean_loss=LOOSER)]
    rows += [row_of(f"{n} trainings", [*_pairs_of(n, sides)]) for n in TOGETHER]
    show("equal_training", rows)


def row_of(compared: str, pairs: Sequence[tuple[Side, Side]], **gate: float) -> dict[str, object]:
    """How the comparisons of pairs, each of a reference and a new run, end."""
    by = thresholds(pairs[0][0].task, **gate)
    outcomes = [outcome(new, reference, by) for reference, new in pairs]
    lost = [each.compared["mean"]["value"] for each in outcomes]
    return {"compared": compared, "largest mean loss": round(max(lost), 3), **counted(outcomes)}


def _pairs_of(n: int, sides: Sequence[Side]) -> Iterator[tuple[Side, Side]]:
    """Pairs of runs of ``n`` trainings each, none of which is in both."""
    for grouping in range(GROUPINGS):
        shuffled = Random(grouping).sample(sides, len(sides))
        groups = [_together(shuffled[first : first + n]) for first in range(0, len(sides) - n + 1, n)]
        yield from permutations(groups, 2)


def _accuracy(side: Side) -> float:
    metric = side.task.metrics()[side.task.floor]
    clean = next(each for case, each in side.evidence.items() if case.endswith("/baseline"))
    return float(metric.value(clean.counts(metric, side.task.usual_view)[:, 0].sum(axis=0)))


def _together(sides: Sequence[Side]) -> Side:
    """Several trainings as one run."""
    found = {case: join_trainings([side.evidence[case] for side in sides]) for case in sides[0].evidence}
    return replace(sides[0], evidence=found, facts=facts_together([side.facts for side in sides]))


# Networks ------------------------------------------------------------------------------------------------------------


def side_for(seed: int, data: Path, keep: Path) -> Side:
    """The run of the network with a seed, from the folder if it is there."""
    file = keep / f"network-{seed}.npz"
    if not file.is_file():
        with tempfile.TemporaryDirectory() as folder:
            module = Path(folder) / f"network_{seed}.py"
            make = f"def make():\n    return trained(Path({str(data.absolute())!r}), {seed})\n"
            module.write_text(
                f"from pathlib import Path\n\nfrom benchmarks.equal_training import trained\n\n\n{make}", "utf-8"
            )
            corpus = sentiment_corpus(data, Path(folder))
            session = Session("classification", model=f"{module}:make", corpus=corpus, limit=EXAMPLES, seeds=DRAWN)
            side_of(session, compared_cases(session)).write(file)
    return read_side(file)


class Network(nn.Module):
    """Convolutions over word vectors, each with its largest value, and one linear layer [Kim 2014]."""

    labels = ("negative", "positive")

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        self._places = {word: place for place, word in enumerate(words, start=2)}
        self._vectors = nn.Embedding(2 + len(words), SIZE, padding_idx=0)
        nn.init.normal_(self._vectors.weight, std=SPREAD)
        self._filters = nn.ModuleList(nn.Conv1d(SIZE, FILTERS, width) for width in WIDTHS)
        self._last = nn.Linear(FILTERS * len(WIDTHS), len(self.labels))
        self._dropout = nn.Dropout(DROPOUT)

    def rows(self, texts: Sequence[str]) -> torch.Tensor:
        """The words of texts as numbers: 0 behind the last word, 1 for a word that is not known."""
        found = torch.zeros((len(texts), LENGTH), dtype=torch.long)
        for row, text in zip(found, texts, strict=True):
            own = [self._places.get(word, 1) for word in _words(text)[:LENGTH]]
            row[: len(own)] = torch.tensor(own, dtype=torch.long)
        return found

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """The logits (texts × labels)."""
        vectors = self._vectors(rows).transpose(1, 2)
        found = [torch.relu(each(vectors)).amax(dim=2) for each in self._filters]
        logits: torch.Tensor = self._last(self._dropout(torch.cat(found, dim=1)))
        return logits

    def scores(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The logits of texts, as Abalo asks for them."""
        with torch.inference_mode():
            found: NDArray[np.float32] = self(self.rows(texts)).numpy()
        return found


def trained(data: Path, seed: int) -> Network:
    """A network that has learnt from the training set of SST-2 under a seed."""
    examples = sentiment(data / "sst2/train.tsv")
    counts = Counter(word for text, _ in examples for word in _words(text))
    torch.manual_seed(seed)
    network = Network(sorted(word for word, n in counts.items() if n > 1))
    rows = network.rows([text for text, _ in examples])
    golds = torch.tensor([Network.labels.index(label) for _, label in examples])
    steps = torch.optim.Adam(network.parameters(), lr=RATE)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(rows)).split(BATCH):
            steps.zero_grad()
            nn.functional.cross_entropy(network(rows[batch]), golds[batch]).backward()
            steps.step()
    return network.eval()


def _words(text: str) -> list[str]:
    return [token.lower() for token in running_text(text).tokens]


if __name__ == "__main__":
    main()
