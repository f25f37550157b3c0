"""Targets of an attack, and how close it has come to breaking them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abalo.models.prediction import Prediction
from abalo.tasks.ner.metrics.attack import Seen, seen_in
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

    def read(self, prediction: Prediction, places: range, gold: Sequence[str]) -> Reading:
        """The entity as the model sees it where its words stand at ``places``, with the labels ``gold``."""
        kind = self.span.type
        right = [accepted(label) for label in gold] if len(gold) > 1 else [(f"B-{kind}", f"I-{kind}")]
        scores = (score_of(prediction, place, names, self.labels) for place, names in zip(places, right, strict=True))
        return Reading(seen_in(Span(places.start, places.stop, kind), gold, prediction.tags), tuple(scores))


@dataclass(frozen=True, slots=True)
class Reading:
    """One entity as the model sees it: its labels, and for each word the score of the right one.

    Scores are logits, the largest over the labels that count as right; without logits 1 for a right label, else 0. Of
    an entity of one word, which is found under I- too, both labels of the type count here.
    """

    seen: Seen
    scores: tuple[float, ...]

    @property
    def broken(self) -> bool:
        """Whether every word is wrong and the entity not found any more: full success."""
        return self.seen.broken

    @property
    def turned(self) -> tuple[bool, ...]:
        """Whether each word is wrong; none where all are and the entity is found all the same."""
        stuck = self.seen.found and all(self.seen.wrong)
        return tuple(wrong and not stuck for wrong in self.seen.wrong)

    def open_words(self) -> list[int]:
        """The words, counted within the entity, that are still to be turned."""
        return [k for k, turned in enumerate(self.turned) if not turned]

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


def score_of(prediction: Prediction, place: int, names: tuple[str, ...], labels: tuple[str, ...]) -> float:
    """The largest score of the labels ``names``; without scores 1 where one of them was predicted, else 0."""
    if prediction.scores is None:
        return float(prediction.tags[place] in names)
    columns = [k for k, label in enumerate(labels) if label in names]
    return max((float(prediction.scores[place, k]) for k in columns), default=float("-inf"))
