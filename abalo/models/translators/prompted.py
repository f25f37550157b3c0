"""Translation by prompt."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.models.generative.models import Prompted
from abalo.models.translators.protocol import TranslatedText


class PromptedTranslator(Prompted[str, TranslatedText]):
    """A prompted `TranslationModel`; unreadable replies are empty translations."""

    labels: tuple[str, ...] = ()

    def repeat(self, given: Sequence[str], index: int, /) -> list[TranslatedText]:
        found = self.asker.answers(given, index)
        return [TranslatedText(each.value, reply=each.reply, answered=each.valid) for each in found]
