"""The interface of question-answering models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from abalo.questions.question import Prompt


@dataclass(frozen=True, slots=True)
class Picked:
    """The option that a model picked.

    ``place`` (as shown) and ``option`` (in the original) count from 0 and are None without an answer. ``inputs``
    counts model inputs. ``reply`` is a language model's text.
    """

    place: int | None
    option: int | None
    inputs: int = 1
    reply: str | None = field(default=None, compare=False)

    @property
    def answered(self) -> bool:
        """Whether an option was picked."""
        return self.place is not None

    @classmethod
    def at(cls, place: int | None, prompt: Prompt, reply: str | None = None) -> Picked:
        """The option shown at ``place``. Raises ValueError for other places."""
        return cls(place, prompt.original(place), reply=reply)


class ChoiceModel(Protocol):
    """A model that picks an option.

    ``fingerprint`` changes whenever answers could. ``settings`` are shown in reports.
    """

    name: str
    fingerprint: str
    settings: dict[str, Any]

    def predict(self, prompts: Sequence[Prompt], /) -> list[Picked]:
        """The option picked for each prompt, in order. Raises AbaloError for unknown options."""
        ...
