"""Corpus, models and engines of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Self

from abalo.attacks.log import ATTACKS, Log, log_name
from abalo.config.options import corpus_of, trainings_of
from abalo.config.tasks import read_corpus
from abalo.config.thresholds import Thresholds
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import Gate
from abalo.core.running.engine import CaseRun, Engine, language_of
from abalo.core.running.trainings import together
from abalo.models.generative.models import share_calls
from abalo.models.networks.devices import use_threads
from abalo.models.user_code import at_hand, imports
from abalo.reporting.runs.reference import Reference, reference_of
from abalo.run.spec import RunSpec


class Opened:
    """What a run reads, each once and when first needed.

    No call changes it. A ``corpus`` and ``models`` at hand stand for those that the `RunSpec` names.
    """

    def __init__(self, spec: RunSpec, corpus: Any = None, models: Sequence[Any] | None = None) -> None:
        self.spec, self._corpus, self._models = spec, corpus, models

    @property
    def task(self) -> Task:
        """The task."""
        return self.spec.task

    @cached_property
    def corpus(self) -> Any:
        """The corpus; raises `AbaloError` listing its problems."""
        if self._corpus is not None:
            return self._corpus
        return read_corpus(self.task, corpus_of(self.spec.options, self.task), self.spec.options)

    @cached_property
    def language(self) -> str:
        """The language of the corpus, given or detected."""
        return language_of(self.corpus, self.spec.thresholds.gate)

    @cached_property
    def gate(self) -> Gate:
        """The rules of judgement, in the language of the corpus."""
        return replace(self.spec.thresholds.gate, language=self.language)

    @cached_property
    def applied(self) -> Thresholds:
        """The thresholds for the corpus and its language."""
        return self.spec.thresholds.spoken({self.task.name: self.language})

    @cached_property
    def reference(self) -> Reference | None:
        """The accepted run to compare with, if any."""
        return reference_of(self.spec.options, self.spec.thresholds)

    @property
    def models(self) -> Sequence[Any]:
        """The models, one per training; raises `AbaloError`."""
        return self._loaded[0]

    @property
    def code(self) -> JsonObject:
        """The modules of the user that the models are made of."""
        return self._loaded[1]

    @cached_property
    def _loaded(self) -> tuple[Sequence[Any], JsonObject]:
        if self._models is not None:
            return self._models, {}
        options = self.spec.options
        if options.threads is not None:
            use_threads(options.threads)
        with imports() as code, at_hand(options.model, self.spec.model):
            found = [self.task.load(spec, options, self.corpus) for spec in trainings_of(options)]
        share_calls(found, options.calling.max_calls, self.spec.store)
        return found, {"code": sorted(code)} if code else {}

    @property
    def model(self) -> Any:
        """The model; the first of several trainings."""
        return self.models[0]

    @cached_property
    def engines(self) -> Sequence[Engine]:
        """The engines that run cases, one per training."""
        options, logs = self.spec.options, self.spec.logs and self.spec.options.with_text
        return [
            Engine(
                self.task,
                self.corpus,
                model,
                self.gate,
                options.seeds or (),
                options,
                self.spec.store,
                options.with_text,
                self._opener(k) if logs else None,
            )
            for k, model in enumerate(self.models)
        ]

    @property
    def engine(self) -> Engine:
        """The engine of the first training."""
        return self.engines[0]

    def _opener(self, training: int) -> Callable[[Case], object]:
        folder, resume = self.spec.options.reports / ATTACKS, self.spec.options.resume
        return lambda case: partial(Log, folder / log_name(case.id, training), resume=resume)

    @cached_property
    def clean(self) -> CaseRun:
        """The clean corpus as a case without bounds, measured."""
        runs = [engine.run(engine.baseline()) for engine in self.engines]
        return runs[0] if len(runs) == 1 else together(runs, self.task)

    def part(self, places: Sequence[int], seed: int) -> Self:
        """Returns a run of the same models on the examples at ``places`` of the corpus, under one seed."""
        spec = replace(self.spec, options=replace(self.spec.options, seeds=(seed,)))
        found = type(self)(spec, self.corpus.chosen(places))
        kept = {name: getattr(self, name) for name in ("_loaded", "language", "gate", "applied", "reference")}
        vars(found).update(kept)
        return found
