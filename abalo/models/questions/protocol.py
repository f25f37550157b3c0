"""The interface of question-answering models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

Input = tuple[str, str]


class PassagePlace(NamedTuple):
    """Start and exclusive stop, in characters."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A model's answer; empty ``text`` means *no answer*.

    ``score`` and ``null`` are probabilities of answer and no answer, or None. ``answered`` is False if ``reply`` is
    unreadable.
    """

    text: str
    place: PassagePlace | None = None
    score: float | None = None
    null: float | None = None
    inputs: int = 1
    reply: str | None = field(default=None, compare=False)
    answered: bool = True


class ReadingModel(Protocol):
    """Answers questions about passages; ``fingerprint`` changes whenever answers could."""

    labels: tuple[str, ...]
    name: str
    fingerprint: str
    settings: dict[str, Any]
    device: str

    def predict(self, given: Sequence[Input], /) -> list[Answered]:
        """One answer per question, in order."""
        ...
