"""Judges each training's clean score, so no model passes by finding nothing or guessing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task, floor_of
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import Gate
from abalo.core.running.judging import Judged, explain_judgement
from abalo.core.statistics.estimates import measure_metrics
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.numbers import interval_of, number_of
from abalo.core.statistics.verdicts import Bound, Judgement, judge, judge_undecided

ScoreState = Literal["below", "undecided", "above"]

LEAST = "least"


@dataclass(frozen=True, slots=True)
class CleanScore:
    """Judgements on the clean score: it must reach ``least`` and, unless the model ``guesses``, beat ignoring the
    input.
    """

    least: float
    guesses: bool
    judgements: tuple[tuple[Judgement, ...], ...]

    @property
    def state(self) -> ScoreState:
        """``below`` if one training is, ``above`` only if all are."""
        verdicts = {each.verdict for each in self.every}
        return "below" if "fail" in verdicts else "undecided" if "inconclusive" in verdicts else "above"

    @property
    def every(self) -> tuple[Judgement, ...]:
        """The judgements of all trainings."""
        return tuple(each for training in self.judgements for each in training)

    def failing(self, found: Judged) -> Judged:
        """The judged clean corpus, with the limits that a training misses."""
        least = f"is the least clean score; least in [[{found.case.task}.{found.case.name}]] sets another"
        failed = []
        for each in self.every:
            if each.verdict == "fail":
                told = least if each.bound.limit == self.least else "is the score of a model that reads nothing"
                reason = ": ".join(filter(None, [each.reason, f"{words.limit(each.bound.limit)} {told}"]))
                failed.append(replace(each, reason=reason))
        if not failed:
            return found
        return replace(found, case=replace(found.case, blocking=True), judgements=(*found.judgements, *failed))

    @property
    def facts(self) -> JsonObject:
        """The report field `LEAST`."""
        return {
            "limit": self.least,
            "guesses": self.guesses,
            "state": self.state,
            "reason": "; ".join(explain_judgement(each) for each in self.every if each.verdict != "pass") or None,
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


def clean_score(task: Task, case: Case, evidence: Evidence, gate: Gate, facts: JsonObject) -> CleanScore:
    """Judges the clean score of each training."""
    floor = floor_of(task, evidence)
    asked = (case.least, gate.least, task.metrics()[floor].least)
    least = next(each for each in asked if each is not None)
    uninformed = None if case.guesses else task.uninformed(evidence, facts)
    bounds = [Bound(floor, "min", least), *([] if uninformed is None else [uninformed])]
    trainings = np.unique(evidence.trainings) if len(evidence) else np.zeros(1, dtype=np.int64)
    parts = [_of_training(evidence, int(training)) for training in trainings]
    judgements = [_judge_score(task, case, part, bounds, gate) for part in parts]
    if len(parts) > 1:
        judgements = [
            [_number_training(each, number) for each in own] for number, own in enumerate(judgements, start=1)
        ]
    return CleanScore(least, case.guesses, tuple(map(tuple, judgements)))


def _number_training(judgement: Judgement, training: int) -> Judgement:
    return replace(judgement, reason=f"training {training}" + (f": {judgement.reason}" if judgement.reason else ""))


def _of_training(evidence: Evidence, training: int) -> Evidence:
    part = evidence.only(evidence.trainings == training)
    return replace(part, trainings=np.zeros(len(part), dtype=np.int64))


def _judge_score(task: Task, case: Case, evidence: Evidence, bounds: Sequence[Bound], gate: Gate) -> list[Judgement]:
    metrics = task.metrics()
    asked = [bound for bound in bounds if not metrics[bound.metric].keeps(bound.side, bound.limit)]
    found = measure_metrics(
        evidence, case.view if not evidence.alike else "", [metrics[each.metric] for each in asked], gate
    )
    unit, judgements = case.probe.unit(task), []
    for bound in asked:
        estimate = found.estimate(bound.metric)
        if bound.limit >= metrics[bound.metric].high:
            reason = "the corpus has one label, so a model that reads nothing can be right for all of it"
            judgements.append(judge_undecided(bound, estimate, reason))
        else:
            fewest = task.fields.fewest_clusters
            judgements.append(
                judge(bound, estimate, confidence=gate.confidence, blocking_bounds=1, unit=unit, fewest=fewest)
            )
    return judgements
