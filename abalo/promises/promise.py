"""Promises about single edits, and where the edits could be made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, TypeVar

from abalo.core.configuring import Ranged, Ranges, configured
from abalo.corpora import Corpus
from perturbations import Edit, Sentence

Site = Callable[[], Sequence[Edit]]
"""A place where a sentence could change; called, the edits that are possible there, at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Ranged):
    """Settings that every promise has.

    ``draws`` single edits are drawn to estimate how many break the promise. It is about entities of which the model is
    sure: on every word the probability of its label exceeds that of the runner-up by more than ``margin``.
    """

    draws: int = 1000
    margin: float = 0.5

    ranges: ClassVar[Ranges] = {"draws": (1, 10**6), "margin": (0, 1)}


S = TypeVar("S", bound=Settings)

Sites = Callable[[Sentence, frozenset[int]], Sequence[Site]]
"""The sites of a sentence, given the tokens that are free: outside all entities, of the gold as of the prediction."""


@dataclass(frozen=True, slots=True, eq=False)
class Promise(Generic[S]):
    """A promise about single edits, its ``text`` in one sentence, made for the ``tasks`` named.

    ``plan(corpus, settings)`` says where sentences of a corpus could change.
    """

    name: str
    text: str
    settings: type[S]
    plan: Callable[[Corpus, S], Sites]
    tasks: tuple[str, ...] = ("ner",)

    @property
    def summary(self) -> str:
        """The promise in words."""
        return self.text

    def parameters(self) -> list[str]:
        """The names of the settings."""
        return [each.name for each in fields(self.settings)]

    def configured(self, **params: Any) -> S:
        """The settings with these values; raises TypeError or ValueError naming the one that is wrong."""
        return configured(self.name, self.settings, params)
