"""The interface of a model that answers multiple-choice questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from abalo.tasks.choice.question import Prompt


@dataclass(frozen=True, slots=True)
class Picked:
    """The option that a model picked.

    ``place`` is its place as shown, from 0, ``option`` its place in the original question; both are None where the
    model named no option. ``windows`` is how many inputs the model needed. ``reply`` is the text in which a language
    model answered, None from others.
    """

    place: int | None
    option: int | None
    windows: int = 1
    reply: str | None = field(default=None, compare=False)

    @classmethod
    def at(cls, place: int | None, prompt: Prompt, reply: str | None = None) -> Picked:
        """The option of a prompt that is shown at ``place``; raises ValueError where none is."""
        return cls(place, prompt.original(place), reply=reply)


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
