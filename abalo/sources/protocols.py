"""Protocols of attack sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from perturbations import Sentence


@dataclass(frozen=True, slots=True)
class Synonym:
    """A replacement with similarity -1 to 1; lexicons give 1."""

    word: str
    similarity: float


class Synonyms(Protocol):
    """A source of synonyms."""

    @property
    def name(self) -> str:
        """The name in reports, with all relevant settings."""
        ...

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        """Synonyms for each sentence and place, most similar first.

        They have the word's letter case and exclude it.
        """
        ...


class Similarity(Protocol):
    """A source of sentence similarity."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def of(self, pairs: Sequence[tuple[Sentence, Sentence]]) -> NDArray[np.float64]:
        """The similarity of each pair, -1 to 1; equal sentences give 1."""
        ...


class PosSource(Protocol):
    """A source of parts of speech."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def of(self, sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
        """A universal tag per token and sentence, such as ``NOUN``."""
        ...
