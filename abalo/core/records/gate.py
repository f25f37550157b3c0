"""How a run is judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Inconclusive = Literal["pass", "fail"]
Correction = Literal["bonferroni", "none"]

AUTO = "auto"

UNDETERMINED = "und"
"""ISO 639-2: only cases for any language apply."""

SEVERAL = "mul"

_LABEL_LOSS = 0.05

UNDECIDED = 10
"""Exit code if bounds are undecided."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Settings that decide how a run is judged.

    * ``confidence``: of all intervals, 0.5 to below 1.
    * ``inconclusive``: effect of an undecided bound on the exit code.
    * ``correction``: for the number of blocking bounds.
    * ``language``: ISO 639-1 code, `UNDETERMINED`, `SEVERAL` or `AUTO`.
    * ``max_loss``: largest loss against the accepted run.
    * ``max_mean_loss``: the same for the mean; None is half of ``max_loss``.
    * ``max_label_loss``: largest loss of a label's F1; None is 0.05, or ``max_loss`` if that is larger.
    * ``against``: folder of the accepted run, relative to the thresholds file.
    * ``least``: smallest clean score; None uses the task's.
    * ``repeats``: of a random model; None uses the default.
    """

    confidence: float = 0.95
    seeds: tuple[int, ...] = (1, 2, 4)
    inconclusive: Inconclusive = "pass"
    correction: Correction = "bonferroni"
    resamples: int = 10_000
    language: str = AUTO
    max_loss: float = 0.01
    max_mean_loss: float | None = None
    max_label_loss: float | None = None
    against: str = ""
    least: float | None = None
    repeats: int | None = None

    @property
    def mean_limit(self) -> float:
        """The largest mean loss over perturbed cases."""
        return self.max_loss / 2 if self.max_mean_loss is None else self.max_mean_loss

    @property
    def label_limit(self) -> float:
        """The largest loss of a label's F1."""
        return max(_LABEL_LOSS, self.max_loss) if self.max_label_loss is None else self.max_label_loss
