"""The settings of a training, and the protocol of what trains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from abalo.core.lesson import Lesson
from abalo.errors import AbaloError

Epochs = Callable[[int], Sequence[Lesson]]
"""The lessons of an epoch, counted from 1."""

Say = Callable[[str], None]
"""Takes a line about how far a training is."""


@dataclass(frozen=True, slots=True)
class Training:
    """How to train; raises `AbaloError` for a value out of range.

    ``batch`` is lessons a step, ``rate`` the highest learning rate. With ``letters`` a linear classifier reads groups
    of letters, too; other models have no use for that. Three are off at 0: ``drop_pieces`` is the share of word pieces
    that are hidden from the model, drawn anew for each step; ``masked_lm`` the weight of the loss of guessing 15 %
    hidden pieces, beside that of the labels; ``contrast`` the weight of the contrastive loss, which draws a changed
    example to its original and away from the others of its batch.
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
"""The settings that are off unless asked for."""


def refuse_idle(trainer: Trainer, settings: Training) -> None:
    """Raises `AbaloError` for a setting that is asked for and that the trainer has no use for."""
    for name in OPTIONAL:
        if getattr(settings, name) and name not in trainer.uses:
            raise AbaloError(f"--{name.replace('_', '-')}: has no meaning for what trains this model; leave it out")


class Trainer(Protocol):
    """Trains one model. ``uses`` are the settings that it makes use of, but for the seed and the epochs.

    ``suffix`` ends the name of what it writes; empty for a folder.
    """

    uses: ClassVar[tuple[str, ...]]
    suffix: ClassVar[str]

    def check(self) -> None:
        """Raises `AbaloError` where it can be told beforehand that there is nothing to train with."""
        ...

    def train(self, epochs: Epochs, settings: Training, out: Path, say: Say) -> str:
        """Writes the trained model to ``out``, and gives its spec; raises `AbaloError` where that cannot be done."""
        ...
