"""Runs windows in sorted batches that fit the device memory."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Scores
from abalo.models.networks.devices import cores, side_by_side, threads_on
from abalo.models.networks.runtimes import Runtime
from abalo.models.networks.windows import Batch, Batches, Integers, Windows

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

BUDGETS = {"cpu": 2048, "mps": 16384, "cuda": 65536}


class Windowed:
    """Base of windowed networks.

    ``budget`` in padded pieces is halved if memory runs out. ``on_progress`` receives finished and total windows.
    """

    def __init__(self, name: str, runtime: Runtime) -> None:
        self.name = name
        self.runtime = runtime
        self.device = runtime.device
        self.budget = BUDGETS[self.device]
        self.on_progress: Callable[[int, int], None] | None = None

    @property
    def runs_ahead(self) -> bool:
        """True if a core is free for a counting thread."""
        return self.device != "cpu" or threads_on(self.device) < cores()

    def forwards(self, windows: Windows, padding: dict[str, int]) -> Iterator[tuple[Integers, Batch, Scores]]:
        """Window numbers, batch and logits, longest windows first."""
        waiting, order = Batches(windows, padding), windows.by_length
        done = taken = 0
        with side_by_side(self._at_a_time(windows)) as (places, start):
            begun: deque[tuple[Batch, Callable[[], Scores | None]]] = deque()
            while done < len(windows):
                while taken < len(windows) and len(begun) < places:
                    batch = waiting.take(taken, self.budget)
                    begun.append((batch, start(self._computed, batch)))
                    taken += len(batch.mask)
                batch, result = begun.popleft()
                scores = result()
                if scores is None:
                    self._use_less_memory(batch)
                    begun.clear()
                    taken = done
                    continue
                yield order[done : done + len(batch.mask)], batch, scores
                done += len(batch.mask)
                shown = self.on_progress  # which another thread may take away
                if shown is not None:
                    shown(done, len(windows))

    def _at_a_time(self, windows: Windows) -> int:
        most = self.runtime.side_by_side
        return most if len(windows.words) > most * self.budget else 1

    def _computed(self, batch: Batch) -> Scores | None:
        return self.runtime.logits({**batch.inputs, "attention_mask": batch.mask.astype(np.int64)})

    def _use_less_memory(self, batch: Batch) -> None:
        windows, width = batch.mask.shape
        if windows == 1:
            raise AbaloError(
                f"model {self.name}: {self.device} is out of memory for a single window of {width} pieces; free memory "
                "there, or use a smaller --abalo-max-length, or --abalo-device cpu"
            )
        self.budget = windows * width // 2


def refuse_without_way_forward(name: str, max_length: int, room: int, stride: int) -> None:
    """Raises `AbaloError` if windows cannot advance."""
    if room <= stride:
        raise AbaloError(
            f"model {name}: windows of {max_length} pieces have room for {room} besides special ones: a stride of "
            f"{stride} leaves no way forward; use a larger --abalo-max-length or a smaller --abalo-stride"
        )


def padding_of(network: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> dict[str, int]:
    """The network's inputs, except its mask, with their padding values."""
    padding: dict[str, int] = {"input_ids": tokenizer.pad_token_id or 0}
    if "token_type_ids" in tokenizer.model_input_names and _accepts(network, "token_type_ids"):
        padding["token_type_ids"] = tokenizer.pad_token_type_id
    return padding


def own_labels(config: Any, name: str) -> list[str]:
    """The network's label names; raises `AbaloError` if not text."""
    count, names = config.num_labels, config.id2label
    if not all(isinstance(each, str) for each in names.values()) or not names.keys() <= set(range(count)):
        raise AbaloError(
            f"model {name}: its config.json names the labels {names!r:.200}; expected text for each of the numbers 0 "
            f"to {count - 1}; correct id2label there"
        )
    return [names.get(i, f"LABEL_{i}") for i in range(count)]


def _accepts(network: PreTrainedModel, argument: str) -> bool:
    return argument in inspect.signature(network.forward).parameters
