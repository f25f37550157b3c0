"""What an attack asks of a source; anything with these methods will do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from perturbations import Sentence


@dataclass(frozen=True, slots=True)
class Synonym:
    """A word that could stand for another, and how alike the two are, -1 to 1; 1 where a lexicon says so."""

    word: str
    similarity: float


class Synonyms(Protocol):
    """Where words of the same meaning come from. ``name`` says it in reports, with all that changes the answers."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        """For each word, given as its sentence and place, its synonyms, most similar first, never the word itself.

        They are in the letter case of the word.
        """
        ...


class Similarity(Protocol):
    """How alike two sentences are. ``name`` says it in reports."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def of(self, pairs: Sequence[tuple[Sentence, Sentence]]) -> NDArray[np.float64]:
        """The similarity of each pair, -1 to 1; that of a sentence with itself is 1."""
        ...


class PartsOfSpeech(Protocol):
    """What kind of word each token is. ``name`` says it in reports."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def of(self, sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
        """For each sentence one universal part-of-speech tag per token, such as ``NOUN``."""
        ...
