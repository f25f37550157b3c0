"""Tagged words as what edits elsewhere should leave right, and as what searches try to break."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from abalo.core.example import Example
from abalo.core.outcome import Outcome
from abalo.core.searching import Targets, towards
from abalo.core.targets import Reading, Target
from abalo.corpora.examples import TEXT
from abalo.errors import AbaloError
from abalo.models.prediction import Prediction
from abalo.models.scores import Scale
from abalo.tasks.tokens.scoring import score_of
from perturbations import UNLABELLED, Edit, Perturbed, Span
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class SeenWord:
    """A tagged word as a prediction has it: its one label, and whether that is wrong."""

    labels: tuple[str, ...]
    broken: bool
    kind: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Word(Target):
    """A word with a gold tag. ``names`` are those of the columns of the model's scores."""

    place: int
    names: tuple[str, ...] = ()

    @property
    def tag(self) -> str:
        """Its gold tag."""
        return (self.sentence.tags or ())[self.place]

    @property
    def spans(self) -> tuple[Span, ...]:
        """The word, with its tag as the type."""
        return (Span(self.place, self.place + 1, self.tag),)

    @property
    def start(self) -> int:
        """Its place."""
        return self.place

    @property
    def free(self) -> Sequence[int]:
        """All other words."""
        return [place for place in range(len(self.sentence)) if place != self.place]

    def bears(self, edit: Edit) -> bool:
        """Whether another word is edited."""
        return not edit.start <= self.place < edit.stop

    def holds(self, prediction: Prediction, made: Perturbed | None = None) -> bool:
        """Whether it has its tag where it stands now."""
        return self.labels_in(prediction, made) == (self.tag,)

    def labels_in(self, prediction: Prediction, made: Perturbed | None = None) -> tuple[str, ...]:
        """Its tag; the empty one where it is gone."""
        now = self._now(made)
        return (UNLABELLED if now is None else prediction.tags[now],)

    def margin(self, scale: Scale | None) -> float | None:
        """By how much its tag is more probable than the next."""
        if scale is None or self.clean.scores is None:
            return None
        return float(scale.margins(self.clean.scores[self.place : self.place + 1])[0])

    def confidence(self, prediction: Prediction, made: Perturbed | None, scale: Scale | None) -> float | None:
        """The probability of its tag; None too where the model lacks that."""
        now = self._now(made)
        if now is None or scale is None or prediction.scores is None:
            return None
        column = scale.columns([self.tag])
        return float(scale.probabilities(prediction.scores[now : now + 1], column)[0]) if column[0] >= 0 else None

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Reading:
        """Whether the tag is wrong, and its score: a logit, without logits 1 where it is right, else 0."""
        wrong = not self.holds(prediction, made)
        return Reading((self._score(prediction, made, self.tag),), (wrong,), wrong, (float(wrong),))

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
        """The score that the tag loses, and, where it becomes wrong, what the wrong one gains."""
        lost = self._score(self.clean, None, self.tag) - self._score(prediction, made, self.tag)
        (label,) = self.labels_in(prediction, made)
        if label in (self.tag, UNLABELLED):
            return lost
        return lost + self._score(prediction, made, label) - self._score(self.clean, None, label)

    def towards(self, goal: str) -> Target | None:
        """The word, broken only where the model gives it the tag ``goal``; None where that is its own."""
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
        """Where it stands after a change; None where it is gone."""
        return self.place if made is None else made.positions(len(self.sentence))[self.place]


@dataclass(frozen=True, slots=True, eq=False)
class WordTowards(Word):
    """A word that a search tries to give one tag, ``goal``."""

    goal: str = ""

    def read(self, prediction: Prediction, made: Perturbed | None = None) -> Reading:
        """Whether it has that tag, and by how much the score of its own is above that of the goal."""
        reached = self.labels_in(prediction, made) == (self.goal,)
        ahead = self._score(prediction, made, self.tag) - self._score(prediction, made, self.goal)
        return Reading((ahead,), (reached,), reached, (float(reached),))

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
        """By how much the goal comes nearer."""
        return self.read(self.clean).scores[0] - self.read(prediction, made).scores[0]


def words(example: Example, clean: Prediction, names: tuple[str, ...]) -> Iterator[Word]:
    """The words of a sentence that have a gold tag."""
    for place, tag in enumerate(example.fields[TEXT].tags or ()):
        if tag != UNLABELLED:
            yield Word(example, TEXT, clean, place, names)


def seen(outcome: Outcome) -> SeenWord:
    """The word as the model sees it in the state that the search settled on."""
    (target,) = outcome.targets
    labels = Word(outcome.example, TEXT, outcome.clean, target.start).labels_in(outcome.prediction, outcome.perturbed)
    return SeenWord(labels, labels != (target.type,))


class WordTargets(Targets):
    """The words that have a tag."""

    def __init__(self) -> None:
        super().__init__("robust_accuracy", ("word", "words"), ("", "tag of another word"))

    def of(self, example: Example, prediction: Any, model: Any, goal: str = "") -> Iterable[Target]:
        """The words that have a tag."""
        return towards(words(example, prediction, getattr(model, "labels", ())), goal)

    seen = staticmethod(seen)
