"""What the tests cost, by room of tests/: tests, CPU seconds, inner runs of pytest, processes and inner workers.

Added up over the workers of xdist, and printed at the end of the output. A process that a script or another process
starts is not seen; the CPU seconds of a process that ended are counted.
"""

import os
import resource
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from pathlib import Path, PurePath
from typing import Any

import pytest

COLUMNS = ("tests", "CPU s", "inner runs", "processes", "inner workers")
_SENT = "abalo_costs"
_costs: dict[str, float] = Counter()
"""What this process has started, since it began."""


class Costs:
    """Counts while tests run, and prints a row a room."""

    def __init__(self) -> None:
        self.rooms: dict[str, dict[str, float]] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        before = seen()
        try:
            return (yield)
        finally:
            self._add(room_of(item.nodeid), {name: value - before[name] for name, value in seen().items()})
            self._add(room_of(item.nodeid), {"tests": 1})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        sent: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if sent is not None:
            sent[_SENT] = self.rooms

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for room, costs in getattr(node, "workeroutput", {}).get(_SENT, {}).items():
            self._add(room, costs)

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.rooms:
            return
        whole: dict[str, float] = Counter()
        for costs in self.rooms.values():
            whole.update(costs)
        dearest = sorted(self.rooms.items(), key=lambda each: -each[1]["CPU s"])
        terminalreporter.section("what the tests cost")
        terminalreporter.write_line(_row(("room", *COLUMNS)))
        for room, costs in [*dearest, ("all", whole)]:
            terminalreporter.write_line(_row((room, *(f"{costs.get(name, 0):.0f}" for name in COLUMNS))))

    def _add(self, room: str, costs: dict[str, float]) -> None:
        whole = self.rooms.setdefault(room, dict.fromkeys(COLUMNS, 0.0))
        for name, value in costs.items():
            whole[name] += value


def room_of(nodeid: str) -> str:
    """The room of a test; the files at the top of tests/ are one, too."""
    parts = PurePath(nodeid.partition("::")[0]).parts
    return "/".join(parts[:-1][:2]) or "."


def _row(cells: Sequence[str]) -> str:
    room, *numbers = cells
    return f"{room:<22}" + "".join(f"{number:>15}" for number in numbers)


def seen() -> dict[str, float]:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seen = {name: _costs[name] for name in COLUMNS[2:]}
    return seen | {"CPU s": sum(each.ru_utime + each.ru_stime for each in used) + sum(map(_so_far, lasting))}


lasting: list[int] = []
"""Processes that last from test to test: their CPU seconds are counted before they end."""


def _so_far(process: int) -> float:
    """CPU seconds of a process and of those that it started and that ended."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.exists():
        return 0
    own_and_children = stat.read_text("utf-8").rpartition(")")[2].split()[11:15]
    return sum(map(int, own_and_children)) / os.sysconf("SC_CLK_TCK")


def add(command: Sequence[str]) -> None:
    """Counts a command that something else starts."""
    _costs.update(started(command))


def started(command: Sequence[str]) -> dict[str, int]:
    """What a command starts: a process; a run of pytest and its workers if it is one; a worker if xdist starts it."""
    words = list(map(os.fsdecode, command))
    if any("execnet" in word or "exec(eval(sys.stdin" in word for word in words):
        return {"processes": 1, "inner workers": 1}
    if not any(PurePath(word).name in ("pytest", "-mpytest") for word in words[:6]):
        return {"processes": 1}
    workers = [
        _number(word[2:] or following)
        for word, following in zip(words, [*words[1:], ""], strict=True)
        if word.startswith("-n")
    ]
    return {"processes": 1 + sum(workers[-1:]), "inner runs": 1, "inner workers": sum(workers[-1:])}


def _number(text: str) -> int:
    digits = text.lstrip("=")
    return int(digits) if digits.isdecimal() else 0


def _count(where: Any, name: str, costs: Callable[..., Mapping[str, int]]) -> None:
    """Adds what a call costs; an audit hook would see processes too, but slows each import and each open file."""
    function = getattr(where, name)

    @wraps(function)
    def counted(*arguments: Any, **options: Any) -> Any:
        _costs.update(costs(*arguments, **options))
        return function(*arguments, **options)

    setattr(where, name, counted)


def _of_command(_: object, args: Any, *others: Any, **options: Any) -> dict[str, int]:
    return started([args] if isinstance(args, str | bytes | os.PathLike) else args)


def listen() -> None:
    """Counts from now on; once a process."""
    _count(subprocess.Popen, "__init__", _of_command)
    for name in ("fork", "posix_spawn"):
        _count(os, name, lambda *_, **__: {"processes": 1})
    _count(pytest.Pytester, "inline_run", lambda *_, **__: {"inner runs": 1})
