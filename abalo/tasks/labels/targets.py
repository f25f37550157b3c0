"""The labels of a text as a search target."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abalo.core.protocols.task_targets import Targets, towards
from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Effect, Target
from abalo.errors import AbaloError
from abalo.models.labelling.classified import Classified
from perturbations import Perturbed
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class SeenLabels:
    """The predicted labels of a text; ``broken`` if they differ from gold."""

    labels: tuple[str, ...]
    broken: bool
    kind: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TextLabels(Target):
    """All gold labels of a text, scored by mean probability, else by the share predicted.

    Importance is the probability that gold labels lose, plus the gain of wrong labels if the text becomes wrong [D. Jin
    et al., Is BERT Really Robust?, AAAI 2020, equation 2].
    """

    @property
    def free(self) -> Sequence[int]:
        tags = self.sentence.tags or ("O",) * len(self.sentence)
        return [place for place, tag in enumerate(tags) if tag == "O"]

    def holds(self, prediction: Classified, made: Perturbed | None = None) -> bool:
        return bool(prediction.labels == self.example.gold)

    def labels_in(self, prediction: Classified, made: Perturbed | None = None) -> tuple[str, ...]:
        return prediction.labels

    def margin(self, scale: object) -> float | None:
        found = self.clean.probabilities
        if found is None:
            return None
        own = [float(p) for name, p in zip(self.clean.names, found, strict=True) if name in self.example.gold]
        others = [float(p) for name, p in zip(self.clean.names, found, strict=True) if name not in self.example.gold]
        return min(own, default=0.0) - max(others, default=0.0)

    def confidence(self, prediction: Classified, made: Perturbed | None, scale: object) -> float | None:
        found = [prediction.probability(label) for label in self.example.gold]
        known = [each for each in found if each is not None]
        return sum(known) / len(known) if known and len(known) == len(found) else None

    def __str__(self) -> str:
        return " | ".join(self.example.gold)

    def read(self, prediction: Classified, made: Perturbed | None = None) -> Effect:
        wrong = prediction.labels != self.example.gold
        return Effect((self._score(prediction, self.example.gold),), (wrong,), wrong, (float(wrong),))

    def importance(self, prediction: Classified, made: Perturbed) -> float:
        gold = self.example.gold
        lost = self._score(self.clean, gold) - self._score(prediction, gold)
        if prediction.labels == gold:
            return lost
        return lost + self._score(prediction, prediction.labels) - self._score(self.clean, prediction.labels)

    def towards(self, goal: str) -> Target | None:
        if self.clean.names and goal not in self.clean.names:
            raise AbaloError(
                f"to = {goal!r}: the model has no such label; expected {', '.join(self.clean.names)}"
                f"{did_you_mean(goal, self.clean.names)}"
            )
        return None if goal in self.example.gold else LabelsTowards(self.example, self.field, self.clean, goal)

    def _score(self, prediction: Classified, labels: Sequence[str]) -> float:
        known = [prediction.probability(label) for label in labels]
        given = [float(label in prediction.labels) for label in labels]
        scores = [own if found is None else found for found, own in zip(known, given, strict=True)]
        return sum(scores) / max(1, len(scores))


@dataclass(frozen=True, slots=True, eq=False)
class LabelsTowards(TextLabels):
    """A search for the label ``goal``."""

    goal: str

    def read(self, prediction: Classified, made: Perturbed | None = None) -> Effect:
        reached = self.goal in prediction.labels
        return Effect((1 - self._score(prediction, (self.goal,)),), (reached,), reached, (float(reached),))

    def importance(self, prediction: Classified, made: Perturbed) -> float:
        return self._score(prediction, (self.goal,)) - self._score(self.clean, (self.goal,))


def seen_labels(outcome: Outcome) -> SeenLabels:
    """The labels in the final state of the search."""
    labels = outcome.prediction.labels
    return SeenLabels(labels, labels != outcome.example.gold)


class LabelTargets(Targets):
    """All labels of an example together, attacked through its last field."""

    def __init__(
        self, nouns: tuple[str, str] = ("text", "texts"), invariance_words: tuple[str, str] = ("", "label")
    ) -> None:
        super().__init__("robust_accuracy", nouns, invariance_words)

    def of(self, example: Example, prediction: Classified | None, model: object, goal: str = "") -> Iterable[Target]:
        found = (TextLabels(example, tuple(example.fields)[-1], prediction),) if example.gold else ()
        return towards(found, goal)

    seen = staticmethod(seen_labels)
