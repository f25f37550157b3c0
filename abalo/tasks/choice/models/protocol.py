"""What a model must offer that answers multiple-choice questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from abalo.tasks.choice.question import Variant


class ChoiceModel(Protocol):
    """A model that chooses among the options of a question.

    ``fingerprint`` changes whenever answers could. ``settings`` are what else the report should name.
    """

    name: str
    fingerprint: str
    settings: dict[str, Any]

    def answers(self, variants: Sequence[Variant], task: str, seed: int) -> list[int | None]:
        """For each variant, in order, the place of the option chosen, from 0 as shown; None where it names none.

        ``task`` and ``seed`` are for its log, and for models that draw. Raises `AbaloError` for other answers.
        """
        ...
