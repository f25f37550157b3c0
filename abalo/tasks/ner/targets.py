"""Entities as targets of searches, and how close a change has come to breaking them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.core.example import Example
from abalo.core.searching import Targets, towards
from abalo.core.targets import Reading, Target
from abalo.corpora.examples import TEXT
from abalo.errors import AbaloError
from abalo.models.prediction import Prediction
from abalo.models.scores import Scale
from abalo.tasks.ner.inventions import INVENTED, Outside, outside, words_outside
from abalo.tasks.ner.metrics.attack import Kind, seen, target_seen
from abalo.tasks.tokens.alignment import accepted, carried
from abalo.tasks.tokens.scoring import score_of
from perturbations import Perturbed, Span, entity_spans, unchanged
from perturbations.suggestions import did_you_mean

KINDS = {"missed": Kind.MISSED, "retyped": Kind.TYPE_ERROR, "boundary": Kind.BOUNDARY_ERROR}
"""The ways in which an entity can be wrong, by the names that a case gives them."""


@dataclass(frozen=True, slots=True, eq=False)
class Entity(Target):
    """A gold entity. ``labels`` name the columns of the model's scores."""

    span: Span
    labels: tuple[str, ...]

    @property
    def spans(self) -> tuple[Span, ...]:
        """The entity."""
        return (self.span,)

    @property
    def start(self) -> int:
        """The place of its first word."""
        return self.span.start

    @property
    def free(self) -> Sequence[int]:
        """The words outside all entities."""
        return outside(self.sentence)

    @property
    def right(self) -> bool:
        """Whether the model finds it exactly, type and both ends right."""
        return self.holds(self.clean)

    def holds(self, prediction: Prediction, made: Perturbed | None = None) -> bool:
        """Whether it is found, type and both ends right, where it stands now."""
        return carried(made, self.span) in entity_spans(prediction.tags)

    def labels_in(self, prediction: Prediction, made: Perturbed | None = None) -> tuple[str, ...]:
        """The labels of its words; O on every word where it is gone."""
        return target_seen(self.span, made or unchanged(self.sentence), prediction.tags).labels

    def margin(self, scale: Scale | None) -> float | None:
        """By how much its labels are more probable than the runners-up: the least over its words."""
        if scale is None or self.clean.scores is None:
            return None
        return float(scale.margins(self.clean.scores[self.span.start : self.span.stop]).min())

    def confidence(self, prediction: Prediction, made: Perturbed | None, scale: Scale | None) -> float | None:
        """The mean probability of the labels of its words; None too where the model lacks one of them."""
        now = carried(made, self.span)
        if now is None or prediction.scores is None or scale is None:
            return None
        gold = (self.sentence if made is None else made.sentence).tags or ()
        columns = scale.columns(gold[now.start : now.stop])
        if columns.min() < 0:
            return None
        return float(scale.probabilities(prediction.scores[now.start : now.stop], columns).mean())

    def __str__(self) -> str:
        return f"[{' '.join(self.sentence.tokens[self.span.start : self.span.stop])} {self.span.type}]"

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Reading:
        """The labels of its words, and for each the score of the right one.

        Scores are logits, the larger of the two labels of the type, since an entity is found with I- on its first word
        too; without logits 1 for such a label, else 0.
        """
        changed = made or unchanged(self.sentence)
        seen = target_seen(self.span, changed, prediction.tags)
        now = carried(changed, self.span)
        if now is None:
            return Reading((-math.inf,) * len(self.span), seen.wrong, seen.broken, seen.damage)
        both = f"B-{self.span.type}", f"I-{self.span.type}"
        scores = (score_of(prediction, place, both, self.labels) for place in range(now.start, now.stop))
        return Reading(tuple(scores), seen.wrong, seen.broken, seen.damage)

    def towards(self, goal: str) -> Target | None:
        """The entity, broken only in this way: missed, retyped, or with other boundaries."""
        if goal not in KINDS:
            known = (*KINDS, INVENTED)
            raise AbaloError(f"to = {goal!r}: expected {', '.join(known)}{did_you_mean(goal, known)}")
        return EntityTowards(self.example, self.field, self.clean, self.span, self.labels, KINDS[goal])

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
        """The effect on the right labels of its words [Dirkson et al., Breaking BERT, 2021, equation 1].

        For each word of the entity, the score that its right label loses, the larger of I-T and B-T where gold is I-T
        or the entity is found exactly, and, where the label becomes wrong, what the wrong label gains. The paper's
        wording would also allow the wrong label's whole score there; its released code takes the difference.
        """
        total, gold, places = 0.0, self.sentence.tags or (), made.positions(len(self.sentence))
        found = self.holds(prediction, made)
        for word in range(self.span.start, self.span.stop):
            after, right = places[word], accepted(f"I-{self.span.type}" if found else gold[word])
            if after is None:
                continue
            total += score_of(self.clean, word, right, self.labels)
            total -= score_of(prediction, after, right, self.labels)
            label = prediction.tags[after]
            if label not in right:
                total += score_of(prediction, after, (label,), self.labels)
                total -= score_of(self.clean, word, (label,), self.labels)
        return total


@dataclass(frozen=True, slots=True, eq=False)
class EntityTowards(Entity):
    """An entity that a search tries to break in one way, the ``kind``."""

    kind: Kind

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Reading:
        """As of any entity, but that only what is wrong in this way counts: of a word O, another type, or the rest."""
        reading = Entity.read(self, prediction, made)
        seen = target_seen(self.span, made or unchanged(self.sentence), prediction.tags)
        fits = [_fits(label, self.span.type, self.kind) for label in seen.labels]
        turned = tuple(turned and fit for turned, fit in zip(reading.turned, fits, strict=True))
        broken = seen.kind is self.kind
        return Reading(reading.scores, turned, broken, (float(broken), *map(float, reading.damage)))


def _fits(label: str, kind: str, wanted: Kind) -> bool:
    """Whether a wrong label of a word is part of an entity that is wrong in this way."""
    if wanted is Kind.MISSED:
        return label == "O"
    return (label != "O" and label[2:] != kind) == (wanted is Kind.TYPE_ERROR)


def entities(example: Example, clean: Prediction, labels: tuple[str, ...]) -> Iterator[Entity]:
    """The gold entities of a sentence, whether the model finds them or not."""
    for span in entity_spans(example.fields[TEXT].tags or ()):
        yield Entity(example, TEXT, clean, span, labels)


class EntityTargets(Targets):
    """Gold entities; for the goal of inventing an entity, the words outside."""

    def __init__(self) -> None:
        invented = {INVENTED: (Outside.noun, f"{Outside.noun}s")}
        super().__init__("robust_recall", ("entity", "entities"), (" outside every entity", "entity"), invented)

    def of(self, example: Example, prediction: Any, model: Any, goal: str = "") -> Iterable[Target]:
        """Gold entities, or the words outside."""
        labels = getattr(model, "labels", ())
        if goal == INVENTED:
            return words_outside(example, prediction, labels)
        return towards(entities(example, prediction, labels), goal)

    seen = staticmethod(seen)
