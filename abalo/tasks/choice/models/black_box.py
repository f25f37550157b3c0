"""Wraps a function from a question and its options to a place."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, SupportsIndex

from abalo.corpora.findings import show_value
from abalo.errors import AbaloError
from abalo.models.generative.opening import of_code
from abalo.models.options import ModelOptions
from abalo.models.services.service import Served, Service
from abalo.models.user_code import UserCode, draws_of, made_by, optional_text
from abalo.questions.question import LETTERS, Prompt
from abalo.tasks.choice.models.prompted import PromptedChoice
from abalo.tasks.choice.models.protocol import ChoiceModel, Picked
from abalo.tasks.choice.overlap import overlap

OVERLAP = "abalo/overlap"


class BlackBox(Served):
    """A `ChoiceModel` around a function that returns a place from 0, a letter or None.

    ``service`` makes the calls to a user's function; None if bundled.
    """

    def __init__(
        self,
        name: str,
        fingerprint: str,
        function: Callable[..., object],
        service: Service | None = None,
        *,
        draws: bool | None = None,
    ) -> None:
        self.name = name
        self.draws = draws
        self.fingerprint = fingerprint
        self.service = service
        self.version = None if service is None else service.version
        self.black_box = service is not None
        self.settings: dict[str, Any] = {}
        self._function = function
        self._ask = UserCode(name, Path.cwd()).call if service is None else service.ask

    def predict(self, prompts: Sequence[Prompt]) -> list[Picked]:
        """Calls the function once per prompt. Raises AbaloError for unusable answers."""
        return self.in_batches(prompts, 1, lambda batch: [self._picked(prompt) for prompt in batch])

    def _picked(self, prompt: Prompt) -> Picked:
        described = f"{prompt.item}|{prompt.variant}"
        answer = self._ask(f"answering {described}", self._function, prompt.question, prompt.options)
        place = place_of(answer)
        if answer is not None and (place is None or not 0 <= place < len(prompt.options)):
            last = len(prompt.options) - 1
            raise AbaloError(
                f"model {self.name}: {show_value(answer)} to {described}; expected the place of an option, 0 to "
                f"{last}, its "
                f"letter, A to {LETTERS[last]}, or None for no answer"
            )
        return Picked.at(place, prompt)


def place_of(answer: object) -> int | None:
    """The place that an integer or letter names, else None."""
    if isinstance(answer, str):
        letter = answer.strip().upper()
        return LETTERS.index(letter) if len(letter) == 1 and letter in LETTERS else None
    if isinstance(answer, bool) or not isinstance(answer, SupportsIndex):
        return None
    return operator.index(answer)


def load(spec: str, options: ModelOptions) -> ChoiceModel:
    """The model returned by the factory ``spec``. Raises AbaloError if unusable.

    Reads ``name``, ``version`` and ``fingerprint`` if present; a version in ``options`` takes precedence.
    """
    options.refuse_for("a module:factory model")
    function, code = made_by(spec.partition("?")[0])
    asked = of_code(spec, function, code, options)
    if asked is not None:
        return PromptedChoice(asked)
    if not callable(function):
        raise AbaloError(
            f"model {spec}: the factory returned {type(function).__name__}; expected a function that takes a question "
            "and its options and returns the place of one, from 0, its letter, or None"
        )
    name = optional_text(function, "name", code) or spec
    service = Service(function, code, options)
    if service.batch is not None:
        raise AbaloError(f"model {spec}: its batch is {service.batch}; expected none: it gets one question in a call")
    return BlackBox(name, service.fingerprint, function, service, draws=draws_of(function, code))


def baseline() -> BlackBox:
    """The bundled baseline."""
    return BlackBox(OVERLAP, "overlap-1", overlap)
