"""Invented entities as a goal of searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Effect, Target
from abalo.corpora.examples import TEXT
from abalo.models.labelling.prediction import Prediction
from perturbations import Perturbed, Sentence, Span, entity_spans

INVENTED = "invented"


@dataclass(frozen=True, slots=True)
class SeenOutside:
    """Predicted words outside gold entities; ``labels`` are the types of inventions."""

    labels: tuple[str, ...]
    kind: str | None = None

    @property
    def broken(self) -> bool:
        """True if an entity is invented."""
        return bool(self.labels)


@dataclass(frozen=True, slots=True, eq=False)
class Outside(Target):
    """All words outside gold entities as one target; ``names`` label the score columns.

    The score is the smallest lead of O, ignoring predicted entities that overlap gold; without scores 1 if nothing is
    invented, else 0.
    """

    noun: ClassVar[str] = "sentence"

    names: tuple[str, ...]

    @property
    def free(self) -> Sequence[int]:
        return outside(self.sentence)

    def holds(self, prediction: Prediction, made: Perturbed | None = None) -> bool:
        return not inventions(self._now(made), prediction.tags)

    def labels_in(self, prediction: Prediction, made: Perturbed | None = None) -> tuple[str, ...]:
        return tuple(span.type for span in inventions(self._now(made), prediction.tags))

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Effect:
        wrong = not self.holds(prediction, made)
        return Effect((self._lead(prediction, made, wrong),), (wrong,), wrong, (float(wrong),))

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
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
    """The entities in ``tags`` that share no word with a gold entity."""
    return [span for span in entity_spans(tags) if not overlaps(span, gold)]


def overlaps(span: Span, gold: Sentence) -> bool:
    """True if the span shares a word with a gold entity."""
    return any(tag != "O" for tag in (gold.tags or ())[slice(*_ends(span))])


def outside(sentence: Sentence) -> list[int]:
    """The places of words outside all entities."""
    return [place for place, tag in enumerate(sentence.tags or ()) if tag == "O"]


def words_outside(example: Example, clean: Prediction | None, names: tuple[str, ...]) -> Iterator[Outside]:
    """One target with all words outside entities, if any."""
    if outside(example.fields[TEXT]):
        yield Outside(example, TEXT, clean, names)


def seen_outside(outcome: Outcome) -> SeenOutside:
    """The target in the final state of the search."""
    now = outcome.sentence if outcome.perturbed is None else outcome.perturbed.sentence
    return SeenOutside(tuple(span.type for span in inventions(now, outcome.prediction.tags)))


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.stop
