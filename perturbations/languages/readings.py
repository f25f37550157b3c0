"""Verbs as rules of a language read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from perturbations.text import Sentence


class VerbReading(NamedTuple):
    """The verb a form is of, its tense, and which of the forms of that tense it is, counted from 0."""

    lemma: str
    tense: str
    person: int


@dataclass(frozen=True, slots=True)
class Verb:
    """A finite verb and its place; ``readings`` is empty where its form is in no table."""

    place: int
    readings: Sequence[VerbReading]


@runtime_checkable
class PartsOfSpeech(Protocol):
    """A part-of-speech tagger."""

    def of(self, sentences: Sequence[Sentence]) -> Sequence[Sequence[str]]:
        """For each sentence one universal part-of-speech tag per token, such as ``VERB``."""
        ...


Features = Mapping[str, str]
"""Morphological features of a token as Universal Dependencies name them, such as ``Gender`` with ``Fem``."""


@runtime_checkable
class Morphology(Protocol):
    """A tagger that knows inflection."""

    def features(self, sentences: Sequence[Sentence]) -> Sequence[Sequence[Features]]:
        """For each sentence the features of each token."""
        ...
