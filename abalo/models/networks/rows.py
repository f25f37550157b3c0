"""Batches of pieces for networks that read whole texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from abalo.models.networks.devices import device_for
from abalo.models.networks.local_files import room
from abalo.models.networks.sorted_batches import BUDGETS
from abalo.models.networks.windows import Batches, Integers, Windows

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

SCORES = 2**26
"""256 MiB of text pieces × vocabulary."""


@dataclass(frozen=True, slots=True, eq=False)
class RowBatch:
    """``pieces`` and ``mask`` (rows × pieces), padded on the right."""

    rows: Integers
    pieces: Integers
    mask: NDArray[np.bool_]

    def inputs(self, device: str) -> dict[str, Any]:
        """Tensors by argument name."""
        import torch

        arrays = {"input_ids": self.pieces, "attention_mask": self.mask.astype(np.int64)}
        return {name: torch.from_numpy(values).to(device) for name, values in arrays.items()}


class TextNetwork:
    """A network with its tokenizer; longer texts are read in independent parts."""

    longest: ClassVar[int]

    def __init__(self, name: str, network: Any, tokenizer: PreTrainedTokenizerBase) -> None:
        self.name = name
        self._tokenizer = tokenizer
        self._device = device_for("auto")
        self._network = network.to(self._device)
        self._window = room(network, tokenizer, self.longest)
        self._budget = min(BUDGETS[self._device], SCORES // network.config.vocab_size)


def row_batches(rows: Sequence[Sequence[int]], padding: int, budget: int) -> Iterator[RowBatch]:
    """Batches within ``budget`` padded pieces, longest first; a longer row is a batch."""
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    pieces = np.fromiter((piece for row in rows for piece in row), np.int64)
    windows = Windows({"pieces": pieces}, np.zeros_like(pieces), lengths, np.arange(len(rows)), step=0)
    batches, order, done = Batches(windows, {"pieces": padding}), windows.by_length, 0
    while done < len(rows):
        batch = batches.take(done, budget)
        yield RowBatch(order[done : done + len(batch.mask)], batch.inputs["pieces"], batch.mask)
        done += len(batch.mask)
