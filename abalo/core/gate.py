"""How a run is judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Inconclusive = Literal["pass", "fail"]
Correction = Literal["bonferroni", "none"]

AUTO = "auto"
"""The language of a gate that is found in each corpus."""

UNDETERMINED = "und"
"""The language of a corpus of which none is known, a code of ISO 639-2: only cases for any language say something."""

SEVERAL = "mul"
"""The language of a corpus in several languages, a code of ISO 639-2."""

UNDECIDED = 10
"""The exit code when no bound failed, but some were inconclusive and count as failures, or none was decided."""


@dataclass(frozen=True, slots=True)
class Gate:
    """How the run is judged.

    ``confidence`` is that of all intervals, 0.5 to below 1. ``inconclusive`` says what an undecided bound does to the
    exit code. ``correction`` is for the number of blocking bounds. ``resamples`` is the number of bootstrap draws.
    ``language`` is that of the corpus: an ISO 639-1 code, `UNDETERMINED`, `SEVERAL`, or `AUTO`. ``max_loss`` is the
    largest loss of the floor metric against the run of an accepted model, ``max_mean_loss`` that of the mean over the
    perturbed cases, None for half of ``max_loss``, and ``against`` the folder of that run, beside the thresholds file;
    empty for none. ``least`` is the smallest clean score of a task whose baseline has none of its own, None for that of
    the task.
    """

    confidence: float = 0.95
    seeds: tuple[int, ...] = (1, 2, 4)
    inconclusive: Inconclusive = "pass"
    correction: Correction = "bonferroni"
    resamples: int = 10_000
    language: str = AUTO
    max_loss: float = 0.01
    max_mean_loss: float | None = None
    against: str = ""
    least: float | None = None

    @property
    def mean_limit(self) -> float:
        """The largest mean loss over the perturbed cases."""
        return self.max_loss / 2 if self.max_mean_loss is None else self.max_mean_loss
