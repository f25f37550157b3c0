import os
import sys

import pytest

from abalo.errors import AbaloError
from abalo.models.networks import devices
from abalo.models.networks.devices import device_for, full_precision, side_by_side, use_threads
from tests.texts import TextWith


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


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Sets how many cores there are, how many of them others keep busy, and how many threads PyTorch uses."""
    import torch

    def make(*, cores: int, busy: float = 0.0, lately: float | None = None, threads: int = 64) -> list[int]:
        monkeypatch.setattr(devices, "CONTROL_GROUP", tmp_path)
        monkeypatch.setattr(devices.os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
        monkeypatch.setattr(devices, "_busy_now", lambda _: busy)
        monkeypatch.setattr(devices, "_busy_lately", lambda _: busy if lately is None else lately)
        monkeypatch.setattr(torch, "get_num_threads", lambda: threads)
        set_to: list[int] = []
        monkeypatch.setattr(torch, "set_num_threads", set_to.append)
        return set_to

    return make


@pytest.mark.parametrize(("cores", "workers", "threads"), [(8, 2, 4), (8, 3, 2), (2, 4, 1)])
def test_workers_share_the_cores(machine, cores, workers, threads):
    set_to = machine(cores=cores, busy=cores)  # by each other
    assert use_threads(workers=workers).count == threads
    assert set_to == [threads]


@pytest.mark.parametrize(("cores", "busy", "threads"), [(2, 0.3, 2), (2, 0.9, 1), (2, 2, 1), (8, 3.2, 5)])
def test_a_process_alone_leaves_out_the_cores_that_others_keep_busy(machine, cores, busy, threads):
    set_to = machine(cores=cores, busy=busy)
    assert use_threads().count == threads
    assert set_to == [threads]


def test_cores_were_busy_only_where_they_still_are_and_have_been_for_a_minute(machine):
    machine(cores=4, busy=4, lately=0.1)
    assert use_threads().count == 4  # something short
    machine(cores=4, busy=0.1, lately=4)
    assert use_threads().count == 4  # a run of our own, which has ended


def test_the_line_about_threads_says_why(machine):
    machine(cores=4, busy=2.6)
    assert str(use_threads()) == TextWith("1 thread (of 4 cores, ", " 2.6 busy)")
    assert str(use_threads(3)) == "3 threads (as asked for)"
    assert str(use_threads(workers=2)) == "2 threads (of 4 cores, for 2 workers)"


def test_a_smaller_number_of_threads_is_not_raised_unless_asked_for(machine):
    set_to = machine(cores=8, threads=1)
    assert use_threads(workers=2).count == 1
    assert use_threads().count == 1
    assert use_threads(6).count == 6
    assert set_to == [1, 1, 6]


@pytest.mark.parametrize(("limit", "threads"), [("250000 100000", 2), ("50000 100000", 1), ("max 100000", 8)])
def test_the_limit_of_a_control_group_counts(machine, tmp_path, limit, threads):
    machine(cores=8)
    (tmp_path / "cpu.max").write_text(f"{limit}\n")
    assert use_threads().count == threads


@pytest.mark.parametrize(("quota", "threads"), [("300000", 3), ("-1", 8)])
def test_so_does_that_of_the_first_version(machine, tmp_path, quota, threads):
    machine(cores=8)
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text(quota)
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000")
    assert use_threads().count == threads


def test_a_glance_counts_the_ticks_of_the_cores_that_the_process_may_use(monkeypatch, tmp_path):
    # user nice system idle iowait: core 0 works for 9 of 10 ticks, core 1 for 2, and waits for a disk; 2 is not ours.
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_text("cpu 9 9 9 9 9\ncpu0 10 0 0 50 0\ncpu1 0 0 0 70 0\ncpu2 0 0 0 0 0\nintr 5 0\n")
    after.write_text("cpu 9 9 9 9 9\ncpu0 15 2 2 51 0\ncpu1 0 2 0 77 1\ncpu2 99 0 0 0 0\nintr 9 0\n")
    monkeypatch.setattr(devices.os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr(devices, "STATISTICS", before)
    monkeypatch.setattr(devices.time, "sleep", lambda _: monkeypatch.setattr(devices, "STATISTICS", after))
    assert devices._busy_now(2) == pytest.approx(2 * 11 / 20)
    monkeypatch.setattr(devices, "STATISTICS", tmp_path / "none")
    assert devices._busy_now(2) == 2  # not known: the load decides


def test_before_torch_is_imported_the_share_is_left_for_it(monkeypatch, machine):
    machine(cores=8)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    use_threads(workers=2)
    assert os.environ["OMP_NUM_THREADS"] == "3"
    monkeypatch.delenv("OMP_NUM_THREADS")
    use_threads(workers=2)
    assert os.environ["OMP_NUM_THREADS"] == "4"


def test_few_are_started_before_the_first_is_waited_for_and_results_are_their_own():
    with side_by_side(2) as (places, start):
        assert places == 3
        results = [start(pow, number, 2) for number in range(places)]
        assert [result() for result in results] == [0, 1, 4]
    with side_by_side(1) as (places, start):
        assert (places, start(pow, 3, 2)()) == (1, 9)
