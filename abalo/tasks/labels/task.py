"""The base of tasks with whole-example labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from abalo.bundled import bundled_path
from abalo.core.protocols.options import RunOptions, mask_token_of
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task import Task, edits_text
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.lesson import Lesson
from abalo.core.records.outcome import Outcome
from abalo.core.records.rounding import ROUNDING
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.plan import AnyBoundCase
from abalo.core.statistics.verdicts import Bound
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.classifiers.protocol import Classifier
from abalo.models.labelling.classified import Classified
from abalo.models.prompts.labels import OF_TEXTS, LabelForm
from abalo.models.prompts.template import Prompting, Shot, in_words_or_json
from abalo.models.specs import Adapter
from abalo.sources.resources import Resources
from abalo.tasks.labels.corpus import CorpusReader, LabelledCorpus
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.labels.metrics.direction import DIRECTED
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now
from abalo.tasks.labels.report import LabelReport
from abalo.tasks.labels.targets import LabelTargets
from abalo.tasks.labels.templates import known_labels, labels_known
from perturbations import Perturbation, Span


@dataclass(frozen=True, slots=True)
class TextModels:
    """The models of such a task.

    ``path`` and ``name`` belong to the bundled model. ``form`` is how a language model is asked. ``adapters`` are
    tried before the shared ones.
    """

    path: str
    name: str
    form: LabelForm = OF_TEXTS
    adapters: Sequence[Adapter[Classifier]] = ()


class LabelTask(Task):
    """Base of tasks with whole-example labels.

    A subclass defines the ``reader`` of corpora and of their ``_parts``, `input`, and `carry`, which updates labels.
    ``turns_labels`` is true if `carry` knows reversed labels. The uninformed baseline is a recall of 1 / number of
    labels, or with several labels the accuracy of the commonest set.
    """

    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "invariance", "prompt")
    views = ("",)
    usual_view = resized_view = ""
    floor = "accuracy"
    headline = "accuracy_drop_changed"
    targets = LabelTargets()
    group_noun = "label"
    held_noun = "labels"
    models: TextModels
    _parts: ClassVar[type[LabelsInParts[Any]]] = LabelsInParts
    _turns_labels = False

    def __init__(self, reader: CorpusReader[Any]) -> None:
        self._reader = reader

    # Corpora and models -----------------------------------------------------------------------------------------------

    def read(self, spec: str, options: RunOptions) -> Any:
        return self._reader.load(spec, limit=options.limit)

    def in_parts(self, spec: str, options: RunOptions) -> LabelsInParts[Any]:
        return self._parts(self._reader, spec)

    def recognises(self, spec: str) -> bool:
        return self._reader.recognises(spec)

    def predictor(self, model: Classifier, corpus: LabelledCorpus, store: Path | None = None) -> ClassPredictor:
        return ClassPredictor(model, corpus.inputs, corpus.golds, store)

    def load(self, spec: str | None, options: RunOptions, corpus: Any) -> Classifier:
        path = str(bundled_path(self.models.path)) if spec is None else spec
        labels, several = corpus.label_counts, corpus.several
        prompting = self._prompting(corpus)
        return load_model(path, options, labels, several=several, adapters=self.models.adapters, prompting=prompting)

    def _prompting(self, corpus: LabelledCorpus, form: LabelForm | None = None) -> Prompting:
        labels = tuple(sorted(corpus.label_counts))

        def forms() -> Mapping[str, LabelForm]:
            if not labels:
                raise ValueError("the corpus has no label to choose from; give one in which some text has one")
            return in_words_or_json(replace(form or self.models.form, labels=labels, several=corpus.several))

        def shots(name: str) -> list[Shot]:
            read = self.read(name, RunOptions())
            every = enumerate(read.examples, start=1)
            return [Shot(number, self.input(each), each.gold) for number, each in every if each.gold is not None]

        return Prompting(forms, shots, lambda: corpus.inputs)

    def resources(self, corpus: LabelledCorpus, model: Classifier, options: RunOptions, language: str) -> Resources:
        return Resources(corpus, mask_token_of(model, options), language)

    def lesson(self, example: Example) -> Lesson | None:
        given = self.input(example)
        texts = (given,) if isinstance(given, str) else tuple(given)
        return None if example.gold is None else Lesson(texts, tuple(example.gold), tagged=False)

    def accepts(self, perturbation: Perturbation) -> bool:
        return edits_text(perturbation) and perturbation.meaning != "loses" and perturbation.scheme is None

    # Counting ---------------------------------------------------------------------------------------------------------

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        known = (each for each in outcomes if gold_is_known(each))
        changed = {label for outcome in known for label in gold_now(outcome)}
        return sorted({label for outcome in outcomes for label in outcome.example.gold or ()} | changed)

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        held, place = np.zeros((len(outcomes), len(groups)), dtype=np.int64), {name: k for k, name in enumerate(groups)}
        for row, outcome in zip(held, outcomes, strict=True):
            row[[place[label] for label in outcome.example.gold or () if label in place]] = 1
        return held

    def check(self, cases: Iterable[AnyBoundCase], subject: Subject) -> Iterable[tuple[AnyBoundCase, Bound | str, str]]:
        known = labels_known(subject)
        for case in cases:
            for named in case.plan.labels:
                if known and named not in known:
                    yield case, "label", f"no label {named!r} in corpus or model{known_labels(named, known)}"
            for bound in case.bounds:
                if bound.type is not None and known and bound.type not in known:
                    yield case, bound, f"no label {bound.type!r} in corpus or model{known_labels(bound.type, known)}"
                if bound.metric not in DIRECTED and not self._turns_labels and case.plan.turns:
                    yield case, bound, f"{case.name} turns around what a text says; use {' or '.join(sorted(DIRECTED))}"

    def uninformed(self, evidence: Evidence, facts: JsonObject) -> Bound | None:
        held = evidence.held > 0
        if not held.any():
            return None
        if facts["several"]:
            commonest = int(np.unique(held, axis=0, return_counts=True)[1].max())
            return Bound(self.floor, "min", commonest / len(held))
        return Bound("balanced_accuracy", "min", 1 / int(held.any(axis=0).sum()))

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        if (reason := super().undecidable(bound, measurement, evidence, where)) is not None:
            return reason
        found = measurement.estimate(bound.metric, bound.type)
        if bound.metric in DIRECTED and not found.n:
            return (
                "no correctly labelled text has its meaning reversed by the change, or the model gives no probabilities"
            )
        only = self._only_label(measurement)
        if only is not None and not bound.excess(found.value) > 0:
            return f"the model labels every text {only!r}, so no change can reverse its label"
        return None

    def _only_label(self, measurement: Measurement) -> str | None:
        clean = {}
        for label in (label for label, support in measurement.support.items() if support):
            score, drop = (measurement.estimate(name, label).value for name in ("accuracy", "accuracy_drop"))
            clean[label] = score if math.isnan(drop) else score + drop
        right = [label for label, accuracy in clean.items() if abs(accuracy - 1) < ROUNDING]
        wrong = [label for label, accuracy in clean.items() if abs(accuracy) < ROUNDING]
        return right[0] if len(right) == 1 and wrong and len(right) + len(wrong) == len(clean) else None

    def stated(self, example: Example, prediction: Classified | None = None) -> tuple[Span, ...]:
        labels = (example.gold or ()) if prediction is None else prediction.labels
        return tuple(Span(0, len(example.whole), label) for label in labels if example.gold is not None)

    @cached_property
    def report(self) -> LabelReport:
        return LabelReport(self, self.models.name)
