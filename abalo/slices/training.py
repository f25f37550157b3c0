"""The corpus that a model has learned from, which some slices compare with."""

from __future__ import annotations

from dataclasses import dataclass

from abalo.core.configuring import Ranged
from abalo.corpora.training import check_training


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained(Ranged):
    """``training`` names the corpus that the model has learned from."""

    training: str = ""

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        check_training(self.training)
