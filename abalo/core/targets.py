"""Targets: what a model has right in a clean example, and what a change makes of it, for searches and promises."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from abalo.core.example import Example, Variant
from abalo.errors import AbaloError
from perturbations import Edit, Perturbed, Sentence, Span


class Seen(Protocol):
    """A target as a prediction has it.

    ``labels`` are those of its parts. ``broken`` says whether a search that ends here has succeeded, ``kind`` which
    kind of success that is, where the task tells several apart.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """The label of each part."""
        ...

    @property
    def broken(self) -> bool:
        """Whether it is wrong as a whole: full success."""
        ...

    @property
    def kind(self) -> str | None:
        """The kind of success; None for a failure, and where there is only one kind."""
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """A target as the model sees it, part by part: a labelled span has a part for each word, a labelled text one.

    ``scores`` are those of what is right for each part, the higher the surer the model; ``turned`` says whether the
    part is wrong. ``damage`` is larger the harder the target was hit, and all 0 where nothing is wrong.
    """

    scores: tuple[float, ...]
    turned: tuple[bool, ...]
    broken: bool
    damage: tuple[float, ...]

    def open_parts(self) -> list[int]:
        """The parts that are still to be turned."""
        return [k for k, turned in enumerate(self.turned) if not turned]

    def total(self, parts: Sequence[int]) -> float:
        """The sum of the scores of these parts."""
        return sum(self.scores[k] for k in parts)


@dataclass(frozen=True, slots=True, eq=False)
class Target(ABC):
    """Something with a gold label in one field of an example, which a search tries to break, or no edit should.

    ``clean`` is the prediction of the example as it stands. ``noun`` names it, empty where the word of its task does.
    """

    noun: ClassVar[str] = ""

    example: Example
    field: str
    clean: Any

    @property
    def sentence(self) -> Sentence:
        """The field as it stands."""
        return self.example.fields[self.field]

    @property
    def spans(self) -> tuple[Span, ...]:
        """The labelled span that it is; none where it is the label of the whole."""
        return ()

    @property
    def start(self) -> int:
        """The place of its first word, which tells the targets of one sentence apart; 0 for the whole."""
        return 0

    @property
    def free(self) -> Sequence[int]:
        """The places of the words that may be replaced and leave its gold label true."""
        return range(len(self.sentence))

    @property
    def right(self) -> bool:
        """Whether the model has it right in the clean example. What it has wrong is never attacked."""
        return self.holds(self.clean)

    @abstractmethod
    def holds(self, prediction: Any, made: Perturbed | None = None) -> bool:
        """Whether a prediction has it right as a whole, after a change; None for the sentence as it stands."""

    @abstractmethod
    def labels_in(self, prediction: Any, made: Perturbed | None = None) -> tuple[str, ...]:
        """The labels of its parts in a prediction, after a change."""

    def margin(self, scale: Any) -> float | None:
        """By how much the model prefers what is right to the runner-up, the least over its parts, 0 to 1.

        Of a target that holds in the clean example; None where that is not known, as from a model without scores.
        """
        return None

    def confidence(self, prediction: Any, made: Perturbed | None, scale: Any) -> float | None:
        """The mean probability of its right labels, 0 to 1; None where that is not known, and where it is gone."""
        return None

    def bears(self, edit: Edit) -> bool:
        """Whether it is known that its label is still right after the edit."""
        return True

    def towards(self, goal: str) -> Target | None:
        """The same target, broken only where it is wrong in this way; None where gold is so already.

        Raises `AbaloError` for a way in which it cannot be wrong.
        """
        raise AbaloError(f"to = {goal!r}: the targets of this task can be wrong in one way only; leave it out")

    @abstractmethod
    def read(self, prediction: Any, made: Perturbed | None = None) -> Reading:
        """The target as the model sees it after a change; None for the sentence as it stands."""

    @abstractmethod
    def importance(self, prediction: Any, made: Perturbed) -> float:
        """The effect of a change, such as a deleted word, on what is right: the larger, the more the word matters."""

    def variant(self, made: Perturbed) -> Variant:
        """The example with the change in its field; it keeps the id of its original."""
        fields = {**self.example.fields, self.field: made.sentence}
        return Variant(replace(self.example, fields=fields), {self.field: made})


def placed(targets: Iterable[Target], field: str) -> list[Target]:
    """The targets as they are about changes of another field; unchanged for an empty one."""
    return [replace(each, field=field) if field else each for each in targets]
