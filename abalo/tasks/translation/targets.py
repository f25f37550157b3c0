"""Repeated names and numbers as targets of invariances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abalo.core.protocols.task_targets import Targets
from abalo.core.records.example import Example
from abalo.core.records.targets import Effect, Target
from abalo.corpora.examples import TEXT
from abalo.models.translators.kept_words import is_kept, kept_places, signs_in
from abalo.models.translators.protocol import TranslatedText
from perturbations import Perturbed
from perturbations.parallel import sign_of


@dataclass(frozen=True, slots=True, eq=False)
class KeptWord(Target):
    """A name or number at ``place`` that every reference repeats."""

    place: int

    @property
    def start(self) -> int:
        return self.place

    @property
    def free(self) -> Sequence[int]:
        return [place for place, token in enumerate(self.sentence.tokens) if not is_kept(token)]

    def holds(self, prediction: TranslatedText, made: Perturbed | None = None) -> bool:
        return sign_of(str(self)) in signs_in(prediction.text)

    def labels_in(self, prediction: TranslatedText, made: Perturbed | None = None) -> tuple[str, ...]:
        return (prediction.text,)

    def __str__(self) -> str:
        return self.sentence.tokens[self.place]

    def read(self, prediction: TranslatedText, made: Perturbed | None = None) -> Effect:
        missing = not self.holds(prediction)
        return Effect((float(not missing),), (missing,), missing, (float(missing),))

    def importance(self, prediction: TranslatedText, made: Perturbed) -> float:
        return float(not self.holds(prediction))


class KeptWords(Targets):
    """The names and numbers that every reference repeats."""

    def __init__(self) -> None:
        super().__init__("", ("name or number", "names and numbers"), (" outside names and numbers", "name or number"))

    def of(self, example: Example, prediction: object, model: object, goal: str = "") -> Iterable[Target]:
        return [KeptWord(example, TEXT, prediction, place) for place in kept_places(example)]
