"""Runs the cases of a panel together, part by part."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from abalo.core.protocols.budget import Deadline, OutOfTimeError
from abalo.core.protocols.probe import Case, Ran
from abalo.core.protocols.task import Task
from abalo.core.records.words import count
from abalo.core.running.engine import CaseRun, Engine
from abalo.core.running.trainings import together
from abalo.core.statistics.evidence import Evidence, join_trainings
from abalo.core.statistics.panel import Panel, PanelNotes, order_clusters
from abalo.errors import AbaloError

AtPart = Callable[[int, Mapping[str, Evidence]], bool]


@dataclass(frozen=True, slots=True, eq=False)
class PanelRun:
    """The cases of a panel by id."""

    cases: Mapping[str, CaseRun]
    seen: int
    each: int


def run_panel(
    panel: Panel, cases: Sequence[Case], engines: Sequence[Engine], task: Task, deadline: Deadline, at_part: AtPart
) -> PanelRun:
    """Runs a panel until the end, the deadline or a stop; raises `AbaloError` if no part is finished."""
    whole = [_Parts(case, engine, panel) for case in cases for engine in engines]
    seen, dealt, models = 0, 0, [engine.model for engine in engines]
    try:
        with deadline.kept_by(models):
            for end, groups in panel.parts:
                for each in whole:
                    deadline.check()
                    each.go_on(end, groups)
                for each in whole:
                    each.keep(end)
                seen, dealt = end, groups
                if at_part(seen, _joined(whole, engines)):
                    break
    except AbaloError as error:
        if not (deadline.over or isinstance(error, OutOfTimeError)):
            raise
        if not seen:
            raise AbaloError(
                f"--abalo-budget: the time was over before the first {count(panel.parts[0][0], 'sentence')} were "
                f"seen in {count(len(cases), 'case')}; give more time"
            ) from error
    runs = [each.finished() for each in whole]
    by_case = [runs[k : k + len(engines)] for k in range(0, len(runs), len(engines))]
    found = {own[0].case.id: own[0] if len(own) == 1 else together(own, task) for own in by_case}
    return PanelRun(found, seen, dealt)


def _joined(parts: Sequence[_Parts], engines: Sequence[Engine]) -> dict[str, Evidence]:
    found: dict[str, list[Evidence]] = {}
    for each in parts:
        found.setdefault(each.case.id, []).append(each.evidence)
    return {case: own[0] if len(engines) == 1 else join_trainings(own) for case, own in found.items()}


class _Parts:
    def __init__(self, case: Case, engine: Engine, panel: Panel) -> None:
        begun = case.probe.begun(case, engine)
        if begun is None:
            raise AbaloError(f"{case.id}: cannot be part of a panel, since it is run whole; leave it out")
        self.case, self._engine, self._begun, self._panel = case, engine, begun, panel
        clusters = [example.cluster for example in engine.examples]
        ranks = {cluster: rank for rank, cluster in enumerate(order_clusters(clusters, panel.seed))}
        drawn = panel.layers_by_case(clusters)[case.id]
        self._left = [
            (place, ranks[example.cluster], drawn[example.cluster])
            for place, example in enumerate(begun.examples)
            if example.cluster in drawn
        ]
        self._seconds = 0.0
        self._ran: Ran = begun.ran()

    def go_on(self, end: int, groups: int) -> None:
        started = time.perf_counter()
        new = [place for place, rank, layer in self._left if rank < end and layer < groups]
        if new:
            self._begun.take(new, self._begun.seeds)
        self._left = [each for each in self._left if each[1] >= end or each[2] >= groups]
        self._seconds += time.perf_counter() - started

    def keep(self, seen: int) -> None:
        self._ran = self._begun.ran()
        found = self._engine.evidence(self.case, self._ran)
        panel = self._panel
        notes = PanelNotes(len(panel.cases), seen, panel.sentences, panel.looks).to_json()
        self.evidence = replace(found, notes={**found.notes, **notes})

    def finished(self) -> CaseRun:
        return self._engine.finished(self.case, self._ran, self._seconds, self.evidence)
