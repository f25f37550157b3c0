"""The interface of a model that answers multiple-choice questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from abalo.tasks.choice.question import Prompt


@dataclass(frozen=True, slots=True)
class Picked:
    """The option that a model picked.

    ``place`` is its place as shown, from 0, ``option`` its place in the original question; both are None where the
    model named no option. ``windows`` is how many inputs the model needed.
    """

    place: int | None
    option: int | None
    windows: int = 1

    @classmethod
    def at(cls, place: int | None, prompt: Prompt) -> Picked:
        """The option of a prompt that is shown at ``place``; raises ValueError where none is."""
        return cls(place, prompt.original(place))


class ChoiceModel(Protocol):
    """A model that picks one of the options of a question.

    ``fingerprint`` changes whenever answers could. ``settings`` are others that the report should name.
    """

    name: str
    fingerprint: str
    settings: dict[str, Any]

    def predict(self, prompts: Sequence[Prompt]) -> list[Picked]:
        """The option picked for each prompt, in order; raises `AbaloError` for answers that name no option shown."""
        ...
