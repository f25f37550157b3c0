"""The check before a run: one batch shows whether a model can predict, whether it says the same twice, and how fast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from abalo.core.words import count
from abalo.errors import AbaloError

if TYPE_CHECKING:
    from abalo.core.case import Case
    from abalo.core.session import Session

BATCH = 32
"""Inputs in the batch."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """The first batch of a session.

    ``inputs`` is its size, ``seconds`` how long the model took for it, the faster of two times. ``differing`` of its
    ``labels`` were others the second time; None where the model was asked once.
    """

    inputs: int
    seconds: float
    labels: int
    differing: int | None = None

    @property
    def share(self) -> float | None:
        """The share of labels that differed, 0 to 1; None where the model was asked once."""
        return None if self.differing is None else self.differing / max(1, self.labels)


def asked_twice(model: Any, options: Any) -> bool:
    """Whether the first batch is put to the model again.

    A model that does not say ``black_box = False`` may cost money or limit how often it is asked, so it is asked again
    only with the option ``check_twice``.
    """
    return not getattr(model, "black_box", True) or bool(getattr(options, "check_twice", False))


def differing(first: Iterable[Sequence[Any]], second: Iterable[Sequence[Any]]) -> int:
    """How many labels differ between two lists of predictions, each given by its labels."""
    pairs = zip(first, second, strict=True)
    return sum(one != other for before, after in pairs for one, other in zip_longest(before, after))


def refuse_random(model: Any, found: Preflight, noun: str) -> None:
    """Raises `AbaloError` where the model gave other labels the second time; ``noun`` is one of its inputs in words."""
    if found.differing:
        share, asked = percent(found.share or 0), count(found.inputs, noun)
        raise AbaloError(
            f"model {model.name}: not deterministic: {share} of labels differ ({found.differing} of "
            f"{found.labels:,}) when the same {asked} are predicted twice, so a verdict would be partly chance. Turn "
            "off whatever draws (dropout, sampling, temperature) or fix its seed; to judge it all the same, pass "
            "--abalo-allow-random"
        )


def percent(share: float) -> str:
    """A share as a percentage, such as ``10 %``; of less than a tenth two digits, such as ``0.25 %``."""
    return f"{100 * share:.0f} %" if share >= 0.1 else f"{100 * share:.2g} %"


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


def expected(session: Session, cases: Iterable[Case]) -> Expected:
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
        bool(getattr(session.options, "stop_early", False)),
    )
