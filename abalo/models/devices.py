"""Where a model runs, and with how many threads and which precision."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from abalo.errors import AbaloError


def device_for(wanted: str) -> str:
    """The device that ``wanted`` means here: itself, or for "auto" the first of cuda, mps and cpu that is present.

    Raises `AbaloError` where it is absent.
    """
    import torch

    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if wanted == "auto":
        return next(device for device, here in present.items() if here)
    if not present[wanted]:
        raise AbaloError(
            f"device {wanted}: PyTorch {torch.__version__} finds none on this machine; present: "
            f"{', '.join(device for device, here in present.items() if here)}. "
            "Use --abalo-device auto, or install a PyTorch built for the device"
        )
    return wanted


@contextmanager
def full_precision() -> Iterator[None]:
    """Within, float32 products on a GPU are float32: TF32, which keeps 10 bits of the fraction, is off."""
    places, name, off = _tf32_switches()
    before = [getattr(place, name) for place in places]
    for place in places:
        setattr(place, name, off)
    try:
        yield
    finally:
        for place, value in zip(places, before, strict=True):
            setattr(place, name, value)


def _tf32_switches() -> tuple[list[object], str, object]:
    """The modules that can switch TF32, the attribute that does, and the value that means off."""
    from torch import backends

    matmul: object = backends.cuda.matmul
    if hasattr(matmul, "fp32_precision"):  # since PyTorch 2.9, which refuses to read the older names beside the new
        cudnn: Any = backends.cudnn
        return [matmul, cudnn.conv, cudnn.rnn], "fp32_precision", "ieee"
    return [matmul, backends.cudnn], "allow_tf32", False


def torch_threads(workers: int) -> None:
    """Gives this process, one of ``workers``, its share of the cores for PyTorch, at least one and never more than now.

    Two workers that both use all threads run 5 to 30 times slower than two that share. Before PyTorch is imported the
    share is left for it in ``OMP_NUM_THREADS``, unless that is set.
    """
    share = max(1, _cores() // workers)
    torch = sys.modules.get("torch")
    if torch is None:
        os.environ.setdefault("OMP_NUM_THREADS", str(share))
    else:
        torch.set_num_threads(min(share, torch.get_num_threads()))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
