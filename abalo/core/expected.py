"""An estimate, before a run, of what the model is still asked and of how long that takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abalo.core.engine import Engine
from abalo.core.probe import Case
from abalo.core.words import count


@dataclass(frozen=True, slots=True)
class Expected:
    """How much is left to predict, at most, at a ``rate`` of so many inputs per second.

    ``inputs`` are those of the clean corpus and of its variants. How many inputs each of the ``searches`` needs depends
    on the predictions of the model, so no time is said for these. With ``less`` cases may stop before.
    """

    inputs: int
    searches: int
    rate: float
    less: bool = False

    def __str__(self) -> str:
        speed = f"at {self.rate:,.0f} a second" if self.rate >= 10 else f"at {self.rate:.2g} a second"
        most = "at most " if self.less else ""
        left = f"{most}{count(self.inputs, 'input')} left to predict"
        said = f"{left}, {speed}: {most or 'about '}{self._lasting(self.inputs)}"
        searches = count(self.searches, "search", "searches")
        return said + (f"; then {searches} of attacks, which are not in this time" if self.searches else "")

    def _lasting(self, inputs: int) -> str:
        """How long that many inputs take, in whole seconds or minutes, at least a second."""
        seconds = max(1, round(inputs / self.rate))
        if seconds < 60:
            return f"{seconds} s"
        minutes = round(seconds / 60)
        return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def in_all(parts: Sequence[Expected]) -> Expected:
    """The predictions that several trainings of a model need, one after the other."""
    inputs = sum(part.inputs for part in parts)
    seconds = sum(part.inputs / part.rate for part in parts)
    rate = inputs / seconds if seconds else parts[0].rate
    return Expected(inputs, sum(part.searches for part in parts), rate, parts[0].less)


def expected(session: Engine, cases: Iterable[Case]) -> Expected:
    """An estimate of the predictions that the cases need, made before the clean corpus is predicted.

    Every example of the clean corpus counts once, twice if noise is measured, and every case as its probe says: as a
    rule each of its examples once per seed. The time per input is that of the first batch, so what is short, equal or
    left unchanged makes the run shorter than this. Searches are only counted. Making variants, resampling and the
    models that make variants are not in it.
    """
    cases = [*cases]
    found, asked = session.preflight, [(case.probe, case.probe.asked(case, session)) for case in cases]
    return Expected(
        max(0, len(session.examples) - found.inputs)
        + len(session.examples) * any(session.measures_noise(case) for case in cases)
        + sum(inputs for probe, inputs in asked if not probe.searches),
        sum(inputs for probe, inputs in asked if probe.searches),
        max(1, found.inputs) / max(found.seconds, 1e-6),
        session.options.stop_early,
    )
