"""A case or a pool of cases in both runs, and the hypotheses about its loss."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import compress

import numpy as np

from abalo.comparison.test.family import TYPES, LossFamily, Runs, over_changed
from abalo.comparison.test.label_losses import (
    F1,
    LABEL_F1,
    LabelTable,
    measured,
    table_of,
)
from abalo.comparison.test.newly import Newly
from abalo.comparison.test.panel_pool import Pooled, pool
from abalo.comparison.test.turned import can_turn, exact_metric, turned_in
from abalo.core.protocols.probe import Case
from abalo.core.statistics.ends import few_at_no_loss
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, UNDEFINED, Estimate
from abalo.core.statistics.few_events import FEWEST, Few, few_between, few_mean, gains_in_pairs
from abalo.core.statistics.losses import (
    Draws,
    Hypothesis,
    Loss,
    State,
    certain,
    exact,
    too_few,
)
from abalo.core.statistics.metrics import Difference, Floats, Share, over_trainings
from abalo.core.statistics.pairing import UNCHANGED, Matched, NotComparable, Paired, match_runs
from abalo.core.statistics.panel import notes_of
from abalo.core.statistics.plan import BASELINE, Parameters
from abalo.core.statistics.verdicts import FEWEST_HOLDING


class CaseSubject:
    """A case under one metric, paired by cluster."""

    def __init__(self, case: Case, metric: str, family: LossFamily, runs: Runs, today: date) -> None:
        self.case, self._metric, self._same_model = case, family.task.metrics()[metric], runs.same_model
        self.waived = case.waiver is not None and today <= case.waiver.until
        self._usual = limit = family.limits(case)[metric]
        self._limit = max(limit, case.waiver.accepted_loss) if case.waiver is not None and self.waived else limit
        self._least, self._changed = family.least, over_changed(case, family, metric)
        self._fewest = FEWEST if family.few(runs) else FEWEST_CLUSTERS
        self._family = family
        self._matched: Matched | None = None
        self._paired: Paired | None = None
        self._whole = False
        self._reason = ""
        self.panel = any(
            notes_of(side[case.id].notes) is not None for side in (runs.new, runs.reference) if case.id in side
        )
        if case.id not in runs.new or case.id not in runs.reference:
            self._reason = "one of the runs has no evidence of it"
            return
        if runs.other_gold:
            self._reason = runs.other_gold
            return
        both = runs.new[case.id], runs.reference[case.id]
        self._reference = both[1]
        self._whole = all(each.whole for each in both)
        try:
            self._matched = match_runs(
                *both,
                from_model=case.probe.variants_from_model(case),
                fewest=1 if self._whole or self.panel else self._fewest,
                changed=self._changed,
            )
            pair = self._matched.paired(self._metric, case.view)
        except NotComparable as error:
            self._reason = str(error)
            return
        if pair.same_answers is None and runs.other_answers:
            pair = replace(pair, same_answers=False)
        self._paired, self._reason = (pair, "") if pair.enough else (None, pair.few)

    def labels(self) -> LabelTable | None:
        """The labels of the case; None if it is not compared by the floor metric, or has fewer than two labels."""
        asked = self._family.by_label
        if self._paired is None or self._matched is None or asked is None or self._metric.name != self._family.floor:
            return None
        found = table_of(self.case.id, self._matched, asked, self.case.view, whole=self._whole)
        found = replace(found, same_answers=self._paired.same_answers)
        kept = [k for k, count in enumerate(found.holding) if count]
        return found.with_labels(kept) if len(kept) > 1 else None

    def label_row(self, label: str, metric: str = LABEL_F1) -> Loss:
        limit, waiver = self._family.gate.label_limit, self.case.waiver
        allowed = max(limit, waiver.accepted_loss) if waiver is not None and self.waived else limit
        frame = self._loss(label, "can't tell")
        return replace(frame, metric=metric, limit=allowed, usual=limit)

    def label_numbers(self) -> Iterator[Loss]:
        """Shown, never judged: a shift is one thing, not one in each case."""
        if self.panel or self.case.name == BASELINE:
            return
        try:
            table = self.labels()
        except NotComparable:
            return
        if table is not None:
            kept = [k for k, count in enumerate(table.holding) if count >= FEWEST_HOLDING]
            for loss in measured(table.with_labels(kept), F1, self.label_row) if len(kept) > 1 else ():
                yield replace(loss, state="not judged")

    @property
    def limits_newly_wrong(self) -> bool:
        return self.case.max_newly_wrong is not None and self._metric.name == self._family.floor

    def turned(self, confidence: float) -> Newly | None:
        """The examples that turned; None for metrics beside the usual one."""
        asked, is_usual = exact_metric(self._family.task), self._metric.name == self._family.floor
        if self._matched is None or asked is None or not is_usual or not can_turn(self.case.probe, self._family.task):
            return None
        return turned_in(self._matched, asked, self.case.view, confidence)

    @property
    def clusters(self) -> Sequence[str]:
        return () if self._paired is None else self._paired.clusters

    @property
    def differing(self) -> Sequence[str]:
        return () if self._paired is None else [*compress(self._paired.clusters, self._paired.differing(0))]

    @property
    def perturbs(self) -> bool:
        return self._changed and self.case.blocking

    @property
    def reason(self) -> str:
        return "" if self._reason == UNCHANGED else self._reason

    @property
    def pooled(self) -> Pooled | None:
        return None if self._paired is None else Pooled(self.case.name, self._paired, self._reference)

    @property
    def in_mean(self) -> bool:
        return self._paired is not None and self._changed and not self.waived

    def tests(self, draws: Draws) -> Iterator[Hypothesis]:
        pair = self._paired
        if pair is None and self._reason == UNCHANGED:
            return
        if pair is None:
            yield Hypothesis(replace(self._loss(None, "not comparable"), reason=self._reason))
            return
        new, reference = (over_trainings(self._metric.value(each.sum(axis=0))) for each in (pair.new, pair.reference))
        few = self._changed and len(pair.clusters) < self._fewest
        value = self._sign * (reference[0] - new[0])
        found = replace(
            self._loss(None, "can't tell"),
            by=pair.by,
            new=float(new[0]),
            reference=float(reference[0]),
            loss=Estimate(float(value), math.nan, math.nan, math.nan, len(pair.clusters)),
            discordant=int(pair.differing(0).sum()),
            share=pair.share,
        )
        if math.isnan(value):
            yield Hypothesis(replace(found, loss=UNDEFINED, reason=f"{self._metric.words} has no value here"))
        elif pair.equal:
            known = pair.same_answers or self._same_model
            yield Hypothesis(certain(replace(found, state="identical" if known else "same results")))
        elif self._whole:  # nothing is left to chance
            yield Hypothesis(exact(found))
        elif few and self.panel:
            yield Hypothesis(too_few(found, Hypothesis(found, parts=draws.parts(pair.clusters, pair.new))))
        else:
            width = self._metric.high - self._metric.low
            resampled = [draws.values(pair.clusters, each, self._value) for each in (pair.reference, pair.new)]
            law = self._few(pair, 0, always=few or draws.few)
            drawn = self._sign * (resampled[0] - resampled[1])
            counts = np.concatenate([pair.reference, pair.new], axis=1)
            yield Hypothesis(found, drawn, law, width, few, draws.parts(pair.clusters, counts))

    def _value(self, sums: Floats) -> Floats:
        """Of all groups together."""
        groups = sums if self._metric.macro else sums[..., :1, :]
        return over_trainings(self._metric.value(groups))[..., 0]

    def _few(self, pair: Paired, group: int, *, always: bool) -> Few | None:
        value, sides, extremes = self._metric.value, self._sides(pair), self._metric.extremes
        if extremes is not None and self._sign > 0:
            own = [few_at_no_loss(self._of_all, *side, extremes) for side in sides]
            return few_mean([each for each in own if each is not None]) if own and None not in own else None
        if not isinstance(value, Share | Difference) or not sides:
            return None
        found = [few_between(value, first[:, group], second[:, group], always=always) for first, second in sides]
        return few_mean([each for each in found if each is not None]) if None not in found else None

    def _of_all(self, sums: Floats) -> Floats:
        return self._metric.value(sums)[..., 0]

    def _sides(self, pair: Paired) -> list[tuple[Floats, Floats]]:
        sides = (pair.reference, pair.new) if self._sign > 0 else (pair.new, pair.reference)
        trainings = max(side.shape[1] for side in sides)
        if any(side.shape[1] not in (1, trainings) for side in sides):
            return []
        first, second = (np.broadcast_to(side, (len(side), trainings, *side.shape[2:])) for side in sides)
        return [(first[:, k], second[:, k]) for k in range(trainings)]

    def gains(self) -> list[tuple[Floats, Floats]]:
        value = self._metric.value
        if self._paired is None or not isinstance(value, Share) or value.scale != 1.0:
            return []
        found = []
        for better, worse in ((each[:, 0], other[:, 0]) for each, other in self._sides(self._paired)):
            trials = value.trials(better), value.trials(worse)
            held = trials[0].any() and trials[1].any()  # else there was nothing to find, and nothing is lost
            gained = gains_in_pairs(value.events(better), trials[0], value.events(worse), trials[1]) if held else 0.0
            found.append((gained + np.zeros(len(better)), (trials[0] + trials[1]) / 2))
        return found

    @property
    def _sign(self) -> int:
        return 1 if self._metric.more_is_better else -1

    def _loss(self, group: str | None, state: State) -> Loss:
        case, name = self.case, self._metric.name
        return Loss(
            case.id, group, name, self._limit, state, blocking=case.blocking, waiver=case.waiver, usual=self._usual
        )


class PooledSubject(CaseSubject):
    """The cases of a panel as one.

    ``missing`` tells which case has no evidence; "" if all have.
    """

    def __init__(self, asked: Sequence[CaseSubject], cases: Sequence[Pooled], family: LossFamily, missing: str) -> None:
        like = asked[0]
        task, view = family.task.name, like.case.view
        self.case = Case(task, TYPES, like.case.probe, Parameters(), view, view)
        self._metric, self._same_model = family.task.metrics()[family.floor], like._same_model
        self._limit = self._usual = family.gate.max_loss
        self._fewest, self._family = like._fewest, family
        self._changed, self._whole, self.waived, self.panel = True, False, False, False
        self._matched, self._paired, self._reason = None, pool(cases), ""
        self.missing, self.cases = missing, len(cases)
        times = Counter(each.case.name for each in asked)
        self.parts = [(each, 1 / times[each.case.name]) for each in asked]
