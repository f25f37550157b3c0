"""Calls in flight, and requests and tokens a minute."""

import time
from threading import Event, Thread

import pytest

from abalo.models.services.limits import Flight, RateLimit, StoppedError


def flight(most, folder):
    made = Flight(most)
    made.folder = folder
    return made


def test_a_place_is_free_again_after_the_call(tmp_path):
    first, other = flight(1, tmp_path), flight(1, tmp_path)
    ended = Event()

    def waits():
        with other.place(Event()):
            ended.set()

    with first.place(Event()):
        thread = Thread(target=waits)
        thread.start()
        assert not ended.wait(0.1)
    thread.join()
    assert ended.is_set()


def test_who_waits_for_a_place_stops_with_the_run(tmp_path):
    stop = Event()
    with flight(1, tmp_path).place(stop), pytest.raises(StoppedError):
        stop.set()
        with flight(1, tmp_path).place(stop):
            pytest.fail("there is no place")


@pytest.mark.parametrize("shared", [False, True])
def test_requests_are_spaced_for_all_processes_together(tmp_path, shared):
    limits = [RateLimit(1200, None) for _ in range(2 if shared else 1)]
    for each in limits:
        each.shared = tmp_path / "rate" if shared else None
    started = time.monotonic()
    for k in range(7):
        limits[k % len(limits)].wait(Event())
    assert 0.3 <= time.monotonic() - started < 1.5


def test_later_calls_wait_for_the_tokens_of_earlier_ones():
    limit = RateLimit(None, 6_000)
    started = time.monotonic()
    limit.wait(Event())
    limit.spent(30)  # 0.3 s at 100 tokens a second
    assert time.monotonic() - started < 0.2
    limit.wait(Event())
    assert 0.3 <= time.monotonic() - started < 1.5
    free = RateLimit(None, None)
    free.spent(10**9)
    free.wait(Event())


def test_a_wait_for_the_rate_ends_if_the_run_stops():
    limit, stop = RateLimit(1, None), Event()
    limit.wait(stop)
    stop.set()
    with pytest.raises(StoppedError):
        limit.wait(stop)


def test_what_a_killed_process_left_of_the_rate_is_left_out(tmp_path):
    limit = RateLimit(None, 60_000)
    limit.shared = tmp_path / "rate"
    limit.shared.write_text('{"requests": 0.0, "tok', "utf-8")
    limit.wait(Event())
    assert limit.shared.read_text("utf-8") == '{"requests": 0.0, "tokens": 0.0}'
