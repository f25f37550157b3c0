"""Estimates the remaining predictions, searches and their time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from abalo.core.protocols.probe import Case
from abalo.core.records.words import count
from abalo.core.running.engine import Engine


@dataclass(frozen=True, slots=True)
class Expected:
    """An upper limit on remaining predictions; searches need up to ``most`` more."""

    inputs: int
    searches: int
    rate: float
    less: bool = False
    most: int = 0

    def __str__(self) -> str:
        speed = f"at {self.rate:,.0f} a second" if self.rate >= 10 else f"at {self.rate:.2g} a second"
        most = "at most " if self.less else ""
        left = f"{most}{count(self.inputs, 'prediction')} to make"
        said = f"{left}, {speed}: {most or 'about '}{self._lasting(self.inputs)}"
        searches = count(self.searches, "search", "searches")
        longest = f"at most {self.most:,} more, {self._lasting(self.most)}"
        told = "estimated after the first ones" if self.is_open else longest
        return said + (f", plus {searches} of attacks: {told}" if self.searches else "")

    @property
    def is_open(self) -> bool:
        """Whether searches could last so long that only the first ones tell how long."""
        return self.most / self.rate > _LONG

    def _lasting(self, inputs: int) -> str:
        return lasting(inputs / self.rate)


_LONG = 60.0
"""Seconds."""

_EXAMPLES = 5
"""Examples of each attack that is tried before it runs."""


def lasting(seconds: float) -> str:
    """A time in words, such as ``12 s`` or ``1 h 5 min``."""
    seconds = max(1, round(seconds))
    if seconds < 60:
        return f"{seconds} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


@dataclass(slots=True)
class Pace:
    """How far a run is: ``expected`` seconds of each case, those it took, and inputs so far."""

    expected: dict[str, float] = field(default_factory=dict)
    taken: dict[str, float] = field(default_factory=dict)
    inputs: int = 0

    def done(self, case: str, seconds: float, inputs: int) -> None:
        """Counts a finished case."""
        self.taken[case] = seconds
        self.inputs += inputs

    def left(self, spent: float = 0.0) -> float:
        """The seconds until the end, at the pace of the finished cases; ``spent`` seconds on the one that runs."""
        known = sum(self.expected.get(case, 0.0) for case in self.taken)
        pace = sum(self.taken.values()) / known if known else 1.0
        open_still = sum(seconds for case, seconds in self.expected.items() if case not in self.taken)
        return max(0.0, pace * open_still - spent)

    def told(self, spent: float = 0.0, inputs: int = 0) -> str:
        """Cases and inputs that are done, and the time left, in words; ``inputs`` of the case that runs."""
        done = sum(case in self.expected for case in self.taken)
        said = f"{done} of {count(len(self.expected), 'case')} done, {count(self.inputs + inputs, 'input')}"
        return f"{said}, about {lasting(left)} left" if (left := self.left(spent)) else said


def seconds_by_case(engine: Engine, cases: Iterable[Case], searches: Mapping[str, float]) -> dict[str, float]:
    """The seconds that each case will take, with ``searches`` as `try_searches` found them, else at most."""
    repeats, found = engine.repeats, engine.preflight
    rate = max(1, found.inputs) / max(found.seconds, 1e-6)
    said = {}
    for case in cases:
        probe = case.probe
        times = repeats if probe.scored else 1
        inputs = probe.most_asked(case, engine, repeats) if probe.searches else probe.asked(case, engine) * times
        said[case.id] = searches.get(case.id, inputs / rate) + _BASE
    return said


_BASE = 0.05
"""Seconds that a case takes besides its predictions."""


def try_searches(engine: Engine, cases: Iterable[Case]) -> dict[str, float]:
    """The seconds that the searches of each case will take, estimated from its first examples.

    Empty for models that are paid by the call. Asks for the clean predictions.
    """
    if hasattr(engine.model, "calls"):
        return {}
    engine.predictor.clean()
    rate, said = engine.preflight.inputs / max(engine.preflight.seconds, 1e-6), {}
    dry = engine.without_logs()
    for case in (case for case in cases if case.probe.searches):
        first = replace(case, seeds=engine.seeds_of(case)[:1])
        case.probe.run(replace(first, limit=1), dry)  # loads what the attack needs
        started = time.monotonic()
        found = case.probe.run(replace(first, limit=_EXAMPLES), dry)
        tried = len(found.outcomes)
        if tried:
            taken = time.monotonic() - started  # more than in the run, whose batches are larger
            at_rate = found.inputs / max(rate, 1e-6)
            said[case.id] = math.sqrt(taken * max(at_rate, taken / 10)) / tried * case.probe.asked(case, engine)
    return said


def in_all(parts: Sequence[Expected]) -> Expected:
    """The predictions of several trainings."""
    inputs = sum(part.inputs for part in parts)
    seconds = sum(part.inputs / part.rate for part in parts)
    rate = inputs / seconds if seconds else parts[0].rate
    searches, most = sum(part.searches for part in parts), sum(part.most for part in parts)
    return Expected(inputs, searches, rate, parts[0].less, most)


def estimate_predictions(engine: Engine, cases: Iterable[Case]) -> Expected:
    """Estimates the predictions of the cases, timed by the first batch."""
    repeats = engine.repeats
    cases = list(cases)
    found, asked = engine.preflight, [(case.probe, case.probe.asked(case, engine)) for case in cases]
    return Expected(
        max(0, len(engine.examples) * repeats - found.inputs)
        + sum(inputs * (repeats if probe.scored else 1) for probe, inputs in asked if not probe.searches),
        sum(inputs for probe, inputs in asked if probe.searches),
        max(1, found.inputs) / max(found.seconds, 1e-6),
        engine.options.stop_early,
        sum(case.probe.most_asked(case, engine, repeats) for case in cases if case.probe.searches),
    )
