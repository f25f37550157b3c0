"""The targets that a task has for searches and promises: the labels of an example, one by one, and how they broke."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from abalo.core.example import Example
from abalo.core.outcome import Outcome
from abalo.core.targets import Seen, Target


class Targets:
    """The targets in examples of a task; this is those of a task without any.

    ``nouns`` are a target in words, and several; ``goals`` the same of goals that have targets of their own, besides
    the gold labels. ``robust`` is the metric of what searches cannot break, by which two models are compared, empty
    for a task without searches. ``promise_words`` are the words that promises may edit, such as " outside every name",
    empty for all, and what should not change.
    """

    def __init__(
        self,
        robust: str = "",
        nouns: tuple[str, str] = ("text", "texts"),
        promise_words: tuple[str, str] = ("", "label"),
        goals: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self.robust, self.promise_words, self.goals = robust, promise_words, goals or {}
        self._nouns = nouns

    def nouns(self, goal: str = "") -> tuple[str, str]:
        """A target of searches with this goal in words, and several."""
        return self.goals.get(goal, self._nouns)

    def of(self, example: Example, prediction: Any, model: Any, goal: str = "") -> Iterable[Target]:
        """The gold labels of an example, one by one; with a goal, those that can be wrong in this way alone.

        Without a ``model`` they say what is right, not how sure it is. Raises `AbaloError` for a way in which no label
        of the task can be wrong.
        """
        return ()

    def seen(self, outcome: Outcome) -> Seen:
        """The target of a search as the model sees it in the variant of the outcome."""
        raise NotImplementedError


def towards(found: Iterable[Target], goal: str) -> Iterable[Target]:
    """The targets, broken only where they are wrong in this way, without those that gold has so already."""
    return [each for target in found if (each := target.towards(goal)) is not None] if goal else found
