"""Question answering by prompt."""

from __future__ import annotations

from collections.abc import Sequence

from abalo.models.generative.models import Prompted
from abalo.models.questions.protocol import Answered, Input

_UNREADABLE = "unreadable reply"


class PromptedReader(Prompted[Input, Answered]):
    """A prompted `ReadingModel`, without places."""

    labels: tuple[str, ...] = ()

    def repeat(self, given: Sequence[Input], index: int, /) -> list[Answered]:
        found = self.asker.answers(given, index)
        return [
            Answered(each.value if each.valid else _UNREADABLE, reply=each.reply, answered=each.valid) for each in found
        ]
