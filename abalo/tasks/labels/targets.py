"""The labels of a text as the target of a search, and how close a change has come to breaking them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.example import Example
from abalo.core.outcome import Outcome
from abalo.core.searching import Targets, towards
from abalo.core.targets import Reading, Target
from abalo.errors import AbaloError
from abalo.models.classifiers.protocol import Classified
from perturbations import Perturbed
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class SeenLabels:
    """The labels of a text as a prediction has them, ``broken`` where they are not those of gold."""

    labels: tuple[str, ...]
    broken: bool
    kind: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Labels(Target):
    """All gold labels of a text together: one part, whose score is their mean probability."""

    @property
    def free(self) -> Sequence[int]:
        """The words that are no part of a labelled span."""
        tags = self.sentence.tags or ("O",) * len(self.sentence)
        return [place for place, tag in enumerate(tags) if tag == "O"]

    def holds(self, prediction: Classified, made: Perturbed | None = None) -> bool:
        """Whether the model gives the text just the labels of gold."""
        return bool(prediction.labels == self.example.gold)

    def labels_in(self, prediction: Classified, made: Perturbed | None = None) -> tuple[str, ...]:
        """The labels of the text."""
        return prediction.labels

    def margin(self, scale: Any) -> float | None:
        """By how much the least likely of its labels is likelier than the likeliest of all others."""
        found = self.clean.probabilities
        if found is None:
            return None
        own = [float(p) for name, p in zip(self.clean.names, found, strict=True) if name in self.example.gold]
        others = [float(p) for name, p in zip(self.clean.names, found, strict=True) if name not in self.example.gold]
        return min(own, default=0.0) - max(others, default=0.0)

    def confidence(self, prediction: Classified, made: Perturbed | None, scale: Any) -> float | None:
        """The mean probability of the labels; None too where the model lacks one of them."""
        found = [prediction.probability(label) for label in self.example.gold]
        known = [each for each in found if each is not None]
        return sum(known) / len(known) if known and len(known) == len(found) else None

    def __str__(self) -> str:
        return " | ".join(self.example.gold)

    def read(self, prediction: Classified, made: Perturbed | None = None) -> Reading:
        """Whether the labels are wrong, and the probability of the right ones; without any 1 for right, else 0."""
        wrong = prediction.labels != self.example.gold
        return Reading((self._score(prediction, self.example.gold),), (wrong,), wrong, (float(wrong),))

    def importance(self, prediction: Classified, made: Perturbed) -> float:
        """The probability that the gold labels lose, and, where the labels become wrong, what the wrong ones gain.

        [D. Jin et al., Is BERT Really Robust?, AAAI 2020, equation 2]
        """
        gold = self.example.gold
        lost = self._score(self.clean, gold) - self._score(prediction, gold)
        if prediction.labels == gold:
            return lost
        return lost + self._score(prediction, prediction.labels) - self._score(self.clean, prediction.labels)

    def towards(self, goal: str) -> Target | None:
        """The labels, broken only where the model gives the label ``goal``; None where it is among those of gold."""
        if self.clean.names and goal not in self.clean.names:
            raise AbaloError(
                f"to = {goal!r}: the model has no such label; expected {', '.join(self.clean.names)}"
                f"{did_you_mean(goal, self.clean.names)}"
            )
        return None if goal in self.example.gold else LabelsTowards(self.example, self.field, self.clean, goal)

    def _score(self, prediction: Classified, labels: Sequence[str]) -> float:
        """The mean probability of the labels; without probabilities the share of them that are given."""
        known = [prediction.probability(label) for label in labels]
        given = [float(label in prediction.labels) for label in labels]
        scores = [own if found is None else found for found, own in zip(known, given, strict=True)]
        return sum(scores) / max(1, len(scores))


@dataclass(frozen=True, slots=True, eq=False)
class LabelsTowards(Labels):
    """The labels of a text that a search tries to turn into one label, ``goal``."""

    goal: str

    def read(self, prediction: Classified, made: Perturbed | None = None) -> Reading:
        """Whether the model gives the label, and the probability that it does not."""
        reached = self.goal in prediction.labels
        return Reading((1 - self._score(prediction, (self.goal,)),), (reached,), reached, (float(reached),))

    def importance(self, prediction: Classified, made: Perturbed) -> float:
        """The probability that the label gains."""
        return self._score(prediction, (self.goal,)) - self._score(self.clean, (self.goal,))


def seen(outcome: Outcome) -> SeenLabels:
    """The labels of the text in the state that the search settled on."""
    labels = outcome.prediction.labels
    return SeenLabels(labels, labels != outcome.example.gold)


class LabelTargets(Targets):
    """All labels of an example together, which changes of its last field might break; none where it has no label."""

    def __init__(
        self, nouns: tuple[str, str] = ("text", "texts"), promise_words: tuple[str, str] = ("", "label")
    ) -> None:
        super().__init__("robust_accuracy", nouns, promise_words)

    def of(self, example: Example, prediction: Any, model: Any, goal: str = "") -> Iterable[Target]:
        """The labels of the example."""
        found = (Labels(example, tuple(example.fields)[-1], prediction),) if example.gold else ()
        return towards(found, goal)

    seen = staticmethod(seen)
