"""PyTorch as a runtime."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from abalo.models.labelling.prediction import Scores
from abalo.models.networks.devices import device_for, threads_on
from abalo.models.networks.windows import Integers
from abalo.models.options import ModelOptions


class Runtime(Protocol):
    """A network ready to compute on ``device``; the report shows ``settings``."""

    device: str
    settings: Mapping[str, str]

    @property
    def side_by_side(self) -> int:
        """The best number of concurrent batches."""
        ...

    def logits(self, inputs: Mapping[str, Integers]) -> Scores | None:
        """Logits of a batch, float32; None if out of memory.

        ``inputs`` are (windows × pieces); several outputs become columns (windows × pieces × outputs).
        """
        ...

    def weights(self) -> Iterator[Any]:
        """All weights as bytes, in the same order on every device."""
        ...


def columns(outputs: Sequence[Scores]) -> Scores:
    """Outputs as columns of one array."""
    return outputs[0] if len(outputs) == 1 else np.stack(outputs, axis=-1)


class TorchRuntime:
    """A `Runtime` for PyTorch, with one batch per CPU thread."""

    def __init__(self, network: Any, options: ModelOptions, outputs: Sequence[str] = ("logits",)) -> None:
        self._outputs = tuple(outputs)
        self.device = device_for(options.device)
        self.network = network.to(self.device)
        self.settings: Mapping[str, str] = {"dtype": options.dtype}

    @property
    def side_by_side(self) -> int:
        return threads_on(self.device)

    def logits(self, inputs: Mapping[str, Integers]) -> Scores | None:
        import torch

        try:
            with torch.inference_mode():
                tensors = {name: torch.from_numpy(values).to(self.device) for name, values in inputs.items()}
                made = self.network(**tensors)
                return columns([getattr(made, name).float().cpu().numpy() for name in self._outputs])
        except RuntimeError as error:
            if not isinstance(error, torch.OutOfMemoryError) and "out of memory" not in str(error):
                raise
        if self.device == "cuda":  # here what the failed forward held is free
            torch.cuda.empty_cache()
        return None

    def weights(self) -> Iterator[Any]:
        import torch

        for name, tensor in sorted(self.network.state_dict().items()):
            yield f"{name} {tensor.dtype} {tuple(tensor.shape)}\x1f".encode()
            yield tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy()
