"""Training settings and the trainer interface."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from abalo.core.records.lesson import Lesson
from abalo.errors import AbaloError

Epochs = Callable[[int], Sequence[Lesson]]

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Training:
    """Settings of a training; raises `AbaloError` for a value out of range.

    * ``batch``: lessons per step; ``rate``: highest learning rate.
    * ``letters``: letter groups as features, for linear classifiers.
    * ``drop_pieces``: share of hidden word pieces.
    * ``masked_lm``: weight of the loss on 15 % hidden pieces.
    * ``contrast``: weight of the contrastive loss between changed examples and originals.

    The last three are off at 0.
    """

    seed: int = 1
    epochs: int = 3
    batch: int = 32
    rate: float = 5e-5
    drop_pieces: float = 0.0
    masked_lm: float = 0.0
    contrast: float = 0.0
    letters: bool = False

    def __post_init__(self) -> None:
        for name, found, least in (("epochs", self.epochs, 1), ("batch", self.batch, 1)):
            if found < least:
                raise AbaloError(f"{name} is {found}: expected a whole number from {least}")
        if not 0 < self.rate < 1:
            raise AbaloError(f"rate is {self.rate:g}: expected a learning rate above 0 and below 1, such as 5e-5")
        if not 0 <= self.drop_pieces < 1:
            raise AbaloError(f"drop_pieces is {self.drop_pieces:g}: expected a share from 0 to below 1, such as 0.1")
        for name, weight in (("masked_lm", self.masked_lm), ("contrast", self.contrast)):
            if not 0 <= weight < float("inf"):
                raise AbaloError(f"{name} is {weight:g}: expected a weight from 0, such as 0.2")


OPTIONAL = ("drop_pieces", "masked_lm", "contrast", "letters")


def refuse_idle(trainer: Trainer, settings: Training) -> None:
    """Raises `AbaloError` for a setting that the trainer does not use."""
    for name in OPTIONAL:
        if getattr(settings, name) and name not in trainer.uses:
            raise AbaloError(f"--{name.replace('_', '-')}: has no meaning for what trains this model; leave it out")


class Trainer(Protocol):
    """Trains one model.

    ``uses`` lists its settings besides seed and epochs. ``suffix`` ends the output's name; empty for a folder.
    """

    uses: ClassVar[tuple[str, ...]]
    suffix: ClassVar[str]

    def check(self) -> None:
        """Raises `AbaloError` early if training is impossible."""
        ...

    def train(self, epochs: Epochs, settings: Training, out: Path, say: Say) -> str:
        """Writes the model to ``out`` and returns its spec; raises `AbaloError`."""
        ...
