"""Promises about single edits, and where the edits could be made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from abalo.core.configuring import Lists, Ranged, Ranges, Settable
from abalo.core.registry import Registry
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
class Promise(Settable[S]):
    """A promise about single edits, its ``text`` in one sentence, made for the ``tasks`` named.

    ``plan(corpus, settings)`` says where sentences of a corpus could change. ``lists`` holds for each language that it
    is for the settings that name word lists; it is empty where no words are looked up.
    """

    plan: Callable[[Corpus, S], Sites]
    text: str
    tasks: tuple[str, ...] = ("ner",)
    lists: Lists = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The promise in words."""
        return self.text


promises: Registry[Promise[Any]] = Registry("promise", "abalo.promises", "PROMISE")
"""Every promise by name: one module each in this package, found by themselves."""
