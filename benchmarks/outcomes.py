"""The outcome of a run that is compared with a reference: exit code, headline and what regressed, as a gate has them.

The document is made by the functions that make it for pytest, from evidence alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo import Session
from abalo.bundled import CASES, bundled_path
from abalo.config.thresholds import Thresholds, load
from abalo.core.documents.document import Document, TaskFacts
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task, tasks
from abalo.core.records import json_records as typed
from abalo.core.records.example import JsonObject
from abalo.core.running.clean_score import LEAST, clean_score
from abalo.core.statistics.evidence import Evidence, put_together, read, to_bytes
from abalo.core.statistics.plan import BASELINE
from abalo.reporting.documents.conclusion import Conclusion, conclude
from abalo.reporting.runs.finished import Run
from abalo.reporting.runs.reference import Reference, comparison

RESAMPLES = 2_000
"""Fewer than in a run of the gate, since a simulation makes hundreds of comparisons."""

SEEDS = (1,)
"""The seeds of the cases: one, since a simulation compares the same cases hundreds of times."""

TODAY = date(2026, 1, 1)

PARTS = ("clean corpus", "mean", "cases", "labels", "lost labels")
"""The parts of a comparison that can end a run with exit code 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The run of one model: its task, the evidence by case, and the facts of the task as its report has them."""

    task: Task
    evidence: Mapping[str, Evidence]
    facts: JsonObject

    def write(self, path: Path) -> None:
        """Writes the evidence to a file, and the facts beside it."""
        path.with_suffix(".json").write_text(json.dumps({"task": self.task.name, "facts": self.facts}), "utf-8")
        path.write_bytes(to_bytes(self.evidence))


def read_side(path: Path) -> Side:
    """The run that `Side.write` wrote."""
    told = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return Side(tasks()[told["task"]], read(path), told["facts"])


def side_of(session: Session, cases: Iterable[Case]) -> Side:
    """Runs the clean corpus and the cases."""
    clean, engine = session.baseline, session.prepared.engine
    found = {case.id: engine.run(case).evidence for case in cases if case.name != BASELINE}
    return Side(
        session.task, {clean.case.id: clean.evidence, **found}, session.prepared.facts["tasks"][session.task.name]
    )


def compared_cases(session: Session) -> list[Case]:
    """The cases that ship and that a comparison is about, without attacks on entities, which take minutes."""
    found = [case for case in session.cases() if case.probe.compared_by(session.task) or case.max_losses]
    return [case for case in found if session.task.name != "ner" or case.probe.name != "attack"]


def thresholds(task: Task, **gate: Any) -> Thresholds:
    """The cases of a task in the file that ships, with fewer resamples and these values of its gate."""
    shipped = load(bundled_path(CASES))
    cases = tuple(case for case in shipped.cases if case.task == task.name)
    return replace(shipped, cases=cases, gate=replace(shipped.gate, **{"resamples": RESAMPLES, **gate}))


class Both:
    """The evidence of two models in one case, to be mixed by ``clusters``."""

    def __init__(self, clusters: NDArray[np.str_], one: Evidence, other: Evidence) -> None:
        units = len(one) + len(other)
        self._both = replace(put_together([one, other], range(units)), notes=one.notes)
        self._places = np.searchsorted(clusters, self._both.clusters)
        self._of_one = np.arange(units) < len(one)

    def mixed(self, from_one: NDArray[np.bool_]) -> Evidence:
        """The evidence of a model that has these clusters from the first model and the others from the second."""
        return self._both.only(from_one[self._places] == self._of_one)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """How a run ends, and the comparison of its task."""

    conclusion: Conclusion
    compared: JsonObject

    @property
    def regressed(self) -> Sequence[str]:
        """The parts of the comparison that failed the run, some of `PARTS`."""
        own = self.compared
        lost = [each for each in own["losses"] if each["state"] == "regressed" and each["blocking"]]
        failed = (
            own["baseline"]["state"] == "regressed",
            own["mean"] is not None and own["mean"]["state"] == "regressed",
            any(each["type"] is None for each in lost),
            any(each["type"] is not None for each in lost),
            bool(own["lost"]),
        )
        return [part for part, fails in zip(PARTS, failed, strict=True) if fails]


def outcome(new: Side, reference: Side, by: Thresholds) -> Outcome:
    """The outcome of a run that is compared with another and judged by its clean score besides.

    Cases of ``by`` that were not run count nowhere, as if the thresholds file did not have them.
    """
    task = new.task
    by = replace(by, cases=tuple(case for case in by.cases if case.id in new.evidence))
    here, there = _called("new", new), _called("reference", reference)
    against = Reference(
        "reference", Run(typed.read(Document, {"tasks": {task.name: there}, "results": []}), reference.evidence), {}
    )
    found = typed.as_json(
        comparison(
            {name: typed.read(TaskFacts, own) for name, own in {task.name: here}.items()},
            new.evidence,
            by,
            against,
            TODAY,
        )
    )
    clean = by.clean(task)
    score = clean_score(task, clean, new.evidence[clean.id], by.gate, here["corpus"])
    told = {
        "errors": [],
        "regressions": [],
        "results": [],
        "complete": True,
        "tasks": {task.name: {**here, "baseline": {**here["baseline"], LEAST: score.facts}}},
        "gate": {"inconclusive": by.gate.inconclusive},
        "comparison": found,
    }
    return Outcome(conclude(typed.read(Document, told)), found["tasks"][task.name])


def _called(fingerprint: str, side: Side) -> JsonObject:
    """The facts of a side under a fingerprint that no other has."""
    return {**side.facts, "model": {**side.facts["model"], "fingerprint": fingerprint}}


def counted(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """The columns of a table: how many runs there are, and in per cent how they end and which parts fail them."""

    def share(which: Callable[[Outcome], bool]) -> float:
        return round(100 * sum(map(which, outcomes)) / len(outcomes), 1)

    return {
        "runs": len(outcomes),
        **{f"exit {code} (%)": share(lambda each, code=code: each.conclusion.exit_code == code) for code in (1, 0, 10)},
        **{
            f"{headline} (%)": share(lambda each, headline=headline: each.conclusion.headline == headline)
            for headline in ("PASS", "OK")
        },
        **{f"{part} (%)": share(lambda each, part=part: part in each.regressed) for part in PARTS},
    }
