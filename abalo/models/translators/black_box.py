"""Any function as a translation model: ``module:factory``.

It maps texts to translations. An object with ``replies(prompts)`` also works.
"""

from __future__ import annotations

from collections.abc import Sequence

from abalo.core.records.words import count
from abalo.corpora.findings import show_value
from abalo.errors import AbaloError
from abalo.models.generative.opening import of_code
from abalo.models.options import ModelOptions
from abalo.models.services.service import FunctionModel
from abalo.models.translators.prompted import PromptedTranslator
from abalo.models.translators.protocol import TranslatedText
from abalo.models.user_code import made_by

BATCH = 64


class TranslationBlackBox(FunctionModel):
    """A `TranslationModel` around a function."""

    def predict(self, given: Sequence[str]) -> list[TranslatedText]:
        return self.in_batches(given, BATCH, self._translated)

    def _translated(self, given: Sequence[str]) -> list[TranslatedText]:
        made = self.ask("translating", list(given))
        if isinstance(made, str) or not isinstance(made, Sequence) or len(made) != len(given):
            told = f"{len(made)} translations" if isinstance(made, list | tuple) else show_value(made)
            raise AbaloError(
                f"model {self.name}: the function returned {told} for {count(len(given), 'text')}; expected a list "
                "with the translation of each text, in order"
            )
        wrong = next((k for k, each in enumerate(made) if not isinstance(each, str)), None)
        if wrong is not None:
            told = f"gave {show_value(made[wrong])} for {show_value(given[wrong])}"
            raise AbaloError(f"model {self.name}: {told}; expected its translation as a string")
        return [TranslatedText(each.strip()) for each in made]


def load(spec: str, options: ModelOptions) -> TranslationBlackBox | PromptedTranslator:
    """Loads a factory's result."""
    options.refuse_for("a module:factory model")
    function, code = made_by(spec)
    asked = of_code(spec, function, code, options)
    if asked is not None:
        return PromptedTranslator(asked)
    expected = "a function from a list of texts to a list of translations"
    return TranslationBlackBox(spec, function, code, options, expected)
