"""Entities that a model finds where there are none: as a goal of searches, and how close a change has come to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from abalo.core.example import Example
from abalo.core.outcome import Outcome
from abalo.core.targets import Reading, Target
from abalo.corpora.examples import TEXT
from abalo.models.prediction import Prediction
from perturbations import Perturbed, Sentence, Span, entity_spans

INVENTED = "invented"
"""The goal: an entity where there is none."""


@dataclass(frozen=True, slots=True)
class SeenOutside:
    """The words outside entities as a prediction has them; ``labels`` are the types of the entities found there."""

    labels: tuple[str, ...]
    kind: str | None = None

    @property
    def broken(self) -> bool:
        """Whether any entity is found there."""
        return bool(self.labels)


@dataclass(frozen=True, slots=True, eq=False)
class Outside(Target):
    """The words of a sentence outside its entities. ``names`` are those of the columns of the model's scores."""

    noun: ClassVar[str] = "sentence"

    names: tuple[str, ...]

    @property
    def free(self) -> Sequence[int]:
        """The words outside all entities."""
        return outside(self.sentence)

    def holds(self, prediction: Prediction, made: Perturbed | None = None) -> bool:
        """Whether every entity that is found shares a word with one in gold."""
        return not inventions(self._now(made), prediction.tags)

    def labels_in(self, prediction: Prediction, made: Perturbed | None = None) -> tuple[str, ...]:
        """The types of the entities that are found where there is none, in order."""
        return tuple(span.type for span in inventions(self._now(made), prediction.tags))

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Reading:
        """One part, which is wrong where an entity is found; its score is by how much O leads where it leads least.

        Words of entities that are found and share a word with one in gold do not count: they are no inventions.
        Without scores 1 where no entity is invented, else 0.
        """
        wrong = not self.holds(prediction, made)
        return Reading((self._lead(prediction, made, wrong),), (wrong,), wrong, (float(wrong),))

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
        """By how much the least lead of O shrinks."""
        return self.read(self.clean).scores[0] - self.read(prediction, made).scores[0]

    def _lead(self, prediction: Prediction, made: Perturbed | None, wrong: bool) -> float:
        now = self._now(made)
        taken = {
            place for span in entity_spans(prediction.tags) if overlaps(span, now) for place in range(*_ends(span))
        }
        places = [place for place in outside(now) if place not in taken]
        if prediction.scores is None or "O" not in self.names or len(self.names) < 2 or not places:
            return float(not wrong)
        rows, none = prediction.scores[places], self.names.index("O")
        return float((rows[:, none] - np.delete(rows, none, axis=1).max(axis=1)).min())

    def _now(self, made: Perturbed | None) -> Sentence:
        return self.sentence if made is None else made.sentence


def inventions(gold: Sentence, tags: Sequence[str]) -> list[Span]:
    """The entities in ``tags`` that share no word with one in gold."""
    return [span for span in entity_spans(tags) if not overlaps(span, gold)]


def overlaps(span: Span, gold: Sentence) -> bool:
    """Whether the span holds a word of an entity in gold."""
    return any(tag != "O" for tag in (gold.tags or ())[slice(*_ends(span))])


def outside(sentence: Sentence) -> list[int]:
    """The places of the words outside all entities."""
    return [place for place, tag in enumerate(sentence.tags or ()) if tag == "O"]


def words_outside(example: Example, clean: Prediction, names: tuple[str, ...]) -> Iterator[Outside]:
    """The words of a sentence outside entities, together; nothing for a sentence without any."""
    if outside(example.fields[TEXT]):
        yield Outside(example, TEXT, clean, names)


def seen(outcome: Outcome) -> SeenOutside:
    """The words outside entities in the state that a search settled on."""
    now = outcome.sentence if outcome.perturbed is None else outcome.perturbed.sentence
    return SeenOutside(tuple(span.type for span in inventions(now, outcome.prediction.tags)))


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.stop
