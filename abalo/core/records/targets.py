"""Targets of searches and invariances."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from abalo.core.records.example import Example, Variant
from abalo.errors import AbaloError
from perturbations import Edit, Perturbed, Sentence, Span


class Seen(Protocol):
    """A target in a prediction."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of each part."""
        ...

    @property
    def broken(self) -> bool:
        """Whether the whole target is wrong."""
        ...

    @property
    def kind(self) -> str | None:
        """The kind of success, if there are several."""
        ...


@dataclass(frozen=True, slots=True)
class Effect:
    """What a prediction does to a target, with one part per word of a span or one for a text.

    ``scores`` are the model's scores of what is right, by part. ``turned`` flags wrong parts. ``damage`` grows with the
    harm; 0 if all parts are right.
    """

    scores: tuple[float, ...]
    turned: tuple[bool, ...]
    broken: bool
    damage: tuple[float, ...]

    def open_parts(self) -> list[int]:
        """The parts still right."""
        return [k for k, turned in enumerate(self.turned) if not turned]

    def total(self, parts: Sequence[int]) -> float:
        """The sum of these parts' scores."""
        return sum(self.scores[k] for k in parts)


@dataclass(frozen=True, slots=True, eq=False)
class Target(ABC):
    """A gold label in one field of an example that a search tries to break or that no edit should break.

    ``clean`` is the unchanged example's prediction. ``noun`` names the target; "" uses the task's word.
    """

    noun: ClassVar[str] = ""

    example: Example
    field: str
    clean: Any

    @property
    def sentence(self) -> Sentence:
        """The unchanged field."""
        return self.example.fields[self.field]

    @property
    def spans(self) -> tuple[Span, ...]:
        """The labelled span; empty if the label is the whole's."""
        return ()

    @property
    def start(self) -> int:
        """The place of its first word; 0 for the whole."""
        return 0

    @property
    def free(self) -> Sequence[int]:
        """The places of words that can be replaced without changing the gold label."""
        return range(len(self.sentence))

    @property
    def right(self) -> bool:
        """Whether it is right in the clean example; others are never attacked."""
        return self.holds(self.clean)

    @abstractmethod
    def holds(self, prediction: Any, made: Perturbed | None = None) -> bool:
        """Whether the prediction gets the whole target right after a change; ``made`` None means unchanged."""

    @abstractmethod
    def labels_in(self, prediction: Any, made: Perturbed | None = None) -> tuple[str, ...]:
        """The labels of its parts in a prediction, after a change."""

    def margin(self, scale: Any) -> float | None:
        """The smallest margin of its right parts over the runner-up, 0 to 1; None if unknown."""
        return None

    def confidence(self, prediction: Any, made: Perturbed | None, scale: Any) -> float | None:
        """The mean probability of its right labels, 0 to 1; None if unknown or gone."""
        return None

    def bears(self, edit: Edit) -> bool:
        """Whether its label surely stays right after the edit."""
        return True

    def towards(self, goal: str) -> Target | None:
        """The target, broken only if wrong in this way; None if gold already is.

        Raises `AbaloError` for an impossible goal.
        """
        raise AbaloError(f"to = {goal!r}: the targets of this task can be wrong in one way only; leave it out")

    @abstractmethod
    def read(self, prediction: Any, made: Perturbed | None = None) -> Effect:
        """The target as the model sees it after a change; ``made`` None means unchanged."""

    @abstractmethod
    def importance(self, prediction: Any, made: Perturbed) -> float:
        """The effect of a change, such as a deleted word, on what is right."""

    def variant(self, made: Perturbed) -> Variant:
        """The changed example with the original's id."""
        fields = {**self.example.fields, self.field: made.sentence}
        return Variant(replace(self.example, fields=fields), {self.field: made})


def place_targets(targets: Iterable[Target], field: str) -> list[Target]:
    """The targets in another field; unchanged for ""."""
    return [replace(each, field=field) if field else each for each in targets]
