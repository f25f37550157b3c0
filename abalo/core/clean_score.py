"""The clean score of each training: large enough, and better than a model that reads nothing.

Without it a model that finds nothing, guesses, or gives one label always would pass, since no change makes it worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from abalo.core.evidence import Evidence
from abalo.core.example import Json
from abalo.core.gate import Gate
from abalo.core.judging import Judged, explained
from abalo.core.numbers import interval_of, number_of
from abalo.core.probe import Case
from abalo.core.statistics import measured
from abalo.core.task import Task, floor_of
from abalo.core.verdicts import Bound, Judgement, judge, undecided

State = Literal["below", "undecided", "above"]
"""From worst to best."""

LEAST = "least"
"""The field of a task's baseline in a report that says how its clean score was judged."""


USUAL = 0.3
"""The smallest clean score, by the floor metric, of a model that is worth judging."""


@dataclass(frozen=True, slots=True)
class CleanScore:
    """The judgements on the clean score.

    ``judgements`` has those of each training: against ``least``, the smallest score that is large enough, and, unless
    the model ``guesses``, against a model that reads nothing.
    """

    least: float
    guesses: bool
    judgements: tuple[tuple[Judgement, ...], ...]

    @property
    def state(self) -> State:
        """``below`` if one training is wholly below a limit, ``above`` if all are wholly above all limits."""
        verdicts = {each.verdict for each in self.every}
        return "below" if "fail" in verdicts else "undecided" if "inconclusive" in verdicts else "above"

    @property
    def every(self) -> tuple[Judgement, ...]:
        """The judgements of all trainings."""
        return tuple(each for training in self.judgements for each in training)

    def failing(self, found: Judged) -> Judged:
        """The judged clean corpus with the limits that a training is wholly below; these always block."""
        failed = [each for each in self.every if each.verdict == "fail"]
        if not failed:
            return found
        return replace(found, case=replace(found.case, blocking=True), judgements=(*found.judgements, *failed))

    @property
    def facts(self) -> Json:
        """The field `LEAST` of a report."""
        return {
            "limit": self.least,
            "guesses": self.guesses,
            "state": self.state,
            "reason": "; ".join(explained(each) for each in self.every if each.verdict != "pass") or None,
            "judgements": [
                {
                    "training": training,
                    "bound": each.bound.name,
                    "limit": number_of(each.bound.limit),
                    **interval_of(each.estimate),
                    "verdict": each.verdict,
                    "reason": each.reason,
                    "needed": each.needed,
                }
                for training, own in enumerate(self.judgements)
                for each in own
            ],
        }


def clean_score(task: Task, case: Case, evidence: Evidence, gate: Gate, facts: Json) -> CleanScore:
    """The clean score of each training in the evidence of the clean corpus.

    Args:
        task: The task.
        case: Its baseline, which may have a ``least`` of its own and say that the model ``guesses``.
        evidence: The counts of the clean corpus.
        gate: How the run is judged.
        facts: What the report says of the corpus of the task.
    """
    asked = (case.least, gate.least)
    least = next((each for each in asked if each is not None), USUAL)
    floor = floor_of(task, evidence)
    uninformed = None if case.guesses else task.uninformed(evidence, facts)
    bounds = [Bound(floor, "min", least), *([] if uninformed is None else [uninformed])]
    trainings = np.unique(evidence.trainings) if len(evidence) else np.zeros(1, dtype=np.int64)
    parts = [_of_training(evidence, int(training)) for training in trainings]
    judgements = [_judged(task, case, part, bounds, gate) for part in parts]
    if len(parts) > 1:
        judgements = [[_named(each, number) for each in own] for number, own in enumerate(judgements, start=1)]
    return CleanScore(least, case.guesses, tuple(map(tuple, judgements)))


def _named(judgement: Judgement, training: int) -> Judgement:
    """The judgement with the number of its training, from 1."""
    return replace(judgement, reason=f"training {training}" + (f": {judgement.reason}" if judgement.reason else ""))


def _of_training(evidence: Evidence, training: int) -> Evidence:
    part = evidence.only(evidence.trainings == training)
    return replace(part, trainings=np.zeros(len(part), dtype=np.int64))


def _judged(task: Task, case: Case, evidence: Evidence, bounds: Sequence[Bound], gate: Gate) -> list[Judgement]:
    """A limit at the end of the range, such as a least of 0, is kept by every value and not judged."""
    metrics = task.metrics()
    asked = [bound for bound in bounds if not metrics[bound.metric].keeps(bound.side, bound.limit)]
    found = measured(evidence, case.view if not evidence.alike else "", [metrics[each.metric] for each in asked], gate)
    unit, judgements = case.probe.unit(task), []
    for bound in asked:
        estimate = found.estimate(bound.metric)
        if bound.limit >= metrics[bound.metric].high:
            reason = "the corpus has one label, so a model that reads nothing can be right for all of it"
            judgements.append(undecided(bound, estimate, reason))
        else:
            judgements.append(judge(bound, estimate, confidence=gate.confidence, blocking_bounds=1, unit=unit))
    return judgements
