"""Any callable as a model: given a question and its options, it says which one it takes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

from abalo.tasks.choice.overlap import overlap
from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.models.user_code import UserCode, make
from abalo.tasks.choice.question import LETTERS, Variant

OVERLAP = "abalo/overlap"
"""The model that is judged where no other is asked for."""


class BlackBox:
    """A `ChoiceModel` around a function from a question and its options to a place from 0, a letter or None."""

    def __init__(self, name: str, fingerprint: str, function: Callable[..., Any], code: UserCode | None = None) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.settings: dict[str, Any] = {}
        self._function = function
        self._code = code

    def answers(self, variants: Sequence[Variant], task: str, seed: int) -> list[int | None]:  # noqa: ARG002
        """The function's answers, asked one by one; raises `AbaloError` where one cannot be used."""
        return [self._place(variant) for variant in variants]

    def _place(self, variant: Variant) -> int | None:
        given = variant.question, variant.options
        if self._code is None:
            answer = self._function(*given)
        else:
            answer = self._code.call(f"answering {variant.item}|{variant.id}", self._function, *given)
        place = place_of(answer)
        if answer is not None and (place is None or not 0 <= place < len(variant.options)):
            last = len(variant.options) - 1
            raise AbaloError(
                f"model {self.name}: {shown(answer)} to {variant.item}|{variant.id}; expected the place of an option, "
                f"0 to {last}, its letter, A to {LETTERS[last]}, or None for no answer"
            )
        return place


def place_of(answer: object) -> int | None:
    """The place that an answer names, a whole number or a letter; None for anything else."""
    if isinstance(answer, str):
        letter = answer.strip().upper()
        return LETTERS.index(letter) if len(letter) == 1 and letter in LETTERS else None
    if isinstance(answer, bool) or not isinstance(answer, SupportsIndex):
        return None
    return operator.index(answer)


def load(spec: str) -> BlackBox:
    """The model that the factory called ``spec`` returns; raises `AbaloError` where it cannot be found or used."""
    function, code = make(spec)
    if not callable(function):
        raise AbaloError(
            f"model {spec}: the factory returned {type(function).__name__}; expected a function that takes a question "
            "and its options and returns the place of one, from 0, its letter, or None"
        )
    return BlackBox(spec, code.digest, function, code)


def baseline() -> BlackBox:
    """The baseline that ships."""
    return BlackBox(OVERLAP, "overlap-1", overlap)
