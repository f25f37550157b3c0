"""``AutoModelForSeq2SeqLM`` checkpoints with beam search."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.errors import AbaloError
from abalo.models.auxiliary.translator import BEAMS, load_translator
from abalo.models.options import ModelOptions
from abalo.models.translators.protocol import TranslatedText


class HuggingFaceTranslator:
    """A `TranslationModel`; cuts long texts and endless outputs."""

    black_box = False
    draws = False
    labels: tuple[str, ...] = ()

    def __init__(self, name: str, options: ModelOptions) -> None:
        self._translator = load_translator(name, device=options.device, whole=False)
        self.name, self.fingerprint = name, self._translator.name
        self.device = self._translator.device
        self.settings: dict[str, object] = {"architecture": self._translator.architecture, "beams": BEAMS}

    def predict(self, given: Sequence[str]) -> list[TranslatedText]:
        return [TranslatedText(text or "") for text in self._translator.translations(given)]


def load(name: str, options: ModelOptions) -> HuggingFaceTranslator:
    """Loads a folder or a cached hub model."""
    options.refuse_version("a checkpoint")
    if options.aggregation != "mean" or options.dtype != "fp32":
        raise AbaloError(
            f"model {name}: translates in fp32, and has no words with scores: leave out dtype, aggregation"
        )
    return HuggingFaceTranslator(name, options)
