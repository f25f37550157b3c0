import os
import sys

import pytest

from abalo.errors import AbaloError
from abalo.models import devices
from abalo.models.devices import device_for, full_precision, torch_threads


@pytest.fixture
def present(monkeypatch):
    """Makes cuda and mps present or absent."""
    import torch

    def make(*, cuda: bool, mps: bool) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)

    return make


def test_auto_means_the_fastest_device_that_is_present(present):
    present(cuda=True, mps=True)
    assert device_for("auto") == "cuda"
    present(cuda=False, mps=True)
    assert device_for("auto") == "mps"
    present(cuda=False, mps=False)
    assert device_for("auto") == "cpu"


def test_an_absent_device_is_an_error_that_names_those_present(present):
    present(cuda=False, mps=True)
    with pytest.raises(AbaloError, match=r"device cuda: PyTorch \S+ finds none on this machine; present: mps, cpu"):
        device_for("cuda")


def test_tf32_is_off_within_and_afterwards_as_it_was():
    import torch

    torch.backends.cudnn.conv.fp32_precision = "tf32"
    with full_precision():
        assert torch.backends.cuda.matmul.fp32_precision == "ieee"
        assert torch.backends.cudnn.conv.fp32_precision == "ieee"
    assert torch.backends.cudnn.conv.fp32_precision == "tf32"


@pytest.mark.parametrize(("cores", "workers", "threads"), [(8, 2, 4), (8, 3, 2), (2, 4, 1)])
def test_workers_share_the_cores(monkeypatch, cores, workers, threads):
    import torch

    set_to = []
    monkeypatch.setattr(devices, "_cores", lambda: cores)
    monkeypatch.setattr(torch, "get_num_threads", lambda: cores)
    monkeypatch.setattr(torch, "set_num_threads", set_to.append)
    torch_threads(workers)
    assert set_to == [threads]


def test_a_smaller_number_of_threads_is_not_raised(monkeypatch):
    import torch

    set_to = []
    monkeypatch.setattr(devices, "_cores", lambda: 8)
    monkeypatch.setattr(torch, "get_num_threads", lambda: 1)
    monkeypatch.setattr(torch, "set_num_threads", set_to.append)
    torch_threads(2)
    assert set_to == [1]


def test_before_torch_is_imported_the_share_is_left_for_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(devices, "_cores", lambda: 8)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    torch_threads(2)
    assert os.environ["OMP_NUM_THREADS"] == "3"
    monkeypatch.delenv("OMP_NUM_THREADS")
    torch_threads(2)
    assert os.environ["OMP_NUM_THREADS"] == "4"
