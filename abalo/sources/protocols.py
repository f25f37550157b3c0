"""The protocols of sources that attacks use."""

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
    """Synonyms of words; ``name`` names the source in reports, with every setting that changes its answers."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        """For each word, given as its sentence and place, its synonyms, most similar first, never the word itself.

        They are in the letter case of the word.
        """
        ...


class Similarity(Protocol):
    """Similarity of two sentences; ``name`` names the source in reports."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def of(self, pairs: Sequence[tuple[Sentence, Sentence]]) -> NDArray[np.float64]:
        """The similarity of each pair, -1 to 1; that of a sentence with itself is 1."""
        ...


class PartsOfSpeech(Protocol):
    """Parts of speech of tokens; ``name`` names the source in reports."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def of(self, sentences: Sequence[Sentence]) -> list[tuple[str, ...]]:
        """For each sentence one universal part-of-speech tag per token, such as ``NOUN``."""
        ...
