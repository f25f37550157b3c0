"""Runtimes: what computes the logits of a batch. PyTorch here, ONNX Runtime in `abalo.models.exported`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from abalo.models.devices import device_for, threads_on
from abalo.models.options import ModelOptions
from abalo.models.prediction import Scores
from abalo.models.windows import Integers


class Runtime(Protocol):
    """A network that is ready to compute on ``device``; ``settings`` are those that the report should name."""

    device: str
    settings: Mapping[str, str]

    @property
    def side_by_side(self) -> int:
        """How many batches it computes best at a time, each in a thread of its own."""
        ...

    def logits(self, inputs: Mapping[str, Integers]) -> Scores | None:
        """Logits of a batch, float32; None when the device has no memory left for it.

        ``inputs`` are (windows × pieces), by the names that transformers gives them.
        """
        ...

    def weights(self) -> Iterator[Any]:
        """All numbers of the network, as bytes in an order of their own, the same on every device."""
        ...


class TorchRuntime:
    """A `Runtime` around a network of transformers."""

    def __init__(self, network: Any, options: ModelOptions) -> None:
        self.device = device_for(options.device)
        self.network = network.to(self.device)
        self.settings: Mapping[str, str] = {"dtype": options.dtype}

    @property
    def side_by_side(self) -> int:
        """One for each thread of a CPU: a thread that waits for no other is busy also between the products."""
        return threads_on(self.device)

    def logits(self, inputs: Mapping[str, Integers]) -> Scores | None:
        """As `Runtime` has it."""
        import torch

        try:
            with torch.inference_mode():
                tensors = {name: torch.from_numpy(values).to(self.device) for name, values in inputs.items()}
                found: Scores = self.network(**tensors).logits.float().cpu().numpy()
                return found
        except RuntimeError as error:
            if not isinstance(error, torch.OutOfMemoryError) and "out of memory" not in str(error):
                raise
        if self.device == "cuda":  # here what the failed forward held is free
            torch.cuda.empty_cache()
        return None

    def weights(self) -> Iterator[Any]:
        """The tensors by name, each after its name, type and shape."""
        import torch

        for name, tensor in sorted(self.network.state_dict().items()):
            yield f"{name} {tensor.dtype} {tuple(tensor.shape)}\x1f".encode()
            yield tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy()
