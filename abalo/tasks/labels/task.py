"""The common part of tasks in which an example as a whole has a label."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo.bundled import bundled
from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json
from abalo.core.lesson import Lesson
from abalo.core.options import RunOptions, mask_token_of
from abalo.core.outcome import Outcome
from abalo.core.plan import AnyBoundPlan
from abalo.core.rounding import ROUNDING
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.task import Task
from abalo.core.verdicts import Bound
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.classifiers.protocol import Classifier
from abalo.models.specs import Adapter
from abalo.sources.resources import Resources
from abalo.tasks.labels.corpus import CorpusReader
from abalo.tasks.labels.in_parts import LabelsInParts
from abalo.tasks.labels.metrics.direction import DIRECTED
from abalo.tasks.labels.metrics.labels import gold_is_known, gold_now
from abalo.tasks.labels.models.loading import prompted
from abalo.tasks.labels.models.prompts import OF_TEXTS, Asking
from abalo.tasks.labels.report import LabelReport
from abalo.tasks.labels.targets import LabelTargets
from abalo.tasks.labels.templates import known_ones, labels_known
from perturbations import Perturbation, Span


@dataclass(frozen=True, slots=True)
class TextModels:
    """The models of such a task.

    ``path`` is that of the model that ships, ``name`` what documents call it. ``asking`` says how a language model is
    asked for a label. ``adapters`` are those of the task alone, tried before the others.
    """

    path: str
    name: str
    asking: Asking = OF_TEXTS
    adapters: Sequence[Adapter[Classifier]] = ()


class LabelTask(Task):
    """Examples with a label each, or with any number of them.

    A task says besides what a model is shown (`input`), and what becomes of labels (`carry`). The ``reader`` reads its
    corpora.
    ``turns_labels`` says that `carry` knows the label if a change turns around what a text says.
    """

    probes = ("baseline", "perturbation", "pipeline", "slice", "attack", "promise")
    views = ("",)
    usual_view = resized_view = ""
    floor = "accuracy"
    headline = "accuracy_drop_changed"
    targets = LabelTargets()
    group_noun = "label"
    held_noun = "labels"
    models: TextModels
    _turns_labels = False

    def __init__(self, reader: CorpusReader[Any]) -> None:
        self._reader = reader

    # Corpora and models -----------------------------------------------------------------------------------------------

    def read(self, spec: str, options: RunOptions) -> Any:
        """A file, a data set, or a corpus that ships."""
        return self._reader.load(spec, limit=options.limit, lenient=options.lenient)

    def in_parts(self, spec: str, options: RunOptions) -> LabelsInParts[Any]:
        """A file that can be cut."""
        return LabelsInParts(self._reader, spec, lenient=options.lenient)

    def recognises(self, spec: str) -> bool:
        """Whether the reader does."""
        return self._reader.recognises(spec)

    def predictor(self, model: Classifier, corpus: Any, store: Path | None = None) -> ClassPredictor:
        """The model with the clean corpus, each distinct input predicted once."""
        return ClassPredictor(model, corpus.inputs, corpus.golds, store)

    def load(self, spec: str | None, options: RunOptions, corpus: Any) -> Classifier:
        """A model whose labels fit the corpus; the one that ships for None."""
        path = str(bundled(self.models.path)) if spec is None else spec
        asked = prompted(list(corpus.label_counts), self.models.asking)
        adapters = (asked, *self.models.adapters)
        return load_model(path, options, corpus.label_counts, several=corpus.several, adapters=adapters)

    def resources(self, corpus: Any, model: Classifier, options: RunOptions, language: str) -> Resources:
        """Mask token, other corpora, models."""
        return Resources(corpus, mask_token_of(model, options), language)

    def lesson(self, example: Example) -> Lesson | None:
        """The texts that a model is shown, with the labels of the whole."""
        given = self.input(example)
        texts = (given,) if isinstance(given, str) else tuple(given)
        return None if example.gold is None else Lesson(texts, tuple(example.gold), tagged=False)

    def accepts(self, perturbation: Perturbation) -> bool:
        """All after which the labels still hold, or may turn around; none that looks at labels of tokens."""
        return (
            perturbation.level in ("character", "word", "sentence")
            and perturbation.labels != "changes"
            and perturbation.meaning != "loses"
            and perturbation.scheme is None
        )

    # Counting ---------------------------------------------------------------------------------------------------------

    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The labels in gold, and those that a change has made right."""
        known = (each for each in outcomes if gold_is_known(each))
        changed = {label for outcome in known for label in gold_now(outcome)}
        return sorted({label for outcome in outcomes for label in outcome.example.gold or ()} | changed)

    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """1 for each gold label of each example."""
        rows = [[group in (outcome.example.gold or ()) for group in groups] for outcome in outcomes]
        return np.array(rows, dtype=np.int64).reshape(len(outcomes), len(groups))

    def check(self, cases: Iterable[AnyBoundPlan], session: Subject) -> Iterable[tuple[AnyBoundPlan, Bound | str, str]]:
        """Bounds and slices of labels that neither corpus nor model knows, and bounds that a case says nothing of."""
        known = labels_known(session)
        for case in cases:
            for named in case.plan.labels:
                if known and named not in known:
                    yield case, "label", f"no label {named!r} in corpus or model{known_ones(named, known)}"
            for bound in case.bounds:
                if bound.type is not None and known and bound.type not in known:
                    yield case, bound, f"no label {bound.type!r} in corpus or model{known_ones(bound.type, known)}"
                if bound.metric not in DIRECTED and not self._turns_labels and case.plan.turns:
                    yield case, bound, f"{case.name} turns around what a text says; use {' or '.join(sorted(DIRECTED))}"

    def uninformed(self, evidence: Evidence, facts: Json) -> Bound | None:
        """A mean recall of one over the number of labels, which any constant answer has.

        If examples can have several labels: the accuracy of the commonest set of them.
        """
        held = evidence.held > 0
        if not held.any():
            return None
        if facts["several"]:
            commonest = int(np.unique(held, axis=0, return_counts=True)[1].max())
            return Bound(self.floor, "min", commonest / len(held))
        return Bound("balanced_accuracy", "min", 1 / int(held.any(axis=0).sum()))

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """There is nothing to count, no text was turned around, or a model has nothing that it could lose."""
        if not any(measurement.support.values()):
            return f"the {where} holds no {self.held_noun}"
        found = measurement.estimate(bound.metric, bound.type)
        if bound.metric in DIRECTED and not found.n:
            return "no text that is labelled right says the opposite after the change, or there are no probabilities"
        if "_drop" in bound.metric and bound.metric.startswith(self.floor):
            clean = sum(measurement.estimate(name, bound.type).value for name in (self.floor, f"{self.floor}_drop"))
            if abs(clean) < ROUNDING:
                return "the clean accuracy is 0, so there is nothing to lose"
        only = self._only_label(measurement)
        if only is not None and not bound.excess(found.value) > 0:
            return f"the model labels everything {only!r}, whatever it says, so no change can turn it"
        return None

    def _only_label(self, measurement: Measurement) -> str | None:
        """The label that a model has right always, where it has all others right never; None where it tells some apart.

        By the labels of the corpus, of which there must be two.
        """
        clean = {}
        for label in (label for label, support in measurement.support.items() if support):
            score, drop = (measurement.estimate(name, label).value for name in (self.floor, f"{self.floor}_drop"))
            clean[label] = score if math.isnan(drop) else score + drop
        right = [label for label, accuracy in clean.items() if abs(accuracy - 1) < ROUNDING]
        wrong = [label for label, accuracy in clean.items() if abs(accuracy) < ROUNDING]
        return right[0] if len(right) == 1 and wrong and len(right) + len(wrong) == len(clean) else None

    def stated(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """The labels of the whole."""
        labels = (example.gold or ()) if prediction is None else prediction.labels
        return tuple(Span(0, len(example.whole), label) for label in labels if example.gold is not None)

    @cached_property
    def report(self) -> LabelReport:
        """The part of reports about labels."""
        return LabelReport(self, self.models.name)
