"""A validator: a number for an original and a variant of it, and the good side of a limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from abalo.core.configuring import Ranged, Settable
from abalo.core.registry import Registry
from abalo.core.verdicts import Side
from abalo.corpora import Corpus
from perturbations import Sentence

Pairs = Sequence[tuple[Sentence, Sentence]]
"""Originals, each with a variant of it."""


class Score(Protocol):
    """A validator that is ready to measure. ``name`` says it in reports, with all that changes the answers."""

    @property
    def name(self) -> str:
        """The name in reports."""
        ...

    def of(self, pairs: Pairs) -> NDArray[np.float64]:
        """The number of each pair."""
        ...


@dataclass(frozen=True, slots=True)
class Plain:
    """A score that is a function of one pair."""

    name: str
    function: Callable[[Sentence, Sentence], float]

    def of(self, pairs: Pairs) -> NDArray[np.float64]:
        """The number of each pair."""
        return np.array([self.function(original, variant) for original, variant in pairs], dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoSettings(Ranged):
    """No settings."""


S = TypeVar("S", bound=Ranged)


@dataclass(frozen=True, slots=True, eq=False)
class Validator(Settable[S]):
    """A measure from ``low`` to ``high``; ``side`` says whether a limit is the least ("min") or the most ("max").

    ``prepare(corpus, settings)`` makes the score for variants of the sentences of a corpus.
    """

    side: Side
    prepare: Callable[[Corpus, S], Score]
    low: float = 0.0
    high: float = 1.0


validators: Registry[Validator[Any]] = Registry("validator", "abalo.validators", "VALIDATOR")
"""Every validator by name: one module each in this package, found by themselves."""
