"""Rows of pieces in batches, for networks that read whole texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from abalo.models.devices import device_for
from abalo.models.local_files import room
from abalo.models.windowed import BUDGETS
from abalo.models.windows import Batches, Integers, Windows

SCORES = 2**26
"""Scores in memory at a time, of pieces of text × pieces of the vocabulary: 256 MiB of them."""


@dataclass(frozen=True, slots=True, eq=False)
class RowBatch:
    """Some of the rows: ``rows`` their numbers, ``pieces`` and ``mask`` (rows × pieces), padded on the right."""

    rows: Integers
    pieces: Integers
    mask: NDArray[np.bool_]

    def inputs(self, device: str) -> dict[str, Any]:
        """The tensors that a network of transformers on the device reads, by the names of its arguments."""
        import torch

        arrays = {"input_ids": self.pieces, "attention_mask": self.mask.astype(np.int64)}
        return {name: torch.from_numpy(values).to(device) for name, values in arrays.items()}


class TextNetwork:
    """A network of transformers with its tokenizer, and how much of a text it reads at once. ``name`` ends in a hash.

    ``longest`` is the longest stretch of text, in pieces; a longer text is read in several, each by itself.
    """

    longest: ClassVar[int]

    def __init__(self, name: str, network: Any, tokenizer: Any) -> None:
        self.name = name
        self._tokenizer = tokenizer
        self._device = device_for("auto")
        self._network = network.to(self._device)
        self._window = room(network, tokenizer, self.longest)
        self._budget = min(BUDGETS[self._device], SCORES // network.config.vocab_size)


def row_batches(rows: Sequence[Sequence[int]], padding: int, budget: int) -> Iterator[RowBatch]:
    """All rows, longest first, in batches within ``budget`` padded pieces; a longer row is a batch of its own."""
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    pieces = np.fromiter((piece for row in rows for piece in row), np.int64)
    windows = Windows({"pieces": pieces}, np.zeros_like(pieces), lengths, np.arange(len(rows)), step=0)
    batches, order, done = Batches(windows, {"pieces": padding}), windows.by_length, 0
    while done < len(rows):
        batch = batches.take(done, budget)
        yield RowBatch(order[done : done + len(batch.mask)], batch.inputs["pieces"], batch.mask)
        done += len(batch.mask)
