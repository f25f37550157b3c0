"""Any function as a question-answering model: ``module:factory``.

It maps (passage, question) pairs to answers: text, None for *no answer*, (start, stop) characters, or a mapping with
``text``, ``start`` and ``stop``, and optionally the probabilities ``score`` (answer) and ``null`` (no answer). The
dicts of a question answering pipeline (``answer``, ``end``) also work, the first of several, and so does an object with
``replies(prompts)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from abalo.corpora.findings import show_value
from abalo.errors import AbaloError
from abalo.models.generative.opening import of_code
from abalo.models.options import ModelOptions
from abalo.models.questions.prompted import PromptedReader
from abalo.models.questions.protocol import Answered, Input, PassagePlace
from abalo.models.services.service import FunctionModel
from abalo.models.user_code import made_by

BATCH = 64

_NAMES = {"answer": "text", "prediction_text": "text", "end": "stop"}
"""Of transformers' pipeline, and of the predictions that SQuAD's scorer takes."""

_EXPECTED = "text, None, (start, stop) in characters of the passage, or a mapping with 'text' or 'start' and 'stop'"


class ReadingBlackBox(FunctionModel):
    """A `ReadingModel` around a function."""

    def predict(self, given: Sequence[Input]) -> list[Answered]:
        return self.in_batches(given, BATCH, self._answered)

    def _answered(self, given: Sequence[Input]) -> list[Answered]:
        made = self.ask("answering", list(given))
        if not isinstance(made, Sequence) or isinstance(made, str) or len(made) != len(given):
            size = f"{len(made)} answers" if isinstance(made, Sequence | Mapping) else type(made).__name__
            raise AbaloError(f"model {self.name}: gave {size} to {len(given)} questions; expected a list with one each")
        return [self._one(each, passage) for each, (passage, _) in zip(made, given, strict=True)]

    def _one(self, given: object, passage: str) -> Answered:
        if given is None or isinstance(given, str):
            return Answered((given or "").strip())
        if isinstance(given, list) and given and all(isinstance(each, Mapping) for each in given):
            return self._one(given[0], passage)
        if isinstance(given, Mapping):
            given = {_NAMES.get(key, key): value for key, value in given.items()}
            if given.get("text") == "" and given.get("start") == given.get("stop"):
                given |= {"start": None, "stop": None}  # of a pipeline, for no answer
            score, null = (self._probability(given.get(key), given) for key in ("score", "null"))
            text, start, stop = (given.get(key) for key in ("text", "start", "stop"))
            if not isinstance(text, str | None) or given.keys().isdisjoint(("text", "start")):
                raise AbaloError(f"model {self.name}: gave {show_value(given)} to a question; expected {_EXPECTED}")
            place = None if start is None and stop is None else self._place((start, stop), passage, given)
            said = passage[slice(*place)] if text is None and place is not None else text or ""
            return Answered(said.strip(), place, score, null)
        if isinstance(given, list | tuple) and len(given) == 2:
            place = self._place(given, passage, given)
            return Answered(passage[slice(*place)], place)
        raise AbaloError(f"model {self.name}: gave {show_value(given)} to a question; expected {_EXPECTED}")

    def _place(self, bounds: Sequence[Any], passage: str, given: Any) -> PassagePlace:
        start, stop = bounds
        whole = all(isinstance(each, int) and not isinstance(each, bool) for each in bounds)
        if not whole or not 0 <= start < stop <= len(passage):
            raise AbaloError(
                f"model {self.name}: gave {show_value(given)} to a question; expected places in a passage of "
                f"{len(passage):,} characters, the first before the last, or None for no answer"
            )
        return PassagePlace(start, stop)

    def _probability(self, value: object, given: object) -> float | None:
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
            raise AbaloError(
                f"model {self.name}: gave {show_value(given)} to a question; expected probabilities from 0 to 1 as "
                "score and null"
            )
        return float(value)


def load(spec: str, options: ModelOptions) -> ReadingBlackBox | PromptedReader:
    """Loads a factory's result."""
    options.refuse_for("a module:factory model")
    function, code = made_by(spec.partition("?")[0])
    asked = of_code(spec, function, code, options)
    if asked is not None:
        return PromptedReader(asked)
    expected = "a function from a list of passages with questions to a list of answers"
    return ReadingBlackBox(spec, function, code, options, expected)
