"""The engine of a run: one task, one corpus and one model, ready to run cases and to judge them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from abalo.core.ahead import Ahead
from abalo.core.evidence import Evidence, collect
from abalo.core.example import Example, Json
from abalo.core.gate import AUTO, SEVERAL, UNDETERMINED, Gate
from abalo.core.judging import Judged, judged
from abalo.core.noise import flip_metric, noted
from abalo.core.options import RunOptions
from abalo.core.plan import BASELINE, Parameters
from abalo.core.predictor import Predictor
from abalo.core.preflight import Preflight, asked_twice, refuse_random
from abalo.core.probe import Case, OpenLog, Ran, probes
from abalo.core.task import Resources, Task, tasks
from abalo.core.units import units
from abalo.errors import AbaloError
from perturbations.function_words import language_of as language_by_words

TAKEN = "taken"
"""The field of a result, in a run whose cases may stop early, that says how far this one went; None where it is run
whole."""


@dataclass(frozen=True, slots=True, eq=False)
class CaseRun:
    """A case that has been run.

    ``evidence`` is all that judging needs. ``facts`` are the fields of its result that do not depend on judging.
    ``examples`` are the outcomes that lost most, ``records`` all that are wrong clean or changed, as JSON values; both
    empty where text is withheld.
    """

    case: Case
    evidence: Evidence
    facts: Json
    examples: Sequence[Json] = ()
    records: Sequence[Json] = ()


@dataclass(eq=False)
class Engine:
    """One task, one corpus, one model.

    ``seeds`` are those of the run, by default those of the gate. ``options`` are further settings, from the command
    line or the caller. ``store`` is a folder that several processes share for clean predictions. Without ``with_text``
    nothing that quotes the corpus is kept.
    """

    task: Task
    corpus: Any
    model: Any
    gate: Gate = field(default_factory=Gate)
    seeds: tuple[int, ...] = ()
    options: RunOptions = field(default_factory=RunOptions)
    store: Path | None = None
    with_text: bool = True
    open_log: OpenLog | None = None

    def __post_init__(self) -> None:
        self.seeds = self.seeds or self.gate.seeds
        floor = self.task.metrics()[self.task.floor]
        if not floor.more_is_better:
            raise AbaloError(
                f"task {self.task.name}: its floor, {floor.name}, has more_is_better=False; expected a metric of which "
                "more is better, since a smaller value counts as a loss"
            )

    @cached_property
    def predictor(self) -> Predictor[Any, Any]:
        """The model with what it has predicted so far: a first batch, by which it is seen that it can be judged.

        Raises `AbaloError` where it cannot: it cannot predict, or it is random and the option ``allow_random`` is off.
        """
        made = self.task.predictor(self.model, self.corpus, self.store)
        made.with_text = self.quotes
        found = made.preflight(twice=asked_twice(self.model, self.options))
        if not self.options.allow_random:
            refuse_random(self.model, found, self.task.noun)
        return made

    @property
    def quotes(self) -> bool:
        """Whether messages may quote the corpus: not if the options withhold its text."""
        return self.options.with_text

    @cached_property
    def noise(self) -> Mapping[str, int]:
        """The notes about the noise of the model, by a second pass over the clean corpus."""
        predictor = self.predictor
        return noted(self.task, self.examples, predictor.clean(), predictor.again(), predictor.scale())

    @property
    def preflight(self) -> Preflight:
        """The first batch of the clean corpus: whether the model says the same twice, and how fast it is."""
        return self.predictor.preflight()

    def identity(self) -> Json:
        """The facts about the model that tell it from others, beside its fingerprint; predicts the clean corpus.

        ``unanswered`` is there if the model gave no valid prediction for some inputs: their share, ``asked`` the number
        of all.
        """
        unanswered, asked = self.predictor.unanswered_of()
        return {
            "version": getattr(self.model, "version", None),
            "predictions": self.predictor.digest(),
            "differing": self.preflight.share,
            "black_box": bool(getattr(self.model, "black_box", True)),
            **({"unanswered": unanswered / asked, "asked": asked} if unanswered else {}),
        }

    @cached_property
    def resources(self) -> Resources:
        """The resources that perturbations can request."""
        return self.task.resources(self.corpus, self.model, self.options, self.language)

    @cached_property
    def language(self) -> str:
        """The language of the corpus: that of the gate, else found by its words."""
        return language_of(self.corpus, self.gate)

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        """The examples of the corpus, in order."""
        return tuple(self.corpus.examples)

    def seeds_of(self, case: Case) -> tuple[int, ...]:
        """The seeds of a case: its own, else those of the run, no more than the profile of the run wants."""
        return (self.seeds if case.seeds is None else case.seeds)[: self.options.most_seeds]

    def run(self, case: Case, search: Any = None, following: Case | None = None) -> CaseRun:
        """The case, run and counted, as `ran` has it. Raises `AbaloError` where a case cannot be run."""
        ran, seconds = self.ran(case, search, following)
        started = time.perf_counter()
        evidence = self.evidence(case, ran)
        return self.finished(case, ran, seconds + time.perf_counter() - started, evidence)

    def ran(self, case: Case, search: Any = None, following: Case | None = None) -> tuple[Ran, float]:
        """The outcomes of a case, and the seconds that it took; ``search`` is as the probe of the case has it.

        Then the model is asked about the ``following`` case, if it is known and can be run ahead. Nothing else may ask
        the model until that case is run, or the session closed.
        """
        found = self._ahead.result(case.id) or self._timed(case, search)
        if following is not None and following.probe.ahead(following.plan):
            self._ahead.begin(following.id, partial(self._timed, following))
        return found

    def _timed(self, case: Case, search: Any = None) -> tuple[Ran, float]:
        started = time.perf_counter()
        _ = self._noise_of(case)  # before the case that runs ahead asks the model
        ran = case.probe.run(case, self, search)
        return ran, time.perf_counter() - started

    @cached_property
    def _ahead(self) -> Ahead[tuple[Ran, float]]:
        return Ahead(self.model)

    def close(self) -> None:
        """Stops what is run ahead."""
        self._ahead.close()

    def finished(self, case: Case, ran: Ran, seconds: float, evidence: Evidence) -> CaseRun:
        """The case with its facts and examples, once all of it has been run that is run; it took so many seconds."""
        of_task = units(case.probe, self.task).result_facts(ran.outcomes, with_text=self.with_text)
        facts = {**self._facts(case, ran, seconds), **of_task, **ran.facts}
        if not self.with_text:
            return CaseRun(case, evidence, facts)
        shown = units(case.probe, self.task)
        examples = shown.examples(ran.outcomes, case)
        return CaseRun(case, evidence, facts, examples, [*shown.records(ran.outcomes)])

    def judge(
        self, case: Case, blocking_bounds: int = 1, search: Any = None, following: Case | None = None
    ) -> tuple[CaseRun, Judged]:
        """The case, run and judged, corrected for so many bounds."""
        ran = self.run(case, search, following)
        return ran, judged(case, self.task, ran.evidence, self.gate, blocking_bounds)

    def baseline(self) -> Case:
        """The case that measures the clean corpus, without bounds."""
        return baseline_of(self.task)

    def evidence(self, case: Case, ran: Ran) -> Evidence:
        """The counts of the outcomes of a case."""
        groups = self.groups_of(case, ran)
        return collect(
            ran.outcomes,
            groups,
            units(case.probe, self.task).held(ran.outcomes, groups),
            case.probe.metrics(self.task).values(),
            self.task.views,
            alike=all(map(self.task.views_agree, ran.outcomes)),
            notes={**ran.notes, **self._noise_of(case)},
        )

    def measures_noise(self, case: Case) -> bool:
        """Whether the noise of the model stands beside flips of the case: if the model may be random."""
        if not self.options.allow_random or not case.probe.perturbs:
            return False
        flips = any(metric.flips for metric in case.probe.metrics(self.task).values())
        return flips and flip_metric(self.task) is not None

    def _noise_of(self, case: Case) -> Mapping[str, int]:
        return self.noise if self.measures_noise(case) else {}

    def _graded(self, metric: str) -> str:
        """The metric, or the one in place of it if no example has a label."""
        other = self.task.graded.get(metric)
        return metric if other is None or any(example.gold for example in self.examples) else other

    def groups_of(self, case: Case, ran: Ran) -> list[str]:
        """The groups that the outcomes of a case are counted by."""
        return units(case.probe, self.task).groups(ran.outcomes)

    def _facts(self, case: Case, ran: Ran, seconds: float) -> Json:
        absent: Json = {}
        for probe in probes().values():
            absent |= probe.result_fields
        for task in tasks().values():
            absent |= task.report.result_fields
        return {
            "id": case.id,
            "task": case.task,
            "probe": case.probe.name,
            "perturbation": case.name,
            "headline": self._graded(case.probe.headline(self.task)),
            **absent,
            "params": dict(ran.params),
            "blocking": case.blocking,
            "seeds": list(ran.seeds),
            **ran.sizes,
            "seconds": round(seconds, 3),
            "forwards": ran.forwards,
            "shared_forwards": ran.shared_forwards,
            **({TAKEN: None} if self.options.stop_early else {}),
        }


def language_of(corpus: Any, gate: Gate) -> str:
    """The language that the gate says; else the one that all examples name, `SEVERAL` if they differ; else by words."""
    if gate.language != AUTO:
        return gate.language
    named = {example.language for example in corpus.examples}
    if named and None not in named:
        return SEVERAL if len(named) > 1 else str(*named)
    return language_by_words([each for example in corpus.examples for each in example.fields.values()]) or UNDETERMINED


def baseline_of(task: Task) -> Case:
    """The case that measures the clean corpus of a task, without bounds."""
    return Case(task.name, BASELINE, probes()[BASELINE], Parameters(), task.usual_view, task.usual_view)
