"""The corpus that a model has learned from, which some slices compare with."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.core.configuring import Ranged
from abalo.corpora.training import check_training
from abalo.sources.model_backed import NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained(Ranged):
    """``training`` names the corpus that the model has learned from; a case with "none" is skipped."""

    training: str = ""

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        if self.training != NONE:
            check_training(self.training)
