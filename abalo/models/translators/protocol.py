"""The interface of translation models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TranslatedText:
    """A translation; ``answered`` is False if ``reply`` is unreadable."""

    text: str
    inputs: int = 1
    reply: str | None = field(default=None, compare=False)
    answered: bool = True


class TranslationModel(Protocol):
    """A translation model; ``fingerprint`` changes whenever translations could."""

    labels: tuple[str, ...]
    name: str
    fingerprint: str
    settings: dict[str, object]
    device: str

    def predict(self, given: Sequence[str], /) -> list[TranslatedText]:
        """One translation per text, in order."""
        ...
