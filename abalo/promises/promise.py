"""Promises about single edits, and where the edits could be made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from abalo.core.configuring import Lists, Ranged, Ranges, Settable
from abalo.core.registry import Registry
from abalo.core.task import Task
from abalo.corpora import Corpus
from perturbations import Edit, Sentence

Site = Callable[[], Sequence[Edit]]
"""A place where a sentence could change; called, the edits that are possible there, at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Ranged):
    """Settings that every promise has.

    ``draws`` single edits are drawn to estimate how many break the promise. It is about targets of which the model is
    sure: the probability of what is right exceeds that of the runner-up by more than ``margin``, on every word of an
    entity.
    """

    draws: int = 1000
    margin: float = 0.5

    ranges: ClassVar[Ranges] = {"draws": (1, 10**6), "margin": (0, 1)}


S = TypeVar("S", bound=Settings)

Sites = Callable[[Sentence, frozenset[int]], Sequence[Site]]
"""The sites of a sentence, given the tokens that are free: those outside labelled spans, in gold and predicted."""


@dataclass(frozen=True, slots=True, eq=False)
class Promise(Settable[S]):
    """A promise about single edits to tasks whose targets are labelled spans, or to those that have other targets.

    ``plan(corpus, settings)`` says where sentences of a corpus could change. ``text`` is the promise in one sentence,
    with ``{outside}`` for the words that may be edited and ``{target}`` for what should not change. ``of_spans`` is
    None for one that takes any target. ``lists`` holds for each language that it is for the settings that name word
    lists; it is empty where no words are looked up.
    """

    plan: Callable[[Corpus, S], Sites]
    text: str
    of_spans: bool | None = None
    lists: Lists = field(default_factory=dict)

    def fits(self, task: Task) -> bool:
        """Whether the task has targets for it."""
        return "promise" in task.probes and self.of_spans in (None, task.labelled == "spans")

    def said(self, task: Task) -> str:
        """The promise to a task in words."""
        outside, target = task.targets.promise_words
        return self.text.format(outside=outside, target=target)

    @property
    def summary(self) -> str:
        """The promise in words, to no task in particular."""
        words = {None: ("", "entity and no label"), True: (" outside every entity", "entity"), False: ("", "label")}
        outside, target = words[self.of_spans]
        return self.text.format(outside=outside, target=target)


promises: Registry[Promise[Any]] = Registry("promise", "abalo.promises", "PROMISE")
"""Every promise by name: one module each in this package, found by themselves."""
