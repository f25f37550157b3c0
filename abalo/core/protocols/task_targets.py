"""The targets of a task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Seen, Target


class Targets:
    """The targets in examples of a task; by default none.

    * ``goals``: one target and several in words, by goal.
    * ``robust``: metric of what searches cannot break; "" without searches.
    * ``invariance_words``: words that invariances may edit, such as " outside every name", "" for all, and what must
      not change.
    """

    def __init__(
        self,
        robust: str = "",
        nouns: tuple[str, str] = ("text", "texts"),
        invariance_words: tuple[str, str] = ("", "label"),
        goals: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        self.robust, self.invariance_words, self.goals = robust, invariance_words, goals or {}
        self._nouns = nouns

    def nouns(self, goal: str = "") -> tuple[str, str]:
        """One target of this goal in words, and several."""
        return self.goals.get(goal, self._nouns)

    def of(self, example: Example, prediction: Any, model: Any, goal: str = "") -> Iterable[Target]:
        """The gold labels of an example as targets; with a goal, only possible ones.

        Without a ``model``, confidences are unknown. Raises `AbaloError` for an impossible goal.
        """
        return ()

    def seen(self, outcome: Outcome) -> Seen:
        """The target of a search in the outcome's variant."""
        raise NotImplementedError


def towards(found: Iterable[Target], goal: str) -> Iterable[Target]:
    """The targets, broken only if wrong in this way, unless gold already is."""
    return [each for target in found if (each := target.towards(goal)) is not None] if goal else found
