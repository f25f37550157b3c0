"""Estimates the remaining predictions and their time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abalo.core.engine import Engine
from abalo.core.probe import Case
from abalo.core.words import count


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
        return said + (f", plus {searches} of attacks: {longest}" if self.searches else "")

    def _lasting(self, inputs: int) -> str:
        seconds = max(1, round(inputs / self.rate))
        if seconds < 60:
            return f"{seconds} s"
        minutes = round(seconds / 60)
        return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def in_all(parts: Sequence[Expected]) -> Expected:
    """The predictions of several trainings."""
    inputs = sum(part.inputs for part in parts)
    seconds = sum(part.inputs / part.rate for part in parts)
    rate = inputs / seconds if seconds else parts[0].rate
    searches, most = sum(part.searches for part in parts), sum(part.most for part in parts)
    return Expected(inputs, searches, rate, parts[0].less, most)


def estimate_predictions(session: Engine, cases: Iterable[Case]) -> Expected:
    """Estimates the predictions of the cases, timed by the first batch."""
    repeats = session.repeats
    cases = list(cases)
    found, asked = session.preflight, [(case.probe, case.probe.asked(case, session)) for case in cases]
    return Expected(
        max(0, len(session.examples) * repeats - found.inputs)
        + sum(inputs * (repeats if probe.repeated else 1) for probe, inputs in asked if not probe.searches),
        sum(inputs for probe, inputs in asked if probe.searches),
        max(1, found.inputs) / max(found.seconds, 1e-6),
        session.options.stop_early,
        sum(case.probe.most_asked(case, session, repeats) for case in cases if case.probe.searches),
    )
