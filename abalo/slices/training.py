"""Settings with a training corpus."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.core.records.configuring import Ranged
from abalo.corpora.training import check_training
from abalo.sources.model_backed import NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained(Ranged):
    """``training`` names the model's training corpus; "none" skips the case."""

    training: str = ""

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        if self.training != NONE:
            check_training(self.training)
