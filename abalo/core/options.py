"""The options of a run that tasks, probes and models see, each with its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Profile = Literal["quick", "dev", "ci", "nightly"]

QUICK: Profile = "quick"
"""The profile for a first look at a model: of everything a part, and nothing that could not fail the run."""

QUICK_SEEDS, QUICK_SEARCHED, QUICK_EDITS = 1, 3, 60
"""In a quick run: the seeds of a case; the examples that an attack searches, enough to show how the model breaks and
too few to decide; the edits that a promise is estimated by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The settings of a run that change how a corpus is read, how a model is loaded and asked, and what is kept.

    ``docs/`` and ``pytest --help`` describe each by the same name; None means that corpus, model or task decides.
    """

    model: str | None = None
    corpus: str | None = None
    model_args: Mapping[str, Any] = field(default_factory=dict)
    device: str = "auto"
    dtype: str = "fp32"
    full_precision: str | None = None
    aggregation: str = "mean"
    max_length: int = 256
    stride: int = 64
    mask_token: str | None = None
    label_map: str | None = None
    types: str | None = None
    join: bool = False
    limit: int | None = None
    scheme: str | None = None
    lenient: bool = False
    allow_pickle: bool = False
    trust_remote_code: bool = False
    model_version: str | None = None
    check_twice: bool = False
    allow_random: bool = False
    stop_early: bool = False
    profile: Profile = "dev"
    reports: Path = Path("reports")
    with_text: bool = True

    @property
    def most_seeds(self) -> int | None:
        """The seeds that a case is run under at most; None for as many as it has."""
        return QUICK_SEEDS if self.profile == QUICK else None

    @property
    def most_searched(self) -> int | None:
        """The examples that an attack is run on at most; None for as many as its case says."""
        return QUICK_SEARCHED if self.profile == QUICK else None

    @property
    def most_edits(self) -> int | None:
        """The edits that a promise is estimated by at most; None for as many as its case says."""
        return QUICK_EDITS if self.profile == QUICK else None


def mask_token_of(model: Any, options: RunOptions) -> str | None:
    """The mask token of the options, else the model's own; None if there is none."""
    own: str | None = model.mask_token
    return own if options.mask_token is None else options.mask_token
