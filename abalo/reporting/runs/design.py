"""The design of a run with a budget, from choice to report."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import NormalDist

from abalo.comparison.test.family import MEAN_PART
from abalo.comparison.test.foresight import CHURN, churn_seen, foreseen_panel
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import DesignFacts, DetectableLosses, TaskFacts
from abalo.core.protocols.budget import Budget, UnaffordableError
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import as_json
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.losses import Loss
from abalo.core.statistics.panel import Panel, PanelNotes, sizes
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import POWER
from abalo.errors import AbaloError, visible
from abalo.reporting.formats.files import JSON_NAME
from abalo.reporting.runs.finished import read_document
from abalo.reporting.runs.reference import Reference, folder_of, mean_so_far

MEAN_STOP, OUT_OF_REACH, TIME = "mean", "out of reach", "time"
"""Why a panel stopped: loss found, loss unlikely to be found, time over."""

GIVE_UP = 0.1
"""Least probability of finding the loss `sought` to go on."""


def sought(gate: Gate) -> float:
    """Returns the mean loss to find: four times the limit, at least 0.02."""
    return max(0.02, 4 * gate.mean_limit)


@dataclass(slots=True, eq=False)
class Design:
    """The design of a task, and its progress.

    Args:
        of: Distinct sentences of the corpus.
        inputs: Most model inputs needed.
        budget: None for an earlier run's design.
        left_out: Cases outside the panel.
        until: Sentences after which the run ends.
        larger: Model inputs of the next larger panel, if any.
    """

    task: Task
    panel: Panel
    of: int
    inputs: int
    budget: Budget | None
    left_out: tuple[str, ...]
    until: int
    larger: int | None = None
    seen: int = field(default=0, init=False)
    stopped: str | None = field(default=None, init=False)
    foreseen: tuple[DetectableLosses, ...] = field(default=(), init=False)

    @property
    def facts(self) -> JsonObject:
        return {
            **as_json(self.panel),
            "budget": None if self.budget is None else self.budget.text,
            "of": self.of,
            "seen": self.seen,
            "stopped": self.stopped,
            "inputs": self.inputs,
            "detectable_loss": self.foreseen,
            "left_out": list(self.left_out),
        }

    def __str__(self) -> str:
        panel, noun = self.panel, self.task.noun
        return (
            f"design: {panel.sentences:,} of {self.of:,} distinct {noun}s, each in {panel.each} of "
            f"{words.count(len(panel.groups), 'group')} of cases; at most {self.inputs:,} inputs"
            + (f" (the next larger design needs {self.larger:,})" if self.larger is not None else "")
        )

    def foresee(self, reference: Reference, thresholds: Thresholds) -> str:
        """Predicts from the accepted run which losses the panel will find."""
        gate, cases = thresholds.gate, [each for each in thresholds.cases if each.task == self.task.name]
        evidence, churn = reference.run.evidence, CHURN
        last = None if (before := reference.run.document.comparison) is None else before.tasks.get(self.task.name)
        mean = None if last is None else last.mean
        if mean is not None and mean.value is not None and mean.high is not None and mean.level:
            se = (mean.high - mean.value) / -NormalDist().inv_cdf(mean.level)
            if se > 0:
                churn = churn_seen(self.task, evidence, cases, gate, se, mean.value)
        found = foreseen_panel(self.task, evidence, cases, gate, self.panel, churn)
        self.foreseen = (found,)
        return f"expected: {_seen_in_words(found, gate)}"

    def look(
        self,
        seen: int,
        evidence: Mapping[str, Evidence],
        own: TaskFacts,
        reference: Reference,
        thresholds: Thresholds,
    ) -> tuple[str, bool]:
        """Returns a message after ``seen`` sentences, "" for none, and whether the run stops.

        The message reveals the standard error of the loss, not the loss.
        """
        first, last = len(self.foreseen) < 2, seen >= self.panel.sentences
        if last or not (first or self.panel.looks > 1):
            return "", False
        mean, gate = mean_so_far(self.task, own, evidence, reference, thresholds), thresholds.gate
        if mean is None:
            return "", False
        said = ""
        se = mean.loss.se * math.sqrt(seen / self.panel.sentences)
        if first and se > 0:
            reach = NormalDist().inv_cdf(1 - self._final_level(gate)) + NormalDist().inv_cdf(POWER)
            before, allowed = self.foreseen[0], gate.max_loss
            found = DetectableLosses(seen, gate.mean_limit + reach * se, None, None)
            if before.mean is not None:
                ratio = reach * se / max(before.mean - gate.mean_limit, 1e-9)
                types, cases = (
                    None if each is None else allowed + (each - allowed) * ratio
                    for each in (before.types, before.cases)
                )
                found = replace(found, types=types, cases=cases)
            self.foreseen = (*self.foreseen, found)
            said = f"after {seen:,} {self.task.noun}s: {_seen_in_words(found, gate)}"
        if self.panel.looks == 1:
            return said, False
        if mean.state == "regressed":
            self.stopped = MEAN_STOP
        elif mean.level and se > 0 and self._chance(mean, seen, se, gate) < GIVE_UP:
            self.stopped = OUT_OF_REACH
        return said, self.stopped is not None

    def _final_level(self, gate: Gate) -> float:
        notes = PanelNotes(0, self.panel.sentences, self.panel.sentences, self.panel.looks)
        return notes.level((1 - gate.confidence) / 2 * (MEAN_PART if gate.correction != "none" else 1))

    def _chance(self, mean: Loss, seen: int, se: float, gate: Gate) -> float:
        """``se`` is the standard error at the end."""
        return chance_to_find(
            (mean.loss.value - gate.mean_limit) / se,
            (sought(gate) - gate.mean_limit) / se,
            seen / self.panel.sentences,
            -NormalDist().inv_cdf(self._final_level(gate)),
        )


def chance_to_find(found: float, true: float, share: float, boundary: float) -> float:
    """Returns the conditional power of the last look [Jennison & Turnbull 2000, 10.2].

    Excesses over the limit and ``boundary`` are in standard errors at the end; ``share`` of the sentences seen is
    between 0
    and 1.
    """
    expected = share * found + (1 - share) * true
    return 1 - NormalDist().cdf((boundary - expected) / math.sqrt(1 - share))


def _seen_in_words(found: DetectableLosses, gate: Gate) -> str:
    if found.mean is None:
        return "the reference does not say what will be seen"
    said = f"a true mean loss of {found.mean:.3f} is found beyond {gate.mean_limit:g} in 80 % of runs"
    for name, value in (("types", found.types), ("single cases", found.cases)):
        said += f"; {name} not judged" if value is None else f"; {name} {value:.2f}"
    return said


def read_design(path: Path, task: Task) -> DesignFacts:
    """Reads an earlier run's design; raises `AbaloError` if it has none."""
    path = folder_of(path) / JSON_NAME
    own = read_document(path).tasks.get(task.name)
    if own is None or own.design is None:
        raise AbaloError(
            f"--abalo-design {path}: has no design of {task.name}; expected the report of a run with --abalo-budget"
        )
    return own.design


