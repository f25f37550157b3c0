"""The engine of a run: one task, one corpus, one model."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from abalo.core.protocols.options import RunOptions, seeds_at_most
from abalo.core.protocols.predictor import LEFT_OUT as CALLS_LEFT_OUT
from abalo.core.protocols.predictor import Predictor, calls_of
from abalo.core.protocols.preflight import Preflight, size
from abalo.core.protocols.probe import Again, Case, OpenLog, Ran, baseline_of, metrics_of
from abalo.core.protocols.task import AnyCorpus, ResourceFinder, Task
from abalo.core.protocols.units import units
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.gate import AUTO, SEVERAL, UNDETERMINED, Gate
from abalo.core.records.outcome import Outcome
from abalo.core.running.ahead import Ahead
from abalo.core.running.judging import Judged, judge_case
from abalo.core.running.noise import COUNTS, compare_repeats, flip_metric, noise_notes
from abalo.core.statistics.evidence import LEFT_OUT, REPEATS, Evidence, collect
from abalo.core.statistics.repeating import USUAL, add_repeats, draws
from abalo.errors import AbaloError
from perturbations.function_words import language_of as language_by_words

TAKEN = "taken"


CALLS = "calls"


@dataclass(frozen=True, slots=True, eq=False)
class CaseRun:
    """A case that has run; ``examples`` and ``records`` are empty if text is withheld."""

    case: Case
    evidence: Evidence
    facts: JsonObject
    examples: Sequence[JsonObject] = ()
    records: Sequence[JsonObject] = ()


@dataclass(eq=False)
class Engine:
    """One task, one corpus, one model.

    Processes share clean predictions in ``store``. Only ``with_text`` keeps quotes of the corpus.
    """

    task: Task
    corpus: AnyCorpus
    model: Any
    gate: Gate = field(default_factory=Gate)
    seeds: tuple[int, ...] = ()
    options: RunOptions = field(default_factory=RunOptions)
    store: Path | None = None
    with_text: bool = True
    open_log: OpenLog | None = None
    repeat: int = 0

    def __post_init__(self) -> None:
        self._calls_before: Mapping[str, int] = {}
        self.seeds = (self.seeds or self.gate.seeds)[: seeds_at_most(self.options)]
        floor = self.task.metrics()[self.task.floor]
        if not floor.more_is_better:
            raise AbaloError(
                f"task {self.task.name}: its floor, {floor.name}, has more_is_better=False; expected a metric of which "
                "more is better, since a smaller value counts as a loss"
            )

    @cached_property
    def predictor(self) -> Predictor[Any, Any]:
        """The model with its predictions; raises `AbaloError` if it cannot predict."""
        made = self.task.predictor(self.model, self.corpus, self.store)
        made.with_text, made.repeat = self.quotes, self.repeat
        if not self.repeat:
            made.preflight(twice=draws(self.model) is None, size=size(self.model))
        return made

    @cached_property
    def draws(self) -> bool:
        """Whether outputs are random."""
        own = draws(self.model)
        return bool(self.preflight.differing) if own is None else own

    @cached_property
    def repeats(self) -> int:
        """How often each input is asked; by default 3 times if the model is random."""
        if self.repeat or not self.draws:
            return 1
        asked = self.options.repeats or self.gate.repeats or USUAL
        if asked > 1 and (self.options.stop_early or self.options.designed is not None):
            name = "--abalo-stop-early" if self.options.stop_early else "a run with a budget or a design"
            raise AbaloError(
                f"model {self.model.name}: draws its outputs, so each input is put to it {asked} times, which "
                f"{name} does not do; leave it out"
            )
        return asked

    @cached_property
    def _repeated(self) -> Sequence[Engine]:
        others = [replace(self, repeat=index, open_log=None) for index in range(1, self.repeats + 1)]
        shared = {} if type(self.task).resources is Task.resources else {"resources": self.resources}
        for each in others:
            vars(each).update(shared, language=self.language, examples=self.examples)
        return [self, *others]

    def without_logs(self) -> Engine:
        """The same engine for searches that leave no trace."""
        other = replace(self, open_log=None)
        vars(other).update(predictor=self.predictor, resources=self.resources, language=self.language)
        return other

    @property
    def quotes(self) -> bool:
        """Whether messages may quote the corpus."""
        return self.options.with_text

    @cached_property
    def noise(self) -> Mapping[str, int]:
        """Notes about noise between two repeats."""
        first, second = (each.predictor for each in self._repeated[:2])
        return noise_notes(self.task, self.examples, first.clean(), second.clean(), first.scale())

    @property
    def preflight(self) -> Preflight:
        """The first batch, which shows speed and determinism."""
        return self.predictor.preflight()

    def identity(self) -> JsonObject:
        """Facts about the model besides its fingerprint."""
        unanswered, asked = self.predictor.unanswered_of()
        return {
            "version": getattr(self.model, "version", None),
            "predictions": self.predictor.digest(),
            "differing": self.preflight.share,
            "black_box": bool(getattr(self.model, "black_box", True)),
            **({"unanswered": unanswered / asked, "asked": asked} if unanswered else {}),
            **({"repeats": self.repeats} if self.draws else {}),
            **({CALLS: calls} if (calls := dict(self.predictor.calls())) else {}),
        }

    @cached_property
    def resources(self) -> ResourceFinder:
        return self.task.resources(self.corpus, self.model, self.options, self.language)

    @cached_property
    def language(self) -> str:
        """The language of the corpus, as `language_of` finds it."""
        return language_of(self.corpus, self.gate)

    @cached_property
    def examples(self) -> tuple[Example, ...]:
        return tuple(self.corpus.examples)

    def seeds_of(self, case: Case) -> tuple[int, ...]:
        return (self.seeds if case.seeds is None else case.seeds)[: seeds_at_most(self.options)]

    def run(self, case: Case, search: object = None, following: Case | None = None) -> CaseRun:
        """Runs and counts a case; raises `AbaloError` if it cannot run."""
        ran, seconds = self.ran(case, search, following)
        started = time.perf_counter()
        ran = self._joined(case, ran)
        evidence = self.evidence(case, ran)
        return self.finished(case, ran, seconds + time.perf_counter() - started, evidence)

    def ran(self, case: Case, search: object = None, following: Case | None = None) -> tuple[Ran, float]:
        """The outcomes of a case and the seconds taken.

        Ask the model nothing else until the ``following`` case, which may run ahead, has run.
        """
        found = self._ahead.result(case.id) or self._timed(case, search)
        if following is not None and self.repeats == 1 and following.probe.ahead(following.plan):
            self._ahead.begin(following.id, partial(self._timed, following))
        return found

    def _timed(self, case: Case, search: object = None) -> tuple[Ran, float]:
        started = time.perf_counter()
        self._calls_before = calls_of(self.model)
        _ = self._noise_of(case)  # before the case that runs ahead asks the model
        ran = case.probe.run(case, self, search)
        return ran, time.perf_counter() - started

    @cached_property
    def _ahead(self) -> Ahead[tuple[Ran, float]]:
        return Ahead(self.model)

    def close(self) -> None:
        """Stops work ahead."""
        self._ahead.close()

    def finished(self, case: Case, ran: Ran, seconds: float, evidence: Evidence) -> CaseRun:
        """The case with facts and examples."""
        of_task = units(case.probe, self.task).result_facts(ran.outcomes, with_text=self.with_text)
        calls = {CALLS: dict(self._calls)} if self._calls else {}
        facts = {**self._facts(case, ran, seconds), **of_task, **ran.facts, **calls}
        if not self.with_text:
            return CaseRun(case, evidence, facts)
        shown = units(case.probe, self.task)
        examples = shown.examples(ran.outcomes, case)
        return CaseRun(case, evidence, facts, examples, [*shown.records(ran.outcomes)])

    def judge(
        self, case: Case, blocking_bounds: int = 1, search: object = None, following: Case | None = None
    ) -> tuple[CaseRun, Judged]:
        """Runs and judges a case, corrected for ``blocking_bounds``."""
        ran = self.run(case, search, following)
        return ran, judge_case(case, self.task, ran.evidence, self.gate, blocking_bounds)

    def baseline(self) -> Case:
        """The clean corpus as a case without bounds."""
        return baseline_of(self.task)

    def evidence(self, case: Case, ran: Ran) -> Evidence:
        """The counts of a case, summed over repeats."""
        found = self._added(case, ran)
        left_out = self._calls.get(CALLS_LEFT_OUT)
        return replace(found, notes={**found.notes, LEFT_OUT: left_out}) if left_out else found

    @property
    def _calls(self) -> Mapping[str, int]:
        return {name: number - self._calls_before.get(name, 0) for name, number in calls_of(self.model).items()}

    def _added(self, case: Case, ran: Ran) -> Evidence:
        first = self._counted(case, ran)
        if not self.draws:
            return first
        if self.repeats == 1 or not (case.probe.scored or ran.again):
            return replace(first, notes={**first.notes, REPEATS: self.repeats})
        if ran.again is not None:
            repeats = self._asked_again(case, ran, ran.again)
            found = add_repeats([self._counted(case, replace(ran, outcomes=each)) for each in repeats])
            return replace(found, notes={**found.notes, REPEATS: self.repeats})
        every = [ran, *(each.ran(case)[0] for each in self._repeated[1:-1])]
        found = add_repeats([first, *(self._counted(case, each) for each in every[1:])])
        metric = flip_metric(self.task) if case.probe.perturbs else None
        if metric is not None and metric.outputs is not None:
            table = compare_repeats(
                metric.outputs, [each.outcomes for each in every], len(found.groups), metric.distance
            )
            found = replace(found, tables={view: {**part, COUNTS: table} for view, part in found.tables.items()})
        return replace(found, notes={**found.notes, REPEATS: self.repeats})

    def _asked_again(self, case: Case, ran: Ran, again: Again) -> Sequence[Sequence[Outcome]]:
        if case.probe.variants_from_model(case):
            return [again(each.predictor) for each in self._repeated[1:]]
        return [ran.outcomes, *(again(each.predictor) for each in self._repeated[1:-1])]

    def _joined(self, case: Case, ran: Ran) -> Ran:
        if ran.again is None or ran.join is None or self.repeats == 1:
            return ran
        return ran.join(self._asked_again(case, ran, ran.again))

    def _counted(self, case: Case, ran: Ran) -> Evidence:
        groups = self.groups_of(case, ran)
        return collect(
            ran.outcomes,
            groups,
            units(case.probe, self.task).held(ran.outcomes, groups),
            metrics_of(case.probe, self.task).values(),
            self.task.views,
            alike=all(map(self.task.views_agree, ran.outcomes)),
            notes={**ran.notes, **self._noise_of(case)},
            answer=self.predictor.labels,
        )

    def measures_noise(self, case: Case) -> bool:
        """Whether the case reports noise."""
        if self.repeat or not case.probe.perturbs or self.repeats == 1:
            return False
        flips = any(metric.flips for metric in metrics_of(case.probe, self.task).values())
        return flips and flip_metric(self.task) is not None

    def _noise_of(self, case: Case) -> Mapping[str, int]:
        return self.noise if self.measures_noise(case) else {}

    def _graded(self, metric: str) -> str:
        other = self.task.graded.get(metric)
        return metric if other is None or any(example.gold for example in self.examples) else other

    def groups_of(self, case: Case, ran: Ran) -> list[str]:
        """The groups that a case is counted by."""
        return units(case.probe, self.task).groups(ran.outcomes)

    def _facts(self, case: Case, ran: Ran, seconds: float) -> JsonObject:
        return {
            "id": case.id,
            "task": case.task,
            "probe": case.probe.name,
            "name": case.name,
            "headline": self._graded(case.probe.headline(self.task)),
            "params": dict(ran.params),
            "blocking": case.blocking,
            "seeds": list(ran.seeds),
            **ran.sizes,
            "seconds": round(seconds, 3),
            "inputs": ran.inputs,
            "shared_inputs": ran.shared_inputs,
            **({TAKEN: None} if self.options.stop_early else {}),
        }


def language_of(corpus: AnyCorpus, gate: Gate) -> str:
    """The gate's language, else the examples', else detected."""
    if gate.language != AUTO:
        return gate.language
    words = [each for example in corpus.examples for each in example.fields.values()]
    named = language_named({example.language for example in corpus.examples})
    return named or language_by_words(words) or UNDETERMINED


def language_named(named: Collection[str | None]) -> str | None:
    """The language by the different ones that examples name, `SEVERAL` for several; None unless all name one."""
    if not named or None in named:
        return None
    return SEVERAL if len(named) > 1 else str(*named)
