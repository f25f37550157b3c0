"""The base of validators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from abalo.core.protocols.registry import Registry
from abalo.core.records.configuring import Ranged, Settable
from abalo.core.statistics.verdicts import Side
from abalo.corpora import Corpus
from perturbations import Sentence

SentencePairs = Sequence[tuple[Sentence, Sentence]]
"""Originals and variants."""


class Score(Protocol):
    """A prepared validator."""

    @property
    def name(self) -> str:
        """The name in reports, with all relevant settings."""
        ...

    def of(self, pairs: SentencePairs) -> NDArray[np.float64]:
        """The score of each pair."""
        ...


@dataclass(frozen=True, slots=True)
class Plain:
    """A score computed pair by pair."""

    name: str
    function: Callable[[Sentence, Sentence], float]

    def of(self, pairs: SentencePairs) -> NDArray[np.float64]:
        return np.array([self.function(original, variant) for original, variant in pairs], dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoSettings(Ranged):
    """No settings."""


S = TypeVar("S", bound=Ranged)


@dataclass(frozen=True, slots=True, eq=False)
class Validator(Settable[S]):
    """A measure with values from ``low`` to ``high``.

    ``side`` says whether a limit is a minimum ("min") or maximum ("max"); ``prepare`` makes the score from corpus and
    settings.
    """

    side: Side
    prepare: Callable[[Corpus, S], Score]
    low: float = 0.0
    high: float = 1.0


validators: Registry[Validator[Any]] = Registry("validator", "abalo.validators", "VALIDATOR", group="abalo.validators")
"""All validators, one per module."""
