"""Outcomes: predictions of an example and its variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from abalo.core.records.example import Example, JsonObject, Variant
from abalo.core.records.targets import Target
from perturbations import Perturbed, Sentence, Span, apply


class Obstacle(StrEnum):
    """The reason why a failed search stopped."""

    NOTHING_TO_TRY = "nothing_to_try"
    SIMILARITY = "similarity"
    PART_OF_SPEECH = "part_of_speech"
    BUDGET = "budget"
    RESISTED = "resisted"


@dataclass(frozen=True, slots=True)
class Tried:
    """The candidates of a search.

    ``unlike`` were too dissimilar, ``other_part_of_speech`` changed a part of speech, ``shown`` reached the model.
    """

    candidates: int
    unlike: int
    other_part_of_speech: int
    shown: int


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """A variant on a search's path."""

    variant: Variant
    prediction: Any


@dataclass(frozen=True, slots=True)
class Searched:
    """How a search ended.

    * ``choices``: number of options, such as places.
    * ``queries``: variants that the model saw. ``spent``: the budget ended the search.
    * ``similarity``: to the original, -1 to 1.
    * ``best``: state with most damage; None if final.
    * ``reached``: the goal was reached; None if the goal is to break the target.
    """

    choices: int
    queries: int
    spent: bool
    similarity: float
    tried: Tried
    best: Reached | None = field(default=None, compare=False)
    reached: bool | None = None

    @property
    def obstacle(self) -> Obstacle:
        """The first `Obstacle` that explains a failure."""
        if self.spent:
            return Obstacle.BUDGET
        if not self.tried.candidates:
            return Obstacle.NOTHING_TO_TRY
        if self.tried.shown:
            return Obstacle.RESISTED
        return Obstacle.PART_OF_SPEECH if self.tried.other_part_of_speech else Obstacle.SIMILARITY


@dataclass(frozen=True, slots=True)
class Check:
    """The finding about a filling.

    * ``fault``: what is wrong, in words; "" if right.
    * ``stratum``: template. ``values``: slots, by key.
    * ``shown``: named lines that show the fault.
    * ``decided``: false if the model gives no output.
    """

    stratum: str
    fault: str
    values: Mapping[str, str]
    shown: tuple[tuple[str, str], ...] = ()
    decided: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The unit that is counted: an example under one seed, a target in it, or a variant.

    * ``variant``: None if no change was possible; then ``prediction`` is the clean one.
    * ``scale``: how to read scores; None if unscored.
    * ``targets``: spans that a change was aimed at.
    * ``searched``: present if the change was searched for one target.
    * ``outside``: the example is outside the judged part, for comparison.
    * ``not_found``: the target is wrong in the clean example.
    * ``check``: result of a filled template.
    * ``invariant``: targets that a single edit must not break.
    """

    example: Example
    seed: int
    clean: Any
    variant: Variant | None
    prediction: Any
    scale: Any = None
    targets: tuple[Span, ...] = ()
    searched: Searched | None = None
    outside: bool = False
    not_found: bool = False
    check: Check | None = None
    invariant: tuple[Target, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether the model saw a changed example."""
        return self.variant is not None

    @property
    def sentence(self) -> Sentence:
        """The clean sentence of the only field."""
        return self.example.sentence

    @property
    def edited(self) -> Sentence:
        """The changed field before the change; the first if nothing changed."""
        names = self.example.fields if self.variant is None else self.variant.edits
        return self.example.fields[next(iter(names))]

    @property
    def perturbed(self) -> Perturbed | None:
        """The change of the only edited field; None if nothing changed."""
        return None if self.variant is None else self.variant.perturbed

    @property
    def made(self) -> Perturbed:
        """`perturbed`, or a change without edits."""
        return self.perturbed or apply(self.sentence, [])

    @property
    def place(self) -> str:
        """Distinguishes units of one example and seed."""
        if self.searched is not None or self.not_found:
            return ",".join(f"{span.start}-{span.stop}-{span.type}" for span in self.targets)
        return "" if self.variant is None else self.variant.kind


def reply_of(prediction: Any) -> JsonObject:
    """The reply behind a prediction and whether it is unreadable, for reports; empty for models without replies."""
    reply: str | None = getattr(prediction, "reply", None)
    if reply is None:
        return {}
    return {"reply": reply} if prediction.answered else {"reply": reply, "unreadable": True}
