"""Training by a function of the user's own, such as one that fits a CRF or a model of scikit-learn.

    def train(corpus, out):
        ...
        return "tagger.py:load"

``corpus`` is a list of pairs of what the model reads and of what is right: tokens and their labels, or a text, or two
of them in a tuple, and its label, a list of labels where it has several. ``out`` is the path to write to. The function
returns the spec of the trained model, as ``--model`` takes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from abalo.core.lesson import Lesson
from abalo.errors import AbaloError
from abalo.models.training.settings import Epochs, Say, Training
from abalo.models.user_code import function_of


@dataclass(frozen=True, slots=True)
class UserTrainer:
    """Trains with the function called ``spec``, ``module:function`` or ``FILE.py:function``."""

    spec: str

    uses: ClassVar[tuple[str, ...]] = ()
    suffix: ClassVar[str] = ""

    def check(self) -> None:
        """Raises `AbaloError` where there is no such function."""
        function_of(self.spec)

    def train(self, epochs: Epochs, settings: Training, out: Path, say: Say) -> str:
        """Shows the function the lessons of all epochs, and gives the spec that it returns."""
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


def _pair(lesson: Lesson) -> tuple[Any, Any]:
    if lesson.tagged:
        return list(lesson.texts), list(lesson.labels)
    given = lesson.texts[0] if len(lesson.texts) == 1 else lesson.texts
    return given, lesson.labels[0] if len(lesson.labels) == 1 else list(lesson.labels)
