"""Tagged words as what edits elsewhere should leave right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from abalo.core.example import Example
from abalo.core.targets import Reading, Target
from abalo.corpora.examples import TEXT
from abalo.models.prediction import Prediction
from abalo.models.scores import Scale
from perturbations import UNLABELLED, Edit, Perturbed, Span


@dataclass(frozen=True, slots=True, eq=False)
class Word(Target):
    """A word with a gold tag."""

    place: int

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
        """Whether the tag is wrong; its score is 1 where it is right, else 0."""
        wrong = not self.holds(prediction, made)
        return Reading((float(not wrong),), (wrong,), wrong, (float(wrong),))

    def importance(self, prediction: Prediction, made: Perturbed) -> float:
        """1 where the change makes the tag wrong, -1 where it makes it right, else 0."""
        return float(self.right) - float(self.holds(prediction, made))

    def _now(self, made: Perturbed | None) -> int | None:
        """Where it stands after a change; None where it is gone."""
        return self.place if made is None else made.positions(len(self.sentence))[self.place]


def words(example: Example, clean: Prediction) -> Iterator[Word]:
    """The words of a sentence that have a gold tag."""
    for place, tag in enumerate(example.fields[TEXT].tags or ()):
        if tag != UNLABELLED:
            yield Word(example, TEXT, clean, place)
