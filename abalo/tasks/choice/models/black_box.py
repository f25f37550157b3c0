"""Any callable as a model: a function from a question and its options to the place of one of these."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, SupportsIndex

from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.models.options import ModelOptions
from abalo.models.user_code import OnProgress, UserCode, identity, in_batches, made_by, optional_text
from abalo.tasks.choice.models.protocol import Picked
from abalo.tasks.choice.overlap import overlap
from abalo.tasks.choice.question import LETTERS, Prompt

OVERLAP = "abalo/overlap"
"""The model that is judged by default."""

BATCH = 32
"""Prompts between two reports of progress."""


class BlackBox:
    """A `ChoiceModel` around a function from a question and its options to a place from 0, a letter or None.

    ``code`` is where the function comes from, None for one that ships.
    """

    def __init__(
        self,
        name: str,
        fingerprint: str,
        function: Callable[..., Any],
        code: UserCode | None = None,
        version: str | None = None,
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.version = version
        self.black_box = code is not None
        self.settings: dict[str, Any] = {}
        self.on_progress: OnProgress | None = None
        self._function = function
        self._code = UserCode(name, Path.cwd()) if code is None else code

    def predict(self, prompts: Sequence[Prompt]) -> list[Picked]:
        """The function's answers, one call for each prompt; raises `AbaloError` for one that cannot be used."""
        return in_batches(prompts, BATCH, lambda batch: [self._picked(prompt) for prompt in batch], self.on_progress)

    def _picked(self, prompt: Prompt) -> Picked:
        described = f"{prompt.item}|{prompt.variant}"
        answer = self._code.call(f"answering {described}", self._function, prompt.question, prompt.options)
        place = place_of(answer)
        if answer is not None and (place is None or not 0 <= place < len(prompt.options)):
            last = len(prompt.options) - 1
            raise AbaloError(
                f"model {self.name}: {shown(answer)} to {described}; expected the place of an option, 0 to {last}, its "
                f"letter, A to {LETTERS[last]}, or None for no answer"
            )
        return Picked.at(place, prompt)


def place_of(answer: object) -> int | None:
    """The place that an answer names, a whole number or a letter; None for anything else."""
    if isinstance(answer, str):
        letter = answer.strip().upper()
        return LETTERS.index(letter) if len(letter) == 1 and letter in LETTERS else None
    if isinstance(answer, bool) or not isinstance(answer, SupportsIndex):
        return None
    return operator.index(answer)


def load(spec: str, options: ModelOptions) -> BlackBox:
    """The model that the factory called ``spec`` returns; raises `AbaloError` where it cannot be found or used.

    ``name``, ``version`` and ``fingerprint`` are read from the function, where they are present; the version that is
    asked for comes first.
    """
    options.refuse_for("a module:factory model")
    function, code = made_by(spec)
    if not callable(function):
        raise AbaloError(
            f"model {spec}: the factory returned {type(function).__name__}; expected a function that takes a question "
            "and its options and returns the place of one, from 0, its letter, or None"
        )
    name = optional_text(function, "name", code) or spec
    fingerprint, version = identity(function, code, options.model_version)
    return BlackBox(name, fingerprint, function, code, version)


def baseline() -> BlackBox:
    """The baseline that ships."""
    return BlackBox(OVERLAP, "overlap-1", overlap)
