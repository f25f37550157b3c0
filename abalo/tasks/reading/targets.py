"""Answers as targets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from abalo.core.protocols.task_targets import Targets, towards
from abalo.core.records.example import Example
from abalo.core.records.outcome import Outcome
from abalo.core.records.targets import Effect, Target
from abalo.models.questions.protocol import Answered
from abalo.models.questions.scoring import score_answer
from abalo.tasks.reading.example import CONTEXT
from perturbations import Edit, Perturbed
from perturbations.answers import answers_in
from perturbations.stops import sentences_in


@dataclass(frozen=True, slots=True)
class SeenAnswer:
    """The predicted answer; ``broken`` if wrong."""

    labels: tuple[str, ...]
    broken: bool
    kind: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RightAnswer(Target):
    """An answer, scored by F1 times probability.

    Invariances edit the question and sentences without answers.
    """

    @property
    def free(self) -> Sequence[int]:
        taken = {place for span in answers_in(self.sentence) for place in range(span.start, span.stop)}
        return [place for place in range(len(self.sentence)) if place not in taken]

    def bears(self, edit: Edit) -> bool:
        if self.field != CONTEXT:
            return True
        held = [(span.start, span.stop) for span in answers_in(self.sentence)]
        inside = [part for part in sentences_in(self.sentence) if any(a < part[1] and part[0] < b for a, b in held)]
        return not any(start <= edit.start < stop for start, stop in inside)

    def holds(self, prediction: Answered, made: Perturbed | None = None) -> bool:
        return _exact(prediction, self.example)

    def labels_in(self, prediction: Answered, made: Perturbed | None = None) -> tuple[str, ...]:
        return (prediction.text,)

    def margin(self, scale: object) -> float | None:
        score = self.clean.score
        return None if score is None else 2 * score - 1

    def confidence(self, prediction: Answered, made: Perturbed | None, scale: object) -> float | None:
        return prediction.score if self.holds(prediction) else None

    def __str__(self) -> str:
        return " | ".join(self.example.gold) or "no answer"

    def read(self, prediction: Answered, made: Perturbed | None = None) -> Effect:
        wrong = not self.holds(prediction)
        return Effect((self._score(prediction),), (wrong,), wrong, (float(wrong),))

    def importance(self, prediction: Answered, made: Perturbed) -> float:
        return self._score(self.clean) - self._score(prediction)

    def _score(self, prediction: Answered) -> float:
        shared = score_answer(prediction.text, self.example.gold, self.example.source.rules).f1
        return shared if prediction.score is None else shared * prediction.score


def _exact(prediction: Answered, example: Example) -> bool:
    return score_answer(prediction.text, example.gold, example.source.rules).exact == 1


def seen_answer(outcome: Outcome) -> SeenAnswer:
    """The answer in the final state of the search."""
    return SeenAnswer((outcome.prediction.text,), not _exact(outcome.prediction, outcome.example))


class AnswerTargets(Targets):
    """The answer of each question with a known place."""

    def __init__(self) -> None:
        super().__init__(
            "robust_exact_match", ("question", "questions"), (" in a sentence without the answer", "answer")
        )

    def of(self, example: Example, prediction: Answered | None, model: object, goal: str = "") -> Iterable[Target]:
        found = (RightAnswer(example, CONTEXT, prediction),) if example.source.placed else ()
        return towards(found, goal)

    seen = staticmethod(seen_answer)
