"""Training by user code, such as a CRF or a scikit-learn model.

    def train(corpus, out):
        ...
        return "tagger.py:load"

``corpus`` is a list of (input, gold) pairs: tokens and their labels, or a text, or a tuple of two, and its label or
list of labels. ``out`` is the output path. The function returns the trained model's spec for ``--model``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from abalo.core.records.lesson import Lesson
from abalo.errors import AbaloError
from abalo.models.training.settings import Epochs, Say, Training
from abalo.models.user_code import function_of


@dataclass(frozen=True, slots=True)
class UserTrainer:
    """Trains with ``module:function`` or ``FILE.py:function``."""

    spec: str

    uses: ClassVar[tuple[str, ...]] = ()
    suffix: ClassVar[str] = ""

    def check(self) -> None:
        function_of(self.spec)

    def train(self, epochs: Epochs, settings: Training, out: Path, say: Say) -> str:
        function, code = function_of(self.spec)
        lessons = dict.fromkeys(each for k in range(1, settings.epochs + 1) for each in epochs(k))
        corpus = [_pair(each) for each in lessons]
        say(f"{len(corpus):,} examples for {self.spec}")
        found = code.call("training", function, corpus, out)
        if not isinstance(found, str | Path):
            raise AbaloError(
                f"{self.spec}: returned {type(found).__name__}; expected the spec of the trained model, such as the "
                "path of its file or 'module:factory'"
            )
        return str(found)


def _pair(lesson: Lesson) -> tuple[object, object]:
    if lesson.tagged:
        return list(lesson.texts), list(lesson.labels)
    given = lesson.texts[0] if len(lesson.texts) == 1 else lesson.texts
    return given, lesson.labels[0] if len(lesson.labels) == 1 else list(lesson.labels)
