"""The losses of labels, on the clean corpus and over the cases."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from abalo.comparison.test.family import TYPES, LossFamily, least_of
from abalo.comparison.test.label_losses import (
    F1,
    LABEL_F1,
    PRECISION,
    RECALL,
    LabelTable,
    Weighed,
    label_tests,
    moved_in,
    pool_labels,
    shifted_labels,
)
from abalo.comparison.test.subjects import CaseSubject
from abalo.core.documents.losses_found import ShiftedLabel
from abalo.core.records.gate import Gate
from abalo.core.statistics.losses import (
    Draws,
    Hypothesis,
    Loss,
    Moved,
    judge_losses,
)
from abalo.core.statistics.metrics import Share
from abalo.core.statistics.pairing import NotComparable
from abalo.core.statistics.verdicts import FEWEST_HOLDING


class ByLabel:
    """The hypotheses about labels: on the clean corpus, and pooled over cases.

    ``reason`` tells why there are none; "" if there are.
    """

    def __init__(self, clean: CaseSubject, family: LossFamily, draws: Draws) -> None:
        self._clean, self._family, self._draws = clean, family, draws
        self._table: LabelTable | None = None
        self._pooled: list[LabelTable] = []
        self.reason, self.pooled = "", list[Hypothesis]()
        try:
            self._table = clean.labels()
        except NotComparable as error:
            self.reason = str(error)
        self.clean = [] if self._table is None else self._tests(self._table, F1, clean)

    def _tests(self, table: LabelTable, value: Share, subject: CaseSubject, metric: str = LABEL_F1) -> list[Hypothesis]:
        def row(label: str) -> Loss:
            return subject.label_row(label, metric)

        return [*label_tests(table, value, self._draws, self._family.least, row)]

    def pool(self, cases: Sequence[tuple[CaseSubject, float]], least: int = FEWEST_HOLDING) -> None:
        if self.reason or not cases:
            return
        try:
            tables = [(each.labels(), weight) for each, weight in cases]
        except NotComparable as error:
            self.reason = str(error)
            return
        name = f"{self._family.task.name}/{TYPES}"
        self._pooled = [own for own, _ in tables if own is not None]
        table = pool_labels(name, [Weighed(own, weight) for own, weight in tables if own is not None], least)
        if table is None:
            return
        kept = [k for k, count in enumerate(table.holding) if count]
        if len(kept) > 1:
            limit = self._family.gate.label_limit

            def row(label: str) -> Loss:
                return Loss(name, label, LABEL_F1, limit, "can't tell", usual=limit)

            self.pooled = [*label_tests(table.with_labels(kept), F1, self._draws, self._family.least, row)]

    def moved(self, loss: Loss) -> tuple[Moved, ...]:
        """Returns the moves of a regressed label's answers, on the clean corpus or over the cases."""
        if loss.state != "regressed" or loss.group is None:
            return ()
        return moved_in(self._clean_tables if loss.case == self._clean.case.id else self._pooled, loss.group)

    def lost(self, label: str) -> list[Moved]:
        """Returns the labels that a label's places have now on the clean corpus."""
        # A list, since the default of `LabelCount.moved`, (), is not written.
        return [each for each in moved_in(self._clean_tables, label) if each.source == label]

    @property
    def _clean_tables(self) -> list[LabelTable]:
        return [] if self._table is None else [self._table]

    def shifted(self, losses: Sequence[Loss], missed: Set[str], level: float, gate: Gate) -> tuple[ShiftedLabel, ...]:
        """A family of its own, which takes nothing from the losses."""
        table = self._table
        if table is None or table.same_answers or table.whole:
            return ()
        needed = least_of([count for count in table.holding for _ in range(2)], level)
        kept = [k for k, count in enumerate(table.holding) if count >= needed]
        own = table.with_labels(kept)
        tests = [
            test
            for name, value in (("recall", RECALL), ("precision", PRECISION))
            for test in self._tests(own, value, self._clean, name)
        ]
        blocking = [Hypothesis(replace(test.loss, blocking=True), test.draws, test.few, test.most) for test in tests]
        clean = self._clean.case.id
        fallen = {loss.group for loss in losses if loss.case == clean and loss.state == "regressed"}
        known = {*missed, *(str(label) for label in fallen)}
        return tuple(shifted_labels(judge_losses(blocking, level, level, gate), table, [*known]))
