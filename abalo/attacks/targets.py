"""Targets of an attack, and how close it has come to breaking them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abalo.models.prediction import Prediction
from abalo.tasks.tokens.alignment import accepted
from perturbations import Sentence, Span, entity_spans


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """An entity that the model finds in the clean sentence, type and both ends right.

    ``labels`` name the columns of the model's scores.
    """

    sentence: Sentence
    span: Span
    clean: Prediction
    labels: tuple[str, ...]

    @property
    def words(self) -> range:
        """The places of the entity's words in the clean sentence."""
        return range(self.span.start, self.span.stop)

    def __str__(self) -> str:
        return f"[{' '.join(self.sentence.tokens[self.span.start : self.span.stop])} {self.span.type}]"

    def read(self, prediction: Prediction, places: Sequence[int], gold: Sequence[str]) -> Reading:
        """How the model sees the entity where its words stand at ``places``, with the labels ``gold``."""
        words = [
            _word(prediction, place, accepted(label), self.labels) for place, label in zip(places, gold, strict=True)
        ]
        return Reading(tuple(wrong for wrong, _ in words), tuple(score for _, score in words))


@dataclass(frozen=True, slots=True)
class Reading:
    """One entity as the model sees it: for each word whether its label is wrong, and the score of the right one.

    Scores are logits, the largest over the labels that count as right; without logits 1 for a right label, else 0.
    """

    wrong: tuple[bool, ...]
    scores: tuple[float, ...]

    @property
    def broken(self) -> bool:
        """Whether every word is wrong: full success."""
        return all(self.wrong)

    def open_words(self) -> list[int]:
        """The words, counted within the entity, that are still right."""
        return [k for k, wrong in enumerate(self.wrong) if not wrong]

    def total(self, words: Sequence[int]) -> float:
        """The sum of the scores of these words."""
        return sum(self.scores[k] for k in words)


def targets_in(sentence: Sentence, clean: Prediction, labels: tuple[str, ...]) -> Iterator[Target]:
    """The gold entities that the model finds exactly; entities that the model gets wrong are never attacked.

    An entity that begins with I-T in a prediction is found, but its first word is wrong.
    """
    found, tags = entity_spans(clean.tags), sentence.tags or ()
    for span in entity_spans(tags):
        if span in found and all(clean.tags[i] in accepted(tags[i]) for i in range(span.start, span.stop)):
            yield Target(sentence, span, clean, labels)


def _word(prediction: Prediction, place: int, right: tuple[str, ...], labels: tuple[str, ...]) -> tuple[bool, float]:
    wrong = prediction.tags[place] not in right
    return wrong, score_of(prediction, place, right, labels)


def score_of(prediction: Prediction, place: int, names: tuple[str, ...], labels: tuple[str, ...]) -> float:
    """The largest score of the labels ``names``; without scores 1 where one of them was predicted, else 0."""
    if prediction.scores is None:
        return float(prediction.tags[place] in names)
    columns = [k for k, label in enumerate(labels) if label in names]
    return max((float(prediction.scores[place, k]) for k in columns), default=float("-inf"))
