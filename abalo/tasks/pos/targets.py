"""Tagged words as targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from abalo.core.protocols.task_targets import Targets, towards
from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Effect, Target
from abalo.corpora.examples import TEXT
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.scores import ScoreScale
from abalo.tasks.tokens.scoring import score_of
from perturbations import UNLABELLED, Edit, Perturbed, Span
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class SeenWord:
    """The predicted label, and whether it is wrong."""

    labels: tuple[str, ...]
    broken: bool
    kind: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class GoldWord(Target):
    """A word with a gold tag, attacked through other words; ``names`` label score columns.

    Its score is the tag's logit; without logits 1 if right, else 0. Importance is the loss of the tag, plus the gain of
    a wrong one.
    """

    place: int
    names: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        return (self.sentence.tags or ())[self.place]

    @property
    def spans(self) -> tuple[Span, ...]:
        return (Span(self.place, self.place + 1, self.tag),)

    @property
    def start(self) -> int:
        return self.place

    @property
    def free(self) -> Sequence[int]:
        return [place for place in range(len(self.sentence)) if place != self.place]

    def bears(self, edit: Edit) -> bool:
        return not edit.start <= self.place < edit.stop

    def holds(self, prediction: Prediction, made: Perturbed | None = None) -> bool:
        return self.labels_in(prediction, made) == (self.tag,)

    def labels_in(self, prediction: Prediction, made: Perturbed | None = None) -> tuple[str, ...]:
        now = self._now(made)
        return (UNLABELLED if now is None else prediction.tags[now],)

    def margin(self, scale: ScoreScale | None) -> float | None:
        if scale is None or self.clean.scores is None:
            return None
        return float(scale.margins(self.clean.scores[self.place : self.place + 1])[0])

    def confidence(self, prediction: Prediction, made: Perturbed | None, scale: ScoreScale | None) -> float | None:
        now = self._now(made)
        if now is None or scale is None or prediction.scores is None:
            return None
        column = scale.columns([self.tag])
        return float(scale.probabilities(prediction.scores[now : now + 1], column)[0]) if column[0] >= 0 else None

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Effect:
        wrong = not self.holds(prediction, made)
        return Effect((self._score(prediction, made, self.tag),), (wrong,), wrong, (float(wrong),))

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
        lost = self._score(self.clean, None, self.tag) - self._score(prediction, made, self.tag)
        (label,) = self.labels_in(prediction, made)
        if label in (self.tag, UNLABELLED):
            return lost
        return lost + self._score(prediction, made, label) - self._score(self.clean, None, label)

    def towards(self, goal: str) -> Target | None:
        if self.names and goal not in self.names:
            near = did_you_mean(goal, self.names)
            raise AbaloError(
                f"to = {goal!r}: the model has no such tag; expected {', '.join(sorted(self.names))}{near}"
            )
        if goal == self.tag:
            return None
        return WordTowards(self.example, self.field, self.clean, self.place, self.names, goal)

    def _score(self, prediction: Prediction, made: Perturbed | None, tag: str) -> float:
        now = self._now(made)
        return -inf if now is None else score_of(prediction, now, (tag,), self.names)

    def _now(self, made: Perturbed | None) -> int | None:
        return self.place if made is None else made.positions(len(self.sentence))[self.place]


@dataclass(frozen=True, slots=True, eq=False)
class WordTowards(GoldWord):
    """A search for the tag ``goal``."""

    goal: str = ""

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Effect:
        reached = self.labels_in(prediction, made) == (self.goal,)
        ahead = self._score(prediction, made, self.tag) - self._score(prediction, made, self.goal)
        return Effect((ahead,), (reached,), reached, (float(reached),))

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
        return self.read(self.clean).scores[0] - self.read(prediction, made).scores[0]


def words(example: Example, clean: Prediction | None, names: tuple[str, ...]) -> Iterator[GoldWord]:
    """The words with a gold tag."""
    for place, tag in enumerate(example.fields[TEXT].tags or ()):
        if tag != UNLABELLED:
            yield GoldWord(example, TEXT, clean, place, names)


def seen_word(outcome: Outcome) -> SeenWord:
    """The word in the final state of the search."""
    (target,) = outcome.targets
    labels = GoldWord(outcome.example, TEXT, outcome.clean, target.start).labels_in(
        outcome.prediction, outcome.perturbed
    )
    return SeenWord(labels, labels != (target.type,))


class WordTargets(Targets):
    """All tagged words."""

    def __init__(self) -> None:
        super().__init__("robust_accuracy", ("word", "words"), ("", "tag of another word"))

    def of(self, example: Example, prediction: Prediction | None, model: object, goal: str = "") -> Iterable[Target]:
        return towards(words(example, prediction, getattr(model, "labels", ())), goal)

    seen = staticmethod(seen_word)
