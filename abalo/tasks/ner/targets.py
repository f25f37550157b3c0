"""Entities as search targets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from abalo.core.protocols.task_targets import Targets, towards
from abalo.core.records.example import Example
from abalo.core.records.targets import Effect, Target
from abalo.corpora.examples import TEXT
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.scores import ScoreScale
from abalo.tasks.ner.inventions import INVENTED, Outside, outside, words_outside
from abalo.tasks.ner.metrics.attack import SuccessKind, seen_target, target_seen
from abalo.tasks.tokens.alignment import accepted_labels, carry_span
from abalo.tasks.tokens.scoring import score_of
from perturbations import Perturbed, Span, entity_spans, unchanged
from perturbations.suggestions import did_you_mean

KINDS = {"missed": SuccessKind.MISSED, "retyped": SuccessKind.TYPE_ERROR, "boundary": SuccessKind.BOUNDARY_ERROR}


@dataclass(frozen=True, slots=True, eq=False)
class GoldEntity(Target):
    """A gold entity; ``labels`` name the score columns.

    A word scores its larger logit of B- and I-; without logits 1 if predicted, else 0. Importance is the score that
    right labels lose, plus the gain of wrong ones [Dirkson et al., Breaking BERT, 2021, equation 1]; the paper's
    wording would allow their whole score, its released code takes the difference.
    """

    span: Span
    labels: tuple[str, ...]

    @property
    def spans(self) -> tuple[Span, ...]:
        return (self.span,)

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def free(self) -> Sequence[int]:
        return outside(self.sentence)

    @property
    def right(self) -> bool:
        return self.holds(self.clean)

    def holds(self, prediction: Prediction, made: Perturbed | None = None) -> bool:
        return carry_span(made, self.span) in entity_spans(prediction.tags)

    def labels_in(self, prediction: Prediction, made: Perturbed | None = None) -> tuple[str, ...]:
        return target_seen(self.span, made or unchanged(self.sentence), prediction.tags).labels

    def margin(self, scale: ScoreScale | None) -> float | None:
        if scale is None or self.clean.scores is None:
            return None
        return float(scale.margins(self.clean.scores[self.span.start : self.span.stop]).min())

    def confidence(self, prediction: Prediction, made: Perturbed | None, scale: ScoreScale | None) -> float | None:
        now = carry_span(made, self.span)
        if now is None or prediction.scores is None or scale is None:
            return None
        gold = (self.sentence if made is None else made.sentence).tags or ()
        columns = scale.columns(gold[now.start : now.stop])
        if columns.min() < 0:
            return None
        return float(scale.probabilities(prediction.scores[now.start : now.stop], columns).mean())

    def __str__(self) -> str:
        return f"[{' '.join(self.sentence.tokens[self.span.start : self.span.stop])} {self.span.type}]"

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Effect:
        changed = made or unchanged(self.sentence)
        seen = target_seen(self.span, changed, prediction.tags)
        now = carry_span(changed, self.span)
        if now is None:
            return Effect((-math.inf,) * len(self.span), seen.wrong, seen.broken, seen.damage)
        both = f"B-{self.span.type}", f"I-{self.span.type}"
        scores = (score_of(prediction, place, both, self.labels) for place in range(now.start, now.stop))
        return Effect(tuple(scores), seen.wrong, seen.broken, seen.damage)

    def towards(self, goal: str) -> Target | None:
        if goal not in KINDS:
            known = (*KINDS, INVENTED)
            raise AbaloError(f"to = {goal!r}: expected {', '.join(known)}{did_you_mean(goal, known)}")
        return EntityTowards(self.example, self.field, self.clean, self.span, self.labels, KINDS[goal])

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
        total, gold, places = 0.0, self.sentence.tags or (), made.positions(len(self.sentence))
        found = self.holds(prediction, made)
        for word in range(self.span.start, self.span.stop):
            after, right = places[word], accepted_labels(f"I-{self.span.type}" if found else gold[word])
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
class EntityTowards(GoldEntity):
    """An entity to break in one way, ``kind``."""

    kind: SuccessKind

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Effect:
        effect = GoldEntity.read(self, prediction, made)
        seen = target_seen(self.span, made or unchanged(self.sentence), prediction.tags)
        fits = [_fits(label, self.span.type, self.kind) for label in seen.labels]
        turned = tuple(turned and fit for turned, fit in zip(effect.turned, fits, strict=True))
        broken = seen.kind is self.kind
        return Effect(effect.scores, turned, broken, (float(broken), *map(float, effect.damage)))


def _fits(label: str, kind: str, wanted: SuccessKind) -> bool:
    if wanted is SuccessKind.MISSED:
        return label == "O"
    return (label != "O" and label[2:] != kind) == (wanted is SuccessKind.TYPE_ERROR)


def entities(example: Example, clean: Prediction | None, labels: tuple[str, ...]) -> Iterator[GoldEntity]:
    """All gold entities of a sentence, found or not."""
    for span in entity_spans(example.fields[TEXT].tags or ()):
        yield GoldEntity(example, TEXT, clean, span, labels)


class EntityTargets(Targets):
    """Gold entities, or the words outside if inventions are the goal."""

    def __init__(self) -> None:
        invented = {INVENTED: (Outside.noun, f"{Outside.noun}s")}
        super().__init__("robust_recall", ("entity", "entities"), (" outside every entity", "entity"), invented)

    def of(self, example: Example, prediction: Prediction | None, model: object, goal: str = "") -> Iterable[Target]:
        labels = getattr(model, "labels", ())
        if goal == INVENTED:
            return words_outside(example, prediction, labels)
        return towards(entities(example, prediction, labels), goal)

    seen = staticmethod(seen_target)