def panel_of(design: DesignFacts, named: Path, distinct: int, cases: Collection[str]) -> Panel:
    """Returns the panel of ``--abalo-design``; raises `UnaffordableError` if corpus or cases do not fit."""
    groups = design.groups
    fits = {sentences for sentences, _ in sizes(distinct, len(groups))}
    strangers = sorted({*design.cases} - {*cases})
    found = (
        f"has {design.sentences:,} distinct sentences; the corpus has {distinct:,}"
        if design.sentences not in fits
        else f"has {visible(strangers[0])}, which is no case of the thresholds"
        if strangers
        else f"has each sentence in {design.each} of {len(groups)} groups of cases"
        if not 1 <= design.each <= len(groups)
        else None
    )
    if found is not None:
        raise UnaffordableError(
            f"--abalo-design {named}: {found}; expected the design of a run on this corpus with these thresholds; "
            "make one with --abalo-budget"
        )
    return design


def check_shared(reference: Reference, task: Task, clusters: Set[str]) -> None:
    """Raises `UnaffordableError` if the accepted run shares no sentence with the panel."""
    clean = reference.run.evidence.get(f"{task.name}/{BASELINE}")
    if clean is not None and clusters.isdisjoint(clean.clusters.tolist()):
        raise UnaffordableError(
            f"reference {reference.name}: was accepted on another corpus: none of the {len(clusters):,} {task.noun}s "
            f"of the design is in it; give the corpus of the accepted run, or accept a run on this one"
        )


def left_out_of(groups: Sequence[Sequence[str]], task: Task, thresholds: Thresholds) -> tuple[str, ...]:
    """Returns the cases outside a panel of these groups, except deep ones."""
    inside = {case for group in groups for case in group}
    every = (case for case in thresholds.cases if case.task == task.name and not case.deep and case.probe.perturbs)
    return tuple(case.id for case in every if case.id not in inside and thresholds.skipped(case) is None)
