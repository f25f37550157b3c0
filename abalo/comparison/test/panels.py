"""Panels: the cases of a sample of sentences, judged by their pooled counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from abalo.comparison.test.family import CASES_PART, MEAN_PART, TYPES, LossFamily, Runs
from abalo.comparison.test.subjects import CaseSubject, PooledSubject
from abalo.core.records.gate import Gate
from abalo.core.statistics.estimates import UNDEFINED
from abalo.core.statistics.losses import (
    Draws,
    Hypothesis,
    Loss,
    State,
    by_itself,
    judge_losses,
)
from abalo.core.statistics.panel import PanelNotes, notes_of


def panel_in(runs: Runs) -> PanelNotes | None:
    """What the evidence says of the panel; None if neither run is one."""
    found = (notes_of(each.notes) for side in (runs.new, runs.reference) for each in side.values())
    return next((each for each in found if each is not None), None)


def pool_subjects(
    subjects: Sequence[CaseSubject], panel: PanelNotes, family: LossFamily, runs: Runs
) -> PooledSubject | None:
    """The drawn cases that perturb, pooled; None if none can be paired."""
    side = runs.new if any(notes_of(each.notes) for each in runs.new.values()) else runs.reference
    drawn = {case for case, each in side.items() if notes_of(each.notes) is not None}
    own = [each for each in subjects if each.case.id in drawn and each.perturbs]
    asked = [each for each in own if not each.waived]
    cases = [each.pooled for each in asked if each.pooled is not None]
    if not cases:
        return None
    gaps = sorted(drawn - (runs.new.keys() & runs.reference.keys()))
    lacking = [each for each in asked if each.reason]
    missing = ""
    if len(drawn) < panel.cases:
        missing = f"{panel.cases - len(drawn)} of the {panel.cases} cases of the plan have no result"
    elif gaps:
        missing = f"one of the runs has no evidence of {gaps[0]}"
    elif lacking:
        missing = f"{lacking[0].case.id}: {lacking[0].reason}"
    return PooledSubject([each for each in asked if each.pooled is not None], cases, family, missing)


def judge_panel(
    pooled: PooledSubject | None,
    by_label: Sequence[Hypothesis],
    singles: Sequence[Hypothesis],
    draws: Draws,
    panel: PanelNotes,
    gate: Gate,
) -> tuple[Loss | None, list[Loss]]:
    """The mean loss, if the cases could be pooled, and the losses of labels and cases."""
    level = (1 - gate.confidence) / 2
    mean = None
    if pooled is not None:
        (overall,) = pooled.tests(draws)
        limit, loss = gate.mean_limit, overall.loss
        loss = replace(loss, case="", limit=limit, usual=limit, cases=pooled.cases, of_cases=panel.cases)
        if pooled.missing:
            mean = replace(loss, state="can't tell", reason=pooled.missing, loss=UNDEFINED)
        elif overall.draws is None:
            mean = loss
        else:
            share = panel.level(level * MEAN_PART), panel.level(level)
            mean = judge_whole(replace(overall, loss=loss), *share, gate)
    clean = [test for test in by_label if not test.loss.case.endswith(f"/{TYPES}")]
    others = [*singles, *(test for test in by_label if test not in clean)]
    if panel.stopped:
        others = leave_unjudged(others, "can't tell", STOPPED)
    return mean, judge_losses([*clean, *others], level * CASES_PART, level, gate)


def leave_unjudged(tests: Sequence[Hypothesis], state: State, reason: str) -> list[Hypothesis]:
    """The same hypotheses; those that nothing has decided have the state and the reason."""
    asked = [test.loss.state == "can't tell" and not test.loss.reason for test in tests]
    return [
        Hypothesis(replace(test.loss, state=state, reason=reason)) if unknown else test
        for test, unknown in zip(tests, asked, strict=True)
    ]


STOPPED = "the run stopped early, which decides nothing about parts of the mean"


COUNTED_APART = "cases may stop at different examples, so their labels are not judged together"


def judge_whole(test: Hypothesis, level: float, alone: float, gate: Gate) -> Loss:
    """The loss of a single hypothesis, such as the mean."""
    (loss,) = judge_losses([test], level, alone, gate)
    return replace(loss, uncorrected_high=by_itself(test, (1 - gate.confidence) / 2).loss.high)
